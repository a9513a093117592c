//! Board pictures with the names of their moves.

use crate::judging::tags::*;

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
    check(9, &["x O . .", ". . . .", "O . . ."], &[MoveTag::SelfAtari { n_stones: 1 }, MoveTag::Shape(Shape::Contact)]);
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

/// A board of 19 lines with these stones, by their names: `X` and `O` stand there, `x` or `o` is the move.
#[track_caller]
fn check_stones(stones: &str, expected: &[MoveTag]) {
    let mut rows = vec![vec!["."; 19]; 19];
    for stone in stones.split(' ') {
        let (cell, name) = stone.split_at(1);
        let point = Point::parse(name, BoardSize::NINETEEN).expect("a point");
        rows[usize::from(point.y())][usize::from(point.x())] = cell;
    }
    let rows: Vec<String> = rows.iter().map(|row| row.join(" ")).collect();
    check(19, &rows.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

#[test]
fn corners() {
    let check = |stones: &str, tag: MoveTag| check_stones(stones, &[tag]);
    check("xQ16", MoveTag::Corner(CornerPoint::Star));
    check("oD3", MoveTag::Corner(CornerPoint::ThreeFour));
    check("xR17", MoveTag::Corner(CornerPoint::ThreeThree));
    check("xC15", MoveTag::Corner(CornerPoint::FiveThree));
    check("xE16", MoveTag::Corner(CornerPoint::FiveFour));
    check("XQ16 oR14", MoveTag::Approach(Shape::SmallKnight));
    check("XR16 oP17", MoveTag::Approach(Shape::SmallKnight));
    check("XR16 oP16", MoveTag::Approach(Shape::OneSpace));
    // A stone in the middle of a side is not in the corner.
    check("XR16 XQ10 oP16", MoveTag::Approach(Shape::OneSpace));
    check("XR15 oQ17", MoveTag::ApproachAt(CornerPoint::ThreeFour));
    check("XQ15 oQ17", MoveTag::ApproachAt(CornerPoint::ThreeFour));
    check("XR16 xP17", MoveTag::Enclosure(Shape::SmallKnight));
    check("XR16 xO16", MoveTag::Enclosure(Shape::TwoSpace));
    check("XP16 xR16", MoveTag::Enclosure(Shape::OneSpace));
}

#[test]
fn the_corner_under_a_star_point_stone() {
    check_stones("XQ16 oR17", &[MoveTag::ThreeThree]);
    check_stones("XQ16 OO17 oR17", &[MoveTag::ThreeThree]);
    check_stones("XQ16 XR16 oR17", &[MoveTag::Shape(Shape::Contact)]);
    check_stones("OQ16 oR17", &[MoveTag::Shape(Shape::Diagonal)]);
}

#[test]
fn pincers() {
    let pincer = |n_spaces, height| [MoveTag::Pincer { n_spaces, height }];
    check_stones("XQ16 OO17 xM17", &pincer(1, Height::Low));
    check_stones("XQ16 OO17 xM16", &pincer(1, Height::High));
    check_stones("XQ16 OR14 xR11", &pincer(2, Height::Low));
    check_stones("XC4 OE4 xJ4", &pincer(3, Height::High));
    check_stones("XD16 OC14 XD10 xC12", &pincer(1, Height::Low));
    // Too far away, supported, or next to it.
    check_stones("XQ16 OO17 xJ17", &[]);
    check_stones("XQ16 OO17 OO14 xL17", &[]);
    check_stones("XQ16 OO17 xN17", &[MoveTag::Shape(Shape::Contact)]);
    // Which of these two came first is not known.
    check_stones("XE3 OC4 xC7", &[]);
}

#[test]
fn alone_in_the_opponents_sphere() {
    check_stones("OQ16 OQ10 xR12", &[MoveTag::Invasion]);
    check_stones("OH17 OM16 XD4 xK17", &[MoveTag::Invasion]);
    check_stones("OQ16 OQ4 xR10", &[MoveTag::Splits]);
    check_stones("OD16 OE3 xC9", &[MoveTag::Splits]);
    // One side is open or the mover's, or an own stone is near.
    check_stones("OQ16 xR10", &[]);
    check_stones("OQ16 XQ4 xR10", &[]);
    check_stones("OQ16 OQ10 XN12 xR12", &[]);
    check_stones("OQ16 OQ10 OR10 xR11", &[MoveTag::Shape(Shape::Contact)]);
}

#[test]
fn above_the_opponents_framework() {
    check_stones("OD4 OK3 OQ4 xJ5", &[MoveTag::Reduction]);
    check_stones("OR16 OR10 OR4 xP10", &[MoveTag::Reduction, MoveTag::Shape(Shape::Cap)]);
    check_stones("OK3 xK5", &[MoveTag::Shape(Shape::Cap)]);
    // Two stones are not a framework; a stone above it makes it an invasion.
    check_stones("OD4 OQ4 xJ5", &[]);
    check_stones("OD4 OK3 OQ4 OJ8 xJ5", &[]);
}

#[test]
fn peeps() {
    check(9, &[".", ".", ". . O . O .", ". . . x . ."], &[MoveTag::Peep]);
    check(9, &[".", ".", ". . O . .", ". . . x .", ". . O . ."], &[MoveTag::Peep]);
    // They are joined, or the gap can't be cut.
    check(9, &[".", ". . O O O .", ". . O . O .", ". . . x . ."], &[]);
    check(9, &[".", ". . . O . .", ". . O . O .", ". . . x . ."], &[]);
}

#[test]
fn throw_ins() {
    check(9, &[". x O . .", "X O O . .", "X . . . ."], &[MoveTag::ThrowIn]);
    check(9, &[". . X . .", ". X O O .", ". . x O .", ". X O O ."], &[MoveTag::ThrowIn]);
    // Without a stone on the diagonal it spoils nothing.
    let self_atari = [MoveTag::SelfAtari { n_stones: 1 }];
    check(9, &[". x O . .", ". O O . .", "X . . . ."], &self_atari);
}

#[test]
fn ko_threats() {
    let check = |moves: &str, expected: bool| {
        let text = format!("(;SZ[19]AB[bb][ab][cb]AB[ba]AW[ca][db][ea]PL[B];B[da]{moves})");
        let game = tejun_games::GameRecord::parse(&text).expect("a game");
        let (board, (last, before)) =
            (game.board_before(game.moves.len() - 1), game.moves.split_last().expect("moves"));
        assert_eq!(move_tags(&board, before, *last).contains(&MoveTag::KoThreat), expected, "{moves}");
    };
    // Without an atari, the first move elsewhere may also leave the ko.
    check(";W[qq]", false);
    check(";W[qq];B[qp];W[ca];B[pd]", false);
    check(";W[qq];B[qp];W[ca];B[pd];W[pc];B[da];W[jj]", true);
    // Next to the ko, it may be about the ko.
    check(";W[qq];B[qp];W[ca];B[pd];W[pc];B[da];W[fb]", false);
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
