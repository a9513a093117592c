//! Which few sets have exactly these points in common?

use crate::tactics::eval::points::Points;
use crate::tactics::explain::enumeration::MappingEnumeration;
use crate::tactics::language::mapping::{Mapping, SetOperator};

/// Number of sets of each size to consider, those with the fewest unwanted points first.
const N_OF_SIZE: usize = 250;
/// Number of sets of each size that exclude any given unwanted point.
const N_OF_POINT: usize = 3;
/// Maximum number of choices to examine before the best so far is taken.
const MAX_CHOICES: usize = 60_000;

/// A set that contains all wanted points, or none of them, in which case its complement is used.
#[derive(Clone, Copy)]
struct Literal {
    id: usize,
    /// The unwanted points that it does not exclude.
    wrong: Points,
    n_wrong: usize,
    /// The operators of the set and the operator that joins it to others.
    cost: usize,
    depth: usize,
    is_complement: bool,
}

/// The smallest mapping found that joins sets of the enumeration to exactly this value.
///
/// This is a set cover with costs: each set excludes some points, and all unwanted points must be excluded. Branches
/// on the sets that exclude the point excluded by the fewest sets, cheapest first, and prunes branches that cost as
/// much as the best choice so far.
pub(crate) fn cover(
    enumeration: &MappingEnumeration<'_>,
    all: &Points,
    value: &Points,
    max_depth: usize,
) -> Option<Mapping> {
    let literals = literals(enumeration, all, value);
    let mut search = CoverSearch { literals: &literals, max_depth, best: None, n_choices: 0, chosen: Vec::new() };
    search.greedy(*all - *value);
    search.branch(*all - *value, 0);
    let (_, chosen) = search.best?;
    let items = chosen.iter().map(|&i| (enumeration.mapping(literals[i].id), literals[i].is_complement)).collect();
    Some(joined(items))
}

/// The sets to consider, cheapest first.
fn literals(enumeration: &MappingEnumeration<'_>, all: &Points, value: &Points) -> Vec<Literal> {
    let mut wanted: Vec<Literal> = Vec::new();
    let mut of_size: Vec<Literal> = Vec::new();
    let entries = enumeration.entries();
    let mut ids: Vec<usize> = (0..entries.len()).collect();
    ids.sort_by_key(|&id| entries[id].size);
    for ids in ids.chunk_by(|&a, &b| entries[a].size == entries[b].size) {
        of_size.clear();
        for &id in ids {
            let entry = &entries[id];
            let is_complement = !value.is_subset(&entry.value);
            if is_complement && value.meets(&entry.value) {
                continue;
            }
            let wrong = if is_complement { *all - entry.value - *value } else { entry.value - *value };
            let n_wrong = wrong.len();
            let (cost, depth) = (entry.size as usize + 1, entry.depth as usize);
            of_size.push(Literal { id, wrong, n_wrong, cost, depth, is_complement });
        }
        of_size.sort_by_key(|literal| literal.n_wrong);
        let mut n_excluding = vec![0u8; 384];
        for (place, literal) in of_size.iter().enumerate() {
            let mut is_needed = place < N_OF_SIZE;
            for bit in (*all - *value - literal.wrong).bits() {
                if (n_excluding[bit] as usize) < N_OF_POINT {
                    n_excluding[bit] += 1;
                    is_needed = true;
                }
            }
            if is_needed {
                wanted.push(*literal);
            }
        }
    }
    wanted
}

struct CoverSearch<'l> {
    literals: &'l [Literal],
    max_depth: usize,
    /// Cost and choice.
    best: Option<(usize, Vec<usize>)>,
    n_choices: usize,
    chosen: Vec<usize>,
}

impl CoverSearch<'_> {
    /// Repeatedly takes the set that excludes the most points for its cost.
    fn greedy(&mut self, all_wrong: Points) {
        let mut wrong = all_wrong;
        let mut chosen = Vec::new();
        while !wrong.is_empty() {
            let gain = |literal: &Literal| (wrong - literal.wrong).len() as f64 / literal.cost as f64;
            let best =
                (0..self.literals.len()).max_by(|&a, &b| gain(&self.literals[a]).total_cmp(&gain(&self.literals[b])));
            let Some(best) = best.filter(|&best| gain(&self.literals[best]) > 0.0) else { return };
            chosen.push(best);
            wrong &= self.literals[best].wrong;
        }
        self.offer(&chosen);
    }

    fn offer(&mut self, chosen: &[usize]) {
        let cost = self.cost(chosen);
        if self.best.as_ref().is_none_or(|best| cost < best.0) && self.depth(chosen) <= self.max_depth {
            self.best = Some((cost, chosen.to_vec()));
        }
    }

    fn cost(&self, chosen: &[usize]) -> usize {
        let all_complements = chosen.iter().all(|&i| self.literals[i].is_complement);
        chosen.iter().map(|&i| self.literals[i].cost).sum::<usize>() - 1 + usize::from(all_complements)
    }

    fn depth(&self, chosen: &[usize]) -> usize {
        let mut depths: Vec<usize> = chosen.iter().map(|&i| self.literals[i].depth).collect();
        let all_complements = chosen.iter().all(|&i| self.literals[i].is_complement);
        while depths.len() > 1 {
            depths.sort_unstable_by(|a, b| b.cmp(a));
            let (a, b) = (depths.pop(), depths.pop());
            depths.push(a.max(b).map_or(1, |depth| depth + 1));
        }
        depths.first().map_or(0, |depth| depth + usize::from(all_complements))
    }

    fn branch(&mut self, wrong: Points, cost: usize) {
        let best_cost = self.best.as_ref().map_or(usize::MAX, |best| best.0);
        if wrong.is_empty() {
            let chosen = std::mem::take(&mut self.chosen);
            self.offer(&chosen);
            self.chosen = chosen;
            return;
        }
        // One more set is needed, and the last one needs no further operator.
        let mut useful: Vec<(usize, Points)> = Vec::new();
        let mut n_excluding = [0u32; 384];
        for (i, literal) in self.literals.iter().enumerate() {
            if cost + literal.cost > best_cost {
                break;
            }
            let left = wrong & literal.wrong;
            // With the remaining points, another set has to follow.
            let following = if left.is_empty() { 0 } else { 2 };
            if left != wrong && cost + literal.cost + following <= best_cost {
                (wrong - left).bits().for_each(|bit| n_excluding[bit] += 1);
                useful.push((i, left));
            }
        }
        let Some(rarest) = wrong.bits().min_by_key(|&bit| n_excluding[bit]) else { return };
        if n_excluding[rarest] == 0 {
            return;
        }
        useful.retain(|(_, left)| left.0[rarest / 64] >> (rarest % 64) & 1 == 0);
        useful.sort_by_key(|(i, left)| (left.len() + 1) * self.literals[*i].cost);
        for (i, left) in useful {
            self.n_choices += 1;
            if self.n_choices > MAX_CHOICES {
                return;
            }
            let cost = cost + self.literals[i].cost;
            if self.best.as_ref().is_some_and(|best| cost > best.0) {
                continue;
            }
            self.chosen.push(i);
            self.branch(left, cost);
            self.chosen.pop();
        }
    }
}

/// Joins sets and complements of sets, lowest depth first.
fn joined(mut items: Vec<(Mapping, bool)>) -> Mapping {
    while items.len() > 1 {
        items.sort_by_key(|(mapping, _)| std::cmp::Reverse(mapping.depth()));
        let (Some((b, b_out)), Some((a, a_out))) = (items.pop(), items.pop()) else { break };
        items.push(match (a_out, b_out) {
            (false, false) => (a.join(SetOperator::And, b), false),
            (false, true) => (a.join(SetOperator::Minus, b), false),
            (true, false) => (b.join(SetOperator::Minus, a), false),
            (true, true) => (a.join(SetOperator::Or, b), true),
        });
    }
    let (mapping, is_out) = items.pop().expect("at least one set was chosen");
    if is_out { mapping.complement() } else { mapping }
}
