//! Checksums of whole files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// The checksum of a file (XXH3, 64 bits) as 16 hexadecimal digits: it finds damage, not forgery.
///
/// # Errors
/// If the file cannot be read.
pub fn checksum_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Xxh3Default::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(format!("{:016x}", hasher.digest())),
            n => hasher.update(&buffer[..n]),
        }
    }
}

/// The same checksum of bytes in memory.
pub fn checksum_of_bytes(bytes: &[u8]) -> String {
    format!("{:016x}", xxh3_64(bytes))
}
