//! A whole game, judged.

use tejun_games::GameRecord;
use tejun_games::go::Color;

use crate::evaluation::{Evaluation, MoveValue};
use crate::judging::estimates::{Estimate, Observation, Reliability, follow};
use crate::judging::evaluator::{GameEvaluator, GameEvidence, JudgeError};
use crate::judging::exchanges::exchanges;
use crate::judging::judgement::Judgement;
use crate::judging::moments::{MomentReason, mark_moments};
use crate::judging::replay::ReplayedGame;
use crate::judging::signals::Signals;
use crate::judging::verdict::{JudgedGame, JudgedMove, Verdict, VerdictLimits, verdict};
use crate::progress::Progress;

/// How games are judged.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeOptions {
    /// The probabilities that commentators would praise or criticize a move.
    pub judgement: Judgement,
    /// How reliable the evaluator is.
    pub reliability: Reliability,
    /// The limits of the verdicts.
    pub limits: VerdictLimits,
    /// The largest number of moments per game: the moves most worth studying.
    pub n_moments: usize,
    /// Judge only the first moves.
    pub n_moves: usize,
}

impl Default for JudgeOptions {
    /// For the search with the network.
    fn default() -> JudgeOptions {
        JudgeOptions {
            judgement: Judgement::built_in(),
            reliability: Reliability::NETWORK,
            limits: VerdictLimits::default(),
            n_moments: 8,
            n_moves: usize::MAX,
        }
    }
}

/// Judges games: which moves were good finds, which were mistakes, and which deserve a comment.
///
/// The default options are for the search with the network; other evaluators have another [`Reliability`].
///
/// ```
/// use tejun_games::records::{OnIllegal, read_records};
/// use tejun_knowledge::evaluation::Evaluator;
/// use tejun_knowledge::judging::{GameEvaluator, Judge, JudgeOptions, NamedPredictor, PredictorName, Reliability};
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
/// let mut judge = Judge::new(evaluator, JudgeOptions { reliability: Reliability::PLAYOUTS, ..JudgeOptions::default() });
/// let review = judge.judge(&game, &NoProgress)?;
///
/// assert_eq!(review.game.moves.len(), 5);
/// for judged in &review.game.moves {
///     let lost = judged.loss.map_or(0.0, |loss| loss.value);
///     println!("move {}: {}, win rate lost {lost:.2}", judged.index + 1, judged.verdict.name());
/// }
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
        self.judge_with(record, &[], progress)
    }

    /// Judges a game in which some moves are remarkable for reasons outside of the search, by the number of moves
    /// before them; they may become moments.
    ///
    /// # Errors
    /// As [`Judge::judge`].
    pub fn judge_with(
        &mut self,
        record: &GameRecord,
        known: &[(usize, MomentReason)],
        progress: &dyn Progress,
    ) -> Result<GameReview, JudgeError> {
        let evidence = self.evaluator.evaluate(record, self.options.n_moves, progress)?;
        let game = judged_game(record, &evidence, known, &self.options);
        Ok(GameReview { game, evidence })
    }

    /// The evaluator, for the failures that it counts.
    pub fn evaluator(&self) -> &GameEvaluator<'m> {
        &self.evaluator
    }
}

/// The points by which a side must lead to win for certain, for the size of errors in points.
const POINTS_SCALE: f64 = 40.0;

/// Judges the moves of a game for which there is evidence.
pub(crate) fn judged_game(
    record: &GameRecord,
    evidence: &GameEvidence,
    known: &[(usize, MomentReason)],
    options: &JudgeOptions,
) -> JudgedGame {
    let game = ReplayedGame::new(record, evidence.signals.len());
    let exchanges = exchanges(game.moves, &game.boards);
    let judgement = &options.judgement;
    let of = |value: fn(&MoveValue) -> Option<f64>, whole: fn(&Evaluation) -> Option<f64>, mirror: f64| {
        let observe = |(index, evaluation): (usize, &Option<Evaluation>)| {
            let is_black = game.to_move(index) == Color::Black;
            let Some(evaluation) = evaluation else { return Observation { is_black, ..Observation::default() } };
            let mine = whole(evaluation).map(|value| if is_black { value } else { mirror - value });
            let played = game.moves.get(index).map(|played| played.point);
            let found = played.and_then(|point| evaluation.moves.iter().find(|m| m.point == point));
            let best = evaluation.moves.first().and_then(value);
            let difference = best.zip(found.and_then(value)).map(|(best, played)| (best - played).max(0.0));
            Observation { value: mine, difference, is_black }
        };
        evidence.values.iter().enumerate().map(observe).collect::<Vec<_>>()
    };
    let win_rates = of(|m| m.win_rate, |e| e.win_rate, 1.0);
    let leads = of(|m| m.lead, |e| e.lead, 0.0);
    let win_rates = follow(&win_rates, &exchanges, &options.reliability, 1.0);
    let leads = follow(&leads, &exchanges, &options.reliability, POINTS_SCALE);
    let judge = |(index, signals): (usize, &Option<Signals>)| {
        let signals = (*signals)?;
        let loss = win_rates.losses.get(index).copied().flatten().map(clipped);
        let before = win_rates.positions[index].map(|rate| clipped(rate).value);
        let is_black = game.moves[index].color == Color::Black;
        let before = before.map(|rate| if is_black { rate } else { 1.0 - rate });
        let mut judged = JudgedMove {
            index,
            played: game.moves[index],
            signals,
            loss,
            rates: before.zip(loss).map(|(before, loss)| [before, (before - loss.value).max(0.0)]),
            points_lost: leads.losses.get(index).copied().flatten(),
            commentary: judgement.commentary(&signals, index),
            verdict: Verdict::Ordinary,
            exchange: exchanges.iter().find(|exchange| exchange.contains(index)).copied(),
            moment: None,
            tags: game.tags(index),
            evaluation: evidence.values.get(index).cloned().flatten(),
        };
        judged.verdict = verdict(&judged, &options.limits);
        Some(judged)
    };
    let mut moves: Vec<JudgedMove> = evidence.signals.iter().enumerate().filter_map(judge).collect();
    let win_rates_black: Vec<Option<Estimate>> = win_rates.positions.iter().map(|rate| rate.map(clipped)).collect();
    mark_moments(&mut moves, &win_rates_black, known, options.n_moments);
    JudgedGame { win_rates_black, leads_black: leads.positions, moves }
}

/// A win rate within its limits.
fn clipped(rate: Estimate) -> Estimate {
    Estimate { value: rate.value.clamp(0.0, 1.0), ..rate }
}
