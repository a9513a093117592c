//! Which points reach which? The graph of a position, updated with each move.

use std::ops::Range;

use tejun_games::go::{Board, BoardSize, Color, Point};

use crate::tactics::eval::points::{N_WORDS, Points};
use crate::tactics::language::mapping::NeighborOperator;

/// A position as a graph (BW graph, Satou, Anada and Tsutsumi 2013).
///
/// An edge leads from every stone to its whole chain and to all surrounding points (F), and from an empty point to
/// its neighbors. Moves update the edges: chains are joined and removed, never searched for.
#[derive(Clone, Debug)]
pub struct BwGraph {
    all: Points,
    black: Points,
    white: Points,
    /// Single stones; their edges are those of empty points.
    lone: Points,
    /// Chains of several stones.
    chains: Vec<Chain>,
}

/// A chain of two stones or more.
#[derive(Clone, Debug)]
struct Chain {
    color: Color,
    stones: Points,
    /// The stones and their neighbors: F of each of the stones.
    reach: Points,
    /// The range of nonzero words of `reach`.
    range: Range<usize>,
}

impl Chain {
    fn new(color: Color, stones: Points, reach: Points) -> Chain {
        let is_used = |i: &usize| reach.0[*i] != 0;
        let first = (0..N_WORDS).find(is_used).unwrap_or(0);
        let end = (0..N_WORDS).rev().find(is_used).map_or(0, |last| last + 1);
        Chain { color, stones, reach, range: first..end }
    }

    /// The number of points of `within`, a subset of `reach`, that are in the set; stops at `enough`.
    #[inline]
    fn count(&self, within: &Points, set: &Points, enough: u32) -> u32 {
        let mut n = 0;
        for i in self.range.clone() {
            let word = within.0[i] & set.0[i];
            if word != 0 {
                n += word.count_ones();
                if n >= enough {
                    return enough;
                }
            }
        }
        n
    }
}

impl BwGraph {
    /// A board without stones, of up to 19 lines.
    pub fn new(size: BoardSize) -> BwGraph {
        let none = Points::NONE;
        BwGraph { all: Points::all(size), black: none, white: none, lone: none, chains: Vec::new() }
    }

    /// The graph of a board of up to 19 lines.
    pub fn of_board(board: &Board) -> BwGraph {
        let mut graph = BwGraph::new(board.size());
        for point in board.size().points().filter(|&p| board.chain_head(p) == Some(p)) {
            let color = board.stone(point).expect("a chain has stones");
            graph.add_chain(color, board.chain(point).collect());
        }
        graph
    }

    /// All points of the board.
    pub fn all(&self) -> &Points {
        &self.all
    }

    /// The stones of a color.
    pub fn stones(&self, color: Color) -> &Points {
        if color == Color::Black { &self.black } else { &self.white }
    }

    /// The points without a stone.
    #[inline]
    pub fn empty(&self) -> Points {
        self.all - (self.black | self.white)
    }

    /// F of a point: its chain and the surrounding points.
    pub fn reach(&self, point: Point) -> Points {
        let chain = self.chains.iter().find(|chain| chain.stones.contains(point));
        chain.map_or_else(|| Points::one(point).grown() & self.all, |chain| chain.reach)
    }

    /// Plays a stone on an empty point and removes chains without liberties, the opponent's first.
    ///
    /// The paper's recurrences: the new chain is `(Pre_1({x}) - W) | {x}`, and the captured points are `(Pre_1({x}) &
    /// H) - B`, where White's stones are W - B.
    pub fn play(&mut self, color: Color, point: Point) {
        let played = Points::one(point);
        let around = played.grown() & self.all;
        for taken in self.captured(color.opponent(), point, &around) {
            self.remove(color.opponent(), &taken);
        }
        let own = *self.stones(color);
        let mut stones = played | (around & own & self.lone);
        let mut reach = stones.grown() & self.all;
        self.lone = self.lone - stones;
        self.chains.retain(|chain| {
            let is_joined = chain.color == color && chain.reach.contains(point);
            if is_joined {
                stones |= chain.stones;
                reach |= chain.reach;
            }
            !is_joined
        });
        if reach.meets(&(self.empty() - played)) {
            *self.stones_mut(color) |= played;
            self.keep(color, stones, reach);
        } else {
            // Suicide. The stones of the chain are removed as well.
            *self.stones_mut(color) = own - stones;
        }
    }

    /// The chains of a color whose last liberty is this point.
    fn captured(&self, color: Color, point: Point, around: &Points) -> Vec<Points> {
        let empty = self.empty();
        let mut taken: Vec<Points> = Vec::new();
        for stone in (*around & *self.stones(color) & self.lone).iter() {
            let stone = Points::one(stone);
            if (stone.grown() & empty).len() == 1 {
                taken.push(stone);
            }
        }
        let near = self.chains.iter().filter(|chain| chain.color == color && chain.reach.contains(point));
        taken.extend(near.filter(|chain| chain.count(&chain.reach, &empty, 2) == 1).map(|chain| chain.stones));
        taken
    }

    fn remove(&mut self, color: Color, stones: &Points) {
        let left = *self.stones(color) - *stones;
        *self.stones_mut(color) = left;
        self.lone = self.lone - *stones;
        self.chains.retain(|chain| !chain.stones.meets(stones));
    }

    fn add_chain(&mut self, color: Color, stones: Points) {
        *self.stones_mut(color) |= stones;
        self.keep(color, stones, stones.grown() & self.all);
    }

    fn keep(&mut self, color: Color, stones: Points, reach: Points) {
        if stones.len() == 1 {
            self.lone |= stones;
        } else {
            self.chains.push(Chain::new(color, stones, reach));
        }
    }

    fn stones_mut(&mut self, color: Color) -> &mut Points {
        if color == Color::Black { &mut self.black } else { &mut self.white }
    }

    /// The points that have at least `n` edges of a kind to or from a set, n from 1 to 5.
    #[inline]
    pub fn count(&self, kind: NeighborOperator, n: u8, set: &Points) -> Points {
        match kind {
            NeighborOperator::Adj => set.tally().at_least(n) & self.all,
            NeighborOperator::Pre => self.pre(n, set),
            NeighborOperator::Suc => self.suc(n, set),
        }
    }

    fn pre(&self, n: u8, set: &Points) -> Points {
        let joined = (self.black | self.white) - self.lone;
        let mut result = (set.tally().at_least(n) & self.all) - joined;
        for chain in &self.chains {
            if chain.count(&chain.reach, set, u32::from(n)) == u32::from(n) {
                result |= chain.stones;
            }
        }
        result
    }

    fn suc(&self, n: u8, set: &Points) -> Points {
        let joined = (self.black | self.white) - self.lone;
        let mut tally = (*set - joined).tally();
        let in_chains = *set & joined;
        if !in_chains.is_empty() {
            for chain in &self.chains {
                let n_inside = chain.count(&chain.stones, &in_chains, u32::from(n));
                if n_inside > 0 {
                    tally.add(n_inside, &chain.reach, chain.range.clone());
                }
            }
        }
        tally.at_least(n) & self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tejun_games::go::Suicide;

    /// A board drawn with X for Black and O for White.
    fn board(picture: &str) -> Board {
        let rows: Vec<Vec<&str>> = picture.lines().map(|row| row.split_whitespace().collect()).collect();
        let mut board = Board::new(BoardSize::new(rows.len() as u8).expect("a size"));
        for point in board.size().points() {
            let color = match rows[point.y() as usize][point.x() as usize] {
                "X" => Color::Black,
                "O" => Color::White,
                _ => continue,
            };
            board.place(color, point).expect("the point is free");
        }
        board
    }

    /// The points that are drawn with `sign`.
    fn drawn(picture: &str, sign: char) -> Points {
        let rows = (0..).zip(picture.lines());
        let points = rows.flat_map(|(y, row)| (0..).zip(row.split_whitespace()).map(move |(x, cell)| (x, y, cell)));
        points.filter(|(_, _, cell)| cell.starts_with(sign)).map(|(x, y, _)| Point::new(x, y)).collect()
    }

    /// Plays a move and compares the result with a picture, and with the board after the same move.
    #[track_caller]
    fn check(before: &str, color: Color, (x, y): (u8, u8), after: &str) {
        let (mut board, point) = (board(before), Point::new(x, y));
        let mut graph = BwGraph::of_board(&board);
        graph.play(color, point);
        assert_eq!([graph.black, graph.white], [drawn(after, 'X'), drawn(after, 'O')]);
        board.play_with(color, point, Suicide::Allowed).expect("the point is free");
        let fresh = BwGraph::of_board(&board);
        for point in board.size().points() {
            assert_eq!(graph.reach(point), fresh.reach(point), "{point:?}");
        }
    }

    #[test]
    fn edges_lead_from_chains_to_their_surroundings_and_not_back() {
        let graph = BwGraph::of_board(&board(
            ". . . . .
             . X X . .
             . . X O .
             . . . . .
             . . . . .",
        ));
        let around_black = drawn(
            ". # # . .
             # # # # .
             . # # # .
             . . # . .
             . . . . .",
            '#',
        );
        let around_white = drawn(
            ". . . . .
             . . . # .
             . . # # #
             . . . # .
             . . . . .",
            '#',
        );
        let leads_to_white = drawn(
            ". . . . .
             . # # # .
             . . # # #
             . . . # .
             . . . . .",
            '#',
        );
        let (black, white) = (Point::new(1, 1), Point::new(3, 2));
        assert_eq!([graph.reach(black), graph.reach(white)], [around_black, around_white]);
        assert_eq!(graph.count(NeighborOperator::Suc, 1, &Points::one(black)), around_black);
        assert_eq!(graph.count(NeighborOperator::Suc, 1, &Points::one(white)), around_white);
        assert_eq!(graph.count(NeighborOperator::Pre, 1, &Points::one(white)), leads_to_white);
    }

    #[test]
    fn edges_of_several_chains_are_counted_together() {
        let graph = BwGraph::of_board(&board(
            ". . . X . . .
             . . . X . . .
             . . . X . . .
             X X X . X X X
             . . . . . . .
             . . . . . . .
             . . . . . . .",
        ));
        // Nine stones lead to the middle and six to its neighbors; three or more lead to all other reached points.
        let expected = [(3, 3), (2, 2), (4, 2)].map(|(x, y)| Point::new(x, y));
        assert_eq!(graph.count(NeighborOperator::Suc, 5, &graph.black), expected.into_iter().collect());
        assert_eq!(graph.count(NeighborOperator::Suc, 4, &graph.black), expected.into_iter().collect());
        let reached = graph.black.iter().fold(Points::NONE, |all, stone| all | graph.reach(stone));
        assert_eq!(graph.count(NeighborOperator::Suc, 3, &graph.black), reached);
        // Each chain has seven liberties.
        assert_eq!(graph.count(NeighborOperator::Pre, 5, &graph.empty()) & graph.black, graph.black);
    }

    #[test]
    fn one_move_takes_two_chains() {
        check(
            ". X . . .
             X O X X .
             O O . O X
             X X X X .
             . . . . .",
            Color::Black,
            (2, 2),
            ". X . . .
             X . X X .
             . . X . X
             X X X X .
             . . . . .",
        );
    }

    #[test]
    fn suicide_takes_the_whole_chain() {
        check(
            ". X O .
             X X O .
             O O O .
             . . . .",
            Color::Black,
            (0, 0),
            ". . O .
             . . O .
             O O O .
             . . . .",
        );
        let alone = ". O .
                     O . .
                     . . .";
        check(alone, Color::Black, (0, 0), alone);
    }

    #[test]
    fn taking_comes_before_suicide() {
        check(
            ". O X
             O X .
             X . .",
            Color::Black,
            (0, 0),
            "X . X
             . X .
             X . .",
        );
    }

    #[test]
    fn a_ko_is_taken_back_at_once() {
        let before = ". X O .
                      X O . O
                      . X O .
                      . . . .";
        let after = ". X O .
                     X . X O
                     . X O .
                     . . . .";
        check(before, Color::Black, (2, 1), after);
        check(after, Color::White, (1, 1), before);
    }
}
