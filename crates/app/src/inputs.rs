//! What users name on the command line, found and opened: paths, collections, single games.

use std::fs;
use std::io::{self, BufRead, Read};
use std::path::Path;

use anyhow::{Context, bail};
use tejun_games::GameRecord;
use tejun_games::formats::{OnIllegal, read_records};
use tejun_knowledge::corpus::{Collection, ImportOptions, N_SAMPLE_GAMES, NoProgress, Source, import, write_sample};

use crate::commands::Globals;
use crate::terminal::count;

/// Turns what was typed into sources: paths, patterns for quoted globs, `-` for stdin.
///
/// # Errors
/// If a list of files can't be read or a pattern finds nothing.
pub fn sources(paths: &[String], files_from: Option<&Path>) -> anyhow::Result<Vec<Source>> {
    let mut names = paths.to_vec();
    if let Some(list) = files_from {
        names.extend(listed_names(list)?);
    }
    let mut sources = Vec::new();
    for name in &names {
        if name == "-" {
            sources.push(Source::Stdin);
        } else if Path::new(name).exists() || !name.contains(['*', '?', '[']) {
            sources.push(Source::Path(name.into()));
        } else {
            let matches = glob::glob(name)
                .with_context(|| format!("{name}: this file does not exist, and the name is not a valid pattern"))?;
            let before = sources.len();
            for path in matches {
                sources.push(Source::Path(path.with_context(|| format!("{name}: could not be searched"))?));
            }
            if sources.len() == before {
                bail!("{name}: no file matches this pattern");
            }
        }
    }
    Ok(sources)
}

/// The paths among the sources.
pub fn paths_of(sources: &[Source]) -> impl Iterator<Item = &Path> {
    sources.iter().filter_map(|source| if let Source::Path(path) = source { Some(path.as_path()) } else { None })
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

/// A collection, and the folder that holds it if it was made for this command only.
pub struct OpenCollection {
    /// The collection.
    pub collection: Collection,
    _folder: Option<tempfile::TempDir>,
}

/// Opens a collection, or makes one for the moment: of the sample games, or of any records.
///
/// # Errors
/// If the path is not there or nothing in it can be read.
pub fn open_collection(path: Option<&Path>, globals: &Globals) -> anyhow::Result<OpenCollection> {
    if let Some(path) = path.filter(|path| is_collection(path)) {
        let collection = Collection::open(path)?;
        if !collection.has_checksums() {
            globals.status(format_args!(
                "{}: this collection has no checksums (an older version of tejun or another program wrote it), so \
                 damage cannot be detected; run `tejun select {0} -o NEW.parquet` to write a copy with checksums.",
                path.display()
            ));
        }
        return Ok(OpenCollection { collection, _folder: None });
    }
    let folder = tempfile::tempdir().context("could not create a temporary folder")?;
    let file = folder.path().join("games.parquet");
    match path {
        None => {
            globals.status(format_args!(
                "No collection given: using the {N_SAMPLE_GAMES} professional games (1927-1979) that come with tejun."
            ));
            write_sample(&file)?;
        }
        Some(path) => {
            let options = ImportOptions { n_threads: globals.n_threads(), ..ImportOptions::default() };
            let sources = sources(&[path.to_string_lossy().into_owned()], None)?;
            let summary = import(&sources, &file, &options, &NoProgress)?;
            globals.status(format_args!(
                "{}: not a collection; imported for this command only ({}, {} skipped, {} refused). Run `tejun import` \
                 to keep it as a collection.",
                path.display(),
                count(summary.n_imported, "game"),
                summary.n_skipped,
                summary.n_refused
            ));
            if summary.n_imported == 0 {
                bail!("{}: no game could be read; run `tejun check {0}` to see why", path.display());
            }
        }
    }
    Ok(OpenCollection { collection: Collection::open(&file)?, _folder: Some(folder) })
}

/// Whether a file has Parquet's mark. A pipe has not: looking at it would take its first bytes away.
pub fn is_collection(path: &Path) -> bool {
    let mut mark = [0; 4];
    let is_file = fs::metadata(path).is_ok_and(|data| data.is_file());
    is_file && fs::File::open(path).and_then(|mut file| file.read_exact(&mut mark)).is_ok() && mark == *b"PAR1"
}

/// One game: `FILE`, `FILE#3` for the third game of a file, `COLLECTION#17` for game 17, `-` for stdin.
///
/// # Errors
/// If there is no such game, or it is broken.
pub fn open_game(name: &str) -> anyhow::Result<GameRecord> {
    let (path, number) = match name.rsplit_once('#') {
        Some((path, digits)) if !Path::new(name).exists() => {
            let number = digits.parse::<usize>();
            (path, Some(number.with_context(|| format!("{name}: expected a game number after #"))?))
        }
        _ => (name, None),
    };
    if is_collection(Path::new(path)) {
        return game_of_collection(Path::new(path), number.unwrap_or(0));
    }
    let bytes = if path == "-" {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).context("stdin")?;
        bytes
    } else {
        fs::read(path).with_context(|| path.to_string())?
    };
    let number = number.unwrap_or(1);
    let mut games = read_records(&bytes, OnIllegal::Cut);
    if number == 0 || number > games.len() {
        bail!("{path}#{number}: no such game; the file has {}, numbered from 1", count(games.len(), "game"));
    }
    games.swap_remove(number - 1).record.map_err(|error| anyhow::anyhow!("{path}:{error}"))
}

fn game_of_collection(path: &Path, id: usize) -> anyhow::Result<GameRecord> {
    let collection = Collection::open(path)?;
    match collection.games().nth(id) {
        Some(game) => Ok(game?.record),
        None => bail!(
            "{}#{id}: no such game; the collection has {}, numbered from 0",
            path.display(),
            count(collection.n_games(), "game")
        ),
    }
}
