//! All mappings with few operators on one position, each set of points once.

use std::sync::Arc;

use hashbrown::HashTable;

use crate::tactics::eval::points::Points;
use crate::tactics::eval::position::TacticPosition;
use crate::tactics::language::mapping::{Leaf, Mapping, NeighborOperator, SetOperator};

/// Sets of points with the smallest mappings that produce them, smallest first.
///
/// Mappings with the same value on the position count as one. Sets of one size are in the order of their creation.
pub(crate) struct MappingEnumeration<'p> {
    position: &'p TacticPosition,
    limits: EnumerationLimits,
    entries: Vec<EnumeratedMapping>,
    known: HashTable<u32>,
    /// Where each size starts, from 0.
    starts: Vec<usize>,
}

/// The limits of the enumeration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EnumerationLimits {
    /// Maximum depth of a mapping.
    pub(crate) max_depth: usize,
    /// Approximate maximum number of sets.
    pub(crate) max_sets: usize,
}

/// A set and how it is produced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EnumeratedMapping {
    pub(crate) value: Points,
    pub(crate) size: u8,
    pub(crate) depth: u8,
    how: How,
}

#[derive(Clone, Copy, Debug)]
enum How {
    Leaf(Leaf),
    Not(u32),
    Count(NeighborOperator, u8, u32),
    Join(SetOperator, u32, u32),
}

/// The operators that join two sets, and whether each one needs both orders.
const JOINS: [(SetOperator, bool); 5] = [
    (SetOperator::And, false),
    (SetOperator::Or, false),
    (SetOperator::Minus, false),
    (SetOperator::Minus, true),
    (SetOperator::Xor, false),
];

impl<'p> MappingEnumeration<'p> {
    /// Starts with the leaves.
    pub(crate) fn new(
        position: &'p TacticPosition,
        leaves: &[Leaf],
        limits: EnumerationLimits,
    ) -> MappingEnumeration<'p> {
        let known = HashTable::with_capacity(limits.max_sets);
        let mut enumeration = MappingEnumeration { position, limits, entries: Vec::new(), known, starts: vec![0, 0] };
        for &leaf in leaves {
            enumeration.add(EnumeratedMapping { value: position.leaf(leaf), size: 1, depth: 1, how: How::Leaf(leaf) });
        }
        enumeration
    }

    /// The sets so far.
    pub(crate) fn entries(&self) -> &[EnumeratedMapping] {
        &self.entries
    }

    /// The largest size that is complete.
    pub(crate) fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// The index of a set.
    pub(crate) fn find(&self, value: &Points) -> Option<usize> {
        self.known.find(hash(value), |&id| self.entries[id as usize].value == *value).map(|&id| id as usize)
    }

    /// Adds all sets with one more operator; false if there was no room for all, or there are no more.
    pub(crate) fn grow(&mut self) -> bool {
        let size = self.starts.len();
        let end = self.entries.len();
        let largest = self.entries.last().map_or(0, |entry| usize::from(entry.size));
        // Joining two of the largest sets gives at most this size.
        if size > 2 * largest + 1 {
            return false;
        }
        for id in self.starts[size - 1]..end {
            if self.is_full() {
                return false;
            }
            self.add_one_operator(id);
        }
        // The smaller part comes first; the other is at least as large.
        for first_size in 1..=(size - 1) / 2 {
            let second_size = size - 1 - first_size;
            for first in self.of_size(first_size, end) {
                if self.is_full() {
                    return false;
                }
                for second in self.of_size(second_size, end) {
                    self.add_joins(first, second);
                }
            }
        }
        self.starts.push(end);
        true
    }

    /// Applies each count repeatedly to small sets: distances, and shapes that grow or shrink.
    pub(crate) fn repeat(&mut self, up_to_size: usize) {
        let end = self.entries.partition_point(|entry| usize::from(entry.size) <= up_to_size);
        for first in 0..end {
            for kind in NeighborOperator::ALL {
                for n in 1..=NeighborOperator::MAX {
                    self.repeat_one(first, kind, n);
                }
            }
        }
    }

    fn repeat_one(&mut self, first: usize, kind: NeighborOperator, n: u8) {
        let mut id = first;
        while (self.entries[id].depth as usize) < self.limits.max_depth {
            let EnumeratedMapping { value, size, depth, .. } = self.entries[id];
            let value = self.position.graph.count(kind, n, &value);
            id = match self.find(&value) {
                // If a set is already known, its deeper or larger mappings are not needed.
                Some(known) if self.entries[known].depth <= depth || known == id => return,
                Some(known) => known,
                None => {
                    let how = How::Count(kind, n, id as u32);
                    self.add(EnumeratedMapping { value, size: size + 1, depth: depth + 1, how });
                    self.entries.len() - 1
                }
            };
        }
    }

    /// The mapping that produces a set.
    pub(crate) fn mapping(&self, id: usize) -> Mapping {
        let part = |id: u32| Arc::new(self.mapping(id as usize));
        match self.entries[id].how {
            How::Leaf(leaf) => leaf.into(),
            How::Not(of) => Mapping::Not(part(of)),
            How::Count(kind, n, of) => Mapping::Count(kind, n, part(of)),
            How::Join(join, a, b) => Mapping::Join(join, part(a), part(b)),
        }
    }

    fn is_full(&self) -> bool {
        self.entries.len() >= self.limits.max_sets
    }

    fn of_size(&self, size: usize, end: usize) -> std::ops::Range<usize> {
        self.starts[size]..self.starts.get(size + 1).copied().unwrap_or(end)
    }

    fn add_one_operator(&mut self, id: usize) {
        let EnumeratedMapping { value, size, depth, .. } = self.entries[id];
        if depth as usize >= self.limits.max_depth {
            return;
        }
        let id = id as u32;
        let graph = &self.position.graph;
        let mut add = |value, how| self.add(EnumeratedMapping { value, size: size + 1, depth: depth + 1, how });
        add(*graph.all() - value, How::Not(id));
        for kind in NeighborOperator::ALL {
            for n in 1..=NeighborOperator::MAX {
                add(graph.count(kind, n, &value), How::Count(kind, n, id));
            }
        }
    }

    fn add_joins(&mut self, first: usize, second: usize) {
        let (a, b) = (self.entries[first], self.entries[second]);
        for (join, is_swapped) in JOINS {
            let depth = a.depth.max(b.depth) + join.n_levels() as u8;
            if depth as usize > self.limits.max_depth {
                continue;
            }
            let (a, b, first, second) = if is_swapped { (b, a, second, first) } else { (a, b, first, second) };
            let value = join.of(a.value, b.value);
            let how = How::Join(join, first as u32, second as u32);
            self.add(EnumeratedMapping { value, size: a.size + b.size + 1, depth, how });
        }
    }

    fn add(&mut self, entry: EnumeratedMapping) {
        let MappingEnumeration { entries, known, .. } = self;
        let is_known = |id: &u32| entries[*id as usize].value == entry.value;
        if let hashbrown::hash_table::Entry::Vacant(place) =
            known.entry(hash(&entry.value), is_known, |&id| hash(&entries[id as usize].value))
        {
            place.insert(entries.len() as u32);
            entries.push(entry);
        }
    }
}

fn hash(points: &Points) -> u64 {
    let mix = |hash: u64, word: &u64| {
        let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15;
        (product >> 64) as u64 ^ product as u64
    };
    points.0.iter().fold(0x2545_f491_4f6c_dd1d, mix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_mt::Mt64;

    use crate::tactics::eval::random_positions::random_positions;
    use crate::tactics::language::generate::random_mapping;

    const LEAVES: [Leaf; 3] = [Leaf::Own, Leaf::Opponent, Leaf::Last];

    #[test]
    fn every_small_mapping_is_enumerated() {
        let mut random = Mt64::new(13);
        for position in random_positions(8, 30) {
            let mut enumeration =
                MappingEnumeration::new(&position, &LEAVES, EnumerationLimits { max_depth: 8, max_sets: 100_000 });
            while enumeration.size() < 4 {
                assert!(enumeration.grow());
            }
            let mut n_tried = 0;
            while n_tried < 300 {
                let mapping = random_mapping(&mut random, 3, &LEAVES);
                if mapping.size() <= enumeration.size() {
                    let id =
                        enumeration.find(&position.value(&mapping)).unwrap_or_else(|| panic!("{mapping} is not there"));
                    assert!(enumeration.entries()[id].size as usize <= mapping.size(), "{mapping}");
                    n_tried += 1;
                }
            }
        }
    }

    #[test]
    fn entries_equal_the_values_of_their_mappings() {
        for position in random_positions(4, 40) {
            let mut enumeration =
                MappingEnumeration::new(&position, &LEAVES, EnumerationLimits { max_depth: 6, max_sets: 2_000 });
            while enumeration.grow() {}
            enumeration.repeat(2);
            for (id, entry) in enumeration.entries().iter().enumerate() {
                let mapping = enumeration.mapping(id);
                assert_eq!(position.value(&mapping), entry.value, "{mapping}");
                assert_eq!((mapping.size(), mapping.depth()), (entry.size.into(), entry.depth.into()), "{mapping}");
                assert!(entry.depth <= 6);
                assert_eq!(enumeration.find(&entry.value), Some(id), "each value once");
            }
        }
    }
}
