//! Arrays of numbers in files: any bytes open or are refused, and an open array is saved as the same bytes.
#![no_main]

use bytemuck::Pod;
use libfuzzer_sys::fuzz_target;
use tejun_index::MappedArray;
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

/// Mark, kind, size of a number, number of bytes, checksum, and padding.
const HEADER: usize = 64;

thread_local! {
    static FOLDER: TempDir = tempfile::tempdir().expect("a folder");
}

fuzz_target!(|bytes: &[u8]| {
    // One width per run, because each saved file waits for the disk: the one in the header, if that is valid.
    match bytes.get(16).copied().unwrap_or(0) {
        1 => check::<u8>(bytes),
        4 => check::<u32>(bytes),
        8 => check::<u64>(bytes),
        width if width % 2 == 0 => check::<[u32; 2]>(bytes),
        _ => check::<f64>(bytes),
    }
});

fn check<T: Pod>(bytes: &[u8]) {
    let kind = bytes.get(8..16).and_then(|kind| kind.try_into().ok()).unwrap_or(*b"anything");
    if let Some(opened) = open_and_save::<T>(bytes, kind) {
        assert_eq!(opened, bytes);
    }
    // With a valid header, so that everything after it is reached.
    let numbers = bytes.get(HEADER..).unwrap_or(bytes);
    let whole = [&header(kind, size_of::<T>(), numbers), numbers].concat();
    let opened = open_and_save::<T>(&whole, kind);
    assert_eq!(opened.is_some(), numbers.len().is_multiple_of(size_of::<T>()));
    assert!(opened.is_none_or(|opened| opened == whole));
}

/// Saves the array that a file contains; `None` if it is refused.
fn open_and_save<T: Pod>(bytes: &[u8], kind: [u8; 8]) -> Option<Vec<u8>> {
    FOLDER.with(|folder| {
        let [path, copy] = ["row", "copy"].map(|name| folder.path().join(name));
        // Some systems wait for the disk when a file is replaced, but not when it is new.
        for old in [&path, &copy].into_iter().filter(|old| old.exists()) {
            std::fs::remove_file(old).expect("a file of ours");
        }
        std::fs::write(&path, bytes).expect("room for a small file");
        let mut row: MappedArray<T> = match MappedArray::open(&path, kind) {
            Ok(row) => row,
            Err(error) => {
                assert!(!error.to_string().is_empty() && !error.source.to_string().is_empty());
                return None;
            }
        };
        row.save(&copy, kind).expect("room for a small file");
        assert_eq!(row.len(), row.to_mut().len());
        Some(std::fs::read(&copy).expect("what was saved"))
    })
}

fn header(kind: [u8; 8], width: usize, numbers: &[u8]) -> Vec<u8> {
    let fields = [width as u64, numbers.len() as u64, xxh3_64(numbers)];
    let mut header = [*b"tejrow\0\x01", kind].concat();
    fields.iter().for_each(|field| header.extend(field.to_le_bytes()));
    header.resize(HEADER, 0);
    header
}
