//! The answer of an engine.

use crate::engines::Score;

/// A line of play and its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisLine {
    /// The score for the side to move.
    pub score: Score,
    /// The moves, as the engine writes them; empty if it reports a score without moves.
    pub moves: Vec<String>,
}

/// The engine's decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BestMove {
    /// Play this move, as the engine writes it.
    Move(String),
    /// Resign, or there is no move to play: UCI's `(none)` may be a mate or a stalemate, depending on the score.
    Resign,
    /// Declare a win by entering the enemy camp (入玉, *nyūgyoku*).
    Win,
}

/// An engine's analysis of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Its decision.
    pub best_move: BestMove,
    /// Its lines, the best first; empty if it reported no score at all.
    ///
    /// Of the deepest iteration that has all lines; so when time ran out in a
    /// deeper one, `best_move` may differ from the first move of the first line.
    /// The same can happen with GPS, which does not report every line that it finds.
    pub lines: Vec<AnalysisLine>,
    /// The search depth of these lines, in plies.
    pub depth: Option<u32>,
    /// The number of positions it visited.
    pub nodes: Option<u64>,
}

impl Analysis {
    /// The score of the best line.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}
