//! The tejun program: commands, and the reports they make.
//!
//! Knows no rules and no algorithms; it asks `tejun-knowledge` and shows the
//! answers.

pub mod args;
pub mod commands;
pub mod evaluators;
pub mod filters;
pub mod games;
pub mod gtp;
pub mod inputs;
pub mod interrupt;
pub mod models;
pub mod output;
pub mod progress;
pub mod reports;
pub mod terminal;
