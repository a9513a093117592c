//! The documents keep up with the program: every command that they show is understood.

mod program;

use std::fs;
use std::path::{Path, PathBuf};

use program::golden::words;
use tejun::commands::grouped_command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// README and the book.
fn documents() -> Vec<PathBuf> {
    let pages = fs::read_dir(root().join("docs/book")).expect("the book").map(|page| page.expect("a page").path());
    let mut pages: Vec<PathBuf> = pages.filter(|page| page.extension().is_some_and(|ending| ending == "md")).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// The commands in a document: code in backticks and lines of code blocks that begin with `tejun`.
fn commands(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_block = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
            continue;
        }
        let parts: Vec<&str> = if is_block {
            vec![line.trim().trim_start_matches("$ ")]
        } else {
            line.split('`').skip(1).step_by(2).collect()
        };
        for part in parts {
            let part =
                part.strip_prefix("cargo run --release -- ").map_or(part.to_string(), |rest| format!("tejun {rest}"));
            // What follows is for the shell.
            let ends = [" | ", " > ", " && ", "; ", " 2>", "  #"];
            let end = ends.iter().filter_map(|end| part.find(end)).min().unwrap_or(part.len());
            // A row of a table has wide spaces.
            let is_whole = !part[..end].contains(['…', '{']) && !part.contains("   ");
            if part.starts_with("tejun ") && is_whole {
                found.push(part[..end].to_string());
            }
        }
    }
    found
}

#[test]
fn every_command_in_the_documents_is_understood() {
    let mut n_commands = 0;
    let mut complaints = Vec::new();
    for page in documents() {
        let text = fs::read_to_string(&page).expect("a page is text");
        for command in commands(&text) {
            n_commands += 1;
            let words = words(&command);
            // `tejun book` alone is the name of a group of commands.
            if words.len() == 2 || words.iter().any(|word| word == "COMMAND") {
                continue;
            }
            if words.len() == 3 && words[2..].iter().all(|word| word.chars().all(|c| c.is_ascii_lowercase())) {
                continue;
            }
            if let Err(error) = grouped_command().try_get_matches_from(&words) {
                let first = error.to_string().lines().next().unwrap_or_default().to_string();
                complaints.push(format!("{}: {command}: {first}", page.file_name().expect("a name").to_string_lossy()));
            }
        }
    }
    assert!(n_commands > 150, "only {n_commands} commands were found");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn commands_are_found_in_code() {
    let text =
        "Run `tejun mine` or `x`.\n```\n$ tejun stats a | head\ntejun\n```\n`cargo run --release -- mine --top 3`";
    assert_eq!(commands(text), ["tejun mine", "tejun stats a", "tejun mine --top 3"]);
}
