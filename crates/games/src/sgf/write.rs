//! From trees and records to text.

use std::fmt::Write;

use crate::go::{Color, Point};
use crate::records::{GameRecord, Move};
use crate::sgf::text::escape;
use crate::sgf::tree::{Name, Node, Property, Tree};

/// What a written tree says of its charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharsetProperty {
    /// `CA` stays as it was, even if the text was decoded since.
    AsWritten,
    /// `CA[UTF-8]`, in place of what was there.
    Utf8,
}

/// Writes a tree so that reading it gives the same tree.
///
/// Names and values come out as they were written; only white space between
/// them changes, and a property without a value is dropped.
pub fn write_tree(tree: &Tree<'_>, charset: CharsetProperty) -> String {
    let put_node = |out: &mut String, node: Node<'_, '_>| {
        let is_new_charset = charset == CharsetProperty::Utf8 && node.parent().is_none();
        write_node(out, node, is_new_charset.then_some("UTF-8"));
    };
    write_with(tree, put_node, |node| NextNodes { nodes: node.children().collect(), branches: Vec::new() })
}

/// What follows a node when it is written.
pub(crate) struct NextNodes<'a, 't> {
    /// Nodes of the tree.
    pub(crate) nodes: Vec<Node<'a, 't>>,
    /// Branches after them, each as text from its first `;`.
    pub(crate) branches: Vec<String>,
}

/// Writes the nodes of a tree in their order, each as `put_node` does, followed by what `continue_from` returns.
pub(crate) fn write_with<'a, 't>(
    tree: &'a Tree<'t>,
    put_node: impl Fn(&mut String, Node<'a, 't>),
    continue_from: impl Fn(Node<'a, 't>) -> NextNodes<'a, 't>,
) -> String {
    enum WriteStep<'a, 't> {
        Node(Node<'a, 't>),
        Open(Node<'a, 't>),
        Branch(String),
        Close,
    }
    let mut out = String::with_capacity(tree.end as usize - tree.start as usize + 2);
    out.push('(');
    let mut steps = vec![WriteStep::Close];
    steps.extend(tree.root().map(WriteStep::Node));
    // A stack of steps, because variations may be deeper than the program's own stack.
    while let Some(step) = steps.pop() {
        let node = match step {
            WriteStep::Close => {
                out.push(')');
                continue;
            }
            WriteStep::Branch(text) => {
                let _ = write!(out, "\n({text})");
                continue;
            }
            WriteStep::Open(node) => {
                out.push_str("\n(");
                steps.push(WriteStep::Close);
                node
            }
            WriteStep::Node(node) => node,
        };
        put_node(&mut out, node);
        let NextNodes { nodes, branches } = continue_from(node);
        match nodes[..] {
            [only] if branches.is_empty() => steps.push(WriteStep::Node(only)),
            _ => {
                steps.extend(branches.into_iter().rev().map(WriteStep::Branch));
                steps.extend(nodes.into_iter().rev().map(WriteStep::Open));
            }
        }
    }
    out.push('\n');
    out
}

fn write_node(out: &mut String, node: Node<'_, '_>, charset: Option<&str>) {
    out.push(';');
    if let Some(charset) = charset.filter(|_| node.property("CA").is_none()) {
        let _ = write!(out, "CA[{charset}]");
    }
    for property in node.properties().filter(|p| p.values().next().is_some()) {
        match charset.filter(|_| property.name_key() == Name::new("CA")) {
            Some(charset) => {
                let _ = write!(out, "{}[{charset}]", property.name_as_written());
            }
            None => put_property(out, &property),
        }
    }
}

/// Writes a property unchanged.
pub(crate) fn put_property(out: &mut String, property: &Property<'_, '_>) {
    out.push_str(property.name_as_written());
    for value in property.values() {
        let _ = write!(out, "[{}]", closed(value));
    }
}

/// A value unchanged, but safe to be followed by a bracket.
pub(crate) fn closed(value: &str) -> &str {
    // A file that ends in a backslash would swallow our bracket.
    let n_backslashes = value.len() - value.trim_end_matches('\\').len();
    if n_backslashes % 2 == 1 { &value[..value.len() - 1] } else { value }
}

/// Writes a record as FF\[4\]: the header, the setup and the main line.
///
/// ```
/// use tejun_games::sgf::write_record;
/// use tejun_games::{BoardSize, Color, GameRecord, Move, Point};
///
/// let mut record = GameRecord::new(BoardSize::NINETEEN);
/// record.moves.push(Move { color: Color::Black, point: Some(Point::new(15, 3)) });
/// record.header.komi = Some(6.5);
/// assert!(write_record(&record).contains("KM[6.5]"));
/// assert!(write_record(&record).contains(";B[pd]"));
/// ```
pub fn write_record(record: &GameRecord) -> String {
    let mut out = String::with_capacity(200 + 6 * record.moves.len());
    let header = &record.header;
    let _ = write!(out, "(;FF[4]GM[1]CA[UTF-8]AP[tejun:{}]SZ[{}]", env!("CARGO_PKG_VERSION"), record.size);
    let mut put = |name: &str, value: &Option<String>| {
        if let Some(value) = value {
            let _ = write!(out, "{name}[{}]", escape(value));
        }
    };
    put("KM", &header.komi.map(|komi| komi.to_string()));
    put("HA", &(header.handicap > 0).then(|| header.handicap.to_string()));
    put("RU", &header.rules);
    put("RE", &Some(header.result.to_string()));
    put("PB", &header.black);
    put("BR", &header.black_rank);
    put("PW", &header.white);
    put("WR", &header.white_rank);
    put("DT", &header.date.map(|date| date.to_string()));
    put("EV", &header.event);
    put("RO", &header.round);
    put("PC", &header.place);
    put_points(&mut out, "AB", &record.setup_black);
    put_points(&mut out, "AW", &record.setup_white);
    let has_setup = !record.setup_black.is_empty() || !record.setup_white.is_empty();
    if has_setup && let Some(first) = record.moves.first() {
        let _ = write!(out, "PL[{}]", first.color.letter());
    }
    for &Move { color, point } in &record.moves {
        out.push_str(if color == Color::Black { ";B[" } else { ";W[" });
        out.extend(point.iter().flat_map(|p| p.to_sgf()).map(char::from));
        out.push(']');
    }
    out.push_str(")\n");
    out
}

fn put_points(out: &mut String, name: &str, points: &[Point]) {
    if points.is_empty() {
        return;
    }
    out.push_str(name);
    for point in points {
        out.push('[');
        out.extend(point.to_sgf().map(char::from));
        out.push(']');
    }
}
