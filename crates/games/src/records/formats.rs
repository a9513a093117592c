//! Records of any format, recognized by content.

use std::borrow::Cow;

use crate::charset::{self, Decoded};
use crate::records::go::gib::{is_gib, parse_gib};
use crate::records::go::ngf::{is_ngf, parse_ngf};
use crate::records::go::ugf::{is_ugf, parse_ugf};
use crate::records::{GameRecord, Place, Rejection, RejectionKind, Warning, WarningKind};
use crate::sgf;

/// A format of game records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Smart Game Format, of nearly every program.
    Sgf,
    /// Tygem's.
    Gib,
    /// wBaduk's.
    Ngf,
    /// PandaNet's, both `.ugf` and `.ugi`.
    Ugf,
}

impl Format {
    /// The format of a decoded text; `None` if nothing in it looks like a game record.
    pub fn of(text: &str) -> Option<Format> {
        let text = text.trim_start();
        if is_gib(text) {
            Some(Format::Gib)
        } else if is_ugf(text) {
            Some(Format::Ugf)
        } else if has_sgf_start(text) {
            Some(Format::Sgf)
        } else if is_ngf(text) {
            Some(Format::Ngf)
        } else {
            None
        }
    }
}

/// Whether a parenthesis is followed by a node or a property, perhaps after a mail header.
fn has_sgf_start(text: &str) -> bool {
    memchr::memchr_iter(b'(', text.as_bytes()).take(1000).any(|at| {
        let inside = text[at + 1..].trim_start();
        let letters = inside.bytes().take_while(u8::is_ascii_uppercase).count();
        inside.starts_with(';') || (letters > 0 && inside[letters..].starts_with('['))
    })
}

/// A record found in a file, read or rejected.
#[derive(Clone, Debug)]
pub struct FoundRecord {
    /// Where it starts in the file, in bytes; of a file that had to be decoded, where its part starts.
    pub offset: usize,
    /// The game, or why it was rejected; places are counted within the bytes given.
    pub record: Result<GameRecord, Rejection>,
}

/// What to do with a record that has an illegal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnIllegal {
    /// The moves before it are kept, and the cut is reported.
    Cut,
    /// The record is refused.
    Refuse,
}

/// Reads every record of a file or of a part of one, and replays its main line.
///
/// A file without any record yields one rejection, so that nothing is lost
/// silently.
///
/// ```
/// use tejun_games::records::{OnIllegal, read_records};
///
/// let found = read_records(b"(;SZ[9]KM[650];B[ee]) (;GM[2];B[aa])", OnIllegal::Cut);
/// let record = found[0].record.as_ref().expect("a game");
/// assert_eq!(record.warnings[0].to_string(), "1:8: komi 650 read as 6.5");
/// let rejection = found[1].record.as_ref().expect_err("not Go");
/// assert_eq!(rejection.to_string(), "1:25: not Go but Othello (GM[2])");
/// ```
pub fn read_records(bytes: &[u8], on_illegal: OnIllegal) -> Vec<FoundRecord> {
    let mut found = Vec::new();
    for Part { offset, text_start, n_lines_before, decoded } in decoded_parts(bytes) {
        let first = found.len();
        read_text(&decoded.text, on_illegal, &mut found);
        for game in &mut found[first..] {
            game.offset = text_start.map_or(offset, |start| start + game.offset);
            match &mut game.record {
                Ok(record) => {
                    let place = Place { line: 1, column: 1 };
                    let charset_warnings = decoded.warnings.iter().map(|&what| Warning { place, what });
                    record.warnings.splice(0..0, charset_warnings);
                    record.warnings.iter_mut().for_each(|warning| warning.place.line += n_lines_before);
                }
                Err(error) => error.place.line += n_lines_before,
            }
        }
    }
    if found.is_empty() {
        let place = Place { line: 1, column: 1 };
        found.push(FoundRecord { offset: 0, record: Err(Rejection { place, why: RejectionKind::NoGame }) });
    }
    found
}

/// A part of a file that is in one charset, decoded.
#[derive(Clone, Debug)]
pub struct Part<'b> {
    /// Where it starts in the file, in bytes.
    pub offset: usize,
    /// Where the text starts in the file, if its bytes are the file's own.
    text_start: Option<usize>,
    /// Lines before it.
    pub n_lines_before: u32,
    /// Its text.
    pub decoded: Decoded<'b>,
}

/// The text of a file: one part, or one part per game where games differ in charset.
pub fn decoded_parts(bytes: &[u8]) -> impl Iterator<Item = Part<'_>> {
    let parts = parts(bytes);
    let guess = (parts.len() > 1).then(|| charset::detect(bytes));
    let mut n_lines = 0;
    parts.into_iter().map(move |(offset, part)| {
        let decoded = charset::decode(part, guess);
        let text_start = match decoded.text {
            Cow::Borrowed(text) => Some(offset + part.len() - text.len()),
            Cow::Owned(_) => None,
        };
        let n_lines_before = n_lines;
        n_lines += memchr::memchr_iter(b'\n', part).count() as u32;
        Part { offset, text_start, n_lines_before, decoded }
    })
}

/// The parts of a file that may differ in charset: the whole, or each game of a mixed file.
fn parts(bytes: &[u8]) -> Vec<(usize, &[u8])> {
    let is_one_charset = std::str::from_utf8(bytes).is_ok() || bytes.contains(&0);
    if is_one_charset {
        return vec![(0, bytes)];
    }
    let mut starts = vec![0];
    starts.extend(game_starts(bytes));
    starts.push(bytes.len());
    starts.dedup();
    starts.windows(2).map(|pair| (pair[0], &bytes[pair[0]..pair[1]])).collect()
}

/// Where a line that ends in `)` is followed by a line that starts a game.
///
/// A game starts with `(;` and a property of a root, such as `GM` or `SZ`; a
/// variation has none. These bytes are parts of no character in any charset,
/// so files can be cut there before they are decoded. A comment that has such
/// lines is also cut.
pub fn game_starts(bytes: &[u8]) -> impl DoubleEndedIterator<Item = usize> + '_ {
    let is_start = |&at: &usize| {
        let before = bytes[..at].trim_ascii_end();
        before.ends_with(b")")
            && bytes[before.len()..at].iter().any(|b| matches!(b, b'\n' | b'\r'))
            && starts_with_root(&bytes[at + 1..])
    };
    memchr::memchr_iter(b'(', bytes).filter(is_start)
}

/// Whether the first node after a parenthesis has a property that only roots have.
fn starts_with_root(inside: &[u8]) -> bool {
    const ROOT: [&[u8]; 12] = [b"GM", b"FF", b"SZ", b"CA", b"AP", b"PB", b"PW", b"KM", b"RU", b"EV", b"DT", b"GN"];
    let Some(mut rest) = inside.trim_ascii_start().strip_prefix(b";") else { return false };
    // A root that begins with more than a few others is none that we need.
    for _ in 0..8 {
        rest = rest.trim_ascii_start();
        let name = &rest[..rest.iter().take_while(|b| b.is_ascii_alphabetic()).count()];
        if name.is_empty() || ROOT.contains(&name) {
            return !name.is_empty();
        }
        let Some(end) = memchr::memchr(b']', &rest[..rest.len().min(500)]) else { return false };
        rest = &rest[end + 1..];
    }
    false
}

/// Where the last whole game of a text ends, found by counting parentheses; `None` if none does.
pub fn last_game_end(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut at, mut end) = (0usize, 0, None);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => {
                depth = 0;
                end = Some(at);
            }
            b')' => depth = depth.saturating_sub(1),
            b'[' if depth > 0 => loop {
                at += memchr::memchr2(b']', b'\\', bytes.get(at..).unwrap_or_default()).map_or(bytes.len(), |n| n + 1);
                match bytes.get(at - 1) {
                    Some(b'\\') => at += 1,
                    _ => break,
                }
            },
            _ => {}
        }
    }
    end
}

fn read_text(text: &str, on_illegal: OnIllegal, found: &mut Vec<FoundRecord>) {
    match Format::of(text) {
        None => {}
        Some(Format::Sgf) => read_sgf(text, on_illegal, found),
        Some(format) => {
            let start = Place { line: 1, column: 1 };
            let record = read_single(text, format).and_then(|record| legal(record, on_illegal, |_| start));
            found.push(FoundRecord { offset: 0, record });
        }
    }
}

/// Reads a text that holds a single game; of SGF the first one. Moves are as written.
///
/// # Errors
/// If the game is broken or not Go.
pub fn read_single(text: &str, format: Format) -> Result<GameRecord, Rejection> {
    match format {
        Format::Gib => parse_gib(text),
        Format::Ngf => parse_ngf(text),
        Format::Ugf => parse_ugf(text),
        Format::Sgf => {
            let place = Place { line: 1, column: 1 };
            let tree = sgf::Reader::new(text).next().ok_or(Rejection { place, why: RejectionKind::NoGame })?;
            sgf::main_line(&tree)
        }
    }
}

fn read_sgf(text: &str, on_illegal: OnIllegal, found: &mut Vec<FoundRecord>) {
    let mut reader = sgf::Reader::new(text);
    let mut tree = sgf::Tree::new(text);
    // Nearly no text has any, and one look at all of it is cheaper than one per game.
    let has_damage = memchr::memmem::find(text.as_bytes(), DAMAGED.as_bytes()).is_some();
    while reader.read_into(&mut tree) {
        let place = |number| sgf::place_of_move(&tree, number);
        let mut record = sgf::main_line(&tree).and_then(|record| legal(record, on_illegal, place));
        if let (true, Ok(record)) = (has_damage, &mut record)
            && let Some(at) = tree.source().find(DAMAGED)
        {
            record
                .warnings
                .insert(0, Warning { place: tree.place(tree.offset() + at), what: WarningKind::DamagedText });
        }
        found.push(FoundRecord { offset: tree.offset(), record });
    }
}

/// Suicides reported in one game.
const MAX_SUICIDES: usize = 20;

/// The replacement of a character that could not be read.
const DAMAGED: &str = "\u{fffd}";

/// The record with legal moves only; `place` returns the place of a move.
fn legal(mut record: GameRecord, on_illegal: OnIllegal, place: impl Fn(u16) -> Place) -> Result<GameRecord, Rejection> {
    let replay = record.replay();
    // Finding a place walks the game, and nobody reads hundreds of these.
    for &number in replay.suicides.iter().take(MAX_SUICIDES) {
        record.warnings.push(Warning { place: place(number), what: WarningKind::Suicide { number } });
    }
    let Some((number, why)) = replay.illegal else { return Ok(record) };
    // A game whose first move can't be played has nothing to keep.
    if on_illegal == OnIllegal::Refuse || number == 1 {
        return Err(Rejection { place: place(number), why: RejectionKind::Illegal { number, why } });
    }
    record.moves.truncate(number as usize - 1);
    record.warnings.push(Warning { place: place(number), what: WarningKind::CutAtIllegal { number, why } });
    Ok(record)
}
