//! From signals to what a commentator would say.

use crate::judging::labels::Label;
use crate::judging::roc::Measured;
use crate::judging::signals::Signals;
use crate::statistics::NewtonStep;

/// The features that the judgement uses, in the order of its weights.
pub const FEATURES: [&str; 4] = ["unexpected", "lasting-loss", "best-lead", "move-number"];
const N: usize = FEATURES.len();

/// The penalty for large weights, as strong as one move per weight.
const PENALTY: f64 = 1.0;

/// How the win rates of a search compare with those of a strong engine.
///
/// The search's win rates are flatter than an engine's, and each side's best move is overestimated because it is the
/// best of many guesses. Both are measured on the games of an engine, which gives away next to nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossScale {
    /// The factor of the logits of win rates.
    pub stretch: f64,
    /// The mean loss of moves that lose nothing.
    pub bias: f64,
    /// The standard deviation of their losses.
    pub noise: f64,
}

impl Default for LossScale {
    /// For engines whose win rates are taken as they are.
    fn default() -> LossScale {
        LossScale { stretch: 1.0, bias: 0.0, noise: 0.02 }
    }
}

impl LossScale {
    /// A win rate on the engines' scale.
    pub fn stretched(&self, win_rate: f64) -> f64 {
        let p = win_rate.clamp(0.001, 0.999);
        1.0 / (1.0 + (-self.stretch * (p / (1.0 - p)).ln()).exp())
    }

    /// Fits the scale to games of an engine: the win rates of the side to move before each move, ours and the
    /// engine's, where both are known.
    ///
    /// `None` with fewer than ten moves.
    pub fn fit(games: &[Vec<Option<(f64, f64)>>]) -> Option<LossScale> {
        let logit = |p: f64| (p.clamp(0.01, 0.99) / (1.0 - p.clamp(0.01, 0.99))).ln();
        let (mut xy, mut xx) = (0.0, 0.0);
        for &(own, engine) in games.iter().flatten().flatten() {
            xy += logit(own) * logit(engine);
            xx += logit(own) * logit(own);
        }
        let scale = LossScale { stretch: (xy / f64::max(xx, 1e-9)).clamp(0.1, 10.0), ..LossScale::default() };
        let losses = games.iter().flat_map(|game| game.iter().zip(game.iter().skip(1)));
        let losses: Vec<f64> = losses
            .filter_map(|(now, next)| Some(scale.stretched((*now)?.0) + scale.stretched((*next)?.0) - 1.0))
            .collect();
        let (bias, noise) = mean_and_deviation(losses.iter().copied());
        (losses.len() >= 10).then(|| LossScale { bias, noise: noise.max(0.005), ..scale })
    }
}

/// A move whose label is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabeledMove {
    /// The game, by number.
    pub game: usize,
    /// The number of moves before it.
    pub index: usize,
    /// What the commentary says.
    pub label: Label,
    /// What is known about it.
    pub signals: Signals,
}

/// How likely a commentator would praise or criticize a move, by its signals.
///
/// Learned from commentary by logistic regression with three classes.
///
/// ```
/// use tejun_knowledge::judging::{Judgement, Signals};
///
/// let judgement = Judgement::built_in();
/// let loses_a_lot = Signals { lasting_loss: Some(0.3), ..Signals::default() };
/// let [_, _, criticized] = judgement.commentary(&loses_a_lot, 50);
/// let [_, _, usually] = judgement.commentary(&Signals::default(), 50);
/// assert!(criticized > usually);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The scale of losses.
    pub scale: LossScale,
    /// How features are scaled.
    pub scaling: [Scaling; N],
    /// Weights of good against ordinary.
    pub good: Weights,
    /// Weights of bad against ordinary.
    pub bad: Weights,
}

/// The mean and standard deviation of a feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaling {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
}

/// The weights of a class.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weights {
    /// One per feature.
    pub features: [f64; N],
    /// How frequent the class is.
    pub intercept: f64,
}

impl Weights {
    fn evidence(&self, row: &[f64; N]) -> f64 {
        self.features.iter().zip(row).map(|(weight, x)| weight * x).sum()
    }

    fn logit(&self, row: &[f64; N]) -> f64 {
        self.evidence(row) + self.intercept
    }

    /// The intercept comes last.
    fn all_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        self.features.iter_mut().chain(std::iter::once(&mut self.intercept))
    }
}

/// The features of a move; `None` if unknown.
fn features(scale: &LossScale, signals: &Signals, index: usize) -> [Option<f64>; N] {
    // A loss counts for more where win rates are stretched more.
    let stretched = |loss: f64| (scale.stretch * loss).clamp(-0.5, 0.5);
    [
        signals.bits().map(f64::ln_1p),
        signals.lasting_loss.map(stretched),
        signals.best_lead.map(stretched),
        Some((index as f64).min(300.0)),
    ]
}

impl Judgement {
    /// Learns from moves with labels; `None` if a label is missing.
    pub fn fit(moves: &[LabeledMove], scale: LossScale) -> Option<Judgement> {
        if Label::ALL.iter().any(|label| moves.iter().all(|m| m.label != *label)) {
            return None;
        }
        let rows: Vec<[Option<f64>; N]> = moves.iter().map(|m| features(&scale, &m.signals, m.index)).collect();
        let scaling = std::array::from_fn(|n| {
            let (mean, deviation) = mean_and_deviation(rows.iter().filter_map(|row| row[n]));
            Scaling { mean, deviation }
        });
        let mut judgement = Judgement { scale, scaling, good: Weights::default(), bad: Weights::default() };
        let rows: Vec<[f64; N]> = rows.iter().map(|row| judgement.standardized(row)).collect();
        let labels: Vec<Label> = moves.iter().map(|m| m.label).collect();
        judgement.descend(&rows, &labels);
        Some(judgement)
    }

    /// Features as standard deviations from their mean, 0 where they are unknown.
    fn standardized(&self, row: &[Option<f64>; N]) -> [f64; N] {
        std::array::from_fn(|n| {
            let Scaling { mean, deviation } = self.scaling[n];
            row[n].map_or(0.0, |value| ((value - mean) / deviation).clamp(-5.0, 5.0))
        })
    }

    /// Good, ordinary, bad.
    fn of_row(&self, row: &[f64; N]) -> [f64; 3] {
        let (good, bad) = (self.good.logit(row).exp(), self.bad.logit(row).exp());
        let sum = 1.0 + good + bad;
        [good / sum, 1.0 / sum, bad / sum]
    }

    /// Newton steps, one class after the other: each is a logistic regression while the other is kept fixed.
    fn descend(&mut self, rows: &[[f64; N]], labels: &[Label]) {
        for _ in 0..50 {
            for (class, label) in [(0, Label::Good), (2, Label::Bad)] {
                let mut step = NewtonStep::new(N + 1);
                for (row, found) in rows.iter().zip(labels) {
                    let terms: [(usize, f64); N + 1] = std::array::from_fn(|i| (i, row.get(i).map_or(1.0, |x| *x)));
                    step.add_logistic(&terms, f64::from(u8::from(*found == label)), self.of_row(row)[class]);
                }
                let weights = if class == 0 { &mut self.good } else { &mut self.bad };
                for (i, weight) in weights.all_mut().enumerate() {
                    // The intercept is practically free.
                    step.add_penalty(i, if i < N { PENALTY } else { 1e-6 }, *weight);
                }
                // A penalized likelihood has a maximum, unless numbers overflow.
                let Some(step) = step.direction() else { continue };
                weights.all_mut().zip(step).for_each(|(weight, step)| *weight += step.clamp(-2.0, 2.0));
            }
        }
    }

    /// The probabilities that a commentator praises the move with this number of moves before it, does not mention it,
    /// or criticizes it.
    pub fn commentary(&self, signals: &Signals, index: usize) -> [f64; 3] {
        self.of_row(&self.standardized(&features(&self.scale, signals, index)))
    }

    /// The evidence for good and for bad against ordinary, as log odds without the frequencies of the classes.
    fn evidence(&self, signals: &Signals, index: usize) -> [f64; 2] {
        let row = self.standardized(&features(&self.scale, signals, index));
        [self.good.evidence(&row), self.bad.evidence(&row)]
    }
}

/// The evidence for good and for bad in each move, by judgements learned from all other games.
///
/// The frequencies of good and bad moves are excluded: without a game with many of them they seem rarer, which
/// alone would make its moves look worse. `None` where the other games lack a label.
pub fn cross_validate(moves: &[LabeledMove], scale: LossScale) -> Vec<Option<[f64; 2]>> {
    let n_games = moves.iter().map(|m| m.game + 1).max().unwrap_or(0);
    let mut found = vec![None; moves.len()];
    for game in 0..n_games {
        let others: Vec<LabeledMove> = moves.iter().filter(|m| m.game != game).copied().collect();
        let Some(judgement) = Judgement::fit(&others, scale) else { continue };
        for (m, found) in moves.iter().zip(&mut found).filter(|(m, _)| m.game == game) {
            *found = Some(judgement.evidence(&m.signals, m.index));
        }
    }
    found
}

/// The moves with one of two labels, each with a number, for [`crate::judging::area`].
pub fn measured(
    moves: &[LabeledMove],
    [first, second]: [Label; 2],
    mut value: impl FnMut(usize) -> Option<f64>,
) -> Vec<Measured> {
    let of_kind = moves.iter().enumerate().filter(|(_, m)| m.label == first || m.label == second);
    of_kind.filter_map(|(n, m)| Some(Measured { game: m.game, is_first: m.label == first, value: value(n)? })).collect()
}

fn mean_and_deviation(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / n;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / n;
    (mean, if variance > 1e-12 { variance.sqrt() } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::signals::{Predictions, PredictorName, Surprise};

    fn surprise(bits: f64) -> Predictions {
        Predictions::default().with(PredictorName::Trained, Surprise { rank: 1.0, bits })
    }

    /// Moves whose label follows from loss and surprise, with every tenth label against the rule.
    fn labeled() -> Vec<LabeledMove> {
        (0..3_000usize)
            .map(|n| {
                let (loss, bits) = ((n * 37 % 100) as f64 / 500.0, (n * 61 % 97) as f64 / 8.0);
                let is_odd = n % 10 == 0;
                let label = match (loss > 0.15, bits > 9.0 && loss < 0.04) {
                    (true, _) if !is_odd => Label::Bad,
                    (_, true) if !is_odd => Label::Good,
                    _ => Label::Ordinary,
                };
                let signals = Signals {
                    n_legal: 300,
                    best_win_rate: Some(0.5),
                    played_win_rate: Some(0.5 - loss),
                    loss: Some(loss),
                    lasting_loss: Some(loss),
                    best_lead: Some(loss),
                    predictions: surprise(bits),
                    ..Signals::default()
                };
                LabeledMove { game: n % 20, index: n / 20, label, signals }
            })
            .collect()
    }

    #[test]
    fn commentary_is_learned() {
        let moves = labeled();
        let judgement = Judgement::fit(&moves, LossScale::default()).expect("all kinds are there");
        let of = |loss: f64, bits: f64| {
            let signals = Signals {
                best_win_rate: Some(0.5),
                played_win_rate: Some(0.5 - loss),
                lasting_loss: Some(loss),
                best_lead: Some(loss),
                predictions: surprise(bits),
                ..Signals::default()
            };
            let probabilities = judgement.commentary(&signals, 60);
            assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{probabilities:?}");
            probabilities
        };
        assert!(of(0.0, 12.0)[0] > 0.5, "a find");
        assert!(of(0.19, 3.0)[2] > 0.5, "a mistake");
        assert!(of(0.0, 1.0)[1] > 0.9, "an ordinary move");
        // The frequency of each class is right on average.
        let n_good = moves.iter().filter(|m| m.label == Label::Good).count() as f64;
        let expected: f64 = moves.iter().map(|m| judgement.commentary(&m.signals, m.index)[0]).sum();
        assert!((expected - n_good).abs() < 1.0, "{expected} {n_good}");
    }

    #[test]
    fn cross_validation_does_not_learn_from_the_game_itself() {
        let mut moves = labeled();
        let before = cross_validate(&moves, LossScale::default());
        for m in moves.iter_mut().filter(|m| m.game == 3) {
            m.label = if m.label == Label::Good { Label::Bad } else { Label::Good };
        }
        let after = cross_validate(&moves, LossScale::default());
        for ((m, before), after) in moves.iter().zip(&before).zip(&after) {
            assert_eq!(before == after, m.game == 3, "game {}", m.game);
        }
        assert_eq!(Judgement::fit(&[], LossScale::default()), None);
    }

    #[test]
    fn the_scale_is_found_from_games() {
        let truth = LossScale { stretch: 2.5, ..LossScale::default() };
        let game: Vec<Option<(f64, f64)>> = (0..80)
            .map(|n| {
                let black = 0.4 + 0.1 * (f64::from(n) / 7.0).sin();
                let own = if n % 2 == 0 { black } else { 1.0 - black };
                Some((own, truth.stretched(own)))
            })
            .collect();
        let found = LossScale::fit(&[game.clone(), vec![None; 5]]).expect("enough moves");
        assert!((found.stretch - 2.5).abs() < 1e-6, "{found:?}");
        assert!(found.bias.abs() < 0.01 && found.noise < 0.05, "{found:?}");
        assert_eq!(LossScale::fit(&[game[..10].to_vec()]), None);
        // A player who overestimates the own move gives nothing away by it.
        let proud = game.iter().map(|both| both.map(|(own, engine)| (own + 0.02, engine))).collect();
        let proud = LossScale::fit(&[proud]).expect("enough moves");
        assert!(proud.bias > 0.04, "{proud:?}");
    }
}
