//! Reports on opening books, and pages of text, tables, plots and boards.

mod expectations;
mod matches;
mod page;

pub use crate::reports::boards::board_svg;
pub use crate::reports::book::expectations::{expectation_page, expectation_tables, fit_table, leaving_rows};
pub use crate::reports::book::matches::{NamedMatch, compare_page, leaving_figure, match_page, match_table, ply_table};
pub use crate::reports::book::page::{Figure, ReportPage};
