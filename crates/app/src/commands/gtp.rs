//! `tejun gtp`: runs a model or the built-in search as an engine for programs such as Sabaki and GoGui.

use std::io;
use std::time::Duration;

use anyhow::Context;
use clap::ValueEnum;
use tejun_games::go::BoardSize;
use tejun_knowledge::models::Model;
use tejun_knowledge::search::{
    AnySizeSearch, NetworkSearch, NetworkSearchOptions, PlainPredictor, Prior, Reuse, Search, SearchOptions, TreeSearch,
};

use crate::commands::{Found, Globals};
use crate::gtp::{Choice, Engine, Limits, SearchPlayer, Temperature, serve, stdin_lines};
use crate::models::ModelArgs;

/// Show and play moves in Sabaki, GoGui and other programs
///
/// Speaks the Go Text Protocol, version 2, on stdin and stdout. By default, plays by search with
/// the network that comes with tejun (by playouts on boards other than 19x19). With --model, plays
/// the moves that the model expects; numbers in analyses are then move probabilities.
///
/// Example: tejun gtp --time 1
/// Example: tejun gtp --model games.patterns
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Search in this way [default: network, unless --model, --no-search or --temperature is given; with --model,
    /// playouts]
    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, value_enum)]
    search: Option<Option<SearchKind>>,
    /// Play the most expected moves without searching
    #[arg(long, conflicts_with_all = ["search", "time", "playouts"])]
    no_search: bool,
    /// Seconds per move [default: as set by the controller, otherwise 5 unless --playouts is given]
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Maximum number of playouts or visits per move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    playouts: Option<u32>,
    /// Play expected moves with this temperature: 0 plays the most likely move, 1 plays each move with its
    /// predicted probability
    #[arg(long, value_name = "T", conflicts_with_all = ["search", "time", "playouts"])]
    temperature: Option<Temperature>,
    /// Random seed; the same seed plays the same moves. Search is reproducible with --playouts (and --threads 1 for
    /// --search=playouts)
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// What a search is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SearchKind {
    /// A network
    Network,
    /// Playouts, with the moves of the model first
    Playouts,
}

impl Args {
    /// How to search, if at all.
    fn search_kind(&self) -> anyhow::Result<Option<SearchKind>> {
        let usual = if self.model.model.is_some() { SearchKind::Playouts } else { SearchKind::Network };
        let is_wanted = self.search.is_some() || self.time.is_some() || self.playouts.is_some();
        let is_default = self.model.model.is_none() && !self.no_search && self.temperature.is_none();
        let kind = (is_wanted || is_default).then(|| self.search.flatten().unwrap_or(usual));
        if kind == Some(SearchKind::Network) && self.model.model.is_some() {
            anyhow::bail!("--search=network uses a network, not --model; give --network FILE or neither");
        }
        Ok(kind)
    }
}

/// Batches that keep this many threads busy.
const MIN_BATCH: usize = 4;
/// Visits that are enough to find dead stones.
const NETWORK_SETTLING: u32 = 32;
const PLAYOUT_SETTLING: u32 = 1_000;

/// Runs until `quit` or the end of input.
///
/// # Errors
/// If the model does not exist or the answers cannot be written.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let kind = args.search_kind()?;
    // Playouts need no model.
    let needs_model = args.model.path().is_some() || kind != Some(SearchKind::Playouts);
    let model = if needs_model { Some(args.model.open(globals)?) } else { None };
    let size = model.as_ref().map_or(BoardSize::NINETEEN, Model::size);
    let prior = || -> Prior<'_> { model.as_ref().map_or_else(|| Box::new(PlainPredictor) as Prior<'_>, Model::prior) };
    let n_threads = globals.n_threads();
    let playouts = || {
        let options = SearchOptions { n_threads, seed: args.seed, reuse: Reuse::OfTheGame, ..SearchOptions::default() };
        match &model {
            // A network answers too slowly to be asked in playouts; other boards have simple rules anyway.
            Some(Model::Network(_)) => Search::new(options, "plain", || Box::new(PlainPredictor)),
            _ => Search::new(options, model.as_ref().map_or("plain", Model::name), prior),
        }
    };
    let search: Option<(Box<dyn TreeSearch + '_>, u32)> = match (kind, &model) {
        (None, _) => None,
        (Some(SearchKind::Network), Some(Model::Network(network))) => {
            let (batch, reuse) = (n_threads.max(MIN_BATCH), Reuse::OfTheGame);
            let options = NetworkSearchOptions { n_threads, batch, reuse, ..NetworkSearchOptions::default() };
            let search = AnySizeSearch::new(NetworkSearch::new(options, network), playouts());
            Some((Box::new(search), NETWORK_SETTLING))
        }
        (Some(_), _) => Some((Box::new(playouts()), PLAYOUT_SETTLING)),
    };
    let mut predictor = prior();
    let choice = Choice::new(args.temperature.unwrap_or(Temperature::ZERO), args.seed);
    let mut engine = Engine::new(&mut *predictor, size, choice);
    if let Some((search, n_settling)) = search {
        let limits = Limits { n_playouts: args.playouts, time: args.time };
        engine = engine.with_search(SearchPlayer::new(search, n_threads, limits, n_settling));
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
