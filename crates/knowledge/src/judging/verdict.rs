//! What is said of a move.

use tejun_games::Move;

use crate::evaluation::Evaluation;
use crate::judging::Signals;

/// What kind of move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// A find (好手, *kōshu*): liked by the search, and few would have expected it.
    Good,
    /// Unexpected, and not bad.
    Interesting,
    /// What everybody plays.
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

/// A move of a game with all that is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedMove {
    /// Its number before it: 0 is the first move.
    pub index: usize,
    /// What was played.
    pub played: Move,
    /// What search and prediction say of it.
    pub signals: Signals,
    /// How likely each verdict is, in the order of [`Verdict::ALL`].
    pub chances: [f64; 5],
    /// The verdict.
    pub verdict: Verdict,
    /// Whether it is among the moves most worth a comment.
    pub is_moment: bool,
    /// What the search says of the position before it; `None` if it failed there.
    pub evaluation: Option<Evaluation>,
}

/// A game with its moves judged.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedGame {
    /// Black's win rate before each move, and at the end where it was valued.
    pub win_rates_black: Vec<Option<f64>>,
    /// The moves that were judged, in order; passes are not.
    pub moves: Vec<JudgedMove>,
}
