//! What headers say: komi, handicap, dates, results and ranks, as people and servers write them.

use std::fmt;

/// A date as precisely as it is known.
///
/// ```
/// use tejun_games::Date;
///
/// let date = Date::parse("2003年3月1日").expect("a date");
/// assert_eq!(date.to_string(), "2003-03-01");
/// assert!(date > Date::parse("2002").expect("a year"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// Year, 1 to 9999.
    pub year: u16,
    /// Month 1 to 12, if known.
    pub month: Option<u8>,
    /// Day 1 to 31, if known; never without a month.
    pub day: Option<u8>,
}

/// How much of a date is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatePrecision {
    /// Only the year.
    Year,
    /// Year and month.
    Month,
    /// The full date.
    Day,
}

impl DatePrecision {
    /// `year`, `month` or `day`.
    pub fn name(self) -> &'static str {
        match self {
            DatePrecision::Year => "year",
            DatePrecision::Month => "month",
            DatePrecision::Day => "day",
        }
    }
}

impl Date {
    /// The date of these numbers; `None` if the day does not exist.
    pub fn new(year: u16, month: Option<u8>, day: Option<u8>) -> Option<Date> {
        let is_month = month.is_none_or(|m| (1..=12).contains(&m));
        let is_day = match (month, day) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(m), Some(d)) => is_month && (1..=days_in_month(year, m)).contains(&d),
        };
        ((1..=9999).contains(&year) && is_month && is_day).then_some(Date { year, month, day })
    }

    /// Whether the year is before 1500: from such years there are hardly any records, but many mistakes.
    pub fn is_doubtful(self) -> bool {
        self.year < 1500
    }

    /// Reads the first date in a text: ISO 8601 or the usual variants of it.
    ///
    /// `1977-09-08,09` is the first day; `1926`, `1926-05`, `2003/3/1`,
    /// `2003.03.01` and `2003年3月1日` are read, and so is an ISO date with a
    /// time after it. A date whose day does not exist keeps its month.
    pub fn parse(text: &str) -> Option<Date> {
        let start = text.find(|c: char| c.is_ascii_digit())?;
        let mut numbers = Vec::with_capacity(3);
        let mut rest = &text[start..];
        while numbers.len() < 3 {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (digits, after) = rest.split_at(end);
            // Past the year a part has at most two digits: `1977-1978` is a year.
            if !numbers.is_empty() && digits.len() > 2 {
                break;
            }
            numbers.push(digits.parse::<u16>().ok()?);
            let mut chars = after.chars();
            let is_separator = matches!(chars.next(), Some('-' | '/' | '.' | '年' | '月' | '년' | '월'));
            rest = chars.as_str().trim_start_matches(' ');
            if !is_separator || !rest.starts_with(|c: char| c.is_ascii_digit()) {
                break;
            }
        }
        let part = |i: usize| numbers.get(i).and_then(|&n| u8::try_from(n).ok());
        let year = numbers[0];
        if !(1000..=2999).contains(&year) {
            return None;
        }
        Date::new(year, part(1), part(2))
            .or_else(|| Date::new(year, part(1), None))
            .or_else(|| Date::new(year, None, None))
    }

    /// How much of it is known.
    pub fn precision(self) -> DatePrecision {
        match (self.month, self.day) {
            (_, Some(_)) => DatePrecision::Day,
            (Some(_), None) => DatePrecision::Month,
            (None, None) => DatePrecision::Year,
        }
    }
}

fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        if let Some(month) = self.month {
            write!(f, "-{month:02}")?;
        }
        if let Some(day) = self.day {
            write!(f, "-{day:02}")?;
        }
        Ok(())
    }
}

/// How a game ended.
///
/// ```
/// use tejun_games::{Color, GameResult};
///
/// let result = GameResult::parse("黑中盘胜").expect("a result");
/// assert_eq!(result.winner(), Some(Color::Black));
/// assert_eq!(result.to_string(), "B+R");
/// assert_eq!(GameResult::parse("W+3.5").and_then(|result| result.points()), Some(3.5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum GameResult {
    /// The record does not say.
    #[default]
    Unknown,
    /// Neither won (持碁, *jigo*).
    Draw,
    /// Played without a result.
    Void,
    /// Won by this side.
    Win(crate::go::Color, Margin),
}

/// By how much, or by what, a game was won.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Margin {
    /// The record says only who won.
    Unknown,
    /// Points.
    Points(f32),
    /// The other side resigned.
    Resignation,
    /// The other side ran out of time.
    Time,
    /// The other side forfeited.
    Forfeit,
}

impl GameResult {
    /// Reads a result in SGF's form and in the words of servers and papers.
    ///
    /// `None` if there is text but no meaning; empty text and `?` are
    /// [`GameResult::Unknown`].
    pub fn parse(text: &str) -> Option<GameResult> {
        let lower = without_move_count(text.trim()).to_lowercase();
        match lower.as_str() {
            "" | "?" | "unknown" => return Some(GameResult::Unknown),
            "0" | "draw" | "jigo" | "d" | "持碁" | "ジゴ" | "和棋" | "무승부" => {
                return Some(GameResult::Draw);
            }
            "void" | "no result" | "無勝負" => return Some(GameResult::Void),
            _ => {}
        }
        let (winner, rest) = winner_of(&lower)?;
        let rest = rest.trim_start_matches([' ', '+', ':', ',', '，', '、']);
        let margin = margin_of(rest)?;
        Some(match margin {
            Margin::Points(0.0) => GameResult::Draw,
            margin => GameResult::Win(winner, margin),
        })
    }

    /// The side that won, if one did.
    pub fn winner(self) -> Option<crate::go::Color> {
        match self {
            GameResult::Win(color, _) => Some(color),
            _ => None,
        }
    }

    /// The margin in points, if the game was counted and won.
    pub fn points(self) -> Option<f32> {
        match self {
            GameResult::Win(_, Margin::Points(points)) => Some(points),
            _ => None,
        }
    }
}

/// `共185手 黑中盘胜` and `257手完, 黒中押し勝ち` begin with the number of moves.
fn without_move_count(text: &str) -> &str {
    let counted = text.trim_start_matches('共');
    let after = counted.split_once('手').filter(|(count, _)| count.bytes().all(|b| b.is_ascii_digit()));
    after.map_or(text, |(_, result)| result.trim_start_matches(['完', ' ', ',', '，', '、']))
}

fn winner_of(lower: &str) -> Option<(crate::go::Color, &str)> {
    use crate::go::Color::{Black, White};
    const NAMES: [(&str, crate::go::Color); 8] = [
        ("black", Black),
        ("white", White),
        ("b", Black),
        ("w", White),
        ("黑", Black),
        ("黒", Black),
        ("白", White),
        ("흑", Black),
    ];
    let korean_white = [("백", White)];
    NAMES
        .iter()
        .chain(&korean_white)
        .find_map(|&(name, color)| lower.strip_prefix(name).map(|rest| (color, rest)))
        .filter(|(_, rest)| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

fn margin_of(rest: &str) -> Option<Margin> {
    let has = |words: &[&str]| words.iter().any(|w| rest.contains(w));
    if rest.is_empty() || matches!(rest, "win" | "wins" | "won" | "胜" | "勝" | "勝ち" | "승") {
        return Some(Margin::Unknown);
    }
    if matches!(rest, "r" | "res") || has(&["resign", "中押", "中盘", "中盤", "불계", "不计点"]) {
        return Some(Margin::Resignation);
    }
    if rest == "t" || has(&["time", "时间", "時間", "超时", "시간"]) {
        return Some(Margin::Time);
    }
    if rest == "f" || has(&["forf", "反則", "기권"]) {
        return Some(Margin::Forfeit);
    }
    let start = rest.find(|c: char| c.is_ascii_digit())?;
    let digits = &rest[start..];
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
    let number: f32 = digits[..end].trim_end_matches('.').parse().ok()?;
    let after = &digits[end..];
    let half = if after.contains('半') || after.contains('반') { 0.5 } else { 0.0 };
    // Chinese results count stones (子, *zi*), in quarters; a stone is two points.
    let points = match after {
        b if b.starts_with("/4子") => number / 2.0,
        b if b.contains("3/4子") => 2.0 * number + 1.5,
        b if b.contains("1/4子") => 2.0 * number + 0.5,
        b if b.contains('子') => 2.0 * number,
        _ => number + half,
    };
    (points <= 1000.0).then_some(Margin::Points(points))
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameResult::Unknown => f.write_str("?"),
            GameResult::Draw => f.write_str("0"),
            GameResult::Void => f.write_str("Void"),
            GameResult::Win(color, margin) => {
                write!(f, "{}+", color.letter())?;
                match margin {
                    Margin::Unknown => Ok(()),
                    Margin::Points(points) => write!(f, "{points}"),
                    Margin::Resignation => f.write_str("R"),
                    Margin::Time => f.write_str("T"),
                    Margin::Forfeit => f.write_str("F"),
                }
            }
        }
    }
}

/// Points of komi from the number a file has; the two differ where a server meant otherwise.
///
/// Fox writes hundredths of points (`650`) or, under Chinese rules, of stones
/// (`375`, which are 7.5 points); others write tenths (`65`).
pub fn repair_komi(written: f32, rules: RuleSet) -> f32 {
    let magnitude = written.abs();
    let komi = match (magnitude, rules) {
        // A fraction was written by a person who meant it.
        (m, _) if m < 25.0 || m.fract() != 0.0 => written,
        // 3.75 and 2.75 and 1.75 stones, in hundredths, occur under any rules named.
        (m, _) if [375.0, 325.0, 275.0, 175.0].contains(&m) => written / 50.0,
        (m, RuleSet::Chinese) if m >= 100.0 => written / 50.0,
        (m, _) if m >= 100.0 => written / 100.0,
        (50.0, _) => written / 100.0,
        _ => written / 10.0,
    };
    if komi.abs() <= 100.0 { komi } else { written }
}

/// The families of rules that komi depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleSet {
    /// Area scoring as in China.
    Chinese,
    /// Any other, or not named.
    Other,
}

impl RuleSet {
    /// The family that a rules text names.
    pub fn named(rules: Option<&str>) -> RuleSet {
        let is_chinese = rules.is_some_and(|r| {
            let r = r.to_lowercase();
            r.starts_with("chinese") || r == "cn" || r.contains('中')
        });
        if is_chinese { RuleSet::Chinese } else { RuleSet::Other }
    }
}

/// A rank as one number: 30k is -29, 1k is 0, 1d is 1, 9d is 9, 1p is 101.
///
/// ```
/// use tejun_games::Rank;
///
/// let professional = Rank::parse("P1段").expect("a rank");
/// assert!(professional > Rank::parse("9d").expect("a rank"));
/// assert_eq!(professional.to_string(), "1p");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(pub i16);

impl Rank {
    /// Reads `7d`, `3 kyu`, `9 Dan`, `5d?`, `9p`, `P9段`, `8단`, `6级` and the like.
    ///
    /// A professional's rank is above every amateur's.
    pub fn parse(text: &str) -> Option<Rank> {
        let lower = text.trim().to_lowercase();
        if let Some(number) = kanji_number(&lower) {
            return Some(Rank(if lower.ends_with(['级', '級']) { 1 - number } else { number }));
        }
        let start = lower.find(|c: char| c.is_ascii_digit())?;
        let is_professional_prefix = lower[..start].trim_end().ends_with('p');
        let digits = &lower[start..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let number: i16 = digits[..end].parse().ok().filter(|n| (1..=35).contains(n))?;
        let unit = digits[end..].trim_start();
        let is = |names: &[&str]| names.iter().any(|n| unit.starts_with(n));
        if is(&["k", "级", "級", "급"]) {
            Some(Rank(1 - number))
        } else if is(&["p"]) || (is_professional_prefix && is(&["d", "段", "단"])) {
            Some(Rank(100 + number))
        } else if is(&["d", "段", "단"]) {
            // `9 dan pro` also occurs.
            Some(Rank(if unit.contains("pro") { 100 + number } else { number }))
        } else {
            None
        }
    }
}

/// The number of `九段` and the like.
fn kanji_number(rank: &str) -> Option<i16> {
    const DIGITS: [(char, i16); 11] = [
        ('初', 1),
        ('一', 1),
        ('二', 2),
        ('三', 3),
        ('四', 4),
        ('五', 5),
        ('六', 6),
        ('七', 7),
        ('八', 8),
        ('九', 9),
        ('十', 10),
    ];
    let digit = rank.strip_suffix(['段', '级', '級'])?;
    DIGITS.iter().find(|(kanji, _)| digit.chars().eq([*kanji])).map(|(_, number)| *number)
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            n if n > 100 => write!(f, "{}p", n - 100),
            n if n > 0 => write!(f, "{n}d"),
            n => write!(f, "{}k", 1 - n),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_keep_their_precision() {
        for (text, expected) in [
            ("1977-09-08,09", Some("1977-09-08")),
            ("1926", Some("1926")),
            ("1926-05", Some("1926-05")),
            ("2003/3/1", Some("2003-03-01")),
            ("2003.03.01", Some("2003-03-01")),
            ("2003年3月1日", Some("2003-03-01")),
            ("2019-06-12 10:30:00", Some("2019-06-12")),
            ("Published 1933-01", Some("1933-01")),
            ("1977-1978", Some("1977")),
            ("2003-02-30", Some("2003-02")),
            ("2003-00-00", Some("2003")),
            ("12/05/2004", None),
            ("", None),
            ("unknown", None),
        ] {
            assert_eq!(Date::parse(text).map(|d| d.to_string()).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn results_in_many_words() {
        for (text, expected) in [
            ("B+3.5", "B+3.5"),
            ("W+R", "W+R"),
            ("W+Resign", "W+R"),
            ("B+", "B+"),
            ("0", "0"),
            ("draw", "0"),
            ("Void", "Void"),
            ("?", "?"),
            ("W+Time", "W+T"),
            ("black wins by 2.5", "B+2.5"),
            ("흑 9.5집 승", "B+9.5"),
            ("백 불계승", "W+R"),
            ("백 3집반승", "W+3.5"),
            ("黑中盘胜", "B+R"),
            ("共185手 黑中盘胜", "B+R"),
            ("共245手 黑胜1目", "B+1"),
            ("共266手 和棋", "0"),
            ("257手完, 黒中押し勝ち", "B+R"),
            ("白胜3/4子", "W+1.5"),
            ("黑胜2又3/4子", "B+5.5"),
            ("W+0.50", "W+0.5"),
            ("B+0", "0"),
        ] {
            let read = GameResult::parse(text).map(|r| r.to_string());
            assert_eq!(read.as_deref(), Some(expected), "{text}");
        }
        for unreadable in ["maybe", "both lost", "Wow", "B+x"] {
            assert_eq!(GameResult::parse(unreadable), None, "{unreadable}");
        }
    }

    #[test]
    fn komi_of_servers_is_repaired() {
        use RuleSet::{Chinese, Other};
        for (written, rules, expected) in [
            (6.5, Other, 6.5),
            (0.0, Other, 0.0),
            (375.0, Chinese, 7.5),
            (375.0, Other, 7.5),
            (325.0, Chinese, 6.5),
            (650.0, Other, 6.5),
            (50.0, Other, 0.5),
            (65.0, Other, 6.5),
            (0.0, Chinese, 0.0),
            (-59.5, Other, -59.5),
        ] {
            assert_eq!(repair_komi(written, rules), expected, "{written}");
        }
    }

    #[test]
    fn ranks_of_amateurs_and_professionals_compare() {
        for (text, expected) in [
            ("7d", "7d"),
            ("9 Dan", "9d"),
            ("5d?", "5d"),
            ("9p", "9p"),
            ("P9段", "9p"),
            ("8단", "8d"),
            ("6级", "6k"),
            ("九段", "9d"),
            ("初段", "1d"),
            ("12k*", "12k"),
        ] {
            assert_eq!(Rank::parse(text).map(|r| r.to_string()).as_deref(), Some(expected));
        }
        assert!(Rank::parse("1p") > Rank::parse("9d") && Rank::parse("1d") > Rank::parse("1k"));
        assert_eq!(Rank::parse("NR"), None);
    }
}
