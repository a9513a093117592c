//! The powers of a product of grammars, fitted on games that the grammars have not seen.

use crate::corpus::GameTable;
use crate::grammar::evaluate::answers;
use crate::grammar::model::Grammar;
use crate::grammar::smoothing::Smoothing;

/// Of the moves of held-out games, one in so many is looked at.
const EVERY: usize = 5;

/// The answers of several predictors for one move: for each of them the logarithm of every legal point's value.
#[derive(Clone, Debug)]
pub(crate) struct Answers {
    /// A row a predictor, a column a legal point.
    pub(crate) logarithms: Vec<Vec<f32>>,
    /// The column that was played.
    pub(crate) played: usize,
}

/// The powers of the grammars' product under which games that they have not seen are most probable.
pub fn fit_powers(grammars: &[Grammar], smoothing: Smoothing, held_out: &GameTable) -> Vec<f64> {
    most_probable(&answers(grammars, smoothing, held_out, EVERY), grammars.len())
}

/// The powers under which the played moves are most probable, none below 0.
///
/// The logarithm of the probability is concave in the powers, so Newton's
/// steps lead there.
fn most_probable(answers: &[Answers], n_predictors: usize) -> Vec<f64> {
    const N_STEPS: usize = 50;
    let mut powers = vec![1.0 / n_predictors.max(1) as f64; n_predictors];
    for _ in 0..N_STEPS {
        let (mut slope, mut curve) = (vec![0.0; n_predictors], vec![vec![0.0; n_predictors]; n_predictors]);
        for answer in answers {
            add_slope_and_curve(answer, &powers, &mut slope, &mut curve);
        }
        // A little more curve than there is keeps steps finite where predictors say the same.
        (0..n_predictors).for_each(|i| curve[i][i] += 1e-6 * answers.len() as f64 + 1e-9);
        let step = solve(curve, slope);
        let largest = step.iter().fold(0.0f64, |most, s| most.max(s.abs()));
        let scale = (0.5 / largest).min(1.0);
        powers.iter_mut().zip(&step).for_each(|(power, s)| *power = (*power + scale * s).max(0.0));
        if largest < 1e-6 {
            break;
        }
    }
    powers
}

/// Slope: what was played less what was expected. Curve: how the expected ones vary together.
fn add_slope_and_curve(answer: &Answers, powers: &[f64], slope: &mut [f64], curve: &mut [Vec<f64>]) {
    let n_points = answer.logarithms.first().map_or(0, Vec::len);
    let value = |point: usize| -> f64 {
        answer.logarithms.iter().zip(powers).map(|(row, power)| power * f64::from(row[point])).sum()
    };
    let values: Vec<f64> = (0..n_points).map(value).collect();
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = values.iter().map(|v| (v - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let mean = |f: &dyn Fn(usize) -> f64| (0..n_points).map(|p| weights[p] / sum * f(p)).sum::<f64>();
    let row = |i: usize, p: usize| f64::from(answer.logarithms[i][p]);
    let means: Vec<f64> = (0..powers.len()).map(|i| mean(&|p| row(i, p))).collect();
    for i in 0..powers.len() {
        slope[i] += row(i, answer.played) - means[i];
        for j in 0..powers.len() {
            curve[i][j] += mean(&|p| (row(i, p) - means[i]) * (row(j, p) - means[j]));
        }
    }
}

/// Solves a small system of equations by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()));
        let pivot = pivot.expect("a row is left");
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let top = matrix[column].clone();
        for row in column + 1..n {
            let factor = matrix[row][column] / top[column];
            matrix[row].iter_mut().zip(&top).skip(column).for_each(|(cell, above)| *cell -= factor * above);
            right[row] -= factor * right[column];
        }
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|k| matrix[row][k] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves drawn from the first predictor squared, which the second, blind one does not help.
    #[test]
    fn powers_are_found_again() {
        let mut seed = 7u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64
        };
        let answers: Vec<Answers> = (0..20_000)
            .map(|_| {
                let first: Vec<f64> = (0..6).map(|_| (random() + 0.05).ln()).collect();
                let second: Vec<f64> = (0..6).map(|_| (random() + 0.05).ln()).collect();
                let weights: Vec<f64> = first.iter().map(|l| (2.0 * l).exp()).collect();
                let mut left = random() * weights.iter().sum::<f64>();
                let drawn = weights.iter().position(|w| {
                    left -= w;
                    left <= 0.0
                });
                let rows = [first, second].map(|row| row.into_iter().map(|l| l as f32).collect());
                Answers { logarithms: rows.into(), played: drawn.unwrap_or(5) }
            })
            .collect();
        let powers = most_probable(&answers, 2);
        assert!((powers[0] - 2.0).abs() < 0.1 && powers[1] < 0.05, "{powers:?}");
    }
}
