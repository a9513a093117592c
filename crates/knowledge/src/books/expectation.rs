//! What a match comes to, if the value of each leaving position is known.

use crate::books::WinModel;
use crate::books::matching::{Leaving, Match};

/// The values of a match's leaving positions and what they mean; the paper's table 4 and figure 11.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// The mean value for the first player.
    pub mean: f64,
    /// Its standard deviation over games.
    pub deviation: f64,
    /// The expected win rate of the first player.
    pub win_rate: f64,
    /// The win rate of the mean value.
    pub win_rate_of_mean: f64,
    /// The probability that has values, of 1.
    pub covered: f64,
    /// Leaving positions without a value.
    pub n_without: usize,
    /// The probability by value, in steps of 20: -10 to 9 is 0.
    pub histogram: Vec<(i32, f64)>,
    /// Values with their positions, best for the first player first.
    pub evaluated: Vec<(Leaving, f64)>,
}

/// The width of a step of the histogram.
pub const VALUE_STEP: i32 = 20;

/// Puts values on the leaving positions; all figures are of those that have one.
///
/// `value` is that of the first player. `None` if no position has one.
pub fn expectation(played: &Match, model: &WinModel, value: impl Fn(&Leaving) -> Option<f64>) -> Option<Expectation> {
    let mut evaluated: Vec<(Leaving, f64)> = played.leaving.iter().filter_map(|at| Some((*at, value(at)?))).collect();
    let covered: f64 = evaluated.iter().map(|(at, _)| at.probability).sum();
    if covered <= 0.0 {
        return None;
    }
    let mean_of =
        |f: &dyn Fn(f64) -> f64| evaluated.iter().map(|(at, value)| at.probability * f(*value)).sum::<f64>() / covered;
    let mean = mean_of(&|value| value);
    let variance = mean_of(&|value| (value - mean).powi(2));
    let win_rate = mean_of(&|value| model.win_rate(value));
    let mut bins = std::collections::BTreeMap::new();
    for (at, value) in &evaluated {
        let half = f64::from(VALUE_STEP) / 2.0;
        let bin = ((value + half) / f64::from(VALUE_STEP)).floor() as i32 * VALUE_STEP;
        *bins.entry(bin).or_insert(0.0) += at.probability / covered;
    }
    evaluated.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.probability.total_cmp(&a.0.probability)));
    Some(Expectation {
        mean,
        deviation: variance.sqrt(),
        win_rate,
        win_rate_of_mean: model.win_rate(mean),
        covered,
        n_without: played.leaving.len() - evaluated.len(),
        histogram: bins.into_iter().collect(),
        evaluated,
    })
}
