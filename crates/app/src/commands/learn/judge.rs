//! `tejun learn judge`: what commentators call good and bad.

use std::path::PathBuf;

use anyhow::Context;
use tejun_games::go::Color;
use tejun_games::sgf::Reader;
use tejun_knowledge::judging::{Judgement, LabeledMove, LossScale, engine_win_rates_white, labels};

use crate::commands::evaluators::EvaluatorArgs;
use crate::commands::judgements::to_json;
use crate::commands::studies::{GameEvaluator, LoadedGame, read_games};
use crate::commands::{Found, Globals};
use crate::output::{check_output, write_file};
use crate::terminal::count;

/// Learn to judge moves from games that mark good moves (TE) and bad moves (BM)
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
    let sources = args.evaluator.open(globals)?;
    let mut workshop = GameEvaluator::new(&sources, globals);
    let mut scale_games = read_all(&args.scale, globals)?;
    // Files are in the order of their names; the games are spread over them.
    let step = (scale_games.len() / args.scale_games.max(1)).max(1);
    scale_games = scale_games.into_iter().step_by(step).take(args.scale_games).collect();
    let games = read_all(&args.labeled, globals)?;
    let n_labeled: usize = games.iter().map(|game| game.study(args.moves).moves.len() + 1).sum();
    let n_scale = |game: &LoadedGame| (0..=game.record.moves.len()).filter(|&index| is_of_scale(index)).count();
    workshop.expect(n_labeled + scale_games.iter().map(n_scale).sum::<usize>());
    let scale = scale_of(&scale_games, &mut workshop)?.unwrap_or_default();
    let moves = labeled_moves(&games, args.moves, &mut workshop)?;
    let judgement = Judgement::fit(&moves, scale).context("no game marks both good moves (TE) and bad moves (BM)")?;
    let made_of = [
        ("program", format!("tejun {}", env!("CARGO_PKG_VERSION"))),
        ("games", games.len().to_string()),
        ("moves", moves.len().to_string()),
        ("scale_games", scale_games.len().to_string()),
        ("evaluator", sources.evaluator_name()),
    ];
    write_file(&args.output, to_json(&judgement, &made_of).as_bytes(), globals)?;
    globals.status(format_args!("{}: learned from {}", args.output.display(), count(moves.len(), "move")));
    Ok(Found::Something)
}

/// All games of files and folders; one that can't be read is told and left out.
pub fn read_all(paths: &[PathBuf], globals: &Globals) -> anyhow::Result<Vec<LoadedGame>> {
    let mut games = Vec::new();
    for game in read_games(paths, None)? {
        match game {
            Ok(game) => games.push(game),
            Err(error) => globals.status(format_args!("skipped: {error:#}")),
        }
    }
    Ok(games)
}

/// What is known of all moves, beside their labels.
pub fn labeled_moves(
    games: &[LoadedGame],
    n_moves: usize,
    workshop: &mut GameEvaluator<'_>,
) -> anyhow::Result<Vec<LabeledMove>> {
    let mut moves = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let labels = labels(&Reader::new(&game.sgf).next().context("the game could not be read again")?);
        let findings = workshop.analyze(game, n_moves)?;
        for (index, signals) in findings.signals.into_iter().enumerate() {
            if let Some(signals) = signals {
                moves.push(LabeledMove { game: number, index, label: labels[index], signals });
            }
        }
    }
    Ok(moves)
}

/// Whether a position of an engine's game is looked at: three in a row, every 20 moves, where the game is open.
fn is_of_scale(index: usize) -> bool {
    (20..200).contains(&index) && index % 20 < 3
}

/// The scale from an engine's games; `None` if there are too few.
fn scale_of(games: &[LoadedGame], workshop: &mut GameEvaluator<'_>) -> anyhow::Result<Option<LossScale>> {
    let mut rates = Vec::new();
    for game in games {
        let engine =
            engine_win_rates_white(&Reader::new(&game.sgf).next().context("the game could not be read again")?);
        let findings = workshop.analyze_positions(game, usize::MAX, &is_of_scale)?;
        let both = |index: usize| {
            let own = findings.values.get(index)?.as_ref()?.win_rate?;
            let white = (*engine.get(index)?)?;
            let is_white = game.record.moves.get(index)?.color == Color::White;
            Some((own, if is_white { white } else { 1.0 - white }))
        };
        rates.push((0..game.record.moves.len()).map(both).collect());
    }
    Ok(LossScale::fit(&rates))
}
