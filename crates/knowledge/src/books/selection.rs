//! How a program chooses among the moves of its book.

use std::fmt;
use std::str::FromStr;

use tejun_games::game::Side;

use crate::books::{Book, MoveNotes};

/// The probabilities of a book's moves: a rule, and a power that sharpens or flattens weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// Which moves are kept, and how they are drawn.
    pub rule: Rule,
    /// Weights that the rule keeps are raised to this power: 1 as they are, 0 all alike.
    pub power: f64,
    /// The book is not asked from this ply on.
    pub max_ply: Option<u32>,
}

/// Which moves are kept, and how they are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// In proportion to their weights.
    AsStored,
    /// GPS Shogi's: a move is kept if its weight times a factor reaches the largest weight.
    Gps {
        /// The factor at the start.
        start: u32,
        /// The factor elsewhere.
        elsewhere: u32,
    },
    /// Bonanza's narrow book: moves of at least half the largest weight.
    BonanzaNarrow,
    /// YaneuraOu's, by value, depth and count.
    YaneuraOu(YaneuraOuRule),
    /// The largest weight; of equal ones each.
    Best,
    /// All moves with a weight, evenly.
    Uniform,
}

/// YaneuraOu's options, by the engine's own names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YaneuraOuRule {
    /// `BookDepthLimit`: the best move must have been searched this deep; 0 is off.
    pub depth_limit: u32,
    /// `BookEvalDiff`: how much less than the best a value may be.
    pub eval_diff: i32,
    /// `BookEvalBlackLimit`: the least value for Black.
    pub black_limit: i32,
    /// `BookEvalWhiteLimit`: the least value for White.
    pub white_limit: i32,
    /// `NarrowBook`: whether moves under a tenth of all counts are dropped.
    pub is_narrow: bool,
    /// `ConsiderBookMoveCount`: whether counts are probabilities; if not, all kept moves are alike.
    pub counts_matter: bool,
}

/// Why a text is not a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a rule: choose {}", Rule::CHOICES)]
pub struct RuleError {
    text: String,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection { rule: Rule::AsStored, power: 1.0, max_ply: None }
    }
}

impl Default for YaneuraOuRule {
    /// The engine's own defaults.
    fn default() -> YaneuraOuRule {
        YaneuraOuRule {
            depth_limit: 16,
            eval_diff: 30,
            black_limit: 0,
            white_limit: -140,
            is_narrow: false,
            counts_matter: false,
        }
    }
}

impl Rule {
    /// GPS Shogi's rule as it is shipped.
    pub const GPS: Rule = Rule::Gps { start: 16, elsewhere: 10 };
    /// What can be written for a rule.
    pub const CHOICES: &str = "stored, gps, gps:16,10, bonanza-narrow, yaneuraou, best, uniform, \
        or yaneuraou: with any of depth=16, diff=30, black=0, white=-140, narrow and counts, as in yaneuraou:diff=50,counts";
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Rule, RuleError> {
        let error = || RuleError { text: text.to_string() };
        let (name, options) = text.split_once(':').map_or((text, None), |(name, options)| (name, Some(options)));
        match (name, options) {
            ("stored", None) => Ok(Rule::AsStored),
            ("gps", None) => Ok(Rule::GPS),
            ("gps", Some(factors)) => {
                let (start, elsewhere) = factors.split_once(',').ok_or_else(error)?;
                let number = |text: &str| text.trim().parse().map_err(|_| error());
                Ok(Rule::Gps { start: number(start)?, elsewhere: number(elsewhere)? })
            }
            ("bonanza-narrow", None) => Ok(Rule::BonanzaNarrow),
            ("yaneuraou", options) => {
                yaneuraou_rule(options.unwrap_or_default()).map(Rule::YaneuraOu).ok_or_else(error)
            }
            ("best", None) => Ok(Rule::Best),
            ("uniform", None) => Ok(Rule::Uniform),
            _ => Err(error()),
        }
    }
}

/// The engine's defaults, changed by options such as `diff=50,counts`.
fn yaneuraou_rule(options: &str) -> Option<YaneuraOuRule> {
    let mut rule = YaneuraOuRule::default();
    for option in options.split(',').map(str::trim).filter(|option| !option.is_empty()) {
        match option.split_once('=') {
            Some(("depth", limit)) => rule.depth_limit = limit.parse().ok()?,
            Some(("diff", diff)) => rule.eval_diff = diff.parse().ok()?,
            Some(("black", limit)) => rule.black_limit = limit.parse().ok()?,
            Some(("white", limit)) => rule.white_limit = limit.parse().ok()?,
            None if option == "narrow" => rule.is_narrow = true,
            None if option == "counts" => rule.counts_matter = true,
            _ => return None,
        }
    }
    Some(rule)
}

impl fmt::Display for Rule {
    /// What [`Rule::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::AsStored => f.write_str("stored"),
            Rule::Gps { start, elsewhere } => write!(f, "gps:{start},{elsewhere}"),
            Rule::BonanzaNarrow => f.write_str("bonanza-narrow"),
            Rule::YaneuraOu(rule) => {
                let YaneuraOuRule { depth_limit, eval_diff, black_limit, white_limit, .. } = rule;
                write!(f, "yaneuraou:depth={depth_limit},diff={eval_diff},black={black_limit},white={white_limit}")?;
                let flags = [(rule.is_narrow, ",narrow"), (rule.counts_matter, ",counts")];
                flags.into_iter().filter(|flag| flag.0).try_for_each(|flag| f.write_str(flag.1))
            }
            Rule::Best => f.write_str("best"),
            Rule::Uniform => f.write_str("uniform"),
        }
    }
}

impl Selection {
    /// A rule with weights as they are.
    pub fn by(rule: Rule) -> Selection {
        Selection { rule, ..Selection::default() }
    }

    /// Writes the probability of each move of a position to `probabilities`; returns whether any move can be chosen.
    ///
    /// Probabilities add up to 1, or are all 0 if the rule leaves nothing.
    pub fn probabilities(&self, book: &Book, position: u32, probabilities: &mut Vec<f64>) -> bool {
        let moves = book.moves(position);
        probabilities.clear();
        probabilities.extend(moves.iter().map(|known| f64::from(known.weight)));
        let largest = probabilities.iter().copied().fold(0.0, f64::max);
        match self.rule {
            Rule::AsStored => {}
            Rule::Gps { start, elsewhere } => {
                let is_start = book.start() == Some(position);
                let factor = f64::from(if is_start { start } else { elsewhere });
                keep(probabilities, |weight| weight * factor >= largest);
            }
            Rule::BonanzaNarrow => keep(probabilities, |weight| 2.0 * weight >= largest),
            Rule::YaneuraOu(rule) => {
                let side = book.positions()[position as usize].to_move;
                rule.weigh(probabilities, book.move_notes(position), side);
            }
            Rule::Best => keep(probabilities, |weight| weight == largest),
            Rule::Uniform => probabilities.iter_mut().for_each(|weight| *weight = f64::from(*weight > 0.0)),
        }
        if self.power != 1.0 {
            // Compared with the largest, so that no power is too large for a number.
            let largest = probabilities.iter().copied().fold(0.0, f64::max);
            let kept = probabilities.iter_mut().filter(|weight| **weight > 0.0);
            kept.for_each(|weight| *weight = (*weight / largest).powf(self.power));
        }
        let sum: f64 = probabilities.iter().sum();
        if sum > 0.0 {
            probabilities.iter_mut().for_each(|weight| *weight /= sum);
        }
        sum > 0.0
    }
}

/// Sets weights that are not wanted to 0.
fn keep(weights: &mut [f64], is_wanted: impl Fn(f64) -> bool) {
    weights.iter_mut().filter(|weight| !is_wanted(**weight)).for_each(|weight| *weight = 0.0);
}

impl YaneuraOuRule {
    /// Turns counts into weights as the engine would draw.
    fn weigh(&self, counts: &mut [f64], notes: &[MoveNotes], side: Side) {
        let note = |index: usize| notes.get(index).cloned().unwrap_or_default();
        let values: Vec<i32> = (0..counts.len()).map(|index| note(index).value.unwrap_or(0)).collect();
        let best = (0..counts.len()).max_by_key(|index| (values[*index], usize::MAX - index));
        let Some(best) = best else { return };
        let is_shallow = self.depth_limit > 0 && note(best).depth.unwrap_or(0) < self.depth_limit;
        let limit = match side {
            Side::First => self.black_limit,
            Side::Second => self.white_limit,
        };
        let least = values[best].saturating_sub(self.eval_diff).max(limit);
        let total: f64 = counts.iter().sum();
        let is_kept: Vec<bool> = counts
            .iter()
            .zip(values)
            .map(|(count, value)| !is_shallow && value >= least && !(self.is_narrow && *count < 0.1 * total))
            .collect();
        let kept_total: f64 =
            counts.iter().zip(&is_kept).filter(|(_, is_kept)| **is_kept).map(|(count, _)| count).sum();
        for (count, is_kept) in counts.iter_mut().zip(is_kept) {
            if !is_kept {
                *count = 0.0;
            } else if !self.counts_matter || kept_total == 0.0 {
                // Counts that say nothing leave all alike.
                *count = 1.0;
            }
        }
    }
}
