//! Sets, queries and libraries as users write them, with error messages that show the place.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use tejun_knowledge::tactics::{Library, Mapping, ParseMappingError, Query};
use unicode_width::UnicodeWidthChar;

/// Number of characters of a line shown before and after an error.
const MAX_SHOWN: usize = 60;

/// The names that sets can use.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct LibraryFile {
    /// File with more named sets, one per line: `let NAME = SET  # description`
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
}

impl LibraryFile {
    /// The file, if one was given.
    pub fn path(&self) -> Option<&PathBuf> {
        self.library.as_ref()
    }

    /// All names, including those of the file.
    ///
    /// # Errors
    /// If the file cannot be read or is invalid.
    pub fn open(&self) -> anyhow::Result<Library> {
        let standard = Library::standard();
        let Some(path) = &self.library else { return Ok(standard.clone()) };
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        standard.with(text).map_err(|error| anyhow!("{}: {}", path.display(), with_caret(&error, text)))
    }
}

/// Parses a set.
///
/// # Errors
/// If the text is not a set; the error shows the place.
pub fn parse_set(text: &str, library: &Library) -> anyhow::Result<Mapping> {
    library.mapping(text).map_err(|error| anyhow!(with_caret(&error, text)))
}

/// Parses a query.
///
/// # Errors
/// If the text is not a query; the error shows the place.
pub fn parse_query(text: &str, library: &Library) -> anyhow::Result<Query> {
    Query::parse(text, library).map_err(|error| anyhow!(with_caret(&error, text)))
}

/// The error, the affected line, and a caret under the place.
fn with_caret(error: &ParseMappingError, text: &str) -> String {
    if text.trim().is_empty() {
        return error.to_string();
    }
    let line = text.split('\n').nth(error.line - 1).unwrap_or_default();
    // Tabs and escapes would shift the caret.
    let line: Vec<char> = line.chars().map(|c| if c.width().is_none() { ' ' } else { c }).collect();
    let at = (error.column - 1).min(line.len());
    let from = at.saturating_sub(MAX_SHOWN);
    let to = (at + MAX_SHOWN).min(line.len());
    let part = |chars: &[char]| chars.iter().collect::<String>();
    let start = if from > 0 { "..." } else { "" };
    let end = if to < line.len() { "..." } else { "" };
    let gap: usize = start.len() + line[from..at].iter().map(|c| c.width().unwrap_or(1)).sum::<usize>();
    format!("{error}\n  {start}{}{end}\n  {}^", part(&line[from..to]).trim_end(), " ".repeat(gap))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let error = parse_set(text, Library::standard()).expect_err("no set").to_string();
        let (_, shown) = error.split_once('\n').expect("several lines");
        assert_eq!(shown, expected);
    }

    #[test]
    fn carets_are_under_the_place() {
        check("B & nowhere", "  B & nowhere\n      ^");
        check("B &", "  B &\n     ^");
        check("B\n &\n\n", "   &\n    ^");
        check("let a = B\nlet b = q\na", "  let b = q\n          ^");
        check("B &\tq", "  B & q\n      ^");
        check("\u{5341}", "  \u{5341}\n  ^");
        let empty = parse_set(" \n", Library::standard()).expect_err("no set").to_string();
        assert_eq!(empty.lines().count(), 1);
        let long = "B & ".repeat(50) + "q" + &" | B".repeat(50);
        let error = parse_set(&long, Library::standard()).expect_err("no set").to_string();
        let lines: Vec<&str> = error.lines().collect();
        assert_eq!(lines[1].chars().nth(lines[2].len() - 1), Some('q'));
        assert!(lines[1].starts_with("  ...B & ") && lines[1].ends_with("..."));
    }
}
