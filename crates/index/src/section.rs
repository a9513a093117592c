//! A row of numbers that lies in memory or in a mapped file.

use std::ops::Deref;

use crate::storage::MappedSlice;

/// A row of numbers, owned or mapped; read as a slice either way.
pub(crate) enum Section<T: bytemuck::Pod> {
    Owned(Vec<T>),
    Mapped(MappedSlice<T>),
}

impl<T: bytemuck::Pod> Deref for Section<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Owned(values) => values,
            Self::Mapped(values) => values.as_slice(),
        }
    }
}

/// Text positions in suffix order, as narrow as the text allows.
pub(crate) enum PositionSection {
    Narrow(Section<u32>),
    Wide(Section<u64>),
}

impl PositionSection {
    pub(crate) fn as_positions(&self) -> PositionSlice<'_> {
        match self {
            Self::Narrow(values) => PositionSlice::Narrow(values),
            Self::Wide(values) => PositionSlice::Wide(values),
        }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Narrow(values) => bytemuck::cast_slice(values),
            Self::Wide(values) => bytemuck::cast_slice(values),
        }
    }

    /// Bytes in one position.
    pub(crate) fn width(&self) -> u32 {
        match self {
            Self::Narrow(_) => 4,
            Self::Wide(_) => 8,
        }
    }
}

/// Borrowed text positions of either width.
#[derive(Clone, Copy)]
pub(crate) enum PositionSlice<'a> {
    Narrow(&'a [u32]),
    Wide(&'a [u64]),
}

impl<'a> PositionSlice<'a> {
    pub(crate) fn at(self, rank: usize) -> usize {
        match self {
            Self::Narrow(values) => values[rank] as usize,
            Self::Wide(values) => values[rank] as usize,
        }
    }

    /// The positions of a range of ranks, cut to what exists.
    pub(crate) fn within(self, ranks: std::ops::Range<usize>) -> Self {
        match self {
            Self::Narrow(values) => Self::Narrow(values.get(ranks).unwrap_or(&[])),
            Self::Wide(values) => Self::Wide(values.get(ranks).unwrap_or(&[])),
        }
    }

    pub(crate) fn len(self) -> usize {
        match self {
            Self::Narrow(values) => values.len(),
            Self::Wide(values) => values.len(),
        }
    }

    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = usize> + use<'a> {
        (0..self.len()).map(move |rank| self.at(rank))
    }
}
