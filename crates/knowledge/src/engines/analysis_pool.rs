//! Many positions analyzed by several copies of an engine.

use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::engines::{AnalysisLog, AnalyzeError, PlayedPosition, PositionEngine, Score};
use crate::evaluation::{FailureLimit, PoolError, WorkerFailure, WorkerPool};
use crate::progress::Progress;

/// Positions that may fail in a row before the work ends.
const MAX_FAILED: usize = 3;
const LIMIT: FailureLimit = FailureLimit { before_first_answer: MAX_FAILED, after_first_answer: MAX_FAILED };

/// How many positions are analyzed.
pub struct AnalysisPool<'p> {
    /// Copies of the engine that run at the same time.
    pub n_engines: usize,
    /// Answers of earlier runs, which are not asked for again; new ones are added.
    pub log: Option<AnalysisLog>,
    /// Receives a step per analyzed position. When cancelled, engines finish their position.
    pub progress: &'p dyn Progress,
    /// Receives each position that could not be analyzed, with the reason.
    pub on_failure: &'p (dyn Fn(&PlayedPosition, &AnalyzeError) + Sync),
}

/// Why positions were not analyzed. The answers so far are in the log.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisPoolError {
    /// The engine can't answer at all.
    #[error(transparent)]
    Engine(#[from] AnalyzeError),
    /// The engine failed too often in a row.
    #[error("the engine failed {MAX_FAILED} times in a row: {last}")]
    TooManyFailures {
        /// The last failure.
        last: AnalyzeError,
    },
    /// An answer could not be added to the log.
    #[error("an answer could not be saved")]
    Log(#[source] io::Error),
    /// The caller cancelled the work.
    #[error("cancelled")]
    Cancelled,
}

impl AnalysisPool<'_> {
    /// The scores of positions for the side to move, in order; `None` where the engine failed or gave no score.
    ///
    /// Positions are asked about in the order given. `start_engine` makes one of the copies of the engine.
    ///
    /// ```
    /// use tejun_games::game::Game;
    /// use tejun_knowledge::engines::{
    ///     Analysis, AnalysisLine, AnalysisPool, AnalyzeError, BestMove, PlayedPosition, PositionEngine, Score,
    /// };
    /// use tejun_knowledge::progress::NoProgress;
    ///
    /// struct Even;
    ///
    /// impl PositionEngine for Even {
    ///     fn identity(&self) -> String {
    ///         "even".into()
    ///     }
    ///     fn analyze_position(&mut self, _: &PlayedPosition) -> Result<Analysis, AnalyzeError> {
    ///         let line = AnalysisLine { score: Score::Centipawns(0), moves: Vec::new() };
    ///         Ok(Analysis { best_move: BestMove::Resign, lines: vec![line], depth: None, nodes: None })
    ///     }
    /// }
    ///
    /// let pool = AnalysisPool { n_engines: 2, log: None, progress: &NoProgress, on_failure: &|_, _| {} };
    /// let positions = [PlayedPosition::start_of(Game::Chess), PlayedPosition::start_of(Game::Shogi)];
    /// assert_eq!(pool.scores(&positions, || Even)?, [Some(Score::Centipawns(0)); 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the engine can't answer at all or fails three times in a row, an answer can't be saved, or the work was
    /// cancelled.
    pub fn scores<E: PositionEngine + Send>(
        self,
        positions: &[PlayedPosition],
        start_engine: impl Fn() -> E,
    ) -> Result<Vec<Option<Score>>, AnalysisPoolError> {
        let texts: Vec<String> = positions.iter().map(|position| position.board.to_string()).collect();
        let is_known = |text: &String| self.log.as_ref().is_some_and(|log| log.get(text).is_some());
        let open: Vec<usize> = (0..positions.len()).filter(|index| !is_known(&texts[*index])).collect();
        let AnalysisPool { n_engines, log, progress, on_failure } = self;
        let log = Mutex::new(log);
        let analyze = |engine: &mut E, &index: &usize| match engine.analyze_position(&positions[index]) {
            Ok(analysis) => {
                if let Some(log) = locked(&log).as_mut() {
                    let kept = log.keep(&texts[index], &analysis);
                    kept.map_err(|error| WorkerFailure::Fatal(AnalysisPoolError::Log(error)))?;
                }
                Ok(analysis.score())
            }
            // Waiting for the same start again costs minutes and changes nothing.
            Err(error) if error.is_permanent() => Err(WorkerFailure::Fatal(error.into())),
            Err(error) => {
                on_failure(&positions[index], &error);
                Err(WorkerFailure::OfQuestion(error.into()))
            }
        };
        let engines = (0..n_engines.min(open.len())).map(|_| start_engine()).collect();
        progress.start("analyzing", Some(open.len() as u64));
        let answers = WorkerPool::new(engines).with_limit(LIMIT).ask_all(&open, progress, analyze);
        let answers = answers.map_err(|error| match error {
            PoolError::Cancelled => AnalysisPoolError::Cancelled,
            PoolError::GivenUp { error: AnalysisPoolError::Engine(last), .. } if !last.is_permanent() => {
                AnalysisPoolError::TooManyFailures { last }
            }
            PoolError::GivenUp { error, .. } => error,
        })?;
        let log = locked(&log);
        let logged = |text: &String| log.as_ref().and_then(|log| log.get(text)).and_then(|cached| cached.score);
        let scores: HashMap<&String, Option<Score>> =
            open.iter().zip(answers).map(|(&index, score)| (&texts[index], score.ok().flatten())).collect();
        Ok(texts.iter().map(|text| scores.get(text).copied().flatten().or_else(|| logged(text))).collect())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
