//! Mappings as straight-line code that runs on many positions at once.

use std::collections::HashMap;

use crate::tactics::eval::points::Points;
use crate::tactics::eval::position::TacticPosition;
use crate::tactics::language::mapping::{Leaf, Mapping, NeighborOperator, SetOperator};

/// One step; operands are indices of earlier steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Leaf(Leaf),
    Not(u32),
    Count(NeighborOperator, u8, u32),
    Join(SetOperator, u32, u32),
}

/// Compiled mappings; shared parts are computed once.
#[derive(Clone, Debug, Default)]
pub struct Program {
    steps: Vec<Step>,
    /// The step that computes each mapping's value.
    results: Vec<u32>,
}

/// The results of a program.
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
                // All operators except the difference are commutative.
                if *join != SetOperator::Minus && b < a { Step::Join(*join, b, a) } else { Step::Join(*join, a, b) }
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

    /// The number of steps per position.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// Computes all mappings on all positions. `values` can be reused.
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
                        SetOperator::And => both.for_each(|((target, a), b)| *target = *a & *b),
                        SetOperator::Or => both.for_each(|((target, a), b)| *target = *a | *b),
                        SetOperator::Minus => both.for_each(|((target, a), b)| *target = *a - *b),
                        SetOperator::Xor => both.for_each(|((target, a), b)| *target = *a ^ *b),
                    }
                }
            }
        }
    }
}

impl Values {
    /// The value of a mapping on a position, both given by index.
    #[inline]
    pub fn of(&self, mapping: usize, position: usize) -> &Points {
        &self.sets[self.results[mapping] as usize * self.n_positions + position]
    }
}

#[cfg(test)]
mod tests {
    use tejun_games::Move;
    use tejun_games::go::{Board, BoardSize, Color, Point};

    use super::*;

    fn leaf(leaf: Leaf) -> Mapping {
        leaf.into()
    }

    fn empty() -> Mapping {
        leaf(Leaf::Black).join(SetOperator::And, leaf(Leaf::White))
    }

    fn atari() -> Mapping {
        Mapping::count(NeighborOperator::Pre, 2, empty()).complement()
    }

    fn legal(side: Leaf) -> Mapping {
        Mapping::count(NeighborOperator::Suc, 1, leaf(side).join(SetOperator::Xor, atari()))
            .join(SetOperator::And, empty())
    }

    /// Checks the number of steps of mappings that are compiled together.
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
        // And ^, Suc, &; the empty points occur twice in it.
        check_steps(&[legal(Leaf::Black)], 8);
        check_steps(&[atari(), legal(Leaf::Black), empty()], 8);
        check_steps(&[legal(Leaf::Black), legal(Leaf::White)], 11);
        check_steps(&[1, 2, 1].map(|n| Mapping::count(NeighborOperator::Adj, n, empty())), 5);
    }

    #[test]
    fn all_joins_but_the_difference_are_commutative() {
        let [b, w] = [Leaf::Black, Leaf::White].map(leaf);
        for join in SetOperator::ALL {
            let both = [b.clone().join(join, w.clone()), w.clone().join(join, b.clone())];
            check_steps(&both, if join == SetOperator::Minus { 4 } else { 3 });
        }
    }

    /// White has captured a stone in the corner of a board of three lines: A3 was black.
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
        let stones = |own: Leaf, other: Leaf| leaf(own).join(SetOperator::Minus, leaf(other));
        assert_eq!(first.value(&stones(Leaf::Own, Leaf::Opponent)), points(&[(0, 0)]));
        assert_eq!(first.value(&stones(Leaf::Opponent, Leaf::Own)), points(&[(1, 0)]));
        assert_eq!(first.value(&leaf(Leaf::Last)), points(&[(1, 0)]));
        assert_eq!(first.value(&leaf(Leaf::BeforeLast)), points(&[(0, 0)]));
        assert_eq!(second.value(&stones(Leaf::White, Leaf::Black)), points(&[(1, 0), (0, 1)]));
        assert_eq!(second.value(&stones(Leaf::Black, Leaf::White)), Points::NONE);
        assert_eq!(second.value(&leaf(Leaf::Last)), points(&[(0, 1)]));
        // A pass is not a point.
        assert_eq!(second.value(&leaf(Leaf::BeforeLast)), Points::NONE);
        // Black may not play in the corner, where the stone was captured.
        assert_eq!(second.value(&legal(Leaf::Own)), second.graph.empty() - points(&[(0, 0)]));
        assert_eq!(second.value(&legal(Leaf::Opponent)), second.graph.empty());
    }

    #[test]
    fn values_can_be_reused_for_fewer_positions_and_other_programs() {
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
