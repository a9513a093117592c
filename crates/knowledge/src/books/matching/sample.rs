//! The exact result checked by drawing games.

use std::collections::{HashMap, HashSet};

use crate::books::matching::{Chain, GameRules, Match, Repetition};

/// How far drawn games are from the exact result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleCheck {
    /// Games drawn.
    pub n_games: u64,
    /// Different leaving positions among them.
    pub n_leaving: usize,
    /// Games that went on for longer than the limit.
    pub n_unfinished: u64,
    /// Half the sum of differences of frequency and probability.
    pub total_variation: f64,
    /// What that half sum is to be expected from drawing alone.
    pub expected_variation: f64,
    /// Pearson's chi-squared over positions that are expected at least five times, the rest in one class.
    pub chi_squared: f64,
    /// Its degrees of freedom.
    pub n_degrees: usize,
    /// How many standard deviations chi-squared is from its expectation.
    pub deviation: f64,
    /// The mean number of plies of the drawn games that ended.
    pub mean_plies: f64,
}

/// Plies after which a drawn game is given up.
const N_PLIES: u32 = 20_000;

/// Draws games of a match by its rules and compares where they leave.
pub fn sample_check(played: &Match, n_games: u64, seed: u64) -> SampleCheck {
    let mut random = seed;
    let mut counts: HashMap<u32, u64> = HashMap::new();
    let (mut n_unfinished, mut n_plies) = (0, 0u64);
    for _ in 0..n_games {
        let (node, ply) = drawn_game(played, &mut random);
        match node {
            Some(node) => {
                *counts.entry(node).or_insert(0) += 1;
                n_plies += u64::from(ply);
            }
            None => n_unfinished += 1,
        }
    }
    let n = n_games as f64;
    let mut check = Sums::default();
    for position in &played.leaving {
        let seen = counts.get(&position.node).copied().unwrap_or(0) as f64;
        check.add(seen, n * position.probability, n);
    }
    // What the exact result does not have counts against it.
    let known: HashSet<u32> = played.leaving.iter().map(|leaving| leaving.node).collect();
    let unknown = counts.iter().filter(|(node, _)| !known.contains(node)).map(|(_, n)| *n as f64).sum::<f64>();
    check.add(unknown + n_unfinished as f64, n * played.unplaced, n);
    check.close();
    let n_degrees = check.n_classes.saturating_sub(1);
    let spread = (2.0 * n_degrees.max(1) as f64).sqrt();
    SampleCheck {
        n_games,
        n_leaving: counts.len(),
        n_unfinished,
        total_variation: check.difference / (2.0 * n),
        expected_variation: check.expected_difference / (2.0 * n),
        chi_squared: check.chi_squared,
        n_degrees,
        deviation: (check.chi_squared - n_degrees as f64) / spread,
        mean_plies: n_plies as f64 / (n_games - n_unfinished).max(1) as f64,
    }
}

/// Where a sampled game leaves, unless it takes too long, and its plies.
fn drawn_game(played: &Match, random: &mut u64) -> (Option<u32>, u32) {
    let GameRules { first, max_plies, repetition } = played.rules;
    let (mut node, mut side) = (0, first);
    let mut been = HashSet::from([node]);
    for ply in 0..N_PLIES {
        let is_over = max_plies[side.index()].is_some_and(|last| ply >= last);
        if is_over || played.chain.is_leaving(node) {
            return (Some(node), ply);
        }
        node = draw(&played.chain, node, random);
        side = side.opponent();
        if repetition == Repetition::Leaves && !been.insert(node) {
            return (Some(node), ply + 1);
        }
    }
    (None, N_PLIES)
}

#[derive(Default)]
struct Sums {
    chi_squared: f64,
    n_classes: usize,
    difference: f64,
    expected_difference: f64,
    rare: (f64, f64),
}

impl Sums {
    fn add(&mut self, seen: f64, expected: f64, n: f64) {
        self.difference += (seen - expected).abs();
        // The mean distance of such a number from its mean: if rare, Poisson's; else by its normal neighbor.
        self.expected_difference += if expected < 1.0 {
            2.0 * expected * (-expected).exp()
        } else {
            (2.0 * expected * (1.0 - expected / n).max(0.0) / std::f64::consts::PI).sqrt()
        };
        if expected >= 5.0 {
            self.chi_squared += (seen - expected).powi(2) / expected;
            self.n_classes += 1;
        } else {
            self.rare.0 += seen;
            self.rare.1 += expected;
        }
    }

    fn close(&mut self) {
        let (seen, expected) = self.rare;
        if expected >= 5.0 {
            self.chi_squared += (seen - expected).powi(2) / expected;
            self.n_classes += 1;
        }
    }
}

/// A step drawn by its probability.
fn draw(chain: &Chain, node: u32, random: &mut u64) -> u32 {
    let steps = chain.steps(node);
    let mut rest = uniform(random);
    for step in steps {
        rest -= step.probability;
        if rest < 0.0 {
            return step.to;
        }
    }
    // Probabilities may add up to a little less than 1.
    steps.last().map_or(node, |step| step.to)
}

/// The next number of SplitMix64 (Steele, Lea and Flood 2014), from 0 to 1.
pub(crate) fn uniform(random: &mut u64) -> f64 {
    *random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *random;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}
