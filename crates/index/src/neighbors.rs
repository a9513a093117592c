//! What comes before and after a string, with counts.

use crate::index::Index;
use crate::search::{Substring, gallop};
use crate::symbol::{Neighbor, SEPARATOR, Symbol};

/// One way in which the occurrences of a string continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Following {
    /// What comes next: a symbol or the end of the segment.
    pub neighbor: Neighbor,
    /// The number of occurrences that continue like this.
    pub count: usize,
    /// The longer string; `None` at the end of a segment.
    pub extended: Option<Substring>,
}

impl Index {
    /// What follows a string, each neighbor once, the segment's end first and
    /// symbols in their order.
    ///
    /// The counts add up to the string's own. Costs a search by doubling steps
    /// for each neighbor, whatever the counts.
    pub fn following(&self, string: Substring) -> impl Iterator<Item = Following> + '_ {
        let view = self.view();
        let offset = string.len as usize;
        let end = string.hi.min(view.common.len());
        let mut lo = string.lo;
        std::iter::from_fn(move || {
            if lo >= end {
                return None;
            }
            let value = view.stored_at(lo, offset);
            let belongs = |rank| view.stored_at(rank, offset) == value;
            // Suffixes that end here share nothing more, so their common
            // prefixes do not distinguish them from the first symbol's.
            let (hi, len) = match string.len.checked_add(1) {
                Some(len) if value != SEPARATOR => (view.run_end(lo, end, len, belongs), len),
                _ => (gallop(lo + 1, end, belongs), string.len),
            };
            let run = Substring { lo, hi, len };
            lo = hi;
            Some(Following {
                neighbor: Neighbor::after(value),
                count: run.count(),
                extended: (value != SEPARATOR).then_some(run),
            })
        })
    }

    /// What comes before each occurrence of a string, in suffix order.
    pub fn preceding_each(&self, string: Substring) -> impl ExactSizeIterator<Item = Neighbor> + '_ {
        self.left_of(string).iter().map(|&value| Neighbor::before(value))
    }

    /// What comes before a string, each neighbor once with its count, the
    /// segment's start first and symbols in their order.
    ///
    /// The counts add up to the string's own. Costs a look at every
    /// occurrence; they lie side by side.
    #[must_use]
    pub fn preceding(&self, string: Substring) -> Vec<(Neighbor, usize)> {
        let left = self.left_of(string);
        let n_values = self.buckets.len();
        // A table of all symbols pays only for strings about as frequent.
        let counts = if left.len() < n_values { count_sorted(left) } else { count_table(left) };
        counts.into_iter().map(|(value, count)| (Neighbor::before(value), count)).collect()
    }

    /// Every symbol of the text in order, with how often it occurs.
    pub fn symbol_counts(&self) -> impl Iterator<Item = (Symbol, usize)> + '_ {
        let view = self.view();
        (1..=u16::MAX).take(view.buckets.len().saturating_sub(2)).filter_map(move |value| {
            let count = view.bucket(value).len();
            Symbol::from_stored(value).filter(|_| count > 0).map(|symbol| (symbol, count))
        })
    }

    fn left_of(&self, string: Substring) -> &[u16] {
        self.left.get(string.ranks()).unwrap_or(&[])
    }
}

fn count_sorted(values: &[u16]) -> Vec<(u16, usize)> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect()
}

fn count_table(values: &[u16]) -> Vec<(u16, usize)> {
    let mut counts = vec![0; usize::from(u16::MAX) + 1];
    for &value in values {
        counts[usize::from(value)] += 1;
    }
    let pairs = (0..=u16::MAX).zip(counts);
    pairs.filter(|&(_, count)| count > 0).collect()
}
