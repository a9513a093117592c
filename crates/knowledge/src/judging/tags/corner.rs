//! The first stones in a corner.

use tejun_games::go::{Board, BoardSize, Color, Point};

use crate::judging::tags::{MoveTag, Shape};

/// The smallest board whose corners are apart.
const MIN_LINES: u8 = 13;

/// Where a corner is opened, by its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CornerPoint {
    /// Third and third line (三々, *sansan*).
    ThreeThree,
    /// Third and fourth line (小目, *komoku*).
    ThreeFour,
    /// Fourth and fourth line (星, *hoshi*).
    Star,
    /// Third and fifth line (目外し, *mokuhazushi*).
    FiveThree,
    /// Fourth and fifth line (高目, *takamoku*).
    FiveFour,
}

impl CornerPoint {
    fn of_lines(lines: (u8, u8)) -> Option<CornerPoint> {
        match (lines.0.min(lines.1), lines.0.max(lines.1)) {
            (3, 3) => Some(CornerPoint::ThreeThree),
            (3, 4) => Some(CornerPoint::ThreeFour),
            (4, 4) => Some(CornerPoint::Star),
            (3, 5) => Some(CornerPoint::FiveThree),
            (4, 5) => Some(CornerPoint::FiveFour),
            _ => None,
        }
    }

    /// The points from which a corner is approached or enclosed, if the stone's nearer edge is the first axis's.
    fn partners(self) -> &'static [(u8, u8)] {
        match self {
            CornerPoint::ThreeThree => &[],
            CornerPoint::ThreeFour => &[(5, 3), (5, 4), (6, 3), (6, 4)],
            CornerPoint::Star => &[(6, 3), (6, 4), (7, 3)],
            CornerPoint::FiveThree => &[(4, 3)],
            CornerPoint::FiveFour => &[(4, 3)],
        }
    }
}

/// What a move is in its corner, if at most one stone is there before it.
pub(crate) fn corner_tag(board: &Board, color: Color, point: Point) -> Option<MoveTag> {
    let size = board.size();
    if size.get() < MIN_LINES {
        return None;
    }
    let sides = (side(point.x(), size)?, side(point.y(), size)?);
    let is_same = |p: &Point| side(p.x(), size) == Some(sides.0) && side(p.y(), size) == Some(sides.1);
    let mut stones = size.points().filter(|p| is_same(p) && board.stone(*p).is_some());
    let lines = |p: Point| (from_edge(p.x(), size), from_edge(p.y(), size));
    match (stones.next(), stones.next()) {
        (None, _) => CornerPoint::of_lines(lines(point)).map(MoveTag::Corner),
        (Some(stone), None) => {
            let shape = partner_shape(lines(stone), lines(point))?;
            let is_own = board.stone(stone) == Some(color);
            Some(if is_own { MoveTag::Enclosure(shape) } else { MoveTag::Approach(shape) })
        }
        _ => None,
    }
}

/// The shape between a corner stone and a move that goes with it, both by their lines.
fn partner_shape(stone: (u8, u8), lines: (u8, u8)) -> Option<Shape> {
    let partners = CornerPoint::of_lines(stone)?.partners();
    let turned = |(a, b): (u8, u8)| (b, a);
    // With the nearer edge first; a stone on the diagonal has both ways.
    let is_partner = match stone {
        (a, b) if a == b => partners.contains(&lines) || partners.contains(&turned(lines)),
        (a, b) if a < b => partners.contains(&lines),
        _ => partners.contains(&turned(lines)),
    };
    if is_partner { Shape::of_jump(stone.0.abs_diff(lines.0), stone.1.abs_diff(lines.1)) } else { None }
}

/// Which half of the board a line is in; `None` on the middle one.
fn side(coordinate: u8, size: BoardSize) -> Option<bool> {
    let middle = size.get() - 1;
    (2 * coordinate != middle).then_some(2 * coordinate > middle)
}

fn from_edge(coordinate: u8, size: BoardSize) -> u8 {
    coordinate.min(size.get() - 1 - coordinate) + 1
}
