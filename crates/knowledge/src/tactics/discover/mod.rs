//! Which mappings predict moves? Tries many, and keeps those that help.

mod pool;
mod sample;
mod trial;
mod weights;

use std::collections::HashSet;
use std::sync::Arc;

use rand_mt::Mt64;
use xxhash_rust::xxh3::xxh3_64;

use crate::corpus::GameTable;
use crate::progress::Progress;
use crate::tactics::discover::pool::{LEAVES, enumerate, mutated};
pub use crate::tactics::discover::sample::Base;
use crate::tactics::discover::sample::{Choice, Column, Draw, Selected, draw_choices, select};
pub use crate::tactics::discover::trial::{Measured, Trial};
use crate::tactics::discover::weights::{Probabilities, fit};
use crate::tactics::eval::position::TacticPosition;
use crate::tactics::language::generate::below;
use crate::tactics::language::library::Library;
use crate::tactics::language::mapping::{Leaf, Mapping, SetOperator};
use crate::tactics::model::Weighted;
use crate::tactics::normal::simplify;
use crate::threads::map_each;

/// How many mappings to try and to keep.
#[derive(Clone, Debug)]
pub struct DiscoverOptions {
    /// Number of mappings to keep.
    pub n_mappings: usize,
    /// Number of moves to learn from.
    pub n_choices: usize,
    /// Number of mappings with few operators to start with.
    pub n_enumerated: usize,
    /// Number of random changes of good mappings to try after each selection.
    pub n_mutations: usize,
    /// Maximum depth of a mapping.
    pub max_depth: usize,
    /// Random seed for the sample of moves and for the changes.
    pub seed: u64,
    /// Number of threads; the result does not depend on it.
    pub n_threads: usize,
}

impl Default for DiscoverOptions {
    fn default() -> DiscoverOptions {
        DiscoverOptions {
            n_mappings: 200,
            n_choices: 20_000,
            n_enumerated: 6_000,
            n_mutations: 40,
            max_depth: 12,
            seed: 1,
            n_threads: 1,
        }
    }
}

/// Number of positions used to detect equal mappings.
const N_COMPARED_ON: usize = 48;
/// Number of mappings that new ones are joined with.
const N_PARTNERS: usize = 1_500;
/// Number of mappings whose gain is recomputed before one is kept.
const N_LOOKED_AT: usize = 40;
/// Minimum gain in nats over all moves; smaller gains may be random.
const LEAST_GAIN: f64 = 5.0;
/// Maximum number of operators and leaves of a mapping.
const MAX_SIZE: usize = 120;
/// Joined mappings are first screened on one of this many choices.
const SCREENED: usize = 4;
/// Number of joined mappings added to the pool each time.
const N_JOINED: usize = 12;
/// Number of moves for the final fit of the weights, per move of the search.
const N_TIMES_MORE: usize = 3;
/// Limits their number, to save memory, unless the search has more.
const MAX_FITTED: usize = 100_000;
/// Number of rounds over all weights at the end.
const N_FIT_ROUNDS: usize = 40;
/// Number of mappings kept before all gains are recomputed.
const N_AT_ONCE: usize = 4;

/// Indices by gain, largest first.
fn by_gain(gains: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..gains.len()).collect();
    order.sort_by(|&a, &b| gains[b].total_cmp(&gains[a]));
    order
}

/// The starting mappings: leaves, distances, lines, and all color-neutral names.
fn given(library: &Library, positions: &[TacticPosition]) -> Vec<Mapping> {
    let rings = (1..=6).flat_map(|n| ["LAST", "LAST2", "OWN", "OPP"].map(|of| format!("ring({n}, {of})")));
    let texts = rings.chain((1..=6).map(|n| format!("line({n})"))).chain(["near(2, EMPTY)".to_string()]);
    let built_in = texts.filter_map(|text| Library::standard().mapping(&text).ok());
    let named = library.named().map(|named| named.mapping.clone()).filter(|mapping| is_fair(mapping, positions));
    LEAVES.iter().map(|&leaf| leaf.into()).chain(named).chain(built_in).collect()
}

/// Whether a mapping means the same for both colors.
fn is_fair(mapping: &Mapping, positions: &[TacticPosition]) -> bool {
    let swapped = swapped_colors(mapping);
    swapped == *mapping || positions.iter().all(|position| position.value(mapping) == position.value(&swapped))
}

/// The mapping with Black and White exchanged.
fn swapped_colors(mapping: &Mapping) -> Mapping {
    let swapped = |part: &Arc<Mapping>| Arc::new(swapped_colors(part));
    match mapping {
        Mapping::Leaf(Leaf::Black) => Leaf::White.into(),
        Mapping::Leaf(Leaf::White) => Leaf::Black.into(),
        Mapping::Leaf(leaf) => (*leaf).into(),
        Mapping::Not(of) => Mapping::Not(swapped(of)),
        Mapping::Count(kind, n, of) => Mapping::Count(*kind, *n, swapped(of)),
        Mapping::Join(join, a, b) => Mapping::Join(*join, swapped(a), swapped(b)),
    }
}

/// A mapping and the points that it selects.
#[derive(Clone)]
struct Candidate {
    mapping: Mapping,
    column: Column,
}

/// A search in progress.
pub struct Search<'o> {
    options: &'o DiscoverOptions,
    choices: Vec<Choice>,
    /// Some of the sampled positions.
    positions: Vec<TacticPosition>,
    pool: Vec<Candidate>,
    known: HashSet<u64>,
    probabilities: Probabilities,
    kept: Vec<Candidate>,
    weights: Vec<f64>,
    random: Mt64,
}

impl<'o> Search<'o> {
    /// Samples moves and creates the first mappings.
    pub fn new(games: &GameTable, library: &Library, options: &'o DiscoverOptions, base: Base<'_>) -> Search<'o> {
        let draw = Draw { n_choices: options.n_choices, seed: options.seed, n_threads: options.n_threads };
        let choices = draw_choices(games, draw, base);
        let step = choices.len().div_ceil(N_COMPARED_ON).max(1);
        let positions: Vec<TacticPosition> = choices.iter().step_by(step).map(|c| c.position.clone()).collect();
        let mappings = enumerate(&positions, given(library, &positions), options.n_enumerated, options.max_depth);
        let probabilities = Probabilities::new(&choices, options.n_threads);
        let mut search = Search {
            options,
            choices,
            positions,
            pool: Vec::new(),
            known: HashSet::new(),
            probabilities,
            kept: Vec::new(),
            weights: Vec::new(),
            random: Mt64::new(options.seed),
        };
        search.add(mappings);
        search
    }

    /// The number of moves to learn from.
    pub fn n_choices(&self) -> usize {
        self.choices.len()
    }

    /// The number of different mappings tried.
    pub fn n_tried(&self) -> usize {
        self.known.len()
    }

    /// The number of mappings kept.
    pub fn n_kept(&self) -> usize {
        self.kept.len()
    }

    /// Keeps mappings that are known to help, for example from an earlier search.
    pub fn keep(&mut self, mappings: impl Iterator<Item = Mapping>) {
        let mappings: Vec<Mapping> = mappings.collect();
        let selected = select(&self.choices, &mappings, self.options.n_threads);
        for (mapping, Selected { column, .. }) in mappings.into_iter().zip(selected) {
            self.kept.push(Candidate { mapping, column });
            self.weights.push(0.0);
        }
        self.fit(N_FIT_ROUNDS);
    }

    /// The mean logarithm of the probability of the moves played.
    pub fn likelihood(&self) -> f64 {
        self.probabilities.likelihood()
    }

    /// The mappings kept so far, with their weights.
    pub fn kept(&self) -> impl Iterator<Item = (&Mapping, f64)> {
        self.kept.iter().map(|candidate| &candidate.mapping).zip(self.weights.iter().copied())
    }

    /// Computes columns and adds those that are new and select some points, but not all.
    fn add(&mut self, mappings: Vec<Mapping>) {
        let selected = select(&self.choices, &mappings, self.options.n_threads);
        for (mapping, Selected { column, .. }) in mappings.into_iter().zip(selected) {
            self.add_column(mapping, column);
        }
    }

    fn add_column(&mut self, mapping: Mapping, column: Column) {
        let n_points: u64 = column.iter().map(|word| u64::from(word.count_ones())).sum();
        let n_all: u64 = self.choices.iter().map(|choice| choice.points.len() as u64).sum();
        let least = (self.choices.len() / 2000).max(3) as u64;
        let bytes: Vec<u8> = column.iter().flat_map(|word| word.to_le_bytes()).collect();
        if n_points >= least && n_points + least <= n_all && self.known.insert(xxh3_64(&bytes)) {
            self.pool.push(Candidate { mapping, column });
        }
    }

    /// Keeps mappings until there are enough, none helps any more, or the work is cancelled.
    pub fn run(&mut self, progress: &dyn Progress) {
        progress.start("sets", Some(self.options.n_mappings as u64));
        progress.advance(self.n_kept() as u64);
        while self.n_kept() < self.options.n_mappings && !progress.is_cancelled() {
            let n_before = self.n_kept();
            if !self.step() {
                break;
            }
            progress.advance((self.n_kept() - n_before) as u64);
            progress.measured("nats per move", -self.likelihood());
        }
    }

    /// Keeps the most helpful mappings of the pool; false if none helps any more.
    pub fn step(&mut self) -> bool {
        let mut gains =
            map_each(&self.pool, self.options.n_threads, |candidate| self.probabilities.gain(&candidate.column));
        self.thin_out(&mut gains);
        let mut new = Vec::new();
        while new.len() < N_AT_ONCE && self.kept.len() < self.options.n_mappings {
            let Some(best) = self.most_helpful(&mut gains) else { break };
            gains[best] = 0.0;
            self.kept.push(self.pool[best].clone());
            self.weights.push(0.0);
            new.push(best);
            self.fit(2);
        }
        let partners: Vec<usize> = by_gain(&gains).into_iter().take(N_PARTNERS).collect();
        for &i in &new {
            self.join(i, &partners);
        }
        self.mutate();
        !new.is_empty()
    }

    /// The index in the pool of the mapping with the largest gain, if the gain is not just random.
    fn most_helpful(&self, gains: &mut [f64]) -> Option<usize> {
        // Gains fall when other mappings are kept; the first gain that does not fall wins.
        let mut best: Option<usize> = None;
        for i in by_gain(gains).into_iter().take(N_LOOKED_AT) {
            if best.is_some_and(|best| gains[best] >= gains[i]) {
                break;
            }
            gains[i] = self.probabilities.gain(&self.pool[i].column);
            if best.is_none_or(|best| gains[best] < gains[i]) {
                best = Some(i);
            }
        }
        best.filter(|&best| gains[best] > LEAST_GAIN)
    }

    fn fit(&mut self, n_rounds: usize) {
        let columns: Vec<&Column> = self.kept.iter().map(|candidate| &candidate.column).collect();
        fit(&mut self.probabilities, &columns, &mut self.weights, n_rounds);
    }

    fn is_allowed(&self, mapping: &Mapping) -> bool {
        mapping.depth() <= self.options.max_depth && mapping.size() <= MAX_SIZE
    }

    /// Drops the least helpful mappings, so that the pool does not grow.
    fn thin_out(&mut self, gains: &mut Vec<f64>) {
        let n_wanted = self.options.n_enumerated.max(N_PARTNERS);
        if self.pool.len() <= n_wanted + n_wanted / 8 {
            return;
        }
        let mut is_wanted = vec![false; self.pool.len()];
        by_gain(gains).into_iter().take(n_wanted).for_each(|i| is_wanted[i] = true);
        let mut wanted = is_wanted.iter();
        self.pool.retain(|_| *wanted.next().expect("one for each"));
        let mut wanted = is_wanted.iter();
        gains.retain(|_| *wanted.next().expect("one for each"));
    }

    /// Joins a mapping with others and adds the best to the pool.
    fn join(&mut self, kept: usize, partners: &[usize]) {
        const JOINS: [SetOperator; 3] = [SetOperator::And, SetOperator::Minus, SetOperator::Or];
        let own = &self.pool[kept];
        let tries: Vec<(usize, SetOperator)> = partners.iter().flat_map(|&i| JOINS.map(|join| (i, join))).collect();
        let joined = |(other, join): &(usize, SetOperator), n: usize| -> Column {
            let both = own.column[..n].iter().zip(&self.pool[*other].column);
            match join {
                SetOperator::And => both.map(|(a, b)| a & b).collect(),
                SetOperator::Or => both.map(|(a, b)| a | b).collect(),
                _ => both.map(|(a, b)| a & !b).collect(),
            }
        };
        // Some of the choices are enough to rule out bad mappings.
        let n_some = self.choices.len().div_ceil(SCREENED);
        let gains = map_each(&tries, self.options.n_threads, |tried| self.probabilities.gain(&joined(tried, n_some)));
        let mut added = Vec::new();
        for i in by_gain(&gains).into_iter().take(N_JOINED) {
            let (other, join) = tries[i];
            let mapping = own.mapping.clone().join(join, self.pool[other].mapping.clone());
            if self.is_allowed(&mapping) {
                added.push((mapping, joined(&tries[i], self.choices.len())));
            }
        }
        for (mapping, column) in added {
            self.add_column(mapping, column);
        }
    }

    fn mutate(&mut self) {
        let mut mutations = Vec::new();
        let others: Vec<Mapping> = self.pool.iter().take(400).map(|c| c.mapping.clone()).collect();
        if self.kept.is_empty() || others.is_empty() {
            return;
        }
        for _ in 0..self.options.n_mutations {
            let number = below(&mut self.random, self.kept.len());
            let changed = mutated(&self.kept[number].mapping, &others, &mut self.random);
            if self.is_allowed(&changed) && is_fair(&changed, &self.positions) {
                mutations.push(changed);
            }
        }
        self.add(mutations);
    }

    /// The kept mappings, with weights fitted again to other moves of these games.
    pub fn finish(self, games: &GameTable, base: Base<'_>) -> Vec<Weighted> {
        let mappings: Vec<Mapping> = self.kept.iter().map(|candidate| simplify(&candidate.mapping)).collect();
        let DiscoverOptions { n_choices, seed, n_threads, .. } = *self.options;
        let n_choices = (N_TIMES_MORE * n_choices).min(MAX_FITTED.max(n_choices));
        let draw = Draw { n_choices, seed: seed.wrapping_add(1), n_threads };
        let choices = draw_choices(games, draw, base);
        let selected = select(&choices, &mappings, n_threads);
        let columns: Vec<&Column> = selected.iter().map(|selected| &selected.column).collect();
        let mut weights = vec![0.0; mappings.len()];
        fit(&mut Probabilities::new(&choices, n_threads), &columns, &mut weights, N_FIT_ROUNDS);
        mappings.into_iter().zip(weights).map(|(mapping, weight)| Weighted { mapping, weight }).collect()
    }
}
