//! A book in the making.

use std::collections::HashMap;

use tejun_games::game::{Game, GameMove, GamePosition, PositionKey, Side};

use crate::books::{Book, BookMove, BookPosition, MoveNotes, PositionNotes};

/// A move that is to come into a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMove {
    /// The move, on the board as it is given.
    pub played: GameMove,
    /// Its weight.
    pub weight: u32,
    /// What else is known.
    pub notes: MoveNotes,
}

/// Something of a book's file that could not be taken as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Where: a line of a text, or an entry of a table, from 1; 0 if it is the whole file.
    pub place: u64,
    /// What.
    pub flaw: Flaw,
}

/// What can be wrong with a part of a book. Each leaves out that part only.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The rules forbid the move.
    #[error("the move {text} is not legal in {position}")]
    IllegalMove {
        /// The move.
        text: String,
        /// Where it was to be played.
        position: String,
    },
    /// A move that cannot be read.
    #[error("{text:?} is no move")]
    NoMove {
        /// What stands there.
        text: String,
    },
    /// A position that cannot be read.
    #[error("{text:?} is no position")]
    NoPosition {
        /// What stands there.
        text: String,
    },
    /// A move stands twice in its position; weights were added.
    #[error("the move {text} stands twice in {position}: its weights were added")]
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
    /// Bytes behind the last whole entry.
    #[error("{n_bytes} stray bytes behind the last entry")]
    StrayBytes {
        /// How many.
        n_bytes: usize,
    },
    /// Entries that no known position leads to.
    #[error("{n} entries are reached from no known position and were left out")]
    Unreached {
        /// How many.
        n: usize,
    },
    /// Entries that programs may miss, because they search by halving.
    #[error("the entries are not in the order of their keys: the book's own program may miss some")]
    Unsorted,
    /// A number that stands for nothing the format knows.
    #[error("{field} is {value}, which means nothing here")]
    OddField {
        /// What the format calls it.
        field: &'static str,
        /// What it says.
        value: i64,
    },
    /// Entries that stand before ones with smaller keys; they were sorted.
    #[error("{n_entries} entries are not in the order of their keys: they were sorted")]
    OutOfOrder {
        /// How many.
        n_entries: usize,
    },
    /// A position that stands in the file before, perhaps turned.
    #[error("the position {position} is in the file before")]
    RepeatedPosition {
        /// The position.
        position: String,
    },
    /// Entries of another game, or of a board of another size.
    #[error("{n_entries} entries of {game} were left out")]
    OtherGame {
        /// Their game.
        game: Game,
        /// How many.
        n_entries: usize,
    },
}

/// Makes a book, position by position.
#[derive(Clone, Debug)]
pub struct BookBuilder {
    book: Book,
    remarks: Vec<Remark>,
    /// Moves of positions that were added more than once, waiting for the end.
    again: HashMap<u32, Vec<(BookMove, MoveNotes)>>,
}

impl BookBuilder {
    /// An empty book.
    pub fn new(game: Game) -> BookBuilder {
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
        BookBuilder { book, remarks: Vec::new(), again: HashMap::new() }
    }

    /// Whether this position is in the book already.
    pub fn has(&self, key: PositionKey) -> bool {
        self.book.by_key.contains_key(&key)
    }

    /// Adds a remark about the file.
    pub fn remark(&mut self, place: u64, flaw: Flaw) {
        self.remarks.push(Remark { place, flaw });
    }

    /// Adds a position and its moves; a position that is there gets the moves that are new, and added weights.
    ///
    /// Moves that the rules forbid are left out and remarked at `place`. In Go
    /// the board may be turned; moves that mirror each other become one.
    pub fn add(&mut self, place: u64, board: &GamePosition, moves: Vec<NewMove>, notes: PositionNotes) -> u32 {
        self.add_as(place, board, moves, notes, false)
    }

    /// As [`BookBuilder::add`], for a position that the file implies by a turned one; stored ones come first.
    pub fn add_implied(&mut self, place: u64, board: &GamePosition, moves: Vec<NewMove>) -> Option<u32> {
        let is_new = !self.has(board.key());
        is_new.then(|| self.add_as(place, board, moves, PositionNotes::default(), true))
    }

    /// Adds a position of which only the key is known, for books that are computed and not read; it has no text.
    ///
    /// A key that is there stays as it is.
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
            None => self.push(&normal, key, taken, notes, is_implied),
        }
    }

    fn push(
        &mut self,
        board: &GamePosition,
        key: PositionKey,
        moves: Vec<(BookMove, MoveNotes)>,
        notes: PositionNotes,
        is_implied: bool,
    ) -> u32 {
        let book = &mut self.book;
        book.texts += &board.to_string();
        let number = book.positions.len() as u32;
        book.positions.push(BookPosition {
            key,
            to_move: board.to_move(),
            is_implied,
            first_move: book.moves.len() as u32,
            n_moves: moves.len() as u16,
            text_end: book.texts.len() as u64,
        });
        book.position_notes.push(notes);
        for (played, notes) in moves {
            book.moves.push(played);
            book.move_notes.push(notes);
        }
        book.by_key.insert(key, number);
        number
    }

    /// The book, and what was wrong with its file.
    pub fn finish(mut self) -> (Book, Vec<Remark>) {
        if !self.again.is_empty() {
            self.merge_again();
        }
        if self.book.move_notes.iter().all(|notes| *notes == MoveNotes::default()) {
            self.book.move_notes = Vec::new();
        }
        if self.book.position_notes.iter().all(|notes| *notes == PositionNotes::default()) {
            self.book.position_notes = Vec::new();
        }
        self.book.start = self.book.find(self.book.game.start().key());
        (self.book, self.remarks)
    }

    /// Lays out the moves anew, with those of positions that came more than once.
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

/// Adds a move, or its weight and games if it is there; the later notes stand. Tells whether it was there.
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
