//! An import that is killed or interrupted resumes and gives the same bytes as a single run.

mod program;

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use program::{Program, Random, has_partial, sample};
use tejun_games::go::{Board, BoardSize, Color, Point, Symmetry};
use tejun_games::sgf::{Reader, main_line, write_record};

/// A folder of about 15 MB: large files, small files, compressed files, duplicates and broken records.
fn write_games(program: &Program) {
    let sample = sample();
    for variant in 0..8usize {
        let games: String = sample.iter().map(|game| turned(game, variant)).collect();
        program.write(&format!("games/turned-{variant}.sgfs"), games);
    }
    let mut random = Random(20_260_101);
    for file in 0..6 {
        let games: String = (0..800).map(|game| random_game(&mut random, &format!("r{file}-{game}"))).collect();
        program.write(&format!("games/random-{file}.sgfs"), &games);
        let packed = zstd::encode_all(games.replace("PB[r", "PB[s").as_bytes(), 1).expect("packed");
        program.write(&format!("games/packed-{file}.sgfs.zst"), packed);
    }
    for (index, game) in sample.iter().enumerate().take(400) {
        let broken = index % 7 == 3;
        let text = if broken { game.replace("SZ[19]", "SZ[99]") } else { random_game(&mut random, "small") };
        program.write(&format!("games/small/{index:03}.sgf"), text);
    }
    program.write("games/readme.txt", "not a game");
    program.write("games/empty.sgf", "");
}

/// A sample game in another orientation; every third variant also has another player, so it is only a near duplicate.
fn turned(game: &str, variant: usize) -> String {
    let tree = Reader::new(game).next().expect("a game");
    let mut record = main_line(&tree).expect("a record");
    for m in &mut record.moves {
        m.point = m.point.map(|point| Symmetry::ALL[variant].apply(point, record.size));
    }
    if variant % 3 == 1 {
        record.header.black = Some(format!("Kuro {variant}"));
    }
    write_record(&record)
}

/// Random legal moves, so that all games differ.
fn random_game(random: &mut Random, name: &str) -> String {
    let mut board = Board::new(BoardSize::NINETEEN);
    let mut text = format!("(;GM[1]SZ[19]PB[{name}]RE[?]");
    let mut color = Color::Black;
    for _ in 0..110 {
        let point = Point::new(random.below(19) as u8, random.below(19) as u8);
        if board.play(color, point).is_ok() {
            let letters = point.to_sgf().map(char::from);
            text.extend([';', color.letter(), '[', letters[0], letters[1], ']']);
            color = color.opponent();
        }
    }
    text + ")\n"
}

/// The finished chunks in the working folder, with the time they were written.
fn chunks(program: &Program) -> BTreeMap<String, SystemTime> {
    let Ok(entries) = fs::read_dir(program.path("killed.parquet.partial")) else { return BTreeMap::new() };
    let chunk = |entry: fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let written = entry.metadata().and_then(|data| data.modified()).ok()?;
        name.ends_with(".rows").then_some((name, written))
    };
    entries.flatten().filter_map(chunk).collect()
}

const KILLED: [&str; 4] = ["import", "games", "-o", "killed.parquet"];

/// Imports once without interruption; returns the bytes and the time it took.
fn whole_import(program: &Program) -> (Vec<u8>, Duration) {
    let start = Instant::now();
    let run = program.run(&["import", "games", "-o", "whole.parquet"]).expect_code(0);
    let duration = start.elapsed();
    let [_, imported, skipped, refused] = run.sums();
    // The test is meaningful only if the input contains something of each kind.
    assert!(imported > 9000 && skipped > 1000 && refused > 50, "{run:?}");
    assert!(!has_partial(program, "whole.parquet"));
    (program.read("whole.parquet"), duration)
}

#[test]
fn twenty_kills_change_nothing() {
    let program = Program::new();
    write_games(&program);
    let (expected, duration) = whole_import(&program);
    let mut random = Random(7);
    let (mut n_hits, mut n_kept) = (0, 0);
    for _ in 0..20 {
        let before = chunks(&program);
        let mut child =
            program.command(&KILLED).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
        std::thread::sleep(duration * random.below(80) as u32 / 100);
        n_hits += u32::from(child.try_wait().expect("a child").is_none());
        child.kill().expect("a child can be killed, or has ended");
        child.wait().expect("a child ends");
        if program.path("killed.parquet").exists() {
            assert!(program.read("killed.parquet") == expected, "a finished run gives different bytes");
            fs::remove_file(program.path("killed.parquet")).expect("a file of ours");
            continue;
        }
        let after = chunks(&program);
        let is_kept = |(name, written): (&String, &SystemTime)| after.get(name) == Some(written);
        assert!(before.iter().all(is_kept), "a finished chunk was written again: {before:?} {after:?}");
        n_kept += before.len();
    }
    assert!(n_hits >= 10, "only {n_hits} of 20 kills hit a running import; one run takes {duration:?}");
    assert!(n_kept > 0, "no run found chunks of the previous one");
    program.run(&KILLED).expect_code(0).sums();
    assert!(program.read("killed.parquet") == expected, "killing and resuming gives different bytes");
    assert!(!has_partial(&program, "killed.parquet"));
}

#[test]
fn an_interrupted_import_resumes() {
    let program = Program::new();
    write_games(&program);
    let (expected, _) = whole_import(&program);
    let child = program
        .command(&KILLED)
        .args(["--threads", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    while chunks(&program).is_empty() && start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(killed.success());
    let run = program::Run::from(child.wait_with_output().expect("a child ends")).expect_code(2);
    assert!(run.stderr.contains("run the same command again to resume"), "{run:?}");
    assert!(!program.path("killed.parquet").exists());
    let before = chunks(&program);
    assert!(!before.is_empty(), "nothing is left to resume from");
    program.run(&KILLED).expect_code(0).sums();
    assert!(program.read("killed.parquet") == expected, "interrupting and resuming gives different bytes");
    assert!(!has_partial(&program, "killed.parquet"));
}

#[test]
fn inputs_changed_between_runs_are_read_again() {
    let program = Program::new();
    let games: Vec<String> = sample().into_iter().take(20).collect();
    program.write("games/a.sgfs", games.join("\n"));
    program.write("killed.parquet.partial/00000000-0123456789abcdef.rows", "left by another run");
    program.run(&KILLED).expect_code(0);
    program.run(&["import", "games", "-o", "whole.parquet"]).expect_code(0);
    assert!(program.read("killed.parquet") == program.read("whole.parquet"));
    assert!(!has_partial(&program, "killed.parquet"));
}
