//! Compares tactical mappings with an evaluation on sorted sets, and checks that they agree.
//!
//! ```text
//! cargo bench -p tejun --bench tactics -- [GAMES] [--runs N]
//! ```
//!
//! GAMES are records or a collection; without them, the sample is used. Everything runs on one thread.

mod measure;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Parser;
use rand_mt::Mt64;
use tejun::reports::table::{Align, Table};
use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_knowledge::corpus::{Collection, GameTable, ImportOptions, Selection, Source, import, write_sample};
use tejun_knowledge::progress::NoProgress;
use tejun_knowledge::tactics::{
    BwGraph, Leaf, Mapping, NeighborOperator, Points, Program, SetOperator, TacticPosition, Values, random_mapping,
};

use crate::measure::{Measured, measure};

/// Number of mappings compiled together, and of positions evaluated at once.
const BATCH: usize = 32;
/// Maximum number of operators above the leaves of a random mapping.
const BUDGET: u32 = 12;

#[derive(Parser)]
struct Args {
    /// Records or a collection [default: the sample collection]
    games: Option<PathBuf>,
    /// Number of times each measurement is repeated
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Set by Cargo for benchmarks; without it everything runs once and on little data, as a test
    #[arg(long, hide = true)]
    bench: bool,
}

/// The amount of work.
struct Amounts {
    n_runs: usize,
    n_positions: usize,
    n_mappings: usize,
    /// Number of mappings and positions evaluated with sorted sets.
    n_naive: (usize, usize),
    /// Number of games whose graphs are updated and built, and whose captures are also found on the board.
    n_checked: usize,
    /// Number of games that are searched with a mapping.
    n_walked: usize,
}

const MEASURED: Amounts =
    Amounts { n_runs: 5, n_positions: 512, n_mappings: 1024, n_naive: (64, 8), n_checked: 200, n_walked: usize::MAX };
const TRIED: Amounts =
    Amounts { n_runs: 1, n_positions: 32, n_mappings: 64, n_naive: (32, 1), n_checked: 3, n_walked: 20 };

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let amounts = if args.bench { Amounts { n_runs: args.runs, ..MEASURED } } else { TRIED };
    let games = table_of(&args)?;
    println!("{} games, {} moves", games.n_games(), games.n_moves());
    ensure!(games.n_games() > 0, "there are no games on 19 lines");
    let (boards, positions) = spread_positions(&games, amounts.n_positions);
    let mut table = Table::new(&[
        ("what", Align::Left),
        ("number", Align::Right),
        ("best s", Align::Right),
        ("median s", Align::Right),
        ("CPU s", Align::Right),
        ("million/s", Align::Right),
    ]);
    let ratio = operators(&boards, &positions, &amounts, &mut table);
    let kept = graphs(&games, &amounts, &mut table);
    walk(&games, &amounts, &mut table)?;
    println!("\n{}", table.to_text());
    println!("programs evaluate {ratio:.0} times as many operators per second as sorted sets");
    println!("graphs updated move by move are {kept:.1} times as fast as graphs built from scratch");
    Ok(())
}

fn table_of(args: &Args) -> anyhow::Result<GameTable> {
    let folder = tempfile::tempdir()?;
    let mut path = folder.path().join("games.parquet");
    // Cargo runs benchmarks in the folder of their package.
    let from_root = |file: &PathBuf| Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    match args.games.as_ref().map(from_root) {
        None => drop(write_sample(&path)?),
        Some(given) if Collection::open(&given).is_ok() => path = given,
        Some(given) => drop(import(&[Source::Path(given)], &path, &ImportOptions::default(), &NoProgress)?),
    }
    Ok(GameTable::load(&Collection::open(&path)?, &Selection::default(), BoardSize::NINETEEN)?)
}

fn row<A>(table: &mut Table, what: &str, number: usize, measured: &Measured<A>) {
    table.push(vec![
        what.to_owned(),
        number.to_string(),
        format!("{:.4}", measured.best),
        format!("{:.4}", measured.median),
        measured.processor.map_or_else(String::new, |seconds| format!("{seconds:.2}")),
        format!("{:.4}", number as f64 / measured.best / 1e6),
    ]);
}

/// Positions that are far apart in their games, alternating early and late ones.
fn spread_positions(games: &GameTable, n: usize) -> (Vec<Board>, Vec<TacticPosition>) {
    let choose = |i: usize| {
        let game = i * games.n_games() / n;
        let index = games.moves(game).len() * (2 * (i % 8) + 1) / 16;
        let mut position = TacticPosition::of_board(&games.board_before(game, 0), Color::Black);
        games.moves(game).take(index).for_each(|played| position.play(played));
        (games.board_before(game, index), position)
    };
    (0..n).map(choose).unzip()
}

/// A hash of sets in their order.
fn fold(sum: u64, set: &Points) -> u64 {
    let hash = set.iter().fold(sum, |sum, p| (sum ^ p.index() as u64).wrapping_mul(0x0100_0000_01b3));
    hash.rotate_left(7)
}

/// Programs of random mappings; each kind of count separately; the same mappings on sorted sets.
fn operators(boards: &[Board], positions: &[TacticPosition], amounts: &Amounts, table: &mut Table) -> f64 {
    let mut random = Mt64::new(2013);
    let draw = || random_mapping(&mut random, BUDGET, &[Leaf::Black, Leaf::White]);
    // Single leaves are trivial.
    let drawn = std::iter::repeat_with(draw).filter(|mapping| mapping.depth() > 1);
    let mappings: Vec<Mapping> = drawn.take(amounts.n_mappings).collect();
    let programs: Vec<Program> = mappings.chunks(BATCH).map(Program::compile).collect();
    let n_steps: usize = programs.iter().map(Program::n_steps).sum();
    let run = |positions: &[TacticPosition]| {
        let (mut values, mut n_points) = (Values::default(), 0);
        for part in positions.chunks(BATCH) {
            for program in &programs {
                program.run(part, &mut values);
                n_points += values.of(program.n_mappings() - 1, part.len() - 1).len();
            }
        }
        n_points
    };
    let all = measure(amounts.n_runs, || run(positions));
    let n_evaluations = n_steps * positions.len();
    row(table, "operators of random mappings", n_evaluations, &all);
    counts(&programs, positions, amounts, table);

    let mappings = &mappings[..amounts.n_naive.0];
    let naive: Vec<NaivePosition> = boards.iter().take(amounts.n_naive.1).map(NaivePosition::new).collect();
    let slow = measure(1, || {
        let of_position = |c: &NaivePosition| mappings.iter().map(|mapping| c.value(mapping)).collect::<Vec<_>>();
        naive.iter().map(of_position).collect::<Vec<_>>()
    });
    for (position, sets) in positions.iter().zip(&slow.answer) {
        for (mapping, set) in mappings.iter().zip(sets) {
            assert!(position.value(mapping).iter().eq(set.iter().copied()), "{mapping:?}");
        }
    }
    // Nothing is shared with sorted sets, so whole trees are counted.
    let n_naive = mappings.iter().map(Mapping::size).sum::<usize>() * naive.len();
    row(table, "  some of them on sorted sets", n_naive, &slow);
    (n_evaluations as f64 / all.best) / (n_naive as f64 / slow.best)
}

/// Adj, Pre and Suc of the values of the mappings, n from 1 to 5.
fn counts(programs: &[Program], positions: &[TacticPosition], amounts: &Amounts, table: &mut Table) {
    let (mut values, mut given) = (Values::default(), Vec::new());
    for program in programs {
        program.run(positions, &mut values);
        let sets = (0..positions.len()).map(|p| (p, *values.of(p % program.n_mappings(), p)));
        given.extend(sets.filter(|(_, set)| !set.is_empty()));
    }
    for kind in NeighborOperator::ALL {
        let measured = measure(amounts.n_runs, || {
            let each = given.iter().enumerate();
            each.map(|(i, (p, set))| positions[*p].graph.count(kind, (i % 5) as u8 + 1, set).len()).sum::<usize>()
        });
        row(table, &format!("  {} of their values", kind.name()), given.len(), &measured);
    }
}

/// How many times faster it is to update graphs than to build them.
fn graphs(games: &GameTable, amounts: &Amounts, table: &mut Table) -> f64 {
    let games_walked = || 0..games.n_games().min(amounts.n_checked);
    let n_moves = games_walked().map(|game| games.moves(game).len()).sum();
    let look = |sum: u64, graph: &BwGraph, point: Option<Point>| {
        fold(sum, &point.map_or_else(|| graph.empty(), |point| graph.reach(point)))
    };
    let kept = measure(amounts.n_runs, || {
        let mut sum = 0;
        for game in games_walked() {
            let mut graph = BwGraph::of_board(&games.board_before(game, 0));
            for played in games.moves(game) {
                played.point.into_iter().for_each(|point| graph.play(played.color, point));
                sum = look(sum, &graph, played.point);
            }
        }
        sum
    });
    let fresh = measure(amounts.n_runs, || {
        let mut sum = 0;
        for game in games_walked() {
            let mut board = games.board_before(game, 0);
            for played in games.moves(game) {
                let _ = played.play_on(&mut board);
                sum = look(sum, &BwGraph::of_board(&board), played.point);
            }
        }
        sum
    });
    assert_eq!(kept.answer, fresh.answer, "an updated graph equals that of the board");
    row(table, "graphs updated move by move", n_moves, &kept);
    row(table, "graphs built from scratch", n_moves, &fresh);
    fresh.best / kept.best
}

/// `Suc_1((P - O) - Pre_2(EMPTY)) & EMPTY`, the points that capture stones; its depth is 6.
fn captures() -> Mapping {
    let leaf = |leaf: Leaf| Mapping::from(leaf);
    let empty = leaf(Leaf::Black).join(SetOperator::And, leaf(Leaf::White));
    let stones = leaf(Leaf::Opponent).join(SetOperator::Minus, leaf(Leaf::Own));
    let in_atari = stones.join(SetOperator::Minus, Mapping::count(NeighborOperator::Pre, 2, empty.clone()));
    Mapping::count(NeighborOperator::Suc, 1, in_atari).join(SetOperator::And, empty)
}

/// Evaluates a mapping of depth 6 on all positions: in how many is a capture possible, and in how many is it played?
fn walk(games: &GameTable, amounts: &Amounts, table: &mut Table) -> anyhow::Result<()> {
    let mapping = captures();
    ensure!(mapping.depth() == 6, "its depth is {}", mapping.depth());
    let program = Program::compile([&mapping]);
    let count = |n_games: usize| {
        let (mut values, mut n) = (Values::default(), [0, 0]);
        for game in 0..n_games {
            let mut position = TacticPosition::of_board(&games.board_before(game, 0), Color::Black);
            for played in games.moves(game) {
                // Records may contain two moves in a row by one side.
                position.to_move = played.color;
                program.run(std::slice::from_ref(&position), &mut values);
                let value = values.of(0, 0);
                n[0] += usize::from(!value.is_empty());
                n[1] += usize::from(played.point.is_some_and(|point| value.contains(point)));
                position.play(played);
            }
        }
        n
    };
    let by_rules = |n_games: usize| {
        let mut n = [0, 0];
        for game in 0..n_games {
            let mut board = games.board_before(game, 0);
            for played in games.moves(game) {
                let is_target = |p: Point| board.stone(p) == Some(played.color.opponent()) && board.liberties(p) == 1;
                n[0] += usize::from(games.size().points().any(is_target));
                let n_taken = played.play_on(&mut board);
                n[1] += usize::from(n_taken.is_ok_and(|n_taken| n_taken > 0));
            }
        }
        n
    };
    let n_checked = games.n_games().min(amounts.n_checked);
    assert_eq!(count(n_checked), by_rules(n_checked), "possible and played captures");
    let n_walked = games.n_games().min(amounts.n_walked);
    let measured = measure(amounts.n_runs.min(3), || count(n_walked));
    let n_positions = (0..n_walked).map(|game| games.moves(game).len()).sum();
    row(table, "positions of whole games, depth 6", n_positions, &measured);
    let [n_possible, n_played] = measured.answer;
    println!("a capture is possible in {n_possible} of {n_positions} positions and is played in {n_played}");
    Ok(())
}

/// Evaluates mappings directly by their definitions.
struct NaivePosition<'b> {
    board: &'b Board,
    /// F of every point.
    reach: BTreeMap<Point, BTreeSet<Point>>,
}

impl NaivePosition<'_> {
    fn new(board: &Board) -> NaivePosition<'_> {
        let reach_of = |point: Point| {
            let (mut chain, mut open) = (BTreeSet::new(), vec![point]);
            while let Some(p) = open.pop() {
                if chain.insert(p) && !board.is_empty(point) {
                    open.extend(p.neighbors(board.size()).filter(|&q| board.stone(q) == board.stone(point)));
                }
            }
            (point, chain.iter().flat_map(|p| p.neighbors(board.size()).chain([*p])).collect())
        };
        NaivePosition { board, reach: board.size().points().map(reach_of).collect() }
    }

    fn points(&self, is_in: impl Fn(Point) -> bool) -> BTreeSet<Point> {
        self.board.size().points().filter(|&p| is_in(p)).collect()
    }

    fn value(&self, mapping: &Mapping) -> BTreeSet<Point> {
        match mapping {
            Mapping::Leaf(Leaf::Black) => self.points(|p| self.board.stone(p) != Some(Color::White)),
            Mapping::Leaf(_) => self.points(|p| self.board.stone(p) != Some(Color::Black)),
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
