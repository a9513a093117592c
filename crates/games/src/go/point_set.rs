//! Sets of points with set algebra.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub};

use crate::go::{BoardSize, Point};

const ROWS: usize = BoardSize::MAX as usize;

/// A set of points: one bit per point, one word per row.
///
/// Rows as words make neighbors two shifts and the four directions free of
/// masks. The complement (`!`) is taken over the largest board; intersect it
/// with [`PointSet::all`] of the board in play.
///
/// ```
/// use tejun_games::go::{BoardSize, Point, PointSet};
///
/// let size = BoardSize::NINETEEN;
/// let stars: PointSet = size.star_points().into_iter().collect();
/// assert_eq!(stars.len(), 9);
/// assert_eq!(stars.neighbors(size).len(), 36);
/// assert_eq!((PointSet::all(size) - stars).len(), 352);
/// assert!(stars.contains(Point::new(3, 3)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PointSet {
    rows: [u32; ROWS],
}

impl PointSet {
    /// The set without points.
    pub const EMPTY: PointSet = PointSet { rows: [0; ROWS] };

    /// Every point of a board.
    pub fn all(size: BoardSize) -> PointSet {
        let n = size.get();
        let mut rows = [0; ROWS];
        rows[..n as usize].fill((1u32 << n) - 1);
        PointSet { rows }
    }

    /// Whether the point is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.rows[point.y() as usize] >> point.x() & 1 != 0
    }

    /// Adds a point; returns whether it was new.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        let row = &mut self.rows[point.y() as usize];
        let bit = 1 << point.x();
        let is_new = *row & bit == 0;
        *row |= bit;
        is_new
    }

    /// Removes a point; returns whether it was there.
    #[inline]
    pub fn remove(&mut self, point: Point) -> bool {
        let row = &mut self.rows[point.y() as usize];
        let bit = 1 << point.x();
        let was_there = *row & bit != 0;
        *row &= !bit;
        was_there
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// Whether every point is also in `other`.
    pub fn is_subset(&self, other: &PointSet) -> bool {
        (*self - *other).is_empty()
    }

    /// The points in order, row by row from the upper left.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.rows.iter().enumerate().flat_map(|(y, &row)| {
            let mut left = row;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let x = left.trailing_zeros() as u8;
                    left &= left - 1;
                    Point::new(x, y as u8)
                })
            })
        })
    }

    /// The points next to a point of the set, on a board of this size.
    ///
    /// Points of the set itself are among them if they touch another.
    pub fn neighbors(&self, size: BoardSize) -> PointSet {
        let mut rows = [0; ROWS];
        for (y, row) in rows.iter_mut().enumerate() {
            let above = if y > 0 { self.rows[y - 1] } else { 0 };
            let below = if y + 1 < ROWS { self.rows[y + 1] } else { 0 };
            *row = above | below | self.rows[y] << 1 | self.rows[y] >> 1;
        }
        PointSet { rows } & PointSet::all(size)
    }

    #[inline]
    fn zip(&self, other: &PointSet, word: impl Fn(u32, u32) -> u32) -> PointSet {
        PointSet { rows: std::array::from_fn(|y| word(self.rows[y], other.rows[y])) }
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}

impl BitAnd for PointSet {
    type Output = PointSet;
    fn bitand(self, other: PointSet) -> PointSet {
        self.zip(&other, |a, b| a & b)
    }
}

impl BitOr for PointSet {
    type Output = PointSet;
    fn bitor(self, other: PointSet) -> PointSet {
        self.zip(&other, |a, b| a | b)
    }
}

impl BitXor for PointSet {
    type Output = PointSet;
    fn bitxor(self, other: PointSet) -> PointSet {
        self.zip(&other, |a, b| a ^ b)
    }
}

/// Set difference.
impl Sub for PointSet {
    type Output = PointSet;
    fn sub(self, other: PointSet) -> PointSet {
        self.zip(&other, |a, b| a & !b)
    }
}

impl Not for PointSet {
    type Output = PointSet;
    fn not(self) -> PointSet {
        let full = PointSet { rows: [(1 << ROWS) - 1; ROWS] };
        full - self
    }
}

impl BitAndAssign for PointSet {
    fn bitand_assign(&mut self, other: PointSet) {
        *self = *self & other;
    }
}

impl BitOrAssign for PointSet {
    fn bitor_assign(&mut self, other: PointSet) {
        *self = *self | other;
    }
}

impl std::fmt::Debug for PointSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn points() -> impl Strategy<Value = BTreeSet<Point>> {
        proptest::collection::btree_set((0u8..25, 0u8..25).prop_map(|(x, y)| Point::new(x, y)), 0..60)
    }

    fn bits(points: &BTreeSet<Point>) -> PointSet {
        points.iter().copied().collect()
    }

    proptest! {
        #[test]
        fn algebra_equals_that_of_sorted_sets(a in points(), b in points()) {
            let check = |bits: PointSet, naive: BTreeSet<Point>| {
                assert_eq!(bits.iter().collect::<BTreeSet<_>>(), naive);
                assert_eq!(bits.len(), naive.len());
            };
            check(bits(&a) | bits(&b), &a | &b);
            check(bits(&a) & bits(&b), &a & &b);
            check(bits(&a) - bits(&b), &a - &b);
            check(bits(&a) ^ bits(&b), &a ^ &b);
            check(!!bits(&a), a.clone());
            let size = BoardSize::new(25).expect("a size");
            check(bits(&a).neighbors(size), a.iter().flat_map(|p| p.neighbors(size)).collect());
            prop_assert_eq!(bits(&a).is_subset(&bits(&b)), a.is_subset(&b));
        }
    }
}
