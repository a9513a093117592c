//! The same flow ply by ply, for curves and for books that end at a ply.

use std::collections::HashMap;

use crate::books::matching::Chain;
use crate::statistics::entropy_term;
use tejun_games::game::Side;

/// The flow is followed until this much probability is left in the books.
const REST: f64 = 1e-15;
/// As [`REST`], in addition to games that never leave.
const ENDLESS_REST: f64 = 1e-7;
/// Plies after which a flow that goes in circles is no longer followed; the rest is reported.
const N_PLIES: u32 = 20_000;

/// What is true of a match after some number of moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlyRow {
    /// Moves played.
    pub ply: u32,
    /// The probability that the side to move has a book move.
    pub in_book: f64,
    /// Positions left at, here; one that is left at several plies counts at each.
    pub n_leaving: usize,
    /// The probability of leaving here.
    pub leaving: f64,
    /// Positions in which a book move is at hand.
    pub n_in_book: usize,
    /// Entropy of these positions, in bits, given that the game is in book.
    pub entropy_in_book: f64,
    /// Entropy of where all games are, those that have left before included, in bits.
    pub entropy_all: f64,
}

/// A flow ply by ply.
#[derive(Clone, Debug)]
pub struct Flow {
    /// A row a ply, from 0.
    pub rows: Vec<PlyRow>,
    /// The probability that is still in the books after the last row.
    pub rest: f64,
    /// Where games leave, and what whole lines are like.
    pub(crate) ends: Ends,
}

/// Where games leave, and what whole lines are like.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    /// Where games have left, and how probably; sorted by position.
    pub(crate) left: Vec<(u32, f64)>,
    /// The mean number of moves from the books.
    pub(crate) expected_plies: f64,
    /// The entropy of lines in bits.
    pub(crate) line_entropy: f64,
    /// The probability that two games have the same line.
    pub(crate) same_line: f64,
}

/// A position that games are in.
#[derive(Clone, Copy, Debug)]
struct Alive {
    node: u32,
    /// How probably a game is there.
    mass: f64,
    /// How probably two games are there by the same moves.
    same: f64,
}

/// Follows the flow; a side's book is not asked from its last ply on. The share `endless` never leaves.
pub fn flow(chain: &Chain, first: Side, max_plies: [Option<u32>; 2], endless: f64) -> Flow {
    let has_last_ply = max_plies.iter().any(Option::is_some);
    // What goes round forever is not followed, unless a last ply ends it.
    let least = if endless > 0.0 && !has_last_ply { endless + ENDLESS_REST } else { REST };
    let mut rows: Vec<PlyRow> = Vec::new();
    let mut left: HashMap<u32, f64> = HashMap::new();
    let mut ends = Ends::default();
    let mut surprise_left = 0.0;
    let mut alive = vec![Alive { node: 0, mass: 1.0, same: 1.0 }];
    let mut side = first;
    for ply in 0..=N_PLIES {
        let is_over = max_plies[side.index()].is_some_and(|last| ply >= last);
        let (leaving, staying): (Vec<Alive>, Vec<Alive>) =
            alive.into_iter().partition(|at| is_over || chain.is_leaving(at.node));
        for at in &leaving {
            let there = left.entry(at.node).or_insert(0.0);
            surprise_left += entropy_term(*there + at.mass) - entropy_term(*there);
            *there += at.mass;
            ends.same_line += at.same;
        }
        // Sums of nothing are -0.
        let in_book = staying.iter().map(|at| at.mass).sum::<f64>() + 0.0;
        let surprise_alive = staying.iter().map(|at| entropy_term(at.mass)).sum::<f64>() + 0.0;
        let given = if in_book > 0.0 { surprise_alive / in_book + in_book.log2() } else { 0.0 };
        ends.expected_plies += in_book;
        ends.line_entropy += staying.iter().map(|at| at.mass * chain.step_entropy(at.node)).sum::<f64>();
        rows.push(PlyRow {
            ply,
            in_book,
            n_leaving: leaving.len(),
            leaving: leaving.iter().map(|at| at.mass).sum::<f64>() + 0.0,
            n_in_book: staying.len(),
            entropy_in_book: given.max(0.0),
            entropy_all: surprise_left + surprise_alive,
        });
        if in_book < least {
            break;
        }
        alive = next_ply(chain, &staying);
        side = side.opponent();
    }
    let rest = rows.last().map_or(0.0, |row| if row.in_book < REST { 0.0 } else { row.in_book });
    ends.left = left.into_iter().collect();
    ends.left.sort_unstable_by_key(|(node, _)| *node);
    Flow { rows, rest, ends }
}

/// Where the probability is one move later, sorted by position.
fn next_ply(chain: &Chain, alive: &[Alive]) -> Vec<Alive> {
    let mut next: Vec<Alive> = Vec::with_capacity(alive.len());
    for at in alive {
        next.extend(chain.steps(at.node).iter().map(|step| Alive {
            node: step.to,
            mass: at.mass * step.probability,
            same: at.same * step.probability * step.probability,
        }));
    }
    next.sort_by_key(|at| at.node);
    next.dedup_by(|later, kept| {
        let is_same = later.node == kept.node;
        if is_same {
            kept.mass += later.mass;
            kept.same += later.same;
        }
        is_same
    });
    next
}
