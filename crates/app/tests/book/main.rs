//! `tejun book` through the program: small books, games and engines that the tests write themselves.
#![cfg(unix)]

#[path = "../program/mod.rs"]
mod program;
mod shelf;

mod broken;
mod making;
mod measuring;
mod playing;
mod valuing;
