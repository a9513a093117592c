//! Which moves of a game deserve a comment, and of what kind?
//!
//! Two things are known about a move: what a search thinks of it, and how
//! surprising it was. A move that the search likes and few would have expected
//! is a find; one that the search dislikes is a mistake. After Nakanishi and
//! Nakamura. [`Judge`] is the front door; [`labeled_moves`] is the one for learning.
//! Knows neither how positions are searched nor how moves are predicted.

mod agreement;
mod estimates;
mod evaluator;
mod exchanges;
mod file;
mod judge;
mod judgement;
mod labels;
mod learning;
mod moments;
mod replay;
mod roc;
mod signals;
mod tags;
mod verdict;

pub use agreement::{AGREEMENT_STAGES, Agreement, StageAgreement, ValuedGame, ValuedGameError, VerdictAgreement};
pub use estimates::{Estimate, Reliability};
pub use evaluator::{FailedPosition, FailureReason, GameEvaluator, GameEvidence, JudgeError, NamedPredictor};
pub use exchanges::{Exchange, ExchangeKind};
pub use file::JudgementFileError;
pub use judge::{GameReview, Judge, JudgeOptions};
pub use judgement::{FEATURES, Judgement, LabeledMove, LossScale, Scaling, Weights, cross_validate, measured};
pub use labels::{Label, engine_win_rates_white, labels};
pub use learning::{EngineGame, MarkedGame, labeled_moves, measure_scale, scale_positions};
pub use moments::{Moment, MomentReason};
pub use roc::{Area, Measured, area};
pub use signals::{Predictions, PredictorName, Signal, Signals, Surprise};
pub use tags::{CornerPoint, Height, MoveTag, Shape, move_tags};
pub use verdict::{ExpectedMove, JudgedGame, JudgedMove, Verdict, VerdictLimits};
