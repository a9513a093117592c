//! Building a book, position by position.

use std::collections::HashMap;

use tejun_games::game::{Game, GameMove, GamePosition, PositionKey, Side};

use crate::books::book::PositionEntry;
use crate::books::{Book, BookMove, BookPosition, MoveNotes, PositionNotes};

/// A move to be added to a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMove {
    /// The move, on the board as given.
    pub played: GameMove,
    /// Its weight.
    pub weight: u32,
    /// Further data.
    pub notes: MoveNotes,
}

/// A part of a book's file that could not be read as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Where: a line of a text, or an entry of a table, from 1; 0 if it is the whole file.
    pub place: u64,
    /// The problem.
    pub flaw: Flaw,
}

/// What can be wrong with a part of a book. Only that part is skipped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The rules forbid the move.
    #[error("the move {text} is not legal in {position}")]
    IllegalMove {
        /// The move.
        text: String,
        /// The position in which it was to be played.
        position: String,
    },
    /// A move that cannot be read.
    #[error("{text:?} is not a move")]
    NoMove {
        /// The text.
        text: String,
    },
    /// A position that cannot be read.
    #[error("{text:?} is not a position")]
    NoPosition {
        /// The text.
        text: String,
    },
    /// A move occurs twice in its position; its weights were added.
    #[error("the move {text} occurs twice in {position}: its weights were added")]
    RepeatedMove {
        /// The move.
        text: String,
        /// Its position.
        position: String,
    },
    /// The stored position after a move is not the one that the move leads to.
    #[error("the move {text} does not lead to the position stored for it")]
    WrongChild {
        /// The move.
        text: String,
    },
    /// Bytes after the last complete entry.
    #[error("{n_bytes} stray bytes after the last entry")]
    StrayBytes {
        /// How many.
        n_bytes: usize,
    },
    /// Entries that are not reached from any known position.
    #[error("{n} entries are not reached from any known position and were skipped")]
    Unreached {
        /// How many.
        n: usize,
    },
    /// Entries that programs may miss, because they use binary search.
    #[error("the entries are not sorted by key: the book's own program may miss some")]
    Unsorted,
    /// A number without a meaning in the format.
    #[error("{field} is {value}, which has no meaning in this format")]
    OddField {
        /// Its name in the format.
        field: &'static str,
        /// The number.
        value: i64,
    },
    /// Entries before ones with smaller keys; they were sorted.
    #[error("{n_entries} entries are not in the order of their keys; they were sorted")]
    OutOfOrder {
        /// How many.
        n_entries: usize,
    },
    /// A position that occurs earlier in the file, perhaps turned.
    #[error("the position {position} occurs earlier in the file")]
    RepeatedPosition {
        /// The position.
        position: String,
    },
    /// Entries of another game, or of a board of another size.
    #[error("{n_entries} entries of {game} were skipped")]
    OtherGame {
        /// Their game.
        game: Game,
        /// How many.
        n_entries: usize,
    },
}

/// Builds a book, position by position.
#[derive(Clone, Debug)]
pub struct BookBuilder {
    book: Book,
    remarks: Vec<Remark>,
    /// Moves of positions that were added more than once; merged at the end.
    again: HashMap<u32, Vec<(BookMove, MoveNotes)>>,
}

impl BookBuilder {
    /// An empty book.
    pub fn new(game: Game) -> BookBuilder {
        BookBuilder { book: Book::empty(game), remarks: Vec::new(), again: HashMap::new() }
    }

    /// Whether this position is already in the book.
    pub fn has(&self, key: PositionKey) -> bool {
        self.book.by_key.contains_key(&key)
    }

    /// Adds a remark about the file.
    pub fn remark(&mut self, place: u64, flaw: Flaw) {
        self.remarks.push(Remark { place, flaw });
    }

    /// Adds a position and its moves; an existing position gets the new moves, and weights are added up.
    ///
    /// Illegal moves are skipped, with a remark at `place`. In Go the board may be
    /// turned; moves that mirror each other become one.
    pub fn add(&mut self, place: u64, board: &GamePosition, moves: Vec<NewMove>, notes: PositionNotes) -> u32 {
        self.add_as(place, board, moves, notes, false)
    }

    /// Adds a position that the file implies by a turned one, unless it is in the book; add stored positions first.
    pub fn add_implied(&mut self, place: u64, board: &GamePosition, moves: Vec<NewMove>) -> Option<u32> {
        let is_new = !self.has(board.key());
        is_new.then(|| self.add_as(place, board, moves, PositionNotes::default(), true))
    }

    /// Adds a position of which only the key is known, for books that are computed and not read; it has no text.
    ///
    /// An existing position stays as it is.
    pub fn add_bare(&mut self, key: PositionKey, to_move: Side, moves: &[BookMove]) {
        let book = &mut self.book;
        let next = book.positions.len() as u32;
        if *book.by_key.entry(key).or_insert(next) == next {
            let (first_move, text_end) = (book.moves.len() as u32, book.texts.len() as u64);
            let n_moves = moves.len() as u16;
            book.positions.push(BookPosition { key, to_move, is_implied: false, first_move, n_moves, text_end });
            book.moves.extend_from_slice(moves);
        }
    }

    fn add_as(
        &mut self,
        place: u64,
        board: &GamePosition,
        moves: Vec<NewMove>,
        notes: PositionNotes,
        is_implied: bool,
    ) -> u32 {
        let (normal, turns) = board.normal();
        let key = normal.key();
        let mut taken: Vec<(BookMove, MoveNotes)> = Vec::with_capacity(moves.len());
        for NewMove { played, weight, notes } in moves {
            let turned = board.turned_move(played, &turns);
            let Ok(after) = normal.after(turned) else {
                let (text, position) = (board.move_text(played), board.to_string());
                self.remark(place, Flaw::IllegalMove { text, position });
                continue;
            };
            let reply = notes.reply.filter(|_| turns.len() == 1).map(|reply| board.turned_move(reply, &turns));
            let notes = MoveNotes { reply, ..notes };
            if merge(&mut taken, BookMove { child: after.key(), played: turned, weight }, notes) {
                let (text, position) = (board.move_text(played), board.to_string());
                self.remark(place, Flaw::RepeatedMove { text, position });
            }
        }
        match self.book.find(key) {
            Some(position) => {
                self.again.entry(position).or_default().extend(taken);
                position
            }
            None => {
                let text = &normal.to_string();
                let entry = PositionEntry { key, to_move: normal.to_move(), is_implied, text, notes };
                self.book.push_unchecked(entry, taken.into_iter())
            }
        }
    }

    /// The book, and what was wrong with its file.
    pub fn finish(mut self) -> (Book, Vec<Remark>) {
        if !self.again.is_empty() {
            self.merge_again();
        }
        (self.book.finished(), self.remarks)
    }

    /// Stores all moves again, with those of positions that were added more than once.
    fn merge_again(&mut self) {
        let book = &mut self.book;
        let old_moves = std::mem::take(&mut book.moves);
        let mut old_notes = std::mem::take(&mut book.move_notes);
        for (number, position) in book.positions.iter_mut().enumerate() {
            let first = position.first_move as usize;
            let places = first..first + usize::from(position.n_moves);
            let mut moves: Vec<(BookMove, MoveNotes)> =
                places.map(|place| (old_moves[place], std::mem::take(&mut old_notes[place]))).collect();
            for (played, notes) in self.again.remove(&(number as u32)).unwrap_or_default() {
                merge(&mut moves, played, notes);
            }
            position.first_move = book.moves.len() as u32;
            position.n_moves = moves.len() as u16;
            for (played, notes) in moves {
                book.moves.push(played);
                book.move_notes.push(notes);
            }
        }
    }
}

/// Adds a move, or its weight and games if it exists; the later notes win. Returns whether it existed.
fn merge(moves: &mut Vec<(BookMove, MoveNotes)>, new: BookMove, notes: MoveNotes) -> bool {
    let Some((there, old)) = moves.iter_mut().find(|(there, _)| there.played == new.played) else {
        moves.push((new, notes));
        return false;
    };
    let sum = |a: Option<u32>, b: Option<u32>| a.zip(b).map(|(a, b)| a.saturating_add(b)).or(a).or(b);
    there.weight = there.weight.saturating_add(new.weight);
    *old = MoveNotes { n_games: sum(old.n_games, notes.n_games), n_wins: sum(old.n_wins, notes.n_wins), ..notes };
    true
}
