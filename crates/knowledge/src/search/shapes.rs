//! The eight points around a move: eyes, and shapes worth playing.

use std::sync::LazyLock;

use tejun_games::go::Color;

/// Shapes around a point where a local answer is often good, after Gelly and others (2006).
///
/// A row is three points. `X` and `O` are stones of different sides, `.` is
/// empty, `#` is off the board, `x` is anything but X, `o` anything but O,
/// `?` is anything. Turned, mirrored and with colors changed they are the same.
const SHAPES: [[&str; 3]; 13] = [
    // Hane: around the head, and from the side.
    ["XOX", "...", "???"],
    ["XO.", "...", "?.?"],
    ["XO?", "X..", "x.?"],
    [".O.", "X..", "..."],
    // Cuts, and what prevents them.
    ["XO?", "O.o", "?o?"],
    ["XO?", "O.X", "???"],
    ["?X?", "O.O", "ooo"],
    ["OX?", "o.O", "???"],
    // On the first line.
    ["X.?", "O.?", "###"],
    ["OX?", "X.O", "###"],
    ["?X?", "x.O", "###"],
    ["?XO", "x.x", "###"],
    ["?OX", "X.O", "###"],
];

/// Bits of an entry of the table.
const EYE: [u8; 2] = [1, 2];
const SHAPE: u8 = 4;

/// For all surroundings of a point, as [`tejun_games::go::Board::surroundings`] gives them.
pub(crate) struct Shapes(Box<[u8]>);

/// Made once.
pub(crate) static SHAPE_TABLE: LazyLock<Shapes> = LazyLock::new(Shapes::new);

impl Shapes {
    fn new() -> Shapes {
        let patterns: Vec<[[char; 3]; 3]> = SHAPES.iter().flat_map(|shape| orientations(*shape)).collect();
        let entry = |code: usize| {
            let around = cells(code as u16);
            let mut entry = 0;
            for color in [0u8, 1] {
                if is_eye(&around, color) {
                    entry |= EYE[color as usize];
                }
            }
            if patterns.iter().any(|pattern| matches(pattern, &around)) {
                entry |= SHAPE;
            }
            entry
        };
        Shapes((0..1 << 16).map(entry).collect())
    }

    /// Whether an empty point with these surroundings is an eye (眼, *me*) of a color, which it does not fill.
    #[inline]
    pub(crate) fn is_eye(&self, surroundings: u16, color: Color) -> bool {
        self.0[surroundings as usize] & EYE[color as usize] != 0
    }

    /// Whether a move here makes one of the shapes.
    #[inline]
    pub(crate) fn is_shape(&self, surroundings: u16) -> bool {
        self.0[surroundings as usize] & SHAPE != 0
    }
}

/// The nine cells of a code: 0 black, 1 white, 2 empty, 3 off the board; the middle is empty.
fn cells(code: u16) -> [[u8; 3]; 3] {
    let at = |n: u32| (code >> (2 * n) & 3) as u8;
    [[at(0), at(1), at(2)], [at(3), 2, at(4)], [at(5), at(6), at(7)]]
}

/// Neighbors are all own stones, and the opponent has not two corners, or one on the edge.
fn is_eye(around: &[[u8; 3]; 3], color: u8) -> bool {
    let sides = [around[0][1], around[1][0], around[1][2], around[2][1]];
    let corners = [around[0][0], around[0][2], around[2][0], around[2][2]];
    let n_lost = corners.iter().filter(|&&cell| cell == 1 - color).count();
    let is_on_edge = corners.contains(&3);
    sides.iter().all(|&cell| cell == color || cell == 3) && n_lost <= usize::from(!is_on_edge)
}

/// A shape turned, mirrored and with colors changed.
fn orientations(shape: [&str; 3]) -> Vec<[[char; 3]; 3]> {
    let mut rows = [[' '; 3]; 3];
    for (row, text) in rows.iter_mut().zip(shape) {
        row.iter_mut().zip(text.chars()).for_each(|(cell, c)| *cell = c);
    }
    let turned = |s: &[[char; 3]; 3]| std::array::from_fn(|y| std::array::from_fn(|x| s[2 - x][y]));
    let mirrored = |s: &[[char; 3]; 3]| s.map(|[a, b, c]| [c, b, a]);
    let swapped = |s: &[[char; 3]; 3]| {
        s.map(|row| {
            row.map(|c| match c {
                'X' => 'O',
                'O' => 'X',
                'x' => 'o',
                'o' => 'x',
                other => other,
            })
        })
    };
    let mut all = Vec::new();
    for _ in 0..4 {
        rows = turned(&rows);
        for side in [rows, mirrored(&rows)] {
            all.extend([side, swapped(&side)]);
        }
    }
    all
}

fn matches(pattern: &[[char; 3]; 3], around: &[[u8; 3]; 3]) -> bool {
    let fits = |c: char, cell: u8| match c {
        'X' => cell == 0,
        'O' => cell == 1,
        'x' => cell != 0,
        'o' => cell != 1,
        '#' => cell == 3,
        '.' => cell == 2,
        _ => true,
    };
    pattern.iter().flatten().zip(around.iter().flatten()).all(|(&c, &cell)| fits(c, cell))
}

#[cfg(test)]
mod tests {
    use tejun_games::go::{Board, BoardSize, Point};

    use super::*;

    /// The point E5 on a board of 9 lines with these rows around it, or its first line.
    #[track_caller]
    fn check(rows: [&str; 3], is_shape: bool, is_eye: bool) {
        let mut board = Board::new(BoardSize::new(9).expect("a size"));
        let y = if rows[2] == "###" { 8 } else { 4 };
        for (dy, row) in rows.iter().enumerate() {
            for (dx, c) in row.chars().enumerate().filter(|(_, c)| "XO".contains(*c)) {
                let color = if c == 'X' { Color::Black } else { Color::White };
                board.place(color, Point::new(3 + dx as u8, y + dy as u8 - 1)).expect("empty");
            }
        }
        let around = board.surroundings(Point::new(4, y));
        assert_eq!(SHAPE_TABLE.is_shape(around), is_shape, "{rows:?}");
        assert_eq!(SHAPE_TABLE.is_eye(around, Color::Black), is_eye, "{rows:?}");
        let twin = board.is_eye(Color::Black, Point::new(4, y));
        assert_eq!(twin, is_eye, "{rows:?}");
    }

    #[test]
    fn shapes_and_eyes_are_seen() {
        check(["XOX", "...", "..."], true, false);
        check(["...", "O..", "X.."], true, false);
        check(["...", "...", "..."], false, false);
        check(["XO.", "O..", "..."], true, false);
        check([".OX", "X.O", "###"], true, false);
        check([".X.", "X.X", ".X."], false, true);
        check(["OX.", "X.X", ".XO"], false, false);
        check(["OX.", "X.X", "###"], false, false);
    }

    #[test]
    fn every_point_of_every_board_is_read_right() {
        for lines in [2, 5, 19, 25] {
            let size = BoardSize::new(lines).expect("a size");
            let mut board = Board::new(size);
            for (n, point) in size.points().enumerate().filter(|(n, _)| n % 3 != 0) {
                let color = if n % 3 == 1 { Color::Black } else { Color::White };
                board.place(color, point).expect("empty");
            }
            for point in size.points() {
                let around = cells(board.surroundings(point));
                for (dy, dx) in (0..3).flat_map(|dy| (0..3).map(move |dx| (dy, dx))).filter(|d| *d != (1, 1)) {
                    let (x, y) = (i16::from(point.x()) + dx - 1, i16::from(point.y()) + dy - 1);
                    let range = 0..i16::from(lines);
                    let expected = if range.contains(&x) && range.contains(&y) {
                        let at = Point::new(x as u8, y as u8);
                        board.stone(at).map_or(2, |color| color as u8)
                    } else {
                        3
                    };
                    assert_eq!(around[dy as usize][dx as usize], expected, "{point:?} {dx} {dy}");
                }
            }
        }
    }
}
