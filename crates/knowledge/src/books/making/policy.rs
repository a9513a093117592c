//! The most varied play at a given loss.

use crate::books::making::choices::{Choices, Unsettled};

/// Moves this close to the best are as good.
const AS_GOOD: f64 = 1e-12;
/// How close the search comes to the loss that is allowed.
const LOSS_TOLERANCE: f64 = 1e-7;

/// How a side plays: the probability of each step.
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    pub(crate) probabilities: Vec<f64>,
    /// What a nat of entropy is worth in wins.
    pub(crate) lambda: f64,
    pub(crate) win_rate: f64,
    /// The entropy of lines, in nats.
    pub(crate) entropy: f64,
}

impl Choices {
    /// The probabilities that maximize `value_scale` times the win rate plus `lambda` times the entropy of lines.
    ///
    /// Maximum causal entropy (Ziebart 2010): a position is worth the soft
    /// maximum over its moves, each is played with exp((its worth - the
    /// position's) / lambda). Moves that `open` refuses are not played.
    fn soft(&self, value_scale: f64, lambda: f64, open: impl Fn(usize) -> bool) -> Result<Vec<f64>, Unsettled> {
        let is_open = |step: &usize| self.probabilities[*step] > 0.0 && open(*step);
        let worth = self.backed_up(|node, values| {
            let steps = self.steps(node);
            if steps.is_empty() {
                value_scale * self.rates[node]
            } else if self.is_own[node] {
                soft_maximum(steps.filter(is_open).map(|step| values[self.to[step] as usize]), lambda)
            } else {
                let probability = |step| self.probabilities[step];
                steps
                    .map(|step| probability(step) * (values[self.to[step] as usize] - lambda * probability(step).ln()))
                    .sum()
            }
        })?;
        let mut probabilities = self.probabilities.clone();
        for node in (0..self.is_own.len()).filter(|node| self.is_own[*node]) {
            let steps = self.steps(node);
            for step in steps.clone() {
                let gain = worth[self.to[step] as usize] - worth[node];
                probabilities[step] = if is_open(&step) { (gain / lambda).exp() } else { 0.0 };
            }
            // What rounding makes of a sum of 1 is made good.
            let sum: f64 = probabilities[steps.clone()].iter().sum();
            probabilities[steps].iter_mut().for_each(|probability| *probability /= sum);
        }
        Ok(probabilities)
    }

    /// The best win rate, and the policy of the highest entropy among those that have it.
    pub(crate) fn best(&self) -> Result<Policy, Unsettled> {
        let best = self.best_rates()?;
        let mut node_of = vec![0; self.to.len()];
        (0..self.is_own.len()).for_each(|node| self.steps(node).for_each(|step| node_of[step] = node));
        let is_best = |step: usize| best[self.to[step] as usize] >= best[node_of[step]] - AS_GOOD;
        self.policy(self.soft(0.0, 1.0, is_best)?, 0.0)
    }

    /// The policy of the highest entropy of all.
    pub(crate) fn most_varied(&self) -> Result<Policy, Unsettled> {
        self.policy(self.soft(0.0, 1.0, |_| true)?, f64::INFINITY)
    }

    /// The policy of the highest entropy that loses at most this much of the best win rate.
    ///
    /// Looks for the price of entropy at which the loss is met within
    /// [`LOSS_TOLERANCE`], never above it. The problem is concave in how often
    /// each move is played, so that there is such a price.
    pub(crate) fn most_varied_within(&self, loss: f64, best: &Policy, most: &Policy) -> Result<Policy, Unsettled> {
        let least = best.win_rate - loss.max(0.0);
        if most.win_rate >= least {
            return Ok(most.clone());
        }
        // Aiming at the middle of what is near enough, either side of it will do.
        let goal = least + LOSS_TOLERANCE / 2.0;
        let excess = |log_lambda: f64| -> Result<(Vec<f64>, f64), Unsettled> {
            let probabilities = self.soft(1.0, log_lambda.exp(), |_| true)?;
            let win_rate = self.win_rate(&probabilities)?;
            Ok((probabilities, win_rate - goal))
        };
        if best.win_rate <= goal {
            return Ok(best.clone());
        }
        let Some(log_lambda) = falling_root(|log_lambda| Ok(excess(log_lambda)?.1))? else {
            return Ok(best.clone());
        };
        self.policy(excess(log_lambda)?.0, log_lambda.exp())
    }

    fn policy(&self, probabilities: Vec<f64>, lambda: f64) -> Result<Policy, Unsettled> {
        let win_rate = self.win_rate(&probabilities)?;
        let entropy = self.entropy(&probabilities)?;
        Ok(Policy { probabilities, lambda, win_rate, entropy })
    }
}

/// Where a falling function comes within half of [`LOSS_TOLERANCE`] of 0, or is last seen above it.
///
/// The Illinois method (Dowell and Jarratt 1971). `None` if the function is
/// under 0 as far down as it is looked at.
fn falling_root(f: impl Fn(f64) -> Result<f64, Unsettled>) -> Result<Option<f64>, Unsettled> {
    const STRIDE: f64 = 3.0;
    const LEAST: f64 = -30.0;
    const MOST: f64 = 20.0;
    let mut low = (-4.0, f(-4.0)?);
    let mut high = low;
    while low.1 < 0.0 && low.0 > LEAST {
        high = low;
        low = (low.0 - STRIDE, f(low.0 - STRIDE)?);
    }
    while high.1 >= 0.0 && high.0 < MOST {
        low = high;
        high = (high.0 + STRIDE, f(high.0 + STRIDE)?);
    }
    if low.1 < 0.0 {
        return Ok(None);
    }
    let mut was_above = None;
    for _ in 0..200 {
        let part = (low.1 / (low.1 - high.1)).clamp(0.01, 0.99);
        let x = low.0 + part * (high.0 - low.0);
        let y = f(x)?;
        if y.abs() <= LOSS_TOLERANCE / 2.0 {
            return Ok(Some(x));
        }
        let is_above = y > 0.0;
        let (moved, other) = if is_above { (&mut low, &mut high) } else { (&mut high, &mut low) };
        *moved = (x, y);
        // An end that stays where it is counts half, or it would stay for ever.
        if was_above == Some(is_above) {
            other.1 *= 0.5;
        }
        was_above = Some(is_above);
    }
    Ok(Some(low.0))
}

/// lambda log(sum of exp(x / lambda)), without overflow.
fn soft_maximum(values: impl Iterator<Item = f64> + Clone, lambda: f64) -> f64 {
    let largest = values.clone().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return 0.0;
    }
    largest + lambda * values.map(|value| ((value - largest) / lambda).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::books::matching::uniform;
    use proptest::prelude::*;

    type Rows = Vec<Vec<(u32, f64)>>;

    /// A random acyclic graph of alternating turns with transpositions: steps lead one ring down.
    fn random_choices(seed: u64) -> Choices {
        let mut random = seed;
        let mut below = |n: usize| (uniform(&mut random) * n as f64) as usize;
        let rings: Vec<usize> = (0..5).map(|ring| if ring == 0 { 1 } else { 1 + below(4) }).collect();
        let starts: Vec<usize> = rings.iter().scan(0, |at, n| Some(std::mem::replace(at, *at + n))).collect();
        let own = below(2);
        let (mut rows, mut is_own) = (Rows::new(), Vec::new());
        for (ring, n) in rings.iter().enumerate() {
            for _ in 0..*n {
                let n_next = rings.get(ring + 1).copied().unwrap_or(0);
                let mut row: Vec<(u32, f64)> = (0..n_next)
                    .filter_map(|to| {
                        let weight = below(12) as f64;
                        (weight > 2.0).then_some(((starts[ring + 1] + to) as u32, weight))
                    })
                    .collect();
                let sum: f64 = row.iter().map(|step| step.1).sum();
                row.iter_mut().for_each(|step| step.1 /= sum);
                rows.push(row);
                is_own.push(ring % 2 == own);
            }
        }
        let rates = rows.iter().map(|_| below(11) as f64 / 10.0).collect();
        Choices::new(&rows, is_own, rates)
    }

    /// Win rate and entropy by writing out every line.
    fn written_out(choices: &Choices, probabilities: &[f64]) -> (f64, f64) {
        let mut sums = (0.0, 0.0);
        let mut lines = vec![(0usize, 1.0f64)];
        while let Some((node, p)) = lines.pop() {
            if choices.steps(node).is_empty() {
                sums = (sums.0 + p * choices.rates[node], sums.1 - p * p.ln());
            }
            let ways = choices.steps(node).filter(|step| probabilities[*step] > 0.0);
            lines.extend(ways.map(|step| (choices.to[step] as usize, p * probabilities[step])));
        }
        sums
    }

    /// Some other play: each own position's probabilities changed at random, a little or a lot.
    fn changed(choices: &Choices, probabilities: &[f64], random: &mut u64) -> Vec<f64> {
        let mut new = probabilities.to_vec();
        let amount = uniform(random).powi(4);
        for node in (0..choices.is_own.len()).filter(|node| choices.is_own[*node]) {
            let draws: Vec<f64> = choices.steps(node).map(|_| -uniform(random).max(1e-12).ln()).collect();
            let sum: f64 = draws.iter().sum();
            for (step, draw) in choices.steps(node).zip(draws) {
                new[step] = (1.0 - amount) * new[step] + amount * draw / sum;
            }
        }
        new
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn no_other_play_is_better(seed in any::<u64>(), part in 0.0f64..1.0) {
            let choices = random_choices(seed);
            let best = choices.best().expect("no circles");
            let most = choices.most_varied().expect("no circles");
            let loss = part * (best.win_rate - most.win_rate);
            let found = choices.most_varied_within(loss, &best, &most).expect("no circles");
            prop_assert!(found.win_rate >= best.win_rate - loss - 1e-12);
            let (rate, entropy) = written_out(&choices, &found.probabilities);
            prop_assert!((rate - found.win_rate).abs() < 1e-9 && (entropy - found.entropy).abs() < 1e-9);
            let mut random = seed;
            for _ in 0..60 {
                let other = changed(&choices, &found.probabilities, &mut random);
                let (other_rate, other_entropy) = written_out(&choices, &other);
                prop_assert!(other_rate <= best.win_rate + 1e-9);
                prop_assert!(other_entropy <= most.entropy + 1e-9);
                // Whoever loses as little has no more entropy; the tolerance is that of sums.
                if other_rate >= found.win_rate {
                    prop_assert!(other_entropy <= found.entropy + 1e-9, "{} {}", other_entropy, found.entropy);
                }
                // And at the price of entropy nobody does better, at any loss.
                if found.lambda > 0.0 && found.lambda.is_finite() {
                    let worth = |rate: f64, entropy: f64| rate + found.lambda * entropy;
                    prop_assert!(worth(other_rate, other_entropy) <= worth(rate, entropy) + 1e-9);
                }
            }
        }

        #[test]
        fn more_loss_is_more_entropy(seed in any::<u64>()) {
            let choices = random_choices(seed);
            let (best, most) = (choices.best().expect("settles"), choices.most_varied().expect("settles"));
            let whole = best.win_rate - most.win_rate;
            let mut before = best.entropy;
            for part in 0..=10 {
                let loss = whole * f64::from(part) / 10.0;
                let found = choices.most_varied_within(loss, &best, &most).expect("settles");
                prop_assert!(found.entropy >= before - 1e-9);
                prop_assert!(best.win_rate - found.win_rate <= loss + 1e-12);
                before = found.entropy;
            }
            prop_assert!((before - most.entropy).abs() < 1e-3);
        }
    }

    /// A random graph of four positions in a ring with ways out, both sides drawing or choosing.
    fn random_ring(seed: u64) -> Choices {
        let mut random = seed;
        let mut below = |n: usize| (uniform(&mut random) * n as f64) as usize;
        let mut rows: Rows = Vec::new();
        for node in 0..4u32 {
            // Opponents always may leave, so that no circle is endless.
            let out = 4 + below(3) as u32;
            let probability = (1 + below(8)) as f64 / 10.0;
            rows.push(vec![((node + 1) % 4, probability), (out, 1.0 - probability)]);
        }
        rows.push(vec![(7, 1.0)]);
        rows.extend([vec![], vec![], vec![]]);
        let rates = rows.iter().map(|_| below(11) as f64 / 10.0).collect();
        Choices::new(&rows, vec![true, false, true, false, false, true, true, true], rates)
    }

    proptest! {
        #[test]
        fn circles_with_an_end_are_swept_until_they_settle(seed in any::<u64>(), part in 0.05f64..0.95) {
            let mut choices = random_ring(seed);
            prop_assert_eq!(choices.cut_circles(), Ok(0));
            let (best, most) = (choices.best().expect("settles"), choices.most_varied().expect("settles"));
            let loss = part * (best.win_rate - most.win_rate);
            let found = choices.most_varied_within(loss, &best, &most).expect("settles");
            prop_assert!(found.win_rate >= best.win_rate - loss - 1e-9);
            let mut random = seed;
            for _ in 0..60 {
                let other = changed(&choices, &found.probabilities, &mut random);
                let rate = choices.win_rate(&other).expect("settles");
                let entropy = choices.entropy(&other).expect("settles");
                prop_assert!(rate <= best.win_rate + 1e-9 && entropy <= most.entropy + 1e-9);
                if found.lambda > 0.0 && found.lambda.is_finite() {
                    let worth = |rate: f64, entropy: f64| rate + found.lambda * entropy;
                    prop_assert!(worth(rate, entropy) <= worth(found.win_rate, found.entropy) + 1e-8);
                }
            }
        }
    }

    /// A choice between two moves worth 1 and 0.
    fn one_choice() -> Choices {
        let rows = vec![vec![(1, 0.5), (2, 0.5)], vec![], vec![]];
        Choices::new(&rows, vec![true, false, false], vec![0.0, 1.0, 0.0])
    }

    #[test]
    fn one_choice_by_hand() {
        let choices = one_choice();
        let (best, most) = (choices.best().expect("settles"), choices.most_varied().expect("settles"));
        assert_eq!((best.win_rate, best.entropy, best.lambda), (1.0, 0.0, 0.0));
        assert!((most.win_rate - 0.5).abs() < 1e-12 && (most.entropy - 2f64.ln()).abs() < 1e-12);
        let found = choices.most_varied_within(0.25, &best, &most).expect("settles");
        // The probability of the worse move is the loss; its log odds are -1 / lambda.
        assert!((found.probabilities[1] - 0.25).abs() < 1e-6);
        assert!((found.lambda - 1.0 / 3f64.ln()).abs() < 1e-5, "{}", found.lambda);
        let none = choices.most_varied_within(0.0, &best, &most).expect("settles");
        assert_eq!(none.probabilities, [1.0, 0.0]);
        let all = choices.most_varied_within(0.5, &best, &most).expect("settles");
        assert_eq!(all.lambda, f64::INFINITY);
    }

    #[test]
    fn circles_are_cut_or_reported() {
        // 0 may leave to 2 or go to 1, where the opponent has only the way back.
        let rows = vec![vec![(1, 0.5), (2, 0.5)], vec![(0, 1.0)], vec![]];
        let mut choices = Choices::new(&rows, vec![true, false, false], vec![0.0, 0.0, 0.7]);
        assert_eq!(choices.cut_circles(), Ok(1));
        assert_eq!(choices.most_varied().expect("settles").win_rate, 0.7);
        // If the opponent sometimes leaves there, the circle has an end and stays.
        let rows = vec![vec![(1, 0.5), (2, 0.5)], vec![(0, 0.5), (3, 0.5)], vec![], vec![]];
        let mut choices = Choices::new(&rows, vec![true, false, false, true], vec![0.0, 0.0, 0.7, 0.1]);
        assert_eq!(choices.cut_circles(), Ok(0));
        let most = choices.most_varied().expect("settles");
        // h = ln(1 + exp(ln 2 + h / 2)): with x = exp(h / 2), x^2 = 1 + 2x.
        let x = 1.0 + 2f64.sqrt();
        assert!((most.entropy - 2.0 * x.ln()).abs() < 1e-9, "{}", most.entropy);
        assert_eq!(choices.best().expect("settles").win_rate, 0.7);
        // Nobody can leave.
        let rows = vec![vec![(1, 1.0)], vec![(0, 1.0)]];
        let mut choices = Choices::new(&rows, vec![true, false], vec![0.0, 0.0]);
        assert_eq!(choices.cut_circles(), Err(Unsettled));
    }
}
