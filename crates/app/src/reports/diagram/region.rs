//! The part of the board a diagram shows.

use std::ops::RangeInclusive;

use tejun_games::go::{BoardSize, Point};

/// A rectangle of columns and rows, never empty and never past the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    left: u8,
    top: u8,
    right: u8,
    bottom: u8,
}

/// A side of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Top,
    Right,
    Bottom,
}

impl Side {
    pub(crate) fn opposite(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Top => Side::Bottom,
            Side::Right => Side::Left,
            Side::Bottom => Side::Top,
        }
    }
}

impl Region {
    /// The whole board.
    pub fn all(size: BoardSize) -> Region {
        let last = size.get() - 1;
        Region { left: 0, top: 0, right: last, bottom: last }
    }

    /// The `lines` by `lines` corner where joseki are shown; at least one line.
    pub fn upper_right(size: BoardSize, lines: u8) -> Region {
        let lines = lines.clamp(1, size.get());
        Region { left: size.get() - lines, bottom: lines - 1, ..Region::all(size) }
    }

    /// The smallest rectangle with these points and `margin` lines around them.
    ///
    /// A side that would stop one line short of the edge goes to the edge:
    /// a lone missing line looks like a misprint. Without points it is the
    /// whole board.
    pub fn around(size: BoardSize, points: &[Point], margin: u8) -> Region {
        let last = size.get() - 1;
        let span = |coordinate: fn(&Point) -> u8| {
            let lines = points.iter().filter(|p| size.has(**p)).map(coordinate);
            let low = lines.clone().min()?.saturating_sub(margin);
            let high = lines.max()?.saturating_add(margin).min(last);
            Some((if low == 1 { 0 } else { low }, if high + 1 == last { last } else { high }))
        };
        match (span(|p| p.x()), span(|p| p.y())) {
            (Some((left, right)), Some((top, bottom))) => Region { left, top, right, bottom },
            _ => Region::all(size),
        }
    }

    /// This region without what is past a board of another size.
    pub(crate) fn cut_to(self, size: BoardSize) -> Region {
        let last = size.get() - 1;
        Region {
            left: self.left.min(last),
            top: self.top.min(last),
            right: self.right.min(last),
            bottom: self.bottom.min(last),
        }
    }

    /// The columns from left to right.
    pub(crate) fn columns(self) -> RangeInclusive<u8> {
        self.left..=self.right
    }

    /// The rows from the top down.
    pub(crate) fn rows(self) -> RangeInclusive<u8> {
        self.top..=self.bottom
    }

    pub(crate) fn contains(self, point: Point) -> bool {
        self.columns().contains(&point.x()) && self.rows().contains(&point.y())
    }

    /// Whether the board ends on this side.
    pub(crate) fn is_edge(self, size: BoardSize, side: Side) -> bool {
        let all = Region::all(size);
        match side {
            Side::Left => self.left == all.left,
            Side::Top => self.top == all.top,
            Side::Right => self.right == all.right,
            Side::Bottom => self.bottom == all.bottom,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(region: Region, left_top_right_bottom: [u8; 4]) {
        let Region { left, top, right, bottom } = region;
        assert_eq!([left, top, right, bottom], left_top_right_bottom);
    }

    #[test]
    fn corners_are_cut_at_the_board() {
        let size = BoardSize::NINETEEN;
        check(Region::upper_right(size, 10), [9, 0, 18, 9]);
        check(Region::upper_right(size, 40), [0, 0, 18, 18]);
        check(Region::upper_right(size, 0), [18, 0, 18, 0]);
    }

    #[test]
    fn surroundings_reach_for_a_near_edge() {
        let size = BoardSize::NINETEEN;
        let points = [Point::new(8, 15), Point::new(11, 13)];
        check(Region::around(size, &points, 2), [6, 11, 13, 18]);
        check(Region::around(size, &points, 200), [0, 0, 18, 18]);
        check(Region::around(size, &[Point::new(3, 3)], 0), [3, 3, 3, 3]);
        check(Region::around(size, &[], 2), [0, 0, 18, 18]);
        let off_board = [Point::new(24, 24)];
        check(Region::around(size, &off_board, 2), [0, 0, 18, 18]);
    }

    #[test]
    fn a_region_of_a_larger_board_is_cut() {
        let small = BoardSize::new(9).expect("a size");
        let corner = Region::upper_right(BoardSize::NINETEEN, 4);
        check(corner.cut_to(small), [8, 0, 8, 3]);
    }
}
