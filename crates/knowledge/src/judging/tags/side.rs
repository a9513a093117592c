//! Moves against the opponent's positions on a side: pincers, invasions, reductions.

use std::ops::{Range, RangeInclusive};

use tejun_games::go::{Board, BoardSize, Color, Point};

use crate::judging::tags::corner::approach;
use crate::judging::tags::{MoveTag, distance};

/// The smallest board whose sides are long enough for these names.
const MIN_LINES: u8 = 17;
/// Own stones nearer than this help a move, so that it is not alone in the opponent's sphere.
const ALONE: u8 = 4;
/// How far along the side the opponent's stones on either hand may be.
const REACH: u8 = 7;
/// The first columns of a side, which belong to its corner.
const CORNER: u8 = 6;
/// Stones up to this line are a position on the side.
const POSITION: u8 = 5;
/// A stone with this much room on either hand can make a base there.
const ROOM_FOR_A_BASE: u8 = 5;
/// The largest gap between the opponent's stones that is called theirs.
const INVADED: u8 = 7;
/// The fewest stones of a framework.
const FRAMEWORK: usize = 3;

/// How high a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Height {
    /// On the third line.
    Low,
    /// On the fourth line.
    High,
}

/// What a quiet move is on its side, if anything.
pub(crate) fn side_tag(board: &Board, color: Color, point: Point) -> Option<MoveTag> {
    if board.size().get() < MIN_LINES {
        return None;
    }
    let is_enemy = |p: &Point| board.stone(*p) == Some(color.opponent());
    if board.size().points().any(|p| is_enemy(&p) && distance(p, point) == 1) {
        return None;
    }
    let pincer = SideFrame::all(board.size()).find_map(|frame| pincer(board, color, point, frame));
    pincer.or_else(|| lone_move(board, color, point))
}

/// A board as seen from one of its edges.
#[derive(Clone, Copy)]
struct SideFrame {
    size: BoardSize,
    /// Whether the edge is the left or the right one.
    is_vertical: bool,
    /// Whether lines are counted from the far end of their coordinate.
    is_far: bool,
    /// Whether columns are counted from the far end of their coordinate.
    is_mirrored: bool,
}

impl SideFrame {
    /// The side whose edge is nearest; `None` on the diagonals, where two are.
    fn of(point: Point, size: BoardSize) -> Option<SideFrame> {
        let last = size.get() - 1;
        let [x, y] = [point.x(), point.y()];
        let [from_x, from_y] = [x, y].map(|n| n.min(last - n));
        let is_vertical = from_x < from_y;
        let is_far = 2 * (if is_vertical { x } else { y }) > last;
        (from_x != from_y).then_some(SideFrame { size, is_vertical, is_far, is_mirrored: false })
    }

    /// The four sides, each from both ends.
    fn all(size: BoardSize) -> impl Iterator<Item = SideFrame> {
        let bit = |n: u8, place: u8| n >> place & 1 == 1;
        (0..8).map(move |n| SideFrame { size, is_vertical: bit(n, 0), is_far: bit(n, 1), is_mirrored: bit(n, 2) })
    }

    /// The column along the side and the line above the edge, both from 1.
    fn of_point(self, point: Point) -> (u8, u8) {
        let from = |n: u8, is_far: bool| if is_far { self.size.get() - n } else { n + 1 };
        let (along, line) = if self.is_vertical { (point.y(), point.x()) } else { (point.x(), point.y()) };
        (from(along, self.is_mirrored), from(line, self.is_far))
    }

    /// The stone on a line above a column; `None` outside of the board.
    fn stone(self, board: &Board, along: u8, line: u8) -> Option<Color> {
        let lines = 1..=self.size.get();
        if !lines.contains(&along) || !lines.contains(&line) {
            return None;
        }
        let from = |n: u8, is_far: bool| if is_far { self.size.get() - n } else { n - 1 };
        let (along, line) = (from(along, self.is_mirrored), from(line, self.is_far));
        let (x, y) = if self.is_vertical { (line, along) } else { (along, line) };
        board.stone(Point::new(x, y))
    }
}

/// A move along the side against a lone stone that approaches an own corner.
fn pincer(board: &Board, color: Color, point: Point, frame: SideFrame) -> Option<MoveTag> {
    let (along, line) = frame.of_point(point);
    let height = match line {
        3 => Height::Low,
        4 => Height::High,
        _ => return None,
    };
    let first = |columns: Range<u8>, owner: Color| {
        let mut points = columns.flat_map(|n| (3..=5).map(move |line| (n, line)));
        points.find(|&(n, line)| frame.stone(board, n, line) == Some(owner))
    };
    let approaching = first(along.saturating_sub(4)..along.saturating_sub(1), color.opponent())?;
    let corner = first(3..6.min(approaching.0), color)?;
    // A stone that is nearer to the corner may have been there first.
    approach(corner, approaching).filter(|tag| matches!(tag, MoveTag::Approach(_)))?;
    // The approaching stone is alone. Stones on the other flank of the corner do not matter.
    let is_counted = |(n, line): (u8, u8)| n > corner.0 || line <= corner.1;
    let mut points = (1..=along + 1).flat_map(|n| (1..=6).map(move |line| (n, line)));
    let is_clear =
        points.all(|p| !is_counted(p) || p == corner || p == approaching || frame.stone(board, p.0, p.1).is_none());
    is_clear.then_some(MoveTag::Pincer { n_spaces: along - approaching.0 - 1, height })
}

/// A move into the opponent's sphere, without own stones near: between stones of the opponent's, or above them.
fn lone_move(board: &Board, color: Color, point: Point) -> Option<MoveTag> {
    let frame = SideFrame::of(point, board.size())?;
    let (along, line) = frame.of_point(point);
    // Near a corner stone, others would call it an approach.
    let is_in_corner = along.min(board.size().get() + 1 - along) <= CORNER;
    let own = board.stones(color);
    let is_alone = |near: u8| own.iter().all(|p| distance(p, point) > near);
    if (5..=7).contains(&line) {
        let is_above = is_alone(ALONE - 1) && is_above_framework(board, frame, color, (along, line));
        return is_above.then_some(MoveTag::Reduction);
    }
    if !is_alone(ALONE) || !(3..=4).contains(&line) {
        return None;
    }
    let [left, right] = [-1, 1].map(|step| gap(board, frame, color, along, step));
    match (left?, right?) {
        (left, right) if left.min(right) >= ROOM_FOR_A_BASE => Some(MoveTag::Splits),
        (left, right) if left + right <= INVADED && !is_in_corner => Some(MoveTag::Invasion),
        _ => None,
    }
}

/// How far away the first stones along the side are, in one direction; `None` if one is the mover's or none is there.
fn gap(board: &Board, frame: SideFrame, color: Color, along: u8, step: i8) -> Option<u8> {
    let column = |n: u8| u8::try_from(i16::from(along) + i16::from(step) * i16::from(n)).unwrap_or(0);
    let stones = |n: u8| (1..=POSITION).filter_map(move |line| frame.stone(board, column(n), line));
    let n = (1..=REACH).find(|&n| stones(n).next().is_some())?;
    stones(n).all(|stone| stone != color).then_some(n)
}

/// Whether the opponent has a framework below the move, on both sides of it, and no stones above it.
fn is_above_framework(board: &Board, frame: SideFrame, color: Color, (along, line): (u8, u8)) -> bool {
    let stones = |columns: RangeInclusive<u8>, lines: RangeInclusive<u8>| {
        let points = columns.flat_map(move |n| lines.clone().map(move |line| (n, line)));
        points.filter_map(|(n, line)| frame.stone(board, n, line)).collect::<Vec<Color>>()
    };
    let first = along.saturating_sub(REACH);
    let below = stones(first..=along + REACH, 1..=line);
    let above = stones(along.saturating_sub(3)..=along + 3, line + 1..=line + ALONE);
    above.is_empty()
        && below.len() >= FRAMEWORK
        && below.iter().all(|&stone| stone != color)
        && !stones(first..=along, 2..=line).is_empty()
        && !stones(along..=along + REACH, 2..=line).is_empty()
        // It is above stones, not only between them.
        && !stones(along.saturating_sub(3)..=along + 3, 3..=4).is_empty()
}
