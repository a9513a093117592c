//! `tejun export`: writes what other programs learn from.

use std::path::PathBuf;

use clap::Subcommand;
use tejun_knowledge::network::{ExportError, NetworkFile, built_in_file, export_positions, to_onnx};

use crate::args::GamesArgs;
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::explain_empty;
use crate::output::{OutputFile, check_output, write_file};
use crate::progress::TerminalProgress;
use crate::terminal::count;

/// Write positions for training networks, or the network itself
///
/// Example: tejun export positions games.parquet -o positions.npy
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Positions(Box<PositionsArgs>),
    Network(NetworkArgs),
}

/// Write the positions of games as a NumPy array
///
/// One row of 384 bytes per position, before each move. Only 19x19 games are exported. docs/book/network.md describes the rows.
///
/// Example: tejun export positions games.parquet -o positions.npy
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
struct PositionsArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Output file, a NumPy array (.npy)
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Also write positions after random moves, for this share of the moves (0 to 1)
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    detours: f64,
    #[command(flatten)]
    filters: Filters,
}

/// Write the network as an ONNX file, which inference engines read
///
/// docs/book/network.md describes its input and its outputs.
///
/// Example: tejun export network -o network.onnx
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
struct NetworkArgs {
    /// Network file to use instead of the network that comes with tejun
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Output file (.onnx)
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

/// Writes training data or a network.
///
/// # Errors
/// If the games can't be read or the file can't be written.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    match &args.what {
        What::Positions(args) => positions(args, globals),
        What::Network(args) => network(args, globals),
    }
}

fn network(args: &NetworkArgs, globals: &Globals) -> anyhow::Result<Found> {
    check_output(&args.output, args.network.as_deref(), globals)?;
    let file = match &args.network {
        Some(path) => NetworkFile::open(path)?,
        None => built_in_file(),
    };
    write_file(&args.output, to_onnx(&file), globals)?;
    Ok(Found::Something)
}

fn positions(args: &PositionsArgs, globals: &Globals) -> anyhow::Result<Found> {
    let selection = args.filters.selection()?;
    check_output(&args.output, args.games.paths().iter().map(PathBuf::as_path), globals)?;
    let open = args.games.open(globals)?;
    let progress = TerminalProgress::new("games", globals);
    let mut file = OutputFile::create(&args.output)?;
    let n_threads = globals.n_threads();
    let summary = match export_positions(&open.collection, &selection, args.detours, &mut file, n_threads, &progress) {
        Err(ExportError::Cancelled) => anyhow::bail!("stopped; nothing was written"),
        outcome => outcome?,
    };
    progress.finish();
    if summary.n_games == 0 {
        explain_empty(&open.collection, &selection, globals)?;
        return Ok(Found::Nothing);
    }
    file.commit(globals)?;
    globals.status(format_args!(
        "{} of {} written; {} on other board sizes skipped",
        count(summary.n_positions, "position"),
        count(summary.n_games, "game"),
        count(summary.n_skipped, "game")
    ));
    Ok(Found::Something)
}
