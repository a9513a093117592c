//! What people read: diagrams, tables, plots and pages.
//!
//! Knows how results look, not how they are computed. A report is named after
//! its command.

pub mod agreement;
pub mod boards;
pub mod book;
pub mod diagram;
pub mod evaluate;
pub mod evaluate_judge;
pub mod judgement;
pub mod mine;
pub mod page;
pub mod plot;
pub mod table;
pub mod tactic;

pub(crate) mod html;
mod script_hash;
pub(crate) mod writing;
pub(crate) mod years;
