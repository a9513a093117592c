//! Sets that have functions in the text language.

use crate::tactics::language::mapping::{Leaf, Mapping, NeighborOperator, SetOperator};

/// `B & W`: the points without a stone.
pub(crate) fn empty() -> Mapping {
    Mapping::from(Leaf::Black).join(SetOperator::And, Leaf::White.into())
}

/// `B | W`: every point.
pub(crate) fn all() -> Mapping {
    Mapping::from(Leaf::Black).join(SetOperator::Or, Leaf::White.into())
}

/// `!Adj_5(B | W)`: the points that lack a neighbor.
pub(crate) fn border() -> Mapping {
    Mapping::count(NeighborOperator::Adj, 5, all()).complement()
}

/// `!Adj_4(B | W)`: the points that lack two.
pub(crate) fn corner() -> Mapping {
    Mapping::count(NeighborOperator::Adj, 4, all()).complement()
}

/// `Adj_1^n(A)`: all points within distance n.
pub(crate) fn near(n: u8, of: Mapping) -> Mapping {
    (0..n).fold(of, |of, _| Mapping::count(NeighborOperator::Adj, 1, of))
}

/// All points at exactly distance n; the set itself for 0.
pub(crate) fn ring(n: u8, of: Mapping) -> Mapping {
    match n {
        0 => of,
        _ => near(n, of.clone()).join(SetOperator::Minus, near(n - 1, of)),
    }
}

/// The n-th line from the nearest edge; 1 is the border.
pub(crate) fn line(n: u8) -> Mapping {
    ring(n - 1, border())
}

/// The points on the n-th line from one edge and the m-th from another, in either order.
///
/// Satou, Anada and Tsutsumi 2013 count steps from the edge, one less.
pub(crate) fn at(n: u8, m: u8) -> Mapping {
    let (steps, more) = (n.min(m) - 1, n.max(m) - 1);
    ring(steps + more, corner()).join(SetOperator::And, ring(steps, border()))
}

/// The stones of chains with exactly n liberties, from 1 to 4.
pub(crate) fn liberties(n: u8) -> Mapping {
    let reaching = |n| Mapping::count(NeighborOperator::Pre, n, empty());
    reaching(n).join(SetOperator::Minus, reaching(n + 1)).join(SetOperator::Minus, empty())
}

/// `B - B`: no point.
pub(crate) fn none() -> Mapping {
    Mapping::from(Leaf::Black).join(SetOperator::Minus, Leaf::Black.into())
}
