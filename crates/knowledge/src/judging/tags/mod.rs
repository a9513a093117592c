//! What a move does, as far as it can be seen on the board.
//!
//! Names are given only where players would agree: a move may have none. What
//! a move is good for is out of scope.

mod corner;
mod shape;
mod tactics;

use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Point, Suicide};

pub use crate::judging::tags::corner::CornerPoint;
pub use crate::judging::tags::shape::Shape;

/// A move is elsewhere if it is farther than this, along one axis, from the last moves.
const FAR: u8 = 8;
/// The last moves are together if they are this near.
const NEAR: u8 = 5;

/// Something that a move does or is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveTag {
    /// Takes stones off the board.
    Captures {
        /// How many.
        n_stones: usize,
    },
    /// Takes one stone in a ko (コウ, *kō*).
    TakesKo,
    /// Gives atari to stones that had more liberties.
    Atari {
        /// How many.
        n_stones: usize,
    },
    /// Gives atari to two chains or more (両アタリ, *ryō-atari*).
    DoubleAtari,
    /// The stones in atari can't run: they are chased to their end (シチョウ, *shichō*).
    Ladder {
        /// How many stones.
        n_stones: usize,
    },
    /// The stones in atari have no way out, not even a chase.
    NoEscape {
        /// How many stones.
        n_stones: usize,
    },
    /// Own stones were in atari and no longer are.
    Saves {
        /// How many.
        n_stones: usize,
    },
    /// The move's own chain has one liberty left.
    SelfAtari {
        /// Its stones.
        n_stones: usize,
    },
    /// Joins own chains (ツギ, *tsugi*).
    Connects {
        /// How many.
        n_chains: usize,
    },
    /// Separates diagonally adjacent stones (キリ, *kiri*).
    Cuts,
    /// The first stone in a corner.
    Corner(CornerPoint),
    /// Approaches a lone stone in a corner (カカリ, *kakari*), from it by this shape.
    Approach(Shape),
    /// Encloses a corner together with the stone in it (シマリ, *shimari*), from it by this shape.
    Enclosure(Shape),
    /// Its shape with the surrounding stones.
    Shape(Shape),
    /// Plays away from the last moves (手抜き, *tenuki*).
    Elsewhere,
    /// Its distance from the nearest edge; the edge itself is the first line.
    Line(u8),
}

/// What a move does, from the board before it; `moves` are the moves so far.
///
/// Empty for a pass and for an illegal move. Costs a few board
/// copies, and more if a ladder must be read.
pub fn move_tags(board: &Board, moves: &[Move], played: Move) -> Vec<MoveTag> {
    let Some(point) = played.point else { return Vec::new() };
    let mut after = board.clone();
    // The players have settled whether the ko may be retaken.
    after.pass();
    let Ok(n_captured) = after.play_with(played.color, point, Suicide::Allowed) else { return Vec::new() };
    let mut tags = tactics::tactics([board, &after], played.color, point, n_captured);
    let is_quiet = tags.is_empty();
    let in_corner = corner::corner_tag(board, played.color, point).filter(|_| is_quiet);
    tags.extend(in_corner);
    // Nobody names a capture by its shape.
    if in_corner.is_none() && n_captured == 0 {
        tags.extend(shape::shape(board, played.color, point).map(MoveTag::Shape));
    }
    if is_elsewhere(moves, point) {
        tags.push(MoveTag::Elsewhere);
    }
    tags.push(MoveTag::Line(line(point, board.size())));
    tags
}

/// Whether the last two moves are together and this one is far from both.
fn is_elsewhere(moves: &[Move], point: Point) -> bool {
    let last = moves.last().and_then(|m| m.point);
    let before = moves.len().checked_sub(2).and_then(|i| moves[i].point);
    let (Some(last), Some(before)) = (last, before) else { return false };
    distance(last, before) <= NEAR && [last, before].iter().all(|&p| distance(p, point) > FAR)
}

/// The distance along the longer axis.
fn distance(a: Point, b: Point) -> u8 {
    a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y()))
}

/// The line of a point, counted from the nearest edge.
fn line(point: Point, size: BoardSize) -> u8 {
    let from_edge = |coordinate: u8| coordinate.min(size.get() - 1 - coordinate) + 1;
    from_edge(point.x()).min(from_edge(point.y()))
}

#[cfg(test)]
mod tests {
    use tejun_games::go::Color;

    use super::*;

    /// A picture where `x` or `o` is the move of Black or White; rows that are missing at the foot are empty.
    #[track_caller]
    fn check(lines: u8, rows: &[&str], expected: &[MoveTag]) {
        let mut board = Board::new(BoardSize::new(lines).expect("a size"));
        let mut played = None;
        for (y, row) in rows.iter().enumerate() {
            for (x, cell) in row.split(' ').enumerate() {
                let point = Point::new(x as u8, y as u8);
                match cell {
                    "X" => board.place(Color::Black, point).expect("free"),
                    "O" => board.place(Color::White, point).expect("free"),
                    "x" => played = Some(Move { color: Color::Black, point: Some(point) }),
                    "o" => played = Some(Move { color: Color::White, point: Some(point) }),
                    _ => {}
                }
            }
        }
        let mut found = move_tags(&board, &[], played.expect("a move"));
        assert!(matches!(found.pop(), Some(MoveTag::Line(_))), "the line comes last");
        assert_eq!(found, expected, "\n{board:?}");
    }

    #[test]
    fn captures_and_kos() {
        check(5, &[". X . . .", "X O x . .", ". X . . ."], &[MoveTag::Captures { n_stones: 1 }]);
        check(9, &[".", ". . X O .", ". X O x O", ". . X O ."], &[MoveTag::Captures { n_stones: 1 }, MoveTag::TakesKo]);
        // Black's stones on the left had one liberty each.
        check(
            5,
            &["O X . . .", "X O x . .", "X O X . .", ". X . . ."],
            &[MoveTag::Captures { n_stones: 2 }, MoveTag::Saves { n_stones: 3 }],
        );
    }

    #[test]
    fn ataris_and_what_comes_of_them() {
        let free = [". . . . .", ". X O . .", ". . x . ."];
        check(9, &free, &[MoveTag::Shape(Shape::Hane)]);
        let mut ladder = vec![". . . . .", ". . X X .", ". X O . .", ". . x . .", ".", ".", "."];
        let atari = MoveTag::Atari { n_stones: 1 };
        check(9, &ladder, &[atari, MoveTag::Ladder { n_stones: 1 }, MoveTag::Shape(Shape::Hane)]);
        ladder[6] = ". . . . . . O . .";
        check(9, &ladder, &[atari, MoveTag::Shape(Shape::Hane)]);
        // At the edge it is taken at once.
        check(9, &["X O O . X", ". X x . ."], &[MoveTag::Atari { n_stones: 2 }, MoveTag::NoEscape { n_stones: 2 }]);
        check(9, &[". . X . . .", ". X O . O X", ". . X x X .", ". . . . . ."], &[MoveTag::Connects { n_chains: 2 }]);
    }

    #[test]
    fn two_ataris_at_once() {
        let rows = [". . . . . . .", ". . X . . . .", ". X O x O X .", ". . X . X . .", ". . . . . . ."];
        check(9, &rows, &[MoveTag::Captures { n_stones: 1 }, MoveTag::Atari { n_stones: 1 }]);
        let rows = [". . . . .", ". X O . .", ". O x . .", ". . . . ."];
        check(9, &rows, &[MoveTag::Cuts]);
        let rows = [". . X . .", ". X O . .", ". . x O X", ". . . X ."];
        check(9, &rows, &[MoveTag::Atari { n_stones: 2 }, MoveTag::DoubleAtari]);
    }

    #[test]
    fn own_stones_in_atari() {
        check(
            9,
            &[". O . . .", "O X x . .", ". O . . ."],
            &[MoveTag::Saves { n_stones: 1 }, MoveTag::Shape(Shape::Extension)],
        );
        check(
            9,
            &["x O . .", ". . . .", "O . . ."],
            &[MoveTag::SelfAtari { n_stones: 1 }, MoveTag::Shape(Shape::Contact)],
        );
    }

    #[test]
    fn joining_and_cutting() {
        check(9, &[". . . . .", ". X x X .", ". O . O ."], &[MoveTag::Connects { n_chains: 2 }]);
        check(9, &[". . . . .", ". . O X .", ". . x O .", ". . . . ."], &[MoveTag::Cuts]);
        // They can still be joined on the other side of the stone.
        check(9, &[".", ". O O X .", ". O x O .", ". O . O ."], &[MoveTag::SelfAtari { n_stones: 1 }]);
    }

    #[test]
    fn shapes_between_stones() {
        let shape = |rows: &[&str], shape: Shape| check(9, rows, &[MoveTag::Shape(shape)]);
        shape(&[".", ".", ". . X . .", ". . . x ."], Shape::Diagonal);
        shape(&[".", ".", ". . X . .", ". . . x .", ". . . O ."], Shape::DiagonalContact);
        shape(&[".", ".", ". . X O .", ". . . x ."], Shape::Hane);
        shape(&[".", ".", ". . X O .", ". . x . ."], Shape::Extension);
        shape(&[".", ". . X O . .", ". . x . . ."], Shape::Extension);
        shape(&["O X . . .", ". x . . ."], Shape::Extension);
    }

    #[test]
    fn jumps_and_contact() {
        let shape = |rows: &[&str], shape: Shape| check(9, rows, &[MoveTag::Shape(shape)]);
        shape(&[".", ".", ". . X . x", "."], Shape::OneSpace);
        shape(&[".", ".", ". . X . . x", "."], Shape::SideExtension);
        shape(&[".", ".", ". . . . X . .", ".", ".", ". . . . x . ."], Shape::TwoSpace);
        shape(&[".", ".", ". . X . .", ". . . . x"], Shape::SmallKnight);
        shape(&[".", ".", ". . X . . .", ". . . . . x"], Shape::LargeKnight);
        shape(&[".", ".", ". . O x . .", "."], Shape::Contact);
        shape(&[".", ".", ". . O x O .", "."], Shape::Wedge);
        shape(&[".", ".", ". . O . . .", ". . . x"], Shape::ShoulderHit);
        check(9, &[".", ".", ". . X O x", ". . . . ."], &[MoveTag::Shape(Shape::Contact)]);
        // With a stone in between, it is not a jump.
        check(9, &[".", ".", ". . X . . .", ". . . O . .", ". . . . x ."], &[]);
    }

    #[test]
    fn corners() {
        let at = |x: usize, y: usize, cell: &str| {
            let mut rows = vec![String::from("."); 19];
            rows[y] = ". ".repeat(x) + cell;
            rows
        };
        let check = |rows: Vec<String>, tag: MoveTag| {
            check(19, &rows.iter().map(String::as_str).collect::<Vec<_>>(), &[tag]);
        };
        check(at(15, 3, "x"), MoveTag::Corner(CornerPoint::Star));
        check(at(3, 16, "o"), MoveTag::Corner(CornerPoint::ThreeFour));
        check(at(16, 2, "x"), MoveTag::Corner(CornerPoint::ThreeThree));
        check(at(2, 4, "x"), MoveTag::Corner(CornerPoint::FiveThree));
        check(at(4, 3, "x"), MoveTag::Corner(CornerPoint::FiveFour));
        let with = |mut rows: Vec<String>, x: usize, y: usize, cell: &str| {
            let mut cells: Vec<String> = rows[y].split(' ').map(String::from).collect();
            cells.resize(19, ".".into());
            cells[x] = cell.into();
            rows[y] = cells.join(" ");
            rows
        };
        check(with(at(15, 3, "X"), 16, 5, "o"), MoveTag::Approach(Shape::SmallKnight));
        check(with(at(16, 3, "X"), 14, 2, "o"), MoveTag::Approach(Shape::SmallKnight));
        check(with(at(16, 3, "X"), 14, 3, "o"), MoveTag::Approach(Shape::OneSpace));
        check(with(at(16, 3, "X"), 14, 2, "x"), MoveTag::Enclosure(Shape::SmallKnight));
        check(with(at(16, 3, "X"), 13, 3, "x"), MoveTag::Enclosure(Shape::TwoSpace));
        check(with(at(14, 3, "X"), 16, 3, "x"), MoveTag::Enclosure(Shape::OneSpace));
    }

    #[test]
    fn a_play_elsewhere_leaves_a_pair_of_moves() {
        let moves =
            |points: [(u8, u8); 2]| points.map(|(x, y)| Move { color: Color::Black, point: Some(Point::new(x, y)) });
        assert!(is_elsewhere(&moves([(15, 3), (16, 5)]), Point::new(3, 3)));
        assert!(!is_elsewhere(&moves([(15, 3), (3, 15)]), Point::new(3, 3)));
        assert!(!is_elsewhere(&moves([(15, 3), (16, 5)]), Point::new(10, 3)));
        assert!(!is_elsewhere(&[], Point::new(10, 3)));
    }
}
