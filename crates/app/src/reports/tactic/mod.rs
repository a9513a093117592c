//! Reports of the commands of `tejun tactic`.

pub mod discover;
pub mod find;
pub mod show;
pub mod survey;
