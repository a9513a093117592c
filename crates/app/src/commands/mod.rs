//! One file per subcommand: its arguments and what it does.

pub mod book;
pub mod check;
pub mod codes;
pub mod compare;
pub mod completions;
pub mod convert;
pub mod evaluate;
pub mod explain;
pub mod export;
pub mod find;
pub mod grammar;
mod groups;
pub mod gtp;
pub mod import;
pub mod judge;
pub mod learn;
pub mod mine;
pub mod parse;
pub mod predict;
pub mod profile;
pub mod recall;
pub mod select;
pub mod show;
pub mod stats;
pub mod surprise;
pub mod tactic;

use clap::{Parser, Subcommand};
use tejun_files::IfExists;

use crate::terminal::say;

pub use groups::{command_meant_by, grouped_command};

/// Turn collections of game records into knowledge
#[derive(Parser)]
#[command(name = "tejun", version, propagate_version = true, max_term_width = 100, arg_required_else_help = true)]
pub struct Cli {
    #[command(flatten)]
    globals: Globals,
    #[command(subcommand)]
    command: Command,
}

/// Options of all commands.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Globals {
    /// Print nothing but errors on stderr
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Overwrite output files that already exist
    #[arg(long, global = true)]
    pub force: bool,
    /// Number of threads [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

impl Globals {
    /// The number of threads to use.
    pub fn n_threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, |n| n.get());
        self.threads.map_or_else(all, usize::from)
    }

    /// What to do with an output that already exists.
    pub fn if_exists(&self) -> IfExists {
        if self.force { IfExists::Replace } else { IfExists::Refuse }
    }

    /// Prints a message for the user that is not a result.
    pub fn status(&self, message: impl std::fmt::Display) {
        if !self.quiet {
            say(message);
        }
    }
}

/// Whether there was a result; determines the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Exit code 0.
    Something,
    /// Exit code 1.
    Nothing,
}

impl From<bool> for Found {
    fn from(is_something: bool) -> Found {
        if is_something { Found::Something } else { Found::Nothing }
    }
}

#[derive(Subcommand)]
enum Command {
    Import(import::Args),
    Stats(stats::Args),
    Select(select::Args),
    Mine(mine::Args),
    Find(find::Args),
    Profile(profile::Args),
    Compare(compare::Args),
    Recall(recall::Args),
    Codes(codes::Args),
    Learn(Box<learn::Args>),
    Predict(predict::Args),
    Surprise(surprise::Args),
    Evaluate(Box<evaluate::Args>),
    Explain(explain::Args),
    Judge(Box<judge::Args>),
    Grammar(grammar::Args),
    Export(export::Args),
    Gtp(gtp::Args),
    Book(book::Args),
    Tactic(tactic::Args),
    Parse(parse::Args),
    Check(check::Args),
    Show(show::Args),
    Convert(convert::Args),
    Completions(completions::Args),
    Man(completions::ManArgs),
}

impl Cli {
    /// Runs the command.
    ///
    /// # Errors
    /// Each error names the file and what to do; the program exits with code 2.
    pub fn run(self) -> anyhow::Result<Found> {
        let globals = &self.globals;
        match self.command {
            Command::Import(args) => import::run(args, globals),
            Command::Stats(args) => stats::run(args, globals),
            Command::Select(args) => select::run(args, globals),
            Command::Mine(args) => mine::run(args, globals),
            Command::Find(args) => find::run(args, globals),
            Command::Profile(args) => profile::run(args, globals),
            Command::Compare(args) => compare::run(args, globals),
            Command::Recall(args) => recall::run(args, globals),
            Command::Codes(args) => codes::run(args, globals),
            Command::Learn(args) => learn::run(*args, globals),
            Command::Predict(args) => predict::run(args, globals),
            Command::Surprise(args) => surprise::run(args, globals),
            Command::Evaluate(args) => evaluate::run(*args, globals),
            Command::Explain(args) => explain::run(args, globals),
            Command::Judge(args) => judge::run(&args, globals),
            Command::Grammar(args) => grammar::run(args, globals),
            Command::Export(args) => export::run(&args, globals),
            Command::Gtp(args) => gtp::run(args, globals),
            Command::Book(args) => book::run(args, globals),
            Command::Tactic(args) => tactic::run(args, globals),
            Command::Parse(args) => parse::run(args, globals),
            Command::Check(args) => check::run(args, globals),
            Command::Show(args) => show::run(args, globals),
            Command::Convert(args) => convert::run(args, globals),
            Command::Completions(args) => completions::run(args),
            Command::Man(args) => completions::run_man(args, globals),
        }
    }
}
