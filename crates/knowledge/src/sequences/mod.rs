//! Sequences that experts play as a unit, found in a collection.
//!
//! After Nakamura, "Acquisition of Move Sequence Patterns from Encoded Strings
//! of Go Moves", IPSJ Journal 43(10), 2002. A game is a text; its set phrases are
//! the strings that are frequent and have a clear beginning and end.
//!
//! Games become a [`GameText`], a [`Measure`] ranks its strings, and the ranked
//! strings become [`Sequence`]s on the board.

mod local;
mod text;

mod measures;
mod profile;
mod ranking;

mod continuations;
mod sequence;
mod shape;

mod compare;
mod dictionary;
mod joseki;
mod ranking_recall;
mod recall;
mod search;
mod variants;

mod export;
mod mine;

pub use text::{GameText, ParseScopeError, TextBuildError, TextOpenError, TextOptions, TextScope};

pub use measures::{Aggregation, Measure};
pub use profile::{GameProfile, KnownSpan, Novelty, profile_of};
pub use ranking::{RankOptions, RankedString, Tenuki, without_redundant};

pub use continuations::{Completeness, Continuations, by_completeness, classes};
pub use sequence::{BoardRegion, Example, Sequence, sequences_of};

pub use compare::{Baseline, CompareOptions, ComparedSequence, compare};
pub use dictionary::{Dictionary, DictionaryError, KnownLine};
pub use joseki::{Joseki, JosekiLine, follow_joseki};
pub use ranking_recall::{MeasureChoice, RankingRecall, RecallOptions, ranking_recall};
pub use recall::{Ranks, Recall, recall};
pub use search::{FoundLine, find_line};
pub use tejun_index::NGramCounts;
pub use variants::{Variants, variants};

pub use mine::{MineOptions, RankBy, Redundant, mine, mine_text, rank_strings};

pub use export::{ExportError, write_sequences};
