//! What is each move worth, by playing games out? Monte-Carlo tree search.
//!
//! Knows no files, no engines and no learned models: a [`crate::predictor::Predictor`]
//! may say which moves are likely, and playouts say which of them win.

mod nakade;
mod options;
mod playout;
mod prior;
mod random;
mod shapes;
mod tree;
mod uct;

pub use options::{Reuse, SearchOptions};
pub use playout::{Mercy, PlayoutEnd, PlayoutOptions, PlayoutPolicy, play_out, playouts};
pub use prior::PlainPredictor;
pub use uct::{Prior, Search};
