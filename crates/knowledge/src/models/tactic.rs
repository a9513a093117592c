//! Weighted tactical mappings in a folder, with the model that they improve.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tejun_files::IfExists;
use tejun_games::go::BoardSize;

use crate::models::Model;
use crate::models::error::ModelError;
use crate::models::folder::{Kind, MadeOf, Manifest, ModelInfo, save_folder};
use crate::tactics::{TacticModel, TacticPosition};

/// Weighted mappings, and the model whose predictions they improve.
pub struct TacticFolder {
    /// The mappings.
    pub model: TacticModel,
    /// The board size that they were learned on.
    pub size: BoardSize,
    /// The model that they improve.
    pub(crate) base: Option<Box<Model>>,
    /// The folder of the base.
    pub base_path: Option<PathBuf>,
    /// The origin of the mappings.
    pub made_of: Vec<(String, String)>,
}

/// The manifest entries of mappings.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TacticFacts {
    size: u8,
    base: Option<String>,
    // Cached answers are identified by the manifest, so it has to change when they do.
    base_identity: Option<String>,
    mappings_hash: String,
}

/// A hash of mappings and weights, as stored in the manifest.
fn fingerprint(model: &TacticModel) -> String {
    format!("{:016x}", model.fingerprint())
}

impl TacticFolder {
    /// The mappings in a folder, one per line.
    const MAPPINGS: &'static str = "mappings.tsv";

    /// Mappings to save, which improve the model in the folder `base`.
    pub fn new(model: TacticModel, size: BoardSize, base: Option<&Path>) -> TacticFolder {
        TacticFolder { model, size, base: None, base_path: base.map(PathBuf::from), made_of: Vec::new() }
    }

    /// Checks that a model can be used as a base, which must not have a base itself.
    ///
    /// # Errors
    /// If it is not a model, or has a base.
    pub fn check_base(base: &Path) -> Result<(), ModelError> {
        match Manifest::read(base)?.kind {
            Kind::Tactics(TacticFacts { base: Some(_), .. }) => Err(ModelError::BaseOfBase { path: base.into() }),
            _ => Ok(()),
        }
    }

    /// Writes the folder atomically.
    ///
    /// # Errors
    /// If it can't be written, or something that is not a model has its name.
    pub fn save(self, folder: &Path, made_of: &MadeOf, if_exists: IfExists) -> Result<TacticFolder, ModelError> {
        let base = self.base_path.as_deref();
        // Stored as an absolute path, so that the program finds the base from any working directory.
        let absolute =
            |base: &Path| base.canonicalize().map_err(|source| ModelError::File { path: base.into(), source });
        let path = base.map(absolute).transpose()?;
        let facts = TacticFacts {
            size: self.size.get(),
            base: path.map(|path| path.display().to_string()),
            base_identity: base.map(|base| ModelInfo::read(base).map(|info| info.identity)).transpose()?,
            mappings_hash: fingerprint(&self.model),
        };
        save_folder(folder, Kind::Tactics(facts), made_of, if_exists, |new| {
            let path = new.join(TacticFolder::MAPPINGS);
            fs::write(&path, self.model.to_text()).map_err(|source| ModelError::File { path, source })
        })?;
        Ok(TacticFolder { made_of: made_of.facts.clone(), ..self })
    }

    pub(crate) fn from_manifest(
        folder: &Path,
        facts: &TacticFacts,
        made_of: &[(String, String)],
    ) -> Result<TacticFolder, ModelError> {
        let size = BoardSize::new(facts.size).ok().filter(|&size| TacticPosition::fits(size));
        let size = size.ok_or_else(|| ModelError::NotAModel { path: folder.into(), source: None })?;
        let file = folder.join(TacticFolder::MAPPINGS);
        let text = fs::read_to_string(&file).map_err(|source| ModelError::File { path: file.clone(), source })?;
        let model = TacticModel::parse(&text).map_err(|source| ModelError::Mappings { path: file.clone(), source })?;
        if facts.mappings_hash != fingerprint(&model) {
            return Err(ModelError::OtherMappings { path: file });
        }
        let of_base = |source| ModelError::Base { path: folder.into(), source: Box::new(source) };
        let base_path = facts.base.as_ref().map(PathBuf::from);
        let base = base_path.as_deref().map(|path| open_base(path, facts)).transpose().map_err(of_base)?;
        if let Some(other) = base.as_ref().map(Model::size).filter(|other| *other != size) {
            return Err(ModelError::BaseSize { path: folder.into(), size, other });
        }
        Ok(TacticFolder { model, size, base: base.map(Box::new), base_path, made_of: made_of.to_vec() })
    }
}

/// Opens the base named by a manifest, if it is unchanged.
fn open_base(path: &Path, facts: &TacticFacts) -> Result<Model, ModelError> {
    TacticFolder::check_base(path)?;
    if facts.base_identity != Some(ModelInfo::read(path)?.identity) {
        return Err(ModelError::BaseChanged { path: path.into() });
    }
    Model::open(path)
}
