//! Tactical mappings: trees of operators that select a set of points of a position.

use std::sync::Arc;

use crate::tactics::eval::points::Points;

/// A tactical mapping (戦術写像, *senjutsu shazō*): from a position to a set of points.
///
/// Cheap to copy; copies share their parts.
///
/// ```
/// use tejun_knowledge::tactics::{Library, SetOperator};
///
/// let library = Library::standard();
/// let mapping = library.mapping("capture & LAST")?;
/// assert_eq!(mapping, library.mapping("capture")?.join(SetOperator::And, library.mapping("LAST")?));
/// # Ok::<(), tejun_knowledge::tactics::ParseMappingError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mapping {
    /// Points by their stones and the last moves.
    Leaf(Leaf),
    /// All other points of the board.
    Not(Arc<Mapping>),
    /// Points with at least n edges to or from a set; n from 1 to 5.
    Count(NeighborOperator, u8, Arc<Mapping>),
    /// Two sets combined.
    Join(SetOperator, Arc<Mapping>, Arc<Mapping>),
}

/// A basic set that mappings start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaf {
    /// `B`: black or empty.
    Black,
    /// `W`: white or empty.
    White,
    /// `O`: empty, or a stone of the side to move.
    Own,
    /// `P`: empty, or a stone of the opponent.
    Opponent,
    /// `LAST`: the point played last, unless it was a pass.
    Last,
    /// `LAST2`: the point played before that.
    BeforeLast,
}

/// Which edges are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NeighborOperator {
    /// Between a point and itself and its neighbors.
    Adj,
    /// From the point: from its chain to the set.
    Pre,
    /// To the point: from chains in the set.
    Suc,
}

/// How two sets are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SetOperator {
    /// `A & B`
    And,
    /// `A | B`
    Or,
    /// `A - B`
    Minus,
    /// `A ^ B`, short for `(A - B) | (B - A)`.
    Xor,
}

impl Leaf {
    /// All leaves.
    pub const ALL: [Leaf; 6] = [Leaf::Black, Leaf::White, Leaf::Own, Leaf::Opponent, Leaf::Last, Leaf::BeforeLast];

    /// Its name in text.
    pub fn name(self) -> &'static str {
        match self {
            Leaf::Black => "B",
            Leaf::White => "W",
            Leaf::Own => "O",
            Leaf::Opponent => "P",
            Leaf::Last => "LAST",
            Leaf::BeforeLast => "LAST2",
        }
    }
}

impl NeighborOperator {
    /// All kinds.
    pub const ALL: [NeighborOperator; 3] = [NeighborOperator::Adj, NeighborOperator::Pre, NeighborOperator::Suc];
    /// The largest number allowed: a point and its four neighbors.
    pub const MAX: u8 = 5;

    /// Its name in text, without the number.
    pub fn name(self) -> &'static str {
        match self {
            NeighborOperator::Adj => "Adj",
            NeighborOperator::Pre => "Pre",
            NeighborOperator::Suc => "Suc",
        }
    }
}

impl SetOperator {
    /// All operators.
    pub const ALL: [SetOperator; 4] = [SetOperator::And, SetOperator::Or, SetOperator::Minus, SetOperator::Xor];

    /// Combines two sets.
    #[inline]
    pub(crate) fn of(self, a: Points, b: Points) -> Points {
        match self {
            SetOperator::And => a & b,
            SetOperator::Or => a | b,
            SetOperator::Minus => a - b,
            SetOperator::Xor => a ^ b,
        }
    }

    /// The number of levels that it adds to a tree: `^` is short for two.
    pub(crate) fn n_levels(self) -> usize {
        if self == SetOperator::Xor { 2 } else { 1 }
    }

    /// Its operator symbol.
    pub fn sign(self) -> char {
        match self {
            SetOperator::And => '&',
            SetOperator::Or => '|',
            SetOperator::Minus => '-',
            SetOperator::Xor => '^',
        }
    }
}

impl Mapping {
    /// `!A`
    pub fn complement(self) -> Mapping {
        Mapping::Not(Arc::new(self))
    }

    /// `Adj_n(A)`, `Pre_n(A)`, `Suc_n(A)`; n from 1 to 5.
    pub fn count(kind: NeighborOperator, n: u8, of: Mapping) -> Mapping {
        assert!((1..=NeighborOperator::MAX).contains(&n), "numbers are from 1 to 5");
        Mapping::Count(kind, n, Arc::new(of))
    }

    /// Joins two mappings, for example `A & B`.
    pub fn join(self, join: SetOperator, other: Mapping) -> Mapping {
        Mapping::Join(join, Arc::new(self), Arc::new(other))
    }

    /// The direct parts of the mapping.
    pub fn parts(&self) -> impl Iterator<Item = &Mapping> {
        let (first, second) = match self {
            Mapping::Leaf(_) => (None, None),
            Mapping::Not(of) | Mapping::Count(_, _, of) => (Some(of), None),
            Mapping::Join(_, a, b) => (Some(a), Some(b)),
        };
        first.into_iter().chain(second).map(|part| &**part)
    }

    /// The height of its tree: 1 for a leaf. `^` counts as the two levels it is short for.
    pub fn depth(&self) -> usize {
        let step = if let Mapping::Join(join, ..) = self { join.n_levels() } else { 1 };
        self.parts().map(Mapping::depth).max().map_or(1, |depth| depth + step)
    }

    /// The number of operators and leaves in its tree; repeated parts count each time.
    pub fn size(&self) -> usize {
        1 + self.parts().map(Mapping::size).sum::<usize>()
    }
}

impl From<Leaf> for Mapping {
    fn from(leaf: Leaf) -> Mapping {
        Mapping::Leaf(leaf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_and_size_count_as_the_paper_does() {
        let [b, w] = [Leaf::Black, Leaf::White].map(Mapping::from);
        assert_eq!((b.depth(), b.size()), (1, 1));
        let empty = b.clone().join(SetOperator::And, w);
        let atari = Mapping::count(NeighborOperator::Pre, 2, empty.clone()).complement();
        assert_eq!((atari.depth(), atari.size()), (4, 5));
        let legal =
            Mapping::count(NeighborOperator::Suc, 1, b.join(SetOperator::Xor, atari)).join(SetOperator::And, empty);
        assert_eq!((legal.depth(), legal.size()), (8, 12));
    }
}
