//! `tejun select`: some games of a collection.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use tejun_games::sgf::write_record;
use tejun_knowledge::corpus::{Game, Selection, select};

use crate::commands::filters::Filters;
use crate::commands::{Found, Globals};
use crate::inputs::{OpenCollection, open_collection};
use crate::output::{OutputFile, Stdout, check_output};
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
    /// Collection or game records [default: the sample games]
    collection: Option<PathBuf>,
    /// Output file [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output format [default: by the ending of -o (.parquet or .sgf), else csv]
    #[arg(long, value_name = "FORMAT", value_parser = ["parquet", "sgf", "csv"])]
    format: Option<String>,
    #[command(flatten)]
    filters: Filters,
}

/// Chooses and writes.
///
/// # Errors
/// If a flag makes no sense, or a file can't be read or written.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let selection = args.filters.selection()?;
    let ending = args.output.as_ref().and_then(|path| path.extension()).and_then(|ending| ending.to_str());
    let format = match (args.format.as_deref(), ending) {
        (Some(format), _) => format,
        (None, Some("parquet")) => "parquet",
        (None, Some("sgf" | "sgfs")) => "sgf",
        (None, _) => "csv",
    };
    let output = args.output.as_deref().filter(|path| *path != Path::new("-"));
    if let Some(output) = output {
        check_output(output, args.collection.as_deref(), globals)?;
    }
    let open = open_collection(args.collection.as_deref(), globals)?;
    let n_chosen = match (format, output) {
        ("parquet", None) => bail!("a Parquet collection cannot be written to stdout; use -o FILE"),
        ("parquet", Some(output)) => select(&open.collection, &selection, output, globals.if_exists())?,
        (_, output) => write_games(&open, &selection, format, output, globals)?,
    };
    globals.status(format_args!("{n_chosen} of {} selected", count(open.collection.n_games(), "game")));
    Ok(Found::from(n_chosen > 0))
}

fn write_games(
    open: &OpenCollection,
    selection: &Selection,
    format: &str,
    output: Option<&Path>,
    globals: &Globals,
) -> anyhow::Result<usize> {
    let write_all = |out: &mut dyn Write| -> anyhow::Result<usize> {
        let mut n_chosen = 0;
        if format == "csv" {
            let head =
                ["id", "date", "black", "black_rank", "white", "white_rank", "result", "n_moves", "event", "source"];
            out.write_all(csv_line(&head).as_bytes())?;
        }
        for game in open.collection.games() {
            let game = game?;
            if selection.wants(&game) {
                let text = if format == "sgf" { write_record(&game.record) } else { list_line(&game) };
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
