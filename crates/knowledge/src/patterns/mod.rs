//! Which move comes next, by what stands on the board?
//!
//! Patterns are what stands in nested templates around a point, one pattern in
//! all eight orientations and both colors. After Stern, Herbrich and Graepel
//! (2006) and Nakanishi and Nakamura, whose two predictors are in `paper`; the
//! trained model puts patterns, tactics and a grammar together. Knows nothing
//! of good and bad, only of what is played.

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
mod ladder;
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
pub(crate) use ladder::escapes;
pub use linear::LearningStep;
pub use model::{LearningStage, PatternError, PatternModel, PatternOptions, PatternPredictor};
pub use paper::{PaperMethod, PaperModel, PaperPredictor};
pub use partial::Partial;
pub use template::{N_TEMPLATES, ring_of};
