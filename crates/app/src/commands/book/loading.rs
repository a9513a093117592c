//! Books named on the command line, opened.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use tejun_games::go::BoardSize;
use tejun_knowledge::books::files::{BookFormat, Flips};
use tejun_knowledge::books::matching::Player;
use tejun_knowledge::books::{Book, LoadBookError, LoadOptions, LoadedBook, Rule, Selection, load};

use crate::commands::Globals;
use crate::inputs::read_for_this_command;
use crate::terminal::count;

/// How books are read, and how their programs choose among their moves.
#[derive(clap::Args)]
pub struct LoadingArgs {
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
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Reading books")]
    book_format: Option<BookFormatName>,
    /// Also find positions of YaneuraOu books with colors exchanged, as YaneuraOu's FlippedBook does by default
    #[arg(long, help_heading = "Reading books")]
    flipped: bool,
    /// For books that store only hashes: search through up to N consecutive moves outside the book (each step is
    /// about 50 times slower, because every legal move is tried); not needed for matches
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Reading books")]
    max_unknown_moves: u32,
    /// Read only the first N plies of each game record [default: all; 30 for collections and archives of Go games]
    #[arg(long, value_name = "N", help_heading = "Reading books")]
    record_plies: Option<u32>,
    /// Board size in lines, for a Go book with several board sizes [default: the most frequent size]
    #[arg(long, value_name = "LINES", help_heading = "Reading books")]
    board_size: Option<u8>,
    /// List all problems found while reading the files, instead of only the first problem of each file
    #[arg(long, help_heading = "Reading books")]
    all_warnings: bool,
}

/// A format of books by its name.
#[derive(Clone, Copy, Debug)]
pub struct BookFormatName(pub BookFormat);

impl ValueEnum for BookFormatName {
    fn value_variants<'a>() -> &'a [BookFormatName] {
        const ALL: [BookFormatName; BookFormat::ALL.len()] = {
            let mut all = [BookFormatName(BookFormat::Gps); BookFormat::ALL.len()];
            let mut index = 0;
            while index < all.len() {
                all[index] = BookFormatName(BookFormat::ALL[index]);
                index += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

/// A book and how its program chooses.
#[derive(Clone)]
pub struct ChosenBook {
    /// The book.
    pub loaded: LoadedBook,
    /// Which of its moves are chosen, and how often.
    pub selection: Selection,
}

impl ChosenBook {
    /// Its name in tables.
    pub fn name(&self) -> &str {
        &self.loaded.name
    }

    /// The book itself.
    pub fn book(&self) -> &Book {
        &self.loaded.book
    }

    /// The book as a player of a match.
    pub fn player(&self) -> Player<'_> {
        Player { book: &self.loaded.book, selection: &self.selection }
    }
}

impl LoadingArgs {
    /// Opens books; all must be of one game. A file that is named twice is read once.
    ///
    /// # Errors
    /// If a book can't be read, or the games or the rules do not fit.
    pub fn open(&self, paths: &[PathBuf], globals: &Globals) -> anyhow::Result<Vec<ChosenBook>> {
        self.open_from(paths, paths.len(), None, globals)
    }

    /// Opens books for a match that may begin at another position.
    ///
    /// Rules are given for the first `n_ruled` books only; the others use their stored weights.
    ///
    /// # Errors
    /// As [`LoadingArgs::open`], or if the position is not one of the books' game.
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
        let books = load(paths, &self.options(start, globals)?).map_err(with_advice)?;
        for (number, book) in books.iter().enumerate() {
            if !paths[..number].contains(&paths[number]) {
                self.report(book, globals);
            }
        }
        let chosen = books.into_iter().enumerate();
        Ok(chosen.map(|(number, loaded)| ChosenBook { selection: self.selection(number, &loaded), loaded }).collect())
    }

    /// Refuses --max-ply for commands that ignore it.
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

    fn options(&self, start: Option<&str>, globals: &Globals) -> anyhow::Result<LoadOptions> {
        Ok(LoadOptions {
            format: self.book_format.map(|name| name.0),
            flips: if self.flipped { Flips::Implied } else { Flips::AsStored },
            max_unknown_moves: self.max_unknown_moves,
            record_plies: self.record_plies,
            board_size: self.board_size.map(BoardSize::new).transpose().context("--board-size")?,
            start: start.map(str::to_string),
            n_threads: globals.n_threads(),
        })
    }

    fn selection(&self, number: usize, book: &LoadedBook) -> Selection {
        let given = self.rules.get(number).or(self.rules.first().filter(|_| self.rules.len() == 1));
        Selection {
            rule: given.copied().unwrap_or_else(|| book.default_rule()),
            power: self.power,
            max_ply: self.max_ply,
        }
    }

    /// Reports what was not read, and why.
    fn report(&self, book: &LoadedBook, globals: &Globals) {
        let path = book.path.display();
        if let Some(collection) = book.collection.as_ref().filter(|_| self.record_plies.is_none()) {
            globals.status(format_args!(
                "{path}: reading only the first {} of every game (use --record-plies to change this).",
                count(collection.n_plies, "move")
            ));
        }
        if let Some(summary) = book.collection.as_ref().and_then(|collection| collection.imported.as_ref()) {
            globals.status(read_for_this_command(&path.to_string(), summary));
        }
        let n_shown = if self.all_warnings { book.problems.len() } else { 1 };
        book.problems.iter().take(n_shown).for_each(|problem| globals.status(problem));
        if book.problems.len() > n_shown {
            let n_more = book.problems.len() - n_shown;
            globals.status(format_args!("{path}: {} (use --all-warnings to list all).", count(n_more, "more problem")));
        }
        if let Some(entries) = book.entries.filter(|entries| entries.n_reached < entries.n_stored) {
            globals.status(format_args!(
                "{path}: this book stores only hashes; {} of its {} entries were reached from the start with up to {} \
                 outside the book in a row (--max-unknown-moves), {} were not.",
                entries.n_reached,
                entries.n_stored,
                count(self.max_unknown_moves, "move"),
                entries.n_stored - entries.n_reached
            ));
        }
    }
}

/// Adds the option that helps.
fn with_advice(error: LoadBookError) -> anyhow::Error {
    match error {
        LoadBookError::UnknownFormat { .. } => {
            let names: Vec<&str> = BookFormat::ALL.iter().map(|format| format.name()).collect();
            anyhow!("{error}; if it is a book, give its format with --book-format ({})", names.join(", "))
        }
        LoadBookError::NotFlippable { .. } => anyhow!("{error}; omit --flipped"),
        LoadBookError::Start(source) => anyhow::Error::new(source).context("--start"),
        error => error.into(),
    }
}
