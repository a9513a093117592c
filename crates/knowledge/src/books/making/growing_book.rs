//! A book that grows.

use std::collections::HashMap;

use tejun_games::game::{Game, GameMove, GamePosition, IllegalGameMove, PositionKey, Side};

use crate::books::book::PositionEntry;
use crate::books::making::book_copier::{BookCopier, entry_of};
use crate::books::{Book, BookMove, MoveNotes, PositionNotes};

/// Positions with moves, in the order of the original book; new ones come last.
#[derive(Clone, Debug)]
pub(crate) struct GrowingBook {
    game: Game,
    pub(crate) entries: Vec<GrowingPosition>,
    by_key: HashMap<PositionKey, u32>,
}

/// A position of a growing book.
#[derive(Clone, Debug)]
pub(crate) struct GrowingPosition {
    pub(crate) key: PositionKey,
    pub(crate) to_move: Side,
    is_implied: bool,
    text: Box<str>,
    pub(crate) notes: PositionNotes,
    pub(crate) moves: Vec<(BookMove, MoveNotes)>,
}

impl GrowingBook {
    pub(crate) fn from_book(book: &Book) -> GrowingBook {
        let mut draft = GrowingBook { game: book.game(), entries: Vec::new(), by_key: HashMap::new() };
        for position in 0..book.positions().len() as u32 {
            let notes = book.move_notes(position);
            let moves = book.moves(position).iter().enumerate();
            let moves = moves.map(|(index, known)| (*known, notes.get(index).cloned().unwrap_or_default()));
            let PositionEntry { key, to_move, is_implied, text, notes } = entry_of(book, position);
            draft.push(GrowingPosition { key, to_move, is_implied, text: text.into(), notes, moves: moves.collect() });
        }
        draft
    }

    fn push(&mut self, entry: GrowingPosition) -> u32 {
        let number = self.entries.len() as u32;
        self.by_key.insert(entry.key, number);
        self.entries.push(entry);
        number
    }

    pub(crate) fn game(&self) -> Game {
        self.game
    }

    pub(crate) fn find(&self, key: PositionKey) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    /// The number of a position, which is added if it is new.
    pub(crate) fn open(&mut self, board: &GamePosition) -> u32 {
        let (normal, _) = board.normal();
        let key = normal.key();
        self.find(key).unwrap_or_else(|| {
            let text = normal.to_string().into();
            let notes = PositionNotes::default();
            self.push(GrowingPosition {
                key,
                to_move: board.to_move(),
                is_implied: false,
                text,
                notes,
                moves: Vec::new(),
            })
        })
    }

    /// The index of a move of this board in its entry; the move is added if it is new.
    ///
    /// # Errors
    /// If the move is illegal.
    pub(crate) fn open_move(
        &mut self,
        entry: u32,
        board: &GamePosition,
        played: GameMove,
    ) -> Result<usize, IllegalGameMove> {
        let child = board.after(played)?.key();
        let (_, turns) = board.normal();
        let played = board.turned_move(played, &turns);
        let moves = &mut self.entries[entry as usize].moves;
        Ok(moves.iter().position(|(known, _)| known.played == played).unwrap_or_else(|| {
            moves.push((BookMove { child, played, weight: 0 }, MoveNotes::default()));
            moves.len() - 1
        }))
    }

    /// The book, with moves as revised by `revise`.
    pub(crate) fn to_book(&self, revise: impl Fn(usize, &mut Vec<(BookMove, MoveNotes)>)) -> Book {
        let mut book_copier = BookCopier::new(self.game);
        for (number, entry) in self.entries.iter().enumerate() {
            let GrowingPosition { key, to_move, is_implied, ref text, ref notes, ref moves } = *entry;
            let mut moves = moves.clone();
            revise(number, &mut moves);
            book_copier.push(PositionEntry { key, to_move, is_implied, text, notes: notes.clone() }, moves.into_iter());
        }
        book_copier.finish()
    }
}
