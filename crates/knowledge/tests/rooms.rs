//! The allowed dependencies between the rooms of this crate, checked by reading its sources.

use std::fs;
use std::path::{Path, PathBuf};

/// Each room with the rooms it may use; ARCHITECTURE.md contains the same table.
const ROOMS: &[(&str, &[&str])] = &[
    ("progress", &[]),
    ("statistics", &[]),
    ("threads", &[]),
    ("codes", &[]),
    ("corpus", &[]),
    ("evaluation", &[]),
    ("predictor", &["corpus"]),
    ("sequences", &["codes", "corpus"]),
    ("grammar", &["codes", "corpus", "predictor", "sequences"]),
    ("patterns", &["codes", "corpus", "grammar", "predictor"]),
    ("network", &["corpus", "evaluation", "predictor"]),
    ("search", &["evaluation", "network", "predictor"]),
    ("engines", &["evaluation"]),
    ("judging", &["evaluation", "patterns", "predictor"]),
    ("books", &["corpus"]),
    ("tactics", &["corpus", "predictor"]),
    ("models", &["codes", "corpus", "grammar", "network", "patterns", "predictor", "search", "tactics"]),
];

/// Rooms that every room may use; they know nothing about games.
const FOUNDATIONS: [&str; 3] = ["progress", "statistics", "threads"];

/// A violation of the table in a line of source code.
#[derive(Debug, PartialEq, Eq)]
enum Fault {
    /// Uses a room that the table does not list.
    Arrow(String),
    /// Uses `super::`, which hides the room.
    Super,
}

/// The violations in one source file of a room, with their line numbers.
fn faults(room: &str, allowed: &[&str], source: &str) -> Vec<(usize, Fault)> {
    let mut found = Vec::new();
    for (index, line) in code_lines(source) {
        for used in rooms_used(line) {
            if used != room && !allowed.contains(&used.as_str()) && !FOUNDATIONS.contains(&used.as_str()) {
                found.push((index + 1, Fault::Arrow(used)));
            }
        }
        if line.contains("super::") && !is_test_import(source, index) {
            found.push((index + 1, Fault::Super));
        }
    }
    found
}

/// The lines without comments, numbered from 0; a room named in a comment does not count.
fn code_lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
    source.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code)).enumerate()
}

/// The names after `crate::`; `crate::{a, b}` gives several.
fn rooms_used(line: &str) -> Vec<String> {
    let name = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut rooms = Vec::new();
    for (at, path) in line.match_indices("crate::") {
        let after = &line[at + path.len()..];
        match after.strip_prefix('{') {
            Some(list) => {
                let mut depth = 0;
                let is_separator = |c: char| {
                    depth += i32::from(c == '{') - i32::from(c == '}');
                    c == ',' && depth == 0
                };
                rooms.extend(list.split(is_separator).map(name));
            }
            None => rooms.push(name(after)),
        }
    }
    rooms.retain(|room| !room.is_empty());
    rooms
}

/// Whether the line is the `use super::*` that opens a test module.
fn is_test_import(source: &str, index: usize) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    lines[index] == "use super::*;" && lines[..index].contains(&"#[cfg(test)]")
}

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The rooms of the crate with their files.
fn rooms() -> Vec<(String, Vec<PathBuf>)> {
    let entries = fs::read_dir(crate_folder().join("src")).expect("the sources").map(|e| e.expect("an entry").path());
    let mut rooms: Vec<(String, Vec<PathBuf>)> = entries
        .filter(|path| path.file_name().is_some_and(|name| name != "lib.rs"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let files = if path.is_dir() { files_under(&path) } else { vec![path] };
            (name, files)
        })
        .collect();
    rooms.sort();
    rooms
}

fn files_under(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files_under(&path) } else { vec![path] }).collect()
}

#[test]
fn rooms_use_only_the_rooms_that_the_table_allows() {
    let mut complaints = Vec::new();
    for (room, files) in rooms() {
        let Some((_, allowed)) = ROOMS.iter().find(|row| row.0 == room) else {
            complaints.push(format!("{room}: missing in ROOMS"));
            continue;
        };
        for file in files {
            let source = fs::read_to_string(&file).expect("a source is text");
            for (line, fault) in faults(&room, allowed, &source) {
                complaints.push(format!("{}:{line}: {fault:?}", file.display()));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_table_names_existing_rooms_without_cycles() {
    let rooms = rooms();
    for (index, (room, allowed)) in ROOMS.iter().enumerate() {
        assert!(rooms.iter().any(|r| r.0 == *room), "{room}: listed in ROOMS, but not in src");
        for used in *allowed {
            assert!(ROOMS[..index].iter().any(|row| row.0 == *used), "{room} uses {used}, which must come before it");
        }
    }
}

#[test]
fn violations_are_found() {
    #[track_caller]
    fn check(source: &str, expected: &[(usize, Fault)]) {
        assert_eq!(faults("codes", &["corpus"], source), expected, "{source}");
    }
    let arrow = |room: &str| Fault::Arrow(room.into());
    check("use crate::corpus::Game;\nuse crate::codes::Code;\nuse crate::progress::Progress;", &[]);
    check("\nlet a = crate::search::find();", &[(2, arrow("search"))]);
    check("use crate::{corpus::{Game, GameId}, judging::Judge};", &[(1, arrow("judging"))]);
    check("// as crate::search does", &[]);
    check("use super::Code;", &[(1, Fault::Super)]);
    check("use super::*;", &[(1, Fault::Super)]);
    check("#[cfg(test)]\nmod tests {\n    use super::*;\n}", &[]);
    check("#[cfg(test)]\nmod tests {\n    use super::Code;\n}", &[(3, Fault::Super)]);
}

/// The paths that a document names: code spans that contain a slash or end like a file name.
fn paths_named(text: &str) -> Vec<&str> {
    let is_path = |span: &&str| {
        let is_plain = !span.is_empty() && span.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
        let has_ending = [".rs", ".md", ".toml", ".py", ".zst"].iter().any(|ending| span.ends_with(ending));
        is_plain && (span.contains('/') || has_ending)
    };
    // Code blocks are fenced by three backticks, which give empty spans here.
    text.lines().flat_map(|line| line.split('`').skip(1).step_by(2)).filter(is_path).collect()
}

#[test]
fn the_architecture_document_shows_the_same_rooms() {
    let root = crate_folder().join("../..");
    // The document is optional.
    let Ok(text) = fs::read_to_string(root.join("ARCHITECTURE.md")) else { return };
    for path in paths_named(&text) {
        let is_there =
            ["", "crates", "crates/knowledge/src"].iter().any(|folder| root.join(folder).join(path).exists());
        assert!(is_there, "ARCHITECTURE.md names {path}, which does not exist");
    }
    for (room, allowed) in ROOMS {
        let uses: Vec<String> = allowed.iter().map(|room| format!("`{room}`")).collect();
        let uses = if uses.is_empty() { "none".to_string() } else { uses.join(", ") };
        let row = format!("| `{room}` | {uses} |");
        assert!(text.contains(&row), "ARCHITECTURE.md lacks the line {row}");
    }
    assert!(text.lines().count() < 250, "ARCHITECTURE.md has 250 lines or more");
}

#[test]
fn paths_differ_from_other_code() {
    let text = "`crates/app`, `Board`, `a b/c`, `lib.rs` and `cargo test -p x`, `ARCHITECTURE.md`, `files → sgf`";
    assert_eq!(paths_named(text), ["crates/app", "lib.rs", "ARCHITECTURE.md"]);
}
