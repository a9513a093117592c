//! Mappings drawn at random.

use rand_mt::Mt64;

use crate::tactics::language::mapping::{Leaf, Mapping, NeighborOperator, SetOperator};

/// The joins of the paper; `^` is just a shorthand.
const JOINS: [SetOperator; 3] = [SetOperator::And, SetOperator::Or, SetOperator::Minus];

/// A random tree (Satou, Anada and Tsutsumi 2013).
///
/// Every node is drawn uniformly from the given leaves, the complement, the 15 counts and the 3 joins; the budget of
/// its parts is smaller by one, and without budget it is a leaf. The same generator and arguments give the same
/// mapping.
///
/// # Panics
/// If there are no leaves.
pub fn random_mapping(random: &mut Mt64, budget: u32, leaves: &[Leaf]) -> Mapping {
    let n_counts = NeighborOperator::ALL.len() * usize::from(NeighborOperator::MAX);
    let n_operators = if budget == 0 { leaves.len() } else { leaves.len() + 1 + n_counts + JOINS.len() };
    let drawn = below(random, n_operators);
    let Some(other) = drawn.checked_sub(leaves.len()) else { return leaves[drawn].into() };
    let first = random_mapping(random, budget - 1, leaves);
    match other.checked_sub(1) {
        None => first.complement(),
        Some(number) if number < n_counts => {
            let kind = NeighborOperator::ALL[number / usize::from(NeighborOperator::MAX)];
            Mapping::count(kind, (number % usize::from(NeighborOperator::MAX)) as u8 + 1, first)
        }
        Some(number) => first.join(JOINS[number - n_counts], random_mapping(random, budget - 1, leaves)),
    }
}

/// A uniform random number below `end`.
pub(crate) fn below(random: &mut Mt64, end: usize) -> usize {
    assert!(end > 0, "there must be something to draw from");
    ((u128::from(random.next_u64()) * end as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn operators_are_drawn_evenly_and_budgets_kept() {
        let mut random = Mt64::new(1);
        let leaves = [Leaf::Black, Leaf::White];
        let mut tops: BTreeMap<String, usize> = BTreeMap::new();
        for _ in 0..21_000 {
            let mapping = random_mapping(&mut random, 3, &leaves);
            assert!(mapping.depth() <= 4, "{mapping}");
            let top = match mapping {
                Mapping::Leaf(leaf) => leaf.name().to_string(),
                Mapping::Not(_) => "!".to_string(),
                Mapping::Count(kind, n, _) => format!("{}_{n}", kind.name()),
                Mapping::Join(join, ..) => join.sign().to_string(),
            };
            *tops.entry(top).or_default() += 1;
        }
        assert_eq!(tops.len(), 21);
        // Five standard deviations of 1000 expected.
        assert!(tops.values().all(|&n| n.abs_diff(1000) < 155), "{tops:?}");
    }

    #[test]
    fn the_same_seed_draws_the_same() {
        let draw = || random_mapping(&mut Mt64::new(7), 9, &Leaf::ALL);
        assert_eq!(draw(), draw());
        assert!(matches!(random_mapping(&mut Mt64::new(7), 0, &Leaf::ALL), Mapping::Leaf(_)));
    }
}
