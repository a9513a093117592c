//! The output of commands that count sequences; `UPDATE_GOLDEN=1` regenerates the files.

mod program;

use program::golden::{check, check_golden};
use program::{Program, first_moves, sample};
use tejun_games::sgf;

/// Sequences: the first occurs in the sample games, the second does not.
const DICTIONARY: &str = "pd qc qd pc od nb # invasion\npd aa bb cc dd ee ff gg\n";

fn games() -> Program {
    let program = Program::new();
    // Enough moves for sequences to repeat, few enough for a test.
    let games: Vec<String> = sample().iter().step_by(4).map(|game| first_moves(game, 60)).collect();
    program.write("games.sgfs", games.concat());
    program.write("joseki.lines", DICTIONARY);
    program.write("broken.lines", "pd qc\npd q99\n");
    program.write("one.sgf", &games[5]);
    program.write("games/nine.sgf", "(;SZ[9];B[ee];W[ec];B[gc];W[cg])");
    program.write("nine.sgf", "(;SZ[9];B[ee];W[ec];B[gc];W[cc])");
    program.run(&["import", "games.sgfs", "-o", "games.parquet"]).expect_code(0);
    program
}

#[test]
fn mine_prints_sequences() {
    check(
        &games(),
        "mine.txt",
        &[
            "mine games.parquet --top 5 --diagrams 2",
            "mine games.parquet --top 3 --text whole --measure entropy --diagrams 0 --redundant --measure-alone",
            "mine games.parquet --top 3 --text corner --measure sfp --windows 5 --theta 3 --diagrams 0",
            "mine games.parquet --top 3 --code simple --measure frequency --min-length 7 --diagrams 0",
            "mine games.parquet --top 2 --format csv --dictionary joseki.lines",
            "mine games.parquet --top 1 --format json",
            "mine games.parquet --top 2 --format sgf --quiet",
            "mine games.parquet --top 0",
            "mine games.parquet --player nobody",
            "mine games.parquet --size 9",
            "mine games.parquet --format parquet",
            "mine games.parquet -o games.parquet",
            "mine games.parquet --dictionary broken.lines",
            "mine games.parquet --dictionary nowhere.lines",
            "mine games.parquet --measure entropy --windows 3",
            "mine games.parquet --windows 0",
            "mine games.parquet --theta 2",
            "mine nowhere.parquet",
        ],
    );
}

#[test]
fn find_profile_recall_and_codes_print_tables() {
    check(
        &games(),
        "strings.txt",
        &[
            "find games.parquet --sequence 'Q16 R17 R16 Q17' --top 3",
            "find games.parquet --sequence 'pd qc qd pc' --text local --top 2 --quiet",
            "find games.parquet --sequence 'Q16 R17' --format json --top 1 --index er.index",
            "find games.parquet --sequence 'Q16 R17 R16 Q17 P16' --format csv --index er.index",
            "find games.parquet --sequence 'Q16 R17' --text local --index er.index",
            "find games.parquet --sequence 'A1 B2 C3 D4'",
            "find games.parquet --sequence 'Q16 Z9'",
            "find games.parquet --sequence ''",
            "profile one.sgf games.parquet --window 4 --theta 3",
            "profile one.sgf games.parquet --format csv --quiet",
            "profile nine.sgf games/nine.sgf --size 9 --format json",
            "profile nine.sgf games.parquet",
            "profile one.sgf games.parquet --window 0",
            "profile one.sgf games.parquet --theta 0.5",
            "compare games.parquet --result B+ --top 3",
            "compare games.parquet --result B+ --top 3 --min-count 4 --max-false-discovery 1",
            "compare games.parquet --result W+ --with games.parquet --text corner --top 3 --format csv",
            "compare games.parquet",
            "compare games.parquet --player nobody",
            "recall games.parquet --dictionary joseki.lines --ranks 100,1000 --min-length 5 --text whole,local,corner",
            "recall games.parquet --dictionary joseki.lines --ranks 50 --code relative --text local --format csv --options",
            "recall games.parquet --dictionary nowhere.lines",
            "codes games.parquet --lengths 4,5,8,30",
            "codes games.parquet --lengths 6 --format csv --quiet",
            "codes games.parquet --symbols surroundings",
        ],
    );
}

#[test]
fn the_games_found_are_written_as_sgf() {
    let program = games();
    let find = ["find", "games.parquet", "--sequence", "Q16 R17", "--text", "local"];
    program.run(&[&find[..], &["-o", "found.sgf"]].concat()).expect_code(0);
    let found = program.run(&[&find[..], &["--format", "json"]].concat()).expect_code(0);
    let found: serde_json::Value = serde_json::from_str(&found.stdout).expect("JSON");
    let text = program.text("found.sgf");
    assert_eq!(Some(sgf::Reader::new(&text).count() as u64), found["n_games"].as_u64());
    assert!(program.run(&["check", "found.sgf"]).expect_code(0).stdout.is_empty());
}

#[test]
fn every_game_that_is_named_can_be_shown() {
    let program = games();
    for input in ["games.parquet", "games.sgfs"] {
        let run = program.run(&["find", input, "--sequence", "Q16 R17", "--text", "local"]).expect_code(0);
        let examples = run.stdout.split("\nExamples").nth(1).expect("a list").lines().skip(1);
        let mut n_shown = 0;
        for line in examples {
            let (name, rest) = line.split_once(", move ").expect("a name");
            let (_, players) = rest.split_once(": ").expect("players");
            let shown = program.run(&["show", name]).expect_code(0).stdout;
            let black = players.split(" - ").next().expect("a player");
            assert!(shown.starts_with(black), "{line}: {shown}");
            n_shown += 1;
        }
        assert!(n_shown > 3, "{run:?}");
    }
    // A pipe cannot be read again.
    for input in ["-", "/dev/stdin"] {
        let find = ["find", input, "--sequence", "Q16 R17", "--text", "local"];
        let run = program.run_with_input(&find, &program.read("games.sgfs")).expect_code(0);
        assert!(run.stdout.contains("\nExamples\ngame "), "{run:?}");
    }
}

#[test]
fn the_tree_of_variations_opens_as_sgf() {
    let program = games();
    let run = program.run(&["mine", "games.parquet", "--top", "40", "--format", "sgf"]).expect_code(0);
    let tree = sgf::Reader::new(&run.stdout).next().expect("a tree");
    let named: Vec<_> = tree.nodes().filter(|node| node.property("N").is_some()).collect();
    assert_eq!(named.len(), 40);
    for node in named {
        let comment = sgf::unescape(node.property("C").expect("a comment").value()).into_owned();
        assert!(comment.starts_with("Played ") && comment.contains("Class "), "{comment}");
        // Every sequence has at least five moves after its setup stones.
        let moves = std::iter::successors(Some(node), sgf::Node::parent);
        let n_moves = moves.filter(|n| n.property("B").is_some() || n.property("W").is_some()).count();
        assert!(n_moves >= 5, "{n_moves}");
    }
    let checked = program.run_with_input(&["check", "-"], run.stdout.as_bytes()).expect_code(0);
    assert!(checked.stdout.is_empty(), "{}", checked.stdout);
}

#[test]
fn the_page_and_the_curve_are_whole_files() {
    let program = games();
    let files = [
        ("page.html", "html", "mine games.parquet --top 20"),
        ("sheet.svg", "svg", "mine games.parquet --top 5"),
        ("best.svg", "svg", "mine games.parquet --top 1"),
        ("curve.svg", "svg", "profile one.sgf games.parquet"),
    ];
    for (name, format, command) in files {
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.extend(["--format", format, "-o", name]);
        program.run(&arguments).expect_code(0);
        let first = program.read(name);
        arguments.push("--force");
        program.run(&arguments).expect_code(0);
        assert_eq!(program.read(name), first, "{name} is the same the second time");
    }
    let page = String::from_utf8(program.read("page.html")).expect("UTF-8");
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    assert_eq!(page.matches("<article ").count(), 20);
    assert!(page.contains("data:application/x-go-sgf"));
    let picture = |name: &str| String::from_utf8(program.read(name)).expect("UTF-8");
    let (sheet, best) = (picture("sheet.svg"), picture("best.svg"));
    assert_eq!([&sheet, &best].map(|svg| svg.matches("<svg ").count()), [6, 1]);
    assert_eq!([&sheet, &best].map(|svg| svg.matches("</svg>").count()), [6, 1]);
    // Numbers on stones, and captions only on the sheet.
    assert!(best.contains(">1</text>") && !best.contains("Played"));
    assert!(sheet.contains(">1. Played ") && sheet.contains(">5. Played "));
    check_golden("curve.svg", &String::from_utf8(program.read("curve.svg")).expect("UTF-8"));
}

#[test]
fn sequences_do_not_depend_on_threads() {
    let program = games();
    for format in ["json", "sgf", "csv"] {
        let run = |threads| {
            let arguments = ["mine", "games.parquet", "--top", "50", "--format", format, "--threads", threads];
            program.run(&arguments).expect_code(0).stdout
        };
        assert!(run("1") == run("3"), "{format} depends on the number of threads");
    }
}

#[test]
fn grammars_are_learned_and_evaluated() {
    let program = games();
    check(
        &program,
        "grammar.txt",
        &[
            "learn grammar games.parquet -o all.grammar --held-out 10 --order 4",
            "learn grammar games.parquet -o all.grammar --held-out 10 --order 4 --quiet",
            "learn grammar games.parquet -o all.grammar --held-out 10 --order 4 --quiet --force",
            "learn grammar games.parquet -o one.grammar --codes relative --smoothing paper",
            "learn grammar games.parquet -o one.sgf",
            "learn grammar games.parquet -o twice.grammar --codes distance,distance",
            "learn grammar games.parquet -o none.grammar --player nobody",
            "evaluate all.grammar one.sgf",
            "evaluate one.grammar one.sgf --smoothing witten-bell --quiet",
            "evaluate all.grammar nine.sgf",
            "evaluate all.grammar nine.sgf --size 9",
            "evaluate games.parquet one.sgf",
            "predict one.sgf --model all.grammar --move 6 --top 3",
            "predict one.sgf --model all.grammar --top 2 --format csv",
            "predict one.sgf --model one.grammar --move 1 --top 2 --format json",
            "predict one.sgf --model all.grammar --move 62",
            "predict nine.sgf --model all.grammar",
            "surprise one.sgf --model all.grammar --format csv",
            "surprise one.sgf --model nowhere.grammar",
            "grammar show all.grammar --top 3",
            "grammar show all.grammar --code position --game one.sgf --move 4 --top 3 --smoothing paper --format csv",
            "grammar show one.grammar --code position",
            "grammar show all.grammar --game one.sgf --move 62",
            "grammar derive one.grammar one.sgf --format csv",
            "parse games.parquet --game one.sgf --top 100 --dictionary joseki.lines",
            "parse games.parquet --test one.sgf --top 100 --quiet",
            "parse games.parquet --game nine.sgf",
            "parse games.parquet",
            "surprise one.sgf --model all.grammar -o one.sgf --format svg",
        ],
    );
    let model = String::from_utf8(program.read("all.grammar/model.json")).expect("UTF-8");
    assert!(model.contains("\"layout\": 2") && model.contains("\"games\": \"151\""), "{model}");
    // A damaged grammar is refused.
    let mut bytes = program.read("one.grammar/relative.index");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    program.write("one.grammar/relative.index", &bytes);
    let run = program.run(&["predict", "one.sgf", "--model", "one.grammar"]).expect_code(2);
    assert!(run.stderr.contains("relative.index"), "{}", run.stderr);
}
