//! `tejun tactic`: sets of points described as players see them; one file per subcommand.

pub mod discover;
pub mod explain;
pub mod find;
pub mod libraries;
pub mod names;
pub mod show;
pub mod survey;

use anyhow::{Context, bail};
use tejun_games::go::BoardSize;
use tejun_knowledge::tactics::{Points, TacticPosition};

use crate::commands::{Found, Globals};
use crate::filters::Filters;

/// Search games by the stones on the board: captures, cuts, liberties, shapes
///
/// A set of points is built from stones and empty points with a few operators, such as
/// Suc_1(OPP & H) & EMPTY, or from names, such as capture. `tejun tactic names` lists the names.
///
/// Example: tejun tactic find 'played in capture and count OWN & H >= 3' games.parquet
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(subcommand)]
    question: TacticCommand,
}

/// The subcommand.
#[derive(clap::Subcommand)]
enum TacticCommand {
    Find(Box<find::Args>),
    Discover(Box<discover::Args>),
    Names(names::Args),
    Show(show::Args),
    Explain(explain::Args),
    Survey(Box<survey::Args>),
}

/// Runs the command.
///
/// # Errors
/// If a set is invalid, games cannot be read or a result cannot be written.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    match args.question {
        TacticCommand::Find(args) => find::run(&args, globals),
        TacticCommand::Discover(args) => discover::run(&args, globals),
        TacticCommand::Names(args) => names::run(&args),
        TacticCommand::Show(args) => show::run(&args, globals),
        TacticCommand::Explain(args) => explain::run(&args, globals),
        TacticCommand::Survey(args) => survey::run(&args, globals),
    }
}

/// Refuses boards that are too large.
fn check_lines(size: BoardSize, what: &str) -> anyhow::Result<()> {
    if !TacticPosition::fits(size) {
        bail!(
            "{what}: the board is {size}x{size}; sets of points work only on boards of up to {} lines",
            Points::MAX_LINES
        );
    }
    Ok(())
}

/// Refuses board sizes requested by `--size` that are too large.
fn check_size(filters: &Filters) -> anyhow::Result<()> {
    let size = filters.selection()?.size.map(BoardSize::new).transpose().context("--size")?;
    size.map_or(Ok(()), |size| check_lines(size, "--size"))
}
