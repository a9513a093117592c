//! Statistics that several rooms need: shares with confidence intervals.

mod interval;

pub use interval::{Share, win_interval};
