//! A game of Go as it was played: the main line and the header.
//!
//! SGF, GIB, NGF and UGF files are read into this. Variations and comments stay in the file; to get them,
//! read the [SGF tree](crate::sgf::Tree), or a [`GameTree`](crate::records::GameTree).

use crate::go::{Board, BoardSize, Color, IllegalMove, Point, Rules};
use crate::header::{Date, GameResult};
use crate::records::{OnIllegal, Rejection, Warning, read_records};

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
    pub warnings: Vec<Warning>,
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
            warnings: Vec::new(),
        }
    }

    /// Reads the first game of a text in SGF, GIB, NGF or UGF; the warnings list what was repaired.
    ///
    /// Checks the moves: a game ends before its first illegal move. To read several games, bytes in an unknown
    /// charset, or to refuse illegal moves, use [`read_records`](crate::records::read_records).
    ///
    /// ```
    /// use tejun_games::GameRecord;
    ///
    /// let record = GameRecord::parse("(;SZ[9]KM[6.5];B[ee];W[ge])")?;
    /// assert_eq!((record.moves.len(), record.header.komi), (2, Some(6.5)));
    /// # Ok::<(), tejun_games::Rejection>(())
    /// ```
    ///
    /// # Errors
    /// If the text contains no game of Go.
    pub fn parse(text: &str) -> Result<GameRecord, Rejection> {
        let first = read_records(text.as_bytes(), OnIllegal::Cut).into_iter().next();
        first.expect("a text without a game gives a rejection").record
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
    /// use tejun_games::{Color, GameRecord};
    ///
    /// let record = GameRecord::parse("(;SZ[9]AB[cc];W[ce];B[ec];W[gc])")?;
    /// let n_black: Vec<usize> = record.positions().map(|(board, _)| board.stones(Color::Black).len()).collect();
    /// assert_eq!(n_black, [1, 1, 2]);
    /// # Ok::<(), tejun_games::Rejection>(())
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = (Board, Move)> {
        positions(self.start_board(), self.moves.iter().copied())
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

/// Each move with the board before it, beginning with `start`, as far as the moves can be played.
///
/// Like [`GameRecord::positions`], for moves that are stored in another way.
pub fn positions(start: Board, moves: impl IntoIterator<Item = Move>) -> impl Iterator<Item = (Board, Move)> {
    moves.into_iter().scan(start, |board, played| {
        let before = board.clone();
        played.play_on(board).ok().map(|_| (before, played))
    })
}

/// The result of replaying a record.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The board after the last legal move.
    pub board: Board,
    /// Numbers of the moves that captured their own stones.
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
