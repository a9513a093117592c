//! The game of chess: positions, legal moves, and the keys that books use.
//!
//! Rules come from the crate `cozy-chess`. Castling is the king taking its own
//! rook inside, as Polyglot's books have it; [`Position::move_text`] writes it
//! as UCI does. Knows no repetition and no game, only positions.
//!
//! ```
//! use tejun_games::chess::Position;
//! let mut position = Position::start();
//! position.play(position.parse_move("e2e4")?)?;
//! assert_eq!(position.polyglot_key(), 0x823c_9b50_fd11_4196);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod polyglot;
mod position;

pub use cozy_chess::{Color, File, Move, Piece, Rank, Square};
pub use position::{FenError, IllegalChessMove, Position, UciMoveError};
