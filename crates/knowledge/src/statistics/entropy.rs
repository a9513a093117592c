//! Entropy of probabilities and counts.

/// Shannon's entropy of a probability distribution, in bits.
///
/// Probabilities that do not add up to 1 are used as they are.
///
/// ```
/// use tejun_knowledge::statistics::entropy;
///
/// assert_eq!(entropy([0.25; 4]), 2.0);
/// assert_eq!(entropy([1.0, 0.0]), 0.0);
/// ```
pub fn entropy(probabilities: impl IntoIterator<Item = f64>) -> f64 {
    // An empty sum is -0.
    probabilities.into_iter().map(entropy_term).sum::<f64>() + 0.0
}

/// The contribution of one outcome to the entropy: -p log2 p, and 0 for p = 0.
///
/// ```
/// assert_eq!(tejun_knowledge::statistics::entropy_term(0.5), 0.5);
/// ```
pub fn entropy_term(p: f64) -> f64 {
    if p > 0.0 { -p * p.log2() } else { 0.0 }
}

/// The entropy of relative frequencies, in nats; counts of 0 are not allowed.
///
/// ```
/// use tejun_knowledge::statistics::entropy_of_counts;
///
/// assert!((entropy_of_counts([5, 5]) - 2f64.ln()).abs() < 1e-12);
/// assert_eq!(entropy_of_counts([]), 0.0);
/// ```
pub fn entropy_of_counts(counts: impl IntoIterator<Item = usize>) -> f64 {
    let (mut total, mut sum) = (0.0, 0.0);
    for count in counts.into_iter().map(|count| count as f64) {
        total += count;
        sum += count * count.ln();
    }
    if total == 0.0 { 0.0 } else { (total.ln() - sum / total).max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_probabilities_agree() {
        let counts = [1usize, 2, 3, 10];
        let in_bits = entropy(counts.map(|n| n as f64 / 16.0));
        assert!((entropy_of_counts(counts) / std::f64::consts::LN_2 - in_bits).abs() < 1e-12);
    }

    #[test]
    fn a_certain_outcome_has_positive_zero() {
        assert!(entropy([1.0]).is_sign_positive() && entropy([]).is_sign_positive());
    }
}
