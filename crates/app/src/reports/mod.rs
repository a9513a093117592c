//! What people read: diagrams, tables, plots and pages made of what was found.
//!
//! Knows how things look, not how they are found out.

pub mod boards;
pub mod book;
pub mod diagram;
pub mod discovery;
pub mod findings;
pub mod judge_evaluation;
pub mod judgement;
pub mod page;
pub mod plot;
pub mod prediction;
pub mod sequences;
pub mod steps;
pub mod survey;
pub mod table;
pub mod variations;

pub(crate) mod writing;
