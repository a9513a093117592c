//! Mappings as straight-line code that is run over many positions at once.

use std::collections::HashMap;

use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_games::{GameRecord, Move};

use crate::tactics::graph::BwGraph;
use crate::tactics::mapping::{Count, Join, Leaf, Mapping};
use crate::tactics::points::Points;

/// All that mappings look at: the graph, the side to move, the last two moves.
#[derive(Clone, Debug)]
pub struct TacticPosition {
    /// The stones and their edges.
    pub graph: BwGraph,
    /// Who moves.
    pub to_move: Color,
    /// The move played last and the one before it; `None` for passes and before the game.
    pub last: [Option<Point>; 2],
}

impl TacticPosition {
    /// A board of up to 19 lines that nobody has moved on yet.
    pub fn of_board(board: &Board, to_move: Color) -> TacticPosition {
        TacticPosition { graph: BwGraph::of_board(board), to_move, last: [None; 2] }
    }

    /// The position before the first move of a record on a board of up to 19 lines.
    pub fn start_of(record: &GameRecord) -> TacticPosition {
        let to_move = record.moves.first().map_or(Color::Black, |first| first.color);
        TacticPosition::of_board(&record.start_board(), to_move)
    }

    /// Whether boards of this size are small enough.
    pub fn fits(size: BoardSize) -> bool {
        size.get() <= Points::MAX_LINES
    }

    /// Plays a move of a game; it is then the other side's turn.
    pub fn play(&mut self, played: Move) {
        if let Some(point) = played.point {
            self.graph.play(played.color, point);
        }
        self.last = [played.point, self.last[0]];
        self.to_move = played.color.opponent();
    }

    /// What a leaf stands for.
    #[inline]
    pub fn leaf(&self, leaf: Leaf) -> Points {
        let without = |color: Color| *self.graph.all() - *self.graph.stones(color);
        match leaf {
            Leaf::Black => without(Color::White),
            Leaf::White => without(Color::Black),
            Leaf::Own => without(self.to_move.opponent()),
            Leaf::Opponent => without(self.to_move),
            Leaf::Last => self.last[0].map_or(Points::NONE, Points::one),
            Leaf::BeforeLast => self.last[1].map_or(Points::NONE, Points::one),
        }
    }

    /// The points where the side to move may play, ko aside: `Suc_1(O ^ H) & EMPTY`.
    pub fn legal(&self) -> Points {
        let empty = self.graph.empty();
        let atari = *self.graph.all() - self.graph.count(Count::Pre, 2, &empty);
        self.graph.count(Count::Suc, 1, &(self.leaf(Leaf::Own) ^ atari)) & empty
    }

    /// The value of a mapping.
    pub fn value(&self, mapping: &Mapping) -> Points {
        let mut values = Values::default();
        Program::compile([mapping]).run(std::slice::from_ref(self), &mut values);
        *values.of(0, 0)
    }
}

/// One step; operands are numbers of earlier steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Leaf(Leaf),
    Not(u32),
    Count(Count, u8, u32),
    Join(Join, u32, u32),
}

/// Mappings compiled: every part that they share is computed once.
#[derive(Clone, Debug, Default)]
pub struct Program {
    steps: Vec<Step>,
    /// The step of each mapping's value.
    results: Vec<u32>,
}

/// What a program computed.
#[derive(Clone, Debug, Default)]
pub struct Values {
    sets: Vec<Points>,
    n_positions: usize,
    results: Vec<u32>,
}

impl Program {
    /// Compiles mappings, in their order.
    pub fn compile<'m>(mappings: impl IntoIterator<Item = &'m Mapping>) -> Program {
        let mut program = Program::default();
        let mut known = HashMap::new();
        for mapping in mappings {
            let step = program.add(mapping, &mut known);
            program.results.push(step);
        }
        program
    }

    fn add(&mut self, mapping: &Mapping, known: &mut HashMap<Step, u32>) -> u32 {
        let step = match mapping {
            Mapping::Leaf(leaf) => Step::Leaf(*leaf),
            Mapping::Not(of) => Step::Not(self.add(of, known)),
            Mapping::Count(kind, n, of) => Step::Count(*kind, *n, self.add(of, known)),
            Mapping::Join(join, a, b) => {
                let (a, b) = (self.add(a, known), self.add(b, known));
                // All but the difference may change places.
                if *join != Join::Minus && b < a { Step::Join(*join, b, a) } else { Step::Join(*join, a, b) }
            }
        };
        *known.entry(step).or_insert_with(|| {
            self.steps.push(step);
            self.steps.len() as u32 - 1
        })
    }

    /// The number of mappings.
    pub fn n_mappings(&self) -> usize {
        self.results.len()
    }

    /// The steps that one position takes.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// Computes all mappings on all positions. `values` may be used again and again.
    pub fn run(&self, positions: &[TacticPosition], values: &mut Values) {
        let n = positions.len();
        values.n_positions = n;
        values.results.clone_from(&self.results);
        values.sets.resize(n * self.steps.len(), Points::NONE);
        for (number, step) in self.steps.iter().enumerate() {
            let (before, after) = values.sets.split_at_mut(number * n);
            let of = |step: u32| &before[step as usize * n..][..n];
            let targets = after[..n].iter_mut();
            match *step {
                Step::Leaf(leaf) => targets.zip(positions).for_each(|(target, c)| *target = c.leaf(leaf)),
                Step::Not(a) => {
                    targets.zip(of(a)).zip(positions).for_each(|((target, a), c)| *target = *c.graph.all() - *a);
                }
                Step::Count(kind, many, a) => targets
                    .zip(of(a))
                    .zip(positions)
                    .for_each(|((target, a), c)| *target = c.graph.count(kind, many, a)),
                Step::Join(join, a, b) => {
                    let both = targets.zip(of(a)).zip(of(b));
                    match join {
                        Join::And => both.for_each(|((target, a), b)| *target = *a & *b),
                        Join::Or => both.for_each(|((target, a), b)| *target = *a | *b),
                        Join::Minus => both.for_each(|((target, a), b)| *target = *a - *b),
                        Join::Xor => both.for_each(|((target, a), b)| *target = *a ^ *b),
                    }
                }
            }
        }
    }
}

impl Values {
    /// The value of a mapping on a position, both by their number.
    #[inline]
    pub fn of(&self, mapping: usize, position: usize) -> &Points {
        &self.sets[self.results[mapping] as usize * self.n_positions + position]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(leaf: Leaf) -> Mapping {
        leaf.into()
    }

    fn empty() -> Mapping {
        leaf(Leaf::Black).join(Join::And, leaf(Leaf::White))
    }

    fn atari() -> Mapping {
        Mapping::count(Count::Pre, 2, empty()).complement()
    }

    fn legal(side: Leaf) -> Mapping {
        Mapping::count(Count::Suc, 1, leaf(side).join(Join::Xor, atari())).join(Join::And, empty())
    }

    /// The steps of mappings that are compiled together.
    #[track_caller]
    fn check_steps(mappings: &[Mapping], expected: usize) {
        let program = Program::compile(mappings);
        assert_eq!((program.n_mappings(), program.n_steps()), (mappings.len(), expected));
    }

    #[test]
    fn shared_parts_are_computed_once() {
        check_steps(&[], 0);
        check_steps(&[leaf(Leaf::Own)], 1);
        check_steps(&[leaf(Leaf::Own), leaf(Leaf::Own)], 1);
        // B, W, &, Pre, !
        check_steps(&[atari()], 5);
        // And ^, Suc, &; the empty points stand twice in it.
        check_steps(&[legal(Leaf::Black)], 8);
        check_steps(&[atari(), legal(Leaf::Black), empty()], 8);
        check_steps(&[legal(Leaf::Black), legal(Leaf::White)], 11);
        check_steps(&[1, 2, 1].map(|n| Mapping::count(Count::Adj, n, empty())), 5);
    }

    #[test]
    fn operands_change_places_in_all_joins_but_the_difference() {
        let [b, w] = [Leaf::Black, Leaf::White].map(leaf);
        for join in Join::ALL {
            let both = [b.clone().join(join, w.clone()), w.clone().join(join, b.clone())];
            check_steps(&both, if join == Join::Minus { 4 } else { 3 });
        }
    }

    /// White has taken a stone in the corner of a board of three lines: A3 was black.
    fn after_a_capture() -> [TacticPosition; 2] {
        let board = Board::new(BoardSize::new(3).expect("a size"));
        let mut first = TacticPosition::of_board(&board, Color::Black);
        for (color, x, y) in [(Color::Black, 0, 0), (Color::White, 1, 0)] {
            first.play(Move { color, point: Some(Point::new(x, y)) });
        }
        let mut second = first.clone();
        second.play(Move { color: Color::Black, point: None });
        second.play(Move { color: Color::White, point: Some(Point::new(0, 1)) });
        [first, second]
    }

    #[test]
    fn positions_keep_the_side_to_move_and_the_last_two_moves() {
        let [first, second] = after_a_capture();
        let points = |points: &[(u8, u8)]| points.iter().map(|&(x, y)| Point::new(x, y)).collect::<Points>();
        let stones = |own: Leaf, other: Leaf| leaf(own).join(Join::Minus, leaf(other));
        assert_eq!(first.value(&stones(Leaf::Own, Leaf::Opponent)), points(&[(0, 0)]));
        assert_eq!(first.value(&stones(Leaf::Opponent, Leaf::Own)), points(&[(1, 0)]));
        assert_eq!(first.value(&leaf(Leaf::Last)), points(&[(1, 0)]));
        assert_eq!(first.value(&leaf(Leaf::BeforeLast)), points(&[(0, 0)]));
        assert_eq!(second.value(&stones(Leaf::White, Leaf::Black)), points(&[(1, 0), (0, 1)]));
        assert_eq!(second.value(&stones(Leaf::Black, Leaf::White)), Points::NONE);
        assert_eq!(second.value(&leaf(Leaf::Last)), points(&[(0, 1)]));
        // A pass is no point.
        assert_eq!(second.value(&leaf(Leaf::BeforeLast)), Points::NONE);
        // Black may not play in the corner, where the stone was.
        assert_eq!(second.value(&legal(Leaf::Own)), second.graph.empty() - points(&[(0, 0)]));
        assert_eq!(second.value(&legal(Leaf::Opponent)), second.graph.empty());
    }

    #[test]
    fn values_may_be_used_again_for_fewer_positions_and_other_programs() {
        let positions = after_a_capture();
        let (large, small) = ([atari(), legal(Leaf::Own), empty()], [leaf(Leaf::Last).complement()]);
        let mut values = Values::default();
        for mappings in [&large[..], &small, &large] {
            for part in [&positions[..], &positions[1..], &[]] {
                Program::compile(mappings).run(part, &mut values);
                for (p, position) in part.iter().enumerate() {
                    for (m, mapping) in mappings.iter().enumerate() {
                        assert_eq!(*values.of(m, p), position.value(mapping));
                    }
                }
            }
        }
    }
}
