//! Dictionaries of sequences: any bytes give lines on the board, or an error with a message.
#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use tejun_games::go::BoardSize;
use tejun_knowledge::codes::Code;
use tejun_knowledge::sequences::Dictionary;

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("room for a small file");
    let size = BoardSize::NINETEEN;
    match Dictionary::read(file.path(), size) {
        Ok(dictionary) => {
            for line in &dictionary.lines {
                assert!(!line.points.is_empty() && line.points.iter().all(|&point| size.has(point)));
                for string in line.strings(Code::Relative, size) {
                    assert!(string.len() >= 5 && string.len() < line.points.len());
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
