//! The program knows no algorithms: it parses arguments, asks the library, and prints.

use std::fs;
use std::path::{Path, PathBuf};

/// What the program must not contain, and where it belongs.
const BUILDING_BLOCKS: &[(&str, &str)] = &[
    ("thread::scope", "threads belong to the library"),
    ("thread::spawn", "threads belong to the library"),
    ("tejun_index", "only the library knows the index"),
    ("encode(", "moves become symbols in `codes`"),
    (".rank(", "strings are ranked by `sequences::mine`"),
    ("rank_strings(", "strings are ranked by `sequences::mine`"),
    ("by_completeness(", "strings are ranked by `sequences::mine`"),
    ("without_redundant(", "strings are ranked by `sequences::mine`"),
    (".play_with(", "games are replayed by `GameRecord::positions`"),
    (".play_on(", "games are replayed by `GameRecord::positions`"),
    (".ln()", "statistics belong to the library"),
    (".powf(", "statistics belong to the library"),
    ("zstd::", "files are read by `corpus`"),
    ("parquet::", "files are read by `corpus`"),
    ("serde_json::from_str", "file formats belong to the library"),
    ("wrapping_mul(", "hashes and random numbers belong to the library"),
    ("while !is_stopped()", "long work takes a `Progress`"),
    ("&& !is_stopped()", "long work takes a `Progress`"),
];

/// Places outside the commands where a building block is right: the end of the path, the block, and why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("src/evaluators.rs", "thread::scope", "asks the engines of several games at once"),
    ("src/gtp/mod.rs", "thread::spawn", "reads commands while the engine thinks"),
    ("src/gtp/game.rs", ".play_on(", "undoes moves of the controller"),
    ("src/gtp/choice.rs", ".powf(", "draws a move by its probability"),
    ("src/gtp/choice.rs", "wrapping_mul(", "draws a move by its probability"),
    ("src/reports/judgement/jsonl.rs", ".rank(", "the rank of a move, which the library has counted"),
    ("src/reports/judgement/words/mod.rs", ".rank(", "the rank of a move, which the library has counted"),
    ("src/reports/diagram/mod.rs", ".play_on(", "a diagram shows the stones after a line of play"),
    ("src/reports/plot/axis.rs", ".powf(", "round numbers on an axis"),
];

/// The sources in a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The building blocks in a source, without its comments and tests: line, block, and where it belongs.
fn faults(source: &str) -> Vec<(usize, &'static str, &'static str)> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    let in_line = |(number, line): (usize, &str)| {
        let found = BUILDING_BLOCKS.iter().filter(move |(block, _)| line.contains(block));
        found.map(move |(block, why)| (number, *block, *why)).collect::<Vec<_>>()
    };
    (1..).zip(lines).flat_map(in_line).collect()
}

#[test]
fn the_program_contains_no_algorithms() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut complaints = Vec::new();
    let mut n_exceptions = 0;
    for path in sources(&folder) {
        // Data of tests.
        if path.ends_with("fixtures.rs") || path.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        let source = fs::read_to_string(&path).expect("a source is text");
        for (line, block, why) in faults(&source) {
            let is_right = |(file, right, _): &&(&str, &str, &str)| path.ends_with(file) && *right == block;
            match EXCEPTIONS.iter().find(is_right) {
                Some(_) => n_exceptions += 1,
                None => complaints.push(format!("{}:{line}: {block}: {why}", path.display())),
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(n_exceptions > 0, "exceptions match by the end of the path");
}

/// Commands are verbs: what several of them share lives beside the folder.
#[test]
fn every_file_of_the_commands_is_a_command() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands");
    let command = tejun::commands::grouped_command();
    let is_command = |name: &str| command.find_subcommand(name).is_some();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(is_command(&name) || ["mod", "groups"].contains(&&*name), "{name} is not a command");
    }
}

#[test]
fn building_blocks_are_found() {
    assert_eq!(faults("let a = encode(code);\n// .ln()\nlet b = x.ln();").len(), 2);
    assert!(faults("fn a() {}\n#[cfg(test)]\nmod tests { fn b() { x.ln() } }").is_empty());
}
