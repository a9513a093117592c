//! A collection: games read from files, cleaned, and stored as Parquet, one row per game.
//!
//! Knows records and storage; interpreting the games is left to later rooms.
//! Memory stays bounded for any number of games: rows pass through chunks on
//! disk, and fingerprints identify duplicates.
//!
//! ```text
//! paths -> sources -> units -> workers -> chunks on disk -> duplicates -> games.parquet
//! ```

mod chunks;
mod collection;
mod duplicates;
mod empty_selection;
mod expression;
mod fingerprint;
mod game_names;
mod import;
mod input;
mod parquet_guard;
mod sample;
mod schema;
mod seal;
mod selection;
mod sources;
mod stats;
mod table;

pub use chunks::Outcome;
pub use collection::{Collection, CollectionError};
pub use duplicates::Duplicates;
pub use empty_selection::{EmptyReason, empty_reasons};
pub use expression::{Expression, ParseExpressionError};
pub use import::{
    ImportError, ImportObserver, ImportOptions, ImportSummary, OutputMode, ReportLine, discard_partial, import,
    total_bytes,
};
pub use input::{Input, InputError, InputGame, OpenInput, is_collection};
pub(crate) use parquet_guard::{EofIsError, catch_panics};
pub use sample::{N_SAMPLE_GAMES, sample_text, write_sample};
pub use schema::{Game, GameId, game_schema};
pub use seal::DamagedBytes;
pub(crate) use seal::{Seal, SealingWriter, finish_sealed, is_by_tejun};
pub use selection::{NearDuplicates, SelectError, Selection, select};
pub use sources::{Source, SourceError, for_each_text};
pub use stats::{CollectionStats, Counted, PlayerStats, collection_stats};
pub use table::{GameFacts, GameTable};
