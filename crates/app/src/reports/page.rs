//! A page of words, tables and pictures, for the browser or for print.

use crate::reports::html::{Html, MADE};
use crate::reports::plot::{Extent, Plot};
use crate::reports::table::{Align, Table};
use crate::reports::writing::{escape, grouped, inline_svg};

/// Sizes of plots for wide and for narrow screens; the page shows one of them.
const PLOT_EXTENTS: [(&str, Extent); 2] =
    [("wide", Extent { width: 640.0, height: 300.0 }), ("narrow", Extent { width: 360.0, height: 250.0 })];

/// A page that grows from top to bottom.
///
/// All text is plain and gets escaped; pictures are trusted. Successive tables and pictures are placed next to each
/// other where they fit.
///
/// ```
/// use tejun::reports::boards::board_svg;
/// use tejun::reports::page::{Figure, ReportPage};
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
    blocks: Vec<Block>,
    manifest: Vec<(String, String)>,
}

/// HTML of a part of the page.
#[derive(Clone, Debug)]
struct Block {
    kind: BlockKind,
    html: String,
}

/// How a block is placed: tables and pictures share a row with their neighbors of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockKind {
    Plain,
    Table,
    Picture,
}

/// A board with its caption.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figure {
    /// An SVG element, trusted to be valid.
    pub svg: String,
    /// Lines of plain text, the first in bold.
    pub caption: Vec<String>,
}

impl ReportPage {
    /// A page with its title and an introductory paragraph, which may be empty.
    pub fn new(title: &str, lead: &str) -> ReportPage {
        let manifest = vec![("program".to_string(), concat!("tejun ", env!("CARGO_PKG_VERSION")).to_string())];
        ReportPage { title: title.to_string(), lead: lead.to_string(), blocks: Vec::new(), manifest }
    }

    /// Adds a row to the table that says how the page was made.
    pub fn made_with(&mut self, name: &str, value: &str) {
        self.manifest.push((name.to_string(), value.to_string()));
    }

    fn push(&mut self, kind: BlockKind, html: String) {
        self.blocks.push(Block { kind, html });
    }

    /// Starts a section.
    pub fn heading(&mut self, text: &str) {
        self.push(BlockKind::Plain, format!("<h2>{}</h2>\n", escape(text)));
    }

    /// Adds a paragraph.
    pub fn words(&mut self, text: &str) {
        self.push(BlockKind::Plain, format!("<p>{}</p>\n", escape(text)));
    }

    /// Says what the columns of the tables before mean: names and words.
    pub fn columns(&mut self, columns: &[(&str, &str)]) {
        let item = |(name, words): &(&str, &str)| format!("<li><b>{}</b>: {}</li>\n", escape(name), escape(words));
        let items: String = columns.iter().map(item).collect();
        self.push(BlockKind::Plain, format!("<ul class=\"columns\">\n{items}</ul>\n"));
    }

    /// Adds a table; missing cells are empty.
    ///
    /// The first column is left-aligned, others are right-aligned if they hold only numbers.
    pub fn table(&mut self, header: &[&str], rows: &[Vec<String>]) {
        let align = |column: usize| {
            let mut cells = rows.iter().filter_map(|row| row.get(column));
            if column > 0 && cells.all(|cell| is_number(cell)) { Align::Right } else { Align::Left }
        };
        let columns = header.iter().enumerate().map(|(i, name)| (*name, align(i)));
        self.push_table(&columns.collect::<Vec<_>>(), rows);
    }

    /// Adds a table as it would be printed, with its own alignment.
    pub fn table_of(&mut self, table: &Table) {
        self.push_table(&table.columns(), table.rows());
    }

    /// Adds a table, and below it what its columns mean. Words for columns that the table does not have are skipped.
    pub fn explained_table(&mut self, table: &Table, columns: &[(&str, &str)]) {
        self.table_of(table);
        let names = table.columns();
        let has = |name: &str| names.iter().any(|column| column.0 == name);
        self.columns(&columns.iter().copied().filter(|column| has(column.0)).collect::<Vec<_>>());
    }

    fn push_table(&mut self, columns: &[(&str, Align)], rows: &[Vec<String>]) {
        let class = |align: Align| if align == Align::Right { " class=\"number\"" } else { "" };
        let head = |(name, align): &(&str, Align)| format!("<th scope=\"col\"{}>{}</th>", class(*align), escape(name));
        let row = |row: &Vec<String>| {
            let text =
                |column: usize| row.get(column).map_or_else(String::new, |cell| escape(&grouped_cell(column, cell)));
            let cell = |(i, column): (usize, &(&str, Align))| format!("<td{}>{}</td>", class(column.1), text(i));
            format!("<tr>{}</tr>\n", columns.iter().enumerate().map(cell).collect::<String>())
        };
        let table = format!(
            "<div class=\"tabled scroll\">\n<table class=\"rows\">\n<thead>\n<tr>{}</tr>\n</thead>\n\
             <tbody>\n{}</tbody>\n</table>\n</div>\n",
            columns.iter().map(head).collect::<String>(),
            rows.iter().map(row).collect::<String>(),
        );
        self.push(BlockKind::Table, table);
    }

    /// Adds a plot, in one size for wide and one for narrow screens; the caption may be empty.
    pub fn plot(&mut self, plot: &Plot, caption: &str) {
        let pictures = PLOT_EXTENTS.map(|(class, extent)| {
            let svg = plot.clone().with_extent(extent).to_svg();
            format!("<div class=\"{class}\">\n{}</div>\n", inline_svg(&svg))
        });
        let caption = if caption.is_empty() { vec![] } else { vec![caption.to_string()] };
        self.push(BlockKind::Picture, figure_of("picture", &pictures.concat(), &caption));
    }

    /// Adds boards in rows, as many per row as fit.
    pub fn boards(&mut self, figures: &[Figure]) {
        let figures: String = figures.iter().map(|board| figure("board", &board.svg, &board.caption)).collect();
        self.push(BlockKind::Plain, format!("<div class=\"boards\">\n{figures}</div>\n"));
    }

    /// The whole page.
    pub fn to_html(&self) -> String {
        let lead = if self.lead.is_empty() { String::new() } else { format!("<p>{}</p>\n", escape(&self.lead)) };
        let flows = |block: &Block| block.kind != BlockKind::Plain;
        let rows = self.blocks.chunk_by(|a, b| flows(a) == flows(b)).map(|blocks| match blocks.first() {
            Some(first) if flows(first) => format!("<div class=\"row\">\n{}</div>\n", row(blocks)),
            _ => blocks.iter().map(|block| block.html.as_str()).collect(),
        });
        Html {
            language: "en",
            title: &self.title,
            style: "",
            script: None,
            header: format!("<h1>{}</h1>\n{lead}", escape(&self.title)),
            main: rows.collect(),
            made: MADE,
            manifest: &self.manifest,
        }
        .to_html()
    }
}

/// Tables and pictures, each in a group of their kind.
fn row(blocks: &[Block]) -> String {
    let groups = blocks.chunk_by(|a, b| a.kind == b.kind).map(|group| {
        let is_table = group.first().is_some_and(|block| block.kind == BlockKind::Table);
        let class = if is_table { "tables" } else { "pictures" };
        let html: String = group.iter().map(|block| block.html.as_str()).collect();
        format!("<div class=\"{class}\">\n{html}</div>\n")
    });
    groups.collect()
}

/// A cell with its number in groups of three; the first column may hold years, so it stays as it is.
fn grouped_cell(column: usize, cell: &str) -> String {
    let is_number = column > 0 && !cell.is_empty() && cell.bytes().all(|digit| digit.is_ascii_digit());
    if is_number { grouped(cell) } else { cell.to_string() }
}

fn figure(class: &str, svg: &str, caption: &[String]) -> String {
    figure_of(class, &format!("<div>\n{}</div>\n", inline_svg(svg)), caption)
}

/// A figure with HTML as its content.
fn figure_of(class: &str, content: &str, caption: &[String]) -> String {
    let lines: String = caption.iter().map(|line| format!("<span>{}</span>\n", escape(line))).collect();
    let caption = if lines.is_empty() { lines } else { format!("<figcaption>\n{lines}</figcaption>\n") };
    format!("<figure class=\"{class}\">\n{content}{caption}</figure>\n")
}

/// Whether a cell is empty or holds a number as reports write them, such as "1,024", "-3.5%" or "48–54".
fn is_number(cell: &str) -> bool {
    let has_letters = cell.contains(char::is_alphabetic);
    let is_dash = cell.chars().all(|c| matches!(c, '-' | '–' | '—' | '?'));
    is_dash || (!has_letters && cell.contains(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports::boards::board_svg;
    use crate::reports::html::checks;
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
        page.columns(&[(ODD, ODD)]);
        page.made_with("games", ODD);
        page.plot(&Plot::new(ODD), ODD);
        let caption = || vec![ODD.to_string(), ODD.to_string()];
        page.boards(&[Figure { svg: chess, caption: caption() }, Figure { svg: shogi, caption: vec![] }]);
        page
    }

    #[test]
    fn text_is_escaped_and_elements_are_closed() {
        let html = full().to_html();
        let body = checks::body(&html);
        assert!(!body.contains("<b>\"") && !body.contains("O'Neill"));
        assert_eq!(body.matches("O&#39;Neill").count(), 17);
    }

    #[test]
    fn nothing_is_fetched_from_elsewhere() {
        let html = full().to_html();
        checks::fetches_nothing(&html);
        assert!(!html.contains("<script") && !html.contains(" id="));
        assert_eq!(html, full().to_html());
    }

    #[test]
    fn neighbors_of_a_kind_share_a_row() {
        let mut page = ReportPage::new("t", "");
        (0..2).for_each(|_| page.table(&["a"], &[]));
        (0..2).for_each(|_| page.plot(&Plot::new(""), "c"));
        page.words("w");
        page.plot(&Plot::new(""), "c");
        let html = page.to_html();
        let body = checks::body(&html);
        assert_eq!(body.matches("<div class=\"tables\">").count(), 1);
        assert_eq!(body.matches("<div class=\"pictures\">").count(), 2);
    }

    #[test]
    fn columns_are_explained_if_they_exist() {
        let mut page = ReportPage::new("t", "");
        page.explained_table(&Table::new(&[("a", Align::Left)]), &[("a", "first"), ("b", "second")]);
        let html = page.to_html();
        assert!(html.contains("<li><b>a</b>: first</li>") && !html.contains("second"));
    }

    #[test]
    fn numbers_are_grouped_but_not_years() {
        let cells = ["965", "12345", "1.2345", "ab123", ""].map(|cell| grouped_cell(1, cell));
        assert_eq!(cells, ["965", "12,345", "1.2345", "ab123", ""]);
        assert_eq!(grouped_cell(0, "1965"), "1965");
    }

    #[test]
    fn numbers_are_right_aligned() {
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
    fn empty_texts_leave_no_element() {
        let mut page = ReportPage::new("t", "");
        page.plot(&Plot::new(""), "");
        let html = page.to_html();
        assert!(!html.contains("<p>") && !html.contains("<figcaption>"));
    }
}
