//! The features of a candidate move, as indices of weights.

use tejun_games::Move;
use tejun_games::go::{Board, Color, Point};

use crate::patterns::dictionary::joined;
use crate::patterns::facts::{Facts, N_ATARI, N_CAPTURE, N_ESCAPE, N_SELF_ATARI};
use crate::patterns::keys::{PatternBoard, normal_key, offsets};
use crate::patterns::template::{Images, N_TEMPLATES, distance};

/// Number of keys other than plain patterns.
pub(crate) const N_SHAPES: usize = 16;

/// Number of earlier moves searched for the sequence that a candidate continues.
const N_BACK: usize = 40;
/// Maximum number of lines between a candidate and the moves of its sequence.
const LOCAL: i8 = 6;
/// Distance from a move within which shapes are combined with it.
const NEAR: u8 = 17;

/// The number of values of each small feature, in the order of their indices.
const SMALL: [usize; 13] = [361, 120, N_CAPTURE, N_ESCAPE, N_SELF_ATARI, N_ATARI, 180, 125, 19, 100, 500, 400, 100];
/// Index of the feature for the number of known templates, after all values of small features.
pub(crate) const DEPTH: usize = {
    let (mut sum, mut i) = (0, 0);
    while i < SMALL.len() {
        sum += SMALL[i];
        i += 1;
    }
    sum
};
/// Index of an unknown shape.
pub(crate) const ABSENT: usize = DEPTH + N_TEMPLATES + 1;
/// Number of all indices before those of the dictionary.
pub(crate) const N_SMALL: usize = ABSENT + N_SHAPES;
/// Number of small features of a candidate.
pub(crate) const N_SMALL_FEATURES: usize = SMALL.len();

/// The features of a position that all its candidates share.
pub(crate) struct Scene<'b> {
    patterns: &'b PatternBoard,
    pub(crate) board: &'b Board,
    pub(crate) color: Color,
    /// The points of the last moves, latest first.
    pub(crate) last: [Option<Point>; 3],
    /// More of the last moves, with their colors.
    recent: Vec<(Color, Point)>,
    stage: usize,
    /// For every point, the distance to the nearest own stone and to the nearest opponent's stone.
    pub(crate) near: [Vec<u8>; 2],
    pub(crate) ko: Option<Point>,
}

impl<'b> Scene<'b> {
    /// The scene after these moves.
    pub(crate) fn new(patterns: &'b PatternBoard, color: Color, moves: &[Move]) -> Scene<'b> {
        let board = patterns.board();
        let point = |back: usize| moves.len().checked_sub(back).and_then(|i| moves[i].point);
        Scene {
            patterns,
            board,
            color,
            last: [point(1), point(2), point(3)],
            recent: moves.iter().rev().take(N_BACK).filter_map(|m| Some((m.color, m.point?))).collect(),
            stage: moves.len() / 20,
            near: [color, color.opponent()].map(|color| steps_to(board, color)),
            ko: board.ko_point(color),
        }
    }

    /// The keys of the shapes around a candidate, in a fixed order.
    pub(crate) fn shapes(&self, point: Point, facts: &Facts) -> [u64; N_SHAPES] {
        let rings = self.patterns.rings(point);
        let mut within = [[0; 8]; 8];
        let mut images: Images = [0; 8];
        for (ring, sum) in rings.iter().zip(&mut within) {
            merge(&mut images, ring);
            *sum = images;
        }
        let color = self.color;
        let mut diamond = within[2];
        self.add_liberties(&mut diamond, point);
        let [last, second, third] = self.last.map(|other| other.map(|other| offset(point, other)));
        let with = |base: &Images, marks: &[(Option<(i8, i8)>, u32)], kind: usize| {
            let mut images = *base;
            for &(offset, turn) in marks {
                match offset {
                    Some((dx, dy)) => mark(&mut images, dx, dy, turn, color),
                    // A pass is encoded as a mark on the point itself.
                    None => mark(&mut images, 0, 0, turn, color),
                }
            }
            normal_key(&images, color, kind)
        };
        let neighbors: u64 = facts.around.iter().fold(facts.liberties_after as u64, |sum, &n| sum * 8 + n as u64);
        let around_last = |template: usize, kind: usize| {
            let Some(last) = self.last[0] else { return with(&[0; 8], &[], kind) };
            let mut images = [0; 8];
            for ring in &self.patterns.rings(last)[..=template] {
                merge(&mut images, ring);
            }
            let (dx, dy) = offset(last, point);
            mark(&mut images, dx, dy, 7, color);
            normal_key(&images, color, kind)
        };
        let corner = self.patterns.corner_keys(color, point).min().unwrap_or(0);
        let sequence = self.sequence_keys(point);
        let is_near = |offset: Option<(i8, i8)>| offset.is_some_and(|(dx, dy)| distance(dx, dy) <= NEAR);
        // Far from the last move, the same shapes mean little, and looking them up takes half of the time.
        let (near_last, near_second) = (is_near(last), is_near(second));
        let near = |is_near: bool, key: &dyn Fn() -> u64| if is_near { key() } else { 0 };
        [
            with(&diamond, &[], 16),
            joined(normal_key(&within[1], color, 17), neighbors),
            with(&within[1], &[(last, 5)], 18),
            near(near_last, &|| with(&within[2], &[(last, 5)], 19)),
            near(near_last, &|| with(&within[4], &[(last, 5)], 20)),
            near(near_last, &|| with(&within[6], &[(last, 5)], 21)),
            near(near_last, &|| with(&within[2], &[(last, 5), (second, 11)], 22)),
            near(near_last, &|| with(&diamond, &[(last, 5)], 23)),
            joined(corner, 24),
            near(near_last, &|| joined(corner, 25)),
            with(&[0; 8], &[(last, 5), (second, 11), (third, 23)], 27),
            near(near_second, &|| with(&within[3], &[(second, 11)], 28)),
            near(near_last, &|| around_last(4, 29)),
            near(near_last, &|| around_last(7, 30)),
            sequence[0],
            sequence[1],
        ]
    }

    /// The last three and five moves near a candidate, in order: the sequence that it would continue.
    ///
    /// Moves elsewhere do not break a sequence. 0 if there are fewer moves.
    fn sequence_keys(&self, point: Point) -> [u64; 2] {
        let mut images: Images = [0; 8];
        let mut keys = [0; 2];
        let mut n = 0;
        for &(color, other) in &self.recent {
            let (dx, dy) = offset(point, other);
            if dx.abs() <= LOCAL && dy.abs() <= LOCAL {
                n += 1;
                mark(&mut images, dx, dy, 9 * n + u32::from(color == self.color), self.color);
                match n {
                    3 => keys[0] = normal_key(&images, self.color, 31),
                    5 => {
                        keys[1] = normal_key(&images, self.color, 32);
                        break;
                    }
                    _ => {}
                }
            }
        }
        keys
    }

    /// Adds the liberties of the stones within distance two.
    fn add_liberties(&self, images: &mut Images, point: Point) {
        const CELLS: [(i8, i8); 12] =
            [(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1), (0, -2), (-2, 0), (2, 0), (0, 2)];
        let lines = self.board.size().get() as i8;
        for (dx, dy) in CELLS {
            let (x, y) = (point.x() as i8 + dx, point.y() as i8 + dy);
            if !(0..lines).contains(&x) || !(0..lines).contains(&y) {
                continue;
            }
            let liberties = self.board.liberties(Point::new(x as u8, y as u8));
            if liberties == 1 || liberties == 2 {
                mark(images, dx, dy, 27 + 2 * liberties as u32, self.color);
            }
        }
    }

    /// The small features of a candidate, as indices of weights.
    pub(crate) fn small(&self, point: Point, facts: &Facts) -> [u32; N_SMALL_FEATURES] {
        let lines = self.board.size().get();
        let away = |other: Option<Point>| {
            other.map_or(18, |other| {
                let (dx, dy) = offset(point, other);
                distance(dx, dy).min(17) as usize
            })
        };
        let (to_last, to_second) = (away(self.last[0]), away(self.last[1]));
        let edge = |z: u8| z.min(lines - 1 - z).min(9) as usize;
        let (column, row) = (edge(point.x()), edge(point.y()));
        let line = column.min(row);
        let number = self.patterns.number(point);
        let near = |side: usize| self.near[side][number].clamp(1, 10) as usize - 1;
        let era = match self.stage {
            0 => usize::from(self.last[2].is_some()),
            1 | 2 => 2,
            _ => 3,
        };
        let libs = |n: usize| n.min(5);
        let chain = |other: Option<Point>, to: usize| {
            let liberties = other.map_or(0, |other| self.board.liberties(other));
            let is_liberty = other.is_some_and(|other| touches_chain(self.board, point, other));
            (libs(liberties.max(1)) - 1) * 20 + usize::from(is_liberty) * 10 + (to / 2).min(9)
        };
        let values: [usize; N_SMALL_FEATURES] = [
            to_last * 19 + to_second,
            line * 12 + self.stage.min(11),
            facts.capture,
            facts.escape,
            facts.self_atari,
            facts.atari,
            ((facts.liberties_after.max(1) - 1) * 6 + libs(facts.own_liberties)) * 6 + libs(facts.opponent_liberties),
            (facts.n_own * 5 + facts.n_opponent) * 5 + facts.n_empty,
            self.ko.map_or(0, |ko| 1 + away(Some(ko))),
            chain(self.last[0], to_last),
            (near(0) * 10 + near(1)) * 5 + line.min(4),
            (column.min(row) * 10 + column.max(row)) * 4 + era,
            chain(self.last[1], to_second),
        ];
        let mut start = 0;
        std::array::from_fn(|i| {
            debug_assert!(values[i] < SMALL[i], "{i}: {}", values[i]);
            let place = start + values[i];
            start += SMALL[i];
            place as u32
        })
    }

    /// Distance to the nearest own stone and to the nearest opponent's stone.
    pub(crate) fn steps_to_stones(&self, point: Point) -> [u8; 2] {
        let number = self.patterns.number(point);
        [self.near[0][number], self.near[1][number]]
    }

    /// The effects of a move on this point.
    pub(crate) fn facts(&self, point: Point) -> Facts {
        Facts::new(self.board, self.color, point, self.last[0])
    }
}

/// For every point, the distance along the lines to the nearest stone of a color.
fn steps_to(board: &Board, color: Color) -> Vec<u8> {
    const FAR: u8 = 50;
    let lines = board.size().get() as usize;
    let mut steps: Vec<u8> =
        board.size().points().map(|p| if board.stone(p) == Some(color) { 0 } else { FAR }).collect();
    // Down and to the right, then up and to the left: exact, because there are no obstacles.
    let mut before = vec![FAR; lines];
    for row in steps.chunks_exact_mut(lines) {
        let mut left = FAR;
        for (cell, above) in row.iter_mut().zip(&mut before) {
            *cell = (*cell).min(left.min(*above) + 1);
            (left, *above) = (*cell, *cell);
        }
    }
    before.fill(FAR);
    for row in steps.chunks_exact_mut(lines).rev() {
        let mut right = FAR;
        for (cell, below) in row.iter_mut().zip(&mut before).rev() {
            *cell = (*cell).min(right.min(*below) + 1);
            (right, *below) = (*cell, *cell);
        }
    }
    steps
}

/// Whether a point is adjacent to the chain on another.
fn touches_chain(board: &Board, point: Point, other: Point) -> bool {
    let head = board.chain_head(other);
    head.is_some() && point.around().into_iter().any(|p| board.chain_head(p) == head)
}

#[inline]
fn offset(from: Point, to: Point) -> (i8, i8) {
    (to.x() as i8 - from.x() as i8, to.y() as i8 - from.y() as i8)
}

#[inline]
fn merge(images: &mut Images, ring: &Images) {
    images.iter_mut().zip(ring).for_each(|(image, key)| *image ^= key);
}

/// Marks an offset, differently for each turn, the same for both sides.
#[inline]
fn mark(images: &mut Images, dx: i8, dy: i8, turn: u32, color: Color) {
    let (keys, _) = offsets().own(dx, dy);
    // Rotations by 0 and 32 bits are stones. White's view swaps the halves back.
    let turn = if color == Color::Black { turn } else { turn + 32 };
    images.iter_mut().zip(keys).for_each(|(image, key)| *image ^= key.rotate_left(turn));
}

#[cfg(test)]
mod tests {
    use tejun_games::go::{BoardSize, Symmetry};

    use super::*;

    #[test]
    fn orientation_and_color_do_not_matter() {
        let mut state = 3u64;
        for lines in [7u8, 13, 19, 25] {
            let size = BoardSize::new(lines).expect("a size");
            for symmetry in Symmetry::ALL {
                let [mut plain, mut turned] = [0; 2].map(|_| PatternBoard::new(&Board::new(size)));
                let [mut moves, mut turned_moves] = [Vec::new(), Vec::new()];
                let mut color = Color::Black;
                for i in 0..40 {
                    let scene = Scene::new(&plain, color, &moves);
                    let other = Scene::new(&turned, color.opponent(), &turned_moves);
                    for point in size.points().filter(|&p| plain.board().is_empty(p)) {
                        let there = symmetry.apply(point, size);
                        let (facts, other_facts) = (scene.facts(point), other.facts(there));
                        assert_eq!(facts, other_facts);
                        assert_eq!(scene.small(point, &facts), other.small(there, &other_facts));
                        assert_eq!(scene.shapes(point, &facts), other.shapes(there, &other_facts), "{lines} {i}");
                    }
                    state = crate::patterns::template::scramble(state);
                    let legal: Vec<Point> = size.points().filter(|&p| plain.board().is_empty(p)).collect();
                    // Includes passes, and consecutive moves of one color.
                    let point = (!state.is_multiple_of(9)).then(|| legal[state as usize % legal.len()]);
                    plain.play(color, point);
                    moves.push(Move { color, point });
                    let point = point.map(|p| symmetry.apply(p, size));
                    turned.play(color.opponent(), point);
                    turned_moves.push(Move { color: color.opponent(), point });
                    color = if state.is_multiple_of(11) { color } else { color.opponent() };
                }
            }
        }
    }

    #[test]
    fn small_features_have_separate_indices() {
        let size = BoardSize::NINETEEN;
        let mut patterns = PatternBoard::new(&Board::new(size));
        let mut moves = Vec::new();
        for (i, point) in size.points().enumerate().filter(|(i, _)| i % 5 == 0) {
            let color = if i % 2 == 0 { Color::Black } else { Color::White };
            let scene = Scene::new(&patterns, color, &moves);
            for point in size.points().filter(|&p| patterns.board().is_empty(p)) {
                let places = scene.small(point, &scene.facts(point));
                let mut start = 0;
                for (place, n) in places.iter().zip(SMALL) {
                    assert!((start..start + n).contains(&(*place as usize)));
                    start += n;
                }
                assert_eq!(start, DEPTH);
            }
            patterns.play(color, Some(point));
            moves.push(Move { color, point: Some(point) });
        }
    }
}
