//! Games and their records: boards, rules, and the files players keep.
//!
//! A game knows no collection: nothing here counts, ranks or stores.

pub mod go;

pub mod chess;
pub mod game;
pub mod shogi;

pub mod charset;
pub mod header;
pub mod records;
pub mod sgf;

pub use records::{GameRecord, Header, Move, Place, Positions, Rejection, RejectionKind, Replay, Warning, WarningKind};
