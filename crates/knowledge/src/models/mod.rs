//! Models of every kind: learned once, saved in a folder, opened by name.
//!
//! A folder contains the large files of a model and a manifest, `model.json`, with the kind of the model, its origin,
//! and the checksum of every file.

mod error;
mod folder;
mod grammar;
mod tactic;

use std::path::Path;
use std::sync::Arc;

use tejun_games::go::BoardSize;

use crate::models::folder::{Kind, Manifest, save_folder};
use crate::network::{Network, NetworkError, NetworkFileError, NetworkPredictor};
use crate::patterns::{PaperModel, Partial, PatternModel};
use crate::predictor::{Predictor, Situation};
use crate::search::{PlainPredictor, Prior};

pub use error::ModelError;
pub use folder::{MadeOf, ModelInfo, check_output};
pub use grammar::{GrammarModel, GrammarModelOptions};
pub use tactic::TacticFolder;

/// A model of any kind that predicts moves.
///
/// ```no_run
/// use std::path::Path;
/// use tejun_games::GameRecord;
/// use tejun_games::go::BoardSize;
/// use tejun_knowledge::models::Model;
/// use tejun_knowledge::predictor::Prediction;
///
/// let model = Model::open(Path::new("pro.patterns"))?;
/// let game = GameRecord::new(BoardSize::NINETEEN);
/// let mut predictor = model.predictor();
/// for (point, probability) in Prediction::new(&mut *predictor, &game, 0).moves.iter().take(3) {
///     println!("{} {:.1}%", point.name(game.size), 100.0 * probability);
/// }
/// # Ok::<(), tejun_knowledge::models::ModelError>(())
/// ```
pub enum Model {
    /// Learned from the order of moves.
    Grammar(GrammarModel),
    /// Patterns of stones on the board, with trained weights.
    Patterns(Box<PatternModel>),
    /// The patterns of the published papers.
    Paper(PaperModel),
    /// Weighted tactical mappings.
    Tactics(TacticFolder),
    /// A neural network; a single file, or the one that comes with the program.
    Network(Arc<Network>),
}

impl Model {
    /// The network that comes with the program.
    pub fn built_in() -> Model {
        Model::Network(Network::built_in())
    }

    /// Opens the folder of a model of any kind, or the file of a network.
    ///
    /// # Errors
    /// If it is not a model, or it is damaged or from another version.
    pub fn open(folder: &Path) -> Result<Model, ModelError> {
        if folder.is_file() {
            let not_a_network = |error: &NetworkError| {
                matches!(error, NetworkError::File { source: NetworkFileError::NotANetwork, .. })
            };
            return match Network::open(folder) {
                Ok(network) => Ok(Model::Network(Arc::new(network))),
                Err(error) if not_a_network(&error) => Err(ModelError::NotAModel { path: folder.into(), source: None }),
                Err(error) => Err(error.into()),
            };
        }
        let manifest = Manifest::read(folder)?;
        manifest.check_files(folder)?;
        let files = |source| ModelError::Patterns { path: folder.into(), source };
        Ok(match &manifest.kind {
            Kind::Grammar(facts) => Model::Grammar(GrammarModel::from_manifest(folder, facts)?),
            Kind::Patterns => Model::Patterns(Box::new(PatternModel::open(folder).map_err(files)?)),
            Kind::Paper => Model::Paper(PaperModel::open(folder).map_err(files)?),
            Kind::Tactics(facts) => Model::Tactics(TacticFolder::from_manifest(folder, facts, &manifest.made_of)?),
        })
    }

    /// Saves the model in a folder, atomically; `made_of` describes its origin.
    ///
    /// The large files of the result are memory-mapped.
    ///
    /// # Errors
    /// If the folder can't be written, or contains something that must not be replaced.
    pub fn save(self, folder: &Path, made_of: &MadeOf, if_exists: tejun_files::IfExists) -> Result<Model, ModelError> {
        let patterns = |source| ModelError::Patterns { path: folder.into(), source };
        match self {
            Model::Grammar(model) => model.save(folder, made_of, if_exists).map(Model::Grammar),
            Model::Patterns(model) => {
                let save = |new: &Path| model.save(new).map_err(patterns);
                save_folder(folder, Kind::Patterns, made_of, if_exists, save).map(Box::new).map(Model::Patterns)
            }
            Model::Paper(model) => save_folder(folder, Kind::Paper, made_of, if_exists, |new| {
                model.save(new).map_err(patterns)?;
                Ok(model)
            })
            .map(Model::Paper),
            Model::Tactics(tactics) => tactics.save(folder, made_of, if_exists).map(Model::Tactics),
            Model::Network(_) => Err(ModelError::NotAFolder),
        }
    }

    /// Saves a pattern model that was learned with working files, and records there that it is complete.
    ///
    /// The caller then removes the working files; if it is killed before, the next run knows that it may do so.
    ///
    /// # Errors
    /// See [`Model::save`].
    pub fn save_patterns(
        model: PatternModel,
        partial: &Partial,
        folder: &Path,
        (made_of, if_exists): (&MadeOf, tejun_files::IfExists),
    ) -> Result<PatternModel, ModelError> {
        save_folder(folder, Kind::Patterns, made_of, if_exists, |new| {
            let saved = model.save(new).map_err(|source| ModelError::Patterns { path: folder.into(), source })?;
            partial.finish(new).map_err(|source| ModelError::File { path: partial.folder().into(), source })?;
            Ok(saved)
        })
    }

    /// The board size.
    pub fn size(&self) -> BoardSize {
        match self {
            Model::Grammar(model) => model.size(),
            Model::Patterns(model) => model.size(),
            Model::Paper(model) => model.size(),
            Model::Tactics(model) => model.size,
            Model::Network(_) => BoardSize::NINETEEN,
        }
    }

    /// The name shown in tables.
    pub fn name(&self) -> &'static str {
        match self {
            Model::Grammar(_) => "grammar",
            Model::Patterns(_) => "trained",
            Model::Paper(model) => model.method().name(),
            Model::Tactics(_) => "tactics",
            Model::Network(_) => "network",
        }
    }

    /// A predictor that uses the model.
    pub fn predictor(&self) -> Box<dyn Predictor + Send + '_> {
        match self {
            Model::Grammar(model) => Box::new(model.predictor()),
            Model::Patterns(model) => Box::new(model.predictor()),
            Model::Paper(model) => Box::new(model.predictor()),
            Model::Tactics(folder) => {
                Box::new(folder.model.predictor(folder.base.as_ref().map(|base| base.predictor())))
            }
            Model::Network(network) => Box::new(NetworkPredictor::new(network.worker())),
        }
    }

    /// A prior for the search: the model on boards of its size, a few simple rules on others.
    pub fn prior(&self) -> Prior<'_> {
        Box::new(SizedPrior { size: self.size(), model: self.predictor() })
    }

    /// Checks that a game is on boards of the model's size.
    ///
    /// # Errors
    /// If it is not.
    pub fn check_size(&self, size: BoardSize, game: &str) -> Result<(), ModelError> {
        match self.size() {
            other if other == size => Ok(()),
            other => Err(ModelError::Size { game: game.into(), size, other }),
        }
    }
}

/// A prior for a single board size.
struct SizedPrior<'m> {
    size: BoardSize,
    model: Box<dyn Predictor + Send + 'm>,
}

impl Predictor for SizedPrior<'_> {
    fn predict(&mut self, situation: &Situation<'_>) -> Vec<f64> {
        if situation.board.size() == self.size {
            self.model.predict(situation)
        } else {
            PlainPredictor.predict(situation)
        }
    }

    fn prepare(&mut self, situation: &Situation<'_>) {
        if situation.board.size() == self.size {
            self.model.prepare(situation);
        }
    }
}
