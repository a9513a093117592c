//! The search: down the tree, a playout, and back.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Instant;

use tejun_games::Move;
use tejun_games::go::{Board, Color, Point};

use crate::evaluation::{Evaluation, EvaluationError, Evaluator, MoveValue, Question};
use crate::predictor::{Predictor, Situation};
use crate::search::options::{Reuse, SearchOptions};
use crate::search::playout::Playout;
use crate::search::random::Random;
use crate::search::tree::{Node, Tally, Tree};
use crate::search::{LONGEST_LINE, TreeSearch, rounded};

/// The probability of a pass before it is searched.
const PASS_PROBABILITY: f32 = 0.002;

/// A predictor that can move to another thread.
pub type Prior<'m> = Box<dyn Predictor + Send + 'm>;

/// The built-in evaluator: it plays games out, and keeps the results in a tree.
///
/// UCT (Kocsis and Szepesvári 2006) with the later moves of playouts (RAVE;
/// Gelly and Silver 2007) and likely moves first (PUCT; Rosin 2011).
pub struct Search<'m> {
    options: SearchOptions,
    identity: String,
    workers: Vec<Worker<'m>>,
    kept: Option<Kept>,
    owners: Vec<f64>,
}

/// The tree of the last search.
struct Kept {
    tree: Tree,
    start_hash: u64,
    komi: f64,
    color: Color,
    moves: Vec<Move>,
}

/// The state of one thread.
struct Worker<'m> {
    random: Random,
    prior: Prior<'m>,
    /// For each point, how often it was Black's at the end of playouts, minus how often it was White's.
    owners: Vec<i32>,
    n_playouts: u32,
}

impl<'m> Search<'m> {
    /// A search; `make_prior` makes a predictor for each thread.
    ///
    /// `prior_name` identifies the predictor in the keys of kept answers.
    pub fn new(options: SearchOptions, prior_name: &str, make_prior: impl Fn() -> Prior<'m>) -> Search<'m> {
        let identity = options.identity(prior_name);
        let worker = |n: usize| Worker {
            random: Random::new(options.seed.wrapping_add((n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))),
            prior: make_prior(),
            owners: Vec::new(),
            n_playouts: 0,
        };
        let workers = (0..options.n_threads.max(1)).map(worker).collect();
        Search { options, identity, workers, kept: None, owners: Vec::new() }
    }

    /// Searches a position; returns the evaluation and the number of playouts.
    fn search_position(&mut self, question: &Question<'_>) -> (Evaluation, u32) {
        let tree = self.tree_for(question);
        let n_points = question.board.size().n_points();
        if self.options.reuse == Reuse::Never {
            // Answers must not depend on earlier questions.
            for (n, worker) in self.workers.iter_mut().enumerate() {
                let seed = self.options.seed ^ question.board.hash();
                worker.random = Random::new(seed.wrapping_add((n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
            }
        }
        let last = question.moves.last().and_then(|m| m.point);
        let run = Run {
            options: &self.options,
            question,
            tree: &tree,
            root: Playout::new(question.board, question.color, last),
            begin: Instant::now(),
            n_begun: AtomicU32::new(0),
            n_owed: AtomicU32::new(0),
        };
        for worker in &mut self.workers {
            worker.owners.clear();
            worker.owners.resize(n_points, 0);
            worker.n_playouts = 0;
        }
        let (first, others) = self.workers.split_first_mut().expect("there is a worker");
        run.expand_root(first);
        std::thread::scope(|scope| {
            for worker in others {
                scope.spawn(|| run.work(worker));
            }
            run.work(first);
        });
        let n_playouts = self.workers.iter().map(|worker| worker.n_playouts).sum();
        self.owners = (0..n_points)
            .map(|n| {
                let sum: i64 = self.workers.iter().map(|worker| i64::from(worker.owners[n])).sum();
                sum as f64 / f64::from(n_playouts).max(1.0)
            })
            .collect();
        let evaluation = run.evaluation();
        if self.options.reuse == Reuse::OfTheGame {
            self.kept = Some(Kept {
                tree,
                start_hash: question.start.hash(),
                komi: question.komi,
                color: question.color,
                moves: question.moves.to_vec(),
            });
        }
        (evaluation, n_playouts)
    }

    /// The part of the last tree that is below this position, or a new one.
    fn tree_for(&mut self, question: &Question<'_>) -> Tree {
        let n_moves = question.board.size().n_points() + 1;
        let n_expanded = self.options.n_playouts / self.options.expansion.max(1) + 2;
        let n_nodes = (n_expanded as usize).saturating_mul(n_moves).min(self.options.max_nodes.max(n_moves + 1));
        self.kept.take().and_then(|kept| kept.below(question, n_nodes)).unwrap_or_else(|| Tree::new(n_nodes))
    }
}

impl Kept {
    fn below(&self, question: &Question<'_>, n_nodes: usize) -> Option<Tree> {
        let is_same = self.start_hash == question.start.hash() && self.komi == question.komi;
        let new = question.moves.strip_prefix(&self.moves[..]).filter(|_| is_same)?;
        let mut node = self.tree.root();
        let mut color = self.color;
        for played in new {
            // Sides that move twice in a row are in no tree.
            let children = self.tree.children(node).iter();
            node = children.filter(|_| played.color == color).find(|child| child.point() == played.point)?;
            color = color.opponent();
        }
        (color == question.color).then(|| self.tree.below(node, n_nodes.max(self.tree.n_used())))
    }
}

impl TreeSearch for Search<'_> {
    fn search(&mut self, question: &Question<'_>) -> (Evaluation, u32) {
        self.search_position(question)
    }

    fn set_limits(&mut self, n_playouts: u32, time: Option<std::time::Duration>) {
        self.options.n_playouts = n_playouts;
        self.options.time = time;
    }

    fn owners(&self) -> &[f64] {
        &self.owners
    }
}

impl Evaluator for Search<'_> {
    fn identity(&self) -> &str {
        &self.identity
    }

    fn evaluate(&mut self, question: &Question<'_>) -> Result<Evaluation, EvaluationError> {
        Ok(self.search(question).0)
    }
}

/// One search, seen by all threads.
struct Run<'r> {
    options: &'r SearchOptions,
    question: &'r Question<'r>,
    tree: &'r Tree,
    root: Playout,
    begin: Instant,
    n_begun: AtomicU32,
    /// Visits that the played move got only because it was promised them.
    n_owed: AtomicU32,
}

impl Run<'_> {
    fn work(&self, worker: &mut Worker<'_>) {
        let mut playout = self.root.clone();
        let mut board_moves = self.question.moves.to_vec();
        let legal = Situation::legal_points(self.question.board, self.question.color, None);
        let situation = self.situation(self.question.board, self.question.moves, self.question.color, &legal);
        worker.prior.prepare(&situation);
        while self.n_begun.fetch_add(1, Relaxed) < self.options.n_playouts && !self.is_late() {
            board_moves.truncate(self.question.moves.len());
            self.play_once(&mut playout, &mut board_moves, worker);
            worker.n_playouts += 1;
        }
    }

    fn is_late(&self) -> bool {
        self.options.time.is_some_and(|time| self.begin.elapsed() >= time)
    }

    fn situation<'s>(&'s self, board: &'s Board, moves: &'s [Move], color: Color, legal: &'s [Point]) -> Situation<'s> {
        Situation { start: self.question.start, moves, board, color, legal }
    }

    fn expand_root(&self, worker: &mut Worker<'_>) {
        let moves = self.question.moves;
        self.tree.expand(self.tree.root(), || self.moves_of(&self.root, moves, worker, Where::Root));
    }

    /// The moves of a position with their probabilities.
    fn moves_of(
        &self,
        playout: &Playout,
        moves: &[Move],
        worker: &mut Worker<'_>,
        place: Where,
    ) -> Vec<(Option<Point>, f32)> {
        let board = playout.board();
        let color = playout.to_move();
        let points: Vec<Point> = match place {
            Where::Root => Situation::legal_points(board, color, None),
            Where::Below => board.size().points().filter(|&p| board.is_empty(p) && playout.is_sensible(p)).collect(),
        };
        if points.is_empty() {
            return vec![(None, 1.0)];
        }
        let probabilities = worker.prior.predict(&self.situation(board, moves, color, &points));
        let moves = points.into_iter().zip(probabilities).map(|(point, p)| (Some(point), p as f32));
        moves.chain([(None, PASS_PROBABILITY)]).collect()
    }

    fn play_once(&self, playout: &mut Playout, moves: &mut Vec<Move>, worker: &mut Worker<'_>) {
        playout.copy_from(&self.root);
        let mut node = self.tree.root();
        let mut path = vec![node];
        loop {
            let n_before = node.add_visit();
            if playout.is_over() {
                break;
            }
            if n_before >= self.options.expansion && self.tree.children(node).is_empty() {
                self.tree.expand(node, || self.moves_of(playout, moves, worker, Where::Below));
            }
            let children = self.tree.children(node);
            if children.is_empty() {
                break;
            }
            node = self.choose(node, children, path.len() == 1);
            path.push(node);
            moves.push(Move { color: playout.to_move(), point: node.point() });
            playout.play(node.point());
        }
        let score =
            if playout.is_over() { playout.score() } else { playout.play_out(self.options.policy, &mut worker.random) };
        let winner = if f64::from(score) > self.question.komi { Color::Black } else { Color::White };
        self.back_up(&path, playout, winner);
        for (n, point) in playout.board().size().points().enumerate() {
            worker.owners[n] += playout.owner(point);
        }
    }

    /// The child where the next playout goes.
    fn choose<'t>(&self, node: &Node, children: &'t [Node], is_root: bool) -> &'t Node {
        let parent = node.tally();
        let value = Value::new(self.options, &parent);
        if is_root {
            let too_few = children.iter().find(|child| child.visits() < self.options.min_visits);
            if let Some(child) = too_few.or_else(|| self.owed(&parent, children)) {
                return child;
            }
        }
        let mut best = &children[0];
        let mut best_value = f64::NEG_INFINITY;
        for child in children {
            let value = value.of(&child.tally());
            if value > best_value {
                (best, best_value) = (child, value);
            }
        }
        best
    }

    /// The played move, if it has fewer visits than it was promised.
    fn owed<'t>(&self, parent: &Tally, children: &'t [Node]) -> Option<&'t Node> {
        let played = self.question.played?;
        let due = (self.options.played_share * f64::from(parent.visits)) as u32;
        let child = children.iter().find(|child| child.point() == Some(played))?;
        (child.visits() < due).then(|| {
            self.n_owed.fetch_add(1, Relaxed);
            child
        })
    }

    fn back_up(&self, path: &[&Node], playout: &Playout, winner: Color) {
        let mover = |ply: usize| {
            if ply.is_multiple_of(2) { self.question.color } else { self.question.color.opponent() }
        };
        for (depth, node) in path.iter().enumerate() {
            // The root was moved to by the other side.
            if mover(depth + 1) == winner {
                node.add_win();
            }
        }
        if self.options.late_moves.is_none() {
            return;
        }
        // Walked from the end, the side that was first on each point from here on.
        let mut first_on = [None; Point::N_CELLS];
        for (ply, &point) in playout.moves().iter().enumerate().rev() {
            if let Some(point) = point {
                first_on[point.index()] = Some(mover(ply));
            }
            if let Some(node) = path.get(ply) {
                let color = mover(ply);
                for child in self.tree.children(node) {
                    if let Some(point) = child.point()
                        && first_on[point.index()] == Some(color)
                    {
                        child.add_late(color == winner);
                    }
                }
            }
        }
    }

    /// What the tree says about the position.
    fn evaluation(&self) -> Evaluation {
        let root = self.tree.root();
        let parent = root.tally();
        let value = Value::new(self.options, &parent);
        let children = self.tree.children(root);
        let mut moves: Vec<MoveValue> = children.iter().map(|child| self.move_value(child, &value)).collect();
        // Visits first: a move that was tried often is better known than one with a lucky start.
        let key = |m: &MoveValue| (m.visits, m.win_rate.unwrap_or(0.0), m.bound.unwrap_or(0.0));
        moves.sort_by(|a, b| key(b).partial_cmp(&key(a)).unwrap_or(std::cmp::Ordering::Equal));
        let win_rate = moves.first().and_then(|best| best.win_rate);
        Evaluation { win_rate, lead: None, moves }
    }

    fn move_value(&self, child: &Node, value: &Value<'_>) -> MoveValue {
        let mut tally = child.tally();
        let win_rate = (tally.visits > 0).then(|| rounded(f64::from(tally.wins) / f64::from(tally.visits)));
        // The playouts reserved for the played move measure its value, but not how much the search likes it.
        if child.point().is_some() && child.point() == self.question.played {
            let own = tally.visits - self.n_owed.load(Relaxed).min(tally.visits);
            tally.wins = (f64::from(tally.wins) * f64::from(own) / f64::from(tally.visits.max(1))).round() as u32;
            tally.visits = own;
        }
        let mut line = vec![child.point()];
        let mut node = child;
        while line.len() < LONGEST_LINE {
            let children = self.tree.children(node);
            let Some(next) = children.iter().max_by_key(|child| child.visits()).filter(|next| next.visits() > 1) else {
                break;
            };
            line.push(next.point());
            node = next;
        }
        MoveValue {
            point: child.point(),
            visits: tally.visits,
            win_rate,
            bound: Some(rounded(value.of(&tally))),
            prior: Some(rounded(f64::from(tally.prior))),
            lead: None,
            line,
        }
    }
}

/// Which moves of a position are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// All legal ones.
    Root,
    /// None that fill own eyes.
    Below,
}

/// How good it is to continue with a move.
struct Value<'o> {
    options: &'o SearchOptions,
    /// What a move is worth of which nothing is known.
    unknown: f64,
    ln_visits: f64,
    sqrt_visits: f64,
}

impl<'o> Value<'o> {
    fn new(options: &'o SearchOptions, parent: &Tally) -> Value<'o> {
        let visits = f64::from(parent.visits.max(1));
        let won = f64::from(parent.wins) / visits;
        // The parent's wins are the other side's.
        let unknown = if parent.visits > 0 { 1.0 - won } else { 0.5 };
        Value { options, unknown, ln_visits: visits.ln(), sqrt_visits: visits.sqrt() }
    }

    #[inline]
    fn of(&self, tally: &Tally) -> f64 {
        let visits = f64::from(tally.visits);
        let mean = if tally.visits > 0 { f64::from(tally.wins) / visits } else { self.unknown };
        let mut value = mean;
        if let Some(equal_at) = self.options.late_moves {
            // The parent's win rate counts as much as a few playouts, so that the first ones do not decide.
            let late_visits = f64::from(tally.late_visits) + 4.0;
            let late = (f64::from(tally.late_wins) + 4.0 * self.unknown) / late_visits;
            let share = late_visits / (late_visits + visits + late_visits * visits / equal_at);
            value = (1.0 - share) * mean + share * late;
        }
        if self.options.exploration > 0.0 {
            if tally.visits == 0 {
                // UCB1 tries everything once; likely moves first.
                return 1e6 + f64::from(tally.prior);
            }
            value += self.options.exploration * (self.ln_visits / visits).sqrt();
        }
        value + self.options.prior * f64::from(tally.prior) * self.sqrt_visits / (1.0 + visits)
    }
}
