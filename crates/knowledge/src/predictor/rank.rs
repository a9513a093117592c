//! The rank of the played move among all legal moves.

/// The rank of a move among the legal ones, by probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveRank {
    /// Number of moves with a higher probability.
    pub n_better: usize,
    /// Number of moves with the same probability, including itself.
    pub n_equal: usize,
}

impl MoveRank {
    /// The rank of the move with this index.
    pub fn of(values: &[f64], played: usize) -> MoveRank {
        let value = values[played];
        // Equal up to rounding: products of the same factors in another order.
        let is_equal = |other: f64| (other - value).abs() <= 1e-12 * value.abs();
        let n_equal = values.iter().filter(|&&other| is_equal(other)).count();
        let n_better = values.iter().filter(|&&other| other > value && !is_equal(other)).count();
        MoveRank { n_better, n_equal }
    }

    /// The corrected rank of the paper: the number of better moves plus half of the equal ones.
    pub fn corrected(self) -> f64 {
        self.n_better as f64 + self.n_equal as f64 / 2.0
    }

    /// The probability of being among the first `n` if equal moves are in random order.
    pub fn probability_in_top(self, n: usize) -> f64 {
        (n.saturating_sub(self.n_better) as f64 / self.n_equal as f64).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_moves_share_their_places() {
        let rank = MoveRank::of(&[0.4, 0.2, 0.2, 0.2], 2);
        assert_eq!(rank, MoveRank { n_better: 1, n_equal: 3 });
        assert_eq!(rank.corrected(), 2.5);
        assert_eq!((rank.probability_in_top(1), rank.probability_in_top(4)), (0.0, 1.0));
        assert!((rank.probability_in_top(2) - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(MoveRank::of(&[0.4, 0.2], 0).probability_in_top(1), 1.0);
    }
}
