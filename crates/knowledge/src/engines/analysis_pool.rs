//! Many positions analyzed by several copies of an engine.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::engines::{AnalysisLog, AnalyzeError, PlayedPosition, PositionEngine, Score};
use crate::progress::Progress;

/// Positions that may fail in a row before the work ends.
const MAX_FAILED: usize = 3;

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
    pub fn scores<E: PositionEngine>(
        self,
        positions: &[PlayedPosition],
        start_engine: impl Fn() -> E + Sync,
    ) -> Result<Vec<Option<Score>>, AnalysisPoolError> {
        let texts: Vec<String> = positions.iter().map(|position| position.board.to_string()).collect();
        let is_known = |text: &String| self.log.as_ref().is_some_and(|log| log.get(text).is_some());
        let open: Vec<usize> = (0..positions.len()).filter(|index| !is_known(&texts[*index])).collect();
        let AnalysisPool { n_engines, log, progress, on_failure } = self;
        let work = SharedWork {
            positions,
            texts: &texts,
            open: Mutex::new(open.iter()),
            is_over: AtomicBool::new(false),
            log: Mutex::new(log),
            scores: Mutex::new(BTreeMap::new()),
            progress,
            on_failure,
        };
        progress.start("analyzing", Some(open.len() as u64));
        let failure: Mutex<Option<AnalysisPoolError>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..n_engines.min(open.len()) {
                scope.spawn(|| {
                    if let Err(error) = work.run(start_engine()) {
                        work.is_over.store(true, Relaxed);
                        locked(&failure).get_or_insert(error);
                    }
                });
            }
        });
        if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        if progress.is_cancelled() {
            return Err(AnalysisPoolError::Cancelled);
        }
        let (log, scores) = (locked(&work.log), locked(&work.scores));
        let logged = |text: &String| log.as_ref().and_then(|log| log.get(text)).and_then(|cached| cached.score);
        Ok(texts.iter().map(|text| scores.get(text).copied().flatten().or_else(|| logged(text))).collect())
    }
}

/// What the threads share.
struct SharedWork<'w> {
    positions: &'w [PlayedPosition],
    texts: &'w [String],
    open: Mutex<std::slice::Iter<'w, usize>>,
    is_over: AtomicBool,
    log: Mutex<Option<AnalysisLog>>,
    scores: Mutex<BTreeMap<String, Option<Score>>>,
    progress: &'w dyn Progress,
    on_failure: &'w (dyn Fn(&PlayedPosition, &AnalyzeError) + Sync),
}

impl SharedWork<'_> {
    /// Analyzes positions until none is left.
    fn run(&self, mut engine: impl PositionEngine) -> Result<(), AnalysisPoolError> {
        let mut n_failed = 0;
        while let Some(index) = self.next() {
            match engine.analyze_position(&self.positions[index]) {
                Ok(analysis) => {
                    n_failed = 0;
                    if let Some(log) = locked(&self.log).as_mut() {
                        log.keep(&self.texts[index], &analysis).map_err(AnalysisPoolError::Log)?;
                    }
                    locked(&self.scores).insert(self.texts[index].clone(), analysis.score());
                }
                // Waiting for the same start again costs minutes and changes nothing.
                Err(error) if error.is_permanent() => return Err(error.into()),
                Err(error) => {
                    n_failed += 1;
                    (self.on_failure)(&self.positions[index], &error);
                    if n_failed == MAX_FAILED {
                        return Err(AnalysisPoolError::TooManyFailures { last: error });
                    }
                }
            }
            self.progress.advance(1);
        }
        Ok(())
    }

    fn next(&self) -> Option<usize> {
        let is_over = self.is_over.load(Relaxed) || self.progress.is_cancelled();
        locked(&self.open).next().copied().filter(|_| !is_over)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
