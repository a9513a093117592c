//! How varied a distribution is.

use crate::statistics::entropy_term;

/// Measures of variety of a probability distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diversity {
    /// Outcomes with a probability above 0.
    pub n: usize,
    /// Shannon's entropy in bits.
    pub entropy: f64,
    /// The probability that two draws are the same.
    pub same: f64,
    /// The largest probability.
    pub largest: f64,
}

impl Diversity {
    /// Measures a distribution. Probabilities that do not add up to 1 are taken as they are.
    pub fn of(probabilities: impl Iterator<Item = f64>) -> Diversity {
        let mut all = Diversity { n: 0, entropy: 0.0, same: 0.0, largest: 0.0 };
        for p in probabilities.filter(|p| *p > 0.0) {
            all.n += 1;
            all.entropy += entropy_term(p);
            all.same += p * p;
            all.largest = all.largest.max(p);
        }
        all
    }

    /// As many even outcomes would be as varied: 2 to the power of the entropy, Hill's number of order 1.
    pub fn effective_number(&self) -> f64 {
        self.entropy.exp2()
    }

    /// Hill's (1973) numbers of orders 0, 1, 2 and infinity: ever less weight to what is rare.
    pub fn hill_numbers(&self) -> [f64; 4] {
        if self.n == 0 {
            return [0.0; 4];
        }
        [self.n as f64, self.effective_number(), 1.0 / self.same, 1.0 / self.largest]
    }
}
