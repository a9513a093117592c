//! Books copied from positions that have been checked.

use tejun_games::game::Game;

use crate::books::book::PositionEntry;
use crate::books::{Book, BookMove, BookPosition, MoveNotes};

/// Makes a book of positions in their normal orientation whose moves are known to be legal.
///
/// [`crate::books::BookBuilder`] checks and turns; this only copies, without a board.
#[derive(Clone, Debug)]
pub(crate) struct BookCopier {
    book: Book,
}

impl BookCopier {
    pub(crate) fn new(game: Game) -> BookCopier {
        BookCopier { book: Book::empty(game) }
    }

    /// Adds a position; an existing one stays as it is.
    pub(crate) fn push(&mut self, entry: PositionEntry<'_>, moves: impl Iterator<Item = (BookMove, MoveNotes)>) {
        if self.book.find(entry.key).is_none() {
            self.book.push_unchecked(entry, moves);
        }
    }

    /// Copies a position with the moves that `weigh` gives a weight.
    pub(crate) fn copy(&mut self, from: &Book, position: u32, weigh: impl Fn(usize) -> Option<u32>) {
        let notes = from.move_notes(position);
        let moves = from.moves(position).iter().enumerate().filter_map(|(index, known)| {
            let weight = weigh(index)?;
            Some((BookMove { weight, ..*known }, notes.get(index).cloned().unwrap_or_default()))
        });
        self.push(entry_of(from, position), moves);
    }

    pub(crate) fn finish(self) -> Book {
        self.book.finished()
    }
}

/// A position of a book, without its moves.
pub(crate) fn entry_of(book: &Book, position: u32) -> PositionEntry<'_> {
    let BookPosition { key, to_move, is_implied, .. } = book.positions()[position as usize];
    let notes = book.notes(position).cloned().unwrap_or_default();
    PositionEntry { key, to_move, is_implied, text: book.text(position), notes }
}

/// The book with the moves that `weigh(position, index)` gives a weight; positions left without moves are dropped.
pub(crate) fn rewrite(book: &Book, weigh: impl Fn(u32, usize) -> Option<u32>) -> Book {
    let mut book_copier = BookCopier::new(book.game());
    for position in 0..book.positions().len() as u32 {
        if (0..book.moves(position).len()).any(|index| weigh(position, index).is_some()) {
            book_copier.copy(book, position, |index| weigh(position, index));
        }
    }
    book_copier.finish()
}
