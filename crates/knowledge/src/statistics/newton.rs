//! Maximizing a likelihood by Newton's method.

use crate::statistics::{invert, solve};

/// The logistic function: the probability with these log odds.
///
/// ```
/// assert_eq!(tejun_knowledge::statistics::logistic(0.0), 0.5);
/// ```
#[inline]
pub fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Gradient and curvature of a log likelihood at a point, added up observation by observation.
///
/// The curvature is the negative second derivative. An example, the share of heads in 8 of 10 throws, as log odds:
///
/// ```
/// use tejun_knowledge::statistics::{NewtonStep, logistic};
///
/// let mut log_odds = 0.0;
/// for _ in 0..20 {
///     let mut step = NewtonStep::new(1);
///     let p = logistic(log_odds);
///     (0..10).for_each(|n| step.add_logistic(&[(0, 1.0)], f64::from(u8::from(n < 8)), p));
///     log_odds += step.direction().expect("throws are not all alike")[0];
/// }
/// assert!((logistic(log_odds) - 0.8).abs() < 1e-12);
/// ```
#[derive(Clone, Debug)]
pub struct NewtonStep {
    gradient: Vec<f64>,
    curvature: Vec<Vec<f64>>,
}

impl NewtonStep {
    /// No observations yet.
    pub fn new(n_unknowns: usize) -> NewtonStep {
        NewtonStep { gradient: vec![0.0; n_unknowns], curvature: vec![vec![0.0; n_unknowns]; n_unknowns] }
    }

    /// Adds an observation of logistic regression.
    ///
    /// `terms` are the unknowns with their factors, `outcome` is between 0 and 1, and `p` is its current probability.
    pub fn add_logistic(&mut self, terms: &[(usize, f64)], outcome: f64, p: f64) {
        self.add_slope(terms, outcome - p);
        self.add_curvature(terms, p * (1.0 - p));
    }

    /// Adds `terms`, times a weight, to the gradient.
    pub fn add_slope(&mut self, terms: &[(usize, f64)], weight: f64) {
        terms.iter().for_each(|&(i, a)| self.gradient[i] += weight * a);
    }

    /// Adds the outer product of `terms` with itself, times a weight, to the curvature.
    pub fn add_curvature(&mut self, terms: &[(usize, f64)], weight: f64) {
        for &(i, a) in terms {
            terms.iter().for_each(|&(j, b)| self.curvature[i][j] += weight * a * b);
        }
    }

    /// Adds a ridge penalty of `strength / 2 * value²`, which pulls an unknown with this value toward 0.
    pub fn add_penalty(&mut self, unknown: usize, strength: f64, value: f64) {
        self.gradient[unknown] -= strength * value;
        self.curvature[unknown][unknown] += strength;
    }

    /// Adds to the curvature of every unknown, which keeps steps finite where observations carry little information.
    pub fn damp(&mut self, amount: f64) {
        (0..self.gradient.len()).for_each(|i| self.curvature[i][i] += amount);
    }

    /// The full Newton step; `None` if the observations do not determine it.
    pub fn direction(&self) -> Option<Vec<f64>> {
        solve(self.curvature.clone(), self.gradient.clone())
    }

    /// The covariance of the estimates at the maximum; `None` if the observations do not determine them.
    pub fn covariance(&self) -> Option<Vec<Vec<f64>>> {
        invert(self.curvature.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_penalty_pulls_to_zero() {
        let mut step = NewtonStep::new(2);
        step.add_penalty(0, 2.0, 3.0);
        step.add_penalty(1, 1.0, -1.0);
        assert_eq!(step.direction(), Some(vec![-3.0, 1.0]));
    }

    #[test]
    fn standard_errors_are_those_of_a_share() {
        let (p, n) = (0.3, 200);
        let mut step = NewtonStep::new(1);
        (0..n).for_each(|i| step.add_logistic(&[(0, 1.0)], f64::from(u8::from(i < 60)), p));
        assert!(step.direction().expect("a maximum")[0].abs() < 1e-12);
        let expected = 1.0 / (f64::from(n) * p * (1.0 - p));
        assert!((step.covariance().expect("a maximum")[0][0] - expected).abs() < 1e-12);
        assert_eq!(NewtonStep::new(1).direction(), None);
    }
}
