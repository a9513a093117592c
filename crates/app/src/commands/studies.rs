//! Games that are judged: read, valued and predicted, with progress and a stop at any position.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::{Context, bail};
use indicatif::ProgressBar;
use tejun_games::GameRecord;
use tejun_games::go::Board;
use tejun_games::records::{OnIllegal, read_records};
use tejun_knowledge::corpus::InputGame;
use tejun_knowledge::evaluation::{DEFAULT_KOMI, Evaluation, EvaluationError, Evaluator};
use tejun_knowledge::judging::{GameAnalysis, Signals};
use tejun_knowledge::predictor::start_of;

use crate::commands::Globals;
use crate::commands::evaluators::EvaluatorSet;
use crate::inputs::input_of;
use crate::interrupt::{is_stopped, stop_on_interrupt};
use crate::output::is_same_place;
use crate::progress::progress_bar;

/// Positions that may fail one after the other before an engine is given up.
const MAX_FAILED: usize = 3;

/// A game to be judged.
pub struct LoadedGame {
    /// The file that it is from.
    pub source: String,
    /// The file, and its number if there are more.
    pub name: String,
    /// The text of the game.
    pub sgf: String,
    /// The main line.
    pub record: GameRecord,
    start: Board,
}

/// What was found out about a game.
pub struct GameEvidence {
    /// A value before every move and behind the last; `None` where the engine failed.
    pub values: Vec<Option<Evaluation>>,
    /// What is known of every move; `None` for passes.
    pub signals: Vec<Option<Signals>>,
}

/// The games of files, folders, archives and collections, each or why it can't be read. What is in the folder `output`
/// is skipped: it holds the results of an earlier run.
///
/// # Errors
/// If a file does not exist.
pub fn read_games(paths: &[PathBuf], output: Option<&Path>) -> anyhow::Result<Vec<anyhow::Result<LoadedGame>>> {
    let mut games = Vec::new();
    let input = input_of(paths, None)?;
    let skipped = output.filter(|output| !paths.iter().any(|path| is_same_place(path, output)));
    input.for_each_game_except(skipped.unwrap_or(Path::new("")), |game| {
        games.push(LoadedGame::new(game));
        true
    })?;
    Ok(games)
}

impl LoadedGame {
    fn new(game: InputGame) -> anyhow::Result<LoadedGame> {
        let InputGame { source, name, sgf } = game;
        let sgf = sgf.map_err(|why| anyhow::anyhow!(why))?;
        let found = read_records(sgf.as_bytes(), OnIllegal::Cut).swap_remove(0);
        let record = found.record.map_err(|error| anyhow::anyhow!("{name}:{error}"))?;
        if record.moves.is_empty() {
            bail!("{name}: the game has no moves");
        }
        let start = start_of(&record);
        Ok(LoadedGame { source, name, sgf, record, start })
    }

    /// The first moves, to be valued.
    pub fn study(&self, n_moves: usize) -> GameAnalysis<'_> {
        GameAnalysis {
            start: &self.start,
            moves: &self.record.moves[..n_moves.min(self.record.moves.len())],
            komi: self.record.header.komi.map_or(DEFAULT_KOMI, f64::from),
        }
    }
}

/// Values and predicts games one after the other.
pub struct GameEvaluator<'s> {
    sources: &'s EvaluatorSet,
    evaluators: Vec<Box<dyn Evaluator + Send + 's>>,
    bar: ProgressBar,
    /// Why positions could not be valued, each reason once, and how many there were.
    failures: Vec<(String, usize)>,
    n_failed_in_a_row: AtomicUsize,
    /// Maximum number of failures in a row: 1 until the first position has been evaluated.
    max_failed: AtomicUsize,
}

impl<'s> GameEvaluator<'s> {
    /// Opens evaluators for all threads; Ctrl-C then ends the work behind the next position.
    pub fn new(sources: &'s EvaluatorSet, globals: &Globals) -> GameEvaluator<'s> {
        stop_on_interrupt();
        let bar = progress_bar(0, "positions", globals);
        GameEvaluator {
            sources,
            evaluators: sources.evaluators(globals.n_threads()),
            bar,
            failures: Vec::new(),
            n_failed_in_a_row: AtomicUsize::new(0),
            max_failed: AtomicUsize::new(1),
        }
    }

    /// Tells how many positions there will be.
    pub fn expect(&self, n_positions: usize) {
        self.bar.set_length(n_positions as u64);
    }

    /// What search and predictors say of the first moves of a game.
    ///
    /// # Errors
    /// If it was interrupted; what is done is kept, and the same command goes on.
    pub fn analyze(&mut self, game: &LoadedGame, n_moves: usize) -> anyhow::Result<GameEvidence> {
        self.analyze_positions(game, n_moves, &|_| true)
    }

    /// The same for the positions that are wanted, by the number of moves before them.
    ///
    /// # Errors
    /// As above.
    pub fn analyze_positions(
        &mut self,
        game: &LoadedGame,
        n_moves: usize,
        is_wanted: &(dyn Fn(usize) -> bool + Sync),
    ) -> anyhow::Result<GameEvidence> {
        self.bar.set_message(game.name.clone());
        let study = game.study(n_moves);
        let n_failed = &self.n_failed_in_a_row;
        let go_on = |value: &Result<Evaluation, EvaluationError>| {
            self.bar.inc(1);
            let n = if value.is_ok() { 0 } else { n_failed.load(Relaxed) + 1 };
            if value.is_ok() {
                self.max_failed.store(MAX_FAILED, Relaxed);
            }
            n_failed.store(n, Relaxed);
            n < self.max_failed.load(Relaxed) && !is_stopped()
        };
        let values = study.evaluate(&mut self.evaluators, is_wanted, &go_on);
        if is_stopped() {
            self.bar.abandon();
            bail!("stopped, results so far are kept; run the same command again to resume");
        }
        let n_failed = self.n_failed_in_a_row.load(Relaxed);
        if n_failed >= self.max_failed.load(Relaxed) {
            self.bar.abandon();
            let why = values.into_iter().flatten().filter_map(Result::err).last().context("an engine failed")?;
            let context = match n_failed {
                1 => "the first position could not be evaluated".to_string(),
                n => format!("{n} positions in a row could not be evaluated; earlier results are kept"),
            };
            return Err(anyhow::Error::new(why).context(context));
        }
        let mut found = Vec::with_capacity(values.len());
        for value in values {
            found.push(match value {
                Some(Ok(value)) => Some(value),
                Some(Err(error)) => {
                    self.note_failure(error.to_string());
                    None
                }
                None => None,
            });
        }
        let by_position: Vec<Option<&Evaluation>> = found.iter().map(Option::as_ref).collect();
        let signals = study.signals(&by_position, &mut self.sources.predictors(game.record.size));
        Ok(GameEvidence { values: found, signals })
    }

    fn note_failure(&mut self, why: String) {
        match self.failures.iter_mut().find(|(known, _)| *known == why) {
            Some((_, n)) => *n += 1,
            None => self.failures.push((why, 1)),
        }
    }

    /// Why positions could not be valued, and how many.
    pub fn failures(&self) -> &[(String, usize)] {
        &self.failures
    }
}
