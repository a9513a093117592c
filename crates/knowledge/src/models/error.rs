//! Errors of models.

use std::io;
use std::path::PathBuf;

use tejun_games::go::BoardSize;

use crate::grammar::{GrammarError, ParseSmoothingError};
use crate::network::NetworkError;
use crate::patterns::PatternError;
use crate::tactics::TacticModelError;

/// Why a model can't be opened or saved.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The folder has no manifest, or an unreadable one.
    #[error("{path}: not a model")]
    NotAModel {
        /// The folder.
        path: PathBuf,
        /// Why the manifest can't be read, if that is known.
        #[source]
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
    /// The folder contains another kind of model.
    #[error("{path}: not a {wanted} model")]
    OtherKind {
        /// The folder.
        path: PathBuf,
        /// The kind that was wanted.
        wanted: &'static str,
    },
    /// The model was written by another version of tejun.
    #[error("{path}: the model is from another version of tejun; learn it again")]
    OtherVersion {
        /// The folder.
        path: PathBuf,
    },
    /// A file does not match its checksum.
    #[error("{path}: damaged or from another model (checksum mismatch); learn it again")]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// A file of the folder can't be read or written.
    #[error("{path}")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        #[source]
        source: io::Error,
    },
    /// The folder can't be written.
    #[error("{path} could not be written")]
    Write {
        /// The folder.
        path: PathBuf,
        /// The reason.
        #[source]
        source: io::Error,
    },
    /// A network can't be read.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A network is a file, and can't be saved as a folder.
    #[error("a network is a single file; copy it")]
    NotAFolder,
    /// The output name is in use by something else.
    #[error("{path} exists and is not a model; choose another name")]
    Occupied {
        /// The file or folder.
        path: PathBuf,
    },
    /// The folder of the old model contains a file that does not belong to it.
    #[error("{path} does not belong to the model there; choose another name")]
    ForeignFile {
        /// The file.
        path: PathBuf,
    },
    /// The game is on a board of another size.
    #[error("{game}: the game is on {size}x{size}, the model is for {other}x{other}")]
    Size {
        /// The game.
        game: String,
        /// The size of its board.
        size: BoardSize,
        /// The size of the model's boards.
        other: BoardSize,
    },
    /// A grammar can't be read or written.
    #[error("{path}")]
    Grammar {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        source: GrammarError,
    },
    /// A grammar can't be learned.
    #[error(transparent)]
    Learn(#[from] GrammarError),
    /// The manifest names a smoothing method that does not exist.
    #[error("{path}: not a model")]
    Smoothing {
        /// The folder.
        path: PathBuf,
        /// The reason.
        #[source]
        source: ParseSmoothingError,
    },
    /// A pattern model can't be read or written.
    #[error("{path}")]
    Patterns {
        /// The folder.
        path: PathBuf,
        /// The reason.
        #[source]
        source: PatternError,
    },
    /// A list of mappings can't be read.
    #[error("{path}")]
    Mappings {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        source: TacticModelError,
    },
    /// The mappings don't match the manifest.
    #[error("{path}: the sets differ from those listed in model.json; create the model again")]
    OtherMappings {
        /// The file.
        path: PathBuf,
    },
    /// The base of a model can't be opened.
    #[error("{path}: the base model can't be used")]
    Base {
        /// The folder of the model.
        path: PathBuf,
        /// The reason.
        #[source]
        source: Box<ModelError>,
    },
    /// The base is for another board size.
    #[error("{path}: the model is for {size}x{size}, its base for {other}x{other}")]
    BaseSize {
        /// The folder of the model.
        path: PathBuf,
        /// The size of its boards.
        size: BoardSize,
        /// The size of the base's boards.
        other: BoardSize,
    },
    /// The base itself has a base.
    #[error("{path}: this model is itself based on a model; use that model as the base")]
    BaseOfBase {
        /// The folder of the base.
        path: PathBuf,
    },
    /// The base was learned again after the model.
    #[error("{path}: this model was learned again after the model based on it; create that model again")]
    BaseChanged {
        /// The folder of the base.
        path: PathBuf,
    },
}
