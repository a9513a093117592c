//! Which moves of a game deserve a comment, and of what kind?
//!
//! Two things are known of a move: what a search thinks of it, and how far it
//! was expected. A move that the search likes and few would have expected is a
//! find; one that the search dislikes is a mistake. After Nakanishi and
//! Nakamura. Knows neither how positions are searched nor how moves are predicted.

mod judgement;
mod labels;
mod roc;
mod sight;
mod signals;
mod study;
mod verdict;

pub use judgement::{FEATURES, Judgement, LabeledMove, LossScale, cross_validate, measured};
pub use labels::{Label, engine_win_rates_white, labels};
pub use roc::{Area, Measured, area};
pub use sight::{CornerPoint, Shape, Sight, sights};
pub use signals::{Expectation, Expectations, Signal, Signals};
pub use study::{Predictors, Study, Values};
pub use verdict::{JudgedGame, JudgedMove, Verdict};
