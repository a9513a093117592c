//! Records of the wBaduk and CyberOro server (`.ngf`).
//!
//! A dozen lines whose meaning is their order, then a line per move. An older
//! kind puts `GI` before each header line and has another order.
//!
//! ```text
//! Rated game                 kind of game
//! 19                         lines of the board
//! wendy       7D*            White, then Black on the next line
//! ...
//! PMABBQDDQ                  PM, number, color, column, row, row, column
//! ```

use crate::go::{BoardSize, Color, Point};
use crate::header::{Date, GameResult, Rank, RuleSet, repair_komi};
use crate::records::go::gib::{RecordDraft, SourceLine, end, filled, lines};
use crate::records::{GameRecord, Place, Rejection, RejectionKind, WarningKind};

/// The maximum number of lines before the first move.
const MAX_HEADER: usize = 20;

/// The header's lines, counted from the line with the size.
struct Layout {
    prefix: &'static str,
    event: isize,
    white: isize,
    black: isize,
    place: Option<isize>,
    handicap: isize,
    komi: isize,
    date: isize,
    result: Option<isize>,
    n_moves: isize,
}

const PLAIN: Layout = Layout {
    prefix: "",
    event: -1,
    white: 1,
    black: 2,
    place: Some(3),
    handicap: 4,
    komi: 6,
    date: 7,
    result: Some(9),
    n_moves: 10,
};

const WITH_PREFIX: Layout = Layout {
    prefix: "GI",
    event: -6,
    white: -5,
    black: -4,
    place: None,
    handicap: 1,
    komi: 3,
    date: -1,
    result: None,
    n_moves: 4,
};

/// Whether the text looks like wBaduk's format: a move within the first lines.
pub(crate) fn is_ngf(text: &str) -> bool {
    text.split(['\r', '\n']).take(2 * MAX_HEADER).any(is_move)
}

fn is_move(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("");
    matches!(word.as_bytes(), [b'P', b'M', letters @ ..]
        if (5..8).contains(&letters.len())
            && letters.iter().all(u8::is_ascii_uppercase)
            && matches!(letters[2], b'B' | b'W'))
}

/// Reads a wBaduk record.
///
/// # Errors
/// If the board can't be played on, a move can't be read, or there is none.
pub(crate) fn parse_ngf(text: &str) -> Result<GameRecord, Rejection> {
    let lines = lines(text);
    let n_header = lines.iter().position(|line| is_move(line.text));
    let (header, body) = lines.split_at(n_header.unwrap_or(lines.len()));
    let mut draft = RecordDraft::new(BoardSize::NINETEEN);
    let mut announced = 0;
    match NgfHeader::find(header) {
        Some(rows) => announced = read_header(&mut draft, &rows)?,
        None => draft.forgive(Place { line: 1, column: 1 }, WarningKind::NoValue),
    }
    for &line in body {
        read_line(&mut draft, line)?;
    }
    // Passes are not counted there, and some files count one too many.
    if draft.record.moves.len() + 1 < announced {
        draft.forgive(end(&lines), WarningKind::CutShort);
    }
    draft.put_korean_handicap();
    draft.finish(&lines)
}

/// The header's lines, found by the one with the size.
struct NgfHeader<'a> {
    lines: &'a [SourceLine<'a>],
    layout: Layout,
    size_at: usize,
}

impl<'a> NgfHeader<'a> {
    fn find(lines: &'a [SourceLine<'a>]) -> Option<NgfHeader<'a>> {
        let lines = &lines[..lines.len().min(MAX_HEADER)];
        let n_prefixed = lines.iter().filter(|line| line.text.starts_with("GI")).count();
        let layout = if n_prefixed > 1 { WITH_PREFIX } else { PLAIN };
        let mut rows = NgfHeader { lines, layout, size_at: 0 };
        rows.size_at = lines.iter().position(|line| rows.text(line).parse::<u8>().is_ok())?;
        Some(rows)
    }

    fn text(&self, line: &SourceLine<'a>) -> &'a str {
        let text = line.text.trim();
        text.strip_prefix(self.layout.prefix).unwrap_or(text).trim()
    }

    /// The text of the n-th line after the size, and its place.
    fn at(&self, offset: isize) -> Option<(Place, &'a str)> {
        let line = self.size_at.checked_add_signed(offset).and_then(|i| self.lines.get(i))?;
        let text = self.text(line);
        (!text.is_empty()).then(|| (line.place(text), text))
    }

    fn filled(&self, offset: isize) -> Option<String> {
        self.at(offset).and_then(|(_, text)| filled(text))
    }
}

/// Reads the lines before the moves; gives the number of moves they announce.
fn read_header(draft: &mut RecordDraft, rows: &NgfHeader) -> Result<usize, Rejection> {
    let layout = &rows.layout;
    if let Some((place, text)) = rows.at(0) {
        let size = text.parse::<u8>().ok().filter(|&n| n >= 5);
        draft.record.size =
            size.and_then(|n| BoardSize::new(n).ok()).ok_or(Rejection { place, why: RejectionKind::BadSize })?;
    }
    let player = |offset| rows.at(offset).map(|(_, text)| split_player(text)).unwrap_or_default();
    let header = &mut draft.record.header;
    header.event = rows.filled(layout.event);
    header.place = layout.place.and_then(|offset| rows.filled(offset));
    (header.white, header.white_rank) = player(layout.white);
    (header.black, header.black_rank) = player(layout.black);

    if let Some((place, text)) = rows.at(layout.handicap) {
        draft.read_handicap(place, text);
    }
    read_komi(draft, rows);
    if let Some((place, text)) = rows.at(layout.date) {
        draft.record.header.date = parse_date(text);
        if let Some(warning) = WarningKind::of_date(draft.record.header.date) {
            draft.forgive(place, warning);
        }
    }
    if let Some((place, text)) = layout.result.and_then(|offset| rows.at(offset)) {
        match parse_result(text) {
            Some(result) => draft.record.header.result = result,
            None => draft.forgive(place, WarningKind::UnreadableResult),
        }
    }
    Ok(rows.at(layout.n_moves).and_then(|(_, text)| text.parse().ok()).unwrap_or(0))
}

/// Splits `wendy       7D*` into name and rank.
fn split_player(written: &str) -> (Option<String>, Option<String>) {
    let is_rank = |word: &str| Rank::parse(word).is_some() || word.contains(['段', '级', '級', '단', '급']);
    match written.rsplit_once(char::is_whitespace) {
        Some((name, rank)) if is_rank(rank) => {
            // `9DP` is a professional.
            let dan = rank.strip_suffix('P').map(|r| r.trim_end_matches(['D', '段', '단']));
            let is_number = |dan: &&str| dan.bytes().all(|b| b.is_ascii_digit());
            let professional = dan.filter(is_number).map(|dan| format!("{dan}p"));
            (filled(name), professional.or_else(|| filled(rank)))
        }
        _ => (filled(written), None),
    }
}

fn read_komi(draft: &mut RecordDraft, rows: &NgfHeader) {
    let Some((place, text)) = rows.at(rows.layout.komi) else {
        return;
    };
    let Some(written) = text.parse::<f32>().ok().filter(|komi| komi.is_finite()) else {
        return draft.forgive(place, WarningKind::UnreadableKomi);
    };
    let mut komi = repair_komi(written, RuleSet::Other);
    if komi != written {
        draft.forgive(place, WarningKind::Komi { written, komi });
    }
    // Even games have a half point more than is written.
    let is_even = rows.at(rows.layout.handicap).is_none_or(|(_, text)| text == "0");
    if is_even && komi.fract() == 0.0 {
        komi += 0.5;
    }
    draft.record.header.komi = Some(komi);
}

/// Reads `20170316 [09:51]` and the usual forms.
fn parse_date(text: &str) -> Option<Date> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    match end {
        8 => Date::parse(&format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..8])),
        _ => Date::parse(text),
    }
}

/// Reads `White loses on time`, `Black wins by 2.5! >> White(60):Black(69)` and the like.
fn parse_result(text: &str) -> Option<GameResult> {
    let text = text.split(">>").next().unwrap_or(text).trim_end_matches(['!', '！', ' ']);
    if text.eq_ignore_ascii_case("progressing") {
        return Some(GameResult::Unknown);
    }
    // `197手完、黒中押し勝ち` begins with the number of moves.
    let text = text.split_once("手完、").map_or(text, |(_, after)| after);
    // Stones (子) are points here, if they are whole.
    let text = if text.contains('/') { text.to_owned() } else { text.replace('子', "目") };
    let lower = text.to_lowercase();
    let is_loss = ["lose", "lost", "负", "負け", "패"].iter().any(|word| lower.contains(word));
    match GameResult::parse(&text)? {
        GameResult::Win(loser, margin) if is_loss => Some(GameResult::Win(loser.opponent(), margin)),
        result => Some(result),
    }
}

fn read_line(draft: &mut RecordDraft, line: SourceLine) -> Result<(), Rejection> {
    let mut words = line.text.split_whitespace();
    let Some(word) = words.next() else {
        return Ok(());
    };
    let place = line.place(word);
    let Some(letters) = word.strip_prefix("PM") else {
        return read_other_line(draft, line, word);
    };
    match read_move(letters.as_bytes(), draft.record.size) {
        Some((color, point)) => draft.play(place, color, point)?,
        None => return draft.refuse_move(line),
    }
    if let Some(stray) = words.next() {
        draft.forgive(line.place(stray), WarningKind::StrayText);
    }
    Ok(())
}

/// Reads `ABBQDDQ`: number, color and point; the second half mirrors the first.
fn read_move(letters: &[u8], size: BoardSize) -> Option<(Color, Option<Point>)> {
    let (color, x, y) = match *letters {
        [_, _, color, x, y] => (color, x, y),
        [_, _, color, x, y, y2, x2] if (x, y) == (x2, y2) => (color, x, y),
        _ => return None,
    };
    let color = match color {
        b'B' => Color::Black,
        b'W' => Color::White,
        _ => return None,
    };
    // Lines are counted from B; A is off the board.
    if (x, y) == (b'A', b'A') {
        return Some((color, None));
    }
    let line = |letter: u8| letter.checked_sub(b'B').filter(|&n| n < size.get());
    Some((color, Some(Point::new(line(x)?, line(y)?))))
}

/// Reads a line among or after the moves that is not a move.
fn read_other_line(draft: &mut RecordDraft, line: SourceLine, word: &str) -> Result<(), Rejection> {
    // The kind with `GI` ends with more of that, and a comment with the result.
    if word.starts_with("GI") {
        return Ok(());
    }
    if let Some((_, comment)) = line.text.split_once(']').filter(|_| word.starts_with("ID")) {
        let comment = comment.split(['[', '(']).next().unwrap_or(comment);
        if let Some(result @ GameResult::Win(..)) = GameResult::parse(comment) {
            draft.record.header.result = result;
        }
        return Ok(());
    }
    if (7..=9).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_uppercase()) {
        return draft.refuse_move(line);
    }
    draft.forgive(line.place(word), WarningKind::StrayText);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::go::gib::tests::summary;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert!(is_ngf(text));
        assert_eq!(summary(parse_ngf(text)), expected);
    }

    const HEADER: [&str; 12] = [
        "Friendly game",
        "19",
        "wendy w     7D*",
        "boris       9DP",
        "www.cyberoro.com",
        "0",
        "0",
        "6",
        "20210503 [19: 2]",
        "5",
        "White wins by  resign!",
        "3",
    ];
    const NAMES: &str = "boris|9p|wendy w|7D*|Friendly game|-|www.cyberoro.com|-|2021-05-03";

    /// A record with some header lines replaced, counted from 0.
    fn game(replaced: &[(usize, &str)], moves: &str) -> String {
        let mut lines = HEADER;
        for &(i, text) in replaced {
            lines[i] = text;
        }
        format!("{}\n{moves}\n", lines.join("\n"))
    }

    #[test]
    fn an_even_game_with_a_pass() {
        let text = game(&[], "PMABBQEEQ\nPMACWEQQE\nPMADBAAAA");
        let expected = format!("{NAMES}|6.5|19 0 W+R\nBpd Wdp B--\n");
        check(&text, &expected);
        check(&text.replace('\n', "\r\n"), &expected);
        check(&text.replace('\n', "\r"), &expected);
        check(&format!("\n\n{text}\n\n"), &expected);
    }

    #[test]
    fn handicap_games_have_whole_komi_and_stones() {
        let text = game(&[(5, "2"), (7, "0")], "PMABWQRRQ\nPMACBEEEE\nPMADWDD");
        check(&text, &format!("{NAMES}|0|19 2 W+R\n+Bpd +Bdp Wpq Bdd Wcc\n"));
        let text = game(&[(1, "9"), (5, "3"), (7, "0"), (11, "1")], "PMABWHHHH");
        check(&text, &format!("{NAMES}|0|9 3 W+R\n+Bgc +Bcg +Bcc Wgg\n"));
    }

    #[test]
    fn results_in_the_words_of_the_server() {
        for (written, expected) in [
            ("Black wins by 0.5!", "B+0.5"),
            ("Black wins by 16.5 points! >> White(66):Black(89)", "B+16.5"),
            ("White loses on time", "B+T"),
            ("White 19Win  >> White(83):Black(64)", "W+19"),
            ("黒中押し勝ち!", "B+R"),
            ("232手完、黒2目半勝ち", "B+2.5"),
            ("白時間切れ勝ち！", "W+T"),
            ("白棋12子 >> 白方(94):黑方(82)", "W+12"),
            ("흑 1.5집 승", "B+1.5"),
            ("Progressing!", "?"),
            ("Draw!", "0"),
        ] {
            let text = game(&[(10, written), (11, "1")], "PMABBQEEQ");
            check(&text, &format!("{NAMES}|6.5|19 0 {expected}\nBpd\n"));
        }
    }

    #[test]
    fn the_older_kind_has_prefixes() {
        let text = "GI十段战\nGI甲某 初段\nGI乙某 五段\nGI\nGI\nGI2006-9-5\nGI19\nGI0\nGI0\nGI6\nGI2\n\
                    PMABBREER\nPMACWEEEE\nGI1\nIDB[2] 黑中盘胜(现场消息)[EndTxt]\n";
        check(text, "乙某|五段|甲某|初段|十段战|-|-|-|2006-09-05|6.5|19 0 B+R\nBqd Wdd\n");
    }

    #[test]
    fn small_faults_are_forgiven_and_reported() {
        let faults = [(5, "two"), (7, "?"), (8, "May"), (10, " nobody won"), (11, "9")];
        let text = game(&faults, "PMABBQEEQ 12\n</pre>");
        check(
            &text,
            "boris|9p|wendy w|7D*|Friendly game|-|www.cyberoro.com|-|-|-|19 0 ?\nBpd\n\
             6:1 unreadable handicap; 8:1 unreadable komi; \
             9:1 unreadable date; 11:2 unreadable result; \
             13:11 text that is not a property; 14:1 text that is not a property; \
             15:1 the file ends before the game does",
        );
        check(
            "PMABBQEEQ\nPMACWE",
            "-|-|-|-|-|-|-|-|-|-|19 0 ?\nBpd\n\
             1:1 property without a value; 2:1 the file ends before the game does",
        );
        let text = game(&[(0, ""), (7, "65"), (11, "")], "PMABBQEEQ");
        let names = NAMES.replace("Friendly game", "-");
        check(&text, &format!("{names}|6.5|19 0 W+R\nBpd\n8:1 komi 65 read as 6.5"));
    }

    #[test]
    fn unreadable_moves_refuse_the_record() {
        for bad in ["PMACWEQQX", "PMACWUUUU", "PMACXEEEE", "PMACW", "QMACWEEEE", "PMACWAQQA"] {
            let text = game(&[], &format!("PMABBQEEQ\n{bad}\nPMADBAAAA"));
            check(&text, "14:1: move 2 is not a point on the board");
        }
        check(&game(&[(1, "37")], "PMABBQEEQ"), "2:1: board size is not a number from 5 to 25");
        assert_eq!(summary(parse_ngf(&HEADER.join("\n"))), "12:2: no moves");
        assert!(!is_ngf("(;GM[1])") && !is_ngf("") && !is_ngf(&HEADER.join("\n")));
    }
}
