//! Which move comes next? The question, and the quality of answers.
//!
//! Grammars, patterns and tactics answer it; this room knows none of them.

mod measure;
mod prediction;
mod rank;
mod scores;

use tejun_games::Move;
use tejun_games::go::{Board, Color, Point, Suicide};

pub use measure::{for_each_situation, measure};
pub use prediction::Prediction;
pub use rank::MoveRank;
pub use scores::{N_STAGES, PHASES, Reliability, Scores, phase_name, stage_name};
pub(crate) use scores::{Sum, stage_of, whole};

/// A game up to the move to predict.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'g> {
    /// The board before the first move.
    pub start: &'g Board,
    /// The moves so far.
    pub moves: &'g [Move],
    /// The current board.
    pub board: &'g Board,
    /// The side to move.
    pub color: Color,
    /// The legal points.
    pub legal: &'g [Point],
}

impl Situation<'_> {
    /// The legal points of a color, plus `played`, because records contain moves that the rules forbid.
    pub fn legal_points(board: &Board, color: Color, played: Option<Point>) -> Vec<Point> {
        let is_legal = |point: &Point| board.check(color, *point, Suicide::Forbidden).is_ok();
        board.size().points().filter(|point| Some(*point) == played || is_legal(point)).collect()
    }
}

/// Which move comes next?
///
/// ```
/// use tejun_games::GameRecord;
/// use tejun_knowledge::predictor::{Prediction, Predictor, Situation};
///
/// /// Every legal point is as likely as any other.
/// struct Uniform;
///
/// impl Predictor for Uniform {
///     fn predict(&mut self, situation: &Situation<'_>) -> Vec<f64> {
///         vec![1.0 / situation.legal.len() as f64; situation.legal.len()]
///     }
/// }
///
/// let game = GameRecord::parse("(;SZ[9];B[ee];W[ce])")?;
/// let prediction = Prediction::new(&mut Uniform, &game, 1);
/// assert_eq!(prediction.bits(), Some(80f64.log2()));
/// # Ok::<(), tejun_games::Rejection>(())
/// ```
pub trait Predictor {
    /// The probability of every legal point, in the order of `situation.legal`; they add up to 1.
    fn predict(&mut self, situation: &Situation<'_>) -> Vec<f64>;

    /// Announces that many questions about continuations of this situation follow; a predictor may prepare for them.
    fn prepare(&mut self, _situation: &Situation<'_>) {}
}
