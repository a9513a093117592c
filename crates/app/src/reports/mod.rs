//! What people read: diagrams, tables and pages made of what was found.
//!
//! Knows how things look, not how they are found out.

pub mod diagram;
pub mod table;
