//! `tejun profile`: shows how usual a game is, move by move.

use std::path::{Path, PathBuf};

use anyhow::bail;
use serde_json::json;
use tejun_games::GameRecord;
use tejun_knowledge::sequences::{GameProfile, KnownSpan, Measure, Novelty, TextOptions, TextScope, profile_of};

use crate::args::{CurveFormat, GamesArgs, MeasureName, OutputArgs, StringCode, measure_of};
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::{IndexFile, load_table};
use crate::inputs::open_game;
use crate::reports::plot::{Plot, Scale};
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// Show where a game follows known sequences and where it leaves them
///
/// For every move, shows how often the last few moves were played in the collection, in this order
/// and anywhere on the board. A known sequence lies between a steep rise and a steep fall of the
/// curve. Also names the first move that was never played after all the moves before it.
///
/// Example: tejun profile game.sgf games.parquet --format svg -o profile.svg
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Game: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17, counting from 0); - for stdin
    game: String,
    #[command(flatten)]
    games: GamesArgs,
    /// Window size in moves
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..))]
    window: u32,
    /// Factor by which the frequency rises or falls at the ends of a sequence [default: 6]
    #[arg(long, value_name = "FACTOR")]
    theta: Option<f64>,
    /// Encoding of moves
    #[arg(long, value_name = "CODE", value_enum, default_value_t = StringCode::Relative)]
    code: StringCode,
    #[command(flatten)]
    output: OutputArgs<CurveFormat>,
    #[command(flatten)]
    index: IndexFile,
    #[command(flatten)]
    filters: Filters,
}

/// Compares the game with the collection.
///
/// # Errors
/// If either cannot be read, or their board sizes differ.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let file = args.game.rsplit_once('#').map_or(args.game.as_str(), |(file, _)| file);
    let inputs =
        [Path::new(&args.game), Path::new(file)].into_iter().chain(args.games.paths().iter().map(PathBuf::as_path));
    args.output.check(inputs.chain(args.index.path()), globals)?;
    let record = open_game(&args.game)?;
    let Measure::Profile { window, theta } = measure_of(MeasureName::Sfp, &[args.window], args.theta)? else {
        bail!("sfp must be the profile measure");
    };
    let open = args.games.open(globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    if record.size != table.size() {
        let (size, other) = (record.size, table.size());
        bail!("{}: the game is on {size}x{size}, the collection is on {other}x{other}; use --size {size}", args.game);
    }
    let options = TextOptions { size: table.size(), code: args.code.into(), scope: TextScope::Whole };
    let text = args.index.text(&table, options, globals)?;
    let profile = profile_of(&text, &record, window, theta);
    if profile.n_copies > 0 {
        globals.status("The collection contains this game; that copy is not counted.");
    }
    let output = match args.output.format() {
        CurveFormat::Csv => rows(&record, &profile).to_csv(),
        CurveFormat::Json => format!("{:#}\n", to_json(&record, &profile)),
        CurveFormat::Svg => to_svg(&profile, window),
        CurveFormat::Table => to_text(&record, &profile),
    };
    args.output.write(output, globals)?;
    Ok(Found::Something)
}

fn point_name(record: &GameRecord, index: usize) -> String {
    record.moves[index].point.map_or("pass".into(), |point| point.name(record.size))
}

/// A sentence about where the game leaves the known games.
fn novelty_text(record: &GameRecord, profile: &GameProfile) -> String {
    let moves = |n: usize| if n == 1 { "Move 1 was".to_string() } else { format!("Moves 1 to {n} were") };
    match profile.novelty {
        Novelty::Unknown { n_known: 0 } => {
            "It is unknown where the game becomes new, because it starts with stones on the board or a pass.".into()
        }
        Novelty::Unknown { n_known } => format!(
            "{} played before; move {} is a pass or a second move in a row by one side; later moves are not compared.",
            moves(n_known),
            n_known + 1
        ),
        Novelty::None { n_alike } => {
            format!("{} played before, in {}.", moves(record.moves.len()), count(n_alike, "game"))
        }
        Novelty::New { n_known: 0, .. } => format!("Move 1, {}, is new.", point_name(record, 0)),
        Novelty::New { n_known, n_alike } => format!(
            "{} played before, in {}. Move {}, {}, is new.",
            moves(n_known),
            count(n_alike, "game"),
            n_known + 1,
            point_name(record, n_known)
        ),
    }
}

/// The number of the first new move, if there is one.
fn new_move(profile: &GameProfile) -> Option<usize> {
    match profile.novelty {
        Novelty::New { n_known, .. } => Some(n_known + 1),
        Novelty::None { .. } | Novelty::Unknown { .. } => None,
    }
}

fn to_text(record: &GameRecord, profile: &GameProfile) -> String {
    let mut text = format!("{}\n", novelty_text(record, profile));
    let mut sequences = Table::new(&[("sequence", Align::Left), ("most played", Align::Right), ("moves", Align::Left)]);
    for KnownSpan { moves, most_played } in &profile.stretches {
        let names: Vec<String> = moves.clone().map(|index| point_name(record, index)).collect();
        sequences.push(vec![format!("{}-{}", moves.start + 1, moves.end), most_played.to_string(), names.join(" ")]);
    }
    if !profile.stretches.is_empty() {
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
        let sequence = profile.stretches.iter().rposition(|stretch| stretch.moves.contains(&index));
        table.push(vec![
            (index + 1).to_string(),
            m.color.letter().to_string(),
            point_name(record, index),
            profile.counts[index].map_or(String::new(), |count| count.to_string()),
            sequence.map_or(String::new(), |number| (number + 1).to_string()),
            if new_move(profile) == Some(index + 1) { "new".into() } else { String::new() },
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
    let sequences = profile.stretches.iter().map(|KnownSpan { moves, most_played }| {
        json!({ "first": moves.start + 1, "last": moves.end, "most_played": most_played })
    });
    json!({
        "novelty": novelty_text(record, profile),
        "new_move": new_move(profile),
        "sequences": sequences.collect::<Vec<_>>(),
        "moves": moves.collect::<Vec<_>>(),
    })
}

fn to_svg(profile: &GameProfile, window: u32) -> String {
    let curve = profile.counts.iter().enumerate().filter_map(|(i, count)| Some(((i + 1) as f64, (*count)? as f64)));
    let title = format!("How often the last {window} moves were played");
    let mut plot = Plot::new(&title)
        .with_axes("move", "times played")
        .with_scale(Scale::Logarithmic)
        .with_line("times played", curve.collect());
    for KnownSpan { moves, .. } in &profile.stretches {
        let label = format!("{}-{}", moves.start + 1, moves.end);
        plot = plot.with_span((moves.start + 1) as f64, moves.end as f64, &label);
    }
    if let Some(number) = new_move(profile) {
        plot = plot.with_mark(number as f64, &format!("new: {number}"));
    }
    plot.to_svg()
}
