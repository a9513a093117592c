//! What is in an opening book (定跡, *jōseki*), and what happens when it is used?
//!
//! A book is a set of positions with moves and weights. Two books are matched
//! exactly, without playing: probability flows from the start until no book
//! move is left. After Masuko and Tanaka, "A proposal of evaluation methods for
//! opening books" (2013).
//!
//! [`files`] reads and writes books, [`matching`] matches them, and [`making`] makes new ones. `files` and `matching`
//! use only the book; `making` also uses `matching`. Engines are out of scope.

mod book;
mod builder;
mod divergence;
mod diversity;
mod expectation;
pub mod files;
mod influence;
mod loading;
mod logistic;
pub mod making;
pub mod matching;
mod playing;
mod selection;
mod stats;
mod walk;

pub use book::{Book, BookMove, BookPosition, Mark, MoveNotes, PositionNotes};
pub use builder::{BookBuilder, Flaw, NewMove, Remark};
pub use divergence::{Divergence, divergence};
pub use diversity::Diversity;
pub use expectation::{Expectation, VALUE_STEP, expectation};
pub use influence::{Influence, influences};
pub use loading::{
    COLLECTION_PLIES, GameRecords, HashedEntries, LoadBookError, LoadOptions, LoadedBook, LoadedCollection, load,
    read_games,
};
pub use logistic::{Estimate, FitError, LeftGame, Strengths, WinFit, WinModel, fit_win_rates};
pub use playing::{Ending, PlayOptions, PlayedOut, Reply, left_book, play_on};
pub use selection::{Rule, RuleError, Selection, YaneuraOuRule};
pub use stats::{BookStats, PlyStats, book_stats};
pub use walk::{Probe, Probed, Walk, WalkOptions, walk};
