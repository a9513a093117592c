//! `tejun evaluate judge`: how well search and predictions distinguish good moves from bad.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tejun_knowledge::judging::{
    Agreement, Judge, JudgeOptions, LabeledMove, MarkedGame, Signal, ValuedGame, cross_validate, labeled_moves,
};

use crate::args::{OutputArgs, TableFormat};
use crate::commands::{Found, Globals};
use crate::evaluators::{EvaluatorArgs, open_judgement, read_all, report_failures, with_advice};
use crate::output::{check_free, check_output, write_file};
use crate::progress::TerminalProgress;
use crate::reports::agreement::AgreementReport;
use crate::reports::evaluate_judge::JudgeEvaluation;
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// The first moves of games with commentary, as in the paper.
const N_MOVES: usize = 150;

/// Measure how well good and bad moves are distinguished, on commented games
///
/// Shows the area under the ROC curve for each signal and for the judgement that combines them
/// (cross-validated: learned from all other games). For each rank, shows the share of good, bad and
/// ordinary moves at or above it, as in the figures of Nakanishi and Nakamura.
///
/// With --values, judges games whose win rates a strong engine has given, and shows how well win rates,
/// losses and verdicts agree with the engine's.
///
/// Example: tejun evaluate judge commented --svg figures
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Games with good moves (TE) and bad moves (BM) marked, or folders of such games
    #[arg(required_unless_present = "values")]
    labeled: Vec<PathBuf>,
    /// Games with the win rates of a strong engine, one JSON object per line: id, moves, win_rate_black, komi
    #[arg(long, value_name = "FILE", conflicts_with_all = ["labeled", "svg", "signals"])]
    values: Option<PathBuf>,
    /// With --values, use only the first N games
    #[arg(long, value_name = "N", requires = "values")]
    games: Option<usize>,
    /// Use only the first N moves of each game [default: 150; all with --values]
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    /// Judgement file of `tejun learn judge`, for its scale of losses [default: built in]
    #[arg(long, value_name = "FILE")]
    judgement: Option<PathBuf>,
    /// Write plots of the shares by rank to this folder, one SVG file per signal
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
    /// Write all signals of all moves to a CSV file
    #[arg(long, value_name = "FILE")]
    signals: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs<TableFormat>,
    #[command(flatten)]
    evaluator: EvaluatorArgs,
}

/// Measures and prints.
///
/// # Errors
/// If no game can be read, or none has a mark.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    if let Some(path) = &args.signals {
        check_output(path, args.labeled.iter().map(PathBuf::as_path), globals)?;
    }
    if let Some(folder) = &args.svg {
        check_plots(folder, globals)?;
    }
    args.output.check(args.labeled.iter().map(PathBuf::as_path), globals)?;
    if let Some(path) = &args.values {
        return agreement(args, path, globals);
    }
    let judgement = open_judgement(args.judgement.as_deref())?;
    let evaluators = args.evaluator.open(globals)?;
    let n_moves = args.moves.unwrap_or(N_MOVES);
    let scale = evaluators.judgement_or_built_in(judgement).scale;
    let mut evaluator = evaluators.game_evaluator(globals);
    let games = read_all(&args.labeled, globals)?;
    let n_positions: usize = games.iter().map(|game| game.n_positions(n_moves)).sum();
    let progress = TerminalProgress::with_total(n_positions as u64, "positions", globals);
    let marked: Vec<MarkedGame<'_>> = games.iter().map(|game| MarkedGame::new(&game.record, &game.tree())).collect();
    let moves = labeled_moves(&marked, n_moves, &mut evaluator, &progress).map_err(with_advice)?;
    progress.finish();
    if moves.is_empty() {
        return Ok(Found::Nothing);
    }
    if let Some(path) = &args.signals {
        let names: Vec<String> = games.iter().map(|game| game.name.clone()).collect();
        write_file(path, signals_table(&names, &moves).to_csv().as_bytes(), globals)?;
    }
    let report = JudgeEvaluation::new(&moves, &cross_validate(&moves, scale));
    if let Some(folder) = &args.svg {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        for (signal, plot) in report.plots() {
            write_file(&folder.join(format!("{}.svg", signal.name())), plot.to_svg().as_bytes(), globals)?;
        }
    }
    let output = if args.output.format() == TableFormat::Csv { report.to_csv() } else { report.to_text() };
    args.output.write(output, globals)?;
    let n_failed = report_failures(&evaluator);
    if n_failed > 0 {
        bail!(
            "{} could not be evaluated; their moves are counted only in the signals of the predictions",
            count(n_failed, "position")
        );
    }
    Ok(Found::Something)
}

/// Judges games with an engine's win rates, and shows how well they agree.
fn agreement(args: &Args, path: &Path, globals: &Globals) -> anyhow::Result<Found> {
    args.output.check([path], globals)?;
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let games: Vec<ValuedGame> = lines
        .take(args.games.unwrap_or(usize::MAX))
        .map(|(at, line)| ValuedGame::parse(line).with_context(|| format!("{}: line {}", path.display(), at + 1)))
        .collect::<anyhow::Result<_>>()?;
    let judgement = open_judgement(args.judgement.as_deref())?;
    let evaluators = args.evaluator.open(globals)?;
    let options = JudgeOptions {
        judgement: evaluators.judgement_or_built_in(judgement),
        reliability: evaluators.reliability(),
        n_moves: args.moves.unwrap_or(usize::MAX),
        ..JudgeOptions::default()
    };
    let n_positions: usize = games.iter().map(|game| game.record.moves.len().min(options.n_moves) + 1).sum();
    let progress = TerminalProgress::with_total(n_positions as u64, "positions", globals);
    let mut judge = Judge::new(evaluators.game_evaluator(globals), options);
    let mut agreement = Agreement::default();
    for game in &games {
        let review = judge.judge(&game.record, &progress).map_err(with_advice)?;
        agreement.add(game, &review.game);
    }
    progress.finish();
    let report = AgreementReport { agreement: &agreement, n_games: games.len() };
    let output = if args.output.format() == TableFormat::Csv { report.to_csv() } else { report.to_text() };
    args.output.write(output, globals)?;
    Ok(Found::from(!games.is_empty()))
}

/// Refuses a folder that already contains plots, before any work is done.
fn check_plots(folder: &Path, globals: &Globals) -> anyhow::Result<()> {
    let is_plot = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "svg");
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_plot(&entry.path()) {
            check_free(&entry.path(), globals)?;
        }
    }
    Ok(())
}

fn signals_table(games: &[String], moves: &[LabeledMove]) -> Table {
    let mut columns = vec![("game", Align::Left), ("move", Align::Right), ("label", Align::Left)];
    columns.extend(["legal", "visits"].map(|name| (name, Align::Right)));
    columns.extend(Signal::ALL.map(|signal| (signal.name(), Align::Right)));
    columns.extend(["best", "played"].map(|name| (name, Align::Right)));
    let mut table = Table::new(&columns);
    let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.6}"));
    for m in moves {
        let s = &m.signals;
        let mut cells = vec![games[m.game].clone(), (m.index + 1).to_string(), m.label.name().into()];
        cells.extend([s.n_legal.to_string(), s.visits.to_string()]);
        cells.extend(Signal::ALL.map(|signal| number(signal.of(s))));
        cells.extend([s.best_win_rate, s.played_win_rate].map(number));
        table.push(cells);
    }
    table
}
