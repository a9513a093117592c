//! Books written to files, with a word on what the format can't hold.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tejun_games::game::Game;
use tejun_knowledge::books::Book;
use tejun_knowledge::books::files::{BookFormat, write_book};

use crate::commands::Globals;
use crate::output::{check_output, write_file};
use crate::terminal::count;

/// What a book can be written as, by name.
const FORMATS: [(&str, BookFormat); 5] = [
    ("yaneuraou", BookFormat::YaneuraOu),
    ("apery", BookFormat::Apery),
    ("polyglot", BookFormat::Polyglot),
    ("sgf", BookFormat::Records),
    ("parquet", BookFormat::Parquet),
];

/// Where a book goes, and as what.
#[derive(clap::Args)]
pub struct SavingArgs {
    /// Output file: .db (YaneuraOu), .bin (Apery for shogi, Polyglot for chess), .sgf (Go), .parquet (any game)
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Output format [default: by the ending of -o]
    #[arg(long, value_name = "FORMAT", value_parser = FORMATS.map(|(name, _)| name))]
    to: Option<String>,
}

impl SavingArgs {
    /// Refuses a file that is read, or a name that tells no format, before any work is done.
    ///
    /// # Errors
    /// If one is.
    pub fn check(&self, game: Game, inputs: &[PathBuf], globals: &Globals) -> anyhow::Result<()> {
        check_output(&self.output, inputs.iter().map(PathBuf::as_path), globals)?;
        self.format(game).map(|_| ())
    }

    /// Writes a book; the file appears when it is whole. Says what was lost.
    ///
    /// # Errors
    /// If it is one of the inputs, the format is of another game, or the file can't be written.
    pub fn save(&self, book: &Book, inputs: &[PathBuf], globals: &Globals) -> anyhow::Result<()> {
        check_output(&self.output, inputs.iter().map(PathBuf::as_path), globals)?;
        let format = self.format(book.game())?;
        let written = write_book(book, format).with_context(|| self.output.display().to_string())?;
        write_file(&self.output, &written.bytes, globals)?;
        let n_moves: usize = (0..book.positions().len() as u32).map(|at| book.moves(at).len()).sum();
        globals.status(format_args!(
            "{}: {}, {}, format {format}.",
            self.output.display(),
            count(book.n_stored(), "position"),
            count(n_moves, "move")
        ));
        if written.lost.is_empty() {
            globals.status("Nothing was lost.");
        }
        written.lost.iter().for_each(|loss| globals.status(format_args!("Lost: {loss}.")));
        Ok(())
    }

    fn format(&self, game: Game) -> anyhow::Result<BookFormat> {
        if let Some(name) = &self.to {
            return Ok(FORMATS.iter().find(|known| known.0 == name).context("--to")?.1);
        }
        let ending = self.output.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match (ending.as_deref(), game) {
            (Some("db"), _) => Ok(BookFormat::YaneuraOu),
            (Some("bin"), Game::Chess) => Ok(BookFormat::Polyglot),
            (Some("bin"), Game::Shogi) => Ok(BookFormat::Apery),
            (Some("sgf"), _) => Ok(BookFormat::Records),
            (Some("parquet"), _) => Ok(BookFormat::Parquet),
            _ => bail!(
                "{}: the file name does not determine a format for a {game} book; give one with --to ({})",
                self.output.display(),
                FORMATS.map(|(name, _)| name).join(", ")
            ),
        }
    }
}

/// Whether a path is one that keeps everything of a book.
pub fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}
