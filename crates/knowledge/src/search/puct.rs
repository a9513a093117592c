//! The search with a network: down the tree, an answer of the network, and back.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use tejun_games::Move;
use tejun_games::go::{Board, Color, Point, Suicide};

use crate::evaluation::{Evaluation, EvaluationError, Evaluator, MoveValue, Question};
use crate::network::{N_POINTS, N_SYMMETRIES, Network, NetworkAnswer, NetworkWorker, View, number_of, softmax};
use crate::search::options::Reuse;
use crate::search::{LONGEST_LINE, TreeSearch, rounded};

/// From this komi on, games are usually counted by area.
const LEAST_AREA_KOMI: f64 = 7.0;
/// How many points more Black has by area than by territory, on average: every second game Black makes the last move.
const AREA_BONUS: f64 = 0.5;
/// How many moves of a position below the root are searched at most, the likely ones first.
const MOST_CHILDREN: usize = 64;
/// A lead of this number of points is three quarters of the way to certainty.
const LEAD_SCALE: f64 = 20.0;
/// How many points make a finished game clearly won.
const SCORE_SCALE: f64 = 1.5;

/// How a position is searched with a network.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkSearchOptions {
    /// Visits per position; each asks the network once.
    pub n_visits: u32,
    /// Ends the search earlier; answers then depend on the machine.
    pub time: Option<Duration>,
    /// Threads that evaluate the positions of a batch. Answers do not depend on it.
    pub n_threads: usize,
    /// Positions that are evaluated together.
    pub batch: usize,
    /// The factor c of c * p * sqrt(n) / (1 + n_i), which looks at likely moves first.
    pub exploration: f64,
    /// How much worse than its parent a move counts before it was tried, if all likely moves were tried.
    pub first_play_reduction: f64,
    /// How much the lead in points counts beside the win rate.
    pub lead_weight: f64,
    /// The minimum share of visits for the move that was played; visits that it got only for this reason are not
    /// counted.
    pub played_share: f64,
    /// The minimum share of visits for the move that a person would most likely play, so that a surprising move can be
    /// compared with it.
    pub expected_share: f64,
    /// Whether a search reuses what the last one found in the same game.
    pub reuse: Reuse,
}

impl Default for NetworkSearchOptions {
    fn default() -> NetworkSearchOptions {
        NetworkSearchOptions {
            n_visits: 100,
            time: None,
            n_threads: 1,
            batch: 4,
            exploration: 0.6,
            first_play_reduction: 0.1,
            lead_weight: 0.05,
            played_share: 0.15,
            expected_share: 0.08,
            reuse: Reuse::Never,
        }
    }
}

/// An evaluator that searches with the moves and win rates of a network.
///
/// PUCT (Rosin 2011; Silver et al. 2017). Deterministic: without a time limit, answers depend neither on the machine's
/// load nor on the number of threads. Knows boards with 19 lines only.
pub struct NetworkSearch<'n> {
    options: NetworkSearchOptions,
    identity: String,
    workers: Vec<NetworkWorker<'n>>,
    kept: Option<Kept>,
    owners: Vec<f64>,
    promises: Vec<Promise>,
}

/// A move at the root that gets a share of the visits, however bad it looks.
#[derive(Clone, Copy, Debug)]
struct Promise {
    point: Option<Point>,
    share: f64,
    /// The visits that it got only for this reason.
    n_owed: u32,
}

/// The tree of the last search.
struct Kept {
    tree: Tree,
    start_hash: u64,
    komi: f64,
    color: Color,
    moves: Vec<Move>,
}

/// A position, as reached by a move. Sums are from the perspective of the side that made the move.
#[derive(Clone, Debug)]
struct Node {
    point: Option<Point>,
    prior: f32,
    visits: u32,
    /// Visits of the batch that is being evaluated.
    pending: u32,
    wins: f64,
    leads: f64,
    /// The numbers of the nodes after it; empty until it was evaluated, and at the end of the game.
    children: std::ops::Range<usize>,
}

#[derive(Clone, Debug, Default)]
struct Tree {
    nodes: Vec<Node>,
}

impl Node {
    fn new(point: Option<Point>, prior: f32) -> Node {
        Node { point, prior, visits: 0, pending: 0, wins: 0.0, leads: 0.0, children: 0..0 }
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / f64::from(self.visits.max(1))
    }

    fn add(&mut self, win_rate: f64, lead: f64) {
        self.visits += 1;
        self.wins += win_rate;
        self.leads += lead;
    }
}

impl Tree {
    fn children(&self, node: usize) -> &[Node] {
        &self.nodes[self.nodes[node].children.clone()]
    }

    /// The part of the tree below a node, as a tree of its own.
    fn below(&self, root: usize) -> Tree {
        let mut tree = Tree { nodes: vec![self.nodes[root].clone()] };
        let mut next = 0;
        while next < tree.nodes.len() {
            let children = tree.nodes[next].children.clone();
            let start = tree.nodes.len();
            tree.nodes.extend_from_slice(&self.nodes[children]);
            tree.nodes[next].children = start..tree.nodes.len();
            next += 1;
        }
        tree
    }
}

/// A path from the root, and the position at its end.
struct Leaf {
    path: Vec<usize>,
    board: Board,
    color: Color,
    moves: Vec<Move>,
}

impl Leaf {
    fn is_over(&self) -> bool {
        matches!(self.moves[..], [.., Move { point: None, .. }, Move { point: None, .. }])
    }
}

impl<'n> NetworkSearch<'n> {
    /// A search with this network.
    pub fn new(options: NetworkSearchOptions, network: &'n Network) -> NetworkSearch<'n> {
        let settings = NetworkSearchOptions { n_threads: 0, ..options.clone() };
        let identity = format!("tejun {} {} {settings:?}", env!("CARGO_PKG_VERSION"), network.identity());
        let workers = (0..options.n_threads.max(1)).map(|_| network.worker()).collect();
        NetworkSearch { options, identity, workers, kept: None, owners: Vec::new(), promises: Vec::new() }
    }

    /// The part of the last tree that is below this position, or a new one.
    fn tree_for(&mut self, question: &Question<'_>) -> Tree {
        let kept = self.kept.take().filter(|_| self.options.reuse == Reuse::OfTheGame);
        kept.and_then(|kept| kept.below(question)).unwrap_or_else(|| Tree { nodes: vec![Node::new(None, 1.0)] })
    }

    /// Gives the root all legal moves with the mean answer over the symmetries, and keeps what is known about them.
    fn expand_root(&mut self, tree: &mut Tree, question: &Question<'_>) {
        let view = View::of(question.moves, question.board, question.color, area_komi(question.komi));
        let answer = self.workers[0].evaluate_symmetric(&view);
        self.add_owners(&answer, question.color);
        let known: HashMap<Option<Point>, Node> =
            tree.children(0).iter().map(|child| (child.point, child.clone())).collect();
        let is_legal = |point: &Point| question.board.check(question.color, *point, Suicide::Forbidden).is_ok();
        let points = question.board.size().points();
        let points = points.filter(|point| Some(*point) == question.played || is_legal(point));
        let moves = priors(&answer, points.map(Some).chain([None]).collect());
        let start = tree.nodes.len();
        for (point, prior) in moves {
            let mut child = known.get(&point).cloned().unwrap_or_else(|| Node::new(point, prior));
            child.prior = prior;
            tree.nodes.push(child);
        }
        tree.nodes[0].children = start..tree.nodes.len();
        self.promise(tree, question, &answer);
        if tree.nodes[0].visits == 0 {
            tree.nodes[0].add(1.0 - answer.win_rate, -answer.lead);
        }
    }

    /// Promises visits to the move that was played and to the one that people expect.
    fn promise(&mut self, tree: &Tree, question: &Question<'_>, answer: &NetworkAnswer) {
        let human = |child: &&Node| answer.human[child.point.map_or(N_POINTS, |point| number_of(point).into())];
        let expected = tree.children(0).iter().max_by(|a, b| human(a).total_cmp(&human(b)));
        let expected = expected.map(|child| (child.point, self.options.expected_share));
        let played = question.played.map(|point| (Some(point), self.options.played_share));
        let promises = played.into_iter().chain(expected.filter(|(point, _)| *point != question.played));
        self.promises = promises.map(|(point, share)| Promise { point, share, n_owed: 0 }).collect();
    }

    /// Goes down the tree to a position that the network has not evaluated, or to the end of the game; also says
    /// which promise it kept.
    fn descend(&self, tree: &mut Tree, question: &Question<'_>) -> (Leaf, Option<usize>) {
        let mut leaf = Leaf {
            path: vec![0],
            board: question.board.clone(),
            color: question.color,
            moves: question.moves.to_vec(),
        };
        let (mut node, mut kept) = (0, None);
        tree.nodes[0].pending += 1;
        while !tree.nodes[node].children.is_empty() {
            let owed = (node == 0).then(|| self.owed(tree)).flatten();
            kept = kept.or(owed.map(|(promise, _)| promise));
            node = owed.map_or_else(|| self.choose(tree, node), |(_, child)| child);
            tree.nodes[node].pending += 1;
            leaf.path.push(node);
            let played = Move { color: leaf.color, point: tree.nodes[node].point };
            // Moves of the tree are legal, but for the one that was played in the record.
            let _ = played.play_on(&mut leaf.board);
            leaf.moves.push(played);
            leaf.color = leaf.color.opponent();
        }
        (leaf, kept)
    }

    /// The first promise of more visits than the move has, and the move's node.
    fn owed(&self, tree: &Tree) -> Option<(usize, usize)> {
        self.promises.iter().enumerate().find_map(|(at, promise)| {
            let due = (promise.share * f64::from(tree.nodes[0].visits + tree.nodes[0].pending)) as u32;
            let mut children = tree.nodes[0].children.clone();
            let number = children.find(|&number| tree.nodes[number].point == promise.point)?;
            (tree.nodes[number].visits + tree.nodes[number].pending < due).then_some((at, number))
        })
    }

    fn choose(&self, tree: &Tree, parent: usize) -> usize {
        let value = ChildValue::new(&self.options, tree, parent);
        let mut best = (tree.nodes[parent].children.start, f64::NEG_INFINITY);
        for number in tree.nodes[parent].children.clone() {
            let found = value.of(&tree.nodes[number]);
            if found > best.1 {
                best = (number, found);
            }
        }
        best.0
    }

    /// Answers for all positions, in several threads; they do not depend on how many there are.
    fn evaluate_all(&self, views: &[View]) -> Vec<NetworkAnswer> {
        let share = views.len().div_ceil(self.workers.len()).max(1);
        if views.len() <= share {
            return self.workers[0].evaluate(views);
        }
        std::thread::scope(|scope| {
            let parts = views.chunks(share).zip(&self.workers);
            let parts: Vec<_> = parts.map(|(views, worker)| scope.spawn(|| worker.evaluate(views))).collect();
            parts.into_iter().flat_map(|part| part.join().expect("the network does not panic")).collect()
        })
    }

    /// Searches once more for every position of a batch.
    fn run_batch(&mut self, tree: &mut Tree, question: &Question<'_>, n: usize) -> u32 {
        let mut leaves: Vec<Leaf> = Vec::new();
        for _ in 0..n {
            let (leaf, kept) = self.descend(tree, question);
            let end = *leaf.path.last().expect("the root is in it");
            let is_in_batch = leaves.iter().any(|other| other.path.last() == Some(&end));
            if is_in_batch {
                // The batch has this position already: the tree must learn before it can say where to continue.
                leaf.path.iter().for_each(|&node| tree.nodes[node].pending -= 1);
                break;
            }
            if let Some(kept) = kept {
                self.promises[kept].n_owed += 1;
            }
            leaves.push(leaf);
        }
        let view = |leaf: &Leaf| View::of(&leaf.moves, &leaf.board, leaf.color, area_komi(question.komi));
        let turned = |leaf: &Leaf| view(leaf).turned(symmetry_of(&leaf.board));
        let views: Vec<View> = leaves.iter().map(turned).collect();
        let answers = self.evaluate_all(&views);
        for (leaf, answer) in leaves.iter().zip(answers) {
            let answer = answer.turned_back(symmetry_of(&leaf.board));
            let (mut win_rate, mut lead) = (answer.win_rate, answer.lead);
            if leaf.is_over() {
                (win_rate, lead) = counted(&answer, leaf.color, question.komi);
            } else {
                self.expand(tree, leaf, &answer);
            }
            self.add_owners(&answer, leaf.color);
            for &node in leaf.path.iter().rev() {
                (win_rate, lead) = (1.0 - win_rate, -lead);
                tree.nodes[node].pending -= 1;
                tree.nodes[node].add(win_rate, lead);
            }
        }
        leaves.len() as u32
    }

    fn expand(&self, tree: &mut Tree, leaf: &Leaf, answer: &NetworkAnswer) {
        let end = *leaf.path.last().expect("the root is in it");
        let is_sensible = |point: &Point| {
            leaf.board.check(leaf.color, *point, Suicide::Forbidden).is_ok() && !leaf.board.is_eye(leaf.color, *point)
        };
        let points = leaf.board.size().points().filter(is_sensible);
        let mut moves = priors(answer, points.map(Some).chain([None]).collect());
        moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        moves.truncate(MOST_CHILDREN);
        let start = tree.nodes.len();
        tree.nodes.extend(moves.into_iter().map(|(point, prior)| Node::new(point, prior)));
        tree.nodes[end].children = start..tree.nodes.len();
    }

    fn add_owners(&mut self, answer: &NetworkAnswer, color: Color) {
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        self.owners.iter_mut().zip(&answer.ownership).for_each(|(sum, own)| *sum += sign * f64::from(*own));
    }

    fn evaluation(&self, tree: &Tree, played: Option<Point>) -> Evaluation {
        let value = ChildValue::new(&self.options, tree, 0);
        let children = tree.children(0).iter();
        let mut moves: Vec<MoveValue> = children.map(|child| move_value(tree, child, &value)).collect();
        // Visits promised to the move played measure its value, but not how much the search likes it.
        for Promise { point, n_owed, .. } in self.promises.iter().filter(|promise| promise.point == played) {
            if let Some(promised) = moves.iter_mut().find(|m| m.point == *point) {
                promised.visits -= (*n_owed).min(promised.visits);
            }
        }
        let key = |m: &MoveValue| (m.visits, m.win_rate.unwrap_or(0.0), m.prior.unwrap_or(0.0));
        moves.sort_by(|a, b| key(b).partial_cmp(&key(a)).unwrap_or(std::cmp::Ordering::Equal));
        let n_visits: f64 = moves.iter().map(|m| f64::from(m.visits)).sum();
        let mean = |of: fn(&MoveValue) -> Option<f64>, unsearched: f64| {
            let sum: f64 =
                moves.iter().filter(|m| m.visits > 0).filter_map(|m| Some(f64::from(m.visits) * of(m)?)).sum();
            Some(rounded(if n_visits > 0.0 { sum / n_visits } else { unsearched }))
        };
        let root = &tree.nodes[0];
        Evaluation {
            win_rate: mean(|m| m.win_rate, 1.0 - root.mean(root.wins)),
            lead: mean(|m| m.lead, -root.mean(root.leads)),
            moves,
        }
    }
}

/// The orientation in which a position is shown to the network: any, but always the same one, so that the errors of
/// single orientations cancel out over the tree.
fn symmetry_of(board: &Board) -> usize {
    (board.hash() % N_SYMMETRIES as u64) as usize
}

/// The win rate and the lead of the side to move at the end of a game, by what the network expects of each point.
fn counted(answer: &NetworkAnswer, color: Color, komi: f64) -> (f64, f64) {
    let komi = if color == Color::White { komi } else { -komi };
    let lead = answer.ownership.iter().map(|own| f64::from(own.round())).sum::<f64>() + komi;
    (1.0 / (1.0 + (-lead / SCORE_SCALE).exp()), lead)
}

/// The komi under area scoring, which the network knows, that is as good as this one.
///
/// Records seldom say how they are counted, but the komi is a good hint: less than 7 points belongs to the rules of
/// Japan and Korea, which count territory.
fn area_komi(komi: f64) -> f64 {
    if komi < LEAST_AREA_KOMI { komi + AREA_BONUS } else { komi }
}

/// The moves with their probabilities before they are searched.
fn priors(answer: &NetworkAnswer, moves: Vec<Option<Point>>) -> Vec<(Option<Point>, f32)> {
    let logit = |point: &Option<Point>| answer.strong[point.map_or(N_POINTS, |p| number_of(p).into())];
    let logits: Vec<f32> = moves.iter().map(logit).collect();
    moves.into_iter().zip(softmax(&logits).into_iter().map(|p| p as f32)).collect()
}

fn move_value(tree: &Tree, child: &Node, value: &ChildValue<'_>) -> MoveValue {
    let mut line = vec![child.point];
    let mut node = child;
    while line.len() < LONGEST_LINE && !node.children.is_empty() {
        let children = tree.nodes[node.children.clone()].iter();
        // The first of the most visited, so that ties go to the likely move.
        let best = children.rev().max_by_key(|child| child.visits).filter(|next| next.visits > 0);
        let Some(next) = best else { break };
        line.push(next.point);
        node = next;
    }
    let is_known = child.visits > 0;
    MoveValue {
        point: child.point,
        visits: child.visits,
        win_rate: is_known.then(|| rounded(child.mean(child.wins))),
        bound: Some(rounded(value.of(child))),
        prior: Some(rounded(f64::from(child.prior))),
        lead: is_known.then(|| rounded(child.mean(child.leads))),
        line,
    }
}

impl Kept {
    fn below(&self, question: &Question<'_>) -> Option<Tree> {
        let is_same = self.start_hash == question.start.hash() && self.komi == question.komi;
        let new = question.moves.strip_prefix(&self.moves[..]).filter(|_| is_same)?;
        let mut node = 0;
        let mut color = self.color;
        for played in new {
            // Sides that move twice in a row are in no tree.
            let mut children = self.tree.nodes[node].children.clone();
            node = children.find(|&n| played.color == color && self.tree.nodes[n].point == played.point)?;
            color = color.opponent();
        }
        (color == question.color).then(|| self.tree.below(node))
    }
}

/// How good it is to continue with a child.
struct ChildValue<'o> {
    options: &'o NetworkSearchOptions,
    /// What a move counts that was not tried.
    untried: f64,
    exploration: f64,
}

impl<'o> ChildValue<'o> {
    fn new(options: &'o NetworkSearchOptions, tree: &Tree, parent: usize) -> ChildValue<'o> {
        let node = &tree.nodes[parent];
        let tried = tree.children(parent).iter().filter(|child| child.visits + child.pending > 0);
        let tried: f64 = tried.map(|child| f64::from(child.prior)).sum();
        let lead = options.lead_weight * (-node.mean(node.leads) / LEAD_SCALE).tanh();
        let mean = 1.0 - node.mean(node.wins) + lead;
        ChildValue {
            options,
            untried: mean - options.first_play_reduction * tried.sqrt(),
            exploration: options.exploration * f64::from(node.visits + node.pending).max(1.0).sqrt(),
        }
    }

    /// Visits that are not evaluated yet count as lost.
    fn of(&self, child: &Node) -> f64 {
        let n = f64::from(child.visits + child.pending);
        let value = match child.visits + child.pending {
            0 => self.untried,
            _ => child.wins / n + self.options.lead_weight * (child.leads / n / LEAD_SCALE).tanh(),
        };
        value + self.exploration * f64::from(child.prior) / (1.0 + n)
    }
}

impl TreeSearch for NetworkSearch<'_> {
    fn owners(&self) -> &[f64] {
        &self.owners
    }

    fn set_limits(&mut self, n_visits: u32, time: Option<Duration>) {
        self.options.n_visits = n_visits;
        self.options.time = time;
    }

    /// # Panics
    /// If the board does not have 19 lines.
    fn search(&mut self, question: &Question<'_>) -> (Evaluation, u32) {
        let begin = Instant::now();
        self.owners = vec![0.0; question.board.size().n_points()];
        let mut tree = self.tree_for(question);
        self.expand_root(&mut tree, question);
        let mut n_done = 0;
        let is_late = |time: Option<Duration>| time.is_some_and(|time| begin.elapsed() >= time);
        while n_done < self.options.n_visits && !is_late(self.options.time) {
            let n = (self.options.batch.max(1) as u32).min(self.options.n_visits - n_done);
            n_done += self.run_batch(&mut tree, question, n as usize);
        }
        self.owners.iter_mut().for_each(|sum| *sum /= f64::from(n_done + 1));
        let evaluation = self.evaluation(&tree, question.played);
        if self.options.reuse == Reuse::OfTheGame {
            let moves = question.moves.to_vec();
            let (start_hash, komi, color) = (question.start.hash(), question.komi, question.color);
            self.kept = Some(Kept { tree, start_hash, komi, color, moves });
        }
        (evaluation, n_done)
    }
}

impl Evaluator for NetworkSearch<'_> {
    fn identity(&self) -> &str {
        &self.identity
    }

    fn evaluate(&mut self, question: &Question<'_>) -> Result<Evaluation, EvaluationError> {
        Ok(self.search(question).0)
    }
}

#[cfg(test)]
mod tests {
    use tejun_games::GameRecord;

    use super::*;

    fn search(options: NetworkSearchOptions, sgf: &str, n_moves: usize) -> Evaluation {
        let network = Network::built_in();
        let mut search = NetworkSearch::new(options, &network);
        ask(&mut search, sgf, n_moves).0
    }

    fn ask(search: &mut NetworkSearch<'_>, sgf: &str, n_moves: usize) -> (Evaluation, u32) {
        let game = GameRecord::parse(sgf).expect("a game");
        let (start, board) = (game.start_board(), game.board_before(n_moves));
        let color = if n_moves.is_multiple_of(2) { Color::Black } else { Color::White };
        let moves = &game.moves[..n_moves];
        let played = game.moves.get(n_moves).and_then(|played| played.point);
        search.search(&Question { start: &start, moves, board: &board, color, komi: 6.5, played })
    }

    const OPENING: &str = "(;SZ[19]KM[6.5];B[pd];W[dp];B[pp];W[dd];B[fq];W[aa];B[cn])";

    #[test]
    fn answers_do_not_depend_on_the_number_of_threads() {
        let options = |n_threads| NetworkSearchOptions { n_visits: 24, n_threads, ..NetworkSearchOptions::default() };
        assert_eq!(search(options(1), OPENING, 4), search(options(3), OPENING, 4));
    }

    #[test]
    fn a_move_in_the_corner_loses_by_the_values_of_one_tree() {
        let options = NetworkSearchOptions { n_visits: 40, ..NetworkSearchOptions::default() };
        let found = search(options, OPENING, 5);
        let corner = found.moves.iter().find(|m| m.point == Some(Point::new(0, 0))).expect("the move that was played");
        let best = &found.moves[0];
        let loss = best.win_rate.expect("searched") - corner.win_rate.expect("it was promised visits");
        assert!(loss > 0.1, "{loss}");
        assert!(best.lead.expect("searched") - corner.lead.expect("searched") > 5.0);
        assert_eq!(corner.visits, 0, "visits that it got only because it was played do not count");
    }

    #[test]
    fn a_finished_game_is_counted_with_the_komi() {
        let mut answer = Network::built_in().worker().evaluate(&[view_of_the_start()]).remove(0);
        // 184 points for the side to move, 177 for the other side.
        let owner = |point: usize| if point < 184 { 0.9 } else { -0.8 };
        answer.ownership = (0..361).map(owner).collect();
        let (win_rate, lead) = counted(&answer, Color::Black, 6.5);
        assert_eq!(lead, 0.5);
        assert!(win_rate > 0.5);
        assert!(counted(&answer, Color::Black, 7.5).0 < 0.5);
        assert!(counted(&answer, Color::White, 7.5).0 > 0.99);
        // Points that may become anyone's count for nobody.
        answer.ownership[..100].fill(0.3);
        assert_eq!(counted(&answer, Color::Black, 6.5).1, -99.5);
    }

    fn view_of_the_start() -> View {
        View::of(&[], &Board::new(tejun_games::go::BoardSize::NINETEEN), Color::Black, 6.5)
    }

    #[test]
    fn a_small_komi_belongs_to_territory_scoring() {
        assert_eq!([0.5, 6.5, 7.0, 7.5].map(area_komi), [1.0, 7.0, 7.0, 7.5]);
    }

    #[test]
    fn a_search_continues_in_its_tree() {
        let network = Network::built_in();
        let reuse = Reuse::OfTheGame;
        let options = NetworkSearchOptions { n_visits: 30, reuse, ..NetworkSearchOptions::default() };
        let mut search = NetworkSearch::new(options, &network);
        let n_visits = |found: &Evaluation| found.moves.iter().map(|m| m.visits).sum::<u32>();
        let (first, n_done) = ask(&mut search, OPENING, 7);
        assert_eq!((n_visits(&first), n_done), (30, 30));
        let (second, n_done) = ask(&mut search, OPENING, 7);
        assert_eq!((n_visits(&second), n_done), (60, 30));
    }
}
