//! How is a set of points written? Mappings, names, text and queries.

pub(crate) mod forms;
pub(crate) mod generate;
pub(crate) mod library;
pub(crate) mod mapping;
pub(crate) mod parse;
pub(crate) mod parse_error;
mod print;
pub(crate) mod query;
pub(crate) mod tokens;
