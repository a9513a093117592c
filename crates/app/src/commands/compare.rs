//! `tejun compare`: what one player, era or collection plays more than others.

use std::path::PathBuf;

use anyhow::bail;
use tejun_knowledge::codes::Code;
use tejun_knowledge::corpus::{GameTable, Selection};
use tejun_knowledge::sequences::{
    Aggregation, Baseline, Characteristic, GameText, Measure, RankOptions, RankedString, Sequence, Tenuki, TextOptions,
    TextScope, characteristic_strings, plays, without_redundant,
};

use crate::commands::filters::Filters;
use crate::commands::texts::load_table;
use crate::commands::{Found, Globals};
use crate::inputs::open_collection;
use crate::output::print;
use crate::reports::sequences::sequence_diagram;
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// Find sequences that occur more often in some games than in others
///
/// Compares the selected games of a collection with its other games or, with --with, two
/// collections. The likelihood ratio G2 measures how significant the difference is: a value above
/// 11 occurs by chance once in a thousand sequences.
///
/// Example: tejun compare games.parquet --player "Go Seigen"
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Collection or game records
    collection: PathBuf,
    /// Compare with this collection; the filters then apply to both collections
    #[arg(long, value_name = "COLLECTION")]
    with: Option<PathBuf>,
    /// Text of the games: whole (as played), local (local fights) or corner (local fights that begin in a corner)
    #[arg(long, value_name = "TEXT", default_value = "local", value_parser = ["whole", "local", "corner"])]
    text: String,
    /// Minimum number of moves per sequence
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    min_length: u32,
    /// Number of sequences to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Number of sequences to draw as diagrams below the table
    #[arg(long, value_name = "N", default_value_t = 1)]
    diagrams: usize,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = ["table", "csv"])]
    format: String,
    #[command(flatten)]
    filters: Filters,
}

/// Strings that are looked at.
const POOL: usize = 100_000;

/// Compares and prints.
///
/// # Errors
/// If a collection can't be read, or there is nothing to compare with.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let open = open_collection(Some(&args.collection), globals)?;
    let Some(here) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let options = TextOptions { size: here.size(), code: Code::Relative, scope: args.text.parse::<TextScope>()? };
    let there = match &args.with {
        Some(with) => {
            let other = open_collection(Some(with), globals)?;
            let Some(table) = load_table(&other.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
            table
        }
        None => {
            let near_duplicates = args.filters.selection_without_copies()?.near_duplicates;
            let all = Selection { near_duplicates, ..Selection::default() };
            let all = GameTable::load(&open.collection, &all, here.size())?;
            if all.n_games() == here.n_games() {
                bail!("all games are selected; use filters such as --player, or give another collection with --with");
            }
            all
        }
    };
    let text = GameText::build(&here, options, globals.n_threads())?;
    let other = GameText::build(&there, options, globals.n_threads())?;
    let others = if args.with.is_some() { Baseline::Collection(&other) } else { Baseline::Rest(&other) };
    let found = best(&args, &text, &others, globals);
    let ranking: Vec<RankedString> = found.iter().map(|one| one.ranked).collect();
    let n_there = if args.with.is_some() { there.n_games() } else { there.n_games() - here.n_games() };
    let list =
        List { plays: plays(&text, &here, &ranking, globals.n_threads()), found, n_games: [here.n_games(), n_there] };
    let output = if args.format == "csv" { list.table(&here).to_csv() } else { list.to_text(&here, args.diagrams) };
    print(output.as_bytes())?;
    Ok(Found::from(!list.found.is_empty()))
}

fn best(args: &Args, text: &GameText, others: &Baseline<'_>, globals: &Globals) -> Vec<Characteristic> {
    let measure = Measure::MultiProfile { windows: vec![args.min_length.min(4)], aggregation: Aggregation::Mean };
    let options = RankOptions {
        min_length: args.min_length,
        top: args.top.saturating_mul(4).max(POOL),
        tenuki: Tenuki::Exclude,
        n_threads: globals.n_threads(),
    };
    let found = characteristic_strings(text, others, &measure.rank(text, options));
    let ranking: Vec<RankedString> = found.iter().map(|one| one.ranked).collect();
    let kept = without_redundant(text, &ranking, args.min_length);
    let is_kept = |one: &&Characteristic| kept.iter().take(args.top).any(|ranked| ranked.string == one.ranked.string);
    found.iter().take(10 * args.top.max(10)).filter(is_kept).copied().collect()
}

/// What was found, and in how many games.
struct List {
    found: Vec<Characteristic>,
    plays: Vec<Sequence>,
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
            ("sequence", Align::Left),
        ]);
        for ((one, play), rank) in self.found.iter().zip(&self.plays).zip(1..) {
            let counts = [one.ranked.string.count(), one.n_there];
            let rate = |i: usize| format!("{:.1}", 1000.0 * counts[i] as f64 / self.n_games[i].max(1) as f64);
            let names: Vec<String> =
                play.moves.iter().filter_map(|m| m.point).map(|point| point.name(table.size())).collect();
            rows.push(vec![
                rank.to_string(),
                counts[0].to_string(),
                counts[1].to_string(),
                rate(0),
                rate(1),
                format!("{:.1}", one.ranked.score),
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
        for (play, rank) in self.plays.iter().zip(1..).take(n_diagrams) {
            text.push_str(&format!("\n{rank}\n{}", sequence_diagram(play, table.size()).to_text()));
        }
        text
    }
}
