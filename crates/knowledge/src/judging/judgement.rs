//! From signals to a verdict.

use tejun_games::GameRecord;

use crate::judging::evaluator::GameEvidence;
use crate::judging::labels::Label;
use crate::judging::replay::ReplayedGame;
use crate::judging::roc::Measured;
use crate::judging::signals::Signals;
use crate::judging::verdict::{JudgedGame, JudgedMove, Verdict};
use crate::statistics::{NewtonStep, normal_cdf};

/// The features that the judgement uses, in the order of its weights.
pub const FEATURES: [&str; 4] = ["unexpected", "lasting-loss", "best-lead", "move-number"];
const N: usize = FEATURES.len();

/// The largest loss of win rate of an interesting move.
const SMALL_LOSS: f64 = 0.02;
/// The smallest loss of win rate of a doubtful move.
const DOUBTFUL_LOSS: f64 = 0.05;
/// The smallest surprise of an unexpected move: fewer than one in fifty would have played it.
const UNEXPECTED_BITS: f64 = 5.6;
/// The smallest number of losses in a game whose spread is meaningful.
const MIN_LOSSES: usize = 20;
/// The penalty for large weights, as strong as one move per weight.
const PENALTY: f64 = 1.0;

/// How much of a loss found by the search is real.
///
/// The search's win rates are flatter than an engine's, each side's best move is overestimated
/// because it is the best of many guesses, and much of a loss is noise. All three are measured on
/// the games of an engine, which gives away next to nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossScale {
    /// The factor of the logits of win rates.
    pub stretch: f64,
    /// The mean loss of moves that lose nothing.
    pub bias: f64,
    /// The standard deviation of their losses.
    pub noise: f64,
    /// The part of a loss beyond the bias that is not noise; measured again in each game that is long enough.
    pub share: f64,
}

impl Default for LossScale {
    /// For engines whose win rates are taken as they are.
    fn default() -> LossScale {
        LossScale { stretch: 1.0, bias: 0.0, noise: 0.02, share: 1.0 }
    }
}

impl LossScale {
    /// A win rate on the engines' scale.
    pub fn stretched(&self, win_rate: f64) -> f64 {
        let p = win_rate.clamp(0.001, 0.999);
        1.0 / (1.0 + (-self.stretch * (p / (1.0 - p)).ln()).exp())
    }

    /// The loss of a move, stretched.
    fn loss(&self, signals: &Signals) -> Option<f64> {
        let (best, played) = signals.best_win_rate.zip(signals.played_win_rate)?;
        Some(self.stretched(best) - self.stretched(played))
    }

    /// The probability that a loss is really larger than this.
    fn probability_above(&self, loss: f64, limit: f64) -> f64 {
        // Losses and noise are assumed to be normal: the remaining noise is smaller by the root of the share.
        normal_cdf((self.share * (loss - self.bias) - limit) / (self.noise * self.share.sqrt()))
    }

    /// The same scale for games with these losses: what they spread beyond the noise is real.
    fn for_losses(&self, losses: impl Iterator<Item = f64> + Clone) -> LossScale {
        let (_, deviation) = mean_and_deviation(losses);
        let share = 1.0 - (self.noise / deviation).powi(2);
        LossScale { share: share.clamp(0.05, 1.0), ..*self }
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

/// How signals become verdicts.
///
/// Good and bad against ordinary are learned from commentary by logistic regression with several
/// classes. Interesting and doubtful depend on the loss and the surprise of moves that are neither.
///
/// ```
/// use tejun_knowledge::judging::{Judgement, Signals};
///
/// let judgement = Judgement::built_in();
/// let loses_a_lot = Signals { lasting_loss: Some(0.3), ..Signals::default() };
/// let [.., bad] = judgement.probabilities(&loses_a_lot, 50);
/// let [.., average] = judgement.average;
/// assert!(bad > average);
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
    /// Probabilities from which on a move is called good or bad.
    pub thresholds: Thresholds,
    /// The probabilities of the verdicts of an average move, in the order of [`Verdict::ALL`].
    pub average: [f64; 5],
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

/// The probabilities from which on a move is called good or bad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// For good moves.
    pub good: f64,
    /// For bad moves.
    pub bad: f64,
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
        let scale = scale.for_losses(moves.iter().filter_map(|m| scale.loss(&m.signals)));
        let rows: Vec<[Option<f64>; N]> = moves.iter().map(|m| features(&scale, &m.signals, m.index)).collect();
        let scaling = std::array::from_fn(|n| {
            let (mean, deviation) = mean_and_deviation(rows.iter().filter_map(|row| row[n]));
            Scaling { mean, deviation }
        });
        let mut judgement = Judgement {
            scale,
            scaling,
            good: Weights::default(),
            bad: Weights::default(),
            thresholds: Thresholds { good: 1.0, bad: 1.0 },
            average: [0.0; 5],
        };
        let rows: Vec<[f64; N]> = rows.iter().map(|row| judgement.standardized(row)).collect();
        let labels: Vec<Label> = moves.iter().map(|m| m.label).collect();
        judgement.descend(&rows, &labels);
        let found: Vec<[f64; 3]> = rows.iter().map(|row| judgement.of_row(row)).collect();
        judgement.thresholds = Thresholds {
            good: threshold(found.iter().map(|p| p[0]), &labels, Label::Good),
            bad: threshold(found.iter().map(|p| p[2]), &labels, Label::Bad),
        };
        for m in moves {
            let probabilities = judgement.probabilities(&m.signals, m.index);
            judgement.average.iter_mut().zip(probabilities).for_each(|(sum, p)| *sum += p / moves.len() as f64);
        }
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

    /// The probabilities that commentary calls the move with this number of moves before it good, nothing, or bad.
    fn commentary(&self, signals: &Signals, index: usize) -> [f64; 3] {
        self.of_row(&self.standardized(&features(&self.scale, signals, index)))
    }

    /// The evidence for good and for bad against ordinary, as log odds without the frequencies of the classes.
    fn evidence(&self, signals: &Signals, index: usize) -> [f64; 2] {
        let row = self.standardized(&features(&self.scale, signals, index));
        [self.good.evidence(&row), self.bad.evidence(&row)]
    }

    /// The probability of each verdict, in the order of [`Verdict::ALL`].
    pub fn probabilities(&self, signals: &Signals, index: usize) -> [f64; 5] {
        let [good, rest, bad] = self.commentary(signals, index);
        let (mut interesting, mut doubtful) = (0.0, 0.0);
        if let Some(loss) = self.scale.loss(signals) {
            doubtful = self.scale.probability_above(loss, DOUBTFUL_LOSS);
            let unexpected = signals.bits().map_or(0.0, |bits| 1.0 / (1.0 + (UNEXPECTED_BITS - bits).exp()));
            interesting = (1.0 - self.scale.probability_above(loss, SMALL_LOSS)) * unexpected;
        }
        let ordinary = (1.0 - interesting - doubtful).max(0.0);
        [good, rest * interesting, rest * ordinary, rest * doubtful, bad]
    }

    /// How much probabilities differ from those of an average move, in bits (Kullback and Leibler 1951).
    pub fn divergence(&self, probabilities: &[f64; 5]) -> f64 {
        let bits = |(p, q): (&f64, &f64)| if *p > 0.0 { p * (p / q.max(1e-6)).log2() } else { 0.0 };
        probabilities.iter().zip(&self.average).map(bits).sum()
    }

    /// Judges the moves of a game for which there is evidence; the `n_moments` most unusual ones are moments.
    pub fn judge(&self, record: &GameRecord, evidence: &GameEvidence, n_moments: usize) -> JudgedGame {
        let game = ReplayedGame::new(record, evidence.signals.len());
        // A player whose losses in this game spread more than noise does has really lost something.
        let losses = evidence.signals.iter().flatten().filter_map(|signals| self.scale.loss(signals));
        let has_many = losses.clone().count() >= MIN_LOSSES;
        let scale = if has_many { self.scale.for_losses(losses) } else { self.scale };
        let of_game = Judgement { scale, ..self.clone() };
        let judge = |(index, signals): (usize, &Option<Signals>)| {
            let signals = (*signals)?;
            let probabilities = of_game.probabilities(&signals, index);
            Some(JudgedMove {
                index,
                played: game.moves[index],
                signals,
                probabilities,
                verdict: self.verdict(&probabilities),
                is_moment: false,
                tags: game.tags(index),
                evaluation: evidence.values.get(index).cloned().flatten(),
            })
        };
        let mut moves: Vec<JudgedMove> = evidence.signals.iter().enumerate().filter_map(judge).collect();
        let mut order: Vec<usize> = (0..moves.len()).collect();
        let divergence = |at: usize| self.divergence(&moves[at].probabilities);
        order.sort_by(|&a, &b| divergence(b).total_cmp(&divergence(a)));
        for &at in order.iter().take(n_moments) {
            moves[at].is_moment = true;
        }
        JudgedGame { win_rates_black: game.win_rates_black(&evidence.values), moves }
    }

    /// The verdict that follows from the probabilities.
    ///
    /// Few moves are good or bad, so their probabilities are compared with how many moves commentators mark, not
    /// with a half.
    pub fn verdict(&self, probabilities: &[f64; 5]) -> Verdict {
        let [good, interesting, _, doubtful, bad] = *probabilities;
        let least = self.thresholds;
        match (good >= least.good, bad >= least.bad) {
            (true, true) if good / least.good < bad / least.bad => Verdict::Bad,
            (true, _) => Verdict::Good,
            (_, true) => Verdict::Bad,
            _ if doubtful > 0.5 => Verdict::Doubtful,
            _ if interesting > 0.5 => Verdict::Interesting,
            _ => Verdict::Ordinary,
        }
    }
}

/// The probability that as many moves reach as commentators gave this label.
fn threshold(probabilities: impl Iterator<Item = f64>, labels: &[Label], label: Label) -> f64 {
    let mut probabilities: Vec<f64> = probabilities.collect();
    probabilities.sort_by(|a, b| b.total_cmp(a));
    probabilities[labels.iter().filter(|l| **l == label).count() - 1]
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
    use tejun_games::Move;
    use tejun_games::go::{BoardSize, Color, Point};

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
            let probabilities = judgement.probabilities(&signals, 60);
            assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{probabilities:?}");
            (judgement.verdict(&probabilities), probabilities)
        };
        assert_eq!(of(0.0, 12.0).0, Verdict::Good);
        assert_eq!(of(0.19, 3.0).0, Verdict::Bad);
        assert_eq!(of(0.0, 1.0).0, Verdict::Ordinary);
        assert_eq!(of(0.1, 2.0).0, Verdict::Doubtful);
        assert!(of(0.19, 3.0).1[4] > 0.5);
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
        // Of losses that spread twice as far as the noise, three quarters are real.
        let scale = LossScale { noise: 0.1, ..LossScale::default() };
        let share = scale.for_losses([-0.2, 0.2].into_iter()).share;
        assert!((share - 0.75).abs() < 1e-9, "{share}");
    }

    #[test]
    fn rare_verdicts_are_unusual() {
        let average = [0.02, 0.05, 0.88, 0.04, 0.01];
        let judgement = Judgement { average, ..Judgement::fit(&labeled(), LossScale::default()).expect("all kinds") };
        assert!(judgement.divergence(&average).abs() < 1e-12);
        let find = [0.4, 0.1, 0.48, 0.01, 0.01];
        let mistake = [0.01, 0.01, 0.48, 0.1, 0.4];
        assert!(judgement.divergence(&mistake) > judgement.divergence(&find), "mistakes are rarer");
    }

    #[test]
    fn moments_are_the_most_unusual_moves() {
        let judgement =
            Judgement::fit(&labeled(), LossScale { noise: 0.02, ..LossScale::default() }).expect("all kinds");
        let mut game = GameRecord::new(BoardSize::NINETEEN);
        let color = |n: u8| if n.is_multiple_of(2) { Color::Black } else { Color::White };
        game.moves = (0..30).map(|n| Move { color: color(n), point: Some(Point::new(n % 15, n / 15)) }).collect();
        let signals: Vec<Option<Signals>> = (0..30)
            .map(|n| {
                let loss = if n == 7 { 0.3 } else { 0.01 };
                Some(Signals {
                    best_win_rate: Some(0.5),
                    played_win_rate: Some(0.5 - loss),
                    lasting_loss: Some(loss),
                    best_lead: Some(loss),
                    predictions: surprise(if n == 11 { 12.0 } else { 1.0 }),
                    ..Signals::default()
                })
            })
            .collect();
        let evidence = GameEvidence { values: vec![None; 31], signals, failures: Vec::new() };
        let judged = judgement.judge(&game, &evidence, 2);
        let moments: Vec<usize> = judged.moves.iter().filter(|m| m.is_moment).map(|m| m.index).collect();
        assert_eq!(moments, [7, 11]);
        assert_eq!(judged.moves[7].verdict, Verdict::Bad);
        assert_eq!(judged.win_rates_black, vec![None; 31]);
        assert_eq!(judgement.judge(&game, &evidence, 0).moves.len(), 30);
    }
}
