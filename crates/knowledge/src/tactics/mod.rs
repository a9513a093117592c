//! What do players look at? An algebra of positions that finds its own features.
//!
//! A [`Mapping`] makes a set of points of a position, from stones, chains and
//! their surroundings, by a few operators:
//!
//! ```text
//! Suc_1(OPP & H) & EMPTY      where the opponent's stones can be taken
//! ```
//!
//! Knows no files and draws nothing. It has many public names because it is a
//! language with all that is done in it: mappings and their texts, queries,
//! explanations, discovery; each by itself would still need most of the others.

mod bank;
mod cover;
mod discover;
mod explain;
mod find;
mod findings;
mod forms;
mod generate;
mod graph;
mod library;
mod likeness;
mod mapping;
mod model;
mod normal;
mod parse;
mod parse_error;
mod points;
#[cfg(test)]
mod positions;
mod print;
mod program;
mod query;
mod shrink;
mod survey;
mod tokens;

pub use discover::{Base, DiscoverOptions, Measured, Search, Trial};
pub use explain::{ExplainOptions, MoveExplanation, Unexplained, explain, twins};
pub use find::find;
pub use findings::{Chance, Findings, Place, Tally};
pub use generate::random_mapping;
pub use graph::BwGraph;
pub use library::{Library, Named};
pub use mapping::{Count, Join, Leaf, Mapping};
pub use model::{TacticModel, TacticModelError, TacticPredictor, Weighted};
pub use normal::{normal_form, simplify};
pub use parse_error::{MappingFault, ParseMappingError};
pub use points::Points;
pub use program::{Program, TacticPosition, Values};
pub use query::{Bound, Condition, Query};
pub use survey::{SurveyOptions, SurveyedMove, survey, surveyed_places};
