//! Smoothing: combines the counts of long and short strings into one probability.

use std::fmt;
use std::str::FromStr;

use tejun_index::Index;

use crate::grammar::model::{PrecedingCounter, START};

/// A smoothing method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smoothing {
    /// Corrected frequencies: one more symbol of history weighs as much as all symbols together.
    Paper,
    /// Interpolated, by the number of different symbols that follow (Witten and Bell 1991).
    WittenBell,
    /// Interpolated, with three discounts and counts of different neighbors (Chen and Goodman 1998).
    KneserNey,
}

impl Smoothing {
    /// All methods.
    pub const ALL: [Smoothing; 3] = [Smoothing::Paper, Smoothing::WittenBell, Smoothing::KneserNey];

    /// The name used in commands.
    pub fn name(self) -> &'static str {
        match self {
            Smoothing::Paper => "paper",
            Smoothing::WittenBell => "witten-bell",
            Smoothing::KneserNey => "kneser-ney",
        }
    }
}

impl fmt::Display for Smoothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a smoothing method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown smoothing; expected paper, witten-bell or kneser-ney")]
pub struct ParseSmoothingError;

impl FromStr for Smoothing {
    type Err = ParseSmoothingError;

    fn from_str(name: &str) -> Result<Smoothing, ParseSmoothingError> {
        Smoothing::ALL.into_iter().find(|smoothing| smoothing.name() == name).ok_or(ParseSmoothingError)
    }
}

/// The discounts of counts of 1, of 2, and of 3 or more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Discounts(pub(crate) [f64; 3]);

impl Discounts {
    /// The discounts of strings of 1 to `order` symbols.
    ///
    /// The longest strings are counted by their occurrences, the others by the number
    /// of different symbols before them, unless nothing can come before.
    pub(crate) fn of_orders(index: &Index, order: u8) -> Vec<Discounts> {
        let mut before = PrecedingCounter::default();
        let of_order = |length: u8| {
            let mut n_with_count = [0u64; 5];
            for string in index.ngrams(u32::from(length)) {
                let begins_a_run = index.symbols(string).next() == Some(START);
                // A string that contains only the start symbol is never predicted.
                if begins_a_run && length == 1 {
                    continue;
                }
                let is_plain = length == order || begins_a_run;
                let count = if is_plain { string.count() } else { before.n_different(index, string) as usize };
                if let Some(n) = n_with_count.get_mut(count) {
                    *n += 1;
                }
            }
            Discounts::from_counts(n_with_count)
        };
        (1..=order).map(of_order).collect()
    }

    /// From the number of strings with each count (Chen and Goodman 1998, equation 26).
    fn from_counts(n_with_count: [u64; 5]) -> Discounts {
        let [_, n1, n2, n3, n4] = n_with_count.map(|n| n as f64);
        let y = n1 / (n1 + 2.0 * n2);
        let discount = |count: f64, this: f64, next: f64| {
            // With too few strings for an estimate, discount by a half.
            if this > 0.0 && y.is_finite() { (count - (count + 1.0) * y * next / this).clamp(0.0, count) } else { 0.5 }
        };
        Discounts([discount(1.0, n1, n2), discount(2.0, n2, n3), discount(3.0, n3, n4)])
    }

    pub(crate) fn of(&self, count: u32) -> f64 {
        match count {
            0 => 0.0,
            1 => self.0[0],
            2 => self.0[1],
            _ => self.0[2],
        }
    }
}
