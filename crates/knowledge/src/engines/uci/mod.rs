//! What does an engine of shogi or chess think of a position?
//!
//! USI (将棋, *shōgi*) and UCI (chess) are two dialects of one language: a
//! program is sent a position, thinks as long as it may, reports lines with
//! scores, and names its best move. Positions and moves are text here: nothing
//! knows the rules, so the caller must give legal positions. `AnalysisLog` keeps
//! answers on disk.

mod analysis;
mod dialect;
mod engine;
mod error;
mod info;
mod options;
mod record;
mod report;
mod row;
mod score;
mod session;

pub use analysis::{AnalysisLine, Choice, UciAnalysis};
pub use dialect::Dialect;
pub use engine::UciEngine;
pub use error::{UciError, UciFault};
pub use options::{UciLimit, UciOptions};
pub use record::{AnalysisLog, AnalysisLogError};
pub use row::{CachedAnalysis, RowFault};
pub use score::{ParseScoreError, Score};
pub use session::read_uci_analysis;
