//! Scores of positions, as engines report them.

use std::fmt;
use std::str::FromStr;

use tejun_games::game::Side;

/// A mate is worth this many centipawns, less one for each move to it.
const MATE: i32 = 30_000;
/// Longer mates have the same value.
const LONGEST_MATE: i32 = 1_000;

/// Win rates are kept this far from 0 and 1, where log odds are infinite.
const MARGIN: f64 = 0.001;

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn. Some engines report mates as huge numbers here.
    Centipawns(i32),
    /// The side to move mates (positive) or is mated (negative or 0) in as many plies or moves as the engine reports.
    ///
    /// USI counts plies, UCI moves. [`Score::UNKNOWN_MATE_LENGTH`] stands for an unknown length.
    Mate(i32),
}

/// A text that is not a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write hundredths of a pawn, as -35, or a mate, as mate 7")]
pub struct ParseScoreError;

impl Score {
    /// The length of a mate of which only the winner is known (`mate +` and `mate -` in USI).
    pub const UNKNOWN_MATE_LENGTH: i32 = LONGEST_MATE;

    /// The score as one number, from -30000 to 30000.
    ///
    /// A mate is ±(30000 - n), and ±29000 at the least; no other score is cut below that.
    pub fn centipawns(self) -> i32 {
        match self {
            Score::Centipawns(centipawns) => centipawns.clamp(-MATE, MATE),
            Score::Mate(length @ 1..) => MATE - length.min(LONGEST_MATE),
            Score::Mate(length) => -MATE - length.max(-LONGEST_MATE),
        }
    }

    /// The score of a win rate for the side to move: a hundred times its log odds.
    ///
    /// Win rates closer to 0 or 1 than 0.001 count as 0.001 or 0.999.
    pub fn from_win_rate(win_rate: f64) -> Score {
        let rate = win_rate.clamp(MARGIN, 1.0 - MARGIN);
        Score::Centipawns((100.0 * (rate / (1.0 - rate)).ln()).round() as i32)
    }

    /// The score in centipawns for the first player, when this side is to move.
    pub fn for_first_player(self, to_move: Side) -> f64 {
        let sign = if to_move == Side::First { 1.0 } else { -1.0 };
        sign * f64::from(self.centipawns())
    }

    /// Reads the word after `score mate`.
    pub(crate) fn parse_mate(word: &str) -> Option<Score> {
        match word {
            "+" => Some(Score::Mate(Score::UNKNOWN_MATE_LENGTH)),
            "-" => Some(Score::Mate(-Score::UNKNOWN_MATE_LENGTH)),
            // As a number it would be 0, which is the other side's.
            "+0" => Some(Score::Mate(1)),
            _ => word.parse().ok().map(Score::Mate),
        }
    }
}

impl fmt::Display for Score {
    /// `-35` or `mate 7`; reads back as the same score.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(centipawns) => write!(f, "{centipawns}"),
            Score::Mate(length) => write!(f, "mate {length}"),
        }
    }
}

impl FromStr for Score {
    type Err = ParseScoreError;

    /// Reads `-35`, `cp -35`, `mate 7`, `mate +`.
    fn from_str(text: &str) -> Result<Score, ParseScoreError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let score = match words[..] {
            ["mate", length] => Score::parse_mate(length),
            ["cp", centipawns] | [centipawns] => centipawns.parse().ok().map(Score::Centipawns),
            _ => None,
        };
        score.ok_or(ParseScoreError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: Option<Score>) {
        assert_eq!(text.parse().ok(), expected, "{text}");
    }

    #[test]
    fn scores_are_read() {
        check("-35", Some(Score::Centipawns(-35)));
        check("cp +35", Some(Score::Centipawns(35)));
        check("mate +7", Some(Score::Mate(7)));
        check("mate -7", Some(Score::Mate(-7)));
        check("mate -", Some(Score::Mate(-Score::UNKNOWN_MATE_LENGTH)));
        check("mate -0", Some(Score::Mate(0)));
        check("mate +0", Some(Score::Mate(1)));
        for text in ["", "mate", "cp", "0.35", "99999999999", "mate x", "35 36"] {
            check(text, None);
        }
    }

    #[test]
    fn a_nearer_mate_is_worth_more() {
        let scores = [i32::MIN, -2000, -1000, -3, 0].map(Score::Mate).map(Score::centipawns);
        assert_eq!(scores, [-29_000, -29_000, -29_000, -29_997, -30_000]);
        let scores = [1, 3, 1000, i32::MAX].map(Score::Mate).map(Score::centipawns);
        assert_eq!(scores, [29_999, 29_997, 29_000, 29_000]);
        assert_eq!(Score::Centipawns(-1_148_897).centipawns(), -30_000, "as GPS reports a mate");
    }

    proptest! {
        #[test]
        fn scores_read_back(number: i32, is_mate: bool) {
            let score = if is_mate { Score::Mate(number) } else { Score::Centipawns(number) };
            prop_assert_eq!(score.to_string().parse(), Ok(score));
            prop_assert!(score.centipawns().abs() <= 30_000);
        }
    }
}
