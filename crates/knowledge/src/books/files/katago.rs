//! Opening books of KataGo, `.katabook`: a line of JSON for the book, then one a node.
//!
//! Between them version 2 has the number of nodes and as many lines of hashes,
//! by whose order nodes are numbered; version 1 names nodes by hashes. A node
//! lies in an orientation of its own, and a move stores the symmetry that leads
//! into the orientation of its child. Values of a node are White's, and those of
//! the best moves that are *not* in the book.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;
use tejun_games::game::{Game, GamePosition, PositionKey};
use tejun_games::go::{BoardSize, Symmetry};

use crate::books::{Book, BookBuilder, Flaw, MoveNotes, NewMove, PositionNotes, Remark};

/// What a move's policy is multiplied by to be its weight.
const POLICY_UNIT: f64 = 1_000_000.0;

/// What a point of score is multiplied by to be a value, as a pawn is elsewhere.
const POINT_UNIT: f64 = 100.0;

/// Why a file is not a KataGo book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KatagoError {
    /// The first line is not a header.
    #[error("line 1: expected a JSON object with initialBoard and version: is this a .katabook, unpacked?")]
    NoHeader,
    /// A version that is not known.
    #[error("line 1: expected version 1 or 2, found {version}: save the book with an older KataGo")]
    Version {
        /// The version.
        version: u64,
    },
    /// A board that can't be played on here.
    #[error(
        "line 1: expected a square board with rows of `.`, `X` and `O`, found {columns} by {rows}: no such book can be read"
    )]
    Board {
        /// Columns.
        columns: u64,
        /// Rows.
        rows: u64,
    },
    /// A line that is not a node.
    #[error("line {line}: expected a node as a JSON object, found {found:?}: the file may be cut short")]
    NoNode {
        /// The line, from 1.
        line: usize,
        /// How it begins.
        found: String,
    },
    /// A header and no nodes.
    #[error("line {line}: expected nodes, found the end: the file may be cut short")]
    NoNodes {
        /// The line after the last.
        line: usize,
    },
}

/// Whether a file begins like such a book.
pub fn looks_like(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    let has = |word: &[u8]| start.windows(word.len()).any(|window| window == word);
    start.starts_with(b"{") && has(b"\"initialBoard\"") && has(b"\"initialPla\"")
}

/// Reads a book, walking from its initial board.
///
/// A move's weight is the network's policy for it in millionths, never 0. Its
/// value is the score for the side to move, a point being 100: the best that
/// both sides can do within the book, minimax over the scores of nodes. Its
/// extra number is the visits of the node after it. Nodes without moves are not
/// positions of the book.
///
/// # Errors
/// If the header or a node can't be read.
pub fn read(bytes: &[u8]) -> Result<(Book, Vec<Remark>), KatagoError> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = (1..).zip(text.lines());
    let header: Value = lines.next().and_then(|(_, line)| serde_json::from_str(line).ok()).unwrap_or_default();
    let header = KataGoHeader::read(&header)?;
    if header.version >= 2 {
        let n_hashes = lines.next().and_then(|(_, line)| line.trim().parse().ok()).unwrap_or(0);
        (0..n_hashes).map_while(|_: usize| lines.next()).for_each(drop);
    }
    let mut nodes = Vec::new();
    for (line, text) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let found = || text.chars().take(40).collect();
        let value: Value = serde_json::from_str(text).map_err(|_| KatagoError::NoNode { line, found: found() })?;
        nodes.push(KataGoNode::read(&value, line).ok_or_else(|| KatagoError::NoNode { line, found: found() })?);
    }
    if nodes.is_empty() {
        return Err(KatagoError::NoNodes { line: text.lines().count() + 1 });
    }
    Ok(Graph::new(nodes).walk(&header))
}

/// The content of the first line.
struct KataGoHeader {
    version: u64,
    start: GamePosition,
    symmetry: Symmetry,
}

impl KataGoHeader {
    fn read(header: &Value) -> Result<KataGoHeader, KatagoError> {
        let board = header.get("initialBoard").ok_or(KatagoError::NoHeader)?;
        let version = header.get("version").and_then(Value::as_u64).ok_or(KatagoError::NoHeader)?;
        if !(1..=2).contains(&version) {
            return Err(KatagoError::Version { version });
        }
        let number = |name| board.get(name).and_then(Value::as_u64).unwrap_or(0);
        let (columns, rows) = (number("xSize"), number("ySize"));
        let bad_board = KatagoError::Board { columns, rows };
        let size = u8::try_from(columns).ok().filter(|_| columns == rows).and_then(|size| BoardSize::new(size).ok());
        let size = size.ok_or(bad_board.clone())?;
        let side = if header.get("initialPla").and_then(Value::as_str) == Some("White") { 'w' } else { 'b' };
        let stones = board.get("stones").and_then(Value::as_str).unwrap_or("");
        let start =
            GamePosition::parse(Game::Go(size), &format!("{} {side} -", board_rows(stones))).map_err(|_| bad_board)?;
        let symmetry = header.get("initialSymmetry").and_then(Value::as_u64).unwrap_or(0);
        Ok(KataGoHeader { version, start, symmetry: symmetry_of(symmetry) })
    }
}

/// Rows of `.`, `X` and `O` separated by bars as rows of a position's text.
fn board_rows(stones: &str) -> String {
    let row = |row: &str| row.chars().map(|point| if point == '.' { '1' } else { point }).collect::<String>();
    let rows: Vec<String> = stones.trim_end_matches('|').split('|').map(row).collect();
    // Empty points were counted one by one; runs are counted as a whole.
    rows.iter().map(|row| runs(row)).collect::<Vec<_>>().join("/")
}

fn runs(row: &str) -> String {
    let mut text = String::new();
    let mut n_empty = 0;
    for point in row.chars().chain(std::iter::once('\n')) {
        if point == '1' {
            n_empty += 1;
            continue;
        }
        if n_empty > 0 {
            text += &n_empty.to_string();
            n_empty = 0;
        }
        text.extend(Some(point).filter(|point| *point != '\n'));
    }
    text
}

/// A symmetry by KataGo's number, in which the two mirrors change places.
fn symmetry_of(number: u64) -> Symmetry {
    let number = (number & 4) | (number & 1) << 1 | (number >> 1 & 1);
    Symmetry::ALL[number as usize % 8]
}

struct KataGoNode {
    line: usize,
    name: u128,
    is_root: bool,
    is_white: bool,
    score: f64,
    n_visits: u32,
    moves: Vec<NodeMove>,
}

struct NodeMove {
    text: String,
    child: u128,
    policy: f64,
    symmetry: Symmetry,
}

impl KataGoNode {
    fn read(value: &Value, line: usize) -> Option<KataGoNode> {
        let field = |short: &str, long: &str| value.get(short).or_else(|| value.get(long));
        let moves = field("mvs", "moves")?.as_array()?.iter().map(NodeMove::read);
        let parents = field("par", "parents").and_then(Value::as_array);
        let player = value.get("pla")?.as_str()?;
        Some(KataGoNode {
            line,
            name: name_of(field("id", "hash")?)?,
            is_root: parents.is_some_and(|parents| parents.is_empty()),
            is_white: player.starts_with(['W', 'w']),
            score: field("sM", "scoreMean").and_then(Value::as_f64).unwrap_or(0.0),
            n_visits: field("v", "visits").and_then(Value::as_f64).map_or(0, |visits| visits as u32),
            moves: moves.collect::<Option<_>>()?,
        })
    }
}

impl NodeMove {
    fn read(value: &Value) -> Option<NodeMove> {
        let field = |short: &str, long: &str| value.get(short).or_else(|| value.get(long));
        Some(NodeMove {
            text: field("m", "move")?.as_str()?.to_string(),
            child: name_of(field("id", "hash")?)?,
            policy: field("rP", "rawPolicy").and_then(Value::as_f64).unwrap_or(0.0),
            symmetry: symmetry_of(field("sym", "symmetryToAlign")?.as_u64()?),
        })
    }
}

/// A node's number, or half of its hash.
fn name_of(value: &Value) -> Option<u128> {
    match value {
        Value::String(hash) => u128::from_str_radix(hash.get(..32)?, 16).ok(),
        number => number.as_u64().map(u128::from),
    }
}

struct Graph {
    nodes: Vec<KataGoNode>,
    by_name: HashMap<u128, usize>,
}

impl Graph {
    fn new(nodes: Vec<KataGoNode>) -> Graph {
        let by_name = nodes.iter().enumerate().map(|(index, node)| (node.name, index)).collect();
        Graph { nodes, by_name }
    }

    fn child(&self, played: &NodeMove) -> Option<usize> {
        self.by_name.get(&played.child).copied()
    }

    fn walk(&self, header: &KataGoHeader) -> (Book, Vec<Remark>) {
        let root = self.nodes.iter().position(|node| node.is_root).unwrap_or(0);
        let scores = self.scores(root);
        let mut builder = BookBuilder::new(header.start.game());
        let mut keys: Vec<Option<PositionKey>> = vec![None; self.nodes.len()];
        keys[root] = Some(header.start.key());
        // Each node with its board as it lies and the symmetry from there into the node's orientation.
        let mut waiting = vec![(root, Rc::new(header.start.clone()), header.symmetry)];
        while let Some((number, board, symmetry)) = waiting.pop() {
            let node = &self.nodes[number];
            let place = node.line as u64;
            let mut moves = Vec::new();
            for stored in &node.moves {
                let Ok(written) = board.parse_move(&stored.text) else {
                    builder.remark(place, Flaw::NoMove { text: stored.text.clone() });
                    continue;
                };
                let played = board.turned_move(written, &[symmetry.inverse()]);
                let child = self.child(stored);
                let weight = (stored.policy * POLICY_UNIT).round().max(1.0) as u32;
                moves.push(NewMove { played, weight, notes: self.notes(node, child, &scores) });
                let Some((child, after)) = child.zip(board.after(played).ok()) else { continue };
                let key = Some(after.key());
                if keys[child].is_none() {
                    keys[child] = key;
                    waiting.push((child, Rc::new(after), symmetry.then(stored.symmetry)));
                } else if keys[child] != key {
                    builder.remark(place, Flaw::WrongChild { text: stored.text.clone() });
                }
            }
            if builder.has(board.key()) {
                builder.remark(place, Flaw::RepeatedPosition { position: board.to_string() });
            } else if !moves.is_empty() {
                builder.add(place, &board, moves, PositionNotes::default());
            }
        }
        let n_entries = keys.iter().filter(|key| key.is_none()).count();
        if n_entries > 0 {
            builder.remark(0, Flaw::Unreached { n: n_entries });
        }
        builder.finish()
    }

    fn notes(&self, node: &KataGoNode, child: Option<usize>, scores: &[f64]) -> MoveNotes {
        let Some(child) = child else { return MoveNotes::default() };
        let score = if node.is_white { scores[child] } else { -scores[child] };
        MoveNotes {
            value: Some((score * POINT_UNIT).round() as i32),
            extra: Some(self.nodes[child].n_visits),
            ..MoveNotes::default()
        }
    }

    /// White's score at each node if both sides choose the best of its moves and of those outside the book.
    fn scores(&self, root: usize) -> Vec<f64> {
        let mut scores: Vec<f64> = self.nodes.iter().map(|node| node.score).collect();
        let mut is_seen = vec![false; self.nodes.len()];
        is_seen[root] = true;
        // Nodes on the way with the next move to look at; a node is settled when all its moves are.
        let mut way = vec![(root, 0)];
        while let Some((number, next)) = way.last_mut() {
            let (number, node) = (*number, &self.nodes[*number]);
            match node.moves.get(*next) {
                Some(stored) => {
                    *next += 1;
                    let child = self.child(stored).filter(|child| !is_seen[*child]);
                    if let Some(child) = child {
                        is_seen[child] = true;
                        way.push((child, 0));
                    }
                }
                None => {
                    let children = node.moves.iter().filter_map(|stored| self.child(stored));
                    let better = |a: f64, b: f64| if node.is_white { a.max(b) } else { a.min(b) };
                    scores[number] = children.fold(scores[number], |best, child| better(best, scores[child]));
                    way.pop();
                }
            }
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The center, a corner, and two ways to a third stone; the second node lies mirrored.
    fn small() -> String {
        let header = r#"{"initialBoard":{"stones":".....|.....|.....|.....|.....|","xSize":5,"ySize":5,"koLoc":"null"},"initialPla":"Black","initialSymmetry":0,"version":2}"#;
        let nodes = [
            r#"{"id":0,"pla":"B","par":[],"sM":4.0,"v":8.0,"mvs":[{"id":1,"m":"C3","rP":0.75,"sym":0},{"id":2,"m":"A5","rP":0.0,"sym":1}]}"#,
            r#"{"id":1,"pla":"W","par":[{"id":0,"loc":"C3"}],"sM":-2.5,"v":11.0,"mvs":[{"id":3,"m":"pass","rP":0.1,"sym":0}]}"#,
            r#"{"id":2,"pla":"W","par":[{"id":0,"loc":"A5"}],"sM":1.0,"v":3.0,"mvs":[{"id":4,"m":"A1","rP":0.1,"sym":0},{"id":4,"m":"A2","rP":0.1,"sym":0}]}"#,
            r#"{"id":3,"pla":"B","par":[{"id":1,"loc":"pass"}],"sM":3.0,"v":2.0,"mvs":[]}"#,
            r#"{"id":4,"pla":"B","par":[{"id":2,"loc":"A2"}],"sM":6.5,"v":1.0,"mvs":[]}"#,
        ];
        format!("{header}\n5\n{}{}\n", "0123456789ABCDEF\n".repeat(5), nodes.join("\n"))
    }

    #[test]
    fn weights_are_policies_and_values_are_scores() {
        assert!(looks_like(small().as_bytes()));
        let (book, remarks) = read(small().as_bytes()).expect("a book");
        let start = book.find(book.game().start().key()).expect("the start");
        let found: Vec<_> = book
            .moves(start)
            .iter()
            .zip(book.move_notes(start))
            .map(|(played, notes)| (played.weight, notes.value, notes.extra))
            .collect();
        // White's pass is worth 3 points to White, an answer in the corner 6.5.
        assert_eq!(found, [(750_000, Some(-300), Some(11)), (1, Some(-650), Some(3))]);
        assert_eq!(book.positions().len(), 3);
        // The mirrored node calls the stone's own point A1.
        assert_eq!(remarks.len(), 1);
        assert!(remarks[0].flaw.to_string().starts_with("the move A5 is not legal"), "{}", remarks[0].flaw);
    }

    #[test]
    fn nodes_of_version_1_are_named_by_hashes() {
        let hash = |n: u8| format!("{n:02X}").repeat(32);
        let header = small().lines().next().expect("a line").replace("\"version\":2", "\"version\":1");
        let text = format!(
            "{header}\n{{\"hash\":\"{}\",\"pla\":\"Black\",\"parents\":[],\"scoreMean\":0.5,\"visits\":1.0,\"moves\":[{{\"hash\":\"{}\",\"move\":\"B2\",\"rawPolicy\":0.5,\"symmetryToAlign\":6}}]}}\n",
            hash(1),
            hash(2)
        );
        let (book, remarks) = read(text.as_bytes()).expect("a book");
        assert_eq!((book.positions().len(), book.moves(0)[0].weight, remarks.len()), (1, 500_000, 0));
    }

    #[test]
    fn broken_files_say_where() {
        let found = |text: &str| read(text.as_bytes()).expect_err("broken").to_string();
        assert!(found("nonsense").starts_with("line 1: expected a JSON object"));
        let header = small().lines().next().expect("a line").to_string();
        assert!(found(&header).starts_with("line 2: expected nodes, found the end"));
        assert!(found(&header.replace("\"version\":2", "\"version\":9")).contains("found 9"));
        assert!(found(&header.replace("\"xSize\":5", "\"xSize\":7")).contains("found 7 by 5"));
        assert!(found(&format!("{}{{\"id\":", small())).starts_with("line 13: expected a node"));
    }

    #[test]
    fn books_cut_anywhere_and_loops_do_not_panic() {
        let text = small();
        for end in 0..text.len() {
            let _ = (read(&text.as_bytes()[..end]), looks_like(&text.as_bytes()[..end]));
        }
        let looped = text.replace("\"mvs\":[]", "\"mvs\":[{\"id\":0,\"m\":\"B4\",\"rP\":0.1,\"sym\":7}]");
        let (book, _) = read(looped.as_bytes()).expect("a book");
        assert_eq!(book.positions().len(), 5);
    }

    proptest! {
        #[test]
        fn no_change_panics(at in 0usize..1200, put in "[ -~]{0,5}", n_gone in 0usize..6) {
            let mut bytes = small().into_bytes();
            let at = at % bytes.len();
            let end = bytes.len().min(at + n_gone);
            bytes.splice(at..end, put.into_bytes());
            let _ = read(&bytes);
        }
    }
}
