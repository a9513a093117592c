//! How good are mappings on held-out games?

use crate::corpus::GameTable;
use crate::tactics::discover::sample::{Choice, Draw, Selected, draw_choices, select};
use crate::tactics::eval::points::Points;
use crate::tactics::language::library::{Library, Named};
use crate::tactics::language::mapping::Mapping;

/// Sampled moves to measure mappings on.
pub struct Trial {
    choices: Vec<Choice>,
    n_threads: usize,
}

/// The points that a mapping selects, and how often one of them is played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// Number of moves tested.
    pub n_moves: usize,
    /// Number of these moves that the mapping selects.
    pub n_played: usize,
    /// Number of legal points that it selects, over all positions.
    pub n_selected: u64,
    /// Expected number of moves selected if every legal move were equally likely.
    pub n_by_chance: f64,
}

impl Measured {
    /// The share of all moves that it selects.
    pub fn coverage(&self) -> f64 {
        self.n_played as f64 / self.n_moves.max(1) as f64
    }

    /// The share of the selected points that are played.
    pub fn confidence(&self) -> f64 {
        self.n_played as f64 / self.n_selected.max(1) as f64
    }

    /// The number of moves selected, relative to a random selection.
    pub fn lift(&self) -> f64 {
        if self.n_played == 0 { 0.0 } else { self.n_played as f64 / self.n_by_chance }
    }

    /// Mean number of legal points that it selects per position.
    pub fn mean_points(&self) -> f64 {
        self.n_selected as f64 / self.n_moves.max(1) as f64
    }
}

impl Trial {
    /// Samples about `n_moves` moves from games.
    pub fn new(games: &GameTable, n_moves: usize, seed: u64, n_threads: usize) -> Trial {
        Trial { choices: draw_choices(games, Draw { n_choices: n_moves, seed, n_threads }, None), n_threads }
    }

    /// Measures mappings, in their order.
    pub fn measure(&self, mappings: &[Mapping]) -> Vec<Measured> {
        select(&self.choices, mappings, self.n_threads).iter().map(|selected| self.measured(selected)).collect()
    }

    fn measured(&self, selected: &Selected) -> Measured {
        Measured {
            n_moves: self.choices.len(),
            n_played: selected.column.iter().filter(|&word| word & 1 != 0).count(),
            n_selected: selected.n_legal,
            n_by_chance: selected.expected,
        }
    }

    /// Greedily chooses mappings that together select the most moves.
    ///
    /// Considers only mappings that select at most `max_points` points per position on average, and select moves at
    /// least twice as often as a random selection.
    pub fn cover(&self, mappings: &[Mapping], n_wanted: usize, max_points: f64) -> Vec<usize> {
        let selected = select(&self.choices, mappings, self.n_threads);
        let measured: Vec<Measured> = selected.iter().map(|selected| self.measured(selected)).collect();
        let is_good = |m: &Measured| m.mean_points() <= max_points && m.lift() >= LEAST_LIFT;
        let good: Vec<usize> = (0..mappings.len()).filter(|&i| is_good(&measured[i])).collect();
        let mut is_covered = vec![false; self.choices.len()];
        let mut cover: Vec<usize> = Vec::new();
        while cover.len() < n_wanted {
            let n_new = |i: usize| {
                let pairs = selected[i].column.iter().zip(&is_covered);
                pairs.filter(|(word, is_covered)| **word & 1 != 0 && !**is_covered).count()
            };
            let best = good.iter().map(|&i| (n_new(i), std::cmp::Reverse(i))).max();
            let Some((_, std::cmp::Reverse(best))) = best.filter(|best| best.0 > 0) else { break };
            mark(&mut is_covered, &selected[best].column);
            cover.push(best);
        }
        cover
    }

    /// The cumulative share of moves that the mappings select together.
    pub fn together(&self, mappings: &[Mapping]) -> Vec<f64> {
        let mut is_covered = vec![false; self.choices.len()];
        let selected = select(&self.choices, mappings, self.n_threads);
        let shares = selected.iter().map(|selected| {
            mark(&mut is_covered, &selected.column);
            is_covered.iter().filter(|is_covered| **is_covered).count() as f64 / self.choices.len().max(1) as f64
        });
        shares.collect()
    }

    /// For each mapping, the named mapping that selects the most similar legal points, and their similarity.
    ///
    /// The similarity is the number of points selected by both, divided by the number selected by either: 1 if they
    /// never differ.
    pub fn names<'l>(&self, mappings: &[Mapping], library: &'l Library) -> Vec<Option<(&'l Named, f64)>> {
        let named: Vec<&Named> = library.named().collect();
        let step = self.choices.len().div_ceil(N_COMPARED).max(1);
        let compared: Vec<&Choice> = self.choices.iter().step_by(step).collect();
        let values = |mapping: &Mapping| -> Vec<Points> {
            compared.iter().map(|choice| choice.position.value(mapping) & choice.legal).collect()
        };
        let known: Vec<Vec<Points>> = named.iter().map(|named| values(&named.mapping)).collect();
        let likeness = |a: &[Points], b: &[Points]| {
            let both: usize = a.iter().zip(b).map(|(a, b)| (*a & *b).len()).sum();
            let either: usize = a.iter().zip(b).map(|(a, b)| (*a | *b).len()).sum();
            both as f64 / either.max(1) as f64
        };
        let nearest = |mapping: &Mapping| {
            let own = values(mapping);
            // Of equal names, the first one wins: `max_by` returns the last of equal elements.
            let all = named.iter().zip(&known).rev().map(|(named, known)| (*named, likeness(&own, known)));
            all.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|nearest| nearest.1 > 0.0)
        };
        mappings.iter().map(nearest).collect()
    }
}

/// Marks the moves that a column selects.
fn mark(is_covered: &mut [bool], column: &[u32]) {
    is_covered.iter_mut().zip(column).for_each(|(is_covered, word)| *is_covered |= word & 1 != 0);
}

/// Number of positions on which mappings are compared with names.
const N_COMPARED: usize = 300;
/// Mappings with a lower lift are not used in a cover.
const LEAST_LIFT: f64 = 2.0;
