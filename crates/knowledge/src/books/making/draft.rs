//! A book that grows.

use std::collections::HashMap;

use tejun_games::game::{Game, GameMove, GamePosition, IllegalGameMove, PositionKey, Side};

use crate::books::making::assembly::{Assembly, Page, page};
use crate::books::{Book, BookMove, MoveNotes, PositionNotes};

/// Positions with moves, in the order of the book it came from, new ones behind.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    game: Game,
    pub(crate) entries: Vec<Entry>,
    by_key: HashMap<PositionKey, u32>,
}

/// A position of a draft.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: PositionKey,
    pub(crate) to_move: Side,
    is_implied: bool,
    text: Box<str>,
    pub(crate) notes: PositionNotes,
    pub(crate) moves: Vec<(BookMove, MoveNotes)>,
}

impl Draft {
    pub(crate) fn from_book(book: &Book) -> Draft {
        let mut draft = Draft { game: book.game(), entries: Vec::new(), by_key: HashMap::new() };
        for position in 0..book.positions().len() as u32 {
            let notes = book.move_notes(position);
            let moves = book.moves(position).iter().enumerate();
            let moves = moves.map(|(index, known)| (*known, notes.get(index).cloned().unwrap_or_default()));
            let Page { key, to_move, is_implied, text, notes } = page(book, position);
            draft.push(Entry { key, to_move, is_implied, text: text.into(), notes, moves: moves.collect() });
        }
        draft
    }

    fn push(&mut self, entry: Entry) -> u32 {
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

    /// The number of a position, which is added if it is not there.
    pub(crate) fn open(&mut self, board: &GamePosition) -> u32 {
        let (normal, _) = board.normal();
        let key = normal.key();
        self.find(key).unwrap_or_else(|| {
            let text = normal.to_string().into();
            let notes = PositionNotes::default();
            self.push(Entry { key, to_move: board.to_move(), is_implied: false, text, notes, moves: Vec::new() })
        })
    }

    /// Where a move of this board stands in its entry; it is added if it is not there.
    ///
    /// # Errors
    /// If the rules forbid it.
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

    /// The book, its moves as `revise` leaves them.
    pub(crate) fn to_book(&self, revise: impl Fn(usize, &mut Vec<(BookMove, MoveNotes)>)) -> Book {
        let mut assembly = Assembly::new(self.game);
        for (number, entry) in self.entries.iter().enumerate() {
            let Entry { key, to_move, is_implied, ref text, ref notes, ref moves } = *entry;
            let mut moves = moves.clone();
            revise(number, &mut moves);
            assembly.push(Page { key, to_move, is_implied, text, notes: notes.clone() }, moves.into_iter());
        }
        assembly.finish()
    }
}
