//! A level above symbols: games as rows of phrases, the sequences that are played as units.
//!
//! A context-free grammar with two kinds of rules: a game is a row of phrases,
//! each drawn independently with its probability, and a phrase is a single
//! symbol or a ranked sequence.

use std::collections::HashMap;
use std::ops::Range;

use tejun_games::go::{BoardSize, Point};
use tejun_index::{SegmentId, Symbol};

use crate::codes::Code;
use crate::sequences::{GameText, RankedString};

/// Number of times that all games are parsed to count the phrases.
const N_ROUNDS: usize = 4;

/// Phrases with their probabilities.
pub struct Phrases {
    /// One node per prefix of a phrase; the first is the empty prefix.
    nodes: Vec<PhraseNode>,
    phrases: Vec<Phrase>,
    /// Bits of a symbol that occurs in no game.
    unseen_bits: f64,
}

#[derive(Default)]
struct PhraseNode {
    children: HashMap<Symbol, u32>,
    phrase: Option<u32>,
}

/// A sequence or a single symbol.
#[derive(Clone, Debug, PartialEq)]
pub struct Phrase {
    /// Its symbols.
    pub symbols: Vec<Symbol>,
    /// Number of uses in the last parse of all games.
    pub n_used: usize,
    /// Its rank in the ranking, from 1; `None` for a single symbol.
    pub rank: Option<usize>,
    /// The negative binary logarithm of its probability.
    bits: f64,
}

impl Phrases {
    /// Learns the probabilities of single symbols and of the strings of a ranking from the best parses of all games.
    pub fn learn(text: &GameText, ranking: &[RankedString]) -> Phrases {
        let mut phrases = Phrases { nodes: vec![PhraseNode::default()], phrases: Vec::new(), unseen_bits: 0.0 };
        for (symbol, count) in text.index().symbol_counts() {
            phrases.add(vec![symbol], count, None);
        }
        for (ranked, rank) in ranking.iter().zip(1..) {
            let symbols: Vec<Symbol> = text.index().symbols(ranked.string).collect();
            phrases.add(symbols, ranked.string.count(), Some(rank));
        }
        phrases.weigh();
        for _ in 0..N_ROUNDS {
            let mut n_used = vec![0; phrases.phrases.len()];
            for segment in 0..text.index().text().n_segments() {
                let symbols: Vec<Symbol> = text.index().text().segment(SegmentId(segment as u32)).collect();
                phrases.parse_numbers(&symbols).iter().flatten().for_each(|&number| n_used[number as usize] += 1);
            }
            phrases.phrases.iter_mut().zip(n_used).for_each(|(phrase, n)| phrase.n_used = n);
            phrases.weigh();
        }
        phrases
    }

    fn add(&mut self, symbols: Vec<Symbol>, n_used: usize, rank: Option<usize>) {
        let mut node = 0;
        for &symbol in &symbols {
            let next = self.nodes.len() as u32;
            let child = *self.nodes[node].children.entry(symbol).or_insert(next);
            if child == next {
                self.nodes.push(PhraseNode::default());
            }
            node = child as usize;
        }
        if self.nodes[node].phrase.is_none() {
            self.nodes[node].phrase = Some(self.phrases.len() as u32);
            self.phrases.push(Phrase { symbols, n_used, rank, bits: 0.0 });
        }
    }

    /// Computes probabilities from the counts; single symbols get one extra count, so that everything can be parsed.
    fn weigh(&mut self) {
        let weight = |phrase: &Phrase| phrase.n_used as f64 + f64::from(u8::from(phrase.rank.is_none()));
        let total: f64 = self.phrases.iter().map(weight).sum::<f64>() + 1.0;
        for phrase in &mut self.phrases {
            let weight = phrase.n_used as f64 + f64::from(u8::from(phrase.rank.is_none()));
            phrase.bits = -(weight / total).log2();
        }
        self.unseen_bits = total.log2();
    }

    /// The phrases that match at a position, with their ends.
    fn beginning_at<'p>(&'p self, symbols: &'p [Symbol], start: usize) -> impl Iterator<Item = (usize, u32)> + 'p {
        let mut node = 0;
        let ends = symbols[start..].iter().enumerate().map_while(move |(i, symbol)| {
            node = *self.nodes[node].children.get(symbol)? as usize;
            Some((start + i + 1, self.nodes[node].phrase))
        });
        ends.filter_map(|(end, phrase)| Some((end, phrase?)))
    }

    /// The most probable row of phrases (Viterbi 1967); `None` represents a symbol that occurs in no game.
    fn parse_numbers(&self, symbols: &[Symbol]) -> Vec<Option<u32>> {
        let mut best = vec![(f64::INFINITY, 0, None); symbols.len() + 1];
        best[0].0 = 0.0;
        for start in 0..symbols.len() {
            let here = best[start].0;
            let mut offer = |end: usize, bits: f64, phrase: Option<u32>| {
                if here + bits < best[end].0 {
                    best[end] = (here + bits, start, phrase);
                }
            };
            offer(start + 1, self.unseen_bits, None);
            for (end, phrase) in self.beginning_at(symbols, start) {
                offer(end, self.phrases[phrase as usize].bits, Some(phrase));
            }
        }
        let mut row = Vec::new();
        let mut end = symbols.len();
        while end > 0 {
            row.push(best[end].2);
            end = best[end].1;
        }
        row.reverse();
        row
    }

    /// The most probable parse: each phrase with the symbols it covers; `None` is a symbol that occurs in no game.
    pub fn parse(&self, symbols: &[Symbol]) -> Vec<(Range<usize>, Option<&Phrase>)> {
        let mut start = 0;
        let row = self.parse_numbers(symbols).into_iter().map(|number| {
            let phrase = number.map(|number| &self.phrases[number as usize]);
            let range = start..start + phrase.map_or(1, |phrase| phrase.symbols.len());
            start = range.end;
            (range, phrase)
        });
        row.collect()
    }

    /// The bits of a game, summed over all its parses.
    pub fn bits(&self, symbols: &[Symbol]) -> f64 {
        // Bits of all parses up to a position, added up as probabilities.
        let mut ways = vec![f64::INFINITY; symbols.len() + 1];
        ways[0] = 0.0;
        for start in 0..symbols.len() {
            let mut is_known = false;
            for (end, phrase) in self.beginning_at(symbols, start) {
                is_known |= end == start + 1;
                ways[end] = either(ways[end], ways[start] + self.phrases[phrase as usize].bits);
            }
            if !is_known {
                ways[start + 1] = either(ways[start + 1], ways[start] + self.unseen_bits);
            }
        }
        ways[symbols.len()]
    }

    /// Number of phrases that are sequences.
    pub fn n_sequences(&self) -> usize {
        self.phrases.iter().filter(|phrase| phrase.rank.is_some()).count()
    }
}

/// The bits of the sum of two probabilities.
fn either(a: f64, b: f64) -> f64 {
    let (less, more) = (a.min(b), a.max(b));
    if more.is_infinite() { less } else { less - (1.0 + (less - more).exp2()).log2() }
}

/// A move at least this far from the one before is elsewhere.
const FAR: u16 = 9;

/// The description of a phrase: the usual name of a move, or the number of a sequence.
pub fn phrase_words(code: Code, phrase: Option<&Phrase>) -> String {
    match phrase {
        None => "a move that no game had".into(),
        Some(Phrase { rank: Some(rank), .. }) => format!("sequence {rank}"),
        Some(Phrase { symbols, .. }) => symbols.first().map_or(String::new(), |&symbol| describe_move(code, symbol)),
    }
}

fn describe_move(code: Code, symbol: Symbol) -> String {
    let description = code.describe(symbol);
    // The corner points with names, by their distances from the corner.
    let corners = [
        ((2, 2), "san-san"),
        ((2, 3), "komoku"),
        ((3, 3), "star point"),
        ((2, 4), "mokuhazushi"),
        ((3, 4), "takamoku"),
    ];
    let named =
        corners.iter().find(|((x, y), _)| symbol == Code::first_symbol(Point::new(*x, *y), BoardSize::NINETEEN));
    match (named, code.step_length(symbol)) {
        (Some((_, name)), _) => (*name).into(),
        (None, Some(length)) if length >= FAR => format!("elsewhere, {description}"),
        _ => description,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn learn(segments: &[Vec<u16>], strings: &[&[u16]]) -> Phrases {
        let text = GameText::of_symbols(segments);
        let ranked = |string: &&[u16]| {
            let symbols: Vec<Symbol> = string.iter().copied().map(Symbol).collect();
            Some(RankedString { string: text.index().find(&symbols)?, score: 1.0 })
        };
        Phrases::learn(&text, &strings.iter().filter_map(ranked).collect::<Vec<_>>())
    }

    fn symbols(values: &[u16]) -> Vec<Symbol> {
        values.iter().copied().map(Symbol).collect()
    }

    /// The bits of every way to split a row into phrases.
    fn all_parses(phrases: &Phrases, symbols: &[Symbol]) -> Vec<f64> {
        if symbols.is_empty() {
            return vec![0.0];
        }
        let mut found = Vec::new();
        for end in 1..=symbols.len() {
            let known = phrases.phrases.iter().find(|phrase| phrase.symbols == symbols[..end]);
            let bits = known.map(|phrase| phrase.bits).or((end == 1).then_some(phrases.unseen_bits));
            if let Some(bits) = bits {
                found.extend(all_parses(phrases, &symbols[end..]).into_iter().map(|rest| bits + rest));
            }
        }
        found
    }

    proptest! {
        #[test]
        fn parses_match_exhaustive_search(
            segments in prop::collection::vec(prop::collection::vec(0u16..3, 1..9), 1..5),
            game in prop::collection::vec(0u16..4, 0..9),
        ) {
            let phrases = learn(&segments, &[&[0, 1], &[0, 1, 2], &[1, 1], &[2, 0, 1, 2]]);
            let game = symbols(&game);
            let all = all_parses(&phrases, &game);
            let best: f64 = phrases.parse(&game).iter().map(|(_, p)| p.map_or(phrases.unseen_bits, |p| p.bits)).sum();
            let least = all.iter().copied().fold(f64::INFINITY, f64::min);
            prop_assert!((best - least).abs() < 1e-9, "{} {}", best, least);
            let together = -all.iter().map(|bits| (-bits).exp2()).sum::<f64>().log2();
            prop_assert!((phrases.bits(&game) - together).abs() < 1e-6, "{} {}", phrases.bits(&game), together);
            let covered: Vec<usize> = phrases.parse(&game).iter().flat_map(|(range, _)| range.clone()).collect();
            prop_assert!(covered.into_iter().eq(0..game.len()));
        }
    }

    #[test]
    fn a_frequent_sequence_becomes_a_phrase() {
        let mut segments = vec![vec![7, 1, 2, 3, 4, 5, 8]; 20];
        segments.extend((10..30).map(|i| vec![i, i + 1, i + 2]));
        let phrases = learn(&segments, &[&[1, 2, 3, 4, 5]]);
        let game = symbols(&[10, 1, 2, 3, 4, 5, 11, 99]);
        let row: Vec<Range<usize>> = phrases.parse(&game).into_iter().map(|(range, _)| range).collect();
        assert_eq!(row, [0..1, 1..6, 6..7, 7..8]);
        let descriptions: Vec<String> =
            phrases.parse(&game).into_iter().map(|(_, phrase)| phrase_words(Code::Simple, phrase)).collect();
        assert_eq!((descriptions[1].as_str(), descriptions[3].as_str()), ("sequence 1", "a move that no game had"));
        assert!(phrases.bits(&game) < learn(&segments, &[]).bits(&game));
        let komoku = Code::first_symbol(Point::new(16, 3), BoardSize::NINETEEN);
        assert_eq!(describe_move(Code::Relative, komoku), "komoku");
        assert!(describe_move(Code::Relative, Symbol(0)).starts_with("elsewhere, "));
    }
}
