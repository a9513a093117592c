//! The tejun program.
fn main() {}
