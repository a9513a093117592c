//! Index files: damaged ones are refused or give some answer, but never a panic.
#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use tejun_index::{Index, Neighbor, SegmentId, Substring, Symbol};
use xxhash_rust::xxh3::xxh3_64;

/// Maximum number of answers to read per question.
const MAX_ANSWERS: usize = 200;

fuzz_target!(|bytes: &[u8]| {
    open_and_ask(bytes);
    // With a valid header, so that damage after it is reached.
    if let Some(repaired) = with_right_head(bytes) {
        open_and_ask(&repaired);
    }
});

/// The same file with the length and checksum of its header corrected; `None` if the header is incomplete.
fn with_right_head(bytes: &[u8]) -> Option<Vec<u8>> {
    const HEAD: usize = 64 + 7 * 32;
    const CHECKSUM: std::ops::Range<usize> = 48..56;
    let mut file = bytes.to_vec();
    let n_bytes = file.len() as u64;
    file.get_mut(..HEAD)?[16..24].copy_from_slice(&n_bytes.to_le_bytes());
    file[CHECKSUM].fill(0);
    let checksum = xxh3_64(&file[..HEAD]);
    file[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    Some(file)
}

fn open_and_ask(bytes: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("room for a small file");
    for index in [Index::open(file.path()), Index::open_checked(file.path())] {
        match index {
            Ok(index) => ask(&index),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn ask(index: &Index) {
    let _ = (index.label(), index.ngram_counts().total_distinct(), index.window_counts(2));
    let text = index.text();
    for position in (0..text.n_positions()).take(MAX_ANSWERS) {
        let _ = text.place(position).and_then(|place| text.position(place));
    }
    for segment in (0..text.n_segments() as u32).take(MAX_ANSWERS).map(SegmentId) {
        let symbols: Vec<Symbol> = text.segment(segment).take(6).collect();
        ask_about(index, index.find(&symbols));
    }
    for (symbol, _) in index.symbol_counts().take(MAX_ANSWERS) {
        ask_about(index, index.extend(index.empty_string(), symbol));
    }
    for repeat in index.repeats().take(MAX_ANSWERS) {
        ask_about(index, Some(repeat.longest()));
    }
    for part in index.repeats_in_parts(3) {
        let _ = part.take(MAX_ANSWERS).count();
    }
}

fn ask_about(index: &Index, string: Option<Substring>) {
    let Some(string) = string else { return };
    let _ = index.symbols(string).take(MAX_ANSWERS).count();
    let _ = index.occurrences(string).take(MAX_ANSWERS).count();
    let _ = index.preceding(string);
    for following in index.following(string).take(MAX_ANSWERS) {
        if let (Neighbor::Symbol(symbol), Some(_)) = (following.neighbor, following.extended) {
            let _ = index.extend(string, symbol);
        }
    }
}
