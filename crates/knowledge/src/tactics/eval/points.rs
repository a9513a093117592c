//! Sets of points in six 64-bit words, for boards of up to 19 lines.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use tejun_games::go::{BoardSize, Point, PointSet};

/// Number of words of a set.
pub(crate) const N_WORDS: usize = 6;
/// Bits from one row to the next: 19 points and one that is never set, so that neighbors are shifts and rows do not
/// overlap.
const STRIDE: usize = 20;

/// A set of points of a board with up to 19 lines, one bit per point.
///
/// The complement (`!`) has bits off the board; intersect it with [`Points::all`]. All other operations stay on the
/// board.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(pub(crate) [u64; N_WORDS]);

impl Points {
    /// The set without points.
    pub const NONE: Points = Points([0; N_WORDS]);
    /// The largest supported board.
    pub const MAX_LINES: u8 = 19;

    /// Every point of a board of up to 19 lines.
    pub fn all(size: BoardSize) -> Points {
        size.points().collect()
    }

    /// The set of one point.
    pub fn one(point: Point) -> Points {
        let mut set = Points::NONE;
        set.insert(point);
        set
    }

    /// Whether the point is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        let bit = bit_of(point);
        self.0[bit / 64] >> (bit % 64) & 1 != 0
    }

    /// Adds a point.
    #[inline]
    pub fn insert(&mut self, point: Point) {
        let bit = bit_of(point);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// The number of points.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no point.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; N_WORDS]
    }

    /// Whether every point is also in `other`.
    #[inline]
    pub fn is_subset(&self, other: &Points) -> bool {
        (*self - *other).is_empty()
    }

    /// Whether the sets have a common point.
    #[inline]
    pub fn meets(&self, other: &Points) -> bool {
        !(*self & *other).is_empty()
    }

    /// The points in order, row by row from the upper left.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.bits().map(|bit| Point::new((bit % STRIDE) as u8, (bit / STRIDE) as u8))
    }

    /// The indices of the bits that are set.
    pub(crate) fn bits(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = index * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    bit
                })
            })
        })
    }

    /// The points and their neighbors; may have bits off the board.
    #[inline]
    pub(crate) fn grown(&self) -> Points {
        let [left, right, up, down] = self.shifts();
        *self | left | right | up | down
    }

    /// For every point, how many of the point and its neighbors are in the set; may be off the board.
    #[inline]
    pub(crate) fn tally(&self) -> PointTally {
        let [left, right, up, down] = self.shifts();
        let (sum, carry) = add_three(left, right, up);
        let (ones, carry_too) = add_three(sum, down, *self);
        PointTally { ones, twos: carry ^ carry_too, fours: carry & carry_too, more: Points::NONE }
    }

    /// The set shifted by one step in each direction.
    #[inline]
    fn shifts(&self) -> [Points; 4] {
        [self.up_by(1), self.down_by(1), self.up_by(STRIDE), self.down_by(STRIDE)]
    }

    #[inline]
    fn up_by(&self, n: usize) -> Points {
        let below = |i: usize| if i == 0 { 0 } else { self.0[i - 1] >> (64 - n) };
        Points(std::array::from_fn(|i| self.0[i] << n | below(i)))
    }

    #[inline]
    fn down_by(&self, n: usize) -> Points {
        let above = |i: usize| if i + 1 == N_WORDS { 0 } else { self.0[i + 1] << (64 - n) };
        Points(std::array::from_fn(|i| self.0[i] >> n | above(i)))
    }

    #[inline]
    fn zip(&self, other: &Points, word: impl Fn(u64, u64) -> u64) -> Points {
        Points(std::array::from_fn(|i| word(self.0[i], other.0[i])))
    }
}

fn bit_of(point: Point) -> usize {
    point.y() as usize * STRIDE + point.x() as usize
}

/// Sum and carry of three bits, for all points at once.
#[inline]
fn add_three(a: Points, b: Points, c: Points) -> (Points, Points) {
    let both = a ^ b;
    (both ^ c, (a & b) | (both & c))
}

/// A small number at each point, stored bit by bit; saturates at 8.
pub(crate) struct PointTally {
    pub(crate) ones: Points,
    pub(crate) twos: Points,
    pub(crate) fours: Points,
    pub(crate) more: Points,
}

impl PointTally {
    /// Adds a number below 8 at the points of a set that has bits only in this range of words.
    #[inline]
    pub(crate) fn add(&mut self, number: u32, at: &Points, range: std::ops::Range<usize>) {
        for i in range {
            let bit = |place: u32| if number >> place & 1 != 0 { at.0[i] } else { 0 };
            let (one, two, four) = (self.ones.0[i], self.twos.0[i], self.fours.0[i]);
            let carry = one & bit(0);
            let (sum_two, sum_four) = (two ^ bit(1), four ^ bit(2));
            let carry_two = two & bit(1) | sum_two & carry;
            self.ones.0[i] = one ^ bit(0);
            self.twos.0[i] = sum_two ^ carry;
            self.fours.0[i] = sum_four ^ carry_two;
            self.more.0[i] |= four & bit(2) | sum_four & carry_two;
        }
    }

    /// The points whose number is at least `n`, from 1 to 5.
    #[inline]
    pub(crate) fn at_least(&self, n: u8) -> Points {
        let PointTally { ones, twos, fours, more } = *self;
        let reached = match n {
            1 => ones | twos | fours,
            2 => twos | fours,
            3 => fours | (twos & ones),
            4 => fours,
            _ => fours & (ones | twos),
        };
        reached | more
    }
}

impl FromIterator<Point> for Points {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Points {
        let mut set = Points::NONE;
        points.into_iter().for_each(|point| set.insert(point));
        set
    }
}

impl From<&PointSet> for Points {
    fn from(set: &PointSet) -> Points {
        set.iter().collect()
    }
}

impl From<&Points> for PointSet {
    fn from(set: &Points) -> PointSet {
        set.iter().collect()
    }
}

impl BitAnd for Points {
    type Output = Points;
    #[inline]
    fn bitand(self, other: Points) -> Points {
        self.zip(&other, |a, b| a & b)
    }
}

impl BitOr for Points {
    type Output = Points;
    #[inline]
    fn bitor(self, other: Points) -> Points {
        self.zip(&other, |a, b| a | b)
    }
}

impl BitXor for Points {
    type Output = Points;
    #[inline]
    fn bitxor(self, other: Points) -> Points {
        self.zip(&other, |a, b| a ^ b)
    }
}

/// Set difference.
impl Sub for Points {
    type Output = Points;
    #[inline]
    fn sub(self, other: Points) -> Points {
        self.zip(&other, |a, b| a & !b)
    }
}

impl Not for Points {
    type Output = Points;
    #[inline]
    fn not(self) -> Points {
        Points(self.0.map(|word| !word))
    }
}

impl BitAndAssign for Points {
    #[inline]
    fn bitand_assign(&mut self, other: Points) {
        *self = *self & other;
    }
}

impl BitOrAssign for Points {
    #[inline]
    fn bitor_assign(&mut self, other: Points) {
        *self = *self | other;
    }
}

impl BitXorAssign for Points {
    #[inline]
    fn bitxor_assign(&mut self, other: Points) {
        *self = *self ^ other;
    }
}

impl std::fmt::Debug for Points {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn points(size: u8) -> impl Strategy<Value = BTreeSet<Point>> {
        proptest::collection::btree_set((0..size, 0..size).prop_map(|(x, y)| Point::new(x, y)), 0..200)
    }

    fn lines() -> impl Strategy<Value = (u8, BTreeSet<Point>, BTreeSet<Point>)> {
        prop_oneof![Just(19), 2u8..19].prop_flat_map(|n| (Just(n), points(n), points(n)))
    }

    proptest! {
        #[test]
        fn algebra_equals_that_of_sorted_sets((lines, a, b) in lines()) {
            let size = BoardSize::new(lines).expect("a size");
            let all = Points::all(size);
            let bits = |set: &BTreeSet<Point>| set.iter().copied().collect::<Points>();
            let check = |bits: Points, naive: BTreeSet<Point>| {
                assert_eq!(bits.iter().collect::<BTreeSet<_>>(), naive);
                assert_eq!(bits.len(), naive.len());
            };
            check(bits(&a) | bits(&b), &a | &b);
            check(bits(&a) & bits(&b), &a & &b);
            check(bits(&a) - bits(&b), &a - &b);
            check(bits(&a) ^ bits(&b), &a ^ &b);
            check(all & !bits(&a), size.points().filter(|p| !a.contains(p)).collect());
            for n in 1..=5 {
                let near = |p: &Point| p.neighbors(size).chain([*p]).filter(|q| a.contains(q)).count();
                check(all & bits(&a).tally().at_least(n), size.points().filter(|p| near(p) >= n as usize).collect());
            }
            prop_assert_eq!(all & bits(&a).grown(), all & bits(&a).tally().at_least(1));
            prop_assert_eq!(bits(&a).is_subset(&bits(&b)), a.is_subset(&b));
            prop_assert_eq!(Points::from(&PointSet::from(&bits(&a))), bits(&a));
        }

        #[test]
        fn tallies_count_up_to_seven_and_saturate(numbers in proptest::collection::vec(0u32..6, 0..7)) {
            let at = Points::one(Point::new(5, 5));
            let mut tally = Points::NONE.tally();
            numbers.iter().for_each(|&number| tally.add(number, &at, 0..N_WORDS));
            let total: u32 = numbers.iter().sum();
            for n in 1..=5 {
                prop_assert_eq!(tally.at_least(n), if total >= u32::from(n) { at } else { Points::NONE });
            }
        }
    }
}
