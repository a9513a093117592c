//! Confidence intervals of win rates and other shares.

/// The 97.5% quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The 95% confidence interval of a win rate (Wilson 1927); the whole range from 0 to 1 without games.
///
/// ```
/// let (low, high) = tejun_knowledge::statistics::win_interval(8.0, 10.0);
/// assert!((low - 0.490).abs() < 0.001 && (high - 0.943).abs() < 0.001);
/// ```
pub fn win_interval(n_wins: f64, n_games: f64) -> (f64, f64) {
    if n_games <= 0.0 {
        return (0.0, 1.0);
    }
    let rate = (n_wins / n_games).clamp(0.0, 1.0);
    let shrink = 1.0 + Z * Z / n_games;
    let middle = (rate + Z * Z / (2.0 * n_games)) / shrink;
    let half = Z / shrink * (rate * (1.0 - rate) / n_games + Z * Z / (4.0 * n_games * n_games)).sqrt();
    // Rounding must not make 0 wins look like a positive rate.
    let low = if rate > 0.0 { (middle - half).max(0.0) } else { 0.0 };
    let high = if rate < 1.0 { (middle + half).min(1.0) } else { 1.0 };
    (low, high)
}

/// A share with its 95% interval (Wilson 1927).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Number of times it happened.
    pub n_yes: u64,
    /// Number of trials.
    pub n: u64,
}

impl Share {
    /// The share itself, 0 to 1; NaN without trials.
    pub fn value(self) -> f64 {
        self.n_yes as f64 / self.n as f64
    }

    /// Lower and upper end of the interval.
    pub fn interval(self) -> (f64, f64) {
        win_interval(self.n_yes as f64, self.n as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn intervals_are_wilsons() {
        let (low, high) = Share { n_yes: 55, n: 100 }.interval();
        assert!((low - 0.4524).abs() < 1e-4 && (high - 0.6439).abs() < 1e-4, "{low} {high}");
        assert_eq!(Share { n_yes: 0, n: 0 }.interval(), (0.0, 1.0));
        assert_eq!(Share { n_yes: 0, n: 10 }.interval().0, 0.0);
    }

    #[test]
    fn no_games_tell_nothing() {
        assert_eq!(win_interval(0.0, 0.0), (0.0, 1.0));
    }

    proptest! {
        // Wilson defined the ends as the rates that are Z standard errors off.
        #[test]
        fn the_ends_solve_wilsons_equation(n in 1u32..500, part in 0.0f64..=1.0) {
            let n = f64::from(n);
            let wins = (n * part).floor();
            let (low, high) = win_interval(wins, n);
            prop_assert!(low <= wins / n + 1e-12 && wins / n <= high + 1e-12);
            // At 0 and 1, the end is exact except for rounding and has no spread.
            for end in [low, high].into_iter().filter(|end| *end > 1e-9 && *end < 1.0 - 1e-9) {
                let off = (wins / n - end).abs() / (end * (1.0 - end) / n).sqrt();
                prop_assert!((off - Z).abs() < 1e-6, "{} {} {}", wins, n, off);
            }
        }
    }
}
