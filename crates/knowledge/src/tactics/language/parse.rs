//! Mappings as text: `let NAME = SET` and `Suc_1(OPP & H) & EMPTY`.
//!
//! `!` binds closest, then `&` and `-` from left to right, then `^`, then `|`.

use std::collections::HashMap;

use crate::tactics::language::forms;
use crate::tactics::language::library::Library;
use crate::tactics::language::mapping::{Leaf, Mapping, NeighborOperator, SetOperator};
use crate::tactics::language::parse_error::{MAX_DEPTH, MAX_SIZE, MappingFault, ParseMappingError, nearest};
use crate::tactics::language::tokens::{Token, TokenKind, Tokens};

/// The names of functions.
const FUNCTIONS: [&str; 5] = ["liberties", "near", "ring", "line", "at"];
/// Reserved words of definitions and queries.
const KEYWORDS: [&str; 7] = ["let", "and", "no", "not", "played", "in", "count"];
/// Maximum distance between two points of a board of 19 lines.
pub(crate) const MAX_STEPS: u8 = 36;
/// Maximum line number on a board of 19 lines, counted from the nearest edge.
pub(crate) const MAX_LINE: u8 = 10;

/// A mapping with its size and depth, so that names cannot hide huge mappings.
#[derive(Clone, Debug)]
pub(crate) struct SizedMapping {
    pub mapping: Mapping,
    depth: usize,
    size: usize,
}

impl SizedMapping {
    fn of_leaf(leaf: Leaf) -> SizedMapping {
        SizedMapping { mapping: leaf.into(), depth: 1, size: 1 }
    }

    fn not(self) -> SizedMapping {
        SizedMapping { mapping: self.mapping.complement(), depth: self.depth + 1, size: self.size + 1 }
    }

    fn count(self, kind: NeighborOperator, n: u8, n_times: u8) -> SizedMapping {
        let n_times = usize::from(n_times);
        let mapping = (0..n_times).fold(self.mapping, |of, _| Mapping::count(kind, n, of));
        SizedMapping { mapping, depth: self.depth + n_times, size: self.size + n_times }
    }

    fn join(self, join: SetOperator, other: SizedMapping) -> SizedMapping {
        SizedMapping {
            mapping: self.mapping.join(join, other.mapping),
            depth: self.depth.max(other.depth) + join.n_levels(),
            size: self.size + other.size + 1,
        }
    }

    /// Measures a small form.
    fn of_form(mapping: Mapping) -> SizedMapping {
        let (depth, size) = (mapping.depth(), mapping.size());
        SizedMapping { mapping, depth, size }
    }
}

/// A definition of a text.
pub(crate) struct Definition {
    pub name: String,
    pub description: String,
    pub measured: SizedMapping,
    /// Position of the name in the text.
    at: usize,
}

/// Reads a text from left to right.
pub(crate) struct MappingParser<'t> {
    pub tokens: Tokens<'t>,
    library: &'t Library,
    /// The definitions of the text itself.
    pub definitions: Vec<Definition>,
    numbers: HashMap<&'t str, usize>,
    depth: usize,
}

impl<'t> MappingParser<'t> {
    pub(crate) fn new(text: &'t str, library: &'t Library) -> MappingParser<'t> {
        MappingParser { tokens: Tokens::new(text), library, definitions: Vec::new(), numbers: HashMap::new(), depth: 0 }
    }

    fn fail<T>(&self, token: Token<'_>, fault: MappingFault) -> Result<T, ParseMappingError> {
        Err(self.tokens.error(token, fault))
    }

    /// Reads any number of `let NAME = SET`.
    pub(crate) fn definitions(&mut self) -> Result<(), ParseMappingError> {
        loop {
            while self.tokens.take_sign(';').is_some() {}
            if !self.tokens.take_word("let") {
                return Ok(());
            }
            let Token { text: name, at, .. } = self.new_name()?;
            if self.tokens.take_sign('=').is_none() {
                return self.fail(self.tokens.peek(), MappingFault::NoEquals);
            }
            let measured = self.set()?;
            let description = self.tokens.comment().to_string();
            self.numbers.insert(name, self.definitions.len());
            self.definitions.push(Definition { name: name.to_string(), description, measured, at });
            let next = self.tokens.peek();
            if !next.starts_line && !matches!(next.kind, TokenKind::End | TokenKind::Sign(';')) {
                return Err(self.no_operator());
            }
        }
    }

    /// A name that can be defined.
    fn new_name(&mut self) -> Result<Token<'t>, ParseMappingError> {
        let token = self.tokens.advance();
        if token.kind != TokenKind::Name || !token.text.starts_with(char::is_alphabetic) {
            return self.fail(token, MappingFault::NoName);
        }
        if is_reserved(token.text) {
            return self.fail(token, MappingFault::Reserved);
        }
        if let Some(&number) = self.numbers.get(token.text) {
            let (line, _) = self.tokens.line_and_column(self.definitions[number].at);
            return self.fail(token, MappingFault::DefinedTwice(line));
        }
        Ok(token)
    }

    /// Reads one set, up to the first token that cannot belong to it.
    pub(crate) fn set(&mut self) -> Result<SizedMapping, ParseMappingError> {
        self.joined(Level::Or)
    }

    /// Requires the end of the text.
    pub(crate) fn end(&mut self) -> Result<(), ParseMappingError> {
        while self.tokens.take_sign(';').is_some() {}
        if self.tokens.peek().kind == TokenKind::End { Ok(()) } else { Err(self.no_operator()) }
    }

    pub(crate) fn no_operator(&self) -> ParseMappingError {
        let token = self.tokens.peek();
        let is_closing = token.kind == TokenKind::Sign(')');
        self.tokens.error(token, if is_closing { MappingFault::NoOpening } else { MappingFault::NoOperator })
    }

    /// Reads operands joined by operators of at least this precedence.
    fn joined(&mut self, least: Level) -> Result<SizedMapping, ParseMappingError> {
        let mut left = self.operand()?;
        while let Some(join) = join_of(self.tokens.peek()).filter(|join| Level::of(*join) >= least) {
            let sign = self.tokens.advance();
            let right = match Level::of(join).above() {
                Some(above) => self.joined(above)?,
                None => self.operand()?,
            };
            left = self.bounded(sign, left.join(join, right))?;
        }
        Ok(left)
    }

    fn bounded(&self, token: Token<'_>, measured: SizedMapping) -> Result<SizedMapping, ParseMappingError> {
        if measured.size > MAX_SIZE {
            return self.fail(token, MappingFault::TooLarge);
        }
        if measured.depth > MAX_DEPTH { self.fail(token, MappingFault::TooDeep) } else { Ok(measured) }
    }

    /// Reads a leaf, a name, a function, `!A` or `(A)`.
    fn operand(&mut self) -> Result<SizedMapping, ParseMappingError> {
        let token = self.tokens.advance();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail(token, MappingFault::TooDeep);
        }
        let measured = match token.kind {
            TokenKind::Sign('!') => {
                let of = self.operand()?;
                self.bounded(token, of.not())
            }
            TokenKind::Sign('(') => {
                let inner = self.set()?;
                self.close(token)?;
                Ok(inner)
            }
            TokenKind::Name => self.named(token),
            _ => self.fail(token, MappingFault::NoOperand),
        };
        self.depth -= 1;
        measured
    }

    fn close(&mut self, open: Token<'_>) -> Result<(), ParseMappingError> {
        let is_closed = self.tokens.take_sign(')').is_some();
        if is_closed {
            return Ok(());
        }
        // A token that cannot follow a set is the more precise error; at the end it is the parenthesis.
        match self.tokens.peek().kind {
            TokenKind::Name | TokenKind::Number(_) | TokenKind::Sign('(' | '!') => Err(self.no_operator()),
            _ => Err(self.tokens.unclosed(open)),
        }
    }

    fn named(&mut self, token: Token<'t>) -> Result<SizedMapping, ParseMappingError> {
        if let Some(leaf) = Leaf::ALL.into_iter().find(|leaf| leaf.name() == token.text) {
            return Ok(SizedMapping::of_leaf(leaf));
        }
        if let Some(&number) = self.numbers.get(token.text) {
            return Ok(self.definitions[number].measured.clone());
        }
        if let Some(measured) = self.library.measured(token.text) {
            return Ok(measured.clone());
        }
        if FUNCTIONS.contains(&token.text) {
            return self.function(token);
        }
        match count_of(token.text) {
            Some((kind, digits)) => self.count(token, kind, digits),
            None if KEYWORDS.contains(&token.text) => self.fail(token, MappingFault::NoOperand),
            None => Err(self.unknown(token)),
        }
    }

    fn unknown(&self, token: Token<'_>) -> ParseMappingError {
        let counts =
            NeighborOperator::ALL.map(|kind| (1..=NeighborOperator::MAX).map(move |n| format!("{}_{n}", kind.name())));
        let counts: Vec<String> = counts.into_iter().flatten().collect();
        let names = self.definitions.iter().map(|definition| definition.name.as_str());
        let names = names.chain(self.library.named().map(|named| named.name.as_str()));
        let names = names.chain(FUNCTIONS).chain(Leaf::ALL.map(Leaf::name)).chain(counts.iter().map(String::as_str));
        let near = nearest(token.text, names);
        ParseMappingError { near, ..self.tokens.error(token, MappingFault::UnknownName) }
    }

    /// `Adj_n(A)` or `Adj_n^k(A)`.
    fn count(
        &mut self,
        token: Token<'_>,
        kind: NeighborOperator,
        digits: &str,
    ) -> Result<SizedMapping, ParseMappingError> {
        let n = digits.parse().ok().filter(|n| (1..=NeighborOperator::MAX).contains(n));
        let n = n.map_or_else(|| self.fail(token, MappingFault::NotBetween(1, NeighborOperator::MAX)), Ok)?;
        let n_times = if self.tokens.take_sign('^').is_some() { self.number(1, MAX_STEPS)? } else { 1 };
        let open = self.open(token)?;
        let of = self.set()?;
        self.close(open)?;
        self.bounded(token, of.count(kind, n, n_times))
    }

    fn open(&mut self, function: Token<'_>) -> Result<Token<'t>, ParseMappingError> {
        self.tokens.take_sign('(').map_or_else(|| self.fail(function, MappingFault::NoArguments), Ok)
    }

    /// Reads a number from first to last.
    fn number(&mut self, first: u8, last: u8) -> Result<u8, ParseMappingError> {
        let token = self.tokens.advance();
        match token.kind {
            TokenKind::Number(n) if (u32::from(first)..=u32::from(last)).contains(&n) => Ok(n as u8),
            TokenKind::Number(_) => self.fail(token, MappingFault::NotBetween(first, last)),
            _ => self.fail(token, MappingFault::NoNumber),
        }
    }

    fn comma(&mut self) -> Result<(), ParseMappingError> {
        let is_next = self.tokens.take_sign(',').is_some();
        if is_next { Ok(()) } else { self.fail(self.tokens.peek(), MappingFault::NoComma) }
    }

    fn function(&mut self, token: Token<'t>) -> Result<SizedMapping, ParseMappingError> {
        let open = self.open(token)?;
        let measured = match token.text {
            "liberties" => self.liberties()?,
            "line" => SizedMapping::of_form(forms::line(self.number(1, MAX_LINE)?)),
            "at" => {
                let n = self.number(1, MAX_LINE)?;
                self.comma()?;
                SizedMapping::of_form(forms::at(n, self.number(1, MAX_LINE)?))
            }
            name => {
                let n = self.number(1, MAX_STEPS)?;
                self.comma()?;
                let of = self.set()?;
                let near = |n| of.clone().count(NeighborOperator::Adj, 1, n);
                if name == "near" { near(n) } else { near(n).join(SetOperator::Minus, near(n - 1)) }
            }
        };
        self.close(open)?;
        self.bounded(token, measured)
    }

    fn liberties(&mut self) -> Result<SizedMapping, ParseMappingError> {
        let token = self.tokens.peek();
        match token.kind {
            TokenKind::Number(5..) => self.fail(token, MappingFault::ManyLiberties),
            _ => Ok(SizedMapping::of_form(forms::liberties(self.number(1, 4)?))),
        }
    }
}

/// The precedence of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Or,
    Xor,
    And,
}

impl Level {
    pub(crate) fn of(join: SetOperator) -> Level {
        match join {
            SetOperator::Or => Level::Or,
            SetOperator::Xor => Level::Xor,
            SetOperator::And | SetOperator::Minus => Level::And,
        }
    }

    fn above(self) -> Option<Level> {
        match self {
            Level::Or => Some(Level::Xor),
            Level::Xor => Some(Level::And),
            Level::And => None,
        }
    }
}

fn join_of(token: Token<'_>) -> Option<SetOperator> {
    SetOperator::ALL.into_iter().find(|join| token.kind == TokenKind::Sign(join.sign()))
}

/// The kind and the digits of `Adj_2` and `Adj2`.
fn count_of(name: &str) -> Option<(NeighborOperator, &str)> {
    let rest =
        |kind: NeighborOperator| name.strip_prefix(kind.name()).map(|rest| rest.strip_prefix('_').unwrap_or(rest));
    let mut counts = NeighborOperator::ALL.into_iter().filter_map(|kind| rest(kind).map(|rest| (kind, rest)));
    counts.find(|(_, rest)| rest.bytes().all(|b| b.is_ascii_digit()))
}

fn is_reserved(name: &str) -> bool {
    let is_leaf = Leaf::ALL.iter().any(|leaf| leaf.name() == name);
    is_leaf || KEYWORDS.contains(&name) || FUNCTIONS.contains(&name) || count_of(name).is_some()
}

/// Parses a set without names of a library.
impl std::str::FromStr for Mapping {
    type Err = ParseMappingError;

    fn from_str(text: &str) -> Result<Mapping, ParseMappingError> {
        Library::default().mapping(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let library = Library::standard();
        let read = |text: &str| library.mapping(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read(text), read(expected), "{text}");
    }

    #[test]
    fn operators_have_the_documented_precedence() {
        check("!B & W", "(!B) & W");
        check("B & W - O & P", "((B & W) - O) & P");
        check("B ^ W & O | P", "(B ^ (W & O)) | P");
        check("B | W ^ O - P", "B | (W ^ (O - P))");
        check("B ∩ W ∪ ¬O − P ⊕ B", "B & W | !O - P ^ B");
    }

    #[test]
    fn functions_expand_to_trees() {
        check("Adj_1^3(B)", "Adj_1(Adj1(Adj_1(B)))");
        check("near(2, B)", "Adj_1^2(B)");
        check("ring(1, B)", "Adj_1(B) - B");
        check("line(1)", "BORDER");
        check("line(3)", "Adj_1^2(BORDER) - Adj_1(BORDER)");
        check("liberties(2)", "Pre_2(EMPTY) - Pre_3(EMPTY) - EMPTY");
        check("at(4, 3)", "ring(5, CORNER) & ring(2, BORDER)");
    }

    #[test]
    fn definitions_come_before_the_set() {
        check("let a = B; let b = a & W\n a - b", "B - (B & W)");
        check("# nothing yet\nlet stones = BLACK\n  | WHITE # all of them\n\nstones &\nB;", "(BLACK | WHITE) & B");
        check("let EMPTY = ALL; EMPTY", "ALL");
    }

    #[track_caller]
    fn check_error(text: &str, (line, column): (usize, usize), found: &str, hint: &str) {
        let error = Library::standard().mapping(text).expect_err(text);
        assert_eq!((error.line, error.column, error.found.as_str()), (line, column, found), "{text}: {error}");
        assert!(error.to_string().contains(hint), "{text}: {error}");
    }

    #[test]
    fn errors_give_place_token_and_hint() {
        check_error("EMTPY & B", (1, 1), "EMTPY", "did you mean `EMPTY`?");
        check_error("B &\n captures", (2, 2), "captures", "did you mean `capture`?");
        check_error("adj_2(B)", (1, 1), "adj_2", "did you mean `Adj_2`?");
        check_error("xyzzy", (1, 1), "xyzzy", "let NAME = SET");
        check_error("Adj_7(B)", (1, 1), "Adj_7", "from 1 to 5");
        check_error("Pre(B)", (1, 1), "Pre", "from 1 to 5");
        check_error("Adj_1^0(B)", (1, 7), "0", "from 1 to 36");
        check_error("B & W (", (1, 7), "(", "join sets");
        check_error("B & W | (O ^ P", (1, 15), "", "missing for the `(` at column 9");
        check_error("(B\n;", (2, 1), ";", "`(` at line 1, column 1");
        check_error("B & W)", (1, 6), ")", "no open `(`");
        check_error("Adj_1 B", (1, 1), "Adj_1", "in parentheses");
        check_error("liberties(5)", (1, 11), "5", "Pre_5(EMPTY) - EMPTY");
        check_error("near(B, 2)", (1, 6), "B", "a whole number");
        check_error("near(2 B)", (1, 8), "B", "`,` is missing");
        check_error("line(11)", (1, 6), "11", "from 1 to 10");
        check_error("B & ", (1, 4), "", "a set starts");
        check_error("B &\n\n", (1, 4), "", "a set starts");
        check_error("B & \u{7}", (1, 5), "\u{fffd}", "a set starts");
        check_error("", (1, 1), "", "a set starts");
        check_error("let = B", (1, 5), "=", "a name consists of letters");
        check_error("let near = B", (1, 5), "near", "a reserved word");
        check_error("let Adj_2 = B", (1, 5), "Adj_2", "a reserved word");
        check_error("let a B", (1, 7), "B", "let NAME = SET");
        check_error("let a = B\nlet a = W", (2, 5), "a", "already defined in line 1");
        check_error("let a = B a", (1, 11), "a", "join sets");
        check_error("B $ W", (1, 3), "$", "join sets");
    }

    #[test]
    fn huge_texts_are_refused() {
        let error = |text: &str| Library::standard().mapping(text).expect_err("too much").fault;
        for text in ["(".repeat(100_000), "!".repeat(100_000), "Adj_1(".repeat(100_000), "near(36,".repeat(1000)] {
            assert_eq!(error(&text), MappingFault::TooDeep);
        }
        assert_eq!(error(&format!("B{}", "& B".repeat(100_000))), MappingFault::TooDeep);
        // `^` is two levels deep.
        let nested = |sign: &str, n: usize| format!("B{}", format!(" {sign} B").repeat(n));
        assert!(Library::standard().mapping(&nested("^", MAX_DEPTH / 2 - 1)).is_ok());
        assert!(Library::standard().mapping(&nested("&", MAX_DEPTH - 1)).is_ok());
        assert_eq!(error(&nested("^", MAX_DEPTH / 2 + 1)), MappingFault::TooDeep);
        let doubled: String = (1..100).map(|n| format!("let a{n} = a{} & a{}\n", n - 1, n - 1)).collect();
        assert_eq!(error(&format!("let a0 = B\n{doubled}a99")), MappingFault::TooLarge);
    }
}
