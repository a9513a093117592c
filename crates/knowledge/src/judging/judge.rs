//! A whole game, judged.

use tejun_games::GameRecord;

use crate::judging::evaluator::{GameEvaluator, GameEvidence, JudgeError};
use crate::judging::judgement::Judgement;
use crate::judging::verdict::JudgedGame;
use crate::progress::Progress;

/// How games are judged.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeOptions {
    /// How signals become verdicts.
    pub judgement: Judgement,
    /// The number of key moments per game: the moves most worth a comment.
    pub n_moments: usize,
    /// Judge only the first moves.
    pub n_moves: usize,
}

impl Default for JudgeOptions {
    fn default() -> JudgeOptions {
        JudgeOptions { judgement: Judgement::built_in(), n_moments: 8, n_moves: usize::MAX }
    }
}

/// Judges games: which moves were good finds, which were mistakes, and which deserve a comment.
///
/// The built-in judgement is made for the built-in search with a trained model. For win rates of
/// another engine, set its scale to [`crate::judging::LossScale::default`].
///
/// ```
/// use tejun_games::records::{OnIllegal, read_records};
/// use tejun_knowledge::evaluation::Evaluator;
/// use tejun_knowledge::judging::{GameEvaluator, Judge, JudgeOptions, NamedPredictor, PredictorName};
/// use tejun_knowledge::progress::NoProgress;
/// use tejun_knowledge::search::{PlainPredictor, Search, SearchOptions};
///
/// let game = read_records(b"(;SZ[9]KM[7];B[ee];W[ec];B[gd];W[aa];B[ge])", OnIllegal::Cut).remove(0).record?;
///
/// // A search that knows a few rules of thumb; a model of `tejun learn patterns` predicts much better.
/// let options = SearchOptions { n_playouts: 50, ..SearchOptions::default() };
/// let search: Box<dyn Evaluator + Send> = Box::new(Search::new(options, "plain", || Box::new(PlainPredictor)));
/// let trained = NamedPredictor { name: PredictorName::Trained, size: None, predictor: Box::new(PlainPredictor) };
///
/// let evaluator = GameEvaluator::new(vec![search], vec![trained]);
/// let mut judge = Judge::new(evaluator, JudgeOptions { n_moments: 1, ..JudgeOptions::default() });
/// let review = judge.judge(&game, &NoProgress)?;
///
/// let moment = review.game.moves.iter().find(|judged| judged.is_moment).expect("one moment");
/// assert_eq!(moment.index, 3); // White's move in the corner
/// println!("move {}: {}", moment.index + 1, moment.verdict.name());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Judge<'m> {
    evaluator: GameEvaluator<'m>,
    options: JudgeOptions,
}

/// A judged game with the evidence.
#[derive(Debug)]
pub struct GameReview {
    /// The moves with their verdicts.
    pub game: JudgedGame,
    /// What the verdicts follow from, and the positions that could not be evaluated.
    pub evidence: GameEvidence,
}

impl<'m> Judge<'m> {
    /// A judge with this evaluator.
    pub fn new(evaluator: GameEvaluator<'m>, options: JudgeOptions) -> Judge<'m> {
        Judge { evaluator, options }
    }

    /// Judges a game, one step of `progress` per position.
    ///
    /// # Errors
    /// If the caller cancels, or the evaluators fail several times in a row.
    pub fn judge(&mut self, record: &GameRecord, progress: &dyn Progress) -> Result<GameReview, JudgeError> {
        let JudgeOptions { judgement, n_moments, n_moves } = &self.options;
        let evidence = self.evaluator.evaluate(record, *n_moves, progress)?;
        let game = judgement.judge(record, &evidence, *n_moments);
        Ok(GameReview { game, evidence })
    }

    /// The evaluator, for the failures that it counts.
    pub fn evaluator(&self) -> &GameEvaluator<'m> {
        &self.evaluator
    }
}
