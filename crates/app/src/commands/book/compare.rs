//! `tejun book compare`: all pairs of several books.

use std::path::{Path, PathBuf};

use tejun_knowledge::books::matching::Match;
use tejun_knowledge::books::{book_stats, divergence};

use crate::args::{OutputArgs, TableFormat};
use crate::commands::book::loading::{ChosenBook, LoadingArgs};
use crate::commands::book::matching::{MatchArgs, report_missing_games, write_tables};
use crate::commands::{Found, Globals};
use crate::output::{check_outputs, write_file};
use crate::reports::book::{compare_page, match_table};
use crate::reports::table::{Align, Table};

/// Compare opening books, all pairs in one table
///
/// Matches every book exactly, as first and as second player, against every other book and itself.
/// With --games, also measures how far each book is from the moves played in those games.
///
/// Example: tejun book compare joseki-wide.dat joseki.dat 24book.db --html books.html
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Opening books
    #[arg(required = true, num_args = 1.., value_name = "BOOK")]
    books: Vec<PathBuf>,
    #[command(flatten)]
    loading: LoadingArgs,
    #[command(flatten)]
    matching: MatchArgs,
    /// Game records to compare with the moves of the books
    #[arg(long, value_name = "GAMES")]
    games: Option<PathBuf>,
    /// Number of positions per match to show on the HTML page, from those that occur in no other match
    #[arg(long, value_name = "N", default_value_t = 6)]
    top: usize,
    #[command(flatten)]
    output: OutputArgs<TableFormat>,
    /// Write an HTML page with plots and boards
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// If a book can't be read, or the page can't be written.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let mut paths = args.books.clone();
    paths.extend(args.games.clone());
    let tables_file = args.output.path().map(Path::to_path_buf);
    check_outputs(&[&tables_file, &args.html], &paths, globals)?;
    let mut books = args.loading.open_from(&paths, args.books.len(), args.matching.start(), globals)?;
    let games = args.games.as_ref().and_then(|_| books.pop());
    let mut matches: Vec<([&str; 2], Match)> = Vec::new();
    for first in &books {
        for second in &books {
            let played = args.matching.play(first, second)?;
            report_missing_games(&played, globals);
            matches.push(([first.name(), second.name()], played));
        }
    }
    let pairs: Vec<([&str; 2], &Match)> = matches.iter().map(|(names, played)| (*names, played)).collect();
    let mut tables = vec![match_table(&pairs)];
    tables.extend(games.as_ref().map(|games| divergence_table(&books, games)));
    write_tables(&args.output, &tables, globals)?;
    if let Some(path) = &args.html {
        let sizes: Vec<_> = books.iter().map(|book| (book.name(), book_stats(book.book(), &book.selection))).collect();
        let page = compare_page(&sizes, &pairs, tables.get(1), args.top);
        write_file(path, page.to_html().as_bytes(), globals)?;
    }
    Ok(Found::from(matches.iter().any(|(_, played)| played.expected_plies > 0.0)))
}

/// How far books are from games.
fn divergence_table(books: &[ChosenBook], games: &ChosenBook) -> Table {
    let mut table = Table::new(&[
        ("book", Align::Left),
        ("game moves", Align::Right),
        ("in its positions", Align::Right),
        ("and its moves", Align::Right),
        ("KL bits", Align::Right),
        ("JS bits", Align::Right),
    ]);
    for book in books {
        let far = divergence(book.book(), &book.selection, games.book());
        table.push(vec![
            book.name().to_string(),
            far.n_moves.to_string(),
            format!("{:.4}", far.position_coverage()),
            format!("{:.4}", far.move_coverage()),
            format!("{:.4}", far.kullback_leibler),
            format!("{:.4}", far.jensen_shannon),
        ]);
    }
    table
}
