//! `tejun gtp`: a model as an engine of programs that show Go boards.

use std::io;
use std::path::PathBuf;

use anyhow::Context;

use crate::commands::models::Model;
use crate::commands::{Found, Globals};
use crate::gtp::{Choice, Engine, Temperature, serve, stdin_lines};

/// Show and play what a model expects in Sabaki, GoGui and other programs
///
/// Speaks the Go Text Protocol, version 2, on stdin and stdout. Numbers in
/// analyses are the probabilities of moves, not win rates.
///
/// Example: tejun gtp --model games.patterns
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The model
    #[arg(long, value_name = "MODEL")]
    model: PathBuf,
    /// 0 plays the likeliest move, 1 each move as often as it is expected
    #[arg(long, value_name = "T", default_value_t = Temperature::ZERO)]
    temperature: Temperature,
    /// Where chance begins; the same seed plays the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Serves until `quit` or the end of input.
///
/// # Errors
/// If there is no such model or nobody reads the answers.
pub fn run(args: Args, _globals: &Globals) -> anyhow::Result<Found> {
    let model = Model::open(&args.model)?;
    let size = model.size();
    let mut predictor = model.predictor();
    let mut engine = Engine::new(&mut *predictor, size, Choice::new(args.temperature, args.seed));
    serve(&mut engine, &stdin_lines(), &mut io::stdout().lock()).context("stdout")?;
    Ok(Found::Something)
}
