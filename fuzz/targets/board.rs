//! The board: moves taken from the bytes, compared with a naive board.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun_games::go::{Board, BoardSize, Color, IllegalMove, Point, PointSet, Suicide};

fuzz_target!(|bytes: &[u8]| {
    let [lines, rule, steps @ ..] = bytes else { return };
    let size = BoardSize::new(2 + lines % 24).expect("2 to 25 lines");
    let suicide = if rule % 2 == 0 { Suicide::Forbidden } else { Suicide::Allowed };
    let mut board = Board::new(size);
    // Each step consists of a row and a column; the upper bits select the color and the action.
    for step in steps.as_chunks::<2>().0.iter().take(400) {
        let [x, y] = step.map(|byte| (byte & 31) % size.get());
        let color = if step[0] & 32 == 0 { Color::Black } else { Color::White };
        let point = Point::new(x, y);
        match step[0] >> 6 {
            0 | 1 => play(&mut board, color, point, suicide),
            2 if step[1] & 128 == 0 => check_setup(&mut board, color, point),
            2 => board.remove(point),
            _ => board.pass(),
        }
        check(&board);
    }
});

fn play(board: &mut Board, color: Color, point: Point, suicide: Suicide) {
    let before = board.clone();
    let hash_after = board.hash_after(color, point);
    match board.play_with(color, point, suicide) {
        Ok(n_captured) => {
            let expected = after(&before, color, point);
            assert_eq!([Color::Black, Color::White].map(|c| board.stones(c)), expected, "{before:?}");
            let opponent = color.opponent();
            assert_eq!(n_captured, before.stones(opponent).len() - board.stones(opponent).len());
            assert_eq!(board.hash(), hash_after);
        }
        Err(why) => {
            let refused = match why {
                IllegalMove::Occupied => !before.is_empty(point),
                IllegalMove::Ko => before.ko_point(color) == Some(point),
                IllegalMove::Suicide => !after(&before, color, point)[color as usize].contains(point),
                IllegalMove::OffBoard | IllegalMove::Superko => false,
            };
            assert!(refused, "{why} at {point:?}\n{before:?}");
            assert_eq!(board.hash(), before.hash());
        }
    }
}

/// The stones of Black and White after a move, found by flood fill.
fn after(board: &Board, color: Color, point: Point) -> [PointSet; 2] {
    let mut stones = [board.stones(Color::Black), board.stones(Color::White)];
    stones[color as usize].insert(point);
    for side in [color.opponent(), color] {
        let around: Vec<Point> = point.neighbors(board.size()).chain([point]).collect();
        for start in around.into_iter().filter(|&p| stones[side as usize].contains(p)).collect::<Vec<_>>() {
            let (chain, has_liberty) = fill(&stones, side, start, board.size());
            if !has_liberty {
                stones[side as usize] = stones[side as usize] - chain;
            }
        }
    }
    stones
}

fn fill(stones: &[PointSet; 2], side: Color, start: Point, size: BoardSize) -> (PointSet, bool) {
    let (mut chain, mut has_liberty, mut open) = (PointSet::EMPTY, false, vec![start]);
    while let Some(stone) = open.pop() {
        if chain.contains(stone) || !stones[side as usize].contains(stone) {
            continue;
        }
        chain.insert(stone);
        let is_empty = |p: &Point| !stones.iter().any(|side| side.contains(*p));
        has_liberty |= stone.neighbors(size).any(|p| is_empty(&p));
        open.extend(stone.neighbors(size));
    }
    (chain, has_liberty)
}

fn check_setup(board: &mut Board, color: Color, point: Point) {
    let was_empty = board.is_empty(point);
    // Moves can't create a chain without a liberty.
    let mut placed = board.clone();
    assert_eq!(placed.place(color, point).is_ok(), was_empty);
    let breathes = |p: Point| placed.stone(p).is_none() || placed.liberties(p) > 0;
    if was_empty && board.size().points().all(breathes) {
        *board = placed;
    }
}

/// Counts updated move by move equal those of a new board.
fn check(board: &Board) {
    let mut fresh = Board::new(board.size());
    for point in board.size().points() {
        assert_eq!(board.liberties(point), board.liberty_points(point).len(), "{point:?}\n{board:?}");
        let Some(color) = board.stone(point) else { continue };
        assert!(board.liberties(point) > 0, "{point:?}\n{board:?}");
        fresh.place(color, point).expect("each point has one stone");
    }
    assert_eq!(board.hash(), fresh.hash());
    for point in board.size().points() {
        assert_eq!(board.liberties(point), fresh.liberties(point), "{point:?}\n{board:?}");
        assert_eq!(board.chain(point).count(), fresh.chain(point).count(), "{point:?}\n{board:?}");
    }
}
