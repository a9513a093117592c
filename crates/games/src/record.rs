//! One game as it was played: the main line and what the header says of it.
//!
//! Every format is read into this. Variations and comments stay in the file;
//! who needs them reads the SGF tree itself.

use std::fmt;

use crate::go::{Board, BoardSize, Color, IllegalMove, Point, Rules};
use crate::header::{Date, GameResult};

/// A game's main line and header.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// Lines of the board.
    pub size: BoardSize,
    /// Who played, when, and how it ended.
    pub header: Header,
    /// Black stones on the board before the first move, handicap stones among them.
    pub setup_black: Vec<Point>,
    /// White stones on the board before the first move.
    pub setup_white: Vec<Point>,
    /// The main line, passes included.
    pub moves: Vec<Move>,
    /// What the reader forgave, in the order of the file.
    pub notes: Vec<Note>,
}

impl GameRecord {
    /// An empty board of this size, nothing known.
    pub fn new(size: BoardSize) -> GameRecord {
        GameRecord {
            size,
            header: Header::default(),
            setup_black: Vec::new(),
            setup_white: Vec::new(),
            moves: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The board before the first move: empty but for the setup stones.
    pub fn start_board(&self) -> Board {
        let mut board = Board::new(self.size);
        for (color, stones) in [(Color::Black, &self.setup_black), (Color::White, &self.setup_white)] {
            for &point in stones {
                // A reader gives each setup stone once and on the board.
                let _ = board.place(color, point);
            }
        }
        board
    }

    /// The board before the move with this index; the final board if there are fewer moves.
    ///
    /// Illegal moves are skipped. Plays all moves up to there: to visit many boards of a game, use
    /// [`GameRecord::positions`].
    pub fn board_before(&self, index: usize) -> Board {
        let mut board = self.start_board();
        for played in self.moves.iter().take(index) {
            let _ = played.play_on(&mut board);
        }
        board
    }

    /// Each move with the board before it, as far as the main line can be played.
    ///
    /// Copies the board for every move. A loop that cannot afford that keeps one board, begins with
    /// [`GameRecord::start_board`] and calls [`Move::play_on`].
    ///
    /// ```
    /// use tejun_games::go::Color;
    /// use tejun_games::sgf;
    ///
    /// let tree = sgf::Reader::new("(;SZ[9]AB[cc];W[ce];B[ec];W[gc])").next().expect("one game");
    /// let record = sgf::main_line(&tree)?;
    /// let n_black: Vec<usize> = record.positions().map(|(board, _)| board.stones(Color::Black).len()).collect();
    /// assert_eq!(n_black, [1, 1, 2]);
    /// # Ok::<(), tejun_games::RecordError>(())
    /// ```
    pub fn positions(&self) -> Positions<'_> {
        Positions { board: self.start_board(), moves: self.moves.iter() }
    }

    /// Plays the main line under [`Rules::RECORD`], as far as it can be played.
    pub fn replay(&self) -> Replay {
        let mut replay = Replay { board: self.start_board(), suicides: Vec::new(), illegal: None };
        for (index, played) in self.moves.iter().enumerate() {
            // Readers refuse records of more than 65,535 moves.
            let number = u16::try_from(index + 1).unwrap_or(u16::MAX);
            if let Err(why) = played.play_on(&mut replay.board) {
                replay.illegal = Some((number, why));
                break;
            }
            if played.point.is_some_and(|point| replay.board.is_empty(point)) {
                replay.suicides.push(number);
            }
        }
        replay
    }
}

/// The moves of a record with the boards before them; see [`GameRecord::positions`].
#[derive(Clone, Debug)]
pub struct Positions<'r> {
    board: Board,
    moves: std::slice::Iter<'r, Move>,
}

impl Iterator for Positions<'_> {
    type Item = (Board, Move);

    fn next(&mut self) -> Option<(Board, Move)> {
        let &played = self.moves.next()?;
        let before = self.board.clone();
        if played.play_on(&mut self.board).is_err() {
            self.moves = [].iter();
            return None;
        }
        Some((before, played))
    }
}

/// What came of playing a record.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The board after the last legal move.
    pub board: Board,
    /// Numbers of the moves that took off their own stones.
    pub suicides: Vec<u16>,
    /// The first move that can't be played, and why.
    pub illegal: Option<(u16, IllegalMove)>,
}

/// What a record says about its game; absent where it says nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Black's name.
    pub black: Option<String>,
    /// White's name.
    pub white: Option<String>,
    /// Black's rank as written.
    pub black_rank: Option<String>,
    /// White's rank as written.
    pub white_rank: Option<String>,
    /// Tournament or match.
    pub event: Option<String>,
    /// Round within the event.
    pub round: Option<String>,
    /// Where it was played.
    pub place: Option<String>,
    /// The rules as written.
    pub rules: Option<String>,
    /// When it was played, as precisely as the record says.
    pub date: Option<Date>,
    /// Points White gets for playing second (コミ, *komi*), repaired if need be.
    pub komi: Option<f32>,
    /// Handicap stones; 0 in an even game.
    pub handicap: u8,
    /// How it ended.
    pub result: GameResult,
}

/// One move of the main line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Who moved.
    pub color: Color,
    /// Where; `None` is a pass.
    pub point: Option<Point>,
}

impl Move {
    /// Plays the move under [`Rules::RECORD`]; returns the number of the opponent's stones captured.
    ///
    /// A pass lifts the ko and captures nothing.
    ///
    /// # Errors
    /// If the move is illegal; the board is then unchanged.
    #[inline]
    pub fn play_on(self, board: &mut Board) -> Result<usize, IllegalMove> {
        match self.point {
            Some(point) => board.play_with(self.color, point, Rules::RECORD.suicide),
            None => {
                board.pass();
                Ok(0)
            }
        }
    }
}

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
pub struct Note {
    /// Where it stood.
    pub place: Place,
    /// What it was.
    pub what: Forgiven,
}

/// What readers forgive; `docs/book/formats.md` tells what they make of it.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Forgiven {
    /// Text that belongs to no game.
    #[error("text outside of any game")]
    TextOutside,
    /// Text inside a game that is no property.
    #[error("text that is no property")]
    StrayText,
    /// A `]` that closes nothing.
    #[error("']' that closes nothing")]
    StrayBracket,
    /// A property name with nothing behind it.
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
    /// A komi that is no number.
    #[error("komi that is no number")]
    UnreadableKomi,
    /// A handicap that is no number.
    #[error("handicap that is no number")]
    UnreadableHandicap,
    /// A handicap without its stones, which were put on the star points.
    #[error("handicap {stones} without stones: put on the star points")]
    HandicapWithoutStones {
        /// Number of stones put.
        stones: u8,
    },
    /// A date that no rule reads.
    #[error("date that is no date")]
    UnreadableDate,
    /// A result that no rule reads.
    #[error("result that is no result")]
    UnreadableResult,
    /// A setup point off the board, left out.
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
        /// First move that was left out.
        number: u16,
    },
    /// The main line stops here, because the next move can't be played.
    #[error("cut at move {number}: {why}")]
    CutAtIllegal {
        /// First move that was left out.
        number: u16,
        /// Why it can't be played.
        why: IllegalMove,
    },
}

impl Forgiven {
    /// A short fixed name of the kind, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Forgiven::TextOutside => "text-outside",
            Forgiven::StrayText => "stray-text",
            Forgiven::StrayBracket => "stray-bracket",
            Forgiven::NoValue => "no-value",
            Forgiven::OpenValue => "open-value",
            Forgiven::OpenTree => "open-tree",
            Forgiven::CutShort => "cut-short",
            Forgiven::NoSemicolon => "no-semicolon",
            Forgiven::RepeatedProperty => "repeated-property",
            Forgiven::WrongCharset { .. } => "wrong-charset",
            Forgiven::GuessedCharset { .. } => "guessed-charset",
            Forgiven::DamagedText => "damaged-text",
            Forgiven::Komi { .. } => "komi",
            Forgiven::UnreadableKomi => "unreadable-komi",
            Forgiven::UnreadableHandicap => "unreadable-handicap",
            Forgiven::HandicapWithoutStones { .. } => "handicap-without-stones",
            Forgiven::UnreadableDate => "unreadable-date",
            Forgiven::UnreadableResult => "unreadable-result",
            Forgiven::SetupOffBoard => "setup-off-board",
            Forgiven::TwoMoves => "two-moves",
            Forgiven::Suicide { .. } => "suicide",
            Forgiven::CutAtSetup { .. } => "cut-at-setup",
            Forgiven::CutAtIllegal { .. } => "cut-at-illegal",
        }
    }
}

/// Why a record is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing in the file looks like a game.
    #[error("no game record in it")]
    NoGame,
    /// The record is encrypted.
    #[error("the record is encrypted")]
    Encrypted,
    /// A pair of parentheses without a node.
    #[error("no node in the game")]
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
    #[error("no moves in it")]
    NoMoves,
    /// A move that is no point of the board.
    #[error("move {number} is no point of the board")]
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

impl Refusal {
    /// A short fixed name of the kind, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Refusal::NoGame => "no-game",
            Refusal::Encrypted => "encrypted",
            Refusal::NoNode => "no-node",
            Refusal::NotGo { .. } => "not-go",
            Refusal::NotSquare { .. } => "not-square",
            Refusal::BadSize => "bad-size",
            Refusal::NoMoves => "no-moves",
            Refusal::UnreadableMove { .. } => "unreadable-move",
            Refusal::Illegal { .. } => "illegal-move",
            Refusal::TooLong => "too-long",
        }
    }

    /// Whether the record is sound but not for us, rather than broken.
    pub fn is_foreign(&self) -> bool {
        matches!(self, Refusal::NotGo { .. } | Refusal::NotSquare { .. } | Refusal::NoMoves)
    }
}

/// A record that was not taken: why, and where it showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {why}")]
pub struct RecordError {
    /// Where it showed.
    pub place: Place,
    /// Why.
    pub why: Refusal,
}
