//! `tejun codes`: compares how the codes encode a collection.

use std::path::PathBuf;

use tejun_knowledge::codes::{Code, Symbol};
use tejun_knowledge::sequences::{GameText, NGramCounts, TextOptions, TextScope, Variants, variants};

use crate::args::{AnyCode, GamesArgs, OutputArgs, TableFormat};
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::load_table;
use crate::reports::table::{Align, Table};

/// Compare the codes for encoding moves
///
/// First counts the symbols and the distinct strings of each code, then the board shapes that share
/// a string, by length of the string: a good code has few of them.
///
/// Example: tejun codes games.parquet --format csv
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    games: GamesArgs,
    /// String lengths for which to count shapes
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_value = "4,5,6,7,8,9,10,15,20,25,30",
        value_parser = clap::value_parser!(u32).range(1..))]
    lengths: Vec<u32>,
    /// List the symbols of this code instead, with their meanings
    #[arg(long, value_name = "CODE", value_enum)]
    symbols: Option<AnyCode>,
    #[command(flatten)]
    output: OutputArgs<TableFormat>,
    #[command(flatten)]
    filters: Filters,
}

/// Counts and prints.
///
/// # Errors
/// If the collection cannot be read.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    args.output.check(args.games.paths().iter().map(PathBuf::as_path), globals)?;
    let open = args.games.open(globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let text = |code| {
        let options = TextOptions { size: table.size(), code, scope: TextScope::Whole };
        GameText::build(&table, options, globals.n_threads())
    };
    if let Some(code) = args.symbols {
        let code = Code::from(code);
        let table = symbols(code, &text(code)?);
        let output = if args.output.format() == TableFormat::Csv { table.to_csv() } else { table.to_text() };
        args.output.write(output, globals)?;
        return Ok(Found::Something);
    }
    let mut counted = Vec::new();
    for code in Code::ALL {
        let text = text(code)?;
        // The codes of grammars are not meant to distinguish shapes.
        let lengths: &[u32] = if matches!(code, Code::Simple | Code::Relative) { &args.lengths } else { &[] };
        counted.push(CodeCounts {
            code,
            alphabet: code.alphabet(table.size()),
            n_used: text.index().symbol_counts().count(),
            strings: text.index().ngram_counts(),
            variants: variants(&text, &table, lengths, globals.n_threads()),
        });
    }
    let output =
        if args.output.format() == TableFormat::Csv { to_csv(&args, &counted) } else { to_text(&args, &counted) };
    args.output.write(output, globals)?;
    Ok(Found::Something)
}

/// The counts of a code.
struct CodeCounts {
    code: Code,
    alphabet: Vec<Symbol>,
    n_used: usize,
    strings: NGramCounts,
    variants: Vec<Variants>,
}

impl CodeCounts {
    /// Number of symbols for a move after another one, for a move onto the same point, and for first moves.
    ///
    /// The papers count the second only in Er, where the first move may be on the center.
    fn n_symbols(&self) -> [usize; 3] {
        let is_first = |symbol: &&Symbol| Code::is_first(**symbol);
        let is_same = |symbol: &&Symbol| self.code != Code::Distance && self.code.step_length(**symbol) == Some(0);
        let [n_first, n_same] =
            [self.alphabet.iter().filter(is_first).count(), self.alphabet.iter().filter(is_same).count()];
        [self.alphabet.len() - n_first - n_same, n_same, n_first]
    }
}

fn mean(variants: &Variants) -> String {
    if variants.n_strings == 0 { "-".into() } else { format!("{:.3}", variants.mean()) }
}

fn to_text(args: &Args, counted: &[CodeCounts]) -> String {
    let columns = ["symbols", "same point", "first", "used", "strings", "twice or more"];
    let columns = [("code", Align::Left)].into_iter().chain(columns.map(|name| (name, Align::Right)));
    let mut strings = Table::new(&columns.collect::<Vec<_>>());
    let columns = ["length", "strings", "shapes, mean", "most"];
    let columns = [("code", Align::Left)].into_iter().chain(columns.map(|name| (name, Align::Right)));
    let mut shapes = Table::new(&columns.collect::<Vec<_>>());
    for one in counted {
        let mut cells = vec![one.code.to_string()];
        cells.extend(one.n_symbols().map(|n| n.to_string()));
        cells.extend([one.n_used.to_string(), one.strings.total_distinct().to_string()]);
        cells.push(one.strings.total_repeated().to_string());
        strings.push(cells);
        for (length, variants) in args.lengths.iter().zip(&one.variants) {
            let n_strings = variants.n_strings.to_string();
            let cells = [one.code.to_string(), length.to_string(), n_strings, mean(variants), variants.max.to_string()];
            shapes.push(cells.into());
        }
    }
    format!("{}\n{}", strings.to_text(), shapes.to_text())
}

/// One table: for each code a row for all lengths without shapes, and one row per length.
fn to_csv(args: &Args, counted: &[CodeCounts]) -> String {
    let columns = ["code", "length", "n_strings", "n_twice_or_more", "shapes_mean", "shapes_most"];
    let mut table = Table::new(&columns.map(|name| (name, Align::Left)));
    for one in counted {
        let all = [one.strings.total_distinct().to_string(), one.strings.total_repeated().to_string()];
        let [distinct, repeated] = all;
        table.push(vec![one.code.to_string(), String::new(), distinct, repeated, String::new(), String::new()]);
        for (&length, variants) in args.lengths.iter().zip(&one.variants) {
            let distinct = one.strings.distinct.get(length as usize).copied().unwrap_or(0);
            table.push(vec![
                one.code.to_string(),
                length.to_string(),
                distinct.to_string(),
                variants.n_strings.to_string(),
                mean(variants),
                variants.max.to_string(),
            ]);
        }
    }
    table.to_csv()
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
