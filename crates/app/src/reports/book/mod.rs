//! Reports on opening books: tables, plots and pages.

mod columns;
mod expectations;
mod matches;

pub use crate::reports::boards::board_svg;
pub use crate::reports::book::columns::{BOOK_COLUMNS, EXPECTATION_COLUMNS, MATCH_COLUMNS, PLY_COLUMNS};
pub use crate::reports::book::expectations::{expectation_page, expectation_tables, fit_table, leaving_rows};
pub use crate::reports::book::matches::{NamedMatch, compare_page, leaving_figure, match_page, match_table, ply_table};
