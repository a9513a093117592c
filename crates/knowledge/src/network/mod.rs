//! Which move comes next, who is ahead, and by how much? Answers of a neural network.
//!
//! The network is trained outside of this crate, in the folder `training`; this room writes the positions that it is
//! trained on.

mod positions;
mod view;

pub use positions::{ExportError, ExportSummary, ROW_BYTES, export_positions};
pub use view::{N_PLANES, N_POINTS, View};
