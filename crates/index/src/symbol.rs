//! The letters of a text, and what can come before or after a substring.

/// One letter of a text.
///
/// Values from 0 to 65,534 are symbols; [`Symbol::MAX`] is the largest. The
/// value 65,535 is not a symbol: a text rejects it and no search finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u16);

impl Symbol {
    /// The largest symbol that a text may hold.
    pub const MAX: Self = Self(u16::MAX - 1);

    /// The symbol as the text stores it, or `None` for the value that is not a symbol.
    pub(crate) fn to_stored(self) -> Option<u16> {
        self.0.checked_add(1)
    }

    /// The symbol of a stored value, or `None` for a separator.
    pub(crate) fn from_stored(stored: u16) -> Option<Self> {
        stored.checked_sub(1).map(Self)
    }
}

/// What stores the border of a segment; smaller than every stored symbol,
/// as the suffix sorter wants it.
pub(crate) const SEPARATOR: u16 = 0;

/// What comes directly before or after an occurrence.
///
/// The two borders of a segment are neighbors of their own kind, so that an
/// occurrence at the start is never mixed up with one at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Neighbor {
    /// The occurrence begins its segment.
    SegmentStart,
    /// The occurrence ends its segment.
    SegmentEnd,
    /// Another symbol of the same segment.
    Symbol(Symbol),
}

impl Neighbor {
    pub(crate) fn before(stored: u16) -> Self {
        Symbol::from_stored(stored).map_or(Self::SegmentStart, Self::Symbol)
    }

    pub(crate) fn after(stored: u16) -> Self {
        Symbol::from_stored(stored).map_or(Self::SegmentEnd, Self::Symbol)
    }
}
