//! The substring frequency profile of a game, and the mountains in it.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use tejun_games::GameRecord;
use tejun_games::go::{Board, Point};
use tejun_index::{SegmentId, Symbol};

use crate::codes::{Code, Segment, encode, encode_line};
use crate::sequences::ranking::{Best, RankOptions, RankedString};
use crate::sequences::text::{GameText, TextOptions};

/// A stretch of moves that is played as a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Peak {
    /// Its symbols within the segment.
    pub(crate) symbols: Range<usize>,
}

/// The mountains of a profile whose entry i is the frequency of the window that ends with symbol i.
///
/// One begins where the profile rises by the factor `theta` and ends at the
/// last symbol before it falls by it, or at the end. Before the first whole
/// window the profile is 0.
pub(crate) fn mountains(profile: &[u32], window: usize, theta: f64) -> Vec<Peak> {
    let mut found = Vec::new();
    let mut begin = None;
    for i in 0..profile.len() {
        let here = profile[i] as f64;
        let before = if i > 0 { profile[i - 1] as f64 } else { 0.0 };
        if begin.is_none() && i + 1 >= window && here > 0.0 && here >= theta * before {
            begin = Some(i);
        }
        let behind = profile.get(i + 1).map_or(0.0, |&f| f as f64);
        if let Some(start) = begin
            && (behind * theta <= here || i + 1 == profile.len())
        {
            found.push(Peak { symbols: start + 1 - window..i + 1 });
            begin = None;
        }
    }
    found
}

/// The strings that are cut out most often.
pub(crate) fn cut_out_strings(text: &GameText, window: u32, theta: f64, options: RankOptions) -> Vec<RankedString> {
    let index = text.index();
    let counts = index.window_counts(window);
    let mut cut_out: HashMap<Vec<Symbol>, u32> = HashMap::new();
    let mut profile = Vec::new();
    for segment in 0..index.text().n_segments() {
        let Some(positions) = index.text().segment_positions(SegmentId(segment as u32)) else { continue };
        profile.clear();
        profile.extend(positions.clone().map(|position| {
            let start = (position + 1).checked_sub(window as usize).filter(|&start| start >= positions.start);
            start.map_or(0, |start| counts[start])
        }));
        for mountain in mountains(&profile, window as usize, theta) {
            // A string is no more frequent than its windows, and those played once are by far the most.
            let is_repeated = profile[mountain.symbols.start + window as usize - 1] > 1;
            if is_repeated && mountain.symbols.len() >= options.min_length as usize {
                let start = positions.start;
                let symbols = mountain.symbols.clone().filter_map(|i| index.text().symbol_at(start + i));
                *cut_out.entry(symbols.collect()).or_default() += 1;
            }
        }
    }
    let mut best = Best::new(index, options);
    for (symbols, count) in cut_out {
        if let Some(string) = index.find(&symbols).filter(|string| string.count() >= 2) {
            best.add(string, count as f64);
        }
    }
    best.into_sorted()
}

/// A game against a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameProfile {
    /// For every move of the game, how often the window that ends with it was played; `None` where none ends.
    pub counts: Vec<Option<usize>>,
    /// The stretches that are played as units.
    pub stretches: Vec<KnownSpan>,
    /// Where the game leaves what was played before.
    pub novelty: Novelty,
    /// Copies of the game in the collection; they do not count in the rest.
    pub n_copies: usize,
}

/// Moves of a game that are played as a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSpan {
    /// The indices of the moves.
    pub moves: Range<usize>,
    /// Times that its most frequent window was played.
    pub most_played: usize,
}

/// Where a game leaves what was played before, from the first move on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Novelty {
    /// The moves before this index were played before, in so many games; the move was not.
    New {
        /// Moves that were played before.
        n_known: usize,
        /// Games that began with them.
        n_alike: usize,
    },
    /// All moves were played before.
    None {
        /// Games that began with them.
        n_alike: usize,
    },
    /// There is nothing to compare with: stones were set up, or what is left
    /// comes behind a pass or a second move of one side at this index.
    Unknown {
        /// Moves that were played before.
        n_known: usize,
    },
}

/// The profile of a game that may be in the collection or not.
pub fn profile_of(text: &GameText, record: &GameRecord, window: u32, theta: f64) -> GameProfile {
    let options = text.options();
    // A profile is of the whole text, whose codes do not look at the board.
    let segments = encode(options.code, &Board::new(record.size), record.moves.iter().copied());
    let n_copies = n_copies(text, &segments);
    let mut counts = vec![None; record.moves.len()];
    let mut stretches = Vec::new();
    let width = window as usize;
    for segment in &segments {
        let found = window_counts(text, segment, width, n_copies);
        for (i, &count) in found.iter().enumerate().skip(width - 1) {
            counts[segment.first_move + i] = Some(count as usize);
        }
        for Peak { symbols } in mountains(&found, width, theta) {
            let inside = &found[symbols.start + width - 1..symbols.end];
            let most_played = inside.iter().copied().max().unwrap_or(0) as usize;
            // What one other game has is no sequence yet.
            if most_played > 1 {
                let moves = segment.first_move + symbols.start..segment.first_move + symbols.end;
                stretches.push(KnownSpan { moves, most_played });
            }
        }
    }
    GameProfile { counts, stretches, novelty: novelty(text, record, n_copies), n_copies }
}

/// Games of the collection with just these segments.
fn n_copies(text: &GameText, segments: &[Segment]) -> usize {
    let games_with = |segment: &Segment| -> BTreeSet<usize> {
        let Some(string) = text.index().find(&segment.symbols) else { return BTreeSet::new() };
        let is_whole = |position: usize| {
            let place = text.index().text().place(position);
            let whole = place.and_then(|place| text.index().text().segment_positions(place.segment));
            whole.is_some_and(|whole| whole.start == position && whole.len() == segment.symbols.len())
        };
        text.occurrences(string).filter(|o| is_whole(o.position)).map(|o| o.game).collect()
    };
    let common = segments.iter().map(games_with).reduce(|a, b| a.intersection(&b).copied().collect());
    common.map_or(0, |games| games.len())
}

/// For every symbol how often the window that ends with it was played, apart from the game's copies.
fn window_counts(text: &GameText, segment: &Segment, width: usize, n_copies: usize) -> Vec<u32> {
    let mut own: HashMap<&[Symbol], usize> = HashMap::new();
    segment.symbols.windows(width).for_each(|window| *own.entry(window).or_default() += 1);
    let mut counts = vec![0; segment.symbols.len()];
    for (i, window) in segment.symbols.windows(width).enumerate() {
        let count = text.index().count(window).saturating_sub(n_copies * own[window]);
        counts[i + width - 1] = count.min(u32::MAX as usize) as u32;
    }
    counts
}

fn novelty(text: &GameText, record: &GameRecord, n_copies: usize) -> Novelty {
    let is_set_up = !record.setup_black.is_empty() || !record.setup_white.is_empty();
    let in_turn = record.moves.iter().scan(None, |last, m| {
        let is_next = *last != Some(m.color);
        *last = Some(m.color);
        m.point.filter(|_| is_next)
    });
    let line: Vec<Point> = if is_set_up { Vec::new() } else { in_turn.collect() };
    let TextOptions { code, size, .. } = text.options();
    let Some(&first) = line.first() else { return Novelty::Unknown { n_known: 0 } };
    // On a diagonal the first move leaves the axes open, so one beginning may have several strings.
    let strings: Vec<Vec<Symbol>> = encode_line(code, size, &line)
        .into_iter()
        .map(|rest| std::iter::once(Code::first_symbol(first, size)).chain(rest).collect())
        .collect();
    let n_games = |n_moves: usize| {
        let beginnings: BTreeSet<&[Symbol]> = strings.iter().map(|string| &string[..n_moves]).collect();
        let n: usize = beginnings.iter().map(|beginning| text.index().count(beginning)).sum();
        n.saturating_sub(n_copies)
    };
    let known = (1..=line.len()).map(|n| (n, n_games(n))).take_while(|(_, n_games)| *n_games > 0).last();
    let (n_known, n_alike) = known.unwrap_or((0, 0));
    match n_known {
        n if n < line.len() => Novelty::New { n_known, n_alike },
        n if n == record.moves.len() => Novelty::None { n_alike },
        _ => Novelty::Unknown { n_known },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mountains_have_steep_sides() {
        let profile = [0, 0, 3, 40, 38, 35, 2, 1, 1, 10, 10];
        let found = mountains(&profile, 3, 2.0);
        let ranges: Vec<Range<usize>> = found.into_iter().map(|m| m.symbols).collect();
        assert_eq!(ranges, [0..6, 7..11]);
    }
}
