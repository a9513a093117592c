//! The paper's two predictors, implemented as described.

use std::collections::HashMap;
use std::path::Path;

use tejun_games::go::{BoardSize, Point};
use tejun_index::MappedArray;

use crate::corpus::GameTable;
use crate::patterns::counts::{PatternCounts, harvest_patterns};
use crate::patterns::dictionary::KeyTable;
use crate::patterns::matcher::Matcher;
use crate::patterns::model::PatternError;
use crate::patterns::ngrams::{N_VIEWS, NGrams, ORDER, Views, views};
use crate::predictor::{Predictor, Situation};

/// One of this many games is held out to fit the weights of the n-grams.
const HELD_OUT: usize = 20;

/// The score of a move without a known pattern; below all others, but not zero.
const UNKNOWN: f64 = 1e-6;

/// The files of a model: name and kind.
const PATTERNS: (&str, [u8; 8]) = ("patterns.row", *b"patterns");
const COUNTS: (&str, [u8; 8]) = ("counts.row", *b"counts  ");
const GRAMS: (&str, [u8; 8]) = ("ngrams.row", *b"ngrams  ");
const NUMBERS: (&str, [u8; 8]) = ("shares.row", *b"shares  ");

/// The method of the paper to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperMethod {
    /// The best score of a move's patterns, reduced with the distance from the previous move.
    Earlier,
    /// The product of three views' probabilities and the sum of all patterns' scores.
    Newer,
}

impl PaperMethod {
    /// The number of templates in the paper.
    pub fn n_templates(self) -> usize {
        match self {
            PaperMethod::Earlier => 7,
            PaperMethod::Newer => 9,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            PaperMethod::Earlier => "earlier",
            PaperMethod::Newer => "newer",
        }
    }
}

/// A model learned by one of the paper's methods.
pub struct PaperModel {
    size: BoardSize,
    pub(crate) table: KeyTable,
    pub(crate) counts: PatternCounts,
    /// Only for the newer method.
    pub(crate) grams: Option<NGrams>,
}

impl PaperModel {
    /// Learns from games.
    pub fn learn(games: &GameTable, method: PaperMethod, n_threads: usize) -> PaperModel {
        let table = harvest_patterns(games, method.n_templates(), n_threads);
        let counts = PatternCounts::count(games, &table, n_threads);
        let grams = (method == PaperMethod::Newer).then(|| {
            let (learned, held_out) = games.split(HELD_OUT);
            NGrams::learn(&learned, &held_out, n_threads)
        });
        PaperModel { size: games.size(), table, counts, grams }
    }

    /// The size of the boards.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// Which of the two methods it is.
    pub fn method(&self) -> PaperMethod {
        if self.grams.is_some() { PaperMethod::Newer } else { PaperMethod::Earlier }
    }

    /// Writes the files of the model into a folder.
    ///
    /// # Errors
    /// If one of them cannot be written.
    pub fn save(&self, folder: &Path) -> Result<(), PatternError> {
        self.table.row().save(&folder.join(PATTERNS.0), PATTERNS.1)?;
        self.counts.row().save(&folder.join(COUNTS.0), COUNTS.1)?;
        let mut numbers = vec![f64::from(self.size.get())];
        if let Some(grams) = &self.grams {
            grams.table.row().save(&folder.join(GRAMS.0), GRAMS.1)?;
            numbers.extend(grams.shares.iter().flatten());
        }
        MappedArray::from(numbers).save(&folder.join(NUMBERS.0), NUMBERS.1)?;
        Ok(())
    }

    /// Opens a model; its large files are mapped into memory.
    ///
    /// # Errors
    /// If a file is missing or damaged, or does not match the others.
    pub fn open(folder: &Path) -> Result<PaperModel, PatternError> {
        let table =
            KeyTable::of(MappedArray::open(&folder.join(PATTERNS.0), PATTERNS.1)?).ok_or(PatternError::Unfit)?;
        let counts = PatternCounts::of(MappedArray::open(&folder.join(COUNTS.0), COUNTS.1)?);
        let numbers: MappedArray<f64> = MappedArray::open(&folder.join(NUMBERS.0), NUMBERS.1)?;
        let (size, numbers) = numbers.split_first().ok_or(PatternError::Unfit)?;
        let size = BoardSize::new(*size as u8).map_err(|_| PatternError::Unfit)?;
        let grams = match numbers.len() {
            0 => None,
            n if n == N_VIEWS * ORDER => {
                let table =
                    KeyTable::of(MappedArray::open(&folder.join(GRAMS.0), GRAMS.1)?).ok_or(PatternError::Unfit)?;
                let shares = std::array::from_fn(|view| std::array::from_fn(|n| numbers[view * ORDER + n]));
                Some(NGrams { table, shares })
            }
            _ => return Err(PatternError::Unfit),
        };
        let is_fit = counts.row().len() == table.n_slots();
        is_fit.then_some(PaperModel { size, table, counts, grams }).ok_or(PatternError::Unfit)
    }

    /// Starts to predict the moves of games.
    pub fn predictor(&self) -> PaperPredictor<'_> {
        PaperPredictor { model: self, matcher: None, history: Vec::new(), n_followed: 0 }
    }

    /// The number of patterns in the dictionary.
    pub fn n_patterns(&self) -> usize {
        self.table.n_keys()
    }
}

/// Predicts moves with one of the paper's methods; the values are normalized to add up to 1.
pub struct PaperPredictor<'m> {
    model: &'m PaperModel,
    matcher: Option<Matcher<'m>>,
    /// The views of the moves so far, without passes.
    history: Vec<Views>,
    /// The number of moves that it includes.
    n_followed: usize,
}

impl PaperPredictor<'_> {
    fn follow(&mut self, situation: &Situation<'_>) {
        let (Some(_), Some(matcher)) = (&self.model.grams, &mut self.matcher) else { return };
        if !matcher.is_ahead(situation) {
            self.history.clear();
            self.n_followed = 0;
        }
        for n in self.n_followed..situation.moves.len() {
            let before = Situation { moves: &situation.moves[..n], ..*situation };
            matcher.follow(&before);
            let m = situation.moves[n];
            let previous = n.checked_sub(1).and_then(|i| situation.moves[i].point);
            self.history.extend(m.point.map(|point| views(matcher.patterns(), m.color, point, previous)));
        }
        self.n_followed = situation.moves.len();
    }
}

impl Predictor for PaperPredictor<'_> {
    fn predict(&mut self, situation: &Situation<'_>) -> Vec<f64> {
        if self.matcher.is_none() {
            self.matcher = Some(Matcher::new(&self.model.table, situation.start));
        }
        self.follow(situation);
        let PaperPredictor { model, matcher, history, .. } = self;
        let matcher = matcher.as_mut().expect("it was made above");
        matcher.follow(situation);
        let previous = situation.moves.last().and_then(|m| m.point);
        let color = situation.color;
        let scores = |matcher: &mut Matcher<'_>, point: Point| -> Vec<f64> {
            matcher.matched(color, point).iter().map(|&slot| model.counts.score(slot)).collect()
        };
        let nearness = |point: Point| previous.map_or(1.0, |previous| 1.0 / distance(point, previous));
        let mut values: Vec<f64> = match &model.grams {
            None => {
                let best = |point: Point| scores(matcher, point).into_iter().fold(UNKNOWN, f64::max) * nearness(point);
                situation.legal.iter().copied().map(best).collect()
            }
            Some(grams) => {
                let seen = situation.legal.iter().map(|&point| views(matcher.patterns(), color, point, previous));
                let probabilities = view_probabilities(grams, history, &seen.collect::<Vec<_>>());
                let sum = |point: Point| scores(matcher, point).into_iter().sum::<f64>().max(UNKNOWN) * nearness(point);
                situation.legal.iter().copied().map(sum).zip(probabilities).map(|(sum, factor)| sum * factor).collect()
            }
        };
        let sum: f64 = values.iter().sum();
        if sum > 0.0 {
            values.iter_mut().for_each(|value| *value /= sum);
        } else {
            values.fill(1.0 / situation.legal.len().max(1) as f64);
        }
        values
    }
}

/// The product of the three views' probabilities for each point; points equal in a view share its probability.
fn view_probabilities(grams: &NGrams, history: &[Views], seen: &[Views]) -> Vec<f64> {
    let mut probabilities = vec![1.0; seen.len()];
    for view in 0..N_VIEWS {
        let contexts = grams.contexts(view, history);
        let mut shares: HashMap<u64, (f64, f64)> = HashMap::new();
        for symbol in seen.iter().map(|views| views[view]) {
            let share = shares.entry(symbol).or_insert_with(|| (grams.probability(view, &contexts, symbol), 0.0));
            share.1 += 1.0;
        }
        for (factor, views) in probabilities.iter_mut().zip(seen) {
            let (probability, n_points) = shares[&views[view]];
            *factor *= probability / n_points;
        }
    }
    probabilities
}

/// The Euclidean distance; at least 1, for a move onto a point that was just captured.
fn distance(a: Point, b: Point) -> f64 {
    let (dx, dy) = (f64::from(a.x().abs_diff(b.x())), f64::from(a.y().abs_diff(b.y())));
    dx.hypot(dy).max(1.0)
}
