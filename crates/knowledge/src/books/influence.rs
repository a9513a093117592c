//! Which moves matter: what changes if a book no longer plays one of them?

use tejun_games::game::{GameMove, PositionKey, Side};

use crate::books::matching::{Chain, Match};
use crate::statistics::entropy;

/// What removing a move would change, its probability going to the others of its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    /// The position, by its number in the chain.
    pub node: u32,
    /// Its key.
    pub key: PositionKey,
    /// The move.
    pub played: GameMove,
    /// Who plays it.
    pub side: Side,
    /// How often a game of a match comes by it; from 0 to 1 unless positions repeat.
    pub probability: f64,
    /// The change of the entropy of lines, in bits.
    pub entropy: f64,
    /// The change of the first player's expected win rate, if values are known.
    pub win_rate: Option<f64>,
}

/// The influence of every move that could be removed, in the order of the chain.
///
/// Exact where a game visits a position at most once; in cycles it is that of
/// the first visit. `win_rate` is the first player's at a leaving position;
/// positions without one count as `mean`.
pub fn influences(played: &Match, win_rate: Option<&dyn Fn(u32) -> f64>) -> Vec<Influence> {
    let chain = &played.chain;
    let entropies =
        expected(chain, |_| 0.0, |node| if played.visits.is_endless(node) { 0.0 } else { chain.step_entropy(node) });
    let rates = win_rate.map(|win_rate| expected(chain, win_rate, |_| 0.0));
    let sides = sides(chain, played.first());
    let mut all = Vec::new();
    for node in 0..chain.len() as u32 {
        let steps = chain.steps(node);
        let visits = played.visits.expected[node as usize];
        for step in steps.iter().filter(|_| steps.len() > 1 && !played.visits.is_endless(node)) {
            let others = || steps.iter().filter(|other| other.to != step.to || other.played != step.played);
            let rest: f64 = others().map(|other| other.probability).sum();
            let without = |values: &[f64]| {
                others().map(|other| other.probability / rest * values[other.to as usize]).sum::<f64>()
            };
            let choice = entropy(others().map(|other| other.probability / rest));
            all.push(Influence {
                node,
                key: chain.key(node),
                played: step.played,
                side: sides[node as usize],
                probability: visits * step.probability,
                entropy: visits * (choice + without(&entropies) - entropies[node as usize]),
                win_rate: rates.as_ref().map(|rates| visits * (without(rates) - rates[node as usize])),
            });
        }
    }
    all
}

/// Whose turn it is in each position.
fn sides(chain: &Chain, first: Side) -> Vec<Side> {
    let mut sides = vec![first; chain.len()];
    for node in 0..chain.len() as u32 {
        for step in chain.steps(node) {
            sides[step.to as usize] = sides[node as usize].opponent();
        }
    }
    sides
}

/// What is to be expected from each position on: at its end, and gathered on the way.
///
/// Iterates until nothing changes by more than 10^-12; a chain without cycles
/// takes as many rounds as its longest line.
pub(crate) fn expected(chain: &Chain, at_end: impl Fn(u32) -> f64, on_way: impl Fn(u32) -> f64) -> Vec<f64> {
    let mut values = vec![0.0; chain.len()];
    for _ in 0..100_000 {
        let mut change: f64 = 0.0;
        for node in (0..chain.len() as u32).rev() {
            let steps = chain.steps(node);
            let value = if steps.is_empty() {
                at_end(node)
            } else {
                on_way(node) + steps.iter().map(|step| step.probability * values[step.to as usize]).sum::<f64>()
            };
            change = change.max((value - values[node as usize]).abs());
            values[node as usize] = value;
        }
        if change < 1e-12 {
            break;
        }
    }
    values
}
