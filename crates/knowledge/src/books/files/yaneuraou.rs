//! YaneuraOu's text book: `.db`.
//!
//! ```text
//! #YANEURAOU-DB2016 1.00
//! sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//! 2g2f 8c8d 63 27 935
//! # words on 2g2f
//! ```
//!
//! A move has the expected reply, its value, depth and count after it; each may be missing or `none`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use tejun_games::game::{Game, GameMove, GamePosition};
use tejun_games::shogi::{Color, PackedMove, Position};

use crate::books::files::written::{Loss, WriteCounter, Written};
use crate::books::files::{BookFileError, BookFormat, Place, Problem};
use crate::books::{Book, BookBuilder, Flaw, MoveNotes, NewMove, PositionNotes, Remark};

const HEADER: &str = "#YANEURAOU-DB2016 1.00";
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// Lines that are checked to recognize a book.
const N_TELLING_LINES: usize = 200;

/// Whether a position also answers for the one that the other side sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flips {
    /// As the program plays: what is not stored is looked up with the board turned and colors exchanged.
    Implied,
    /// YaneuraOuMove positions only.
    AsStored,
}

/// A position of the text.
struct YaneuraOuMove {
    line: u64,
    board: Position,
    moves: Vec<NewMove>,
    notes: PositionNotes,
}

/// Whether this is a text with the program's name on top, or with a position and a move below it.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if text.starts_with(b"#YANEURAOU-DB") {
        return true;
    }
    let mut is_position = false;
    for line in text.split(|byte| *byte == b'\n').take(N_TELLING_LINES) {
        let Ok(line) = std::str::from_utf8(line) else { return false };
        let (line, _) = without_comment(line.trim());
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            None => {}
            Some("sfen") => is_position = words.all(|word| word != "moves"),
            Some(word) => return is_position && (is_none(word) || Position::start().parse_move(word).is_ok()),
        }
    }
    false
}

/// Reads a book.
///
/// A position that occurs again with another move number is one with the
/// first; weights of moves are counts, 1 if there is none. Comments before the
/// first position are skipped.
///
/// # Errors
/// If there is no position in it.
pub fn read_yaneuraou(bytes: &[u8], flips: Flips) -> Result<(Book, Vec<Remark>), BookFileError> {
    let mut reader = YaneuraOuReader {
        builder: BookBuilder::new(Game::Shogi),
        stored: Vec::new(),
        words: Vec::new(),
        is_skipping: false,
    };
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let mut has_position = false;
    for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
        let line = String::from_utf8_lossy(line);
        has_position |= line.starts_with("sfen ");
        reader.read_line(index as u64 + 1, line.trim_end());
    }
    if !has_position {
        let expected = "a line that begins with sfen";
        let place = if bytes.is_empty() { Place::Byte(0) } else { Place::Line(1) };
        let problem = if bytes.is_empty() { Problem::Empty } else { Problem::Foreign { expected } };
        return Err(BookFileError { format: BookFormat::YaneuraOu, place, problem });
    }
    Ok(reader.finish(flips))
}

/// Writes a book, sorted by positions so that the program can search it on the disk.
///
/// Implied positions are omitted, because the program turns the board itself.
pub fn write_yaneuraou(book: &Book) -> Written {
    let mut tally = WriteCounter::default();
    let mut n_implied = 0;
    let mut entries: Vec<(String, u32)> = Vec::with_capacity(book.positions().len());
    for (number, position) in (0..).zip(book.positions()) {
        match book.board(number) {
            _ if position.is_implied => n_implied += 1,
            GamePosition::Shogi(board) => {
                tally.count(book, number);
                let ply = book.notes(number).and_then(|notes| notes.ply).unwrap_or(0);
                entries.push((board.to_sfen_at(ply.saturating_add(1)), number));
            }
            _ => tally.n_foreign += 1,
        }
    }
    entries.sort();
    let mut text = format!("{HEADER}\n");
    entries.iter().for_each(|(sfen, number)| write_position(&mut text, book, *number, sfen));
    let lost = [
        Loss::ImpliedPositions(n_implied),
        Loss::Marks(tally.n_marks),
        Loss::PositionGames(tally.n_position_games),
        Loss::MoveGames(tally.n_move_games),
        Loss::Extras(tally.n_extras),
        Loss::ForeignPositions(tally.n_foreign),
    ];
    Written::new(text.into_bytes(), lost)
}

fn write_position(text: &mut String, book: &Book, number: u32, sfen: &str) {
    *text += &format!("sfen {sfen}\n");
    write_comment(text, book.notes(number).and_then(|notes| notes.comment.as_deref()));
    let named = |played: GameMove| {
        let unpacked = u16::try_from(played.0).ok().and_then(|bits| PackedMove(bits).unpack(Color::Black));
        unpacked.map_or("none".to_string(), Position::move_text)
    };
    let unknown = MoveNotes::default();
    for (index, known) in book.moves(number).iter().enumerate() {
        let notes = book.move_notes(number).get(index).unwrap_or(&unknown);
        let reply = notes.reply.map_or("none".to_string(), named);
        let value = notes.value.map_or("none".to_string(), |value| value.to_string());
        let depth = notes.depth.map_or("none".to_string(), |depth| depth.to_string());
        *text += &format!("{} {reply} {value} {depth} {}\n", named(known.played), known.weight);
        write_comment(text, notes.comment.as_deref());
    }
}

fn write_comment(text: &mut String, comment: Option<&str>) {
    comment.iter().flat_map(|words| words.split('\n')).for_each(|line| *text += &format!("#{}\n", line.trim_end()));
}

struct YaneuraOuReader {
    builder: BookBuilder,
    stored: Vec<YaneuraOuMove>,
    /// Comments on what was read last.
    words: Vec<String>,
    /// Whether the last position could not be read, so that its moves mean nothing.
    is_skipping: bool,
}

impl YaneuraOuReader {
    fn read_line(&mut self, number: u64, line: &str) {
        let (line, comment) = without_comment(line);
        match line.split_once(' ') {
            _ if line.trim().is_empty() => {}
            Some(("sfen", text)) => self.read_position(number, text),
            _ if self.is_skipping => {}
            _ => self.read_move(number, line),
        }
        if let Some(comment) = comment.filter(|_| !self.is_skipping) {
            self.words.push(comment.to_string());
        }
    }

    fn read_position(&mut self, line: u64, text: &str) {
        self.add_comment();
        let board = text.parse::<Position>();
        self.is_skipping = board.is_err();
        let Ok(board) = board else {
            return self.builder.remark(line, Flaw::NoPosition { text: clipped(text) });
        };
        // The number is that of the next move.
        let number = text.split_ascii_whitespace().nth(3).map(str::parse::<u16>);
        if let Some(Err(_)) = number {
            self.builder.remark(line, Flaw::NoPosition { text: clipped(text) });
        }
        let ply = number.and_then(Result::ok).map(|number| number.saturating_sub(1));
        let notes = PositionNotes { ply, ..PositionNotes::default() };
        self.stored.push(YaneuraOuMove { line, board, moves: Vec::new(), notes });
    }

    fn read_move(&mut self, number: u64, line: &str) {
        self.add_comment();
        let mut words = line.split_ascii_whitespace();
        let Some(word) = words.next().filter(|word| !is_none(word)) else { return };
        let no_move = || Flaw::NoMove { text: clipped(line) };
        let played = Position::start().parse_move(word).ok();
        let Some((played, stored)) = played.zip(self.stored.last_mut()) else {
            return self.builder.remark(number, no_move());
        };
        let reply = words.next().filter(|word| !is_none(word)).map(|word| Position::start().parse_move(word));
        if let Some(Err(_)) = reply {
            self.builder.remark(number, no_move());
        }
        let mut field = |name: &'static str, least: i64, most: i64| {
            let word = words.next().filter(|word| !is_none(word))?;
            let value = word.parse::<i64>();
            match value {
                Ok(value) if (least..=most).contains(&value) => return Some(value),
                Ok(value) => self.builder.remark(number, Flaw::OddField { field: name, value }),
                Err(_) => self.builder.remark(number, no_move()),
            }
            None
        };
        let value = field("the value", i32::MIN.into(), i32::MAX.into()).map(|value| value as i32);
        let depth = field("the depth", 0, u32::MAX.into()).map(|depth| depth as u32);
        let weight = field("the count", 0, u32::MAX.into()).map_or(1, |count| count as u32);
        let reply = reply.and_then(Result::ok).map(Into::into);
        let notes = MoveNotes { value, depth, reply, ..MoveNotes::default() };
        stored.moves.push(NewMove { played: played.into(), weight, notes });
    }

    /// Gives the words that were read to the last move, or to the position if it has none yet.
    fn add_comment(&mut self) {
        let words = std::mem::take(&mut self.words);
        let Some(YaneuraOuMove { moves, notes, .. }) = self.stored.last_mut().filter(|_| !words.is_empty()) else {
            return;
        };
        join(moves.last_mut().map_or(&mut notes.comment, |last| &mut last.notes.comment), &words.join("\n"));
    }

    fn finish(mut self, flips: Flips) -> (Book, Vec<Remark>) {
        self.add_comment();
        let boards: Vec<GamePosition> = self.stored.iter().map(|stored| stored.board.clone().into()).collect();
        self.join_repeated(&boards);
        let flipped: Vec<(u64, Position, Vec<NewMove>)> = match flips {
            Flips::Implied => self.stored.iter().map(flipped).collect(),
            Flips::AsStored => Vec::new(),
        };
        for (YaneuraOuMove { line, moves, notes, .. }, board) in self.stored.into_iter().zip(&boards) {
            self.builder.add(line, board, moves, notes);
        }
        for (line, board, moves) in flipped {
            self.builder.add_implied(line, &board.into(), moves);
        }
        self.builder.finish()
    }

    /// Gives the words on a position that comes again to the first of its kind.
    fn join_repeated(&mut self, boards: &[GamePosition]) {
        let mut first = HashMap::new();
        for (index, board) in boards.iter().enumerate() {
            match first.entry(board.key()) {
                Entry::Vacant(entry) => {
                    entry.insert(index);
                }
                Entry::Occupied(entry) => {
                    if let Some(words) = self.stored[index].notes.comment.take() {
                        join(&mut self.stored[*entry.get()].notes.comment, &words);
                    }
                }
            }
        }
    }
}

/// The position and moves that the other side sees.
fn flipped(stored: &YaneuraOuMove) -> (u64, Position, Vec<NewMove>) {
    let turned = |played: GameMove| PackedMove(played.0 as u16).turned().into();
    let turn = |new: &NewMove| {
        let notes = MoveNotes { reply: new.notes.reply.map(turned), ..new.notes.clone() };
        NewMove { played: turned(new.played), weight: new.weight, notes }
    };
    (stored.line, stored.board.flipped(), stored.moves.iter().map(turn).collect())
}

/// A line without its comment after `#`, or after `//` at its start, and that comment.
fn without_comment(line: &str) -> (&str, Option<&str>) {
    if let Some(comment) = line.strip_prefix("//") {
        return ("", Some(comment));
    }
    match line.split_once('#') {
        Some(("", comment)) => ("", Some(comment)),
        Some((line, comment)) => (line.trim_end(), Some(comment.trim())),
        None => (line, None),
    }
}

fn is_none(word: &str) -> bool {
    ["none", "resign", "win"].iter().any(|none| word.eq_ignore_ascii_case(none))
}

fn join(comment: &mut Option<Box<str>>, words: &str) {
    let joined = match comment.take() {
        Some(before) => format!("{before}\n{words}").into_boxed_str(),
        None => words.into(),
    };
    *comment = Some(joined);
}

/// The beginning of a text, long enough to be found again.
fn clipped(text: &str) -> String {
    text.trim().chars().take(120).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[track_caller]
    fn read(text: &str) -> (Book, Vec<Remark>) {
        read_yaneuraou(text.as_bytes(), Flips::AsStored).expect("a book")
    }

    #[test]
    fn marks_line_ends_and_headers_do_not_matter() {
        let plain = format!("{START}\n2g2f 8c8d 63 27 935\n7g7f none\n");
        let crlf = plain.replace('\n', "\r\n");
        for text in
            [plain.clone(), crlf.clone(), format!("\u{feff}{HEADER}\n# NOE:1\n{plain}"), format!("\u{feff}{crlf}")]
        {
            assert!(looks_like(text.as_bytes()), "{text}");
            let (book, remarks) = read(&text);
            assert_eq!(remarks, []);
            let weights: Vec<u32> = book.moves(0).iter().map(|known| known.weight).collect();
            assert_eq!(weights, [935, 1]);
            let notes = &book.move_notes(0)[0];
            assert_eq!((notes.value, notes.depth, notes.reply.is_some()), (Some(63), Some(27), true));
        }
    }

    #[test]
    fn comments_belong_to_what_stands_before_them() {
        let text = format!("#{HEADER}\n{START} # at the end\n#below\n2g2f none none none 0\n//one\n#two\n\n");
        let (book, remarks) = read(&text);
        assert_eq!(remarks, []);
        assert_eq!(book.notes(0).and_then(|notes| notes.comment.as_deref()), Some("at the end\nbelow"));
        assert_eq!(book.move_notes(0)[0].comment.as_deref(), Some("one\ntwo"));
        assert_eq!(book.moves(0)[0].weight, 0);
    }

    #[test]
    fn a_position_with_two_numbers_is_one() {
        let again = START.replace(" 1", " 3");
        let (book, _) = read(&format!("{START}\n2g2f none 1 1 4\n{again}\n#more\n7g7f none\n2g2f none 2 1 3\n"));
        assert_eq!(book.positions().len(), 1);
        let weights: Vec<u32> = book.moves(0).iter().map(|known| known.weight).collect();
        assert_eq!(weights, [7, 1]);
        assert_eq!(book.notes(0).and_then(|notes| notes.comment.as_deref()), Some("more"));
    }

    #[test]
    fn bad_lines_are_remarked() {
        let text =
            format!("7g7f\n{START}\n9z9z none\n7g7f none x\n5i1a none\nnone none\n2g2f none 0 0 -1\nsfen x\n7g7f\n");
        let (book, remarks) = read(&text);
        let places: Vec<u64> = remarks.iter().map(|remark| remark.place).collect();
        assert_eq!(places, [1, 3, 4, 7, 8, 2]);
        assert_eq!(remarks[3].flaw, Flaw::OddField { field: "the count", value: -1 });
        assert!(matches!(remarks[5].flaw, Flaw::IllegalMove { .. }));
        assert_eq!(book.moves(0).len(), 2);
    }

    #[test]
    fn flips_are_implied_where_nothing_is_stored() {
        let flipped = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
        let text = format!("{START}\n2g2f 8c8d 1 1 4\n{flipped}\n3c3d none\n");
        let (book, remarks) = read_yaneuraou(text.as_bytes(), Flips::Implied).expect("a book");
        assert_eq!(remarks, []);
        assert_eq!((book.positions().len(), book.n_stored()), (4, 2));
        let start: Position = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1".parse().expect("sfen");
        let number = book.find(GamePosition::from(start).key()).expect("implied");
        let board = book.board(number);
        assert_eq!(board.move_text(book.moves(number)[0].played), "8c8d");
        assert_eq!(book.move_notes(number)[0].reply.map(|reply| board.move_text(reply)).as_deref(), Some("2g2f"));
        assert_eq!(write_yaneuraou(&book).lost, [Loss::ImpliedPositions(2)]);
    }
}
