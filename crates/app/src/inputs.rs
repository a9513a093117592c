//! Opens the inputs named on the command line: collections, records, single games.

use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tejun_games::GameRecord;
use tejun_knowledge::corpus::{ImportSummary, Input, InputError, N_SAMPLE_GAMES, OpenInput};
use tejun_knowledge::progress::NoProgress;

use crate::commands::Globals;
use crate::terminal::count;

/// The records in the paths and in the list of paths.
///
/// # Errors
/// If the list cannot be read or a pattern matches nothing.
pub fn input_of(paths: &[PathBuf], files_from: Option<&Path>) -> anyhow::Result<Input> {
    let mut names = paths.to_vec();
    if let Some(list) = files_from {
        names.extend(listed_names(list)?.into_iter().map(PathBuf::from));
    }
    Ok(Input::named(names)?)
}

fn listed_names(list: &Path) -> anyhow::Result<Vec<String>> {
    let reader: Box<dyn BufRead> = if list == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        let file =
            fs::File::open(list).with_context(|| format!("{}: the list of files could not be read", list.display()))?;
        Box::new(io::BufReader::new(file))
    };
    let lines: Result<Vec<String>, _> = reader.lines().collect();
    let lines = lines.with_context(|| format!("{}: the list of files must be UTF-8 text", list.display()))?;
    Ok(lines.into_iter().filter(|line| !line.trim().is_empty()).collect())
}

/// Opens games as one collection.
///
/// Opens a collection directly, and imports other records into a temporary one. Without paths, opens the sample
/// games.
///
/// # Errors
/// If a path does not exist or nothing in it can be read.
pub fn open_games(paths: &[PathBuf], globals: &Globals) -> anyhow::Result<OpenInput> {
    let input = if paths.is_empty() {
        globals.status(format_args!(
            "No games given: using the {N_SAMPLE_GAMES} professional games (1927-1979) that come with tejun."
        ));
        return Ok(Input::sample().open(globals.n_threads(), &NoProgress)?);
    } else {
        Input::named(paths)?
    };
    let open = match input.open(globals.n_threads(), &NoProgress) {
        Err(error @ InputError::NoGames { .. }) => {
            let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            bail!("{error}; run `tejun check {}` to see why", paths.join(" "));
        }
        outcome => outcome?,
    };
    match &open.imported {
        // The sample games are read at once.
        Some(_) if open.name.is_some() => {}
        Some(summary) => {
            let what = match paths {
                [path] => path.display().to_string(),
                _ => count(paths.len(), "input"),
            };
            globals.status(read_for_this_command(&what, summary));
        }
        None if !open.collection.has_checksums() => {
            let name = open.collection.path().display();
            globals.status(format_args!(
                "{name}: this collection has no checksums (an older version of tejun or another program wrote it), so \
                 damage cannot be detected; run `tejun select {name} -o NEW.parquet` to write a copy with checksums."
            ));
        }
        None => {}
    }
    Ok(open)
}

/// Number of games from which on a collection saves time.
const MANY_GAMES: u64 = 100;

/// What was read and, if it was much, how not to read it again for the next command.
pub fn read_for_this_command(what: &str, summary: &ImportSummary) -> String {
    let ImportSummary { n_imported, n_skipped, n_refused, .. } = *summary;
    let read = format!("{what}: {} read, {n_skipped} skipped, {n_refused} refused.", count(n_imported, "game"));
    if n_imported < MANY_GAMES {
        return read;
    }
    format!("{read} To save time, run `tejun import` once and use the collection.")
}

/// Opens one path as a collection.
///
/// # Errors
/// See [`open_games`].
pub fn open_collection(path: Option<&Path>, globals: &Globals) -> anyhow::Result<OpenInput> {
    open_games(&path.map(PathBuf::from).into_iter().collect::<Vec<_>>(), globals)
}

/// Opens one game: `FILE`, `FILE#3` for the third game of a file, `COLLECTION#17` for game 17, `-` for stdin.
///
/// # Errors
/// If the game does not exist or cannot be read.
pub fn open_game(name: &str) -> anyhow::Result<GameRecord> {
    Ok(Input::game(name)?)
}
