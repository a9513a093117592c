//! `tejun book convert`: a book in another format.

use std::path::PathBuf;

use crate::commands::book::loading::LoadingArgs;
use crate::commands::book::saving::SavingArgs;
use crate::commands::{Found, Globals};

/// Convert a book to another format and report what was lost
///
/// Keeps weights, moves and positions as far as the new format can store them, and counts on stderr
/// everything that is lost. For books that store only hashes, writes the positions reached from the
/// start (--max-unknown-moves reaches further).
///
/// Example: tejun book convert joseki-wide.dat -o joseki.db
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Opening book
    book: PathBuf,
    #[command(flatten)]
    loading: LoadingArgs,
    #[command(flatten)]
    saving: SavingArgs,
}

/// Runs the command.
///
/// # Errors
/// If the book can't be read or written.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let chosen = args.loading.open_one(&args.book, globals)?;
    args.saving.save(chosen.book(), std::slice::from_ref(&args.book), globals)?;
    Ok(Found::from(!chosen.book().positions().is_empty()))
}
