//! How often patterns were played when they could have been (Araki and others 2007).

use std::sync::atomic::{AtomicU32, Ordering};

use tejun_games::Move;
use tejun_index::MappedArray;

use crate::corpus::GameTable;
use crate::patterns::dictionary::{KeyTable, harvest};
use crate::patterns::keys::PatternBoard;
use crate::patterns::matcher::Matcher;
use crate::predictor::for_each_situation;
use crate::threads::map_each;

/// For each slot of a table, how often its pattern was the largest known one of a move that was, or was not, played.
pub struct PatternCounts {
    counts: MappedArray<[u32; 2]>,
}

/// Counts that several threads add to at the same time.
pub(crate) struct PatternTally {
    counts: Vec<[AtomicU32; 2]>,
}

impl PatternTally {
    pub(crate) fn new(n_slots: usize) -> PatternTally {
        PatternTally { counts: (0..n_slots).map(|_| Default::default()).collect() }
    }

    /// Counts one more candidate whose largest known pattern is in this slot.
    #[inline]
    pub(crate) fn add(&self, slot: u32, is_played: bool) {
        self.counts[slot as usize][usize::from(!is_played)].fetch_add(1, Ordering::Relaxed);
    }

    /// Continues from earlier counts.
    pub(crate) fn of(counts: &[[u32; 2]]) -> PatternTally {
        PatternTally { counts: counts.iter().map(|count| count.map(AtomicU32::new)).collect() }
    }

    /// The counts so far.
    pub(crate) fn so_far(&self) -> Vec<[u32; 2]> {
        self.counts.iter().map(|[p, n]| [p.load(Ordering::Relaxed), n.load(Ordering::Relaxed)]).collect()
    }

    pub(crate) fn finish(self) -> PatternCounts {
        let counts = self.counts.into_iter().map(|[p, n]| [p.into_inner(), n.into_inner()]).collect::<Vec<_>>();
        PatternCounts { counts: counts.into() }
    }
}

impl PatternCounts {
    /// Counts over all legal moves of all positions.
    pub fn count(games: &GameTable, table: &KeyTable, n_threads: usize) -> PatternCounts {
        let tally = PatternTally::new(table.n_slots());
        let numbers: Vec<usize> = (0..games.n_games()).collect();
        map_each(&numbers, n_threads, |&game| {
            let mut matcher = Matcher::new(table, &games.board_before(game, 0));
            for_each_situation(games, game, |_, situation, played| {
                matcher.follow(situation);
                for (i, &point) in situation.legal.iter().enumerate() {
                    if let Some(&slot) = matcher.matched(situation.color, point).last() {
                        tally.add(slot, i == played);
                    }
                }
            });
        });
        tally.finish()
    }

    /// Wraps counts that were read from a file.
    pub(crate) fn of(counts: MappedArray<[u32; 2]>) -> PatternCounts {
        PatternCounts { counts }
    }

    /// The counts in their stored form.
    pub(crate) fn row(&self) -> &MappedArray<[u32; 2]> {
        &self.counts
    }

    /// How often the pattern in this slot was played, and how often it was not.
    pub fn of_slot(&self, slot: u32) -> [u32; 2] {
        self.counts[slot as usize]
    }

    /// The share of times it was played, smoothed towards one half (Laplace).
    pub fn score(&self, slot: u32) -> f64 {
        let [p, n] = self.of_slot(slot).map(f64::from);
        (p + 1.0) / (p + n + 2.0)
    }
}

/// The patterns of the first `n_templates` templates that were played at least twice.
pub fn harvest_patterns(games: &GameTable, n_templates: usize, n_threads: usize) -> KeyTable {
    let keys = harvest(games, n_templates, n_threads, |game, keys| {
        let mut patterns = PatternBoard::new(&games.board_before(game, 0));
        for Move { color, point } in games.moves(game) {
            if let Some(point) = point {
                keys.extend(patterns.keys(color, point).take(n_templates));
            }
            patterns.play(color, point);
        }
    });
    KeyTable::new(&keys)
}
