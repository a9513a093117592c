//! Games that leave the book when a position occurs again.

use std::collections::{BTreeSet, HashMap};

use tejun_games::game::Side;

use crate::books::matching::Chain;
use crate::books::matching::by_ply::Ends;
use crate::books::matching::components::Components;

/// States followed at once; the least probable ones beyond are dropped and remain unplaced.
const N_STATES: usize = 1 << 20;
/// States less probable than this are dropped and remain unplaced.
const LEAST: f64 = 1e-16;

/// A position, and the others of its cycle that the game has been in.
type State = (u32, BTreeSet<u32>);

/// How probably a game is in a state, and how probably two are by the same moves.
type Mass = (f64, f64);

/// Where games leave if they leave at every repeated position.
///
/// Only positions that can repeat need a memory: a game that has left a cycle
/// never comes back to it.
pub(crate) fn until_repetition(chain: &Chain, first: Side, max_plies: [Option<u32>; 2]) -> Ends {
    let cycles = cycle_numbers(chain);
    let mut left: HashMap<u32, f64> = HashMap::new();
    let mut ends = Ends::default();
    let mut alive: Vec<(State, Mass)> = vec![((0, BTreeSet::from([0])), (1.0, 1.0))];
    let mut side = first;
    let mut ply = 0;
    while !alive.is_empty() {
        let is_over = max_plies[side.index()].is_some_and(|last| ply >= last);
        let mut next: HashMap<State, Mass> = HashMap::new();
        for ((node, been), (mass, same)) in alive {
            if is_over || chain.is_leaving(node) {
                *left.entry(node).or_insert(0.0) += mass;
                ends.same_line += same;
                continue;
            }
            ends.expected_plies += mass;
            ends.line_entropy += mass * chain.step_entropy(node);
            for step in chain.steps(node) {
                let (mass, same) = (mass * step.probability, same * step.probability * step.probability);
                let stays = cycles[step.to as usize] != 0 && cycles[step.to as usize] == cycles[node as usize];
                if stays && been.contains(&step.to) {
                    *left.entry(step.to).or_insert(0.0) += mass;
                    ends.same_line += same;
                    continue;
                }
                let mut been = if stays { been.clone() } else { BTreeSet::new() };
                if cycles[step.to as usize] != 0 {
                    been.insert(step.to);
                }
                let there = next.entry((step.to, been)).or_insert((0.0, 0.0));
                *there = (there.0 + mass, there.1 + same);
            }
        }
        alive = next.into_iter().filter(|(_, mass)| mass.0 >= LEAST).collect();
        // Sorted, so that sums do not depend on the order of the map.
        alive.sort_by(|a, b| b.1.0.total_cmp(&a.1.0).then_with(|| a.0.cmp(&b.0)));
        alive.truncate(N_STATES);
        side = side.opponent();
        ply += 1;
    }
    ends.left = left.into_iter().collect();
    ends.left.sort_unstable_by_key(|(node, _)| *node);
    ends
}

/// The number of each position's cycle from 1; 0 if it cannot repeat.
fn cycle_numbers(chain: &Chain) -> Vec<u32> {
    let mut numbers = vec![0; chain.len()];
    let components = Components::of(chain);
    let cycles = components.sources_first().filter(|component| component.len() > 1);
    for (number, component) in cycles.enumerate() {
        component.iter().for_each(|node| numbers[*node as usize] = number as u32 + 1);
    }
    numbers
}
