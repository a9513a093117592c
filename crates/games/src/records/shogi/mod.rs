//! Records of shogi: CSA, KIF, KI2, and lines of USI moves.

pub(crate) mod csa;
pub(crate) mod ki2;
pub(crate) mod kif;
pub(crate) mod usi;

mod japanese;
mod setup;
