//! What does an engine of shogi or chess think of a position?
//!
//! USI (将棋, *shōgi*) and UCI (chess) are two dialects of one language: a
//! program is told a position, thinks as long as it may, reports lines with
//! scores, and names its best move. Positions and moves are text here: nothing
//! knows the rules, so whoever asks gives legal positions. `ThoughtFile` keeps
//! answers on disk.

mod dialect;
mod error;
mod info;
mod options;
mod record;
mod report;
mod row;
mod score;
mod session;
mod thinker;
mod thought;

pub use dialect::Dialect;
pub use error::{ThinkerError, ThinkerFault};
pub use options::{ThinkLimit, ThinkerOptions};
pub use record::{ThoughtFile, ThoughtFileError};
pub use row::{KeptThought, RowFault};
pub use score::{ParseScoreError, Score};
pub use session::read_thought;
pub use thinker::Thinker;
pub use thought::{Choice, Thought, ThoughtLine};
