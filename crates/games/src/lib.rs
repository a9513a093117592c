//! Games and their records: boards, rules, and the files players keep.
//!
//! A game knows no collection: nothing here counts, ranks or stores.

pub mod chess;
pub mod game;
pub mod go;
pub mod sgf;
pub mod shogi;

mod gib;
mod ngf;
mod record;
mod ugf;

pub mod charset;
pub mod formats;
pub mod header;

pub use record::{Forgiven, GameRecord, Header, Move, Note, Place, Positions, RecordError, Refusal, Replay};
