//! Collections: a file of any bytes opens or is refused, and its rows are games or errors.
#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use tejun_knowledge::corpus::Collection;

/// Maximum number of rows to read; a few bytes can claim millions of equal ones.
const MAX_ROWS: usize = 20_000;

fuzz_target!(
    init: {
        // The Parquet reader panics on some damaged files, and the collection turns that into an
        // error. Only a panic that gets out of here is a crash.
        std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    },
    |bytes: &[u8]| read(bytes)
);

fn read(bytes: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("room for a small file");
    let collection = match Collection::open(file.path()) {
        Ok(collection) => collection,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let _ = (collection.n_games(), collection.manifest());
    for game in collection.games().take(MAX_ROWS) {
        match game {
            Ok(game) => drop(game.record.replay()),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
