//! Network files: any bytes give a network or an error with a message, also followed by a right checksum.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun_knowledge::network::NetworkFile;
use xxhash_rust::xxh3::xxh3_64;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&[bytes, &xxh3_64(bytes).to_le_bytes()].concat());
});

fn check(bytes: &[u8]) {
    match NetworkFile::parse(bytes) {
        Ok(file) => assert!(!file.weights.is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
