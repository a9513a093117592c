//! The rules of a grammar in readable form, and the derivation of a game.

use tejun_games::GameRecord;
use tejun_index::Symbol;

use crate::codes::encode;
use crate::corpus::GameTable;
use crate::grammar::contexts::Contexts;
use crate::grammar::model::{END, Grammar, grammar_runs};
use crate::grammar::smoothing::Smoothing;

/// A rule `[w] -> c [v]`: after the history w comes c, and the next state is v.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The symbol that comes next; `None` is the end of the game.
    pub symbol: Option<Symbol>,
    /// Its probability.
    pub probability: f64,
    /// The length of the history before it: the longest suffix that occurs twice, including the start symbol.
    pub state: usize,
    /// The length of the history after it.
    pub next_state: usize,
    /// The ratio of corrected frequencies as printed in the paper, before normalization.
    pub printed_ratio: f64,
}

/// The rules that apply after the first `n_moves` moves of a game, the most probable first.
pub fn rules(grammar: &Grammar, smoothing: Smoothing, record: &GameRecord, n_moves: usize) -> Vec<Rule> {
    let mut contexts = Contexts::new(grammar, smoothing);
    for run in runs(grammar, record, n_moves) {
        contexts.restart();
        run.iter().for_each(|&symbol| contexts.advance(symbol));
    }
    let state = contexts.state();
    let answers = contexts.distribution().into_iter().zip(contexts.printed_ratios());
    let mut rules: Vec<Rule> = answers
        .zip(&grammar.alphabet)
        .map(|((probability, printed_ratio), &symbol)| Rule {
            symbol: Some(symbol).filter(|symbol| *symbol != END),
            probability,
            state,
            next_state: contexts.state_after(symbol),
            printed_ratio,
        })
        .collect();
    rules.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.symbol.cmp(&b.symbol)));
    rules
}

/// The rules that derive a game, one per move; passes have none.
pub fn derivation(grammar: &Grammar, smoothing: Smoothing, record: &GameRecord) -> Vec<Rule> {
    let mut contexts = Contexts::new(grammar, smoothing);
    let mut rules = Vec::new();
    for run in runs(grammar, record, record.moves.len()) {
        contexts.restart();
        for symbol in run {
            let state = contexts.state();
            let number = grammar.numbers.get(&symbol);
            let probability = number.map_or(0.0, |&number| contexts.distribution()[number]);
            let printed_ratio = number.map_or(0.0, |&number| contexts.printed_ratios()[number]);
            contexts.advance(symbol);
            rules.push(Rule { symbol: Some(symbol), probability, state, next_state: contexts.state(), printed_ratio });
        }
    }
    rules
}

/// The number of symbols in the games, including ends of games, and their bits.
pub fn text_bits(grammar: &Grammar, smoothing: Smoothing, games: &GameTable) -> (usize, f64) {
    let mut contexts = Contexts::new(grammar, smoothing);
    let (mut n_symbols, mut bits) = (0, 0.0);
    for game in 0..games.n_games() {
        for run in grammar_runs(games, game, grammar.options.code) {
            contexts.restart();
            // The start symbol is not predicted.
            for &symbol in &run[1..] {
                let probability = grammar.numbers.get(&symbol).map_or(0.0, |&number| contexts.distribution()[number]);
                bits -= probability.max(f64::MIN_POSITIVE).log2();
                n_symbols += 1;
                contexts.advance(symbol);
            }
        }
    }
    (n_symbols, bits)
}

fn runs(grammar: &Grammar, record: &GameRecord, n_moves: usize) -> impl Iterator<Item = Vec<Symbol>> {
    let start = record.start_board();
    let moves = record.moves.iter().copied().take(n_moves);
    encode(grammar.options.code, &start, moves).into_iter().map(|run| run.symbols)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Code;
    use tejun_games::sgf;

    #[test]
    fn a_derivation_uses_rules_of_its_states() {
        let text = "(;SZ[19];B[pd];W[dp];B[pp];W[dd];B[fq];W[cn])";
        let record = sgf::main_line(&sgf::Reader::new(text).next().expect("a tree")).expect("a record");
        let size = record.size;
        let symbols: Vec<u16> =
            record.moves.iter().filter_map(|m| m.point).map(|p| Code::position_symbol(p, size).0).collect();
        let grammar = Grammar::of_symbols(&vec![symbols; 3], 4);
        for smoothing in Smoothing::ALL {
            let derived = derivation(&grammar, smoothing, &record);
            assert_eq!(derived.len(), 6);
            for (n, rule) in derived.iter().enumerate() {
                let all = rules(&grammar, smoothing, &record, n);
                assert!((all.iter().map(|rule| rule.probability).sum::<f64>() - 1.0).abs() < 1e-9);
                assert!(all.contains(rule), "{smoothing} move {n}: {rule:?}");
            }
            // No other symbol ever occurs, and the start symbol counts.
            assert_eq!(derived[2].state, 3);
        }
    }
}
