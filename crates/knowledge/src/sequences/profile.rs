//! The substring frequency profile of a game, and the mountains in it.

use std::collections::HashMap;
use std::ops::Range;

use tejun_games::GameRecord;
use tejun_games::go::{Board, Color};
use tejun_index::{SegmentId, Symbol};

use crate::codes::encode;
use crate::sequences::ranking::{Acquired, Best, RankOptions};
use crate::sequences::text::GameText;

/// A stretch of moves that is played as a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mountain {
    /// Its symbols within the segment.
    pub symbols: Range<usize>,
}

/// The mountains of a profile whose entry i is the frequency of the window that ends with symbol i.
///
/// One begins where the profile rises by the factor `theta` and ends at the
/// last symbol before it falls by it, or at the end. Before the first whole
/// window the profile is 0.
pub fn mountains(profile: &[u32], window: usize, theta: f64) -> Vec<Mountain> {
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
            found.push(Mountain { symbols: start + 1 - window..i + 1 });
            begin = None;
        }
    }
    found
}

/// The strings that are cut out most often.
pub(crate) fn cut_out_strings(text: &GameText, window: u32, theta: f64, options: RankOptions) -> Vec<Acquired> {
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
            if mountain.symbols.len() >= options.min_length as usize {
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
    /// The stretches that are played as units, as indices of moves.
    pub mountains: Vec<Range<usize>>,
    /// Moves from the start that were played before, in this order.
    pub n_known: usize,
    /// Games that began with those moves.
    pub n_alike: usize,
    /// Copies of the game in the collection; they do not count in the rest.
    pub n_copies: usize,
}

/// The profile of a game that may be in the collection or not.
pub fn profile_of(text: &GameText, record: &GameRecord, window: u32, theta: f64) -> GameProfile {
    let mut start = Board::new(record.size);
    for (color, stones) in [(Color::Black, &record.setup_black), (Color::White, &record.setup_white)] {
        // A record's setup stones were put on a board when it was read.
        for &point in stones {
            let _ = start.place(color, point);
        }
    }
    let segments = encode(text.options().code, &start, record.moves.iter().copied());
    let index = text.index();
    let n_copies = segments.iter().map(|segment| index.count(&segment.symbols)).min().unwrap_or(0);
    let width = window as usize;
    let mut profile =
        GameProfile { counts: vec![None; record.moves.len()], mountains: Vec::new(), n_known: 0, n_alike: 0, n_copies };
    for segment in &segments {
        let mut counts = vec![0; segment.symbols.len()];
        for (i, string) in segment.symbols.windows(width).enumerate() {
            let own = segment.symbols.windows(width).filter(|other| *other == string).count();
            let count = index.count(string).saturating_sub(n_copies * own);
            counts[i + width - 1] = count.min(u32::MAX as usize) as u32;
            profile.counts[segment.first_move + i + width - 1] = Some(count);
        }
        // What one other game has is no sequence yet.
        let is_repeated = |m: &Mountain| counts[m.symbols.clone()].iter().any(|&count| count > 1);
        let found = mountains(&counts, width, theta).into_iter().filter(is_repeated).map(|m| m.symbols);
        let shift = |symbols: Range<usize>| segment.first_move + symbols.start..segment.first_move + symbols.end;
        profile.mountains.extend(found.map(shift));
    }
    if let Some(segment) = segments.first().filter(|segment| segment.first_move == 0) {
        let starts = (1..=segment.symbols.len()).map(|n| (n, index.count(&segment.symbols[..n])));
        let known = starts.take_while(|(_, count)| *count > n_copies).last();
        (profile.n_known, profile.n_alike) = known.map_or((0, 0), |(n, count)| (n, count - n_copies));
    }
    profile
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
