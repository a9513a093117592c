//! Records of games: the files that players and servers keep.
//!
//! There are two ways to read a file. [`read_records`] reads Go (SGF, GIB, NGF, UGF) into a
//! [`GameRecord`]: header, setup and main line, for collections. [`read_game_trees`] reads shogi (CSA, KIF,
//! KI2, USI), chess (PGN) and Go (SGF) into a [`GameTree`] with all variations, for opening books. Both
//! recognize the format and the charset by content; neither fails because of one bad record.
//!
//! ```
//! use tejun_games::records::{OnIllegal, read_records};
//! let found = read_records(b"(;GM[1]SZ[9]PB[Sakata];B[ee];W[ge])", OnIllegal::Cut);
//! let record = found[0].record.as_ref().expect("a game");
//! assert_eq!(record.header.black.as_deref(), Some("Sakata"));
//! assert_eq!(record.moves.len(), 2);
//! ```

mod formats;
mod record;
mod warning;

mod game_tree;
mod notation;

mod tree_builder;

mod chess;
mod go;
mod shogi;

pub use formats::{
    Format, FoundRecord, OnIllegal, Part, decoded_parts, game_starts, last_game_end, read_records, read_single,
};
pub use record::{GameRecord, Header, Move, Replay, positions};
pub use warning::{Place, Rejection, RejectionKind, Warning, WarningKind};

pub use game_tree::{GameTree, Outcome, TreeMove, TreeWarning, TreeWarningKind};
pub(crate) use notation::numbered_lines;
pub use notation::{TreeRejection, TreeRejectionKind, is_game_record, read_game_trees};
