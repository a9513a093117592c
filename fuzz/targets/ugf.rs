//! Records of PandaNet: any bytes give a playable record or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun_games::records::{Format, read_single};
use tejun_games::sgf;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let Ok(record) = read_single(&text, Format::Ugf) else { return };
    assert!(!record.moves.is_empty());
    assert!(record.warnings.is_sorted_by_key(|warning| warning.place));
    let _ = record.replay();
    let written = sgf::write_record(&record);
    let again = read_single(&written, Format::Sgf).expect("a written record is a game");
    assert_eq!((again.size, again.moves), (record.size, record.moves));
});
