//! The shapes of patterns: nested templates, and the random numbers that identify their contents.

/// Number of templates, each within the next; the last covers the whole board.
pub const N_TEMPLATES: usize = 13;
/// The largest distance within each template except the last.
const REACH: [u8; N_TEMPLATES - 1] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17];
/// Maximum distance of two points on the largest board along one axis.
const FAR: usize = 24;
/// Number of offsets along one axis.
const SPAN: usize = 2 * FAR + 1;

/// The distance between points with this offset, which defines the shape of templates.
///
/// |dx| + |dy| + max(|dx|, |dy|): its rings are almost circles.
pub fn distance(dx: i8, dy: i8) -> u8 {
    let (dx, dy) = (dx.unsigned_abs(), dy.unsigned_abs());
    dx + dy + dx.max(dy)
}

/// The smallest template that contains this offset from its center.
pub fn ring_of(dx: i8, dy: i8) -> usize {
    let distance = distance(dx, dy);
    REACH.iter().position(|&reach| distance <= reach).unwrap_or(N_TEMPLATES - 1)
}

/// One number for each of the eight images of something at an offset.
pub(crate) type Images = [u64; 8];

/// Random numbers for what may be at an offset from a template's center.
///
/// The opponent's number is the own number with its halves swapped, and the number for points off the board has two
/// equal halves. So swapping the halves of a pattern's key swaps the colors, and one key serves both sides.
pub(crate) struct OffsetKeys {
    own: Vec<Images>,
    ring: Vec<u8>,
}

impl OffsetKeys {
    pub(crate) fn new() -> OffsetKeys {
        let offset = |i: usize| ((i % SPAN) as i8 - FAR as i8, (i / SPAN) as i8 - FAR as i8);
        let image = |symmetry: usize, (dx, dy): (i8, i8)| {
            let dx = if symmetry & 1 != 0 { -dx } else { dx };
            let dy = if symmetry & 2 != 0 { -dy } else { dy };
            let (dx, dy) = if symmetry & 4 != 0 { (dy, dx) } else { (dx, dy) };
            scramble(1 + index(dx, dy) as u64)
        };
        let n = SPAN * SPAN;
        let images = |i| std::array::from_fn(|symmetry| image(symmetry, offset(i)));
        let ring = |i| ring_of(offset(i).0, offset(i).1) as u8;
        OffsetKeys { own: (0..n).map(images).collect(), ring: (0..n).map(ring).collect() }
    }

    /// The images of an own stone at an offset, and the ring that contains it.
    #[inline]
    pub(crate) fn own(&self, dx: i8, dy: i8) -> (&Images, usize) {
        let i = index(dx, dy);
        (&self.own[i], self.ring[i] as usize)
    }

    /// The images of a cell off the board.
    pub(crate) fn off_board(&self, dx: i8, dy: i8) -> (Images, usize) {
        let (own, ring) = self.own(dx, dy);
        let both_halves = |key: u64| {
            let half = scramble(key) >> 32;
            half << 32 | half
        };
        (own.map(both_halves), ring)
    }
}

#[inline]
fn index(dx: i8, dy: i8) -> usize {
    (dy as isize + FAR as isize) as usize * SPAN + (dx as isize + FAR as isize) as usize
}

/// The same key for the other side.
#[inline]
pub(crate) fn swap_colors(key: u64) -> u64 {
    key.rotate_left(32)
}

/// A pseudorandom number, different for every input (SplitMix64's finish).
#[inline]
pub(crate) fn scramble(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
