//! The guarantees for files; docs/book/promises.md names the test for each promise.

mod program;

use std::fs;
use std::io::{Cursor, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use program::golden::words;
use program::{Program, Random, Run, first_moves, sample};
use zip::write::SimpleFileOptions;

const GAME: &str = "(;SZ[19]PB[Ann]PW[Bob];B[pd];W[dp];B[pp])";
const OTHER: &str = "(;SZ[19]PB[Cy]PW[Dee];B[dd];W[pp];B[qq])";

/// Runs a command line to its end.
#[track_caller]
fn run(program: &Program, command: &str) -> Run {
    let arguments = words(command);
    program.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The names of the entries of a folder.
fn names(program: &Program, folder: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(program.path(folder))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Forty short games in a file, and a single game.
fn games() -> Program {
    let program = Program::new();
    let games: Vec<String> = sample().iter().take(40).map(|game| first_moves(game, 60)).collect();
    program.write("games.sgfs", games.concat());
    program.write("one.sgf", &games[5]);
    run(&program, "import games.sgfs -o games.parquet").expect_code(0);
    program
}

/// A zip archive of these entries.
fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        archive.start_file(*name, SimpleFileOptions::default()).expect("an entry");
        archive.write_all(bytes).expect("room in memory");
    }
    archive.finish().expect("an archive").into_inner()
}

#[test]
fn converted_games_never_share_a_name_and_inputs_stay() {
    let program = Program::new();
    program.write("in/a.sgf", [GAME, OTHER].concat());
    program.write("in/a-2.sgf", GAME.replace("Ann", "Eve"));
    program.write("in/sub/a.sgf", GAME.replace("Ann", "Fay"));
    program.write("out/a.sgf", "theirs");
    let report = run(&program, "convert in --into out --report report.csv").expect_code(0).stderr;
    assert!(report.contains("4 games written to out"), "{report}");
    assert_eq!(names(&program, "out").len(), 5);
    assert_eq!(program.read("out/a.sgf"), b"theirs");
    let texts: Vec<String> = names(&program, "out").iter().map(|name| program.text(&format!("out/{name}"))).collect();
    for player in ["Ann", "Cy", "Eve", "Fay"] {
        assert_eq!(texts.iter().filter(|text| text.contains(player)).count(), 1, "{player}: {texts:?}");
    }
    let listed = program.text("report.csv");
    assert_eq!(listed.lines().count(), 5, "{listed}");
    assert!(listed.starts_with("source,file,outcome\n") && listed.contains("in/sub/a.sgf,"), "{listed}");
    // The same command again writes nothing; with --force, it replaces only files that are not inputs.
    let again = run(&program, "convert in --into out").expect_code(0).stderr;
    assert!(again.contains("0 games written") && again.contains("4 games already there"), "{again}");
    assert_eq!(names(&program, "out").len(), 5);
    run(&program, "convert in/a-2.sgf --into out2").expect_code(0);
    program.write("out2/a-2.sgf", "theirs");
    run(&program, "convert in/a-2.sgf --into out2 --force").expect_code(0);
    assert!(program.text("out2/a-2.sgf").contains("Eve"));
    // With the input folder as output: no source is replaced, and no result is read.
    let before = ["in/a.sgf", "in/a-2.sgf", "in/sub/a.sgf"].map(|name| program.read(name));
    let report = run(&program, "convert in --into in --force").expect_code(0).stderr;
    assert!(report.contains("4 games written"), "{report}");
    assert_eq!(["in/a.sgf", "in/a-2.sgf", "in/sub/a.sgf"].map(|name| program.read(name)), before);
    let report = run(&program, "convert in/sub --into in/sub/deeper").expect_code(0).stderr;
    assert!(report.contains("1 game written"), "{report}");
}

#[test]
fn judged_games_never_share_a_name_and_inputs_stay() {
    let program = games();
    run(&program, "learn patterns games.parquet -o m --held-out 8 --trees 5 --quiet").expect_code(0);
    let short = |game: &str| first_moves(game, 4);
    program.write("in/a.sgf", [short(GAME), short(OTHER)].concat());
    program.write("in/a-2.sgf", short(GAME).replace("Ann", "Eve"));
    program.write("judged/a.html", "theirs");
    let judge = "judge in --model m --search playouts --cache cache --playouts 20";
    run(&program, judge).expect_code(0);
    assert_eq!(program.read("judged/a.html"), b"theirs");
    let annotated: Vec<String> = names(&program, "judged").into_iter().filter(|name| name.ends_with(".sgf")).collect();
    assert_eq!(annotated.len(), 3, "{annotated:?}");
    let before = names(&program, "judged");
    run(&program, judge).expect_code(0);
    assert_eq!(names(&program, "judged"), before, "the same command again writes nothing");
    let inputs = [program.read("in/a.sgf"), program.read("in/a-2.sgf")];
    run(&program, &format!("{judge} --output-dir in --force")).expect_code(0);
    assert_eq!([program.read("in/a.sgf"), program.read("in/a-2.sgf")], inputs);
    // A file next to the annotated game is as safe as the game itself.
    program.write("x.html", "theirs");
    run(&program, "judge one.sgf --moves 3 -o x.sgf --model m --search playouts --cache cache --playouts 20")
        .expect_code(2);
    assert_eq!(program.read("x.html"), b"theirs");
}

/// Every command that writes a file, and the file to check.
const WRITING: [(&str, &str); 22] = [
    ("import one.sgf -o out", "out"),
    ("import one.sgf -o new.parquet --report out", "out"),
    ("select games.parquet -o out", "out"),
    ("select games.parquet -o out --format sgf", "out"),
    ("select games.parquet -o out --format parquet", "out"),
    ("mine games.parquet --top 2 -o out", "out"),
    ("mine games.parquet --top 2 --format parquet -o out", "out"),
    ("profile one.sgf games.parquet -o out", "out"),
    ("show one.sgf --svg out", "out"),
    ("convert one.sgf -o out", "out"),
    ("convert one.sgf --into folder --report out", "out"),
    ("learn grammar games.parquet --codes distance -o model", "model/model.json"),
    ("learn patterns games.parquet --trees 2 --held-out 8 -o model", "model/model.json"),
    ("learn patterns games.parquet --method earlier -o model", "model/model.json"),
    ("evaluate grammar games.parquet --svg out", "out"),
    ("evaluate grammar games.parquet --stage-svg out", "out"),
    ("surprise one.sgf --model grammar -o out", "out"),
    ("tactic find 'played in capture' games.parquet --format html -o out", "out"),
    ("tactic show H one.sgf --svg out", "out"),
    ("tactic show H one.sgf --html out", "out"),
    ("book build games.sgfs --min-games 1 -o out --format parquet", "out"),
    ("book convert book.parquet -o out --format sgf", "out"),
];

#[test]
fn no_command_replaces_a_file_unasked() {
    let program = games();
    run(&program, "learn grammar games.parquet --codes distance -o grammar --quiet").expect_code(0);
    run(&program, "learn grammar games.parquet --codes surroundings -o theirs --quiet").expect_code(0);
    run(&program, "book build games.sgfs --min-games 1 -o book.parquet --quiet").expect_code(0);
    run(&program, "learn patterns games.parquet --trees 2 --held-out 8 -o patterns --quiet").expect_code(0);
    let judge = "judge one.sgf --moves 2 -o out.sgf --model patterns --search playouts --cache cache --playouts 20";
    let explain = "explain one.sgf --move 3 --model patterns --svg out";
    let evaluate = "evaluate patterns games.parquet --reliability-svg out";
    let statistics = "book match book.parquet --html out";
    let leaving = "book match book.parquet --parquet out";
    let more = [(judge, "out.sgf"), (explain, "out"), (evaluate, "out"), (statistics, "out"), (leaving, "out")];
    for (command, file) in WRITING.into_iter().chain(more) {
        let clean = || {
            for name in ["out", "out.sgf", "out.html", "out.jsonl", "new.parquet"] {
                let _ = fs::remove_file(program.path(name));
            }
            let _ = fs::remove_dir_all(program.path("model"));
            let _ = fs::remove_dir_all(program.path("folder"));
        };
        clean();
        if file.starts_with("model/") {
            fs::create_dir(program.path("model")).expect("a folder");
            for name in names(&program, "theirs") {
                fs::copy(program.path("theirs").join(&name), program.path("model").join(&name)).expect("a copy");
            }
        } else {
            program.write(file, "theirs");
        }
        let theirs = program.read(file);
        let started = Instant::now();
        let refused = run(&program, command).expect_code(2);
        assert!(refused.stderr.contains("already exists") && refused.stderr.contains("--force"), "{refused:?}");
        assert!(refused.stdout.is_empty(), "{command}: refused before any work: {refused:?}");
        assert!(started.elapsed() < Duration::from_secs(5), "{command}: refused before any work");
        assert_eq!(program.read(file), theirs, "{command}");
        let forced = run(&program, &format!("{command} --force"));
        assert_eq!(forced.code, Some(0), "{command}: {forced:?}");
        assert_ne!(program.read(file), theirs, "{command}");
        assert!(names(&program, ".").iter().all(|name| !name.starts_with(".tejun")), "{command}");
        clean();
    }
}

#[test]
fn a_report_that_cannot_be_written_fails_the_import_and_the_next_one_writes_it() {
    let program = Program::new();
    program.write("a.sgf", GAME);
    // A folder takes the report's name, so that it cannot be renamed.
    let command = "import a.sgf -o x.parquet --report report.csv --force";
    fs::create_dir(program.path("report.csv")).expect("a folder");
    let failed = run(&program, command).expect_code(2);
    assert!(failed.stderr.contains("report.csv"), "{failed:?}");
    fs::remove_dir(program.path("report.csv")).expect("a folder");
    assert_eq!(run(&program, "import a.sgf -o x.parquet --report report.csv").sums(), [1, 1, 0, 0]);
    assert_eq!(program.text("report.csv").lines().count(), 1);
    assert!(!program.path("x.parquet.partial").exists());
}

#[test]
fn pipes_lose_no_game() {
    let program = Program::new();
    program.write("two.sgf", format!("{GAME}\n{OTHER}\n"));
    program.write("two.sgf.gz", gzipped(&program.read("two.sgf")));
    program.write("two.zip", zipped(&[("two.sgf", &program.read("two.sgf"))]));
    program.write("two.sgf.zst", zstd::encode_all(&program.read("two.sgf")[..], 1).expect("packed"));
    let shell = |script: &str| {
        let tejun = env!("CARGO_BIN_EXE_tejun");
        let run = Command::new("bash")
            .args(["-c", &script.replace("TEJUN", tejun)])
            .current_dir(program.path("."))
            .stdin(Stdio::null())
            .output();
        Run::from(run.expect("bash is there"))
    };
    for file in ["two.sgf", "two.sgf.gz", "two.sgf.zst", "two.zip"] {
        for script in [
            format!("TEJUN import <(cat {file}) -o o.parquet"),
            format!("TEJUN import /dev/stdin -o o.parquet < {file}"),
            format!("cat {file} | TEJUN import /dev/stdin -o o.parquet"),
            format!("cat {file} | TEJUN import - -o o.parquet"),
            format!("mkfifo pipe; cat {file} > pipe & TEJUN import pipe -o o.parquet; rm pipe"),
        ] {
            let run = shell(&script);
            assert_eq!(run.sums(), [2, 2, 0, 0], "{script}");
            fs::remove_file(program.path("o.parquet")).expect("a collection");
        }
    }
    let shown = shell("TEJUN show <(cat two.sgf)").expect_code(0);
    assert!(shown.stdout.contains("Ann"), "{shown:?}");
    let counted = shell("TEJUN stats <(cat two.sgf.gz)").expect_code(0);
    assert!(counted.stdout.contains("Ann") && counted.stdout.contains("Dee"), "{counted:?}");
    let converted = shell("TEJUN convert <(cat two.zip)").expect_code(0);
    assert!(converted.stdout.contains("Ann") && converted.stdout.contains("Dee"), "{converted:?}");
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("room in memory");
    encoder.finish().expect("room in memory")
}

#[test]
fn no_flipped_bit_of_a_collection_goes_unnoticed() {
    let program = games();
    let whole = program.read("games.parquet");
    let expected = run(&program, "select games.parquet --format sgf").expect_code(0).stdout;
    let seed = 20_261_118;
    let mut random = Random(seed);
    // Flips in the whole tail, which can affect the checksums themselves, are tested in tejun-knowledge.
    for number in 0..60 {
        let bit = random.below(8 * whole.len() as u64) as usize;
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        program.write("flipped.parquet", &flipped);
        let run = run(&program, "select flipped.parquet --format sgf");
        let context = format!("flip {number} of seed {seed}, bit {bit}: {run:?}");
        assert!(run.code != Some(0) || run.stdout == expected, "unnoticed: {context}");
        // A flip in the marks at either end is also refused: the file is then not Parquet.
        assert!(run.code == Some(2) && run.stderr.contains("flipped.parquet"), "{context}");
    }
}

#[test]
fn only_the_working_folder_of_the_output_is_skipped() {
    let program = Program::new();
    program.write("in/a.sgf", GAME);
    program.write("in/b.sgf.partial", OTHER);
    program.write("in/old.partial/c.sgf", GAME.replace("Ann", "Eve"));
    program.write("in/games.parquet.partial/00000000-00000000000000aa.rows", "of a stopped run");
    assert_eq!(run(&program, "import in -o in/games.parquet").sums(), [3, 3, 0, 0]);
    program.write("in/games.parquet.partial/d.sgf", GAME.replace("Ann", "Fay"));
    assert_eq!(run(&program, "import in -o out.parquet").sums(), [5, 4, 1, 0]);
    // Leftovers of a killed run in an input folder are counted, but not read as games.
    program.write("in/.tejun-aB3dE6.new", OTHER.replace("Cy", "Gil"));
    assert_eq!(run(&program, "import in -o other.parquet").sums(), [6, 4, 2, 0]);
}

#[test]
fn a_folder_of_somebody_else_is_not_a_working_folder() {
    let program = games();
    program.write("x.parquet.partial/notes.txt", "theirs");
    program.write("games.partial/a.sgf", GAME);
    for command in [
        "import one.sgf -o x.parquet",
        "import one.sgf -o x.parquet --restart",
        "import games.partial -o games",
        "book expand nosuch.parquet -o x.parquet --engine true",
        "book expand -o x.parquet --game chess --engine true",
    ] {
        let refused = run(&program, command).expect_code(2);
        assert!(refused.stderr.contains("is not a working file"), "{command}: {refused:?}");
    }
    assert_eq!(program.read("x.parquet.partial/notes.txt"), b"theirs");
    assert_eq!(program.read("games.partial/a.sgf"), GAME.as_bytes());
    // A folder with a file of the user's is not replaced as a model either.
    program.write("project/model.json", "{}");
    run(&program, "learn grammar games.parquet --codes distance -o model --quiet").expect_code(0);
    program.write("model/thesis.txt", "theirs");
    for folder in ["project", "model"] {
        run(&program, &format!("learn grammar games.parquet --codes distance -o {folder} --force")).expect_code(2);
    }
    assert_eq!(program.read("model/thesis.txt"), b"theirs");
    assert_eq!(program.read("project/model.json"), b"{}");
}

#[test]
fn inputs_in_folders_lists_and_other_spellings_stay() {
    let program = games();
    program.write("d/a.sgf", GAME);
    program.write("d/b.sgf", OTHER);
    program.write("list.txt", "d/a.sgf\n");
    program.write("joseki.sgf", GAME);
    for (command, file) in [
        ("import d -o d/a.sgf --force", "d/a.sgf"),
        ("convert d -o d/a.sgf --force", "d/a.sgf"),
        ("book build d -o d/a.sgf --format parquet --force", "d/a.sgf"),
        ("convert --files-from list.txt -o list.txt --force", "list.txt"),
        ("import d -o n.parquet --files-from list.txt --report list.txt --force", "list.txt"),
        ("judge one.sgf --dictionary joseki.sgf -o joseki.sgf --force", "joseki.sgf"),
    ] {
        let before = program.read(file);
        let refused = run(&program, command).expect_code(2);
        assert!(refused.stderr.contains("would be overwritten"), "{command}: {refused:?}");
        assert_eq!(program.read(file), before, "{command}");
    }
    let twice = run(&program, "import one.sgf -o ./g.parquet --report g.parquet --force").expect_code(2);
    assert!(twice.stderr.contains("g.parquet") && !program.path("g.parquet").exists(), "{twice:?}");
    // Results of an earlier run in a folder below the input are not read again.
    for _ in 0..2 {
        run(&program, "convert d --into d/converted").expect_code(0);
    }
    assert_eq!(names(&program, "d/converted").len(), 2);
}

#[cfg(unix)]
#[test]
fn a_link_and_its_file_are_one_output() {
    let program = games();
    std::os::unix::fs::symlink("games.parquet", program.path("link.parquet")).expect("a link");
    program.write("c.sgf", OTHER);
    run(&program, "import c.sgf -o link.parquet --append").expect_code(0);
    assert!(fs::symlink_metadata(program.path("link.parquet")).expect("a link").is_symlink());
    let shown = run(&program, "select games.parquet --player Dee").expect_code(0);
    assert!(shown.stdout.contains("Dee"), "{shown:?}");
    // While one is written, the other is busy: they share a working folder.
    program.write("games.parquet.partial/lock", "");
    let lock = fs::File::open(program.path("games.parquet.partial/lock")).expect("a file");
    lock.try_lock().expect("a lock");
    let busy = run(&program, "import one.sgf -o link.parquet --append").expect_code(2);
    assert!(busy.stderr.contains("is being written by another import"), "{busy:?}");
}

#[test]
fn stderr_that_cannot_be_written_stops_nothing() {
    let program = games();
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").expect("the system has /dev/full");
    let out = program.command(&["mine", "games.parquet", "--top", "2"]).stderr(full()).output().expect("it runs");
    assert_eq!((out.status.code(), out.stdout.is_empty()), (Some(0), false));
    let learn = ["learn", "grammar", "games.parquet", "-o", "model", "--codes", "distance"];
    let out = program.command(&learn).stderr(full()).output().expect("it runs");
    assert_eq!(out.status.code(), Some(0));
    assert!(program.path("model/model.json").exists());
    // The exit code of an error is unaffected.
    let out = program.command(&learn).stderr(full()).output().expect("it runs");
    assert_eq!(out.status.code(), Some(2));
    // A reader that closes its pipe.
    let mut child =
        program.command(&["check", "games.sgfs"]).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("starts");
    drop(child.stderr.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

/// A nested archive: each level contains the one below `n` times.
fn nested(levels: usize, n: usize, text: &[u8]) -> Vec<u8> {
    let names: Vec<String> = (0..n).map(|i| format!("{i}.{}", if levels == 1 { "sgf" } else { "zip" })).collect();
    let inner = if levels == 1 { text.to_vec() } else { nested(levels - 1, n, text) };
    zipped(&names.iter().map(|name| (name.as_str(), &inner[..])).collect::<Vec<_>>())
}

#[test]
fn archives_that_unpack_to_too_much_are_refused() {
    let program = Program::new();
    // 20 * 20 * 20 files of 1 MB are 8 GB.
    program.write("large.zip", nested(3, 20, &vec![b' '; 1 << 20]));
    // A million small files.
    program.write("many.zip", nested(3, 100, GAME.as_bytes()));
    for (file, n_games, why) in [("large.zip", 0, "unpacks to more than"), ("many.zip", 100, "too many entries")] {
        assert!(program.read(file).len() < 1_000_000, "{file}: {} bytes", program.read(file).len());
        program.write("after.sgf", GAME);
        let start = Instant::now();
        let command = format!("import {file} after.sgf -o o.parquet --force --exact-duplicates keep --report r.csv");
        let run = run(&program, &command);
        assert!(start.elapsed() < Duration::from_secs(60), "{file}: {:?}", start.elapsed());
        assert!(run.sums()[1] > n_games, "games read before the limit and those of the next file count: {run:?}");
        let report = program.text("r.csv");
        let refused = report.lines().find(|line| line.contains(why)).unwrap_or_else(|| panic!("{run:?}"));
        assert!(refused.contains("unpack it first") && refused.contains(file), "{refused}");
    }
    // Ordinary nested archives are read completely.
    let plain = zipped(&[("a.zip", &zipped(&[("a.sgf", GAME.as_bytes())])), ("b.sgf", OTHER.as_bytes())]);
    program.write("plain.zip", plain);
    assert_eq!(run(&program, "import plain.zip -o plain.parquet").sums(), [2, 2, 0, 0]);
}

#[test]
fn leftovers_of_killed_runs_are_swept() {
    let program = games();
    program.write(".tejun-dEad01.new", "half a page");
    program.write(".tejun-dEad02.new/model.json", "{}");
    program.write(".tejun-theirs", "kept");
    run(&program, "mine games.parquet --top 1 -o out.csv").expect_code(0);
    let left: Vec<String> = names(&program, ".").into_iter().filter(|name| name.starts_with(".tejun")).collect();
    assert_eq!(left, [".tejun-theirs"]);
}

#[test]
fn models_with_exchanged_or_damaged_files_are_refused() {
    let program = games();
    run(&program, "learn grammar games.parquet -o model --quiet").expect_code(0);
    run(&program, "learn grammar games.parquet -o other --order 3 --quiet").expect_code(0);
    run(&program, "predict one.sgf --model model").expect_code(0);
    let check = |file: &str, change: &dyn Fn()| {
        let whole = program.read(file);
        change();
        let refused = run(&program, "predict one.sgf --model model").expect_code(2);
        assert!(refused.stderr.contains(file) && refused.stderr.contains("checksum"), "{refused:?}");
        program.write(file, whole);
    };
    let copy = |from: &str, to: &str| program.write(to, program.read(from));
    check("model/position.index", &|| copy("model/distance.index", "model/position.index"));
    check("model/position.index", &|| copy("other/position.index", "model/position.index"));
    check("model/surroundings.index", &|| {
        let mut bytes = program.read("model/surroundings.index");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        program.write("model/surroundings.index", bytes);
    });
    check("model/model.json", &|| {
        let text = program.text("model/model.json").replace("\"order\": \"6\"", "\"order\": \"7\"");
        program.write("model/model.json", text);
    });
    run(&program, "predict one.sgf --model model").expect_code(0);
    // A model without checksums, written by an older version, can still be opened.
    let manifest: serde_json::Value = serde_json::from_slice(&program.read("model/model.json")).expect("JSON");
    let mut old = manifest.as_object().expect("an object").clone();
    assert!(old.shift_remove("files").is_some_and(|files| files["position.index"].is_string()));
    old.shift_remove("checksum");
    old["layout"] = 1.into();
    program.write("model/model.json", serde_json::to_string(&old).expect("JSON"));
    // A single flipped bit of the manifest does not turn a model into such an old one.
    let text = serde_json::to_string(&manifest).expect("JSON");
    for (from, to) in [("\"files\"", "\"fileS\""), ("\"checksum\"", "\"checksuM\""), ("\"layout\":2", "\"layout\":3")] {
        assert!(text.contains(from));
        program.write("model/model.json", text.replace(from, to));
        run(&program, "predict one.sgf --model model").expect_code(2);
    }
    program.write("model/model.json", serde_json::to_string(&old).expect("JSON"));
    let opened = run(&program, "predict one.sgf --model model").expect_code(0);
    assert!(opened.stderr.contains("no checksums"), "{opened:?}");
}

#[test]
fn control_characters_are_shown_as_escapes() {
    let program = Program::new();
    let name = "\u{1b}[31mAnn\u{7}\u{202e}";
    program.write("a.sgf", GAME.replace("Ann", name));
    program.write("b\u{1b}.sgf", "(;SZ[99])");
    run(&program, "import a.sgf -o a.parquet").expect_code(0);
    for command in [
        "show a.sgf",
        "stats a.parquet",
        "select a.parquet --player nobody",
        "check .",
        "mine a.parquet --min-count 1 --top 3",
        "convert b\u{1b}.sgf -o c.sgf",
        "show b\u{1b}.sgf",
    ] {
        let run = run(&program, command);
        let acts = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!run.stdout.contains(acts) && !run.stderr.contains(acts), "{command}: {run:?}");
    }
    let shown = run(&program, "show a.sgf").expect_code(0);
    assert!(shown.stdout.contains("\\u{1b}[31mAnn\\u{7}\\u{202e}"), "{shown:?}");
    // Data for programs stays unchanged.
    let csv = run(&program, "select a.parquet").expect_code(0);
    assert!(csv.stdout.contains(name), "{csv:?}");
}

#[test]
fn a_name_that_the_system_refuses_costs_one_game() {
    let program = Program::new();
    let long = format!("{}.sgf", "x".repeat(300));
    let archive = zipped(&[("a.sgf", GAME.as_bytes()), (&long, GAME.as_bytes()), ("b.sgf", OTHER.as_bytes())]);
    program.write("games.zip", archive);
    let run = run(&program, "convert games.zip --into out --report r.csv").expect_code(2);
    assert_eq!(names(&program, "out"), ["a.sgf", "b.sgf"]);
    assert!(run.stderr.contains("1 game could not be converted or written; all others were"), "{run:?}");
    assert!(run.stderr.contains(&long) && program.text("r.csv").contains(&long));
}

#[test]
fn options_are_checked_before_anything_is_learned_or_started() {
    let program = Program::new();
    program.write("two.sgf", [GAME, OTHER].concat());
    program.write("theirs.sgf", "theirs");
    program.write("one.sgf", GAME);
    program.write("engine.sh", "touch started; sleep 100");
    for (command, why) in [
        ("judge two.sgf -o x.sgf", "--output-dir FOLDER"),
        ("judge nowhere.sgf -o x.sgf", "nowhere.sgf"),
        ("judge two.sgf --output-dir out --judgement nowhere", "nowhere"),
        ("judge two.sgf --output-dir out --dictionary nowhere", "nowhere"),
        ("judge one.sgf -o theirs.sgf", "theirs.sgf already exists"),
        ("learn judge two.sgf -o theirs.sgf", "theirs.sgf already exists"),
    ] {
        let arguments = words(&format!("{command} --cache cache --engine 'sh engine.sh'"));
        let start = Instant::now();
        let run = program.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).expect_code(2);
        assert!(run.stderr.contains(why), "{command}: {run:?}");
        assert!(start.elapsed() < Duration::from_secs(5), "{command}");
        assert!(!program.path("cache").exists() && !program.path("started").exists(), "{command}");
    }
}

#[test]
fn an_engine_that_is_waited_for_is_named() {
    let program = games();
    run(&program, "learn patterns games.parquet --trees 2 --held-out 8 -o m --quiet").expect_code(0);
    program.write("engine.sh", "exit 3");
    let judge = "judge one.sgf --moves 2 -o x.sgf --model m --cache cache --engine 'sh engine.sh'";
    let run = run(&program, judge).expect_code(2);
    assert!(run.stderr.contains("Starting `sh engine.sh`; it has 120 s to get ready"), "{run:?}");
    assert!(run.stderr.contains("the first position could not be evaluated"), "{run:?}");
}

/// The test functions in the sources of a folder.
fn tests_below(folder: &std::path::Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            tests_below(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("a source");
            let names = text.split("#[test]\n").skip(1).filter_map(|rest| rest.split_once("fn ")?.1.split_once('('));
            found.extend(names.map(|(name, _)| name.to_string()));
        }
    }
}

#[test]
fn every_promise_names_a_test_that_exists() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut tests = Vec::new();
    tests_below(&root.join("crates"), &mut tests);
    let page = fs::read_to_string(root.join("docs/book/promises.md")).expect("the page");
    let mut n_checked = 0;
    for line in page.lines().filter(|line| line.starts_with("| ")) {
        let kept_by = line.trim_end_matches(" |").rsplit(" | ").next().unwrap_or("");
        for name in kept_by.split('`').skip(1).step_by(2) {
            let is_file = name.contains('/') && root.join(name).is_file();
            assert!(is_file || tests.iter().any(|test| test == name), "promises.md names {name}, which does not exist");
            n_checked += 1;
        }
    }
    assert!(n_checked > 20, "only {n_checked} promises name a test");
}
