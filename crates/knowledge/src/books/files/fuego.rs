//! Go books of Fuego and Pachi: one line per position, `19 Q16 D4 | Q3 R4`.
//!
//! The moves before the bar only lead to the position; every turned and
//! mirrored board is also meant. Moves after it are chosen alike, so each
//! has the weight 1.

use std::collections::{BTreeMap, HashMap, HashSet};

use tejun_games::game::{Game, GameMove, GamePosition, PositionKey};
use tejun_games::go::BoardSize;

use crate::books::{Book, BookBuilder, Flaw, MoveNotes, NewMove, PositionNotes, Remark};

/// Lines that are looked at to recognize a file.
const N_TELLING: usize = 20;

/// Why a file is not a Fuego book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FuegoError {
    /// The bytes are not text.
    #[error("byte {offset}: expected text in ASCII or UTF-8: is this a book of Fuego?")]
    NoText {
        /// Where reading ends.
        offset: usize,
    },
    /// No line for a board, or none of the size asked for.
    #[error("no line like `{} Q16 | D4` in {n_lines} lines: choose a board size that is in the file", size.map_or(19, BoardSize::get))]
    NoLines {
        /// Lines of the file.
        n_lines: usize,
        /// The size asked for.
        size: Option<BoardSize>,
    },
}

/// Whether the first lines are those of a book.
pub fn looks_like(bytes: &[u8]) -> bool {
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').take(N_TELLING).collect();
    // The last one may be cut short if only the beginning of a file is looked at.
    let whole = &lines[..lines.len().saturating_sub(1).max(1)];
    let texts = whole.iter().map(|line| std::str::from_utf8(line).ok());
    let mut lines = texts.filter(|line| line.is_none_or(|line| !is_skipped(line))).peekable();
    lines.peek().is_some() && lines.all(|line| line.is_some_and(|line| Line::parse(line).is_some()))
}

/// Reads a book for one size of board: the one asked for, else the most frequent.
///
/// Lines for other sizes are counted in a remark. A position that comes again,
/// turned or not, is remarked, and so is a move; neither counts twice.
///
/// # Errors
/// If the file is not text, or has no line for the size.
pub fn read(bytes: &[u8], size: Option<BoardSize>) -> Result<(Book, Vec<Remark>), FuegoError> {
    let text = std::str::from_utf8(bytes).map_err(|error| FuegoError::NoText { offset: error.valid_up_to() })?;
    let lines: Vec<(u64, &str)> = (1..).zip(text.lines()).filter(|(_, line)| !is_skipped(line)).collect();
    let mut n_by_size: BTreeMap<u8, usize> = BTreeMap::new();
    for line in lines.iter().filter_map(|(_, line)| Line::parse(line)) {
        *n_by_size.entry(line.size.get()).or_default() += 1;
    }
    let most = n_by_size.iter().max_by_key(|(_, n_lines)| **n_lines).and_then(|(size, _)| BoardSize::new(*size).ok());
    let found = size.or(most).filter(|size| n_by_size.contains_key(&size.get()));
    let Some(found) = found else { return Err(FuegoError::NoLines { n_lines: text.lines().count(), size }) };
    let mut reading = FuegoReader { builder: BookBuilder::new(Game::Go(found)), known: HashMap::new() };
    for (&other, &n_entries) in n_by_size.iter().filter(|(size, _)| **size != found.get()) {
        if let Ok(other) = BoardSize::new(other) {
            reading.builder.remark(0, Flaw::OtherGame { game: Game::Go(other), n_entries });
        }
    }
    for (number, line) in lines {
        match Line::parse(line) {
            Some(line) if line.size == found => reading.read_line(number, &line),
            Some(_) => {}
            None => reading.builder.remark(number, Flaw::NoPosition { text: line.chars().take(60).collect() }),
        }
    }
    Ok(reading.builder.finish())
}

fn is_skipped(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

struct Line<'t> {
    size: BoardSize,
    before: &'t str,
    moves: &'t str,
}

impl<'t> Line<'t> {
    fn parse(line: &'t str) -> Option<Line<'t>> {
        let (position, moves) = line.split_once('|')?;
        let position = position.trim_start();
        let end = position.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(position.len());
        let size = BoardSize::new(position[..end].parse().ok()?).ok()?;
        Some(Line { size, before: position[end..].trim(), moves })
    }
}

struct FuegoReader {
    builder: BookBuilder,
    /// The moves of each position so far, in its normal orientation.
    known: HashMap<PositionKey, HashSet<GameMove>>,
}

impl FuegoReader {
    fn read_line(&mut self, number: u64, line: &Line<'_>) {
        let mut board = Game::Go(line.size).start();
        for text in line.before.split_ascii_whitespace() {
            let Some(played) = self.parse(number, &board, text) else { return };
            if let Err(error) = board.play(played) {
                let flaw = Flaw::IllegalMove { text: error.text, position: error.position };
                return self.builder.remark(number, flaw);
            }
        }
        let (normal, turns) = board.normal();
        let is_new = !self.known.contains_key(&normal.key());
        if !is_new {
            self.builder.remark(number, Flaw::RepeatedPosition { position: normal.to_string() });
        }
        let mut moves = Vec::new();
        for text in line.moves.split_ascii_whitespace() {
            let Some(played) = self.parse(number, &board, text) else { continue };
            let known = self.known.entry(normal.key()).or_default();
            if known.insert(board.turned_move(played, &turns)) {
                moves.push(NewMove { played, weight: 1, notes: MoveNotes::default() });
            } else if is_new {
                let (text, position) = (text.to_string(), board.to_string());
                self.builder.remark(number, Flaw::RepeatedMove { text, position });
            }
        }
        self.builder.add(number, &board, moves, PositionNotes::default());
    }

    fn parse(&mut self, number: u64, board: &GamePosition, text: &str) -> Option<GameMove> {
        let parsed = board.parse_move(text).ok();
        if parsed.is_none() {
            self.builder.remark(number, Flaw::NoMove { text: text.to_string() });
        }
        parsed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BOOK: &str = "# a comment\n9 | E5 C3\n\n9 E5 | C3 G7 E7\n9 E5 C3 | G3\n9 E5 G7 | C7 C6\n19 | Q16\n9 E5 E5 | C3\n9 E5 Z1 | C3\nnonsense\n";

    #[test]
    fn turned_positions_and_moves_count_once() {
        let (book, remarks) = read(BOOK.as_bytes(), None).expect("a book");
        assert_eq!(book.positions().len(), 3);
        let n_moves: Vec<usize> = (0..3).map(|number| book.moves(number).len()).collect();
        // C3 and G7 are one move after a stone in the center; G3 and C7 are one after both.
        assert_eq!(n_moves, [2, 2, 2]);
        assert!((0..3).flat_map(|number| book.moves(number)).all(|played| played.weight == 1));
        let reported: Vec<(u64, String)> =
            remarks.iter().map(|remark| (remark.place, remark.flaw.to_string())).collect();
        assert_eq!(reported[0], (0, "1 entries of Go 19x19 were skipped".into()));
        assert!(reported[1].0 == 4 && reported[1].1.starts_with("the move G7 occurs twice"), "{reported:?}");
        assert!(reported[2].0 == 6 && reported[2].1.starts_with("the position 9/"), "{reported:?}");
        assert!(reported[3].0 == 8 && reported[3].1.starts_with("the move E5 is not legal"), "{reported:?}");
        assert_eq!(reported[4..], [(9, "\"Z1\" is not a move".into()), (10, "\"nonsense\" is not a position".into())]);
    }

    #[test]
    fn a_size_can_be_asked_for() {
        let (book, _) = read(BOOK.as_bytes(), Some(BoardSize::NINETEEN)).expect("a book");
        assert_eq!(book.game(), Game::Go(BoardSize::NINETEEN));
        let thirteen = BoardSize::new(13).expect("a size");
        let error = read(BOOK.as_bytes(), Some(thirteen)).expect_err("no such line").to_string();
        assert!(error.starts_with("no line like `13 Q16 | D4` in 10 lines"), "{error}");
    }

    #[test]
    fn files_are_distinguished_from_others() {
        assert!(looks_like(b"19 | Q16\n19 Q16 | D4\n"));
        assert!(!looks_like(BOOK.as_bytes()), "it has a line of nonsense");
        assert!(!looks_like(b"") && !looks_like(b"# only a comment\n") && !looks_like(b"\xff\xfe\n"));
    }

    #[test]
    fn books_cut_anywhere_do_not_panic() {
        for end in 0..BOOK.len() {
            let _ = read(&BOOK.as_bytes()[..end], None);
            looks_like(&BOOK.as_bytes()[..end]);
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[0-9A-T |#\n]{0,80}", bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = (read(text.as_bytes(), None), looks_like(text.as_bytes()));
            let _ = (read(&bytes, None), looks_like(&bytes));
        }
    }
}
