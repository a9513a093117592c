//! Files of analyses: written, cut off, damaged, made by others, and read again.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use tejun_knowledge::engines::{Analysis, AnalysisLine, AnalysisLog, BestMove, Score};

const HEAD: &str = "# tejun thoughts 1\n# engine: me\n# position\tvalue\tmove\tdepth\tnodes\tline\n";

/// A file in a folder of its own.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        Place { folder: tempfile::tempdir().expect("a folder") }
    }

    fn with(content: impl AsRef<[u8]>) -> Place {
        let place = Place::new();
        fs::write(place.path(), content).expect("a file");
        place
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("analyses.tsv")
    }

    #[track_caller]
    fn open(&self) -> AnalysisLog {
        AnalysisLog::open(&self.path(), "me").expect("a sound file")
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.path()).expect("a file")).into_owned()
    }

    /// Can't be opened, and is left as it was.
    #[track_caller]
    fn check_refusal(&self, expected: &str) {
        let before = fs::read(self.path()).expect("a file");
        let error = AnalysisLog::open(&self.path(), "me").expect_err("a fault").to_string();
        assert!(error.contains(expected), "{expected:?} is missing in: {error}");
        assert_eq!(fs::read(self.path()).expect("a file"), before);
    }
}

fn analysis(centipawns: i32, best: &str) -> Analysis {
    let line = AnalysisLine { score: Score::Centipawns(centipawns), moves: vec![best.into(), "3c3d".into()] };
    Analysis { best_move: BestMove::Move(best.into()), lines: vec![line], depth: Some(6), nodes: Some(123) }
}

#[test]
fn a_file_is_begun_and_gone_on_with() {
    let place = Place::new();
    let mut file = place.open();
    assert_eq!(file.get("startpos"), None);
    file.keep("startpos", &analysis(14, "7g7f")).expect("a disk");
    assert_eq!(file.get("startpos").and_then(|kept| kept.score), Some(Score::Centipawns(14)));
    assert_eq!(place.text(), format!("{HEAD}startpos\t14\t7g7f\t6\t123\t7g7f 3c3d\n"), "written at once");
    drop(file);
    let mut file = place.open();
    file.keep("startpos", &analysis(-3, "2g2f")).expect("a disk");
    file.keep("startpos moves 7g7f", &analysis(0, "3c3d")).expect("a disk");
    let file = place.open();
    assert_eq!(file.analyses().len(), 2);
    assert_eq!(file.get("startpos").and_then(|kept| kept.score), Some(Score::Centipawns(-3)), "the last counts");
}

#[test]
fn another_engine_is_reported_with_both_names() {
    let place = Place::with(HEAD);
    let error = AnalysisLog::open(&place.path(), "somebody else").expect_err("another engine").to_string();
    assert!(error.contains("there: me\n") && error.contains("now:   somebody else\n"), "{error}");
    Place::with("# tejun thoughts 2\n# engine: me\n").check_refusal("line 1: the version is \"2\"");
    Place::with("# tejun thoughts 1\n# engine: som").check_refusal("there: som\n");
    Place::with("startpos\t5\n").check_refusal("line 1: it does not say which engine answered, but \"startpos\\t5\"");
    Place::with("startpos\t5").check_refusal("line 1: it does not say which engine answered");
    Place::with("# tejun thoughts 1\nstartpos\t5\n").check_refusal("line 2: it does not say which engine answered");
}

#[test]
fn a_file_cut_off_anywhere_continues_with_its_whole_lines() {
    let rows = "startpos\t14\t7g7f\t6\t123\t7g7f 3c3d\nsfen 将\tmate -12\tresign\t-\t-\t-\n";
    let whole = format!("{HEAD}{rows}");
    for end in 0..=whole.len() {
        let place = Place::with(&whole.as_bytes()[..end]);
        let n_rows = [0, 1, 2].into_iter().rev().find(|n| end >= HEAD.len() + n_bytes(rows, *n)).unwrap_or(0);
        let mut file = place.open();
        assert_eq!(file.analyses().len(), n_rows, "cut off at {end}");
        file.keep("next", &analysis(1, "7g7f")).expect("a disk");
        let expected = format!("{HEAD}{}next\t1\t7g7f\t6\t123\t7g7f 3c3d\n", &rows[..n_bytes(rows, n_rows)]);
        assert_eq!(place.text(), expected, "cut off at {end}");
    }
}

/// The bytes of the first `n` lines.
fn n_bytes(text: &str, n: usize) -> usize {
    text.split_inclusive('\n').take(n).map(str::len).sum()
}

#[test]
fn a_damaged_line_is_named_and_nothing_is_lost() {
    let row = "startpos\t14\t7g7f\t6\t123\t7g7f\n";
    Place::with(format!("{HEAD}{row}garbage\n{row}")).check_refusal("line 5, \"garbage\": write six columns");
    Place::with(format!("{HEAD}a\tx\t-\t-\t-\t-\n"))
        .check_refusal("line 4, \"a\\tx\\t-\\t-\\t-\\t-\": the value is \"x\"");
    let bytes = [HEAD.as_bytes(), b"a\xff\t1\t-\t-\t-\t-\n"].concat();
    Place::with(bytes).check_refusal("it is not UTF-8 text");
    Place::with(format!("{HEAD}\0\0\0\0\n")).check_refusal("line 4, \"\\u{0}");
}

#[test]
fn what_does_not_fit_into_a_line_is_refused() {
    let place = Place::new();
    let mut file = place.open();
    for position in ["", " ", "# a", "a\tb", "a\nb", "a\r"] {
        assert!(file.keep(position, &analysis(1, "7g7f")).is_err(), "{position:?}");
    }
    for best in ["", "-", "7g 7f", "resign", "7g\t7f"] {
        assert!(file.keep("startpos", &analysis(1, best)).is_err(), "{best:?}");
    }
    assert_eq!((place.text().as_str(), file.analyses().len()), (HEAD, 0));
}

#[test]
fn values_of_others_are_read() {
    #[track_caller]
    fn check(content: &str, expected: &[(&str, i32)]) {
        let found = AnalysisLog::read(&Place::with(content).path()).expect("values");
        let value = |score: Option<Score>| score.map_or(0, Score::centipawns);
        let found: Vec<_> = found.iter().map(|(position, kept)| (position.as_str(), value(kept.score))).collect();
        assert_eq!(found, expected, "{content:?}");
    }
    check("", &[]);
    check("startpos\t14", &[("startpos", 14)]);
    check("\u{feff}SFEN\tscore\r\n\r\n# mine\r\nb\t-5\tx\ty\r\na\tmate 3\r\n", &[("a", 29_997), ("b", -5)]);
    check(&format!("{HEAD}a\t14\t-\t-\t-\t-\nb\t1"), &[("a", 14)]);
}

#[test]
fn faults_of_others_are_named() {
    #[track_caller]
    fn check(content: &str, expected: &str) {
        let error = AnalysisLog::read(&Place::with(content).path()).expect_err("a fault").to_string();
        assert!(error.contains(expected), "{expected:?} is missing in: {error}");
    }
    check("a\t1\nb 2\n", "line 2, \"b 2\": write a position, a tab and its value");
    check("a\tgood\n", "line 1, \"a\\tgood\": the value is \"good\"");
    check("a\t1\nsfen\tvalue\n", "line 2, \"sfen\\tvalue\"");
    check(&format!("{HEAD}a\t14\n"), "line 4, \"a\\t14\": write six columns");
    assert!(AnalysisLog::read(&Place::new().path()).is_err(), "there is no file");
}

fn any_thought() -> impl Strategy<Value = Analysis> {
    let score = prop_oneof![any::<i32>().prop_map(Score::Centipawns), any::<i32>().prop_map(Score::Mate)];
    let moves = prop::collection::vec("[1-9][a-i][1-9][a-i]\\+?", 0..5);
    let line = (score, moves).prop_map(|(score, moves)| AnalysisLine { score, moves });
    let best_move =
        prop_oneof!["[1-9][a-i][1-9][a-i]".prop_map(BestMove::Move), Just(BestMove::Resign), Just(BestMove::Win)];
    (best_move, prop::collection::vec(line, 0..3), any::<Option<u32>>(), any::<Option<u64>>())
        .prop_map(|(best_move, lines, depth, nodes)| Analysis { best_move, lines, depth, nodes })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_kept_is_read_back(kept in prop::collection::vec(("[^\\p{Cc}#]\\PC{0,20}", any_thought()), 0..8)) {
        let place = Place::new();
        let mut file = place.open();
        let mut expected = BTreeMap::new();
        for (position, analysis) in &kept {
            prop_assume!(!position.trim().is_empty());
            file.keep(position, analysis).expect("a disk");
            let best = analysis.lines.first();
            expected.insert(position.clone(), (best.map(|line| line.score), analysis.best_move.clone()));
        }
        let again = place.open();
        prop_assert_eq!(again.analyses(), file.analyses());
        prop_assert_eq!(&AnalysisLog::read(&place.path()).expect("our own"), file.analyses());
        let found = file.analyses().iter().map(|(p, kept)| (p.clone(), (kept.score, kept.best_move.clone().expect("one"))));
        prop_assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
    }

    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..60), has_head: bool) {
        let head = if has_head { HEAD } else { "" };
        let place = Place::with([head.as_bytes(), &bytes].concat());
        let _ = AnalysisLog::read(&place.path());
        let _ = AnalysisLog::open(&place.path(), "me");
    }
}
