//! The shape of a move with the surrounding stones.

use tejun_games::go::{Board, BoardSize, Color, Point};

use crate::judging::tags::{distance, line};

/// A move's shape, by its nearest own stone or the stone it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Straight on from own stones that touch the opponent's (ノビ, *nobi*).
    Extension,
    /// From own stones to the first or second line (サガリ, *sagari*).
    Descent,
    /// Diagonally around a stone of the opponent's (ハネ, *hane*).
    Hane,
    /// Diagonally from an own stone (コスミ, *kosumi*).
    Diagonal,
    /// The same, and it touches a stone of the opponent's (コスミツケ, *kosumi-tsuke*).
    DiagonalContact,
    /// Between two stones of the opponent's (ワリコミ, *warikomi*).
    Wedge,
    /// Touches an opponent's stone without an adjacent own stone (ツケ, *tsuke*).
    Contact,
    /// Diagonally above a stone of the opponent's on the third or fourth line (カタツキ, *katatsuki*).
    ShoulderHit,
    /// Above a lone stone of the opponent's on the third or fourth line, with a point between (ボウシ, *bōshi*).
    Cap,
    /// Straight on with a point between (一間トビ, *ikken-tobi*).
    OneSpace,
    /// One to the side and two on (ケイマ, *keima*).
    SmallKnight,
    /// Straight on with two points between (二間トビ, *niken-tobi*).
    TwoSpace,
    /// The same along the side, on the third or fourth line (二間ビラキ, *niken-biraki*).
    SideExtension,
    /// One to the side and three on (大ゲイマ, *ōgeima*).
    LargeKnight,
}

impl Shape {
    /// The jump of this width and length, if it has a name.
    pub(crate) fn of_jump(across: u8, along: u8) -> Option<Shape> {
        match (across.min(along), across.max(along)) {
            (0, 2) => Some(Shape::OneSpace),
            (1, 2) => Some(Shape::SmallKnight),
            (0, 3) => Some(Shape::TwoSpace),
            (1, 3) => Some(Shape::LargeKnight),
            _ => None,
        }
    }
}

/// The shape of a move on the board before it; `None` where no name is sure.
pub(crate) fn shape(board: &Board, color: Color, point: Point) -> Option<Shape> {
    let size = board.size();
    let own = |p: &Point| board.stone(*p) == Some(color);
    let enemy = |p: &Point| board.stone(*p) == Some(color.opponent());
    let own_beside: Vec<Point> = point.neighbors(size).filter(own).collect();
    let n_enemies = point.neighbors(size).filter(enemy).count();
    match own_beside[..] {
        [from] => return extension(board, point, from, n_enemies),
        [_, _, ..] => return None,
        [] => {}
    }
    let own_diagonal: Vec<Point> = point.diagonal_neighbors(size).filter(own).collect();
    if let Some(&from) = own_diagonal.first() {
        let between = [Point::new(point.x(), from.y()), Point::new(from.x(), point.y())];
        return match (between.iter().filter(|p| enemy(p)).count(), n_enemies) {
            (1, 1) => Some(Shape::Hane),
            (0, 0) if own_diagonal.len() == 1 => Some(Shape::Diagonal),
            (0, 1) if own_diagonal.len() == 1 => Some(Shape::DiagonalContact),
            _ => None,
        };
    }
    match n_enemies {
        0 => {}
        1 => return Some(Shape::Contact),
        2 if is_between(point, enemy, size) => return Some(Shape::Wedge),
        _ => return None,
    }
    match () {
        _ if is_shoulder_hit(board, color, point) => Some(Shape::ShoulderHit),
        _ if is_cap(board, color, point) => Some(Shape::Cap),
        _ => jump(board, color, point),
    }
}

fn extension(board: &Board, point: Point, from: Point, n_enemies: usize) -> Option<Shape> {
    let size = board.size();
    let is_down = line(point, size) < line(from, size) && line(point, size) <= 2;
    let touches_enemy = board.chain(from).flat_map(Point::around).any(|p| {
        let stone = board.stone(p);
        stone.is_some() && stone != board.stone(from)
    });
    match () {
        _ if is_down && touches_enemy => Some(Shape::Descent),
        _ if n_enemies == 0 && touches_enemy => Some(Shape::Extension),
        _ => None,
    }
}

/// Whether the stones are on opposite sides.
fn is_between(point: Point, enemy: impl Fn(&Point) -> bool, size: BoardSize) -> bool {
    let stones: Vec<Point> = point.neighbors(size).filter(|p| enemy(p)).collect();
    matches!(stones[..], [a, b] if a.x() == b.x() || a.y() == b.y())
}

/// Whether the move is above a single stone that no other touches or is near.
fn is_shoulder_hit(board: &Board, color: Color, point: Point) -> bool {
    let size = board.size();
    let mut around = point.diagonal_neighbors(size).filter(|&p| board.stone(p).is_some());
    let (Some(stone), None) = (around.next(), around.next()) else { return false };
    let height = line(stone, size);
    let mut own = size.points().filter(|p| board.stone(*p) == Some(color));
    board.stone(stone) == Some(color.opponent())
        && (3..=4).contains(&height)
        && line(point, size) == height + 1
        && board.liberties(stone) == 4
        && own.all(|p| distance(p, stone) > 2)
}

/// Whether the move is above a lone stone, with a point between, and no other stone is near either.
fn is_cap(board: &Board, color: Color, point: Point) -> bool {
    let size = board.size();
    let height = line(point, size);
    let mut below = size.points().filter(|&p| {
        let is_straight = p.x() == point.x() || p.y() == point.y();
        is_straight && distance(p, point) == 2 && line(p, size) + 2 == height
    });
    // On a diagonal of the board, above is not clear.
    let (Some(stone), None) = (below.next(), below.next()) else { return false };
    board.stone(stone) == Some(color.opponent())
        && (3..=4).contains(&line(stone, size))
        && board.liberties(stone) == 4
        && size.points().all(|p| p == stone || board.is_empty(p) || distance(p, point) > 2)
        && size.points().all(|p| board.stone(p) != Some(color) || distance(p, stone) > 2)
}

/// The jump from the nearest own stone, if nothing is in between.
fn jump(board: &Board, color: Color, point: Point) -> Option<Shape> {
    let size = board.size();
    let offset = |p: Point| (p.x().abs_diff(point.x()), p.y().abs_diff(point.y()));
    let is_named = |p: &Point| Shape::of_jump(offset(*p).0, offset(*p).1).is_some();
    let stones = size.points().filter(|p| board.stone(*p) == Some(color) && is_named(p));
    let from = stones.min_by_key(|&p| offset(p).0 + offset(p).1)?;
    let columns = from.x().min(point.x())..=from.x().max(point.x());
    let rows = from.y().min(point.y())..=from.y().max(point.y());
    let mut between = rows.flat_map(|y| columns.clone().map(move |x| Point::new(x, y)));
    let is_free = between.all(|p| p == from || board.is_empty(p));
    let is_low = |p: Point| (3..=4).contains(&line(p, size));
    match Shape::of_jump(offset(from).0, offset(from).1).filter(|_| is_free) {
        Some(Shape::TwoSpace) if is_low(from) && line(from, size) == line(point, size) => Some(Shape::SideExtension),
        shape => shape,
    }
}
