//! What is wrong with a record: warnings about what was forgiven, and rejections.

use crate::header::Date;
use std::fmt;

use crate::go::IllegalMove;

/// A place in a text, both numbers from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Line from 1.
    pub line: u32,
    /// Column from 1, in characters.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Something a reader forgave, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Warning {
    /// Where it was.
    pub place: Place,
    /// What it was.
    pub what: WarningKind,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// What readers forgive; the book's page on formats says what they do about it.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum WarningKind {
    /// Text that belongs to no game.
    #[error("text outside of any game")]
    TextOutside,
    /// Text inside a game that is not a property.
    #[error("text that is not a property")]
    StrayText,
    /// A `]` that closes nothing.
    #[error("']' that closes nothing")]
    StrayBracket,
    /// A property name with nothing after it.
    #[error("property without a value")]
    NoValue,
    /// The file ends inside a value.
    #[error("value without its ']'")]
    OpenValue,
    /// The file ends inside a game.
    #[error("game without its ')'")]
    OpenTree,
    /// The file ends before its game does.
    #[error("the file ends before the game does")]
    CutShort,
    /// The first node lacks its semicolon.
    #[error("node without its ';'")]
    NoSemicolon,
    /// The same property twice in a node.
    #[error("property given twice in a node")]
    RepeatedProperty,
    /// `CA` names another charset than the text is in.
    #[error("charset is {found}, not what CA says")]
    WrongCharset {
        /// The charset the text is in.
        found: &'static str,
    },
    /// No charset was named and the text is not UTF-8.
    #[error("no charset named; read as {found}")]
    GuessedCharset {
        /// The charset the text was read as.
        found: &'static str,
    },
    /// Characters that are damaged in the file itself.
    #[error("damaged characters in the text")]
    DamagedText,
    /// Komi as a server wrote it.
    #[error("komi {written} read as {komi}")]
    Komi {
        /// What the file says.
        written: f32,
        /// What was meant.
        komi: f32,
    },
    /// An unreadable komi.
    #[error("unreadable komi")]
    UnreadableKomi,
    /// An unreadable handicap.
    #[error("unreadable handicap")]
    UnreadableHandicap,
    /// A handicap without its stones, which were put on the star points.
    #[error("handicap {stones} without stones: put on the star points")]
    HandicapWithoutStones {
        /// Number of stones put.
        stones: u8,
    },
    /// A date that no rule reads.
    #[error("unreadable date")]
    UnreadableDate,
    /// A year before 1500, which is mostly a mistake, such as 1010 for 2010.
    #[error("doubtful year {year}")]
    DoubtfulYear {
        /// The year.
        year: u16,
    },
    /// A result that no rule reads.
    #[error("unreadable result")]
    UnreadableResult,
    /// A setup point off the board, skipped.
    #[error("setup stone off the board")]
    SetupOffBoard,
    /// Two moves in one node, played in order.
    #[error("two moves in one node")]
    TwoMoves,
    /// A move that takes its own stones off.
    #[error("move {number} is suicide")]
    Suicide {
        /// Move number from 1.
        number: u16,
    },
    /// The main line stops here, because stones were set up between moves.
    #[error("cut at move {number}: stones set up in mid-game")]
    CutAtSetup {
        /// First move that was dropped.
        number: u16,
    },
    /// The main line stops here, because the next move can't be played.
    #[error("cut at move {number}: {why}")]
    CutAtIllegal {
        /// First move that was dropped.
        number: u16,
        /// Why it can't be played.
        why: IllegalMove,
    },
}

impl WarningKind {
    /// What is wrong with a date that was read, or could not be.
    pub(crate) fn of_date(date: Option<Date>) -> Option<WarningKind> {
        match date {
            None => Some(WarningKind::UnreadableDate),
            Some(date) if date.is_doubtful() => Some(WarningKind::DoubtfulYear { year: date.year }),
            Some(_) => None,
        }
    }

    /// A short fixed name of the kind, for counting.
    pub fn name(&self) -> &'static str {
        match self {
            WarningKind::TextOutside => "text-outside",
            WarningKind::StrayText => "stray-text",
            WarningKind::StrayBracket => "stray-bracket",
            WarningKind::NoValue => "no-value",
            WarningKind::OpenValue => "open-value",
            WarningKind::OpenTree => "open-tree",
            WarningKind::CutShort => "cut-short",
            WarningKind::NoSemicolon => "no-semicolon",
            WarningKind::RepeatedProperty => "repeated-property",
            WarningKind::WrongCharset { .. } => "wrong-charset",
            WarningKind::GuessedCharset { .. } => "guessed-charset",
            WarningKind::DamagedText => "damaged-text",
            WarningKind::Komi { .. } => "komi",
            WarningKind::UnreadableKomi => "unreadable-komi",
            WarningKind::UnreadableHandicap => "unreadable-handicap",
            WarningKind::HandicapWithoutStones { .. } => "handicap-without-stones",
            WarningKind::UnreadableDate => "unreadable-date",
            WarningKind::DoubtfulYear { .. } => "doubtful-year",
            WarningKind::UnreadableResult => "unreadable-result",
            WarningKind::SetupOffBoard => "setup-off-board",
            WarningKind::TwoMoves => "two-moves",
            WarningKind::Suicide { .. } => "suicide",
            WarningKind::CutAtSetup { .. } => "cut-at-setup",
            WarningKind::CutAtIllegal { .. } => "cut-at-illegal",
        }
    }
}

/// Why a record was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RejectionKind {
    /// Nothing in the file looks like a game.
    #[error("no game record found")]
    NoGame,
    /// The record is encrypted.
    #[error("the record is encrypted")]
    Encrypted,
    /// A pair of parentheses without a node.
    #[error("game without a node")]
    NoNode,
    /// The record is of another game.
    #[error("not Go but {name} (GM[{number}])")]
    NotGo {
        /// SGF's number of the game.
        number: u32,
        /// The game's name.
        name: &'static str,
    },
    /// Other numbers of columns and rows.
    #[error("board of {columns}x{rows} is not square")]
    NotSquare {
        /// Columns.
        columns: u8,
        /// Rows.
        rows: u8,
    },
    /// A board size that can't be played on.
    #[error("board size is not a number from 5 to 25")]
    BadSize,
    /// A diagram or problem without moves.
    #[error("no moves")]
    NoMoves,
    /// A move that is not a point on the board.
    #[error("move {number} is not a point on the board")]
    UnreadableMove {
        /// Move number from 1.
        number: u16,
    },
    /// A move that the rules forbid.
    #[error("move {number} is illegal: {why}")]
    Illegal {
        /// Move number from 1.
        number: u16,
        /// Why.
        why: IllegalMove,
    },
    /// More moves than a record can hold.
    #[error("more than 65535 moves")]
    TooLong,
}

impl RejectionKind {
    /// A short fixed name of the kind, for counting.
    pub fn name(&self) -> &'static str {
        match self {
            RejectionKind::NoGame => "no-game",
            RejectionKind::Encrypted => "encrypted",
            RejectionKind::NoNode => "no-node",
            RejectionKind::NotGo { .. } => "not-go",
            RejectionKind::NotSquare { .. } => "not-square",
            RejectionKind::BadSize => "bad-size",
            RejectionKind::NoMoves => "no-moves",
            RejectionKind::UnreadableMove { .. } => "unreadable-move",
            RejectionKind::Illegal { .. } => "illegal-move",
            RejectionKind::TooLong => "too-long",
        }
    }

    /// Whether the record is valid but not a game that is read here, rather than broken.
    pub fn is_foreign(&self) -> bool {
        matches!(self, RejectionKind::NotGo { .. } | RejectionKind::NotSquare { .. } | RejectionKind::NoMoves)
    }
}

/// A record that was rejected: why, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {why}")]
pub struct Rejection {
    /// Where in the text.
    pub place: Place,
    /// Why.
    pub why: RejectionKind,
}
