//! The eight symmetries of a square board.

use crate::go::{BoardSize, Point};

/// A rotation or reflection of the board.
///
/// Bit 0 mirrors left and right, bit 1 mirrors up and down, bit 2 then swaps
/// columns and rows.
///
/// ```
/// use tejun_games::go::{BoardSize, Point, Symmetry};
///
/// let size = BoardSize::NINETEEN;
/// let point = Point::parse("R16", size)?;
/// let images: std::collections::BTreeSet<_> = Symmetry::ALL.map(|s| s.apply(point, size)).into();
/// assert_eq!(images.len(), 8);
/// # Ok::<(), tejun_games::go::ParsePointError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry(0);
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] =
        [Symmetry(0), Symmetry(1), Symmetry(2), Symmetry(3), Symmetry(4), Symmetry(5), Symmetry(6), Symmetry(7)];

    /// The image of a point.
    #[inline]
    pub fn apply(self, point: Point, size: BoardSize) -> Point {
        let last = size.get() - 1;
        let (mut x, mut y) = (point.x(), point.y());
        if self.0 & 1 != 0 {
            x = last - x;
        }
        if self.0 & 2 != 0 {
            y = last - y;
        }
        if self.0 & 4 != 0 { Point::new(y, x) } else { Point::new(x, y) }
    }

    /// The symmetry that undoes this one.
    pub fn inverse(self) -> Symmetry {
        // Swapping columns and rows exchanges the two mirrors.
        if self.0 & 4 != 0 { Symmetry(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1) } else { self }
    }

    /// The symmetry that does `self` and then `next`.
    pub fn then(self, next: Symmetry) -> Symmetry {
        let mirrors = if self.0 & 4 != 0 { (next.0 & 1) << 1 | (next.0 & 2) >> 1 } else { next.0 & 3 };
        Symmetry((self.0 & 3) ^ mirrors | (self.0 ^ next.0) & 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eight_form_a_group() {
        let size = BoardSize::new(7).expect("a size");
        for a in Symmetry::ALL {
            for b in Symmetry::ALL {
                for p in size.points() {
                    let twice = b.apply(a.apply(p, size), size);
                    assert_eq!(a.then(b).apply(p, size), twice, "{a:?} then {b:?}");
                }
            }
            assert_eq!(a.then(a.inverse()), Symmetry::IDENTITY);
        }
        let corner_twins: std::collections::HashSet<_> =
            Symmetry::ALL.iter().map(|s| s.apply(Point::new(2, 0), size)).collect();
        assert_eq!(corner_twins.len(), 8);
    }
}
