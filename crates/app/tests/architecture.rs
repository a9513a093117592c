//! The program knows no algorithms: its commands parse arguments, ask the library, and print.

use std::fs;
use std::path::{Path, PathBuf};

/// What a command must not contain, and where it belongs.
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
];

/// The files of the commands.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The building blocks in a source, without its comments and tests.
fn faults(source: &str) -> Vec<(usize, &'static str)> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    let in_line = |(number, line): (usize, &str)| {
        let found = BUILDING_BLOCKS.iter().filter(move |(block, _)| line.contains(block));
        found.map(move |(_, why)| (number, *why)).collect::<Vec<_>>()
    };
    (1..).zip(lines).flat_map(in_line).collect()
}

#[test]
fn commands_contain_no_algorithms() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands");
    let mut complaints = Vec::new();
    for path in sources(&folder) {
        let source = fs::read_to_string(&path).expect("a source is text");
        let found = faults(&source).into_iter().map(|(line, why)| format!("{}:{line}: {why}", path.display()));
        complaints.extend(found);
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
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
