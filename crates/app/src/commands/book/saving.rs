//! Writing books, and reporting what the format can't store.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use tejun_games::game::Game;
use tejun_knowledge::books::Book;
use tejun_knowledge::books::files::{BookFormat, write_book};

use crate::commands::Globals;
use crate::output::{check_output, write_file};
use crate::terminal::count;

/// Where a book goes, and in which format.
#[derive(clap::Args)]
pub struct SavingArgs {
    /// Output file: .db (YaneuraOu), .bin (Apery for shogi, Polyglot for chess), .sgf (Go), .parquet (any game)
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Output format [default: by the ending of -o]
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<WritableFormat>,
}

/// A format in which books can be written, by its name.
#[derive(Clone, Copy, Debug)]
struct WritableFormat(BookFormat);

impl ValueEnum for WritableFormat {
    fn value_variants<'a>() -> &'a [WritableFormat] {
        const ALL: [WritableFormat; BookFormat::WRITABLE.len()] = {
            let mut all = [WritableFormat(BookFormat::Parquet); BookFormat::WRITABLE.len()];
            let mut index = 0;
            while index < all.len() {
                all[index] = WritableFormat(BookFormat::WRITABLE[index]);
                index += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        // Records can be read in many notations, but are written in one.
        Some(if self.0 == BookFormat::Records {
            PossibleValue::new("sgf").alias(self.0.name())
        } else {
            PossibleValue::new(self.0.name())
        })
    }
}

impl SavingArgs {
    /// Refuses a file that is read, or a name without a format, before any work is done.
    ///
    /// # Errors
    /// If the output is refused.
    pub fn check(&self, game: Game, inputs: &[PathBuf], globals: &Globals) -> anyhow::Result<()> {
        check_output(&self.output, inputs.iter().map(PathBuf::as_path), globals)?;
        self.format(game).map(|_| ())
    }

    /// Writes a book; the file appears when it is complete. Reports what was lost.
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
        if let Some(WritableFormat(format)) = self.format {
            return Ok(format);
        }
        let Some(format) = BookFormat::of_path(&self.output, game) else {
            let names: Vec<String> = WritableFormat::value_variants()
                .iter()
                .filter_map(|format| Some(format.to_possible_value()?.get_name().to_string()))
                .collect();
            bail!(
                "{}: the file name does not determine a format for a {game} book; give one with --format ({})",
                self.output.display(),
                names.join(", ")
            )
        };
        Ok(format)
    }
}

/// Whether a path names a Parquet file, which keeps everything of a book.
pub fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}
