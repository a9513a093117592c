//! `tejun learn judge`: learn from commentators which moves are good and bad.

use std::path::PathBuf;

use anyhow::Context;
use tejun_knowledge::judging::{EngineGame, Judgement, MarkedGame, labeled_moves, measure_scale, scale_positions};

use crate::commands::{Found, Globals};
use crate::evaluators::{EvaluatorArgs, read_all, with_advice};
use crate::output::{check_output, write_file};
use crate::progress::TerminalProgress;
use crate::terminal::count;

/// Learn from commented games what is praised (TE) and criticized (BM)
///
/// With --scale, games with an engine's win rates in their comments show how far the search's win
/// rates must be stretched to mean the same as the engine's.
///
/// Example: tejun learn judge commented --model pro.patterns --scale engine-games -o own.judgement
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Games with good moves (TE) and bad moves (BM) marked, or folders of such games
    #[arg(required = true)]
    labeled: Vec<PathBuf>,
    /// Output file
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Use only the first N moves of each game
    #[arg(long, value_name = "N", default_value_t = 150)]
    moves: usize,
    /// Games with an engine's win rates in their comments, or folders of such games
    #[arg(long, value_name = "GAMES")]
    scale: Vec<PathBuf>,
    /// Maximum number of --scale games to use
    #[arg(long, value_name = "N", default_value_t = 16)]
    scale_games: usize,
    #[command(flatten)]
    evaluator: EvaluatorArgs,
}

/// Learns and saves.
///
/// # Errors
/// If games can't be read, or none has a mark.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let read = args.labeled.iter().chain(&args.scale).map(PathBuf::as_path);
    check_output(&args.output, read, globals)?;
    let evaluators = args.evaluator.open(globals)?;
    let mut evaluator = evaluators.game_evaluator(globals);
    let mut scale_games = read_all(&args.scale, globals)?;
    // Files are in the order of their names; take games from all over the list.
    let step = (scale_games.len() / args.scale_games.max(1)).max(1);
    scale_games = scale_games.into_iter().step_by(step).take(args.scale_games).collect();
    let games = read_all(&args.labeled, globals)?;
    let n_labeled: usize = games.iter().map(|game| game.n_positions(args.moves)).sum();
    let n_scale: usize = scale_games.iter().map(|game| scale_positions(&game.record).count()).sum();
    let progress = TerminalProgress::with_total((n_labeled + n_scale) as u64, "positions", globals);
    let marked: Vec<MarkedGame<'_>> = games.iter().map(|game| MarkedGame::new(&game.record, &game.tree())).collect();
    let rated: Vec<EngineGame<'_>> =
        scale_games.iter().map(|game| EngineGame::new(&game.record, &game.tree())).collect();
    let scale = measure_scale(&rated, &mut evaluator, &progress).map_err(with_advice)?.unwrap_or_default();
    let moves = labeled_moves(&marked, args.moves, &mut evaluator, &progress).map_err(with_advice)?;
    progress.finish();
    let judgement = Judgement::fit(&moves, scale).context("no game marks both good moves (TE) and bad moves (BM)")?;
    let made_of = [
        ("program", format!("tejun {}", env!("CARGO_PKG_VERSION"))),
        ("games", games.len().to_string()),
        ("moves", moves.len().to_string()),
        ("scale_games", scale_games.len().to_string()),
        ("evaluator", evaluators.evaluator_name()),
    ];
    write_file(&args.output, judgement.to_json(&made_of).as_bytes(), globals)?;
    globals.status(format_args!("{}: learned from {}", args.output.display(), count(moves.len(), "move")));
    Ok(Found::Something)
}
