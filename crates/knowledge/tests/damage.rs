//! Damaged collections, and collections of versions without checksums.

use std::fs;
use std::path::{Path, PathBuf};

use parquet::arrow::ArrowWriter;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use tejun_knowledge::corpus::{Collection, CollectionError, Game, game_schema, write_sample};

/// The sample games as a collection.
fn sample(folder: &Path) -> (PathBuf, Vec<u8>) {
    let path = folder.join("games.parquet");
    write_sample(&path).expect("a collection");
    let bytes = fs::read(&path).expect("the collection");
    (path, bytes)
}

fn read(path: &Path) -> Result<Vec<Game>, CollectionError> {
    Collection::open(path)?.games().collect()
}

/// Flips a bit of the file and reads it; returns the error.
fn flipped(path: &Path, whole: &[u8], bit: usize) -> CollectionError {
    let mut bytes = whole.to_vec();
    bytes[bit / 8] ^= 1 << (bit % 8);
    fs::write(path, bytes).expect("a file");
    match read(path) {
        Ok(_) => panic!("bit {bit} of {} was flipped and nobody noticed", 8 * whole.len()),
        Err(error) => error,
    }
}

#[test]
fn of_400_flipped_bits_none_goes_unnoticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, whole) = sample(folder.path());
    let step = 8 * whole.len() / 400;
    let mut n_placed = 0;
    for number in 0..400 {
        // Spread over the file, each at another position in its byte.
        let error = flipped(&path, &whole, number * step + number % 8);
        if let CollectionError::Damaged { place, .. } = &error {
            let byte = ((number * step + number % 8) / 8) as u64;
            assert!((place.first..=place.last).contains(&byte), "{error}: the flipped byte is {byte}");
            n_placed += 1;
        }
    }
    assert!(n_placed > 350, "only {n_placed} errors report the place");
}

#[test]
fn every_flipped_bit_after_the_games_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, whole) = sample(folder.path());
    let n_footer = u32::from_le_bytes(whole[whole.len() - 8..][..4].try_into().expect("four bytes")) as usize;
    let first = whole.len() - 8 - n_footer;
    // All of the metadata, which contains the checksums: one bit of each byte, and each bit of the checksums.
    for byte in first..whole.len() {
        flipped(&path, &whole, 8 * byte + byte % 8);
    }
    let key = b"tejun.checksums";
    let at = whole.windows(key.len()).rposition(|bytes| bytes == key).expect("the checksums are there");
    for bit in 8 * at..8 * (at + key.len() + 40) {
        flipped(&path, &whole, bit);
    }
}

#[test]
fn collections_without_checksums_still_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, _) = sample(folder.path());
    let expected = read(&path).expect("games");
    let collection = Collection::open(&path).expect("a collection");
    assert!(collection.has_checksums());
    // As written by version 1, and by another program.
    let pair = |key: &str, value: &str| KeyValue::new(key.to_string(), value.to_string());
    // Other programs copy metadata, including the checksums of the file that they read.
    let copied = vec![pair("tejun.schema", "2"), pair("tejun.checksums", "0123456789abcdef 4 0123456789abcdef")];
    let others = ["another program", "parquet-cpp-arrow version 19.0.1"];
    for (made_by, pairs) in [("tejun 0.1.0", vec![pair("tejun.schema", "1")]), (others[0], vec![]), (others[1], copied)]
    {
        let old = folder.path().join("old.parquet");
        let pairs = Some(pairs);
        let properties = WriterProperties::builder().set_created_by(made_by.into()).set_key_value_metadata(pairs);
        let file = fs::File::create(&old).expect("a file");
        let mut writer = ArrowWriter::try_new(file, game_schema(), Some(properties.build())).expect("a writer");
        for batch in collection.batches() {
            writer.write(&batch.expect("games")).expect("room on the disk");
        }
        writer.close().expect("room on the disk");
        assert!(!Collection::open(&old).expect("a collection").has_checksums());
        assert_eq!(read(&old).expect("games"), expected);
    }
}
