//! A page of words, tables and pictures, to be read in a browser or printed.
//!
//! One file holds everything and runs no script; its content security policy
//! lets no browser ask for anything from elsewhere. Equal pages have equal
//! bytes.

use crate::reports::table::{Align, Table};
use crate::reports::writing::{escape, inline_svg};

/// A page that grows from top to bottom.
///
/// All text is plain and gets escaped; pictures are trusted to be sound.
///
/// ```
/// use tejun::reports::boards::board_svg;
/// use tejun::reports::book::{Figure, ReportPage};
///
/// let mut page = ReportPage::new("Two openings", "What the book knows.");
/// page.heading("Moves");
/// page.table(&["move", "games"], &[vec!["e4".into(), "1,024".into()]]);
/// let svg = board_svg(&tejun_games::game::Game::Chess.start(), None);
/// page.boards(&[Figure { svg, caption: vec!["e4".into()] }]);
/// assert!(page.to_html().contains("<figcaption>"));
/// ```
#[derive(Clone, Debug)]
pub struct ReportPage {
    title: String,
    lead: String,
    /// HTML of all that was added.
    body: String,
}

/// A board and what is said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figure {
    /// An SVG element, trusted to be sound.
    pub svg: String,
    /// Lines of plain text, the first in bold.
    pub caption: Vec<String>,
}

impl ReportPage {
    /// A page with its heading and a paragraph that leads in; an empty one is left out.
    pub fn new(title: &str, lead: &str) -> ReportPage {
        ReportPage { title: title.to_string(), lead: lead.to_string(), body: String::new() }
    }

    /// Begins a section.
    pub fn heading(&mut self, text: &str) {
        self.body.push_str(&format!("<h2>{}</h2>\n", escape(text)));
    }

    /// Adds a paragraph.
    pub fn words(&mut self, text: &str) {
        self.body.push_str(&format!("<p>{}</p>\n", escape(text)));
    }

    /// Adds a table; missing cells are empty.
    ///
    /// The first column goes left, others right if nothing but numbers is in them.
    pub fn table(&mut self, header: &[&str], rows: &[Vec<String>]) {
        let align = |column: usize| {
            let mut cells = rows.iter().filter_map(|row| row.get(column));
            if column > 0 && cells.all(|cell| is_number(cell)) { Align::Right } else { Align::Left }
        };
        let columns = header.iter().enumerate().map(|(i, name)| (*name, align(i)));
        self.push_table(&columns.collect::<Vec<_>>(), rows);
    }

    /// Adds a table as it would be printed, its columns aligned as it says.
    pub fn table_of(&mut self, table: &Table) {
        self.push_table(&table.columns(), table.rows());
    }

    fn push_table(&mut self, columns: &[(&str, Align)], rows: &[Vec<String>]) {
        let class = |align: Align| if align == Align::Right { " class=\"number\"" } else { "" };
        let head = |(name, align): &(&str, Align)| format!("<th scope=\"col\"{}>{}</th>", class(*align), escape(name));
        let row = |row: &Vec<String>| {
            let text = |column: usize| row.get(column).map_or_else(String::new, |cell| escape(cell));
            let cell = |(i, column): (usize, &(&str, Align))| format!("<td{}>{}</td>", class(column.1), text(i));
            format!("<tr>{}</tr>\n", columns.iter().enumerate().map(cell).collect::<String>())
        };
        self.body.push_str(&format!(
            "<div class=\"scroll\">\n<table class=\"rows\">\n<thead>\n<tr>{}</tr>\n</thead>\n\
             <tbody>\n{}</tbody>\n</table>\n</div>\n",
            columns.iter().map(head).collect::<String>(),
            rows.iter().map(row).collect::<String>(),
        ));
    }

    /// Adds a plot or another wide picture; an empty caption is left out.
    pub fn picture(&mut self, svg: &str, caption: &str) {
        let lines: Vec<String> = Some(caption.to_string()).into_iter().filter(|line| !line.is_empty()).collect();
        let figure = figure("picture", svg, &lines);
        self.body.push_str(&figure);
    }

    /// Adds boards in rows, as many in each as the window has room for.
    pub fn boards(&mut self, figures: &[Figure]) {
        let figures: String = figures.iter().map(|board| figure("board", &board.svg, &board.caption)).collect();
        self.body.push_str(&format!("<div class=\"boards\">\n{figures}</div>\n"));
    }

    /// The whole page.
    pub fn to_html(&self) -> String {
        let title = escape(&self.title);
        let lead = if self.lead.is_empty() { String::new() } else { format!("<p>{}</p>\n", escape(&self.lead)) };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>\n{}</style>\n</head>\n<body>\n\
             <header>\n<h1>{title}</h1>\n{lead}</header>\n<main>\n{}</main>\n</body>\n</html>\n",
            include_str!("page.css"),
            self.body,
        )
    }
}

fn figure(class: &str, svg: &str, caption: &[String]) -> String {
    let lines: String = caption.iter().map(|line| format!("<span>{}</span>\n", escape(line))).collect();
    let caption = if lines.is_empty() { lines } else { format!("<figcaption>\n{lines}</figcaption>\n") };
    format!("<figure class=\"{class}\">\n<div>\n{}</div>\n{caption}</figure>\n", inline_svg(svg))
}

/// Whether a cell holds a number as reports write them, such as "1,024", "-3.5%" or "48–54", or nothing.
fn is_number(cell: &str) -> bool {
    let has_letters = cell.contains(char::is_alphabetic);
    let is_dash = cell.chars().all(|c| matches!(c, '-' | '–' | '—' | '?'));
    is_dash || (!has_letters && cell.contains(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports::boards::board_svg;
    use crate::reports::plot::Plot;
    use tejun_games::game::Game;

    const ODD: &str = "<b>\"O'Neill\" & co</b>";

    /// A page whose every text is odd.
    fn full() -> ReportPage {
        let chess = board_svg(&Game::Chess.start(), None);
        let shogi = board_svg(&Game::Shogi.start(), None);
        let mut page = ReportPage::new(ODD, ODD);
        page.heading(ODD);
        page.words(ODD);
        page.table(&[ODD, "n"], &[vec![ODD.into(), "1,024".into()], vec![]]);
        let mut table = Table::new(&[("a", Align::Right), (ODD, Align::Left)]);
        table.push(vec!["x".into(), "7".into()]);
        page.table_of(&table);
        page.picture(&Plot::new(ODD).to_svg(), ODD);
        let caption = || vec![ODD.to_string(), ODD.to_string()];
        page.boards(&[Figure { svg: chess, caption: caption() }, Figure { svg: shogi, caption: vec![] }]);
        page
    }

    #[test]
    fn text_is_escaped_and_elements_are_closed() {
        let html = full().to_html();
        let (_, body) = html.split_once("</head>\n").expect("a head");
        assert!(!body.contains("<b>") && !body.contains("O'Neill"));
        assert_eq!(body.matches("O&#39;Neill").count(), 12);
        let mut open = Vec::new();
        let tags = body.split('<').skip(1).map(|part| part.split('>').next().expect("a part has a start"));
        for tag in tags.filter(|tag| !tag.ends_with('/')) {
            match tag.strip_prefix('/') {
                Some("html") => assert!(open.is_empty()),
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None => open.push(tag.split(' ').next().expect("a tag has a name")),
            }
        }
    }

    #[test]
    fn nothing_is_fetched_from_elsewhere() {
        let html = full().to_html();
        for part in ["://", "<link", "<img", "<script", "@import", "url(", " src=", " id="] {
            assert!(!html.contains(part), "{part}");
        }
        assert_eq!(html, full().to_html());
    }

    #[test]
    fn numbers_go_right() {
        let html = full().to_html();
        assert!(html.contains("<td class=\"number\">1,024</td></tr>\n<tr><td></td><td class=\"number\"></td></tr>"));
        assert!(html.contains("<td class=\"number\">x</td><td>7</td>"));
        for number in ["", "0", "-3.5%", "48–54", "–", "?", "+120", "1 / 2"] {
            assert!(is_number(number), "{number}");
        }
        for word in ["7g7f", "e4", "歩", "n/a", "*"] {
            assert!(!is_number(word), "{word}");
        }
    }

    #[test]
    fn what_is_empty_is_left_out() {
        let mut page = ReportPage::new("t", "");
        page.picture("<svg></svg>\n", "");
        let html = page.to_html();
        assert!(!html.contains("<p>") && !html.contains("<figcaption>"));
    }
}
