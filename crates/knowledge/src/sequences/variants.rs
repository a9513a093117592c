//! How well does a code distinguish shapes? Counts the shapes that share a string.

use tejun_games::go::Point;
use tejun_index::{Repeat, Repeats};

use crate::corpus::GameTable;
use crate::sequences::shape::shape_hash;
use crate::sequences::text::GameText;

/// The shapes represented by the strings of one length (the paper's Table 2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variants {
    /// Number of strings that occur at least twice.
    pub n_strings: u64,
    /// Number of their shapes in total.
    pub n_shapes: u64,
    /// The largest number of shapes of one string.
    pub max: usize,
}

impl Variants {
    /// Mean number of shapes per string.
    pub fn mean(&self) -> f64 {
        self.n_shapes as f64 / self.n_strings.max(1) as f64
    }

    fn add(&mut self, n_shapes: usize) {
        self.n_strings += 1;
        self.n_shapes += n_shapes as u64;
        self.max = self.max.max(n_shapes);
    }

    fn join(&mut self, other: &Variants) {
        self.n_strings += other.n_strings;
        self.n_shapes += other.n_shapes;
        self.max = self.max.max(other.max);
    }
}

/// For each length, the number of shapes that share a string, over strings that occur at least twice.
///
/// A shape consists of the string's own moves, up to symmetry and translation; the
/// move before them does not count.
pub fn variants(text: &GameText, table: &GameTable, lengths: &[u32], n_threads: usize) -> Vec<Variants> {
    let count = |part: Repeats<'_>| {
        let mut found = vec![Variants::default(); lengths.len()];
        let mut shapes = Vec::new();
        for repeat in part {
            for (variants, &length) in found.iter_mut().zip(lengths) {
                if repeat.lengths().contains(&length) {
                    variants.add(n_shapes(text, table, repeat, length, &mut shapes));
                }
            }
        }
        found
    };
    let count = &count;
    let parts = text.index().repeats_in_parts(n_threads.max(1));
    let found: Vec<Vec<Variants>> = std::thread::scope(|scope| {
        let handles: Vec<_> = parts.into_iter().map(|part| scope.spawn(move || count(part))).collect();
        handles.into_iter().map(|handle| handle.join().expect("counting does not panic")).collect()
    });
    let mut all = vec![Variants::default(); lengths.len()];
    for part in found {
        all.iter_mut().zip(&part).for_each(|(sum, variants)| sum.join(variants));
    }
    all
}

fn n_shapes(text: &GameText, table: &GameTable, repeat: Repeat, length: u32, shapes: &mut Vec<u64>) -> usize {
    let string = repeat.with_len(length).expect("the repeat has this length");
    shapes.clear();
    shapes.extend(text.occurrences(string).map(|occurrence| {
        let moves = text.move_indices(string, occurrence);
        let points: Vec<Point> = moves.filter_map(|index| table.move_at(occurrence.game, index)?.point).collect();
        shape_hash(&points)
    }));
    shapes.sort_unstable();
    shapes.dedup();
    shapes.len()
}
