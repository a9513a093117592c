//! `tejun tactic survey`: counts how many moves have an explanation, by size.

use std::path::PathBuf;

use tejun_knowledge::tactics::{Library, SurveyOptions, survey, surveyed_places};

use crate::args::{GamesArgs, OutputArgs};
use crate::commands::tactic::check_size;
use crate::commands::tactic::explain::Effort;
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::load_table;
use crate::progress::TerminalProgress;
use crate::reports::tactic::survey::SurveyReport;
use crate::terminal::{count, say};

/// Explain every move of some games, and count the explanations by size
///
/// Explains each move as `tejun tactic explain` does. Press Ctrl-C to stop and print the results
/// so far.
///
/// Example: tejun tactic survey games.parquet --games 20 -o sizes.svg
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    collection: GamesArgs,
    /// Use only the first N games
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: usize,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    output: OutputArgs<SurveyFormat>,
    #[command(flatten)]
    filters: Filters,
}

/// Output formats of a survey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SurveyFormat {
    /// The number of moves by size of their explanation
    #[value(alias = "txt")]
    Table,
    /// Comma-separated values, one line per move
    Csv,
    /// A plot of the number of moves by size of their explanation
    Svg,
}

/// Explains and counts.
///
/// # Errors
/// If the collection cannot be read.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    check_size(&args.filters)?;
    args.output.check(args.collection.paths().iter().map(PathBuf::as_path), globals)?;
    let open = args.collection.open(globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let n_moves = surveyed_places(&table, args.games).len();
    let options = SurveyOptions { n_games: args.games, explain: args.effort.options(), n_threads: globals.n_threads() };
    let progress = TerminalProgress::new("moves", globals);
    let moves = survey(&table, &options, &progress);
    progress.finish();
    if moves.len() < n_moves {
        say(format_args!("stopped; the results are for {} of {}", moves.len(), count(n_moves, "move")));
    }
    let report = SurveyReport { table: &table, library: Library::standard(), moves: &moves };
    let output = match args.output.format() {
        SurveyFormat::Table => report.to_text(),
        SurveyFormat::Csv => report.to_csv(),
        SurveyFormat::Svg => report.size_plot().to_svg(),
    };
    args.output.write(output, globals)?;
    Ok(Found::from(moves.iter().any(|m| m.explained.is_ok())))
}
