//! Candidate mappings: all with few operators, and random changes of good ones.

use std::collections::HashSet;
use std::sync::Arc;

use rand_mt::Mt64;
use xxhash_rust::xxh3::Xxh3Default;

use crate::tactics::eval::points::Points;
use crate::tactics::eval::position::TacticPosition;
use crate::tactics::explain::shrink::{at, paths, with};
use crate::tactics::language::generate::below;
use crate::tactics::language::mapping::{Leaf, Mapping, NeighborOperator, SetOperator};

/// The leaves relative to the side to move: mappings made of them mean the same for both colors.
pub(crate) const LEAVES: [Leaf; 4] = [Leaf::Own, Leaf::Opponent, Leaf::Last, Leaf::BeforeLast];

/// A mapping with its values on all sample positions.
struct PoolEntry {
    mapping: Mapping,
    values: Vec<Points>,
}

/// Different mappings made of the given ones, sorted by the number of operators.
///
/// Mappings with the same values on all positions count as one.
pub(crate) fn enumerate(
    positions: &[TacticPosition],
    given: Vec<Mapping>,
    n_wanted: usize,
    max_depth: usize,
) -> Vec<Mapping> {
    let mut pool = Pool { positions, known: HashSet::new(), by_cost: vec![Vec::new()], n_left: n_wanted, max_depth };
    for mapping in given {
        let values = positions.iter().map(|position| position.value(&mapping)).collect();
        pool.add(mapping, values);
    }
    while pool.n_left > 0 && pool.by_cost.last().is_some_and(|entries| !entries.is_empty()) {
        pool.grow();
    }
    pool.by_cost.into_iter().flatten().map(|entry| entry.mapping.clone()).collect()
}

struct Pool<'p> {
    positions: &'p [TacticPosition],
    known: HashSet<u128>,
    /// The given mappings, then those with one more operator, and so on.
    by_cost: Vec<Vec<Arc<PoolEntry>>>,
    n_left: usize,
    max_depth: usize,
}

impl Pool<'_> {
    fn grow(&mut self) {
        let cost = self.by_cost.len();
        self.by_cost.push(Vec::new());
        for entry in self.by_cost[cost - 1].clone() {
            if self.n_left == 0 {
                return;
            }
            self.add_operators(&entry);
        }
        for first_cost in 0..cost.div_ceil(2) {
            let pairs = [first_cost, cost - 1 - first_cost].map(|cost| self.by_cost[cost].clone());
            for first in &pairs[0] {
                for second in &pairs[1] {
                    if self.n_left == 0 {
                        return;
                    }
                    self.add_joins(first, second);
                }
            }
        }
    }

    fn add_operators(&mut self, entry: &PoolEntry) {
        let all = |position: &TacticPosition, value: &Points| *position.graph.all() - *value;
        let complement = self.positions.iter().zip(&entry.values).map(|(p, value)| all(p, value)).collect();
        self.add(entry.mapping.clone().complement(), complement);
        for kind in NeighborOperator::ALL {
            for n in 1..=NeighborOperator::MAX {
                let counted = self.positions.iter().zip(&entry.values).map(|(p, value)| p.graph.count(kind, n, value));
                self.add(Mapping::count(kind, n, entry.mapping.clone()), counted.collect());
            }
        }
    }

    fn add_joins(&mut self, first: &PoolEntry, second: &PoolEntry) {
        for (join, a, b) in [
            (SetOperator::And, first, second),
            (SetOperator::Or, first, second),
            (SetOperator::Minus, first, second),
            (SetOperator::Minus, second, first),
        ] {
            let mapping = a.mapping.clone().join(join, b.mapping.clone());
            let values = a.values.iter().zip(&b.values).map(|(a, b)| join.of(*a, *b)).collect();
            self.add(mapping, values);
        }
    }

    fn add(&mut self, mapping: Mapping, values: Vec<Points>) {
        if mapping.depth() > self.max_depth {
            return;
        }
        let mut hasher = Xxh3Default::new();
        values.iter().flat_map(|value| value.0).for_each(|word| hasher.update(&word.to_le_bytes()));
        if self.known.insert(hasher.digest128()) {
            self.n_left = self.n_left.saturating_sub(1);
            self.by_cost.last_mut().expect("there is always a list").push(Arc::new(PoolEntry { mapping, values }));
        }
    }
}

/// A random change of a mapping: replaces a part, an operator or a number.
pub(crate) fn mutated(mapping: &Mapping, others: &[Mapping], random: &mut Mt64) -> Mapping {
    let paths = paths(mapping);
    let path = &paths[below(random, paths.len())];
    let part = at(mapping, path);
    let other = others[below(random, others.len())].clone();
    let changed = match below(random, 5) {
        0 => other,
        1 => {
            let [kind, n] = [NeighborOperator::ALL.len(), NeighborOperator::MAX.into()].map(|end| below(random, end));
            Mapping::count(NeighborOperator::ALL[kind], n as u8 + 1, part.clone())
        }
        2 => part.clone().join([SetOperator::And, SetOperator::Minus][below(random, 2)], other),
        3 => part.clone().join(SetOperator::Or, other),
        _ => match part {
            Mapping::Count(kind, n, of) => {
                let n = if below(random, 2) == 0 {
                    n % NeighborOperator::MAX + 1
                } else {
                    (n + NeighborOperator::MAX - 2) % NeighborOperator::MAX + 1
                };
                Mapping::Count(*kind, n, of.clone())
            }
            Mapping::Not(of) => (**of).clone(),
            Mapping::Join(_, a, b) => Mapping::Join(SetOperator::ALL[below(random, 3)], a.clone(), b.clone()),
            Mapping::Leaf(_) => LEAVES[below(random, LEAVES.len())].into(),
        },
    };
    with(mapping, path, &Arc::new(changed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    use crate::tactics::eval::random_positions::random_positions;
    use crate::tactics::language::library::Library;

    #[test]
    fn enumerated_mappings_are_distinct_and_complete() {
        let positions = random_positions(12, 50);
        let leaves: Vec<Mapping> = LEAVES.iter().map(|&leaf| leaf.into()).collect();
        let mappings = enumerate(&positions, leaves, 3_000, 8);
        assert!(mappings.len() >= 3_000, "{}", mappings.len());
        let mut seen: HashMap<Vec<Points>, &Mapping> = HashMap::new();
        for mapping in &mappings {
            let values = positions.iter().map(|position| position.value(mapping)).collect();
            if let Some(other) = seen.insert(values, mapping) {
                panic!("{mapping} is {other}");
            }
        }
        // All mappings with few operators are included, possibly in another form.
        for text in ["O & P", "!LAST", "Adj_2(O - P)", "Suc_1(LAST)", "Pre_2(O & P)", "Adj_1(LAST | LAST2)"] {
            let mapping = Library::standard().mapping(text).expect("a mapping");
            let values: Vec<Points> = positions.iter().map(|position| position.value(&mapping)).collect();
            assert!(seen.contains_key(&values), "{text}");
        }
    }

    #[test]
    fn mutations_differ_and_keep_numbers_in_bounds() {
        let mut random = Mt64::new(5);
        let mapping = Library::standard().mapping("Suc_1(O & LAST) - Adj_5(!P)").expect("a mapping");
        let others = [Mapping::from(Leaf::Last)];
        let changed: HashSet<String> = (0..500).map(|_| mutated(&mapping, &others, &mut random).to_string()).collect();
        assert!(changed.len() > 50, "{}", changed.len());
        for text in changed {
            // Numbers out of bounds could not be parsed.
            Library::standard().mapping(&text).expect("a mapping");
        }
    }
}
