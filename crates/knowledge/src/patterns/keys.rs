//! The keys of all patterns of a board, updated with each stone.

use std::sync::LazyLock;

use tejun_games::go::{Board, Color, Point, Suicide};

use crate::patterns::template::{Images, N_TEMPLATES, OffsetKeys, scramble, swap_colors};

static OFFSETS: LazyLock<OffsetKeys> = LazyLock::new(OffsetKeys::new);

/// The random numbers of offsets.
pub(crate) fn offsets() -> &'static OffsetKeys {
    &OFFSETS
}

/// A board with the key of every pattern around every point.
///
/// Placing or removing a stone updates eight numbers for every point of the board.
#[derive(Clone)]
pub struct PatternBoard {
    board: Board,
    /// For each point, the stones in each ring in eight orientations, from Black's view.
    rings: Vec<[Images; N_TEMPLATES]>,
    /// The stones in each corner, columns before rows and rows before columns, from Black's view.
    corners: [[u64; 2]; 4],
    /// For each side and point, the number of templates that have not changed since the last call of `settle`.
    n_settled: [Vec<u8>; 2],
}

impl PatternBoard {
    /// Builds the keys of a board.
    pub fn new(board: &Board) -> PatternBoard {
        let size = board.size();
        let n_points = size.n_points();
        let mut patterns = PatternBoard {
            board: board.clone(),
            rings: vec![[[0; 8]; N_TEMPLATES]; n_points],
            corners: [[0; 2]; 4],
            n_settled: [vec![0; n_points], vec![0; n_points]],
        };
        let lines = size.get() as i8;
        for (point, rings) in size.points().zip(&mut patterns.rings) {
            let (x, y) = (point.x() as i8, point.y() as i8);
            // The off-board cells of the last ring follow from those of the other rings.
            for (dx, dy) in (-8..=8).flat_map(|dy| (-8..=8).map(move |dx| (dx, dy))) {
                if !(0..lines).contains(&(x + dx)) || !(0..lines).contains(&(y + dy)) {
                    let (images, ring) = OFFSETS.off_board(dx, dy);
                    if ring + 1 < N_TEMPLATES {
                        rings[ring].iter_mut().zip(images).for_each(|(key, image)| *key ^= image);
                    }
                }
            }
        }
        for color in [Color::Black, Color::White] {
            for stone in board.stones(color).iter() {
                patterns.change(color, stone);
            }
        }
        patterns
    }

    /// The stones.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plays a move of a record; suicide is allowed.
    pub fn play(&mut self, color: Color, point: Option<Point>) {
        let Some(point) = point else { return self.board.pass() };
        let mut captured: Vec<Point> = Vec::new();
        for neighbor in point.around() {
            if self.board.stone(neighbor) == Some(color.opponent())
                && self.board.liberties(neighbor) == 1
                && !captured.contains(&neighbor)
            {
                captured.extend(self.board.chain(neighbor));
            }
        }
        let own: Vec<Point> = point.around().into_iter().filter(|&p| self.board.stone(p) == Some(color)).collect();
        let before = own.iter().flat_map(|&p| self.board.chain(p)).collect::<Vec<_>>();
        if self.board.play_with(color, point, Suicide::Allowed).is_err() {
            return;
        }
        captured.into_iter().for_each(|stone| self.change(color.opponent(), stone));
        if self.board.stone(point).is_some() {
            self.change(color, point);
        } else {
            let mut taken = before;
            taken.sort_unstable();
            taken.dedup();
            taken.into_iter().for_each(|stone| self.change(color, stone));
        }
    }

    /// Adds a stone to the keys or removes it from them.
    fn change(&mut self, color: Color, stone: Point) {
        let lines = self.board.size().get();
        let (x, y) = (stone.x() as i8, stone.y() as i8);
        let mut i = 0;
        for dy in (0..lines as i8).map(|row| y - row) {
            for dx in (0..lines as i8).map(|column| x - column) {
                let (images, ring) = OFFSETS.own(dx, dy);
                let keys = &mut self.rings[i][ring];
                match color {
                    Color::Black => keys.iter_mut().zip(images).for_each(|(key, image)| *key ^= image),
                    Color::White => keys.iter_mut().zip(images).for_each(|(key, image)| *key ^= swap_colors(*image)),
                }
                for settled in &mut self.n_settled {
                    settled[i] = settled[i].min(ring as u8);
                }
                i += 1;
            }
        }
        for (corner, [columns, rows]) in Corner::of(stone, lines) {
            for (key, cell) in self.corners[corner].iter_mut().zip([columns, rows]) {
                let own = scramble(0x1_0000 + cell as u64);
                *key ^= if color == Color::Black { own } else { swap_colors(own) };
            }
        }
    }

    /// The index of a point in rows of values.
    #[inline]
    pub(crate) fn number(&self, point: Point) -> usize {
        point.y() as usize * self.board.size().get() as usize + point.x() as usize
    }

    /// The stones in the rings around a point, from Black's view.
    #[inline]
    pub(crate) fn rings(&self, point: Point) -> &[Images; N_TEMPLATES] {
        &self.rings[self.number(point)]
    }

    /// The keys of a point's patterns for the side to move, smallest template first.
    pub fn keys(&self, color: Color, point: Point) -> impl Iterator<Item = u64> + '_ {
        let mut images = [0; 8];
        self.rings(point).iter().enumerate().map(move |(template, ring)| {
            images.iter_mut().zip(ring).for_each(|(image, key)| *image ^= key);
            normal_key(&images, color, template)
        })
    }

    /// The number of templates around a point that have not changed since the last call for this side.
    pub(crate) fn settle(&mut self, color: Color, number: usize) -> usize {
        std::mem::replace(&mut self.n_settled[color as usize][number], N_TEMPLATES as u8) as usize
    }

    /// The stones in the corners that contain a point, combined with the point, for the side to move.
    pub(crate) fn corner_keys(&self, color: Color, point: Point) -> impl Iterator<Item = u64> + '_ {
        let lines = self.board.size().get();
        Corner::of(point, lines).map(move |(corner, cells)| {
            let side = |key: u64| if color == Color::Black { key } else { swap_colors(key) };
            let with_point = |i: usize| side(self.corners[corner][i]) ^ scramble(0x2_0000 + cells[i] as u64);
            with_point(0).min(with_point(1))
        })
    }
}

/// The smallest of the eight keys from the view of the side to move; equal for all images of a pattern.
#[inline]
pub(crate) fn normal_key(images: &Images, color: Color, kind: usize) -> u64 {
    let least = match color {
        Color::Black => images.iter().copied().min(),
        Color::White => images.iter().map(|&image| swap_colors(image)).min(),
    };
    scramble(least.unwrap_or(0) ^ (kind as u64 + 1) << 56)
}

/// The corners of the board, ten lines by ten; they overlap on the middle lines.
struct Corner;

impl Corner {
    const LINES: u8 = 10;

    /// The corners that contain a point, and its cell in each, by columns and by rows.
    fn of(point: Point, lines: u8) -> impl Iterator<Item = (usize, [u16; 2])> {
        let far = |z: u8| lines - 1 - z;
        let (x, y) = (point.x(), point.y());
        [(x, y), (far(x), y), (x, far(y)), (far(x), far(y))].into_iter().enumerate().filter_map(|(corner, (x, y))| {
            let (x16, y16) = (x as u16, y as u16);
            (x < Corner::LINES && y < Corner::LINES).then_some((corner, [y16 * 32 + x16, x16 * 32 + y16]))
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tejun_games::go::{BoardSize, Symmetry};

    use super::*;

    /// Moves of a random game, with captures and passes.
    fn random_game(lines: u8, choices: &[u16]) -> Vec<(Color, Option<Point>)> {
        let size = BoardSize::new(lines).expect("a size");
        let mut board = Board::new(size);
        let mut color = Color::Black;
        let mut moves = Vec::new();
        for &choice in choices {
            let legal: Vec<Point> =
                size.points().filter(|&p| board.check(color, p, Suicide::Allowed).is_ok()).collect();
            let point = (choice % 50 != 0 && !legal.is_empty()).then(|| legal[choice as usize % legal.len()]);
            match point {
                Some(point) => drop(board.play_with(color, point, Suicide::Allowed)),
                None => board.pass(),
            }
            moves.push((color, point));
            color = color.opponent();
        }
        moves
    }

    fn all_keys(patterns: &PatternBoard, color: Color) -> Vec<Vec<u64>> {
        let size = patterns.board().size();
        size.points().map(|p| patterns.keys(color, p).chain(patterns.corner_keys(color, p)).collect()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn updated_keys_equal_fresh_keys(lines in 3u8..=19, choices in prop::collection::vec(any::<u16>(), 1..160)) {
            let mut patterns = PatternBoard::new(&Board::new(BoardSize::new(lines).expect("a size")));
            for (color, point) in random_game(lines, &choices) {
                patterns.play(color, point);
                let fresh = PatternBoard::new(patterns.board());
                prop_assert_eq!(all_keys(&patterns, color), all_keys(&fresh, color));
            }
        }

        #[test]
        fn orientation_and_color_do_not_matter(choices in prop::collection::vec(any::<u16>(), 1..80), symmetry in 0usize..8) {
            let symmetry = Symmetry::ALL[symmetry];
            for lines in [9, 13] {
                let size = BoardSize::new(lines).expect("a size");
                let [mut plain, mut turned] = [PatternBoard::new(&Board::new(size)), PatternBoard::new(&Board::new(size))];
                for (color, point) in random_game(lines, &choices) {
                    plain.play(color, point);
                    turned.play(color.opponent(), point.map(|p| symmetry.apply(p, size)));
                }
                for point in size.points() {
                    let there = symmetry.apply(point, size);
                    let keys: Vec<u64> = plain.keys(Color::Black, point).collect();
                    prop_assert_eq!(&keys, &turned.keys(Color::White, there).collect::<Vec<_>>());
                    prop_assert_eq!(
                        plain.corner_keys(Color::Black, point).min(),
                        turned.corner_keys(Color::White, there).min()
                    );
                }
            }
        }
    }

    #[test]
    fn other_stones_make_other_keys() {
        let size = BoardSize::NINETEEN;
        let center = Point::new(9, 9);
        let mut seen = std::collections::HashMap::new();
        for (x, y) in (0..19).flat_map(|y| (0..19).map(move |x| (x, y))).filter(|&at| at != (9, 9)) {
            for color in [Color::Black, Color::White] {
                let mut board = Board::new(size);
                board.place(color, Point::new(x, y)).expect("free");
                let key = PatternBoard::new(&board).keys(Color::Black, center).last().expect("there are templates");
                // A single stone is identified by its two distances, the smaller and the larger, and its color.
                let (dx, dy) = (x.abs_diff(9), y.abs_diff(9));
                let name = (dx.min(dy), dx.max(dy), color);
                assert_eq!(*seen.entry(key).or_insert(name), name);
            }
        }
        assert_eq!(seen.len(), 2 * 54);
    }
}
