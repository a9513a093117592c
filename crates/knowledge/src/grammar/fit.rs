//! The powers of a product of grammars, fitted on held-out games.

use crate::corpus::GameTable;
use crate::grammar::evaluate::answers;
use crate::grammar::model::Grammar;
use crate::grammar::smoothing::Smoothing;
use crate::statistics::NewtonStep;

/// Every n-th move of the held-out games is used.
const EVERY: usize = 5;

/// The answers of several predictors for one move: the logarithms of the probabilities of all legal points.
#[derive(Clone, Debug)]
pub(crate) struct Answers {
    /// One row per predictor, one column per legal point.
    pub(crate) logarithms: Vec<Vec<f32>>,
    /// The column of the played move.
    pub(crate) played: usize,
}

/// The powers that maximize the probability of the held-out games under the product of the grammars.
pub fn fit_powers(grammars: &[Grammar], smoothing: Smoothing, held_out: &GameTable) -> Vec<f64> {
    most_probable(&answers(grammars, smoothing, held_out, EVERY), grammars.len())
}

/// The non-negative powers that maximize the probability of the played moves.
///
/// The log likelihood is concave in the powers, so Newton's method converges
/// to the maximum.
fn most_probable(answers: &[Answers], n_predictors: usize) -> Vec<f64> {
    const N_STEPS: usize = 50;
    let mut powers = vec![1.0 / n_predictors.max(1) as f64; n_predictors];
    for _ in 0..N_STEPS {
        let mut step = NewtonStep::new(n_predictors);
        answers.iter().for_each(|answer| add_answer(answer, &powers, &mut step));
        // A little extra curvature keeps steps finite where predictors agree.
        step.damp(1e-6 * answers.len() as f64 + 1e-9);
        let Some(step) = step.direction() else { break };
        let largest = step.iter().fold(0.0f64, |most, s| most.max(s.abs()));
        let scale = (0.5 / largest).min(1.0);
        powers.iter_mut().zip(&step).for_each(|(power, s)| *power = (*power + scale * s).max(0.0));
        if largest < 1e-6 {
            break;
        }
    }
    powers
}

/// The slope is observed minus expected; the curvature is the covariance of the expected values.
fn add_answer(answer: &Answers, powers: &[f64], step: &mut NewtonStep) {
    let n_points = answer.logarithms.first().map_or(0, Vec::len);
    let value = |point: usize| -> f64 {
        answer.logarithms.iter().zip(powers).map(|(row, power)| power * f64::from(row[point])).sum()
    };
    let values: Vec<f64> = (0..n_points).map(value).collect();
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = values.iter().map(|v| (v - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let mean =
        |row: &Vec<f32>| weights.iter().zip(row).map(|(weight, cell)| weight / sum * f64::from(*cell)).sum::<f64>();
    let mut terms: Vec<(usize, f64)> = answer.logarithms.iter().map(mean).enumerate().collect();
    let means: Vec<f64> = terms.iter().map(|term| term.1).collect();
    let set_point = |point: usize, terms: &mut [(usize, f64)]| {
        let deviations = answer.logarithms.iter().zip(&means).map(|(row, mean)| f64::from(row[point]) - mean);
        terms.iter_mut().zip(deviations).for_each(|(term, deviation)| term.1 = deviation);
    };
    set_point(answer.played, &mut terms);
    step.add_slope(&terms, 1.0);
    for (point, weight) in weights.iter().enumerate() {
        set_point(point, &mut terms);
        step.add_curvature(&terms, weight / sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves are drawn from the square of the first predictor; the second one carries no information.
    #[test]
    fn powers_are_recovered() {
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
