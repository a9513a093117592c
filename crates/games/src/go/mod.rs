//! The game of Go (囲碁, *igo*): points, boards, rules and symmetries.
//!
//! Knows nothing of files or collections. The origin is the upper left corner,
//! as in SGF; human coordinates (Q16) are made only when printing.
//!
//! ```
//! use tejun_games::go::{Board, BoardSize, Color, Point};
//! let mut board = Board::new(BoardSize::new(9)?);
//! board.play(Color::Black, Point::new(4, 4))?;
//! assert_eq!(board.liberties(Point::new(4, 4)), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod area;
mod board;
mod color;
mod ladder;
mod point;
mod point_set;
mod position;
mod symmetry;
mod zobrist;

pub use board::{Board, IllegalMove, Suicide};
pub use color::Color;
pub use ladder::{escapes_ladder, ladder_moves};
pub use point::{BoardSize, ParsePointError, Point, SizeError};
pub use point_set::PointSet;
pub use position::{Ko, Position, Rules};
pub use symmetry::Symmetry;
