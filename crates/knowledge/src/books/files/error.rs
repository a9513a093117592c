//! Why a file is no book.

use std::fmt;

use tejun_games::game::{Game, PlayedError};

use crate::books::files::BookFormat;
use crate::books::files::fuego::FuegoError;
use crate::books::files::katago::KatagoError;
use crate::books::files::parquet::ParquetBookError;
use crate::books::files::polyglot::PolyglotError;

/// Why a file could not be read as a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no {format} book: {place}, {problem}")]
pub struct BookFileError {
    /// What it was read as.
    pub format: BookFormat,
    /// Where reading ended.
    pub place: Place,
    /// What was wrong there.
    pub problem: Problem,
}

/// Why a file could not be read as a book, by the family of its format.
#[derive(Debug, thiserror::Error)]
pub enum ReadBookError {
    /// Of shogi.
    #[error(transparent)]
    Shogi(#[from] BookFileError),
    /// Of Polyglot.
    #[error("no Polyglot book: {0}")]
    Polyglot(#[from] PolyglotError),
    /// Of Fuego.
    #[error("no book of Fuego: {0}")]
    Fuego(#[from] FuegoError),
    /// Of KataGo.
    #[error("no book of KataGo: {0}")]
    KataGo(#[from] KatagoError),
    /// Game records.
    #[error("no game record: {0}")]
    Records(PlayedError),
    /// Of tejun.
    #[error("no book in Parquet: {0}")]
    Parquet(#[from] ParquetBookError),
}

/// Why a book could not be written in a format.
#[derive(Debug, thiserror::Error)]
pub enum WriteBookError {
    /// The format is of another game.
    #[error("{format} has no room for a book of {game}: choose a format of that game, or parquet")]
    OtherGame {
        /// What was to be written.
        format: String,
        /// What the book is of.
        game: Game,
    },
    /// The format is only read here.
    #[error("{format} can only be read here: write yaneuraou, apery, polyglot, sgf or parquet")]
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

/// What keeps a file from being a book, and what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// No byte.
    #[error("the file is empty: fetch or write it again")]
    Empty,
    /// The file ends too early.
    #[error("the file ends, but {n_wanted} bytes were promised: it was cut short, fetch or copy it again")]
    CutShort {
        /// How long the file would have to be.
        n_wanted: u64,
    },
    /// Something else stands there.
    #[error("expected {expected}: it may be of another format, name the right one or let it be found by content")]
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
