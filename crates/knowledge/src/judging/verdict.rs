//! The verdicts on moves.

use tejun_games::Move;

use crate::evaluation::Evaluation;
use crate::judging::signals::Signals;
use crate::judging::tags::MoveTag;

/// What kind of move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// A find (好手, *kōshu*): the search likes it, and few would have expected it.
    Good,
    /// Unexpected, and not bad.
    Interesting,
    /// Plays what everybody would play.
    Ordinary,
    /// Gives something away.
    Doubtful,
    /// A mistake (悪手, *akushu*).
    Bad,
}

impl Verdict {
    /// From good to bad.
    pub const ALL: [Verdict; 5] =
        [Verdict::Good, Verdict::Interesting, Verdict::Ordinary, Verdict::Doubtful, Verdict::Bad];

    /// Its name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Good => "good",
            Verdict::Interesting => "interesting",
            Verdict::Ordinary => "ordinary",
            Verdict::Doubtful => "doubtful",
            Verdict::Bad => "bad",
        }
    }
}

/// A move of a game with everything that is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedMove {
    /// The number of moves before it.
    pub index: usize,
    /// The move.
    pub played: Move,
    /// What search and predictions say about it.
    pub signals: Signals,
    /// The probability of each verdict, in the order of [`Verdict::ALL`].
    pub probabilities: [f64; 5],
    /// The verdict.
    pub verdict: Verdict,
    /// Whether it is among the moves most worth a comment.
    pub is_moment: bool,
    /// What it does on the board.
    pub tags: Vec<MoveTag>,
    /// What the search says about the position before it; `None` if it failed there.
    pub evaluation: Option<Evaluation>,
}

/// A game with its moves judged.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedGame {
    /// Black's win rate before each move, and after the last one where it was evaluated.
    pub win_rates_black: Vec<Option<f64>>,
    /// The moves that were judged, in order, without passes.
    pub moves: Vec<JudgedMove>,
}
