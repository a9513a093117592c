//! Any game with positions and moves: shogi, chess or Go, behind one interface.
//!
//! For what all games have in common, such as opening books. A
//! [`GamePosition`] is asked for its moves, its key and its text; who needs
//! squares and pieces goes to the room of the game.
//!
//! ```
//! use tejun_games::game::Game;
//! let mut position = Game::Chess.start();
//! let first = position.parse_move("e2e4")?;
//! position.play(first)?;
//! assert_eq!(position.legal_moves().len(), 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod go_encoding;
mod key;
mod position;

pub use crate::records::{
    GameTree, Outcome, TreeMove, TreeRejection, TreeRejectionKind, TreeWarning, TreeWarningKind, is_game_record,
    read_game_trees,
};
pub use key::PositionKey;
pub use position::{GamePosition, IllegalGameMove, MoveTextError, PositionTextError};

use std::fmt;

use crate::go::BoardSize;

/// A game that positions belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// 将棋, *shōgi*.
    Shogi,
    /// Western chess.
    Chess,
    /// 囲碁, *igo*, on a board of this size. Positions that are turned or mirrored are one.
    Go(BoardSize),
}

/// A player by turn: Black in shogi and Go, White in chess is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Who moves first from the start (先手, *sente*).
    First,
    /// The other (後手, *gote*).
    Second,
}

/// A move of any game, packed; its meaning depends on the position it is played in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameMove(pub u32);

impl Game {
    /// The position that games start from.
    pub fn start(self) -> GamePosition {
        match self {
            Game::Shogi => GamePosition::from(crate::shogi::Position::start()),
            Game::Chess => GamePosition::from(crate::chess::Position::start()),
            Game::Go(size) => GamePosition::empty_board(size),
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Game::Shogi => f.write_str("shogi"),
            Game::Chess => f.write_str("chess"),
            Game::Go(size) => write!(f, "Go {size}x{size}"),
        }
    }
}

impl Side {
    /// The other player.
    pub fn opponent(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first, 1 for the second.
    pub fn index(self) -> usize {
        self as usize
    }
}
