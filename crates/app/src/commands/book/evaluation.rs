//! Values of positions of books: from a file, or from an engine whose answers are cached.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use tejun_games::game::{Game, GamePosition, PositionKey};
use tejun_knowledge::engines::{
    AnalysisLog, AnalysisPool, AnalysisPoolError, AnalyzeError, CachedAnalysis, PlayedPosition,
};

use crate::commands::Globals;
use crate::commands::book::engine::EngineArgs;
use crate::progress::TerminalProgress;
use crate::terminal::count;

/// Where the values of positions come from: --values or --engine.
#[derive(clap::Args)]
pub struct EvaluationArgs {
    /// Read values from this file instead of asking an engine; each line has a position, a tab, and centipawns from
    /// the view of the side to move. Files written by --cache-file also work
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cache_file", "engine"], help_heading = "Values")]
    values: Option<PathBuf>,
    /// Keep the engine's answers in this file, and resume after those that it already has
    #[arg(long, value_name = "FILE", help_heading = "Values")]
    cache_file: Option<PathBuf>,
    /// Number of copies of the engine to run at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64), help_heading = "Values")]
    jobs: u16,
    #[command(flatten)]
    engine: EngineArgs,
}

impl EvaluationArgs {
    /// The files that are read.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.cache_file.iter().chain(&self.values).cloned()
    }

    /// The values of positions for their first player, in centipawns, in order: from the file, or from the engine.
    ///
    /// # Errors
    /// If there is neither, the engine can't continue, or the work was stopped; answers so far are kept.
    pub fn values(
        &self,
        game: Game,
        positions: &[PlayedPosition],
        globals: &Globals,
    ) -> anyhow::Result<Vec<Option<f64>>> {
        if let Some(path) = &self.values {
            let written = read_values(path, game)?;
            return Ok(positions.iter().map(|position| written.get(&position.board.key()).copied()).collect());
        }
        ensure!(
            self.engine.is_given(),
            "give values of positions with --values FILE, or an engine that evaluates them with --engine COMMAND"
        );
        self.engine_values(game, positions, globals)
    }

    /// Values from the engine; cached positions are not evaluated again.
    fn engine_values(
        &self,
        game: Game,
        positions: &[PlayedPosition],
        globals: &Globals,
    ) -> anyhow::Result<Vec<Option<f64>>> {
        let identity = self.engine.engine(game, 1)?.identity();
        let log = self.cache_file.as_deref().map(|path| open_log(path, &identity)).transpose()?;
        report_cached(log.as_ref(), positions, globals);
        let progress = TerminalProgress::new("positions", globals);
        let on_failure = |position: &PlayedPosition, error: &AnalyzeError| {
            progress.suspend(|| globals.status(format_args!("{}: {error:#}", position.board)));
        };
        let n_engines = usize::from(self.jobs);
        let pool = AnalysisPool { n_engines, log, progress: &progress, on_failure: &on_failure };
        let scores = pool.scores(positions, || self.engine.engine(game, 1).expect("its options were checked above"));
        progress.finish();
        let scores = scores.map_err(|error| self.with_advice(error))?;
        let both = positions.iter().zip(scores);
        Ok(both.map(|(position, score)| Some(score?.for_first_player(position.board.to_move()))).collect())
    }

    /// Says how to resume after an interruption.
    fn with_advice(&self, error: AnalysisPoolError) -> anyhow::Error {
        match (error, &self.cache_file) {
            (AnalysisPoolError::Cancelled, Some(path)) => {
                anyhow!("stopped, answers saved in {}; run the same command again to resume", path.display())
            }
            (AnalysisPoolError::Cancelled, None) => {
                anyhow!("stopped; use --cache-file FILE to save answers, so that the next run can resume")
            }
            (error, _) => error.into(),
        }
    }
}

fn report_cached(log: Option<&AnalysisLog>, positions: &[PlayedPosition], globals: &Globals) {
    let Some(log) = log else { return };
    let n_cached = positions.iter().filter(|position| log.get(&position.board.to_string()).is_some()).count();
    if n_cached > 0 {
        globals.status(format_args!("{n_cached} of {} already evaluated.", count(positions.len(), "position")));
    }
}

fn open_log(path: &Path, identity: &str) -> anyhow::Result<AnalysisLog> {
    AnalysisLog::open(path, identity).with_context(|| path.display().to_string())
}

/// Values from a file, by position, for the first player.
///
/// # Errors
/// If the file can't be read or a position is not one of this game.
pub fn read_values(path: &Path, game: Game) -> anyhow::Result<HashMap<PositionKey, f64>> {
    let analyses = AnalysisLog::read(path).with_context(|| path.display().to_string())?;
    let evaluated = analyses.into_iter().filter_map(|(text, CachedAnalysis { score, .. })| Some((text, score?)));
    let read = evaluated.map(|(text, score)| {
        let position = text.trim_start_matches("sfen ").trim_start_matches("fen ");
        let board = GamePosition::parse(game, position)
            .with_context(|| format!("{}: line {}", path.display(), line_of(path, &text)))?;
        Ok((board.key(), score.for_first_player(board.to_move())))
    });
    read.collect()
}

/// The number, from 1, of the last line that begins with a position; the last one counts.
fn line_of(path: &Path, position: &str) -> usize {
    let bytes = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let is_there = |line: &str| line.trim_start_matches('\u{feff}').split('\t').next().map(str::trim) == Some(position);
    text.lines().collect::<Vec<_>>().iter().rposition(|line| is_there(line)).map_or(0, |index| index + 1)
}
