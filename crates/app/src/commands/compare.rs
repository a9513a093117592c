//! `tejun compare`: finds sequences that one player, era or collection plays more often than others.

use std::path::PathBuf;

use anyhow::bail;
use tejun_knowledge::codes::Code;
use tejun_knowledge::corpus::{GameTable, Selection};
use tejun_knowledge::sequences::{Baseline, CompareOptions, ComparedSequence, GameText, TextOptions, compare};

use crate::args::{OutputArgs, Scope, TableFormat};
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::load_table;
use crate::inputs::open_games;
use crate::reports::mine::sequence_diagram;
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// Find sequences that occur more often in some games than in others
///
/// Compares the selected games of a collection with its other games or, with --with, two
/// collections. The likelihood ratio G2 measures how significant the difference is. The false
/// discovery rate takes the number of tested sequences into account: it is the expected share of random
/// differences among the sequences up to this row.
///
/// Example: tejun compare games.parquet --player "Go Seigen"
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Collections, game files, folders, archives or single games (FILE#3)
    #[arg(required = true, value_name = "GAMES")]
    collection: Vec<PathBuf>,
    /// Compare with these games (may be repeated); --player, --black and --white then apply to the first games only
    #[arg(long, value_name = "GAMES")]
    with: Vec<PathBuf>,
    /// Which part of each game to search: the whole move order, each local fight, or fights that begin in a corner
    #[arg(long, value_name = "TEXT", value_enum, default_value_t = Scope::Local)]
    text: Scope,
    /// Minimum number of moves per sequence
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    min_length: u32,
    /// Minimum number of times a sequence was played in the selected games
    #[arg(long, value_name = "N", default_value_t = 5)]
    min_count: usize,
    /// Maximum false discovery rate of the listed sequences
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    max_false_discovery: f64,
    /// Number of sequences to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Number of sequences to draw as diagrams below the table
    #[arg(long, value_name = "N", default_value_t = 1)]
    diagrams: usize,
    #[command(flatten)]
    output: OutputArgs<TableFormat>,
    #[command(flatten)]
    filters: Filters,
}

/// Compares and prints.
///
/// # Errors
/// If a collection cannot be read, or there is nothing to compare with.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let inputs = args.collection.iter().chain(&args.with).map(PathBuf::as_path);
    args.output.check(inputs, globals)?;
    let open = open_games(&args.collection, globals)?;
    let Some(here) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let is_other = !args.with.is_empty();
    let there = match &args.with[..] {
        with @ [_, ..] => {
            let other = open_games(with, globals)?;
            let filters = args.filters.without_players();
            let Some(table) = load_table(&other.collection, &filters, globals)? else { return Ok(Found::Nothing) };
            table
        }
        [] => {
            let near_duplicates = args.filters.selection_without_copies()?.near_duplicates;
            let all = Selection { near_duplicates, ..Selection::default() };
            let all = GameTable::load(&open.collection, &all, here.size())?;
            if all.n_games() == here.n_games() {
                bail!("all games are selected; use filters such as --player, or give another collection with --with");
            }
            all
        }
    };
    let n_threads = globals.n_threads();
    let text_options = TextOptions { size: here.size(), code: Code::Relative, scope: args.text.into() };
    let text = GameText::build(&here, text_options, n_threads)?;
    let other = GameText::build(&there, text_options, n_threads)?;
    let baseline = if is_other { Baseline::Collection(&other) } else { Baseline::Rest(&other) };
    let options = CompareOptions {
        min_length: args.min_length,
        min_count: args.min_count,
        max_false_discovery: args.max_false_discovery,
        top: args.top,
        n_threads,
    };
    let found = compare((&text, &here), &baseline, &options);
    let n_there = if is_other { there.n_games() } else { there.n_games() - here.n_games() };
    let list = List { found, n_games: [here.n_games(), n_there] };
    let is_csv = args.output.format() == TableFormat::Csv;
    let output = if is_csv { list.table(&here).to_csv() } else { list.to_text(&here, args.diagrams) };
    args.output.write(output, globals)?;
    if list.found.is_empty() {
        globals.status("No sequence is played significantly more often; try a lower --min-count, more games, or --max-false-discovery 1 to see all candidates.");
    }
    Ok(Found::from(!list.found.is_empty()))
}

/// What the columns mean.
const LEGEND: &str = "
here: how often it was played in the selected games; there: in the games that they are compared with
G2: how strong the evidence for a difference is (a likelihood ratio)
false discovery: expected share of random differences among this row and the rows above it
";

/// The sequences found, and the number of games on each side.
struct List {
    found: Vec<ComparedSequence>,
    n_games: [usize; 2],
}

impl List {
    fn table(&self, table: &GameTable) -> Table {
        let mut rows = Table::new(&[
            ("rank", Align::Right),
            ("here", Align::Right),
            ("there", Align::Right),
            ("here per 1000 games", Align::Right),
            ("there per 1000", Align::Right),
            ("G2", Align::Right),
            ("false discovery", Align::Right),
            ("sequence", Align::Left),
        ]);
        for (one, rank) in self.found.iter().zip(1..) {
            let counts = [one.n_here, one.n_there];
            let rate = |i: usize| format!("{:.1}", 1000.0 * counts[i] as f64 / self.n_games[i].max(1) as f64);
            let names: Vec<String> =
                one.sequence.moves.iter().filter_map(|m| m.point).map(|point| point.name(table.size())).collect();
            rows.push(vec![
                rank.to_string(),
                counts[0].to_string(),
                counts[1].to_string(),
                rate(0),
                rate(1),
                format!("{:.1}", one.sequence.ranked.score),
                format!("{:.1e}", one.false_discovery),
                names.join(" "),
            ]);
        }
        rows
    }

    fn to_text(&self, table: &GameTable, n_diagrams: usize) -> String {
        let mut text = format!(
            "{} here, {} there\n\n{}",
            count(self.n_games[0], "game"),
            self.n_games[1],
            self.table(table).to_text()
        );
        if !self.found.is_empty() {
            text.push_str(LEGEND);
        }
        for (one, rank) in self.found.iter().zip(1..).take(n_diagrams) {
            text.push_str(&format!("\n{rank}\n{}", sequence_diagram(&one.sequence, table.size()).to_text()));
        }
        text
    }
}
