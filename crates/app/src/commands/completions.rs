//! `tejun completions` and `tejun man`: for shells and manuals.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::CommandFactory;

use crate::commands::{Cli, Found};
use crate::inputs::write_output;

/// Print completions for a shell
///
/// Example: tejun completions bash > ~/.local/share/bash-completion/completions/tejun
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

/// Write manual pages into a folder
///
/// Example: tejun man ~/.local/share/man/man1
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct ManArgs {
    /// Where to write tejun.1, tejun-import.1 and so on
    folder: PathBuf,
}

/// Prints the completions.
///
/// # Errors
/// None but those of stdout.
pub fn run(args: Args) -> anyhow::Result<Found> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tejun", &mut script);
    write_output(None, &script)?;
    Ok(Found::Something)
}

/// Writes the pages.
///
/// # Errors
/// If the folder can't be written to.
pub fn run_man(args: ManArgs) -> anyhow::Result<Found> {
    fs::create_dir_all(&args.folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), &args.folder))
        .with_context(|| format!("{}: can't write manual pages there", args.folder.display()))?;
    Ok(Found::Something)
}
