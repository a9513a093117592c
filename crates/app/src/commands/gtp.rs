//! `tejun gtp`: runs a model or the built-in search as an engine for programs such as Sabaki and GoGui.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use tejun_games::go::BoardSize;
use tejun_knowledge::search::{PlainPredictor, Prior, Reuse, Search, SearchOptions};

use crate::commands::{Found, Globals};
use crate::gtp::{Choice, Engine, Limits, SearchPlayer, Temperature, serve, stdin_lines};
use crate::models::open_model;
use tejun_knowledge::models::Model;

/// Show and play the moves of a model or a search in Sabaki, GoGui and others
///
/// Speaks the Go Text Protocol, version 2, on stdin and stdout. Numbers in
/// analyses are move probabilities, or win rates with --search.
///
/// Example: tejun gtp --model games.patterns
/// Example: tejun gtp --search --time 1
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Model folder; optional with --search, where it decides which moves to try first
    #[arg(long, value_name = "MODEL", required_unless_present = "search")]
    model: Option<PathBuf>,
    /// Play and analyze by Monte-Carlo search, on boards of any size
    #[arg(long)]
    search: bool,
    /// Seconds per move [default: as set by the controller, otherwise 5 unless --playouts is given]
    #[arg(long, value_name = "S", requires = "search", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Maximum number of playouts per move
    #[arg(long, value_name = "N", requires = "search", value_parser = clap::value_parser!(u32).range(1..))]
    playouts: Option<u32>,
    /// Temperature: 0 plays the most likely move, 1 plays each move with its predicted probability
    #[arg(long, value_name = "T", default_value_t = Temperature::ZERO, conflicts_with = "search")]
    temperature: Temperature,
    /// Random seed; the same seed plays the same moves. Search is reproducible with --playouts and --threads 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Runs until `quit` or the end of input.
///
/// # Errors
/// If the model does not exist or the answers cannot be written.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let model = args.model.as_deref().map(|path| open_model(path, globals)).transpose()?;
    let size = model.as_ref().map_or(BoardSize::NINETEEN, Model::size);
    let prior = || -> Prior<'_> { model.as_ref().map_or_else(|| Box::new(PlainPredictor) as Prior<'_>, Model::prior) };
    let mut predictor = prior();
    let mut engine = Engine::new(&mut *predictor, size, Choice::new(args.temperature, args.seed));
    if args.search {
        let options = SearchOptions {
            n_threads: globals.n_threads(),
            seed: args.seed,
            reuse: Reuse::OfTheGame,
            ..SearchOptions::default()
        };
        let limits = Limits { n_playouts: args.playouts, time: args.time };
        let name = model.as_ref().map_or("plain", Model::name);
        engine = engine.with_search(SearchPlayer::new(Search::new(options, name, prior), globals.n_threads(), limits));
    }
    serve(&mut engine, &stdin_lines(), &mut io::stdout().lock()).context("stdout")?;
    Ok(Found::Something)
}

/// The text is not a thinking time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ParseSecondsError;

impl std::fmt::Display for ParseSecondsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the seconds must be a number above 0, such as 0.5 or 10")
    }
}

impl std::error::Error for ParseSecondsError {}

fn parse_seconds(text: &str) -> Result<Duration, ParseSecondsError> {
    let seconds: f64 = text.parse().map_err(|_| ParseSecondsError)?;
    let time = Duration::try_from_secs_f64(seconds).map_err(|_| ParseSecondsError)?;
    if time.is_zero() { Err(ParseSecondsError) } else { Ok(time) }
}
