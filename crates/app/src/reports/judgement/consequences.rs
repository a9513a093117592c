//! What a moment decides: who will own which points, and which groups live.

use std::collections::BTreeMap;

use tejun_games::go::{Board, Color, Point};
use tejun_games::{GameRecord, Move};
use tejun_knowledge::judging::{JudgedGame, JudgedMove};

use crate::reports::judgement::words::better;

/// Who will own each point at the end, row by row: from 1 for Black to -1 for White.
pub type Ownership = Vec<f32>;

/// From this mean ownership of its points on, a group lives; from its negative on, it is dead.
const DECIDED: f32 = 0.4;
/// The smallest number of stones whose fate is reported.
const MIN_STONES: usize = 2;

/// Who will own what, around a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct MomentOwnership {
    /// Before the move.
    pub before: Ownership,
    /// After it.
    pub after: Ownership,
    /// After the better move, if there is one.
    pub after_better: Option<Ownership>,
}

/// What a move decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// Stones that lived before the move are dead after it.
    GroupDies {
        /// Whose stones they are.
        color: Color,
        /// All of them.
        stones: Vec<Point>,
        /// One of them, which names them.
        at: Point,
    },
    /// Stones that live after the move would be dead after the better one.
    GroupWouldDie {
        /// Whose stones they are.
        color: Color,
        /// All of them.
        stones: Vec<Point>,
        /// One of them, which names them.
        at: Point,
    },
}

/// The ownership around each moment, by the number of moves before it. `ask` gets the moves so far, the board after
/// them, and the side to move.
pub fn moment_ownership(
    record: &GameRecord,
    judged: &JudgedGame,
    mut ask: impl FnMut(&[Move], &Board, Color) -> Ownership,
) -> BTreeMap<usize, MomentOwnership> {
    let mut ask_after = |moves: Vec<Move>, color: Color| {
        let line = GameRecord { moves, ..record.clone() };
        ask(&line.moves, &line.board_before(line.moves.len()), color)
    };
    let mut around = |judged: &JudgedMove| {
        let Move { color, point } = judged.played;
        let so_far = &record.moves[..judged.index];
        let with = |point| [so_far, &[Move { color, point }]].concat();
        let before = ask_after(so_far.to_vec(), color);
        let after = ask_after(with(point), color.opponent());
        let after_better = better(judged).map(|value| ask_after(with(value.point), color.opponent()));
        (judged.index, MomentOwnership { before, after, after_better })
    };
    judged.moves.iter().filter(|judged| judged.moment.is_some()).map(&mut around).collect()
}

/// What the move decides on the board before it.
pub(crate) fn consequences(board: &Board, ownership: &MomentOwnership) -> Vec<Consequence> {
    let MomentOwnership { before, after, after_better } = ownership;
    let mut found = Vec::new();
    for color in [Color::Black, Color::White] {
        if let Some((at, stones)) = dying(board, color, before, after) {
            found.push(Consequence::GroupDies { color, stones, at });
        }
        if let Some((at, stones)) = after_better.as_ref().and_then(|better| dying(board, color, after, better)) {
            found.push(Consequence::GroupWouldDie { color, stones, at });
        }
    }
    found
}

/// The stones of a color that live by one ownership and are dead by another; first a stone of the largest chain.
fn dying(board: &Board, color: Color, alive: &Ownership, dead: &Ownership) -> Option<(Point, Vec<Point>)> {
    let size = board.size();
    let own = |ownership: &Ownership, chain: &[Point]| {
        let place = |point: &Point| usize::from(point.y()) * usize::from(size.get()) + usize::from(point.x());
        let sum: f32 = chain.iter().filter_map(|point| ownership.get(place(point))).sum();
        let mean = sum / chain.len() as f32;
        if color == Color::Black { mean } else { -mean }
    };
    let stones: Vec<Point> = size.points().filter(|&point| board.stone(point) == Some(color)).collect();
    let chains = stones.iter().filter(|&&point| board.chain_head(point) == Some(point));
    let chains = chains.map(|&head| board.chain(head).collect::<Vec<Point>>());
    let dying: Vec<Vec<Point>> =
        chains.filter(|chain| own(alive, chain) > DECIDED && own(dead, chain) < -DECIDED).collect();
    let at = dying.iter().max_by_key(|chain| chain.len())?.iter().min().copied()?;
    let mut dying = dying.concat();
    dying.sort_unstable();
    (dying.len() >= MIN_STONES).then_some((at, dying))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports::judgement::fixtures;

    const BLACK: f32 = 0.9;

    #[test]
    fn groups_that_change_sides_are_found() {
        let game = fixtures::small_game();
        let mut board = game.record.board_before(3);
        for (x, y) in [(9, 9), (9, 10), (5, 5)] {
            board.place(Color::White, Point::new(x, y)).expect("an empty point");
        }
        let all = |value: f32| vec![value; 361];
        let mut after = all(-0.7);
        after[9 * 19 + 9] = 0.9;
        after[10 * 19 + 9] = 0.3;
        let ownership = MomentOwnership { before: all(-0.7), after, after_better: Some(all(BLACK)) };
        let lost = vec![Point::new(9, 9), Point::new(9, 10)];
        let found = consequences(&board, &ownership);
        assert_eq!(found[0], Consequence::GroupDies { color: Color::White, at: Point::new(9, 9), stones: lost });
        // White's other stones live after the move, and would not after the better one.
        let Consequence::GroupWouldDie { color: Color::White, stones, .. } = &found[1] else { panic!("{found:?}") };
        assert!(stones.contains(&Point::new(5, 5)) && !stones.contains(&Point::new(9, 9)));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn every_moment_is_asked_about() {
        let game = fixtures::small_game();
        let mut asked = Vec::new();
        let found = moment_ownership(&game.record, &game.judged, |moves, board, color| {
            asked.push((moves.len(), board.stones(Color::Black).len(), color));
            vec![0.0; 361]
        });
        assert_eq!(asked, [(2, 1, Color::Black), (3, 2, Color::White), (3, 2, Color::White)]);
        assert_eq!(found.keys().collect::<Vec<_>>(), [&2]);
        assert!(found[&2].after_better.is_some());
    }
}
