//! What an engine has reported about a position so far.

use std::collections::BTreeMap;

use crate::engines::uci::info::{Info, N_LINES, Precision};
use crate::engines::{Analysis, AnalysisLine, BestMove};

/// Iterations that are kept; the shallowest give way.
const N_ITERATIONS: usize = 256;

/// The lines of one iteration, which is a precision and a depth.
#[derive(Debug, Default)]
struct Iteration {
    /// By their numbers; a later one takes the place of an earlier.
    numbered: BTreeMap<u32, AnalysisLine>,
    /// In the order they came, each first move once.
    unnumbered: Vec<AnalysisLine>,
}

/// All lines that are worth remembering.
///
/// A bound is less than any exact score, however deep it is.
#[derive(Debug, Default)]
pub(crate) struct Report {
    iterations: BTreeMap<(Precision, u32), Iteration>,
    last_depth: Option<u32>,
    nodes: Option<u64>,
}

impl Report {
    /// Adds a line; one without a depth has the depth of the last line with one.
    pub(crate) fn read(&mut self, info: Info) {
        self.last_depth = info.depth.or(self.last_depth);
        self.nodes = info.nodes.or(self.nodes);
        let Some((precision, line)) = info.line else { return };
        let iteration = self.iterations.entry((precision, self.last_depth.unwrap_or(0))).or_default();
        match info.number {
            Some(number) => {
                iteration.numbered.insert(number, line);
            }
            None => {
                iteration.unnumbered.retain(|known| known.moves.first() != line.moves.first());
                iteration.unnumbered.push(line);
                iteration.unnumbered.truncate(N_LINES as usize);
            }
        }
        if self.iterations.len() > N_ITERATIONS {
            self.iterations.pop_first();
        }
    }

    /// The analysis, when the engine has chosen.
    pub(crate) fn finish(mut self, best_move: BestMove) -> Analysis {
        let best = self.best(&best_move);
        let depth = best.map(|(_, depth)| depth).filter(|depth| *depth > 0).or(self.last_depth);
        let lines = best.and_then(|key| self.iterations.remove(&key)).map_or(Vec::new(), |iteration| {
            if iteration.numbered.is_empty() {
                iteration.line_of(&best_move).or(iteration.unnumbered.last()).cloned().into_iter().collect()
            } else {
                iteration.numbered.into_values().collect()
            }
        });
        Analysis { best_move, lines, depth, nodes: self.nodes }
    }

    /// The iteration that is believed: the deepest with all lines.
    fn best(&self, best_move: &BestMove) -> Option<(Precision, u32)> {
        let (last, _) = self.iterations.last_key_value()?;
        let same = || self.iterations.iter().rev().filter(|(key, _)| key.0 == last.0);
        let n_lines = same().map(|(_, iteration)| iteration.numbered.len()).max().unwrap_or(0);
        // An engine that does not number its lines reports each new best move,
        // or all within a margin; the line of its best_move is what it believes.
        let is_whole = |iteration: &Iteration| {
            if n_lines > 0 { iteration.numbered.len() == n_lines } else { iteration.line_of(best_move).is_some() }
        };
        let found = same().find(|(_, iteration)| is_whole(iteration));
        Some(found.map_or(*last, |(key, _)| *key))
    }
}

impl Iteration {
    /// The line that begins with the chosen move.
    fn line_of(&self, best_move: &BestMove) -> Option<&AnalysisLine> {
        let BestMove::Move(chosen) = best_move else { return None };
        self.unnumbered.iter().find(|line| line.moves.first() == Some(chosen))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::{Dialect, Score};

    /// The lines as score and first move, and the depth, of a report of these lines.
    #[track_caller]
    fn check(lines: &[&str], best_move: &str, expected: &[(i32, &str)], depth: Option<u32>) {
        let mut report = Report::default();
        for line in lines {
            report.read(Info::parse(&line.split_whitespace().collect::<Vec<_>>(), Dialect::Uci));
        }
        let analysis = report.finish(BestMove::Move(best_move.into()));
        let first = |line: &AnalysisLine| line.moves.first().cloned().unwrap_or_default();
        let found: Vec<_> = analysis.lines.iter().map(|line| (line.score.centipawns(), first(line))).collect();
        let expected: Vec<_> = expected.iter().map(|(score, first)| (*score, first.to_string())).collect();
        assert_eq!((found, analysis.depth), (expected, depth), "{lines:?}");
    }

    #[test]
    fn the_deepest_line_is_taken() {
        let lines = ["depth 1 score cp 5 pv e2e4", "depth 2 score cp 7 pv e2e4 e7e5", "depth 2 nodes 10"];
        check(&lines, "e2e4", &[(7, "e2e4")], Some(2));
        check(&[], "e2e4", &[], None);
        check(&["depth 3 nodes 10"], "e2e4", &[], Some(3));
        check(&["score cp 7 pv e2e4"], "e2e4", &[(7, "e2e4")], None);
    }

    #[test]
    fn bounds_count_only_where_nothing_is_exact() {
        let bound = "depth 9 score cp 90 lowerbound pv d2d4";
        check(&["depth 8 score cp 7 pv e2e4", bound], "e2e4", &[(7, "e2e4")], Some(8));
        check(&["depth 8 score cp 7 upperbound pv e2e4", bound], "d2d4", &[(90, "d2d4")], Some(9));
    }

    #[test]
    fn an_unfinished_iteration_is_skipped() {
        let whole = ["depth 5 multipv 1 score cp 9 pv e2e4", "depth 5 multipv 2 score cp 3 pv d2d4"];
        check(&whole, "e2e4", &[(9, "e2e4"), (3, "d2d4")], Some(5));
        let next = [&whole[..], &["depth 6 multipv 1 score cp 8 pv c2c4"]].concat();
        check(&next, "c2c4", &[(9, "e2e4"), (3, "d2d4")], Some(5));
    }

    #[test]
    fn of_lines_without_numbers_that_of_the_choice_is_taken() {
        let lines = ["depth 5 score cp -31 pv e2e3", "depth 5 score cp 43 pv e2e4", "depth 5 score cp 36 pv d2d4"];
        check(&lines, "e2e4", &[(43, "e2e4")], Some(5));
        check(&lines, "a2a3", &[(36, "d2d4")], Some(5));
        let deeper = [&lines[..], &["depth 6 score cp 1 pv d2d4"]].concat();
        check(&deeper, "e2e4", &[(43, "e2e4")], Some(5));
    }

    #[test]
    fn a_score_without_moves_is_kept() {
        let mut report = Report::default();
        report.read(Info::parse(&["depth", "0", "score", "mate", "0"], Dialect::Uci));
        let analysis = report.finish(BestMove::Resign);
        assert_eq!(analysis.lines, [AnalysisLine { score: Score::Mate(0), moves: Vec::new() }]);
    }
}
