//! The games used by a benchmark.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// The collection included in the program.
const SAMPLE: &str = "crates/knowledge/data/sample.sgfs.zst";

/// The given file, or the sample collection, and its decompressed text: one game per line.
///
/// # Errors
/// If it does not exist or is not UTF-8.
pub fn read_games(given: Option<&Path>) -> anyhow::Result<(PathBuf, String)> {
    let path = from_root(given.unwrap_or(SAMPLE.as_ref()));
    let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
    let is_packed = path.extension().is_some_and(|ending| ending == "zst");
    let bytes = if is_packed { zstd::decode_all(bytes.as_slice())? } else { bytes };
    let text = String::from_utf8(bytes).with_context(|| path.display().to_string())?;
    Ok((path, text))
}

/// The path relative to the workspace root: Cargo runs benchmarks in the folder of their package.
pub fn from_root(path: &Path) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
