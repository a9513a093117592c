//! Turns collections of game records into knowledge.

use std::io;
use std::process::ExitCode;

use clap::Parser;
use tejun::commands::{Cli, Found};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.run() {
        Ok(Found::Something) => ExitCode::SUCCESS,
        Ok(Found::Nothing) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tejun::terminal::say(format_args!("tejun: {error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Whether nobody reads the output any more, as with `tejun ... | head`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().any(is_pipe)
}
