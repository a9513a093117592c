//! Correction for multiple tests.

/// For p-values in ascending order, the expected share of false discoveries among each value and all smaller ones
/// (Benjamini and Hochberg 1995).
///
/// ```
/// let rates = tejun_knowledge::statistics::false_discovery_rates(&[0.01, 0.02, 0.03, 0.9]);
/// assert_eq!(rates, [0.04, 0.04, 0.04, 0.9]);
/// ```
pub fn false_discovery_rates(p_values: &[f64]) -> Vec<f64> {
    debug_assert!(p_values.is_sorted(), "p-values must ascend");
    let n = p_values.len() as f64;
    let mut rates: Vec<f64> = p_values.iter().zip(1..).map(|(p, rank)| p * n / rank as f64).collect();
    let mut least = 1.0;
    for rate in rates.iter_mut().rev() {
        least = rate.min(least);
        *rate = least;
    }
    rates
}
