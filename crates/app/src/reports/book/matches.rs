//! Matches of books as tables, plots and pages.

use tejun_knowledge::books::BookStats;
use tejun_knowledge::books::matching::{Leaving, Match, PlyRow};

use crate::reports::book::{BOOK_COLUMNS, MATCH_COLUMNS, PLY_COLUMNS, board_svg};
use crate::reports::page::{Figure, ReportPage};
use crate::reports::plot::Plot;
use crate::reports::table::{Align, Table};

/// Positions drawn on the page of a match.
const N_BOARDS: usize = 12;

/// A match with the names of its books.
pub type NamedMatch<'m> = ([&'m str; 2], &'m Match);

/// One row per match: where games leave, and how varied that is.
pub fn match_table(matches: &[NamedMatch<'_>]) -> Table {
    let mut table = Table::new(&[
        ("first", Align::Left),
        ("second", Align::Left),
        ("leaving positions", Align::Right),
        ("entropy", Align::Right),
        ("effective", Align::Right),
        ("Hill 2", Align::Right),
        ("most probable", Align::Right),
        ("plies in book", Align::Right),
        ("same position", Align::Right),
        ("same moves", Align::Right),
        ("entropy of lines", Align::Right),
    ]);
    for ([first, second], played) in matches {
        let diversity = played.diversity();
        let [n, effective, simpson, _] = diversity.hill_numbers();
        table.push(vec![
            first.to_string(),
            second.to_string(),
            format!("{n:.0}"),
            format!("{:.4}", diversity.entropy),
            format!("{effective:.1}"),
            format!("{simpson:.1}"),
            format!("{:.4}", diversity.largest),
            format!("{:.3}", played.expected_plies),
            format!("{:.6}", diversity.same),
            format!("{:.6}", played.same_line),
            format!("{:.4}", played.line_entropy),
        ]);
    }
    table
}

/// One row per ply.
pub fn ply_table(played: &Match) -> Table {
    let mut table = Table::new(&[
        ("ply", Align::Right),
        ("in book", Align::Right),
        ("positions", Align::Right),
        ("entropy in book", Align::Right),
        ("entropy with left", Align::Right),
        ("leaving positions", Align::Right),
        ("leaving", Align::Right),
    ]);
    for row in &played.flow.rows {
        table.push(vec![
            row.ply.to_string(),
            format!("{:.6}", unsigned(row.in_book)),
            row.n_in_book.to_string(),
            format!("{:.4}", row.entropy_in_book),
            format!("{:.4}", row.entropy_all),
            row.n_leaving.to_string(),
            format!("{:.6}", unsigned(row.leaving)),
        ]);
    }
    table
}

/// A share for printing: the sum of an empty list is -0.
fn unsigned(share: f64) -> f64 {
    share + 0.0
}

/// The three curves by ply of some matches.
fn add_plots(page: &mut ReportPage, matches: &[NamedMatch<'_>]) {
    let curve = |title: &str, label: &str, value: &dyn Fn(&PlyRow) -> f64| {
        let mut plot = Plot::new(title).with_axes("moves played", label);
        for ([first, second], played) in matches {
            // A cycle makes a tail of thousands of plies with almost no probability.
            let rows = played.flow.rows.iter().take_while(|row| row.in_book + row.leaving > 1e-6);
            let points = rows.map(|row| (f64::from(row.ply), value(row))).collect();
            plot = plot.with_line(&format!("{first} – {second}"), points);
        }
        plot
    };
    page.plot(
        &curve("Leaving positions by ply", "positions", &|row| row.n_leaving as f64),
        "Positions where games leave the books, by number of moves played.",
    );
    page.plot(
        &curve("Still in book", "probability", &|row| row.in_book),
        "The probability that the side to move has a book move.",
    );
    page.plot(
        &curve("Entropy of positions", "bits", &|row| row.entropy_all),
        "Entropy of the positions of all games, including those that have left; ends at that of the leaving positions.",
    );
    page.plot(
        &curve("Entropy of positions in book", "bits", &|row| row.entropy_in_book),
        "Entropy of the positions of the games that are still in book.",
    );
}

/// A leaving position as a figure.
pub fn leaving_figure(played: &Match, leaving: &Leaving, note: &str) -> Figure {
    let (board, moves) = played.way(leaving.node);
    let last = moves.last().map(|(_, text)| text.as_str());
    let texts: Vec<&str> = moves.iter().map(|(_, text)| text.as_str()).collect();
    let head = format!("{:.3}% {note}", 100.0 * leaving.probability);
    Figure { svg: board_svg(&board, last), caption: vec![head.trim_end().to_string(), texts.join(" ")] }
}

/// A page about one match.
pub fn match_page([first, second]: [&str; 2], played: &Match) -> ReportPage {
    let title = format!("{first} – {second}");
    let lead = "An exact match of two opening books: probability flows from the start until no book move remains.";
    let mut page = ReportPage::new(&title, lead);
    let matches = [([first, second], played)];
    page.explained_table(&match_table(&matches), MATCH_COLUMNS);
    add_plots(&mut page, &matches);
    page.heading("Where games leave most often");
    let figures: Vec<Figure> =
        played.leaving.iter().take(N_BOARDS).map(|leaving| leaving_figure(played, leaving, "")).collect();
    page.boards(&figures);
    page.heading("Ply by ply");
    page.explained_table(&ply_table(played), PLY_COLUMNS);
    page
}

/// A page about all pairs of some books.
pub fn compare_page(
    sizes: &[(&str, BookStats)],
    matches: &[NamedMatch<'_>],
    divergence: Option<&Table>,
    n_boards: usize,
) -> ReportPage {
    let lead =
        "An exact match of every book against every book, itself included. No game is played, and nothing is sampled.";
    let mut page = ReportPage::new("Opening books compared", lead);
    page.heading("The books");
    page.explained_table(&size_table(sizes), BOOK_COLUMNS);
    page.heading("All pairs");
    page.explained_table(&match_table(matches), MATCH_COLUMNS);
    if let Some(table) = divergence {
        page.heading("How far the books are from the games");
        page.table_of(table);
    }
    add_plots(&mut page, matches);
    for (place, (names, played)) in matches.iter().enumerate() {
        let others = matches.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, (_, other))| *other);
        let others: Vec<&Match> = others.collect();
        let figures: Vec<Figure> =
            only_here(played, &others).take(n_boards).map(|leaving| leaving_figure(played, leaving, "")).collect();
        if !figures.is_empty() && !others.is_empty() {
            page.heading(&format!("Only in {} – {}", names[0], names[1]));
            page.words("The most probable leaving positions that occur in no other match here.");
            page.boards(&figures);
        }
    }
    page
}

/// The leaving positions that no other match reaches.
fn only_here<'m>(played: &'m Match, others: &[&'m Match]) -> impl Iterator<Item = &'m Leaving> {
    let seen: std::collections::HashSet<_> =
        others.iter().flat_map(|other| (0..other.chain.len() as u32).map(|node| other.chain.key(node))).collect();
    played.leaving.iter().filter(move |leaving| !seen.contains(&leaving.key))
}

fn size_table(sizes: &[(&str, BookStats)]) -> Table {
    let columns =
        [("book", Align::Left), ("positions", Align::Right), ("moves", Align::Right), ("moves/position", Align::Right)];
    let mut table = Table::new(&columns);
    for (name, stats) in sizes {
        let mean = format!("{:.4}", stats.mean_moves());
        table.push(vec![name.to_string(), stats.n_positions.to_string(), stats.n_moves.to_string(), mean]);
    }
    table
}
