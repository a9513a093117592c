//! One line of a file of analyses.

use std::fmt;

use crate::engines::{Analysis, BestMove, Excerpt, ParseScoreError, Score};

/// Stands for an unknown value.
const UNKNOWN: &str = "-";

/// What is kept of an analysis: its best line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedAnalysis {
    /// What the position is worth to the side to move.
    pub score: Option<Score>,
    /// The engine's decision; files of other programs may not have it.
    pub best_move: Option<BestMove>,
    /// How deep it searched, in plies.
    pub depth: Option<u32>,
    /// How many positions it visited.
    pub nodes: Option<u64>,
    /// The best line.
    pub moves: Vec<String>,
}

/// What is wrong with a line of a file of analyses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogRowFault {
    /// It has too few columns, or too many.
    #[error("write six columns with tabs between them: position, value, move, depth, nodes, line; it has {n_columns}")]
    Columns {
        /// How many it has.
        n_columns: usize,
    },
    /// It has fewer than two columns.
    #[error("write a position, a tab and its value")]
    NoValue,
    /// There is no position in the first column.
    #[error("there is no position in the first column")]
    NoPosition,
    /// The value is none.
    #[error("the value is {value}: {cause}")]
    Score {
        /// The text found.
        value: Excerpt,
        /// What should.
        cause: ParseScoreError,
    },
    /// A column that does not hold what it should.
    #[error("the column {name} is {text}")]
    Column {
        /// The column.
        name: &'static str,
        /// The text found.
        text: Excerpt,
    },
    /// It is not UTF-8.
    #[error("it is not UTF-8 text")]
    Encoding,
}

impl From<&Analysis> for CachedAnalysis {
    fn from(analysis: &Analysis) -> CachedAnalysis {
        CachedAnalysis {
            score: analysis.score(),
            best_move: Some(analysis.best_move.clone()),
            depth: analysis.depth,
            nodes: analysis.nodes,
            moves: analysis.lines.first().map_or(Vec::new(), |line| line.moves.clone()),
        }
    }
}

impl CachedAnalysis {
    /// Reads a line of our own: six columns.
    pub(crate) fn parse(line: &str) -> Result<(&str, CachedAnalysis), LogRowFault> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [position, value, best_move, depth, nodes, moves] = columns[..] else {
            return Err(LogRowFault::Columns { n_columns: columns.len() });
        };
        let fault = |name, text: &str| LogRowFault::Column { name, text: Excerpt::new(text) };
        let analysis = CachedAnalysis {
            score: known(value).map(parse_score).transpose()?,
            best_move: known(best_move).map(parse_best_move).transpose().map_err(|()| fault("move", best_move))?,
            depth: known(depth).map(str::parse).transpose().map_err(|_| fault("depth", depth))?,
            nodes: known(nodes).map(str::parse).transpose().map_err(|_| fault("nodes", nodes))?,
            moves: known(moves).map_or(Vec::new(), |moves| moves.split(' ').map(str::to_string).collect()),
        };
        if !analysis.moves.iter().all(|word| is_word(word)) {
            return Err(fault("line", moves));
        }
        if is_position(position) { Ok((position, analysis)) } else { Err(LogRowFault::NoPosition) }
    }

    /// Reads a line of somebody else: a position and its value, and the rest if it is as ours.
    pub(crate) fn parse_leniently(line: &str) -> Result<(&str, CachedAnalysis), LogRowFault> {
        if let Ok(row) = CachedAnalysis::parse(line) {
            return Ok(row);
        }
        let (position, rest) = line.split_once('\t').ok_or(LogRowFault::NoValue)?;
        let value = rest.split('\t').next().unwrap_or(rest);
        let score = Some(parse_score(value)?);
        let position = position.trim();
        if !is_position(position) {
            return Err(LogRowFault::NoPosition);
        }
        Ok((position, CachedAnalysis { score, best_move: None, depth: None, nodes: None, moves: Vec::new() }))
    }

    /// Whether it can be written and read back.
    pub(crate) fn is_writable(&self) -> bool {
        let is_move = match &self.best_move {
            Some(BestMove::Move(word)) => is_word(word) && parse_best_move(word) == Ok(BestMove::Move(word.clone())),
            _ => true,
        };
        is_move && self.moves.iter().all(|word| is_word(word))
    }
}

impl fmt::Display for CachedAnalysis {
    /// The columns after the position.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_known(f, self.score.as_ref())?;
        f.write_str("\t")?;
        match &self.best_move {
            Some(BestMove::Move(word)) => f.write_str(word)?,
            Some(BestMove::Resign) => f.write_str("resign")?,
            Some(BestMove::Win) => f.write_str("win")?,
            None => f.write_str(UNKNOWN)?,
        }
        f.write_str("\t")?;
        write_known(f, self.depth.as_ref())?;
        f.write_str("\t")?;
        write_known(f, self.nodes.as_ref())?;
        let line = self.moves.join(" ");
        write!(f, "\t{}", if line.is_empty() { UNKNOWN } else { &line })
    }
}

/// Whether a text can be in the first column.
pub(crate) fn is_position(text: &str) -> bool {
    !text.trim().is_empty() && !text.starts_with('#') && !text.contains(char::is_control)
}

fn write_known(f: &mut fmt::Formatter<'_>, value: Option<&impl fmt::Display>) -> fmt::Result {
    match value {
        Some(value) => write!(f, "{value}"),
        None => f.write_str(UNKNOWN),
    }
}

fn known(column: &str) -> Option<&str> {
    (column != UNKNOWN).then_some(column)
}

fn parse_score(text: &str) -> Result<Score, LogRowFault> {
    text.parse().map_err(|cause| LogRowFault::Score { value: Excerpt::new(text), cause })
}

fn parse_best_move(word: &str) -> Result<BestMove, ()> {
    match word {
        "resign" => Ok(BestMove::Resign),
        "win" => Ok(BestMove::Win),
        _ if is_word(word) => Ok(BestMove::Move(word.to_string())),
        _ => Err(()),
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text != UNKNOWN && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &str) {
        let fault = CachedAnalysis::parse(line).expect_err("a fault");
        assert_eq!(fault.to_string(), expected, "{line}");
    }

    #[test]
    fn a_row_is_read() {
        let (position, analysis) = CachedAnalysis::parse("startpos\tmate -4\tresign\t6\t99\t7g7f 3c3d").expect("a row");
        assert_eq!(position, "startpos");
        assert_eq!((analysis.score, analysis.best_move), (Some(Score::Mate(-4)), Some(BestMove::Resign)));
        assert_eq!((analysis.depth, analysis.nodes, analysis.moves.len()), (Some(6), Some(99), 2));
        let (_, nothing) = CachedAnalysis::parse("startpos\t-\t-\t-\t-\t-").expect("a row");
        assert_eq!((nothing.score, nothing.best_move, nothing.depth, nothing.moves.len()), (None, None, None, 0));
    }

    #[test]
    fn faults_say_what_stood_there() {
        check(
            "startpos",
            "write six columns with tabs between them: position, value, move, depth, nodes, line; it has 1",
        );
        check("a\tx\t-\t-\t-\t-", "the value is \"x\": write hundredths of a pawn, as -35, or a mate, as mate 7");
        check("a\t1\t7g 7f\t-\t-\t-", "the column move is \"7g 7f\"");
        check("a\t1\t-\tdeep\t-\t-", "the column depth is \"deep\"");
        check("a\t1\t-\t-\t-1\t-", "the column nodes is \"-1\"");
        check("a\t1\t-\t-\t-\tx  y", "the column line is \"x  y\"");
        check("\t1\t-\t-\t-\t-", "there is no position in the first column");
    }

    #[test]
    fn rows_of_others_need_two_columns() {
        let (position, analysis) = CachedAnalysis::parse_leniently("sfen x b - 1 \tcp -20\tgood\t?").expect("a row");
        assert_eq!(
            (position, analysis.score, analysis.best_move),
            ("sfen x b - 1", Some(Score::Centipawns(-20)), None)
        );
        assert!(CachedAnalysis::parse_leniently("startpos").is_err());
        assert!(CachedAnalysis::parse_leniently("startpos\tgood").is_err());
        let ours = CachedAnalysis::parse_leniently("startpos\t1\t7g7f\t-\t-\t-").expect("a row");
        assert_eq!(ours.1.best_move, Some(BestMove::Move("7g7f".into())));
    }
}
