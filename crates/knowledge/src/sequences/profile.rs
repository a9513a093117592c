//! The frequency profile of a game's substrings, and its peaks.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use tejun_games::GameRecord;
use tejun_games::go::{Board, Point};
use tejun_index::{SegmentId, Symbol};

use crate::codes::{Code, Segment, encode, encode_line};
use crate::sequences::ranking::{BestStrings, RankOptions, RankedString};
use crate::sequences::text::{GameText, TextOptions};

/// A run of symbols that is played as a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Peak {
    /// The symbols, as indices in the segment.
    pub(crate) symbols: Range<usize>,
}

/// The peaks of a profile whose entry i is the frequency of the window that ends with symbol i.
///
/// A peak begins where the profile rises by the factor `theta`, and ends at the last
/// symbol before it falls by `theta`, or at the end of the profile. Before the first
/// whole window, the profile is 0.
pub(crate) fn peaks(profile: &[u32], window: usize, theta: f64) -> Vec<Peak> {
    let mut found = Vec::new();
    let mut begin = None;
    for i in 0..profile.len() {
        let here = profile[i] as f64;
        let before = if i > 0 { profile[i - 1] as f64 } else { 0.0 };
        if begin.is_none() && i + 1 >= window && here > 0.0 && here >= theta * before {
            begin = Some(i);
        }
        let after = profile.get(i + 1).map_or(0.0, |&f| f as f64);
        if let Some(start) = begin
            && (after * theta <= here || i + 1 == profile.len())
        {
            found.push(Peak { symbols: start + 1 - window..i + 1 });
            begin = None;
        }
    }
    found
}

/// The strings that are extracted most often.
pub(crate) fn extracted_strings(text: &GameText, window: u32, theta: f64, options: RankOptions) -> Vec<RankedString> {
    let index = text.index();
    let counts = index.window_counts(window);
    let mut extracted: HashMap<Vec<Symbol>, u32> = HashMap::new();
    let mut profile = Vec::new();
    for segment in 0..index.text().n_segments() {
        let Some(positions) = index.text().segment_positions(SegmentId(segment as u32)) else { continue };
        profile.clear();
        profile.extend(positions.clone().map(|position| {
            let start = (position + 1).checked_sub(window as usize).filter(|&start| start >= positions.start);
            start.map_or(0, |start| counts[start])
        }));
        for peak in peaks(&profile, window as usize, theta) {
            // A string is at most as frequent as its windows, and most windows occur only once.
            let is_repeated = profile[peak.symbols.start + window as usize - 1] > 1;
            if is_repeated && peak.symbols.len() >= options.min_length as usize {
                let start = positions.start;
                let symbols = peak.symbols.clone().filter_map(|i| index.text().symbol_at(start + i));
                *extracted.entry(symbols.collect()).or_default() += 1;
            }
        }
    }
    let mut best = BestStrings::new(index, options);
    for (symbols, count) in extracted {
        if let Some(string) = index.find(&symbols).filter(|string| string.count() >= 2) {
            best.add(string, count as f64);
        }
    }
    best.into_sorted()
}

/// A game compared with a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameProfile {
    /// For every move of the game, how often the window that ends with it occurs; `None` where no window ends.
    pub counts: Vec<Option<usize>>,
    /// The spans that are played as units.
    pub stretches: Vec<KnownSpan>,
    /// Where the game leaves known play.
    pub novelty: Novelty,
    /// Number of copies of the game in the collection; they are excluded from all counts.
    pub n_copies: usize,
}

/// A span of moves that is played as a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSpan {
    /// The indices of the moves.
    pub moves: Range<usize>,
    /// Frequency of its most frequent window.
    pub most_played: usize,
}

/// Where a game leaves known play, counted from the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Novelty {
    /// The moves before this index are known, and this move is new.
    New {
        /// Number of known moves.
        n_known: usize,
        /// Number of games that begin with them.
        n_alike: usize,
    },
    /// All moves are known.
    None {
        /// Number of games that begin with them.
        n_alike: usize,
    },
    /// Nothing to compare with: the game has setup stones, or the known moves are followed
    /// by a pass or by a second move of one side.
    Unknown {
        /// Number of known moves.
        n_known: usize,
    },
}

/// The profile of a game, which may be in the collection or not.
pub fn profile_of(text: &GameText, record: &GameRecord, window: u32, theta: f64) -> GameProfile {
    let options = text.options();
    // A profile needs the whole text, whose codes do not depend on the board.
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
        for Peak { symbols } in peaks(&found, width, theta) {
            let inside = &found[symbols.start + width - 1..symbols.end];
            let most_played = inside.iter().copied().max().unwrap_or(0) as usize;
            // A single other game does not make a sequence.
            if most_played > 1 {
                let moves = segment.first_move + symbols.start..segment.first_move + symbols.end;
                stretches.push(KnownSpan { moves, most_played });
            }
        }
    }
    GameProfile { counts, stretches, novelty: novelty(text, record, n_copies), n_copies }
}

/// The number of games in the collection with exactly these segments.
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

/// For every symbol, the frequency of the window that ends with it, excluding copies of the game.
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
    // The first move on a diagonal does not determine the axes, so one beginning may have several strings.
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
    fn peaks_have_steep_sides() {
        let profile = [0, 0, 3, 40, 38, 35, 2, 1, 1, 10, 10];
        let found = peaks(&profile, 3, 2.0);
        let ranges: Vec<Range<usize>> = found.into_iter().map(|m| m.symbols).collect();
        assert_eq!(ranges, [0..6, 7..11]);
    }
}
