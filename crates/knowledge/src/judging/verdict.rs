//! The verdicts on moves, and the rules that they follow.
//!
//! Every rule looks at the same numbers that are shown, so that no verdict contradicts them.

use tejun_games::Move;
use tejun_games::go::Point;

use crate::evaluation::{Evaluation, MoveValue};
use crate::judging::estimates::Estimate;
use crate::judging::exchanges::Exchange;
use crate::judging::moments::Moment;
use crate::judging::signals::Signals;
use crate::judging::tags::MoveTag;

/// What kind of move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// A find (好手, *kōshu*): close to the best, few would have expected it, and what they would have expected is
    /// clearly worse.
    Good,
    /// Few would have expected it, and it loses nothing.
    Interesting,
    /// Loses little, and is not surprising.
    Ordinary,
    /// May have lost something, but the search is not sure enough.
    Unclear,
    /// Gives something away.
    Doubtful,
    /// A mistake (悪手, *akushu*).
    Bad,
}

impl Verdict {
    /// From good to bad.
    pub const ALL: [Verdict; 6] =
        [Verdict::Good, Verdict::Interesting, Verdict::Ordinary, Verdict::Unclear, Verdict::Doubtful, Verdict::Bad];

    /// Its name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Good => "good",
            Verdict::Interesting => "interesting",
            Verdict::Ordinary => "ordinary",
            Verdict::Unclear => "unclear",
            Verdict::Doubtful => "doubtful",
            Verdict::Bad => "bad",
        }
    }
}

/// The limits of the verdicts: win rates from 0 to 1, and probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VerdictLimits {
    /// The smallest loss of a bad move.
    pub bad: f64,
    /// The smallest loss of a doubtful move.
    pub doubtful: f64,
    /// The largest loss of a good or interesting move, and the most by which the search may prefer another move to it.
    pub margin: f64,
    /// The largest probability with which people would play a good move.
    pub unexpected: f64,
    /// The largest probability with which people would play an interesting move.
    pub surprising: f64,
    /// How much worse the expected move must be than a good one.
    pub matters: f64,
    /// How many times its error a loss must be, to be called one.
    pub sureness: f64,
}

impl Default for VerdictLimits {
    fn default() -> VerdictLimits {
        VerdictLimits {
            bad: 0.12,
            doubtful: 0.06,
            margin: 0.015,
            unexpected: 0.15,
            surprising: 0.02,
            matters: 0.10,
            sureness: 1.0,
        }
    }
}

/// Win rates of games that are not decided.
const OPEN_GAME: std::ops::RangeInclusive<f64> = 0.05..=0.95;

/// With fewer visits, the win rate of a move means little.
const MIN_VISITS: u32 = 5;

/// The move that people would most likely have played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedMove {
    /// Where.
    pub point: Point,
    /// With which probability.
    pub probability: f64,
}

/// A move of a game with everything that is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedMove {
    /// The number of moves before it.
    pub index: usize,
    /// The move.
    pub played: Move,
    /// What search and predictions say about it, as they say it.
    pub signals: Signals,
    /// The win rate that it lost: the only loss that is shown.
    pub loss: Option<Estimate>,
    /// The mover's win rate before it and after it: they differ by the loss.
    pub rates: Option<[f64; 2]>,
    /// The points that it lost, if the evaluator counts points.
    pub points_lost: Option<Estimate>,
    /// The probabilities that a commentator would praise it, would not mention it, would criticize it.
    pub commentary: [f64; 3],
    /// The verdict.
    pub verdict: Verdict,
    /// The exchange that it belongs to.
    pub exchange: Option<Exchange>,
    /// Why it is worth studying; `None` if it is not among those moves.
    pub moment: Option<Moment>,
    /// What it does on the board.
    pub tags: Vec<MoveTag>,
    /// What the search says about the position before it; `None` if it failed there.
    pub evaluation: Option<Evaluation>,
}

/// A game with its moves judged.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedGame {
    /// Black's win rate before each move, and after the last one where it was evaluated.
    pub win_rates_black: Vec<Option<Estimate>>,
    /// Black's lead in points, likewise, if the evaluator counts points.
    pub leads_black: Vec<Option<Estimate>>,
    /// The moves that were judged, in order, without passes.
    pub moves: Vec<JudgedMove>,
}

impl JudgedMove {
    /// The candidate that the search likes best.
    pub fn best(&self) -> Option<&MoveValue> {
        self.evaluation.as_ref()?.moves.first()
    }

    /// The best candidate, if it is not the move played.
    pub fn preferred(&self) -> Option<&MoveValue> {
        self.best().filter(|best| best.point != self.played.point)
    }

    /// How much worse a move is than the best one in the search of this position; `None` if it was not searched.
    pub fn difference(&self, point: Option<Point>) -> Option<f64> {
        let best = self.best()?.win_rate?;
        let value = self.evaluation.as_ref()?.moves.iter().find(|value| value.point == point)?;
        Some(best - value.win_rate?)
    }

    /// The probability with which people would have played it.
    pub fn probability(&self) -> Option<f64> {
        self.signals.bits().map(|bits| (-bits).exp2())
    }

    /// How much worse the expected move is than the one played; `None` if the move played was the expected one, or the
    /// search hardly looked at the expected one.
    pub fn expected_is_worse_by(&self) -> Option<f64> {
        let expected = self.signals.expected.filter(|expected| Some(expected.point) != self.played.point)?;
        let candidates = &self.evaluation.as_ref()?.moves;
        candidates.iter().find(|value| value.point == Some(expected.point) && value.visits >= MIN_VISITS)?;
        Some(self.difference(Some(expected.point))? - self.difference(self.played.point)?)
    }
}

/// The verdict on a move by these limits.
pub(crate) fn verdict(judged: &JudgedMove, limits: &VerdictLimits) -> Verdict {
    let Some(loss) = judged.loss else { return Verdict::Unclear };
    let difference = judged.difference(judged.played.point).unwrap_or(f64::INFINITY);
    let is_preferred = judged.best().is_some() && judged.preferred().is_none();
    let is_refuted = !is_preferred && difference > limits.margin;
    if loss.value >= limits.doubtful && is_refuted {
        return match () {
            _ if loss.value < limits.sureness * loss.error => Verdict::Unclear,
            _ if loss.value >= limits.bad => Verdict::Bad,
            _ => Verdict::Doubtful,
        };
    }
    let is_close = loss.value <= limits.margin && (is_preferred || difference <= limits.margin);
    let probability = judged.probability().unwrap_or(1.0);
    // In a decided game, nearly every move loses nothing.
    let is_open = judged.rates.is_some_and(|[before, _]| OPEN_GAME.contains(&before));
    let matters = judged.expected_is_worse_by().is_some_and(|gain| gain >= limits.matters);
    match () {
        _ if is_close && matters && probability <= limits.unexpected => Verdict::Good,
        _ if is_close && is_open && probability <= limits.surprising => Verdict::Interesting,
        _ => Verdict::Ordinary,
    }
}
