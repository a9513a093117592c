//! How often each position is visited, exactly.

use crate::books::matching::Chain;
use crate::books::matching::components::Components;

/// Components up to this size are solved by elimination, larger ones by iteration.
const N_ELIMINATED: usize = 300;
/// Iteration ends when this much of the probability is missing.
const MISSING: f64 = 1e-14;
/// Sweeps after which an iteration gives up; the missing probability is reported.
const N_SWEEPS: usize = 100_000;

/// How often each position of a chain is visited in a game.
#[derive(Clone, Debug)]
pub struct Visits {
    /// Expected visits by position; of a leaving position, its probability; of one in endless play, that of coming there.
    pub expected: Vec<f64>,
    /// Groups of positions that can repeat.
    pub n_cycles: usize,
    /// Positions in the largest of them.
    pub n_largest_cycle: usize,
    /// The probability of never leaving the books: both sides repeat forever.
    pub endless: f64,
    /// Probability that iteration has not placed; probabilities are exact up to this.
    pub missing: f64,
    /// Whether a game that comes to a position goes round forever; empty if none does.
    is_endless: Vec<bool>,
}

impl Visits {
    /// Whether a game that comes here never leaves.
    pub fn is_endless(&self, node: u32) -> bool {
        self.is_endless.get(node as usize).copied().unwrap_or(false)
    }

    fn mark_endless(&mut self, node: u32) {
        self.is_endless.resize(self.expected.len(), false);
        self.is_endless[node as usize] = true;
    }
}

/// Solves the chain with `weigh(probability)` in place of each step's probability.
///
/// With the identity these are expected visits. With squares, the value of a
/// leaving position is the probability that two games come there by the same moves.
pub fn solve(chain: &Chain, weigh: impl Fn(f64) -> f64 + Copy) -> Visits {
    let mut expected = vec![0.0; chain.len()];
    expected[0] = 1.0;
    let mut visits =
        Visits { expected, n_cycles: 0, n_largest_cycle: 0, endless: 0.0, missing: 0.0, is_endless: Vec::new() };
    // The index of each position within the current component.
    let mut places = vec![u32::MAX; chain.len()];
    for component in Components::of(chain).sources_first() {
        let is_cycle = component.len() > 1 || chain.steps(component[0]).iter().any(|step| step.to == component[0]);
        if is_cycle {
            visits.n_cycles += 1;
            visits.n_largest_cycle = visits.n_largest_cycle.max(component.len());
            for (place, node) in component.iter().enumerate() {
                places[*node as usize] = place as u32;
            }
            solve_cycle(chain, component, &places, weigh, &mut visits);
        }
        for &node in component {
            let mass = visits.expected[node as usize];
            for step in chain.steps(node) {
                // Steps inside a cycle are in its solution already.
                let is_inside = is_cycle && component.get(places[step.to as usize] as usize) == Some(&step.to);
                if !is_inside {
                    visits.expected[step.to as usize] += mass * weigh(step.probability);
                }
            }
        }
    }
    visits
}

/// Turns the inflow of a cycle's positions into their expected visits.
fn solve_cycle(chain: &Chain, component: &[u32], places: &[u32], weigh: impl Fn(f64) -> f64, visits: &mut Visits) {
    let inside = |to: u32| {
        let place = places[to as usize] as usize;
        (component.get(place) == Some(&to)).then_some(place)
    };
    let inflow: Vec<f64> = component.iter().map(|node| visits.expected[*node as usize]).collect();
    let mut links: Vec<Vec<(usize, f64)>> = Vec::with_capacity(component.len());
    let mut leaks = Vec::with_capacity(component.len());
    for node in component {
        let mut row = Vec::new();
        let mut leak = 0.0;
        for step in chain.steps(*node) {
            match inside(step.to) {
                Some(place) => {
                    row.push((place, weigh(step.probability)));
                    leak += step.probability - weigh(step.probability);
                }
                None => leak += step.probability,
            }
        }
        links.push(row);
        leaks.push(leak);
    }
    let solved = if leaks.iter().all(|leak| *leak <= 0.0) {
        // Whoever comes in goes round forever and sees every position of the group.
        let total: f64 = inflow.iter().sum();
        visits.endless += total;
        component.iter().for_each(|node| visits.mark_endless(*node));
        vec![total; component.len()]
    } else if component.len() <= N_ELIMINATED {
        eliminate(&links, leaks, inflow)
    } else {
        let (solved, missing) = iterate(&links, &inflow);
        visits.missing += missing;
        solved
    };
    for (node, solved) in component.iter().zip(solved) {
        visits.expected[*node as usize] = solved;
    }
}

/// Solves x = inflow + x Q, where a row of Q lacks its leak of 1.
///
/// Elimination after Grassmann, Taksar and Heyman (1985): a pivot is what flows
/// out of its position, so that nothing is ever subtracted and no digit is lost
/// in cycles that hardly leak.
fn eliminate(links: &[Vec<(usize, f64)>], mut leaks: Vec<f64>, mut inflow: Vec<f64>) -> Vec<f64> {
    let n = links.len();
    let mut probabilities = vec![vec![0.0; n]; n];
    for (from, links) in links.iter().enumerate() {
        links.iter().for_each(|&(to, probability)| probabilities[from][to] += probability);
    }
    let mut pivots = vec![0.0; n];
    for last in (0..n).rev() {
        let (before, after) = probabilities.split_at_mut(last);
        let row = &after[0];
        pivots[last] = row[..last].iter().sum::<f64>() + leaks[last];
        for (from, other) in before.iter_mut().enumerate() {
            let share = other[last] / pivots[last];
            if share > 0.0 {
                other[..last].iter_mut().zip(row).for_each(|(cell, probability)| *cell += share * probability);
                leaks[from] += share * leaks[last];
            }
        }
        let share = inflow[last] / pivots[last];
        inflow[..last].iter_mut().zip(row).for_each(|(cell, probability)| *cell += share * probability);
    }
    let mut visits = vec![0.0; n];
    for place in 0..n {
        let earlier: f64 = (0..place).map(|from| visits[from] * probabilities[from][place]).sum();
        visits[place] = (inflow[place] + earlier) / pivots[place];
    }
    visits
}

/// Solves x = inflow + x Q by pushing what has not yet moved on; also the probability still inside.
///
/// All is positive, so the answer grows towards the truth, and what is missing
/// of it is what is still inside.
fn iterate(links: &[Vec<(usize, f64)>], inflow: &[f64]) -> (Vec<f64>, f64) {
    let mut x = vec![0.0; inflow.len()];
    let mut waiting = inflow.to_vec();
    for _ in 0..N_SWEEPS {
        for from in 0..links.len() {
            let mass = std::mem::take(&mut waiting[from]);
            if mass > 0.0 {
                x[from] += mass;
                links[from].iter().for_each(|&(to, probability)| waiting[to] += mass * probability);
            }
        }
        if waiting.iter().sum::<f64>() < MISSING {
            break;
        }
    }
    (x, waiting.iter().sum())
}
