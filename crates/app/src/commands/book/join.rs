//! `tejun book join`: one side's moves of one book with the other side's of another.

use std::path::PathBuf;

use tejun_knowledge::books::making::prune::join_books;

use crate::commands::book::loading::LoadingArgs;
use crate::commands::book::saving::SavingArgs;
use crate::commands::{Found, Globals};

/// Join the first player's moves of one book with the second player's of another
///
/// Example: tejun book join attack.db defense.db -o both.db
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Book with the first player's moves
    first: PathBuf,
    /// Book with the second player's moves
    second: PathBuf,
    #[command(flatten)]
    loading: LoadingArgs,
    #[command(flatten)]
    saving: SavingArgs,
}

/// Runs the command.
///
/// # Errors
/// If a book can't be read or written.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let paths = [args.first.clone(), args.second.clone()];
    let books = args.loading.open(&paths, globals)?;
    let joined = join_books(books[0].book(), books[1].book());
    args.saving.save(&joined, &paths, globals)?;
    Ok(Found::from(!joined.positions().is_empty()))
}
