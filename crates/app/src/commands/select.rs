//! `tejun select`: selects games of a collection.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use tejun_games::sgf::write_record;
use tejun_knowledge::corpus::{Collection, Game, Selection, select};

use crate::args::{GamesArgs, OutputArgs};
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::explain_empty;
use crate::output::{OutputFile, Stdout};
use crate::reports::table::csv_line;
use crate::terminal::count;

/// Select games from a collection
///
/// Writes them as a new collection, as SGF, or as a list.
///
/// Example: tejun select games.parquet --player "Go Seigen" --from 1930 --to 1939 -o go.parquet
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    output: OutputArgs<SelectFormat>,
    #[command(flatten)]
    filters: Filters,
}

/// Output formats of selected games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SelectFormat {
    /// A list of the games, one line per game
    #[value(alias = "txt")]
    Csv,
    /// SGF
    #[value(alias = "sgfs")]
    Sgf,
    /// A new collection
    Parquet,
}

/// Selects and writes games.
///
/// # Errors
/// If a flag is invalid, or a file cannot be read or written.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let selection = args.filters.selection()?;
    args.output.check(args.games.paths().iter().map(PathBuf::as_path), globals)?;
    let open = args.games.open(globals)?;
    let n_chosen = match (args.output.format(), args.output.path()) {
        (SelectFormat::Parquet, None) => bail!("a Parquet collection cannot be written to stdout; use -o FILE"),
        (SelectFormat::Parquet, Some(output)) => select(&open.collection, &selection, output, globals.if_exists())?,
        (format, output) => write_games(&open.collection, &selection, format, output, globals)?,
    };
    globals.status(format_args!("{n_chosen} of {} selected", count(open.collection.n_games(), "game")));
    if n_chosen == 0 {
        explain_empty(&open.collection, &selection, globals)?;
    }
    Ok(Found::from(n_chosen > 0))
}

fn write_games(
    collection: &Collection,
    selection: &Selection,
    format: SelectFormat,
    output: Option<&Path>,
    globals: &Globals,
) -> anyhow::Result<usize> {
    let write_all = |out: &mut dyn Write| -> anyhow::Result<usize> {
        let mut n_chosen = 0;
        if format == SelectFormat::Csv {
            let head =
                ["id", "date", "black", "black_rank", "white", "white_rank", "result", "n_moves", "event", "source"];
            out.write_all(csv_line(&head).as_bytes())?;
        }
        for game in collection.games() {
            let game = game?;
            if selection.wants(&game) {
                let text = if format == SelectFormat::Sgf { write_record(&game.record) } else { list_line(&game) };
                out.write_all(text.as_bytes())?;
                n_chosen += 1;
            }
        }
        out.flush()?;
        Ok(n_chosen)
    };
    match output {
        None => write_all(&mut Stdout::new()),
        Some(path) => {
            let mut file = OutputFile::create(path)?;
            let n_chosen = write_all(&mut file)?;
            file.commit(globals)?;
            Ok(n_chosen)
        }
    }
}

fn list_line(game: &Game) -> String {
    let header = &game.record.header;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let fields = [
        game.id.0.to_string(),
        header.date.map(|date| date.to_string()).unwrap_or_default(),
        text(&header.black),
        text(&header.black_rank),
        text(&header.white),
        text(&header.white_rank),
        header.result.to_string(),
        game.record.moves.len().to_string(),
        text(&header.event),
        game.source.clone(),
    ];
    csv_line(&fields.iter().map(String::as_str).collect::<Vec<_>>())
}
