//! Local fights followed through a game.
//!
//! A joseki that is interrupted by a play elsewhere is split in the text of the
//! game. Here each move joins the latest fight near it, and each fight becomes
//! a text of its own, with a symbol where a side played elsewhere.

use tejun_games::Move;
use tejun_games::go::{BoardSize, Color, Point};
use tejun_index::Symbol;

use crate::codes::{Code, Encoder, TENUKI};

/// A move joins a fight if it is at most this far, along both axes, from one of its last stones.
pub const LOCAL_REACH: u8 = 5;
/// Number of a fight's last stones that attract moves; without a limit, the middle game becomes a single fight.
const MEMORY: usize = 24;

/// A fight as symbols, with the move of the game for each.
///
/// The first stone has no symbol: the text describes how play continues from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fight {
    pub(crate) first_move: u16,
    pub(crate) first_stone: Point,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) moves: Vec<u16>,
}

/// The fights of a game that have at least two stones, in the order of their first moves.
pub(crate) fn local_fights(code: Code, size: BoardSize, moves: impl Iterator<Item = Move>) -> Vec<Fight> {
    let mut fights: Vec<Vec<(u16, Color, Point)>> = Vec::new();
    // The fights by the time of their last move, the latest last.
    let mut by_time: Vec<usize> = Vec::new();
    for (index, Move { color, point }) in moves.enumerate() {
        let Some(point) = point else { continue };
        let is_near = |&fight: &usize| {
            let last = fights[fight].iter().rev().take(MEMORY);
            last.into_iter().any(|&(_, _, stone)| distance(stone, point) <= LOCAL_REACH)
        };
        let fight = match by_time.iter().rposition(is_near) {
            Some(slot) => by_time.remove(slot),
            None => {
                fights.push(Vec::new());
                fights.len() - 1
            }
        };
        by_time.push(fight);
        fights[fight].push((index as u16, color, point));
    }
    fights.iter().filter(|fight| fight.len() > 1).map(|fight| write(code, size, fight)).collect()
}

fn write(code: Code, size: BoardSize, stones: &[(u16, Color, Point)]) -> Fight {
    let points: Vec<Point> = stones.iter().map(|stone| stone.2).collect();
    let mut encoder = Encoder::after_first(code, size, &points);
    let mut fight = Fight { first_move: stones[0].0, first_stone: points[0], symbols: Vec::new(), moves: Vec::new() };
    for pair in stones.windows(2) {
        let (before, (index, color, point)) = (pair[0].1, pair[1]);
        if color == before {
            fight.symbols.push(TENUKI);
            fight.moves.push(index);
        }
        fight.symbols.push(encoder.next(point));
        fight.moves.push(index);
    }
    fight
}

/// The distance along the longer axis.
pub(crate) fn distance(a: Point, b: Point) -> u8 {
    a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tejun_games::go::Symmetry;

    fn fights(line: &str, symmetry: Symmetry) -> Vec<Fight> {
        let size = BoardSize::NINETEEN;
        let moves = line.split(' ').enumerate().map(|(i, letters)| {
            let point = letters.as_bytes().try_into().ok().and_then(Point::from_sgf);
            let color = if i % 2 == 0 { Color::Black } else { Color::White };
            Move { color, point: point.map(|p| symmetry.apply(p, size)) }
        });
        local_fights(Code::Relative, size, moves)
    }

    #[test]
    fn a_fight_continues_after_a_play_elsewhere() {
        let fights = fights("pd nc dp qf dd pb qc cf", Symmetry::ALL[0]);
        let indices: Vec<&[u16]> = fights.iter().map(|fight| &fight.moves[..]).collect();
        // White plays qf after Black has played dp, and pb after Black has played dd.
        assert_eq!(indices, [&[1, 3, 3, 5, 5, 6][..], &[7]]);
        let is_tenuki = |i: usize| fights[0].symbols[i] == TENUKI;
        assert!(is_tenuki(1) && is_tenuki(3) && !is_tenuki(4));
    }

    /// In the whole text, a corner stone on the diagonal inherits its axes from the move before.
    #[test]
    fn a_fight_from_a_diagonal_has_one_text_in_all_corners() {
        let symbols = |symmetry| fights("pd qf nc rd qc", symmetry).remove(0).symbols;
        let expected = symbols(Symmetry::ALL[0]);
        for symmetry in Symmetry::ALL {
            assert_eq!(symbols(symmetry), expected, "{symmetry:?}");
        }
    }
}
