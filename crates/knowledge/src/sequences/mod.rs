//! Sequences that experts play as a unit, found in a collection.
//!
//! After Nakamura, "Acquisition of Move Sequence Patterns from Encoded Strings
//! of Go Moves", IPSJ Journal 43(10), 2002. A game is a text; what is frequent
//! and has a clear beginning and end is a set phrase of it.
//!
//! The way goes from games to a [`GameText`], from it by a [`Measure`] to a
//! ranking of strings, and back to boards as [`Play`]s.

mod local;
mod text;

mod measures;
mod profile;
mod ranking;

mod aftermath;
mod plays;
mod shape;

mod compare;
mod dictionary;
mod joseki;
mod recall;
mod search;
mod variants;

mod export;

pub use text::{GameText, Kind, ParseKindError, TextBuildError, TextOpenError, TextOptions};

pub use measures::{Gather, Measure};
pub use profile::{GameProfile, Novelty, Stretch, profile_of};
pub use ranking::{Acquired, RankOptions, Tenuki, without_redundant};

pub use aftermath::{Aftermath, Class, by_completeness, classes};
pub use plays::{BoardRegion, Example, Play, plays};

pub use compare::{Others, Overused, overused};
pub use dictionary::{Dictionary, DictionaryError, KnownLine};
pub use joseki::{Joseki, JosekiLine, follow_joseki};
pub use recall::{Ranks, Recall, recall};
pub use search::{FoundLine, find_line};
pub use tejun_index::NGramCounts;
pub use variants::{Variants, variants};

pub use export::{ExportError, write_plays};
