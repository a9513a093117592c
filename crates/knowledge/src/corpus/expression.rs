//! Conditions on games as text: `year >= 1990 and (black ~ "lee" or handicap > 2)`.

use std::fmt;

use tejun_games::header::Rank;

use crate::corpus::schema::Game;

/// A condition on a game.
///
/// ```
/// use tejun_knowledge::corpus::{Expression, Selection};
///
/// let condition = Expression::parse("moves > 200 and (komi < 5 or winner = W)")?;
/// let selection = Selection { condition: Some(condition), ..Selection::default() };
/// assert!(Expression::parse("year >>").is_err());
/// # Ok::<(), tejun_knowledge::corpus::ParseExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// Both hold.
    And(Box<Expression>, Box<Expression>),
    /// At least one holds.
    Or(Box<Expression>, Box<Expression>),
    /// It does not hold.
    Not(Box<Expression>),
    /// A field compared with a number.
    Number(Field, Comparison, f64),
    /// A field compared with a text.
    Text(Field, Comparison, String),
}

/// How a field is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `~`: the field contains the text, ignoring case.
    Holds,
}

/// A field of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Number in the collection.
    Id,
    /// Source file.
    Source,
    /// Board size in lines.
    Size,
    /// Komi in points.
    Komi,
    /// Handicap stones.
    Handicap,
    /// Number of moves, including passes.
    Moves,
    /// Year of the date.
    Year,
    /// Margin in points.
    Margin,
    /// Rules as written in the record.
    Rules,
    /// Black's name.
    Black,
    /// White's name.
    White,
    /// Either player's name.
    Player,
    /// Black's rank.
    BlackRank,
    /// White's rank.
    WhiteRank,
    /// Tournament or match.
    Event,
    /// Round.
    Round,
    /// Place where it was played.
    Place,
    /// ISO date, as precise as known; compared as text.
    Date,
    /// `B+3.5`, `W+R` and so on.
    Result,
    /// `B` or `W`.
    Winner,
    /// What was repaired in the record.
    Notes,
}

const FIELDS: [(&str, Field); 21] = [
    ("id", Field::Id),
    ("source", Field::Source),
    ("size", Field::Size),
    ("komi", Field::Komi),
    ("handicap", Field::Handicap),
    ("moves", Field::Moves),
    ("year", Field::Year),
    ("margin", Field::Margin),
    ("rules", Field::Rules),
    ("black", Field::Black),
    ("white", Field::White),
    ("player", Field::Player),
    ("black_rank", Field::BlackRank),
    ("white_rank", Field::WhiteRank),
    ("event", Field::Event),
    ("round", Field::Round),
    ("place", Field::Place),
    ("date", Field::Date),
    ("result", Field::Result),
    ("winner", Field::Winner),
    ("notes", Field::Notes),
];

impl Field {
    fn is_number(self) -> bool {
        use Field::{BlackRank, Handicap, Id, Komi, Margin, Moves, Size, WhiteRank, Year};
        matches!(self, Id | Size | Komi | Handicap | Moves | Year | Margin | BlackRank | WhiteRank)
    }

    fn number(self, game: &Game) -> Option<f64> {
        let header = &game.record.header;
        let rank = |text: &Option<String>| text.as_deref().and_then(Rank::parse).map(|rank| rank.0 as f64);
        match self {
            Field::Id => Some(game.id.0 as f64),
            Field::Size => Some(game.record.size.get() as f64),
            Field::Komi => header.komi.map(f64::from),
            Field::Handicap => Some(header.handicap as f64),
            Field::Moves => Some(game.record.moves.len() as f64),
            Field::Year => header.date.map(|date| date.year as f64),
            Field::Margin => header.result.points().map(f64::from),
            Field::BlackRank => rank(&header.black_rank),
            Field::WhiteRank => rank(&header.white_rank),
            _ => None,
        }
    }

    /// The texts of a field; empty if the record does not give it.
    fn texts(self, game: &Game) -> Vec<String> {
        let header = &game.record.header;
        let one = |text: &Option<String>| text.iter().cloned().collect();
        match self {
            Field::Source => vec![game.source.clone()],
            Field::Rules => one(&header.rules),
            Field::Black => one(&header.black),
            Field::White => one(&header.white),
            Field::Player => [&header.black, &header.white].into_iter().flatten().cloned().collect(),
            Field::Event => one(&header.event),
            Field::Round => one(&header.round),
            Field::Place => one(&header.place),
            Field::Date => header.date.iter().map(|date| date.to_string()).collect(),
            Field::Result => vec![header.result.to_string()],
            Field::Winner => header.result.winner().iter().map(|color| color.letter().to_string()).collect(),
            Field::Notes => one(&game.notes),
            _ => Vec::new(),
        }
    }
}

impl Expression {
    /// Parses an expression.
    ///
    /// # Errors
    /// The first column that can't be parsed, and what was expected there.
    pub fn parse(text: &str) -> Result<Expression, ParseExpressionError> {
        let mut parser = ExpressionParser { text, at: 0, depth: 0, n_conditions: 0 };
        let expression = parser.either()?;
        match parser.peek() {
            None => Ok(expression),
            Some(_) => Err(parser.error(Expected::Operator)),
        }
    }

    /// Whether it holds for a game; a comparison with a field that the record does not give is false.
    pub fn holds(&self, game: &Game) -> bool {
        match self {
            Expression::And(a, b) => a.holds(game) && b.holds(game),
            Expression::Or(a, b) => a.holds(game) || b.holds(game),
            Expression::Not(inner) => !inner.holds(game),
            Expression::Number(field, comparison, value) => {
                field.number(game).and_then(|n| n.partial_cmp(value)).is_some_and(|order| comparison.allows(order))
            }
            Expression::Text(field, Comparison::Holds, value) => {
                let value = value.to_lowercase();
                field.texts(game).iter().any(|text| text.to_lowercase().contains(&value))
            }
            Expression::Text(field, comparison, value) => {
                let value = value.to_lowercase();
                field.texts(game).iter().any(|text| comparison.allows(text.to_lowercase().cmp(&value)))
            }
        }
    }
}

impl Comparison {
    fn allows(self, order: std::cmp::Ordering) -> bool {
        match self {
            Comparison::Equal | Comparison::Holds => order.is_eq(),
            Comparison::Different => order.is_ne(),
            Comparison::Less => order.is_lt(),
            Comparison::AtMost => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::AtLeast => order.is_ge(),
        }
    }
}

/// Why a text is not an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseExpressionError {
    /// Column from 1, in characters.
    pub column: usize,
    expected: Expected,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Field,
    Comparison,
    Number,
    Text,
    EndOfText,
    Closing,
    Operator,
    Fewer,
}

impl fmt::Display for ParseExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: expected ", self.column)?;
        match self.expected {
            Expected::Field => {
                let names: Vec<&str> = FIELDS.iter().map(|field| field.0).collect();
                write!(f, "a field, one of {}", names.join(", "))
            }
            Expected::Comparison => f.write_str("one of = != < <= > >= ~"),
            Expected::Number => f.write_str("a number, or a rank such as 7d or 1p for a rank"),
            Expected::Text => f.write_str("a word or a text in double quotes"),
            Expected::EndOfText => f.write_str("the closing double quote"),
            Expected::Closing => f.write_str("the closing parenthesis"),
            Expected::Fewer => f.write_str("at most 1000 conditions, nested at most 100 deep"),
            Expected::Operator => f.write_str("`and`, `or` or the end"),
        }
    }
}

impl std::error::Error for ParseExpressionError {}

struct ExpressionParser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    n_conditions: usize,
}

/// Maximum nesting of parentheses and `not`.
const MAX_DEPTH: usize = 100;
/// Maximum number of conditions; each may add a level to the tree.
const MAX_CONDITIONS: usize = 1000;

impl<'t> ExpressionParser<'t> {
    fn error(&self, expected: Expected) -> ParseExpressionError {
        ParseExpressionError { column: self.text[..self.at].chars().count() + 1, expected }
    }

    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn word(&mut self) -> &'t str {
        self.peek();
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| c.is_whitespace() || "()=!<>~\"".contains(c)).unwrap_or(rest.len());
        &rest[..end]
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_next = self.word().eq_ignore_ascii_case(word);
        if is_next {
            self.at += word.len();
        }
        is_next
    }

    fn take(&mut self, symbol: &str) -> bool {
        self.peek();
        let is_next = self.text[self.at..].starts_with(symbol);
        if is_next {
            self.at += symbol.len();
        }
        is_next
    }

    fn either(&mut self) -> Result<Expression, ParseExpressionError> {
        let mut left = self.both()?;
        while self.take_word("or") {
            left = Expression::Or(Box::new(left), Box::new(self.both()?));
        }
        Ok(left)
    }

    fn both(&mut self) -> Result<Expression, ParseExpressionError> {
        let mut left = self.one()?;
        while self.take_word("and") {
            left = Expression::And(Box::new(left), Box::new(self.one()?));
        }
        Ok(left)
    }

    fn one(&mut self) -> Result<Expression, ParseExpressionError> {
        self.depth += 1;
        self.n_conditions += 1;
        if self.depth > MAX_DEPTH || self.n_conditions > MAX_CONDITIONS {
            return Err(self.error(Expected::Fewer));
        }
        let condition = self.one_at_depth();
        self.depth -= 1;
        condition
    }

    fn one_at_depth(&mut self) -> Result<Expression, ParseExpressionError> {
        if self.take_word("not") {
            return Ok(Expression::Not(Box::new(self.one()?)));
        }
        if self.take("(") {
            let inner = self.either()?;
            return if self.take(")") { Ok(inner) } else { Err(self.error(Expected::Closing)) };
        }
        let name = self.word();
        let field = FIELDS.iter().find(|field| field.0.eq_ignore_ascii_case(name)).map(|field| field.1);
        let field = field.ok_or_else(|| self.error(Expected::Field))?;
        self.at += name.len();
        let comparison = self.comparison()?;
        if field.is_number() { self.number(field, comparison) } else { self.quoted(field, comparison) }
    }

    fn comparison(&mut self) -> Result<Comparison, ParseExpressionError> {
        const SYMBOLS: [(&str, Comparison); 7] = [
            ("!=", Comparison::Different),
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("=", Comparison::Equal),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
            ("~", Comparison::Holds),
        ];
        for (symbol, comparison) in SYMBOLS {
            if self.take(symbol) {
                return Ok(comparison);
            }
        }
        Err(self.error(Expected::Comparison))
    }

    fn number(&mut self, field: Field, comparison: Comparison) -> Result<Expression, ParseExpressionError> {
        let word = self.word();
        let is_rank = matches!(field, Field::BlackRank | Field::WhiteRank);
        let value = if is_rank {
            Rank::parse(word).map(|rank| rank.0 as f64)
        } else {
            word.parse().ok().filter(|n: &f64| n.is_finite())
        };
        let value = value.ok_or_else(|| self.error(Expected::Number))?;
        self.at += word.len();
        Ok(Expression::Number(field, comparison, value))
    }

    fn quoted(&mut self, field: Field, comparison: Comparison) -> Result<Expression, ParseExpressionError> {
        if self.take("\"") {
            let rest = &self.text[self.at..];
            let end = rest.find('"').ok_or_else(|| self.error(Expected::EndOfText))?;
            self.at += end + 1;
            return Ok(Expression::Text(field, comparison, rest[..end].to_string()));
        }
        let word = self.word();
        if word.is_empty() {
            return Err(self.error(Expected::Text));
        }
        self.at += word.len();
        Ok(Expression::Text(field, comparison, word.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::schema::GameId;
    use tejun_games::GameRecord;
    use tejun_games::go::BoardSize;
    use tejun_games::header::{Date, GameResult};

    fn game() -> Game {
        let mut record = GameRecord::new(BoardSize::NINETEEN);
        record.header.black = Some("Lee Chang-ho".into());
        record.header.white = Some("Cho Hunhyun".into());
        record.header.black_rank = Some("3d".into());
        record.header.white_rank = Some("9p".into());
        record.header.date = Date::parse("1989-10");
        record.header.result = GameResult::parse("B+0.5").expect("a result");
        Game {
            id: GameId(4),
            source: "a.sgf".into(),
            offset: 0,
            record,
            line_hash: 0,
            near_duplicate_of: None,
            notes: None,
        }
    }

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(Expression::parse(text).map(|e| e.holds(&game())), Ok(expected), "{text}");
    }

    #[test]
    fn conditions_hold_or_not() {
        check("year = 1989", true);
        check("year < 1989 or black ~ \"lee ch\"", true);
        check("year < 1989 or black ~ lee and handicap > 2", false);
        check("not (winner = W) and white_rank >= 1p", true);
        check("black_rank > 9d", false);
        check("player ~ hunhyun", true);
        check("date >= 1989-05 AND date < 1990", true);
        check("komi != 6.5", false);
        check("result = b+0.5", true);
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, column, word) in [
            ("yaer = 3", 1, "a field"),
            ("year 3", 6, "!="),
            ("year = soon", 8, "a number"),
            ("black ~ ", 9, "a word"),
            ("black ~ \"lee", 10, "quote"),
            ("(year = 3", 10, "parenthesis"),
            ("year = 3 black = x", 10, "`and`"),
            ("", 1, "a field"),
        ] {
            let error = Expression::parse(text).expect_err(text);
            assert_eq!(error.column, column, "{text}: {error}");
            assert!(error.to_string().contains(word), "{text}: {error}");
        }
        assert!(Expression::parse(&"(".repeat(100_000)).is_err());
        assert!(Expression::parse(&format!("id=1{}", " or id=1".repeat(100_000))).is_err());
        assert!(Expression::parse("komi > nan").is_err());
    }
}
