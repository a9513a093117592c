//! Strings in the order of their scores.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use tejun_index::{Index, Substring, Symbol};

use crate::codes::TENUKI;
use crate::sequences::text::{GameText, Kind};

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
    LeftOut,
    /// May be inside.
    Inside,
}

/// A string that was found to be a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acquired {
    /// The string.
    pub string: Substring,
    /// How much it is a unit, in the measure's own terms.
    pub score: f64,
}

impl Acquired {
    /// Higher scores first, then the order of the text.
    pub(crate) fn order(&self, other: &Acquired) -> Ordering {
        let by_text = |a: &Acquired| (a.string.ranks().start, a.string.len());
        other.score.total_cmp(&self.score).then_with(|| by_text(self).cmp(&by_text(other)))
    }
}

/// Keeps the best strings seen, in memory for a few times as many.
pub(crate) struct Best<'i> {
    index: &'i Index,
    options: RankOptions,
    kept: Vec<Acquired>,
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
            self.kept.push(Acquired { string, score });
            if self.kept.len() >= 4 * self.options.top + 1024 {
                self.cut();
            }
        }
    }

    fn is_wanted(&self, string: Substring) -> bool {
        let last = (string.len() as usize).saturating_sub(1);
        let mut symbols = self.index.symbols(string).enumerate();
        match self.options.tenuki {
            Tenuki::LeftOut => symbols.all(|(_, symbol)| symbol != TENUKI),
            Tenuki::Inside => symbols.all(|(i, symbol)| symbol != TENUKI || (i > 0 && i < last)),
        }
    }

    pub(crate) fn join(&mut self, other: Best<'_>) {
        self.kept.extend(other.kept);
    }

    fn cut(&mut self) {
        let top = self.options.top;
        if self.kept.len() > top && top > 0 {
            self.kept.select_nth_unstable_by(top - 1, Acquired::order);
            self.kept.truncate(top);
            self.floor = self.kept[top - 1].score;
        }
    }

    pub(crate) fn into_sorted(mut self) -> Vec<Acquired> {
        self.cut();
        self.kept.sort_unstable_by(Acquired::order);
        self.kept.truncate(self.options.top);
        self.kept
    }
}

/// A move at least this far from the one before, in a string that is local otherwise, is elsewhere.
const FAR: u16 = 9;
/// Two strings may be one play if they differ by so many symbols at most.
const MAX_DIFFERENCE: usize = 2;

/// What part of the larger count the smaller one must be for two strings to be the same play.
struct Likeness {
    /// When both end with the same move.
    front: f64,
    /// When they do not; `None`: then they never are.
    back: Option<f64>,
}

impl Likeness {
    fn of(kind: Kind) -> Likeness {
        match kind {
            // What stands before a string may be from elsewhere.
            Kind::Whole => Likeness { front: 0.8, back: Some(0.8) },
            // What stands before it belongs to the fight, so the end alone tells which line it is.
            Kind::Local | Kind::Corner => Likeness { front: 0.2, back: None },
        }
    }
}

/// Of strings that say the same, keeps the best.
///
/// First, a local string with a move from elsewhere before or behind it gives
/// its place in the ranking to the local string. Then a string goes if one
/// before it has one or two symbols more or less and is played nearly as
/// often. How near was measured on 33,805 professional games: more of the
/// joseki were found at every rank than without (`docs/book/sequences.md`).
pub fn without_redundant(text: &GameText, ranking: &[Acquired], min_length: u32) -> Vec<Acquired> {
    let trimmed = without_far_ends(text, ranking, min_length);
    let likeness = Likeness::of(text.options().kind);
    let index = text.index();
    let mut kept: Vec<Acquired> = Vec::with_capacity(trimmed.len());
    // The kept strings and their parts, each with the number of the string it is part of.
    let mut whole: HashMap<Vec<Symbol>, usize> = HashMap::new();
    let mut parts: HashMap<(Vec<Symbol>, usize), usize> = HashMap::new();
    for acquired in trimmed {
        let symbols: Vec<Symbol> = index.symbols(acquired.string).collect();
        let is_same = |other: Option<&usize>, back_cut: usize| {
            let least = if back_cut == 0 { Some(likeness.front) } else { likeness.back };
            let ratio = |other: &usize| {
                let (a, b) = (acquired.string.count() as f64, kept[*other].string.count() as f64);
                a.min(b) / a.max(b)
            };
            least.zip(other.map(ratio)).is_some_and(|(least, ratio)| ratio >= least)
        };
        let is_redundant = cuts(symbols.len())
            .any(|(from, to)| is_same(whole.get(&symbols[from..to]), symbols.len() - to))
            || (0..=MAX_DIFFERENCE).any(|back_cut| is_same(parts.get(&(symbols.clone(), back_cut)), back_cut));
        if !is_redundant {
            for (from, to) in cuts(symbols.len()) {
                parts.entry((symbols[from..to].to_vec(), symbols.len() - to)).or_insert(kept.len());
            }
            whole.insert(symbols, kept.len());
            kept.push(acquired);
        }
    }
    kept
}

/// The parts of a string that are one or two symbols shorter.
fn cuts(length: usize) -> impl Iterator<Item = (usize, usize)> {
    let cuts = (1..=MAX_DIFFERENCE).filter(move |cut| length > *cut);
    cuts.flat_map(move |cut| (0..=cut).map(move |front| (front, length - (cut - front))))
}

/// Local strings in place of themselves with one or two moves from elsewhere at their ends.
fn without_far_ends(text: &GameText, ranking: &[Acquired], min_length: u32) -> Vec<Acquired> {
    let index = text.index();
    let is_far = |symbol: &Symbol| text.options().code.step_length(*symbol).is_none_or(|length| length >= FAR);
    let mut seen = HashSet::new();
    let mut result = Vec::with_capacity(ranking.len());
    for acquired in ranking {
        let symbols: Vec<Symbol> = index.symbols(acquired.string).collect();
        let n_before = symbols.iter().take_while(|s| is_far(s)).count();
        let n_behind = symbols[n_before..].iter().rev().take_while(|s| is_far(s)).count();
        let local = &symbols[n_before..symbols.len() - n_behind];
        let is_local = (1..=MAX_DIFFERENCE).contains(&(n_before + n_behind))
            && local.len() >= min_length as usize
            && !local.iter().any(is_far);
        let string = if is_local { index.find(local) } else { Some(acquired.string) };
        let string = string.expect("a part of a string occurs where the string does");
        if seen.insert((string.ranks().start, string.len())) {
            result.push(Acquired { string, score: acquired.score });
        }
    }
    result
}
