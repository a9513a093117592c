//! Queries on positions: `played in capture and no OWN & H and count OPP & H >= 2`.

use std::fmt;

use tejun_games::go::Point;

use crate::tactics::eval::points::Points;
use crate::tactics::language::library::Library;
use crate::tactics::language::mapping::Mapping;
use crate::tactics::language::parse::MappingParser;
use crate::tactics::language::parse_error::{MappingFault, ParseMappingError};
use crate::tactics::language::tokens::TokenKind;

/// Conditions that must all hold for a position and the move played there.
///
/// ```
/// use tejun_knowledge::tactics::{Library, Query};
/// let query = Query::parse("played in capture and count H - EMPTY >= 2", Library::standard())?;
/// assert_eq!(query.conditions.len(), 2);
/// # Ok::<(), tejun_knowledge::tactics::ParseMappingError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// At least one.
    pub conditions: Vec<Condition>,
}

/// A condition on a position or on the move played there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `SET`: the set has points.
    Some(Mapping),
    /// `no SET`: the set has no points.
    No(Mapping),
    /// `played in SET`: the move is in the set.
    PlayedIn(Mapping),
    /// `not played in SET`: the move is not in the set, or is a pass.
    NotPlayedIn(Mapping),
    /// `count SET >= n`: compares the number of points with n.
    Count(Mapping, Bound, u32),
}

/// How a count is compared with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `=`
    Exactly,
    /// `<`
    Below,
    /// `>`
    Above,
}

impl Query {
    /// Reads conditions joined by `and`; definitions may come before them.
    ///
    /// # Errors
    /// Reports the first place that cannot be parsed, and the expected text.
    pub fn parse(text: &str, library: &Library) -> Result<Query, ParseMappingError> {
        let mut parser = MappingParser::new(text, library);
        parser.definitions()?;
        let mut conditions = vec![condition(&mut parser)?];
        while parser.tokens.take_word("and") {
            conditions.push(condition(&mut parser)?);
        }
        while parser.tokens.take_sign(';').is_some() {}
        let next = parser.tokens.peek();
        match next.kind {
            TokenKind::End => Ok(Query { conditions }),
            TokenKind::Sign(')') => Err(parser.tokens.error(next, MappingFault::NoOpening)),
            _ => Err(parser.tokens.error(next, MappingFault::NoAnd)),
        }
    }

    /// The sets of its conditions, in their order.
    pub fn mappings(&self) -> impl Iterator<Item = &Mapping> {
        self.conditions.iter().map(Condition::mapping)
    }

    /// Whether a condition concerns the move.
    pub fn asks_for_move(&self) -> bool {
        self.conditions.iter().any(Condition::asks_for_move)
    }
}

fn condition(parser: &mut MappingParser<'_>) -> Result<Condition, ParseMappingError> {
    if parser.tokens.take_word("no") {
        return Ok(Condition::No(parser.set()?.mapping));
    }
    if parser.tokens.take_word("count") {
        let set = parser.set()?.mapping;
        let bound = bound(parser)?;
        let token = parser.tokens.advance();
        return match token.kind {
            TokenKind::Number(n) => Ok(Condition::Count(set, bound, n)),
            _ => Err(parser.tokens.error(token, MappingFault::NoNumber)),
        };
    }
    let is_negative = parser.tokens.take_word("not");
    let is_played = parser.tokens.take_word("played");
    if !is_negative && !is_played {
        return Ok(Condition::Some(parser.set()?.mapping));
    }
    if !is_played || !parser.tokens.take_word("in") {
        return Err(parser.tokens.error(parser.tokens.peek(), MappingFault::NoPlayedIn));
    }
    let set = parser.set()?.mapping;
    Ok(if is_negative { Condition::NotPlayedIn(set) } else { Condition::PlayedIn(set) })
}

fn bound(parser: &mut MappingParser<'_>) -> Result<Bound, ParseMappingError> {
    let token = parser.tokens.advance();
    match token.kind {
        TokenKind::AtLeast => Ok(Bound::AtLeast),
        TokenKind::AtMost => Ok(Bound::AtMost),
        TokenKind::Sign('=') => Ok(Bound::Exactly),
        TokenKind::Sign('<') => Ok(Bound::Below),
        TokenKind::Sign('>') => Ok(Bound::Above),
        _ => Err(parser.tokens.error(token, MappingFault::NoComparison)),
    }
}

impl Condition {
    /// The set of the condition.
    pub fn mapping(&self) -> &Mapping {
        match self {
            Condition::Some(set) | Condition::No(set) | Condition::Count(set, ..) => set,
            Condition::PlayedIn(set) | Condition::NotPlayedIn(set) => set,
        }
    }

    /// Whether it concerns the move, not only the position.
    pub fn asks_for_move(&self) -> bool {
        matches!(self, Condition::PlayedIn(_) | Condition::NotPlayedIn(_))
    }

    /// Whether it holds, given the value of its set and the move; `None` is a pass.
    pub fn holds(&self, value: &Points, played: Option<Point>) -> bool {
        let is_played_in = || played.is_some_and(|point| value.contains(point));
        match self {
            Condition::Some(_) => !value.is_empty(),
            Condition::No(_) => value.is_empty(),
            Condition::PlayedIn(_) => is_played_in(),
            Condition::NotPlayedIn(_) => !is_played_in(),
            Condition::Count(_, bound, n) => bound.allows(value.len(), *n as usize),
        }
    }
}

impl Bound {
    /// Whether a count satisfies the comparison.
    pub fn allows(self, count: usize, n: usize) -> bool {
        match self {
            Bound::AtLeast => count >= n,
            Bound::AtMost => count <= n,
            Bound::Exactly => count == n,
            Bound::Below => count < n,
            Bound::Above => count > n,
        }
    }

    /// Its operator symbol.
    pub fn sign(self) -> &'static str {
        match self {
            Bound::AtLeast => ">=",
            Bound::AtMost => "<=",
            Bound::Exactly => "=",
            Bound::Below => "<",
            Bound::Above => ">",
        }
    }
}

/// The text parses to the same query with any library.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, condition) in self.conditions.iter().enumerate() {
            let before = if number == 0 { "" } else { " and " };
            write!(f, "{before}{condition}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(Mapping::to_string))
    }
}

impl Condition {
    fn written(&self, print: impl Fn(&Mapping) -> String) -> String {
        let set = print(self.mapping());
        match self {
            Condition::Some(_) => set,
            Condition::No(_) => format!("no {set}"),
            Condition::PlayedIn(_) => format!("played in {set}"),
            Condition::NotPlayedIn(_) => format!("not played in {set}"),
            Condition::Count(_, bound, n) => format!("count {set} {} {n}", bound.sign()),
        }
    }
}

impl Library {
    /// Prints a query with names for its parts. Parses to the same query with this library.
    pub fn print_query(&self, query: &Query) -> String {
        let print = |mapping: &Mapping| self.print(mapping);
        query.conditions.iter().map(|condition| condition.written(print)).collect::<Vec<_>>().join(" and ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str) -> Query {
        let library = Library::standard();
        let query = Query::parse(text, library).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(library.print_query(&query), text);
        assert_eq!(Query::parse(&query.to_string(), library).as_ref(), Ok(&query));
        query
    }

    #[test]
    fn conditions_read_and_write() {
        check("capture");
        check("no LAST & H");
        let query = check("played in legal & capture and not played in LAST | H and count OPP - H >= 2");
        assert!(query.asks_for_move() && query.mappings().count() == 3);
        for sign in [">=", "<=", "=", "<", ">"] {
            assert!(!check(&format!("count EMPTY - H {sign} 12")).asks_for_move());
        }
        let library = Library::standard();
        let defined = Query::parse("let a = B & W\nlet b = a\n; played in b\n  and no H", library);
        assert_eq!(defined, Query::parse("played in EMPTY and no H", library));
    }

    #[test]
    fn conditions_hold_or_not() {
        let [a, b] = [Point::new(0, 0), Point::new(1, 0)];
        let set = Points::one(a);
        let holds = |text: &str, played| {
            let query = Query::parse(text, Library::standard()).expect(text);
            query.conditions[0].holds(&set, played)
        };
        assert!(holds("B", None) && !holds("no B", None));
        assert!(holds("played in B", Some(a)) && !holds("played in B", Some(b)) && !holds("played in B", None));
        assert!(!holds("not played in B", Some(a)) && holds("not played in B", None));
        assert!(holds("count B >= 1", None) && holds("count B < 2", None) && !holds("count B > 1", None));
        assert!(holds("count B = 1", None) && !holds("count B <= 0", None));
    }

    #[test]
    fn errors_say_where() {
        for (text, column, hint) in [
            ("played capture", 8, "played in"),
            ("not H", 5, "no SET"),
            ("count H", 8, ">="),
            ("count H >= B", 12, "a whole number"),
            ("H and", 6, "a set starts"),
            ("H capture", 3, "`and`"),
            ("H)", 2, "no open `(`"),
            ("no and", 4, "a set starts"),
        ] {
            let error = Query::parse(text, Library::standard()).expect_err(text);
            assert_eq!(error.column, column, "{text}: {error}");
            assert!(error.to_string().contains(hint), "{text}: {error}");
        }
    }
}
