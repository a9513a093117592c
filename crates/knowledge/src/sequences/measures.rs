//! How formulaic is a string? Four measures.

use tejun_index::{Index, Neighbor, Repeat, Repeats, Substring};

use crate::sequences::profile::extracted_strings;
use crate::sequences::ranking::{BestStrings, RankOptions, RankedString};
use crate::sequences::text::GameText;
use crate::statistics::entropy_of_counts;

/// A measure of how formulaic a string is.
///
/// ```
/// # use tejun_games::BoardSize;
/// # use tejun_knowledge::corpus::{Expression, GameTable, Input, Selection};
/// # use tejun_knowledge::progress::NoProgress;
/// # let games = Input::sample().open(2, &NoProgress)?;
/// # let some = Selection { condition: Some(Expression::parse("id < 100")?), ..Selection::default() };
/// # let table = GameTable::load(&games.collection, &some, BoardSize::NINETEEN)?;
/// # use tejun_knowledge::codes::Code;
/// # use tejun_knowledge::sequences::{GameText, TextOptions, TextScope};
/// use tejun_knowledge::sequences::{Measure, RankOptions, Tenuki};
///
/// # let options = TextOptions { size: table.size(), code: Code::Relative, scope: TextScope::Local };
/// let text = GameText::build(&table, options, 2)?;
/// let options = RankOptions { min_length: 5, top: 10, tenuki: Tenuki::Exclude, n_threads: 2 };
/// for measure in Measure::all() {
///     let ranked = measure.rank(&text, options);
///     println!("{}: best score {:?}", measure.name(), ranked.first().map(|string| string.score));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// Frequency, weighted by the number of strings up to this length.
    Frequency,
    /// The smaller of the entropies of the neighbors before and after it.
    Entropy,
    /// How often the string is extracted from the frequency profile of a game.
    Profile {
        /// Window length in moves.
        window: u32,
        /// Minimum factor of a rise or fall.
        theta: f64,
    },
    /// Rise at the beginning times fall at the end times frequency, over several windows.
    MultiProfile {
        /// Window lengths in moves.
        windows: Vec<u32>,
        /// How to combine the scores of a string's occurrences.
        aggregation: Aggregation,
    },
}

/// How to combine the scores of a string's occurrences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregation {
    /// Their mean.
    Mean,
    /// The largest.
    Max,
    /// Their sum.
    Sum,
}

impl Measure {
    /// The four measures of the paper with its parameters.
    ///
    /// Theta is our choice: on 33,805 professional games, the largest of 1.5, 2, 3,
    /// 4 and 6 found the most joseki at every rank (`docs/book/sequences.md`).
    pub fn all() -> [Measure; 4] {
        [
            Measure::Frequency,
            Measure::Entropy,
            Measure::Profile { window: 6, theta: 6.0 },
            Measure::MultiProfile { windows: vec![4, 5], aggregation: Aggregation::Mean },
        ]
    }

    /// A short name.
    pub fn name(&self) -> &'static str {
        match self {
            Measure::Frequency => "frequency",
            Measure::Entropy => "entropy",
            Measure::Profile { .. } => "sfp",
            Measure::MultiProfile { .. } => "msfp",
        }
    }

    /// The best strings of a text; ties are in text order, and strings with score 0 are excluded.
    ///
    /// Takes linear time, except for sorting the result.
    pub fn rank(&self, text: &GameText, options: RankOptions) -> Vec<RankedString> {
        let index = text.index();
        match self {
            Measure::Frequency => {
                let alpha = running_sum(&index.ngram_counts().distinct);
                let score = |string: Substring| (string.count() - 1) as f64 * alpha[string.len() as usize];
                in_parallel(index, options, |repeat, best| {
                    let lengths = repeat.lengths().filter(|&length| length >= options.min_length);
                    lengths.filter_map(|length| repeat.with_len(length)).for_each(|s| best.add(s, score(s)));
                })
            }
            Measure::Entropy => in_parallel(index, options, |repeat, best| {
                // A shorter string of the class has only one continuation, so its entropy is 0.
                if repeat.depth >= options.min_length {
                    let string = repeat.longest();
                    best.add(string, neighbor_entropy(index, string));
                }
            }),
            Measure::Profile { window, theta } => extracted_strings(text, *window, *theta, options),
            Measure::MultiProfile { windows, aggregation } => {
                let slopes = Slopes::new(index, windows);
                let shortest = windows.iter().copied().max().unwrap_or(1).max(options.min_length);
                in_parallel(index, options, |repeat, best| {
                    let lengths = repeat.lengths().filter(|&length| length >= shortest);
                    let strings = lengths.filter_map(|length| repeat.with_len(length));
                    strings.for_each(|s| best.add(s, slopes.score(index, s, *aggregation)));
                })
            }
        }
    }
}

/// Prefix sums: entry n is the sum of the entries up to n.
fn running_sum(counts: &[u64]) -> Vec<f64> {
    let sums = counts.iter().scan(0u64, |sum, count| {
        *sum += count;
        Some(*sum as f64)
    });
    sums.collect()
}

/// Visits all repeats in several threads and combines the best strings of each.
fn in_parallel(
    index: &Index,
    options: RankOptions,
    visit: impl Fn(Repeat, &mut BestStrings<'_>) + Sync,
) -> Vec<RankedString> {
    let visit = &visit;
    let parts = index.repeats_in_parts(options.n_threads.max(1));
    let found: Vec<BestStrings<'_>> = std::thread::scope(|scope| {
        let work = |part: Repeats<'_>| {
            let mut best = BestStrings::new(index, options);
            part.for_each(|repeat| visit(repeat, &mut best));
            best
        };
        let handles: Vec<_> = parts.into_iter().map(|part| scope.spawn(move || work(part))).collect();
        handles.into_iter().map(|handle| handle.join().expect("a measure does not panic")).collect()
    });
    let mut all = BestStrings::new(index, options);
    found.into_iter().for_each(|best| all.join(best));
    all.into_sorted()
}

/// The smaller of the entropies of the neighbors before and after a string, in nats.
pub(crate) fn neighbor_entropy(index: &Index, string: Substring) -> f64 {
    let right = entropy_of_counts(index.following(string).map(|next| next.count));
    if right == 0.0 {
        return 0.0;
    }
    let before: Vec<(Neighbor, usize)> = index.preceding(string);
    right.min(entropy_of_counts(before.into_iter().map(|(_, count)| count)))
}

/// The rises and falls of window frequencies.
struct Slopes {
    /// For each window its width, and the count of the window that begins at every position.
    windows: Vec<(usize, Vec<u32>)>,
}

impl Slopes {
    fn new(index: &Index, widths: &[u32]) -> Slopes {
        Slopes { windows: widths.iter().map(|&width| (width as usize, index.window_counts(width))).collect() }
    }

    /// The combined factors for rise and fall of all occurrences.
    fn score(&self, index: &Index, string: Substring, aggregation: Aggregation) -> f64 {
        let length = string.len() as usize;
        let (mut sum, mut max) = (0.0, 0.0f64);
        for position in index.occurrences(string) {
            let factors = self.windows.iter().map(|(width, counts)| {
                let last = position + length - width;
                // A window across a boundary has the count 0, so the slope there is 1.
                let before = position.checked_sub(1).map_or(0, |before| counts[before]);
                let after = counts.get(last + 1).copied().unwrap_or(0);
                slope(counts[position], before) * slope(counts[last], after)
            });
            let score = factors.sum::<f64>();
            sum += score;
            max = max.max(score);
        }
        // Each occurrence's score has the factor f, which the mean divides out again.
        let (count, n_windows) = (string.count() as f64, self.windows.len() as f64);
        match aggregation {
            Aggregation::Mean => sum / n_windows,
            Aggregation::Max => count * max / n_windows,
            Aggregation::Sum => count * sum / n_windows,
        }
    }
}

/// The relative drop to the neighboring count; 0 if that is larger, so that two falls do not make a rise.
#[inline]
fn slope(here: u32, neighbor: u32) -> f64 {
    if neighbor >= here { 0.0 } else { 1.0 - neighbor as f64 / here as f64 }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::sequences::profile::peaks;
    use crate::sequences::ranking::Tenuki;
    use proptest::prelude::*;

    type Segments = [Vec<u16>];

    fn count(text: &Segments, string: &[u16]) -> usize {
        text.iter().flat_map(|segment| segment.windows(string.len())).filter(|window| *window == string).count()
    }

    /// All distinct substrings.
    fn substrings(text: &Segments) -> BTreeSet<&[u16]> {
        text.iter().flat_map(|s| (1..=s.len()).flat_map(move |n| s.windows(n))).collect()
    }

    fn frequency(text: &Segments, x: &[u16]) -> f64 {
        let alpha = substrings(text).iter().filter(|y| y.len() <= x.len()).count();
        (count(text, x) - 1) as f64 * alpha as f64
    }

    fn naive_entropy(text: &Segments, x: &[u16]) -> f64 {
        let (mut left, mut right) = (BTreeMap::new(), BTreeMap::new());
        for segment in text {
            for (i, _) in segment.windows(x.len()).enumerate().filter(|(_, window)| *window == x) {
                *left.entry(i.checked_sub(1).map(|before| segment[before])).or_insert(0usize) += 1;
                *right.entry(segment.get(i + x.len())).or_insert(0usize) += 1;
            }
        }
        let h = |counts: Vec<usize>| {
            let n = counts.iter().sum::<usize>() as f64;
            -counts.iter().map(|&c| c as f64 / n * (c as f64 / n).ln()).sum::<f64>()
        };
        h(left.into_values().collect()).min(h(right.into_values().collect()))
    }

    /// The formula exactly as printed in the paper.
    fn naive_multi_profile(text: &Segments, x: &[u16], windows: &[u32], aggregation: Aggregation) -> f64 {
        let mut scores = Vec::new();
        for t in text {
            // The string is t[i,j] = symbols i+1..j, which is t[i..j] counted from 0.
            let f = |i: isize, j: isize| match (usize::try_from(i), usize::try_from(j)) {
                (Ok(i), Ok(j)) if j <= t.len() => count(text, &t[i..j]) as f64,
                _ => 0.0,
            };
            for i in 0..(t.len() + 1).saturating_sub(x.len()) {
                if &t[i..i + x.len()] == x {
                    let (i, j) = (i as isize, (i + x.len()) as isize);
                    let s = |w: isize| {
                        (1.0 - f(i - 1, i - 1 + w) / f(i, i + w)).max(0.0)
                            * (1.0 - f(j + 1 - w, j + 1) / f(j - w, j)).max(0.0)
                            * f(i, j)
                    };
                    scores.push(windows.iter().map(|&w| s(w as isize)).sum::<f64>() / windows.len() as f64);
                }
            }
        }
        match aggregation {
            Aggregation::Mean => scores.iter().sum::<f64>() / scores.len() as f64,
            Aggregation::Max => scores.into_iter().fold(0.0, f64::max),
            Aggregation::Sum => scores.iter().sum(),
        }
    }

    fn naive_profile(text: &Segments, x: &[u16], window: usize, theta: f64) -> f64 {
        let mut n_extracted = 0;
        for t in text {
            let ends = |i: usize| (i + 1).checked_sub(window).map_or(0, |start| count(text, &t[start..=i]) as u32);
            let profile: Vec<u32> = (0..t.len()).map(ends).collect();
            let found = peaks(&profile, window, theta);
            n_extracted += found.into_iter().filter(|peak| &t[peak.symbols.clone()] == x).count();
        }
        n_extracted as f64
    }

    fn naive_score(measure: &Measure, text: &Segments, x: &[u16]) -> f64 {
        match measure {
            Measure::Frequency => frequency(text, x),
            Measure::Entropy => naive_entropy(text, x),
            Measure::Profile { window, theta } => naive_profile(text, x, *window as usize, *theta),
            Measure::MultiProfile { windows, .. } if windows.iter().any(|&w| w as usize > x.len()) => 0.0,
            Measure::MultiProfile { windows, aggregation } => naive_multi_profile(text, x, windows, *aggregation),
        }
    }

    fn check(measure: &Measure, segments: &Segments) {
        let text = GameText::of_symbols(segments);
        let options = RankOptions { min_length: 2, top: usize::MAX / 8, tenuki: Tenuki::Exclude, n_threads: 2 };
        let ranking = measure.rank(&text, options);
        let symbols = |a: &RankedString| text.index().symbols(a.string).map(|s| s.0).collect::<Vec<u16>>();
        let found: BTreeMap<Vec<u16>, f64> = ranking.iter().map(|a| (symbols(a), a.score)).collect();
        assert_eq!(found.len(), ranking.len(), "{measure:?} ranks a string twice");
        let wanted = substrings(segments).into_iter().filter(|x| x.len() >= 2 && count(segments, x) >= 2);
        let mut expected: BTreeMap<Vec<u16>, f64> =
            wanted.map(|x| (x.to_vec(), naive_score(measure, segments, x))).collect();
        expected.retain(|_, score| *score > 1e-9);
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{measure:?}");
        for (x, score) in &expected {
            assert!((found[x] - score).abs() < 1e-9 * score.max(1.0), "{measure:?} {x:?}: {} {score}", found[x]);
        }
        assert!(ranking.is_sorted_by(|a, b| a.order(b).is_lt()), "{measure:?} is out of order");
    }

    proptest! {
        #[test]
        fn measures_match_naive_implementations(
            segments in prop::collection::vec(prop::collection::vec(0u16..3, 0..14), 1..6),
        ) {
            for measure in Measure::all() {
                check(&measure, &segments);
            }
            for aggregation in [Aggregation::Mean, Aggregation::Max, Aggregation::Sum] {
                check(&Measure::MultiProfile { windows: vec![2, 3], aggregation }, &segments);
            }
            check(&Measure::Profile { window: 2, theta: 1.5 }, &segments);
        }
    }

    #[test]
    fn the_top_of_a_ranking_does_not_depend_on_threads_or_list_length() {
        let segments: Vec<Vec<u16>> = (0..40u16).map(|i| (0..30).map(|j| (i * j * j + i / 3) % 5).collect()).collect();
        let text = GameText::of_symbols(&segments);
        for measure in Measure::all() {
            let rank = |top, n_threads| {
                measure.rank(&text, RankOptions { min_length: 2, top, tenuki: Tenuki::Exclude, n_threads })
            };
            let all = rank(10_000, 1);
            assert_eq!(rank(10_000, 4), all);
            assert_eq!(rank(7, 3), all[..7.min(all.len())]);
        }
    }
}
