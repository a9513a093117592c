//! A single sequence as HTML.

use std::collections::{BTreeMap, BTreeSet};

use crate::reports::mine::page::{Card, Continuation, Example, WinRate};
use crate::reports::writing::{escape, grouped, inline_svg};
use crate::reports::years::YearAxis;

/// A card; links lead only to the ranks that are on the page.
pub(crate) fn draw_card(card: &Card, axis: Option<&YearAxis>, ranks: &BTreeSet<usize>) -> String {
    let rank = card.rank;
    let name = card.name.as_deref().map_or_else(String::new, |name| format!(" {}", escape(name)));
    format!(
        "<article id=\"{rank}\" {}>\n<h2><a href=\"#{rank}\">#{rank}</a>{name}</h2>\n\
         <p class=\"class\"><b>{}</b> {}</p>\n<div class=\"diagram\">\n{}</div>\n\
         <p class=\"moves\">{}</p>\n{}{}{}{}{}{}{}</article>\n",
        sort_keys(card),
        escape(&card.class_letter.to_string()),
        escape(&card.class_words),
        inline_svg(&card.diagram_svg),
        escape(&card.moves),
        facts(card),
        continuations(card),
        axis.map_or_else(String::new, |axis| year_chart(card, axis)),
        players(&card.players),
        examples(&card.examples),
        relatives("Part of", &card.part_of, ranks),
        relatives("Contains", &card.contains, ranks),
    )
}

/// What the script sorts and filters by.
fn sort_keys(card: &Card) -> String {
    let Card { rank, n_played, n_moves, tenuki_share, .. } = card;
    let win = card.first_side_wins.map_or_else(String::new, |wins| format!(" data-win=\"{:.4}\"", wins.share));
    let years = year_runs(card);
    let years = if years.is_empty() { years } else { format!(" data-years=\"{years}\"") };
    format!(
        "data-rank=\"{rank}\" data-played=\"{n_played}\" data-moves=\"{n_moves}\"{win} \
         data-tenuki=\"{tenuki_share:.4}\" data-class=\"{}\" data-place=\"{}\"{years}",
        escape(&card.class_letter.to_string()),
        escape(&card.place),
    )
}

/// The key numbers in plain words.
fn facts(card: &Card) -> String {
    let mut facts = vec![
        format!("{}, {}", plural(card.n_moves, "move", "moves"), escape(&card.place)),
        format!(
            "played {}, {} with exactly these surrounding stones",
            plural(card.n_played, "time", "times"),
            plural(card.n_same_around, "time", "times")
        ),
        format!("then the next move is elsewhere in <b>{}</b> of cases", percent(card.tenuki_share)),
    ];
    if let Some(WinRate { share, low, high, n_games }) = card.first_side_wins {
        let games = if n_games == 1 { "game" } else { "games" };
        let n_games = grouped(&n_games.to_string());
        facts.push(format!(
            "the side that moves first (drawn as Black) won <b>{}</b> of {n_games} {games} with a winner (95% interval {}–{})",
            percent(share),
            percent(low).replace('%', ""),
            percent(high)
        ));
    }
    facts.push(format!("ranking score {}", grouped(&format!("{:.2}", card.score))));
    let items: String = facts.iter().map(|fact| format!("<li>{fact}</li>\n")).collect();
    format!("<ul class=\"facts\">\n{items}</ul>\n")
}

/// Next moves with bars for their shares of all occurrences.
fn continuations(card: &Card) -> String {
    let row = |next: &Continuation| {
        let share = (next.n_played as f64 / card.n_played.max(1) as f64).min(1.0);
        format!(
            "<li><b>{}</b> <span>{}</span> <span>{}</span> <span>{}</span> \
             <i><i style=\"width:{:.1}%\"></i></i></li>\n",
            escape(&next.letter),
            escape(&next.point),
            count(next.n_played),
            percent(share),
            100.0 * share
        )
    };
    section("Next move nearby", "ul class=\"next\"", card.continuations.iter().map(row).collect())
}

/// First and last year, the peak, and bars.
fn year_chart(card: &Card, axis: &YearAxis) -> String {
    let years = played_years(card);
    let (Some(first), Some(last)) = (years.keys().min(), years.keys().max()) else {
        return String::new();
    };
    let span = if first == last { first.to_string() } else { format!("{first} to {last}") };
    let bars = YearBars::new(&years, axis);
    let peak = bars.peak_words(axis);
    format!("<h3>Years</h3>\n<p>{span}{peak}</p>\n{}", bars.draw(axis))
}

/// Bars by year: shares of games, or numbers of games where those of all games are unknown.
struct YearBars {
    n_played: Vec<usize>,
    /// `None` where no bar is drawn.
    heights: Vec<Option<f64>>,
}

impl YearBars {
    fn new(years: &BTreeMap<u16, usize>, axis: &YearAxis) -> YearBars {
        let n_played = axis.sums(years);
        let height = |(bar, &n): (usize, &usize)| match axis.knows_games() {
            true => axis.games(bar).map(|n_games| n as f64 / n_games as f64),
            false => Some(n as f64),
        };
        YearBars { heights: n_played.iter().enumerate().map(height).collect(), n_played }
    }

    /// The highest bar, the first of equal ones.
    fn peak(&self) -> Option<(usize, f64)> {
        let drawn = self.heights.iter().enumerate().filter_map(|(bar, height)| Some((bar, (*height)?)));
        drawn.rev().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|peak| peak.1 > 0.0)
    }

    fn peak_words(&self, axis: &YearAxis) -> String {
        let Some((bar, height)) = self.peak().filter(|_| axis.n_bars() > 1) else { return String::new() };
        let (years, n) = (axis.bar_name(bar), self.n_played[bar]);
        match axis.games(bar) {
            Some(n_games) => format!(
                ", most often in {years}: <b>{}</b> of the games ({} of {})",
                fine_percent(height),
                count(n),
                count(n_games)
            ),
            None => format!(", most often in {years} ({})", plural(n, "game", "games")),
        }
    }

    fn draw(&self, axis: &YearAxis) -> String {
        let Some((_, highest)) = self.peak() else { return String::new() };
        let drawn = || self.heights.iter().enumerate().filter_map(|(bar, height)| Some((bar, (*height)?)));
        let bar = |(bar, height): (usize, f64)| {
            // The lowest bar can still be seen.
            let height = (24.0 * height / highest).max(1.0);
            format!("M{bar}.1 24v-{height:.1}h.8V24z")
        };
        let bars: String = drawn().filter(|(_, height)| *height > 0.0).map(bar).collect();
        let known: String = drawn().map(|(bar, _)| format!("M{bar} 25h1v1h-1z")).collect();
        let n_bars = axis.n_bars();
        let (first, last) = (axis.bar_years(0).0, axis.bar_years(n_bars - 1).1);
        let unit = match axis.years_per_bar() {
            1 => String::new(),
            n => format!("{n} years per bar"),
        };
        let ends = if first == last {
            format!("<span>{first}</span>")
        } else {
            format!("<span>{first}</span><span>{unit}</span><span>{last}</span>")
        };
        format!(
            "<div class=\"years\" style=\"max-width:{}rem\">\n\
             <svg viewBox=\"0 0 {n_bars} 26\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
             <path class=\"known\" d=\"{known}\"/><path d=\"{bars}\"/></svg>\n<p>{ends}</p>\n</div>\n",
            (n_bars * 2).max(12),
        )
    }
}

fn players(players: &[(String, usize)]) -> String {
    let player = |(name, n): &(String, usize)| format!("<li><span>{}</span> {}</li>\n", escape(name), count(*n));
    section("Players", "ul class=\"players\"", players.iter().map(player).collect())
}

fn examples(examples: &[Example]) -> String {
    let item = |example: &Example| {
        let text = escape(&example.text);
        match &example.sgf {
            Some(sgf) => format!("<li><a download=\"game.sgf\" href=\"{}\">{text}</a></li>\n", sgf_link(sgf)),
            None => format!("<li>{text}</li>\n"),
        }
    };
    section("Games", "ul class=\"games\"", examples.iter().map(item).collect())
}

fn relatives(words: &str, relatives: &[usize], ranks: &BTreeSet<usize>) -> String {
    let link = |rank: &usize| {
        let name = format!("#{rank}");
        if ranks.contains(rank) { format!("<a href=\"{name}\">{name}</a>") } else { name }
    };
    let links: Vec<String> = relatives.iter().map(link).collect();
    if links.is_empty() { String::new() } else { format!("<p>{words} {}</p>\n", links.join(", ")) }
}

/// A list with a heading; nothing if it is empty.
fn section(head: &str, list: &str, items: String) -> String {
    if items.is_empty() {
        return items;
    }
    let name = list.split(' ').next().unwrap_or(list);
    format!("<h3>{head}</h3>\n<{list}>\n{items}</{name}>\n")
}

/// An address that contains a game; except for letters, digits and a few signs, bytes are percent-encoded.
fn sgf_link(sgf: &str) -> String {
    let mut link = "data:application/x-go-sgf;charset=utf-8,".to_string();
    for byte in sgf.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'(' | b')' | b'.' | b'-' | b'_' => link.push(char::from(byte)),
            _ => link.push_str(&format!("%{byte:02X}")),
        }
    }
    link
}

/// The number of games with a sequence by year.
pub(crate) fn played_years(card: &Card) -> BTreeMap<u16, usize> {
    let mut years = BTreeMap::new();
    for &(year, n) in card.years.iter().filter(|(_, n)| *n > 0) {
        *years.entry(year).or_default() += n;
    }
    years
}

/// The same as first and last of each unbroken run: "1950-1963 1967-1967".
fn year_runs(card: &Card) -> String {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for year in played_years(card).into_keys() {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == year => *last = year,
            _ => runs.push((year, year)),
        }
    }
    let runs: Vec<String> = runs.iter().map(|(first, last)| format!("{first}-{last}")).collect();
    runs.join(" ")
}

/// A number of things, in bold.
pub(crate) fn plural(n: usize, one: &str, many: &str) -> String {
    format!("<b>{}</b> {}", count(n), if n == 1 { one } else { many })
}

fn count(n: usize) -> String {
    grouped(&n.to_string())
}

/// With a decimal below 10%, where it matters.
fn fine_percent(share: f64) -> String {
    if share < 0.0995 { format!("{:.1}%", 100.0 * share) } else { percent(share) }
}

fn percent(share: f64) -> String {
    if share.is_finite() { format!("{:.0}%", 100.0 * share) } else { "?".to_string() }
}
