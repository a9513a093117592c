//! The Smart Game Format: a tolerant reader and a faithful writer.
//!
//! Reads FF\[1\] to FF\[4\] text that is already decoded (see [`crate::charset`])
//! into trees that point into it; knows the format, and about Go only what
//! [`main_line`] needs. It reports what it forgives with line and column.
//!
//! ```
//! use tejun_games::sgf;
//! let mut reader = sgf::Reader::new("(;GM[1]SZ[9];B[ee];W[ge]C[well\\: played])");
//! let tree = reader.next().expect("one game");
//! assert_eq!(tree.nodes().count(), 3);
//! let comment = tree.nodes().last().and_then(|node| node.property("C"));
//! assert_eq!(comment.map(|c| c.text()).as_deref(), Some("well: played"));
//! ```

mod annotate;
mod main_line;
mod reader;
mod text;
mod tree;
mod write;

pub use annotate::{Addition, NewProperty, VariationNode, move_nodes, write_annotated};
pub use main_line::main_line;
pub(crate) use main_line::{board_size, check_game, place_of_move, points_of};
pub use reader::Reader;
pub(crate) use text::simple_text;
pub use text::{escape, unescape};
pub use tree::{Node, Property, Tree};
pub use write::{CharsetProperty, write_record, write_tree};
