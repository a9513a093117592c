//! Writing books, and what a format cannot store.

use std::fmt;

use tejun_games::game::Game;

use crate::books::files::parquet::write_parquet;
use crate::books::files::polyglot::write_polyglot;
use crate::books::files::sgf_tree::write_sgf_tree;
use crate::books::files::{BookFormat, WriteBookError, write_apery, write_yaneuraou};
use crate::books::{Book, MoveNotes, PositionNotes};

/// A book as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// What was lost.
    pub lost: Vec<Loss>,
}

/// Something that a format cannot store, with the number of cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Boards of positions, of which only hashes are kept.
    Boards(usize),
    /// Positions of another game than the format's.
    ForeignPositions(usize),
    /// Positions without a move.
    EmptyPositions(usize),
    /// Positions that turned ones imply, left to the program.
    ImpliedPositions(usize),
    /// Moves without a value that get one of 0.
    MissingValues(usize),
    /// Depths of search.
    Depths(usize),
    /// Replies to expect.
    Replies(usize),
    /// Numbers of moves played before a position.
    Plies(usize),
    /// Comments on positions.
    PositionComments(usize),
    /// Comments on moves.
    MoveComments(usize),
    /// Marks of annotators.
    Marks(usize),
    /// Games and wins of positions.
    PositionGames(usize),
    /// Games and wins of moves.
    MoveGames(usize),
    /// Numbers specific to another format.
    Extras(usize),
    /// Positions whose weights were scaled down to fit.
    ScaledPositions(usize),
    /// Moves with values, depths, replies, games, marks or comments.
    MoveNotes(usize),
    /// Positions with numbers or comments of their own.
    PositionNotes(usize),
    /// Kos of positions that are set up with stones.
    Kos(usize),
    /// Weights other than 1, which only people can read there.
    WeightsAsWords(usize),
}

impl Loss {
    /// The number of cases.
    pub fn n(self) -> usize {
        self.described().0
    }

    fn described(self) -> (usize, &'static str) {
        match self {
            Loss::Boards(n) => (n, "boards, of which only hashes are kept"),
            Loss::ForeignPositions(n) => (n, "positions of another game"),
            Loss::EmptyPositions(n) => (n, "positions without moves"),
            Loss::ImpliedPositions(n) => (n, "positions that the program finds by turning the board"),
            Loss::MissingValues(n) => (n, "moves without a value, written as 0"),
            Loss::Depths(n) => (n, "depths of search"),
            Loss::Replies(n) => (n, "expected replies"),
            Loss::Plies(n) => (n, "move numbers of positions"),
            Loss::PositionComments(n) => (n, "comments on positions"),
            Loss::MoveComments(n) => (n, "comments on moves"),
            Loss::Marks(n) => (n, "marks of good and bad moves"),
            Loss::PositionGames(n) => (n, "counts of games and wins of positions"),
            Loss::MoveGames(n) => (n, "counts of games and wins of moves"),
            Loss::Extras(n) => (n, "format-specific numbers"),
            Loss::ScaledPositions(n) => (n, "positions whose weights were scaled down to fit"),
            Loss::MoveNotes(n) => (n, "moves' values, depths, replies, games, marks or comments"),
            Loss::PositionNotes(n) => (n, "positions' counts, move numbers or comments"),
            Loss::WeightsAsWords(n) => (n, "weights other than 1, which are only in comments"),
            Loss::Kos(n) => (n, "kos of positions that are set up with stones"),
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, what) = self.described();
        write!(f, "{n} {what}")
    }
}

impl Written {
    /// A file, with those losses of which there is a case.
    pub(crate) fn new<const N: usize>(bytes: Vec<u8>, lost: [Loss; N]) -> Written {
        Written { bytes, lost: lost.into_iter().filter(|loss| loss.n() > 0).collect() }
    }
}

/// Writes a book in a format, and says what of it the format can't hold.
///
/// # Errors
/// If the format is of another game or only read.
pub fn write_book(book: &Book, format: BookFormat) -> Result<Written, WriteBookError> {
    let is_game = match format {
        BookFormat::YaneuraOu | BookFormat::Apery => book.game() == Game::Shogi,
        BookFormat::Polyglot => book.game() == Game::Chess,
        BookFormat::Records => matches!(book.game(), Game::Go(_)),
        _ => true,
    };
    let name = if format == BookFormat::Records { "SGF".to_string() } else { format.to_string() };
    let other_game = || WriteBookError::OtherGame { format: name.clone(), game: book.game() };
    if !is_game {
        return Err(other_game());
    }
    match format {
        BookFormat::YaneuraOu => Ok(write_yaneuraou(book)),
        BookFormat::Apery => Ok(write_apery(book)),
        BookFormat::Polyglot => {
            let (bytes, lost) = write_polyglot(book).map_err(|_| other_game())?;
            let lost = [
                Loss::Boards(book.n_stored()),
                Loss::EmptyPositions(WriteCounter::of(book).n_empty),
                Loss::ScaledPositions(lost.n_scaled),
                Loss::MoveNotes(lost.n_notes),
                Loss::PositionNotes(lost.n_position_notes),
            ];
            Ok(Written::new(bytes, lost))
        }
        BookFormat::Records => {
            let trees = write_sgf_tree(book).map_err(|_| other_game())?;
            let tally = WriteCounter::of(book);
            let lost = [
                Loss::Kos(trees.n_lost_kos),
                Loss::WeightsAsWords(book.moves.iter().filter(|known| known.weight != 1).count()),
                Loss::Plies(tally.n_plies),
                Loss::Depths(tally.n_depths),
                Loss::Replies(tally.n_replies),
                Loss::Marks(tally.n_marks),
                Loss::Extras(tally.n_extras),
            ];
            Ok(Written::new(trees.text.into_bytes(), lost))
        }
        BookFormat::Parquet => Ok(Written::new(write_parquet(book)?, [])),
        _ => Err(WriteBookError::ReadOnly { format }),
    }
}

/// How many notes of each kind a book has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WriteCounter {
    pub(crate) n_positions: usize,
    pub(crate) n_foreign: usize,
    pub(crate) n_empty: usize,
    pub(crate) n_without_value: usize,
    pub(crate) n_depths: usize,
    pub(crate) n_replies: usize,
    pub(crate) n_plies: usize,
    pub(crate) n_position_comments: usize,
    pub(crate) n_move_comments: usize,
    pub(crate) n_marks: usize,
    pub(crate) n_position_games: usize,
    pub(crate) n_move_games: usize,
    pub(crate) n_extras: usize,
}

impl WriteCounter {
    /// Counts the notes of all positions.
    pub(crate) fn of(book: &Book) -> WriteCounter {
        let mut tally = WriteCounter::default();
        (0..book.positions().len() as u32).for_each(|position| tally.count(book, position));
        tally
    }

    /// Counts the notes of a position and its moves.
    pub(crate) fn count(&mut self, book: &Book, position: u32) {
        self.n_positions += 1;
        let n_moves = book.moves(position).len();
        self.n_empty += usize::from(n_moves == 0);
        if let Some(PositionNotes { ply, n_first_wins, n_second_wins, n_games, comment }) = book.notes(position) {
            self.n_plies += usize::from(ply.is_some());
            self.n_position_comments += usize::from(comment.is_some());
            let counts = [n_first_wins, n_second_wins, n_games];
            self.n_position_games += usize::from(counts.into_iter().any(Option::is_some));
        }
        let notes = book.move_notes(position);
        self.n_without_value += n_moves - notes.iter().filter(|notes| notes.value.is_some()).count();
        for MoveNotes { value: _, depth, reply, n_games, n_wins, mark, extra, comment } in notes {
            self.n_depths += usize::from(depth.is_some());
            self.n_replies += usize::from(reply.is_some());
            self.n_move_games += usize::from(n_games.is_some() || n_wins.is_some());
            self.n_marks += usize::from(mark.is_some());
            self.n_extras += usize::from(extra.is_some());
            self.n_move_comments += usize::from(comment.is_some());
        }
    }
}
