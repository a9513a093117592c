//! Random numbers that name a stone on a point (Zobrist 1970).

use crate::go::point::CELLS;
use crate::go::{Color, Point};

/// One number a color and point; fixed for good, because collections store hashes.
static KEYS: [[u64; CELLS]; 2] = [keys(0x7465_6a75_6e00_0001), keys(0x7465_6a75_6e00_0002)];

/// The number of a stone; a position's hash is the exclusive or of its stones'.
#[inline]
pub(crate) fn stone_key(color: Color, point: Point) -> u64 {
    KEYS[color as usize][point.index()]
}

const fn keys(mut state: u64) -> [u64; CELLS] {
    let mut keys = [0; CELLS];
    let mut i = 0;
    while i < CELLS {
        // SplitMix64 (Steele, Lea and Flood 2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[i] = z ^ (z >> 31);
        i += 1;
    }
    keys
}
