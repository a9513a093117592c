//! Why a file is not a book.

use std::fmt;

use tejun_games::game::{Game, TreeRejection};

use crate::books::files::BookFormat;
use crate::books::files::fuego::FuegoError;
use crate::books::files::katago::KatagoError;
use crate::books::files::parquet::ParquetBookError;
use crate::books::files::polyglot::PolyglotError;

/// Why a file could not be read as a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a valid {format} book: {place}, {problem}")]
pub struct BookFileError {
    /// What it was read as.
    pub format: BookFormat,
    /// Where reading failed.
    pub place: Place,
    /// What was wrong there.
    pub problem: Problem,
}

/// Why a file could not be read as a book, by the family of its format.
#[derive(Debug, thiserror::Error)]
pub enum ReadBookError {
    /// A shogi format.
    #[error(transparent)]
    Shogi(#[from] BookFileError),
    /// Polyglot.
    #[error("not a Polyglot book: {0}")]
    Polyglot(#[from] PolyglotError),
    /// Fuego.
    #[error("not a Fuego book: {0}")]
    Fuego(#[from] FuegoError),
    /// KataGo.
    #[error("not a KataGo book: {0}")]
    KataGo(#[from] KatagoError),
    /// Game records.
    #[error("not a game record: {0}")]
    Records(TreeRejection),
    /// tejun's own Parquet.
    #[error("not a Parquet book: {0}")]
    Parquet(#[from] ParquetBookError),
}

/// Why a book could not be written in a format.
#[derive(Debug, thiserror::Error)]
pub enum WriteBookError {
    /// The format is of another game.
    #[error("{format} cannot store a {game} book: choose a format of that game, or parquet")]
    OtherGame {
        /// What was to be written.
        format: String,
        /// What the book is of.
        game: Game,
    },
    /// The format can only be read.
    #[error("{format} can only be read: write yaneuraou, apery, polyglot, sgf or parquet")]
    ReadOnly {
        /// What was to be written.
        format: BookFormat,
    },
    /// Parquet failed.
    #[error(transparent)]
    Parquet(#[from] ParquetBookError),
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A byte, from 0.
    Byte(u64),
    /// A line of a text, from 1.
    Line(u64),
}

/// What is wrong with a file, and what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file has no bytes.
    #[error("the file is empty: download or write it again")]
    Empty,
    /// The file ends too early.
    #[error("the file is incomplete: {n_wanted} bytes were expected; download or copy it again")]
    CutShort {
        /// The length that the file should have.
        n_wanted: u64,
    },
    /// Something else was found.
    #[error("expected {expected}: it may have another format; name the right one, or let it be recognized by content")]
    Foreign {
        /// What the format has there.
        expected: &'static str,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Byte(byte) => write!(f, "byte {byte}"),
            Place::Line(line) => write!(f, "line {line}"),
        }
    }
}
