//! `tejun book winrate`: what a match of books comes to.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Context, bail};
use tejun_games::game::{Game, GameTree, PositionKey};
use tejun_knowledge::books::matching::Match;
use tejun_knowledge::books::{
    Expectation, GameRecords, Influence, LeftGame, Strengths, WinFit, WinModel, expectation, fit_win_rates, influences,
    left_book, read_games,
};
use tejun_knowledge::engines::PlayedPosition;
use tejun_knowledge::evaluation::DEFAULT_KOMI;

use crate::commands::book::engine::position_of;
use crate::commands::book::evaluation::EvaluationArgs;
use crate::commands::book::loading::ChosenBook;
use crate::commands::book::matching::{PairArgs, ResultArgs};
use crate::commands::{Found, Globals};
use crate::reports::book::{expectation_page, expectation_tables, fit_table, leaving_rows};
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// Estimate the win rate of two books from the values of their leaving positions
///
/// Values come from a file (--values) or from an engine (--engine), which is asked about every
/// leaving position. With --cache-file, answers are kept: press Ctrl-C to stop, and run the same command
/// again to resume. A logistic curve turns values into win rates: the curve of Masuko and Tanaka, your own
/// numbers, or a curve fitted to games with results.
///
/// Example: tejun book winrate joseki-wide.dat --engine gpsusi --seconds 1 --cache-file values.tsv
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    pair: PairArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    #[command(flatten)]
    curve: CurveArgs,
    #[command(flatten)]
    fitting: FitArgs,
    /// Number of positions to show, both of the best and of the worst for the first player
    #[arg(long, value_name = "N", default_value_t = 5)]
    top: usize,
    /// Number of moves to list whose removal would change the result most
    #[arg(long, value_name = "N", default_value_t = 0)]
    moves: usize,
    #[command(flatten)]
    results: ResultArgs,
}

/// How values become win rates.
#[derive(clap::Args)]
pub struct CurveArgs {
    /// Curve: paper (of Masuko and Tanaka), paper-plain (without opponents' strengths), or INTERCEPT,SLOPE such as
    /// -0.0038,0.0020. The first two
    /// are for values of GPS Shogi [default: paper; for Go, values are log odds]
    #[arg(long, value_name = "CURVE", allow_hyphen_values = true, help_heading = "Win rates")]
    curve: Option<String>,
}

/// A curve that is fitted to games.
#[derive(clap::Args)]
struct FitArgs {
    /// Fit the curve to these games with results, each evaluated where it leaves the first book
    #[arg(long, value_name = "GAMES", conflicts_with = "curve", help_heading = "Win rates")]
    fit: Option<PathBuf>,
    /// Fit the strengths of this player's opponents only, as Masuko and Tanaka do [default: of all players]
    #[arg(long, value_name = "NAME", requires = "fit", help_heading = "Win rates")]
    player: Option<String>,
    /// Minimum number of games to fit a player's strength; 0 fits no strengths
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Win rates")]
    min_games: usize,
}

impl CurveArgs {
    /// The curve that is given by its numbers.
    ///
    /// # Errors
    /// If it is neither a name nor two numbers.
    pub fn given(&self, game: Game) -> anyhow::Result<WinModel> {
        match self.curve.as_deref() {
            None if matches!(game, Game::Go(_)) => Ok(WinModel::LOG_ODDS),
            None | Some("paper") => Ok(WinModel::PAPER),
            Some("paper-plain") => Ok(WinModel::PAPER_PLAIN),
            Some(numbers) => {
                let parsed = numbers.split_once(',').and_then(|(intercept, slope)| {
                    Some(WinModel { intercept: intercept.trim().parse().ok()?, slope: slope.trim().parse().ok()? })
                });
                parsed.with_context(|| format!("--curve {numbers:?}: expected paper, paper-plain or INTERCEPT,SLOPE"))
            }
        }
    }
}

/// Runs the command.
///
/// # Errors
/// If a book, a value or an engine fails.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let read = args.evaluation.files().chain(args.fitting.fit.iter().cloned());
    args.results.check(args.pair.inputs().into_iter().chain(read).collect(), globals)?;
    if args.moves > 0 {
        args.pair.refuse_max_ply("--moves")?;
    }
    let pair = args.pair.play(globals)?;
    let (game, played) = (pair.game(), &pair.played);
    let value_all = |positions: Vec<PlayedPosition>| args.evaluation.values(game, &positions, globals);
    let values = leaving_values(played, &value_all)?;
    let fit =
        args.fitting.fit.as_ref().map(|_| fitted(&args.fitting, &pair.books[0], &value_all, globals)).transpose()?;
    let model = fit.as_ref().map_or_else(|| args.curve.given(game), |fit| Ok(fit.model()))?;
    let Some(expected) = expectation(played, &model, |leaving| values.get(&leaving.key).copied()) else {
        bail!("none of {} has a value", count(played.leaving.len(), "leaving position"));
    };
    if expected.n_without > 0 {
        globals.status(format_args!(
            "{} without a value; the results are for the other {:.4} of the games.",
            count(expected.n_without, "leaving position"),
            expected.covered
        ));
    }
    let names = pair.names();
    let mut tables = expectation_tables(names, played, &expected, args.top);
    tables.extend(fit.as_ref().map(fit_table));
    if args.moves > 0 {
        tables.push(influence_table(played, &expected, &model, &values, args.moves));
    }
    let of = |key: PositionKey| values.get(&key).map(|value| (*value, model.win_rate(*value)));
    args.results.write(
        &tables,
        played,
        Some(&of),
        || expectation_page(names, played, &expected, &model, fit.as_ref()),
        globals,
    )?;
    Ok(Found::Something)
}

/// The values of a match's leaving positions, most probable asked first.
fn leaving_values(
    played: &Match,
    value_all: &dyn Fn(Vec<PlayedPosition>) -> anyhow::Result<Vec<Option<f64>>>,
) -> anyhow::Result<HashMap<PositionKey, f64>> {
    let positions = played.leaving.iter().map(|leaving| position_of(played, leaving.node)).collect();
    let values = value_all(positions)?;
    Ok(played.leaving.iter().zip(values).filter_map(|(leaving, value)| Some((leaving.key, value?))).collect())
}

/// The position at which a game leaves a book.
fn left_at(game: &GameTree, chosen: &ChosenBook) -> Option<PlayedPosition> {
    let (board, line) = left_book(game, &chosen.player())?;
    Some(PlayedPosition { board, line, start: game.start.clone(), komi: DEFAULT_KOMI })
}

/// A curve fitted to games.
fn fitted(
    args: &FitArgs,
    book: &ChosenBook,
    value_all: &dyn Fn(Vec<PlayedPosition>) -> anyhow::Result<Vec<Option<f64>>>,
    globals: &Globals,
) -> anyhow::Result<WinFit> {
    let path = args.fit.as_ref().context("--fit")?;
    let GameRecords { games, problems } = read_games(path)?;
    let with_result: Vec<&GameTree> = games.iter().filter(|game| game.outcome.is_some()).collect();
    let left: Vec<(&GameTree, PlayedPosition)> =
        with_result.iter().filter_map(|game| Some((*game, left_at(game, book)?))).collect();
    globals.status(format_args!(
        "{}: {}, {} with a result, {} of these leave the book; {}.",
        path.display(),
        count(games.len(), "game"),
        with_result.len(),
        left.len(),
        count(problems.len(), "problem")
    ));
    let (games, positions): (Vec<&GameTree>, Vec<PlayedPosition>) = left.into_iter().unzip();
    let values = value_all(positions)?;
    let left: Vec<LeftGame> = games
        .iter()
        .zip(values)
        .filter_map(|(game, value)| {
            let players = game.players.clone();
            Some(LeftGame { value: value?, first_score: game.outcome?.first_score(), players })
        })
        .collect();
    let strengths = match (&args.player, args.min_games) {
        (_, 0) => Strengths::None,
        (Some(player), n_games) => Strengths::OpponentsOf { player: player.clone(), n_games },
        (None, n_games) => Strengths::Everyone { n_games },
    };
    fit_win_rates(&left, &strengths).with_context(|| path.display().to_string())
}

fn influence_table(
    played: &Match,
    expected: &Expectation,
    model: &WinModel,
    values: &HashMap<PositionKey, f64>,
    top: usize,
) -> Table {
    let rate =
        |node: u32| values.get(&played.chain.key(node)).map_or(expected.win_rate, |value| model.win_rate(*value));
    let mut all: Vec<Influence> = influences(played, Some(&rate));
    let size = |influence: &Influence| influence.win_rate.unwrap_or(0.0).abs();
    all.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let columns = [
        ("win rate change if removed", Align::Right),
        ("entropy change if removed", Align::Right),
        ("probability", Align::Right),
        ("move", Align::Left),
        ("after", Align::Left),
    ];
    let mut table = Table::new(&columns);
    for influence in all.iter().take(top) {
        let [played, before] = leaving_rows(played, influence.node, influence.played);
        table.push(vec![
            format!("{:+.5}", influence.win_rate.unwrap_or(0.0)),
            format!("{:+.4}", influence.entropy),
            format!("{:.4}", influence.probability),
            played,
            before,
        ]);
    }
    table
}
