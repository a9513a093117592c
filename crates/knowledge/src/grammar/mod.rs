//! A stochastic grammar of play: the next symbol from those before it.
//!
//! After Kajiyama and Nakamura, "Constructing a Stochastic Model for Encoded
//! Strings of Go Moves". One grammar a code, straight from an index of the
//! games: a state is what was played last, as far back as it was played
//! before. Knows sequences of moves only; what a position looks like is for
//! others.

mod contexts;
mod evaluate;
mod fit;
mod model;
mod phrases;
mod points;
mod rules;
mod smoothing;

pub use evaluate::{Evaluation, MethodScores, SymbolScores, evaluate};
pub use fit::fit_powers;
pub use model::{Grammar, GrammarError, GrammarOptions};
pub use phrases::{Phrase, Phrases, phrase_words};
pub use points::{GrammarPredictor, Product};
pub use rules::{Rule, derivation, rules, text_bits};
pub use smoothing::{ParseSmoothingError, Smoothing};
