//! The game of shogi (将棋, *shōgi*): positions, legal moves, and how they are written.
//!
//! Rules come from the crates `shogi_core` and `shogi_legality_lite`; here are
//! the forms that books and engines use: SFEN, USI moves, turned boards.
//! Knows no repetition and no game, only positions.
//!
//! ```
//! use tejun_games::shogi::Position;
//! let mut position = Position::start();
//! let pawn = position.parse_move("7g7f")?;
//! position.play(pawn)?;
//! assert_eq!(position.to_sfen(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod packed_move;
mod position;

pub use packed_move::PackedMove;
pub use position::{HAND_KINDS, IllegalShogiMove, Position, SfenError, UsiMoveError};
pub use shogi_core::{Color, Move, Piece, PieceKind, Square};
