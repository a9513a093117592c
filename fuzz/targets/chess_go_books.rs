//! Books of any format: a book that was read can be written, and reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun_games::game::{Game, read_game_trees};
use tejun_knowledge::books::files::{BookFormat, ReadBook, read_book, write_book};
use tejun_knowledge::books::{Book, WalkOptions, walk};

fuzz_target!(
    init: {
        // The Parquet reader panics on some damaged files, and the book reader turns that into an
        // error. Only a panic that gets out of here is a crash.
        std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    },
    |bytes: &[u8]| read(bytes)
);

fn read(bytes: &[u8]) {
    for format in
        [BookFormat::Polyglot, BookFormat::Fuego, BookFormat::KataGo, BookFormat::Records, BookFormat::Parquet]
    {
        match read_book(bytes, format) {
            Ok(ReadBook::Known { book, .. }) => check(&book),
            Ok(ReadBook::Hashed(probe, _)) => {
                let walked = walk(&[&*probe], &[], &WalkOptions { max_unknown_moves: 0, from: Vec::new() }).remove(0);
                assert!(walked.n_reached <= walked.n_entries);
                let written = write_book(&walked.book, BookFormat::Polyglot).expect("a book of chess");
                assert!(written.bytes.len() <= bytes.len());
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn check(book: &Book) {
    if let Game::Go(_) = book.game() {
        let trees = write_book(book, BookFormat::Records).expect("a book of Go").bytes;
        // A book without positions is a file without trees.
        assert!(book.positions().is_empty() || read_game_trees(&trees).iter().all(Result::is_ok));
    }
    let written = write_book(book, BookFormat::Parquet).expect("any book").bytes;
    let Ok(ReadBook::Known { book: again, remarks }) = read_book(&written, BookFormat::Parquet) else {
        panic!("a written book reads back");
    };
    assert!(remarks.is_empty());
    assert_eq!(again.positions(), book.positions());
}
