//! The input of mappings: a position of a game.

use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_games::{GameRecord, Move};

use crate::tactics::eval::graph::BwGraph;
use crate::tactics::eval::points::Points;
use crate::tactics::eval::program::{Program, Values};
use crate::tactics::language::mapping::{Leaf, Mapping, NeighborOperator};

/// The input of mappings: the graph, the side to move, the last two moves.
#[derive(Clone, Debug)]
pub struct TacticPosition {
    /// The stones and their edges.
    pub graph: BwGraph,
    /// The side to move.
    pub to_move: Color,
    /// The last move and the one before it; `None` for passes and before the first move.
    pub last: [Option<Point>; 2],
}

impl TacticPosition {
    /// A position on a board of up to 19 lines, without last moves.
    pub fn of_board(board: &Board, to_move: Color) -> TacticPosition {
        TacticPosition { graph: BwGraph::of_board(board), to_move, last: [None; 2] }
    }

    /// The position before the first move of a record on a board of up to 19 lines.
    pub fn start_of(record: &GameRecord) -> TacticPosition {
        let to_move = record.moves.first().map_or(Color::Black, |first| first.color);
        TacticPosition::of_board(&record.start_board(), to_move)
    }

    /// Whether boards of this size are supported.
    pub fn fits(size: BoardSize) -> bool {
        size.get() <= Points::MAX_LINES
    }

    /// Plays a move of a game; then it is the other side's turn.
    pub fn play(&mut self, played: Move) {
        if let Some(point) = played.point {
            self.graph.play(played.color, point);
        }
        self.last = [played.point, self.last[0]];
        self.to_move = played.color.opponent();
    }

    /// The points of a leaf.
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

    /// The points where the side to move may play, ignoring ko: `Suc_1(O ^ H) & EMPTY`.
    pub fn legal(&self) -> Points {
        let empty = self.graph.empty();
        let atari = *self.graph.all() - self.graph.count(NeighborOperator::Pre, 2, &empty);
        self.graph.count(NeighborOperator::Suc, 1, &(self.leaf(Leaf::Own) ^ atari)) & empty
    }

    /// The value of a mapping.
    pub fn value(&self, mapping: &Mapping) -> Points {
        let mut values = Values::default();
        Program::compile([mapping]).run(std::slice::from_ref(self), &mut values);
        *values.of(0, 0)
    }
}
