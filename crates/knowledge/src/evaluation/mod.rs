//! What is each move of a position worth? The question, and the answers kept on disk.
//!
//! The built-in search and other programs' engines answer it; this room knows neither.

mod cache;

pub use cache::{Cached, EvaluationCache, EvaluationKey};

use tejun_games::Move;
use tejun_games::go::{Board, Color, Point};

/// The komi of games that state none.
pub const DEFAULT_KOMI: f64 = 6.5;

/// A position whose moves are to be valued.
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
    /// The move that was played here: it is valued, too, however bad it looks.
    pub played: Option<Point>,
}

/// What one move is worth, seen by the side that plays it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveValue {
    /// Where; `None` is a pass.
    pub point: Option<Point>,
    /// How often it was tried.
    pub visits: u32,
    /// The share of wins after it, from 0 to 1; `None` from a program that names its best move only.
    pub win_rate: Option<f64>,
    /// The upper confidence bound by which the search goes on, where it is told.
    pub bound: Option<f64>,
    /// How likely the move was before it was searched.
    pub prior: Option<f64>,
    /// Points by which the mover is ahead.
    pub lead: Option<f64>,
    /// The expected continuation, this move first.
    pub line: Vec<Option<Point>>,
}

/// What a search says of a position, seen by the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The chance of the side to move; `None` if the engine tells none.
    pub win_rate: Option<f64>,
    /// Points by which the side to move is ahead.
    pub lead: Option<f64>,
    /// Moves that were tried, the best first; legal moves that are missing have no visit.
    pub moves: Vec<MoveValue>,
}

/// What is each move worth?
pub trait Evaluator {
    /// What tells its answers from others': program, settings, model. Part of the key under which answers are kept.
    fn identity(&self) -> &str;

    /// Values a position.
    ///
    /// # Errors
    /// If an engine fails for good; the position is then not valued, and the next one may be.
    fn evaluate(&mut self, question: &Question<'_>) -> Result<Evaluation, EvaluationError>;
}

impl<E: Evaluator + ?Sized> Evaluator for Box<E> {
    fn identity(&self) -> &str {
        (**self).identity()
    }

    fn evaluate(&mut self, question: &Question<'_>) -> Result<Evaluation, EvaluationError> {
        (**self).evaluate(question)
    }
}

/// Why a position could not be valued: what the engine did, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct EvaluationError(#[from] Box<dyn std::error::Error + Send + Sync>);
