//! Index files: kept formats, broken files, replaced files.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tejun_index::{BuildOptions, FormatError, Index, Neighbor, OpenErrorKind, SectionKind, Symbol, TextBuilder};
use xxhash_rust::xxh3::xxh3_64;

/// The text of `formats/v1/small.index`.
const SMALL: [&[u16]; 4] = [&[1, 2, 3, 1, 2], &[1, 2], &[], &[700, 2, 3]];

fn small_index() -> Index {
    let mut text = TextBuilder::new();
    for segment in SMALL {
        text.push_segment(segment.iter().copied().map(Symbol)).expect("valid symbols");
    }
    let index = Index::build(text.finish(), BuildOptions::default()).expect("enough memory");
    index.with_label("small")
}

fn kept_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/v1/small.index")
}

/// Opens changed bytes of the kept file and says why they were refused.
#[track_caller]
fn check(change: impl FnOnce(&mut Vec<u8>), expected: FormatError) {
    let mut bytes = fs::read(kept_file()).expect("the kept file");
    change(&mut bytes);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("changed.index");
    fs::write(&path, bytes).expect("writable");
    let error = Index::open_checked(&path).expect_err("refused");
    assert_eq!(error.path, path);
    assert!(error.to_string().contains("changed.index"), "{error}");
    match error.source {
        OpenErrorKind::Format(found) => assert_eq!(found, expected),
        OpenErrorKind::Io(error) => panic!("{error}"),
    }
}

#[test]
fn version_1_is_still_read() {
    let index = Index::open_checked(&kept_file()).expect("the kept file opens");
    assert_eq!(index.label(), b"small");
    let text = index.text();
    assert_eq!((text.n_segments(), text.n_symbols()), (4, 10));
    let found = index.find(&[1, 2].map(Symbol)).expect("it occurs");
    assert_eq!(index.occurrences(found).collect::<Vec<_>>(), [3, 6, 0]);
    let next: Vec<_> = index.following(found).map(|next| (next.neighbor, next.count)).collect();
    assert_eq!(next, [(Neighbor::SegmentEnd, 2), (Neighbor::Symbol(Symbol(3)), 1)]);
    let before = [(Neighbor::SegmentStart, 2), (Neighbor::Symbol(Symbol(3)), 1)];
    assert_eq!(index.preceding(found), before);
    assert_eq!(index.count(&[Symbol(700)]), 1);
}

/// The writer still writes version 1 byte for byte. A new version gets a
/// folder of its own; `UPDATE_GOLDEN=1` writes its file.
#[test]
fn version_1_is_still_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("small.index");
    small_index().save(&path).expect("writable");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::copy(&path, kept_file()).expect("the kept file is writable");
    }
    assert!(fs::read(path).expect("saved") == fs::read(kept_file()).expect("kept"));
}

#[test]
fn foreign_and_empty_files_are_named() {
    let zip = *b"PK\x03\x04abcd";
    check(|bytes| bytes[..8].copy_from_slice(&zip), FormatError::Foreign { found: zip });
    check(|bytes| bytes.clear(), FormatError::Foreign { found: [0; 8] });
    check(|bytes| bytes.truncate(3), FormatError::Foreign { found: *b"TEJ\0\0\0\0\0" });
    let message = FormatError::Foreign { found: zip }.to_string();
    assert!(message.contains("\"PK\\x03\\x04abcd\""), "{message}");
}

#[test]
fn cut_and_grown_files_are_refused() {
    let full = fs::metadata(kept_file()).expect("the kept file").len();
    let wrong = |expected, found| FormatError::WrongLength { expected, found };
    check(|bytes| bytes.truncate(10), wrong(288, 10));
    check(|bytes| bytes.truncate(287), wrong(288, 287));
    check(|bytes| bytes.truncate(full as usize - 1), wrong(full, full - 1));
    check(|bytes| bytes.push(0), wrong(full, full + 1));
}

#[test]
fn other_versions_are_refused() {
    check(|bytes| bytes[8] = 2, FormatError::OtherVersion { found: 2 });
}

#[test]
fn a_damaged_header_is_found_by_its_checksum() {
    let bytes = fs::read(kept_file()).expect("the kept file");
    let expected = u64::from_le_bytes(bytes[48..56].try_into().expect("eight bytes"));
    let mut damaged = bytes[..288].to_vec();
    damaged[24] ^= 1;
    damaged[48..56].fill(0);
    let found = xxh3_64(&damaged);
    check(|bytes| bytes[24] ^= 1, FormatError::HeaderDamaged { expected, found });
}

/// Makes a changed header look as if it had been written so.
fn seal(bytes: &mut [u8]) {
    if let Some(head) = bytes.get_mut(..288) {
        head[48..56].fill(0);
        let checksum = xxh3_64(head);
        head[48..56].copy_from_slice(&checksum.to_le_bytes());
    }
}

#[test]
fn a_section_must_lie_inside_the_file() {
    let section = SectionKind::Text;
    let misplaced = |offset, byte_len| FormatError::SectionMisplaced { section, offset, byte_len };
    let change_entry = |at: usize, value: u64| {
        move |bytes: &mut Vec<u8>| {
            bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
            seal(bytes);
        }
    };
    check(change_entry(72, 64), misplaced(64, 26));
    check(change_entry(72, 321), misplaced(321, 26));
    check(change_entry(72, u64::MAX - 63), misplaced(u64::MAX - 63, 26));
    check(change_entry(80, 24), misplaced(320, 24));
    check(change_entry(24, u64::MAX), misplaced(320, 26));
}

#[test]
fn a_damaged_section_is_found_by_its_checksum() {
    let damaged = FormatError::SectionDamaged { section: SectionKind::Text };
    check(|bytes| bytes[320] ^= 1, damaged);
    let label = FormatError::SectionDamaged { section: SectionKind::Label };
    check(|bytes| *bytes.last_mut().expect("not empty") ^= 1, label);
}

#[test]
fn a_missing_file_and_a_folder_are_errors_of_the_system() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for path in [folder.path().join("missing.index"), folder.path().to_owned()] {
        let error = Index::open(&path).expect_err("nothing to open");
        assert!(matches!(error.source, OpenErrorKind::Io(_)), "{error}");
    }
}

#[test]
fn a_failed_save_leaves_the_folder_as_it_was() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let occupied = folder.path().join("occupied");
    fs::create_dir(&occupied).expect("a folder in the way");
    assert!(small_index().save(&occupied).is_err());
    assert!(small_index().save(&folder.path().join("missing/some.index")).is_err());
    assert!(small_index().save(Path::new("..")).is_err());
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
}

#[test]
fn a_replaced_file_stays_readable_to_whoever_has_it_open() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("some.index");
    small_index().save(&path).expect("writable");
    let opened = Index::open(&path).expect("just saved");
    small_index().with_label("new").save(&path).expect("writable");
    assert_eq!(opened.label(), b"small");
    assert_eq!(Index::open(&path).expect("just saved").label(), b"new");
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
}

/// Asks everything; the answers may be wrong, but they must come.
fn ask_everything(index: &Index) {
    let text = index.text();
    for position in 0..text.n_positions() + 2 {
        if let Some(place) = text.place(position) {
            let _ = text.position(place);
            text.segment(place.segment).count();
        }
    }
    for string in [&[][..], &[1], &[1, 2], &[2, 3, 1], &[700, 2, 3], &[3, 9]] {
        let string: Vec<_> = string.iter().copied().map(Symbol).collect();
        if let Some(found) = index.find(&string) {
            index.occurrences(found).for_each(drop);
            index.symbols(found).take(50).for_each(drop);
            index.following(found).for_each(drop);
            let _ = index.preceding(found);
            let _ = index.extend(found, Symbol(2));
        }
    }
    index.repeats().take(100).for_each(|class| {
        index.following(class.longest()).for_each(drop);
        let _ = index.preceding(class.longest());
    });
    let _ = index.repeats_in_parts(3);
    index.symbol_counts().for_each(drop);
    let _ = index.ngram_counts();
    let _ = index.window_counts(2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_damage_panics(
        damage in prop::collection::vec((0..900_usize, any::<u8>()), 1..9),
        cut in prop::option::weighted(0.1, 0..900_usize),
    ) {
        let mut bytes = fs::read(kept_file()).expect("the kept file");
        for (at, value) in damage {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
        }
        if let Some(len) = cut {
            bytes.truncate(len);
        }
        open_and_ask(&bytes);
    }

    /// Headers that are wrong and fit their checksum.
    #[test]
    fn no_sealed_header_panics(
        damage in prop::collection::vec((16..288_usize, prop_oneof![0..10_u8, any::<u8>()]), 1..5),
    ) {
        let mut bytes = fs::read(kept_file()).expect("the kept file");
        damage.into_iter().for_each(|(at, value)| bytes[at] = value);
        seal(&mut bytes);
        open_and_ask(&bytes);
    }

    /// Damage past the header, where opening does not look.
    #[test]
    fn no_damage_of_a_section_panics(
        damage in prop::collection::vec((288..900_usize, any::<u8>()), 1..30),
    ) {
        let mut bytes = fs::read(kept_file()).expect("the kept file");
        for (at, value) in damage {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
        }
        prop_assert!(open_and_ask(&bytes), "opening does not look there");
    }
}

fn open_and_ask(bytes: &[u8]) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("damaged.index");
    fs::write(&path, bytes).expect("writable");
    let opened = Index::open(&path);
    opened.inspect(ask_everything).is_ok()
}
