//! The axes in which the relative code (ER) writes a move.

use tejun_games::go::{BoardSize, Point};

/// The directions of the axes, as seen from one point of the board.
///
/// Center lines and diagonals cut the board into eight triangles. In each, x
/// points toward the triangle's center line and y toward its diagonal, so the
/// same shape has the same numbers in all eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Frame {
    /// Whether x runs along the board's columns, top to bottom.
    is_swapped: bool,
    /// Whether the axis along the board's rows points left.
    is_left: bool,
    /// Whether the axis along the board's columns points up.
    is_up: bool,
}

impl Frame {
    /// The frame that the first symbol of a game inherits: the board's own axes.
    pub const FIRST: Frame = Frame { is_swapped: false, is_left: false, is_up: false };

    /// All eight frames.
    pub fn all() -> impl Iterator<Item = Frame> {
        (0..8).map(|bits| Frame { is_swapped: bits & 1 != 0, is_left: bits & 2 != 0, is_up: bits & 4 != 0 })
    }

    /// The frame at a point; what a point on a border does not determine is inherited from `before`.
    #[inline]
    pub fn at(point: Point, size: BoardSize, before: Frame) -> Frame {
        // Twice the distance from the center, so that boards of even size have whole numbers.
        let last = size.get() as i32 - 1;
        let (x, y) = (2 * point.x() as i32 - last, 2 * point.y() as i32 - last);
        Frame {
            is_swapped: if x.abs() == y.abs() { before.is_swapped } else { x.abs() > y.abs() },
            is_left: if x == 0 { before.is_left } else { x > 0 },
            is_up: if y == 0 { before.is_up } else { y > 0 },
        }
    }

    /// Each axis as determined by the first point that determines it; the board's own if none does.
    ///
    /// A run therefore has the same frame wherever it is on the board, even if it starts on a diagonal.
    pub(crate) fn decided_by(points: &[Point], size: BoardSize) -> Frame {
        // A point determines an axis if the axis does not depend on the frame before.
        let opposite = Frame { is_swapped: true, is_left: true, is_up: true };
        let decided = |axis: fn(Frame) -> bool| {
            let both = |p: &Point| (axis(Frame::at(*p, size, Frame::FIRST)), axis(Frame::at(*p, size, opposite)));
            points.iter().map(both).find(|(a, b)| a == b).is_some_and(|(a, _)| a)
        };
        Frame { is_swapped: decided(|f| f.is_swapped), is_left: decided(|f| f.is_left), is_up: decided(|f| f.is_up) }
    }

    /// The step from one point to another in these axes.
    #[inline]
    pub fn step(self, from: Point, to: Point) -> (i8, i8) {
        let right = to.x() as i8 - from.x() as i8;
        let down = to.y() as i8 - from.y() as i8;
        let along_row = if self.is_left { -right } else { right };
        let along_column = if self.is_up { -down } else { down };
        if self.is_swapped { (along_column, along_row) } else { (along_row, along_column) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tejun_games::go::Symmetry;

    /// Points as the paper counts them, from 1.
    fn point(x: u8, y: u8) -> Point {
        Point::new(x - 1, y - 1)
    }

    #[test]
    fn the_papers_example() {
        let frame = Frame::at(point(4, 7), BoardSize::NINETEEN, Frame::FIRST);
        assert_eq!(frame.step(point(4, 7), point(3, 9)), (2, -1));
    }

    #[test]
    fn symmetric_steps_are_written_alike() {
        let size = BoardSize::NINETEEN;
        let (from, to) = (point(4, 7), point(6, 2));
        let expected = Frame::at(from, size, Frame::FIRST).step(from, to);
        for symmetry in Symmetry::ALL {
            let (from, to) = (symmetry.apply(from, size), symmetry.apply(to, size));
            assert_eq!(Frame::at(from, size, Frame::FIRST).step(from, to), expected, "{symmetry:?}");
        }
    }

    #[test]
    fn borders_inherit_undetermined_axes() {
        let size = BoardSize::NINETEEN;
        for before in Frame::all() {
            let diagonal = Frame::at(point(4, 4), size, before);
            assert_eq!(diagonal.is_swapped, before.is_swapped);
            assert!(!diagonal.is_left && !diagonal.is_up);
            let center_line = Frame::at(point(4, 10), size, before);
            assert_eq!(center_line.is_up, before.is_up);
            assert!(center_line.is_swapped && !center_line.is_left);
            assert_eq!(Frame::at(point(10, 10), size, before), before);
        }
    }
}
