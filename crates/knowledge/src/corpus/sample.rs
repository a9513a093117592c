//! The collection that the program carries with it.

use std::path::Path;

use crate::corpus::import::{ImportError, ImportOptions, ImportSummary, NoProgress, import};
use crate::corpus::sources::Source;

/// Number of games in the sample collection.
pub const N_SAMPLE_GAMES: usize = 604;

/// Professional games of 1927 to 1979, one SGF per line, compressed with zstd.
static SAMPLE: &[u8] = include_bytes!("../../data/sample.sgfs.zst");

/// Imports the sample collection into a file.
///
/// # Errors
/// If the file can't be written.
pub fn write_sample(output: &Path) -> Result<ImportSummary, ImportError> {
    let source = Source::Bytes("sample", SAMPLE);
    import(&[source], output, &ImportOptions::default(), &NoProgress)
}

#[cfg(test)]
pub(crate) fn sample_text() -> String {
    let bytes = zstd::decode_all(SAMPLE).expect("the sample is whole");
    String::from_utf8(bytes).expect("the sample is UTF-8")
}
