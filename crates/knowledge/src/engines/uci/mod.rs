//! What does an engine of shogi or chess think of a position?
//!
//! USI (将棋, *shōgi*) and UCI (chess) are two dialects of one protocol: a
//! program receives a position, searches within a limit, reports lines with
//! scores, and names its best move. Positions and moves are text here: the
//! rules are unknown, so the caller must give legal positions. `AnalysisLog`
//! keeps answers on disk.

mod analysis;
mod analysis_log;
mod dialect;
mod engine;
mod error;
mod info;
mod log_row;
mod options;
mod report;
mod score;
mod session;

pub use analysis::{Analysis, AnalysisLine, BestMove};
pub use analysis_log::{AnalysisLog, AnalysisLogError};
pub use dialect::Dialect;
pub use engine::UciEngine;
pub use error::{UciError, UciFault};
pub use log_row::{CachedAnalysis, LogRowFault};
pub use options::{SearchLimit, UciEngineOptions};
pub use score::{ParseScoreError, Score};
pub use session::read_analysis;
