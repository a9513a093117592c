//! Records of PandaNet and of Japanese newspapers (`.ugf`, `.ugi`).
//!
//! Sections as in an INI file. Only the header and the moves are read: figures,
//! comments and reviews hold variations.
//!
//! ```text
//! [Header]
//! Hdcp=0,6.50
//! PlayerB=Ann,3d,,
//! [Data]
//! QP,B1,1,0        column, row, color, number, seconds
//! YA,W1,2,0        a pass
//! ```

use std::collections::BTreeSet;

use crate::go::{BoardSize, Color, Point};
use crate::header::{Date, GameResult, Margin, RuleSet, repair_komi};
use crate::records::go::gib::{RecordDraft, SourceLine, end, filled, lines};
use crate::records::{GameRecord, Place, Rejection, RejectionKind, WarningKind};

/// Whether the text looks like PandaNet's format.
pub(crate) fn is_ugf(text: &str) -> bool {
    let first = text.trim_start_matches('\u{feff}').split(['\r', '\n']).map(str::trim);
    let mut first = first.skip_while(|line| line.is_empty() || line.starts_with('#'));
    first.next().is_some_and(|line| section_name(line).is_some_and(|name| is(name, "Header")))
}

fn is(written: &str, name: &str) -> bool {
    written.eq_ignore_ascii_case(name)
}

fn section_name(line: &str) -> Option<&str> {
    line.strip_prefix('[').map(|name| name.trim_end_matches(']').trim())
}

/// Reads a PandaNet record.
///
/// # Errors
/// If the record is encrypted, the board can't be played on, a move can't be
/// read, or there is none.
pub(crate) fn parse_ugf(text: &str) -> Result<GameRecord, Rejection> {
    let lines = lines(text);
    let mut draft = RecordDraft::new(BoardSize::NINETEEN);
    let sections = Sections::split(&mut draft, &lines);
    let announced = read_header(&mut draft, &sections)?;
    read_moves(&mut draft, &sections)?;
    if draft.record.moves.len() + 1 < announced {
        draft.forgive(end(&lines), WarningKind::CutShort);
    }
    put_handicap(&mut draft, &sections);
    draft.finish(&lines)
}

/// A `key=value` of the header.
struct UgfField<'a> {
    line: SourceLine<'a>,
    key: &'a str,
    value: &'a str,
}

/// The two sections that are read.
#[derive(Default)]
struct Sections<'a> {
    header: Vec<UgfField<'a>>,
    data: Vec<SourceLine<'a>>,
}

impl<'a> Sections<'a> {
    fn split(draft: &mut RecordDraft, lines: &[SourceLine<'a>]) -> Sections<'a> {
        let mut sections = Sections::default();
        let mut name = "";
        for &line in lines {
            let text = line.text.trim();
            if let Some(next) = section_name(text) {
                // Another game begins.
                if is(next, "Header") && !sections.data.is_empty() {
                    draft.forgive(line.place(text), WarningKind::TextOutside);
                    break;
                }
                name = next;
            } else if text.is_empty() || text.starts_with('#') {
                continue;
            } else if is(name, "Header") {
                match text.split_once('=') {
                    Some((key, value)) => {
                        let (key, value) = (key.trim(), value.trim());
                        sections.header.push(UgfField { line, key, value });
                    }
                    None => draft.forgive(line.place(text), WarningKind::StrayText),
                }
            } else if is(name, "Data") {
                sections.data.push(line);
            } else if name.is_empty() || is(name, "End") {
                draft.forgive(line.place(text), WarningKind::TextOutside);
                if is(name, "End") {
                    break;
                }
            }
        }
        sections
    }

    fn find(&self, key: &str) -> Option<(Place, &'a str)> {
        let field = self.header.iter().find(|f| is(f.key, key) && !f.value.is_empty())?;
        Some((field.line.place(field.value), field.value))
    }

    fn text(&self, key: &str) -> Option<&'a str> {
        self.find(key).map(|(_, value)| value)
    }

    fn rows(&self) -> UgfRows {
        match self.text("CoordinateType") {
            Some(kind) if is(kind, "IGS") => UgfRows::FromBelow,
            _ => UgfRows::FromTop,
        }
    }
}

/// Where the first row is.
#[derive(Clone, Copy)]
enum UgfRows {
    FromTop,
    FromBelow,
}

/// Reads the header; gives the number of moves it announces.
fn read_header(draft: &mut RecordDraft, sections: &Sections) -> Result<usize, Rejection> {
    if let Some((place, crypt)) = sections.find("Crypt")
        && crypt.split(',').nth(1).is_some_and(|kind| !is(kind.trim(), "PLAIN_UGF_FILE"))
    {
        return Err(Rejection { place, why: RejectionKind::Encrypted });
    }
    if let Some((place, size)) = sections.find("Size") {
        let size = size.parse::<u8>().ok().filter(|&n| n >= 5);
        draft.record.size =
            size.and_then(|n| BoardSize::new(n).ok()).ok_or(Rejection { place, why: RejectionKind::BadSize })?;
    }
    let header = &mut draft.record.header;
    (header.black, header.black_rank) = player(sections, ["PlayerB", "PlayerB2"]);
    (header.white, header.white_rank) = player(sections, ["PlayerW", "PlayerW2"]);
    header.place = sections.text("Place").and_then(filled);
    header.rules = sections.text("Rule").map(|rule| match rule {
        "JPN" => "Japanese".to_owned(),
        "CHN" => "Chinese".to_owned(),
        other => other.to_owned(),
    });
    let mut title = sections.text("Title").unwrap_or("").splitn(3, ',').map(str::trim);
    let event = [title.next().unwrap_or(""), title.next().unwrap_or("")].join(" ");
    header.event = filled(&event);
    header.round = title.next().map(|round| round.trim_end_matches(',')).and_then(filled);

    read_handicap_and_komi(draft, sections);
    read_date(draft, sections);
    read_result(draft, sections);
    Ok(sections.text("Moves").and_then(|moves| moves.parse().ok()).unwrap_or(0))
}

/// Name and rank of a player, or the names of a pair.
fn player(sections: &Sections, keys: [&str; 2]) -> (Option<String>, Option<String>) {
    let [first, second] = keys.map(|key| {
        let mut parts = sections.text(key).unwrap_or("").split(',');
        (parts.next().and_then(filled), parts.next().and_then(filled))
    });
    match (first, second) {
        ((Some(name), _), (Some(partner), _)) => (Some(format!("{name} & {partner}")), None),
        (single, _) => single,
    }
}

fn read_handicap_and_komi(draft: &mut RecordDraft, sections: &Sections) {
    let Some((place, value)) = sections.find("Hdcp") else {
        return;
    };
    let (handicap, komi) = value.split_once(',').unwrap_or((value, ""));
    if !handicap.trim().is_empty() {
        draft.read_handicap(place, handicap.trim());
    }
    let komi = komi.trim().trim_end_matches(',');
    if komi.is_empty() {
        return;
    }
    let Some(written) = komi.parse::<f32>().ok().filter(|komi| komi.is_finite()) else {
        return draft.forgive(place, WarningKind::UnreadableKomi);
    };
    let komi = repair_komi(written, RuleSet::named(draft.record.header.rules.as_deref()));
    if komi != written {
        draft.forgive(place, WarningKind::Komi { written, komi });
    }
    draft.record.header.komi = Some(komi);
}

/// Reads the first of begin, time, end and time that is a date.
fn read_date(draft: &mut RecordDraft, sections: &Sections) {
    let Some((place, value)) = sections.find("Date") else {
        return;
    };
    draft.record.header.date = value.split(',').step_by(2).find_map(Date::parse);
    // An empty date is written `//`.
    if draft.record.header.date.is_none() && value.contains(|c: char| c.is_alphanumeric()) {
        draft.forgive(place, WarningKind::UnreadableDate);
    }
}

fn read_result(draft: &mut RecordDraft, sections: &Sections) {
    let Some((place, value)) = sections.find("Winner") else {
        return;
    };
    match parse_result(value) {
        Some(result) => draft.record.header.result = result,
        None => draft.forgive(place, WarningKind::UnreadableResult),
    }
}

/// Reads `B,7.50`, `W,C` and the like.
fn parse_result(value: &str) -> Option<GameResult> {
    let (winner, margin) = value.split_once(',').unwrap_or((value, ""));
    let winner = match winner.trim().chars().next()?.to_ascii_uppercase() {
        'B' => Color::Black,
        'W' => Color::White,
        'D' => return Some(GameResult::Draw),
        'N' => return Some(GameResult::Void),
        // Adjourned, in play, or unknown.
        'A' | 'P' | 'E' => return Some(GameResult::Unknown),
        _ => return None,
    };
    let margin = margin.trim();
    let margin = match margin.chars().next().map(|c| c.to_ascii_uppercase()) {
        None => Margin::Unknown,
        // C is 中押し (*chūoshi*), a win before counting.
        Some('C' | 'G' | 'E' | 'R') => Margin::Resignation,
        Some('T') => Margin::Time,
        Some('F') => Margin::Forfeit,
        Some(_) => match margin.split(',').next().map(str::parse::<f32>) {
            Some(Ok(0.0)) => Margin::Unknown,
            Some(Ok(points)) if (0.0..=1000.0).contains(&points) => Margin::Points(points),
            _ => return None,
        },
    };
    Some(GameResult::Win(winner, margin))
}

fn read_moves(draft: &mut RecordDraft, sections: &Sections) -> Result<(), Rejection> {
    let number = |line: &SourceLine| line.text.split(',').nth(2)?.trim().parse::<u32>().ok();
    // Stones set up before the game have number 0, unless no move is numbered.
    let is_numbered = sections.data.iter().any(|line| number(line).is_some_and(|n| n > 0));
    let rows = sections.rows();
    for &line in &sections.data {
        let text = line.text.trim();
        let place = line.place(text);
        let is_setup = is_numbered && number(&line) == Some(0);
        match read_entry(text, draft, rows) {
            UgfEntry::Stone(color, point) if is_setup && draft.record.moves.is_empty() => {
                set_up(draft, place, color, point);
            }
            UgfEntry::Stone(..) if is_setup => {
                let number = u16::try_from(draft.record.moves.len() + 1).unwrap_or(u16::MAX);
                draft.forgive(place, WarningKind::CutAtSetup { number });
                break;
            }
            UgfEntry::Stone(color, point) => draft.play(place, color, point)?,
            UgfEntry::Damaged => draft.refuse_move(line)?,
            UgfEntry::Other => draft.forgive(place, WarningKind::StrayText),
        }
    }
    Ok(())
}

/// What a line of the moves' section is.
enum UgfEntry {
    /// A stone, or a pass without a point.
    Stone(Color, Option<Point>),
    /// Half of a stone.
    Damaged,
    /// No stone at all.
    Other,
}

/// Reads `QP,B1,1,0`.
fn read_entry(text: &str, draft: &RecordDraft, rows: UgfRows) -> UgfEntry {
    if text.starts_with('.') {
        return UgfEntry::Other;
    }
    let mut fields = text.split(',').map(|field| field.trim().as_bytes());
    let (letters, player) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
    let target = read_target(letters, draft.record.size, rows);
    let color = match player {
        [b'B' | b'b', ..] => Some(Color::Black),
        [b'W' | b'w', ..] => Some(Color::White),
        // Seen with a pass: `YZ,MK,278,0`.
        [b'M', b'K'] if target == Some(None) => Some(draft.to_move()),
        _ => None,
    };
    match (target, color) {
        (Some(point), Some(color)) => UgfEntry::Stone(color, point),
        (None, None) if letters.len() != 2 => UgfEntry::Other,
        _ => UgfEntry::Damaged,
    }
}

/// Reads the two letters of a point, or of a pass without a point.
fn read_target(letters: &[u8], size: BoardSize, rows: UgfRows) -> Option<Option<Point>> {
    let &[x, y] = letters else { return None };
    let line = |letter: u8| letter.to_ascii_uppercase().checked_sub(b'A').filter(|&n| n < 26);
    let (x, y) = (line(x)?, line(y)?);
    if x < size.get() && y < size.get() {
        return Some(Some(match rows {
            UgfRows::FromTop => Point::new(x, y),
            UgfRows::FromBelow => Point::new(x, size.get() - 1 - y),
        }));
    }
    // A pass is written YA; YR, YS, YZ, ZZ and TT occur as well.
    let (t, y_letter) = (b'T' - b'A', b'Y' - b'A');
    let is_pass = x >= size.get() && (x >= y_letter || (x, y) == (t, t));
    is_pass.then_some(None)
}

fn set_up(draft: &mut RecordDraft, place: Place, color: Color, point: Option<Point>) {
    let record = &mut draft.record;
    match (point, color) {
        (None, _) => draft.forgive(place, WarningKind::SetupOffBoard),
        (Some(point), _) if record.setup_black.contains(&point) || record.setup_white.contains(&point) => {
            draft.forgive(place, WarningKind::StrayText);
        }
        (Some(point), Color::Black) => record.setup_black.push(point),
        (Some(point), Color::White) => record.setup_white.push(point),
    }
}

/// Sees to the handicap stones, if they were not set up.
fn put_handicap(draft: &mut RecordDraft, sections: &Sections) {
    let record = &mut draft.record;
    let n_stones = usize::from(record.header.handicap);
    if n_stones == 0 || !record.setup_black.is_empty() {
        return;
    }
    // They may be among the moves, with Black moving several times.
    let stones = record.moves.iter().take(n_stones).filter(|m| m.color == Color::Black);
    let points: BTreeSet<Point> = stones.filter_map(|m| m.point).collect();
    if points.len() == n_stones {
        record.setup_black = points.into_iter().collect();
        record.moves.drain(..n_stones);
    } else if record.moves.first().is_some_and(|m| m.color == Color::White) {
        record.setup_black = record.size.handicap_points(record.header.handicap);
        let stones = record.header.handicap;
        if let Some((place, _)) = sections.find("Hdcp") {
            draft.forgive(place, WarningKind::HandicapWithoutStones { stones });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::go::gib::tests::summary;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert!(is_ugf(text));
        assert_eq!(summary(parse_ugf(text)), expected);
    }

    const HEADER: &str = "[Header]
Ver=UGF3,200
Lang=SJIS
Crypt=0,PLAIN_UGF_FILE,READ_WRITE
Title=第3期,村杯,第2局
Place=Village Hall, Ruritania
Date=2021/05/03,19:02:00,2021/05/04,00:00:00
Rule=JPN
Size=19
Hdcp=0,6.50
Winner=W,C
Moves=3
CoordinateType=IGS
Comment=
PlayerB=boris,3d,,boris@example.org
PlayerW=wendy,4d?,,
";
    const NAMES: &str = "boris|3d|wendy|4d?|第3期 村杯|第2局|Village Hall, Ruritania|Japanese|2021-05-03";

    #[test]
    fn an_even_game_with_a_pass() {
        let text = format!(
            "{HEADER}[Data]\nPQ,B1,1,0\nDE,W1,2,0 '00:00:31\nYA,B1,3,0\n\
             [ReviewNode]\nNODE,1,0,0,0\n  VARIATION,\n[ReviewComment]\n.Comment,1\n hello\n"
        );
        let expected = format!("{NAMES}|6.5|19 0 W+R\nBpc Wdo B--\n");
        check(&text, &expected);
        check(&text.replace('\n', "\r\n"), &expected);
        check(&text.replace('\n', "\r"), &expected);
        check(&format!("# saved by hand\n\n{text}"), &expected);
        check(&text.replace("=IGS", "=JPN"), &expected.replace("Bpc Wdo", "Bpq Wde"));
        check(&text.replace("YA,B1", "YZ,MK"), &expected);
        check(&text.replace("PQ,B1,1", "pq,b1,0").replace(",2,", ",0,").replace(",3,", ",0,"), &expected);
    }

    #[test]
    fn handicap_stones_are_set_up_or_played_or_missing() {
        let header = HEADER.replace("Hdcp=0,6.50", "Hdcp=2,0.50").replace("Moves=3", "Moves=0");
        let expected = format!("{NAMES}|0.5|19 2 W+R\n+Bpd +Bdp Wdd\n");
        check(&format!("{header}[Data]\nPP,B1,0,0\nDD,B1,0,0\nDP,W1,1,0\n"), &expected);
        let twice = format!("{header}[Data]\nPP,B1,0,0\nDD,B1,0,0\nPP,W1,0,0\nDP,W1,1,0\n");
        check(&twice, &format!("{expected}20:1 text that is not a property"));
        check(&format!("{header}[Data]\nDD,B1,1,0\nPP,B1,2,0\nDP,W1,3,0\n"), &expected);
        let warning = "10:6 handicap 2 without stones: put on the star points";
        check(&format!("{header}[Data]\nDP,W1,1,0\n"), &format!("{expected}{warning}"));
    }

    #[test]
    fn winners_are_letters() {
        for (written, expected) in [
            ("B,7.50", "B+7.5"),
            ("B,C", "B+R"),
            ("W,T", "W+T"),
            ("B,F2", "B+F"),
            ("W,", "W+"),
            ("B,0.00", "B+"),
            ("D,", "0"),
            ("N1,E", "Void"),
            ("A,", "?"),
            ("", "?"),
        ] {
            let text = format!("[Header]\nWinner={written}\n[Data]\nAB,B1,1,0\n");
            check(&text, &format!("-|-|-|-|-|-|-|-|-|-|19 0 {expected}\nBab\n"));
        }
    }

    #[test]
    fn pairs_and_small_boards() {
        let text = "[Header]\nSize=9\nPlayerB=ann,1k\nPlayerB2=bob,2k\nRule=CHN\nHdcp=0,375\n\
                    Date=//,,2020/01/02,\n[Data]\nEE,B1,1\nZZ,W2,2\n";
        let warning = "6:6 komi 375 read as 7.5";
        let header = "ann & bob|-|-|-|-|-|-|Chinese|2020-01-02|7.5|9 0 ?";
        check(text, &format!("{header}\nBee W--\n{warning}"));
    }

    #[test]
    fn small_faults_are_forgiven_and_reported() {
        let text = "[Header]\nstray\nHdcp=x,y\nDate=May\nWinner=Q\nMoves=9\n[Data]\nYA,B1,0,0\n\
                    AA,B1,1,0\n .Text,0,999,buy\nhello\nBB,W1,0,0\nCC,B1,2,0\n[End]\nmore\nand more\n";
        check(
            text,
            "-|-|-|-|-|-|-|-|-|-|19 0 ?\nBaa\n\
             2:1 text that is not a property; 3:6 unreadable handicap; \
             3:6 unreadable komi; 4:6 unreadable date; \
             5:8 unreadable result; 8:1 setup stone off the board; \
             10:2 text that is not a property; 11:1 text that is not a property; \
             12:1 cut at move 2: stones set up in mid-game; 15:1 text outside of any game; \
             17:1 the file ends before the game does",
        );
        let torn = "[Header]\n[Data]\nAA,B1,1,0\nBB,";
        let warning = "4:1 the file ends before the game does";
        check(torn, &format!("-|-|-|-|-|-|-|-|-|-|19 0 ?\nBaa\n{warning}"));
        let two = "[Header]\n[Data]\nAA,B1,1,0\n[Header]\n[Data]\nBB,B1,1,0\n";
        check(two, "-|-|-|-|-|-|-|-|-|-|19 0 ?\nBaa\n4:1 text outside of any game");
    }

    #[test]
    fn what_can_not_be_read_refuses_the_record() {
        for bad in ["BX,W1,2,0", "B?,W1,2,0", "BB,Q1,2,0", "BB", "BBB,W1,2,0"] {
            let text = format!("[Header]\n[Data]\nAA,B1,1,0\n{bad}\nCC,B1,3,0\n");
            check(&text, "4:1: move 2 is not a point on the board");
        }
        let refused = |header: &str| summary(parse_ugf(&format!("[Header]\n{header}\n[Data]\nAA,B1,1,0\n")));
        assert_eq!(refused("Size=two"), "2:6: board size is not a number from 5 to 25");
        assert_eq!(refused("Crypt=9,SECRET,READ"), "2:7: the record is encrypted");
        check("[Header]\nSize=19", "2:8: no moves");
        assert!(!is_ugf("(;GM[1])") && !is_ugf("") && !is_ugf("[Data]\n"));
    }
}
