//! Values of the positions of books: from a file, or from a program whose answers are kept.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::{Context, bail, ensure};
use tejun_games::game::{Game, GamePosition, PositionKey, Side};
use tejun_knowledge::engines::{AnalysisLog, CachedAnalysis, Score, UciAnalysis, UciError, UciFault};

use crate::commands::Globals;
use crate::commands::book::engine::{EngineArgs, Problem};
use crate::interrupt::{is_stopped, stop_on_interrupt};
use crate::progress::progress_bar;
use crate::terminal::count;

/// Positions that may fail one after the other before an engine is given up.
const MAX_FAILED: usize = 3;

/// Where the values of positions come from: --values or --engine.
#[derive(clap::Args)]
pub struct ValueArgs {
    /// Read values from this file instead of asking an engine; each line has a position, a tab, and centipawns from
    /// the view of the side to move. Files written by --keep also work
    #[arg(long, value_name = "FILE", conflicts_with_all = ["keep", "engine"], help_heading = "Values")]
    values: Option<PathBuf>,
    /// Keep the engine's answers in this file, and resume after those that it already has
    #[arg(long, value_name = "FILE", help_heading = "Values")]
    keep: Option<PathBuf>,
    /// Number of copies of the engine to run at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64), help_heading = "Values")]
    at_once: u16,
    #[command(flatten)]
    engine: EngineArgs,
}

impl ValueArgs {
    /// The files that are read.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.keep.iter().chain(&self.values).cloned()
    }

    /// The values of positions for their first player, in centipawns, in order: from the file, or from the engine.
    ///
    /// # Errors
    /// If there is neither, the engine fails for good, or the work was stopped; answers so far are kept.
    pub fn values(&self, game: Game, problems: &[Problem], globals: &Globals) -> anyhow::Result<Vec<Option<f64>>> {
        if let Some(path) = &self.values {
            let written = read_values(path, game)?;
            return Ok(problems.iter().map(|problem| written.get(&problem.board.key()).copied()).collect());
        }
        ensure!(
            self.engine.is_given(),
            "give values of positions with --values FILE, or an engine that evaluates them with --engine COMMAND"
        );
        self.thought_values(game, problems, globals)
    }

    /// Values that the engine finds; kept ones are not asked for again.
    fn thought_values(&self, game: Game, problems: &[Problem], globals: &Globals) -> anyhow::Result<Vec<Option<f64>>> {
        let identity = self.engine.engine(game, 1)?.identity();
        let kept = self.keep.as_deref().map(|path| open_kept(path, &identity)).transpose()?;
        let texts: Vec<String> = problems.iter().map(|problem| problem.board.to_string()).collect();
        let known = |text: &String| kept.as_ref().is_some_and(|file| file.get(text).is_some());
        let open: Vec<usize> = (0..problems.len()).filter(|place| !known(&texts[*place])).collect();
        let n_kept = problems.len() - open.len();
        if n_kept > 0 {
            globals.status(format_args!("{n_kept} of {} already evaluated.", count(problems.len(), "position")));
        }
        let new = Mutex::new(BTreeMap::<String, UciAnalysis>::new());
        let kept = Mutex::new(kept);
        self.think_about(game, problems, &open, globals, |place, thought| {
            let text = &texts[place];
            if let Some(file) = kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner).as_mut() {
                file.keep(text, &thought).context("an answer could not be saved")?;
            }
            new.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(text.clone(), thought);
            Ok(())
        })?;
        let kept = kept.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let new = new.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let score = |text: &String| -> Option<Score> {
            let fresh = new.get(text).and_then(UciAnalysis::score);
            fresh.or_else(|| kept.as_ref().and_then(|file| file.get(text)).and_then(|thought| thought.score))
        };
        Ok(problems
            .iter()
            .zip(&texts)
            .map(|(problem, text)| score(text).map(|s| first_view(&problem.board, s)))
            .collect())
    }

    /// Asks about the problems in `open`, most pressing first, with several programs at once.
    fn think_about(
        &self,
        game: Game,
        problems: &[Problem],
        open: &[usize],
        globals: &Globals,
        take: impl Fn(usize, UciAnalysis) -> anyhow::Result<()> + Sync,
    ) -> anyhow::Result<()> {
        stop_on_interrupt();
        let bar = progress_bar(open.len() as u64, "positions", globals);
        let next = Mutex::new(open.iter());
        let failure: Mutex<Option<anyhow::Error>> = Mutex::new(None);
        let is_over = AtomicBool::new(false);
        let work = || -> anyhow::Result<()> {
            let mut engine = self.engine.engine(game, 1)?;
            let mut n_failed = 0;
            loop {
                let place = next.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next().copied();
                let Some(place) = place.filter(|_| !is_over.load(Relaxed) && !is_stopped()) else { return Ok(()) };
                match engine.think(&problems[place]) {
                    Ok(thought) => {
                        n_failed = 0;
                        take(place, thought)?;
                    }
                    Err(error) => {
                        // Waiting for the same start again costs minutes and changes nothing.
                        ensure!(!is_hopeless(&error), "{error:#}");
                        n_failed += 1;
                        bar.suspend(|| globals.status(format_args!("{}: {error:#}", problems[place].board)));
                        ensure!(n_failed < MAX_FAILED, "the engine failed {MAX_FAILED} times in a row: {error:#}");
                    }
                }
                bar.inc(1);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..usize::from(self.at_once).min(open.len()) {
                scope.spawn(|| {
                    if let Err(error) = work() {
                        is_over.store(true, Relaxed);
                        failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
                    }
                });
            }
        });
        bar.finish_and_clear();
        if let Some(error) = failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            return Err(error);
        }
        if is_stopped() {
            match &self.keep {
                Some(path) => {
                    bail!("stopped, answers saved in {}; run the same command again to resume", path.display())
                }
                None => bail!("stopped; use --keep FILE to save answers, so that the next run can resume"),
            }
        }
        Ok(())
    }
}

/// Whether an engine can't answer any position: it does not start, or is another than was meant.
fn is_hopeless(error: &anyhow::Error) -> bool {
    use UciFault::{BadSetting, NeverReady, NoSetting, NotStarted, WrongProtocol};
    let fault = error.downcast_ref::<UciError>().map(|error| &error.fault);
    matches!(
        fault,
        Some(NotStarted(_) | NeverReady { .. } | WrongProtocol { .. } | NoSetting { .. } | BadSetting { .. })
    )
}

fn open_kept(path: &Path, identity: &str) -> anyhow::Result<AnalysisLog> {
    AnalysisLog::open(path, identity).with_context(|| path.display().to_string())
}

/// Values of positions that somebody wrote down, by position, for the first player.
///
/// # Errors
/// If the file can't be read or a position is none of this game.
pub fn read_values(path: &Path, game: Game) -> anyhow::Result<HashMap<PositionKey, f64>> {
    let thoughts = AnalysisLog::read(path).with_context(|| path.display().to_string())?;
    let valued = thoughts.into_iter().filter_map(|(text, CachedAnalysis { score, .. })| Some((text, score?)));
    let read = valued.map(|(text, score)| {
        let words = text.trim_start_matches("sfen ").trim_start_matches("fen ");
        let board = GamePosition::parse(game, words)
            .with_context(|| format!("{}: line {}", path.display(), line_of(path, &text)))?;
        Ok((board.key(), first_view(&board, score)))
    });
    read.collect()
}

/// The last line, from 1, that begins with a position; that one counts if there are several.
fn line_of(path: &Path, position: &str) -> usize {
    let bytes = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let is_there = |line: &str| line.trim_start_matches('\u{feff}').split('\t').next().map(str::trim) == Some(position);
    text.lines().collect::<Vec<_>>().iter().rposition(|line| is_there(line)).map_or(0, |index| index + 1)
}

/// A score of the side to move as one of the first player.
fn first_view(board: &GamePosition, score: Score) -> f64 {
    let sign = if board.to_move() == Side::First { 1.0 } else { -1.0 };
    sign * f64::from(score.centipawns())
}
