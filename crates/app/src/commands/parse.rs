//! `tejun parse`: divides a game into phrases.

use std::path::PathBuf;

use anyhow::bail;
use tejun_games::go::Board;
use tejun_knowledge::codes::{Code, encode};
use tejun_knowledge::corpus::GameTable;
use tejun_knowledge::grammar::{Phrases, phrase_words};
use tejun_knowledge::sequences::{Dictionary, GameText, MineOptions, RankBy, TextOptions, TextScope, rank_strings};

use crate::args::{GamesArgs, OutputArgs, TableFormat};
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::{IndexFile, load_table};
use crate::inputs::{open_collection, open_game};
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// Read a game as a series of phrases
///
/// A phrase is a sequence of the collection or a single move. Shows the most probable way to divide
/// the game into phrases. With --test, shows how many bits per move the games of another collection
/// take with and without phrases.
///
/// Example: tejun parse games.parquet --game game.sgf --dictionary joseki.sgf
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["game", "test"])))]
pub struct Args {
    #[command(flatten)]
    games: GamesArgs,
    /// Game: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17); - for stdin
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Measure bits per move on the games of this collection instead
    #[arg(long, value_name = "COLLECTION")]
    test: Option<PathBuf>,
    /// Number of sequences to use as phrases
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    top: usize,
    /// Minimum number of moves per sequence
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..))]
    min_length: u32,
    /// Names of known sequences: one line per sequence in SGF letters, the name after #, or an SGF tree with N
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
    let phrases = learn(&args, &text, &table, globals);
    globals.status(format_args!("{} used as phrases", count(phrases.n_sequences(), "sequence")));
    let output = match &args.game {
        Some(game) => parse(&args, game, &table, &phrases)?,
        None => {
            let other = open_collection(args.test.as_deref(), globals)?;
            let Some(games) = load_table(&other.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
            compare(&text, &phrases, &games)
        }
    };
    let is_csv = args.output.format() == TableFormat::Csv;
    args.output.write(if is_csv { output.to_csv() } else { output.to_text() }, globals)?;
    Ok(Found::Something)
}

/// The sequences to use as phrases.
fn learn(args: &Args, text: &GameText, table: &GameTable, globals: &Globals) -> Phrases {
    let options = MineOptions {
        scope: TextScope::Whole,
        min_length: args.min_length,
        top: args.top,
        rank_by: RankBy::Measure,
        n_threads: globals.n_threads(),
        ..MineOptions::default()
    };
    let mut ranking = rank_strings(text, table, &options);
    ranking.truncate(args.top);
    Phrases::learn(text, &ranking)
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
    for run in encode(Code::Relative, &Board::new(size), record.moves.iter().copied()) {
        for (range, phrase) in phrases.parse(&run.symbols) {
            let moves = run.first_move + range.start..run.first_move + range.end;
            let points: Vec<String> =
                record.moves[moves.clone()].iter().filter_map(|m| m.point).map(|p| p.name(size)).collect();
            let name = names.get(&run.symbols[range]).map(|name| name.to_string());
            let span =
                if moves.len() == 1 { moves.end.to_string() } else { format!("{}-{}", moves.start + 1, moves.end) };
            rows.push(vec![
                span,
                phrase.map_or(0, |phrase| phrase.n_used).to_string(),
                name.unwrap_or_else(|| phrase_words(Code::Relative, phrase)),
                points.join(" "),
            ]);
        }
    }
    Ok(rows)
}

/// Bits per move with single symbols only, and with phrases.
fn compare(text: &GameText, phrases: &Phrases, games: &GameTable) -> Table {
    let single = Phrases::learn(text, &[]);
    let (mut n_moves, mut bits, mut n_phrases) = (0, [0.0; 2], 0);
    for game in 0..games.n_games() {
        for run in encode(Code::Relative, &Board::new(games.size()), games.moves(game)) {
            n_moves += run.symbols.len();
            bits[0] += single.bits(&run.symbols);
            bits[1] += phrases.bits(&run.symbols);
            n_phrases += phrases.parse(&run.symbols).len();
        }
    }
    let mut table =
        Table::new(&[("model", Align::Left), ("bits per move", Align::Right), ("moves per phrase", Align::Right)]);
    let mean = |bits: f64| format!("{:.3}", bits / n_moves.max(1) as f64);
    table.push(vec!["single moves".into(), mean(bits[0]), "1.00".into()]);
    table.push(vec!["phrases".into(), mean(bits[1]), format!("{:.2}", n_moves as f64 / n_phrases.max(1) as f64)]);
    table
}
