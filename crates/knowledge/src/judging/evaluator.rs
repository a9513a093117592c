//! The positions of a game, evaluated and predicted.

use tejun_games::GameRecord;
use tejun_games::go::{BoardSize, Color};

use crate::evaluation::{Evaluation, EvaluationError, Evaluator, PoolError, Question, WorkerPool};
use crate::judging::replay::ReplayedGame;
use crate::judging::signals::{Predictions, PredictorName, Signals, Surprise};
use crate::judging::verdict::ExpectedMove;
use crate::predictor::{Predictor, Situation};
use crate::progress::Progress;

/// Positions before and after a move over which win rates are averaged, at most and at least.
///
/// Even numbers, because each side overestimates its own next move.
const LASTING: [usize; 2] = [10, 4];

/// A predictor with the name under which its answers are reported.
pub struct NamedPredictor<'m> {
    /// The name.
    pub name: PredictorName,
    /// The size of its boards; `None` if it knows all sizes. It is not asked about games of other sizes.
    pub size: Option<BoardSize>,
    /// The predictor.
    pub predictor: Box<dyn Predictor + Send + 'm>,
}

/// Collects what is known about the moves of games: evaluations of all positions, and predictions.
///
/// One thread per evaluator. Answers that must survive a cancelled run are kept by the evaluators,
/// for example by [`crate::evaluation::Cached`].
///
/// ```
/// use tejun_games::records::{OnIllegal, read_records};
/// use tejun_knowledge::evaluation::Evaluator;
/// use tejun_knowledge::judging::GameEvaluator;
/// use tejun_knowledge::progress::NoProgress;
/// use tejun_knowledge::search::{PlainPredictor, Search, SearchOptions};
///
/// let game = read_records(b"(;SZ[9]KM[7];B[ee];W[ec];B[gd])", OnIllegal::Cut).remove(0).record?;
/// let options = SearchOptions { n_playouts: 20, ..SearchOptions::default() };
/// let search: Box<dyn Evaluator + Send> = Box::new(Search::new(options, "plain", || Box::new(PlainPredictor)));
///
/// let evidence = GameEvaluator::new(vec![search], Vec::new()).evaluate(&game, 2, &NoProgress)?;
/// assert_eq!(evidence.values.len(), 3); // before the two moves, and after them
/// assert!(evidence.signals[0].expect("not a pass").best_win_rate.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GameEvaluator<'m> {
    pool: WorkerPool<Box<dyn Evaluator + Send + 'm>>,
    predictors: Vec<NamedPredictor<'m>>,
    failures: Vec<FailureReason>,
}

/// What is known about the moves of a game.
#[derive(Debug, Default)]
pub struct GameEvidence {
    /// An evaluation before every move and after the last one; `None` where there is none.
    pub values: Vec<Option<Evaluation>>,
    /// What is known about every move; `None` for passes.
    pub signals: Vec<Option<Signals>>,
    /// The positions that could not be evaluated.
    pub failures: Vec<FailedPosition>,
}

/// A position that could not be evaluated.
#[derive(Debug)]
pub struct FailedPosition {
    /// The number of moves before it.
    pub index: usize,
    /// Why.
    pub error: EvaluationError,
}

/// A reason why positions could not be evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureReason {
    /// The reason in words.
    pub reason: String,
    /// The number of positions.
    pub n_positions: usize,
}

/// Why a game could not be judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The caller cancelled.
    #[error("judging was cancelled")]
    Cancelled,
    /// The evaluators were given up.
    #[error("{}", given_up(*.n_failures))]
    GivenUp {
        /// The number of positions in a row that could not be evaluated.
        n_failures: usize,
        /// Why the last one could not.
        #[source]
        source: EvaluationError,
    },
}

fn given_up(n_failures: usize) -> String {
    match n_failures {
        1 => "the first position could not be evaluated".into(),
        n => format!("{n} positions in a row could not be evaluated; earlier results are kept"),
    }
}

impl<'m> GameEvaluator<'m> {
    /// Collects from these evaluators and predictors.
    pub fn new(
        evaluators: Vec<Box<dyn Evaluator + Send + 'm>>,
        predictors: Vec<NamedPredictor<'m>>,
    ) -> GameEvaluator<'m> {
        GameEvaluator { pool: WorkerPool::new(evaluators), predictors, failures: Vec::new() }
    }

    /// Evaluates all positions of the first moves of a game, one step of `progress` per position.
    ///
    /// # Errors
    /// If the caller cancels, or the evaluators fail several times in a row.
    pub fn evaluate(
        &mut self,
        record: &GameRecord,
        n_moves: usize,
        progress: &dyn Progress,
    ) -> Result<GameEvidence, JudgeError> {
        self.evaluate_positions(record, n_moves, |_| true, progress)
    }

    /// Evaluates only the positions that are wanted, by the number of moves before them.
    ///
    /// # Errors
    /// As [`GameEvaluator::evaluate`].
    pub fn evaluate_positions(
        &mut self,
        record: &GameRecord,
        n_moves: usize,
        is_wanted: impl Fn(usize) -> bool,
        progress: &dyn Progress,
    ) -> Result<GameEvidence, JudgeError> {
        let game = ReplayedGame::new(record, n_moves);
        let wanted: Vec<usize> = (0..game.boards.len()).filter(|&index| is_wanted(index)).collect();
        let questions: Vec<Question<'_>> = wanted.iter().map(|&index| game.question(index)).collect();
        progress.start(&stage_of(record), Some(questions.len() as u64));
        let answers = self.pool.ask_many(&questions, progress, |evaluator, queue| evaluator.evaluate_queue(queue));
        let answers = answers.map_err(|error| match error {
            PoolError::Cancelled => JudgeError::Cancelled,
            PoolError::GivenUp { n_failures, error } => JudgeError::GivenUp { n_failures, source: error },
        })?;
        let mut evidence = GameEvidence { values: vec![None; game.boards.len()], ..GameEvidence::default() };
        for (index, answer) in wanted.into_iter().zip(answers) {
            match answer {
                Ok(evaluation) => evidence.values[index] = Some(evaluation),
                Err(error) => {
                    self.count_failure(&error);
                    evidence.failures.push(FailedPosition { index, error });
                }
            }
        }
        evidence.signals = self.signals(&game, &evidence.values);
        Ok(evidence)
    }

    /// Why positions of any game could not be evaluated, each reason once.
    pub fn failures(&self) -> &[FailureReason] {
        &self.failures
    }

    fn count_failure(&mut self, error: &EvaluationError) {
        let reason = error.to_string();
        match self.failures.iter_mut().find(|known| known.reason == reason) {
            Some(known) => known.n_positions += 1,
            None => self.failures.push(FailureReason { reason, n_positions: 1 }),
        }
    }

    /// What is known about every move; `None` for passes.
    fn signals(&mut self, game: &ReplayedGame<'_>, values: &[Option<Evaluation>]) -> Vec<Option<Signals>> {
        let rates = game.win_rates_black(values);
        let mut all = Vec::with_capacity(game.moves.len());
        for (index, played) in game.moves.iter().enumerate() {
            let signals = played.point.map(|point| {
                let (color, board) = (played.color, &game.boards[index]);
                let legal = Situation::legal_points(board, color, Some(point));
                let at = legal.iter().position(|&p| p == point).expect("the move that was played is among them");
                let start = &game.boards[0];
                let situation = Situation { start, moves: &game.moves[..index], board, color, legal: &legal };
                let (predictions, expected) = self.predictions(&situation, at);
                // If one side moves twice, the next value is not the other side's.
                let is_answered = game.moves.get(index + 1).is_none_or(|next| next.color != color);
                let after = values.get(index + 1).and_then(Option::as_ref).filter(|_| is_answered);
                let mut signals = Signals::new(&legal, at, [values[index].as_ref(), after], predictions);
                signals.expected = expected;
                let drop = mean_drop_after(&rates, index);
                signals.lasting_loss = if color == Color::Black { drop } else { drop.map(|drop| -drop) };
                signals
            });
            all.push(signals);
        }
        all
    }

    fn predictions(&mut self, situation: &Situation<'_>, played: usize) -> (Predictions, Option<ExpectedMove>) {
        let (mut predictions, mut expected) = (Predictions::default(), None);
        for NamedPredictor { name, size, predictor } in &mut self.predictors {
            if size.is_none_or(|size| size == situation.board.size()) {
                let probabilities = predictor.predict(situation);
                predictions = predictions.with(*name, Surprise::new(&probabilities, played));
                if *name == PredictorName::Trained {
                    let moves = situation.legal.iter().zip(&probabilities);
                    let best = moves.max_by(|a, b| a.1.total_cmp(b.1));
                    expected = best.map(|(&point, &probability)| ExpectedMove { point, probability });
                }
            }
        }
        (predictions, expected)
    }
}

/// The players, to say which game is being evaluated.
fn stage_of(record: &GameRecord) -> String {
    match (&record.header.black, &record.header.white) {
        (Some(black), Some(white)) => format!("{black} - {white}"),
        (Some(name), None) | (None, Some(name)) => name.clone(),
        (None, None) => "evaluating".into(),
    }
}

/// How far the mean win rate of Black drops from the positions up to a move to those after it.
fn mean_drop_after(rates: &[Option<f64>], index: usize) -> Option<f64> {
    let [most, least] = LASTING;
    let n_before = index + 1;
    let n = most.min(n_before).min(rates.len() - n_before) / 2 * 2;
    let mean = |rates: &[Option<f64>]| Some(rates.iter().copied().sum::<Option<f64>>()? / n as f64);
    (n >= least).then(|| Some(mean(&rates[n_before - n..n_before])? - mean(&rates[n_before..n_before + n])?))?
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tejun_games::Move;
    use tejun_games::go::Point;

    use super::*;
    use crate::progress::NoProgress;

    #[test]
    fn drops_are_means_over_the_same_number_of_positions_on_both_sides() {
        let rates: Vec<Option<f64>> = (0..20).map(|n| Some(if n < 10 { 0.6 } else { 0.4 })).collect();
        let close = |index: usize, expected: f64| {
            let found = mean_drop_after(&rates, index).expect("enough positions");
            assert!((found - expected).abs() < 1e-12, "{index}: {found}");
        };
        close(9, 0.2);
        close(8, 0.2 * 7.0 / 8.0);
        close(3, 0.0);
        close(15, 0.0);
        assert_eq!(mean_drop_after(&rates, 2), None, "three positions before it are too few");
        assert_eq!(mean_drop_after(&rates, 16), None);
        let mut with_gap = rates.clone();
        with_gap[12] = None;
        assert_eq!(mean_drop_after(&with_gap, 9), None);
    }

    /// Fails for positions after these numbers of moves.
    struct FailsAt(Vec<usize>, Arc<AtomicUsize>);

    impl Evaluator for FailsAt {
        fn identity(&self) -> &str {
            "test"
        }

        fn evaluate(&mut self, question: &Question<'_>) -> Result<Evaluation, EvaluationError> {
            self.1.fetch_add(1, Ordering::Relaxed);
            if self.0.contains(&question.moves.len()) {
                return Err(EvaluationError::from(Box::from("broken")));
            }
            Ok(Evaluation { win_rate: Some(0.5), lead: None, moves: Vec::new() })
        }
    }

    fn game() -> GameRecord {
        let mut game = GameRecord::new(BoardSize::NINETEEN);
        let color = |n: u8| if n.is_multiple_of(2) { Color::Black } else { Color::White };
        game.moves = (0..12).map(|n| Move { color: color(n), point: Some(Point::new(n, n)) }).collect();
        game
    }

    /// What an evaluator that fails at some positions finds, and how often it was asked.
    fn evaluate(fails_at: &[usize]) -> (Result<GameEvidence, JudgeError>, usize) {
        let n_asked = Arc::new(AtomicUsize::new(0));
        let fails_at = FailsAt(fails_at.to_vec(), Arc::clone(&n_asked));
        let found = GameEvaluator::new(vec![Box::new(fails_at)], Vec::new()).evaluate(&game(), 10, &NoProgress);
        (found, n_asked.load(Ordering::Relaxed))
    }

    #[test]
    fn failed_positions_are_listed() {
        let (found, n_asked) = evaluate(&[2, 5, 6]);
        let found = found.expect("never three in a row");
        assert_eq!((n_asked, found.values.len(), found.signals.len()), (11, 11, 10));
        assert_eq!(found.failures.iter().map(|failed| failed.index).collect::<Vec<_>>(), [2, 5, 6]);
        assert!(found.failures.iter().all(|failed| found.values[failed.index].is_none()));
        assert_eq!(found.signals[1].and_then(|s| s.played_win_rate), None, "the next position was not evaluated");
        assert_eq!(found.signals[2].and_then(|s| s.best_win_rate), None);
    }

    #[test]
    fn an_engine_that_keeps_failing_is_given_up() {
        let (error, n_asked) = evaluate(&[0]);
        let error = error.expect_err("the first position fails");
        assert_eq!((error.to_string().as_str(), n_asked), ("the first position could not be evaluated", 1));
        let (error, n_asked) = evaluate(&[2, 4, 5, 6, 7]);
        assert!(matches!(error, Err(JudgeError::GivenUp { n_failures: 3, .. })), "{error:?}");
        assert_eq!(n_asked, 7);
    }

    #[test]
    fn only_wanted_positions_are_evaluated_and_sizes_are_respected() {
        struct Uniform;
        impl Predictor for Uniform {
            fn predict(&mut self, situation: &Situation<'_>) -> Vec<f64> {
                vec![1.0 / situation.legal.len() as f64; situation.legal.len()]
            }
        }
        let named = |name, size| NamedPredictor { name, size, predictor: Box::new(Uniform) };
        let nine = BoardSize::new(9).expect("a size");
        let predictors = vec![
            named(PredictorName::Trained, None),
            named(PredictorName::Earlier, Some(nine)),
            named(PredictorName::Newer, Some(BoardSize::NINETEEN)),
        ];
        let evaluator = FailsAt(Vec::new(), Arc::default());
        let mut evaluator = GameEvaluator::new(vec![Box::new(evaluator)], predictors);
        let found = evaluator.evaluate_positions(&game(), 99, |index| index == 3, &NoProgress).expect("no failure");
        let known: Vec<usize> = (0..13).filter(|&index| found.values[index].is_some()).collect();
        assert_eq!(known, [3]);
        let signals = found.signals[0].expect("not a pass");
        assert_eq!(signals.rank(PredictorName::Trained), Some(181.0), "all 361 points share a rank");
        assert_eq!(signals.rank(PredictorName::Newer), Some(181.0));
        assert_eq!(signals.rank(PredictorName::Earlier), None);
    }
}
