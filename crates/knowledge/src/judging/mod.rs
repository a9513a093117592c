//! Which moves of a game deserve a comment, and of what kind?
//!
//! Two things are known of a move: what a search thinks of it, and how far it
//! was expected. A move that the search likes and few would have expected is a
//! find; one that the search dislikes is a mistake. After Nakanishi and
//! Nakamura. Knows neither how positions are searched nor how moves are predicted.

mod analysis;
mod judgement;
mod labels;
mod roc;
mod signals;
mod tags;
mod verdict;

pub use analysis::{GameAnalysis, Predictors, Values};
pub use judgement::{FEATURES, Judgement, LabeledMove, LossScale, cross_validate, measured};
pub use labels::{Label, engine_win_rates_white, labels};
pub use roc::{Area, Measured, area};
pub use signals::{Expectation, Expectations, Signal, Signals};
pub use tags::{CornerPoint, MoveTag, Shape, move_tags};
pub use verdict::{JudgedGame, JudgedMove, Verdict};
