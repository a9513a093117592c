//! The index itself: what it holds and how it is built.

use std::num::NonZeroU16;

use libsais::{LibsaisError, ThreadCount};

use crate::section::{PositionSection, PositionSlice, Section};
use crate::suffix_array::{MAX_NARROW_POSITIONS, SortedSuffixes, sort_narrow, sort_wide};
use crate::symbol::SEPARATOR;
use crate::text::Text;

/// How an index is built.
#[derive(Clone, Copy, Debug)]
pub struct BuildOptions {
    /// The number of threads; the result does not depend on it.
    pub threads: NonZeroU16,
    /// How many bits a position takes.
    pub width: PositionWidth,
}

impl Default for BuildOptions {
    /// All processors, positions as narrow as the text allows.
    fn default() -> Self {
        let n_processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = u16::try_from(n_processors).unwrap_or(u16::MAX);
        Self { threads: NonZeroU16::new(threads).unwrap_or(NonZeroU16::MIN), width: PositionWidth::Fitting }
    }
}

/// How many bits the index spends on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionWidth {
    /// 32 bits for texts below 2,147,483,648 positions, else 64.
    Fitting,
    /// 64 bits even for a short text.
    Wide,
}

/// Why an index could not be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// There was not enough memory for the suffix sorter.
    #[error("not enough memory to sort the suffixes of {n_positions} positions; index fewer games")]
    OutOfMemory {
        /// The length of the text.
        n_positions: usize,
    },
    /// The suffix sorter rejected the text, which should not happen.
    #[error("the suffix sorter failed on {n_positions} positions")]
    Sorter {
        /// The length of the text.
        n_positions: usize,
        /// Its error.
        source: LibsaisError,
    },
}

/// An index of every substring of a text, in memory or in a mapped file.
///
/// Takes 12 bytes per position (text 2, suffix 4, common prefix 4, left
/// neighbor 2); building takes 14 at its peak, and about 8 MB however short the
/// text. With 64-bit positions: 16 and 22.
///
/// ```
/// use tejun_index::{BuildOptions, Index, Symbol, TextBuilder};
///
/// let mut text = TextBuilder::new();
/// text.push_segment([1, 2, 3, 1, 2].map(Symbol))?;
/// let index = Index::build(text.finish(), BuildOptions::default())?;
///
/// let string = index.find(&[1, 2].map(Symbol)).expect("it occurs");
/// assert_eq!(string.count(), 2);
/// let mut positions: Vec<usize> = index.occurrences(string).collect();
/// positions.sort();
/// assert_eq!(positions, [0, 3]);
/// assert_eq!(index.following(string).count(), 2); // the symbol 3, and the end
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Index {
    pub(crate) text: Text,
    /// The position of every suffix, in suffix order; separators first.
    pub(crate) positions: PositionSection,
    /// How many symbols each suffix shares with the one before it.
    pub(crate) common: Section<u32>,
    /// What is stored before each suffix, the separator at a segment's start.
    pub(crate) left: Section<u16>,
    /// The first rank of each stored value, then the number of ranks.
    pub(crate) buckets: Section<u64>,
    pub(crate) label: Section<u8>,
}

impl Index {
    /// Builds the index of a text, in time linear in its length.
    ///
    /// # Errors
    ///
    /// If there is not enough memory.
    pub fn build(text: Text, options: BuildOptions) -> Result<Self, BuildError> {
        let n_positions = text.n_positions();
        let threads = ThreadCount::fixed(options.threads.get());
        let is_wide = options.width == PositionWidth::Wide || n_positions > MAX_NARROW_POSITIONS;
        let sort = if is_wide { sort_wide } else { sort_narrow };
        let SortedSuffixes { positions, common } = sort(&text.stored, threads).map_err(|source| match source {
            LibsaisError::OutOfMemory => BuildError::OutOfMemory { n_positions },
            source => BuildError::Sorter { n_positions, source },
        })?;
        let left = left_values(&text.stored, positions.as_positions(), options.threads);
        Ok(Self {
            positions,
            common: Section::Owned(common),
            left: Section::Owned(left),
            buckets: Section::Owned(bucket_starts(&text.stored)),
            label: Section::Owned(Vec::new()),
            text,
        })
    }

    /// Attaches a label, which is saved with the index.
    ///
    /// The index does not read it. Use it to say what the symbols
    /// mean and which collection they came from.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<Vec<u8>>) -> Self {
        self.label = Section::Owned(label.into());
        self
    }

    /// The label given before saving; empty if there was none.
    #[must_use]
    pub fn label(&self) -> &[u8] {
        &self.label
    }

    /// The text that is indexed.
    #[must_use]
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The slices of the sections, for a whole query at once.
    pub(crate) fn view(&self) -> IndexView<'_> {
        IndexView {
            stored: &self.text.stored,
            positions: self.positions.as_positions(),
            common: &self.common,
            buckets: &self.buckets,
            n_separators: self.text.n_separators(),
        }
    }
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index").field("text", &self.text).finish_non_exhaustive()
    }
}

/// An index with its sections resolved to slices.
///
/// A damaged file may hold any number in any section, so whatever was read
/// from one section is checked before it leads into another.
#[derive(Clone, Copy)]
pub(crate) struct IndexView<'a> {
    pub(crate) stored: &'a [u16],
    pub(crate) positions: PositionSlice<'a>,
    pub(crate) common: &'a [u32],
    pub(crate) buckets: &'a [u64],
    /// Separators sort before everything else: ranks below this are theirs.
    pub(crate) n_separators: usize,
}

impl IndexView<'_> {
    /// What is stored `offset` symbols into the suffix of a rank.
    pub(crate) fn stored_at(self, rank: usize, offset: usize) -> u16 {
        let position = self.positions.at(rank).saturating_add(offset);
        self.stored.get(position).copied().unwrap_or(SEPARATOR)
    }

    /// The ranks of the suffixes that begin with a stored value.
    pub(crate) fn bucket(self, value: u16) -> std::ops::Range<usize> {
        let bound = |at: usize| {
            let rank = self.buckets.get(at).copied().unwrap_or(u64::MAX);
            usize::try_from(rank).unwrap_or(usize::MAX).min(self.common.len())
        };
        bound(value as usize)..bound(value as usize + 1)
    }
}

/// The symbol before each suffix, read in suffix order by several threads.
fn left_values(stored: &[u16], positions: PositionSlice<'_>, threads: NonZeroU16) -> Vec<u16> {
    let mut left = vec![SEPARATOR; stored.len()];
    let chunk = stored.len().div_ceil(usize::from(threads.get())).max(1);
    std::thread::scope(|scope| {
        for (nth, values) in left.chunks_mut(chunk).enumerate() {
            scope.spawn(move || {
                let ranks = nth * chunk..nth * chunk + values.len();
                for (value, position) in values.iter_mut().zip(positions.within(ranks).iter()) {
                    *value = position.checked_sub(1).map_or(SEPARATOR, |before| stored[before]);
                }
            });
        }
    });
    left
}

/// For each stored value the number of suffixes that begin with a smaller one.
fn bucket_starts(stored: &[u16]) -> Vec<u64> {
    let n_values = stored.iter().max().map_or(0, |&largest| usize::from(largest) + 1);
    let mut starts = vec![0; n_values + 1];
    for &value in stored {
        starts[usize::from(value) + 1] += 1;
    }
    for value in 0..n_values {
        starts[value + 1] += starts[value];
    }
    starts
}
