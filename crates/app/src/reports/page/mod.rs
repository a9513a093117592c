//! A page of sequences, to be read in a browser.
//!
//! One file holds everything: it asks for nothing from elsewhere, and its
//! content security policy lets no browser do so. The script only sorts and
//! filters; without it the page is complete. Equal pages have equal bytes.

mod card;

use std::collections::{BTreeMap, BTreeSet};

use crate::reports::page::card::{YearAxis, draw_card, plural};
use crate::reports::writing::escape;

/// What is told of one sequence.
///
/// All text is plain and gets escaped, but for the diagram.
#[derive(Clone, Debug, Default)]
pub struct Card {
    /// Its place in the list, from 1; also its address in the page.
    pub rank: usize,
    /// What players call it.
    pub name: Option<String>,
    /// An SVG element, trusted to be sound.
    pub diagram_svg: String,
    /// The class it was put in.
    pub class_letter: char,
    /// What the class means.
    pub class_words: String,
    /// What the list is ranked by.
    pub score: f64,
    /// How often it was played.
    pub n_played: usize,
    /// How often with no other stones around.
    pub n_same_around: usize,
    /// Its length.
    pub n_moves: usize,
    /// Its points in order, as in "R14 O17".
    pub moves: String,
    /// Where on the board: "corner", "side" or "center".
    pub place: String,
    /// How often Black in the diagram, who moves first, won the game.
    pub first_side_wins: Option<WinRate>,
    /// How often the next move was played elsewhere, from 0 to 1.
    pub tenuki_share: f64,
    /// The next moves in the diagram, most frequent first.
    pub continuations: Vec<Continuation>,
    /// How often in which year; the years of all cards share an axis.
    pub years: Vec<(u16, usize)>,
    /// Who played it how often.
    pub players: Vec<(String, usize)>,
    /// Some games it was played in.
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
    /// The games that had a winner.
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

/// A game a sequence was played in.
#[derive(Clone, Debug)]
pub struct Example {
    /// Players, year, move.
    pub text: String,
    /// The game itself as SGF, which the page then holds and gives out as a file.
    pub sgf: Option<String>,
}

/// A list of sequences with its head and foot.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// Paragraphs of plain text.
    pub intro: Vec<String>,
    /// The sequences in the order shown at first.
    pub cards: Vec<Card>,
    /// How the page was made: names and values for the table at its foot.
    pub manifest: Vec<(String, String)>,
}

impl Page {
    /// The whole page.
    pub fn to_html(&self) -> String {
        let title = escape(&self.title);
        let intro: String = self.intro.iter().map(|text| format!("<p>{}</p>\n", escape(text))).collect();
        let n_cards = plural(self.cards.len(), "sequence", "sequences");
        let axis = YearAxis::new(&self.cards);
        let ranks: BTreeSet<usize> = self.cards.iter().map(|card| card.rank).collect();
        let cards: String = self.cards.iter().map(|card| draw_card(card, axis, &ranks)).collect();
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>\n{}</style>\n</head>\n<body>\n\
             <header>\n<h1>{title}</h1>\n{intro}<p>{n_cards}</p>\n</header>\n\
             {}<main id=\"cards\">\n{cards}</main>\n{}<script>\n{}</script>\n</body>\n</html>\n",
            include_str!("page.css"),
            self.controls(axis),
            self.foot(),
            include_str!("page.js"),
        )
    }

    /// The bar to sort and filter with, which the script brings to light.
    fn controls(&self, axis: Option<YearAxis>) -> String {
        let classes: BTreeMap<char, &str> =
            self.cards.iter().rev().map(|card| (card.class_letter, card.class_words.as_str())).collect();
        let class = |(letter, words): (char, &str)| {
            let (letter, words) = (escape(&letter.to_string()), escape(words));
            format!(
                "<label title=\"{words}\"><input type=\"checkbox\" name=\"class\" value=\"{letter}\">{letter}</label>\n"
            )
        };
        let places: BTreeSet<String> = self.cards.iter().map(|card| escape(&card.place)).collect();
        let places: String = places.iter().map(|place| format!("<option>{place}</option>")).collect();
        let longest = self.cards.iter().map(|card| card.n_moves).max().unwrap_or(0);
        let years = axis.map_or_else(String::new, |YearAxis { first, last, .. }| {
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
             <option value=\"tenuki\">share of tenuki</option></select></label>\n\
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

    fn foot(&self) -> String {
        if self.manifest.is_empty() {
            return String::new();
        }
        let row = |(name, value): &(String, String)| {
            format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape(name), escape(value))
        };
        let rows: String = self.manifest.iter().map(row).collect();
        format!("<footer>\n<table>\n<caption>How this page was made</caption>\n{rows}</table>\n</footer>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ODD: &str = "<b>\"O'Neill\" & co</b>";

    fn bare(rank: usize) -> Card {
        let diagram_svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>d</title></svg>\n".to_string();
        Card { rank, diagram_svg, class_letter: 'A', place: "corner".to_string(), ..Card::default() }
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
        Page { title: odd(), intro: vec![odd()], cards, manifest: vec![(odd(), odd())] }.to_html()
    }

    /// The page without style and script, after checking that every element is closed in turn.
    #[track_caller]
    fn body(html: &str) -> &str {
        let (_, body) = html.split_once("</head>\n").expect("a head");
        let (body, _) = body.split_once("<script>").expect("a script");
        let mut open = Vec::new();
        let tags = body.split('<').skip(1).map(|part| part.split('>').next().expect("a part has a start"));
        for tag in tags.filter(|tag| !tag.ends_with('/') && !tag.starts_with("input")) {
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None => open.push(tag.split(' ').next().expect("a tag has a name")),
            }
        }
        assert_eq!(open, ["body"]);
        body
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
    fn numbers_are_told_in_words() {
        let html = page(vec![full(), bare(2)]);
        for part in [
            "<p><b>2</b> sequences</p>",
            "<li>played <b>1,234</b> times</li>",
            "<li>then elsewhere: <b>62%</b></li>",
            "<li>Black wins <b>51%</b> (48–54, n=9,000)</li>",
            "<i style=\"width:50.0%\">",
            "<p>1950 to 1985, most in 1985 (4)</p>",
            "data-years=\"1950-1951 1985-1985\"",
            "<p>Part of <a href=\"#2\">#2</a>, #99</p>",
        ] {
            assert!(html.contains(part), "{part}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_shown() {
        let html = page(vec![bare(7)]);
        let body = body(&html);
        assert!(body.contains("<h2><a href=\"#7\">#7</a></h2>"));
        for part in ["<h3>", "Black wins", "data-win", "years", "Part of", "Contains"] {
            assert!(!body.contains(part), "{part}");
        }
        let html = Page::default().to_html();
        assert!(html.contains("<b>0</b> sequences") && !html.contains("<footer>"));
    }

    #[test]
    fn nothing_is_fetched_from_elsewhere() {
        let html = page(vec![full(), bare(2)]);
        assert!(!html.contains("://"));
        for part in ["<link", "<img", "@import", "url(", " src="] {
            assert!(!html.contains(part), "{part}");
        }
        assert_eq!(html, page(vec![full(), bare(2)]));
    }

    #[test]
    fn centuries_share_a_bar() {
        let years = |years: Vec<(u16, usize)>| Card { years, ..bare(1) };
        let html = page(vec![years(vec![(1650, 1), (2020, 1)])]);
        assert!(html.contains("viewBox=\"0 0 75 24\"") && html.contains("5 years per bar"));
        let html = page(vec![years(vec![(0, 1), (u16::MAX, 1)])]);
        assert!(html.contains("viewBox=\"0 0 66 24\""));
    }
}
