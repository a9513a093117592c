//! Records of the Tygem server (`.gib`), and what line-by-line readers share.
//!
//! The format was never published; this reads what its files show.
//!
//! ```text
//! \HS
//! \[GAMEBLACKNAME=Ann (3D)\]
//! \[GAMEINFOMAIN=GRLT:3,ZIPSU:0,DUM:0,GONGJE:65,TCNT:2\]
//! \HE
//! \GS
//! INI 0 1 0 &4          handicap is the third number
//! STO 0 2 1 15 3        move, number, color, column, row from the top
//! SKI 0 3               a pass
//! \GE
//! ```

use crate::go::{BoardSize, Color, Point};
use crate::header::{Date, GameResult, Margin, RuleSet, repair_komi};
use crate::records::{GameRecord, Move, Place, Rejection, RejectionKind, Warning, WarningKind};

/// A line of a text.
#[derive(Clone, Copy)]
pub(crate) struct SourceLine<'a> {
    /// The line without its end.
    pub(crate) text: &'a str,
    number: u32,
    is_cut: bool,
}

impl SourceLine<'_> {
    /// The place of a part of this line.
    pub(crate) fn place(self, part: &str) -> Place {
        let offset = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let n_before = self.text.get(..offset).map_or(0, |before| before.chars().count());
        Place { line: self.number, column: u32::try_from(n_before).map_or(u32::MAX, |n| n + 1) }
    }
}

/// The lines of a text, ended by `\n`, `\r\n` or, in old files, `\r`.
pub(crate) fn lines(text: &str) -> Vec<SourceLine<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let end = if text.contains('\n') { '\n' } else { '\r' };
    let line = |(i, text)| SourceLine {
        text,
        number: u32::try_from(i).map_or(u32::MAX, |i: u32| i.saturating_add(1)),
        is_cut: false,
    };
    let mut lines: Vec<SourceLine> = text.split(end).enumerate().map(line).collect();
    if let Some(last) = lines.last_mut() {
        last.is_cut = true;
    }
    lines
}

/// A record while it is read.
pub(crate) struct RecordDraft {
    /// What is known so far.
    pub(crate) record: GameRecord,
}

impl RecordDraft {
    pub(crate) fn new(size: BoardSize) -> RecordDraft {
        RecordDraft { record: GameRecord::new(size) }
    }

    pub(crate) fn forgive(&mut self, place: Place, what: WarningKind) {
        self.record.warnings.push(Warning { place, what });
    }

    /// Adds a move; `None` is a pass.
    pub(crate) fn play(&mut self, place: Place, color: Color, point: Option<Point>) -> Result<(), Rejection> {
        if self.record.moves.len() >= usize::from(u16::MAX) {
            return Err(Rejection { place, why: RejectionKind::TooLong });
        }
        self.record.moves.push(Move { color, point });
        Ok(())
    }

    /// Refuses the record for a line that should be a move; at a torn end only warns about it.
    pub(crate) fn refuse_move(&mut self, line: SourceLine) -> Result<(), Rejection> {
        let place = line.place(line.text.trim_start());
        if line.is_cut {
            self.forgive(place, WarningKind::CutShort);
            return Ok(());
        }
        let number = u16::try_from(self.record.moves.len() + 1).unwrap_or(u16::MAX);
        Err(Rejection { place, why: RejectionKind::UnreadableMove { number } })
    }

    /// The side that did not move last.
    pub(crate) fn to_move(&self) -> Color {
        match self.record.moves.last() {
            Some(last) => last.color.opponent(),
            None if self.record.header.handicap > 0 => Color::White,
            None => Color::Black,
        }
    }

    /// Takes over a handicap, a number as written.
    pub(crate) fn read_handicap(&mut self, place: Place, written: &str) {
        match written.parse::<u8>() {
            // One stone is a game without komi, not a stone on the board.
            Ok(0 | 1) => self.record.header.handicap = 0,
            Ok(stones) if !self.record.size.handicap_points(stones).is_empty() => {
                self.record.header.handicap = stones;
            }
            _ => self.forgive(place, WarningKind::UnreadableHandicap),
        }
    }

    /// Puts handicap stones where the Korean servers do, who do not write them down.
    pub(crate) fn put_korean_handicap(&mut self) {
        let stones = self.record.header.handicap;
        let mut points = self.record.size.handicap_points(stones);
        // The third stone goes to the upper left there, but not in all files:
        // the one of the two corners that is played on was empty.
        if let ([_, _, third], [.., upper_left]) =
            (points.as_mut_slice(), self.record.size.handicap_points(4).as_slice())
        {
            let mut played = self.record.moves.iter().filter_map(|m| m.point);
            let first = played.find(|p| p == third || p == upper_left);
            if first != Some(*upper_left) {
                *third = *upper_left;
            }
        }
        self.record.setup_black = points;
    }

    /// The record, if there are moves; `lines` is its whole text.
    pub(crate) fn finish(mut self, lines: &[SourceLine]) -> Result<GameRecord, Rejection> {
        if self.record.moves.is_empty() {
            return Err(Rejection { place: end(lines), why: RejectionKind::NoMoves });
        }
        let warnings = &mut self.record.warnings;
        warnings.sort_by_key(|warning| warning.place);
        warnings.dedup_by(|a, b| a.what == WarningKind::CutShort && b.what == a.what);
        Ok(self.record)
    }
}

/// The place after a text.
pub(crate) fn end(lines: &[SourceLine]) -> Place {
    lines.last().map_or(Place { line: 1, column: 1 }, |last| last.place(&last.text[last.text.len()..]))
}

/// A header's text, if there is any.
pub(crate) fn filled(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Whether the text looks like Tygem's format.
pub(crate) fn is_gib(text: &str) -> bool {
    let start = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let is_field = |start: &str| {
        let after = start.trim_start_matches(|c: char| c.is_ascii_uppercase());
        after.len() < start.len() && after.starts_with('=')
    };
    start.starts_with(r"\HS") || start.starts_with(r"\GS") || start.strip_prefix(r"\[").is_some_and(is_field)
}

/// Reads a Tygem record.
///
/// # Errors
/// If a move can't be read, or there is none.
pub(crate) fn parse_gib(text: &str) -> Result<GameRecord, Rejection> {
    let lines = lines(text);
    let mut draft = RecordDraft::new(BoardSize::NINETEEN);
    let mut fields = Vec::new();
    let mut is_open = false;
    let mut is_over = false;
    for &line in &lines {
        let text = line.text.trim();
        match text {
            "" => continue,
            _ if is_over => {
                draft.forgive(line.place(text), WarningKind::TextOutside);
                break;
            }
            r"\GE" => is_over = true,
            r"\HS" | r"\HE" | r"\GS" => is_open = false,
            _ if text.starts_with(r"\[") => is_open = read_fields(&mut draft, &mut fields, line),
            // A time limit may continue on the next line; nothing in it is needed.
            _ if is_open => is_open = false,
            _ => read_game_line(&mut draft, line)?,
        }
    }
    if !is_over {
        draft.forgive(end(&lines), WarningKind::CutShort);
    }
    draft.put_korean_handicap();
    read_header(&mut draft, &fields);
    draft.finish(&lines)
}

/// The text between `\[` and `\]`.
struct GibField<'a> {
    line: SourceLine<'a>,
    key: &'a str,
    value: &'a str,
}

impl<'a> GibField<'a> {
    fn place(&self) -> Place {
        self.line.place(self.value)
    }

    /// A value within the value, as `65` of `GONGJE:` in `DUM:0,GONGJE:65`.
    fn part(&self, name: &str) -> Option<&'a str> {
        self.value.split(',').find_map(|part| part.trim().strip_prefix(name))
    }
}

/// Reads the fields of a line; returns whether the last one is still open.
fn read_fields<'a>(draft: &mut RecordDraft, fields: &mut Vec<GibField<'a>>, line: SourceLine<'a>) -> bool {
    let mut rest = line.text.trim();
    while let Some(inner) = rest.strip_prefix(r"\[") {
        let (field, after) = inner.split_once(r"\]").unwrap_or((inner, ""));
        let Some((key, value)) = field.split_once('=') else {
            draft.forgive(line.place(rest), WarningKind::NoValue);
            return false;
        };
        fields.push(GibField { line, key: key.trim(), value: value.trim() });
        if !inner.contains(r"\]") {
            draft.forgive(line.place(rest), WarningKind::OpenValue);
            return true;
        }
        rest = after.trim_start();
    }
    if !rest.is_empty() {
        draft.forgive(line.place(rest), WarningKind::StrayText);
    }
    false
}

fn read_game_line(draft: &mut RecordDraft, line: SourceLine) -> Result<(), Rejection> {
    let words: Vec<&str> = line.text.split_whitespace().collect();
    let place = line.place(words[0]);
    let is_number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
    match (words[0].to_ascii_uppercase().as_str(), words.as_slice()) {
        ("STO", [_, _, _, color, x, y, rest @ ..]) => {
            let (Some(color), Some(point)) = (read_color(color), read_point(x, y)) else {
                return draft.refuse_move(line);
            };
            if let Some(stray) = rest.first() {
                draft.forgive(line.place(stray), WarningKind::StrayText);
            }
            draft.play(place, color, Some(point))
        }
        ("STO", _) => draft.refuse_move(line),
        // Most files do not say who passes.
        ("SKI", words) => {
            let color = words.get(3).and_then(|word| read_color(word));
            let color = color.unwrap_or_else(|| draft.to_move());
            draft.play(place, color, None)
        }
        ("INI", [_, _, _, handicap, ..]) if draft.record.moves.is_empty() => {
            // `&4` may follow without a space.
            let digits = handicap.split('&').next().unwrap_or(handicap);
            draft.read_handicap(line.place(handicap), digits);
            Ok(())
        }
        // Two lines of counts precede `INI`.
        (first, _) if is_number(&first) && draft.record.moves.is_empty() => Ok(()),
        // A damaged `STO`.
        (_, [_, numbers @ ..]) if numbers.len() >= 5 && numbers.iter().all(is_number) => draft.refuse_move(line),
        _ => {
            draft.forgive(place, WarningKind::StrayText);
            Ok(())
        }
    }
}

fn read_color(word: &str) -> Option<Color> {
    match word {
        "1" => Some(Color::Black),
        "2" => Some(Color::White),
        _ => None,
    }
}

fn read_point(x: &str, y: &str) -> Option<Point> {
    let line = |word: &str| word.parse::<u8>().ok().filter(|&n| n < BoardSize::NINETEEN.get());
    Some(Point::new(line(x)?, line(y)?))
}

fn read_header(draft: &mut RecordDraft, fields: &[GibField]) {
    let find = |key: &str| fields.iter().find(|f| f.key.eq_ignore_ascii_case(key) && !f.value.is_empty());
    let text = |key: &str| find(key).and_then(|field| filled(field.value));
    let player = |name: &str, info: &str, side: char| {
        let name = find(name).map(|field| split_player(field.value));
        name.or_else(|| find(info).map(|field| listed_player(field, side))).unwrap_or_default()
    };
    let header = &mut draft.record.header;
    (header.black, header.black_rank) = player("GAMEBLACKNAME", "BUSERINFO", 'B');
    (header.white, header.white_rank) = player("GAMEWHITENAME", "WUSERINFO", 'W');
    header.event = text("GAMENAME");
    header.place = text("GAMEPLACE");

    let (main, tag) = (find("GAMEINFOMAIN"), find("GAMETAG"));
    read_komi(draft, main, tag, find("GAMEGONGJE"));
    read_date(draft, tag, find("GAMEDATE"));
    read_result(draft, main, tag, find("GAMERESULT"));
}

/// Splits `Ann (3D)` into name and rank.
fn split_player(written: &str) -> (Option<String>, Option<String>) {
    match written.strip_suffix(')').and_then(|inner| inner.rsplit_once('(')) {
        Some((name, rank)) => (filled(name), filled(rank)),
        None => (filled(written), None),
    }
}

/// Name and rank in `BID:ann,BLV:20`.
fn listed_player(field: &GibField, side: char) -> (Option<String>, Option<String>) {
    let part = |name: &str| field.part(&format!("{side}{name}:"));
    // Levels run from 18k at 0 over 1d at 18 to 9d at 26, and on with 1p.
    let rank = match part("LV").and_then(|level| level.parse::<u8>().ok()) {
        Some(level @ 0..18) => Some(format!("{}k", 18 - level)),
        Some(level @ 18..27) => Some(format!("{}d", level - 17)),
        Some(level @ 27..36) => Some(format!("{}p", level - 26)),
        _ => None,
    };
    (part("ID").or_else(|| part("NICK")).and_then(filled), rank)
}

fn read_komi(draft: &mut RecordDraft, main: Option<&GibField>, tag: Option<&GibField>, own: Option<&GibField>) {
    let written = [(main, "GONGJE:"), (own, ""), (tag, "G")]
        .into_iter()
        .find_map(|(field, name)| field.and_then(|f| Some((f.place(), f.part(name)?))));
    let Some((place, written)) = written else {
        return;
    };
    // Who gives these points to whom is said only in words, in many languages.
    let has_dum = main.and_then(|f| f.part("DUM:")).is_some_and(|dum| dum != "0");
    let Some(tenths) = written.parse::<u16>().ok().filter(|&t| t != 0 || !has_dum) else {
        return draft.forgive(place, WarningKind::UnreadableKomi);
    };
    let mut komi = f32::from(tenths) / 10.0;
    if komi > 25.0 {
        let written = f32::from(tenths);
        komi = repair_komi(written, RuleSet::Other);
        draft.forgive(place, WarningKind::Komi { written, komi });
    }
    draft.record.header.komi = Some(komi);
}

fn read_date(draft: &mut RecordDraft, tag: Option<&GibField>, own: Option<&GibField>) {
    let tagged = tag.and_then(|f| f.part("C")).and_then(|c| Date::parse(&c.replace(':', "-")));
    draft.record.header.date = tagged.or_else(|| own.and_then(|f| Date::parse(f.value)));
    if let (None, Some(own)) = (draft.record.header.date, own) {
        draft.forgive(own.place(), WarningKind::UnreadableDate);
    }
}

fn read_result(draft: &mut RecordDraft, main: Option<&GibField>, tag: Option<&GibField>, own: Option<&GibField>) {
    let coded = |field: Option<&GibField>, code, points| {
        let field = field?;
        coded_result(field.part(code)?, field.part(points))
    };
    let result = coded(main, "GRLT:", "ZIPSU:")
        .or_else(|| coded(tag, "W", "Z"))
        .or_else(|| own.and_then(|f| GameResult::parse(f.value)));
    draft.record.header.result = result.unwrap_or_default();
    if let (None, Some(field)) = (result, own.or(main)) {
        draft.forgive(field.place(), WarningKind::UnreadableResult);
    }
}

/// What a result's number means, with the margin in tenths of points.
fn coded_result(code: &str, tenths: Option<&str>) -> Option<GameResult> {
    use Color::{Black, White};
    let counted = |winner| match tenths.map(str::parse::<u16>) {
        Some(Ok(0)) => GameResult::Draw,
        Some(Ok(tenths)) => GameResult::Win(winner, Margin::Points(f32::from(tenths) / 10.0)),
        _ => GameResult::Win(winner, Margin::Unknown),
    };
    match code {
        "0" => Some(counted(Black)),
        "1" => Some(counted(White)),
        "3" => Some(GameResult::Win(Black, Margin::Resignation)),
        "4" => Some(GameResult::Win(White, Margin::Resignation)),
        "7" => Some(GameResult::Win(Black, Margin::Time)),
        "8" => Some(GameResult::Win(White, Margin::Time)),
        "255" => Some(GameResult::Unknown),
        _ => None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// What was read, in three parts: header, stones and moves, warnings.
    pub(crate) fn summary(read: Result<GameRecord, Rejection>) -> String {
        let record = match read {
            Ok(record) => record,
            Err(error) => return error.to_string(),
        };
        let h = &record.header;
        let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let mut parts = [&h.black, &h.black_rank, &h.white, &h.white_rank, &h.event, &h.round, &h.place, &h.rules]
            .map(or_dash)
            .to_vec();
        parts.push(h.date.map_or_else(|| "-".to_owned(), |date| date.to_string()));
        parts.push(h.komi.map_or_else(|| "-".to_owned(), |komi| komi.to_string()));
        parts.push(format!("{} {} {}", record.size, h.handicap, h.result));
        let mut stones: Vec<String> = record.setup_black.iter().map(|point| format!("+B{point:?}")).collect();
        stones.extend(record.setup_white.iter().map(|point| format!("+W{point:?}")));
        stones.extend(record.moves.iter().map(|m| {
            let point = m.point.map_or_else(|| "--".to_owned(), |point| format!("{point:?}"));
            format!("{}{point}", m.color.letter())
        }));
        let warnings: Vec<String> =
            record.warnings.iter().map(|warning| format!("{} {}", warning.place, warning.what)).collect();
        format!("{}\n{}\n{}", parts.join("|"), stones.join(" "), warnings.join("; "))
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert!(is_gib(text));
        assert_eq!(summary(parse_gib(text)), expected);
    }

    const HEADER: &str = r"\HS
\[GIBOKIND=Global\]
\[GAMETIME=Time limit 20minute : 30 second countdown 3 time\]
\[GAMENAME=Club evening\]
\[GAMEDATE=2021- 5- 3-19- 2-11\]
\[GAMEPLACE=Tygem Baduk\]
\[GAMEWHITENAME=wendy (4D)\]
\[GAMEBLACKNAME=boris(3段)\]
\[GAMEINFOMAIN=GBKIND:3,GTYPE:0,GCDT:0,GTIME:1200-30-3,GRLT:4,ZIPSU:0,DUM:0,GONGJE:65,TCNT:4,AUSZ:0\]
\[GAMETAG=S0,R0,D0,G65,W4,Z0,T30-3-1200,		C2021:05:03:19:02,I:wendy,L:21,M:boris,N:20,J:0,K:0\]
\HE
\GS
2 1 0
5 0 &4
";
    const NAMES: &str = "boris|3段|wendy|4D|Club evening|-|Tygem Baduk|-|2021-05-03";

    #[test]
    fn an_even_game_with_passes() {
        let game = format!("{HEADER}INI 0 1 0&4 \nSTO 0 2 1 15 3 \nSTO 0 3 2 3 15 \nSKI 0 4\nSKI 0 5 2\n\\GE\n");
        let expected = format!("{NAMES}|6.5|19 0 W+R\nBpd Wdp B-- W--\n");
        check(&game, &expected);
        check(&game.replace('\n', "\r\n"), &expected);
        check(&game.replace('\n', "\r"), &expected);
        check(&format!("\u{feff}\n{game}"), &expected);
    }

    #[test]
    fn the_third_handicap_stone_stands_where_nobody_plays() {
        let game = |first: &str| format!("{HEADER}INI 0 1 3 &4\nSTO 0 2 2 {first}\n\\GE\n");
        let expected = |stones: &str| format!("{NAMES}|6.5|19 3 W+R\n{stones}\n");
        check(&game("15 15"), &expected("+Bpd +Bdp +Bdd Wpp"));
        check(&game("3 3"), &expected("+Bpd +Bdp +Bpp Wdd"));
        check(&game("9 9"), &expected("+Bpd +Bdp +Bdd Wjj"));
        let game = game("9 9").replace("INI 0 1 3", "INI 0 1 5");
        check(&game, &expected("+Bpd +Bdp +Bpp +Bdd +Bjj Wjj").replace("19 3", "19 5"));
    }

    #[test]
    fn results_are_numbers_or_words() {
        for (field, expected) in [
            (r"\[GAMEINFOMAIN=GRLT:0,ZIPSU:25\]", "B+2.5"),
            (r"\[GAMEINFOMAIN=GRLT:1,ZIPSU:110,\]", "W+11"),
            (r"\[GAMEINFOMAIN=GRLT:3,ZIPSU:0\]", "B+R"),
            (r"\[GAMEINFOMAIN=GRLT:0,ZIPSU:0\]", "0"),
            (r"\[GAMEINFOMAIN=GRLT:255\]", "?"),
            (r"\[GAMETAG=S0,W7,Z0\]", "B+T"),
            (r"\[GAMETAG=S0,W8,Z0\]", "W+T"),
            (r"\[GAMETAG=S0,W1\]", "W+"),
            (r"\[GAMERESULT=白11目胜\]", "W+11"),
            (r"\[GAMERESULT=흑 불계승\]", "B+R"),
        ] {
            let game = format!("{field}\nSTO 0 2 1 0 18\n\\GE");
            check(&game, &format!("-|-|-|-|-|-|-|-|-|-|19 0 {expected}\nBas\n"));
        }
    }

    #[test]
    fn players_and_komi_are_found_in_other_fields() {
        let game = r"\[BUSERINFO=BID:boris,BLV:8,BNICK:b\]
\[WUSERINFO=WNICK:wendy,WLV:27\]
\[GAMEGONGJE=5\]
\[GAMEDATE=2012年11月22日 下午 6:3\]
STO 0 2 1 0 0
\GE";
        check(game, "boris|10k|wendy|1p|-|-|-|-|2012-11-22|0.5|19 0 ?\nBaa\n");
    }

    #[test]
    fn small_faults_are_forgiven_and_reported() {
        let game = r"\HS
\[GAMETIME=20 minutes,
 30 seconds\]
\[GAMEDATE=someday\]
\[GAMEINFOMAIN=GRLT:9,DUM:5,GONGJE:0\] rest
\[GAMEX\]
stray
INI 0 1 12 &4
STO 0 2 1 3 3 x
REM 0 3
\GE

trailing
garbage";
        check(
            game,
            "-|-|-|-|-|-|-|-|-|-|19 0 ?\nBdd\n\
             2:1 value without its ']'; 4:12 unreadable date; \
             5:16 unreadable komi; 5:16 unreadable result; \
             5:40 text that is not a property; 6:1 property without a value; \
             7:1 text that is not a property; 8:9 unreadable handicap; \
             9:15 text that is not a property; 10:1 text that is not a property; \
             13:1 text outside of any game",
        );
        let game = "\\HS\n\\[GAMEGONGJE=650\\]\nSTO 0 2 1 3 3\n\\GE";
        check(game, "-|-|-|-|-|-|-|-|-|6.5|19 0 ?\nBdd\n2:14 komi 650 read as 6.5");
    }

    #[test]
    fn a_torn_end_is_forgiven() {
        let expected = "-|-|-|-|-|-|-|-|-|-|19 0 ?\nBdd\n";
        let warning = "the file ends before the game does";
        check("\\GS\nSTO 0 2 1 3 3\nSTO 0 3 2 1", &format!("{expected}3:1 {warning}"));
        check("\\GS\nSTO 0 2 1 3 3\n", &format!("{expected}3:1 {warning}"));
    }

    #[test]
    fn unreadable_moves_refuse_the_record() {
        for bad in ["STO 0 3 2 19 3", "STO 0 3 3 1 1", "STO 0 3", "ST0 0 3 2 1 1", "sto 0 3 2 -1 1"] {
            check(&format!("\\GS\nSTO 0 2 1 3 3\n  {bad}\nSTO 0 4 1 4 4\n"), "3:3: move 2 is not a point on the board");
        }
        check("\\HS\n\\HE\n", "3:1: no moves");
        assert!(!is_gib("(;GM[1])") && !is_gib("") && !is_gib(r"\[x^2\]"));
        assert_eq!(summary(parse_gib("")), "1:1: no moves");
    }
}
