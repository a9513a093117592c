//! A page of sequences for the browser.
//!
//! The script only sorts and filters; without it the page is complete.

mod card;

use std::collections::{BTreeMap, BTreeSet};

use crate::reports::html::{Html, MADE};
use crate::reports::mine::page::card::{draw_card, played_years, plural};
use crate::reports::writing::escape;
use crate::reports::years::{MIN_GAMES, YearAxis};

/// What the page shows of one sequence.
///
/// All text is plain and gets escaped, except for the diagram.
#[derive(Clone, Debug, Default)]
pub struct Card {
    /// Its place in the list, from 1; also its address in the page.
    pub rank: usize,
    /// What players call it.
    pub name: Option<String>,
    /// An SVG element, trusted to be valid.
    pub diagram_svg: String,
    /// The letter of its class.
    pub class_letter: char,
    /// What the class means.
    pub class_words: String,
    /// The score that the list is ranked by.
    pub score: f64,
    /// How often it was played.
    pub n_played: usize,
    /// How often it was played with the surrounding stones of the diagram.
    pub n_same_around: usize,
    /// The number of its moves.
    pub n_moves: usize,
    /// Its points in order, as in "R14 O17".
    pub moves: String,
    /// Where on the board: "corner", "side" or "center".
    pub place: String,
    /// How often the side that moved first, Black in the diagram, won the game.
    pub first_side_wins: Option<WinRate>,
    /// How often the next move was played elsewhere, from 0 to 1.
    pub tenuki_share: f64,
    /// The next moves in the diagram, most frequent first.
    pub continuations: Vec<Continuation>,
    /// The number of games with the sequence by year; the years of all cards share an axis.
    pub years: Vec<(u16, usize)>,
    /// Players, and how often each played it.
    pub players: Vec<(String, usize)>,
    /// Some games that contain it.
    pub examples: Vec<Example>,
    /// Ranks of sequences that contain it.
    pub part_of: Vec<usize>,
    /// Ranks of sequences contained in it.
    pub contains: Vec<usize>,
}

/// A share of games won, with its interval, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRate {
    /// The share itself.
    pub share: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The number of games with a winner.
    pub n_games: u64,
}

/// A next move.
#[derive(Clone, Debug)]
pub struct Continuation {
    /// Its label in the diagram.
    pub letter: String,
    /// Its point, as in "Q10".
    pub point: String,
    /// How often it followed.
    pub n_played: usize,
}

/// A game that contains a sequence.
#[derive(Clone, Debug)]
pub struct Example {
    /// Players, year, move.
    pub text: String,
    /// The game itself as SGF, which the page offers as a download.
    pub sgf: Option<String>,
}

/// A list of sequences with an introduction.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// Paragraphs of plain text.
    pub intro: Vec<String>,
    /// The sequences in the order shown at first.
    pub cards: Vec<Card>,
    /// The number of all games by year; empty if it is unknown.
    pub games_by_year: BTreeMap<u16, usize>,
    /// How the page was made: names and values.
    pub manifest: Vec<(String, String)>,
}

impl Page {
    /// The whole page.
    pub fn to_html(&self) -> String {
        let axis = self.axis();
        let intro: String = self.intro.iter().map(|text| format!("<p>{}</p>\n", escape(text))).collect();
        let n_cards = plural(self.cards.len(), "sequence", "sequences");
        let ranks: BTreeSet<usize> = self.cards.iter().map(|card| card.rank).collect();
        let cards: String = self.cards.iter().map(|card| draw_card(card, axis.as_ref(), &ranks)).collect();
        let years = years_words(axis.as_ref());
        Html {
            language: "en",
            title: &self.title,
            style: include_str!("cards.css"),
            script: Some(include_str!("cards.js")),
            header: format!(
                "<h1>{}</h1>\n<div class=\"intro\">\n{intro}{years}</div>\n<p>{n_cards}</p>\n",
                escape(&self.title)
            ),
            main: format!("{}<div id=\"cards\">\n{cards}</div>\n", self.controls(axis.as_ref())),
            made: MADE,
            manifest: &self.manifest,
        }
        .to_html()
    }

    fn axis(&self) -> Option<YearAxis> {
        let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
        for (year, n) in self.cards.iter().flat_map(played_years) {
            *counts.entry(year).or_default() += n;
        }
        if counts.is_empty() {
            return None;
        }
        YearAxis::of_games(&self.games_by_year).or_else(|| YearAxis::of_counts(&counts))
    }

    /// The form to sort and filter with, which the script shows.
    fn controls(&self, axis: Option<&YearAxis>) -> String {
        let classes: BTreeMap<char, &str> =
            self.cards.iter().rev().map(|card| (card.class_letter, card.class_words.as_str())).collect();
        let class = |(letter, words): (char, &str)| {
            let (letter, words) = (escape(&letter.to_string()), escape(words));
            format!("<label><input type=\"checkbox\" name=\"class\" value=\"{letter}\">{letter}: {words}</label>\n")
        };
        let places: BTreeSet<String> = self.cards.iter().map(|card| escape(&card.place)).collect();
        let places: String = places.iter().map(|place| format!("<option>{place}</option>")).collect();
        let longest = self.cards.iter().map(|card| card.n_moves).max().unwrap_or(0);
        let years = axis.map_or_else(String::new, |axis| {
            let (first, last) = axis.ends();
            let range = format!("type=\"number\" min=\"{first}\" max=\"{last}\"");
            format!(
                "<span class=\"range\"><label>years <input name=\"from\" {range} placeholder=\"{first}\"></label> \
                 <label>to <input name=\"to\" {range} placeholder=\"{last}\"></label></span>\n"
            )
        });
        format!(
            "<form id=\"controls\" aria-label=\"Sort and filter\" hidden>\n\
             <label>sort by <select name=\"sort\"><option value=\"rank\">rank</option>\
             <option value=\"played\">times played</option><option value=\"moves\">moves</option>\
             <option value=\"win\">win rate</option>\
             <option value=\"tenuki\">next move elsewhere</option></select></label>\n\
             <label><input type=\"checkbox\" name=\"reverse\">reversed</label>\n\
             <label>find <input type=\"search\" name=\"text\" placeholder=\"R14, a name, a player\"></label>\n\
             <fieldset><legend>class</legend>\n{}</fieldset>\n\
             <label>place <select name=\"place\"><option value=\"\">anywhere</option>{places}</select></label>\n\
             <label>at least \
             <input name=\"least\" type=\"number\" min=\"1\" max=\"{longest}\" placeholder=\"1\"> moves</label>\n\
             {years}<button type=\"reset\">clear</button>\n<output id=\"count\"></output>\n</form>\n",
            classes.into_iter().map(class).collect::<String>(),
        )
    }
}

/// What the bars of the years show.
fn years_words(axis: Option<&YearAxis>) -> String {
    let Some(axis) = axis else { return String::new() };
    let unit = match axis.years_per_bar() {
        1 => "of each year".to_string(),
        n => format!("of each {n} years"),
    };
    if axis.knows_games() {
        format!(
            "<p>Years: the bars show the share of the games {unit} in which the sequence was played. The line below \
             the bars covers the years with at least {MIN_GAMES} games; for other years no share is shown.</p>\n"
        )
    } else {
        format!("<p>Years: the bars show the number of games {unit} in which the sequence was played.</p>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports::html::checks::{body, fetches_nothing};

    const ODD: &str = "<b>\"O'Neill\" & co</b>";

    fn bare(rank: usize) -> Card {
        let diagram_svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>d</title></svg>\n".to_string();
        Card {
            rank,
            diagram_svg,
            class_letter: 'A',
            class_words: "usually continues".to_string(),
            place: "corner".to_string(),
            ..Card::default()
        }
    }

    /// A card whose every text is odd.
    fn full() -> Card {
        let odd = || ODD.to_string();
        Card {
            name: Some(odd()),
            class_letter: '<',
            class_words: odd(),
            score: 1234.5,
            n_played: 1234,
            n_moves: 1,
            moves: odd(),
            place: odd(),
            first_side_wins: Some(WinRate { share: 0.512, low: 0.481, high: 0.543, n_games: 9000 }),
            tenuki_share: 0.62,
            continuations: vec![Continuation { letter: odd(), point: odd(), n_played: 617 }],
            years: vec![(1985, 2), (1950, 1), (1951, 3), (1985, 2), (1990, 0)],
            players: vec![(odd(), 3)],
            examples: vec![
                Example { text: odd(), sgf: Some("(;PB[\"é])".to_string()) },
                Example { text: odd(), sgf: None },
            ],
            part_of: vec![2, 99],
            contains: vec![2],
            ..bare(1)
        }
    }

    fn page(cards: Vec<Card>) -> String {
        let odd = || ODD.to_string();
        Page { title: odd(), intro: vec![odd()], cards, manifest: vec![(odd(), odd())], ..Page::default() }.to_html()
    }

    #[test]
    fn text_is_escaped() {
        let html = page(vec![full(), bare(2)]);
        let body = body(&html);
        assert!(!body.contains("<b>\"") && !body.contains("O'Neill"));
        assert_eq!(body.matches("O&#39;Neill").count(), 16);
        assert!(body.contains(
            "<a download=\"game.sgf\" href=\"data:application/x-go-sgf;charset=utf-8,(%3BPB%5B%22%C3%A9%5D)\">"
        ));
    }

    #[test]
    fn numbers_are_explained_in_words() {
        let html = page(vec![full(), bare(2)]);
        for part in [
            "<p><b>2</b> sequences</p>",
            "<li><b>1</b> move, &lt;b&gt;",
            "<li>played <b>1,234</b> times, <b>0</b> times with exactly these surrounding stones</li>",
            "<li>then the next move is elsewhere in <b>62%</b> of cases</li>",
            "<li>the side that moves first (drawn as Black) won <b>51%</b> of 9,000 games with a winner (95% interval 48–54%)</li>",
            "<i style=\"width:50.0%\">",
            "<p>1950 to 1985, most often in 1985 (<b>4</b> games)</p>",
            "data-years=\"1950-1951 1985-1985\"",
            "<p>Part of <a href=\"#2\">#2</a>, #99</p>",
            "value=\"A\">A: usually continues</label>",
        ] {
            assert!(html.contains(part), "{part}\n{html}");
        }
    }

    #[test]
    fn bars_are_shares_where_games_are_known() {
        let card = Card { years: vec![(1950, 10), (1951, 3), (1953, 5)], ..bare(1) };
        let games_by_year = BTreeMap::from([(1950, 500), (1951, 3), (1953, 50)]);
        let html = Page { cards: vec![card.clone()], games_by_year, ..Page::default() }.to_html();
        // Three of three games in 1951 mean nothing, and 1952 has none.
        assert!(html.contains("<path d=\"M0.1 24v-4.8h.8V24zM3.1 24v-24.0h.8V24z\"/>"), "{html}");
        assert!(html.contains("<path class=\"known\" d=\"M0 25h1v1h-1zM3 25h1v1h-1z\"/>"));
        assert!(html.contains("<p>1950 to 1953, most often in 1953: <b>10%</b> of the games (5 of 50)</p>"));
        let games_by_year = BTreeMap::from([(1950, 10), (1951, 3), (1953, 5)]);
        let html = Page { cards: vec![card], games_by_year, ..Page::default() }.to_html();
        assert!(!html.contains("viewBox=\"0 0 2 26\"") && html.contains("<p>1950 to 1953</p>"));
    }

    #[test]
    fn unknown_facts_are_not_shown() {
        let html = page(vec![bare(7)]);
        let body = body(&html);
        assert!(body.contains("<h2><a href=\"#7\">#7</a></h2>"));
        for part in ["<h3>", "Black, who", "data-win", "years", "Part of", "Contains"] {
            assert!(!body.contains(part), "{part}");
        }
        let html = Page::default().to_html();
        assert!(html.contains("<b>0</b> sequences") && !html.contains("<footer>"));
    }

    #[test]
    fn nothing_is_fetched_from_elsewhere() {
        let html = page(vec![full(), bare(2)]);
        fetches_nothing(&html);
        assert_eq!(html, page(vec![full(), bare(2)]));
    }

    #[test]
    fn centuries_share_a_bar() {
        let years = |years: Vec<(u16, usize)>| Card { years, ..bare(1) };
        let html = page(vec![years(vec![(1650, 1), (2020, 1)])]);
        assert!(html.contains("viewBox=\"0 0 75 26\"") && html.contains("5 years per bar"));
        let html = page(vec![years(vec![(0, 1), (u16::MAX, 1)])]);
        assert!(html.contains("viewBox=\"0 0 66 26\""));
    }
}
