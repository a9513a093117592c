//! Order statistics.

/// The value at a share of sorted values, by the nearest-rank method; `None` without values.
///
/// ```
/// use tejun_knowledge::statistics::quantile;
///
/// assert_eq!(quantile(&[1.0, 2.0, 10.0], 0.5), Some(2.0));
/// assert_eq!(quantile(&[], 0.5), None);
/// ```
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    Some(sorted[(last as f64 * share.clamp(0.0, 1.0)).round() as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extremes_are_minimum_and_maximum() {
        let sorted: Vec<f64> = (0..=100).map(f64::from).collect();
        for (share, expected) in [(0.0, 0.0), (0.025, 3.0), (0.5, 50.0), (1.0, 100.0), (7.0, 100.0)] {
            assert_eq!(quantile(&sorted, share), Some(expected), "{share}");
        }
    }
}
