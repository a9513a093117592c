//! Which move comes next, who is ahead, and by how much? Answers of a neural network.
//!
//! One network comes with the program. It is trained outside of this crate, in the folder `training`, on the
//! positions that [`export_positions`] writes. It knows boards with 19 lines only, and no files but its own.

mod file;
mod inference;
mod lanes;
mod layers;
#[cfg(test)]
mod naive;
#[allow(clippy::module_inception)] // the room is named after its main noun
mod network;
mod onnx;
mod positions;
mod predictor;
mod product;
mod view;
mod winograd;

pub use file::{HeaderFault, NetworkFile, NetworkFileError, NetworkShape, Weights};
#[cfg(test)]
pub(crate) use network::BUILT_IN;
pub use network::{N_SYMMETRIES, Network, NetworkAnswer, NetworkError, NetworkWorker, built_in_file};
pub use onnx::to_onnx;
pub use positions::{ExportError, ExportSummary, ROW_BYTES, export_positions};
pub use predictor::{NetworkPredictor, softmax};
pub use view::{N_PLANES, N_POINTS, NO_MOVE, PASS, View, number_of, point_of};
