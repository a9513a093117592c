//! What is each move of a position worth? The question, the answers kept on disk, and many workers.
//!
//! The built-in search and other programs' engines answer it; this room knows neither.

mod cache;
mod pool;
mod queue;

pub use cache::{Cached, EvaluationCache, EvaluationKey};
pub use pool::{FailureLimit, PoolError, PoolQueue, WorkerFailure, WorkerPool};
pub use queue::QuestionQueue;
pub(crate) use queue::evaluate_one_by_one;

use tejun_games::Move;
use tejun_games::go::{Board, Color, Point};

/// The komi of games that state none.
pub const DEFAULT_KOMI: f64 = 6.5;

/// A position whose moves are to be evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Question<'g> {
    /// The board before the first move.
    pub start: &'g Board,
    /// The moves so far.
    pub moves: &'g [Move],
    /// The board now.
    pub board: &'g Board,
    /// Who moves.
    pub color: Color,
    /// Points White gets for playing second.
    pub komi: f64,
    /// The move that was played here: it is also evaluated, however bad it looks.
    pub played: Option<Point>,
}

/// What one move is worth, from the perspective of the side that plays it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveValue {
    /// Where; `None` is a pass.
    pub point: Option<Point>,
    /// How often the search tried it.
    pub visits: u32,
    /// The win rate after it, from 0 to 1; `None` from a program that only names its best move.
    pub win_rate: Option<f64>,
    /// The upper confidence bound by which the search continues, if the program reports it.
    pub bound: Option<f64>,
    /// The probability of the move before it was searched.
    pub prior: Option<f64>,
    /// Points by which the side that plays it is ahead.
    pub lead: Option<f64>,
    /// The expected continuation, this move first.
    pub line: Vec<Option<Point>>,
}

/// What a search says about a position, from the perspective of the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The win rate; `None` if the engine does not report it.
    pub win_rate: Option<f64>,
    /// Points by which the side to move is ahead.
    pub lead: Option<f64>,
    /// Moves that were tried, the best first; legal moves that are missing have no visits.
    pub moves: Vec<MoveValue>,
}

/// What is each move worth?
pub trait Evaluator {
    /// Everything that affects its answers: program, settings, model. Part of the key under which answers are kept.
    fn identity(&self) -> &str;

    /// Evaluates a position.
    ///
    /// # Errors
    /// If an engine fails at this position after all restarts; the next position may succeed.
    fn evaluate(&mut self, question: &Question<'_>) -> Result<Evaluation, EvaluationError>;

    /// Evaluates all positions of a queue, by default one by one.
    ///
    /// An evaluator that is faster with many positions takes several at once. Its answers are the same as one by one,
    /// and every answer is passed on when it arrives.
    fn evaluate_queue(&mut self, queue: &mut dyn QuestionQueue<'_>) {
        evaluate_one_by_one(self, queue);
    }
}

impl<E: Evaluator + ?Sized> Evaluator for Box<E> {
    fn identity(&self) -> &str {
        (**self).identity()
    }

    fn evaluate(&mut self, question: &Question<'_>) -> Result<Evaluation, EvaluationError> {
        (**self).evaluate(question)
    }

    fn evaluate_queue(&mut self, queue: &mut dyn QuestionQueue<'_>) {
        (**self).evaluate_queue(queue);
    }
}

/// Why a position could not be evaluated: what the engine did, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct EvaluationError(#[from] Box<dyn std::error::Error + Send + Sync>);

impl EvaluationError {
    /// The error of the evaluator, if it is of this type.
    pub fn downcast_ref<E: std::error::Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}
