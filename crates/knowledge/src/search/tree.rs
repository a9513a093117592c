//! The tree of moves that were tried, shared by all threads.

use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use tejun_games::go::Point;

/// A pass among points.
const PASS: u16 = u16::MAX;
/// A node whose children are not made yet, and one whose children another thread is making.
const NO_CHILDREN: u64 = 0;
const IN_THE_MAKING: u64 = 1;

/// A move and what became of it. All wins are the side's that plays it.
#[derive(Default)]
pub(crate) struct Node {
    visits: AtomicU32,
    wins: AtomicU32,
    /// Playouts in which the move came later (Gelly and Silver 2007).
    late_visits: AtomicU32,
    late_wins: AtomicU32,
    /// Bits of a 32-bit float.
    prior: AtomicU32,
    point: AtomicU16,
    /// The first child's number and, in the lower 16 bits, how many there are.
    children: AtomicU64,
}

/// What is known about a move at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) visits: u32,
    pub(crate) wins: u32,
    pub(crate) late_visits: u32,
    pub(crate) late_wins: u32,
    pub(crate) prior: f32,
}

impl Node {
    pub(crate) fn tally(&self) -> Tally {
        Tally {
            visits: self.visits.load(Relaxed),
            wins: self.wins.load(Relaxed),
            late_visits: self.late_visits.load(Relaxed),
            late_wins: self.late_wins.load(Relaxed),
            prior: f32::from_bits(self.prior.load(Relaxed)),
        }
    }

    pub(crate) fn point(&self) -> Option<Point> {
        let packed = self.point.load(Relaxed);
        (packed != PASS).then(|| Point::new(packed as u8, (packed >> 8) as u8))
    }

    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// A playout goes through here; until it is won it counts as lost, so that other threads go elsewhere.
    pub(crate) fn add_visit(&self) -> u32 {
        self.visits.fetch_add(1, Relaxed)
    }

    pub(crate) fn add_win(&self) {
        self.wins.fetch_add(1, Relaxed);
    }

    pub(crate) fn add_late(&self, has_won: bool) {
        self.late_visits.fetch_add(1, Relaxed);
        if has_won {
            self.late_wins.fetch_add(1, Relaxed);
        }
    }

    fn set(&self, point: Option<Point>, tally: Tally) {
        self.visits.store(tally.visits, Relaxed);
        self.wins.store(tally.wins, Relaxed);
        self.late_visits.store(tally.late_visits, Relaxed);
        self.late_wins.store(tally.late_wins, Relaxed);
        self.prior.store(tally.prior.to_bits(), Relaxed);
        self.point.store(point.map_or(PASS, |p| u16::from(p.x()) | u16::from(p.y()) << 8), Relaxed);
    }
}

/// Nodes in one piece of memory; the first is the root.
pub(crate) struct Tree {
    nodes: Box<[Node]>,
    n_used: AtomicUsize,
}

impl Tree {
    /// A tree with room for this number of nodes; when it is full, it stops growing.
    pub(crate) fn new(n_nodes: usize) -> Tree {
        let nodes = (0..n_nodes.max(1)).map(|_| Node::default()).collect();
        Tree { nodes, n_used: AtomicUsize::new(1) }
    }

    pub(crate) fn root(&self) -> &Node {
        &self.nodes[0]
    }

    pub(crate) fn n_used(&self) -> usize {
        self.n_used.load(Relaxed).min(self.nodes.len())
    }

    /// The children; none if there are none yet.
    #[inline]
    pub(crate) fn children(&self, node: &Node) -> &[Node] {
        let packed = node.children.load(Acquire);
        if packed <= IN_THE_MAKING {
            return &[];
        }
        let first = (packed >> 16) as usize;
        &self.nodes[first..first + (packed & 0xffff) as usize]
    }

    /// Makes children, unless another thread does or the tree is full.
    pub(crate) fn expand(&self, node: &Node, moves: impl FnOnce() -> Vec<(Option<Point>, f32)>) {
        if node.children.compare_exchange(NO_CHILDREN, IN_THE_MAKING, Acquire, Relaxed).is_err() {
            return;
        }
        if self.n_used.load(Relaxed) >= self.nodes.len() {
            return;
        }
        let moves = moves();
        let first = self.n_used.fetch_add(moves.len(), Relaxed);
        if first + moves.len() > self.nodes.len() {
            // Stays in the making for good: nobody tries again.
            return;
        }
        for (child, (point, prior)) in self.nodes[first..].iter().zip(&moves) {
            child.set(*point, Tally { prior: *prior, ..Tally::default() });
        }
        node.children.store((first as u64) << 16 | moves.len() as u64, Release);
    }

    /// The part below a node, as a tree of its own.
    pub(crate) fn below(&self, node: &Node, n_nodes: usize) -> Tree {
        let tree = Tree::new(n_nodes.max(1));
        tree.root().set(node.point(), node.tally());
        let mut open = vec![(node, 0)];
        let mut n_used = 1;
        while let Some((from, to)) = open.pop() {
            let children = self.children(from);
            if children.is_empty() || n_used + children.len() > tree.nodes.len() {
                continue;
            }
            for (n, child) in children.iter().enumerate() {
                tree.nodes[n_used + n].set(child.point(), child.tally());
                open.push((child, n_used + n));
            }
            let packed = (n_used as u64) << 16 | children.len() as u64;
            tree.nodes[to].children.store(packed, Relaxed);
            n_used += children.len();
        }
        tree.n_used.store(n_used, Relaxed);
        tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Tree {
        let tree = Tree::new(10);
        let moves = || vec![(Some(Point::new(3, 4)), 0.5), (None, 0.25), (Some(Point::new(0, 18)), 0.25)];
        tree.expand(tree.root(), moves);
        tree.expand(&tree.children(tree.root())[1], moves);
        tree
    }

    #[test]
    fn children_are_there_once_and_only_while_there_is_room() {
        let tree = tree();
        let children = tree.children(tree.root());
        assert_eq!(
            children.iter().map(Node::point).collect::<Vec<_>>(),
            [Some(Point::new(3, 4)), None, Some(Point::new(0, 18))]
        );
        assert_eq!(children[1].tally().prior, 0.25);
        assert_eq!(tree.n_used(), 7);
        tree.expand(&children[0], || vec![(None, 1.0); 4]);
        assert!(tree.children(&children[0]).is_empty(), "there is no room for four");
        tree.expand(tree.root(), || vec![(None, 1.0)]);
        assert_eq!(tree.children(tree.root()).len(), 3);
    }

    #[test]
    fn a_part_keeps_what_was_counted() {
        let tree = tree();
        let passed = &tree.children(tree.root())[1];
        let grandchild = &tree.children(passed)[2];
        for _ in 0..3 {
            passed.add_visit();
            grandchild.add_visit();
        }
        grandchild.add_win();
        grandchild.add_late(true);
        let part = tree.below(passed, 10);
        assert_eq!((part.root().visits(), part.n_used()), (3, 4));
        let copied = part.children(part.root())[2].tally();
        assert_eq!((copied.visits, copied.wins, copied.late_visits, copied.late_wins), (3, 1, 1, 1));
    }
}
