//! `tejun book`: opening books, one file per subcommand.

pub mod build;
pub mod compare;
pub mod convert;
pub mod engine;
pub mod evaluation;
pub mod expand;
pub mod join;
pub mod loading;
pub mod matching;
pub mod optimize;
pub mod play;
pub mod prune;
pub mod saving;
pub mod stats;
pub mod winrate;

use crate::commands::{Found, Globals};

/// Measure, compare and make opening books for shogi, chess and Go
///
/// A book is a file of positions with moves and weights. Its format is recognized by its
/// content: GPS Shogi, Bonanza, Apery, YaneuraOu (.db, .ybb), ShogiGUI (.sbk), Gikou, Polyglot
/// (chess), Fuego and KataGo (Go), tejun's own Parquet, or game records (KIF, KI2, CSA, USI
/// lines, PGN, SGF) and folders of game records.
///
/// Example: tejun book match joseki-wide.dat
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(subcommand)]
    command: BookCommand,
}

/// What to do with books.
#[derive(clap::Subcommand)]
enum BookCommand {
    Stats(stats::Args),
    Match(matching::Args),
    Compare(compare::Args),
    Winrate(Box<winrate::Args>),
    Convert(Box<convert::Args>),
    Build(Box<build::Args>),
    Expand(Box<expand::Args>),
    Prune(Box<prune::Args>),
    Optimize(Box<optimize::Args>),
    Join(Box<join::Args>),
    Play(Box<play::Args>),
}

/// Runs the command.
///
/// # Errors
/// If a book can't be read, or a result can't be written.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    match args.command {
        BookCommand::Stats(args) => stats::run(&args, globals),
        BookCommand::Match(args) => matching::run(&args, globals),
        BookCommand::Compare(args) => compare::run(&args, globals),
        BookCommand::Winrate(args) => winrate::run(&args, globals),
        BookCommand::Convert(args) => convert::run(&args, globals),
        BookCommand::Build(args) => build::run(&args, globals),
        BookCommand::Expand(args) => expand::run(&args, globals),
        BookCommand::Prune(args) => prune::run(&args, globals),
        BookCommand::Optimize(args) => optimize::run(&args, globals),
        BookCommand::Join(args) => join::run(&args, globals),
        BookCommand::Play(args) => play::run(&args, globals),
    }
}
