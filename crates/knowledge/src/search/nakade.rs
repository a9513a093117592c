//! The one point that decides a small eye space.

use tejun_games::go::{Board, Point};

/// The largest eye space that one move can decide.
const LARGEST: usize = 6;

/// The vital point (急所, *kyūsho*) of an eye space of three to six points next to the last move.
///
/// Three in a row, a bent three, the pyramid four, the crossed and the bulky
/// five and the rabbity six have one. The space must be surrounded by stones of
/// one color.
pub(crate) fn vital_point(board: &Board, last: Point) -> Option<Point> {
    last.around().into_iter().filter(|&p| board.is_empty(p)).find_map(|p| vital_point_of_space(board, p))
}

fn vital_point_of_space(board: &Board, first: Point) -> Option<Point> {
    let mut space = [first; LARGEST];
    let mut n = 1;
    let mut owner = None;
    let mut at = 0;
    while at < n {
        for p in space[at].around() {
            if board.is_empty(p) {
                if space[..n].contains(&p) {
                    continue;
                }
                if n == LARGEST {
                    return None;
                }
                space[n] = p;
                n += 1;
            } else if let Some(color) = board.stone(p) {
                if owner.is_some_and(|owner| owner != color) {
                    return None;
                }
                owner = Some(color);
            }
        }
        at += 1;
    }
    let space = &space[..n];
    let degree = |p: Point| p.around().iter().filter(|q| space.contains(q)).count();
    let with_degree = |d: usize| {
        let mut found = space.iter().copied().filter(|&p| degree(p) == d);
        found.next().filter(|_| found.next().is_none())
    };
    match n {
        3 => with_degree(2),
        4 => with_degree(3),
        // Four around one; or three around the corner of a square.
        5 => with_degree(4).or_else(|| with_degree(3).filter(|_| has_square(space, &degree))),
        6 => with_degree(4).filter(|_| has_square(space, &degree)),
        _ => None,
    }
}

/// Whether the space has a square of four points: then there are as many links between points as points, or more.
fn has_square(space: &[Point], degree: &impl Fn(Point) -> usize) -> bool {
    space.iter().map(|&p| degree(p)).sum::<usize>() / 2 >= space.len()
}

#[cfg(test)]
mod tests {
    use tejun_games::go::{BoardSize, Color};

    use super::*;

    /// Empty points of White's eye space are `.`, its vital point `*`, the last move `X` or outside.
    #[track_caller]
    fn check(rows: &[&str]) {
        let mut board = Board::new(BoardSize::new(7).expect("a size"));
        let mut vital = None;
        let mut last = None;
        for (y, row) in rows.iter().enumerate() {
            for (x, c) in row.chars().enumerate() {
                let point = Point::new(x as u8, y as u8);
                match c {
                    'O' => board.place(Color::White, point).expect("empty"),
                    'L' => {
                        last = Some(point);
                        board.place(Color::White, point).expect("empty");
                    }
                    '*' => vital = Some(point),
                    _ => {}
                }
            }
        }
        assert_eq!(vital_point(&board, last.expect("a last move")), vital, "{rows:?}");
    }

    #[test]
    fn vital_points_of_all_spaces_that_have_one() {
        check(&[".*.L", "OOOO"]);
        check(&["*.L", ".OO", "OO."]);
        check(&[".*.L", "O.OO", "OOO."]);
        check(&["....L", "OOOOO"]);
        check(&["..L", "..O", "OOO"]);
        check(&["L.O..", ".*.O.", "O.O..", "OOO.."]);
        check(&["..L..", ".*.O.", "OOOO."]);
        check(&["O.LO.", ".*.O.", "..OO.", "OOO.."]);
        check(&["...", "...", "L.."]);
    }
}
