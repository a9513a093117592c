//! `tejun show`: shows a game on a board.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tejun_games::GameRecord;
use tejun_games::go::{BoardSize, Point};

use crate::commands::{Found, Globals};
use crate::inputs::open_game;
use crate::output::{check_output, print, write_file};
use crate::reports::diagram::{Diagram, Numbering, Region};
use crate::terminal::{count, visible, visible_lines};

/// Show a game on a board
///
/// GAME is a file, FILE#3 for its third game, or COLLECTION#17 for game 17, counting from 0.
///
/// Example: tejun show game.sgf --move 50 --numbers 31 --svg figure.svg
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Game: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17, counting from 0); - for stdin
    game: String,
    /// Show the position after this move [default: the last move]
    #[arg(long = "move", value_name = "N")]
    move_number: Option<usize>,
    /// Number the moves, starting with this one
    #[arg(long, value_name = "N")]
    numbers: Option<usize>,
    /// Show only a part of the board, given by two corners such as K10:T19
    #[arg(long, value_name = "FROM:TO")]
    region: Option<String>,
    /// Write an SVG picture instead; - for stdout
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Draws the game.
///
/// # Errors
/// If the game, move or region does not exist.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let mut record = open_game(&args.game)?;
    let n_moves = record.moves.len();
    let shown = args.move_number.unwrap_or(n_moves);
    if shown > n_moves {
        bail!("--move {shown}: the game has only {}", count(n_moves, "move"));
    }
    record.moves.truncate(shown);
    let numbering = match args.numbers {
        Some(0) => bail!("--numbers 0: move numbers start at 1"),
        Some(first) => Numbering::after(first - 1),
        None => Numbering::none(),
    };
    let mut diagram = Diagram::of_game(&record, numbering).with_title(&title(&record));
    if let (None, Some(point)) = (args.numbers, record.moves.last().and_then(|m| m.point)) {
        diagram = diagram.with_last_move(point);
    }
    if let Some(corners) = &args.region {
        diagram = diagram.with_region(region(corners, record.size)?);
    }
    match &args.svg {
        Some(path) => {
            let file = args.game.rsplit_once('#').map_or(args.game.as_str(), |(file, _)| file);
            check_output(path, [Path::new(&args.game), Path::new(file)], globals)?;
            write_file(path, diagram.to_svg().as_bytes(), globals)?;
        }
        None => {
            let text = format!("{}\n{}", heading(&record, n_moves), diagram.to_text());
            print(visible_lines(&text).as_bytes())?;
        }
    }
    for note in &record.warnings {
        globals.status(format_args!("{}:{}: {}", args.game, note.place, note.what));
    }
    Ok(Found::Something)
}

fn region(corners: &str, size: BoardSize) -> anyhow::Result<Region> {
    let (from, to) = corners.split_once(':').context("--region: write two corners, such as K10:T19")?;
    let point = |name: &str| Point::parse(name, size).with_context(|| format!("--region {name}"));
    Ok(Region::around(size, &[point(from)?, point(to)?], 0))
}

fn title(record: &GameRecord) -> String {
    let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".into());
    format!("{} - {}", name(&record.header.black), name(&record.header.white))
}

fn heading(record: &GameRecord, n_moves: usize) -> String {
    let header = &record.header;
    let player = |name: &Option<String>, rank: &Option<String>| match (name, rank) {
        (Some(name), Some(rank)) => format!("{name} {rank}"),
        (Some(name), None) => name.clone(),
        (None, _) => "?".into(),
    };
    let mut lines = vec![format!(
        "{} (Black) against {} (White): {}",
        player(&header.black, &header.black_rank),
        player(&header.white, &header.white_rank),
        header.result
    )];
    let date = header.date.map(|date| date.to_string());
    let komi = header.komi.map(|komi| format!("komi {komi}"));
    let handicap = (header.handicap > 1).then(|| format!("handicap {}", header.handicap));
    let facts = [&header.event, &header.round, &header.place, &date, &komi, &handicap, &header.rules];
    let facts: Vec<&str> = facts.into_iter().flatten().map(String::as_str).collect();
    if !facts.is_empty() {
        lines.push(facts.join(", "));
    }
    lines.push(format!("After move {} of {n_moves}", record.moves.len()));
    lines.iter().map(|line| visible(line)).collect::<Vec<_>>().join("\n") + "\n"
}
