//! What collections of game records know: mining, measuring, predicting.
//!
//! Knowledge does not print: it answers with types, and the program makes
//! tables and pictures of them. `tests/rooms.rs` keeps the arrows between the
//! rooms.

pub mod books;
pub mod codes;
pub mod corpus;
pub mod engines;
pub mod evaluation;
pub mod grammar;
pub mod judging;
pub mod models;
pub mod patterns;
pub mod predictor;
pub mod progress;
pub mod search;
pub mod sequences;
pub mod statistics;
pub mod tactics;
mod threads;
