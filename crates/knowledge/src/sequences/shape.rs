//! Shapes: ordered points, up to symmetry and translation, and the part of the board around them.

use tejun_games::Move;
use tejun_games::go::{BoardSize, Point, Symmetry};

/// Width of the surroundings of a sequence in lines.
const MARGIN: u8 = 2;

/// The points of moves, skipping passes.
pub(crate) fn points_of(moves: &[Move]) -> Vec<Point> {
    moves.iter().filter_map(|m| m.point).collect()
}

/// A hash that is the same for all symmetries and translations of the points, and almost surely different otherwise.
pub(crate) fn shape_hash(points: &[Point]) -> u64 {
    let mut alive: u8 = 0xff;
    let mut hash: u64 = 0;
    for pair in points.windows(2) {
        let step = (pair[1].x() as i8 - pair[0].x() as i8, pair[1].y() as i8 - pair[0].y() as i8);
        // Of the symmetries that are equal so far, keep those with the smallest next step.
        let turned = |bit: u8| {
            let (x, y) = if bit & 1 != 0 { (step.1, step.0) } else { step };
            (if bit & 2 != 0 { -x } else { x }, if bit & 4 != 0 { -y } else { y })
        };
        let least = (0..8).filter(|bit| alive >> bit & 1 != 0).map(turned).min().expect("one symmetry stays");
        if alive.count_ones() > 1 {
            alive =
                (0..8).filter(|bit| alive >> bit & 1 != 0 && turned(*bit) == least).fold(0, |set, bit| set | 1 << bit);
        }
        let number = (least.0 as i64 + 32) as u64 * 64 + (least.1 as i64 + 32) as u64;
        hash = (hash.rotate_left(13) ^ (number + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash
}

/// The symmetry that moves points nearest to the upper right corner; of two, the one nearer to the top.
pub(crate) fn toward_upper_right(points: &[Point], size: BoardSize) -> Symmetry {
    let cost = |symmetry: &Symmetry| {
        let points: Vec<Point> = points.iter().map(|&p| symmetry.apply(p, size)).collect();
        let last = size.get() - 1;
        let from_corner: u32 = points.iter().map(|p| (last - p.x()) as u32 + p.y() as u32).sum();
        let from_top: u32 = points.iter().map(|p| p.y() as u32).sum();
        (from_corner, from_top, points)
    };
    Symmetry::ALL.into_iter().min_by_key(cost).expect("there are eight symmetries")
}

/// A rectangle of the board.
pub(crate) struct ShapeArea {
    pub(crate) left: u8,
    pub(crate) top: u8,
    right: u8,
    bottom: u8,
}

impl ShapeArea {
    /// The bounding box of the points with two more lines on each side, clipped at the edge.
    pub(crate) fn around(points: &[Point], size: BoardSize) -> ShapeArea {
        let last = size.get() - 1;
        let low = |c: u8| c.saturating_sub(MARGIN);
        let high = |c: u8| (c + MARGIN).min(last);
        let xs = || points.iter().map(|p| p.x());
        let ys = || points.iter().map(|p| p.y());
        ShapeArea {
            left: low(xs().min().unwrap_or(0)),
            top: low(ys().min().unwrap_or(0)),
            right: high(xs().max().unwrap_or(last)),
            bottom: high(ys().max().unwrap_or(last)),
        }
    }

    /// Its size and the sides that are edges of the board.
    pub(crate) fn outline(&self, size: BoardSize) -> [u8; 3] {
        let last = size.get() - 1;
        let sides = [self.left == 0, self.top == 0, self.right == last, self.bottom == last];
        let edges = sides.iter().fold(0, |bits, &side| 2 * bits + u8::from(side));
        [self.right - self.left + 1, self.bottom - self.top + 1, edges]
    }

    pub(crate) fn points(&self) -> impl Iterator<Item = Point> + '_ {
        (self.top..=self.bottom).flat_map(|y| (self.left..=self.right).map(move |x| Point::new(x, y)))
    }
}

/// A symmetry and a translation that map one shape to another.
pub(crate) struct Alignment {
    symmetry: Symmetry,
    shift: (i16, i16),
}

impl Alignment {
    /// The fitting alignments that move the shape least.
    ///
    /// For a symmetric shape, the edge may be on different sides, so two fitting
    /// alignments are not necessarily equivalent to a player.
    pub(crate) fn all(points: &[Point], model: &[Point], size: BoardSize) -> Vec<Alignment> {
        let (Some(&first), Some(&target)) = (points.first(), model.first()) else { return Vec::new() };
        let alignments = Symmetry::ALL.into_iter().map(|symmetry| {
            let turned = symmetry.apply(first, size);
            let shift = (target.x() as i16 - turned.x() as i16, target.y() as i16 - turned.y() as i16);
            Alignment { symmetry, shift }
        });
        let fits = |alignment: &Alignment| {
            points.len() == model.len() && points.iter().zip(model).all(|(&p, &q)| alignment.apply(p, size) == Some(q))
        };
        let mut fitting: Vec<Alignment> = alignments.filter(fits).collect();
        let least = fitting.iter().map(Alignment::distance).min();
        fitting.retain(|alignment| Some(alignment.distance()) == least);
        fitting
    }

    fn distance(&self) -> i16 {
        self.shift.0.abs() + self.shift.1.abs()
    }

    /// The image of a point; `None` off the board.
    pub(crate) fn apply(&self, point: Point, size: BoardSize) -> Option<Point> {
        let turned = self.symmetry.apply(point, size);
        let (x, y) = (turned.x() as i16 + self.shift.0, turned.y() as i16 + self.shift.1);
        let lines = 0..size.get() as i16;
        (lines.contains(&x) && lines.contains(&y)).then(|| Point::new(x as u8, y as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The smallest of all symmetric images.
    fn naive_shape(points: &[Point], size: BoardSize) -> Vec<(i16, i16)> {
        let images = Symmetry::ALL.iter().map(|symmetry| {
            let turned: Vec<Point> = points.iter().map(|&p| symmetry.apply(p, size)).collect();
            let (x, y) = (turned[0].x() as i16, turned[0].y() as i16);
            turned.iter().map(|p| (p.x() as i16 - x, p.y() as i16 - y)).collect()
        });
        images.min().expect("eight images")
    }

    /// Two stones on a line are their own mirror image, but only one side is at the edge.
    #[test]
    fn the_edge_distinguishes_mirror_images() {
        let size = BoardSize::NINETEEN;
        let (points, model) = ([Point::new(2, 4), Point::new(2, 6)], [Point::new(14, 2), Point::new(12, 2)]);
        let shown: Vec<Option<Point>> =
            Alignment::all(&points, &model, size).iter().map(|a| a.apply(Point::new(1, 5), size)).collect();
        assert_eq!(shown, [Some(Point::new(13, 1))]);
    }

    proptest! {
        #[test]
        fn hashes_distinguish_shapes(
            a in prop::collection::vec((0u8..4, 0u8..4), 4),
            b in prop::collection::vec((8u8..12, 5u8..9), 4),
        ) {
            let points = |list: &[(u8, u8)]| list.iter().map(|&(x, y)| Point::new(x, y)).collect::<Vec<_>>();
            let (a, b, size) = (points(&a), points(&b), BoardSize::NINETEEN);
            prop_assert_eq!(naive_shape(&a, size) == naive_shape(&b, size), shape_hash(&a) == shape_hash(&b));
            for symmetry in Symmetry::ALL {
                let twin: Vec<Point> = a.iter().map(|&p| symmetry.apply(p, size)).collect();
                prop_assert_eq!(shape_hash(&twin), shape_hash(&a));
                let alignments = Alignment::all(&a, &twin, size);
                prop_assert!(alignments.iter().all(|alignment| alignment.apply(a[3], size) == Some(twin[3])));
                prop_assert!(!alignments.is_empty());
            }
        }
    }
}
