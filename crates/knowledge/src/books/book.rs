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
    /// The positions' texts, one behind the other.
    pub(crate) texts: String,
    pub(crate) start: Option<u32>,
    pub(crate) by_key: HashMap<PositionKey, u32, BuildHasherDefault<KeyHasher>>,
}

/// A position of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookPosition {
    /// What tells it from others.
    pub key: PositionKey,
    /// Whose turn it is.
    pub to_move: Side,
    /// Whether the file leaves it to the program to turn a stored position round to find it.
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
    /// How often it is to be chosen, compared with the others; 0 is known and never chosen.
    pub weight: u32,
}

/// What else a book tells of a position.
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
    /// Words.
    pub comment: Option<Box<str>>,
}

/// What else a book tells of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveNotes {
    /// Its value for the side to move; a pawn is 100.
    pub value: Option<i32>,
    /// How deep it was searched.
    pub depth: Option<u32>,
    /// The answer to expect.
    pub reply: Option<GameMove>,
    /// Games of its source in which it was played.
    pub n_games: Option<u32>,
    /// Those of them that the side to move won.
    pub n_wins: Option<u32>,
    /// What somebody thought of it.
    pub mark: Option<Mark>,
    /// A number of the format's own: Polyglot's `learn`, Gikou's set of openings.
    pub extra: Option<u32>,
    /// Words.
    pub comment: Option<Box<str>>,
}

/// What somebody thought of a move.
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

/// Hashes keys by taking a part of them: they are mixed already.
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

impl Book {
    /// The game it is for.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The number of positions that the file stores.
    pub fn n_stored(&self) -> usize {
        self.positions.iter().filter(|position| !position.is_implied).count()
    }

    /// All positions; a position's place in this row is its number.
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

    /// What else is told of the moves of a position, in the same order; empty if the book tells nothing.
    pub fn move_notes(&self, position: u32) -> &[MoveNotes] {
        let BookPosition { first_move, n_moves, .. } = self.positions[position as usize];
        self.move_notes.get(first_move as usize..first_move as usize + usize::from(n_moves)).unwrap_or_default()
    }

    /// What else is told of a position.
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
