//! `tejun codes`: how the codes write a collection.

use std::path::PathBuf;

use tejun_knowledge::codes::{Code, Symbol};
use tejun_knowledge::sequences::{GameText, Kind, TextOptions, variants};

use crate::commands::filters::Filters;
use crate::commands::texts::load_table;
use crate::commands::{Found, Globals};
use crate::inputs::{open_collection, write_output};
use crate::reports::table::{Align, Table};

/// Compare the codes in which moves are written
///
/// First the symbols and the different strings of each code, then how many shapes on the board
/// share a string of each length: a good code has few.
///
/// Example: tejun codes games.parquet --format csv
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// A collection, or any records [default: the sample games]
    collection: Option<PathBuf>,
    /// Lengths of strings whose shapes are counted
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_value = "4,5,6,7,8,9,10,15,20,25,30",
        value_parser = clap::value_parser!(u32).range(1..))]
    lengths: Vec<u32>,
    /// List the symbols of this code instead, with what each means
    #[arg(long, value_name = "CODE", value_parser = Code::ALL.map(Code::name))]
    symbols: Option<String>,
    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = ["table", "csv"])]
    format: String,
    #[command(flatten)]
    filters: Filters,
}

/// Counts and prints.
///
/// # Errors
/// If the collection can't be read.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let open = open_collection(args.collection.as_deref(), globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let text = |code| {
        let options = TextOptions { size: table.size(), code, kind: Kind::Whole };
        GameText::build(&table, options, globals.n_threads())
    };
    if let Some(name) = &args.symbols {
        let code: Code = name.parse()?;
        print(&args, &[symbols(code, &text(code)?)])?;
        return Ok(Found::Something);
    }
    let mut strings = Table::new(&[
        ("code", Align::Left),
        ("symbols", Align::Right),
        ("same point", Align::Right),
        ("first", Align::Right),
        ("used", Align::Right),
        ("strings", Align::Right),
        ("twice or more", Align::Right),
    ]);
    let mut shapes = Table::new(&[
        ("code", Align::Left),
        ("length", Align::Right),
        ("strings", Align::Right),
        ("shapes, mean", Align::Right),
        ("most", Align::Right),
    ]);
    for code in Code::ALL {
        let text = text(code)?;
        let alphabet = code.alphabet(table.size());
        let n_first = alphabet.iter().filter(|symbol| Code::is_first(**symbol)).count();
        let counts = text.index().ngram_counts();
        // The papers count it in Er only, where the first move may be on the center.
        let is_same_point = |symbol: &Symbol| code != Code::Distance && code.step_length(*symbol) == Some(0);
        let n_same_point = alphabet.iter().filter(|symbol| is_same_point(symbol)).count();
        strings.push(vec![
            code.to_string(),
            (alphabet.len() - n_first - n_same_point).to_string(),
            n_same_point.to_string(),
            n_first.to_string(),
            text.index().symbol_counts().count().to_string(),
            counts.total_distinct().to_string(),
            counts.total_repeated().to_string(),
        ]);
        // The grammar's codes are not made to tell shapes apart.
        if matches!(code, Code::Simple | Code::Relative) {
            let found = variants(&text, &table, &args.lengths, globals.n_threads());
            for (length, variants) in args.lengths.iter().zip(found) {
                let mean = format!("{:.3}", variants.mean());
                let cells = [length.to_string(), variants.n_strings.to_string(), mean, variants.max.to_string()];
                shapes.push([code.to_string()].into_iter().chain(cells).collect());
            }
        }
    }
    print(&args, &[strings, shapes])?;
    Ok(Found::Something)
}

fn symbols(code: Code, text: &GameText) -> Table {
    let mut table = Table::new(&[("symbol", Align::Right), ("played", Align::Right), ("meaning", Align::Left)]);
    let counts: std::collections::HashMap<_, _> = text.index().symbol_counts().collect();
    for symbol in code.alphabet(text.options().size) {
        let count = counts.get(&symbol).copied().unwrap_or(0);
        table.push(vec![symbol.0.to_string(), count.to_string(), code.describe(symbol)]);
    }
    table
}

fn print(args: &Args, tables: &[Table]) -> anyhow::Result<()> {
    let texts = tables.iter().map(|table| if args.format == "csv" { table.to_csv() } else { table.to_text() });
    write_output(None, texts.collect::<Vec<String>>().join("\n").as_bytes())
}
