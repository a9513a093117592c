//! What is each move worth, by looking ahead? Monte-Carlo tree search.
//!
//! [`NetworkSearch`] asks a network at every position, on boards with 19 lines; [`Search`] plays games out, on
//! boards of any size, and a [`crate::predictor::Predictor`] may say which moves are likely. Knows no files and no
//! engines.

mod any_size;
mod nakade;
mod options;
mod playout;
mod prior;
mod puct;
mod random;
mod shapes;
mod tree;
mod uct;

use std::time::Duration;

use crate::evaluation::{Evaluation, Question};

pub use any_size::AnySizeSearch;
pub use options::{Reuse, SearchOptions};
pub use playout::{Mercy, PlayoutEnd, PlayoutOptions, PlayoutPolicy, play_out, playouts};
pub use prior::PlainPredictor;
pub use puct::{NetworkSearch, NetworkSearchOptions};
pub use uct::{Prior, Search};

/// The longest continuation that is reported.
const LONGEST_LINE: usize = 16;

/// A search that can be asked again and again, with other limits.
pub trait TreeSearch {
    /// Searches a position; returns the evaluation and the number of visits.
    fn search(&mut self, question: &Question<'_>) -> (Evaluation, u32);

    /// The visits and the time that a search may take from now on.
    fn set_limits(&mut self, n_visits: u32, time: Option<Duration>);

    /// To what extent each point of the last position, row by row, becomes Black's: from -1 to 1.
    fn owners(&self) -> &[f64];
}

/// To a millionth: answers are kept as text.
fn rounded(value: f64) -> f64 {
    (1e6 * value).round() / 1e6
}
