//! The games that a command works on, as a table in memory, and the index files built from them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use tejun_games::go::BoardSize;
use tejun_knowledge::corpus::{Collection, GameId, GameTable, OpenInput, Selection, empty_reasons};
use tejun_knowledge::sequences::{GameText, TextOpenError, TextOptions};

use crate::commands::Globals;
use crate::filters::Filters;
use crate::terminal::count;

/// Where to keep the index of a text.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct IndexFile {
    /// Keep the index in this file; later commands with the same games and options open it directly
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,
}

/// Loads the selected games, without near duplicates by default; `None` if there are none.
///
/// # Errors
/// If the collection cannot be read.
pub fn load_table(collection: &Collection, filters: &Filters, globals: &Globals) -> anyhow::Result<Option<GameTable>> {
    let selection = filters.selection_without_copies()?;
    let size = selection.size.map_or(Ok(BoardSize::NINETEEN), BoardSize::new);
    let size = size.context("--size")?;
    let table = GameTable::load(collection, &selection, size)?;
    let others = match table.n_other_sizes() {
        0 => String::new(),
        n => format!(" ({n} on other board sizes skipped; use --size to select them)"),
    };
    let (n_games, n_moves) = (count(table.n_games(), "game"), count(table.n_moves(), "move"));
    globals.status(format_args!("{n_games} on {size}x{size}, {n_moves}{others}"));
    if table.n_games() == 0 {
        explain_empty(collection, &selection, globals)?;
        return Ok(None);
    }
    Ok(Some(table))
}

/// What games are opened by, such as `games.parquet#17`.
#[derive(Clone, Debug, Default)]
pub struct GameNames(HashMap<GameId, String>);

impl GameNames {
    /// The names of these games.
    ///
    /// # Errors
    /// If a file cannot be read again.
    pub fn new(open: &OpenInput, ids: impl IntoIterator<Item = GameId>) -> anyhow::Result<GameNames> {
        Ok(GameNames(open.names_of(ids)?))
    }

    /// The name of a game; `None` for a game from standard input.
    pub fn get(&self, id: GameId) -> Option<&str> {
        self.0.get(&id).map(String::as_str)
    }

    /// The heading of a list of games, with how to open the first.
    pub fn heading(&self, title: &str, first: Option<GameId>) -> String {
        match first.and_then(|first| self.get(first)) {
            Some(name) => format!("{title} (`tejun show {name}` shows the first)"),
            None => title.to_string(),
        }
    }
}

/// Prints why a selection contains no games.
///
/// # Errors
/// If the collection cannot be read.
pub fn explain_empty(collection: &Collection, selection: &Selection, globals: &Globals) -> anyhow::Result<()> {
    for reason in empty_reasons(collection, selection)? {
        globals.status(format_args!("No game selected: {reason}."));
    }
    Ok(())
}

impl IndexFile {
    /// The file, if one was given.
    pub fn path(&self) -> Option<&Path> {
        self.index.as_deref()
    }

    /// The text and its index: opened from the file if it exists, otherwise built and saved there.
    ///
    /// # Errors
    /// If the file belongs to other games, or cannot be written.
    pub fn text(&self, table: &GameTable, options: TextOptions, globals: &Globals) -> anyhow::Result<GameText> {
        let Some(path) = &self.index else {
            return Ok(GameText::build(table, options, globals.n_threads())?);
        };
        if path.exists() {
            return GameText::open(path, table, options).map_err(|error| match error {
                TextOpenError::Open(error) => error.into(),
                TextOpenError::Other => anyhow!("{}: {error}", path.display()),
            });
        }
        let text = GameText::build(table, options, globals.n_threads())?;
        text.save(path)?;
        let n_symbols = text.index().text().n_symbols();
        globals.status(format_args!("{}: saved an index of {}", path.display(), count(n_symbols, "symbol")));
        Ok(text)
    }
}

/// Describes how a result was produced.
pub fn manifest(
    collection: &Collection,
    paths: &[PathBuf],
    table: &GameTable,
    more: &[(&str, String)],
) -> Vec<(String, String)> {
    let pair = |name: &str, value: String| (name.to_string(), value);
    let names = paths.iter().map(|path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned());
    let names: Vec<String> = names.collect();
    let source = if names.is_empty() { "the sample games".into() } else { names.join(", ") };
    let hash = collection.manifest().into_iter().find(|(key, _)| key == "tejun.input_hash");
    let mut pairs = vec![
        pair("version", env!("CARGO_PKG_VERSION").into()),
        pair("collection", source),
        pair("input_hash", hash.map_or("unknown".into(), |(_, hash)| hash)),
        pair("games", table.n_games().to_string()),
        pair("moves", table.n_moves().to_string()),
        pair("moves_hash", format!("{:016x}", table.fingerprint())),
    ];
    pairs.extend(more.iter().map(|(name, value)| pair(name, value.clone())));
    pairs
}
