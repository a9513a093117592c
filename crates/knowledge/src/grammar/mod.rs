//! A stochastic grammar of play: the next symbol from those before it.
//!
//! After Kajiyama and Nakamura, "Constructing a Stochastic Model for Encoded
//! Strings of Go Moves". There is one grammar per code, read directly from an
//! index of the games: the state is the longest suffix of the moves so far that
//! the index contains. Knows only sequences of moves, not positions.

mod contexts;
mod evaluate;
mod fit;
mod model;
mod phrase_parsing;
mod phrases;
mod points;
mod rules;
mod smoothing;

pub use evaluate::{Evaluation, MethodScores, SymbolScores, evaluate};
pub use fit::fit_powers;
pub use model::{Grammar, GrammarError, GrammarOptions};
pub use phrase_parsing::{GamePhrase, PhraseScores};
pub use phrases::{Phrase, Phrases, phrase_words};
pub use points::{GrammarPredictor, Product};
pub use rules::{Rule, derivation, rules, text_bits};
pub use smoothing::{ParseSmoothingError, Smoothing};
