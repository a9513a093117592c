//! `tejun stats`: shows statistics of a collection.

use std::path::PathBuf;

use serde_json::json;
use tejun_files::IfExists;
use tejun_knowledge::corpus::{CollectionStats, Counted, collection_stats, select};
use tejun_knowledge::statistics::Share;

use crate::args::{DataFormat, GamesArgs, OutputArgs};
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::explain_empty;
use crate::reports::mine::percent_with_interval;
use crate::reports::table::{Align, Table};
use crate::reports::writing::rounded;
use tejun_knowledge::corpus::Collection;

/// Show statistics of a collection
///
/// Example: tejun stats games.parquet --from 1990 --to 1999
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    output: OutputArgs<DataFormat>,
    /// Number of entries per list
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
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
    let folder = tempfile::tempdir()?;
    let chosen = folder.path().join("games.parquet");
    let selection = args.filters.selection()?;
    if select(&open.collection, &selection, &chosen, IfExists::Refuse)? == 0 {
        explain_empty(&open.collection, &selection, globals)?;
    }
    let stats = collection_stats(&Collection::open(&chosen)?)?;
    let text = match args.output.format() {
        DataFormat::Csv => rows(&stats, args.top).to_csv(),
        DataFormat::Json => format!("{:#}\n", to_json(&stats, args.top)),
        DataFormat::Table => to_text(&stats, args.top),
    };
    args.output.write(text, globals)?;
    Ok(Found::from(stats.n_games > 0))
}

fn lists(stats: &CollectionStats) -> [(&'static str, &[Counted]); 7] {
    [
        ("board", &stats.sizes),
        ("handicap", &stats.handicaps),
        ("komi", &stats.komi),
        ("rules", &stats.rules),
        ("ending", &stats.endings),
        ("decade", &stats.decades),
        ("event", &stats.events),
    ]
}

fn numbers(stats: &CollectionStats) -> Vec<(&'static str, String)> {
    let mean = stats.n_moves as f64 / stats.n_games.max(1) as f64;
    let [shortest, median, longest] = stats.lengths;
    vec![
        ("games", stats.n_games.to_string()),
        ("moves", stats.n_moves.to_string()),
        ("passes", stats.n_passes.to_string()),
        ("moves per game", format!("mean {mean:.1}, median {median}, {shortest} to {longest}")),
        ("years", stats.years.map_or("-".into(), |(first, last)| format!("{first} to {last}"))),
        ("black wins", percent_with_interval(stats.black_wins)),
        ("near duplicates", stats.n_near_duplicates.to_string()),
        ("repaired", stats.n_repaired.to_string()),
    ]
}

fn to_text(stats: &CollectionStats, top: usize) -> String {
    let mut table = Table::new(&[("collection", Align::Left), ("", Align::Left)]);
    numbers(stats).into_iter().for_each(|(name, value)| table.push(vec![name.into(), value]));
    let mut text = table.to_text();
    for (name, list) in lists(stats) {
        // A list that contains only "(unknown)" is not informative.
        if list.iter().all(|entry| entry.value.is_empty()) {
            continue;
        }
        let shown = if name == "decade" { list.len() } else { top };
        let mut table = Table::new(&[(name, Align::Left), ("games", Align::Right), ("share", Align::Right)]);
        for entry in list.iter().take(shown) {
            let value = if entry.value.is_empty() { "(unknown)".into() } else { entry.value.clone() };
            let share = 100.0 * entry.n_games as f64 / stats.n_games as f64;
            table.push(vec![value, entry.n_games.to_string(), format!("{share:.1}%")]);
        }
        text.push('\n');
        text.push_str(&table.to_text());
        if list.len() > shown {
            text.push_str(&format!("and {} more\n", list.len() - shown));
        }
    }
    let mut table = Table::new(&[("player", Align::Left), ("games", Align::Right), ("won", Align::Left)]);
    for player in stats.players.iter().take(top) {
        table.push(vec![player.name.clone(), player.n_games.to_string(), percent_with_interval(player.wins)]);
    }
    if !stats.players.is_empty() {
        text.push('\n');
        text.push_str(&table.to_text());
        if stats.players.len() > top {
            text.push_str(&format!("and {} more\n", stats.players.len() - top));
        }
    }
    text
}

/// All numbers as rows of `what, value, games`.
fn rows(stats: &CollectionStats, top: usize) -> Table {
    let mut table = Table::new(&[("what", Align::Left), ("value", Align::Left), ("games", Align::Right)]);
    let [shortest, median, longest] = stats.lengths;
    let (low, high) = stats.black_wins.interval();
    let years = stats.years.map(|(first, last)| [first.to_string(), last.to_string()]).unwrap_or_default();
    let numbers = [
        ("games", stats.n_games.to_string()),
        ("moves", stats.n_moves.to_string()),
        ("passes", stats.n_passes.to_string()),
        ("shortest game", shortest.to_string()),
        ("median game", median.to_string()),
        ("longest game", longest.to_string()),
        ("first year", years[0].clone()),
        ("last year", years[1].clone()),
        ("near duplicates", stats.n_near_duplicates.to_string()),
        ("repaired", stats.n_repaired.to_string()),
        ("black wins, low end", format!("{low:.4}")),
        ("black wins, high end", format!("{high:.4}")),
    ];
    numbers.into_iter().for_each(|(name, value)| table.push(vec![name.into(), value, String::new()]));
    let share = format!("{:.4}", stats.black_wins.value());
    table.push(vec!["black wins".into(), share, stats.black_wins.n.to_string()]);
    for (name, list) in lists(stats) {
        for entry in list.iter().take(top) {
            table.push(vec![name.into(), entry.value.clone(), entry.n_games.to_string()]);
        }
    }
    for player in stats.players.iter().take(top) {
        table.push(vec!["player".into(), player.name.clone(), player.n_games.to_string()]);
    }
    table
}

fn to_json(stats: &CollectionStats, top: usize) -> serde_json::Value {
    let share = |share: Share| {
        let (low, high) = share.interval();
        json!({ "n": share.n, "n_yes": share.n_yes, "low": rounded(low, 6), "high": rounded(high, 6) })
    };
    let mut object = json!({
        "n_games": stats.n_games,
        "n_moves": stats.n_moves,
        "n_passes": stats.n_passes,
        "n_near_duplicates": stats.n_near_duplicates,
        "n_repaired": stats.n_repaired,
        "lengths": { "shortest": stats.lengths[0], "median": stats.lengths[1], "longest": stats.lengths[2] },
        "years": stats.years.map(|(first, last)| [first, last]),
        "black_wins": share(stats.black_wins),
    });
    for (name, list) in lists(stats) {
        let entries = list.iter().take(top).map(|entry| json!({ "value": entry.value, "n_games": entry.n_games }));
        object[name] = entries.collect();
    }
    let players = stats.players.iter().take(top);
    object["player"] =
        players.map(|p| json!({ "name": p.name, "n_games": p.n_games, "wins": share(p.wins) })).collect();
    object
}
