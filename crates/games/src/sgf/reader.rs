//! From text to trees.

use memchr::memchr2;

use crate::records::WarningKind;
use crate::sgf::tree::{NONE, Name, NodeSpan, PlaceCursor, PropertySpan, Tree};

/// Warnings kept for one game; a file of garbage must not fill the memory with complaints.
const MAX_WARNINGS: usize = 100;
/// What may occur between games without a warning.
const BLANK: [char; 7] = [' ', '\t', '\r', '\n', '\u{feff}', '\0', '\x1a'];
/// Letters of a property's name; more are text.
const MAX_NAME: usize = 20;
/// Brackets that may be unescaped in one text; bounds the search for the true end.
const MAX_LITERAL_BRACKETS: usize = 64;

/// Reads the games of a text one by one.
///
/// Never fails: what is not SGF is skipped and reported, and a game without a
/// node comes out as a tree without a root. Linear in the length of the text,
/// however deep its variations.
///
/// ```
/// use tejun_games::sgf::Reader;
///
/// let games: Vec<_> = Reader::new("(;SZ[9];B[ee]) (;SZ[13];B[gg];W[cc])").collect();
/// assert_eq!(games.len(), 2);
/// assert_eq!(games[1].nodes().count(), 3);
/// ```
pub struct Reader<'t> {
    text: &'t str,
    at: usize,
    places: PlaceCursor<'t>,
}

impl<'t> Reader<'t> {
    /// Reads from the start of the text.
    ///
    /// # Panics
    /// If the text has 4 GiB or more; larger files are read in blocks.
    pub fn new(text: &'t str) -> Reader<'t> {
        assert!(u32::try_from(text.len()).is_ok(), "a text of 4 GiB or more is read in blocks");
        Reader { text, at: 0, places: PlaceCursor::new(text) }
    }

    /// Reads the next game into a tree, whose space is used again; false at the end.
    pub fn read_into(&mut self, tree: &mut Tree<'t>) -> bool {
        tree.text = self.text;
        tree.nodes.clear();
        tree.properties.clear();
        tree.values.clear();
        tree.warnings.clear();
        let bytes = self.text.as_bytes();
        let gap = self.at;
        match memchr::memchr(b'(', &bytes[gap..]) {
            None => {
                self.at = bytes.len();
                return false;
            }
            Some(distance) => self.at = gap + distance,
        }
        let junk = self.text[gap..self.at].trim_start_matches(BLANK);
        self.places.at(self.at - junk.len());
        tree.places = self.places;
        let mut parser = TreeParser { bytes, at: self.at, tree, open: Vec::new(), current: NONE };
        if !junk.is_empty() {
            parser.warning(self.at - junk.len(), WarningKind::TextOutside);
        }
        self.at = parser.read_tree();
        let rest = &self.text[self.at..];
        if memchr::memchr(b'(', rest.as_bytes()).is_none() {
            let after = rest.trim_start_matches(BLANK);
            if !after.is_empty() {
                parser.warning(rest.len() - after.len() + self.at, WarningKind::TextOutside);
            }
        }
        true
    }
}

impl<'t> Iterator for Reader<'t> {
    type Item = Tree<'t>;

    fn next(&mut self) -> Option<Tree<'t>> {
        let mut tree = Tree::new(self.text);
        self.read_into(&mut tree).then_some(tree)
    }
}

struct TreeParser<'p, 't> {
    bytes: &'t [u8],
    at: usize,
    tree: &'p mut Tree<'t>,
    /// For every open parenthesis the node before it.
    open: Vec<u32>,
    /// The node that the next one follows.
    current: u32,
}

impl TreeParser<'_, '_> {
    /// Reads one tree from its `(`; returns the offset after its `)`.
    fn read_tree(&mut self) -> usize {
        self.tree.start = self.at as u32;
        self.open.push(NONE);
        self.at += 1;
        // Whether a node has begun since the last parenthesis: old Japanese
        // files lack the first semicolon.
        let mut has_node = false;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b';' => {
                    self.begin_node();
                    has_node = true;
                    self.at += 1;
                }
                b'A'..=b'Z' | b'a'..=b'z' => self.read_property(&mut has_node),
                // Parentheses around games do not belong to any game.
                b'(' if self.tree.nodes.is_empty() => {
                    self.warning(self.tree.start as usize, WarningKind::StrayText);
                    self.tree.start = self.at as u32;
                    self.at += 1;
                }
                b'(' => {
                    self.open.push(self.current);
                    has_node = false;
                    self.at += 1;
                }
                b')' => {
                    self.at += 1;
                    self.current = self.open.pop().unwrap_or(NONE);
                    has_node = false;
                    if self.open.is_empty() {
                        return self.finish();
                    }
                }
                b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c => self.at += 1,
                b']' => {
                    self.warning(self.at, WarningKind::StrayBracket);
                    self.at += 1;
                }
                b'[' => {
                    self.warning(self.at, WarningKind::StrayText);
                    self.at = self.value_end(self.at + 1, false).map_or(self.bytes.len(), |end| end + 1);
                }
                _ => self.skip_stray_text(),
            }
        }
        self.warning(self.bytes.len(), WarningKind::OpenTree);
        self.finish()
    }

    fn finish(&mut self) -> usize {
        self.tree.end = self.at as u32;
        self.at
    }

    fn begin_node(&mut self) {
        let index = self.tree.nodes.len() as u32;
        self.tree.nodes.push(NodeSpan {
            offset: self.at as u32,
            first_property: self.tree.properties.len() as u32,
            parent: self.current,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
        });
        if self.current != NONE {
            self.append_child(self.current, index);
        }
        self.current = index;
    }

    fn append_child(&mut self, parent: u32, child: u32) {
        let last = std::mem::replace(&mut self.tree.nodes[parent as usize].last_child, child);
        if last == NONE {
            self.tree.nodes[parent as usize].first_child = child;
        } else {
            self.tree.nodes[last as usize].next_sibling = child;
        }
    }

    fn read_property(&mut self, has_node: &mut bool) {
        let start = self.at;
        let mut packed = 0u64;
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte.is_ascii_uppercase() {
                if packed >> 56 == 0 {
                    packed = packed << 8 | byte as u64;
                }
            } else if !byte.is_ascii_lowercase() {
                break;
            }
            self.at += 1;
        }
        let end = self.at;
        let bracket = self.skip_space(self.at);
        let has_value = self.bytes.get(bracket) == Some(&b'[');
        if packed == 0 || end - start > MAX_NAME || (!*has_node && !has_value) {
            self.warning(start, WarningKind::StrayText);
            if has_value {
                self.at = self.value_end(bracket + 1, false).map_or(self.bytes.len(), |end| end + 1);
            }
            return;
        }
        if !*has_node {
            self.warning(start, WarningKind::NoSemicolon);
            self.at = start;
            self.begin_node();
            *has_node = true;
        }
        let name = Name(packed);
        self.note_repetition(name, start);
        let first_value = self.tree.values.len() as u32;
        self.tree.properties.push(PropertySpan { name, start: start as u32, end: end as u32, first_value });
        self.at = bracket;
        if has_value {
            self.read_values(is_free_text(name));
        } else {
            self.at = end;
            self.warning(start, WarningKind::NoValue);
        }
    }

    fn read_values(&mut self, is_free_text: bool) {
        while self.bytes.get(self.at) == Some(&b'[') {
            let start = self.at + 1;
            let end = match self.value_end(start, is_free_text) {
                Some(end) => end,
                None => {
                    self.warning(self.at, WarningKind::OpenValue);
                    self.bytes.len()
                }
            };
            self.tree.values.push((start as u32, end as u32));
            self.at = self.skip_space((end + 1).min(self.bytes.len()));
        }
    }

    /// Where the value that starts here has its `]`; `None` if it has none.
    #[inline]
    fn value_end(&mut self, start: usize, is_free_text: bool) -> Option<usize> {
        // Nearly all values are two letters of a move.
        if let Some(&[a, b, b']']) = self.bytes.get(start..start + 3)
            && a.is_ascii_lowercase()
            && b.is_ascii_lowercase()
            && !is_free_text
        {
            return Some(start + 2);
        }
        let first = self.bracket_from(start)?;
        if !is_free_text || self.is_end_of_value(first + 1) {
            return Some(first);
        }
        let mut end = first;
        for _ in 0..MAX_LITERAL_BRACKETS {
            match self.bracket_from(end + 1) {
                Some(next) if self.is_end_of_value(next + 1) => {
                    self.warning(first, WarningKind::StrayBracket);
                    return Some(next);
                }
                Some(next) => end = next,
                None => break,
            }
        }
        Some(first)
    }

    /// The next `]` that no backslash protects.
    fn bracket_from(&self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            at += memchr2(b']', b'\\', self.bytes.get(at..)?)?;
            if self.bytes[at] == b']' {
                return Some(at);
            }
            at += 2;
        }
    }

    /// Whether what follows a `]` looks like SGF rather than like more text.
    fn is_end_of_value(&self, at: usize) -> bool {
        let at = self.skip_space(at);
        match self.bytes.get(at) {
            None | Some(b';' | b'(' | b')' | b'[') => true,
            Some(byte) if byte.is_ascii_alphabetic() => {
                let letters = self.bytes[at..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
                letters <= MAX_NAME && self.bytes.get(self.skip_space(at + letters)) == Some(&b'[')
            }
            Some(_) => false,
        }
    }

    #[inline]
    fn skip_space(&self, mut at: usize) -> usize {
        while let Some(b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c) = self.bytes.get(at) {
            at += 1;
        }
        at
    }

    fn skip_stray_text(&mut self) {
        self.warning(self.at, WarningKind::StrayText);
        let is_end = |b: &u8| matches!(b, b';' | b'(' | b')' | b'[' | b']' | b'\n');
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(is_end).unwrap_or(rest.len());
    }

    /// Notes a name that the node already has; a handful of comparisons a property.
    #[inline]
    fn note_repetition(&mut self, name: Name, start: usize) {
        let Some(node) = self.tree.nodes.last() else { return };
        let before = &self.tree.properties[node.first_property as usize..];
        // A node with hundreds of properties is damaged anyway; look at the last few.
        if before.iter().rev().take(64).any(|p| p.name == name) {
            self.warning(start, WarningKind::RepeatedProperty);
        }
    }

    fn warning(&mut self, offset: usize, what: WarningKind) {
        if self.tree.warnings.len() < MAX_WARNINGS {
            self.tree.warnings.push((offset as u32, what));
        }
    }
}

/// Properties whose value people type, brackets and all.
fn is_free_text(name: Name) -> bool {
    const NAMES: [Name; 11] = [
        Name::new("C"),
        Name::new("GC"),
        Name::new("N"),
        Name::new("GN"),
        Name::new("PB"),
        Name::new("PW"),
        Name::new("EV"),
        Name::new("PC"),
        Name::new("SO"),
        Name::new("US"),
        Name::new("AN"),
    ];
    NAMES.contains(&name)
}
