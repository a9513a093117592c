//! Tactical mappings compared with the rules of Go and with a naive implementation.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Color, IllegalMove, Point, Suicide};
use tejun_knowledge::corpus::{Collection, GameTable, Selection, write_sample};
use tejun_knowledge::tactics::{
    BwGraph, Leaf, Mapping, NeighborOperator, Points, Program, SetOperator, TacticPosition, Values,
};

const COLORS: [Color; 2] = [Color::Black, Color::White];

fn size(lines: u8) -> BoardSize {
    BoardSize::new(lines).expect("a size")
}

fn leaf(leaf: Leaf) -> Mapping {
    leaf.into()
}

fn empty() -> Mapping {
    leaf(Leaf::Black).join(SetOperator::And, leaf(Leaf::White))
}

fn all() -> Mapping {
    leaf(Leaf::Black).join(SetOperator::Or, leaf(Leaf::White))
}

/// H: the points with exactly one liberty.
fn atari() -> Mapping {
    Mapping::count(NeighborOperator::Pre, 2, empty()).complement()
}

/// Where the side of a leaf may play, ignoring ko.
fn legal(side: Leaf) -> Mapping {
    Mapping::count(NeighborOperator::Suc, 1, leaf(side).join(SetOperator::Xor, atari())).join(SetOperator::And, empty())
}

/// What occurred in the games of a test.
#[derive(Debug, Default)]
struct Seen {
    n_positions: usize,
    n_captures: usize,
    /// Moves that captured more than one chain.
    n_double_captures: usize,
    /// Moves that captured several stones of their own side.
    n_suicides: usize,
    /// Positions in which a ko may not be retaken.
    n_kos: usize,
    n_passes: usize,
    n_setups: usize,
}

/// Plays games on boards and graphs in parallel.
struct Referee {
    program: Program,
    values: Values,
    seen: Seen,
}

/// The expected results for a position, computed on the board.
struct Claims {
    atari: Points,
    /// By color.
    legal: [Points; 2],
}

impl Claims {
    fn of(board: &Board) -> Claims {
        let is_closed = |p: Point| !p.neighbors(board.size()).any(|q| board.is_empty(q));
        let in_atari = |p: &Point| if board.is_empty(*p) { is_closed(*p) } else { board.liberties(*p) == 1 };
        let may_play =
            |color: Color, p: Point| matches!(board.check(color, p, Suicide::Forbidden), Ok(()) | Err(IllegalMove::Ko));
        Claims {
            atari: board.size().points().filter(in_atari).collect(),
            legal: COLORS.map(|color| board.size().points().filter(|&p| may_play(color, p)).collect()),
        }
    }
}

impl Referee {
    fn new() -> Referee {
        let mappings = [atari(), legal(Leaf::Black), legal(Leaf::White), legal(Leaf::Own)];
        Referee { program: Program::compile(&mappings), values: Values::default(), seen: Seen::default() }
    }

    /// Plays the moves that are legal if suicide is allowed, and checks every position on the way.
    fn follow(&mut self, mut board: Board, moves: impl IntoIterator<Item = Move>) {
        let mut position = TacticPosition::of_board(&board, Color::Black);
        let (mut positions, mut claims) = (vec![position.clone()], vec![Claims::of(&board)]);
        self.seen.n_setups += usize::from(!board.stones(Color::Black).is_empty());
        for played in moves {
            let before = board.clone();
            match played.point {
                None => {
                    board.pass();
                    self.seen.n_passes += 1;
                }
                Some(point) if board.play_with(played.color, point, Suicide::Allowed).is_err() => continue,
                Some(point) => self.check_move(&position.graph, played.color, point, [&before, &board]),
            }
            position.play(played);
            check_graph(&position.graph, &board);
            self.seen.n_kos += usize::from(board.ko_point(played.color.opponent()).is_some());
            positions.push(position.clone());
            claims.push(Claims::of(&board));
        }
        self.program.run(&positions, &mut self.values);
        for (i, (position, claims)) in positions.iter().zip(&claims).enumerate() {
            assert_eq!(*self.values.of(0, i), claims.atari, "in atari: {position:?}");
            assert_eq!(*self.values.of(1, i), claims.legal[0], "legal for Black: {position:?}");
            assert_eq!(*self.values.of(2, i), claims.legal[1], "legal for White: {position:?}");
            let own = claims.legal[position.to_move as usize];
            assert_eq!(*self.values.of(3, i), own, "legal for the side to move: {position:?}");
        }
        self.seen.n_positions += positions.len();
    }

    /// Checks that the chain of a move and its captures follow from the graph before it.
    fn check_move(&mut self, graph: &BwGraph, color: Color, point: Point, [before, after]: [&Board; 2]) {
        let played = Points::one(point);
        let near = graph.count(NeighborOperator::Pre, 1, &played);
        let own_or_empty = *graph.all() - *graph.stones(color.opponent());
        let other_or_empty = *graph.all() - *graph.stones(color);
        let in_atari = *graph.all() - graph.count(NeighborOperator::Pre, 2, &graph.empty());
        let chain = (near - other_or_empty) | played;
        let captured = (near & in_atari) - own_or_empty;
        let is_gone = |p: &Point| before.stone(*p) == Some(color.opponent()) && after.is_empty(*p);
        assert_eq!(captured, after.size().points().filter(is_gone).collect(), "taken by {point:?} on {before:?}");
        if after.is_empty(point) {
            let is_gone = |p: &Point| *p == point || before.stone(*p) == Some(color) && after.is_empty(*p);
            assert_eq!(chain, after.size().points().filter(is_gone).collect(), "suicide at {point:?} on {before:?}");
            self.seen.n_suicides += usize::from(chain.len() > 1);
        } else {
            assert_eq!(chain, after.chain(point).collect(), "the chain of {point:?} on {before:?}");
        }
        let heads: BTreeSet<_> = captured.iter().map(|p| before.chain_head(p)).collect();
        self.seen.n_captures += usize::from(!heads.is_empty());
        self.seen.n_double_captures += usize::from(heads.len() > 1);
    }
}

/// Checks that a graph updated move by move equals that of the board.
#[track_caller]
fn check_graph(kept: &BwGraph, board: &Board) {
    let fresh = BwGraph::of_board(board);
    for color in COLORS {
        assert_eq!(*kept.stones(color), Points::from(&board.stones(color)), "{color:?} of {board:?}");
        assert_eq!(kept.stones(color), fresh.stones(color));
    }
    assert_eq!((kept.all(), kept.empty()), (fresh.all(), fresh.empty()));
    for point in board.size().points() {
        assert_eq!(kept.reach(point), fresh.reach(point), "from {point:?} of {board:?}");
    }
}

#[test]
fn facts_hold_on_every_position_of_the_sample_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sample.parquet");
    write_sample(&path).expect("the sample is sound");
    let collection = Collection::open(&path).expect("a collection");
    let games = GameTable::load(&collection, &Selection::default(), BoardSize::NINETEEN).expect("a table");
    let check_part = |part: usize| {
        let mut referee = Referee::new();
        for game in (part..games.n_games()).step_by(2) {
            referee.follow(games.board_before(game, 0), games.moves(game));
        }
        referee.seen
    };
    let [first, second] = std::thread::scope(|scope| {
        [0, 1].map(|part| scope.spawn(move || check_part(part))).map(|part| part.join().expect("facts hold"))
    });
    let n_positions = first.n_positions + second.n_positions;
    assert!(n_positions >= 100_000, "only {n_positions} positions");
    assert!(first.n_captures > 500 && first.n_kos > 100, "{first:?}");
}

/// A small seeded generator, so that every run plays the same games.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    fn point(&mut self, size: BoardSize) -> Point {
        let lines = size.get() as usize;
        Point::new(self.below(lines) as u8, self.below(lines) as u8)
    }

    /// An empty board, one with handicap stones, or one with stones of both sides at random points.
    fn setup(&mut self, size: BoardSize) -> Board {
        let mut board = Board::new(size);
        match self.below(3) {
            0 => {}
            1 => {
                for point in size.handicap_points(2 + self.below(8) as u8) {
                    board.place(Color::Black, point).expect("handicap points are free");
                }
            }
            _ => {
                for _ in 0..size.n_points() / 4 {
                    let (point, mut fuller) = (self.point(size), board.clone());
                    let is_free = fuller.place(COLORS[self.below(2)], point).is_ok();
                    // Every stone on a board needs a liberty.
                    let breathes = |p: Point| fuller.is_empty(p) || fuller.liberties(p) > 0;
                    if is_free && size.points().all(breathes) {
                        board = fuller;
                    }
                }
            }
        }
        board
    }

    /// Moves at random points, sometimes two in a row by one side, sometimes a pass; some of them illegal.
    fn moves(&mut self, size: BoardSize) -> Vec<Move> {
        let mut color = Color::Black;
        let mut draw = |_| {
            color = if self.below(8) == 0 { color } else { color.opponent() };
            Move { color, point: (self.below(40) != 0).then(|| self.point(size)) }
        };
        (0..4 * size.n_points()).map(&mut draw).collect()
    }
}

#[test]
fn facts_hold_on_every_position_of_random_games() {
    let mut referee = Referee::new();
    let mut random = Random(2013);
    for round in 0.. {
        let size = size([2, 3, 4, 5, 7, 9, 13, 19][round % 8]);
        let board = random.setup(size);
        let moves = random.moves(size);
        referee.follow(board, moves);
        if referee.seen.n_positions >= 100_000 {
            break;
        }
    }
    let seen = referee.seen;
    let is_varied = seen.n_captures > 5_000
        && seen.n_double_captures > 500
        && seen.n_suicides > 500
        && seen.n_kos > 400
        && seen.n_passes > 1_000
        && seen.n_setups > 100;
    assert!(is_varied, "{seen:?}");
}

/// `Adj_1` applied this many times; a negative number gives the empty set.
fn grown(of: &Mapping, times: i32) -> Mapping {
    if times < 0 {
        return all().complement();
    }
    (0..times).fold(of.clone(), |of, _| Mapping::count(NeighborOperator::Adj, 1, of))
}

#[test]
fn coordinates_are_found_from_corners_and_borders() {
    let corner = Mapping::count(NeighborOperator::Adj, 4, all()).complement();
    let border = Mapping::count(NeighborOperator::Adj, 5, all()).complement();
    for lines in 2..=19u8 {
        let size = size(lines);
        let position = TacticPosition::of_board(&Board::new(size), Color::Black);
        let from_edge = |line: u8| i32::from(line.min(lines - 1 - line));
        let edges = |p: Point| (from_edge(p.x()).min(from_edge(p.y())), from_edge(p.x()).max(from_edge(p.y())));
        let check = |mapping: &Mapping, is_in: &dyn Fn((i32, i32)) -> bool| {
            let value = position.value(mapping);
            assert_eq!(value, size.points().filter(|&p| is_in(edges(p))).collect(), "{mapping:?} on {lines} lines");
            value.len()
        };
        assert_eq!(check(&corner, &|edges| edges == (0, 0)), 4);
        assert_eq!(check(&border, &|edges| edges.0 == 0), 4 * (lines as usize - 1));
        let last = from_edge(lines / 2);
        for (n, m) in (0..=last).flat_map(|n| (n..=last).map(move |m| (n, m))) {
            let ring = grown(&corner, n + m).join(SetOperator::Minus, grown(&corner, n + m - 1));
            let line = grown(&border, n).join(SetOperator::Minus, grown(&border, n - 1));
            let n_points = check(&ring.join(SetOperator::And, line), &|edges| edges == (n, m));
            // The middle line of an odd board has the same distance to both edges, so half of the points coincide.
            let is_middle = |line: i32| 2 * line + 1 == i32::from(lines);
            let expected = match (n == m, is_middle(m)) {
                (false, false) => 8,
                (true, true) => 1,
                _ => 4,
            };
            assert_eq!(n_points, expected, "{n} and {m} on {lines} lines");
        }
    }
}

/// Evaluates mappings directly by their definitions.
struct NaivePosition {
    board: Board,
    to_move: Color,
    last: [Option<Point>; 2],
    /// F of every point.
    reach: BTreeMap<Point, BTreeSet<Point>>,
}

impl NaivePosition {
    fn new(board: &Board, to_move: Color, last: [Option<Point>; 2]) -> NaivePosition {
        let size = board.size();
        let reach_of = |point: Point| {
            let (mut chain, mut open) = (BTreeSet::new(), vec![point]);
            while let Some(p) = open.pop() {
                if chain.insert(p) && !board.is_empty(point) {
                    open.extend(p.neighbors(size).filter(|&q| board.stone(q) == board.stone(point)));
                }
            }
            (point, chain.iter().flat_map(|p| p.neighbors(size).chain([*p])).collect())
        };
        NaivePosition { board: board.clone(), to_move, last, reach: size.points().map(reach_of).collect() }
    }

    /// The fast position with these stones.
    fn fresh(&self) -> TacticPosition {
        TacticPosition { last: self.last, ..TacticPosition::of_board(&self.board, self.to_move) }
    }

    fn points(&self, is_in: impl Fn(Point) -> bool) -> BTreeSet<Point> {
        self.board.size().points().filter(|&p| is_in(p)).collect()
    }

    fn value(&self, mapping: &Mapping) -> BTreeSet<Point> {
        let without = |color: Color| self.points(|p| self.board.stone(p) != Some(color));
        match mapping {
            Mapping::Leaf(Leaf::Black) => without(Color::White),
            Mapping::Leaf(Leaf::White) => without(Color::Black),
            Mapping::Leaf(Leaf::Own) => without(self.to_move.opponent()),
            Mapping::Leaf(Leaf::Opponent) => without(self.to_move),
            Mapping::Leaf(Leaf::Last) => self.last[0].into_iter().collect(),
            Mapping::Leaf(Leaf::BeforeLast) => self.last[1].into_iter().collect(),
            Mapping::Not(of) => {
                let of = self.value(of);
                self.points(|p| !of.contains(&p))
            }
            Mapping::Count(kind, n, of) => {
                let of = self.value(of);
                let is_edge = |x: Point, y: Point| match kind {
                    NeighborOperator::Adj => x.x().abs_diff(y.x()) + x.y().abs_diff(y.y()) <= 1,
                    NeighborOperator::Pre => self.reach[&x].contains(&y),
                    NeighborOperator::Suc => self.reach[&y].contains(&x),
                };
                self.points(|x| of.iter().filter(|&&y| is_edge(x, y)).count() >= *n as usize)
            }
            Mapping::Join(join, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                match join {
                    SetOperator::And => &a & &b,
                    SetOperator::Or => &a | &b,
                    SetOperator::Minus => &a - &b,
                    SetOperator::Xor => &a ^ &b,
                }
            }
        }
    }
}

fn any_mapping() -> impl Strategy<Value = Mapping> {
    let leaf = proptest::sample::select(&Leaf::ALL[..]).prop_map(Mapping::from);
    leaf.prop_recursive(6, 20, 2, |inner| {
        let kind = proptest::sample::select(&NeighborOperator::ALL[..]);
        let join = proptest::sample::select(&SetOperator::ALL[..]);
        prop_oneof![
            1 => inner.clone().prop_map(Mapping::complement),
            4 => (kind, 1..=NeighborOperator::MAX, inner.clone()).prop_map(|(kind, n, of)| Mapping::count(kind, n, of)),
            3 => (join, inner.clone(), inner).prop_map(|(join, a, b)| a.join(join, b)),
        ]
    })
}

/// A board size and moves, of which illegal ones are skipped.
fn any_game() -> impl Strategy<Value = (BoardSize, Vec<Move>)> {
    prop_oneof![2u8..=19, 2u8..=9].prop_flat_map(|lines| {
        let color = proptest::sample::select(&COLORS[..]);
        let point = (0..lines, 0..lines).prop_map(|(x, y)| Point::new(x, y));
        let played = (color, proptest::option::weighted(0.97, point)).prop_map(|(color, point)| Move { color, point });
        (Just(size(lines)), proptest::collection::vec(played, 0..2 * size(lines).n_points()))
    })
}

fn played((size, moves): &(BoardSize, Vec<Move>)) -> (TacticPosition, NaivePosition) {
    let mut board = Board::new(*size);
    let mut position = TacticPosition::of_board(&board, Color::Black);
    let (mut to_move, mut last) = (Color::Black, [None; 2]);
    for &Move { color, point } in moves {
        match point {
            Some(point) if board.play_with(color, point, Suicide::Allowed).is_err() => continue,
            Some(_) => {}
            None => board.pass(),
        }
        position.play(Move { color, point });
        (to_move, last) = (color.opponent(), [point, last[0]]);
    }
    (position, NaivePosition::new(&board, to_move, last))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn programs_match_the_naive_implementation(
        mappings in proptest::collection::vec(any_mapping(), 1..4),
        games in proptest::collection::vec(any_game(), 1..3),
    ) {
        let (positions, naive): (Vec<_>, Vec<_>) = games.iter().map(played).unzip();
        let (program, mut values) = (Program::compile(&mappings), Values::default());
        program.run(&positions, &mut values);
        prop_assert_eq!(program.n_mappings(), mappings.len());
        for (position, naive) in positions.iter().zip(&naive) {
            for (point, reach) in &naive.reach {
                prop_assert_eq!(&position.graph.reach(*point).iter().collect::<BTreeSet<_>>(), reach);
            }
        }
        let fresh: Vec<_> = naive.iter().map(NaivePosition::fresh).collect();
        for (m, mapping) in mappings.iter().enumerate() {
            for (p, naive) in naive.iter().enumerate() {
                let expected = naive.value(mapping);
                prop_assert_eq!(values.of(m, p).iter().collect::<BTreeSet<_>>(), expected, "{:?} on {:?}", mapping, naive.board);
                prop_assert_eq!(positions[p].value(mapping), *values.of(m, p));
                prop_assert_eq!(fresh[p].value(mapping), *values.of(m, p));
            }
        }
    }
}
