//! A game tree as spans of the text it was read from.

use std::borrow::Cow;

use crate::records::{Place, Warning, WarningKind};
use crate::sgf::text;

/// No node: the parent of the root, the child of a leaf.
pub(crate) const NONE: u32 = u32::MAX;

/// A property's name packed into a number: its capitals, at most eight.
///
/// Names of FF\[3\] and before have small letters that do not count, `CoPyright` is `CP`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name(pub(crate) u64);

impl Name {
    pub(crate) const fn new(name: &str) -> Name {
        let bytes = name.as_bytes();
        let mut packed = 0;
        let mut i = 0;
        while i < bytes.len() && packed >> 56 == 0 {
            if bytes[i].is_ascii_uppercase() {
                packed = packed << 8 | bytes[i] as u64;
            }
            i += 1;
        }
        Name(packed)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeSpan {
    pub(crate) offset: u32,
    pub(crate) first_property: u32,
    pub(crate) parent: u32,
    pub(crate) first_child: u32,
    pub(crate) last_child: u32,
    pub(crate) next_sibling: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PropertySpan {
    pub(crate) name: Name,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) first_value: u32,
}

/// One game with its variations.
///
/// Holds spans of the text; nothing is copied or unescaped until it is requested.
///
/// ```
/// use tejun_games::sgf::Reader;
///
/// let tree = Reader::new("(;SZ[9];B[ee](;W[ge])(;W[ce]C[a variation]))").next().expect("a game");
/// let moves: Vec<String> = tree.main_nodes().skip(1).flat_map(|node| node.properties().map(|p| p.name())).collect();
/// assert_eq!(moves, ["B", "W"]);
/// let branch = tree.main_nodes().nth(1).expect("the first move");
/// assert_eq!(branch.children().count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Tree<'t> {
    pub(crate) text: &'t str,
    /// Knows the place where the game starts, so that its warnings need no look at the games before it.
    pub(crate) places: PlaceCursor<'t>,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) nodes: Vec<NodeSpan>,
    pub(crate) properties: Vec<PropertySpan>,
    pub(crate) values: Vec<(u32, u32)>,
    pub(crate) warnings: Vec<(u32, WarningKind)>,
}

impl<'t> Tree<'t> {
    pub(crate) fn new(text: &'t str) -> Tree<'t> {
        Tree {
            text,
            places: PlaceCursor::new(text),
            start: 0,
            end: 0,
            nodes: Vec::new(),
            properties: Vec::new(),
            values: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The offset of the game's `(` in the text, in bytes.
    pub fn offset(&self) -> usize {
        self.start as usize
    }

    /// The text of the game.
    pub fn source(&self) -> &'t str {
        &self.text[self.start as usize..self.end as usize]
    }

    /// The root; `None` in a pair of parentheses without a node.
    pub fn root(&self) -> Option<Node<'_, 't>> {
        self.node(0)
    }

    /// All nodes in the order of the file.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_, 't>> {
        (0..self.nodes.len() as u32).filter_map(|index| self.node(index))
    }

    /// The root, its first child, that one's first child and so on.
    pub fn main_nodes(&self) -> impl Iterator<Item = Node<'_, 't>> {
        std::iter::successors(self.root(), |node| node.children().next())
    }

    /// What the reader forgave, with places counted from the start of the text.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut places = self.places;
        let mut warnings = self.warnings.clone();
        warnings.sort_by_key(|warning| warning.0);
        warnings.iter().map(|&(offset, what)| Warning { place: places.at(offset as usize), what }).collect()
    }

    /// The line and column of an offset within this game.
    pub fn place(&self, offset: usize) -> Place {
        let mut places = self.places;
        places.at(offset)
    }

    fn node(&self, index: u32) -> Option<Node<'_, 't>> {
        ((index as usize) < self.nodes.len()).then_some(Node { tree: self, index })
    }
}

/// A node of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a, 't> {
    tree: &'a Tree<'t>,
    index: u32,
}

impl<'a, 't> Node<'a, 't> {
    fn span(&self) -> &'a NodeSpan {
        &self.tree.nodes[self.index as usize]
    }

    /// The offset of the node in the text, in bytes.
    pub fn offset(&self) -> usize {
        self.span().offset as usize
    }

    /// Its place among [`Tree::nodes`]; parents come before their children.
    pub(crate) fn number(&self) -> usize {
        self.index as usize
    }

    /// The continuations, the main one first.
    pub fn children(&self) -> impl Iterator<Item = Node<'a, 't>> + use<'a, 't> {
        let tree = self.tree;
        let first = tree.node(self.span().first_child);
        std::iter::successors(first, move |node| tree.node(node.span().next_sibling))
    }

    /// The node before this one.
    pub fn parent(&self) -> Option<Node<'a, 't>> {
        self.tree.node(self.span().parent)
    }

    /// The properties in the order of the file; a name may occur twice.
    pub fn properties(&self) -> impl Iterator<Item = Property<'a, 't>> + use<'a, 't> {
        let tree = self.tree;
        let next = tree.nodes.get(self.index as usize + 1);
        let end = next.map_or(tree.properties.len() as u32, |node| node.first_property);
        (self.span().first_property..end).map(move |index| Property { tree, index })
    }

    /// The first property of this name.
    pub fn property(&self, name: &str) -> Option<Property<'a, 't>> {
        let name = Name::new(name);
        self.properties().find(|property| property.name_key() == name)
    }
}

/// A property of a node: a name and its values.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a, 't> {
    tree: &'a Tree<'t>,
    index: u32,
}

impl<'a, 't> Property<'a, 't> {
    fn span(&self) -> &'a PropertySpan {
        &self.tree.properties[self.index as usize]
    }

    pub(crate) fn name_key(&self) -> Name {
        self.span().name
    }

    /// The name as written, small letters of old formats included.
    pub fn name_as_written(&self) -> &'t str {
        &self.tree.text[self.span().start as usize..self.span().end as usize]
    }

    /// The name without small letters.
    pub fn name(&self) -> String {
        self.name_as_written().chars().filter(char::is_ascii_uppercase).collect()
    }

    /// The offset of the property in the text, in bytes.
    pub fn offset(&self) -> usize {
        self.span().start as usize
    }

    /// The values as written, escapes included; none if the file lacks them.
    pub fn values(&self) -> impl Iterator<Item = &'t str> + use<'a, 't> {
        let tree = self.tree;
        let next = tree.properties.get(self.index as usize + 1);
        let end = next.map_or(tree.values.len(), |property| property.first_value as usize);
        tree.values[self.span().first_value as usize..end]
            .iter()
            .map(|&(start, end)| &tree.text[start as usize..end as usize])
    }

    /// The first value as written, empty if there is none.
    pub fn value(&self) -> &'t str {
        self.values().next().unwrap_or("")
    }

    /// The first value as SGF's `Text`: escapes resolved, line breaks kept.
    pub fn text(&self) -> Cow<'t, str> {
        text::unescape(self.value())
    }
}

/// Turns offsets into lines and columns; cheap if asked in rising order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaceCursor<'t> {
    text: &'t str,
    offset: usize,
    place: Place,
}

impl<'t> PlaceCursor<'t> {
    pub(crate) fn new(text: &'t str) -> PlaceCursor<'t> {
        PlaceCursor { text, offset: 0, place: Place { line: 1, column: 1 } }
    }

    /// The place of an offset that is not before the last one asked for.
    pub(crate) fn at(&mut self, offset: usize) -> Place {
        let bytes = self.text.as_bytes();
        let mut line_start = self.offset;
        for at in memchr::memchr2_iter(b'\n', b'\r', &bytes[self.offset..offset]) {
            let end = self.offset + at;
            if bytes[end] == b'\n' || bytes.get(end + 1) != Some(&b'\n') {
                self.place = Place { line: self.place.line + 1, column: 1 };
                line_start = end + 1;
            }
        }
        let is_char_start = |b: &&u8| **b & 0xc0 != 0x80;
        self.place.column += bytes[line_start..offset].iter().filter(is_char_start).count() as u32;
        self.offset = offset;
        self.place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_of_every_kind_and_characters() {
        let text = "ab\r\nc\rd碁e\n\nf";
        let mut cursor = PlaceCursor::new(text);
        for (offset, line, column) in [(0, 1, 1), (2, 1, 3), (4, 2, 1), (6, 3, 1), (7, 3, 2), (10, 3, 3), (13, 5, 1)] {
            assert_eq!(cursor.at(offset), Place { line, column }, "offset {offset}");
        }
    }
}
