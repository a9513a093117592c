//! A game in progress: board, side to move, and the rules on repetition.

use std::collections::HashSet;

use crate::go::{Board, BoardSize, Color, IllegalMove, Point, Suicide};

/// Which repetitions are forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ko {
    /// Only retaking a single stone at once.
    Simple,
    /// Every earlier position of the whole board, whoever is to move.
    PositionalSuperko,
}

/// The rules that decide which moves are legal.
///
/// ```
/// use tejun_games::go::{Ko, Rules, Suicide};
///
/// // The rules of New Zealand: suicide is legal, and no position may occur twice.
/// let rules = Rules { suicide: Suicide::Allowed, ko: Ko::PositionalSuperko };
/// assert_eq!(rules, Rules::TROMP_TAYLOR);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Whether suicide is legal.
    pub suicide: Suicide,
    /// Which repetitions are forbidden.
    pub ko: Ko,
}

impl Rules {
    /// No suicide, simple ko.
    pub const JAPANESE: Rules = Rules { suicide: Suicide::Forbidden, ko: Ko::Simple };
    /// No suicide, no position twice.
    pub const CHINESE: Rules = Rules { suicide: Suicide::Forbidden, ko: Ko::PositionalSuperko };
    /// Suicide of several stones, no position twice (Tromp and Taylor).
    pub const TROMP_TAYLOR: Rules = Rules { suicide: Suicide::Allowed, ko: Ko::PositionalSuperko };
    /// Accepts what records contain: only an occupied point and a ko retaken at once are illegal.
    pub const RECORD: Rules = Rules { suicide: Suicide::Allowed, ko: Ko::Simple };
}

/// A board with the side to move and the positions that occurred before.
///
/// ```
/// use tejun_games::go::{BoardSize, Color, IllegalMove, Point, Position, Rules};
///
/// let mut position = Position::new(BoardSize::NINETEEN, Rules::JAPANESE);
/// position.play(Point::new(15, 3))?;
/// assert_eq!(position.to_move(), Color::White);
/// assert_eq!(position.play(Point::new(15, 3)), Err(IllegalMove::Occupied));
/// # Ok::<(), IllegalMove>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    to_move: Color,
    rules: Rules,
    seen: HashSet<u64>,
}

impl Position {
    /// The empty board, Black to move.
    pub fn new(size: BoardSize, rules: Rules) -> Position {
        Position::from_board(Board::new(size), Color::Black, rules)
    }

    /// A board that was set up; it has no earlier positions.
    pub fn from_board(board: Board, to_move: Color, rules: Rules) -> Position {
        let seen = HashSet::from([board.hash()]);
        Position { board, to_move, rules, seen }
    }

    /// The current board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Whether the side to move may play there.
    ///
    /// # Errors
    /// The reason why not.
    pub fn check(&self, point: Point) -> Result<(), IllegalMove> {
        self.board.check(self.to_move, point, self.rules.suicide)?;
        // A lone stone that takes itself off changes nothing, so it repeats the
        // position it was played in; the hash also shows that.
        let repeats =
            self.rules.ko == Ko::PositionalSuperko && self.seen.contains(&self.board.hash_after(self.to_move, point));
        if repeats { Err(IllegalMove::Superko) } else { Ok(()) }
    }

    /// Plays for the side to move; returns the number of stones captured.
    ///
    /// # Errors
    /// If the move is illegal; the position is then unchanged.
    pub fn play(&mut self, point: Point) -> Result<usize, IllegalMove> {
        self.check(point)?;
        let n_captured = self.board.play_with(self.to_move, point, self.rules.suicide)?;
        self.to_move = self.to_move.opponent();
        if self.rules.ko == Ko::PositionalSuperko {
            self.seen.insert(self.board.hash());
        }
        Ok(n_captured)
    }

    /// Passes the turn.
    pub fn pass(&mut self) {
        self.board.pass();
        self.to_move = self.to_move.opponent();
    }

    /// The points where the side to move may play.
    pub fn legal_moves(&self) -> impl Iterator<Item = Point> + '_ {
        self.board.size().points().filter(|&p| self.check(p).is_ok())
    }
}
