//! How is a good book made?
//!
//! From games with their results ([`build`]), by removing moves that are bad or
//! never needed ([`prune`]), by choosing probabilities that vary play as much as a
//! given loss allows ([`optimize`]), and with an engine: best first
//! ([`expand`]) or by whole games ([`meta_mcts`]). Engines come in through
//! [`Adviser`]; files, engines and printing are unknown here.

mod adviser;
mod book_copier;
pub mod build;
mod choices;
pub mod expand;
mod growing_book;
pub mod meta_mcts;
pub mod optimize;
mod policy;
pub mod prune;
#[cfg(test)]
mod samples;

pub use adviser::{Advice, Adviser};
