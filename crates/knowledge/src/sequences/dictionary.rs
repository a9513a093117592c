//! Dictionaries of known sequences, to measure results against.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tejun_games::go::{BoardSize, Point};
use tejun_games::records::{Format, decoded_parts};
use tejun_games::sgf::{Node, Reader, unescape};
use tejun_index::Symbol;

use crate::codes::{Code, encode_line};

/// Maximum number of leading symbols to skip: the corner stone and the approach are often played
/// long before the rest.
const MAX_SKIPPED: usize = 3;
/// Minimum number of remaining symbols.
const MIN_SYMBOLS: usize = 5;

/// Lines of play, such as joseki (定石, *jōseki*).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dictionary {
    /// The lines, sorted by their points.
    pub lines: Vec<KnownLine>,
}

/// A known line of play.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KnownLine {
    /// Its points.
    pub points: Vec<Point>,
    /// Its name.
    pub name: Option<String>,
}

impl KnownLine {
    /// The strings that represent the line: without its first one, two or three symbols, if at least five remain.
    pub fn strings(&self, code: Code, size: BoardSize) -> impl Iterator<Item = Vec<Symbol>> + '_ {
        let skipped = (1..=MAX_SKIPPED).filter(|&skipped| self.points.len() >= skipped + MIN_SYMBOLS);
        skipped.flat_map(move |skipped| encode_line(code, size, &self.points[skipped - 1..]))
    }
}

/// Why a dictionary can't be read.
#[derive(Debug, thiserror::Error)]
pub enum DictionaryError {
    /// The file can't be read.
    #[error("{path}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A word that is not a point.
    #[error("{path}:{line}: `{word}` is not a point; write SGF letters such as `pd qf nd`")]
    NoPoint {
        /// The file.
        path: PathBuf,
        /// Line from 1.
        line: usize,
        /// The invalid word.
        word: Box<str>,
    },
    /// A tree for another board size.
    #[error("{path}: the tree is for a {found}x{found} board, not {size}x{size}")]
    OtherSize {
        /// The file.
        path: PathBuf,
        /// The size given in the tree.
        found: Box<str>,
        /// The expected size.
        size: BoardSize,
    },
    /// A move of a tree is off the board.
    #[error("{path}: the move `{value}` of the tree is off the {size}x{size} board")]
    OffBoard {
        /// The file.
        path: PathBuf,
        /// The move as written.
        value: Box<str>,
        /// The expected size.
        size: BoardSize,
    },
    /// The file contains no line of play.
    #[error("{path}: no line of play; write one per row, or use an SGF tree")]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

impl Dictionary {
    /// Reads a dictionary: one line of play per row in SGF letters, or the paths of an SGF tree.
    ///
    /// In a row, a name may follow `#`. The name of a path is that of its last named node (`N`).
    ///
    /// # Errors
    /// If the file can't be read or contains something invalid, with its position.
    pub fn read(path: &Path, size: BoardSize) -> Result<Dictionary, DictionaryError> {
        let bytes = fs::read(path).map_err(|source| DictionaryError::File { path: path.into(), source })?;
        let mut lines = Vec::new();
        for part in decoded_parts(&bytes) {
            let text = &part.decoded.text;
            if Format::of(text) == Some(Format::Sgf) {
                for tree in Reader::new(text) {
                    let found = tree.nodes().next().and_then(|root| root.property("SZ"));
                    if let Some(found) = found.filter(|found| found.value().trim() != size.to_string()) {
                        let found = found.value().into();
                        return Err(DictionaryError::OtherSize { path: path.into(), found, size });
                    }
                    for leaf in tree.nodes().filter(|node| node.children().next().is_none()) {
                        let off_board = |value| DictionaryError::OffBoard { path: path.into(), value, size };
                        lines.extend(path_to(leaf, size).map_err(off_board)?);
                    }
                }
            } else {
                lines.extend(rows(path, text, size)?);
            }
        }
        lines.sort();
        lines.dedup_by(|later, kept| {
            let is_same = later.points == kept.points;
            if is_same && kept.name.is_none() {
                kept.name = later.name.take();
            }
            is_same
        });
        if lines.is_empty() {
            return Err(DictionaryError::Empty { path: path.into() });
        }
        Ok(Dictionary { lines })
    }
}

impl Dictionary {
    /// The names of the strings that represent named lines.
    pub fn names(&self, code: Code, size: BoardSize) -> HashMap<Vec<Symbol>, &str> {
        let mut names = HashMap::new();
        for line in &self.lines {
            if let Some(name) = &line.name {
                for string in line.strings(code, size) {
                    names.entry(string).or_insert(&name[..]);
                }
            }
        }
        names
    }
}

fn rows(path: &Path, text: &str, size: BoardSize) -> Result<Vec<KnownLine>, DictionaryError> {
    let mut lines = Vec::new();
    for (number, row) in text.lines().enumerate() {
        let (row, name) = row.split_once('#').map_or((row, None), |(row, name)| (row, Some(name.trim().to_string())));
        let mut line = Vec::new();
        for word in row.split_whitespace() {
            let letters: Option<[u8; 2]> = word.as_bytes().try_into().ok();
            let point = letters.and_then(Point::from_sgf).filter(|&p| size.has(p));
            line.push(point.ok_or(DictionaryError::NoPoint {
                path: path.into(),
                line: number + 1,
                word: word.into(),
            })?);
        }
        if !line.is_empty() {
            lines.push(KnownLine { points: line, name: name.filter(|name| !name.is_empty()) });
        }
    }
    Ok(lines)
}

/// The moves from the root to a leaf, up to a pass or a second move of one side; `None` if there are none.
fn path_to(leaf: Node<'_, '_>, size: BoardSize) -> Result<Option<KnownLine>, Box<str>> {
    let nodes: Vec<Node<'_, '_>> = std::iter::successors(Some(leaf), Node::parent).collect();
    let (mut points, mut last, mut name) = (Vec::new(), None, None);
    for node in nodes.iter().rev() {
        let played = ["B", "W"].into_iter().find_map(|color| Some((color, node.property(color)?)));
        if let Some((color, value)) = played {
            let value = value.value();
            let letters: Option<[u8; 2]> = value.as_bytes().try_into().ok();
            let is_pass = value.is_empty() || value == "tt" && size.get() < 20;
            if is_pass || last == Some(color) {
                break;
            }
            let point = letters.and_then(Point::from_sgf).filter(|&p| size.has(p));
            points.push(point.ok_or_else(|| Box::from(value))?);
            last = Some(color);
        }
        name = node.property("N").map(|name| unescape(name.value()).trim().to_string()).or(name);
    }
    Ok((!points.is_empty()).then_some(KnownLine { points, name }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Dictionary, DictionaryError> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lines");
        fs::write(&path, text).expect("a file");
        Dictionary::read(&path, BoardSize::NINETEEN)
    }

    #[test]
    fn rows_and_trees_give_the_same_lines() {
        let rows = read("pd qf nc rd qc qi # slide\npd qf nc rd qh\n\n").expect("a list");
        let tree = read("(;GM[1];B[pd];W[qf];B[nc];W[rd](;B[qc];W[qi]N[slide])(;B[qh]))").expect("a tree");
        assert_eq!(rows, tree);
        assert_eq!(rows.lines[0].name.as_deref(), Some("slide"));
        let names = rows.names(Code::Relative, BoardSize::NINETEEN);
        // Without the first, six moves leave five symbols; the first starts on a diagonal, so there are two strings.
        assert_eq!(names.len(), 2);
    }

    #[test]
    fn a_line_ends_where_a_side_plays_elsewhere() {
        let tree = read("(;B[pd];W[qf];B[];W[nc])").expect("a tree");
        assert_eq!(tree, read("pd qf").expect("a list"));
        assert_eq!(read("(;B[pd];W[qf];W[nc])").expect("a tree"), tree);
    }

    #[test]
    fn a_name_is_kept_if_the_line_also_occurs_without_one() {
        for rows in ["pd qf\npd qf # approach", "pd qf # approach\npd qf"] {
            assert_eq!(read(rows).expect("a list").lines[0].name.as_deref(), Some("approach"));
        }
    }

    #[test]
    fn errors_name_the_place() {
        let error = read("pd qf\npd zz9\n").expect_err("no point").to_string();
        assert!(error.contains("lines:2: `zz9` is not a point"), "{error}");
        let error = |text: &str| read(text).expect_err("no dictionary").to_string();
        assert!(error("(;SZ[9];B[ee])").contains("for a 9x9 board, not 19x19"));
        assert!(error("(;B[pd];W[zz])").contains("`zz` of the tree is off"));
        assert!(read("\n\n").expect_err("nothing").to_string().contains("no line of play"));
    }
}
