//! What do players look at? An algebra of positions that discovers its own features.
//!
//! A [`Mapping`] selects a set of points of a position, from stones, chains and their surroundings, with a few
//! operators:
//!
//! ```text
//! Suc_1(OPP & H) & EMPTY      points that capture the opponent's stones
//! ```
//!
//! Does not read files or draw. It has many public names because it is a language
//! with all its uses: mappings and their texts, queries, explanations, discovery.

mod discover;
mod eval;
mod explain;
mod find;
mod language;
mod model;
mod normal;

pub use discover::{Base, DiscoverOptions, Measured, Search, Trial};
pub use eval::graph::BwGraph;
pub use eval::points::Points;
pub use eval::position::TacticPosition;
pub use eval::program::{Program, Values};
pub use explain::survey::{SurveyOptions, SurveyedMove, survey, surveyed_places};
pub use explain::{ExplainOptions, MoveExplanation, Unexplained, explain, twins};
pub use find::find;
pub use find::findings::{Findings, Place, RandomComparison, Tally};
pub use language::generate::random_mapping;
pub use language::library::{Library, Named};
pub use language::mapping::{Leaf, Mapping, NeighborOperator, SetOperator};
pub use language::parse_error::{MappingFault, ParseMappingError};
pub use language::query::{Bound, Condition, Query};
pub use model::{TacticModel, TacticModelError, TacticPredictor, Weighted};
pub use normal::{normal_form, simplify};
