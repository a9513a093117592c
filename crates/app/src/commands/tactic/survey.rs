//! `tejun tactic survey`: how many moves have an explanation, and how large it is.

use std::path::{Path, PathBuf};

use tejun_knowledge::tactics::{Library, SurveyOptions, survey, surveyed_places};

use crate::commands::filters::Filters;
use crate::commands::tactic::check_size;
use crate::commands::tactic::explain::Effort;
use crate::commands::texts::load_table;
use crate::commands::{Found, Globals};
use crate::inputs::open_collection;
use crate::interrupt::{is_stopped, stop_on_interrupt};
use crate::output::{check_outputs, print, write_file};
use crate::progress::progress_bar;
use crate::reports::survey::SurveyReport;
use crate::terminal::{count, say};

/// Explain every move of some games, and count the explanations by size
///
/// Explains each move as `tejun tactic explain` does. Press Ctrl-C to stop and print the results
/// so far.
///
/// Example: tejun tactic survey games.parquet --games 20 --svg sizes.svg
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Collection or game records [default: the sample games]
    collection: Option<PathBuf>,
    /// Use only the first N games
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: usize,
    #[command(flatten)]
    effort: Effort,
    /// Write a plot of the number of moves by size of their explanation as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Output format; csv has one row per move
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = ["table", "csv"])]
    format: String,
    #[command(flatten)]
    filters: Filters,
}

/// Explains and counts.
///
/// # Errors
/// If the collection can't be read.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    check_size(&args.filters)?;
    let inputs: Vec<PathBuf> = args.collection.iter().cloned().collect();
    check_outputs(&[&args.svg], &inputs, globals)?;
    let open = open_collection(args.collection.as_deref(), globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let n_moves = surveyed_places(&table, args.games).len();
    stop_on_interrupt();
    let bar = progress_bar(n_moves as u64, "moves", globals);
    let options = SurveyOptions { n_games: args.games, explain: args.effort.options(), n_threads: globals.n_threads() };
    let moves = survey(&table, &options, &|| {
        bar.inc(1);
        !is_stopped()
    });
    bar.finish_and_clear();
    if moves.len() < n_moves {
        say(format_args!("stopped; the results are for {} of {}", moves.len(), count(n_moves, "move")));
    }
    let report = SurveyReport { table: &table, library: Library::standard(), moves: &moves };
    if args.svg.as_deref() != Some(Path::new("-")) {
        let output = if args.format == "csv" { report.to_csv() } else { report.to_text() };
        print(output.as_bytes())?;
    }
    if let Some(path) = &args.svg {
        write_file(path, report.size_plot().to_svg().as_bytes(), globals)?;
    }
    Ok(Found::from(moves.iter().any(|m| m.explained.is_ok())))
}
