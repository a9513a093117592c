//! The positions of a game, valued and predicted.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use tejun_games::Move;
use tejun_games::go::{Board, Color, Suicide};

use crate::evaluation::{Evaluation, EvaluationError, Evaluator, Question};
use crate::judging::signals::{Expectation, Expectations, Signals};
use crate::predictor::{Predictor, Situation};

/// A game to be judged.
#[derive(Clone, Copy, Debug)]
pub struct GameAnalysis<'g> {
    /// The board before the first move.
    pub start: &'g Board,
    /// The moves that are looked at.
    pub moves: &'g [Move],
    /// Points White gets for playing second.
    pub komi: f64,
}

/// Predictors of the paper and the trained one; any may be missing.
#[derive(Default)]
pub struct Predictors<'m> {
    /// The paper's earlier method.
    pub earlier: Option<Box<dyn Predictor + 'm>>,
    /// The paper's newer method.
    pub newer: Option<Box<dyn Predictor + 'm>>,
    /// The trained model.
    pub trained: Option<Box<dyn Predictor + 'm>>,
}

/// Positions before and after a move over which win rates are averaged, at most and at least.
///
/// Even numbers, because each side thinks too well of its own next move.
const LASTING: [usize; 2] = [10, 4];

/// What became of the positions of a game.
pub type Values = Vec<Option<Result<Evaluation, EvaluationError>>>;

impl GameAnalysis<'_> {
    /// The board before each move, and behind the last one.
    fn boards(&self) -> Vec<Board> {
        let mut board = self.start.clone();
        let mut boards = vec![board.clone()];
        for played in self.moves {
            match played.point {
                // The moves were replayed when the record was read.
                Some(point) => drop(board.play_with(played.color, point, Suicide::Allowed)),
                None => board.pass(),
            }
            boards.push(board.clone());
        }
        boards
    }

    /// Values the positions that are wanted, by the moves before them, each evaluator in a thread of its own; `go_on`
    /// hears of each one, and may end it.
    ///
    /// Positions that are not wanted or were not reached are `None`.
    pub fn evaluate(
        &self,
        evaluators: &mut [Box<dyn Evaluator + Send + '_>],
        is_wanted: &(dyn Fn(usize) -> bool + Sync),
        go_on: &(dyn Fn(&Result<Evaluation, EvaluationError>) -> bool + Sync),
    ) -> Values {
        let boards = self.boards();
        let next = AtomicUsize::new(0);
        let is_stopped = AtomicBool::new(false);
        let values = Mutex::new((0..boards.len()).map(|_| None).collect::<Values>());
        let work = |evaluator: &mut dyn Evaluator| {
            while !is_stopped.load(Relaxed) {
                let index = next.fetch_add(1, Relaxed);
                let Some(board) = boards.get(index) else { break };
                if !is_wanted(index) {
                    continue;
                }
                let value = evaluator.evaluate(&self.question(index, board));
                if !go_on(&value) {
                    is_stopped.store(true, Relaxed);
                }
                values.lock().expect("no thread panics while it holds the values")[index] = Some(value);
            }
        };
        std::thread::scope(|scope| {
            for evaluator in evaluators {
                scope.spawn(|| work(&mut **evaluator));
            }
        });
        values.into_inner().expect("no thread panicked")
    }

    fn question<'q>(&'q self, index: usize, board: &'q Board) -> Question<'q> {
        let played = self.moves.get(index);
        let last = self.moves.last().map_or(Color::Black, |last| last.color.opponent());
        Question {
            start: self.start,
            moves: &self.moves[..index],
            board,
            color: played.map_or(last, |played| played.color),
            komi: self.komi,
            played: played.and_then(|played| played.point),
        }
    }

    /// What is known of every move; `None` for passes.
    pub fn signals(&self, values: &[Option<&Evaluation>], predictors: &mut Predictors<'_>) -> Vec<Option<Signals>> {
        let rates = self.win_rates_black(values);
        let mut board = self.start.clone();
        let mut all = Vec::with_capacity(self.moves.len());
        for (index, &Move { color, point }) in self.moves.iter().enumerate() {
            let Some(point) = point else {
                board.pass();
                all.push(None);
                continue;
            };
            let legal = Situation::legal_points(&board, color, Some(point));
            let played = legal.iter().position(|&p| p == point).expect("what was played is among them");
            let moves = &self.moves[..index];
            let situation = Situation { start: self.start, moves, board: &board, color, legal: &legal };
            let expected = predictors.expect(&situation, played);
            // If one side moves twice, the next value is not the other side's.
            let is_answered = self.moves.get(index + 1).is_none_or(|next| next.color != color);
            let after = values.get(index + 1).copied().flatten().filter(|_| is_answered);
            let before = values.get(index).copied().flatten();
            let mut signals = Signals::new(&legal, played, before, after, expected);
            let fall = mean_drop_after(&rates, index);
            signals.lasting_loss = if color == Color::Black { fall } else { fall.map(|fall| -fall) };
            all.push(Some(signals));
            // Records may hold suicides.
            let _ = board.play_with(color, point, Suicide::Allowed);
        }
        all
    }

    /// Black's win rate before each move, and at the end.
    pub fn win_rates_black(&self, values: &[Option<&Evaluation>]) -> Vec<Option<f64>> {
        let board = self.start;
        let rate = |(index, value): (usize, &Option<&Evaluation>)| {
            let rate = value.and_then(|value| value.win_rate)?;
            let is_black = self.question(index, board).color == Color::Black;
            Some(if is_black { rate } else { 1.0 - rate })
        };
        values.iter().enumerate().map(rate).collect()
    }
}

/// How far the mean win rate of Black falls from the positions up to a move to those behind it.
fn mean_drop_after(rates: &[Option<f64>], index: usize) -> Option<f64> {
    let [most, least] = LASTING;
    let n_before = index + 1;
    let n = most.min(n_before).min(rates.len() - n_before) / 2 * 2;
    let mean = |rates: &[Option<f64>]| Some(rates.iter().copied().sum::<Option<f64>>()? / n as f64);
    (n >= least).then(|| Some(mean(&rates[n_before - n..n_before])? - mean(&rates[n_before..n_before + n])?))?
}

impl Predictors<'_> {
    fn expect(&mut self, situation: &Situation<'_>, played: usize) -> Expectations {
        let ask = |predictor: &mut Option<Box<dyn Predictor + '_>>| {
            predictor.as_mut().map(|predictor| Expectation::new(&predictor.predict(situation), played))
        };
        Expectations { earlier: ask(&mut self.earlier), newer: ask(&mut self.newer), trained: ask(&mut self.trained) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falls_are_means_over_as_many_positions_on_both_sides() {
        let rates: Vec<Option<f64>> = (0..20).map(|n| Some(if n < 10 { 0.6 } else { 0.4 })).collect();
        let close = |index: usize, expected: f64| {
            let found = mean_drop_after(&rates, index).expect("enough positions");
            assert!((found - expected).abs() < 1e-12, "{index}: {found}");
        };
        close(9, 0.2);
        close(8, 0.2 * 7.0 / 8.0);
        close(3, 0.0);
        close(15, 0.0);
        assert_eq!(mean_drop_after(&rates, 2), None, "three before it are too few");
        assert_eq!(mean_drop_after(&rates, 16), None);
        let mut holed = rates.clone();
        holed[12] = None;
        assert_eq!(mean_drop_after(&holed, 9), None);
    }
}
