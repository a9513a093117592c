//! The normal distribution.

/// The probability that a standard normal variable is below `z`; exact to 7 digits (Zelen and Severo 1964, 26.2.17).
///
/// ```
/// assert!((tejun_knowledge::statistics::normal_cdf(1.96) - 0.975).abs() < 1e-4);
/// ```
pub fn normal_cdf(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let series = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = series.iter().rev().fold(0.0, |sum, c| (sum + c) * t);
    let tail = sum * (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt();
    if z > 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_tables() {
        for (z, share) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.96, 0.024_997_9), (6.0, 1.0)] {
            assert!((normal_cdf(z) - share).abs() < 1e-6, "{z}");
        }
    }
}
