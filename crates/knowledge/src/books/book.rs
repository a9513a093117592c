//! Positions with moves and weights.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use tejun_games::game::{Game, GameMove, GamePosition, PositionKey, Side};

/// An opening book in memory.
///
/// Every position is there once, in its normal orientation. Moves are in the
/// order of the file.
#[derive(Clone, Debug)]
pub struct Book {
    pub(crate) game: Game,
    pub(crate) positions: Vec<BookPosition>,
    pub(crate) moves: Vec<BookMove>,
    pub(crate) position_notes: Vec<PositionNotes>,
    pub(crate) move_notes: Vec<MoveNotes>,
    /// The positions' texts, one after the other.
    pub(crate) texts: String,
    pub(crate) start: Option<u32>,
    pub(crate) by_key: HashMap<PositionKey, u32, BuildHasherDefault<KeyHasher>>,
}

/// A position of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookPosition {
    /// Its key.
    pub key: PositionKey,
    /// Whose turn it is.
    pub to_move: Side,
    /// Whether the file does not store it, but a position with the board turned and colors exchanged.
    pub is_implied: bool,
    pub(crate) first_move: u32,
    pub(crate) n_moves: u16,
    pub(crate) text_end: u64,
}

/// A move that a book knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The position after it.
    pub child: PositionKey,
    /// The move, in its position's normal orientation.
    pub played: GameMove,
    /// How often it is chosen, relative to the other moves; a move with 0 is known but never chosen.
    pub weight: u32,
}

/// Further data on a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionNotes {
    /// The number of moves played before it, as stored.
    pub ply: Option<u16>,
    /// Games of its source that the first player won.
    pub n_first_wins: Option<u32>,
    /// Games of its source that the second player won.
    pub n_second_wins: Option<u32>,
    /// Games of its source.
    pub n_games: Option<u32>,
    /// A comment.
    pub comment: Option<Box<str>>,
}

/// Further data on a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveNotes {
    /// Its value for the side to move; a pawn is 100.
    pub value: Option<i32>,
    /// The search depth of its value.
    pub depth: Option<u32>,
    /// The expected reply.
    pub reply: Option<GameMove>,
    /// Games of its source in which it was played.
    pub n_games: Option<u32>,
    /// How many of them the side to move won.
    pub n_wins: Option<u32>,
    /// How an annotator marked it.
    pub mark: Option<Mark>,
    /// A number of the format's own: Polyglot's `learn`, Gikou's set of openings.
    pub extra: Option<u32>,
    /// A comment.
    pub comment: Option<Box<str>>,
}

/// How an annotator marked a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The only move.
    Forced,
    /// A good move.
    Good,
    /// A doubtful move.
    Doubtful,
    /// A blunder.
    Blunder,
}

/// Hashes keys by taking a part of them: they are already well mixed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

/// A position on its way into a book.
#[derive(Clone, Debug)]
pub(crate) struct PositionEntry<'p> {
    pub(crate) key: PositionKey,
    pub(crate) to_move: Side,
    pub(crate) is_implied: bool,
    pub(crate) text: &'p str,
    pub(crate) notes: PositionNotes,
}

/// Writing, for the builders: nothing is checked here.
impl Book {
    /// A book without positions.
    pub(crate) fn empty(game: Game) -> Book {
        Book {
            game,
            positions: Vec::new(),
            moves: Vec::new(),
            position_notes: Vec::new(),
            move_notes: Vec::new(),
            texts: String::new(),
            start: None,
            by_key: HashMap::default(),
        }
    }

    /// Adds a position in its normal orientation, whose moves are known to be legal; gives its number.
    ///
    /// The caller makes sure that its key is new.
    pub(crate) fn push_unchecked(
        &mut self,
        entry: PositionEntry<'_>,
        moves: impl Iterator<Item = (BookMove, MoveNotes)>,
    ) -> u32 {
        let first_move = self.moves.len();
        for (known, notes) in moves {
            self.moves.push(known);
            self.move_notes.push(notes);
        }
        self.texts += entry.text;
        let number = self.positions.len() as u32;
        self.by_key.insert(entry.key, number);
        self.positions.push(BookPosition {
            key: entry.key,
            to_move: entry.to_move,
            is_implied: entry.is_implied,
            first_move: first_move as u32,
            n_moves: (self.moves.len() - first_move) as u16,
            text_end: self.texts.len() as u64,
        });
        self.position_notes.push(entry.notes);
        number
    }

    /// The complete book: notes without content are dropped, and the start is found.
    pub(crate) fn finished(mut self) -> Book {
        if self.move_notes.iter().all(|notes| *notes == MoveNotes::default()) {
            self.move_notes = Vec::new();
        }
        if self.position_notes.iter().all(|notes| *notes == PositionNotes::default()) {
            self.position_notes = Vec::new();
        }
        self.start = self.find(self.game.start().key());
        self
    }
}

impl Book {
    /// The game it is for.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The number of positions that the file stores.
    pub fn n_stored(&self) -> usize {
        self.positions.iter().filter(|position| !position.is_implied).count()
    }

    /// All positions; the index of a position is its number.
    pub fn positions(&self) -> &[BookPosition] {
        &self.positions
    }

    /// The number of the game's start, if the book has it.
    pub fn start(&self) -> Option<u32> {
        self.start
    }

    /// The number of the position with this key.
    pub fn find(&self, key: PositionKey) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    /// The moves of a position.
    pub fn moves(&self, position: u32) -> &[BookMove] {
        let BookPosition { first_move, n_moves, .. } = self.positions[position as usize];
        &self.moves[first_move as usize..][..usize::from(n_moves)]
    }

    /// Further data on the moves of a position, in the same order; empty if the book has none.
    pub fn move_notes(&self, position: u32) -> &[MoveNotes] {
        let BookPosition { first_move, n_moves, .. } = self.positions[position as usize];
        self.move_notes.get(first_move as usize..first_move as usize + usize::from(n_moves)).unwrap_or_default()
    }

    /// Further data on a position.
    pub fn notes(&self, position: u32) -> Option<&PositionNotes> {
        self.position_notes.get(position as usize)
    }

    /// The text of a position: SFEN, FEN, or rows of a Go board.
    pub fn text(&self, position: u32) -> &str {
        let start = position.checked_sub(1).map_or(0, |before| self.positions[before as usize].text_end as usize);
        self.texts.get(start..self.positions[position as usize].text_end as usize).unwrap_or_default()
    }

    /// A position on its board.
    ///
    /// # Panics
    /// If the book was made without boards.
    pub fn board(&self, position: u32) -> GamePosition {
        GamePosition::parse(self.game, self.text(position)).expect("texts were written from boards")
    }
}
