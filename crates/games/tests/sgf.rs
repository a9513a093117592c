//! The SGF reader and writer: twins, what FF\[4\] allows, what is forgiven, what is refused.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use proptest::prelude::*;
use tejun_games::GameRecord;
use tejun_games::go::{Color, Point};
use tejun_games::records::{OnIllegal, read_records};
use tejun_games::sgf::{self, CharsetProperty, Node, Reader, Tree, escape, main_line, write_record, write_tree};

/// Every node's depth and properties, in the order of the file.
type FlatTree = Vec<(usize, Vec<(String, Vec<String>)>)>;

fn only_record(text: &str) -> GameRecord {
    let mut found = read_records(text.as_bytes(), OnIllegal::Cut);
    assert_eq!(found.len(), 1, "{text}");
    found.remove(0).record.expect("a record")
}

fn only_tree(text: &str) -> Tree<'_> {
    let mut trees: Vec<Tree> = Reader::new(text).collect();
    assert_eq!(trees.len(), 1, "{text}");
    trees.remove(0)
}

/// `Bpd Wdp B--`, with setup stones as `+Bdd`.
fn moves(record: &GameRecord) -> String {
    let name = |point: Option<Point>| point.map_or("--".into(), |p| String::from_utf8_lossy(&p.to_sgf()).into_owned());
    let setup = |color: char, points: &[Point]| -> Vec<String> {
        points.iter().map(|&p| format!("+{color}{}", name(Some(p)))).collect()
    };
    let mut words = setup('B', &record.setup_black);
    words.extend(setup('W', &record.setup_white));
    words.extend(record.moves.iter().map(|m| format!("{}{}", m.color.letter(), name(m.point))));
    words.join(" ")
}

/// What one file becomes: `B.. W..` with `; line:column warning`, or `line:column: rejection`, one line each.
fn summary(bytes: &[u8], on_illegal: OnIllegal) -> String {
    let line = |found: tejun_games::records::FoundRecord| match found.record {
        Err(error) => error.to_string(),
        Ok(record) => {
            let warnings: String =
                record.warnings.iter().map(|warning| format!("; {} {}", warning.place, warning.what)).collect();
            moves(&record) + &warnings
        }
    };
    read_records(bytes, on_illegal).into_iter().map(line).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let start: String = text.chars().take(200).collect();
    assert_eq!(summary(text.as_bytes(), OnIllegal::Cut), expected, "{start}");
}

/// A node of a generated tree; the values are as a person means them, without escapes.
#[derive(Clone, Debug)]
struct Draft {
    properties: Vec<(String, Vec<String>)>,
    children: Vec<Draft>,
}

impl Draft {
    fn write(&self, out: &mut String, space: &str) {
        let _ = write!(out, "{space};");
        for (name, values) in &self.properties {
            let _ = write!(out, "{name}{space}");
            for value in values {
                let _ = write!(out, "[{}]{space}", escape(value));
            }
        }
        for child in &self.children {
            if self.children.len() == 1 {
                child.write(out, space);
            } else {
                out.push('(');
                child.write(out, space);
                let _ = write!(out, "){space}");
            }
        }
    }

    /// The same tree without its layout, in the order of the file.
    fn flat(&self, depth: usize, out: &mut FlatTree) {
        out.push((depth, self.properties.clone()));
        self.children.iter().for_each(|child| child.flat(depth + 1, out));
    }
}

fn flat_tree(tree: &Tree<'_>) -> FlatTree {
    let depth = |node: Node<'_, '_>| std::iter::successors(node.parent(), Node::parent).count();
    let properties = |node: Node<'_, '_>| {
        let values = |p: sgf::Property<'_, '_>| p.values().map(|v| sgf::unescape(v).into_owned()).collect();
        node.properties().map(|p| (p.name(), values(p))).collect()
    };
    tree.nodes().map(|node| (depth(node), properties(node))).collect()
}

fn draft() -> impl Strategy<Value = Draft> {
    let name = prop::sample::select(vec!["B", "W", "C", "N", "AB", "LB", "TR", "XX", "GN", "KM", "SZ", "PB"]);
    let value = "[a-zA-Z0-9 \\]\\[\\\\:;()\u{e9}\u{7881}\u{1f600}\n.]{0,12}";
    // Names are distinguished by their place, because a name given twice is a fault of its own.
    let properties = prop::collection::btree_map(name, prop::collection::vec(value, 1..4), 0..4);
    let properties = properties.prop_map(|map| map.into_iter().map(|(n, v)| (n.to_string(), v)).collect::<Vec<_>>());
    let leaf = properties.clone().prop_map(|properties| Draft { properties, children: Vec::new() });
    leaf.prop_recursive(6, 40, 3, move |inner| {
        let children = prop::collection::vec(inner, 0..4);
        (properties.clone(), children).prop_map(|(properties, children)| Draft { properties, children })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    /// What was written is what is read, whatever white space is in between.
    #[test]
    fn reading_gives_the_tree_that_was_written(draft in draft(), space in "[ \n\t]{0,2}") {
        let mut text = String::from("(");
        draft.write(&mut text, &space);
        text.push(')');
        let tree = only_tree(&text);
        let mut expected = Vec::new();
        draft.flat(0, &mut expected);
        prop_assert_eq!(flat_tree(&tree), expected);
        prop_assert_eq!(tree.warnings(), vec![], "{}", text);
    }

    /// Reading and writing a well-formed file changes nothing but white space between its parts.
    #[test]
    fn writing_gives_the_text_that_was_read(draft in draft()) {
        let mut text = String::from("(");
        draft.write(&mut text, "");
        text.push(')');
        let tree = only_tree(&text);
        let written = write_tree(&tree, CharsetProperty::AsWritten);
        let again = only_tree(&written);
        prop_assert_eq!(flat_tree(&again), flat_tree(&tree));
        prop_assert_eq!(write_tree(&again, CharsetProperty::AsWritten), written.clone());
        // The writer breaks lines before variations only, and drafts have no ")(" inside of values after a break.
        let joined = written.replace("\n(", "(");
        prop_assert_eq!(joined.trim_end(), text.replace("\n(", "("));
    }

    /// Whatever the text, nothing panics, and what is written is read again as it was.
    #[test]
    fn any_text_is_read_and_written_alike(text in "[\\(\\);\\[\\]\\\\A-Ca-c \n\u{7881}]{0,60}") {
        for tree in Reader::new(&text) {
            let written = write_tree(&tree, CharsetProperty::AsWritten);
            if tree.root().is_some() {
                let again = only_tree(&written);
                prop_assert_eq!(write_tree(&again, CharsetProperty::AsWritten), written);
            }
            let _ = main_line(&tree);
        }
    }

    #[test]
    fn any_bytes_are_imported_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(!read_records(&bytes, OnIllegal::Cut).is_empty());
    }

    /// A record written as SGF is the same record when it is read.
    #[test]
    fn records_survive_writing(points in prop::collection::vec((0u8..9, 0u8..9, any::<bool>()), 1..30), name in "[a-z\\]\\\\ ]{1,8}") {
        let mut text = String::from("(;SZ[9]KM[6.5]RE[B+3.5]DT[1926-05]");
        let _ = write!(text, "PB[{}]EV[{}]", escape(&name), escape(&name));
        for (x, y, is_pass) in points {
            let letters = Point::new(x, y).to_sgf();
            let value = if is_pass && x == 0 { String::new() } else { String::from_utf8_lossy(&letters).into_owned() };
            let _ = write!(text, ";{}[{value}]", if y % 2 == 0 { 'B' } else { 'W' });
        }
        text.push(')');
        let mut record = only_record(&text);
        record.warnings.clear();
        prop_assert_eq!(only_record(&write_record(&record)), record);
    }
}

#[test]
fn point_lists_may_be_compressed() {
    check("(;SZ[9]AB[aa:bb][ee]AW[ha:ia];B[gg])", "+Baa +Bba +Bab +Bbb +Bee +Wha +Wia Bgg");
    // Corners may come in any order, and a later property takes stones off.
    check("(;SZ[9]AB[cb:aa]AE[bb]AW[aa];W[gg])", "+Bba +Bca +Bab +Bcb +Waa Wgg");
}

#[test]
fn texts_have_escapes_and_soft_line_breaks() {
    let tree = only_tree("(;C[a \\] b \\\\ c\\\nd\\: \\e\nnew line\tand tab];B[aa])");
    let comment = tree.root().and_then(|root| root.property("C")).expect("a comment");
    assert_eq!(comment.text(), "a ] b \\ cd: e\nnew line and tab");
    let record = only_record("(;PB[An\\\nn [1\\]]PW[ two\nlines ];B[aa])");
    assert_eq!(record.header.black.as_deref(), Some("Ann [1]"));
    assert_eq!(record.header.white.as_deref(), Some("two lines"));
}

#[test]
fn the_main_line_takes_the_first_of_all_variations() {
    check("(;SZ[9];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee];B[ff]))", "Baa Wbb Bcc");
    let tree = only_tree("(;SZ[9];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee];B[ff]))");
    let n_children: Vec<usize> = tree.nodes().map(|node| node.children().count()).collect();
    assert_eq!(n_children, [1, 2, 2, 0, 0, 1, 0]);
}

#[test]
fn game_info_may_stand_in_later_nodes() {
    let record = only_record("(;SZ[9];B[aa]PB[Ann]KM[7.5]RE[B+R];W[bb]PB[Zoe]EV[Cup])");
    let header = &record.header;
    assert_eq!((header.black.as_deref(), header.event.as_deref()), (Some("Ann"), Some("Cup")));
    assert_eq!((header.komi, header.result.to_string()), (Some(7.5), "B+R".into()));
}

#[test]
fn passes_are_empty_or_tt() {
    check("(;SZ[19];B[];W[tt];B[aa])", "B-- W-- Baa");
    check("(;SZ[9];B[tt])", "B--");
    // A board of 21 lines has a point of this name.
    check("(;SZ[21];B[tt];W[])", "Btt W--");
}

#[test]
fn small_letters_in_old_names_do_not_count() {
    let record = only_record("(;GaMe[1]SiZe[9]PlayerBlack[Ann]KoMi[5.5];Black[aa];White[bb])");
    assert_eq!(moves(&record), "Baa Wbb");
    assert_eq!((record.header.black.as_deref(), record.header.komi), (Some("Ann"), Some(5.5)));
    assert_eq!(record.warnings, vec![]);
    let text = "(;SiZe[9];Black[aa])\n";
    assert_eq!(write_tree(&only_tree(text), CharsetProperty::AsWritten), text);
}

#[test]
fn collections_hold_many_games() {
    check("(;SZ[9];B[aa])\n(;SZ[9];B[bb])(;GM[1];B[cc])", "Baa\nBbb\nBcc");
    let found = read_records(b"(;B[aa])\n(;B[bb])", OnIllegal::Cut);
    assert_eq!(found.iter().map(|f| f.offset).collect::<Vec<_>>(), [0, 9]);
}

#[test]
fn one_charset_property_is_written() {
    let text = "(;GM[1]CA[gb2312]SZ[9];B[aa]CA[x])\n";
    let expected = "(;GM[1]CA[UTF-8]SZ[9];B[aa]CA[x])\n";
    assert_eq!(write_tree(&only_tree(text), CharsetProperty::Utf8), expected);
    assert_eq!(write_tree(&only_tree("(;GM[1])"), CharsetProperty::Utf8), "(;CA[UTF-8]GM[1])\n");
}

#[test]
fn handicap_stones_are_kept_as_given() {
    check("(;SZ[19]HA[2]AB[dd][pp];W[qd])", "+Bdd +Bpp Wqd");
    let record = only_record("(;HA[2]AB[dd][pp];W[qd])");
    assert_eq!((record.header.handicap, record.moves[0].color), (2, Color::White));
    // Black moves first, so whoever wrote HA did not mean stones before the game.
    check("(;HA[2];B[dd];B[pp];W[qd])", "Bdd Bpp Wqd");
}

/// One smallest record for everything that is forgiven: its kind, the record, what becomes of it.
const WARNINGS: &[(&str, &str, &str)] = &[
    ("text-outside", "From: ann\n\n(;SZ[9];B[aa])", "Baa; 1:1 text outside of any game"),
    ("stray-text", "(;SZ[9] 12;B[aa])", "Baa; 1:9 text that is not a property"),
    ("stray-text", "(;\n [aa]SZ[9];B[aa])", "Baa; 2:2 text that is not a property"),
    ("stray-bracket", "(;SZ[9]];B[aa])", "Baa; 1:8 ']' that closes nothing"),
    ("stray-bracket", "(;C[a [b] c]SZ[9];B[aa])", "Baa; 1:9 ']' that closes nothing"),
    ("no-value", "(;SZ[9]\nKM;B[aa])", "Baa; 2:1 property without a value"),
    ("open-value", "(;SZ[9];B[aa]\nC[the end", "Baa; 2:2 value without its ']'; 2:10 game without its ')'"),
    ("open-tree", "(;SZ[9];B[aa]\n;W[bb]", "Baa Wbb; 2:7 game without its ')'"),
    ("cut-short", "\\HS\n\\HE\n\\GS\nSTO 0 2 1 0 0\n", "Baa; 5:1 the file ends before the game does"),
    ("no-semicolon", "(SZ[9];B[aa])", "Baa; 1:2 node without its ';'"),
    ("repeated-property", "(;SZ[9]PB[a]\nPB[b];B[aa])", "Baa; 2:1 property given twice in a node"),
    ("komi", "(;KM[375];B[aa])", "Baa; 1:3 komi 375 read as 7.5"),
    ("komi", "(;KM[50];B[aa])", "Baa; 1:3 komi 50 read as 0.5"),
    ("komi", "(;KM[650]RU[Japanese];B[aa])", "Baa; 1:3 komi 650 read as 6.5"),
    ("unreadable-komi", "(;SZ[9]\n  KM[some];B[aa])", "Baa; 2:3 unreadable komi"),
    ("unreadable-handicap", "(;HA[none];B[aa])", "Baa; 1:3 unreadable handicap"),
    (
        "handicap-without-stones",
        "(;HA[2];W[qc])",
        "+Bpd +Bdp Wqc; 1:2 handicap 2 without stones: put on the star points",
    ),
    ("unreadable-date", "(;DT[last May];B[aa])", "Baa; 1:3 unreadable date"),
    ("doubtful-year", "(;DT[1010-05];B[aa])", "Baa; 1:3 doubtful year 1010"),
    ("unreadable-result", "(;RE[who knows];B[aa])", "Baa; 1:3 unreadable result"),
    ("setup-off-board", "(;SZ[9]AB[aa][zz];W[bb])", "+Baa Wbb; 1:8 setup stone off the board"),
    ("two-moves", "(;SZ[9]\n;B[aa]W[bb])", "Baa Wbb; 2:1 two moves in one node"),
    ("suicide", "(;SZ[9]AW[ba][ab]\n;B[aa];W[ee])", "+Wba +Wab Baa Wee; 2:2 move 1 is suicide"),
    ("cut-at-setup", "(;SZ[9];B[aa]\n;AW[cc];W[bb];B[dd])", "Baa; 2:2 cut at move 2: stones set up in mid-game"),
    ("cut-at-illegal", "(;SZ[9];B[aa];W[bb]\n;B[bb];W[cc])", "Baa Wbb; 2:2 cut at move 3: the point is occupied"),
];

#[test]
fn what_is_forgiven_is_reported_where_it_stands() {
    for (kind, text, expected) in WARNINGS {
        check(text, expected);
        let warnings = only_record(text).warnings;
        assert!(warnings.iter().any(|warning| warning.what.name() == *kind), "{kind} is not reported in {text}");
    }
    check_charset_warnings();
}

fn check_charset_warnings() {
    let file = |name: &str| summary(&record_bytes(name), OnIllegal::Cut);
    assert_eq!(file("gb18030.sgf"), "Bpd Wdp Bpp; 1:1 no charset named; read as gb18030");
    assert_eq!(file("gb18030_called_utf8.sgf"), "Bpd Wdp Bpp; 1:1 charset is gb18030, not what CA says");
    let mut bytes = "(;SZ[9];B[aa]\nC[囲碁は面白い。もう一局打ちましょう。])".as_bytes().to_vec();
    let lost = bytes.iter().position(|&b| b >= 0x80).expect("a character");
    bytes.remove(lost);
    assert_eq!(summary(&bytes, OnIllegal::Cut), "Baa; 2:3 damaged characters in the text");
}

/// The short names of all kinds of an enum in the source, so that a new one without a record is seen.
fn kinds_in_source(of: &str) -> BTreeSet<&'static str> {
    let lines = include_str!("../src/records/warning.rs").lines().map(str::trim);
    let arms =
        lines.filter_map(|line| line.strip_prefix(of)?.strip_prefix("::")?.split_once(" => \"")?.1.strip_suffix("\","));
    arms.collect()
}

#[test]
fn everything_that_is_forgiven_has_a_record() {
    let mut tested: BTreeSet<&str> = WARNINGS.iter().map(|row| row.0).collect();
    // These need bytes that are not UTF-8; see `check_charset_warnings`.
    tested.extend(["wrong-charset", "guessed-charset", "damaged-text"]);
    assert_eq!(tested, kinds_in_source("WarningKind"));
}

#[test]
fn notes_of_a_collection_count_from_the_start_of_the_file() {
    check(
        "(;SZ[9];B[aa])\n(;SZ[9]\nKM[x];B[bb])\n\n (;SZ[9]RE[x];B[cc])",
        "Baa\nBbb; 3:1 unreadable komi\nBcc; 5:9 unreadable result",
    );
}

const REJECTIONS: &[(&str, &str, &str)] = &[
    ("no-game", "", "1:1: no game record found"),
    ("no-game", "a letter (to Ann)", "1:1: no game record found"),
    ("encrypted", "[Header]\nCrypt=9,SECRET,READ\n[Data]\nAA,B1,1,0\n", "2:7: the record is encrypted"),
    ("no-node", "(;SZ[9];B[aa])\n ()", "Baa\n2:2: game without a node"),
    ("not-go", "(;FF[4]\nGM[2]SZ[8];B[aa])", "2:1: not Go but Othello (GM[2])"),
    ("not-square", "(;SZ[9:13];B[aa])", "1:3: board of 9x13 is not square"),
    ("bad-size", "(;SZ[4];B[aa])", "1:3: board size is not a number from 5 to 25"),
    ("bad-size", "(;SZ[26];B[aa])", "1:3: board size is not a number from 5 to 25"),
    ("bad-size", "(;SZ[big];B[aa])", "1:3: board size is not a number from 5 to 25"),
    ("no-moves", "\n(;SZ[9]AB[aa]C[Black to play])", "2:2: no moves"),
    ("unreadable-move", "(;SZ[9];B[aa]\n;W[zz])", "2:2: move 2 is not a point on the board"),
    ("unreadable-move", "(;SZ[9];B[aa]\n; W)", "2:3: move 2 is not a point on the board"),
    ("unreadable-move", "(;SZ[9];B[jj])", "1:9: move 1 is not a point on the board"),
    ("illegal-move", "(;SZ[9]AB[aa]\n;W[aa])", "2:2: move 1 is illegal: the point is occupied"),
];

#[test]
fn what_is_refused_says_where() {
    for (kind, text, expected) in REJECTIONS {
        check(text, expected);
        let mut rejections = read_records(text.as_bytes(), OnIllegal::Cut).into_iter().filter_map(|f| f.record.err());
        assert_eq!(rejections.next_back().map(|error| error.why.name()), Some(*kind), "{text}");
    }
    let mut long = String::from("(;SZ[9]");
    (0..65_536).for_each(|_| long.push_str(";B[]"));
    check(&(long + ")"), "1:262149: more than 65535 moves");
}

#[test]
fn illegal_moves_are_refused_on_request() {
    let text = "(;SZ[9];B[aa];W[bb]\n;B[bb];W[cc])";
    let expected = "2:2: move 3 is illegal: the point is occupied";
    assert_eq!(summary(text.as_bytes(), OnIllegal::Refuse), expected);
}

#[test]
fn every_refusal_has_a_record() {
    let mut tested: BTreeSet<&str> = REJECTIONS.iter().map(|row| row.0).collect();
    // Its record is made where the others are checked.
    tested.insert("too-long");
    assert_eq!(tested, kinds_in_source("RejectionKind"));
}

/// Each would take minutes, or overflow the stack, if a reader were quadratic or recursive.
#[test]
fn deep_and_wide_files_are_read() {
    const MANY: usize = 100_000;
    {
        let text = "(".repeat(MANY) + ";SZ[9];B[aa]" + &")".repeat(MANY);
        let tree = only_tree(&text);
        assert_eq!(main_line(&tree).map(|record| record.moves.len()), Ok(1));
        // With this many before the first node, the reader of files sees no game.
        check(&text, "1:1: no game record found");
        check(&"(".repeat(MANY), "1:1: no game record found");
        check(
            &format!("((((;SZ[9];B[aa]{}", "(".repeat(MANY)),
            "Baa; 1:1 text that is not a property; 1:2 text that is not a property; 1:3 text that is not a property; 1:100017 game without its ')'",
        );
    }
    {
        let text = "(;SZ[9]".to_string() + &"(;B[]".repeat(50_000) + &")".repeat(50_001);
        let tree = only_tree(&text);
        assert_eq!(tree.main_nodes().count(), 50_001);
        let written = write_tree(&tree, CharsetProperty::AsWritten);
        assert_eq!(only_tree(&written).nodes().count(), 50_001);
    }
    {
        let text = "(;SZ[9]".to_string() + &"(;B[aa])".repeat(MANY) + ")";
        let tree = only_tree(&text);
        assert_eq!(tree.root().map(|root| root.children().count()), Some(MANY));
        assert_eq!(write_tree(&tree, CharsetProperty::AsWritten).matches("(;B[aa])").count(), MANY);
        check(&text, "Baa");
    }
    {
        check(&format!("(;SZ[9]C[{}];B[aa])", "x] y ".repeat(50)), "Baa; 1:11 ']' that closes nothing");
        let _ = summary(format!("(;SZ[9]C[{}];B[aa])", "x] y ".repeat(MANY)).as_bytes(), OnIllegal::Cut);
        let _ = summary(("(;C[".to_string() + &"]]]".repeat(MANY)).as_bytes(), OnIllegal::Cut);
    }
    {
        let _ = summary(("(;".to_string() + &"AB[aa]".repeat(MANY)).as_bytes(), OnIllegal::Cut);
    }
    {
        let mut bytes = "(;SZ[9];B[aa])\n".repeat(MANY / 4).into_bytes();
        bytes.extend(b"(;SZ[9]PB[\xc3\xd6\xb9\xe6];B[bb])\n");
        assert_eq!(read_records(&bytes, OnIllegal::Cut).len(), MANY / 4 + 1);
    }
}

fn record_bytes(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/records/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn names_come_out_right_in_every_charset() {
    for (file, black, white, event) in [
        ("gb18030.sgf", "李玗", "陈大海", "村杯赛"),
        ("gb2312_named.sgf", "李玗", "陈大海", "村杯赛"),
        ("gb18030_called_utf8.sgf", "李玗", "陈大海", "村杯赛"),
        // Each of these characters has the byte of `\` or `]` for its second half.
        ("big5.sgf", "許功蓋", "孫珠夜", "村盃賽"),
        ("shift_jis.sgf", "表野十蔵", "江川望", "村杯"),
        ("euc_jp.sgf", "表野十蔵", "江川望", "村杯"),
        ("iso_2022_jp.sgf", "表野十蔵", "江川望", "村杯"),
        ("utf_16le.sgf", "表野十蔵", "江川望", "村杯"),
        ("utf_16be_without_mark.sgf", "表野十蔵", "江川望", "村杯"),
        ("utf_8_with_mark.sgf", "表野十蔵", "江川望", "村杯"),
        ("euc_kr.sgf", "김바둑", "박돌이", "마을배"),
        ("windows_1252.sgf", "Jürgen Weiß", "François Bétile", "Coupe du Village"),
    ] {
        let found = read_records(&record_bytes(file), OnIllegal::Cut);
        assert_eq!(found.len(), 1, "{file}");
        let record = found[0].record.as_ref().unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(moves(record), "Bpd Wdp Bpp", "{file}");
        let names = [&record.header.black, &record.header.white, &record.header.event];
        assert_eq!(names.map(|n| n.as_deref().unwrap_or("")), [black, white, event], "{file}");
    }
}

#[test]
fn games_of_one_file_may_differ_in_charset() {
    let named = |file: &str, charset: &str| {
        let mut bytes = format!("(;GM[1]CA[{charset}]").into_bytes();
        bytes.extend_from_slice(&record_bytes(file)["(;".len()..]);
        bytes
    };
    let mut bytes = named("shift_jis.sgf", "Shift_JIS");
    bytes.extend(named("euc_kr.sgf", "EUC-KR"));
    bytes.extend("(;GM[1]SZ[19]PB[Zoé];B[aa])\n".as_bytes());
    let found = read_records(&bytes, OnIllegal::Cut);
    let black = |f: &tejun_games::records::FoundRecord| f.record.as_ref().expect("a record").header.black.clone();
    let names: Vec<Option<String>> = found.iter().map(black).collect();
    assert_eq!(names.iter().map(|n| n.as_deref()).collect::<Vec<_>>(), [Some("表野十蔵"), Some("김바둑"), Some("Zoé")]);
}
