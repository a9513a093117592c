//! `tejun tactic find`: finds positions in many games.

use std::path::PathBuf;

use anyhow::Context;
use tejun_knowledge::corpus::GameTable;
use tejun_knowledge::tactics::{Findings, Query, find};

use crate::args::{GamesArgs, OutputArgs};
use crate::commands::tactic::check_size;
use crate::commands::tactic::libraries::{LibraryFile, parse_query};
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::{GameNames, load_table};
use crate::output::{OutputFile, Stdout};
use crate::progress::TerminalProgress;
use crate::reports::tactic::find::FindingsReport;
use crate::terminal::{count, say};

/// Find positions by the stones on the board or the move played
///
/// Conditions are joined by `and`. A condition is that a set has points (H & OWN), has no points
/// (no H), or has a number of points (count OPP & H >= 3), or that the move played is in a set
/// (played in capture) or not in it (not played in capture). Sets are seen by the side to move,
/// before its move. They are built from names (`tejun tactic names`) with the operators
/// & | - ^ !, Adj_n, Pre_n and Suc_n.
///
/// For moves in a set, also shows their probability if all legal moves were equally likely.
///
/// Example: tejun tactic find 'played in capture and OWN & H' games.parquet --from 1990
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Conditions to look for
    #[arg(value_name = "QUERY")]
    query: String,
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    library: LibraryFile,
    /// Number of players and examples to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    output: OutputArgs<FindingsFormat>,
    #[command(flatten)]
    filters: Filters,
}

/// Output formats of the findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FindingsFormat {
    /// Aligned columns, for people
    #[value(alias = "txt")]
    Table,
    /// Comma-separated values, one line per position found
    Csv,
    /// JSON
    Json,
    /// A page with tables, plots and example boards
    #[value(alias = "htm")]
    Html,
}

/// Finds and prints.
///
/// # Errors
/// If the query is invalid or the collection cannot be read.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let library = args.library.open()?;
    let query = parse_query(&args.query, &library)?;
    check_size(&args.filters)?;
    let inputs: Vec<PathBuf> = args.games.paths().iter().chain(args.library.path()).cloned().collect();
    args.output.check(inputs.iter().map(PathBuf::as_path), globals)?;
    let open = args.games.open(globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let findings = search(&table, &query, globals);
    let names = match args.output.format() {
        FindingsFormat::Csv | FindingsFormat::Json => GameNames::default(),
        _ => GameNames::new(&open, findings.examples(args.top).map(|place| table.facts(place.game as usize).id))?,
    };
    let report = FindingsReport { table: &table, query: &query, library: &library, findings: &findings, names: &names };
    match (args.output.format(), args.output.path()) {
        (FindingsFormat::Csv, None) => report.write_csv(&mut Stdout::new()).context("stdout")?,
        (FindingsFormat::Csv, Some(path)) => {
            let mut file = OutputFile::create(path)?;
            report.write_csv(&mut file).with_context(|| path.display().to_string())?;
            file.commit(globals)?;
        }
        (FindingsFormat::Json, _) => args.output.write(format!("{:#}\n", report.to_json(args.top)), globals)?,
        (FindingsFormat::Html, _) => args.output.write(report.to_page(args.top).to_html(), globals)?,
        (FindingsFormat::Table, _) => args.output.write(report.to_text(args.top), globals)?,
    }
    Ok(Found::from(!findings.places.is_empty()))
}

/// Searches all games; after Ctrl-C, finishes only the games already started.
fn search(table: &GameTable, query: &Query, globals: &Globals) -> Findings {
    let progress = TerminalProgress::new("games", globals);
    let findings = find(table, query, globals.n_threads(), &progress);
    progress.finish();
    if findings.n_games < table.n_games() {
        let n_games = count(table.n_games(), "game");
        say(format_args!("stopped; the results are for {} of {n_games}", findings.n_games));
    }
    findings
}
