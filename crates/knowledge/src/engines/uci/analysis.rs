//! What an engine answers.

use crate::engines::Score;

/// A line of play and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisLine {
    /// What it is worth to the side to move.
    pub score: Score,
    /// The moves, as the engine writes them; empty if it reports a score without moves.
    pub moves: Vec<String>,
}

/// What an engine would do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// Play this move, as the engine writes it.
    Move(String),
    /// Resign, or there is no move to play: UCI's `(none)` may be a mate or a stalemate, depending on the score.
    Resign,
    /// Declare a win by entering the enemy camp (入玉, *nyūgyoku*).
    Win,
}

/// What an engine thinks of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UciAnalysis {
    /// What it would do.
    pub choice: Choice,
    /// Its lines, the best first; empty if it reported no score at all.
    ///
    /// Of the deepest iteration that has all lines; so when time ran out in a
    /// deeper one, `choice` may be another move than that of the first line.
    /// This happens with GPS, which does not report every line that it finds.
    pub lines: Vec<AnalysisLine>,
    /// How deep it searched these lines, in plies.
    pub depth: Option<u32>,
    /// How many positions it visited.
    pub nodes: Option<u64>,
}

impl UciAnalysis {
    /// What the position is worth by the best line.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}
