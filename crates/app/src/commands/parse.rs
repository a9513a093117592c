//! `tejun parse`: divides a game into phrases.

use std::path::PathBuf;

use anyhow::bail;
use tejun_knowledge::codes::Code;
use tejun_knowledge::corpus::GameTable;
use tejun_knowledge::grammar::{GamePhrase, Phrases, phrase_words};
use tejun_knowledge::sequences::{Dictionary, GameText, TextOptions, TextScope};

use crate::args::{GamesArgs, OutputArgs, TableFormat};
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::{IndexFile, load_table};
use crate::inputs::{open_game, open_games};
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// Read a game as a series of phrases
///
/// A phrase is a sequence of the collection or a single move. Shows the most probable way to divide
/// the game into phrases. With --test, shows how many bits per move other games
/// take with and without phrases.
///
/// Example: tejun parse games.parquet --game game.sgf --dictionary joseki.sgf
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["game", "test"])))]
pub struct Args {
    #[command(flatten)]
    games: GamesArgs,
    /// Game: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17, counting from 0); - for stdin
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Measure bits per move on these games instead; may be repeated
    #[arg(long, value_name = "GAMES")]
    test: Vec<PathBuf>,
    /// Number of sequences to use as phrases
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    top: usize,
    /// Minimum number of moves per sequence
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..))]
    min_length: u32,
    /// Names of known sequences: one line per sequence in SGF letters, the name after #, or an SGF tree with names in N[...]
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs<TableFormat>,
    #[command(flatten)]
    index: IndexFile,
    #[command(flatten)]
    filters: Filters,
}

/// Parses and prints.
///
/// # Errors
/// If the game, the collection or the dictionary cannot be read.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let inputs = args.games.paths().iter().chain(&args.test).chain(&args.dictionary).map(PathBuf::as_path);
    args.output.check(inputs.chain(args.index.path()), globals)?;
    let open = args.games.open(globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let options = TextOptions { size: table.size(), code: Code::Relative, scope: TextScope::Whole };
    let text = args.index.text(&table, options, globals)?;
    let phrases = Phrases::of_games(&text, &table, args.top, args.min_length, globals.n_threads());
    globals.status(format_args!("{} used as phrases", count(phrases.n_sequences(), "sequence")));
    let output = match &args.game {
        Some(game) => parse(&args, game, &table, &phrases)?,
        None => {
            let other = open_games(&args.test, globals)?;
            let Some(games) = load_table(&other.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
            compare(&text, &phrases, &games)
        }
    };
    let is_csv = args.output.format() == TableFormat::Csv;
    args.output.write(if is_csv { output.to_csv() } else { output.to_text() }, globals)?;
    Ok(Found::Something)
}

fn parse(args: &Args, game: &str, table: &GameTable, phrases: &Phrases) -> anyhow::Result<Table> {
    let record = open_game(game)?;
    let size = table.size();
    if record.size != size {
        let found = record.size;
        bail!("{game}: the game is on {found}x{found}, the collection is on {size}x{size}; use --size {found}");
    }
    let dictionary = args.dictionary.as_deref().map(|path| Dictionary::read(path, size)).transpose()?;
    let names = dictionary.as_ref().map(|dictionary| dictionary.names(Code::Relative, size)).unwrap_or_default();
    let mut rows =
        Table::new(&[("moves", Align::Left), ("used", Align::Right), ("phrase", Align::Left), ("points", Align::Left)]);
    for GamePhrase { moves, symbols, phrase } in phrases.parse_game(&record) {
        let points: Vec<String> =
            record.moves[moves.clone()].iter().filter_map(|m| m.point).map(|p| p.name(size)).collect();
        let name = names.get(&symbols).map(|name| name.to_string());
        let span = if moves.len() == 1 { moves.end.to_string() } else { format!("{}-{}", moves.start + 1, moves.end) };
        rows.push(vec![
            span,
            phrase.map_or(0, |phrase| phrase.n_used).to_string(),
            name.unwrap_or_else(|| phrase_words(Code::Relative, phrase)),
            points.join(" "),
        ]);
    }
    Ok(rows)
}

/// Bits per move with single symbols only, and with phrases.
fn compare(text: &GameText, phrases: &Phrases, games: &GameTable) -> Table {
    let [single, phrases] = [&Phrases::learn(text, &[]), phrases].map(|phrases| phrases.measure(games));
    let mut table =
        Table::new(&[("model", Align::Left), ("bits per move", Align::Right), ("moves per phrase", Align::Right)]);
    for (name, scores) in [("single moves", single), ("phrases", phrases)] {
        let [bits, moves] = [format!("{:.3}", scores.bits_per_move()), format!("{:.2}", scores.moves_per_phrase())];
        table.push(vec![name.into(), bits, moves]);
    }
    table
}
