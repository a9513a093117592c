//! How likely is each point, if every mapping it is in adds its weight to the point's score?

use crate::tactics::discover::sample::{Choice, Column, N_POINTS};
use crate::threads::map_each;

/// Keeps weights of mappings that hardly ever matter near 0.
const PRIOR: f64 = 2.0;
/// No weight changes by more at once.
const MAX_STEP: f64 = 1.0;

/// The chances of all points of all choices.
#[derive(Clone, Debug)]
pub(crate) struct Chances {
    of_choice: Vec<[f32; N_POINTS]>,
    n_threads: usize,
}

/// Choices that are summed up at once; sums do not depend on threads.
const N_SUMMED: usize = 4096;

impl Chances {
    /// Chances if no mapping has a weight.
    pub(crate) fn new(choices: &[Choice], n_threads: usize) -> Chances {
        let of_choice = choices.iter().map(|choice| {
            let mut chances = [0.0; N_POINTS];
            let largest = choice.offsets.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            for (chance, offset) in chances.iter_mut().zip(&choice.offsets) {
                *chance = (offset - largest).exp();
            }
            let total: f32 = chances.iter().sum();
            chances.map(|chance| chance / total)
        });
        Chances { of_choice: of_choice.collect(), n_threads: n_threads.max(1) }
    }

    /// The mean logarithm of the chance of what was played.
    pub(crate) fn likelihood(&self) -> f64 {
        let total: f64 = self.of_choice.iter().map(|chances| f64::from(chances[0].max(1e-30)).ln()).sum();
        total / self.of_choice.len().max(1) as f64
    }

    /// Slope and curvature of the likelihood of all choices along a column's weight.
    pub(crate) fn slope(&self, column: &[u32]) -> (f64, f64) {
        slope_of(&self.of_choice, column)
    }

    /// How much more likely all that was played becomes with this column, in nats, to second order.
    pub(crate) fn gain(&self, column: &[u32]) -> f64 {
        let (slope, curvature) = self.slope(column);
        slope * slope / (2.0 * (curvature + PRIOR))
    }

    /// The same as `slope`, in threads.
    fn slope_in_threads(&self, column: &[u32]) -> (f64, f64) {
        let parts: Vec<_> = self.of_choice.chunks(N_SUMMED).zip(column.chunks(N_SUMMED)).collect();
        let sums = map_each(&parts, self.n_threads, |(chances, column)| slope_of(chances, column));
        sums.iter().fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }

    /// Adds to the scores of the points of a column.
    pub(crate) fn add(&mut self, column: &[u32], weight: f64) {
        let factor = weight.exp() as f32;
        let n_each = self.of_choice.len().div_ceil(self.n_threads).max(1);
        std::thread::scope(|scope| {
            for (chances, column) in self.of_choice.chunks_mut(n_each).zip(column.chunks(n_each)) {
                scope.spawn(move || add_to(chances, column, factor));
            }
        });
    }
}

fn slope_of(of_choice: &[[f32; N_POINTS]], column: &[u32]) -> (f64, f64) {
    let (mut slope, mut curvature) = (0.0, 0.0);
    for (chances, &word) in of_choice.iter().zip(column) {
        let inside = f64::from(sum_of(chances, word));
        slope += f64::from(word & 1) - inside;
        curvature += inside * (1.0 - inside);
    }
    (slope, curvature)
}

fn add_to(of_choice: &mut [[f32; N_POINTS]], column: &[u32], factor: f32) {
    for (chances, &word) in of_choice.iter_mut().zip(column) {
        let total = 1.0 + (factor - 1.0) * sum_of(chances, word);
        let (inside, outside) = (factor / total, 1.0 / total);
        for (bit, chance) in chances.iter_mut().enumerate() {
            *chance *= if word >> bit & 1 != 0 { inside } else { outside };
        }
    }
}

/// Sum over the bits that are set; over the others if they are fewer.
#[inline]
fn sum_of(chances: &[f32; N_POINTS], word: u32) -> f32 {
    let (mut left, is_rest) = if word.count_ones() > 16 { (!word, true) } else { (word, false) };
    let mut sum = 0.0;
    while left != 0 {
        sum += chances[left.trailing_zeros() as usize];
        left &= left - 1;
    }
    if is_rest { 1.0 - sum } else { sum }
}

/// Improves the weights one after the other, by Newton's step, again and again.
pub(crate) fn fit(chances: &mut Chances, columns: &[&Column], weights: &mut [f64], n_rounds: usize) {
    for _ in 0..n_rounds {
        for (column, weight) in columns.iter().zip(weights.iter_mut()) {
            let (slope, curvature) = chances.slope_in_threads(column);
            let step = ((slope - PRIOR * *weight) / (curvature + PRIOR)).clamp(-MAX_STEP, MAX_STEP);
            chances.add(column, step);
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

    /// Chances straight from the scores.
    fn naive(offsets: &[f32], words: &[(u32, f64)]) -> Vec<f64> {
        let score = |i: usize| {
            let inside = words.iter().filter(|(word, _)| word >> i & 1 != 0);
            (f64::from(offsets[i]) + inside.map(|(_, weight)| weight).sum::<f64>()).exp()
        };
        let scores: Vec<f64> = (0..offsets.len()).map(score).collect();
        let total: f64 = scores.iter().sum();
        scores.iter().map(|score| score / total).collect()
    }

    proptest! {
        #[test]
        fn chances_kept_equal_those_computed_afresh(
            offsets in proptest::collection::vec(proptest::collection::vec(-2f32..2.0, 2..=32), 1..5),
            columns in proptest::collection::vec((proptest::collection::vec(any::<u32>(), 5), -2.0..2.0), 0..6),
        ) {
            let choices = choices(&offsets);
            // Bits behind the last point mean nothing.
            let mask = |i: usize| (u64::MAX >> (64 - offsets[i].len())) as u32;
            let column = |words: &[u32]| -> Column { (0..offsets.len()).map(|i| words[i] & mask(i)).collect() };
            let mut chances = Chances::new(&choices, 2);
            for (words, weight) in &columns {
                chances.add(&column(words), *weight);
            }
            for (i, offsets) in offsets.iter().enumerate() {
                let words: Vec<(u32, f64)> = columns.iter().map(|(words, weight)| (words[i], *weight)).collect();
                for (kept, fresh) in chances.of_choice[i].iter().zip(naive(offsets, &words)) {
                    prop_assert!((f64::from(*kept) - fresh).abs() < 1e-4, "{kept} {fresh}");
                }
            }
        }
    }

    #[test]
    fn weights_are_found_that_make_the_moves_likely() {
        // Two points each; the first is played, and is in the column three times of four.
        let choices = choices(&vec![vec![0.0, 0.0]; 4000]);
        let column: Column = (0..4000).map(|i| if i % 4 == 0 { 0b10 } else { 0b01 }).collect();
        let mut chances = Chances::new(&choices, 2);
        let before = chances.likelihood();
        let expected_gain = chances.gain(&column);
        let mut weights = [0.0];
        fit(&mut chances, &[&column], &mut weights, 20);
        // The logarithm of the odds, but for the prior.
        assert!((weights[0] - 3f64.ln()).abs() < 0.01, "{weights:?}");
        let gained = (chances.likelihood() - before) * 4000.0;
        assert!((gained / expected_gain - 1.0).abs() < 0.1, "{gained} {expected_gain}");
        let (slope, _) = chances.slope(&column);
        assert!((slope - PRIOR * weights[0]).abs() < 0.5, "{slope}");
    }
}
