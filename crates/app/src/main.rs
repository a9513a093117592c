//! Turns collections of game records into knowledge.

use std::io;
use std::process::ExitCode;

use clap::FromArgMatches;
use clap::error::{ContextKind, ContextValue};
use tejun::commands::{Cli, Found, command_meant_by, grouped_command};
use tejun::terminal::say;

fn main() -> ExitCode {
    let parsed = grouped_command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
                && let Some(command) = command_meant_by(word)
            {
                say(format_args!("error: unrecognized command '{word}'; did you mean `tejun {command}`?"));
                return ExitCode::from(2);
            }
            error.exit()
        }
    };
    match cli.run() {
        Ok(Found::Something) => ExitCode::SUCCESS,
        Ok(Found::Nothing) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say(format_args!("tejun: {error:#}"));
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
