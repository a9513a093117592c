//! Chess books of Polyglot, `.bin`: entries of 16 bytes in big-endian order, sorted by key.
//!
//! An entry has a key (8 bytes), a move, a weight (2 bytes each) and four bytes
//! for learning. Positions are hashes, so a book is made whole by
//! [`crate::books::walk`].

use tejun_games::chess::Piece;
use tejun_games::game::{Game, GameMove, GamePosition};

use crate::books::files::numbers::scaled;
use crate::books::{Book, Flaw, MoveNotes, NewMove, PositionNotes, Probe, Probed, Remark};

/// The bytes of an entry.
const ENTRY: usize = 16;

/// Entries that are looked at to recognize a file.
const N_TELLING: usize = 4096;

/// A move of a file as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PolyglotEntry {
    key: u64,
    played: u16,
    weight: u16,
    learn: u32,
}

/// A book that is asked by Polyglot's keys.
#[derive(Clone, Debug)]
pub struct PolyglotBook {
    entries: Vec<PolyglotEntry>,
    /// Each key with the number of its first entry, in rising order.
    positions: Vec<(u64, u32)>,
}

/// Why a file is not a Polyglot book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolyglotError {
    /// Not one whole entry.
    #[error("byte 0: expected an entry of 16 bytes, found {n_bytes}: is this a whole Polyglot book?")]
    TooShort {
        /// The length of the file.
        n_bytes: usize,
    },
    /// More entries than can be numbered.
    #[error("byte {offset}: expected the end of the book, for no more entries can be read: split the book")]
    TooLong {
        /// Where reading ends.
        offset: u64,
    },
    /// A book of another game was to be written.
    #[error("expected a book of chess, found one of {game}: choose a format of that game")]
    OtherGame {
        /// Its game.
        game: Game,
    },
}

/// What of a book Polyglot's format has no room for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolyglotLosses {
    /// Positions with a weight over 65,535, whose weights were scaled down.
    pub n_scaled: usize,
    /// Moves with values, depths, replies, games, marks or comments.
    pub n_notes: usize,
    /// Positions with notes of their own.
    pub n_position_notes: usize,
}

/// Whether a file can be a book of Polyglot: keys rise, and moves have two squares.
pub fn looks_like(bytes: &[u8]) -> bool {
    let mut before = 0;
    let is_good = |entry: PolyglotEntry| {
        let rises = entry.key >= before;
        before = entry.key;
        let promotion = entry.played >> 12;
        rises && promotion <= 4 && (entry.played & 63) != (entry.played >> 6 & 63)
    };
    bytes.len() >= ENTRY && bytes.len() % ENTRY <= 1 && entries(bytes).take(N_TELLING).all(is_good)
}

/// Reads a book; entries out of order are sorted, an incomplete one at the end is skipped, both with a remark.
///
/// # Errors
/// If there is not one entry, or there are more than 2³² of them.
pub fn read(bytes: &[u8]) -> Result<(PolyglotBook, Vec<Remark>), PolyglotError> {
    if bytes.len() < ENTRY {
        return Err(PolyglotError::TooShort { n_bytes: bytes.len() });
    }
    if bytes.len() / ENTRY > u32::MAX as usize {
        return Err(PolyglotError::TooLong { offset: u64::from(u32::MAX) * ENTRY as u64 });
    }
    let mut remarks = Vec::new();
    let mut read: Vec<PolyglotEntry> = entries(bytes).collect();
    let n_unsorted = read.windows(2).filter(|pair| pair[0].key > pair[1].key).count();
    if n_unsorted > 0 {
        remarks.push(Remark { place: 0, flaw: Flaw::OutOfOrder { n_entries: n_unsorted } });
        read.sort_by_key(|entry| entry.key);
    }
    let n_bytes = bytes.len() % ENTRY;
    if n_bytes > 0 {
        remarks.push(Remark { place: read.len() as u64 + 1, flaw: Flaw::StrayBytes { n_bytes } });
    }
    let mut positions: Vec<(u64, u32)> = (0..).zip(&read).map(|(number, entry)| (entry.key, number)).collect();
    positions.dedup_by_key(|position| position.0);
    Ok((PolyglotBook { entries: read, positions }, remarks))
}

fn entries(bytes: &[u8]) -> impl Iterator<Item = PolyglotEntry> + '_ {
    let (entries, _) = bytes.as_chunks::<ENTRY>();
    entries.iter().map(|&bytes| {
        let all = u128::from_be_bytes(bytes);
        PolyglotEntry {
            key: (all >> 64) as u64,
            played: (all >> 48) as u16,
            weight: (all >> 32) as u16,
            learn: all as u32,
        }
    })
}

impl Probe for PolyglotBook {
    fn game(&self) -> Game {
        Game::Chess
    }

    fn n_entries(&self) -> usize {
        self.positions.len()
    }

    fn probe(&self, board: &GamePosition) -> Option<Probed> {
        let GamePosition::Chess(position) = board else { return None };
        let key = position.polyglot_key();
        let place = self.positions.binary_search_by_key(&key, |position| position.0).ok()?;
        let entries = &self.entries[self.positions[place].1 as usize..];
        let entries = entries.iter().take_while(|entry| entry.key == key);
        let moves = entries.map(|entry| NewMove {
            played: game_move(entry.played, board),
            weight: u32::from(entry.weight),
            notes: MoveNotes { extra: Some(entry.learn).filter(|learn| *learn != 0), ..MoveNotes::default() },
        });
        Some(Probed { entry: place as u32, moves: moves.collect(), notes: PositionNotes::default() })
    }
}

/// A move of a file: bits 0–5 to, 6–11 from, 12–14 the kind promoted to, from a knight at 1.
///
/// Castling is the king taking its rook; some books write the king's step.
fn game_move(stored: u16, board: &GamePosition) -> GameMove {
    let promotion = match stored >> 12 {
        0 => 0,
        kind => u32::from(kind) + Piece::Knight as u32,
    };
    let plain = GameMove(u32::from(stored & 0xfff) | promotion << 12);
    let text = board.move_text(plain);
    match text.as_str() {
        "e1g1" | "e1c1" | "e8g8" | "e8c8" => board.parse_move(&text).unwrap_or(plain),
        _ => plain,
    }
}

fn stored_move(played: GameMove) -> u16 {
    let promotion = (played.0 >> 12).saturating_sub(Piece::Knight as u32);
    (played.0 & 0xfff | promotion << 12) as u16
}

/// Writes a book of chess; moves of a position are sorted by weight, the heaviest first, as Polyglot does.
///
/// # Errors
/// If the book is of another game.
pub fn write_polyglot(book: &Book) -> Result<(Vec<u8>, PolyglotLosses), PolyglotError> {
    if book.game() != Game::Chess {
        return Err(PolyglotError::OtherGame { game: book.game() });
    }
    let mut losses = PolyglotLosses::default();
    let mut entries = Vec::new();
    for number in 0..book.positions().len() as u32 {
        let GamePosition::Chess(position) = book.board(number) else { continue };
        let moves = book.moves(number);
        let heaviest = moves.iter().map(|played| played.weight).max().unwrap_or(0);
        losses.n_scaled += usize::from(heaviest > u32::from(u16::MAX));
        losses.n_position_notes +=
            usize::from(book.notes(number).is_some_and(|notes| *notes != PositionNotes::default()));
        for (index, played) in moves.iter().enumerate() {
            let notes = book.move_notes(number).get(index).cloned().unwrap_or_default();
            let learn = notes.extra.unwrap_or(0);
            losses.n_notes += usize::from(notes != MoveNotes { extra: notes.extra, ..MoveNotes::default() });
            let weight = scaled(played.weight, heaviest);
            entries.push(PolyglotEntry {
                key: position.polyglot_key(),
                played: stored_move(played.played),
                weight,
                learn,
            });
        }
    }
    entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight)));
    let bytes = entries.iter().flat_map(|entry| {
        let low = u64::from(entry.played) << 48 | u64::from(entry.weight) << 32 | u64::from(entry.learn);
        [entry.key.to_be_bytes(), low.to_be_bytes()].concat()
    });
    Ok((bytes.collect(), losses))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::books::{BookBuilder, WalkOptions, walk};
    use proptest::prelude::*;

    const START_KEY: u64 = 0x463b_9618_1691_fc9c;

    fn entry(key: u64, played: u16, weight: u16, learn: u32) -> Vec<u8> {
        let low = u64::from(played) << 48 | u64::from(weight) << 32 | u64::from(learn);
        [key.to_be_bytes(), low.to_be_bytes()].concat()
    }

    /// From and to as squares counted from a1.
    fn squares(from: u16, to: u16) -> u16 {
        from << 6 | to
    }

    fn book_of(lines: &[(&str, &str, u32)]) -> Book {
        let mut builder = BookBuilder::new(Game::Chess);
        for (moves, next, weight) in lines {
            let mut board = Game::Chess.start();
            for text in moves.split_ascii_whitespace() {
                board.play(board.parse_move(text).expect("a move")).expect("legal");
            }
            let played = board.parse_move(next).expect("a move");
            let new = NewMove { played, weight: *weight, notes: MoveNotes::default() };
            builder.add(1, &board, vec![new], PositionNotes::default());
        }
        builder.finish().0
    }

    fn whole(book: &PolyglotBook) -> Book {
        walk(&[book], &[], &WalkOptions::default()).remove(0).book
    }

    #[test]
    fn entries_become_moves_with_weights() {
        let bytes = [entry(START_KEY, squares(12, 28), 30, 7), entry(START_KEY, squares(11, 27), 10, 0)].concat();
        assert!(looks_like(&bytes));
        let (book, remarks) = read(&bytes).expect("a book");
        assert_eq!((book.n_entries(), book.entries.len(), remarks.len()), (1, 2, 0));
        let probed = book.probe(&Game::Chess.start()).expect("the start");
        let reported: Vec<_> = probed
            .moves
            .iter()
            .map(|new| (Game::Chess.start().move_text(new.played), new.weight, new.notes.extra))
            .collect();
        assert_eq!(reported, [("e2e4".into(), 30, Some(7)), ("d2d4".into(), 10, None)]);
    }

    #[test]
    fn stray_bytes_and_wrong_order_are_remarked() {
        let mut bytes = [entry(START_KEY, squares(12, 28), 1, 0), entry(5, squares(1, 18), 1, 0)].concat();
        assert!(!looks_like(&bytes));
        bytes.push(0);
        let (book, remarks) = read(&bytes).expect("a book");
        assert_eq!(book.n_entries(), 2);
        assert_eq!(
            remarks.iter().map(|remark| &remark.flaw).collect::<Vec<_>>(),
            [&Flaw::OutOfOrder { n_entries: 1 }, &Flaw::StrayBytes { n_bytes: 1 }]
        );
        assert!(book.probe(&Game::Chess.start()).is_some());
    }

    #[test]
    fn castling_and_promotion_come_back_as_written() {
        let castling = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5";
        let pawn = "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6";
        let mut lines =
            vec![(castling, "e1g1", 3), (castling, "d2d3", 200_000), (pawn, "b7a8q", 1), (pawn, "b7a8n", 0)];
        for line in [castling, pawn] {
            let at = |n: usize| line.match_indices(' ').nth(n).map_or(line.len(), |(at, _)| at);
            let n_moves = line.split(' ').count();
            lines.extend((0..n_moves).map(|n| {
                let before = if n == 0 { "" } else { &line[..at(n - 1)] };
                (before, line[before.len()..at(n)].trim(), 1)
            }));
        }
        let book = book_of(&lines);
        let (bytes, losses) = write_polyglot(&book).expect("chess");
        assert_eq!(losses, PolyglotLosses { n_scaled: 1, ..PolyglotLosses::default() });
        assert!(looks_like(&bytes));
        let (read, remarks) = read(&bytes).expect("a book");
        assert_eq!(remarks, []);
        let again = whole(&read);
        assert_eq!(again.positions().len(), book.positions().len());
        for number in 0..book.positions().len() as u32 {
            let there = again.find(book.positions()[number as usize].key).expect("is there");
            let mut moves: Vec<_> = again.moves(there).iter().map(|played| played.played).collect();
            let mut before: Vec<_> = book.moves(number).iter().map(|played| played.played).collect();
            moves.sort();
            before.sort();
            assert_eq!(moves, before);
        }
        assert_eq!(write_polyglot(&again).expect("chess").0, bytes);
    }

    #[test]
    fn other_games_are_refused() {
        let shogi = BookBuilder::new(Game::Shogi).finish().0;
        assert_eq!(write_polyglot(&shogi), Err(PolyglotError::OtherGame { game: Game::Shogi }));
        assert_eq!(read(b"short").err(), Some(PolyglotError::TooShort { n_bytes: 5 }));
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), moves in prop::collection::vec(any::<u16>(), 0..40)) {
            let _ = looks_like(&bytes);
            if let Ok((book, _)) = read(&bytes) {
                let _ = book.probe(&Game::Chess.start());
            }
            let bytes: Vec<u8> = moves.iter().flat_map(|played| entry(START_KEY, *played, 1, 0)).collect();
            if let Ok((book, _)) = read(&bytes) {
                let (again, _) = write_polyglot(&whole(&book)).expect("chess");
                prop_assert!(again.len() <= bytes.len());
            }
        }
    }
}
