//! One line of an engine's report.

use crate::engines::{AnalysisLine, Dialect, Score};

/// Moves of a line that are kept.
const N_MOVES: usize = 256;
/// Lines that are kept of one depth; the most moves that a position of shogi has are 593.
pub(crate) const N_LINES: u32 = 600;

/// Whether a score is what the engine found, or only a bound of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Precision {
    /// The search fell outside its window: the score is at least or at most this.
    Bound,
    /// The score itself.
    Exact,
}

/// The contents of a line that begins with `info`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Info {
    /// Plies searched.
    pub(crate) depth: Option<u32>,
    /// Positions visited.
    pub(crate) nodes: Option<u64>,
    /// The line's number from 1, if the engine numbers its lines.
    pub(crate) number: Option<u32>,
    /// A line of play, if there is a score.
    pub(crate) line: Option<(Precision, AnalysisLine)>,
}

impl Info {
    /// Reads the words after `info`. Unclear parts are skipped.
    pub(crate) fn parse(words: &[&str], dialect: Dialect) -> Info {
        // Whatever follows `string` is prose and may hold any word.
        let end = words.iter().position(|word| *word == "string").unwrap_or(words.len());
        let words = &words[..end];
        let behind = |key: &str| words.iter().position(|word| *word == key).map(|at| &words[at + 1..]);
        let word = |key: &str| behind(key).and_then(|rest| rest.first()).copied();
        let moves = || {
            let moves = behind("pv").unwrap_or_default().iter();
            moves.map_while(|word| dialect.is_move(word).then(|| word.to_string())).take(N_MOVES).collect()
        };
        Info {
            depth: word("depth").and_then(|depth| depth.parse().ok()),
            nodes: word("nodes").and_then(|nodes| nodes.parse().ok()),
            number: word("multipv")
                .and_then(|number| number.parse().ok())
                .filter(|number| (1..=N_LINES).contains(number)),
            line: behind("score").and_then(parse_score).map(|(score, precision)| {
                let line = AnalysisLine { score, moves: moves() };
                (precision, line)
            }),
        }
    }
}

/// Reads the words after `score`: `cp 31 lowerbound`, `mate +`.
fn parse_score(words: &[&str]) -> Option<(Score, Precision)> {
    let score = match words {
        ["cp", centipawns, ..] => Score::Centipawns(centipawns.parse().ok()?),
        ["mate", length, ..] => Score::parse_mate(length)?,
        _ => return None,
    };
    let is_bound = matches!(words.get(2), Some(&("lowerbound" | "upperbound")));
    Some((score, if is_bound { Precision::Bound } else { Precision::Exact }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(line: &str) -> Info {
        Info::parse(&line.split_whitespace().collect::<Vec<_>>(), Dialect::Usi)
    }

    #[track_caller]
    fn check(line: &str, score: Option<(Score, Precision)>, moves: &[&str]) {
        let found = parse(line).line;
        assert_eq!(found.as_ref().map(|(precision, line)| (line.score, *precision)), score, "{line}");
        assert_eq!(found.map_or(Vec::new(), |(_, line)| line.moves), moves, "{line}");
    }

    #[test]
    fn a_line_of_gps_is_read() {
        let line = "depth 6 seldepth 10 time 556 score cp 14 nodes 123154 nps 221214 pv 7g7f 3c3d B*5e";
        let info = parse(line);
        assert_eq!((info.depth, info.nodes, info.number), (Some(6), Some(123_154), None));
        check(line, Some((Score::Centipawns(14), Precision::Exact)), &["7g7f", "3c3d", "B*5e"]);
    }

    #[test]
    fn bounds_mates_and_numbers_are_read() {
        let bound = Some((Score::Centipawns(-3), Precision::Bound));
        check("depth 9 score cp -3 upperbound pv 7g7f", bound, &["7g7f"]);
        check("depth 9 score cp -3 lowerbound", bound, &[]);
        check("score mate -", Some((Score::Mate(-Score::UNKNOWN_MATE_LENGTH), Precision::Exact)), &[]);
        check("score mate 5 lowerbound", Some((Score::Mate(5), Precision::Bound)), &[]);
        assert_eq!(parse("multipv 3 score cp 1").number, Some(3));
    }

    #[test]
    fn nonsense_is_left_out() {
        for line in ["", "score", "score cp", "score cp x", "score mate", "string score cp 5 pv 7g7f", "currmove 7g7f"]
        {
            check(line, None, &[]);
        }
        check("score cp 5 pv 7g7f banana 3c3d", Some((Score::Centipawns(5), Precision::Exact)), &["7g7f"]);
        check("score cp 5 pv resign", Some((Score::Centipawns(5), Precision::Exact)), &[]);
        assert_eq!(parse("depth -1 nodes 1e9 multipv 0"), Info::default());
    }

    proptest! {
        #[test]
        fn any_line_can_be_read(line in "(depth|score|cp|mate|pv|multipv|nodes|7g7f|lowerbound|-1|[ -~é]| ){0,40}") {
            parse(&line);
        }
    }
}
