//! `tejun book` through the program: small books, games and engines that the tests write themselves.
#![cfg(unix)]

mod fixtures;
#[path = "../program/mod.rs"]
mod program;

mod broken;
mod evaluation;
mod making;
mod measuring;
mod playing;
