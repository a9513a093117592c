//! The output of every command for a collection of about fifty games; `UPDATE_GOLDEN=1` regenerates the files.

mod program;

use std::fs;

use program::golden::{check, check_golden, words};
use program::{Program, first_moves, sample, with_header};

/// Fifty games: a file of sample games, games with full headers, and a folder of odd files.
fn games() -> Program {
    let program = Program::new();
    let sample = sample();
    let cut: Vec<String> = sample.iter().step_by(17).map(|game| first_moves(game, 40)).collect();
    program.write("games/sample.sgfs", cut.concat());
    program.write("games/named.sgf", named_games(&sample[1..]));
    program.write("games/odd/komi.sgf", "(;GM[1]SZ[9]KM[375]RU[Chinese]PB[Ann]PW[Bob];B[ee];W[ec])\n");
    program.write("games/odd/handicap.sgf", "(;GM[1]HA[3]PB[Ann]PW[Cid];W[cc];B[qc])\n");
    program.write("games/odd/illegal.sgf", "(;SZ[9]PB[Dan];B[ee];W[ed]\n;B[ee];W[dd])\n");
    program.write("games/odd/variations.sgf", "(;SZ[9]C[a [b\\] c];B[ee](;W[ed];B[])(;W[dd]C[two\nlines]))\n");
    program.write("games/odd/mixed.sgf", "(;GM[2]SZ[8];B[aa])\n(;SZ[9:13];B[aa])\n(;SZ[9]AB[aa])\n(;SZ[9];B[zz])\n");
    program.write("games/odd/torn.sgf", "(;SZ[13]PB[Eve]RE[sometime];B[dd];W[jj];B[d");
    program.write("games/odd/tygem.gib", TYGEM);
    program.write("games/odd/empty.sgf", "");
    program.write("games/odd/utf16.sgf", utf16("(;SZ[9]PB[表野十蔵]PW[江川望];B[cc];W[gg])"));
    program.write("games/readme.txt", "Games that were kept for a test.\n");
    program
}

const TYGEM: &str = "\\HS\n\\[GAMEBLACKNAME=Finn (3D)\\]\n\\[GAMEWHITENAME=Gwen (4D)\\]\n\
                     \\[GAMEDATE=2020- 5- 7\\]\n\\HE\n\\GS\nINI 0 1 0\nSTO 0 2 1 15 3\nSTO 0 3 2 3 15\n\\GE\n";

/// Games of the sample with custom headers, which the filters distinguish.
fn named_games(sample: &[String]) -> String {
    let headers = [
        "SZ[19]KM[5.5]PB[Ann Archer]BR[7d]PW[Bob Baker]WR[6d]DT[1990-05-17]EV[Village Cup]RO[1]RE[B+3.5]",
        "SZ[19]KM[5.5]PB[Bob Baker]BR[6d]PW[Cid Carter]WR[1d]DT[1991]EV[Village Cup]RO[2]RE[W+R]",
        "SZ[19]KM[6.5]PB[Cid Carter]BR[9p]PW[Ann Archer]WR[9p]DT[1999-12]EV[Town Meijin]PC[Ruritania]RE[B+R]",
        "SZ[19]KM[0]HA[2]AB[aa][ss]PB[Dan]BR[3k]PW[Ann Archer]WR[1d]DT[2001-01-01]RE[W+T]",
        "SZ[19]KM[6.5]PB[Lee, \"the Stone\"]PW[?]DT[2010-02-28]RE[0]",
        "SZ[19]KM[6.5]PB[Ann Archer]PW[Bob Baker]DT[2010-02-28]RE[Void]",
        "SZ[19]KM[6.5]PB[Ann Archer]PW[Bob Baker]DT[2010-02-28]RE[B+F]",
    ];
    let named = |(header, game): (&&str, &String)| {
        // White moves first where Black has stones on the board.
        let game = if header.contains("HA[2]") { game.replacen(";B[", ";W[tt];B[", 1) } else { game.clone() };
        with_header(&first_moves(&game, 60), &format!("GM[1]{header}"))
    };
    let mut games: Vec<String> = headers.iter().zip(sample).map(named).collect();
    // The first game twice more, the second time with another ending.
    games.push(games[0].clone());
    games.push(with_header(&first_moves(&sample[0], 54), &format!("GM[1]{}", headers[0])));
    games.concat()
}

fn utf16(text: &str) -> Vec<u8> {
    [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

const IMPORT: &str = "import games -o games.parquet";

fn collection() -> Program {
    let program = games();
    let run = program.run(&words(IMPORT).iter().map(String::as_str).collect::<Vec<_>>()).expect_code(0);
    assert_eq!(run.sums()[1], 51, "{run:?}");
    program
}

#[test]
fn import_prints_sums_and_reports() {
    let program = games();
    check(
        &program,
        "import.txt",
        &[
            "import games -o games.parquet --report report.csv",
            "import games -o games.parquet",
            "import games -o games.parquet --append",
            "import games -o games.parquet --force --quiet --illegal refuse --exact-duplicates keep --near-duplicates drop",
            "import games -o marked.parquet --exact-duplicates mark --near-duplicates keep",
            "import games/readme.txt -o none.parquet",
            "import nowhere.sgf -o missing.parquet",
            "import -o nothing.parquet",
        ],
    );
    check_golden("import-report.csv", &String::from_utf8_lossy(&program.read("report.csv")));
}

#[test]
fn stats_are_printed_in_three_formats() {
    check(
        &collection(),
        "stats.txt",
        &[
            "stats games.parquet",
            "stats games.parquet --format csv --top 3",
            "stats games.parquet --format json --top 2",
            "stats games.parquet --player ann --top 3",
            "stats games.parquet --player nobody",
            "stats nowhere.parquet",
            "stats games/odd/komi.sgf --top 1",
            "stats --top 1",
        ],
    );
}

#[test]
fn selections_by_every_flag() {
    check(
        &collection(),
        "select.txt",
        &[
            "select games.parquet",
            "select games.parquet --player ARCHER",
            "select games.parquet --black archer --white baker",
            "select games.parquet --rank 6d..9p",
            "select games.parquet --rank 9p",
            "select games.parquet --from 1991 --to 1999-12",
            "select games.parquet --from 2010-02-28",
            "select games.parquet --result W+",
            "select games.parquet --result 0",
            "select games.parquet --event meijin",
            "select games.parquet --size 9",
            "select games.parquet --handicap 2..9",
            "select games.parquet --moves ..3",
            "select games.parquet --near-duplicates only",
            "select games.parquet --near-duplicates exclude --player archer",
            "select games.parquet --where 'year >= 1990 and (komi = 5.5 or black ~ \"lee\")'",
            "select games.parquet --where 'notes ~ komi or winner = W'",
            "select games.parquet --player nobody",
            "select games.parquet --size 9 --format sgf",
            "select games.parquet --size 9 -o nine.parquet",
            "select nine.parquet",
        ],
    );
}

#[test]
fn invalid_flags_are_explained() {
    check(
        &collection(),
        "wrong-flags.txt",
        &[
            "select games.parquet --where 'yaer = 3'",
            "select games.parquet --where 'year ='",
            "select games.parquet --where '(year = 3'",
            "select games.parquet --where ''",
            "select games.parquet --from spring",
            "select games.parquet --moves many",
            "select games.parquet --rank strong",
            "select games.parquet --format parquet",
            "select games.parquet -o games.parquet",
            "show games.parquet#99",
            "show games.parquet#x",
            "show games/named.sgf#0",
            "show games/odd/komi.sgf --move 3",
            "show games/odd/komi.sgf --region K",
            "show games/odd/komi.sgf --region A1:Z9",
            "show games/odd/komi.sgf --numbers 0",
            "convert",
            "check",
            "check nowhere.sgf",
            "import nowhere*.sgf -o x.parquet",
        ],
    );
}

#[test]
fn check_lists_problems() {
    check(
        &games(),
        "check.txt",
        &[
            "check games",
            "check games --kind komi --kind illegal-move --quiet",
            "check games/odd/komi.sgf",
            "check games/sample.sgfs",
        ],
    );
}

#[test]
fn show_draws_boards() {
    let program = collection();
    check(
        &program,
        "show.txt",
        &[
            "show games/named.sgf#4 --move 3",
            "show games/odd/komi.sgf --numbers 1",
            "show games.parquet#36 --region K10:T19 --numbers 1",
            "show games/odd/illegal.sgf",
            "show games/odd/komi.sgf --svg - --numbers 1",
            "show games/odd/mixed.sgf#1",
        ],
    );
    program.run(&["show", "games/odd/komi.sgf", "--svg", "board.svg"]).expect_code(0);
    assert!(String::from_utf8_lossy(&program.read("board.svg")).trim_end().ends_with("</svg>"));
}

#[test]
fn convert_writes_every_format() {
    let program = collection();
    check(
        &program,
        "convert.txt",
        &[
            "convert games/odd/variations.sgf",
            "convert games/odd/variations.sgf games/odd/komi.sgf --to json",
            "convert games/odd/variations.sgf games/odd/utf16.sgf --to jsonl",
            "convert games/odd/tygem.gib games/odd/utf16.sgf",
            "convert games/odd/empty.sgf",
            "convert games/odd --into out",
            "convert games/odd/komi.sgf -o one.sgf",
        ],
    );
    let mut names: Vec<String> = fs::read_dir(program.path("out"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let listed: String =
        names.iter().map(|name| format!("{name}\n{}", text_of(&program, &format!("out/{name}")))).collect();
    check_golden("convert-into.txt", &listed);
    // The output is read again without problems.
    program.run(&["check", "one.sgf", "out/tygem.sgf", "out/utf16.sgf", "out/variations.sgf"]).expect_code(1);
    let n_games = program.run(&["convert", "games.parquet", "--to", "jsonl"]).expect_code(0).stdout.lines().count();
    assert_eq!(n_games, 51);
}

fn text_of(program: &Program, name: &str) -> String {
    String::from_utf8(program.read(name)).expect("UTF-8")
}

#[test]
fn every_command_helps_with_an_example() {
    let program = Program::new();
    let help = program.run(&["--help"]).expect_code(0).stdout;
    let groups = help.split("\nOptions:").next().unwrap_or_default();
    let listed = groups.lines().filter(|line| line.starts_with("  "));
    let names: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 20, "{names:?}");
    for name in names.into_iter().filter(|name| *name != "help") {
        let help = program.run(&[name, "--help"]).expect_code(0).stdout;
        assert!(help.contains(&format!("Example: tejun {name}")), "{name}: {help}");
    }
    program.run(&[]).expect_code(2);
    program.run(&["nonsense"]).expect_code(2);
    assert!(program.run(&["--version"]).expect_code(0).stdout.contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_and_manual_pages() {
    let program = Program::new();
    for shell in ["bash", "zsh", "fish"] {
        let text = program.run(&["completions", shell]).expect_code(0).stdout;
        assert!(text.contains("import") && text.contains("near-duplicates"), "{shell}: {text}");
    }
    program.run(&["man", "manual"]).expect_code(0);
    let page = text_of(&program, "manual/tejun-import.1");
    assert!(page.contains(".TH") && page.contains("tejun import"), "{page}");
    assert!(program.path("manual/tejun.1").exists());
}

/// The result of importing one file: found, imported, skipped, refused, and the report.
#[track_caller]
fn import_one(name: &str, bytes: &[u8]) -> ([u64; 4], String) {
    let program = Program::new();
    program.write(name, bytes);
    let run = program.run(&["import", name, "-o", "x.parquet", "--report", "x.csv"]);
    let (sums, report) = (run.sums(), text_of(&program, "x.csv"));
    assert_eq!(run.code, Some(if sums[1] > 0 { 0 } else { 1 }), "{run:?}");
    (sums, report)
}

const GAME: &str = "(;GM[1]SZ[9]PB[Ann];B[ee];W[cc])\n";
const OTHER: &str = "(;GM[1]SZ[9]PB[Bob];B[ce];W[gg];B[gc])\n";

fn tar_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, *bytes).expect("in memory");
    }
    archive.into_inner().expect("in memory")
}

fn gzip_of(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}

fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).expect("in memory");
        archive.write_all(bytes).expect("in memory");
    }
    archive.finish().expect("in memory").into_inner()
}

#[test]
fn archives_are_opened_and_name_their_files() {
    let files: [(&str, &[u8]); 3] =
        [("a.sgf", GAME.as_bytes()), ("b/c.sgf", OTHER.as_bytes()), ("notes.txt", b"not a game")];
    let inner = zip_of(&files[1..2]);
    for (name, bytes) in [
        ("x.tar", tar_of(&files)),
        ("x.tar.gz", gzip_of(&tar_of(&files))),
        ("x.tar.zst", zstd::encode_all(&tar_of(&files)[..], 1).expect("in memory")),
        ("x.zip", zip_of(&files)),
        ("nested.zip", zip_of(&[files[0], ("inner.zip", &inner), files[2]])),
    ] {
        let (sums, report) = import_one(name, &bytes);
        assert_eq!(sums, [3, 2, 1, 0], "{name}: {report}");
        assert!(report.contains(&format!("skipped,no-record,{name}!/notes.txt")), "{report}");
    }
    let (sums, _) = import_one("x.sgf.gz", &gzip_of(GAME.as_bytes()));
    assert_eq!(sums, [1, 1, 0, 0]);
}

#[test]
fn damaged_files_are_counted_and_listed() {
    let long: Vec<u8> = sample().join("\n").into_bytes();
    let packed = zstd::encode_all(&long[..], 1).expect("in memory");
    let zipped = zip_of(&[("a.sgf", &long)]);
    let binary: Vec<u8> = (0..5000u32).map(|n| (n * n / 7 % 251) as u8).collect();
    let seven = [b"7z\xbc\xaf\x27\x1c".as_slice(), &binary].concat();
    for (name, bytes, kind) in [
        ("empty.sgf", Vec::new(), "no-game"),
        ("blank.sgf", b" \n\n".to_vec(), "no-game"),
        ("broken.sgf", b"(;;;[[[".to_vec(), "no-moves"),
        ("binary.sgf", binary, "no-game"),
        ("zeros.sgf", vec![0; 4000], "no-game"),
        ("cut.zip", zipped[..zipped.len() / 2].to_vec(), "unreadable"),
        ("garbage.7z", seven, "unreadable"),
        ("packed.xz", b"\xfd7zXZ\0and more".to_vec(), "unreadable"),
        ("torn.gz", gzip_of(GAME.as_bytes())[..12].to_vec(), "unreadable"),
    ] {
        let ([found, imported, ..], report) = import_one(name, &bytes);
        assert_eq!((found, imported), (1, 0), "{name}: {report}");
        assert!(report.lines().nth(1).is_some_and(|line| line.contains(&format!(",{kind},{name},"))), "{report}");
    }
    // Games before the damage are kept, and the damage is reported.
    let ([found, imported, _, refused], report) = import_one("cut.sgfs.zst", &packed[..packed.len() / 2]);
    assert!(imported > 100 && refused == 1 && found < 604, "{found} {imported} {refused}");
    assert!(report.contains("refused,unreadable,cut.sgfs.zst,"), "{report}");
    let (sums, _) = import_one("utf16.sgf", &utf16(GAME));
    assert_eq!(sums, [1, 1, 0, 0]);
}

#[test]
fn other_commands_name_the_damaged_file() {
    let program = Program::new();
    program.write("bad.parquet", b"PAR1 and no more");
    program.write("empty.sgf", b"");
    for args in [
        ["stats", "bad.parquet"],
        ["select", "bad.parquet"],
        ["show", "bad.parquet"],
        ["show", "empty.sgf"],
        ["show", "missing.sgf"],
        ["convert", "bad.parquet"],
        ["convert", "empty.sgf"],
        ["check", "missing.sgf"],
        ["check", "empty.sgf"],
    ] {
        let run = program.run(&args).expect_code(2);
        let named = args[1] == "empty.sgf" && args[0] == "check" && run.stdout.contains(args[1]);
        assert!(named || run.stderr.contains(args[1]), "{args:?}: {run:?}");
        assert!(run.stderr.lines().any(|line| line.starts_with("tejun: ")), "{args:?}: {run:?}");
    }
}

#[test]
fn games_come_from_stdin_lists_and_patterns() {
    let program = Program::new();
    program.write("a.sgf", GAME);
    program.write("b.sgf", OTHER);
    program.write("c.txt", "not a game");
    program.write("list.txt", "a.sgf\n\nb.sgf\n");
    let both = format!("{GAME}{OTHER}");
    let import = |args: &[&str], input: &[u8]| {
        let args = [&["import", "--force", "-o", "x.parquet"], args].concat();
        program.run_with_input(&args, input).expect_code(0).sums()
    };
    assert_eq!(import(&["-"], both.as_bytes()), [2, 2, 0, 0]);
    assert_eq!(import(&["-"], &gzip_of(both.as_bytes())), [2, 2, 0, 0]);
    assert_eq!(import(&["-"], &zip_of(&[("a.sgf", both.as_bytes())])), [2, 2, 0, 0]);
    assert_eq!(import(&["--files-from", "list.txt"], b""), [2, 2, 0, 0]);
    assert_eq!(import(&["--files-from", "-"], b"b.sgf\n"), [1, 1, 0, 0]);
    assert_eq!(import(&["?.sgf"], b""), [2, 2, 0, 0]);
    assert_eq!(import(&["."], b""), [4, 2, 2, 0]);
    let shown = program.run_with_input(&["show", "-"], GAME.as_bytes()).expect_code(0);
    assert!(shown.stdout.contains("After move 2 of 2"), "{shown:?}");
    let checked = program.run_with_input(&["check", "-"], b"(;KM[x];B[aa])").expect_code(1);
    assert_eq!(checked.stdout, "stdin:1:3: warning unreadable-komi: unreadable komi\n");
    let converted = program.run_with_input(&["convert", "-"], b"(;KM[7] ;B[aa])").expect_code(0);
    assert_eq!(converted.stdout, "(;CA[UTF-8]KM[7];B[aa])\n");
}

#[test]
fn outputs_are_not_overwritten_or_read() {
    let program = Program::new();
    program.write("a.sgf", GAME);
    program.run(&["import", "a.sgf", "-o", "x.parquet"]).expect_code(0);
    let before = program.read("x.parquet");
    let again = program.run(&["import", "a.sgf", "-o", "x.parquet"]).expect_code(2);
    assert!(again.stderr.contains("x.parquet already exists"), "{again:?}");
    let mut faults = Vec::new();
    for args in [
        ["import", "a.sgf", "-o", "a.sgf"].as_slice(),
        &["import", "a.sgf", "-o", "a.sgf", "--force"],
        &["import", "./a.sgf", "-o", "a.sgf", "--append"],
        &["import", "x.parquet", "-o", "x.parquet", "--force"],
        &["import", "a.sgf", "-o", "y.parquet", "--report", "a.sgf"],
        &["import", "a.sgf", "-o", "x.parquet", "--append", "--report", "x.parquet"],
        &["select", "x.parquet", "-o", "x.parquet", "--force"],
        &["select", "a.sgf", "-o", "a.sgf", "--force"],
        &["select", "x.parquet", "-o", "x.parquet", "--format", "csv", "--force"],
        &["select", "x.parquet", "-o", "x.parquet", "--format", "sgf", "--force"],
        &["convert", "a.sgf", "-o", "a.sgf", "--force"],
        &["show", "a.sgf", "--svg", "a.sgf", "--force"],
    ] {
        let run = program.run(args);
        if program.read("a.sgf") != GAME.as_bytes() || program.read("x.parquet") != before {
            faults.push(format!("{args:?} wrote over its input"));
            program.write("a.sgf", GAME);
            program.write("x.parquet", &before);
        } else if run.code != Some(2) {
            faults.push(format!("{args:?}: {run:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(!program::has_partial(&program, "x.parquet") && !program::has_partial(&program, "a.sgf"));
}

#[test]
fn a_closed_pipe_is_not_a_failure() {
    let program = collection();
    let mut faults = Vec::new();
    for args in [
        ["import", "games", "-o", "other.parquet"].as_slice(),
        &["stats", "games.parquet"],
        &["select", "games.parquet"],
        &["select", "games.parquet", "--format", "sgf"],
        &["check", "games"],
        &["show", "games.parquet#1"],
        &["show", "games.parquet#1", "--svg", "-"],
        &["convert", "games/sample.sgfs"],
        &["convert", "games.parquet", "--to", "json"],
        &["completions", "bash"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = program.command(args).stdout(writer).output().expect("the program ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(0) {
            faults.push(format!("{args:?}: {:?} {}", output.status.code(), stderr.lines().take(3).collect::<String>()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let program = games();
    for (output, threads) in [("one.parquet", "1"), ("two.parquet", "2"), ("again.parquet", "2")] {
        program.run(&["import", "games", "-o", output, "--threads", threads]).expect_code(0);
    }
    assert!(program.read("one.parquet") == program.read("two.parquet"), "the number of threads changes the bytes");
    assert!(program.read("two.parquet") == program.read("again.parquet"), "a second run changes the bytes");
}

#[test]
fn appending_skips_known_games() {
    let program = Program::new();
    program.write("a.sgf", GAME);
    program.write("b.sgf", format!("{GAME}{OTHER}"));
    program.run(&["import", "a.sgf", "-o", "x.parquet", "--append"]).expect_code(0);
    let second = program.run(&["import", "b.sgf", "-o", "x.parquet", "--append"]).expect_code(0);
    assert_eq!(second.sums(), [2, 1, 1, 0]);
    let bytes = program.read("x.parquet");
    let third = program.run(&["import", "a.sgf", "b.sgf", "-o", "x.parquet", "--append"]).expect_code(0);
    assert_eq!(third.sums(), [3, 0, 3, 0]);
    let listed = |name: &str| program.run(&["select", name]).expect_code(0).stdout;
    let list = listed("x.parquet");
    assert_eq!(list.lines().count(), 3, "{list}");
    // Existing games keep their number and their row.
    assert!(list.lines().nth(1).is_some_and(|line| line.starts_with("0,") && line.ends_with("a.sgf")), "{list}");
    program.write("before.parquet", bytes);
    assert_eq!(listed("before.parquet"), list);
}

#[test]
fn marks_of_near_duplicates_stay_when_games_are_appended() {
    let program = Program::new();
    let game = first_moves(&sample()[0], 60);
    program.write("a.sgf", &game);
    program.write("b.sgf", first_moves(&game, 50));
    program.run(&["import", "a.sgf", "b.sgf", "-o", "x.parquet"]).expect_code(0);
    program.write("c.sgf", OTHER);
    program.run(&["import", "c.sgf", "-o", "x.parquet", "--append"]).expect_code(0);
    let near = program.run(&["select", "x.parquet", "--near-duplicates", "only"]).expect_code(0);
    assert_eq!(near.stdout.lines().count(), 2, "{near:?}");
}

#[test]
fn results_go_to_stdout_and_messages_to_stderr() {
    let program = collection();
    let quiet = program.run(&["select", "games.parquet", "--size", "9", "--quiet"]).expect_code(0);
    assert_eq!(quiet.stderr, "");
    let loud = program.run(&["select", "games.parquet", "--size", "9"]).expect_code(0);
    assert_eq!(loud.stdout, quiet.stdout);
    let sample = program.run(&["stats", "--format", "json"]).expect_code(0);
    assert!(sample.stderr.contains("604 professional games"), "{sample:?}");
    let parsed: serde_json::Value = serde_json::from_str(&sample.stdout).expect("JSON");
    assert_eq!(parsed["n_games"], 604);
}

#[test]
fn synonyms_suggest_commands_and_no_command_prints_help() {
    let program = Program::new();
    for (word, command) in [("joseki", "mine"), ("review", "judge"), ("opening", "book"), ("Pattern", "find")] {
        let run = program.run(&[word, "games.parquet"]).expect_code(2);
        assert!(run.stderr.contains(&format!("did you mean `tejun {command}`?")), "{run:?}");
    }
    // clap itself suggests commands for misspelled names.
    assert!(program.run(&["imports"]).expect_code(2).stderr.contains("'import'"));
    let run = program.run(&[]).expect_code(2);
    assert!(run.stderr.contains("Usage: tejun") && run.stderr.contains("Find joseki"), "{run:?}");
}

/// The commands that choose the format of `-o` by its ending, with the arguments that they require.
const WRITE_FORMATS: [(&str, &str); 23] = [
    ("stats", ""),
    ("select", ""),
    ("convert", "game.sgf"),
    ("mine", ""),
    ("find", "--sequence Q16"),
    ("compare", "games.parquet"),
    ("profile", "game.sgf"),
    ("parse", "--game game.sgf"),
    ("recall", "--dictionary joseki.sgf"),
    ("codes", ""),
    ("grammar show", "games.grammar"),
    ("grammar derive", "games.grammar game.sgf"),
    ("explain", "game.sgf --move 3 --model games.patterns"),
    ("surprise", "game.sgf --model games.grammar"),
    ("predict", "game.sgf --model games.grammar"),
    ("tactic find", "H"),
    ("tactic survey", ""),
    ("book stats", "a.db"),
    ("book match", "a.db b.db"),
    ("book compare", "a.db b.db"),
    ("book winrate", "a.db b.db"),
    ("evaluate", "games.grammar test.parquet"),
    ("evaluate judge", "games.sgf"),
];

/// The commands below this one with an optional output file and several formats.
fn commands_with_formats(command: &clap::Command, path: &str, found: &mut Vec<String>) {
    for command in command.get_subcommands() {
        let path = format!("{path} {}", command.get_name()).trim().to_string();
        let has = |name: &str| command.get_arguments().any(|arg| arg.get_id() == name && !arg.is_required_set());
        if has("output") && has("format") {
            found.push(path.clone());
        }
        commands_with_formats(command, &path, found);
    }
}

#[test]
fn unknown_endings_of_outputs_are_refused() {
    let mut all = Vec::new();
    commands_with_formats(&tejun::commands::grouped_command(), "", &mut all);
    let known = WRITE_FORMATS.map(|(command, _)| command);
    // Its output is a model.
    all.retain(|command| command != "tactic discover");
    all.retain(|command| !known.contains(&command.as_str()));
    assert_eq!(all, Vec::<String>::new(), "add these commands to the test");
    let program = Program::new();
    for (command, required) in WRITE_FORMATS {
        let line = format!("{command} {required} -o out.xyz");
        let args: Vec<&str> = line.split_whitespace().collect();
        let run = program.run(&args).expect_code(2);
        assert!(run.stderr.contains("out.xyz: .xyz is not a format of this command"), "{line}: {run:?}");
        assert!(!program.path("out.xyz").exists(), "{line}");
    }
    let run = program.run(&["compare", "games.parquet", "-o", "a.html"]).expect_code(2);
    assert!(run.stderr.contains("(table, csv)"), "{run:?}");
}
