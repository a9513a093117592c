//! How well win rates, losses and verdicts agree with those of a strong engine.

use std::ops::Range;

use serde::Deserialize;
use tejun_games::go::{BoardSize, Color, Point};
use tejun_games::{GameRecord, Move};

use crate::judging::verdict::{JudgedGame, Verdict};

/// A game with a strong engine's win rates.
#[derive(Clone, Debug)]
pub struct ValuedGame {
    /// Its name.
    pub id: String,
    /// The game.
    pub record: GameRecord,
    /// Black's win rate before each move; `None` where it is unknown.
    pub win_rates_black: Vec<Option<f64>>,
}

/// Why a line is not a game with win rates.
#[derive(Debug, thiserror::Error)]
pub enum ValuedGameError {
    /// It is not JSON, or a key is missing or has the wrong type.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// Two letters are not a point of a board with 19 lines.
    #[error("move {number}: {letters:?} is not a point")]
    Point {
        /// The number of the move, from 1.
        number: usize,
        /// The letters.
        letters: String,
    },
    /// A move is against the rules.
    #[error("move {number} is not legal")]
    Illegal {
        /// The number of the move, from 1.
        number: usize,
    },
}

#[derive(Deserialize)]
struct ValuedGameView {
    id: String,
    moves: String,
    win_rate_black: Vec<Option<f64>>,
    #[serde(default)]
    komi: Option<f32>,
}

impl ValuedGame {
    /// Reads a line of JSON: `id`, `moves` (two SGF letters per move, Black first, on a board with 19 lines),
    /// `win_rate_black` (before each move, `null` where unknown) and `komi`; other keys are ignored.
    ///
    /// ```
    /// use tejun_knowledge::judging::ValuedGame;
    ///
    /// let line = r#"{"id": "a", "moves": "pddp", "win_rate_black": [0.48, null], "komi": 7.5}"#;
    /// assert_eq!(ValuedGame::parse(line)?.record.moves.len(), 2);
    /// # Ok::<(), tejun_knowledge::judging::ValuedGameError>(())
    /// ```
    ///
    /// # Errors
    /// If a key is missing, or a move is not legal.
    pub fn parse(line: &str) -> Result<ValuedGame, ValuedGameError> {
        let view: ValuedGameView = serde_json::from_str(line)?;
        let mut record = GameRecord::new(BoardSize::NINETEEN);
        record.header.komi = view.komi;
        let mut board = record.start_board();
        for (index, letters) in view.moves.as_bytes().chunks(2).enumerate() {
            let number = index + 1;
            let found = <[u8; 2]>::try_from(letters).ok().and_then(Point::from_sgf);
            let point = found.filter(|point| point.x() < 19 && point.y() < 19);
            let point = point.ok_or_else(|| ValuedGameError::Point {
                number,
                letters: String::from_utf8_lossy(letters).into_owned(),
            })?;
            let color = if index.is_multiple_of(2) { Color::Black } else { Color::White };
            let played = Move { color, point: Some(point) };
            played.play_on(&mut board).map_err(|_| ValuedGameError::Illegal { number })?;
            record.moves.push(played);
        }
        Ok(ValuedGame { id: view.id, record, win_rates_black: view.win_rate_black })
    }
}

/// The stages that figures are given for: moves played, and the whole game last.
pub const AGREEMENT_STAGES: [Range<usize>; 5] = [0..50, 50..100, 100..150, 150..400, 0..400];
/// A loss that a reviewer must not miss, and one that hardly counts.
const LARGE_LOSS: f64 = 0.10;
const SMALL_LOSS: f64 = 0.03;
/// A loss that deserves a verdict.
const GRAVE_LOSS: f64 = 0.15;

/// Win rates, losses and verdicts beside an engine's, collected over games.
#[derive(Clone, Debug, Default)]
pub struct Agreement {
    /// Moves played, our win rate and the engine's.
    rates: Vec<(usize, f64, f64)>,
    /// Moves played, our loss, the engine's loss, our verdict.
    losses: Vec<(usize, f64, f64, Verdict)>,
    /// Changes of our win rate that go in the other direction than the change before, and all changes.
    n_flips: usize,
    n_changes: usize,
}

/// The figures of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageAgreement {
    /// Positions with both win rates.
    pub n_positions: usize,
    /// The mean error of the win rate.
    pub mean_error: f64,
    /// The mean error of 50% everywhere.
    pub mean_error_of_half: f64,
    /// The correlation of the win rates.
    pub correlation: f64,
    /// How often both see the same side ahead.
    pub same_leader: f64,
    /// The correlation of the losses of moves.
    pub loss_correlation: f64,
    /// The probability that a move that loses 10% or more has a larger loss here than one that loses less than 3%.
    pub loss_area: f64,
    /// Moves that lose 10% or more.
    pub n_large_losses: usize,
}

/// What moves of a verdict really lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VerdictAgreement {
    /// The verdict.
    pub verdict: Verdict,
    /// Moves with this verdict.
    pub n_moves: usize,
    /// What they lost on average by the engine's win rates.
    pub mean_loss: f64,
    /// The share of those that lost less than 3%.
    pub share_small: f64,
}

impl Agreement {
    /// Adds a judged game.
    pub fn add(&mut self, game: &ValuedGame, judged: &JudgedGame) {
        let truth = |at: usize| game.win_rates_black.get(at).copied().flatten();
        let own = |at: usize| judged.win_rates_black.get(at).copied().flatten().map(|rate| rate.value);
        for judged in &judged.moves {
            let at = judged.index;
            if let Some((own, truth)) = own(at).zip(truth(at)) {
                self.rates.push((at, own, truth));
            }
            if let (Some(loss), Some(before), Some(after)) = (judged.loss, truth(at), truth(at + 1)) {
                let lost = if judged.played.color == Color::Black { before - after } else { after - before };
                self.losses.push((at, loss.value, lost, judged.verdict));
            }
        }
        let rates: Vec<f64> = (0..judged.win_rates_black.len()).filter_map(own).collect();
        let changes: Vec<f64> = rates.windows(2).map(|two| two[1] - two[0]).filter(|change| *change != 0.0).collect();
        self.n_changes += changes.len().saturating_sub(1);
        self.n_flips += changes.windows(2).filter(|two| (two[0] > 0.0) != (two[1] > 0.0)).count();
    }

    /// The figures of a stage; `None` with fewer than three positions.
    pub fn stage(&self, stage: &Range<usize>) -> Option<StageAgreement> {
        let rates: Vec<(f64, f64)> =
            self.rates.iter().filter(|(at, ..)| stage.contains(at)).map(|&(_, own, truth)| (own, truth)).collect();
        let losses: Vec<(f64, f64)> =
            self.losses.iter().filter(|(at, ..)| stage.contains(at)).map(|&(_, own, lost, _)| (own, lost)).collect();
        let n = rates.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| rates.iter().map(of).sum::<f64>() / n;
        let large: Vec<f64> = losses.iter().filter(|(_, lost)| *lost >= LARGE_LOSS).map(|(own, _)| *own).collect();
        let small: Vec<f64> = losses.iter().filter(|(_, lost)| *lost < SMALL_LOSS).map(|(own, _)| *own).collect();
        (rates.len() >= 3).then(|| StageAgreement {
            n_positions: rates.len(),
            mean_error: mean(|(own, truth)| (own - truth).abs()),
            mean_error_of_half: mean(|(_, truth)| (0.5 - truth).abs()),
            correlation: correlation(&rates),
            same_leader: mean(|(own, truth)| f64::from(u8::from((*own > 0.5) == (*truth > 0.5)))),
            loss_correlation: correlation(&losses),
            loss_area: share_larger(&large, &small),
            n_large_losses: large.len(),
        })
    }

    /// What the moves of each verdict really lost; verdicts without moves are missing.
    pub fn verdicts(&self) -> Vec<VerdictAgreement> {
        let of = |verdict: Verdict| {
            let lost: Vec<f64> = self.losses.iter().filter(|m| m.3 == verdict).map(|m| m.2).collect();
            let n = lost.len() as f64;
            let n_small = lost.iter().filter(|lost| **lost < SMALL_LOSS).count() as f64;
            (!lost.is_empty()).then(|| VerdictAgreement {
                verdict,
                n_moves: lost.len(),
                mean_loss: lost.iter().sum::<f64>() / n,
                share_small: n_small / n,
            })
        };
        Verdict::ALL.into_iter().filter_map(of).collect()
    }

    /// Of the moves that really lose 15% or more: how many are called bad or doubtful, and how many there are.
    pub fn grave_losses(&self) -> (usize, usize) {
        let grave: Vec<Verdict> = self.losses.iter().filter(|m| m.2 >= GRAVE_LOSS).map(|m| m.3).collect();
        let is_caught = |verdict: &&Verdict| matches!(verdict, Verdict::Bad | Verdict::Doubtful);
        (grave.iter().filter(is_caught).count(), grave.len())
    }

    /// The share of changes of the curve that go in the other direction than the change before.
    pub fn flips(&self) -> f64 {
        self.n_flips as f64 / self.n_changes.max(1) as f64
    }
}

/// Pearson's correlation.
fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len() as f64;
    let (mean_x, mean_y) = (pairs.iter().map(|p| p.0).sum::<f64>() / n, pairs.iter().map(|p| p.1).sum::<f64>() / n);
    let sum = |of: fn(f64, f64) -> f64| pairs.iter().map(|(x, y)| of(x - mean_x, y - mean_y)).sum::<f64>();
    sum(|x, y| x * y) / (sum(|x, _| x * x) * sum(|_, y| y * y)).sqrt()
}

/// The probability that a number of the first kind is larger than one of the second; ties count half.
fn share_larger(first: &[f64], second: &[f64]) -> f64 {
    let mut sorted = second.to_vec();
    sorted.sort_by(f64::total_cmp);
    let below = |value: &f64| {
        let (less, not_more) = (sorted.partition_point(|x| x < value), sorted.partition_point(|x| x <= value));
        (less + not_more) as f64 / 2.0
    };
    first.iter().map(below).sum::<f64>() / (first.len() as f64 * second.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_not_games_are_refused_with_the_place() {
        let error = |line: &str| ValuedGame::parse(line).expect_err("refused").to_string();
        assert!(error("{}").contains("missing field `id`"));
        assert_eq!(error(r#"{"id":"a","moves":"pdzz","win_rate_black":[]}"#), "move 2: \"zz\" is not a point");
        assert_eq!(error(r#"{"id":"a","moves":"pdd","win_rate_black":[]}"#), "move 2: \"d\" is not a point");
        assert_eq!(error(r#"{"id":"a","moves":"pdpd","win_rate_black":[]}"#), "move 2 is not legal");
    }

    #[test]
    fn figures_by_hand() {
        let mut agreement = Agreement::default();
        let verdicts = [Verdict::Bad, Verdict::Ordinary, Verdict::Ordinary, Verdict::Doubtful];
        for (at, (own, lost)) in [(0.2, 0.16), (0.0, 0.0), (0.1, 0.02), (0.1, 0.12)].into_iter().enumerate() {
            agreement.rates.push((at, 0.5 + own, 0.5 + lost));
            agreement.losses.push((at, own, lost, verdicts[at]));
        }
        let stage = agreement.stage(&(0..50)).expect("four positions");
        assert!((stage.mean_error - 0.035).abs() < 1e-12, "{stage:?}");
        assert_eq!((stage.n_positions, stage.n_large_losses, stage.same_leader), (4, 2, 1.0));
        // Of 2 x 2 pairs, one is a tie.
        assert_eq!(stage.loss_area, 0.875);
        assert!(agreement.stage(&(50..100)).is_none());
        assert_eq!(agreement.grave_losses(), (1, 1));
        let ordinary = agreement.verdicts()[0];
        assert_eq!((ordinary.n_moves, ordinary.share_small), (2, 1.0));
        assert!((correlation(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]) - 1.0).abs() < 1e-12);
    }
}
