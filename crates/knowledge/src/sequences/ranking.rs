//! Strings in the order of their scores.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use tejun_index::{Index, Substring, Symbol};

use crate::codes::TENUKI;
use crate::sequences::text::{GameText, TextScope};

/// Which strings to rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankOptions {
    /// Symbols of the shortest.
    pub min_length: u32,
    /// How many to keep.
    pub top: usize,
    /// What to do with strings of local texts in which a side played elsewhere.
    pub tenuki: Tenuki,
    /// Threads to work with; the ranking does not depend on it.
    pub n_threads: usize,
}

/// Whether a string may have a play elsewhere in it; none begins or ends with one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tenuki {
    /// Left out.
    Exclude,
    /// May be inside.
    Allow,
}

/// A string that was found to be a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedString {
    /// The string.
    pub string: Substring,
    /// How much it is a unit, in the measure's own terms.
    pub score: f64,
}

impl RankedString {
    /// Higher scores first, then the order of the text.
    pub(crate) fn order(&self, other: &RankedString) -> Ordering {
        let by_text = |a: &RankedString| (a.string.ranks().start, a.string.len());
        other.score.total_cmp(&self.score).then_with(|| by_text(self).cmp(&by_text(other)))
    }
}

/// Keeps the best strings seen, in memory for a few times as many.
pub(crate) struct Best<'i> {
    index: &'i Index,
    options: RankOptions,
    kept: Vec<RankedString>,
    /// What is below it can't be among the best.
    floor: f64,
}

impl Best<'_> {
    pub(crate) fn new(index: &Index, options: RankOptions) -> Best<'_> {
        Best { index, options, kept: Vec::new(), floor: 0.0 }
    }

    #[inline]
    pub(crate) fn add(&mut self, string: Substring, score: f64) {
        if score > 0.0 && score >= self.floor && self.is_wanted(string) {
            self.kept.push(RankedString { string, score });
            if self.kept.len() >= self.options.top.saturating_mul(4).saturating_add(1024) {
                self.cut();
            }
        }
    }

    fn is_wanted(&self, string: Substring) -> bool {
        let last = (string.len() as usize).saturating_sub(1);
        let mut symbols = self.index.symbols(string).enumerate();
        match self.options.tenuki {
            Tenuki::Exclude => symbols.all(|(_, symbol)| symbol != TENUKI),
            Tenuki::Allow => symbols.all(|(i, symbol)| symbol != TENUKI || (i > 0 && i < last)),
        }
    }

    pub(crate) fn join(&mut self, other: Best<'_>) {
        self.kept.extend(other.kept);
    }

    fn cut(&mut self) {
        let top = self.options.top;
        if self.kept.len() > top && top > 0 {
            self.kept.select_nth_unstable_by(top - 1, RankedString::order);
            self.kept.truncate(top);
            self.floor = self.kept[top - 1].score;
        }
    }

    pub(crate) fn into_sorted(mut self) -> Vec<RankedString> {
        self.cut();
        self.kept.sort_unstable_by(RankedString::order);
        self.kept.truncate(self.options.top);
        self.kept
    }
}

/// A move at least this far from the one before, in a string that is local otherwise, is elsewhere.
const FAR: u16 = 9;
/// Symbols at the ends in which two strings may differ and still be one play.
const MAX_CUT: usize = 2;

/// When two strings are the same play: they share a core and are played nearly as often.
struct Likeness {
    /// What part of the larger count the smaller one must be.
    ratio: f64,
    /// Symbols that may be cut from the end for a core; from the front, and in all, it is two.
    max_behind: usize,
}

impl Likeness {
    fn of(scope: TextScope) -> Likeness {
        match scope {
            // What stands before a string may be from elsewhere.
            TextScope::Whole => Likeness { ratio: 0.8, max_behind: MAX_CUT },
            // What stands before it belongs to the fight, so the end alone tells which line it is.
            TextScope::Local | TextScope::Corner => Likeness { ratio: 0.2, max_behind: 0 },
        }
    }

    /// The string itself, and without its first or last symbols.
    fn cores(&self, length: usize) -> impl Iterator<Item = Range<usize>> {
        let cuts = (0..=MAX_CUT).flat_map(|front| (0..=MAX_CUT - front).map(move |behind| (front, behind)));
        let max_behind = self.max_behind;
        let cuts = cuts.filter(move |(front, behind)| *behind <= max_behind && front + behind < length);
        cuts.map(move |(front, behind)| front..length - behind)
    }
}

/// Of strings that say the same, keeps the best.
///
/// First, a local string with a move from elsewhere before or behind it gives
/// its place in the ranking to the local string. Then a string goes if it
/// shares a core, which is a string without two symbols at most, with one
/// before it, and the best of those is played nearly as often. How near was measured on 33,805 professional games: more of the
/// joseki were found at every rank than without (`docs/book/sequences.md`).
pub fn without_redundant(text: &GameText, ranking: &[RankedString], min_length: u32) -> Vec<RankedString> {
    let likeness = Likeness::of(text.options().scope);
    let index = text.index();
    let mut kept: Vec<RankedString> = Vec::with_capacity(ranking.len());
    // For every core the count of the best string that has it. With those of all kept strings, more
    // would go, but at rank 25,000 fewer joseki were found than without any of this.
    let mut counts: HashMap<Vec<Symbol>, usize> = HashMap::new();
    for ranked in without_far_ends(text, ranking, min_length) {
        let symbols: Vec<Symbol> = index.symbols(ranked.string).collect();
        let count = ranked.string.count();
        let is_as_frequent = |other: &usize| count.min(*other) as f64 >= likeness.ratio * count.max(*other) as f64;
        if !likeness.cores(symbols.len()).any(|core| counts.get(&symbols[core]).is_some_and(is_as_frequent)) {
            for core in likeness.cores(symbols.len()) {
                counts.entry(symbols[core].to_vec()).or_insert(count);
            }
            kept.push(ranked);
        }
    }
    kept
}

/// Local strings in place of themselves with one or two moves from elsewhere at their ends.
fn without_far_ends(text: &GameText, ranking: &[RankedString], min_length: u32) -> Vec<RankedString> {
    let index = text.index();
    let is_far = |symbol: &Symbol| text.options().code.step_length(*symbol).is_none_or(|length| length >= FAR);
    let mut seen = HashSet::new();
    let mut result = Vec::with_capacity(ranking.len());
    for ranked in ranking {
        let symbols: Vec<Symbol> = index.symbols(ranked.string).collect();
        let n_before = symbols.iter().take_while(|s| is_far(s)).count();
        let n_behind = symbols[n_before..].iter().rev().take_while(|s| is_far(s)).count();
        let local = &symbols[n_before..symbols.len() - n_behind];
        let is_local = (1..=MAX_CUT).contains(&(n_before + n_behind))
            && local.len() >= min_length as usize
            && !local.iter().any(is_far);
        let string = if is_local { index.find(local) } else { Some(ranked.string) };
        let string = string.expect("a part of a string occurs where the string does");
        if seen.insert((string.ranks().start, string.len())) {
            result.push(RankedString { string, score: ranked.score });
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of the relative code that are near, and one that is far.
    const NEAR: [u16; 7] = [1200, 1201, 1202, 1203, 1204, 1205, 1206];
    const FAR_STEP: u16 = 0;

    fn kept(segments: &[Vec<u16>], ranking: &[&[u16]]) -> Vec<Vec<u16>> {
        let text = GameText::of_symbols(segments);
        let ranked = |symbols: &&[u16]| {
            let symbols: Vec<Symbol> = symbols.iter().copied().map(Symbol).collect();
            RankedString { string: text.index().find(&symbols).expect("a part of the text"), score: 1.0 }
        };
        let ranking: Vec<RankedString> = ranking.iter().map(ranked).collect();
        let distinct = without_redundant(&text, &ranking, 5);
        distinct.iter().map(|a| text.index().symbols(a.string).map(|s| s.0).collect()).collect()
    }

    #[test]
    fn of_overlapping_strings_as_frequent_the_best_stays() {
        let mut segments = vec![NEAR[..6].to_vec(); 10];
        segments.extend(vec![NEAR[1..].to_vec(); 3]);
        // The last is played three times only, so it is another play than what it overlaps.
        let ranking = [&NEAR[..6], &NEAR[..5], &NEAR[1..]];
        assert_eq!(kept(&segments, &ranking), [&NEAR[..6], &NEAR[1..]]);
    }

    #[test]
    fn a_move_from_elsewhere_is_cut_off() {
        let with_far = [&[FAR_STEP][..], &NEAR].concat();
        let segments = vec![with_far.clone(); 2];
        assert_eq!(kept(&segments, &[&with_far, &NEAR]), [NEAR.to_vec()]);
        // What would be too short without it stays as it is.
        assert_eq!(kept(&segments, &[&with_far[..5]]), [with_far[..5].to_vec()]);
    }
}
