//! `tejun recall`: measures how many known sequences each measure finds.

use std::path::PathBuf;

use anyhow::bail;
use tejun_knowledge::codes::Code;
use tejun_knowledge::sequences::{
    Dictionary, KnownLine, MeasureChoice, RankingRecall, Recall, RecallOptions, ranking_recall,
};

use crate::args::{GamesArgs, OutputArgs, Scope, StringCode, TableFormat};
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::load_table;
use crate::progress::StatusProgress;
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// Measure how many known sequences are found
///
/// For each code, text and measure, shows the percentage of a dictionary's lines among the top N
/// strings: of all lines, and of the attested lines, which were played five times or more. P@N is
/// the share of the top N strings that are complete units, judging by the next moves. Strings
/// are ranked as measured (all), with strings alike in the simple code sharing their best rank (adjusted),
/// without redundant strings (distinct), and without redundant strings and weighted by how often
/// play then continues elsewhere (complete).
///
/// Example: tejun recall games.parquet --dictionary joseki.sgf --code relative --min-length 5
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    games: GamesArgs,
    /// Known sequences: one line per sequence in SGF letters, or an SGF tree
    #[arg(long, value_name = "FILE")]
    dictionary: PathBuf,
    /// Encodings of moves
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_enum, default_value = "simple,relative")]
    code: Vec<StringCode>,
    /// Texts of the games
    #[arg(long, value_name = "TEXTS", value_delimiter = ',', value_enum, default_value = "whole,local")]
    text: Vec<Scope>,
    /// Ranks at which to measure recall
    #[arg(
        long,
        value_name = "N,N,...",
        value_delimiter = ',',
        default_value = "1000,2000,3000,4000,5000,6000,7000,8000,9000,10000,15000,20000,25000"
    )]
    ranks: Vec<usize>,
    /// Minimum length of ranked strings in symbols; one row per value
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "2,5",
        value_parser = clap::value_parser!(u32).range(1..))]
    min_length: Vec<u32>,
    /// Also show msfp's maximum and sum over occurrences, and strings with a move elsewhere inside
    #[arg(long)]
    options: bool,
    #[command(flatten)]
    output: OutputArgs<TableFormat>,
    #[command(flatten)]
    filters: Filters,
}

/// Ranks with every code, text and measure, and prints one table.
///
/// # Errors
/// If the collection or the dictionary cannot be read.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let inputs = args.games.paths().iter().chain([&args.dictionary]).map(PathBuf::as_path);
    args.output.check(inputs, globals)?;
    let open = args.games.open(globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let dictionary = Dictionary::read(&args.dictionary, table.size())?;
    let is_long = |line: &KnownLine| line.strings(Code::Relative, table.size()).next().is_some();
    let n_lines = dictionary.lines.iter().filter(|line| is_long(line)).count();
    globals.status(format_args!("{n_lines} of {} long enough", count(dictionary.lines.len(), "line")));
    if n_lines == 0 {
        bail!("{}: every line is too short; a line needs at least six moves (five symbols)", args.dictionary.display());
    }
    let options = RecallOptions {
        codes: args.code.iter().map(|&code| code.into()).collect(),
        scopes: args.text.iter().map(|&text| text.into()).collect(),
        max_rank: args.ranks.iter().copied().max().unwrap_or(0),
        min_lengths: args.min_length.clone(),
        measures: if args.options { MeasureChoice::Variants } else { MeasureChoice::Paper },
        n_threads: globals.n_threads(),
    };
    let rows = ranking_recall(&table, &dictionary, &options, &StatusProgress::new(globals))?;
    let text = if args.output.format() == TableFormat::Csv { to_csv(&args, &rows) } else { to_text(&args, &rows) };
    args.output.write(text, globals)?;
    Ok(Found::Something)
}

const METHOD: [(&str, Align); 5] = [
    ("code", Align::Left),
    ("text", Align::Left),
    ("measure", Align::Left),
    ("strings", Align::Left),
    ("min length", Align::Right),
];

/// The cells that name a way to rank.
fn method(row: &RankingRecall) -> Vec<String> {
    let cells = [row.code.name(), row.scope.name(), &row.measure, row.kept, &row.min_length.to_string()];
    cells.map(str::to_string).into()
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// One table for all lines and one for the attested lines.
fn to_text(args: &Args, rows: &[RankingRecall]) -> String {
    let ranks: Vec<String> = args.ranks.iter().map(|rank| rank.to_string()).collect();
    let mut columns = METHOD.to_vec();
    columns.push(("lines", Align::Right));
    columns.extend(ranks.iter().map(|rank| (rank.as_str(), Align::Right)));
    columns.extend([("P@100", Align::Right), ("P@1000", Align::Right)]);
    let table = |n_lines: fn(&Recall) -> usize, at: fn(&Recall, usize) -> f64| {
        let mut table = Table::new(&columns);
        for row in rows {
            let mut cells = method(row);
            cells.push(n_lines(&row.recall).to_string());
            cells.extend(args.ranks.iter().map(|&rank| percent(at(&row.recall, rank))));
            cells.extend(row.precision.map(|share| share.map_or("-".into(), percent)));
            table.push(cells);
        }
        table.to_text()
    };
    let all = table(|recall| recall.n_lines, Recall::at);
    let attested = table(|recall| recall.n_attested, Recall::attested_at);
    format!(
        "All lines: percent found within each rank\n{all}\nAttested lines: percent found within each rank\n{attested}"
    )
}

fn to_csv(args: &Args, rows: &[RankingRecall]) -> String {
    let mut columns = METHOD.to_vec();
    columns.extend(
        ["rank", "lines", "found", "attested", "attested_found", "p_at_100", "p_at_1000"].map(|c| (c, Align::Left)),
    );
    let mut table = Table::new(&columns);
    for row in rows {
        for &rank in &args.ranks {
            let mut cells = method(row);
            cells.extend([
                rank.to_string(),
                row.recall.n_lines.to_string(),
                format!("{:.6}", row.recall.at(rank)),
                row.recall.n_attested.to_string(),
                format!("{:.6}", row.recall.attested_at(rank)),
            ]);
            cells.extend(row.precision.map(|share| share.map_or(String::new(), |share| format!("{share:.3}"))));
            table.push(cells);
        }
    }
    table.to_csv()
}
