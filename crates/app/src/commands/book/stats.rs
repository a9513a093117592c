//! `tejun book stats`: the size of opening books.

use std::path::{Path, PathBuf};

use tejun_knowledge::books::{BookStats, book_stats};

use crate::args::{OutputArgs, TableFormat};
use crate::commands::book::loading::{ChosenBook, LoadingArgs};
use crate::commands::book::matching::write_tables;
use crate::commands::{Found, Globals};
use crate::output::{check_outputs, write_file};
use crate::reports::book::{BOOK_COLUMNS, board_svg};
use crate::reports::page::{Figure, ReportPage};
use crate::reports::plot::Plot;
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// Count the positions and moves of opening books
///
/// A position counts if it can be reached from the start by known moves, including moves that are
/// never chosen, through positions that have a move to choose.
///
/// Example: tejun book stats joseki-wide.dat joseki.dat --by-ply
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Opening books
    #[arg(required = true, value_name = "BOOK")]
    books: Vec<PathBuf>,
    #[command(flatten)]
    loading: LoadingArgs,
    /// Also show counts by the number of moves from the start
    #[arg(long)]
    by_ply: bool,
    #[command(flatten)]
    output: OutputArgs<TableFormat>,
    /// Write an HTML page with plots and boards
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// If a book can't be read.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    args.loading.refuse_max_ply("stats")?;
    let tables_file = args.output.path().map(Path::to_path_buf);
    check_outputs(&[&tables_file, &args.html], &args.books, globals)?;
    let books = args.loading.open(&args.books, globals)?;
    let all: Vec<(&ChosenBook, BookStats)> =
        books.iter().map(|book| (book, book_stats(book.book(), &book.selection))).collect();
    let mut tables = vec![size_table(&all), histogram_table(&all)];
    if args.by_ply {
        tables.push(ply_table(&all));
    }
    write_tables(&args.output, &tables, globals)?;
    if let Some(path) = &args.html {
        write_file(path, page(&all).to_html().as_bytes(), globals)?;
    }
    Ok(Found::from(all.iter().any(|(_, stats)| stats.n_positions > 0)))
}

fn size_table(all: &[(&ChosenBook, BookStats)]) -> Table {
    let mut table = Table::new(&[
        ("book", Align::Left),
        ("format", Align::Left),
        ("rule", Align::Left),
        ("positions", Align::Right),
        ("moves", Align::Right),
        ("moves/position", Align::Right),
        ("stored", Align::Right),
        ("unreached", Align::Right),
    ]);
    for (book, stats) in all {
        table.push(vec![
            book.name().to_string(),
            book.loaded.format.to_string(),
            book.selection.rule.to_string(),
            stats.n_positions.to_string(),
            stats.n_moves.to_string(),
            mean(stats.mean_moves()),
            book.loaded.entries.map_or(stats.n_stored, |entries| entries.n_stored).to_string(),
            book.loaded.entries.map_or(stats.n_unreached, |entries| entries.n_stored - entries.n_reached).to_string(),
        ]);
    }
    table
}

fn mean(moves: f64) -> String {
    if moves.is_finite() { format!("{moves:.4}") } else { "-".into() }
}

fn histogram_table(all: &[(&ChosenBook, BookStats)]) -> Table {
    let mut columns = vec![("moves of a position", Align::Right)];
    columns.extend(all.iter().map(|(book, _)| (book.name(), Align::Right)));
    let mut table = Table::new(&columns);
    let n_rows = all.iter().map(|(_, stats)| stats.histogram.len()).max().unwrap_or(0);
    for n in 0..n_rows {
        let mut row = vec![(n + 1).to_string()];
        row.extend(all.iter().map(|(_, stats)| stats.histogram.get(n).map_or(String::new(), usize::to_string)));
        table.push(row);
    }
    table
}

fn ply_table(all: &[(&ChosenBook, BookStats)]) -> Table {
    let names: Vec<[String; 2]> =
        all.iter().map(|(book, _)| [book.name().to_string(), format!("{} moves/position", book.name())]).collect();
    let mut columns = vec![("ply", Align::Right)];
    columns.extend(names.iter().flatten().map(|name| (name.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    let n_rows = all.iter().map(|(_, stats)| stats.by_ply.len()).max().unwrap_or(0);
    for ply in 0..n_rows {
        let mut row = vec![ply.to_string()];
        for (_, stats) in all {
            let cells = stats.by_ply.get(ply);
            row.push(cells.map_or(String::new(), |cells| cells.n_positions.to_string()));
            row.push(cells.map_or(String::new(), |cells| format!("{:.3}", cells.mean_moves())));
        }
        table.push(row);
    }
    table
}

fn page(all: &[(&ChosenBook, BookStats)]) -> ReportPage {
    let lead = "Positions that can be reached from the start, and the moves that can be chosen in them.";
    let mut page = ReportPage::new("Opening books", lead);
    page.explained_table(&size_table(all), BOOK_COLUMNS);
    page.heading("Moves per position");
    page.table_of(&histogram_table(all));
    let mut positions = Plot::new("Positions by ply").with_axes("moves from the start", "positions");
    let mut means = Plot::new("Moves per position by ply").with_axes("moves from the start", "moves per position");
    for (book, stats) in all {
        let line = |value: &dyn Fn(usize) -> f64| (0..stats.by_ply.len()).map(|ply| (ply as f64, value(ply))).collect();
        positions = positions.with_line(book.name(), line(&|ply| stats.by_ply[ply].n_positions as f64));
        means = means.with_line(book.name(), line(&|ply| stats.by_ply[ply].mean_moves()));
    }
    page.plot(&positions, "Number of positions by distance from the start.");
    page.plot(&means, "Mean number of moves that can be chosen.");
    page.heading("The positions with the most moves");
    let figures: Vec<Figure> = all.iter().filter_map(|(book, stats)| widest(book, stats)).collect();
    page.boards(&figures);
    page
}

fn widest(chosen: &ChosenBook, stats: &BookStats) -> Option<Figure> {
    let position = stats.widest?;
    let book = chosen.book();
    let board = book.board(position);
    let mut probabilities = Vec::new();
    chosen.selection.probabilities(book, position, &mut probabilities);
    let mut moves: Vec<(f64, String)> = book
        .moves(position)
        .iter()
        .zip(&probabilities)
        .filter(|(_, probability)| **probability > 0.0)
        .map(|(known, probability)| (*probability, board.move_text(known.played)))
        .collect();
    moves.sort_by(|a, b| b.0.total_cmp(&a.0));
    let texts: Vec<String> =
        moves.iter().map(|(probability, text)| format!("{text} {:.1}%", 100.0 * probability)).collect();
    let caption = vec![format!("{}: {}", chosen.name(), count(moves.len(), "move")), texts.join(", ")];
    Some(Figure { svg: board_svg(&board, None), caption })
}
