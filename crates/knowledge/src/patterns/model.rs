//! The trained model: a linear model over all legal moves, and trees over the best of them.

use std::path::Path;

use tejun_games::go::{Board, BoardSize};
use tejun_index::{MappedArray, MappedArrayError};

use crate::codes::Code;
use crate::corpus::GameTable;
use crate::grammar::{Grammar, GrammarError, GrammarOptions, GrammarPredictor, Smoothing};
use crate::patterns::counts::PatternCounts;
use crate::patterns::dictionary::{KeyTable, joined};
use crate::patterns::feature_group::FeatureGroup;
use crate::patterns::features::N_SMALL;
use crate::patterns::linear::{Learner, LinearScorer, Weights, harvest_features, softmax};
use crate::patterns::partial::Partial;
use crate::patterns::trees::{Bins, Forest, ForestOptions, Rows, learn_forest};
use crate::patterns::values::{N_VALUES, View};
use crate::predictor::{Predictor, Situation, for_each_situation};
use crate::progress::Progress;
use crate::threads::map_each;

/// Number of candidates that the trees score.
const N_BEST: usize = 50;
/// Length of the longest strings of the grammar, in symbols.
const ORDER: u8 = 6;

/// Options for learning a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternOptions {
    /// Hold out every n-th game for the trees; 0 learns no trees.
    pub held_out: usize,
    /// Number of trees.
    pub n_trees: usize,
    /// Number of threads.
    pub n_threads: usize,
    /// Feature groups to exclude, to measure what they add.
    pub without: Vec<FeatureGroup>,
}

impl PatternOptions {
    fn has_trees(&self) -> bool {
        self.n_trees > 0 && !self.without.contains(&FeatureGroup::Trees)
    }

    /// A hash of everything that the weights depend on.
    fn fingerprint(&self, games: &GameTable) -> u64 {
        let has_trees = self.has_trees();
        let without = self.without.iter().fold(0u64, |bits, reason| bits | 1 << *reason as u64);
        let version = env!("CARGO_PKG_VERSION").bytes().fold(0, |hash, byte| joined(hash, u64::from(byte)));
        let held_out = if has_trees { self.held_out as u64 } else { 0 };
        let starts = (0..games.n_games()).map(|game| games.board_before(game, 0).hash());
        let numbers = [held_out, without, N_SMALL as u64, u64::from(games.size().get()), version];
        numbers.into_iter().chain(starts).fold(games.fingerprint(), joined)
    }
}

/// A trained model of patterns and other features of moves.
///
/// ```no_run
/// use std::path::Path;
/// use tejun_games::GameRecord;
/// use tejun_knowledge::patterns::PatternModel;
/// use tejun_knowledge::predictor::Prediction;
///
/// let model = PatternModel::open(Path::new("pro.patterns"))?;
/// let game = GameRecord::parse("(;SZ[19];B[pd];W[dp])")?;
/// let prediction = Prediction::new(&mut model.predictor(), &game, 2);
/// println!("{:?}", &prediction.moves[..3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PatternModel {
    size: BoardSize,
    pub(crate) weights: Weights,
    pub(crate) counts: PatternCounts,
    forest: Forest,
    grammar: Grammar,
}

/// Why a model cannot be learned, saved or opened.
#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    /// One of its files cannot be read or written.
    #[error(transparent)]
    Row(#[from] MappedArrayError),
    /// The grammar cannot be learned, read or written.
    #[error(transparent)]
    Grammar(#[from] GrammarError),
    /// The files do not belong together, or are of another version.
    #[error("the files of the model do not fit together; learn it again")]
    Unfit,
    /// The caller stopped the learning.
    #[error("learning was stopped")]
    Stopped,
}

/// The files of a model: name and kind.
const PATTERNS: (&str, [u8; 8]) = ("patterns.row", *b"patterns");
const COUNTS: (&str, [u8; 8]) = ("counts.row", *b"counts  ");
const SMALL: (&str, [u8; 8]) = ("features.row", *b"features");
const TREES: (&str, [u8; 8]) = ("trees.row", *b"trees   ");
const GRAMMAR: &str = "relative.index";
/// The name of this file in models of layout 1 and in early models of layout 2.
const OLD_GRAMMAR: &str = "er-relative.index";
/// The first stage of learning.
const HARVEST: &str = "collecting patterns";

impl PatternModel {
    /// Learns from games.
    ///
    /// With a folder for partial results, a cancelled run resumes from there.
    ///
    /// # Errors
    /// If it was stopped, or there is too much text for the grammar.
    pub fn learn(
        games: &GameTable,
        options: &PatternOptions,
        partial: Option<&Partial>,
        progress: &dyn Progress,
    ) -> Result<PatternModel, PatternError> {
        let n_threads = options.n_threads;
        let has_trees = options.has_trees();
        let (learned, held_out) = games.split(if has_trees { options.held_out } else { 0 });
        let run = options.fingerprint(games);
        let mut learner = match partial.and_then(|partial| partial.load(run)) {
            Some(learner) => learner,
            None => {
                progress.start(HARVEST, None);
                let features = harvest_features(&learned, n_threads);
                if progress.is_cancelled() {
                    return Err(PatternError::Stopped);
                }
                Learner::new(features)
            }
        };
        let n_before = learner.n_games;
        let is_done = learner.learn(&learned, &options.without, n_threads, progress);
        if let Some(partial) = partial.filter(|_| learner.n_games > n_before) {
            let saved = partial.save(&learner, run);
            // When everything is learned, a full disk must not cause its loss.
            if !is_done {
                saved?;
            }
        }
        if !is_done {
            return Err(PatternError::Stopped);
        }
        let (weights, counts) = (learner.weights, learner.tally.finish());
        let grammar = Grammar::learn(&learned, GrammarOptions { code: Code::Relative, order: ORDER }, n_threads)?;
        let mut model = PatternModel { size: games.size(), weights, counts, forest: Forest::default(), grammar };
        progress.start("reading the held-out games", None);
        let bins = model.bins(&held_out);
        let rows = model.rows(&held_out, &bins, n_threads);
        if rows.n_positions() > 0 {
            let options = ForestOptions { n_trees: options.n_trees, ..ForestOptions::default() };
            model.forest = learn_forest(&rows, &bins, options, n_threads, progress);
        }
        if progress.is_cancelled() { Err(PatternError::Stopped) } else { Ok(model) }
    }

    /// Bins for the values of candidates, from a sample of positions.
    fn bins(&self, games: &GameTable) -> Bins {
        const N_GAMES: usize = 100;
        const EVERY: usize = 10;
        let mut values = Vec::new();
        let mut predictor = self.predictor();
        for game in (0..games.n_games()).step_by((games.n_games() / N_GAMES).max(1)) {
            for_each_situation(games, game, |index, situation, _| {
                if (index + game) % EVERY == 0 {
                    values.extend(predictor.best_candidates(situation).values);
                }
            });
        }
        Bins::of(&values, N_VALUES)
    }

    /// The rows of the best candidates of all positions in which one of them was played.
    fn rows(&self, games: &GameTable, bins: &Bins, n_threads: usize) -> Rows {
        let numbers: Vec<usize> = (0..games.n_games()).collect();
        let parts = map_each(&numbers, n_threads, |&game| {
            let mut rows = Rows::default();
            let mut predictor = self.predictor();
            for_each_situation(games, game, |_, situation, played| {
                let best = predictor.best_candidates(situation);
                if let Some(chosen) = best.order.iter().position(|&i| i == played) {
                    rows.push(bins, &best.values, &best.scores, chosen);
                }
            });
            rows
        });
        let mut all = Rows::default();
        // Each part is freed as soon as it is appended.
        parts.into_iter().for_each(|part| all.append(&part));
        all
    }

    /// The size of the boards.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The number of patterns and shapes in the dictionary.
    pub fn n_patterns(&self) -> usize {
        self.weights.table.n_keys()
    }

    /// Writes the files of the model into a folder.
    ///
    /// # Errors
    /// If one of them cannot be written.
    pub fn save(self, folder: &Path) -> Result<PatternModel, PatternError> {
        self.weights.table.row().save(&folder.join(PATTERNS.0), PATTERNS.1)?;
        self.counts.row().save(&folder.join(COUNTS.0), COUNTS.1)?;
        let mut small = vec![f32::from(self.size.get())];
        small.extend(&self.weights.small);
        MappedArray::from(small).save(&folder.join(SMALL.0), SMALL.1)?;
        MappedArray::from(self.forest.to_numbers()).save(&folder.join(TREES.0), TREES.1)?;
        let grammar = self.grammar.save(&folder.join(GRAMMAR))?;
        Ok(PatternModel { grammar, ..self })
    }

    /// Opens a model; its large files are mapped into memory.
    ///
    /// # Errors
    /// If a file is missing or damaged, or does not match the others.
    pub fn open(folder: &Path) -> Result<PatternModel, PatternError> {
        let table =
            KeyTable::of(MappedArray::open(&folder.join(PATTERNS.0), PATTERNS.1)?).ok_or(PatternError::Unfit)?;
        let counts = PatternCounts::of(MappedArray::open(&folder.join(COUNTS.0), COUNTS.1)?);
        let small: MappedArray<f32> = MappedArray::open(&folder.join(SMALL.0), SMALL.1)?;
        let (size, small) = small.split_first().ok_or(PatternError::Unfit)?;
        let size = BoardSize::new(*size as u8).map_err(|_| PatternError::Unfit)?;
        let trees = MappedArray::open(&folder.join(TREES.0), TREES.1)?;
        let forest = Forest::from_numbers(&trees, N_VALUES).ok_or(PatternError::Unfit)?;
        let grammar = [GRAMMAR, OLD_GRAMMAR].map(|name| folder.join(name)).into_iter().find(|path| path.exists());
        let grammar = Grammar::open(&grammar.unwrap_or_else(|| folder.join(GRAMMAR)))?;
        let is_fit = small.len() == N_SMALL && counts.row().len() == table.n_slots() && grammar.size() == size;
        let weights = Weights { table, small: small.to_vec() };
        is_fit.then_some(PatternModel { size, weights, counts, forest, grammar }).ok_or(PatternError::Unfit)
    }

    /// Starts to predict the moves of games.
    pub fn predictor(&self) -> PatternPredictor<'_> {
        let start = Board::new(self.size);
        PatternPredictor {
            model: self,
            scorer: LinearScorer::new(&self.weights, &start),
            grammar: GrammarPredictor::new(&self.grammar, Smoothing::KneserNey),
        }
    }
}

/// Predicts moves with a trained model.
pub struct PatternPredictor<'m> {
    model: &'m PatternModel,
    scorer: LinearScorer<'m>,
    grammar: GrammarPredictor<'m>,
}

/// The best candidates of a position, ranked by the linear model.
struct BestCandidates {
    /// Probabilities of all candidates, from the linear model.
    probabilities: Vec<f32>,
    /// The best candidates, by index among the legal points.
    order: Vec<usize>,
    scores: Vec<f32>,
    /// A row for each of the best.
    values: Vec<f32>,
}

impl<'m> PatternPredictor<'m> {
    pub(crate) fn model(&self) -> &'m PatternModel {
        self.model
    }

    pub(crate) fn scorer(&self) -> &LinearScorer<'m> {
        &self.scorer
    }

    /// The probabilities of the last position from the linear model alone.
    pub(crate) fn linear_probabilities(&self) -> Vec<f32> {
        softmax(self.scorer.scores())
    }

    fn best_candidates(&mut self, situation: &Situation<'_>) -> BestCandidates {
        self.scorer.score(situation);
        let scores = self.scorer.scores();
        let probabilities = softmax(scores);
        let logarithms: Vec<f32> =
            self.grammar.predict(situation).into_iter().map(|p| p.max(1e-9).ln() as f32).collect();
        let mut order: Vec<usize> = (0..scores.len()).collect();
        let by_score = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b));
        if order.len() > N_BEST {
            order.select_nth_unstable_by(N_BEST, by_score);
            order.truncate(N_BEST);
        }
        order.sort_unstable_by(by_score);
        let view = View::new(situation, &self.scorer, (&self.model.counts, &probabilities, &logarithms));
        let mut values = Vec::with_capacity(order.len() * N_VALUES);
        order.iter().enumerate().for_each(|(rank, &i)| view.push_row(i, rank, &mut values));
        let scores = order.iter().map(|&i| scores[i]).collect();
        BestCandidates { probabilities, order, scores, values }
    }
}

impl Predictor for PatternPredictor<'_> {
    fn prepare(&mut self, situation: &Situation<'_>) {
        self.scorer.score(situation);
        self.scorer.keep();
    }

    fn predict(&mut self, situation: &Situation<'_>) -> Vec<f64> {
        let forest = &self.model.forest;
        if forest.n_trees() == 0 || situation.legal.is_empty() {
            self.scorer.score(situation);
            return softmax(self.scorer.scores()).into_iter().map(f64::from).collect();
        }
        let BestCandidates { probabilities, order, scores, values } = self.best_candidates(situation);
        // The trees redistribute the total probability that the linear model gives the best candidates.
        let mut corrected = scores;
        forest.add_scores(&values, &mut corrected);
        let whole: f32 = order.iter().map(|&i| probabilities[i]).sum();
        let mut answer: Vec<f64> = probabilities.iter().map(|&probability| f64::from(probability)).collect();
        for (i, share) in order.into_iter().zip(softmax(&corrected)) {
            answer[i] = f64::from(whole * share);
        }
        let sum: f64 = answer.iter().sum();
        answer.iter_mut().for_each(|p| *p /= sum);
        answer
    }
}
