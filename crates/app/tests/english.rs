//! The English of the repository: words that read as if translated, and what to write in their place.
//!
//! Reads every source and document of the repository. In a published package there is only this crate.

use std::fs;
use std::path::{Path, PathBuf};

/// Words that are not used, with better ones.
const WORDS: &[(&str, &str)] = &[
    ("anew", "again"),
    ("behind", "after"),
    ("told", "reported, shown, said"),
    ("tells", "shows, says"),
    ("valued", "evaluated"),
];

/// Phrases that are not used, with better ones.
const PHRASES: &[(&str, &str)] = &[
    ("goes on", "continues"),
    ("go on", "continue"),
    ("left out", "excluded, skipped"),
    ("leaves out", "excludes"),
    ("leave out", "exclude"),
    ("winning rate", "win rate"),
    ("can be trusted", "is calibrated, is reliable"),
    ("so many", "the number of"),
    ("bits a move", "bits per move"),
    ("bits a symbol", "bits per symbol"),
    ("games a second", "games per second"),
    ("positions a second", "positions per second"),
    ("one row a game", "one row per game"),
    ("one row a move", "one row per move"),
    ("set sequence", "joseki, standard sequence"),
    ("set sequences", "joseki, standard sequences"),
    ("a analysis", "an analysis"),
];

/// `is no X` reads `is not an X`, except after `there`.
const NO: [&str; 3] = ["is no", "are no", "was no"];

/// Places where a word is right: the end of a file's name, the line's text, and why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("english.rs", "", "lists the words"),
    ("HOUSE_STYLE.md", "", "not part of the project"),
    ("game/mod.rs", "behind one interface", "the usual phrase for an abstraction"),
    ("ARCHITECTURE.md", "behind a common interface", "the usual phrase for an abstraction"),
    ("layer.rs", "tell", "color-blind readers tell colors apart"),
    ("CHANGELOG.md", "--go-on", "the former name of an option"),
    ("plot/axis.rs", "ticks_are_no_closer", "a comparison"),
    ("book/evaluation.rs", "behind by 100", "a side is behind in the game"),
];

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if root.join("ARCHITECTURE.md").exists() { root } else { env!("CARGO_MANIFEST_DIR").into() }
}

/// All sources and documents below a folder, without what is built.
fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && !["target", "corpus", "artifacts", "seeds"].contains(&&*name) {
            texts(&path, found);
        } else if [".rs", ".md", ".py"].iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
}

/// The phrases of a line that should read otherwise, each with what to write.
fn faults(line: &str) -> Vec<(String, &'static str)> {
    // The game is written with a capital.
    let text: String =
        line.replace("Go on", "").to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let joined = format!(" {} ", words.join(" "));
    let mut found = Vec::new();
    for (phrase, better) in WORDS.iter().chain(PHRASES) {
        if joined.contains(&format!(" {phrase} ")) {
            found.push((phrase.to_string(), *better));
        }
    }
    for phrase in NO {
        for (at, _) in joined.match_indices(&format!(" {phrase} ")) {
            let before = joined[..at].rsplit(' ').next().unwrap_or_default();
            let after = joined[at + phrase.len() + 2..].split(' ').next().unwrap_or_default();
            let is_usual = ["there", "if", "where"].contains(&before)
                || ["longer", "more", "better", "different", "one", "other", "such"].contains(&after);
            if !is_usual && !after.is_empty() {
                found.push((format!("{phrase} {after}"), "is not a"));
            }
        }
    }
    found
}

#[test]
fn no_sentence_reads_as_if_translated() {
    let root = root();
    let mut files = Vec::new();
    texts(&root, &mut files);
    let mut complaints = Vec::new();
    for path in files {
        let name = path.strip_prefix(&root).expect("a file of the repository").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a text");
        for (number, line) in (1..).zip(text.lines()) {
            let is_exempt =
                |(file, part, _): &(&str, &str, &str)| name.ends_with(file) && line.to_lowercase().contains(part);
            if EXCEPTIONS.iter().any(is_exempt) {
                continue;
            }
            for (phrase, better) in faults(line) {
                complaints.push(format!("{name}:{number}: \"{phrase}\"; write \"{better}\": {}", line.trim()));
            }
        }
    }
    assert!(complaints.is_empty(), "{} places:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn faults_are_found_in_sentences_and_names() {
    assert_eq!(faults("/// What stands behind it, told anew.").len(), 3);
    assert_eq!(faults("fn what_is_told() {}").len(), 1);
    assert_eq!(faults("\"this is no book\"")[0].0, "is no book");
    assert!(faults("There is no book, and it is no longer needed.").is_empty());
    assert_eq!(faults("2.3 bits a move")[0].1, "bits per move");
}
