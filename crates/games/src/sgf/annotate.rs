//! A tree written again, with marks, comments and variations.
//!
//! What the authors of a file wrote stays as it is. What an earlier run wrote
//! is known by the first line of its comment, `tejun:` and the properties that
//! came with it, and makes room; so a game that is annotated twice has the
//! same bytes as one that is annotated once.

use std::collections::HashMap;
use std::fmt::Write;

use crate::go::Color;
use crate::records::Move;
use crate::sgf::text::{escape, unescape};
use crate::sgf::tree::{Name, Node, Property, Tree};
use crate::sgf::write::{NextNodes, closed, put_property, write_with};

/// What the first line of our comments begins with, in every language.
const HEAD: &str = "tejun:";
/// Who wrote a file that does not say so.
const PROGRAM: &str = concat!("tejun:", env!("CARGO_PKG_VERSION"));
/// The marks of a move: tesuji, interesting, doubtful, bad. A node has one at most.
const MARKS: [&str; 4] = ["TE", "IT", "DO", "BM"];
/// Other properties that may come with our comments, and are removed with them.
const OTHERS: [&str; 7] = ["HO", "N", "LB", "TR", "SQ", "MA", "CR"];
const COMMENT: Name = Name::new("C");
const WIN_RATE: Name = Name::new("SBKV");
const CHARSET: Name = Name::new("CA");
const APPLICATION: Name = Name::new("AP");

/// A property to be written, its values as plain text.
///
/// `]` and `\` get escaped; the colon of `LB[pd:A]` stays one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewProperty {
    /// TE, IT, DO, BM, HO, SBKV, N, LB, TR, SQ, MA or CR; no other is written.
    pub name: &'static str,
    /// Its values.
    pub values: Vec<String>,
}

/// What is added at a node of the main line.
///
/// The authors' own properties win: where a node has one of this name, or any
/// of TE, IT, DO and BM for one of these, the new one is dropped. Only SBKV
/// is replaced, whoever wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addition {
    /// The node of the main line; the root is 0.
    pub node: usize,
    /// Properties other than the comment.
    pub properties: Vec<NewProperty>,
    /// Lines of text that follow the node's own comment; empty ones are dropped.
    pub comment: Option<String>,
    /// Alternatives to the node, which become the last children of its parent; a root has none.
    pub variations: Vec<Vec<VariationNode>>,
}

/// A node of a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariationNode {
    /// The move.
    pub played: Move,
    /// Properties other than the move and the comment.
    pub properties: Vec<NewProperty>,
    /// Lines of text.
    pub comment: Option<String>,
}

/// The nodes of the main line that hold its moves, in the order of [`crate::sgf::main_line()`]'s.
///
/// There may be more, where the main line is cut; a node with two moves appears twice.
pub fn move_nodes(tree: &Tree<'_>) -> Vec<usize> {
    let is_move = |p: &Property<'_, '_>| [Name::new("B"), Name::new("W")].contains(&p.name_key());
    let nodes = tree.main_nodes().enumerate();
    nodes.flat_map(|(index, node)| node.properties().filter(is_move).map(move |_| index)).collect()
}

/// Writes a tree with additions, as UTF-8 and with every property it has.
///
/// Marks, comments and variations of an earlier run are taken out first, also
/// where nothing new is said; a variation stays if somebody went on with it.
/// `AP` stays, unless there is none or it names tejun.
pub fn write_annotated(tree: &Tree<'_>, additions: &[Addition]) -> String {
    let main: HashMap<usize, usize> = tree.main_nodes().enumerate().map(|(i, node)| (node.offset(), i)).collect();
    let mut by_node: HashMap<usize, Addition> = HashMap::new();
    for addition in additions {
        by_node.entry(addition.node).and_modify(|first| first.join(addition)).or_insert_with(|| addition.clone());
    }
    let nothing = Addition::default();
    let addition_at = |node: usize| by_node.get(&node).unwrap_or(&nothing);
    let put_node = |out: &mut String, node: Node<'_, '_>| match main.get(&node.offset()) {
        Some(&index) => put_annotated(out, node, addition_at(index)),
        None => put_as_it_stands(out, node),
    };
    let variations_after = |node: Node<'_, '_>| main.get(&node.offset()).map(|&i| &addition_at(i + 1).variations[..]);
    write_with(tree, put_node, |node| match variations_after(node) {
        Some(variations) => annotated_continuations(node, variations),
        None => NextNodes { nodes: node.children().collect(), branches: Vec::new() },
    })
}

impl Addition {
    /// Adds what is said about a second move in the same node; its alternatives have no place of their own.
    fn join(&mut self, other: &Addition) {
        self.properties.extend(other.properties.iter().cloned());
        if let Some(comment) = &other.comment {
            let text = self.comment.get_or_insert_default();
            *text = format!("{text}\n{comment}");
        }
    }
}

/// What follows a node of the main line: all but our old variations, then the new ones.
fn annotated_continuations<'a, 't>(node: Node<'a, 't>, variations: &[Vec<VariationNode>]) -> NextNodes<'a, 't> {
    // The main line stays, whatever its comments say.
    let stays = |(i, child): &(usize, Node<'_, '_>)| *i == 0 || !is_ours(*child);
    let nodes: Vec<Node<'_, '_>> = node.children().enumerate().filter(stays).map(|child| child.1).collect();
    let is_new = |line: &&Vec<VariationNode>| !line.is_empty() && !nodes.is_empty();
    let branches = variations.iter().filter(is_new).map(|line| branch(line)).collect();
    NextNodes { nodes, branches }
}

fn put_as_it_stands(out: &mut String, node: Node<'_, '_>) {
    out.push(';');
    node.properties().filter(has_value).for_each(|property| put_property(out, &property));
}

fn has_value(property: &Property<'_, '_>) -> bool {
    property.values().next().is_some()
}

fn put_annotated(out: &mut String, node: Node<'_, '_>, addition: &Addition) {
    let comment = node.properties().find(|p| p.name_key() == COMMENT && has_value(p));
    let own = comment.map(|comment| OwnComment::read(closed(comment.value()))).unwrap_or_default();
    let is_old = |p: &Property<'_, '_>| own.names.contains(&p.name_key());
    let stays = |p: &Property<'_, '_>| has_value(p) && !is_old(p);
    let fresh = fresh_properties(addition, node.properties().filter(stays).map(|p| p.name_key()).collect());
    let has_win_rate = fresh.iter().any(|property| Name::new(property.name) == WIN_RATE);
    let block = block(addition.comment.as_deref(), &fresh);
    out.push(';');
    if node.parent().is_none() {
        put_root_facts(out, node);
    }
    let mut text = Some(joined(&own.rest, &block));
    // A comment that holds nothing but ours goes to the end, as in the first run.
    let is_only_ours = own.rest.is_empty() && (own.is_found || !block.is_empty());
    for property in node.properties().filter(stays) {
        match property.name_key() {
            WIN_RATE if has_win_rate => {}
            CHARSET if node.parent().is_none() => out.push_str("CA[UTF-8]"),
            APPLICATION if property.value().starts_with(HEAD) => out.push_str(&format!("AP[{PROGRAM}]")),
            COMMENT if comment.is_some_and(|c| c.offset() == property.offset()) => {
                let others: String = property.values().skip(1).map(|value| format!("[{}]", closed(value))).collect();
                if !is_only_ours || !others.is_empty() {
                    let first = text.take().unwrap_or_default();
                    let _ = write!(out, "{}[{first}]{others}", property.name_as_written());
                }
            }
            _ => put_property(out, &property),
        }
    }
    fresh.iter().for_each(|property| put_new(out, property));
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        let _ = write!(out, "C[{text}]");
    }
}

/// What every file says of itself, where the root does not say it.
fn put_root_facts(out: &mut String, root: Node<'_, '_>) {
    let has = |name: Name| root.properties().any(|p| p.name_key() == name && has_value(&p));
    if !has(CHARSET) {
        out.push_str("CA[UTF-8]");
    }
    if !has(APPLICATION) {
        let _ = write!(out, "AP[{PROGRAM}]");
    }
}

/// The new properties for which a node with these names has room.
fn fresh_properties(addition: &Addition, mut taken: Vec<Name>) -> Vec<&NewProperty> {
    taken.retain(|&name| name != WIN_RATE);
    let mut fresh = Vec::new();
    for property in addition.properties.iter().filter(|property| !property.values.is_empty()) {
        let name = Name::new(property.name);
        let is_known = name == WIN_RATE || is_removable(property.name);
        let is_mark = MARKS.contains(&property.name);
        if is_known && !taken.iter().any(|other| *other == name || is_mark && is_mark_name(*other)) {
            taken.push(name);
            fresh.push(property);
        }
    }
    fresh
}

fn is_mark_name(name: Name) -> bool {
    MARKS.iter().any(|mark| Name::new(mark) == name)
}

/// Whether our comments may name the property. Moves and stones they may not: no comment takes them away.
fn is_removable(name: &str) -> bool {
    MARKS.contains(&name) || OTHERS.contains(&name)
}

/// Our part of a comment, escaped: the line that names what came with it, and the text; empty if there is neither.
fn block(comment: Option<&str>, fresh: &[&NewProperty]) -> String {
    let names = fresh.iter().map(|property| property.name).filter(|&name| Name::new(name) != WIN_RATE);
    let head = names.fold(HEAD.to_string(), |head, name| head + " " + name);
    let text = without_empty_lines(comment.unwrap_or(""));
    match (text.is_empty(), head == HEAD) {
        (true, true) => String::new(),
        (true, false) => head,
        (false, _) => format!("{head}\n{}", escape(&text)),
    }
}

/// An empty line is where our part ends, so there is none in it.
fn without_empty_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

fn joined(own: &str, block: &str) -> String {
    match (own.is_empty(), block.is_empty()) {
        (_, true) => own.to_string(),
        (true, false) => block.to_string(),
        (false, false) => format!("{}\n\n{block}", with_brackets_protected(own)),
    }
}

/// The reader forgives brackets in a text because of what follows them, and ours would change that.
fn with_brackets_protected(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut is_escaped = false;
    for c in raw.chars() {
        if c == ']' && !is_escaped {
            out.push('\\');
        }
        is_escaped = c == '\\' && !is_escaped;
        out.push(c);
    }
    out
}

fn put_new(out: &mut String, property: &NewProperty) {
    out.push_str(property.name);
    property.values.iter().for_each(|value| out.push_str(&format!("[{}]", escape(value))));
}

/// A comment without the parts that we wrote.
#[derive(Default)]
struct OwnComment {
    /// What its authors wrote, as it is in the file.
    rest: String,
    /// Whether there was a part of ours.
    is_found: bool,
    /// The properties that we wrote with it.
    names: Vec<Name>,
}

impl OwnComment {
    fn read(raw: &str) -> OwnComment {
        let mut own = OwnComment::default();
        let mut kept: Vec<&str> = Vec::new();
        let (mut is_inside, mut is_at_start) = (false, false);
        for line in raw.split('\n') {
            let text = unescape(line);
            if let Some(names) = head_names(&text) {
                own.names.extend(names);
                is_at_start |= kept.is_empty();
                // The empty line before it is ours as well.
                if kept.pop_if(|line| line.trim().is_empty()).is_some_and(|line| line.ends_with('\r'))
                    && let Some(last) = kept.last_mut()
                {
                    *last = last.trim_end_matches('\r');
                }
                (own.is_found, is_inside) = (true, true);
            } else if is_inside && text.trim().is_empty() {
                is_inside = false;
                kept.push(line);
            } else if !is_inside {
                kept.push(line);
            }
        }
        if is_at_start && kept.first().is_some_and(|line| line.trim().is_empty()) {
            kept.remove(0);
        }
        own.rest = kept.join("\n");
        own
    }
}

/// The properties named in the first line of our comments; `None` if it is another line.
fn head_names(line: &str) -> Option<Vec<Name>> {
    let words: Vec<&str> = line.strip_prefix(HEAD)?.split_whitespace().collect();
    words.iter().all(|word| is_removable(word)).then(|| words.into_iter().map(Name::new).collect())
}

/// The first line of a variation's comment: the number of its moves.
fn branch_head(n_moves: usize) -> String {
    format!("{HEAD} 1-{n_moves}")
}

/// A variation as text, its first node with a comment that marks it as ours.
fn branch(line: &[VariationNode]) -> String {
    let mut out = String::new();
    for (index, node) in line.iter().enumerate() {
        out.push_str(if node.played.color == Color::Black { ";B[" } else { ";W[" });
        out.extend(node.played.point.iter().flat_map(|p| p.to_sgf()).map(char::from));
        out.push(']');
        node.properties.iter().for_each(|property| put_new(&mut out, property));
        let text = without_empty_lines(node.comment.as_deref().unwrap_or(""));
        let text = if index == 0 { format!("{}\n{text}", branch_head(line.len())) } else { text };
        if !text.is_empty() {
            let _ = write!(out, "C[{}]", escape(text.trim_end()));
        }
    }
    out
}

/// Whether a variation is one of ours, with no move and no line of text more.
fn is_ours(first: Node<'_, '_>) -> bool {
    let line = std::iter::successors(Some(first), |node| node.children().next());
    let is_single = line.clone().all(|node| node.children().count() < 2);
    let text = first.property("C").map(|comment| comment.text()).unwrap_or_default();
    let mut lines = text.lines().map(str::trim_end);
    is_single && lines.next() == Some(&branch_head(line.count())) && lines.all(|line| !line.is_empty())
}
