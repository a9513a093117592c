//! How likely is each point, if every mapping that contains it adds a weight to its score?

use crate::tactics::discover::sample::{Choice, Column, N_POINTS};
use crate::threads::map_each;

/// Keeps the weights of rarely relevant mappings near 0.
const PRIOR: f64 = 2.0;
/// Maximum change of a weight per step.
const MAX_STEP: f64 = 1.0;

/// The probabilities of all points of all choices.
#[derive(Clone, Debug)]
pub(crate) struct Probabilities {
    of_choice: Vec<[f32; N_POINTS]>,
    n_threads: usize,
}

/// Number of choices summed at a time; fixed, so that sums do not depend on the number of threads.
const N_SUMMED: usize = 4096;

impl Probabilities {
    /// The probabilities without any mappings.
    pub(crate) fn new(choices: &[Choice], n_threads: usize) -> Probabilities {
        let of_choice = choices.iter().map(|choice| {
            let mut probabilities = [0.0; N_POINTS];
            let largest = choice.offsets.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            for (probability, offset) in probabilities.iter_mut().zip(&choice.offsets) {
                *probability = (offset - largest).exp();
            }
            let total: f32 = probabilities.iter().sum();
            probabilities.map(|probability| probability / total)
        });
        Probabilities { of_choice: of_choice.collect(), n_threads: n_threads.max(1) }
    }

    /// The mean logarithm of the probability of the moves played.
    pub(crate) fn likelihood(&self) -> f64 {
        let total: f64 = self.of_choice.iter().map(|probabilities| f64::from(probabilities[0].max(1e-30)).ln()).sum();
        total / self.of_choice.len().max(1) as f64
    }

    /// First and second derivative of the log-likelihood along a column's weight.
    pub(crate) fn slope(&self, column: &[u32]) -> (f64, f64) {
        slope_of(&self.of_choice, column)
    }

    /// The approximate gain in log-likelihood (nats) from adding this column, to second order.
    pub(crate) fn gain(&self, column: &[u32]) -> f64 {
        let (slope, curvature) = self.slope(column);
        slope * slope / (2.0 * (curvature + PRIOR))
    }

    /// Like `slope`, with several threads.
    fn slope_in_threads(&self, column: &[u32]) -> (f64, f64) {
        let parts: Vec<_> = self.of_choice.chunks(N_SUMMED).zip(column.chunks(N_SUMMED)).collect();
        let sums = map_each(&parts, self.n_threads, |(probabilities, column)| slope_of(probabilities, column));
        sums.iter().fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }

    /// Adds to the scores of the points of a column.
    pub(crate) fn add(&mut self, column: &[u32], weight: f64) {
        let factor = weight.exp() as f32;
        let n_each = self.of_choice.len().div_ceil(self.n_threads).max(1);
        std::thread::scope(|scope| {
            for (probabilities, column) in self.of_choice.chunks_mut(n_each).zip(column.chunks(n_each)) {
                scope.spawn(move || add_to(probabilities, column, factor));
            }
        });
    }
}

fn slope_of(of_choice: &[[f32; N_POINTS]], column: &[u32]) -> (f64, f64) {
    let (mut slope, mut curvature) = (0.0, 0.0);
    for (probabilities, &word) in of_choice.iter().zip(column) {
        let inside = f64::from(sum_of(probabilities, word));
        slope += f64::from(word & 1) - inside;
        curvature += inside * (1.0 - inside);
    }
    (slope, curvature)
}

fn add_to(of_choice: &mut [[f32; N_POINTS]], column: &[u32], factor: f32) {
    for (probabilities, &word) in of_choice.iter_mut().zip(column) {
        let total = 1.0 + (factor - 1.0) * sum_of(probabilities, word);
        let (inside, outside) = (factor / total, 1.0 / total);
        for (bit, probability) in probabilities.iter_mut().enumerate() {
            *probability *= if word >> bit & 1 != 0 { inside } else { outside };
        }
    }
}

/// Sum over the bits that are set; computed from the other bits if they are fewer.
#[inline]
fn sum_of(probabilities: &[f32; N_POINTS], word: u32) -> f32 {
    let (mut left, is_rest) = if word.count_ones() > 16 { (!word, true) } else { (word, false) };
    let mut sum = 0.0;
    while left != 0 {
        sum += probabilities[left.trailing_zeros() as usize];
        left &= left - 1;
    }
    if is_rest { 1.0 - sum } else { sum }
}

/// Improves the weights one by one with Newton steps, in several rounds.
pub(crate) fn fit(probabilities: &mut Probabilities, columns: &[&Column], weights: &mut [f64], n_rounds: usize) {
    for _ in 0..n_rounds {
        for (column, weight) in columns.iter().zip(weights.iter_mut()) {
            let (slope, curvature) = probabilities.slope_in_threads(column);
            let step = ((slope - PRIOR * *weight) / (curvature + PRIOR)).clamp(-MAX_STEP, MAX_STEP);
            probabilities.add(column, step);
            *weight += step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tejun_games::go::{Board, BoardSize, Color, Point};

    use crate::tactics::eval::points::Points;
    use crate::tactics::eval::position::TacticPosition;

    fn choices(offsets: &[Vec<f32>]) -> Vec<Choice> {
        let position = TacticPosition::of_board(&Board::new(BoardSize::NINETEEN), Color::Black);
        let points = |n: usize| (0..n).map(|i| Point::new(i as u8 % 19, i as u8 / 19)).collect();
        let choice = |offsets: &Vec<f32>| Choice {
            position: position.clone(),
            points: points(offsets.len()),
            offsets: offsets.clone(),
            legal: Points::all(BoardSize::NINETEEN),
        };
        offsets.iter().map(choice).collect()
    }

    /// Probabilities computed directly from the scores.
    fn naive(offsets: &[f32], bits: &[(u32, f64)]) -> Vec<f64> {
        let score = |i: usize| {
            let inside = bits.iter().filter(|(word, _)| word >> i & 1 != 0);
            (f64::from(offsets[i]) + inside.map(|(_, weight)| weight).sum::<f64>()).exp()
        };
        let scores: Vec<f64> = (0..offsets.len()).map(score).collect();
        let total: f64 = scores.iter().sum();
        scores.iter().map(|score| score / total).collect()
    }

    proptest! {
        #[test]
        fn updated_probabilities_equal_fresh_ones(
            offsets in proptest::collection::vec(proptest::collection::vec(-2f32..2.0, 2..=32), 1..5),
            columns in proptest::collection::vec((proptest::collection::vec(any::<u32>(), 5), -2.0..2.0), 0..6),
        ) {
            let choices = choices(&offsets);
            // Bits after the last point have no meaning.
            let mask = |i: usize| (u64::MAX >> (64 - offsets[i].len())) as u32;
            let column = |bits: &[u32]| -> Column { (0..offsets.len()).map(|i| bits[i] & mask(i)).collect() };
            let mut probabilities = Probabilities::new(&choices, 2);
            for (bits, weight) in &columns {
                probabilities.add(&column(bits), *weight);
            }
            for (i, offsets) in offsets.iter().enumerate() {
                let bits: Vec<(u32, f64)> = columns.iter().map(|(bits, weight)| (bits[i], *weight)).collect();
                for (kept, fresh) in probabilities.of_choice[i].iter().zip(naive(offsets, &bits)) {
                    prop_assert!((f64::from(*kept) - fresh).abs() < 1e-4, "{kept} {fresh}");
                }
            }
        }
    }

    #[test]
    fn weights_are_found_that_make_the_moves_likely() {
        // Two points each; the first is played, and is in the column three times out of four.
        let choices = choices(&vec![vec![0.0, 0.0]; 4000]);
        let column: Column = (0..4000).map(|i| if i % 4 == 0 { 0b10 } else { 0b01 }).collect();
        let mut probabilities = Probabilities::new(&choices, 2);
        let before = probabilities.likelihood();
        let expected_gain = probabilities.gain(&column);
        let mut weights = [0.0];
        fit(&mut probabilities, &[&column], &mut weights, 20);
        // The log odds, apart from the prior.
        assert!((weights[0] - 3f64.ln()).abs() < 0.01, "{weights:?}");
        let gained = (probabilities.likelihood() - before) * 4000.0;
        assert!((gained / expected_gain - 1.0).abs() < 0.1, "{gained} {expected_gain}");
        let (slope, _) = probabilities.slope(&column);
        assert!((slope - PRIOR * weights[0]).abs() < 0.5, "{slope}");
    }
}
