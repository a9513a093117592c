//! Entries found by the hash of a position.

/// Moves by key, sorted.
pub(crate) struct HashTable<M> {
    keys: Vec<u64>,
    /// Where the moves of each key end.
    ends: Vec<u32>,
    moves: Vec<M>,
}

/// How keys follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyOrder {
    /// None is smaller than the one before.
    Sorted,
    /// Few are.
    Mixed,
    /// With this many, these can hardly be keys.
    Random,
}

impl KeyOrder {
    /// The order of these keys; in random numbers half are smaller than the one before.
    pub(crate) fn of<K: Ord>(keys: impl Iterator<Item = K> + Clone) -> KeyOrder {
        let (mut n_keys, mut n_falls) = (1, 0);
        for (key, next) in keys.clone().zip(keys.skip(1)) {
            n_keys += 1;
            n_falls += usize::from(next < key);
        }
        match n_falls {
            0 => KeyOrder::Sorted,
            n if 4 * n <= n_keys => KeyOrder::Mixed,
            _ => KeyOrder::Random,
        }
    }
}

impl<M> HashTable<M> {
    /// A table of moves in any order; those of one key keep theirs.
    pub(crate) fn new(mut entries: Vec<(u64, M)>) -> HashTable<M> {
        entries.sort_by_key(|(key, _)| *key);
        let mut table = HashTable { keys: Vec::new(), ends: Vec::new(), moves: Vec::with_capacity(entries.len()) };
        for (key, played) in entries {
            if table.keys.last() != Some(&key) {
                table.keys.push(key);
                table.ends.push(0);
            }
            table.moves.push(played);
            table.ends.last_mut().into_iter().for_each(|end| *end = table.moves.len() as u32);
        }
        table
    }

    /// The number of keys.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The number of a key and its moves.
    pub(crate) fn find(&self, key: u64) -> Option<(u32, &[M])> {
        let number = self.keys.binary_search(&key).ok()?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        Some((number as u32, &self.moves[start..self.ends[number] as usize]))
    }
}
