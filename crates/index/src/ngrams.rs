//! How many different strings the text holds, by length.

use crate::index::Index;
use crate::search::Substring;
use crate::symbol::SEPARATOR;

/// The number of different strings of each length.
///
/// The vectors are indexed by length; entry 0, the empty string, is 0.
///
/// ```
/// use tejun_index::{BuildOptions, Index, Symbol, TextBuilder};
///
/// let mut text = TextBuilder::new();
/// text.push_segment([1, 2, 3, 1, 2].map(Symbol))?;
/// let index = Index::build(text.finish(), BuildOptions::default())?;
///
/// let counts = index.ngram_counts();
/// assert_eq!(counts.distinct[1..3], [3, 3]); // 1, 2, 3 and 12, 23, 31
/// assert_eq!(counts.repeated[1..3], [2, 1]); // 1, 2 and 12
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NGramCounts {
    /// Strings of each length that occur.
    pub distinct: Vec<u64>,
    /// Those of them that occur at least twice.
    pub repeated: Vec<u64>,
}

impl NGramCounts {
    /// Different strings of all lengths.
    #[must_use]
    pub fn total_distinct(&self) -> u64 {
        self.distinct.iter().sum()
    }

    /// Different strings of all lengths that occur at least twice.
    #[must_use]
    pub fn total_repeated(&self) -> u64 {
        self.repeated.iter().sum()
    }
}

impl Index {
    /// Counts the different strings of every length up to the longest segment.
    ///
    /// Costs one pass over the common prefixes.
    #[must_use]
    pub fn ngram_counts(&self) -> NGramCounts {
        let longest = self.segment_lengths().max().unwrap_or(0);
        // A segment of n symbols has one suffix of each length up to n.
        let suffixes_by_length = at_least(histogram(self.segment_lengths(), longest));
        let windows = at_least(suffixes_by_length);
        let common = self.common.get(self.empty_string().ranks()).unwrap_or(&[]);
        let lengths = common.iter().map(|&shared| shared as usize);
        let repetitions = at_least(histogram(lengths, longest));
        let both = common.windows(2).map(|pair| pair[0].min(pair[1]) as usize);
        let further_repetitions = at_least(histogram(both, longest));
        // In suffix order a string's first occurrence is the one that does not
        // share it with the suffix before; its second the first that does.
        NGramCounts {
            distinct: differences(&windows, &repetitions),
            repeated: differences(&repetitions, &further_repetitions),
        }
    }

    /// Every different string of one length, in suffix order.
    ///
    /// Costs one pass over the common prefixes.
    pub fn ngrams(&self, length: u32) -> impl Iterator<Item = Substring> + '_ {
        let view = self.view();
        let end = self.empty_string().ranks().end;
        let mut lo = self.empty_string().ranks().start;
        std::iter::from_fn(move || {
            while lo < end {
                let mut hi = lo + 1;
                while hi < end && view.common[hi] >= length {
                    hi += 1;
                }
                let string = Substring { lo, hi, len: length };
                lo = hi;
                let is_whole = (0..length as usize).all(|offset| view.stored_at(string.lo, offset) != SEPARATOR);
                if is_whole {
                    return Some(string);
                }
            }
            None
        })
    }

    fn segment_lengths(&self) -> impl Iterator<Item = usize> + '_ {
        let starts: &[u64] = &self.text.starts;
        let n_positions = self.text.n_positions();
        starts.windows(2).map(move |pair| {
            let with_separator = pair[1].saturating_sub(pair[0]);
            usize::try_from(with_separator.saturating_sub(1)).unwrap_or(0).min(n_positions)
        })
    }
}

/// How often each value occurs; larger values count as the largest.
fn histogram(values: impl Iterator<Item = usize>, largest: usize) -> Vec<u64> {
    let mut counts = vec![0; largest + 1];
    for value in values {
        counts[value.min(largest)] += 1;
    }
    counts
}

/// Turns "how many are i" into "how many are i or more".
fn at_least(mut counts: Vec<u64>) -> Vec<u64> {
    for value in (1..counts.len()).rev() {
        counts[value - 1] += counts[value];
    }
    counts
}

fn differences(larger: &[u64], smaller: &[u64]) -> Vec<u64> {
    let pairs = larger.iter().zip(smaller).skip(1);
    std::iter::once(0).chain(pairs.map(|(a, b)| a.saturating_sub(*b))).collect()
}
