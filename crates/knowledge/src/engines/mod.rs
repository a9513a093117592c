//! What is each move worth, according to another program?
//!
//! Any engine that a user has installed, started as a child process, asked
//! line by line and stopped when it is no longer needed. All win rates are
//! turned to the side to move. Knows the engines' protocols; judges no move.
//! Engines of Go answer as an `Evaluator`; those of shogi and chess (`uci`)
//! think about a text, so there are two families of names here.
//!
//! ```
//! use tejun_knowledge::engines::{Engine, EngineOptions};
//! let options = EngineOptions { visits: Some(200), ..EngineOptions::new("gnugo --mode gtp".parse()?) };
//! // Nothing runs yet: the program is started by the first question.
//! let engine = Engine::new(options);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analyze;
mod command;
mod engine;
mod error;
mod file;
mod fuego;
mod gtp;
mod katago;
mod options;
mod process;
mod restart;
mod session;
mod text;
mod transcript;
mod uci;

pub use command::{CommandError, EngineCommand};
pub use engine::Engine;
pub use error::{EngineError, EngineFault};
pub use file::{EngineFile, EngineFileError, LineFault};
pub use options::{EngineKind, EngineOptions, NameError, PointOfView};
pub use text::Excerpt;
pub use transcript::read_evaluation;
pub use uci::{
    AnalysisLine, AnalysisLog, AnalysisLogError, CachedAnalysis, Choice, Dialect, ParseScoreError, RowFault, Score,
    UciAnalysis, UciEngine, UciError, UciFault, UciLimit, UciOptions, read_uci_analysis,
};
