//! The board against a naive twin, and counts of positions and sequences.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use tejun_games::go::{Board, BoardSize, Color, IllegalMove, Point, Position, Rules, Suicide};

type Points = BTreeSet<(u8, u8)>;

/// A board that recomputes everything each time.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct NaiveBoard {
    lines: u8,
    stones: BTreeMap<(u8, u8), bool>,
}

impl NaiveBoard {
    fn around(&self, (x, y): (u8, u8)) -> Vec<(u8, u8)> {
        [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)]
            .into_iter()
            .filter(|p| p.0 < self.lines && p.1 < self.lines)
            .collect()
    }

    fn chain(&self, at: (u8, u8)) -> (Points, Points) {
        let (mut chain, mut liberties, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![at]);
        while let Some(p) = open.pop() {
            if chain.insert(p) {
                for q in self.around(p) {
                    match self.stones.get(&q) {
                        None => drop(liberties.insert(q)),
                        Some(color) if *color == self.stones[&at] => open.push(q),
                        Some(_) => {}
                    }
                }
            }
        }
        (chain, liberties)
    }

    fn remove_dead(&mut self, at: (u8, u8)) -> BTreeSet<(u8, u8)> {
        let (chain, liberties) = self.chain(at);
        if !liberties.is_empty() {
            return BTreeSet::new();
        }
        self.stones.retain(|p, _| !chain.contains(p));
        chain
    }

    /// The board after a move, and what was taken; `None` on an occupied point.
    fn after(&self, color: bool, at: (u8, u8)) -> Option<(NaiveBoard, Points, usize)> {
        if self.stones.contains_key(&at) {
            return None;
        }
        let mut board = self.clone();
        board.stones.insert(at, color);
        let mut taken = BTreeSet::new();
        for p in self.around(at) {
            if board.stones.get(&p) == Some(&!color) {
                taken.extend(board.remove_dead(p));
            }
        }
        let own = board.remove_dead(at).len();
        Some((board, taken, own))
    }
}

fn size(lines: u8) -> BoardSize {
    BoardSize::new(lines).expect("a size")
}

fn is_white(color: Color) -> bool {
    color == Color::White
}

/// A small generator with a seed, so that every run plays the same games.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

#[track_caller]
fn check_equal(board: &Board, naive: &NaiveBoard) {
    let mut fresh = Board::new(board.size());
    for p in board.size().points() {
        let at = (p.x(), p.y());
        assert_eq!(board.stone(p).map(is_white), naive.stones.get(&at).copied(), "{board:?}");
        if let Some(color) = board.stone(p) {
            let (chain, liberties) = naive.chain(at);
            assert_eq!(board.liberties(p), liberties.len(), "liberties at {p:?}\n{board:?}");
            let fast: BTreeSet<_> = board.chain(p).map(|q| (q.x(), q.y())).collect();
            assert_eq!(fast, chain);
            let fast: BTreeSet<_> = board.liberty_points(p).iter().map(|q| (q.x(), q.y())).collect();
            assert_eq!(fast, liberties);
            fresh.place(color, p).expect("the point is empty");
        } else {
            assert_eq!(board.liberties(p), 0);
        }
    }
    assert_eq!(board.hash(), fresh.hash(), "incremental hash = fresh hash");
}

#[test]
fn plays_100_000_random_moves_as_the_naive_twin_does() {
    let mut random = Random(2002);
    let mut n_played = 0;
    let mut n_captures = 0;
    for round in 0.. {
        let lines = [2, 5, 6, 7, 9, 9, 13, 19, 25][round % 9];
        let suicide = if round % 2 == 0 { Suicide::Forbidden } else { Suicide::Allowed };
        let mut board = Board::new(size(lines));
        let mut naive = NaiveBoard { lines, ..Default::default() };
        let mut before_last: Option<NaiveBoard> = None;
        let mut color = Color::Black;
        for step in 0..3 * board.size().n_points() {
            let p = Point::new(random.below(lines as usize) as u8, random.below(lines as usize) as u8);
            let after = naive.after(is_white(color), (p.x(), p.y()));
            let hash_after = board.hash_after(color, p);
            let played = board.play_with(color, p, suicide);
            match after {
                None => assert_eq!(played, Err(IllegalMove::Occupied)),
                Some((_, _, own)) if own > 0 && suicide == Suicide::Forbidden => {
                    assert_eq!(played, Err(IllegalMove::Suicide));
                }
                // A ko is one stone taken by one stone, back to the position before.
                Some((next, taken, own)) if taken.len() == 1 && own == 0 && before_last.as_ref() == Some(&next) => {
                    assert_eq!(played, Err(IllegalMove::Ko), "{board:?}{p:?}");
                }
                Some((next, taken, _)) => {
                    assert_eq!(played, Ok(taken.len()), "{board:?}{p:?}");
                    assert_eq!(board.hash(), hash_after);
                    n_captures += taken.len();
                    before_last = Some(std::mem::replace(&mut naive, next));
                    n_played += 1;
                    color = color.opponent();
                    if step % 29 == 0 || lines < 6 {
                        check_equal(&board, &naive);
                    }
                }
            }
        }
        check_equal(&board, &naive);
        if n_played >= 100_000 {
            break;
        }
    }
    assert!(n_captures > 10_000, "only {n_captures} stones were taken");
}

/// Tromp and Farnebäck (2007): legal positions on 2x2 and 3x3 boards.
#[test]
fn reaches_every_legal_position_of_small_boards() {
    for (lines, expected) in [(2, 57), (3, 12_675)] {
        let mut seen = HashSet::new();
        let mut open = vec![Board::new(size(lines))];
        while let Some(board) = open.pop() {
            if !seen.insert(format!("{board:?}")) {
                continue;
            }
            for color in [Color::Black, Color::White] {
                for p in board.size().points() {
                    let mut next = board.clone();
                    next.pass();
                    if next.play(color, p).is_ok() {
                        open.push(next);
                    }
                }
            }
        }
        assert_eq!(seen.len(), expected, "{lines}x{lines}");
    }
}

fn count_sequences(position: &Position, depth: usize) -> usize {
    if depth == 0 {
        return 1;
    }
    let play = |p| {
        let mut next = position.clone();
        next.play(p).expect("legal moves are legal");
        count_sequences(&next, depth - 1)
    };
    position.legal_moves().map(play).sum()
}

fn count_naive(board: &NaiveBoard, seen: &mut Vec<NaiveBoard>, white: bool, depth: usize, suicide: Suicide) -> usize {
    if depth == 0 {
        return 1;
    }
    let mut total = 0;
    for y in 0..board.lines {
        for x in 0..board.lines {
            let Some((next, _, own)) = board.after(white, (x, y)) else { continue };
            if (own > 0 && suicide == Suicide::Forbidden) || seen.contains(&next) {
                continue;
            }
            seen.push(next.clone());
            total += count_naive(&next, seen, !white, depth - 1, suicide);
            seen.pop();
        }
    }
    total
}

/// Sequences under positional superko, without passes.
#[test]
fn counts_legal_sequences_of_small_boards() {
    for (lines, depth, rules, expected) in [
        (2, 7, Rules::CHINESE, 16),
        (2, 7, Rules::TROMP_TAYLOR, 16),
        (3, 5, Rules::CHINESE, 14_720),
        (5, 3, Rules::CHINESE, 13_800),
        (5, 4, Rules::CHINESE, 303_424),
    ] {
        let naive = NaiveBoard { lines, ..Default::default() };
        let by_twin = count_naive(&naive, &mut vec![naive.clone()], false, depth, rules.suicide);
        let fast = count_sequences(&Position::new(size(lines), rules), depth);
        assert_eq!((fast, by_twin), (expected, expected), "{lines}x{lines}, {depth} moves");
    }
}
