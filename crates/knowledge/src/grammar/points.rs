//! From symbols to points of the board.

use tejun_games::Move;
use tejun_games::go::{Board, Point};
use tejun_index::Symbol;

use crate::codes::{Code, Encoder};
use crate::grammar::contexts::Contexts;
use crate::grammar::model::Grammar;
use crate::grammar::smoothing::Smoothing;
use crate::predictor::{Predictor, Situation};

/// Predicts points with a single grammar.
pub struct GrammarPredictor<'g> {
    grammar: &'g Grammar,
    contexts: Contexts<'g>,
    encoder: Encoder,
    /// The hash of the starting position.
    start: u64,
    /// The moves that were followed so far.
    moves: Vec<Move>,
    /// Whether the history was dropped because the side that just moved was asked to move again.
    is_cut: bool,
    /// The board after the moves; needed only for the code of surroundings.
    board: Option<Board>,
    /// For the last question: the probability of every symbol, and the symbol of every legal point.
    distribution: Vec<f64>,
    symbols: Vec<Symbol>,
}

impl<'g> GrammarPredictor<'g> {
    /// Creates a predictor for a new game.
    pub fn new(grammar: &'g Grammar, smoothing: Smoothing) -> GrammarPredictor<'g> {
        GrammarPredictor {
            grammar,
            contexts: Contexts::new(grammar, smoothing),
            encoder: Encoder::new(grammar.options.code, grammar.size),
            start: 0,
            moves: Vec::new(),
            is_cut: false,
            board: None,
            distribution: Vec::new(),
            symbols: Vec::new(),
        }
    }

    /// The probability of every symbol, for the last question.
    pub fn distribution(&self) -> &[f64] {
        &self.distribution
    }

    /// The probability of the symbol of a legal point, by its index, for the last question.
    pub fn symbol_probability(&self, index: usize) -> f64 {
        self.grammar.numbers.get(&self.symbols[index]).map_or(0.0, |&number| self.distribution[number])
    }

    fn restart(&mut self) {
        self.contexts.restart();
        self.encoder = Encoder::new(self.grammar.options.code, self.grammar.size);
    }

    fn follow(&mut self, situation: &Situation<'_>) {
        let is_other_game = situation.start.hash() != self.start || !situation.moves.starts_with(&self.moves);
        if is_other_game || self.is_cut || self.moves.is_empty() {
            self.start = situation.start.hash();
            self.is_cut = false;
            self.moves.clear();
            self.restart();
            self.board = (self.grammar.options.code == Code::Surroundings).then(|| situation.start.clone());
        }
        for &played in &situation.moves[self.moves.len()..] {
            match played.point {
                None => self.restart(),
                Some(point) => {
                    if self.moves.last().is_some_and(|last| last.color == played.color) {
                        self.restart();
                    }
                    let symbol = match &self.board {
                        Some(board) => Code::surroundings_symbol(board, played.color, point),
                        None => self.encoder.next(point),
                    };
                    self.contexts.advance(symbol);
                    if let Some(board) = &mut self.board {
                        // The moves of a situation are legal.
                        let _ = played.play_on(board);
                    }
                }
            }
            self.moves.push(played);
        }
        if self.moves.last().is_some_and(|last| last.color == situation.color && last.point.is_some()) {
            self.restart();
            self.is_cut = true;
        }
    }
}

impl Predictor for GrammarPredictor<'_> {
    fn predict(&mut self, situation: &Situation<'_>) -> Vec<f64> {
        self.follow(situation);
        self.distribution = self.contexts.distribution();
        let symbol = |point: &Point| match self.grammar.options.code {
            Code::Surroundings => Code::surroundings_symbol(situation.board, situation.color, *point),
            _ => self.encoder.symbol_of(*point),
        };
        self.symbols = situation.legal.iter().map(symbol).collect();
        let numbers: Vec<usize> = self.symbols.iter().map(|s| self.grammar.numbers[s]).collect();
        let mut n_points = vec![0u32; self.distribution.len()];
        numbers.iter().for_each(|&number| n_points[number] += 1);
        let mut values: Vec<f64> =
            numbers.iter().map(|&number| self.distribution[number] / n_points[number] as f64).collect();
        normalize(&mut values);
        values
    }
}

/// The normalized product of several grammars, each raised to a power.
pub struct Product<'g> {
    /// The grammars with their powers.
    pub parts: Vec<(GrammarPredictor<'g>, f64)>,
}

impl Predictor for Product<'_> {
    fn predict(&mut self, situation: &Situation<'_>) -> Vec<f64> {
        let answers: Vec<(Vec<f64>, f64)> =
            self.parts.iter_mut().map(|(part, power)| (part.predict(situation), *power)).collect();
        product(answers.iter().map(|(values, power)| (&values[..], *power)), situation.legal.len())
    }
}

/// The product of the values, each raised to a power, normalized to add up to 1.
pub(crate) fn product<'v>(factors: impl Iterator<Item = (&'v [f64], f64)>, n_points: usize) -> Vec<f64> {
    let mut values = vec![1.0; n_points];
    for (factor, power) in factors {
        if power == 1.0 {
            values.iter_mut().zip(factor).for_each(|(value, p)| *value *= p);
        } else {
            values.iter_mut().zip(factor).for_each(|(value, p)| *value *= p.powf(power));
        }
    }
    normalize(&mut values);
    values
}

fn normalize(values: &mut [f64]) {
    let sum: f64 = values.iter().sum();
    if sum > 0.0 {
        values.iter_mut().for_each(|value| *value /= sum);
    }
}
