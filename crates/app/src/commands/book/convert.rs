//! `tejun book convert`: a book in another format.

use std::path::PathBuf;

use crate::commands::book::opening::OpeningArgs;
use crate::commands::book::saving::SavingArgs;
use crate::commands::{Found, Globals};

/// Write a book in another format, and say what was lost
///
/// Weights, moves and positions are kept as far as the new format has room for them; everything
/// that is lost is counted on stderr. Of books that store only hashes, the positions that are
/// reached from the start are written (--gap goes farther).
///
/// Example: tejun book convert joseki-wide.dat -o joseki.db
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The book
    book: PathBuf,
    #[command(flatten)]
    opening: OpeningArgs,
    #[command(flatten)]
    saving: SavingArgs,
}

/// Runs the command.
///
/// # Errors
/// If the book can't be read or written.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let chosen = args.opening.open_one(&args.book, globals)?;
    args.saving.save(chosen.book(), std::slice::from_ref(&args.book), globals)?;
    Ok(Found::from(!chosen.book().positions().is_empty()))
}
