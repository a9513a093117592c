//! Which points does a mapping select? Sets of points, the graph of a position, and programs.

pub(crate) mod graph;
pub(crate) mod points;
pub(crate) mod position;
pub(crate) mod program;
#[cfg(test)]
pub(crate) mod random_positions;
