//! Counts every substring of a text of symbols, however long.
//!
//! A text consists of *segments* (a game, or part of one), and no substring crosses the border of a segment. The
//! index is a suffix array with common prefix lengths. It says how often a string occurs, where, and what comes
//! before and after it; it lists every repeated substring in linear time; one type serves in memory and in
//! memory-mapped files. What a symbol means is up to the caller.
//!
//! ```
//! use tejun_index::{BuildOptions, Index, Symbol, TextBuilder};
//!
//! let mut text = TextBuilder::new();
//! text.push_segment([1, 2, 3, 1, 2].map(Symbol))?;
//! text.push_segment([1, 2].map(Symbol))?;
//! let index = Index::build(text.finish(), BuildOptions::default())?;
//! assert_eq!(index.count(&[1, 2].map(Symbol)), 3);
//! assert_eq!(index.count(&[2, 1].map(Symbol)), 0); // would cross the border
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod symbol;
mod text;

mod index;
mod suffix_array;

mod neighbors;
mod search;

mod ngrams;
mod repeats;
mod windows;

mod format;
mod mapped_array;
mod save;
mod section;
mod storage;

pub use symbol::{Neighbor, Symbol};
pub use text::{SegmentId, Text, TextBuilder, TextError, TextPlace};

pub use index::{BuildError, BuildOptions, Index, PositionWidth};

pub use neighbors::Following;
pub use search::Substring;

pub use ngrams::NGramCounts;
pub use repeats::{Repeat, Repeats};

pub use format::{FORMAT_VERSION, FormatError, SectionKind};
pub use mapped_array::{MappedArray, MappedArrayError, MappedArrayErrorKind};
pub use save::SaveError;
pub use storage::{OpenError, OpenErrorKind};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
