//! The histories that end at the current move, and the symbols that followed each.

use std::collections::HashMap;
use std::sync::Arc;

use tejun_index::{Neighbor, Substring, Symbol};

use crate::grammar::model::{Grammar, PrecedingCounter, START};
use crate::grammar::smoothing::Smoothing;

/// The longest history for the paper's smoothing; no two different games in our collections share a longer one.
const LONGEST: usize = 60;
/// Maximum number of histories whose followers are cached; then the cache is cleared.
const MAX_KEPT: usize = 2_000_000;

/// A symbol that followed a history.
#[derive(Clone, Copy, Debug)]
struct Follower {
    /// Its index in the alphabet.
    number: u16,
    /// Number of times that it followed.
    count: u32,
    /// Number of different symbols before the history and the follower.
    n_before: u32,
}

/// The suffix of one length of the moves so far.
#[derive(Clone, Copy)]
struct Suffix {
    string: Substring,
    begins_a_run: bool,
}

/// Follows a game and caches the symbols that followed its histories.
pub(crate) struct Contexts<'g> {
    grammar: &'g Grammar,
    smoothing: Smoothing,
    /// The suffixes of the moves so far that occur in the games, by length.
    suffixes: Vec<Suffix>,
    followers: HashMap<(usize, u32), Arc<[Follower]>>,
    before: PrecedingCounter,
}

impl<'g> Contexts<'g> {
    pub(crate) fn new(grammar: &'g Grammar, smoothing: Smoothing) -> Contexts<'g> {
        let mut contexts = Contexts {
            grammar,
            smoothing,
            suffixes: Vec::new(),
            followers: HashMap::new(),
            before: PrecedingCounter::default(),
        };
        contexts.restart();
        contexts
    }

    /// Starts again, before any move.
    pub(crate) fn restart(&mut self) {
        self.suffixes = vec![Suffix { string: self.grammar.index.empty_string(), begins_a_run: false }];
        self.advance(START);
    }

    /// Adds a played symbol.
    pub(crate) fn advance(&mut self, symbol: Symbol) {
        let index = &self.grammar.index;
        let longer = self.suffixes.iter().take(self.max_length()).map_while(|suffix| {
            let begins_a_run = suffix.begins_a_run || (suffix.string.len() == 0 && symbol == START);
            Some(Suffix { string: index.extend(suffix.string, symbol)?, begins_a_run })
        });
        let nothing = Suffix { string: index.empty_string(), begins_a_run: false };
        self.suffixes = std::iter::once(nothing).chain(longer).collect();
    }

    /// The length of the longest suffix that occurs at least twice.
    pub(crate) fn state(&self) -> usize {
        self.suffixes.iter().rposition(|suffix| suffix.string.count() >= 2).unwrap_or(0)
    }

    /// The state after one more symbol.
    pub(crate) fn state_after(&self, symbol: Symbol) -> usize {
        let index = &self.grammar.index;
        let longer = self.suffixes.iter().take(self.max_length()).map_while(|s| index.extend(s.string, symbol));
        longer.take_while(|string| string.count() >= 2).count()
    }

    fn max_length(&self) -> usize {
        match self.smoothing {
            Smoothing::Paper => LONGEST,
            Smoothing::WittenBell | Smoothing::KneserNey => usize::from(self.grammar.options.order) - 1,
        }
    }

    fn followers(&mut self, string: Substring) -> Arc<[Follower]> {
        let key = (string.ranks().start, string.len());
        if let Some(known) = self.followers.get(&key) {
            return known.clone();
        }
        let needs_before = self.smoothing == Smoothing::KneserNey;
        let mut followers = Vec::new();
        for following in self.grammar.index.following(string) {
            let (Neighbor::Symbol(symbol), Some(extended)) = (following.neighbor, following.extended) else { continue };
            let Some(&number) = self.grammar.numbers.get(&symbol) else { continue };
            let n_before = if needs_before { self.before.n_different(&self.grammar.index, extended) } else { 0 };
            followers.push(Follower { number: number as u16, count: following.count as u32, n_before });
        }
        if self.followers.len() >= MAX_KEPT {
            self.followers.clear();
        }
        let followers: Arc<[Follower]> = followers.into();
        self.followers.insert(key, followers.clone());
        followers
    }

    /// The probability of every symbol of the alphabet; they add up to 1.
    pub(crate) fn distribution(&mut self) -> Vec<f64> {
        match self.smoothing {
            Smoothing::Paper => self.corrected_frequencies(),
            Smoothing::WittenBell => self.witten_bell(),
            Smoothing::KneserNey => self.kneser_ney(),
        }
    }

    /// The paper's f_s(wc) for every c, normalized to add up to 1.
    ///
    /// w is the longest history that occurs twice. The factor 1/n is the same for
    /// all c and cancels out. A symbol that never occurs counts as half an
    /// occurrence, where the paper gives it none.
    fn corrected_frequencies(&mut self) -> Vec<f64> {
        let n_symbols = self.grammar.alphabet.len();
        let mut values = vec![0.0; n_symbols];
        let longest = self.state();
        let mut weight = 1.0;
        for length in (0..=longest).rev() {
            for follower in self.followers(self.suffixes[length].string).iter() {
                values[usize::from(follower.number)] += weight * f64::from(follower.count);
            }
            if length > 0 {
                weight /= n_symbols as f64;
            }
        }
        values.iter_mut().filter(|value| **value == 0.0).for_each(|value| *value = weight / 2.0);
        let sum: f64 = values.iter().sum();
        values.iter().map(|value| value / sum).collect()
    }

    /// The paper's f_s(wc) / f_s(w) as printed, which does not add up to 1.
    pub(crate) fn printed_ratios(&mut self) -> Vec<f64> {
        let n_symbols = self.grammar.alphabet.len() as f64;
        let longest = self.state();
        let weight = |length: usize, of: usize| n_symbols.powi(length as i32 - of as i32) / of as f64;
        let history = match longest {
            0 => self.grammar.n_moves() as f64,
            _ => (1..=longest).map(|k| weight(k, longest) * self.suffixes[k].string.count() as f64).sum(),
        };
        let mut ratios = vec![0.0; self.grammar.alphabet.len()];
        for length in 0..=longest {
            for follower in self.followers(self.suffixes[length].string).iter() {
                ratios[usize::from(follower.number)] +=
                    weight(length + 1, longest + 1) * f64::from(follower.count) / history;
            }
        }
        ratios
    }

    fn witten_bell(&mut self) -> Vec<f64> {
        let n_symbols = self.grammar.alphabet.len();
        let mut p = vec![1.0 / n_symbols as f64; n_symbols];
        for length in 0..self.suffixes.len() {
            let followers = self.followers(self.suffixes[length].string);
            let total: f64 = followers.iter().map(|f| f64::from(f.count)).sum();
            if total == 0.0 {
                break;
            }
            let n_different = followers.len() as f64;
            p.iter_mut().for_each(|p| *p *= n_different / (total + n_different));
            followers.iter().for_each(|f| p[usize::from(f.number)] += f64::from(f.count) / (total + n_different));
        }
        p
    }

    fn kneser_ney(&mut self) -> Vec<f64> {
        let n_symbols = self.grammar.alphabet.len();
        let mut p = vec![1.0 / n_symbols as f64; n_symbols];
        for length in 0..self.suffixes.len() {
            let Suffix { string, begins_a_run } = self.suffixes[length];
            let followers = self.followers(string);
            let is_plain = length + 1 == usize::from(self.grammar.options.order) || begins_a_run;
            let count = |f: &Follower| if is_plain { f.count } else { f.n_before };
            let total: f64 = followers.iter().map(|f| f64::from(count(f))).sum();
            if total == 0.0 {
                break;
            }
            let discounts = self.grammar.discounts[length];
            let taken: f64 = followers.iter().map(|f| discounts.of(count(f))).sum();
            p.iter_mut().for_each(|p| *p *= taken / total);
            for f in followers.iter() {
                p[usize::from(f.number)] += (f64::from(count(f)) - discounts.of(count(f))) / total;
            }
        }
        p
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::model::END;
    use proptest::prelude::*;

    /// The number of occurrences of a string in the runs, including start and end symbols.
    fn count(runs: &[Vec<u16>], string: &[u16]) -> f64 {
        let n: usize = runs.iter().map(|run| run.windows(string.len().max(1)).filter(|w| *w == string).count()).sum();
        if string.is_empty() { runs.iter().map(|run| run.len() - 1).sum::<usize>() as f64 } else { n as f64 }
    }

    fn with_borders(segments: &[Vec<u16>]) -> Vec<Vec<u16>> {
        segments.iter().map(|s| [&[START.0][..], s, &[END.0]].concat()).collect()
    }

    /// The number of different symbols before a string.
    fn n_before(runs: &[Vec<u16>], string: &[u16]) -> f64 {
        let mut seen = std::collections::BTreeSet::new();
        for run in runs {
            for (i, _) in run.windows(string.len()).enumerate().filter(|(_, w)| *w == string) {
                seen.insert(i.checked_sub(1).map(|before| run[before]));
            }
        }
        seen.len() as f64
    }

    fn naive(grammar: &Grammar, runs: &[Vec<u16>], history: &[u16], smoothing: Smoothing) -> Vec<f64> {
        let alphabet: Vec<u16> = grammar.alphabet.iter().map(|s| s.0).collect();
        let n_symbols = alphabet.len() as f64;
        let order = usize::from(grammar.options.order);
        let suffix = |length: usize| &history[history.len() - length..];
        let with = |length: usize, c: u16| [suffix(length), &[c]].concat();
        match smoothing {
            Smoothing::Paper => {
                let longest = (0..=history.len()).rev().find(|&k| k == 0 || count(runs, suffix(k)) >= 2.0).expect("0");
                let value = |c: u16| -> f64 {
                    (0..=longest).map(|k| n_symbols.powi(k as i32 - longest as i32) * count(runs, &with(k, c))).sum()
                };
                let floor = n_symbols.powi(-(longest as i32)) / 2.0;
                let values: Vec<f64> =
                    alphabet.iter().map(|&c| value(c)).map(|v| if v == 0.0 { floor } else { v }).collect();
                let sum: f64 = values.iter().sum();
                values.iter().map(|v| v / sum).collect()
            }
            Smoothing::WittenBell | Smoothing::KneserNey => {
                let mut p = vec![1.0 / n_symbols; alphabet.len()];
                for k in 0..order.min(history.len() + 1) {
                    let is_plain =
                        smoothing == Smoothing::WittenBell || k + 1 == order || suffix(k).first() == Some(&START.0);
                    let counts: Vec<f64> = alphabet
                        .iter()
                        .map(|&c| if is_plain { count(runs, &with(k, c)) } else { n_before(runs, &with(k, c)) })
                        .collect();
                    let total: f64 = counts.iter().sum();
                    if total == 0.0 {
                        break;
                    }
                    let taken: Vec<f64> = counts.iter().map(|&n| grammar.discounts[k].of(n as u32)).collect();
                    let n_different = counts.iter().filter(|n| **n > 0.0).count() as f64;
                    for i in 0..p.len() {
                        p[i] = if smoothing == Smoothing::WittenBell {
                            (counts[i] + n_different * p[i]) / (total + n_different)
                        } else {
                            (counts[i] - taken[i]) / total + taken.iter().sum::<f64>() / total * p[i]
                        };
                    }
                }
                p
            }
        }
    }

    proptest! {
        #[test]
        fn probabilities_match_a_naive_implementation_and_add_up(
            segments in prop::collection::vec(prop::collection::vec(0u16..4, 1..9), 1..7),
            history in prop::collection::vec(0u16..4, 0..6),
            order in 1u8..5,
        ) {
            let grammar = Grammar::of_symbols(&segments, order);
            let runs = with_borders(&segments);
            let played = [&[START.0][..], &history].concat();
            for smoothing in Smoothing::ALL {
                let mut contexts = Contexts::new(&grammar, smoothing);
                history.iter().for_each(|&symbol| contexts.advance(Symbol(symbol)));
                let found = contexts.distribution();
                prop_assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{}", smoothing);
                let expected = naive(&grammar, &runs, &played, smoothing);
                for (i, (a, b)) in found.iter().zip(&expected).enumerate() {
                    prop_assert!((a - b).abs() < 1e-9, "{} symbol {}: {} {}", smoothing, i, a, b);
                }
            }
        }
    }

    /// Computed by hand for the text abab and the history a, which occurs twice; with 56 symbols including the
    /// end, f_s(ab) = f(ab) + f(b)/56 = 2 + 2/56 and f_s(aa) = 2/56.
    #[test]
    fn the_papers_formula_by_hand() {
        let grammar = Grammar::of_symbols(&[vec![0, 1, 0, 1]], 3);
        assert_eq!(grammar.alphabet.len(), 56);
        let mut contexts = Contexts::new(&grammar, Smoothing::Paper);
        // After aa, the longest suffix that occurs twice is a.
        for symbol in [0, 0] {
            contexts.advance(Symbol(symbol));
        }
        let p = contexts.distribution();
        let ratio = (2.0 + 2.0 / 56.0) / (2.0 / 56.0);
        assert!((p[grammar.numbers[&Symbol(1)]] / p[grammar.numbers[&Symbol(0)]] - ratio).abs() < 1e-9);
        // As printed: f_s(ab) = (f(ab) + f(b)/56) / 2, and f_s(a) = f(a) = 2.
        let printed = contexts.printed_ratios()[grammar.numbers[&Symbol(1)]];
        assert!((printed - (2.0 + 2.0 / 56.0) / 2.0 / 2.0).abs() < 1e-12);
    }
}
