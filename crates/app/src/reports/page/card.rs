//! A single sequence as HTML.

use std::collections::{BTreeMap, BTreeSet};

use crate::reports::page::{Card, Continuation, Example, WinRate};
use crate::reports::writing::{escape, grouped, inline_svg};

/// The years all charts of a page span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct YearAxis {
    pub(crate) first: u16,
    pub(crate) last: u16,
    /// A bar is a year, or several where there are centuries.
    years_per_bar: u16,
}

impl YearAxis {
    /// From the first year to the last, but for one play in a thousand at the beginning.
    ///
    /// A game of 2010 that its record dates 1010 would press all others together.
    pub(crate) fn new(cards: &[Card]) -> Option<YearAxis> {
        const MAX_BARS: u16 = 80;
        let mut years: BTreeMap<u16, usize> = BTreeMap::new();
        cards.iter().flat_map(played_years).for_each(|(year, n)| *years.entry(year).or_default() += n);
        let n_plays: usize = years.values().sum();
        let mut n_before = 0;
        let first = years.iter().find(|(_, n)| {
            n_before += *n;
            n_before > n_plays / 1000
        });
        let (first, last) = (*first?.0, *years.keys().next_back()?);
        let fits = |years: &u16| (last - first) / years < MAX_BARS;
        let years_per_bar = [1, 2, 5, 10, 20, 50, 100].into_iter().find(fits).unwrap_or(1000);
        Some(YearAxis { first, last, years_per_bar })
    }

    fn bar_index(self, year: u16) -> u16 {
        (year - self.first) / self.years_per_bar
    }
}

/// A card; links lead only to the ranks that are on the page.
pub(crate) fn draw_card(card: &Card, axis: Option<YearAxis>, ranks: &BTreeSet<usize>) -> String {
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
        format!("played {}", plural(card.n_played, "time", "times")),
        format!("with the same surrounding stones: <b>{}</b>", count(card.n_same_around)),
        format!("then elsewhere: <b>{}</b>", percent(card.tenuki_share)),
    ];
    if let Some(WinRate { share, low, high, n_games }) = card.first_side_wins {
        let (low, high) = (percent(low).replace('%', ""), percent(high).replace('%', ""));
        let n_games = grouped(&n_games.to_string());
        facts.push(format!("Black wins <b>{}</b> ({low}–{high}, n={n_games})", percent(share)));
    }
    facts.push(format!("score {}", grouped(&format!("{:.2}", card.score))));
    let items: String = facts.iter().map(|fact| format!("<li>{fact}</li>\n")).collect();
    format!("<ul class=\"facts\">\n{items}</ul>\n")
}

/// Next moves with bars as long as their share of all times the sequence was played.
fn continuations(card: &Card) -> String {
    let row = |next: &Continuation| {
        let share = (next.n_played as f64 / card.n_played.max(1) as f64).min(1.0);
        format!(
            "<li><b>{}</b> <span>{}</span> <span>{}</span> <i><i style=\"width:{:.1}%\"></i></i></li>\n",
            escape(&next.letter),
            escape(&next.point),
            count(next.n_played),
            100.0 * share
        )
    };
    section("Next", "ul class=\"next\"", card.continuations.iter().map(row).collect())
}

fn year_chart(card: &Card, axis: YearAxis) -> String {
    let years = played_years(card);
    let (Some(first), Some(last)) = (years.keys().min(), years.keys().max()) else {
        return String::new();
    };
    let (peak, n_peak) = years.iter().fold((0, 0), |best, (&y, &n)| if n > best.1 { (y, n) } else { best });
    let span = if first == last { first.to_string() } else { format!("{first} to {last}, most in {peak}") };
    let mut bars: BTreeMap<u16, usize> = BTreeMap::new();
    for (&year, n) in years.range(axis.first..=axis.last) {
        *bars.entry(axis.bar_index(year)).or_default() += n;
    }
    let highest = bars.values().copied().max().unwrap_or(1) as f64;
    let bar = |(i, &n): (&u16, &usize)| {
        // The lowest bar can still be seen.
        let height = (24.0 * n as f64 / highest).max(1.0);
        format!("M{i}.1 24v-{height:.1}h.8V24z")
    };
    let path: String = bars.iter().map(bar).collect();
    let n_bars = axis.bar_index(axis.last) + 1;
    let unit = if axis.years_per_bar > 1 { format!("{} years per bar", axis.years_per_bar) } else { String::new() };
    let ends = match axis {
        YearAxis { first, last, .. } if first == last => format!("<span>{first}</span>"),
        YearAxis { first, last, .. } => format!("<span>{first}</span><span>{unit}</span><span>{last}</span>"),
    };
    format!(
        "<h3>Years</h3>\n<p>{span} ({})</p>\n<div class=\"years\" style=\"max-width:{}rem\">\n\
         <svg viewBox=\"0 0 {n_bars} 24\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <path d=\"{path}\"/></svg>\n\
         <p>{ends}</p>\n</div>\n",
        count(n_peak),
        n_bars.max(6),
    )
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

/// A headed list; nothing if it is empty.
fn section(head: &str, list: &str, items: String) -> String {
    if items.is_empty() {
        return items;
    }
    let name = list.split(' ').next().unwrap_or(list);
    format!("<h3>{head}</h3>\n<{list}>\n{items}</{name}>\n")
}

/// An address that holds a game; all but letters, digits and a few signs are written as bytes.
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

/// The years a sequence was played in, each once.
fn played_years(card: &Card) -> BTreeMap<u16, usize> {
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

fn percent(share: f64) -> String {
    if share.is_finite() { format!("{:.0}%", 100.0 * share) } else { "?".to_string() }
}
