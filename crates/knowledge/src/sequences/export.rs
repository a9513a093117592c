//! Sequences as a Parquet file, one row per sequence; `docs/book/sequences.md` describes the columns.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, Float64Array, ListBuilder, RecordBatch, StringArray, StringBuilder, UInt16Array, UInt32Array,
    UInt64Array, UInt64Builder,
};
use arrow::error::ArrowError;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use tejun_games::go::Point;

use crate::sequences::sequence::Sequence;
use crate::sequences::shape::points_of;

/// Why sequences can't be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The columns don't match each other.
    #[error(transparent)]
    Columns(#[from] ArrowError),
    /// The Parquet writer fails.
    #[error(transparent)]
    Parquet(#[from] ParquetError),
}

/// Writes the sequences as a Parquet file and returns its bytes.
///
/// `manifest` becomes metadata of the file; `names` has one entry per sequence.
///
/// # Errors
/// If the Parquet library fails, which is not expected.
pub fn write_sequences(
    plays: &[Sequence],
    names: &[Option<String>],
    manifest: &[(String, String)],
) -> Result<Vec<u8>, ExportError> {
    let batch = RecordBatch::try_from_iter_with_nullable(columns(plays, names))?;
    let pairs = manifest.iter().map(|(key, value)| KeyValue::new(format!("tejun.{key}"), value.clone()));
    let level = ZstdLevel::try_new(1).expect("zstd has a level 1");
    let properties = WriterProperties::builder()
        .set_created_by(format!("tejun {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(level))
        .set_key_value_metadata(Some(pairs.collect()));
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties.build()))?;
    writer.write(&batch)?;
    Ok(writer.into_inner()?)
}

fn columns(plays: &[Sequence], names: &[Option<String>]) -> Vec<(&'static str, ArrayRef, bool)> {
    let numbers = |value: &dyn Fn(&Sequence) -> u64| -> ArrayRef {
        Arc::new(plays.iter().map(|play| Some(value(play))).collect::<UInt64Array>())
    };
    let texts = |value: &dyn Fn(&Sequence) -> String| -> ArrayRef {
        Arc::new(plays.iter().map(|play| Some(value(play))).collect::<StringArray>())
    };
    let years = |value: &dyn Fn(&Sequence) -> Option<u16>| -> ArrayRef {
        Arc::new(plays.iter().map(value).collect::<UInt16Array>())
    };
    let mut continuations = ListBuilder::new(StringBuilder::new());
    let mut continuation_counts = ListBuilder::new(UInt64Builder::new());
    for play in plays {
        for (point, count) in &play.continuations.continuations {
            continuations.values().append_value(sgf_letters(&[*point]));
            continuation_counts.values().append_value(*count as u64);
        }
        continuations.append(true);
        continuation_counts.append(true);
    }
    let ranks: ArrayRef = Arc::new((1..=plays.len() as u32).collect::<UInt32Array>());
    let scores: ArrayRef = Arc::new(plays.iter().map(|play| Some(play.ranked.score)).collect::<Float64Array>());
    vec![
        ("rank", ranks, false),
        ("name", Arc::new(names.iter().cloned().collect::<StringArray>()), true),
        ("score", scores, false),
        ("n_moves", numbers(&|play| play.moves.len() as u64), false),
        ("moves", texts(&|play| sgf_letters(&points_of(&play.moves))), false),
        ("setup_black", texts(&|play| sgf_letters(&play.around[0])), false),
        ("setup_white", texts(&|play| sgf_letters(&play.around[1])), false),
        ("region", texts(&|play| play.region.name().to_string()), false),
        ("class", texts(&|play| play.continuations.class.letter().to_string()), false),
        ("n_played", numbers(&|play| play.continuations.n_played as u64), false),
        ("n_games", numbers(&|play| play.n_games as u64), false),
        ("n_same_shape", numbers(&|play| play.continuations.n_same_shape as u64), false),
        ("n_same_around", numbers(&|play| play.n_same_around as u64), false),
        ("n_tenuki", numbers(&|play| play.continuations.n_tenuki as u64), false),
        ("continuations", Arc::new(continuations.finish()), false),
        ("continuation_counts", Arc::new(continuation_counts.finish()), false),
        ("n_first_side_won", numbers(&|play| play.first_side_wins.n_yes), false),
        ("n_with_winner", numbers(&|play| play.first_side_wins.n), false),
        ("first_year", years(&|play| play.years.keys().next().copied()), true),
        ("last_year", years(&|play| play.years.keys().next_back().copied()), true),
    ]
}

/// Two letters per point, as in SGF, without separators.
fn sgf_letters(points: &[Point]) -> String {
    points.iter().flat_map(|point| point.to_sgf()).map(char::from).collect()
}
