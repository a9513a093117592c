//! The inputs of a command: files, folders, archives, collections, single games, standard input.
//!
//! Every command accepts the same names with the same meaning.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use tejun_games::records::{Format, OnIllegal, decoded_parts, read_records, read_single};
use tejun_games::sgf::{CharsetProperty, Reader, Tree, write_record, write_tree};
use tejun_games::{GameRecord, Rejection};

use crate::corpus::collection::{Collection, CollectionError};
use crate::corpus::import::{ImportError, ImportObserver, ImportOptions, ImportSummary, import};
use crate::corpus::sample::{SAMPLE_NAME, sample_source, sample_text};
use crate::corpus::schema::games_of;
use crate::corpus::sources::{Block, Content, Source, SourceError, Walk, check_sources, for_each_block};

/// The inputs that a user named, found on disk.
///
/// A name is a path of a file, folder, archive or collection; a pattern such as `games/*.sgf`; `-` for standard
/// input; or `FILE#3` for a single game, the third of a file. The games of a collection are numbered from 0.
///
/// ```
/// use tejun_knowledge::corpus::Input;
/// use tejun_knowledge::progress::NoProgress;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("two.sgf");
/// std::fs::write(&path, "(;SZ[9];B[ee])(;SZ[9];B[cc];W[gg])")?;
///
/// let input = Input::named([path.display().to_string()])?;
/// let games = input.open(1, &NoProgress)?;
/// assert_eq!(games.collection.n_games(), 2);
///
/// let second = Input::game(&format!("{}#2", path.display()))?;
/// assert_eq!(second.moves.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Input {
    sources: Vec<Source>,
}

/// Why an input can't be used.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// A name with wildcards that is not a valid pattern.
    #[error("{name}: this file does not exist, and the name is not a valid pattern")]
    Pattern {
        /// The name.
        name: String,
        /// The error in the pattern.
        #[source]
        source: glob::PatternError,
    },
    /// A pattern that matches nothing.
    #[error("{name}: no file matches this pattern")]
    NoMatch {
        /// The pattern.
        name: String,
    },
    /// A folder that could not be searched for a pattern.
    #[error("{name}: could not be searched")]
    Search {
        /// The pattern.
        name: String,
        /// The reason.
        #[source]
        source: glob::GlobError,
    },
    /// What follows `#` is not a number.
    #[error("{name}: expected a game number after #")]
    Number {
        /// The name.
        name: String,
    },
    /// The file or collection has fewer games.
    #[error("{name}#{number}: no such game; the {} has {n_games} game{}, numbered from {}",
        if *.is_collection { "collection" } else { "file" }, if *.n_games == 1 { "" } else { "s" },
        if *.is_collection { 0 } else { 1 })]
    NoSuchGame {
        /// The file.
        name: String,
        /// The number asked for.
        number: usize,
        /// The number of games in it.
        n_games: usize,
        /// Whether it is a collection.
        is_collection: bool,
    },
    /// The game can't be read.
    #[error("{name}:{error}")]
    Game {
        /// The file.
        name: String,
        /// The error.
        error: Rejection,
    },
    /// The file can't be read.
    #[error("{name}: {why}")]
    Unreadable {
        /// The file.
        name: String,
        /// The reason.
        why: String,
    },
    /// No record could be imported.
    #[error("{name}: no game could be read")]
    NoGames {
        /// The first name.
        name: String,
    },
    /// A temporary folder could not be created.
    #[error("could not create a temporary folder")]
    Temporary(#[source] io::Error),
    /// A path that does not exist.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The collection can't be used.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// The records can't be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
}

/// An open collection; if it is temporary, it is deleted on drop.
pub struct OpenInput {
    /// The collection.
    pub collection: Collection,
    /// The result of the import, if the input was not a collection.
    pub imported: Option<ImportSummary>,
    /// What its games are opened by: game 7 is `NAME#7`. `None` if the records were imported for this purpose only.
    pub name: Option<String>,
    /// Where the games come from.
    pub(crate) sources: Vec<Source>,
    _folder: Option<tempfile::TempDir>,
}

/// One complete game of an input, with variations, comments and marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputGame {
    /// The path of the file, as named or found.
    pub source: String,
    /// The path of the file, with the number of the game unless it is the only one; [`Input::game`] accepts it.
    pub name: String,
    /// SGF text in UTF-8, or the reason why the game can't be read.
    pub sgf: Result<String, String>,
}

impl Input {
    /// The sample games that come with tejun.
    pub fn sample() -> Input {
        Input { sources: vec![sample_source()] }
    }

    /// Finds the inputs with these names.
    ///
    /// # Errors
    /// If a pattern matches nothing.
    pub fn named(names: impl IntoIterator<Item = impl Into<PathBuf>>) -> Result<Input, InputError> {
        let mut sources = Vec::new();
        for path in names.into_iter().map(Into::into) {
            let name = path.to_string_lossy().into_owned();
            if name == "-" {
                sources.push(Source::Stdin);
            } else if path.exists() {
                sources.push(Source::Path(path));
            } else if is_sample(&path) {
                sources.push(sample_source());
            } else if let Some((path, number)) = split_game_number(&name) {
                sources.push(Source::Game { path, number: number? });
            } else if !name.contains(['*', '?', '[']) {
                sources.push(Source::Path(path));
            } else {
                sources.extend(matches_of(&name)?);
            }
        }
        Ok(Input { sources })
    }

    /// The sources, for [`import`].
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The files and folders among the sources.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.sources.iter().filter_map(Source::path)
    }

    /// The path of the collection, if the input is one collection and nothing else.
    pub fn collection_path(&self) -> Option<&Path> {
        match &self.sources[..] {
            [Source::Path(path)] if is_collection(path) => Some(path),
            _ => None,
        }
    }

    /// Opens the games as a collection: the named one, or a temporary one into which they are imported.
    ///
    /// # Errors
    /// If a file does not exist, or no game can be read.
    pub fn open(&self, n_threads: usize, observer: &dyn ImportObserver) -> Result<OpenInput, InputError> {
        if let Some(path) = self.collection_path() {
            let name = Some(path.display().to_string());
            let (collection, sources) = (Collection::open(path)?, self.sources.clone());
            return Ok(OpenInput { collection, imported: None, name, sources, _folder: None });
        }
        let folder = tempfile::tempdir().map_err(InputError::Temporary)?;
        let file = folder.path().join("games.parquet");
        let options = ImportOptions { n_threads, ..ImportOptions::default() };
        let summary = import(&self.sources, &file, &options, observer)?;
        if summary.n_imported == 0 {
            let name = self.sources.first().map_or(String::new(), name_of);
            return Err(InputError::NoGames { name });
        }
        let collection = Collection::open(&file)?;
        // The sample is imported in the order of its text, so that its games keep their numbers.
        let is_sample = matches!(&self.sources[..], [Source::Bytes(name, _)] if *name == SAMPLE_NAME);
        let name = is_sample.then(|| SAMPLE_NAME.to_string());
        let sources = self.sources.clone();
        Ok(OpenInput { collection, imported: Some(summary), name, sources, _folder: Some(folder) })
    }

    /// Reads one game: `FILE`, `FILE#3`, `COLLECTION#17`, or `-` for standard input.
    ///
    /// # Errors
    /// If there is no such game, or it can't be read.
    pub fn game(name: &str) -> Result<GameRecord, InputError> {
        let (path, number) = match split_game_number(name) {
            Some((path, number)) if !Path::new(name).exists() => (path, Some(number?)),
            _ => (PathBuf::from(name), None),
        };
        if is_sample(&path) {
            return sample_game(number.unwrap_or(0));
        }
        if is_collection(&path) {
            let collection = Collection::open(&path)?;
            let number = number.unwrap_or(0);
            return match collection.games().nth(number) {
                Some(game) => Ok(game?.record),
                None => Err(no_such_game(&path, number, collection.n_games(), true)),
            };
        }
        let source = if name == "-" { Source::Stdin } else { Source::Path(path.clone()) };
        let number = number.unwrap_or(1);
        let (mut n_games, mut found) = (0, None);
        let mut why_unreadable = None;
        for_each_text_block(&[source], |block| {
            match &block.content {
                Content::Text(text) if block.offset > 0 && text.trim_ascii().is_empty() => {}
                Content::Text(text) => {
                    let mut games = read_records(text, OnIllegal::Cut);
                    if (n_games + 1..=n_games + games.len()).contains(&number) {
                        found = Some(games.swap_remove(number - n_games - 1).record.map_err(|mut error| {
                            error.place.line += block.n_lines_before;
                            error
                        }));
                    }
                    n_games += games.len() + usize::from(found.is_some());
                }
                Content::Unreadable(why) => why_unreadable = why_unreadable.take().or(Some(why.clone())),
                Content::Rows(_) | Content::Foreign => {}
            }
            found.is_none()
        })?;
        let shown = || path.display().to_string();
        match (found, why_unreadable) {
            (Some(game), _) => game.map_err(|error| InputError::Game { name: shown(), error }),
            (None, Some(why)) => Err(InputError::Unreadable { name: shown(), why }),
            (None, None) => Err(no_such_game(&path, number, n_games, false)),
        }
    }

    /// Passes every game, with its variations and comments, to `visit` until that returns false.
    ///
    /// # Errors
    /// If a path does not exist.
    pub fn for_each_game(&self, visit: impl FnMut(InputGame) -> bool) -> Result<(), InputError> {
        for_each_game_of(&self.sources, Path::new(""), visit)
    }

    /// Like [`Input::for_each_game`], but skips a file or folder, such as the results of an earlier run.
    ///
    /// # Errors
    /// If a path does not exist.
    pub fn for_each_game_except(&self, skipped: &Path, visit: impl FnMut(InputGame) -> bool) -> Result<(), InputError> {
        for_each_game_of(&self.sources, skipped, visit)
    }
}

/// Whether a file starts like Parquet; false for a pipe, because reading from it would consume its first bytes.
pub fn is_collection(path: &Path) -> bool {
    let mut magic = [0; 4];
    let is_file = std::fs::metadata(path).is_ok_and(|data| data.is_file());
    let read = |mut file: std::fs::File| io::Read::read_exact(&mut file, &mut magic);
    is_file && std::fs::File::open(path).and_then(read).is_ok() && magic == *b"PAR1"
}

/// The paths that match a pattern.
fn matches_of(pattern: &str) -> Result<Vec<Source>, InputError> {
    let name = || pattern.to_string();
    let paths = glob::glob(pattern).map_err(|source| InputError::Pattern { name: name(), source })?;
    let paths = paths.map(|path| path.map(Source::Path).map_err(|source| InputError::Search { name: name(), source }));
    let paths: Vec<Source> = paths.collect::<Result<_, _>>()?;
    if paths.is_empty() { Err(InputError::NoMatch { name: name() }) } else { Ok(paths) }
}

/// `FILE#3` as file and number; `None` without a `#`.
fn split_game_number(name: &str) -> Option<(PathBuf, Result<usize, InputError>)> {
    let (path, digits) = name.rsplit_once('#')?;
    Some((path.into(), digits.parse().map_err(|_| InputError::Number { name: name.into() })))
}

fn name_of(source: &Source) -> String {
    match source {
        Source::Path(path) => path.display().to_string(),
        Source::Game { path, number } => format!("{}#{number}", path.display()),
        Source::Stdin => "-".into(),
        Source::Bytes(name, _) => name.to_string(),
    }
}

fn no_such_game(path: &Path, number: usize, n_games: usize, is_collection: bool) -> InputError {
    InputError::NoSuchGame { name: path.display().to_string(), number, n_games, is_collection }
}

/// Passes every block of the sources to `visit` until that returns false.
///
/// # Errors
/// If a path does not exist.
pub(crate) fn for_each_text_block(sources: &[Source], mut visit: impl FnMut(&Block) -> bool) -> Result<(), InputError> {
    check_sources(sources, Path::new(""))?;
    let walk = Walk { output: Path::new(""), n_bytes: &AtomicU64::new(0) };
    for_each_block(sources, &walk, &mut |block| visit(&block));
    Ok(())
}

/// Whether a name means the sample games: `sample`, unless there is a file of this name.
pub(crate) fn is_sample(path: &Path) -> bool {
    path == Path::new(SAMPLE_NAME) && !path.exists()
}

/// The text of a sample game, numbered from 0 as in a collection.
fn sample_sgf(number: usize) -> Result<String, InputError> {
    let text = sample_text();
    let sgf = text.lines().nth(number).map(String::from);
    sgf.ok_or_else(|| no_such_game(Path::new(SAMPLE_NAME), number, text.lines().count(), true))
}

fn sample_game(number: usize) -> Result<GameRecord, InputError> {
    let sgf = sample_sgf(number)?;
    GameRecord::parse(&sgf).map_err(|error| InputError::Game { name: SAMPLE_NAME.into(), error })
}

/// The game with this number as the content of a block.
pub(crate) fn single_game(path: &Path, number: usize) -> Result<Content, InputError> {
    if is_sample(path) {
        return sample_sgf(number).map(|sgf| Content::Text(sgf.into_bytes()));
    }
    if is_collection(path) {
        let collection = Collection::open(path)?;
        let mut n_before = 0;
        for batch in collection.batches() {
            let batch = batch?;
            if number < n_before + batch.num_rows() {
                return Ok(Content::Rows(batch.slice(number - n_before, 1)));
            }
            n_before += batch.num_rows();
        }
        return Err(no_such_game(path, number, n_before, true));
    }
    let (mut n_games, mut found) = (0, None);
    for_each_game_of(&[Source::Path(path.into())], Path::new(""), |game| {
        n_games += 1;
        if n_games == number {
            found = Some(game.sgf);
        }
        found.is_none()
    })?;
    match found {
        Some(Ok(sgf)) => Ok(Content::Text(sgf.into_bytes())),
        Some(Err(why)) => Ok(Content::Unreadable(why)),
        None => Err(no_such_game(path, number, n_games, false)),
    }
}

/// Names games in the order in which they are read.
struct Namer<V> {
    visit: V,
    source: String,
    n_games: usize,
    /// The first game of a file, until it is known whether there is a second.
    first: Option<Result<String, String>>,
}

impl<V: FnMut(InputGame) -> bool> Namer<V> {
    /// Adds a game of a file; returns whether to continue.
    fn add(&mut self, source: &str, sgf: Result<String, String>) -> bool {
        if self.source != source && !self.finish() {
            return false;
        }
        self.source = source.into();
        self.n_games += 1;
        match (self.n_games, self.first.take()) {
            (1, _) => {
                self.first = Some(sgf);
                true
            }
            (n, Some(first)) => self.visit_named(1, first) && self.visit_named(n, sgf),
            (n, None) => self.visit_named(n, sgf),
        }
    }

    fn visit_named(&mut self, number: usize, sgf: Result<String, String>) -> bool {
        (self.visit)(InputGame { source: self.source.clone(), name: format!("{}#{number}", self.source), sgf })
    }

    /// Ends a file; returns whether to continue.
    fn finish(&mut self) -> bool {
        self.n_games = 0;
        let source = std::mem::take(&mut self.source);
        self.first.take().is_none_or(|sgf| (self.visit)(InputGame { name: source.clone(), source, sgf }))
    }
}

fn for_each_game_of(
    sources: &[Source],
    skipped: &Path,
    visit: impl FnMut(InputGame) -> bool,
) -> Result<(), InputError> {
    check_sources(sources, Path::new(""))?;
    let walk = Walk { output: skipped, n_bytes: &AtomicU64::new(0) };
    let mut namer = Namer { visit, source: String::new(), n_games: 0, first: None };
    let mut is_wanted = true;
    let mut collection = (String::new(), 0);
    for_each_block(sources, &walk, &mut |block| {
        let source = &*block.source;
        is_wanted = match &block.content {
            Content::Foreign => true,
            Content::Unreadable(why) => namer.add(source, Err(format!("{source}: {why}"))),
            Content::Text(text) if block.offset > 0 && text.trim_ascii().is_empty() => true,
            Content::Text(text) => {
                games_as_sgf(source, text, block.n_lines_before).into_iter().all(|sgf| namer.add(source, sgf))
            }
            Content::Rows(batch) => {
                if collection.0 != source {
                    collection = (source.to_string(), 0);
                }
                let is_single = |known: &Source| matches!(known, Source::Game { .. }) && name_of(known) == source;
                let is_single = sources.iter().any(is_single);
                namer.finish()
                    && games_of(batch).all(|game| {
                        let name = if is_single { source.into() } else { format!("{source}#{}", collection.1) };
                        collection.1 += 1;
                        let sgf = game.map(|game| write_record(&game.record));
                        let sgf = sgf.ok_or_else(|| format!("{name}: this row is not a game"));
                        (namer.visit)(InputGame { source: source.into(), name, sgf })
                    })
            }
        };
        is_wanted
    });
    if is_wanted {
        namer.finish();
    }
    Ok(())
}

/// Every game in a piece of a file as SGF text, or the reason why it can't be read.
fn games_as_sgf(source: &str, bytes: &[u8], n_lines_before: u32) -> Vec<Result<String, String>> {
    let mut games = Vec::new();
    for part in decoded_parts(bytes) {
        let text = &part.decoded.text;
        let n_lines_before = n_lines_before + part.n_lines_before;
        match Format::of(text) {
            None => {}
            Some(Format::Sgf) => games.extend(Reader::new(text).map(|tree: Tree<'_>| {
                if tree.root().is_some() {
                    return Ok(write_tree(&tree, CharsetProperty::Utf8));
                }
                let mut place = tree.place(tree.offset());
                place.line += n_lines_before;
                Err(format!("{source}:{place}: this game has no nodes"))
            })),
            Some(format) => games.push(match read_single(text, format) {
                Ok(record) => Ok(write_record(&record)),
                Err(error) => Err(format!("{source}:{error}")),
            }),
        }
    }
    if games.is_empty() {
        games.push(Err(format!("{source}: not a game record")));
    }
    games
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::NoProgress;

    fn names(input: &Input) -> Vec<String> {
        let mut names = Vec::new();
        input
            .for_each_game(|game| {
                names.push(format!("{} {}", game.name, game.sgf.is_ok()));
                true
            })
            .expect("the files are there");
        names
    }

    #[test]
    fn a_name_means_the_same_everywhere() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a file");
            path.display().to_string()
        };
        let one = write("one.sgf", "(;SZ[9];B[ee];W[cc])");
        let three = write("three.sgf", "(;SZ[9];B[aa])\n(;SZ[9];B[bb];W[cc];B[dd])(;SZ[9];B[ee])");
        let text = write("text.sgf", "nothing");
        let input = Input::named([one.clone(), three.clone(), text.clone()]).expect("three files");
        let shown = [
            format!("{one} true"),
            format!("{three}#1 true"),
            format!("{three}#2 true"),
            format!("{three}#3 true"),
            format!("{text} false"),
        ];
        assert_eq!(names(&input), shown);
        let open = input.open(1, &NoProgress).expect("a collection");
        assert_eq!(open.collection.n_games(), 4);
        // The same games from a collection, and a single game again.
        let joined = open.collection.path().display().to_string();
        let again = Input::named([joined.clone(), format!("{three}#2")]).expect("a collection and a game");
        assert_eq!(again.collection_path(), None);
        assert_eq!(names(&again).len(), 5);
        let second = format!("{joined}#2");
        assert_eq!(names(&Input::named([&second]).expect("a game")), [format!("{second} true")]);
        let both = again.open(1, &NoProgress).expect("a collection");
        // The second copy of the game is dropped.
        assert_eq!((both.collection.n_games(), both.imported.map(|sums| sums.n_found)), (4, Some(5)));
        assert_eq!(Input::game(&format!("{three}#2")).expect("a game").moves.len(), 3);
        assert_eq!(Input::game(&format!("{joined}#2")).expect("a game").moves.len(), 3);
        assert_eq!(Input::game(&one).expect("a game").moves.len(), 2);
        let sample = Input::game("sample#3").expect("a sample game");
        let open = Input::named(["sample#3"]).expect("a game").open(1, &NoProgress).expect("a collection");
        let game = open.collection.games().next().expect("a game").expect("a row");
        assert_eq!((game.record.moves, open.name), (sample.moves, None));
        let all = Input::named(["sample"]).expect("games").open(1, &NoProgress).expect("a collection");
        let fourth = all.collection.games().nth(3).expect("a game").expect("a row");
        assert_eq!(
            (fourth.record.moves, all.name),
            (Input::game("sample#3").expect("a game").moves, Some("sample".into()))
        );
        let refused = [
            ("sample#604".to_string(), "sample#604: no such game; the collection has 604 games, numbered from 0"),
            (format!("{three}#4"), "three.sgf#4: no such game; the file has 3 games, numbered from 1"),
            (format!("{joined}#4"), "games.parquet#4: no such game; the collection has 4 games, numbered from 0"),
            (format!("{one}#x"), "expected a game number after #"),
            (format!("{one}.sgf"), "no such file or folder"),
        ];
        for (name, why) in refused {
            let error = Input::game(&name).expect_err(&name).to_string();
            assert!(error.contains(why), "{error}");
        }
        let pattern = Input::named([folder.path().join("t*.sgf").display().to_string()]).expect("two files");
        assert_eq!(pattern.sources().len(), 2);
        assert!(Input::named([folder.path().join("x*").display().to_string()]).is_err());
    }
}
