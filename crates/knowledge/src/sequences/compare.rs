//! Which sequences occur more often in one collection than in another.

use tejun_index::Symbol;

use crate::corpus::GameTable;
use crate::sequences::measures::{Aggregation, Measure};
use crate::sequences::ranking::{RankOptions, RankedString, Tenuki, without_redundant};
use crate::sequences::sequence::{Sequence, sequences_of};
use crate::sequences::text::GameText;
use crate::statistics::{false_discovery_rates, normal_cdf};

/// Number of strings to examine.
const POOL: usize = 100_000;

/// Options of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompareOptions {
    /// Minimum length in symbols.
    pub min_length: u32,
    /// Minimum number of occurrences in the games.
    pub min_count: usize,
    /// The largest expected share of false discoveries among the results; see [`ComparedSequence::false_discovery`].
    pub max_false_discovery: f64,
    /// Maximum number of sequences.
    pub top: usize,
    /// Number of threads; the result does not depend on it.
    pub n_threads: usize,
}

/// A sequence that occurs more often in the games than in the baseline.
#[derive(Clone, Debug)]
pub struct ComparedSequence {
    /// The sequence; its score is the likelihood ratio G².
    pub sequence: Sequence,
    /// Occurrences in the games.
    pub n_here: usize,
    /// Occurrences in the baseline.
    pub n_there: usize,
    /// The expected share of false discoveries among all sequences that differ at least as much.
    ///
    /// This corrects for the number of sequences tested (Benjamini and Hochberg 1995).
    pub false_discovery: f64,
}

/// Finds sequences that occur more often in the games than in the baseline, the most significant first.
///
/// Near-duplicates of more significant sequences are dropped.
pub fn compare(
    here: (&GameText, &GameTable),
    baseline: &Baseline<'_>,
    options: &CompareOptions,
) -> Vec<ComparedSequence> {
    let (text, table) = here;
    let CompareOptions { min_length, top, n_threads, .. } = *options;
    let measure = Measure::MultiProfile { windows: vec![min_length.min(4)], aggregation: Aggregation::Mean };
    let pool = top.saturating_mul(4).max(POOL);
    let mut candidates = measure.rank(text, RankOptions { min_length, top: pool, tenuki: Tenuki::Exclude, n_threads });
    candidates.retain(|candidate| candidate.string.count() >= options.min_count);
    let found = characteristic_strings(text, baseline, &candidates);
    // Under the null hypothesis, G² has the chi-squared distribution with one degree of freedom. Strings that are
    // less frequent in the games were also tested.
    let mut p_values: Vec<f64> = found.iter().map(|one| 2.0 * normal_cdf(-one.ranked.score.sqrt())).collect();
    p_values.resize(candidates.len(), 1.0);
    let rates = false_discovery_rates(&p_values);
    let significant = rates.iter().take(found.len()).filter(|rate| **rate <= options.max_false_discovery).count();
    let ranking: Vec<RankedString> = found[..significant].iter().map(|one| one.ranked).collect();
    let kept = without_redundant(text, &ranking, min_length);
    let best: Vec<usize> = (0..significant)
        .take(10 * top.max(10))
        .filter(|&i| kept.iter().take(top).any(|ranked| ranked.string == ranking[i].string))
        .collect();
    let ranking: Vec<RankedString> = best.iter().map(|&i| ranking[i]).collect();
    let sequences = sequences_of(text, table, &ranking, n_threads);
    let facts = |sequence: Sequence| {
        let i = best.iter().copied().find(|&i| found[i].ranked.string == sequence.ranked.string)?;
        let (n_here, n_there) = (found[i].ranked.string.count(), found[i].n_there);
        Some(ComparedSequence { sequence, n_here, n_there, false_discovery: rates[i] })
    };
    sequences.into_iter().filter_map(facts).collect()
}

/// The games to compare with.
pub enum Baseline<'t> {
    /// The games of another collection.
    Collection(&'t GameText),
    /// The other games of a collection that contains the games.
    Rest(&'t GameText),
}

/// A string that is more frequent in the games than in the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Characteristic {
    /// The string, with the likelihood ratio as its score.
    ranked: RankedString,
    /// Occurrences in the baseline.
    n_there: usize,
}

/// The strings that are more frequent in the games than in the baseline, the most significant first.
///
/// Significance is the likelihood ratio G² of the counts against equal rates (Dunning 1993).
fn characteristic_strings(here: &GameText, others: &Baseline<'_>, candidates: &[RankedString]) -> Vec<Characteristic> {
    let n_symbols_here = here.index().text().n_symbols();
    let (there, is_rest) = match others {
        Baseline::Collection(there) => (there, false),
        Baseline::Rest(all) => (all, true),
    };
    let without_here = |all: usize, here: usize| if is_rest { all.saturating_sub(here) } else { all };
    let n_symbols_there = without_here(there.index().text().n_symbols(), n_symbols_here);
    let mut found: Vec<Characteristic> = candidates
        .iter()
        .filter_map(|candidate| {
            let symbols: Vec<Symbol> = here.index().symbols(candidate.string).collect();
            let n_here = candidate.string.count();
            let n_there = without_here(there.index().count(&symbols), n_here);
            let rate = |n: usize, of: usize| n as f64 / of.max(1) as f64;
            let is_more = rate(n_here, n_symbols_here) > rate(n_there, n_symbols_there);
            let score = likelihood_ratio([n_here, n_there], [n_symbols_here, n_symbols_there]);
            is_more.then_some(Characteristic { ranked: RankedString { string: candidate.string, score }, n_there })
        })
        .collect();
    found.sort_by(|a, b| a.ranked.order(&b.ranked));
    found
}

/// Twice the logarithm of the likelihood ratio of two rates to a single one.
fn likelihood_ratio(counts: [usize; 2], totals: [usize; 2]) -> f64 {
    let log_likelihood = |count: f64, total: f64, rate: f64| {
        let term = |n: f64, p: f64| if n > 0.0 { n * p.ln() } else { 0.0 };
        term(count, rate) + term(total - count, 1.0 - rate)
    };
    let [counts, totals] = [counts, totals].map(|pair| pair.map(|n| n as f64));
    let common = (counts[0] + counts[1]) / (totals[0] + totals[1]).max(1.0);
    let gain = |i: usize| {
        log_likelihood(counts[i], totals[i], counts[i] / totals[i].max(1.0))
            - log_likelihood(counts[i], totals[i], common)
    };
    (2.0 * (gain(0) + gain(1))).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dunning's table, computed by hand: 10 of 100 against 10 of 1000.
    #[test]
    fn the_likelihood_ratio_by_hand() {
        let g2 = likelihood_ratio([10, 10], [100, 1000]);
        let h = |k: f64, n: f64, p: f64| k * p.ln() + (n - k) * (1.0 - p).ln();
        let common = 20.0 / 1100.0;
        let expected =
            2.0 * (h(10.0, 100.0, 0.1) + h(10.0, 1000.0, 0.01) - h(10.0, 100.0, common) - h(10.0, 1000.0, common));
        assert!((g2 - expected).abs() < 1e-9 && g2 > 10.0);
        assert!(likelihood_ratio([5, 50], [100, 1000]) < 1e-9);
        assert_eq!(likelihood_ratio([0, 0], [100, 0]), 0.0);
    }

    #[test]
    fn strings_of_one_side_come_first() {
        let here = GameText::of_symbols(&vec![vec![1, 2, 3, 4, 5, 6]; 4]);
        let there = GameText::of_symbols(&[vec![1, 2, 3, 9, 9, 9], vec![1, 2, 3, 8, 8, 8]]);
        let candidate = |symbols: &[u16]| {
            let symbols: Vec<Symbol> = symbols.iter().copied().map(Symbol).collect();
            RankedString { string: here.index().find(&symbols).expect("a string"), score: 1.0 }
        };
        let candidates = [candidate(&[1, 2, 3]), candidate(&[4, 5, 6])];
        let found = characteristic_strings(&here, &Baseline::Collection(&there), &candidates);
        // The first string is as frequent in both.
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].ranked.string, found[0].n_there), (candidates[1].string, 0));
        let all = GameText::of_symbols(&[vec![vec![1, 2, 3, 4, 5, 6]; 4], vec![vec![1, 2, 3, 9, 9, 9]; 2]].concat());
        assert_eq!(characteristic_strings(&here, &Baseline::Rest(&all), &candidates)[0].n_there, 0);
    }
}
