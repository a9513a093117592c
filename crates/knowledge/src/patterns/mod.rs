//! Which move comes next, given the stones on the board?
//!
//! A pattern is the arrangement of stones in one of several nested templates around a point; its eight orientations
//! and two colorings count as the same pattern. Based on Stern, Herbrich and Graepel (2006) and on Nakanishi and
//! Nakamura, whose two predictors are in `paper`; the trained model combines patterns, tactics and a grammar. Does
//! not judge whether moves are good, only whether they are played.

mod template;

mod dictionary;
mod keys;
mod matcher;

mod counts;
mod ngrams;
mod paper;

mod explain;
mod facts;
mod feature_group;
mod features;
mod linear;
mod model;
mod partial;
mod trees;
mod values;

pub use counts::{PatternCounts, harvest_patterns};
pub use dictionary::KeyTable;
pub use explain::{Explanation, Precedent, precedents};
pub use feature_group::FeatureGroup;
pub use keys::PatternBoard;
pub use model::{PatternError, PatternModel, PatternOptions, PatternPredictor};
pub use paper::{PaperMethod, PaperModel, PaperPredictor};
pub use partial::Partial;
pub use template::{N_TEMPLATES, ring_of};
