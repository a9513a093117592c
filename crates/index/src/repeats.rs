//! Every string that occurs at least twice, in linear time.
//!
//! Strings with the same occurrences form a class: `ab` and `abc` if every
//! `ab` continues with `c`. A class is a node of the tree of common prefix
//! intervals, and the array of common prefixes *is* that tree, written flat:
//! a stack reads it off bottom-up (Kasai and others 2001; Abouelhoda, Kurtz
//! and Ohlebusch 2004).
//!
//! ```text
//! suffixes        common prefix     classes (lengths, count)
//! a b | ...       0                 a b c d   (3..=4, 2)
//! a b c d e | ... 2                 a b       (1..=2, 3)
//! a b c d | ...   4
//! ```

use crate::index::Index;
use crate::search::Substring;

/// A class of strings that occur at the same places, at least twice.
///
/// The strings are the prefixes of the longest one with
/// `parent_depth + 1 ..= depth` symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repeat {
    /// The first rank of the occurrences in suffix order.
    pub lo: usize,
    /// The rank after the last one.
    pub hi: usize,
    /// The length of the longest string; it continues in at least two ways.
    pub depth: u32,
    /// The length of the longest prefix that occurs more often; 0 if none does.
    pub parent_depth: u32,
}

impl Repeat {
    /// How often each string of the class occurs.
    #[must_use]
    pub fn count(self) -> usize {
        self.hi - self.lo
    }

    /// The lengths of the strings of the class.
    #[must_use]
    pub fn lengths(self) -> std::ops::RangeInclusive<u32> {
        self.parent_depth + 1..=self.depth
    }

    /// The longest string of the class.
    #[must_use]
    pub fn longest(self) -> Substring {
        Substring { lo: self.lo, hi: self.hi, len: self.depth }
    }

    /// The string of the class with `len` symbols, or `None` if it has none.
    #[must_use]
    pub fn with_len(self, len: u32) -> Option<Substring> {
        self.lengths().contains(&len).then_some(Substring { len, ..self.longest() })
    }
}

/// Lists classes of repeated strings, a longer one before its prefixes.
///
/// ```
/// use tejun_index::{BuildOptions, Index, Symbol, TextBuilder};
///
/// let mut text = TextBuilder::new();
/// text.push_segment([1, 2, 3, 1, 2].map(Symbol))?;
/// let index = Index::build(text.finish(), BuildOptions::default())?;
///
/// let longest = index.repeats().map(|repeat| repeat.longest()).max_by_key(|string| string.len()).expect("one");
/// assert_eq!(index.symbols(longest).collect::<Vec<_>>(), [1, 2].map(Symbol));
/// assert_eq!(longest.count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Repeats<'a> {
    common: &'a [u32],
    /// The rank being read, and what its suffix shares with the one before.
    rank: usize,
    shared: u32,
    end: usize,
    /// The first rank of the interval closed last at this rank.
    closed_lo: usize,
    /// Open intervals by depth, and the first rank of each; the root lies below them.
    open: Vec<(u32, usize)>,
}

impl Index {
    /// Every class of strings that occur at least twice, each once.
    ///
    /// The classes inside an interval come before it. Costs one pass over the
    /// common prefixes and a stack as deep as strings are nested.
    #[must_use]
    pub fn repeats(&self) -> Repeats<'_> {
        self.repeats_in(self.empty_string().ranks())
    }

    /// The same classes cut into at most `n_parts` parts of about equal work,
    /// for several threads; their concatenation is [`repeats`](Self::repeats).
    #[must_use]
    pub fn repeats_in_parts(&self, n_parts: usize) -> Vec<Repeats<'_>> {
        let ranks = self.empty_string().ranks();
        let buckets: &[u64] = &self.buckets;
        // Two strings in one class begin alike, so a cut between first
        // symbols cuts no class.
        let mut cuts: Vec<usize> = (0..n_parts)
            .map(|part| ranks.start + (ranks.len() as u128 * part as u128 / n_parts as u128) as usize)
            .filter_map(|target| buckets.iter().find(|&&start| start >= target as u64))
            .map(|&start| usize::try_from(start).unwrap_or(ranks.end).clamp(ranks.start, ranks.end))
            .chain([ranks.end])
            .collect();
        cuts.dedup();
        cuts.windows(2).map(|cut| self.repeats_in(cut[0]..cut[1].max(cut[0]))).collect()
    }

    fn repeats_in(&self, ranks: std::ops::Range<usize>) -> Repeats<'_> {
        Repeats {
            common: &self.common,
            rank: ranks.start,
            shared: 0,
            end: ranks.end,
            closed_lo: ranks.start,
            open: Vec::new(),
        }
    }
}

impl Iterator for Repeats<'_> {
    type Item = Repeat;

    fn next(&mut self) -> Option<Repeat> {
        loop {
            let open_depth = self.open.last().map_or(0, |&(depth, _)| depth);
            if open_depth > self.shared {
                return self.close();
            }
            if open_depth < self.shared {
                self.open.push((self.shared, self.closed_lo));
            }
            if self.rank >= self.end {
                return None;
            }
            self.closed_lo = self.rank;
            self.rank += 1;
            self.shared = if self.rank < self.end { self.common[self.rank] } else { 0 };
        }
    }
}

impl Repeats<'_> {
    /// Ends the deepest open interval before the rank being read.
    fn close(&mut self) -> Option<Repeat> {
        let (depth, lo) = self.open.pop()?;
        let enclosing_depth = self.open.last().map_or(0, |&(depth, _)| depth);
        self.closed_lo = lo;
        Some(Repeat { lo, hi: self.rank, depth, parent_depth: enclosing_depth.max(self.shared) })
    }
}
