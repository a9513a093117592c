//! SGF trees: a written tree reads back the same, and no main line panics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun_games::sgf::{self, CharsetProperty, Reader, Tree, write_tree};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    for tree in Reader::new(&text) {
        let written = write_tree(&tree, CharsetProperty::AsWritten);
        let mut reader = Reader::new(&written);
        let again = reader.next().expect("a written tree is a tree");
        assert_eq!(shape(&again), shape(&tree), "written as {written:?}");
        assert!(reader.next().is_none(), "one tree became two: {written:?}");
        assert_eq!(write_tree(&again, CharsetProperty::AsWritten), written);
        let _ = write_tree(&tree, CharsetProperty::Utf8);
        check_main_line(&tree);
    }
});

/// The parts of a tree that must be preserved: its nodes in order, each with its parent's number and its properties.
type Shape<'t> = Vec<(Option<usize>, Vec<(&'t str, Vec<&'t str>)>)>;

fn shape<'t>(tree: &Tree<'t>) -> Shape<'t> {
    let offsets: Vec<usize> = tree.nodes().map(|node| node.offset()).collect();
    let number = |offset: usize| offsets.binary_search(&offset).expect("nodes are in file order");
    let node_shape = |node: sgf::Node<'_, 't>| {
        let properties = node.properties().map(|p| (p.name_as_written(), p.values().map(whole).collect::<Vec<_>>()));
        let parent = node.parent().map(|parent| number(parent.offset()));
        (parent, properties.filter(|property| !property.1.is_empty()).collect())
    };
    tree.nodes().map(node_shape).collect()
}

/// A value without a trailing unpaired backslash, as at the end of a truncated file.
fn whole(value: &str) -> &str {
    let n_backslashes = value.len() - value.trim_end_matches('\\').len();
    &value[..value.len() - n_backslashes % 2]
}

fn check_main_line(tree: &Tree<'_>) {
    let warnings = tree.warnings();
    assert!(warnings.is_sorted_by_key(|warning| warning.place));
    for property in tree.nodes().flat_map(|node| node.properties()) {
        let raw = sgf::escape(&property.text()).into_owned();
        assert_eq!(sgf::unescape(&raw), property.text(), "escaped as {raw:?}");
    }
    let Ok(record) = sgf::main_line(tree) else { return };
    let replay = record.replay();
    assert!(replay.illegal.is_none_or(|(number, _)| usize::from(number) <= record.moves.len()));

    let written = sgf::write_record(&record);
    let again = Reader::new(&written).next().expect("a written record is a tree");
    let again = sgf::main_line(&again).expect("a written record is a game");
    assert_eq!((again.size, &again.moves), (record.size, &record.moves), "{written}");
    assert_eq!((&again.setup_black, &again.setup_white), (&record.setup_black, &record.setup_white), "{written}");
}
