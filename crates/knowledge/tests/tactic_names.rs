//! Board diagrams with the points of named mappings: `tests/tactics/names.txt`.
//!
//! Black (X) moves. A lower-case letter is the last stone of its color: o is `LAST`,
//! x is `LAST2`. A claim is a name with all of its points, or `none`.

use std::collections::BTreeSet;

use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_knowledge::tactics::{Library, Points, TacticPosition};

fn position(rows: &[&str]) -> TacticPosition {
    let size = BoardSize::new(rows.len() as u8).expect("a square picture");
    let mut board = Board::new(size);
    let mut last = [None; 2];
    for (y, row) in rows.iter().enumerate() {
        assert_eq!(row.split_whitespace().count(), rows.len(), "a square picture: {row}");
        for (x, cell) in row.split_whitespace().enumerate() {
            let point = Point::new(x as u8, y as u8);
            let color = match cell {
                "X" | "x" => Color::Black,
                "O" | "o" => Color::White,
                _ => continue,
            };
            board.place(color, point).expect("one stone a point");
            match cell {
                "o" => last[0] = Some(point),
                "x" => last[1] = Some(point),
                _ => {}
            }
        }
    }
    TacticPosition { last, ..TacticPosition::of_board(&board, Color::Black) }
}

/// The error in a claim, if it is wrong.
fn check(title: &str, position: &TacticPosition, size: BoardSize, claim: &str) -> Option<String> {
    let (name, points) = claim.split_once(": ").expect("a claim has a colon");
    let mapping = Library::standard().mapping(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    let found: BTreeSet<String> = position.value(&mapping).iter().map(|point| point.name(size)).collect();
    let expected: BTreeSet<String> =
        points.split_whitespace().filter(|word| *word != "none").map(str::to_uppercase).collect();
    (found != expected).then(|| format!("{title} {name}: found {found:?}, claimed {expected:?}"))
}

#[test]
fn names_select_the_claimed_points() {
    let mut claimed = BTreeSet::new();
    let mut faults = Vec::new();
    for block in include_str!("tactics/names.txt").split("\n\n") {
        let lines: Vec<&str> = block.lines().filter(|line| !line.trim().is_empty()).collect();
        let title = lines.first().and_then(|line| line.strip_prefix("# ")).expect("a title");
        let rows: Vec<&str> = lines[1..].iter().filter(|line| !line.contains(':')).copied().collect();
        let size = BoardSize::new(rows.len() as u8).expect("a square picture");
        let position = position(&rows);
        for claim in lines.iter().filter(|line| line.contains(": ") && !line.starts_with('#')) {
            faults.extend(check(title, &position, size, claim));
            claimed.insert(claim.split_once(':').map_or("", |(name, _)| name));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let unclaimed: Vec<_> = Library::standard().named().filter(|named| !claimed.contains(&*named.name)).collect();
    let names: Vec<_> = unclaimed.iter().map(|named| &named.name).collect();
    assert!(names.is_empty(), "no picture shows {names:?}");
}

#[test]
fn every_name_has_a_description() {
    for named in Library::standard().named() {
        assert!(!named.words.is_empty(), "{}", named.name);
    }
}

#[test]
fn lines_and_star_points_of_the_large_board() {
    let position = TacticPosition::of_board(&Board::new(BoardSize::NINETEEN), Color::Black);
    let value = |text: &str| position.value(&Library::standard().mapping(text).expect(text));
    let stars: BTreeSet<Point> = BoardSize::NINETEEN.star_points().into_iter().collect();
    assert_eq!(value("star_point").iter().collect::<BTreeSet<_>>(), stars);
    for (text, n_points) in [("at(3, 4)", 8), ("at(4, 4)", 4), ("at(10, 10)", 1), ("at(1, 1)", 4), ("tengen", 1)] {
        assert_eq!(value(text).len(), n_points, "{text}");
    }
    for n in 1..=10 {
        let expected =
            BoardSize::NINETEEN.points().filter(|p| p.x().min(p.y()).min(18 - p.x()).min(18 - p.y()) + 1 == n);
        assert_eq!(value(&format!("line({n})")).iter().collect::<BTreeSet<_>>(), expected.collect());
    }
}

/// Positions of random games, with their boards.
fn random_positions(seed: u64, lines: u8, n_moves: usize) -> Vec<(Board, TacticPosition)> {
    let size = BoardSize::new(lines).expect("a size");
    let mut board = Board::new(size);
    let mut position = TacticPosition::of_board(&board, Color::Black);
    let mut positions = Vec::new();
    let mut random = seed;
    for _ in 0..n_moves {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let number = (random >> 33) as usize % size.points().count();
        let point = size.points().nth(number);
        let color = position.to_move;
        let point = point.filter(|&point| board.play(color, point).is_ok());
        position.play(Move { color, point });
        positions.push((board.clone(), position.clone()));
    }
    positions
}

/// Exact names match the rules; approximate names contain no wrong points.
#[test]
fn names_agree_with_the_rules() {
    let library = Library::standard();
    let value = |position: &TacticPosition, name: &str| position.value(&library.get(name).expect(name).mapping);
    let mut counts = [0; 6];
    for (seed, lines) in (0..120).map(|seed| (seed, 4 + seed as u8 % 6)) {
        for (board, position) in random_positions(seed, lines, 70) {
            let own = position.to_move;
            let names = ["capture", "atari", "self_atari", "escape", "throw_in", "ko_capture"];
            let values = names.map(|name| value(&position, name));
            counts.iter_mut().zip(&values).for_each(|(count, value)| *count += value.len());
            for point in board.size().points().filter(|&point| board.is_empty(point)) {
                // Without the ko, which mappings can't see.
                let mut after = board.clone();
                after.pass();
                let Ok(n_taken) = after.play(own, point) else {
                    let is_claimed = |value: &Points| value.contains(point);
                    assert!(!values.iter().any(is_claimed), "{board:?} {point:?}");
                    continue;
                };
                let around = || point.neighbors(board.size());
                let is_own = |p: &Point| board.stone(*p) == Some(own);
                let is_opp = |p: &Point| board.stone(*p) == Some(own.opponent());
                let [capture, atari, self_atari, escape, throw_in, ko] = values.each_ref().map(|v| v.contains(point));
                let n_liberties = after.liberties(point);
                assert_eq!(capture, n_taken > 0, "{board:?} {point:?}");
                assert_eq!(atari, around().any(|p| is_opp(&p) && board.liberties(p) == 2), "{board:?} {point:?}");
                assert!(!self_atari || n_liberties == 1, "{board:?} {point:?}");
                let was_atari = around().any(|p| is_own(&p) && board.liberties(p) == 1);
                assert!(!escape || was_atari && n_liberties >= 2, "{board:?} {point:?}");
                let is_alone = after.chain_len(point) == 1 && n_liberties == 1;
                assert_eq!(throw_in, is_alone && n_taken == 0, "{board:?} {point:?}");
                assert_eq!(
                    ko,
                    is_alone && n_taken == 1 && after.ko_point(own.opponent()).is_some(),
                    "{board:?} {point:?}"
                );
            }
        }
    }
    assert!(counts.iter().all(|&count| count >= 20), "{counts:?}");
}
