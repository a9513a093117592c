//! One small book in every format.

use proptest::prelude::*;
use tejun_games::game::{Game, GamePosition};
use tejun_games::shogi::{PackedMove, Position};

use crate::books::files::*;
use crate::books::{BookBuilder, Flaw, MoveNotes, NewMove, PositionNotes, WalkOptions, walk};

/// A position of a sample with its moves and their weights.
pub(crate) struct Sample {
    pub(crate) board: Position,
    pub(crate) moves: Vec<(PackedMove, u16)>,
}

/// A book of six positions; every one is reached by book moves, some with drops and promotions.
pub(crate) fn small_book() -> Vec<Sample> {
    let lines = [
        ("", "7g7f 60 2g2f 40"),
        ("7g7f", "3c3d 10 8c8d 5"),
        ("7g7f 3c3d", "8h2b+ 7"),
        ("7g7f 3c3d 8h2b+", "3a2b 3"),
        ("7g7f 3c3d 8h2b+ 3a2b", "B*4e 2 2g2f 9"),
        ("2g2f", "8c8d 1"),
    ];
    lines.into_iter().map(|(played, moves)| sample(played, moves)).collect()
}

fn sample(played: &str, moves: &str) -> Sample {
    let mut board = Position::start();
    for text in played.split_ascii_whitespace() {
        board.play(board.parse_move(text).expect("a move")).expect("legal");
    }
    let words: Vec<&str> = moves.split_ascii_whitespace().collect();
    let moves = words.chunks_exact(2).map(|pair| {
        let played = board.parse_move(pair[0]).expect("a move");
        (PackedMove::new(played), pair[1].parse().expect("a weight"))
    });
    Sample { moves: moves.collect(), board }
}

impl Sample {
    /// The board after a move.
    pub(crate) fn after(&self, played: PackedMove) -> Position {
        let mut after = self.board.clone();
        after.play(played.unpack(self.board.to_move()).expect("a move")).expect("legal");
        after
    }
}

/// The samples as a book in memory.
fn in_memory(samples: &[Sample]) -> Book {
    let mut builder = BookBuilder::new(Game::Shogi);
    for Sample { board, moves } in samples {
        let new = moves.iter().map(|(played, weight)| NewMove {
            played: (*played).into(),
            weight: u32::from(*weight),
            notes: MoveNotes::default(),
        });
        builder.add(0, &board.clone().into(), new.collect(), PositionNotes::default());
    }
    builder.finish().0
}

/// The small book as a file of each format.
fn files() -> Vec<(BookFormat, Vec<u8>)> {
    let samples = small_book();
    vec![
        (BookFormat::Gps, gps::tests::encode(&samples)),
        (BookFormat::Bonanza, bonanza::tests::encode(&samples)),
        (BookFormat::Apery, write_apery(&in_memory(&samples)).bytes),
        (BookFormat::YaneuraOu, write_yaneuraou(&in_memory(&samples)).bytes),
        (BookFormat::YaneuraOuBinary, ybb::tests::encode(&samples)),
        (BookFormat::ShogiGui, sbk::tests::encode(&samples)),
        (BookFormat::Gikou, gikou::tests::encode(&samples)),
    ]
}

/// Reads a book and finds its positions by walking if need be.
fn whole(bytes: &[u8], format: BookFormat) -> Result<(Book, Vec<Remark>), ReadBookError> {
    Ok(match read_book(bytes, format)? {
        ReadBook::Known { book, remarks } => (book, remarks),
        ReadBook::Hashed(probe, mut remarks) => {
            let options = WalkOptions { max_unknown_moves: 0, ..WalkOptions::default() };
            let found = walk(&[&*probe], &[], &options).remove(0);
            remarks.extend(found.remarks);
            (found.book, remarks)
        }
    })
}

#[test]
fn one_book_is_the_same_in_every_format() {
    for (format, bytes) in files() {
        let (book, remarks) = whole(&bytes, format).expect("a book");
        assert_eq!(remarks, [], "{format}");
        let mut n_with_moves = 0;
        for Sample { board, moves } in small_book() {
            let number = book.find(GamePosition::from(board).key()).expect("a position of the book");
            // Only this format has no weights.
            let weight = |weight: u16| if format == BookFormat::YaneuraOuBinary { 1 } else { u32::from(weight) };
            let expected: Vec<_> = moves.iter().map(|(played, n)| ((*played).into(), weight(*n))).collect();
            let found: Vec<_> = book.moves(number).iter().map(|known| (known.played, known.weight)).collect();
            assert_eq!(found, expected, "{format}");
            n_with_moves += 1;
        }
        let n_found = (0..book.positions().len() as u32).filter(|number| !book.moves(*number).is_empty()).count();
        assert_eq!(n_found, n_with_moves, "{format}");
    }
}

#[test]
fn formats_are_recognized_by_content() {
    for (format, bytes) in files() {
        assert_eq!(recognize(&bytes), Some(format));
    }
    for other in ["", "apery.bin", "no book"] {
        assert_eq!(recognize(other.as_bytes()), None, "{other}");
    }
    for game in ["(;GM[1]SZ[19];B[pd])", "startpos moves 7g7f\n", "PI\n+\n+7776FU\n", "1. e4 e5 *\n"] {
        assert_eq!(recognize(game.as_bytes()), Some(BookFormat::Records), "{game}");
    }
    assert_eq!(recognize(b"19 Q16 | D4\n"), Some(BookFormat::Fuego));
}

#[test]
fn books_without_their_end_are_reported_as_cut_short() {
    for (format, bytes) in files() {
        if matches!(format, BookFormat::Gps | BookFormat::Bonanza | BookFormat::YaneuraOuBinary) {
            let cut = &bytes[..bytes.len() - 1];
            assert_eq!(recognize(cut), Some(format));
            let error = read_book(cut, format).err().expect("cut short");
            assert!(matches!(problem(&error), Some(Problem::CutShort { .. })), "{error}");
        }
    }
}

fn problem(error: &ReadBookError) -> Option<Problem> {
    match error {
        ReadBookError::Shogi(error) => Some(error.problem),
        _ => None,
    }
}

#[test]
fn foreign_and_empty_files_are_refused_with_a_reason() {
    let words = "Dear reader, this is not a book at all.\n".repeat(3000);
    for (format, _) in files() {
        let empty = read_book(b"", format).err().expect("empty");
        assert!(problem(&empty) == Some(Problem::Empty), "{empty}");
        let error = read_book(words.as_bytes(), format).err().expect("no book");
        assert!(error.to_string().starts_with(&format!("not a valid {format} book: ")), "{error}");
        assert!(matches!(problem(&error), Some(Problem::Foreign { .. })), "{error}");
    }
    let error = read_book(b"0123456789", BookFormat::Gps).err().expect("too short");
    let expected =
        "not a valid GPS book: byte 10, the file is incomplete: 16 bytes were expected; download or copy it again";
    assert_eq!(error.to_string(), expected);
    for format in BookFormat::ALL {
        assert!(read_book(b"x", format).is_err(), "{format}");
    }
}

#[test]
fn cut_files_are_refused_or_remarked() {
    for (format, bytes) in files() {
        // What comes before the entries is long in some, and all of it must be there.
        let first = bytes.len().saturating_sub(2500);
        for len in (0..first).step_by(1001).chain(first..bytes.len()) {
            let cut = &bytes[..len];
            let _ = recognize(cut);
            let is_clean = whole(cut, format).is_ok_and(|(_, remarks)| remarks.is_empty());
            let may_be_clean = match format {
                BookFormat::YaneuraOu => true,
                BookFormat::Apery => len % 16 == 0,
                BookFormat::Gikou => (bytes.len() - len) % 32 == 0,
                _ => false,
            };
            assert!(!is_clean || may_be_clean, "{format} of {len} bytes");
        }
    }
}

#[test]
fn what_a_format_cannot_hold_is_reported() {
    let notes = MoveNotes { value: Some(70), depth: Some(9), comment: Some("good".into()), ..MoveNotes::default() };
    let start = Game::Shogi.start();
    let played = start.parse_move("7g7f").expect("a move");
    let mut builder = BookBuilder::new(Game::Shogi);
    let position = PositionNotes { ply: Some(0), n_games: Some(5), ..PositionNotes::default() };
    builder.add(1, &start, vec![NewMove { played, weight: 70_000, notes }], position);
    let (book, _) = builder.finish();
    assert_eq!(write_yaneuraou(&book).lost, [Loss::PositionGames(1)]);
    let written = write_apery(&book);
    let reported: Vec<String> = written.lost.iter().map(Loss::to_string).collect();
    let expected = [
        "1 boards, of which only hashes are kept",
        "1 positions whose weights were scaled down to fit",
        "1 depths of search",
        "1 move numbers of positions",
        "1 comments on moves",
        "1 counts of games and wins of positions",
    ];
    assert_eq!(reported, expected);
    let (read, _) = whole(&written.bytes, BookFormat::Apery).expect("a book");
    assert_eq!((read.moves(0)[0].weight, read.move_notes(0)[0].value), (65_535, Some(70)));
}

#[test]
fn bad_moves_are_skipped_with_a_remark() {
    let mut samples = small_book();
    samples[0].moves.push((PackedMove::new(Position::start().parse_move("5i1a").expect("a move")), 1));
    for (format, bytes) in [
        (BookFormat::Bonanza, bonanza::tests::encode(&samples)),
        (BookFormat::YaneuraOuBinary, ybb::tests::encode(&samples)),
        (BookFormat::Gikou, gikou::tests::encode(&samples)),
    ] {
        let (book, remarks) = whole(&bytes, format).expect("a book");
        assert_eq!(book.positions().len(), 6);
        assert_eq!(remarks.len(), 1, "{format}");
        assert!(matches!(&remarks[0].flaw, Flaw::IllegalMove { text, .. } if text == "5i1a"), "{format}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = recognize(&bytes);
        for format in BookFormat::ALL {
            let _ = whole(&bytes, format);
        }
    }

    #[test]
    fn no_damage_panics(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        for (format, mut bytes) in files() {
            // Only the bytes after a long index are worth damaging.
            let first = bytes.len().saturating_sub(2500);
            for (index, byte) in &changes {
                let at = first + index.index(bytes.len() - first);
                bytes[at] = *byte;
            }
            let _ = recognize(&bytes);
            let _ = whole(&bytes, format);
        }
    }

    #[test]
    fn written_books_read_back(choices in prop::collection::vec((0usize..1000, any::<u32>(), any::<i32>()), 1..40)) {
        let mut builder = BookBuilder::new(Game::Shogi);
        let mut board = Position::start();
        for (ply, (choice, weight, value)) in choices.into_iter().enumerate() {
            let moves = board.legal_moves();
            let Some(&played) = moves.get(choice % moves.len().max(1)) else { break };
            let reply = Some(moves[0].into());
            let comment = (choice % 3 == 0).then(|| format!("move {choice}\nof {}", moves.len()).into());
            let notes = MoveNotes { value: Some(value), depth: Some(9), reply, comment, ..MoveNotes::default() };
            let position = PositionNotes { ply: Some(ply as u16), ..PositionNotes::default() };
            builder.add(0, &board.clone().into(), vec![NewMove { played: played.into(), weight, notes }], position);
            board.play(played).expect("generated moves are legal");
        }
        let (book, _) = builder.finish();
        let text = write_yaneuraou(&book);
        prop_assert_eq!(&text.lost, &[]);
        let (read, remarks) = read_yaneuraou(&text.bytes, Flips::AsStored).expect("a book");
        prop_assert_eq!(remarks, []);
        prop_assert_eq!(read.positions().len(), book.positions().len());
        for (number, position) in (0..).zip(book.positions()) {
            let there = read.find(position.key).expect("every position reads back");
            prop_assert_eq!(read.moves(there), book.moves(number));
            prop_assert_eq!(read.move_notes(there), book.move_notes(number));
            prop_assert_eq!(read.notes(there), book.notes(number));
        }
        prop_assert_eq!(write_yaneuraou(&read), text);
        let entries = write_apery(&book);
        let (read, _) = whole(&entries.bytes, BookFormat::Apery).expect("a book");
        for (number, position) in (0..).zip(book.positions()) {
            let there = read.find(position.key).expect("every position is on the way");
            let weights = book.moves(number).iter().map(|known| u64::from(known.weight));
            let heaviest = weights.clone().max().unwrap_or(0).max(65_535);
            let found = read.moves(there).iter().map(|known| u64::from(known.weight));
            for (found, weight) in found.zip(weights) {
                prop_assert_eq!(found == 0, weight == 0);
                prop_assert!((found * heaviest).abs_diff(weight * 65_535) <= heaviest, "{} of {}", found, weight);
            }
        }
    }
}

#[test]
fn a_flipped_bit_of_a_parquet_book_is_noticed() {
    let whole = write_book(&in_memory(&small_book()), BookFormat::Parquet).expect("a file").bytes;
    assert!(read_book(&whole, BookFormat::Parquet).is_ok());
    for bit in 0..8 * whole.len() {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(read_book(&bytes, BookFormat::Parquet).is_err(), "bit {bit} was flipped and nobody noticed");
    }
}
