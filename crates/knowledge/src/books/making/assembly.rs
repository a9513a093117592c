//! Books laid out from positions that were checked already.

use std::collections::HashMap;

use tejun_games::game::{Game, PositionKey, Side};

use crate::books::{Book, BookMove, BookPosition, MoveNotes, PositionNotes};

/// A position on its way into a book.
#[derive(Clone, Debug)]
pub(crate) struct Page<'p> {
    pub(crate) key: PositionKey,
    pub(crate) to_move: Side,
    pub(crate) is_implied: bool,
    pub(crate) text: &'p str,
    pub(crate) notes: PositionNotes,
}

/// A book made of positions in their normal orientation whose moves are known to be legal.
///
/// [`crate::books::BookBuilder`] checks and turns; this only copies, without a board.
#[derive(Clone, Debug)]
pub(crate) struct Assembly {
    book: Book,
}

impl Assembly {
    pub(crate) fn new(game: Game) -> Assembly {
        let book = Book {
            game,
            positions: Vec::new(),
            moves: Vec::new(),
            position_notes: Vec::new(),
            move_notes: Vec::new(),
            texts: String::new(),
            start: None,
            by_key: HashMap::default(),
        };
        Assembly { book }
    }

    /// Adds a position; one that is there stays as it is.
    pub(crate) fn push(&mut self, page: Page<'_>, moves: impl Iterator<Item = (BookMove, MoveNotes)>) {
        let book = &mut self.book;
        if book.by_key.contains_key(&page.key) {
            return;
        }
        let first_move = book.moves.len();
        for (known, notes) in moves {
            book.moves.push(known);
            book.move_notes.push(notes);
        }
        book.texts += page.text;
        book.by_key.insert(page.key, book.positions.len() as u32);
        book.positions.push(BookPosition {
            key: page.key,
            to_move: page.to_move,
            is_implied: page.is_implied,
            first_move: first_move as u32,
            n_moves: (book.moves.len() - first_move) as u16,
            text_end: book.texts.len() as u64,
        });
        book.position_notes.push(page.notes);
    }

    /// Copies a position with the moves that `weigh` gives a weight.
    pub(crate) fn copy(&mut self, from: &Book, position: u32, weigh: impl Fn(usize) -> Option<u32>) {
        let notes = from.move_notes(position);
        let moves = from.moves(position).iter().enumerate().filter_map(|(index, known)| {
            let weight = weigh(index)?;
            Some((BookMove { weight, ..*known }, notes.get(index).cloned().unwrap_or_default()))
        });
        self.push(page(from, position), moves);
    }

    pub(crate) fn finish(mut self) -> Book {
        if self.book.move_notes.iter().all(|notes| *notes == MoveNotes::default()) {
            self.book.move_notes = Vec::new();
        }
        if self.book.position_notes.iter().all(|notes| *notes == PositionNotes::default()) {
            self.book.position_notes = Vec::new();
        }
        self.book.start = self.book.find(self.book.game.start().key());
        self.book
    }
}

/// A position of a book, without its moves.
pub(crate) fn page(book: &Book, position: u32) -> Page<'_> {
    let BookPosition { key, to_move, is_implied, .. } = book.positions()[position as usize];
    let notes = book.notes(position).cloned().unwrap_or_default();
    Page { key, to_move, is_implied, text: book.text(position), notes }
}

/// The book with the moves that `weigh(position, index)` gives a weight; positions left without moves are out.
pub(crate) fn rewrite(book: &Book, weigh: impl Fn(u32, usize) -> Option<u32>) -> Book {
    let mut assembly = Assembly::new(book.game());
    for position in 0..book.positions().len() as u32 {
        if (0..book.moves(position).len()).any(|index| weigh(position, index).is_some()) {
            assembly.copy(book, position, |index| weigh(position, index));
        }
    }
    assembly.finish()
}
