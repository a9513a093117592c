//! Opening books: in every format, any bytes give a book, a book of hashes, or an error with a message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun_games::game::Game;
use tejun_knowledge::books::files::{BookFormat, Flips, ReadBook, read_book, read_yaneuraou, recognize};
use tejun_knowledge::books::files::{write_apery, write_yaneuraou};
use tejun_knowledge::books::Book;

fuzz_target!(
    init: {
        // The Parquet reader panics on some damaged files, and the book reader turns that into an
        // error. Only a panic that gets out of here is a crash.
        std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    },
    |bytes: &[u8]| read(bytes)
);

fn read(bytes: &[u8]) {
    let _ = recognize(bytes);
    BookFormat::ALL.into_iter().for_each(|format| check(bytes, format));
    if let Ok((book, _)) = read_yaneuraou(bytes, Flips::Implied) {
        check_book(&book);
    }
    // These formats begin with tables that are longer than any input here.
    check(&[&[0; 20_992], bytes].concat(), BookFormat::Gikou);
    check(&with_index(bytes), BookFormat::Bonanza);
}

/// Reads a book, complete or as hashes, or gets an error with a message.
fn check(bytes: &[u8], format: BookFormat) {
    match read_book(bytes, format) {
        Ok(ReadBook::Known { book, .. }) => check_book(&book),
        Ok(ReadBook::Hashed(probe, _)) => {
            let probed = probe.probe(&probe.game().start());
            assert!(probed.is_none_or(|probed| (probed.entry as usize) < probe.n_entries()));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Checks that a book that was read can be queried and written.
fn check_book(book: &Book) {
    for (number, position) in (0..).zip(book.positions()) {
        assert_eq!(book.find(position.key), Some(number));
        assert_eq!(book.board(number).key(), position.key);
    }
    let text = write_yaneuraou(book).bytes;
    // Positions of other games are skipped, and then there may be nothing to read.
    if book.game() == Game::Shogi && book.n_stored() > 0 {
        assert!(read_yaneuraou(&text, Flips::AsStored).is_ok());
    }
    assert_eq!(write_apery(book).bytes.len() % 16, 0);
}

/// A file of Bonanza with a single section, whose number is in the first two bytes.
fn with_index(bytes: &[u8]) -> Vec<u8> {
    let (number, section) = bytes.split_at(bytes.len().min(2));
    let number = number.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)) % 0x4000;
    let mut file = vec![0; 0x4000 * 6];
    file[number * 6..][..4].copy_from_slice(&98_304u32.to_le_bytes());
    file[number * 6 + 4..][..2].copy_from_slice(&(section.len() as u16).to_le_bytes());
    file.extend(section);
    file
}
