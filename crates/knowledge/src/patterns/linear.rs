//! A linear model: the score of a move is the sum of the weights of its features.
//!
//! The generalized Bradley-Terry model of Coulom (2007): the probability of a move is the softmax of its score over
//! all legal moves. The weights are not learned by minorization but by gradient descent (Adagrad, Duchi and others
//! 2011) in one pass over the games, so that the number of patterns can be large.

use tejun_games::Move;
use tejun_games::go::{Board, Color, Point};

use crate::corpus::GameTable;
use crate::patterns::counts::PatternTally;
use crate::patterns::dictionary::{KeyTable, harvest};
use crate::patterns::feature_group::FeatureGroup;
use crate::patterns::features::{ABSENT, DEPTH, N_SHAPES, N_SMALL, N_SMALL_FEATURES, Scene};
use crate::patterns::keys::PatternBoard;
use crate::patterns::matcher::Matcher;
use crate::patterns::template::N_TEMPLATES;
use crate::predictor::{Situation, for_each_situation};
use crate::progress::Progress;
use crate::threads::map_each;

/// Learning rate of the first steps.
const RATE: f32 = 0.1;
/// Number of games whose gradients are computed before their steps are taken.
const BATCH: usize = 8;
/// Gradients below this size are ignored.
const LEAST_SLOPE: f32 = 1e-3;

/// An index into all weights: first the small features, then the slots of the dictionary.
pub(crate) type Feature = u32;

/// The weights of all features.
pub(crate) struct Weights {
    /// The weights of patterns and shapes.
    pub(crate) table: KeyTable,
    /// The weights of the small features.
    pub(crate) small: Vec<f32>,
}

impl Weights {
    /// The weight of a feature.
    #[inline]
    pub(crate) fn of(&self, feature: Feature) -> f32 {
        match feature.checked_sub(N_SMALL as u32) {
            Some(slot) => self.table.weight(slot),
            None => self.small[feature as usize],
        }
    }

    fn set(&mut self, feature: Feature, weight: f32) {
        match feature.checked_sub(N_SMALL as u32) {
            Some(slot) => self.table.set_weight(slot, weight),
            None => self.small[feature as usize] = weight,
        }
    }
}

/// The features of all candidates of a position.
#[derive(Default)]
pub(crate) struct FeatureLists {
    features: Vec<Feature>,
    /// Where the features of each candidate start, and the end of the last.
    starts: Vec<u32>,
}

impl FeatureLists {
    /// Number of features before the templates in each list: small ones, the number of templates, shapes.
    pub(crate) const N_FIXED: usize = N_SMALL_FEATURES + 1 + N_SHAPES;

    /// The features of a candidate: the fixed ones, then its templates, smallest first.
    #[inline]
    pub(crate) fn of(&self, candidate: usize) -> &[Feature] {
        &self.features[self.starts[candidate] as usize..self.starts[candidate + 1] as usize]
    }
}

/// Follows a game and scores the candidates of its positions.
pub(crate) struct LinearScorer<'w> {
    weights: &'w Weights,
    matcher: Matcher<'w>,
    lists: FeatureLists,
    scores: Vec<f32>,
}

impl<'w> LinearScorer<'w> {
    /// Starts before the first move.
    pub(crate) fn new(weights: &'w Weights, start: &Board) -> LinearScorer<'w> {
        let matcher = Matcher::new(&weights.table, start);
        LinearScorer { weights, matcher, lists: FeatureLists::default(), scores: Vec::new() }
    }

    /// Scores all legal moves of a position.
    pub(crate) fn score(&mut self, situation: &Situation<'_>) {
        self.matcher.follow(situation);
        let FeatureLists { features, starts } = &mut self.lists;
        features.clear();
        starts.clear();
        self.scores.clear();
        let color = situation.color;
        for &point in situation.legal {
            self.matcher.matched(color, point);
        }
        let scene = Scene::new(self.matcher.patterns(), color, situation.moves);
        let in_table = |slot: &u32| N_SMALL as u32 + slot;
        for &point in situation.legal {
            let start = features.len();
            starts.push(start as u32);
            let facts = scene.facts(point);
            features.extend(scene.small(point, &facts));
            let (templates, sum) = self.matcher.known(color, point);
            features.push((DEPTH + templates.len()) as u32);
            let shapes = self.weights.table.find_all(&scene.shapes(point, &facts));
            features.extend(
                shapes.iter().zip(ABSENT..).map(|(slot, absent)| slot.as_ref().map_or(absent as u32, in_table)),
            );
            // The weights of templates are far apart in memory; their sum is already known from the lookup.
            let others: f32 = features[start..].iter().map(|&feature| self.weights.of(feature)).sum();
            features.extend(templates.iter().map(in_table));
            self.scores.push(others + sum);
        }
        starts.push(features.len() as u32);
    }

    /// Remembers the current position, so that other lines can continue from it.
    pub(crate) fn keep(&mut self) {
        self.matcher.keep();
    }

    /// The number of known patterns around a point from the view of the color's opponent, and their total weight.
    pub(crate) fn opponent_patterns(&self, color: Color, point: Point) -> (usize, f32) {
        let keys = self.matcher.patterns().keys(color.opponent(), point);
        let slots = keys.map_while(|key| self.weights.table.find(key));
        slots.fold((0, 0.0), |(n, sum), slot| (n + 1, sum + self.weights.table.weight(slot)))
    }

    /// The features of the candidates that were scored last.
    pub(crate) fn lists(&self) -> &FeatureLists {
        &self.lists
    }

    /// The scores of the candidates that were scored last.
    pub(crate) fn scores(&self) -> &[f32] {
        &self.scores
    }

    /// The board with its keys.
    pub(crate) fn patterns(&self) -> &PatternBoard {
        self.matcher.patterns()
    }

    /// The weights used.
    pub(crate) fn weights(&self) -> &'w Weights {
        self.weights
    }
}

/// Converts scores to probabilities that add up to 1.
pub(crate) fn softmax(scores: &[f32]) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    let mut probabilities: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
    let sum: f32 = probabilities.iter().sum();
    probabilities.iter_mut().for_each(|probability| *probability /= sum);
    probabilities
}

/// The patterns and shapes that were played at least twice.
pub(crate) fn harvest_features(games: &GameTable, n_threads: usize) -> KeyTable {
    let keys = harvest(games, N_TEMPLATES + N_SHAPES, n_threads, |game, keys| {
        let mut patterns = PatternBoard::new(&games.board_before(game, 0));
        let moves: Vec<Move> = games.moves(game).collect();
        for (i, &Move { color, point }) in moves.iter().enumerate() {
            if let Some(point) = point {
                keys.extend(patterns.keys(color, point));
                let scene = Scene::new(&patterns, color, &moves[..i]);
                keys.extend(scene.shapes(point, &scene.facts(point)));
            }
            patterns.play(color, point);
        }
    });
    KeyTable::new(&keys)
}

/// Learns weights game by game.
pub(crate) struct Learner {
    pub(crate) weights: Weights,
    /// For each feature, 1 plus the sum of its squared gradients so far.
    pub(crate) squares: Vec<f32>,
    pub(crate) tally: PatternTally,
    /// Number of games learned from so far.
    pub(crate) n_games: usize,
}

impl Learner {
    /// Starts with a dictionary and weights of 0.
    pub(crate) fn new(table: KeyTable) -> Learner {
        Learner {
            squares: vec![1.0; N_SMALL + table.n_slots()],
            tally: PatternTally::new(table.n_slots()),
            weights: Weights { table, small: vec![0.0; N_SMALL] },
            n_games: 0,
        }
    }

    /// Learns from the remaining games, each once, and counts patterns. Returns false if it was cancelled.
    ///
    /// Features of excluded groups keep a weight of 0. The same games give the same weights for any number of threads
    /// and any number of interruptions.
    pub(crate) fn learn(
        &mut self,
        games: &GameTable,
        without: &[FeatureGroup],
        n_threads: usize,
        progress: &dyn Progress,
    ) -> bool {
        let numbers: Vec<usize> = (self.n_games..games.n_games()).collect();
        progress.start("fitting weights", Some(games.n_games() as u64));
        progress.advance(self.n_games as u64);
        for batch in numbers.chunks(BATCH) {
            let slopes =
                map_each(batch, n_threads, |&game| game_slopes(games, game, &self.weights, (&self.tally, without)));
            let (mut bits, mut n_moves) = (0.0, 0);
            for game in slopes {
                bits += game.bits;
                n_moves += game.n_moves;
                self.step(game.slopes);
            }
            self.n_games += batch.len();
            progress.advance(batch.len() as u64);
            progress.measured("bits per move", bits / n_moves.max(1) as f64);
            if progress.is_cancelled() {
                return false;
            }
        }
        true
    }

    fn step(&mut self, slopes: Vec<(Feature, f32)>) {
        for (feature, slope) in slopes {
            let square = &mut self.squares[feature as usize];
            *square += slope * slope;
            self.weights.set(feature, self.weights.of(feature) + RATE * slope / square.sqrt());
        }
    }
}

struct GameSlopes {
    slopes: Vec<(Feature, f32)>,
    bits: f64,
    n_moves: usize,
}

/// The gradient of every feature of a game: the sum of the differences between observed moves and their
/// probabilities.
fn game_slopes(
    games: &GameTable,
    game: usize,
    weights: &Weights,
    (tally, without): (&PatternTally, &[FeatureGroup]),
) -> GameSlopes {
    let mut scorer = LinearScorer::new(weights, &games.board_before(game, 0));
    let mut found = GameSlopes { slopes: Vec::new(), bits: 0.0, n_moves: 0 };
    for_each_situation(games, game, |_, situation, played| {
        scorer.score(situation);
        let probabilities = softmax(scorer.scores());
        found.bits -= f64::from(probabilities[played].max(f32::MIN_POSITIVE)).log2();
        found.n_moves += 1;
        for (i, &probability) in probabilities.iter().enumerate() {
            let features = scorer.lists().of(i);
            if let Some(&largest) = features[FeatureLists::N_FIXED..].last() {
                tally.add(largest - N_SMALL as u32, i == played);
            }
            let slope = f32::from(i == played) - probability;
            if slope.abs() > LEAST_SLOPE {
                let wanted = features.iter().enumerate().filter(|(n, _)| !without.contains(&FeatureGroup::of(*n)));
                found.slopes.extend(wanted.map(|(_, &feature)| (feature, slope)));
            }
        }
    });
    found.slopes.sort_unstable_by_key(|(feature, _)| *feature);
    found.slopes.dedup_by(|other, first| {
        let is_same = other.0 == first.0;
        first.1 += if is_same { other.1 } else { 0.0 };
        is_same
    });
    found
}
