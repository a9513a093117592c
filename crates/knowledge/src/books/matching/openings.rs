//! Openings drawn for games that are played on from where they leave the books.

use crate::books::matching::{Leaving, Match};

impl Match {
    /// A number that changes with the leaving positions and their probabilities (FNV-1a hash of Fowler, Noll and Vo).
    pub fn openings_fingerprint(&self) -> u64 {
        // Rounded, so that the order in which a sum is made does not matter.
        let rounded = |leaving: &Leaving| (leaving.key.0, (leaving.probability * 1e9).round() as u64);
        let mut openings: Vec<(u128, u64)> = self.leaving.iter().map(rounded).collect();
        openings.sort_unstable();
        let bytes = openings.iter().flat_map(|(key, share)| key.to_le_bytes().into_iter().chain(share.to_le_bytes()));
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    /// The leaving position of the game with this number; `None` if games never leave the books.
    ///
    /// The same seed gives the same positions.
    pub fn drawn_opening(&self, seed: u64, number: u64) -> Option<Leaving> {
        // Lots by Weyl's sequence: game after game they fill the distribution evenly. Seeds as large as a clock's
        // would leave no digits for the fraction.
        let golden = 0.618_033_988_749_894_9;
        let begin = (seed % 1_000_003) as f64 * 0.754_877_666;
        let lot = (begin + (number as f64 + 0.5) * golden).fract();
        let total: f64 = self.leaving.iter().map(|leaving| leaving.probability).sum();
        let mut rest = lot * total;
        for leaving in &self.leaving {
            rest -= leaving.probability;
            if rest < 0.0 {
                return Some(*leaving);
            }
        }
        self.leaving.last().copied()
    }
}
