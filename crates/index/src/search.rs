//! Finds a string: how often it occurs, and where.
//!
//! The occurrences of a string are neighbors in suffix order, so a string is
//! known by its range of ranks there and its length.

use std::cmp::Ordering;

use crate::index::{Index, IndexView};
use crate::symbol::Symbol;

/// A string that occurs in the text, given by the range of its suffixes.
///
/// Belongs to the index that gave it. The empty string occurs at every symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Substring {
    pub(crate) lo: usize,
    pub(crate) hi: usize,
    pub(crate) len: u32,
}

impl Substring {
    /// How often the string occurs.
    #[must_use]
    pub fn count(self) -> usize {
        self.hi - self.lo
    }

    /// How many symbols the string has.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a length in symbols, of no container")]
    pub fn len(self) -> u32 {
        self.len
    }

    /// The range of ranks in suffix order that hold the string's occurrences.
    ///
    /// The ranges of two strings are nested or apart; a string's range holds
    /// those of all its continuations.
    #[must_use]
    pub fn ranks(self) -> std::ops::Range<usize> {
        self.lo..self.hi
    }
}

impl Index {
    /// The empty string, which every search starts from.
    #[must_use]
    pub fn empty_string(&self) -> Substring {
        let n_ranks = self.common.len();
        Substring { lo: self.text.n_separators().min(n_ranks), hi: n_ranks, len: 0 }
    }

    /// How often a string occurs; a window across a segment's border does not count.
    ///
    /// Costs as [`find`](Self::find).
    #[must_use]
    pub fn count(&self, string: &[Symbol]) -> usize {
        self.find(string).map_or(0, Substring::count)
    }

    /// Finds a string, or `None` where it does not occur.
    ///
    /// Costs a binary search among the suffixes that begin with its first
    /// symbol, each step comparing at most its length.
    #[must_use]
    pub fn find(&self, string: &[Symbol]) -> Option<Substring> {
        let Some((&first, rest)) = string.split_first() else {
            return Some(self.empty_string());
        };
        let view = self.view();
        let len = u32::try_from(string.len()).ok()?;
        let bucket = view.bucket(first.to_stored()?);
        let lo = lower_bound(bucket.clone(), |rank| view.compare(rank, 1, rest).is_lt());
        if lo >= bucket.end || view.compare(lo, 1, rest).is_ne() {
            return None;
        }
        let hi = view.run_end(lo, bucket.end, len, |rank| view.compare(rank, 1, rest).is_eq());
        Some(Substring { lo, hi, len })
    }

    /// The string continued by one symbol, or `None` where that never occurs.
    ///
    /// Costs a binary search in the string's range.
    #[must_use]
    pub fn extend(&self, string: Substring, symbol: Symbol) -> Option<Substring> {
        let value = symbol.to_stored()?;
        let view = self.view();
        if string.len == 0 {
            let bucket = view.bucket(value);
            let (lo, hi) = (bucket.start, bucket.end);
            return (lo < hi).then_some(Substring { lo, hi, len: 1 });
        }
        let offset = string.len as usize;
        let ranks = string.lo..string.hi.min(view.common.len());
        let end = ranks.end;
        let lo = lower_bound(ranks, |rank| view.stored_at(rank, offset) < value);
        if lo >= end || view.stored_at(lo, offset) != value {
            return None;
        }
        let len = string.len.checked_add(1)?;
        let hi = view.run_end(lo, end, len, |rank| view.stored_at(rank, offset) == value);
        Some(Substring { lo, hi, len })
    }

    /// The positions where a string begins, in suffix order, not in text order.
    pub fn occurrences(&self, string: Substring) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.positions.as_positions().within(string.ranks()).iter()
    }

    /// The symbols of a string.
    pub fn symbols(&self, string: Substring) -> impl Iterator<Item = Symbol> + '_ {
        let start = self.occurrences(string).next().unwrap_or(self.text.n_positions());
        (start..start.saturating_add(string.len as usize)).map_while(|position| self.text.symbol_at(position))
    }
}

impl IndexView<'_> {
    /// Compares the suffix of a rank, from an offset on, with a string: equal
    /// if the string is a prefix of it.
    fn compare(self, rank: usize, offset: usize, string: &[Symbol]) -> Ordering {
        let start = self.positions.at(rank).saturating_add(offset);
        let suffix = self.stored.get(start..).unwrap_or(&[]);
        for (&Symbol(wanted), &stored) in string.iter().zip(suffix) {
            // A separator is stored as 0 and so is smaller than any symbol.
            match u32::from(stored).cmp(&(u32::from(wanted) + 1)) {
                Ordering::Equal => {}
                unequal => return unequal,
            }
        }
        if suffix.len() < string.len() { Ordering::Less } else { Ordering::Equal }
    }

    /// The end of the ranks from `lo` on that share their first `len` symbols.
    ///
    /// Reads the common prefixes one by one, since most strings are rare and
    /// those numbers lie side by side, then gallops with `belongs`.
    pub(crate) fn run_end(self, lo: usize, limit: usize, len: u32, belongs: impl Fn(usize) -> bool) -> usize {
        const N_READ: usize = 64;
        let near = limit.min(lo + 1 + N_READ);
        let common = self.common.get(lo + 1..near).unwrap_or(&[]);
        if let Some(step) = common.iter().position(|&shared| shared < len) {
            return lo + 1 + step;
        }
        gallop(near, limit, belongs)
    }
}

/// The first of `ranks` for which `is_before` fails; it must fail from there on.
fn lower_bound(ranks: std::ops::Range<usize>, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut lo, mut hi) = (ranks.start, ranks.end);
    while lo < hi {
        let middle = lo + (hi - lo) / 2;
        if is_before(middle) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    lo
}

/// The first rank from `lo` on that does not belong, by doubling steps.
pub(crate) fn gallop(lo: usize, limit: usize, belongs: impl Fn(usize) -> bool) -> usize {
    let (mut known, mut step) = (lo, 1);
    while known + step <= limit && belongs(known + step - 1) {
        known += step;
        step *= 2;
    }
    lower_bound(known..limit.min(known + step), belongs)
}
