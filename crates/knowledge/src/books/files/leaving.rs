//! The leaving positions of a match as a Parquet file; `docs/book/books.md` explains the columns.

use std::io::Write;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt32Array};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use tejun_games::game::PositionKey;

use crate::books::matching::{Leaving, Match};

/// Rows that are held at once.
const N_ROWS: usize = 1 << 16;

/// Writes every leaving position with its probability; `value` gives a value and a win rate of the first player.
///
/// # Errors
/// If the file can't be written.
pub fn write_leaving(
    played: &Match,
    value: Option<&dyn Fn(PositionKey) -> Option<(f64, f64)>>,
    file: impl Write + Send,
) -> Result<(), ParquetError> {
    let level = ZstdLevel::try_new(1).expect("zstd has a level 1");
    let properties = WriterProperties::builder()
        .set_created_by(format!("tejun {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(level))
        .build();
    let schema = batch(played, 0, &[], value)?.schema();
    let mut writer = ArrowWriter::try_new(file, schema, Some(properties))?;
    for (number, rows) in played.leaving.chunks(N_ROWS).enumerate() {
        writer.write(&batch(played, number * N_ROWS, rows, value)?)?;
    }
    writer.close()?;
    Ok(())
}

fn batch(
    played: &Match,
    first: usize,
    rows: &[Leaving],
    value: Option<&dyn Fn(PositionKey) -> Option<(f64, f64)>>,
) -> Result<RecordBatch, ParquetError> {
    let ways: Vec<_> = rows.iter().map(|leaving| played.way(leaving.node)).collect();
    let evaluated: Vec<Option<(f64, f64)>> = rows.iter().map(|leaving| value.and_then(|of| of(leaving.key))).collect();
    let moves = ways.iter().map(|(_, moves)| {
        let texts: Vec<&str> = moves.iter().map(|(_, text)| text.as_str()).collect();
        Some(texts.join(" "))
    });
    let ranks = (first + 1..).take(rows.len()).map(|rank| Some(rank as u32));
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("rank", Arc::new(ranks.collect::<UInt32Array>()), false),
        (
            "probability",
            Arc::new(rows.iter().map(|leaving| Some(leaving.probability)).collect::<Float64Array>()),
            false,
        ),
        ("ply", Arc::new(ways.iter().map(|(_, moves)| Some(moves.len() as u32)).collect::<UInt32Array>()), false),
        ("moves", Arc::new(moves.collect::<StringArray>()), false),
        ("position", Arc::new(ways.iter().map(|(board, _)| Some(board.to_string())).collect::<StringArray>()), false),
        ("key", Arc::new(rows.iter().map(|at| Some(format!("{:032x}", at.key.0))).collect::<StringArray>()), false),
        ("value_first", Arc::new(evaluated.iter().map(|v| v.map(|v| v.0)).collect::<Float64Array>()), true),
        ("winrate_first", Arc::new(evaluated.iter().map(|v| v.map(|v| v.1)).collect::<Float64Array>()), true),
    ];
    Ok(RecordBatch::try_from_iter_with_nullable(columns)?)
}
