//! Are joseki found? The share of a dictionary among the best strings.

use std::collections::HashMap;

use tejun_index::{Substring, Symbol};

use crate::sequences::dictionary::Dictionary;
use crate::sequences::ranking::RankedString;
use crate::sequences::text::GameText;

/// Minimum number of occurrences of an attested line.
const MIN_PLAYED: usize = 5;

/// How much of a dictionary was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recall {
    /// Number of lines in the dictionary; lines that are too short are never found.
    pub n_lines: usize,
    /// Number of lines that occur at least five times in the collection.
    pub n_attested: usize,
    /// For every line, the best rank of its strings, from 1, and whether it is attested.
    pub ranks: Vec<(Option<usize>, bool)>,
}

impl Recall {
    /// The share of all lines among the first `n` strings.
    pub fn at(&self, n: usize) -> f64 {
        let found = self.ranks.iter().filter(|(rank, _)| rank.is_some_and(|rank| rank <= n)).count();
        found as f64 / self.n_lines.max(1) as f64
    }

    /// The share of the attested lines among the first `n` strings.
    pub fn attested_at(&self, n: usize) -> f64 {
        let is_found = |rank: &Option<usize>| rank.is_some_and(|rank| rank <= n);
        let found = self.ranks.iter().filter(|(rank, is_attested)| *is_attested && is_found(rank)).count();
        found as f64 / self.n_attested.max(1) as f64
    }
}

/// Which rank is used for a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranks {
    /// Its own rank.
    Own,
    /// The best rank among strings that are equal without direction, as in the paper's "rank-adjusted".
    Shared,
}

/// Looks up every line of a dictionary in a ranking of strings.
///
/// `known` contains the dictionary and the text that decides which lines are attested; the ranking may be of
/// another text in the same code.
pub fn recall(text: &GameText, ranking: &[RankedString], ranks: Ranks, known: (&Dictionary, &GameText)) -> Recall {
    let (dictionary, attested) = known;
    let options = text.options();
    let key = |string: Substring| (string.ranks().start, string.len());
    let mut best: HashMap<Vec<Symbol>, usize> = HashMap::new();
    let rank_of: HashMap<(usize, u32), usize> = ranking
        .iter()
        .enumerate()
        .map(|(i, ranked)| {
            let rank = match ranks {
                Ranks::Own => i + 1,
                Ranks::Shared => {
                    let symbols = text.index().symbols(ranked.string).map(|s| options.code.without_direction(s));
                    *best.entry(symbols.collect()).or_insert(i + 1)
                }
            };
            (key(ranked.string), rank)
        })
        .collect();
    let mut result = Recall { n_lines: 0, n_attested: 0, ranks: Vec::new() };
    for line in &dictionary.lines {
        let strings: Vec<Vec<Symbol>> = line.strings(options.code, options.size).collect();
        let rank = strings
            .iter()
            .filter_map(|string| text.index().find(string))
            .filter_map(|string| rank_of.get(&key(string)).copied())
            .min();
        let is_attested = strings.iter().any(|string| attested.index().count(string) >= MIN_PLAYED);
        result.n_lines += 1;
        result.n_attested += usize::from(is_attested);
        result.ranks.push((rank, is_attested));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Code;
    use crate::sequences::dictionary::KnownLine;
    use tejun_games::go::{BoardSize, Point};

    fn line(letters: &str) -> KnownLine {
        let points = letters.split(' ').filter_map(|p| Point::from_sgf(p.as_bytes().try_into().ok()?)).collect();
        KnownLine { points, name: None }
    }

    /// Three lines: one that occurs and ranks second, one that occurs but is not ranked, one that is too short.
    #[test]
    fn lines_are_found_without_their_first_moves() {
        let lines = vec![line("qd od oc pc nc qc"), line("qd oc qg qc qf oe"), line("qd od")];
        let size = BoardSize::NINETEEN;
        let strings: Vec<Vec<Symbol>> = lines[..2].iter().flat_map(|l| l.strings(Code::Relative, size)).collect();
        assert_eq!(strings.len(), 2, "no line starts on a diagonal");
        let segment = |string: &[Symbol]| string.iter().map(|s| s.0).collect::<Vec<u16>>();
        let segments: Vec<Vec<u16>> = (0..6).flat_map(|_| strings.iter().map(|s| segment(s))).collect();
        let text = GameText::of_symbols(&segments);
        let ranked =
            |string: &[Symbol]| RankedString { string: text.index().find(string).expect("played"), score: 1.0 };
        let ranking = [ranked(&strings[1][..2]), ranked(&strings[0])];
        let dictionary = Dictionary { lines };
        let found = recall(&text, &ranking, Ranks::Own, (&dictionary, &text));
        assert_eq!((found.n_lines, found.n_attested), (3, 2));
        assert_eq!((found.at(1), found.at(2), found.attested_at(2)), (0.0, 1.0 / 3.0, 0.5));
    }
}
