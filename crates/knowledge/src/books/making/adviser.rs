//! Who is asked for moves.

use tejun_games::game::{GameMove, GamePosition};

/// Who can say what the best moves of a position are worth.
pub trait Adviser {
    /// What can go wrong while it thinks.
    type Error: std::error::Error + Send + Sync + 'static;

    /// The best moves of a position, best first: at least one, better two; none if the game is over.
    ///
    /// `line` are the moves from the start to `board`, as they are played on it.
    ///
    /// # Errors
    /// If there is no answer.
    fn advise(&mut self, board: &GamePosition, line: &[GameMove]) -> Result<Vec<Advice>, Self::Error>;
}

/// A move that was thought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The move, on the board as it was asked for.
    pub played: GameMove,
    /// Its value for the side to move; a pawn is 100.
    pub value: i32,
    /// How deep it was searched.
    pub depth: Option<u32>,
}

/// A move of a position's normal orientation, as it is played on this board.
pub(crate) fn played_on(board: &GamePosition, normal: GameMove) -> GameMove {
    let (_, turns) = board.normal();
    turns.first().map_or(normal, |turn| board.move_before_turn(normal, *turn))
}
