//! The four neighbors of a point as one symbol (Es).

use tejun_games::go::{Board, Color, Point};
use tejun_index::Symbol;

/// The state of a neighbor, as seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Empty = 0,
    Own = 1,
    Opponent = 2,
    OffBoard = 3,
}

impl State {
    const ALL: [State; 4] = [State::Empty, State::Own, State::Opponent, State::OffBoard];
}

/// The symbol of the stones around a point, for the side to move.
pub(crate) fn symbol(board: &Board, color: Color, point: Point) -> Symbol {
    let size = board.size();
    let state = |dx: i16, dy: i16| {
        let (x, y) = (point.x() as i16 + dx, point.y() as i16 + dy);
        let lines = size.get() as i16;
        if !(0..lines).contains(&x) || !(0..lines).contains(&y) {
            return State::OffBoard;
        }
        match board.stone(Point::new(x as u8, y as u8)) {
            None => State::Empty,
            Some(stone) if stone == color => State::Own,
            Some(_) => State::Opponent,
        }
    };
    symbol_of([state(0, -1), state(1, 0), state(0, 1), state(-1, 0)])
}

/// The smallest number among all rotations and mirror images of the ring.
fn symbol_of(ring: [State; 4]) -> Symbol {
    let number = |ring: [State; 4]| ring.iter().fold(0, |n, &state| 4 * n + state as u16);
    let images = (0..4).flat_map(|turn| {
        let turned: [State; 4] = std::array::from_fn(|i| ring[(i + turn) % 4]);
        let mirrored: [State; 4] = std::array::from_fn(|i| ring[(turn + 4 - i) % 4]);
        [number(turned), number(mirrored)]
    });
    Symbol(images.min().expect("a ring has eight symmetric images"))
}

/// The symbols of every ring that can occur: with zero, one or two neighboring sides off the board.
pub(crate) fn all_symbols() -> impl Iterator<Item = Symbol> {
    let is_possible = |ring: &[State; 4]| {
        let off: Vec<usize> = (0..4).filter(|&i| ring[i] == State::OffBoard).collect();
        match off[..] {
            [] | [_] => true,
            [a, b] => b - a != 2,
            _ => false,
        }
    };
    let ring = |n: usize| [State::ALL[n / 64], State::ALL[n / 16 % 4], State::ALL[n / 4 % 4], State::ALL[n % 4]];
    (0..256).map(ring).filter(is_possible).map(symbol_of)
}

pub(crate) fn describe(symbol: Symbol) -> String {
    let names = ["empty", "own", "opponent", "edge"];
    let ring: Vec<&str> = (0..4).rev().map(|i| names[(symbol.0 >> (2 * i)) as usize % 4]).collect();
    format!("neighbors {}", ring.join(", "))
}
