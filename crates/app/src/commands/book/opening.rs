//! Books as they are given on the command line, opened.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, bail, ensure};
use tejun_games::game::{Game, GamePosition, PlayedGame, read_played};
use tejun_games::go::BoardSize;
use tejun_knowledge::books::files::{
    BookFormat, Flips, ReadBook, ReadBookError, book_of_games, read_book, read_fuego, read_yaneuraou, recognize,
    write_yaneuraou,
};
use tejun_knowledge::books::matching::Player;
use tejun_knowledge::books::{Book, Probe, Rule, Selection, WalkOptions, walk};
use tejun_knowledge::corpus::{Collection, is_collection};

use crate::commands::Globals;
use crate::inputs::open_collection;
use crate::terminal::count;

/// How books are read, and how their programs choose among their moves.
#[derive(clap::Args)]
pub struct OpeningArgs {
    /// How to choose among the moves of a position; give it once for all books, or once per book in order
    /// [default: gps for GPS Shogi's own files, else stored]
    ///
    /// stored: in proportion to the weights. gps or gps:16,10: moves whose weight times 16 at the start, or times 10
    /// elsewhere, reaches the largest weight. bonanza-narrow: moves with at least half the largest weight. best: the
    /// move with the largest weight. uniform: all moves that have a weight, with equal probability. yaneuraou: by the
    /// engine's book options, which can be changed as in yaneuraou:depth=16,diff=30,black=0,white=-140,narrow,counts.
    /// Files do not store the rule: a GPS book that was converted needs --rule gps.
    #[arg(long = "rule", value_name = "RULE", help_heading = "Choosing moves")]
    rules: Vec<Rule>,
    /// Raise weights to this power: above 1 sharpens them, below 1 flattens them, 0 makes them equal
    #[arg(
        long,
        value_name = "P",
        default_value_t = 1.0,
        allow_negative_numbers = true,
        help_heading = "Choosing moves"
    )]
    power: f64,
    /// Leave the book after this many plies of the game, like BookDepth of GPS Shogi and BookMoves of YaneuraOu
    #[arg(long, value_name = "N", help_heading = "Choosing moves")]
    max_ply: Option<u32>,
    /// Read books as this format, instead of detecting the format
    #[arg(long, value_name = "FORMAT", value_parser = format_names(), help_heading = "Reading books")]
    book_format: Option<String>,
    /// Also find positions of YaneuraOu books with colors exchanged, as YaneuraOu's FlippedBook does by default
    #[arg(long, help_heading = "Reading books")]
    flipped: bool,
    /// For books that store only hashes: search through up to N consecutive moves outside the book (each step is
    /// about 50 times slower, because every legal move is tried); not needed for matches
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Reading books")]
    gap: u32,
    /// Read only the first N plies of each game record [default: all; 30 for collections and archives of Go games]
    #[arg(long, value_name = "N", help_heading = "Reading books")]
    record_plies: Option<u32>,
    /// Board size in lines, for a Go book with several board sizes [default: the most frequent size]
    #[arg(long, value_name = "LINES", help_heading = "Reading books")]
    board_size: Option<u8>,
    /// List all problems found while reading the files, instead of only the first problem of each file
    #[arg(long, help_heading = "Reading books")]
    remarks: bool,
}

/// A book that was read.
pub struct OpenedBook {
    /// What tables call it.
    pub name: String,
    /// Where it is from.
    pub path: PathBuf,
    /// What it was read as.
    pub format: BookFormat,
    /// The book.
    pub book: Book,
    /// Entries of the file, and those that were reached, if it stores only hashes.
    pub entries: Option<(usize, usize)>,
}

/// A book and how its program chooses.
#[derive(Clone)]
pub struct ChosenBook {
    /// The book.
    pub opened: Rc<OpenedBook>,
    /// How moves are drawn.
    pub selection: Selection,
}

impl ChosenBook {
    /// What tables call it.
    pub fn name(&self) -> &str {
        &self.opened.name
    }

    /// The book itself.
    pub fn book(&self) -> &Book {
        &self.opened.book
    }

    /// The book as a player of a match.
    pub fn player(&self) -> Player<'_> {
        Player { book: &self.opened.book, selection: &self.selection }
    }
}

/// Moves that are read of each game of a collection.
const COLLECTION_PLIES: u32 = 30;

/// Whether a file is a collection of Go games that tejun made, or an archive that it can make one of.
fn is_go_collection(path: &Path) -> bool {
    const ARCHIVES: [&[u8]; 4] = [b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf"];
    let mut mark = [0; 4];
    let is_read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut mark)).is_ok();
    is_read && ARCHIVES.iter().any(|archive| mark.starts_with(archive))
        || is_collection(path) && Collection::open(path).is_ok()
}

fn format_names() -> Vec<&'static str> {
    BookFormat::names().map(|(name, _)| name).collect()
}

/// A file that was read; hashed books still look for their positions.
struct ReadFile {
    format: BookFormat,
    read: ReadBook,
    /// What was wrong with single records.
    flaws: Vec<String>,
}

impl OpeningArgs {
    /// Opens books; all must be of one game. A file that is named twice is read once.
    ///
    /// # Errors
    /// If one can't be read, or the games or the rules do not fit.
    pub fn open(&self, paths: &[PathBuf], globals: &Globals) -> anyhow::Result<Vec<ChosenBook>> {
        self.open_from(paths, paths.len(), None, globals)
    }

    /// As [`OpeningArgs::open`], for a match that may begin at another position.
    ///
    /// Rules are given for the first `n_ruled` books only; the others are taken as stored.
    ///
    /// # Errors
    /// As there, or if the position is none of the books' game.
    pub fn open_from(
        &self,
        paths: &[PathBuf],
        n_ruled: usize,
        start: Option<&str>,
        globals: &Globals,
    ) -> anyhow::Result<Vec<ChosenBook>> {
        ensure!(self.power.is_finite() && self.power >= 0.0, "--power must be a number, 0 or more, not {}", self.power);
        ensure!(
            self.rules.len() <= 1 || self.rules.len() == n_ruled,
            "--rule is given {} for {}; give it once, or once per book",
            count(self.rules.len(), "time"),
            count(n_ruled, "book")
        );
        let mut distinct: Vec<&PathBuf> = Vec::new();
        paths.iter().for_each(|path| {
            if !distinct.contains(&path) {
                distinct.push(path)
            }
        });
        let files: Vec<ReadFile> =
            distinct.iter().map(|path| self.read(path, globals)).collect::<anyhow::Result<_>>()?;
        let opened: Vec<Rc<OpenedBook>> =
            self.complete(&distinct, files, start, globals)?.into_iter().map(Rc::new).collect();
        let chosen = paths.iter().enumerate().map(|(number, path)| {
            let place = distinct.iter().position(|known| *known == path).expect("every path is among the distinct");
            let opened = Rc::clone(&opened[place]);
            ChosenBook { selection: self.selection(number, opened.format), opened }
        });
        Ok(chosen.collect())
    }

    /// Refuses a last ply where it has no meaning.
    ///
    /// # Errors
    /// If --max-ply is given.
    pub fn refuse_max_ply(&self, what: &str) -> anyhow::Result<()> {
        ensure!(self.max_ply.is_none(), "--max-ply cannot be used with {what}, which ignores the ply of positions");
        Ok(())
    }

    /// Opens one book.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn open_one(&self, path: &Path, globals: &Globals) -> anyhow::Result<ChosenBook> {
        let mut books = self.open(&[path.to_path_buf()], globals)?;
        books.pop().context("no book was opened")
    }

    fn selection(&self, number: usize, format: BookFormat) -> Selection {
        let own = if format == BookFormat::Gps { Rule::GPS } else { Rule::AsStored };
        let given = self.rules.get(number).or(self.rules.first().filter(|_| self.rules.len() == 1));
        Selection { rule: given.copied().unwrap_or(own), power: self.power, max_ply: self.max_ply }
    }

    fn read(&self, path: &Path, globals: &Globals) -> anyhow::Result<ReadFile> {
        if path.is_dir() {
            return self.book_of(path, read_games(path)?);
        }
        if is_go_collection(path) {
            return self.book_of_collection(path, globals);
        }
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        let format = match &self.book_format {
            Some(name) => BookFormat::names().find(|known| known.0 == name).context("--book-format")?.1,
            None if bytes.is_empty() => bail!("{}: the file is empty; download or write it again", path.display()),
            None => recognize(&bytes).with_context(|| {
                format!(
                    "{}: not a known format of opening books; if it is a book, give its format with --book-format ({})",
                    path.display(),
                    format_names().join(", ")
                )
            })?,
        };
        let read = match format {
            BookFormat::YaneuraOu | BookFormat::YaneuraOuBinary if self.flipped => read_flipped(&bytes, format),
            _ if self.flipped => {
                bail!(
                    "{}: --flipped is only for YaneuraOu books, but the format of this book is {format}",
                    path.display()
                )
            }
            BookFormat::Fuego => {
                let size = self.board_size.map(BoardSize::new).transpose().context("--board-size")?;
                read_fuego(&bytes, size)
            }
            BookFormat::Records => return self.book_of(path, played_games(path, &bytes)),
            format => read_book(&bytes, format),
        };
        Ok(ReadFile { format, read: read.with_context(|| path.display().to_string())?, flaws: Vec::new() })
    }

    /// A book of the games of a collection, or of an archive of Go records.
    fn book_of_collection(&self, path: &Path, globals: &Globals) -> anyhow::Result<ReadFile> {
        let n_plies = self.record_plies.unwrap_or(COLLECTION_PLIES);
        if self.record_plies.is_none() {
            globals.status(format_args!(
                "{}: reading only the first {} of every game (use --record-plies to change this).",
                path.display(),
                count(n_plies, "move")
            ));
        }
        let collection = open_collection(Some(path), globals)?.collection;
        let (mut games, mut flaws) = (Vec::new(), Vec::new());
        for game in collection.games() {
            match game {
                Ok(game) => games.push(PlayedGame::of_record(&game.record, n_plies)),
                Err(error) => flaws.push(format!("{}: {error}", path.display())),
            }
        }
        self.book_of(path, (games, flaws))
    }

    fn book_of(&self, path: &Path, (games, flaws): (Vec<PlayedGame>, Vec<String>)) -> anyhow::Result<ReadFile> {
        ensure!(
            !games.is_empty(),
            "{}: no game could be read{}",
            path.display(),
            flaws.first().map_or(String::new(), |flaw| format!(" ({flaw})"))
        );
        let (book, remarks) = book_of_games(&games, self.record_plies);
        Ok(ReadFile { format: BookFormat::Records, read: ReadBook::Known { book, remarks }, flaws })
    }

    /// Finds the positions of hashed books along the moves of all.
    fn complete(
        &self,
        paths: &[&PathBuf],
        files: Vec<ReadFile>,
        start: Option<&str>,
        globals: &Globals,
    ) -> anyhow::Result<Vec<OpenedBook>> {
        let game = common_game(paths, &files)?;
        let from = start.map(|text| GamePosition::parse(game, text)).transpose().context("--start")?;
        let probes: Vec<&dyn Probe> = files
            .iter()
            .filter_map(|file| match &file.read {
                ReadBook::Hashed(probe, _) => Some(&**probe as &dyn Probe),
                ReadBook::Known { .. } => None,
            })
            .collect();
        let known: Vec<&Book> = files
            .iter()
            .filter_map(|file| match &file.read {
                ReadBook::Known { book, .. } => Some(book),
                ReadBook::Hashed(..) => None,
            })
            .collect();
        let options = WalkOptions { n_gap: self.gap, from: from.into_iter().collect() };
        let mut walks = walk(&probes, &known, &options).into_iter();
        let mut opened = Vec::new();
        for (path, file) in paths.iter().zip(files) {
            let name = name_of(path, paths);
            let (book, remarks, entries) = match file.read {
                ReadBook::Known { book, remarks } => (book, remarks, None),
                ReadBook::Hashed(_, mut remarks) => {
                    let walked = walks.next().context("a book was not searched")?;
                    remarks.extend(walked.remarks);
                    (walked.book, remarks, Some((walked.n_entries, walked.n_reached)))
                }
            };
            let remarks = remarks.iter().map(|remark| format!("{}:{}: {}", path.display(), remark.place, remark.flaw));
            self.tell_remarks(path, &file.flaws.into_iter().chain(remarks).collect::<Vec<_>>(), globals);
            if let Some((n_entries, n_reached)) = entries.filter(|(all, reached)| reached < all) {
                globals.status(format_args!(
                    "{}: this book stores only hashes; {n_reached} of its {n_entries} entries were reached from the \
                     start with up to {} outside the book in a row (--gap), {} were not.",
                    path.display(),
                    count(self.gap, "move"),
                    n_entries - n_reached
                ));
            }
            opened.push(OpenedBook { name, path: path.to_path_buf(), format: file.format, book, entries });
        }
        Ok(opened)
    }

    fn tell_remarks(&self, path: &Path, remarks: &[String], globals: &Globals) {
        let n_shown = if self.remarks { remarks.len() } else { 1 };
        remarks.iter().take(n_shown).for_each(|remark| globals.status(remark));
        if remarks.len() > n_shown {
            let n_more = remarks.len() - n_shown;
            globals.status(format_args!(
                "{}: {} (use --remarks to list all).",
                path.display(),
                count(n_more, "more problem")
            ));
        }
    }
}

/// All records of a file or of the files in a folder, and what was wrong with them.
///
/// # Errors
/// If a file can't be read.
pub fn read_games(path: &Path) -> anyhow::Result<(Vec<PlayedGame>, Vec<String>)> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut waiting = vec![path.to_path_buf()];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path).with_context(|| path.display().to_string())? {
                waiting.push(entry.with_context(|| path.display().to_string())?.path());
            }
        } else {
            files.push(path);
        }
    }
    files.sort();
    let (mut games, mut flaws) = (Vec::new(), Vec::new());
    for file in &files {
        let bytes = fs::read(file).with_context(|| file.display().to_string())?;
        let (more, new) = played_games(file, &bytes);
        games.extend(more);
        flaws.extend(new);
    }
    Ok((games, flaws))
}

/// A book of YaneuraOu with what its positions imply.
fn read_flipped(bytes: &[u8], format: BookFormat) -> Result<ReadBook, ReadBookError> {
    let text = match read_book(bytes, format)? {
        // The text holds all that the binary form does.
        ReadBook::Known { book, .. } if format == BookFormat::YaneuraOuBinary => write_yaneuraou(&book).bytes,
        _ => bytes.to_vec(),
    };
    let (book, remarks) = read_yaneuraou(&text, Flips::Implied)?;
    Ok(ReadBook::Known { book, remarks })
}

fn played_games(path: &Path, bytes: &[u8]) -> (Vec<PlayedGame>, Vec<String>) {
    let (mut games, mut flaws) = (Vec::new(), Vec::new());
    for game in read_played(bytes) {
        match game {
            Ok(game) => {
                flaws.extend(game.flaws.iter().map(|flaw| format!("{}:{flaw}", path.display())));
                games.push(game);
            }
            Err(error) => flaws.push(format!("{}:{error}", path.display())),
        }
    }
    (games, flaws)
}

/// The game of all these books, which must be one.
fn common_game(paths: &[&PathBuf], files: &[ReadFile]) -> anyhow::Result<Game> {
    let game = |file: &ReadFile| -> Game {
        match &file.read {
            ReadBook::Known { book, .. } => book.game(),
            ReadBook::Hashed(probe, _) => probe.game(),
        }
    };
    for (path, file) in paths.iter().zip(files).skip(1) {
        if game(file) != game(&files[0]) {
            bail!(
                "{} is a {} book, but {} is a {} book; all books must be of the same game",
                paths[0].display(),
                game(&files[0]),
                path.display(),
                game(file)
            );
        }
    }
    files.first().map(game).context("no book given")
}

/// The file's name without its ending, or the path if others have the same.
fn name_of(path: &Path, all: &[&PathBuf]) -> String {
    let stem = |path: &Path| path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let is_unique = all.iter().filter(|other| stem(other) == stem(path)).count() <= 1;
    if is_unique { stem(path) } else { path.display().to_string() }
}
