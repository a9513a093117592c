//! Positions as numbers.

use std::sync::LazyLock;

/// Identifies a position among all of its game: 128 bits that depend only on the position.
///
/// Among ten million positions, two share a key with a probability of 1 in 10^24.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(pub u128);

/// Facts that a position may have; more than any game here needs.
const N_FACTS: usize = 8192;

static NUMBERS: LazyLock<Vec<u128>> = LazyLock::new(|| {
    let halves = |fact: u64| u128::from(mixed(2 * fact)) << 64 | u128::from(mixed(2 * fact + 1));
    (0..N_FACTS as u64).map(halves).collect()
});

impl PositionKey {
    /// The key of a position that has these facts, each numbered under 8,192.
    pub(crate) fn of_facts(facts: impl Iterator<Item = usize>) -> PositionKey {
        let numbers = &NUMBERS[..];
        PositionKey(facts.fold(0, |key, fact| key ^ numbers[fact % N_FACTS]))
    }
}

/// The output of SplitMix64 (Steele, Lea and Flood 2014) for the n-th step.
fn mixed(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
