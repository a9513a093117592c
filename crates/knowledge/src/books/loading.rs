//! Books as a user names them: files of any format, folders of records, collections of Go games.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tejun_games::game::{Game, GamePosition, GameTree, PositionTextError, read_game_trees};
use tejun_games::go::BoardSize;

use crate::books::files::{
    BookFormat, Flips, ReadBook, ReadBookError, book_of_games, read_book, read_fuego, read_yaneuraou, recognize,
    write_yaneuraou,
};
use crate::books::{Book, Probe, Rule, WalkOptions, walk};
use crate::corpus::{Collection, ImportSummary, Input, InputError, is_collection};
use crate::progress::NoProgress;

/// Plies that are read of each game of a collection or archive, unless the options say otherwise.
pub const COLLECTION_PLIES: u32 = 30;

/// How books are loaded.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// The format of all files; by default, each is recognized by its content.
    pub format: Option<BookFormat>,
    /// Whether positions of YaneuraOu books also count with colors exchanged.
    pub flips: Flips,
    /// For books that store only hashes: how many consecutive moves that no book knows are tried.
    pub max_unknown_moves: u32,
    /// Plies to read of each game record; by default all, and [`COLLECTION_PLIES`] of collections and archives.
    pub record_plies: Option<u32>,
    /// The board size to read from a Go book with several; by default the most frequent one.
    pub board_size: Option<BoardSize>,
    /// A position, as text, from which the books are used in addition to the start of the game.
    pub start: Option<String>,
    /// Threads that import collections and archives.
    pub n_threads: usize,
}

/// A book that was loaded. Cloning it does not copy the book.
#[derive(Clone, Debug)]
pub struct LoadedBook {
    /// A short name: the file's name without its ending, or the path if two files would have the same name.
    pub name: String,
    /// Where it is from.
    pub path: PathBuf,
    /// What it was read as.
    pub format: BookFormat,
    /// The book.
    pub book: Arc<Book>,
    /// How many entries of the file were reached, if it stores only hashes.
    pub entries: Option<HashedEntries>,
    /// How its games were read, if it is a collection or an archive.
    pub collection: Option<LoadedCollection>,
    /// Parts of the file that could not be read as they are, each with its place.
    pub problems: Arc<[String]>,
}

/// Entries of a book that stores only hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashedEntries {
    /// Entries of the file.
    pub n_stored: usize,
    /// Entries whose position was found along the moves of the books.
    pub n_reached: usize,
}

/// A collection or an archive of Go games that was loaded as a book.
#[derive(Clone, Debug)]
pub struct LoadedCollection {
    /// Plies that were read of each game.
    pub n_plies: u32,
    /// What the import of an archive found; `None` for a collection.
    pub imported: Option<ImportSummary>,
}

/// Game records, and what was wrong in their files.
#[derive(Clone, Debug, Default)]
pub struct GameRecords {
    /// The games.
    pub games: Vec<GameTree>,
    /// Problems of single records, each with its place.
    pub problems: Vec<String>,
}

/// Why books could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadBookError {
    /// A file or folder can't be read.
    #[error("{}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why it can't be read.
        source: io::Error,
    },
    /// The file is not a book of its format.
    #[error("{}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        source: ReadBookError,
    },
    /// A collection or an archive can't be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file has no bytes.
    #[error("{}: the file is empty; download or write it again", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The content does not look like a book.
    #[error("{}: not a known format of opening books", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// Only books of YaneuraOu imply positions with colors exchanged.
    #[error("{}: only YaneuraOu books can be read with colors exchanged, but this is a {format} book", path.display())]
    NotFlippable {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: BookFormat,
    },
    /// No game could be read in a file, folder, collection or archive of records.
    #[error("{}: no game could be read{}", path.display(), problem.as_ref().map_or(String::new(), |why| format!(" ({why})")))]
    NoGames {
        /// Where games were expected.
        path: PathBuf,
        /// The first problem.
        problem: Option<String>,
    },
    /// Books of different games.
    #[error(
        "{} is a {} book, but {} is a {} book; all books must be of the same game",
        paths[0].display(), games[0], paths[1].display(), games[1]
    )]
    DifferentGames {
        /// Two of the books.
        paths: [PathBuf; 2],
        /// Their games.
        games: [Game; 2],
    },
    /// The additional start is not a position of the books' game.
    #[error("the start position")]
    Start(#[source] PositionTextError),
}

impl Default for LoadOptions {
    fn default() -> LoadOptions {
        LoadOptions {
            format: None,
            flips: Flips::AsStored,
            max_unknown_moves: 1,
            record_plies: None,
            board_size: None,
            start: None,
            n_threads: 1,
        }
    }
}

impl LoadedBook {
    /// How the program of this format chooses among the moves of a position.
    pub fn default_rule(&self) -> Rule {
        if self.format == BookFormat::Gps { Rule::GPS } else { Rule::AsStored }
    }
}

/// Loads opening books of one game, in the order of the paths. A file that is named twice is read once.
///
/// A path may be a book of any format of [`BookFormat`], a file or folder of game records, or a collection or an
/// archive of Go games. Positions of books that store only hashes are found along the moves of all the books.
///
/// ```
/// use tejun_games::game::Game;
/// use tejun_knowledge::books::{LoadOptions, load};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("mine.db");
/// std::fs::write(
///     &path,
///     "#YANEURAOU-DB2016 1.00\n\
///      sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///      7g7f 3c3d 20 10 3\n\
///      2g2f 8c8d 10 10 2\n",
/// )?;
///
/// let books = load(&[path], &LoadOptions::default())?;
/// let book = &books[0].book;
/// let start = Game::Shogi.start();
/// let position = book.find(start.key()).expect("the start is in the book");
/// let weights: Vec<(String, u32)> =
///     book.moves(position).iter().map(|known| (start.move_text(known.played), known.weight)).collect();
/// assert_eq!(weights, [("7g7f".to_string(), 3), ("2g2f".to_string(), 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a file can't be read or is not a book, or the books or the start are of different games. A bad move or line of
/// a file is not an error: it is skipped and noted in [`LoadedBook::problems`].
pub fn load(paths: &[impl AsRef<Path>], options: &LoadOptions) -> Result<Vec<LoadedBook>, LoadBookError> {
    let mut distinct: Vec<&Path> = Vec::new();
    for path in paths.iter().map(AsRef::as_ref) {
        if !distinct.contains(&path) {
            distinct.push(path);
        }
    }
    let files = distinct.iter().map(|path| read(path, options)).collect::<Result<Vec<BookFile>, _>>()?;
    let loaded = complete(&distinct, files, options)?;
    let of = |path: &Path| distinct.iter().position(|known| *known == path).expect("distinct has every path");
    Ok(paths.iter().map(|path| loaded[of(path.as_ref())].clone()).collect())
}

/// Reads all game records of a file or of the files in a folder. Their order is that of the files' names.
///
/// # Errors
/// If a file can't be read.
pub fn read_games(path: &Path) -> Result<GameRecords, LoadBookError> {
    let failed = |path: &Path, source: io::Error| LoadBookError::Io { path: path.into(), source };
    let mut files: Vec<PathBuf> = Vec::new();
    let mut waiting = vec![path.to_path_buf()];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path).map_err(|source| failed(&path, source))? {
                waiting.push(entry.map_err(|source| failed(&path, source))?.path());
            }
        } else {
            files.push(path);
        }
    }
    files.sort();
    let mut records = GameRecords::default();
    for file in &files {
        records.add(file, &fs::read(file).map_err(|source| failed(file, source))?);
    }
    Ok(records)
}

impl GameRecords {
    /// Adds the games of a file.
    fn add(&mut self, path: &Path, bytes: &[u8]) {
        for game in read_game_trees(bytes) {
            match game {
                Ok(game) => {
                    self.problems.extend(game.warnings.iter().map(|flaw| format!("{}:{flaw}", path.display())));
                    self.games.push(game);
                }
                Err(error) => self.problems.push(format!("{}:{error}", path.display())),
            }
        }
    }

    /// A book of the games.
    fn into_book(self, path: &Path, n_plies: Option<u32>) -> Result<BookFile, LoadBookError> {
        if self.games.is_empty() {
            return Err(LoadBookError::NoGames { path: path.into(), problem: self.problems.into_iter().next() });
        }
        let (book, remarks) = book_of_games(&self.games, n_plies);
        let read = ReadBook::Known { book, remarks };
        Ok(BookFile { format: BookFormat::Records, read, problems: self.problems, collection: None })
    }
}

/// A file that was read; if it stores only hashes, its positions are still unknown.
struct BookFile {
    format: BookFormat,
    read: ReadBook,
    /// What was wrong with single records.
    problems: Vec<String>,
    collection: Option<LoadedCollection>,
}

impl BookFile {
    fn game(&self) -> Game {
        match &self.read {
            ReadBook::Known { book, .. } => book.game(),
            ReadBook::Hashed(probe, _) => probe.game(),
        }
    }
}

fn read(path: &Path, options: &LoadOptions) -> Result<BookFile, LoadBookError> {
    if path.is_dir() {
        return read_games(path)?.into_book(path, options.record_plies);
    }
    if is_go_collection(path) {
        return read_collection(path, options);
    }
    let bytes = fs::read(path).map_err(|source| LoadBookError::Io { path: path.into(), source })?;
    let format = match options.format {
        Some(format) => format,
        None if bytes.is_empty() => return Err(LoadBookError::Empty { path: path.into() }),
        None => recognize(&bytes).ok_or_else(|| LoadBookError::UnknownFormat { path: path.into() })?,
    };
    let read = match format {
        BookFormat::YaneuraOu | BookFormat::YaneuraOuBinary if options.flips == Flips::Implied => {
            read_flipped(&bytes, format)
        }
        _ if options.flips == Flips::Implied => return Err(LoadBookError::NotFlippable { path: path.into(), format }),
        BookFormat::Fuego => read_fuego(&bytes, options.board_size),
        BookFormat::Records => {
            let mut records = GameRecords::default();
            records.add(path, &bytes);
            return records.into_book(path, options.record_plies);
        }
        format => read_book(&bytes, format),
    };
    let read = read.map_err(|source| LoadBookError::Read { path: path.into(), source })?;
    Ok(BookFile { format, read, problems: Vec::new(), collection: None })
}

/// Whether a file is a collection of Go games, or an archive that can be imported as one.
fn is_go_collection(path: &Path) -> bool {
    const ARCHIVES: [&[u8]; 4] = [b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf"];
    let mut mark = [0; 4];
    let is_read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut mark)).is_ok();
    is_read && ARCHIVES.iter().any(|archive| mark.starts_with(archive))
        || is_collection(path) && Collection::open(path).is_ok()
}

/// A book of the games of a collection or of an archive of Go records.
fn read_collection(path: &Path, options: &LoadOptions) -> Result<BookFile, LoadBookError> {
    let n_plies = options.record_plies.unwrap_or(COLLECTION_PLIES);
    let open = Input::named([path.to_path_buf()])?.open(options.n_threads, &NoProgress)?;
    let mut records = GameRecords::default();
    for game in open.collection.games() {
        match game {
            Ok(game) => records.games.push(GameTree::of_record(&game.record, n_plies)),
            Err(error) => records.problems.push(format!("{}: {error}", path.display())),
        }
    }
    let collection = LoadedCollection { n_plies, imported: open.imported };
    Ok(BookFile { collection: Some(collection), ..records.into_book(path, options.record_plies)? })
}

/// A book of YaneuraOu with the positions that it implies.
fn read_flipped(bytes: &[u8], format: BookFormat) -> Result<ReadBook, ReadBookError> {
    let text = match read_book(bytes, format)? {
        // The text holds everything that the binary form does.
        ReadBook::Known { book, .. } if format == BookFormat::YaneuraOuBinary => write_yaneuraou(&book).bytes,
        _ => bytes.to_vec(),
    };
    let (book, remarks) = read_yaneuraou(&text, Flips::Implied)?;
    Ok(ReadBook::Known { book, remarks })
}

/// Finds the positions of hashed books along the moves of all books.
fn complete(paths: &[&Path], files: Vec<BookFile>, options: &LoadOptions) -> Result<Vec<LoadedBook>, LoadBookError> {
    let Some(game) = common_game(paths, &files)? else { return Ok(Vec::new()) };
    let start = options.start.as_deref().map(|text| GamePosition::parse(game, text));
    let from: Vec<GamePosition> = start.transpose().map_err(LoadBookError::Start)?.into_iter().collect();
    let (mut probes, mut known): (Vec<&dyn Probe>, Vec<&Book>) = (Vec::new(), Vec::new());
    for file in &files {
        match &file.read {
            ReadBook::Known { book, .. } => known.push(book),
            ReadBook::Hashed(probe, _) => probes.push(&**probe),
        }
    }
    let walk_options = WalkOptions { max_unknown_moves: options.max_unknown_moves, from };
    let mut walks = walk(&probes, &known, &walk_options).into_iter();
    let loaded = paths.iter().zip(files).map(|(path, file)| {
        let (book, remarks, entries) = match file.read {
            ReadBook::Known { book, remarks } => (book, remarks, None),
            ReadBook::Hashed(_, mut remarks) => {
                let walked = walks.next().expect("a walk for each book that stores only hashes");
                remarks.extend(walked.remarks);
                let entries = HashedEntries { n_stored: walked.n_entries, n_reached: walked.n_reached };
                (walked.book, remarks, Some(entries))
            }
        };
        let remarks = remarks.iter().map(|remark| format!("{}:{}: {}", path.display(), remark.place, remark.flaw));
        LoadedBook {
            name: name_of(path, paths),
            path: path.to_path_buf(),
            format: file.format,
            book: Arc::new(book),
            entries,
            collection: file.collection,
            problems: file.problems.into_iter().chain(remarks).collect(),
        }
    });
    Ok(loaded.collect())
}

/// The game of all these books, which must be the same.
fn common_game(paths: &[&Path], files: &[BookFile]) -> Result<Option<Game>, LoadBookError> {
    let Some(game) = files.first().map(BookFile::game) else { return Ok(None) };
    match paths.iter().zip(files).find(|(_, file)| file.game() != game) {
        None => Ok(Some(game)),
        Some((path, file)) => Err(LoadBookError::DifferentGames {
            paths: [paths[0].into(), path.to_path_buf()],
            games: [game, file.game()],
        }),
    }
}

/// The file's name without its ending, or the path if others have the same.
fn name_of(path: &Path, all: &[&Path]) -> String {
    let stem = |path: &Path| path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let is_unique = all.iter().filter(|other| stem(other) == stem(path)).count() <= 1;
    if is_unique { stem(path) } else { path.display().to_string() }
}
