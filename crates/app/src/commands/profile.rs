//! `tejun profile`: how usual a game is, move by move.

use std::path::PathBuf;

use anyhow::bail;
use serde_json::json;
use tejun_games::GameRecord;
use tejun_knowledge::codes::Code;
use tejun_knowledge::sequences::{GameProfile, Kind, Measure, TextOptions, profile_of};

use crate::commands::filters::Filters;
use crate::commands::texts::{IndexFile, load_table, measure_of};
use crate::commands::{Found, Globals};
use crate::inputs::{open_collection, open_game, write_output};
use crate::reports::plot::{Plot, Scale};
use crate::reports::table::{Align, Table};

/// Show where a game follows what is often played, and where it is new
///
/// For every move, how often the last few moves were played in the collection, in this order
/// and anywhere on the board. Where the curve rises and falls steeply lies a set sequence. The
/// first move that was never played after all those before it is named.
///
/// Example: tejun profile game.sgf games.parquet --format svg -o profile.svg
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The game: FILE, FILE#3 for its third game, COLLECTION#17; - for stdin
    game: String,
    /// A collection, or any records [default: the sample games]
    collection: Option<PathBuf>,
    /// Moves of a window
    #[arg(long, value_name = "N", default_value_t = 6)]
    window: u32,
    /// Factor of a rise or fall that bounds a sequence [default: 6]
    #[arg(long, value_name = "FACTOR")]
    theta: Option<f64>,
    /// How moves are written
    #[arg(long, value_name = "CODE", default_value = "er", value_parser = ["es", "er"])]
    code: String,
    /// What to make of it; svg is the curve
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = ["table", "csv", "json", "svg"])]
    format: String,
    /// Where to write [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    index: IndexFile,
    #[command(flatten)]
    filters: Filters,
}

/// Compares the game with the collection.
///
/// # Errors
/// If either can't be read, or they are of different sizes.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let record = open_game(&args.game)?;
    let Measure::Profile { window, theta } = measure_of("sfp", &[args.window], args.theta)? else {
        bail!("sfp is the measure with a profile");
    };
    let open = open_collection(args.collection.as_deref(), globals)?;
    let table = load_table(&open.collection, &args.filters, globals)?;
    if record.size != table.size() {
        let (size, other) = (record.size, table.size());
        bail!("{}: the game is on {size}x{size}, the collection on {other}x{other}; give --size {size}", args.game);
    }
    let options = TextOptions { size: table.size(), code: args.code.parse::<Code>()?, kind: Kind::Whole };
    let text = args.index.text(&table, options, globals)?;
    let profile = profile_of(&text, &record, window, theta);
    if profile.n_copies > 0 {
        globals.tell("The game itself is in the collection; it is not counted.");
    }
    let output = match args.format.as_str() {
        "csv" => rows(&record, &profile).to_csv(),
        "json" => format!("{:#}\n", to_json(&record, &profile)),
        "svg" => to_svg(&record, &profile, window),
        _ => to_text(&record, &profile),
    };
    write_output(args.output.as_deref(), output.as_bytes())?;
    Ok(Found::Something)
}

fn point_name(record: &GameRecord, index: usize) -> String {
    record.moves[index].point.map_or("pass".into(), |point| point.name(record.size))
}

/// Where the game leaves what was played before, in a sentence.
fn novelty(record: &GameRecord, profile: &GameProfile) -> String {
    let GameProfile { n_known, n_alike, .. } = *profile;
    let games = |n: usize| if n == 1 { "1 game".to_string() } else { format!("{n} games") };
    match record.moves.get(n_known) {
        _ if record.moves.is_empty() => "The game has no moves.".into(),
        None => format!("All {n_known} moves were played before, in {}.", games(n_alike)),
        Some(_) if n_known == 0 => format!("The first move, {}, was never played before.", point_name(record, 0)),
        Some(_) => format!(
            "Moves 1 to {n_known} were played before, in {}. Move {}, {}, is new.",
            games(n_alike),
            n_known + 1,
            point_name(record, n_known)
        ),
    }
}

/// The number of the first new move, if there is one.
fn novelty_number(record: &GameRecord, profile: &GameProfile) -> Option<usize> {
    (profile.n_known < record.moves.len()).then_some(profile.n_known + 1)
}

fn to_text(record: &GameRecord, profile: &GameProfile) -> String {
    let mut text = format!("{}\n", novelty(record, profile));
    let mut sequences = Table::new(&[("sequence", Align::Left), ("most played", Align::Right), ("moves", Align::Left)]);
    for mountain in &profile.mountains {
        let most = profile.counts[mountain.clone()].iter().flatten().max().copied().unwrap_or(0);
        let moves: Vec<String> = mountain.clone().map(|index| point_name(record, index)).collect();
        let span = format!("{}-{}", mountain.start + 1, mountain.end);
        sequences.push(vec![span, most.to_string(), moves.join(" ")]);
    }
    if !profile.mountains.is_empty() {
        text.push('\n');
        text.push_str(&sequences.to_text());
    }
    text.push('\n');
    text.push_str(&rows(record, profile).to_text());
    text
}

fn rows(record: &GameRecord, profile: &GameProfile) -> Table {
    let mut table = Table::new(&[
        ("move", Align::Right),
        ("color", Align::Left),
        ("point", Align::Left),
        ("played", Align::Right),
        ("sequence", Align::Right),
        ("new", Align::Left),
    ]);
    for (index, m) in record.moves.iter().enumerate() {
        let sequence = profile.mountains.iter().rposition(|mountain| mountain.contains(&index));
        table.push(vec![
            (index + 1).to_string(),
            m.color.letter().to_string(),
            point_name(record, index),
            profile.counts[index].map_or(String::new(), |count| count.to_string()),
            sequence.map_or(String::new(), |number| (number + 1).to_string()),
            if novelty_number(record, profile) == Some(index + 1) { "new".into() } else { String::new() },
        ]);
    }
    table
}

fn to_json(record: &GameRecord, profile: &GameProfile) -> serde_json::Value {
    let moves = record.moves.iter().enumerate().map(|(index, m)| {
        json!({
            "move": index + 1,
            "color": m.color.letter().to_string(),
            "point": m.point.map(|point| point.name(record.size)),
            "n_played": profile.counts[index],
        })
    });
    let sequences =
        profile.mountains.iter().map(|mountain| json!({ "first": mountain.start + 1, "last": mountain.end }));
    json!({
        "n_known": profile.n_known,
        "n_alike": profile.n_alike,
        "new_move": novelty_number(record, profile),
        "sequences": sequences.collect::<Vec<_>>(),
        "moves": moves.collect::<Vec<_>>(),
    })
}

fn to_svg(record: &GameRecord, profile: &GameProfile, window: u32) -> String {
    let curve = profile.counts.iter().enumerate().filter_map(|(i, count)| Some(((i + 1) as f64, (*count)? as f64)));
    let title = format!("How often the last {window} moves were played");
    let mut plot = Plot::new(&title)
        .with_axes("move", "times played")
        .with_scale(Scale::Logarithmic)
        .with_line("times played", curve.collect());
    for mountain in &profile.mountains {
        let label = format!("{}-{}", mountain.start + 1, mountain.end);
        plot = plot.with_span((mountain.start + 1) as f64, mountain.end as f64, &label);
    }
    if let Some(number) = novelty_number(record, profile) {
        plot = plot.with_mark(number as f64, &format!("new: {number}"));
    }
    plot.to_svg()
}
