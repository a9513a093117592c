//! Opens and saves models for the command line, with advice in errors.

use std::path::{Path, PathBuf};

use tejun_games::go::BoardSize;
use tejun_knowledge::models::{GrammarModel, MadeOf, Model, ModelError, ModelInfo, check_output};

use crate::commands::Globals;
use crate::output::check_free;

/// Which model predicts moves.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ModelArgs {
    /// Model folder of `tejun learn` [default: the network that comes with tejun]
    #[arg(long, value_name = "MODEL")]
    pub model: Option<PathBuf>,
    /// Network file to use instead of the network that comes with tejun
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    pub network: Option<PathBuf>,
}

impl ModelArgs {
    /// The path that the user gave.
    pub fn path(&self) -> Option<&Path> {
        self.model.as_deref().or(self.network.as_deref())
    }

    /// Opens the model; without one, the network that comes with the program, and says so.
    ///
    /// # Errors
    /// If it is not a model, is damaged, or has another version.
    pub fn open(&self, globals: &Globals) -> anyhow::Result<Model> {
        match self.path() {
            Some(path) => open_model(path, globals),
            None => {
                globals.status("No --model given: using the network that comes with tejun.");
                Ok(Model::built_in())
            }
        }
    }
}

/// Opens the model in a folder, or a network file.
///
/// # Errors
/// If it is not a model, is damaged, or has another version; the error says what to do.
pub fn open_model(folder: &Path, globals: &Globals) -> anyhow::Result<Model> {
    if ModelInfo::read(folder).is_ok_and(|info| !info.has_checksums) {
        globals.status(format_args!(
            "{}: this model has no checksums (an older version of tejun wrote it), so damage cannot be detected; \
             learn it again to add them.",
            folder.display()
        ));
    }
    Model::open(folder).map_err(with_advice)
}

/// Opens a model that must be a grammar.
///
/// # Errors
/// See [`open_model`].
pub fn open_grammar(folder: &Path, globals: &Globals) -> anyhow::Result<GrammarModel> {
    match open_model(folder, globals)? {
        Model::Grammar(model) => Ok(model),
        _ => Err(with_advice(ModelError::OtherKind { path: folder.into(), wanted: "grammar" })),
    }
}

/// Adds advice to the error.
pub fn with_advice(error: ModelError) -> anyhow::Error {
    let advice = match &error {
        ModelError::NotAModel { .. } => "run `tejun learn` to make one",
        ModelError::OtherKind { wanted: "grammar", .. } => "run `tejun learn grammar` to make one",
        ModelError::BaseChanged { .. } => "run `tejun tactic discover` again",
        _ => return error.into(),
    };
    anyhow::anyhow!("{error}; {advice}")
}

/// Requires that a game has the board size of the model.
///
/// # Errors
/// If the sizes differ.
pub fn check_size(size: BoardSize, other: BoardSize, game: &str) -> Result<(), ModelError> {
    if size == other { Ok(()) } else { Err(ModelError::Size { game: game.into(), size, other }) }
}

/// Checks before long work that a model can be written to a folder.
///
/// # Errors
/// If the folder contains something other than a model, or a model that may not be overwritten.
pub fn check_model_output(folder: &Path, globals: &Globals) -> anyhow::Result<()> {
    check_output(folder)?;
    check_free(folder, globals)
}

/// Saves a new model.
///
/// # Errors
/// If it cannot be written.
pub fn save_model(model: Model, folder: &Path, made_of: &MadeOf, globals: &Globals) -> anyhow::Result<Model> {
    check_model_output(folder, globals)?;
    Ok(model.save(folder, made_of, globals.if_exists())?)
}
