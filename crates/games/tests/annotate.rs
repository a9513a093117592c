//! Annotated games: nothing is lost, and a second run changes nothing.

use proptest::prelude::*;
use tejun_games::Move;
use tejun_games::go::{Color, Point};
use tejun_games::sgf::{
    Addition, CharsetProperty, NewProperty, Node, Reader, Tree, VariationNode, main_line, move_nodes, write_annotated,
    write_tree,
};

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn tree(text: &str) -> Tree<'_> {
    Reader::new(text).next().expect("a game")
}

fn annotated(text: &str, additions: &[Addition]) -> String {
    write_annotated(&tree(text), additions)
}

fn property(name: &'static str, value: &str) -> NewProperty {
    NewProperty { name, values: vec![value.to_string()] }
}

fn mark(node: usize, name: &'static str, comment: &str) -> Addition {
    Addition { node, properties: vec![property(name, "1")], comment: Some(comment.into()), ..Addition::default() }
}

fn variation(points: &[(u8, u8)], comment: &str) -> Vec<VariationNode> {
    let node = |(index, &(x, y)): (usize, &(u8, u8))| VariationNode {
        played: Move { color: if index % 2 == 0 { Color::Black } else { Color::White }, point: Some(Point::new(x, y)) },
        properties: Vec::new(),
        comment: (index == 0).then(|| comment.to_string()),
    };
    points.iter().enumerate().map(node).collect()
}

/// Annotates, and annotates what came out: both must be as expected, but for the root's own facts.
#[track_caller]
fn check(text: &str, additions: &[Addition], expected: &str) {
    let once = annotated(text, additions);
    let facts = format!("CA[UTF-8]AP[tejun:{VERSION}]");
    assert_eq!(once, format!("{}\n", expected.replace("HEAD", &facts)));
    assert_eq!(annotated(&once, additions), once, "the second run changes something");
}

#[test]
fn marks_and_comments_are_added() {
    check(
        "(;GM[1];B[pd];W[dp])",
        &[mark(2, "BM", "Too slow.")],
        "(;HEADGM[1];B[pd];W[dp]BM[1]C[tejun: BM\nToo slow.])",
    );
    check(
        "(;GM[1];B[pd]C[Mine.]XY[z];W[dp])",
        &[mark(1, "TE", "Good.\n\n\nReally.")],
        "(;HEADGM[1];B[pd]C[Mine.\n\ntejun: TE\nGood.\nReally.]XY[z]TE[1];W[dp])",
    );
    check("(;;B[pd]C[][more])", &[mark(1, "TE", "")], "(;HEAD;B[pd]C[tejun: TE][more]TE[1])");
    check("(;GM[1]C[];B[pd]C[])", &[mark(1, "TE", "")], "(;HEADGM[1]C[];B[pd]TE[1]C[tejun: TE])");
}

#[test]
fn the_authors_own_mark_wins() {
    check("(;B[pd]DO[];W[dp])", &[mark(1, "TE", "Good.")], "(;HEADB[pd]DO[];W[dp]TE[1]C[tejun: TE\nGood.])");
    check("(;;B[pd]DO[])", &[mark(1, "TE", "Good.")], "(;HEAD;B[pd]DO[]C[tejun:\nGood.])");
    let hot = Addition { node: 1, properties: vec![property("HO", "1"), property("TE", "1")], ..Addition::default() };
    check("(;;B[pd]HO[2])", &[hot], "(;HEAD;B[pd]HO[2]TE[1]C[tejun: TE])");
}

#[test]
fn win_rates_are_replaced_whoever_wrote_them() {
    let rate = |node, value| Addition { node, properties: vec![property("SBKV", value)], ..Addition::default() };
    check("(;;B[pd]SBKV[51.00]C[x];W[dp]SBKV[3])", &[rate(1, "47.5")], "(;HEAD;B[pd]C[x]SBKV[47.5];W[dp]SBKV[3])");
}

#[test]
fn only_annotations_are_written() {
    let odd = Addition { node: 1, properties: vec![property("AB", "aa"), property("B", "bb")], ..Addition::default() };
    check("(;;B[pd])", &[odd], "(;HEAD;B[pd])");
    check("(;;B[pd]C[tejun: B W])", &[], "(;HEAD;B[pd]C[tejun: B W])");
}

#[test]
fn variations_follow_those_of_the_parent() {
    let addition =
        Addition { node: 1, variations: vec![variation(&[(16, 3), (14, 2)], "Better.")], ..Addition::default() };
    let branch = "(;B[qd]C[tejun: 1-2\nBetter.];W[oc])";
    check("(;;B[pd];W[dp])", std::slice::from_ref(&addition), &format!("(;HEAD\n(;B[pd];W[dp])\n{branch})"));
    let both = format!("(;HEAD\n(;B[pd];W[dp])\n(;B[cc])\n{branch})");
    check("(;(;B[pd];W[dp])(;B[cc]))", std::slice::from_ref(&addition), &both);
    // The root has no alternative, and a node that is not there none either.
    check("(;B[pd])", &[Addition { node: 0, ..addition.clone() }], "(;HEADB[pd])");
    check("(;B[pd])", &[addition], "(;HEADB[pd])");
}

#[test]
fn a_later_run_takes_back_what_an_earlier_one_said() {
    let text = "(;GM[1];B[pd]C[Mine.];W[dp])";
    let lines = vec![variation(&[(16, 3), (14, 2)], "Better.")];
    let first = annotated(text, &[Addition { variations: lines, ..mark(1, "TE", "Good.") }, mark(2, "BM", "Bad.")]);
    assert_eq!(annotated(&first, &[]), annotated(text, &[]));
    let second = [mark(1, "DO", "Doubtful.")];
    assert_eq!(annotated(&first, &second), annotated(text, &second));
    // Other programs write other line breaks and escapes.
    let saved = first.replace('\n', "\r\n").replace("tejun: TE", "tejun\\: TE");
    assert!(annotated(&saved, &[]).contains(";B[pd]C[Mine.]"), "{saved}");
}

#[test]
fn what_others_added_to_ours_stays() {
    let added = Addition { variations: vec![variation(&[(16, 3), (14, 2)], "Better.")], ..mark(1, "TE", "Good.") };
    let once = annotated("(;;B[pd])", &[added]);
    let with_text = once.replace("Good.", "Good.\n\nI agree.");
    assert!(annotated(&with_text, &[]).contains(";B[pd]C[I agree.]"));
    for changed in [once.replace(";W[oc]", ";W[oc];B[cc]"), once.replace("Better.", "Better.\n\nNo, worse.")] {
        assert!(annotated(&changed, &[]).contains("(;B[qd]"), "{changed}");
    }
}

#[test]
fn odd_characters_come_back() {
    let words = "a]b\\c:d [e] \\] 好手\\";
    let text = annotated("(;;B[pd]C[author \\] \\\\ : [x] y];W[dp])", &[mark(1, "TE", words), mark(2, "BM", words)]);
    let tree = tree(&text);
    let comments: Vec<String> = tree.nodes().filter_map(|n| n.property("C")).map(|c| c.text().into_owned()).collect();
    assert_eq!(comments, [format!("author ] \\ : [x] y\n\ntejun: TE\n{words}"), format!("tejun: BM\n{words}")]);
}

#[test]
fn the_program_that_wrote_a_file_stays_named() {
    assert!(annotated("(;AP[CGoban:3]CA[Shift_JIS];B[pd])", &[]).starts_with("(;AP[CGoban:3]CA[UTF-8];"));
    assert!(annotated("(;AP[tejun:0.0.1];B[pd])", &[]).starts_with(&format!("(;CA[UTF-8]AP[tejun:{VERSION}];")));
}

#[test]
fn moves_know_their_nodes() {
    for text in ["(;GM[1];C[x];B[pd];W[dp]B[dd];AB[aa];W[cc])", "(;B[pd];W[dp];C[end])", "(;GM[1];B[pd];W[d"] {
        let tree = tree(text);
        let record = main_line(&tree).expect("a game");
        let nodes: Vec<Node<'_, '_>> = tree.main_nodes().collect();
        for (played, node) in record.moves.iter().zip(move_nodes(&tree)) {
            let letters = played.point.map(|p| String::from_utf8_lossy(&p.to_sgf()).into_owned()).unwrap_or_default();
            let name = played.color.letter().to_string();
            assert!(nodes[node].properties().any(|p| p.name() == name && p.value() == letters), "{text}");
        }
    }
    assert_eq!(move_nodes(&tree("(;GM[1];C[x];B[pd];W[dp]B[dd])")), [2, 3, 3]);
}

#[test]
fn two_moves_of_a_node_share_it() {
    let text = annotated("(;;B[pd]W[dp])", &[mark(1, "TE", "One."), mark(1, "BM", "Two.")]);
    assert!(text.contains(";B[pd]W[dp]TE[1]C[tejun: TE\nOne.\nTwo.]"), "{text}");
}

#[test]
fn deep_trees_do_no_harm() {
    let n = 200_000;
    let text = format!("{}{}", "(;B[pd](;W[dd])".repeat(n), ")".repeat(n));
    let once = annotated(&text, &[mark(n / 2, "TE", "Good.")]);
    assert_eq!(once.matches("B[pd]").count(), n);
}

/// Nested nodes with properties of every kind, comments like ours among them.
fn any_tree() -> impl Strategy<Value = String> {
    let value = prop_oneof!["[a-s]{2}", "[a-z :;()好\n]{1,12}", Just("a\\]b\\\\".to_string())];
    let name = prop::sample::select(vec!["B", "W", "TE", "DO", "HO", "N", "XX", "LB", "AB", "SBKV", "KGSWhat"]);
    let comment = prop::sample::select(vec!["", "C[mine]", "C[\nmine\n]", "C[a\n\ntejun: TE\nold\n\nb]", "C[tejun:]"]);
    let node = (prop::collection::btree_map(name, value, 0..4), comment).prop_map(|(properties, comment)| {
        let properties: String = properties.iter().map(|(name, value)| format!("{name}[{value}]")).collect();
        format!(";{properties}{comment}")
    });
    let leaf = prop::collection::vec(node.clone(), 1..4).prop_map(|nodes| nodes.concat());
    let tree = leaf.prop_recursive(4, 24, 3, move |inner| {
        (node.clone(), prop::collection::vec(inner, 0..3))
            .prop_map(|(node, children)| node + &children.iter().map(|child| format!("({child})")).collect::<String>())
    });
    tree.prop_map(|text| format!("({text})"))
}

fn any_addition() -> impl Strategy<Value = Addition> {
    let name = prop::sample::select(vec!["TE", "BM", "HO", "N", "LB"]);
    let line = prop::collection::vec((0u8..19, 0u8..19), 0..4);
    (0usize..6, prop::option::of(name), prop::option::of("[a-z\\]\\\\:\n好]{0,12}"), prop::collection::vec(line, 0..2))
        .prop_map(|(node, name, comment, lines)| Addition {
            node,
            properties: name.into_iter().map(|name| property(name, "a:b]")).collect(),
            comment,
            variations: lines.iter().map(|line| variation(line, "line")).collect(),
        })
}

/// The nodes below must be there with all their properties, in order, but for what is ours.
fn check_kept(before: Node<'_, '_>, after: Node<'_, '_>) {
    for property in before.properties().filter(|p| !["C", "TE"].contains(&p.name_as_written())) {
        let values: Vec<&str> = property.values().collect();
        let is_same = |p: &tejun_games::sgf::Property<'_, '_>| {
            p.name_as_written() == property.name_as_written() && p.values().eq(values.iter().copied())
        };
        assert!(after.properties().any(|p| is_same(&p)), "{}{values:?} is lost", property.name());
    }
    if let Some(comment) = before.property("C").filter(|c| c.value().contains("mine")) {
        let text = after.property("C").map(|c| c.text().into_owned()).unwrap_or_default();
        assert!(text.starts_with(&*comment.text()), "{text}");
    }
    let children: Vec<Node<'_, '_>> = after.children().collect();
    for (i, child) in before.children().enumerate() {
        check_kept(child, children[i]);
    }
}

proptest! {
    #[test]
    fn nothing_is_lost(text in any_tree(), additions in prop::collection::vec(any_addition(), 0..5)) {
        let before = tree(&text);
        let once = write_annotated(&before, &additions);
        let after = tree(&once);
        check_kept(before.root().expect("a root"), after.root().expect("a root"));
        prop_assert_eq!(&annotated(&once, &additions), &once);
        // Without additions what is left is the game as a first run without any leaves it.
        let bare = annotated(&text, &[]);
        prop_assert_eq!(annotated(&once, &[]).replace("C[]", ""), bare.replace("C[]", ""));
    }

    #[test]
    fn without_anything_of_ours_a_tree_is_only_written(text in any_tree()) {
        prop_assume!(!text.contains("tejun"));
        let facts = format!("CA[UTF-8]AP[tejun:{VERSION}]");
        let plain = write_tree(&tree(&text), CharsetProperty::AsWritten).replacen("(;", &format!("(;{facts}"), 1);
        prop_assert_eq!(annotated(&text, &[]), plain);
    }
}
