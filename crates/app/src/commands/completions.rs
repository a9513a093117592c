//! `tejun completions` and `tejun man`: shell completions and manual pages.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::CommandFactory;

use crate::commands::{Cli, Found, Globals};
use crate::output::{print, write_file};

/// Print a completion script for a shell
///
/// Example: tejun completions bash > ~/.local/share/bash-completion/completions/tejun
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Shell
    shell: clap_complete::Shell,
}

/// Write manual pages to a folder
///
/// Example: tejun man ~/.local/share/man/man1
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct ManArgs {
    /// Output folder for tejun.1, tejun-import.1 and so on
    folder: PathBuf,
}

/// Prints the completion script.
///
/// # Errors
/// If stdout cannot be written.
pub fn run(args: Args) -> anyhow::Result<Found> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tejun", &mut script);
    print(&script)?;
    Ok(Found::Something)
}

/// Writes the manual pages.
///
/// # Errors
/// If the folder cannot be written.
pub fn run_man(args: ManArgs, globals: &Globals) -> anyhow::Result<Found> {
    let made = tempfile::tempdir().context("could not create a temporary folder")?;
    clap_mangen::generate_to(Cli::command(), made.path()).context("the manual pages could not be generated")?;
    let here = || format!("{}: the manual pages could not be written to this folder", args.folder.display());
    fs::create_dir_all(&args.folder).with_context(here)?;
    for page in fs::read_dir(made.path()).context("the manual pages could not be read")? {
        let page = page.context("the manual pages could not be read")?;
        let (bytes, path) = (fs::read(page.path())?, args.folder.join(page.file_name()));
        if fs::read(&path).ok().as_ref() != Some(&bytes) {
            write_file(&path, &bytes, globals).with_context(here)?;
        }
    }
    Ok(Found::Something)
}
