//! The patterns that were played at least twice, and a weight for each.

use tejun_index::MappedArray;

use crate::corpus::GameTable;
use crate::patterns::template::scramble;
use crate::threads::map_each;

/// A set of keys, each with a weight.
///
/// An open-addressing table without pointers, so that it can be mapped from a file. The weight of a key is stored
/// next to it, so a lookup needs one memory access. Only 32 bits of a key are stored; its position provides about 20
/// more.
pub struct KeyTable {
    /// The lower half of a key, and the bits of its weight.
    slots: MappedArray<[u32; 2]>,
}

/// Marks a free slot.
const FREE: u32 = 0;

impl KeyTable {
    /// Creates a table of distinct keys with weights of 0.
    pub fn new(keys: &[u64]) -> KeyTable {
        let n_slots = keys.len() * 4 / 3 + 8;
        let mut slots = vec![[FREE, 0]; n_slots];
        for &key in keys {
            let slot = probe(&slots, key, home(&slots, key));
            slots[slot][0] = check(key);
        }
        KeyTable { slots: slots.into() }
    }

    /// The slot of a key.
    #[inline]
    pub fn find(&self, key: u64) -> Option<u32> {
        let slots = &self.slots[..];
        let slot = probe(slots, key, home(slots, key));
        (slots[slot][0] != FREE).then_some(slot as u32)
    }

    /// The slots of several keys, whose memory is requested at the same time.
    #[inline]
    pub fn find_all<const N: usize>(&self, keys: &[u64; N]) -> [Option<u32>; N] {
        let slots = &self.slots[..];
        let homes: [usize; N] = std::array::from_fn(|i| home(slots, keys[i]));
        let first: [u32; N] = std::array::from_fn(|i| slots[homes[i]][0]);
        std::array::from_fn(|i| {
            if first[i] == FREE {
                return None;
            }
            let slot = if first[i] == check(keys[i]) { homes[i] } else { probe(slots, keys[i], homes[i]) };
            (slots[slot][0] != FREE).then_some(slot as u32)
        })
    }

    /// The weight in a slot.
    #[inline]
    pub fn weight(&self, slot: u32) -> f32 {
        f32::from_bits(self.slots[slot as usize][1])
    }

    /// Sets the weight in a slot.
    #[inline]
    pub(crate) fn set_weight(&mut self, slot: u32, weight: f32) {
        self.slots.to_mut()[slot as usize][1] = weight.to_bits();
    }

    /// All slots in their stored form.
    pub(crate) fn row(&self) -> &MappedArray<[u32; 2]> {
        &self.slots
    }

    /// Wraps a stored table; `None` if it has no free slot, because then searches would not end.
    pub(crate) fn of(slots: MappedArray<[u32; 2]>) -> Option<KeyTable> {
        slots.iter().any(|slot| slot[0] == FREE).then_some(KeyTable { slots })
    }

    /// The number of keys.
    pub fn n_keys(&self) -> usize {
        self.slots.iter().filter(|slot| slot[0] != FREE).count()
    }

    /// The number of slots.
    pub fn n_slots(&self) -> usize {
        self.slots.len()
    }
}

/// The slot where the search for a key begins.
#[inline]
fn home(slots: &[[u32; 2]], key: u64) -> usize {
    ((u128::from(key) * slots.len() as u128) >> 64) as usize
}

/// The slot of a key, or the free slot where it belongs.
#[inline]
fn probe(slots: &[[u32; 2]], key: u64, home: usize) -> usize {
    let (check, mut slot) = (check(key), home);
    while slots[slot][0] != check && slots[slot][0] != FREE {
        slot += 1;
        if slot == slots.len() {
            slot = 0;
        }
    }
    slot
}

/// The stored part of a key.
#[inline]
fn check(key: u64) -> u32 {
    (key as u32).max(1)
}

/// Maximum number of keys that a harvest keeps in memory.
const MOST_KEYS: usize = 1 << 28;
/// Number of buckets, which are sorted separately.
const N_BUCKETS: usize = 64;
/// Number of games whose keys are collected before they are distributed to buckets.
const N_GAMES: usize = 512;

/// The keys that occur at least twice in the games, sorted.
///
/// `keys_of` adds the keys of one game, about `n_per_move` for each move. Reads large collections several times, each
/// time for some of the keys, so that memory use stays only slightly above 2 GiB.
pub(crate) fn harvest(
    games: &GameTable,
    n_per_move: usize,
    n_threads: usize,
    keys_of: impl Fn(usize, &mut Vec<u64>) + Sync,
) -> Vec<u64> {
    let n_passes = (games.n_moves() * n_per_move).div_ceil(MOST_KEYS).max(1);
    let part_of = |key: u64, n: usize| ((u128::from(key) * n as u128) >> 64) as usize;
    let numbers: Vec<usize> = (0..games.n_games()).collect();
    let mut kept = Vec::new();
    for pass in 0..n_passes {
        let mut buckets: Vec<Vec<u64>> = vec![Vec::new(); N_BUCKETS];
        for chunk in numbers.chunks(N_GAMES) {
            let gathered = map_each(chunk, n_threads, |&game| {
                let mut keys = Vec::new();
                keys_of(game, &mut keys);
                keys.retain(|&key| key != 0 && part_of(key, n_passes) == pass);
                keys
            });
            for key in gathered.into_iter().flatten() {
                // Each pass uses all buckets for its own keys.
                buckets[part_of(key.wrapping_mul(n_passes as u64), N_BUCKETS)].push(key);
            }
        }
        kept.extend(map_each(&buckets, n_threads, |bucket| twice(bucket.clone())).into_iter().flatten());
    }
    kept.sort_unstable();
    kept
}

/// The keys that occur at least twice.
fn twice(mut keys: Vec<u64>) -> Vec<u64> {
    keys.sort_unstable();
    keys.chunk_by(|a, b| a == b).filter(|run| run.len() >= 2).map(|run| run[0]).collect()
}

/// Combines two numbers into one key.
#[inline]
pub(crate) fn joined(a: u64, b: u64) -> u64 {
    scramble(a ^ scramble(b).rotate_left(17))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_table_finds_its_keys_and_no_others(keys in prop::collection::btree_set(1u64.., 0..300), others in prop::collection::vec(1u64.., 7)) {
            // Keys are hashes, so they are spread over the table.
            let keys: Vec<u64> = keys.into_iter().map(scramble).collect();
            let table = KeyTable::new(&keys);
            prop_assert_eq!(table.n_keys(), keys.len());
            let mut places: Vec<u32> = keys.iter().map(|&key| table.find(key).expect("it is there")).collect();
            places.sort_unstable();
            places.dedup();
            prop_assert_eq!(places.len(), keys.len());
            for &key in others.iter().filter(|key| !keys.contains(key)) {
                prop_assert_eq!(table.find(key), None);
            }
            let others: [u64; 7] = others.try_into().expect("seven");
            prop_assert_eq!(table.find_all(&others), others.map(|key| table.find(key)));
        }
    }
}
