//! Grammars of several codes whose predictions are combined.

use std::path::Path;

use serde::{Deserialize, Serialize};
use tejun_files::IfExists;
use tejun_games::go::BoardSize;

use crate::codes::Code;
use crate::corpus::GameTable;
use crate::grammar::{Evaluation, Grammar, GrammarOptions, GrammarPredictor, Product, Smoothing, evaluate, fit_powers};
use crate::models::Model;
use crate::models::error::ModelError;
use crate::models::folder::{Kind, MadeOf, save_folder};
use crate::progress::Progress;

/// Grammars whose predictions are combined.
pub struct GrammarModel {
    /// One grammar per code.
    pub grammars: Vec<Grammar>,
    /// The power of each in the product.
    pub powers: Vec<f64>,
    /// How counts become probabilities.
    pub smoothing: Smoothing,
}

/// Options for learning grammars.
#[derive(Clone, Debug, PartialEq)]
pub struct GrammarModelOptions {
    /// The codes, without duplicates.
    pub codes: Vec<Code>,
    /// How counts become probabilities.
    pub smoothing: Smoothing,
    /// The number of previous moves that a grammar takes into account.
    pub order: u8,
    /// Every n-th game is held out to fit the powers; with 0 or 1, all powers are 1.
    pub held_out: usize,
    /// Number of threads; the model does not depend on it.
    pub n_threads: usize,
}

impl Default for GrammarModelOptions {
    fn default() -> GrammarModelOptions {
        GrammarModelOptions {
            codes: vec![Code::Position, Code::Distance, Code::Surroundings, Code::Relative],
            smoothing: Smoothing::KneserNey,
            order: 6,
            held_out: 200,
            n_threads: 1,
        }
    }
}

/// The manifest entries of a grammar.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GrammarFacts {
    codes: Vec<String>,
    powers: Vec<f64>,
    smoothing: String,
}

impl GrammarModel {
    /// Learns one grammar per code, and the powers of their product on held-out games.
    ///
    /// # Errors
    /// If the text is too large for an index.
    pub fn learn(
        games: &GameTable,
        options: &GrammarModelOptions,
        progress: &dyn Progress,
    ) -> Result<GrammarModel, ModelError> {
        let GrammarModelOptions { codes, smoothing, held_out, .. } = options;
        let powers = if codes.len() < 2 || *held_out < 2 || games.n_games() < *held_out {
            vec![1.0; codes.len()]
        } else {
            let (learned, held_out) = games.split(*held_out);
            let grammars = learn_all(&learned, options, progress)?;
            progress.start("fitting the powers of the product", None);
            fit_powers(&grammars, *smoothing, &held_out)
        };
        Ok(GrammarModel { grammars: learn_all(games, options, progress)?, powers, smoothing: *smoothing })
    }

    /// Measures how well the grammars predict games: each alone, their products, and the product with the powers.
    pub fn evaluate(&self, smoothing: Smoothing, games: &GameTable, n_threads: usize) -> Evaluation {
        evaluate(&self.grammars, smoothing, &self.products(), games, n_threads)
    }

    /// Each grammar alone, every product of two or more, and all grammars with the model's powers.
    fn products(&self) -> Vec<Vec<(usize, f64)>> {
        let n = self.grammars.len();
        let mut sets: Vec<Vec<usize>> =
            (1..1usize << n).map(|bits| (0..n).filter(|i| bits >> i & 1 != 0).collect()).collect();
        sets.sort_by_key(Vec::len);
        let mut products: Vec<Vec<(usize, f64)>> =
            sets.into_iter().map(|set| set.into_iter().map(|i| (i, 1.0)).collect()).collect();
        if n > 1 {
            products.push(self.powers.iter().copied().enumerate().collect());
        }
        products
    }

    /// Opens the folder of a grammar.
    ///
    /// # Errors
    /// If it is not a grammar, or it is damaged or from another version.
    pub fn open(folder: &Path) -> Result<GrammarModel, ModelError> {
        match Model::open(folder)? {
            Model::Grammar(model) => Ok(model),
            _ => Err(ModelError::OtherKind { path: folder.into(), wanted: "grammar" }),
        }
    }

    /// The board size.
    pub fn size(&self) -> BoardSize {
        self.grammars[0].size()
    }

    /// A predictor that combines all grammars.
    pub fn predictor(&self) -> Product<'_> {
        let parts = self.grammars.iter().zip(&self.powers);
        Product { parts: parts.map(|(g, &power)| (GrammarPredictor::new(g, self.smoothing), power)).collect() }
    }

    pub(crate) fn save(self, folder: &Path, made_of: &MadeOf, if_exists: IfExists) -> Result<GrammarModel, ModelError> {
        let GrammarModel { grammars, powers, smoothing } = self;
        let codes: Vec<String> = grammars.iter().map(|g| g.options().code.name().to_string()).collect();
        let facts = GrammarFacts { codes: codes.clone(), powers: powers.clone(), smoothing: smoothing.name().into() };
        let grammars = save_folder(folder, Kind::Grammar(facts), made_of, if_exists, |new| {
            let save = |(grammar, name): (Grammar, &String)| {
                let path = new.join(format!("{name}.index"));
                grammar.save(&path).map_err(|source| ModelError::Grammar { path, source })
            };
            grammars.into_iter().zip(&codes).map(save).collect::<Result<Vec<_>, _>>()
        })?;
        Ok(GrammarModel { grammars, powers, smoothing })
    }

    pub(crate) fn from_manifest(folder: &Path, facts: &GrammarFacts) -> Result<GrammarModel, ModelError> {
        let smoothing =
            facts.smoothing.parse().map_err(|source| ModelError::Smoothing { path: folder.into(), source })?;
        let open = |code: &String| {
            let path = folder.join(format!("{code}.index"));
            Grammar::open(&path).map_err(|source| ModelError::Grammar { path, source })
        };
        let grammars = facts.codes.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        if grammars.is_empty() || grammars.len() != facts.powers.len() {
            return Err(ModelError::NotAModel { path: folder.into(), source: None });
        }
        Ok(GrammarModel { grammars, powers: facts.powers.clone(), smoothing })
    }
}

fn learn_all(
    games: &GameTable,
    options: &GrammarModelOptions,
    progress: &dyn Progress,
) -> Result<Vec<Grammar>, ModelError> {
    progress.start("learning grammars", Some(options.codes.len() as u64));
    let learn = |&code: &Code| {
        let grammar = Grammar::learn(games, GrammarOptions { code, order: options.order }, options.n_threads)?;
        progress.advance(1);
        Ok(grammar)
    };
    options.codes.iter().map(learn).collect()
}
