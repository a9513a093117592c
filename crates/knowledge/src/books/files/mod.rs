//! Which book is in this file, and how is a book written?
//!
//! One source file per format. Readers take bytes and give a [`crate::books::Book`], or a
//! [`crate::books::Probe`] if positions are hashes only. Out of scope: how books are used.

mod apery;
mod bonanza;
mod error;
mod format;
mod fuego;
mod gikou;
mod gps;
mod hashed;
mod katago;
mod leaving;
mod move_word;
mod numbers;
mod of_games;
mod packed_sfen;
mod parquet;
mod polyglot;
mod protobuf;
mod recognize;
mod sbk;
mod sgf_tree;
mod written;
mod yaneuraou;
mod ybb;

#[cfg(test)]
mod tests;

pub use apery::write_apery;
pub use error::{BookFileError, Place, Problem, ReadBookError, WriteBookError};
pub use format::BookFormat;
pub use leaving::write_leaving;
pub use of_games::book_of_games;
pub use recognize::recognize;

pub use written::{Loss, Written, write_book};
pub use yaneuraou::{Flips, read_yaneuraou, write_yaneuraou};

use tejun_games::game::{GameTree, read_game_trees};
use tejun_games::go::BoardSize;

use crate::books::{Book, Probe, Remark};

/// The content of a book file.
pub enum ReadBook {
    /// A book with its positions.
    Known {
        /// The book.
        book: Book,
        /// Parts of the file that could not be read as they are.
        remarks: Vec<Remark>,
    },
    /// A book that stores only hashes; [`crate::books::walk`] finds its positions.
    Hashed(Box<dyn Probe + Send + Sync>, Vec<Remark>),
}

/// Reads a book of this format.
///
/// YaneuraOu's text is read as stored; [`read_yaneuraou`] can also exchange colors.
///
/// # Errors
/// If the file is empty, incomplete, or not a book of this format. A bad move or
/// line is skipped with a remark.
pub fn read_book(bytes: &[u8], format: BookFormat) -> Result<ReadBook, ReadBookError> {
    if bytes.is_empty() {
        return Err(BookFileError { format, place: Place::Byte(0), problem: Problem::Empty }.into());
    }
    Ok(match format {
        BookFormat::Gps => known(gps::read(bytes)?),
        BookFormat::Bonanza => hashed(bonanza::read(bytes)?),
        BookFormat::Apery => hashed(apery::read(bytes)?),
        BookFormat::YaneuraOu => known(read_yaneuraou(bytes, Flips::AsStored)?),
        BookFormat::YaneuraOuBinary => known(ybb::read(bytes)?),
        BookFormat::ShogiGui => known(sbk::read(bytes)?),
        BookFormat::Gikou => hashed(gikou::read(bytes)?),
        BookFormat::Polyglot => {
            let (book, remarks) = polyglot::read(bytes)?;
            ReadBook::Hashed(Box::new(book), remarks)
        }
        BookFormat::Fuego => read_fuego(bytes, None)?,
        BookFormat::KataGo => known(katago::read(bytes)?),
        BookFormat::Records => known(records(bytes)?),
        BookFormat::Parquet => known(parquet::read(bytes)?),
    })
}

/// Reads a Fuego book for one board size: the one given, otherwise the most frequent in the file.
///
/// # Errors
/// If the file is not a Fuego book, or has no line for that size.
pub fn read_fuego(bytes: &[u8], size: Option<BoardSize>) -> Result<ReadBook, ReadBookError> {
    Ok(known(fuego::read(bytes, size)?))
}

/// A book of the games of a file; games that can't be read are skipped.
fn records(bytes: &[u8]) -> Result<(Book, Vec<Remark>), ReadBookError> {
    let mut first_error = None;
    let games: Vec<GameTree> = read_game_trees(bytes)
        .into_iter()
        .filter_map(|game| game.map_err(|why| first_error.get_or_insert(why).clone()).ok())
        .collect();
    match first_error {
        Some(error) if games.is_empty() => Err(ReadBookError::Records(error)),
        _ => Ok(book_of_games(&games, None)),
    }
}

fn hashed((probe, remarks): (Box<dyn Probe + Send + Sync>, Vec<Remark>)) -> ReadBook {
    ReadBook::Hashed(probe, remarks)
}

fn known((book, remarks): (Book, Vec<Remark>)) -> ReadBook {
    ReadBook::Known { book, remarks }
}
