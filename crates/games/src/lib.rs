//! Go, shogi and chess: boards, rules, and the records that players and servers keep.
//!
//! Knows single games, not collections: nothing here counts, ranks or stores. Does not use the file system; it takes
//! bytes or text and returns types.
//!
//! Read a record and walk through its positions:
//!
//! ```
//! use tejun_games::GameRecord;
//!
//! let record = GameRecord::parse("(;GM[1]SZ[9]PB[Shusaku];B[ee];W[ge];B[gd])")?;
//! assert_eq!(record.header.black.as_deref(), Some("Shusaku"));
//! for (board, played) in record.positions() {
//!     let point = played.point.expect("nobody passed");
//!     println!("{} {}, a point with {} liberties", played.color, point.name(record.size), board.liberties(point));
//! }
//! # Ok::<(), tejun_games::Rejection>(())
//! ```
//!
//! Play by the rules of Go, from any position:
//!
//! ```
//! use tejun_games::{BoardSize, Position, Rules};
//!
//! let mut position = Position::new(BoardSize::NINETEEN, Rules::JAPANESE);
//! let point = position.legal_moves().next().expect("an empty board");
//! position.play(point)?;
//! assert_eq!(position.legal_moves().count(), 360);
//! # Ok::<(), tejun_games::IllegalMove>(())
//! ```
//!
//! Write a record as SGF and read it back:
//!
//! ```
//! use tejun_games::GameRecord;
//! use tejun_games::sgf::write_record;
//!
//! let record = GameRecord::parse("(;SZ[13]KM[6.5]RE[B+R];B[jd];W[dj])")?;
//! assert_eq!(GameRecord::parse(&write_record(&record))?, record);
//! # Ok::<(), tejun_games::Rejection>(())
//! ```
//!
//! # Modules
//!
//! - [`go`]: points, boards, rules and symmetries.
//! - [`game`]: positions and moves of Go, shogi and chess, all in the same way; [`shogi`] and [`chess`] themselves.
//! - [`records`]: files of every format, as main lines or as trees of variations.
//! - [`sgf`]: SGF text as a tree of nodes and properties; reading, writing and annotating it.
//! - [`header`]: komi, dates, results and ranks, as people write them.
//! - [`charset`]: the text of bytes in an unknown charset.

pub mod go;

pub mod chess;
pub mod game;
pub mod shogi;

pub mod records;
pub mod sgf;

pub mod charset;
pub mod header;

pub use go::{Board, BoardSize, Color, IllegalMove, Point, PointSet, Position, Rules, Symmetry};

pub use game::{Game, GameMove, GamePosition};

pub use records::{
    FoundRecord, GameRecord, GameTree, Header, Move, OnIllegal, Place, Rejection, RejectionKind, Replay, Warning,
    WarningKind, read_game_trees, read_records,
};

pub use header::{Date, GameResult, Rank};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
