//! Games judged by the program: what it writes, what it keeps, what it says about broken things.

mod program;

use std::process::Stdio;
use std::time::{Duration, Instant};

use program::golden::check_golden;
use program::{Program, Run, first_moves, sample};

/// A folder with a game, games with marks, and a small model.
fn games() -> Program {
    let program = Program::new();
    let games: Vec<String> = sample().iter().step_by(20).map(|game| first_moves(game, 60)).collect();
    program.write("games.sgfs", games.concat());
    program.write("one.sgf", first_moves(&sample()[3], 24));
    program.write("nine.sgf", "(;SZ[9]KM[7.5]C[a \\] game];B[ee];W[ec](;B[gc]TE[1]LB[aa:1])(;B[cc]C[or here]);W[cc])");
    let marked = |n: usize| {
        let game = first_moves(&sample()[n], 20);
        let mut nodes: Vec<String> = game.trim_end().trim_end_matches(')').split(';').map(str::to_string).collect();
        // The node before the first move comes second, after the parenthesis.
        for (node, mark) in [(7, "TE[1]"), (10, "BM[1]"), (15, "TE[1]")] {
            nodes[node] += mark;
        }
        nodes.join(";") + ")\n"
    };
    for n in 0..3 {
        program.write(&format!("marked/{n}.sgf"), marked(10 + n));
    }
    program.run(&["import", "games.sgfs", "-o", "games.parquet"]).expect_code(0);
    program.run(&["learn", "patterns", "games.parquet", "-o", "m", "--held-out", "8", "--trees", "5"]).expect_code(0);
    program
}

const OPTIONS: [&str; 6] = ["--model", "m", "--playouts", "30", "--cache", "kept"];
const PLAYOUTS: [&str; 2] = ["--search", "playouts"];

fn judge(program: &Program, args: &[&str]) -> Run {
    let search = if args.contains(&"--engine") { &[][..] } else { &PLAYOUTS };
    program.run(&[&["judge"], args, &OPTIONS, search].concat())
}

#[test]
fn a_game_comes_back_annotated_and_again_the_same() {
    let program = games();
    let run = judge(&program, &["one.sgf", "-o", "out.sgf", "--moments", "3"]).expect_code(0);
    assert!(run.stderr.contains("out.sgf: 24 moves: "), "{}", run.stderr);
    let files = ["out.sgf", "out.jsonl", "out.html"];
    let first = files.map(|file| program.read(file));
    let text = String::from_utf8_lossy(&first[0]).into_owned();
    assert_eq!(text.matches("SBKV[").count(), 25, "one before each move and one after the last: {text}");
    assert!(text.matches("HO[").count() <= 3, "{text}");
    assert!(text.contains("C[tejun: "), "{text}");
    assert_eq!(String::from_utf8_lossy(&first[1]).lines().count(), 25, "the run, and every move");
    // Another number of threads and answers from the cache give the same bytes.
    judge(&program, &["one.sgf", "-o", "again.sgf", "--moments", "3", "--threads", "1"]).expect_code(0);
    assert_eq!(program.read("again.sgf"), first[0]);
    // Judging a judged game changes nothing.
    judge(&program, &["out.sgf", "-o", "twice.sgf", "--moments", "3"]).expect_code(0);
    assert_eq!(program.read("twice.sgf"), first[0]);
    let japanese = judge(&program, &["one.sgf", "-o", "ja.sgf", "--lang", "ja", "--moments", "3"]).expect_code(0);
    assert!(japanese.stderr.contains("24 moves"), "{}", japanese.stderr);
    assert!(String::from_utf8_lossy(&program.read("ja.sgf")).contains('黒'));
}

#[test]
fn a_run_killed_after_its_last_file_leaves_no_note() {
    let program = games();
    judge(&program, &["one.sgf", "-o", "out.sgf", "--moves", "6"]).expect_code(0);
    let files = ["out.jsonl", "out.html", "out.sgf"].map(|file| program.path(file));
    let sums = files.map(|file| tejun_files::checksum_of(&file).expect("a file"));
    let note = "tejun judge: this file goes when all files of the game are there\n";
    program.write(".out.sgf.tejun-judge", format!("{note}{}\n", sums.join("\n")));
    let again = judge(&program, &["one.sgf", "-o", "out.sgf", "--moves", "6"]).expect_code(2);
    assert!(again.stderr.contains("already exists"), "{}", again.stderr);
    assert!(!program.path(".out.sgf.tejun-judge").exists());
}

#[test]
fn the_files_of_a_small_game() {
    let program = games();
    program.write("small.sgf", first_moves(&sample()[3], 8));
    let args = ["small.sgf", "-o", "judged.sgf", "--moments", "2", "--seed", "7", "--lang", "en"];
    judge(&program, &args).expect_code(0);
    let page = program.text("judged.html");
    // The style sheet is the same for all pages.
    let body = &page[page.find("<body").expect("a page has a body")..];
    check_golden("judge.txt", &[&program.text("judged.sgf"), &program.text("judged.jsonl"), body].join("\n"));
}

#[test]
fn other_sizes_folders_and_what_others_wrote() {
    let program = games();
    judge(&program, &["nine.sgf", "marked", "--output-dir", "all"]).expect_code(0);
    let nine = String::from_utf8_lossy(&program.read("all/nine.sgf")).into_owned();
    for kept in ["C[a \\] game]", "TE[1]", "LB[aa:1]", "C[or here]", "KM[7.5]"] {
        assert!(nine.contains(kept), "{kept}: {nine}");
    }
    for name in ["all/0.sgf", "all/1.html", "all/2.jsonl"] {
        assert!(!program.read(name).is_empty());
    }
    let run = judge(&program, &["nine.sgf", "marked", "-o", "one-file.sgf"]).expect_code(2);
    assert!(run.stderr.contains("--output-dir"), "{}", run.stderr);
    let run = judge(&program, &["nine.sgf", "-o", "nine.sgf"]).expect_code(2);
    assert!(run.stderr.contains("would be overwritten"), "{}", run.stderr);
}

#[test]
fn broken_things_are_named() {
    let program = games();
    program.write("broken.sgf", "no game at all");
    program.write("empty.sgf", "(;SZ[19])");
    program.write("engines.txt", "kata katago analysis\n");
    program.write("own.json", "{}");
    #[track_caller]
    fn check(program: &Program, args: &[&str], expected: &str) {
        let run = judge(program, args).expect_code(2);
        assert!(run.stderr.contains(expected), "{args:?}: {}", run.stderr);
    }
    check(&program, &["none.sgf", "-o", "x.sgf"], "none.sgf");
    check(&program, &["broken.sgf", "-o", "x.sgf"], "broken.sgf: not a game record");
    check(&program, &["empty.sgf", "-o", "x.sgf"], "no moves");
    check(&program, &["one.sgf", "-o", "x.sgf", "--judgement", "own.json"], "own.json: not a judgement file");
    check(&program, &["one.sgf", "-o", "x.sgf", "--paper-model", "newest=m"], "choose earlier or newer");
    check(&program, &["one.sgf", "-o", "x.sgf", "--paper-model", "newer=none"], "none");
    check(&program, &["one.sgf", "-o", "x.sgf", "--engine", "kata", "--engines", "engines.txt"], "line 1");
    check(&program, &["one.sgf", "-o", "x.sgf", "--engine", "'open"], "quote");
    check(&program, &["one.sgf", "-o", "x.sgf", "--engine", "no-such-program-anywhere"], "no-such-program-anywhere");
    check(&program, &["one.sgf", "-o", "x.sgf", "--engine", "cat", "--engine-time", "0"], "more than 0");
    // The good game among broken ones is still judged.
    let run = judge(&program, &["broken.sgf", "one.sgf", "--output-dir", "some"]).expect_code(2);
    assert!(run.stderr.contains("skipped: broken.sgf"), "{}", run.stderr);
    assert!(!program.read("some/one.sgf").is_empty());
    assert!(!program.path("some/broken.sgf").exists());
}

#[test]
fn a_stopped_run_resumes() {
    let program = games();
    program.write("long.sgf", first_moves(&sample()[4], 120));
    let args = [
        "judge",
        "long.sgf",
        "-o",
        "long-out.sgf",
        "--model",
        "m",
        "--search",
        "playouts",
        "--playouts",
        "150",
        "--cache",
        "stopped",
    ];
    let mut child = program.command(&args).stderr(Stdio::piped()).spawn().expect("it starts");
    let begin = Instant::now();
    let n_kept = || walk(&program.path("stopped/evaluations"));
    while n_kept() < 3 && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let stop = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(stop.expect("kill runs").success());
    let code = child.wait().expect("it ends").code();
    let n_first = n_kept();
    if code == Some(0) {
        // Too fast to be stopped on this machine: nothing to show.
        return;
    }
    assert_eq!(code, Some(2));
    assert!(!program.path("long-out.sgf").exists(), "there is no unfinished file");
    program.run(&args).expect_code(0);
    assert!(n_kept() > n_first);
    let fresh = [&args[..args.len() - 1], &["fresh", "--force"]].concat();
    let stopped = program.read("long-out.sgf");
    program.run(&fresh).expect_code(0);
    assert_eq!(program.read("long-out.sgf"), stopped);
}

/// Files in the folders of a folder.
fn walk(folder: &std::path::Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries.flatten().map(|entry| std::fs::read_dir(entry.path()).map_or(0, Iterator::count)).sum()
}

#[test]
fn games_of_a_collection_keep_their_numbers() {
    let program = games();
    program.write("two.sgfs", [first_moves(&sample()[3], 8), first_moves(&sample()[4], 9)].concat());
    program.run(&["import", "two.sgfs", "-o", "two.parquet"]).expect_code(0);
    let run = judge(&program, &["two.parquet", "--output-dir", "all"]).expect_code(0);
    assert!(run.stderr.contains("two-0.sgf: 8 moves: ") && run.stderr.contains("(2 of 2)"), "{}", run.stderr);
    judge(&program, &["two.parquet#1", "--output-dir", "one"]).expect_code(0);
    assert_eq!(program.read("all/two-1.sgf"), program.read("one/two-1.sgf"));
    assert_eq!(program.text("one/two-1.jsonl").lines().count(), 10, "the run, and every move");
    judge(&program, &["two.sgfs#2", "-o", "second.sgf"]).expect_code(0);
    // The roots differ, because the collection writes its own; the moves do not.
    let moves = |file: &str| program.text(file).split_once('\n').expect("several lines").1.to_string();
    assert_eq!(moves("second.sgf"), moves("one/two-1.sgf"));
}

#[test]
fn an_engine_that_names_its_best_move_is_asked_once() {
    let program = games();
    program.write(
        "engine.sh",
        "while read -r id name rest; do\n\
         case $name in\n\
         list_commands) echo \"=$id boardsize\nclear_board\nkomi\nplay\ngenmove\nundo\nreg_genmove\" ;;\n\
         reg_genmove) echo x >> asked; echo \"=$id K10\" ;;\n\
         quit) echo \"=$id\"; echo; exit ;;\n\
         *) echo \"=$id\" ;;\n\
         esac; echo; done\n",
    );
    let args = ["one.sgf", "-o", "by-engine.sgf", "--engine", "sh engine.sh", "--moves", "6"];
    let run = judge(&program, &args);
    run.expect_code(0);
    let n_asked = program.read("asked").len();
    assert_eq!(n_asked, 2 * 7, "one line per position");
    judge(&program, &[&args[..], &["--force"]].concat()).expect_code(0);
    assert_eq!(program.read("asked").len(), n_asked, "answers in the cache are not asked for");
    // An engine that dies at every question is given up, and the message says why.
    program.write("dies.sh", "echo out of memory >&2; exit 3");
    let run = judge(&program, &["one.sgf", "-o", "x.sgf", "--engine", "sh dies.sh"]).expect_code(2);
    assert!(run.stderr.contains("sh dies.sh") && run.stderr.contains("out of memory"), "{}", run.stderr);
    assert!(!program.path("x.sgf").exists());
}

#[test]
fn labeled_games_are_measured_and_learned_from() {
    let program = games();
    let run = program.run(&[&["evaluate", "judge", "marked", "--svg", "figures"], &OPTIONS[..], &PLAYOUTS].concat());
    run.expect_code(0);
    let run = program.run(
        &[&["evaluate", "judge", "marked", "--format", "csv", "--signals", "s.csv"], &OPTIONS[..], &PLAYOUTS].concat(),
    );
    let run = run.expect_code(0);
    assert!(run.stdout.contains("area,visit-rank,good-bad,"), "{}", run.stdout);
    assert!(run.stdout.contains("share_good,ucb-share,0.05,"), "{}", run.stdout);
    assert_eq!(
        String::from_utf8_lossy(&program.read("s.csv")).lines().count(),
        61,
        "one line per move, and the header"
    );
    assert!(!program.read("figures/ucb-rank.svg").is_empty());
    let learned = program.run(&[&["learn", "judge", "marked", "-o", "own.json"], &OPTIONS[..], &PLAYOUTS].concat());
    learned.expect_code(0);
    judge(&program, &["one.sgf", "-o", "own.sgf", "--judgement", "own.json"]).expect_code(0);
    // A paper model adds its signals.
    program.run(&["learn", "patterns", "games.parquet", "-o", "e", "--method", "earlier"]).expect_code(0);
    let with_paper = ["evaluate", "judge", "marked", "-o", "paper.csv", "--paper-model", "earlier=e"];
    program.run(&[&with_paper[..], &OPTIONS, &PLAYOUTS].concat()).expect_code(0);
    assert!(program.text("paper.csv").contains("area,earlier-rank,good-bad,"));
    assert!(!program.text("paper.csv").contains("newer-rank"));
    let run = program
        .run(&[&["learn", "judge", "one.sgf", "-o", "none.json"], &OPTIONS[..], &PLAYOUTS].concat())
        .expect_code(2);
    assert!(run.stderr.contains("no game marks both good moves"), "{}", run.stderr);
}
