//! The sample collection that is built into the program.

use std::path::Path;

use crate::corpus::import::{ImportError, ImportOptions, ImportSummary, import};
use crate::corpus::sources::Source;
use crate::progress::NoProgress;

/// What the sample collection is called.
pub(crate) const SAMPLE_NAME: &str = "sample";
/// Number of games in the sample collection.
pub const N_SAMPLE_GAMES: usize = 604;

/// Professional games from 1927 to 1979, one SGF per line, compressed with zstd.
static SAMPLE: &[u8] = include_bytes!("../../data/sample.sgfs.zst");

/// The sample games as a source of records.
pub(crate) fn sample_source() -> Source {
    Source::Bytes(SAMPLE_NAME, SAMPLE)
}

/// Imports the sample collection into a file.
///
/// # Errors
/// If the file can't be written.
pub fn write_sample(output: &Path) -> Result<ImportSummary, ImportError> {
    import(&[sample_source()], output, &ImportOptions::default(), &NoProgress)
}

/// The sample games as text, one SGF per line.
pub fn sample_text() -> String {
    let bytes = zstd::decode_all(SAMPLE).expect("the sample is whole");
    String::from_utf8(bytes).expect("the sample is UTF-8")
}
