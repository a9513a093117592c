//! The first stones in a corner.

use tejun_games::go::{Board, BoardSize, Color, Point};

use crate::judging::tags::{MoveTag, Shape, distance};

/// The smallest board whose corners are apart.
const MIN_LINES: u8 = 13;

/// The lines of a corner, from either edge.
const CORNER: u8 = 8;

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
            CornerPoint::FiveThree | CornerPoint::FiveFour => &[(4, 3)],
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
        (Some(stone), None) if board.stone(stone) == Some(color) => {
            partner_shape(lines(stone), lines(point)).map(MoveTag::Enclosure)
        }
        (Some(stone), None) => approach(lines(stone), lines(point)),
        _ => None,
    }
}

/// How a move approaches a lone stone in a corner, both by their lines.
pub(crate) fn approach(stone: (u8, u8), lines: (u8, u8)) -> Option<MoveTag> {
    let shape = partner_shape(stone, lines)?;
    match CornerPoint::of_lines(stone)? {
        // From the side of the corner, so that its shape is not its name.
        CornerPoint::FiveThree | CornerPoint::FiveFour => CornerPoint::of_lines(lines).map(MoveTag::ApproachAt),
        _ => Some(MoveTag::Approach(shape)),
    }
}

/// The 3-3 point under the opponent's star point stone, if nothing else is near in the corner.
pub(crate) fn three_three(board: &Board, color: Color, point: Point) -> Option<MoveTag> {
    let size = board.size();
    let at = |x: u8, y: u8| (from_edge(x, size), from_edge(y, size));
    if size.get() < MIN_LINES || at(point.x(), point.y()) != (3, 3) {
        return None;
    }
    let near = size.points().filter(|&p| distance(p, point) <= 2);
    let stones: Vec<Point> = near.filter(|&p| board.stone(p).is_some()).collect();
    let is_star = |p: Point| at(p.x(), p.y()) == (4, 4) && board.stone(p) == Some(color.opponent());
    matches!(stones[..], [stone] if is_star(stone)).then_some(MoveTag::ThreeThree)
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

/// At which end of the board a line is; `None` outside of the corners.
fn side(coordinate: u8, size: BoardSize) -> Option<bool> {
    let middle = size.get() - 1;
    let is_in_corner = 2 * coordinate != middle && from_edge(coordinate, size) <= CORNER;
    is_in_corner.then_some(2 * coordinate > middle)
}

fn from_edge(coordinate: u8, size: BoardSize) -> u8 {
    coordinate.min(size.get() - 1 - coordinate) + 1
}
