//! How often each position is visited, exactly.

use crate::books::matching::Chain;
use crate::books::matching::components::Components;

/// Components up to this size are solved by elimination, larger ones by iteration.
const N_ELIMINATED: usize = 300;
/// Iteration ends when this much of the probability is missing.
const MISSING: f64 = 1e-14;
/// Sweeps after which an iteration gives up; what is missing is told.
const N_SWEEPS: usize = 100_000;

/// How often each position of a chain is visited in a game.
#[derive(Clone, Debug)]
pub struct Visits {
    /// Expected visits by position; of a leaving position, its probability.
    pub expected: Vec<f64>,
    /// Groups of positions that can repeat.
    pub n_cycles: usize,
    /// Positions in the largest of them.
    pub n_largest_cycle: usize,
    /// The probability of never leaving the books: both sides repeat forever.
    pub endless: f64,
    /// Probability that iteration has not placed; every figure is exact up to this.
    pub missing: f64,
}

/// Solves the chain with `weigh(chance)` in place of each step's chance.
///
/// With the identity these are expected visits. With squares, the value of a
/// leaving position is the chance that two games come there by the same moves.
pub fn solve(chain: &Chain, weigh: impl Fn(f64) -> f64 + Copy) -> Visits {
    let mut expected = vec![0.0; chain.len()];
    expected[0] = 1.0;
    let mut visits = Visits { expected, n_cycles: 0, n_largest_cycle: 0, endless: 0.0, missing: 0.0 };
    // Where a position of the component in hand stands in it.
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
                    visits.expected[step.to as usize] += mass * weigh(step.chance);
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
    let flows_out = component.iter().any(|node| chain.steps(*node).iter().any(|step| inside(step.to).is_none()));
    if !flows_out {
        visits.endless += inflow.iter().sum::<f64>();
    }
    let links: Vec<Vec<(usize, f64)>> = component
        .iter()
        .map(|node| {
            let steps = chain.steps(*node).iter();
            steps.filter_map(|step| Some((inside(step.to)?, weigh(step.chance)))).collect()
        })
        .collect();
    let is_weighed_out =
        flows_out || links.iter().any(|links| links.iter().map(|link| link.1).sum::<f64>() < 1.0 - 1e-12);
    let solved = if !is_weighed_out {
        // Nothing comes out, and visits have no end; the inflow stands for them.
        inflow
    } else if component.len() <= N_ELIMINATED {
        eliminate(&links, inflow)
    } else {
        let (solved, missing) = iterate(&links, &inflow);
        visits.missing += missing;
        solved
    };
    for (node, solved) in component.iter().zip(solved) {
        visits.expected[*node as usize] = solved;
    }
}

/// Solves x = inflow + x Q by Gauss's elimination with pivoting.
fn eliminate(links: &[Vec<(usize, f64)>], mut x: Vec<f64>) -> Vec<f64> {
    let n = links.len();
    let mut rows = vec![vec![0.0; n]; n];
    for (from, links) in links.iter().enumerate() {
        rows[from][from] += 1.0;
        links.iter().for_each(|&(to, chance)| rows[to][from] -= chance);
    }
    for column in 0..n {
        let size = |row: &usize| rows[*row][column].abs();
        let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(column);
        rows.swap(column, pivot);
        x.swap(column, pivot);
        let (above, below) = rows.split_at_mut(column + 1);
        let lead = &above[column];
        for (offset, row) in below.iter_mut().enumerate() {
            let factor = row[column] / lead[column];
            if factor != 0.0 {
                row.iter_mut().zip(lead).skip(column).for_each(|(cell, lead)| *cell -= factor * lead);
                x[column + 1 + offset] -= factor * x[column];
            }
        }
    }
    for column in (0..n).rev() {
        let known: f64 = (column + 1..n).map(|later| rows[column][later] * x[later]).sum();
        x[column] = (x[column] - known) / rows[column][column];
    }
    x
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
                links[from].iter().for_each(|&(to, chance)| waiting[to] += mass * chance);
            }
        }
        if waiting.iter().sum::<f64>() < MISSING {
            break;
        }
    }
    (x, waiting.iter().sum())
}
