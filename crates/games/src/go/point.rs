//! Points and board sizes.

use std::fmt;

/// Distance between two rows in a [`Point`]'s number.
///
/// One constant for all sizes: a neighbor is then a fixed step away, and a
/// point means the same place on every board.
pub(crate) const STRIDE: usize = 32;
/// Length of an array that any point, and the rim around the board, can index.
///
/// A power of two, so that a mask shows the compiler that no index is too large.
pub(crate) const CELLS: usize = 32 * STRIDE;

/// An intersection of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(pub(crate) u16);

impl Point {
    /// The point `x` columns from the left and `y` rows from the top, from 0.
    ///
    /// # Panics
    /// If a coordinate is 25 or more: no board is that large.
    #[inline]
    pub const fn new(x: u8, y: u8) -> Point {
        assert!(x < BoardSize::MAX && y < BoardSize::MAX);
        Point((y as u16 + 1) * STRIDE as u16 + x as u16)
    }

    /// Column from the left, from 0.
    #[inline]
    pub const fn x(self) -> u8 {
        (self.0 % STRIDE as u16) as u8
    }

    /// Row from the top, from 0.
    #[inline]
    pub const fn y(self) -> u8 {
        (self.0 / STRIDE as u16) as u8 - 1
    }

    /// Length of an array that any point can index.
    pub const N_CELLS: usize = CELLS;

    /// Its place in an array of [`Point::N_CELLS`], the same on every board.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & (CELLS - 1)
    }

    /// The four neighbors in the order up, left, right, down; some may be off the board.
    ///
    /// A board has no stone and no empty point there.
    #[inline]
    pub const fn around(self) -> [Point; 4] {
        let p = self.0;
        let s = STRIDE as u16;
        [Point(p - s), Point(p - 1), Point(p + 1), Point(p + s)]
    }

    /// The neighbors that are on a board of this size.
    pub fn neighbors(self, size: BoardSize) -> impl Iterator<Item = Point> {
        self.around().into_iter().filter(move |p| size.has(*p))
    }

    /// The diagonal neighbors that are on a board of this size.
    pub fn diagonal_neighbors(self, size: BoardSize) -> impl Iterator<Item = Point> {
        let [Point(up), _, _, Point(down)] = self.around();
        // Left of the first row's rim there is no cell; the wrapped number is outside every board.
        let around = [up.wrapping_sub(1), up + 1, down - 1, down + 1];
        around.map(Point).into_iter().filter(move |p| size.has(*p))
    }

    /// The two SGF letters, `pd` for the fourth line point of the upper right.
    pub fn to_sgf(self) -> [u8; 2] {
        [b'a' + self.x(), b'a' + self.y()]
    }

    /// Reads two SGF letters; `None` if they are not letters of any board.
    #[inline]
    pub fn from_sgf(letters: [u8; 2]) -> Option<Point> {
        let [x, y] = letters.map(|c| c.wrapping_sub(b'a'));
        (x < BoardSize::MAX && y < BoardSize::MAX).then(|| Point::new(x, y))
    }

    /// The name players use, `Q16`: letters without I, rows from below.
    pub fn name(self, size: BoardSize) -> String {
        format!("{}{}", column_letter(self.x()), size.get() - self.y())
    }

    /// Reads a name such as `Q16`, in either case.
    ///
    /// # Errors
    /// If the text is not a letter and a row of this board.
    pub fn parse(name: &str, size: BoardSize) -> Result<Point, ParsePointError> {
        let mut chars = name.chars();
        let column = chars.next().map(|c| c.to_ascii_uppercase());
        let x = (0..size.get()).find(|&x| Some(column_letter(x)) == column);
        let row = chars.as_str().parse::<u8>().ok();
        match (x, row) {
            (Some(x), Some(row)) if (1..=size.get()).contains(&row) => Ok(Point::new(x, size.get() - row)),
            _ => Err(ParsePointError { size }),
        }
    }
}

/// The letter above column `x`: A to Z without I.
fn column_letter(x: u8) -> char {
    (b'A' + x + u8::from(x >= 8)) as char
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y] = self.to_sgf();
        write!(f, "{}{}", x as char, y as char)
    }
}

/// Why a text is not a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a point of a {size}x{size} board: write a letter without I and a row, as in C3")]
pub struct ParsePointError {
    size: BoardSize,
}

/// The number of lines of a square board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardSize(u8);

impl BoardSize {
    pub(crate) const MAX: u8 = 25;
    /// The board of nearly every game.
    pub const NINETEEN: BoardSize = BoardSize(19);

    /// A board of `lines` by `lines`.
    ///
    /// # Errors
    /// If there are fewer than 2 or more than 25 lines. Records of real games
    /// have 5 or more; smaller boards serve to count positions.
    pub const fn new(lines: u8) -> Result<BoardSize, SizeError> {
        if lines >= 2 && lines <= Self::MAX { Ok(BoardSize(lines)) } else { Err(SizeError) }
    }

    /// The number of lines.
    #[inline]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The number of points.
    pub const fn n_points(self) -> usize {
        self.0 as usize * self.0 as usize
    }

    /// Whether the point is on this board.
    #[inline]
    pub fn has(self, point: Point) -> bool {
        // Columns past the last fall in the same row's tail, rows before the
        // first wrap to 255.
        let y = (point.0 / STRIDE as u16).wrapping_sub(1);
        point.x() < self.0 && y < self.0 as u16
    }

    /// All points, row by row from the upper left.
    pub fn points(self) -> impl Iterator<Item = Point> + Clone {
        let n = self.0;
        (0..n).flat_map(move |y| (0..n).map(move |x| Point::new(x, y)))
    }

    /// The marked points (星, *hoshi*), where handicap stones are placed.
    pub fn star_points(self) -> Vec<Point> {
        let n = self.0;
        if n < 7 {
            return if n % 2 == 1 { vec![Point::new(n / 2, n / 2)] } else { Vec::new() };
        }
        let near = if n >= 13 { 3 } else { 2 };
        let far = n - 1 - near;
        let mut lines = vec![near, far];
        if n % 2 == 1 && n >= 15 {
            lines.insert(1, n / 2);
        }
        let mut stars: Vec<Point> = lines.iter().flat_map(|&y| lines.iter().map(move |&x| Point::new(x, y))).collect();
        if n % 2 == 1 && n < 15 {
            stars.insert(2, Point::new(n / 2, n / 2));
        }
        stars
    }

    /// Where the rules put `n_stones` handicap stones; empty if they do not say.
    pub fn handicap_points(self, n_stones: u8) -> Vec<Point> {
        let n = self.0;
        if n < 7 || (n_stones > 4 && n.is_multiple_of(2)) || !(2..=9).contains(&n_stones) {
            return Vec::new();
        }
        let near = if n >= 13 { 3 } else { 2 };
        let far = n - 1 - near;
        let mid = n / 2;
        let corners = [(far, near), (near, far), (far, far), (near, near)];
        let sides = [(near, mid), (far, mid), (mid, near), (mid, far)];
        let mut points: Vec<(u8, u8)> = corners[..n_stones.min(4) as usize].to_vec();
        if n_stones > 4 {
            points.extend(&sides[..(n_stones as usize - 4) & !1]);
        }
        if n_stones > 4 && n_stones % 2 == 1 {
            points.push((mid, mid));
        }
        points.into_iter().map(|(x, y)| Point::new(x, y)).collect()
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of lines is outside 2 to 25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a board has 2 to 25 lines")]
pub struct SizeError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_skip_the_letter_i_and_count_from_below() {
        let size = BoardSize::NINETEEN;
        for (name, x, y) in [("A19", 0, 0), ("Q16", 15, 3), ("J10", 8, 9), ("T1", 18, 18)] {
            assert_eq!(Point::new(x, y).name(size), name);
            assert_eq!(Point::parse(name, size), Ok(Point::new(x, y)));
        }
        for bad in ["", "I5", "A0", "A20", "U1", "16Q", "Q", "é4"] {
            assert!(Point::parse(bad, size).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_board_has_its_points_and_their_neighbors() {
        for n in 2..=25u8 {
            let size = BoardSize::new(n).expect("2 to 25 are sizes");
            assert_eq!(size.points().count(), size.n_points());
            let links: usize = size.points().map(|p| p.neighbors(size).count()).sum();
            assert_eq!(links, 4 * n as usize * (n as usize - 1));
            for p in size.points() {
                assert!(size.has(p));
                assert_eq!(Point::from_sgf(p.to_sgf()), Some(p));
            }
        }
        assert!(BoardSize::new(26).is_err() && BoardSize::new(1).is_err());
    }

    #[test]
    fn handicap_stones_are_on_star_points() {
        for n in [9, 13, 19] {
            let size = BoardSize::new(n).expect("a size");
            let stars = size.star_points();
            assert_eq!(stars.len(), if n == 19 { 9 } else { 5 });
            for stones in 2..=stars.len() as u8 {
                let points = size.handicap_points(stones);
                assert_eq!(points.len(), stones as usize);
                assert!(points.iter().all(|p| stars.contains(p)));
            }
        }
    }
}
