//! Random numbers for playouts: fast, and the same from the same seed.

/// A generator (wyrand; Wang Yi 2019).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    #[inline]
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (product >> 64) as u64 ^ product as u64
    }

    /// A number below `end`, which is not 0.
    #[inline]
    pub(crate) fn below(&mut self, end: usize) -> usize {
        // The high half of a product is nearly even for the small ends of a board.
        (((self.next() >> 32) * end as u64) >> 32) as usize
    }

    /// True with this probability, in 256ths.
    #[inline]
    pub(crate) fn happens(&mut self, of_256: u32) -> bool {
        (self.next() >> 56) < u64::from(of_256)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_even_and_below_the_end() {
        let mut random = Random::new(1);
        let mut counts = [0; 7];
        for _ in 0..70_000 {
            counts[random.below(7)] += 1;
        }
        assert!(counts.iter().all(|n| (9_500..10_500).contains(n)), "{counts:?}");
        let n = (0..10_000).filter(|_| random.happens(64)).count();
        assert!((2_300..2_700).contains(&n), "{n}");
    }
}
