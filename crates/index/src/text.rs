//! The text: all segments one after the other, with a separator after each.
//!
//! ```text
//! segment   0       2              segment 1 is empty and takes no room
//! text      a b c | a b |          | is a separator
//! position  0 1 2 3 4 5 6
//! ```

use crate::section::Section;
use crate::symbol::{SEPARATOR, Symbol};

/// The number of a segment, counted from 0 in the order of adding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentId(pub u32);

/// A place in the text as a reader sees it: the segment and how far into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextPlace {
    /// The segment.
    pub segment: SegmentId,
    /// The number of symbols of the segment before this place.
    pub offset: u32,
}

/// Why a segment could not be added to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// The value 65,535 was given as a symbol.
    #[error("the symbol at offset {offset} is 65535, the largest one allowed is 65534")]
    NoSuchSymbol {
        /// Its offset in the segment.
        offset: usize,
    },
    /// The segment has more symbols than an offset can count.
    #[error("a segment may hold at most 4294967294 symbols; cut it into several")]
    SegmentTooLong,
    /// There are more segments than a [`SegmentId`] can number.
    #[error("a text may hold at most 4294967295 segments; join short ones or build two indexes")]
    TooManySegments,
}

/// Collects segments into a [`Text`].
///
/// ```
/// use tejun_index::{Symbol, TextBuilder};
///
/// let mut builder = TextBuilder::new();
/// let first = builder.push_segment([7, 8, 9].map(Symbol))?;
/// builder.push_segment([7].map(Symbol))?;
/// let text = builder.finish();
/// assert_eq!((text.n_segments(), text.n_symbols()), (2, 4));
/// assert_eq!(text.segment(first).last(), Some(Symbol(9)));
/// # Ok::<(), tejun_index::TextError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextBuilder {
    stored: Vec<u16>,
    starts: Vec<u64>,
    n_symbols: usize,
}

impl Default for TextBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl TextBuilder {
    /// A text without segments.
    #[must_use]
    pub fn new() -> Self {
        Self { stored: Vec::new(), starts: vec![0], n_symbols: 0 }
    }

    /// Adds a segment, which may be empty, and returns its number.
    ///
    /// # Errors
    ///
    /// When a symbol is too large, the segment too long or the segments too
    /// many; the text is then as it was before.
    pub fn push_segment(&mut self, symbols: impl IntoIterator<Item = Symbol>) -> Result<SegmentId, TextError> {
        let start = self.stored.len();
        let added = self.push_symbols(symbols);
        if added.is_err() {
            self.stored.truncate(start);
        }
        added
    }

    fn push_symbols(&mut self, symbols: impl IntoIterator<Item = Symbol>) -> Result<SegmentId, TextError> {
        let segment =
            u32::try_from(self.starts.len() - 1).ok().filter(|&id| id < u32::MAX).ok_or(TextError::TooManySegments)?;
        let start = self.stored.len();
        for (offset, symbol) in symbols.into_iter().enumerate() {
            if offset >= u32::MAX as usize - 1 {
                return Err(TextError::SegmentTooLong);
            }
            self.stored.push(symbol.to_stored().ok_or(TextError::NoSuchSymbol { offset })?);
        }
        // The suffix sorter takes no two separators in a row, and an empty
        // segment holds no string that one would have to end.
        if self.stored.len() > start {
            self.n_symbols += self.stored.len() - start;
            self.stored.push(SEPARATOR);
        }
        self.starts.push(self.stored.len() as u64);
        Ok(SegmentId(segment))
    }

    /// The finished text.
    #[must_use]
    pub fn finish(mut self) -> Text {
        self.stored.shrink_to_fit();
        let (stored, starts) = (Section::Owned(self.stored), Section::Owned(self.starts));
        Text { stored, starts, n_symbols: self.n_symbols }
    }
}

/// All segments one after the other, each followed by a separator unless it is empty.
///
/// A *position* counts symbols and separators from the start of the text.
pub struct Text {
    pub(crate) stored: Section<u16>,
    /// The position of each segment's first symbol, then the length of the row.
    pub(crate) starts: Section<u64>,
    pub(crate) n_symbols: usize,
}

impl Text {
    /// The number of positions: symbols and separators.
    #[must_use]
    pub fn n_positions(&self) -> usize {
        self.stored.len()
    }

    /// The number of symbols, separators not counted.
    #[must_use]
    pub fn n_symbols(&self) -> usize {
        self.n_symbols
    }

    /// The number of separators, one for each segment that is not empty.
    pub(crate) fn n_separators(&self) -> usize {
        self.n_positions().saturating_sub(self.n_symbols)
    }

    /// The number of segments.
    #[must_use]
    pub fn n_segments(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The symbol at a position; `None` at a separator and past the end.
    #[must_use]
    pub fn symbol_at(&self, position: usize) -> Option<Symbol> {
        self.stored.get(position).copied().and_then(Symbol::from_stored)
    }

    /// The symbols of a segment; nothing for a segment that does not exist.
    pub fn segment(&self, segment: SegmentId) -> impl DoubleEndedIterator<Item = Symbol> {
        let positions = self.segment_positions(segment).unwrap_or(0..0);
        let stored = self.stored.get(positions).unwrap_or(&[]);
        stored.iter().filter_map(|&value| Symbol::from_stored(value))
    }

    /// The positions of a segment's symbols, without its separator.
    #[must_use]
    pub fn segment_positions(&self, segment: SegmentId) -> Option<std::ops::Range<usize>> {
        let starts: &[u64] = &self.starts;
        let start = *starts.get(segment.0 as usize)? as usize;
        let next = *starts.get(segment.0 as usize + 1)? as usize;
        Some(start..next.saturating_sub(1).max(start))
    }

    /// The segment and offset of a position; `None` at a separator and past the end.
    ///
    /// Costs one binary search among the segments.
    #[must_use]
    pub fn place(&self, position: usize) -> Option<TextPlace> {
        self.symbol_at(position)?;
        let starts: &[u64] = &self.starts;
        let segment = starts.partition_point(|&start| start <= position as u64).checked_sub(1)?;
        let offset = (position as u64).checked_sub(starts[segment])?;
        Some(TextPlace { segment: SegmentId(u32::try_from(segment).ok()?), offset: u32::try_from(offset).ok()? })
    }

    /// The position of a place; `None` where the segment has no such symbol.
    #[must_use]
    pub fn position(&self, place: TextPlace) -> Option<usize> {
        let positions = self.segment_positions(place.segment)?;
        let position = positions.start.checked_add(place.offset as usize)?;
        positions.contains(&position).then_some(position)
    }
}

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Text")
            .field("n_symbols", &self.n_symbols())
            .field("n_segments", &self.n_segments())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(segments: &[&[u16]]) -> Text {
        let mut builder = TextBuilder::new();
        for segment in segments {
            builder.push_segment(segment.iter().copied().map(Symbol)).expect("valid symbols");
        }
        builder.finish()
    }

    #[test]
    fn positions_and_places_lead_to_each_other() {
        let text = text(&[&[7, 8, 9], &[], &[7]]);
        assert_eq!((text.n_positions(), text.n_symbols(), text.n_segments()), (6, 4, 3));
        for position in [0, 1, 2, 4] {
            let place = text.place(position).expect("a symbol is there");
            assert_eq!(text.position(place), Some(position));
        }
        for separator in [3, 5, 6] {
            assert_eq!(text.place(separator), None);
        }
        assert_eq!(text.place(4), Some(TextPlace { segment: SegmentId(2), offset: 0 }));
        assert_eq!(text.position(TextPlace { segment: SegmentId(0), offset: 3 }), None);
        assert_eq!(text.position(TextPlace { segment: SegmentId(3), offset: 0 }), None);
        assert_eq!(text.segment(SegmentId(0)).collect::<Vec<_>>(), [7, 8, 9].map(Symbol));
        assert_eq!(text.segment(SegmentId(9)).count(), 0);
    }

    #[test]
    fn a_refused_segment_leaves_no_trace() {
        let mut builder = TextBuilder::new();
        let refused = builder.push_segment([1, 2, u16::MAX].map(Symbol));
        assert_eq!(refused, Err(TextError::NoSuchSymbol { offset: 2 }));
        assert_eq!(builder.push_segment([Symbol::MAX]), Ok(SegmentId(0)));
        assert_eq!(builder.finish().n_positions(), 2);
    }
}
