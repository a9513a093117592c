//! Files of any format: each gives at least one record or error, at a place inside its bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun_games::records::{self, OnIllegal};

fuzz_target!(|bytes: &[u8]| {
    let cut = records::read_records(bytes, OnIllegal::Cut);
    let refused = records::read_records(bytes, OnIllegal::Refuse);
    assert!(!cut.is_empty(), "a file without a record is refused, not lost");
    assert_eq!(cut.len(), refused.len());
    for (cut, refused) in cut.iter().zip(&refused) {
        assert_eq!(cut.offset, refused.offset);
        assert!(cut.offset <= bytes.len());
        assert!(cut.record.is_ok() || refused.record.is_err());
        if let Ok(record) = &cut.record {
            assert!(!record.moves.is_empty());
            assert_eq!(record.replay().illegal, None, "an illegal move was kept");
        }
    }
    check_cuts(bytes);
});

/// Positions where files are split for parallel reading.
fn check_cuts(bytes: &[u8]) {
    let starts: Vec<usize> = records::game_starts(bytes).collect();
    assert!(starts.is_sorted() && starts.iter().all(|&at| bytes[at] == b'('));
    let end = records::last_game_end(bytes);
    assert!(end.is_none_or(|end| bytes[end - 1] == b')'));
    let half = records::last_game_end(&bytes[..bytes.len() / 2]);
    assert!(half <= end, "a game that ended at {half:?} is lost when more follows: {end:?}");
}
