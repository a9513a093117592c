//! `tejun find`: finds where a sequence was played, and what came next.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Context, bail};
use serde_json::json;
use tejun_games::Move;
use tejun_games::go::{BoardSize, Color, Point};
use tejun_games::sgf::write_record;
use tejun_knowledge::codes::Code;
use tejun_knowledge::corpus::{Collection, GameId, GameTable, OpenInput};
use tejun_knowledge::sequences::{Example, FoundLine, TextOptions, TextScope, find_line};
use tejun_knowledge::statistics::Share;

use crate::args::{GamesArgs, OutputArgs};
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::{GameNames, IndexFile, load_table};
use crate::reports::diagram::{Diagram, Numbering, Region};
use crate::reports::mine::{example_json, example_words, percent_with_interval};
use crate::reports::table::{Align, Table};
use crate::reports::writing::rounded;
use crate::terminal::count;

/// Find a sequence, in any orientation and with either color first
///
/// Shows how often the moves were played at these points, in which games, and what was played next,
/// on the board as you gave it. In the whole text the moves follow each other directly; in the
/// local text there may be moves elsewhere in between. With -o FILE.sgf, writes the games.
///
/// Example: tejun find games.parquet --sequence "Q16 R14 O17" --text local
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    games: GamesArgs,
    /// Moves of alternating colors, as Q16 or in SGF letters
    #[arg(long, value_name = "MOVES")]
    sequence: String,
    /// Whether moves elsewhere may come between the moves of the sequence
    #[arg(long, value_name = "TEXT", value_enum, default_value_t = FindScope::Whole)]
    text: FindScope,
    /// Number of next moves and games to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    output: OutputArgs<FindFormat>,
    #[command(flatten)]
    index: IndexFile,
    #[command(flatten)]
    filters: Filters,
}

/// Output formats of the places found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FindFormat {
    /// A diagram, the next moves and some games, for people
    #[value(alias = "txt")]
    Table,
    /// Comma-separated values, one line per place
    Csv,
    /// JSON
    Json,
    /// The games in which the sequence was played
    #[value(alias = "sgfs")]
    Sgf,
}

/// Whether other moves may come between the moves of the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FindScope {
    /// The moves follow each other directly
    Whole,
    /// There may be moves elsewhere in between
    Local,
}

/// Finds and prints.
///
/// # Errors
/// If the collection cannot be read or the sequence is invalid.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    args.output.check(args.games.paths().iter().map(PathBuf::as_path).chain(args.index.path()), globals)?;
    let open = args.games.open(globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let line = parse_line(&args.sequence, table.size())?;
    let scope = match args.text {
        FindScope::Whole => TextScope::Whole,
        FindScope::Local => TextScope::Local,
    };
    let options = TextOptions { size: table.size(), code: Code::Relative, scope };
    let text = args.index.text(&table, options, globals)?;
    let found = find_line(&text, &table, &line);
    let output = match args.output.format() {
        FindFormat::Csv => to_csv(&found, &table),
        FindFormat::Json => format!("{:#}\n", to_json(&found, &table, args.top)),
        FindFormat::Sgf => to_sgf(&found, &open.collection, &table)?,
        FindFormat::Table => to_text(&found, (&open, &table), &line, args.top)?,
    };
    args.output.write(output, globals)?;
    if found.places.is_empty() && args.text == FindScope::Whole && line.len() > 1 {
        globals.status("Use --text local to find the moves with others elsewhere in between.");
    }
    Ok(Found::from(!found.places.is_empty()))
}

fn parse_line(text: &str, size: BoardSize) -> anyhow::Result<Vec<Point>> {
    let moves = text.split([' ', ',', ';', '\t']).filter(|word| !word.is_empty());
    let point = |word: &str| {
        let letters: Option<[u8; 2]> = word.as_bytes().try_into().ok();
        let from_letters = letters.filter(|l| l.iter().all(u8::is_ascii_lowercase)).and_then(Point::from_sgf);
        match from_letters.filter(|&p| size.has(p)) {
            Some(point) => Ok(point),
            None => Point::parse(word, size).with_context(|| format!("--sequence: {word}")),
        }
    };
    let line: Vec<Point> = moves.map(point).collect::<anyhow::Result<_>>()?;
    if line.is_empty() {
        bail!("--sequence: no moves; write them as in \"Q16 R14 O17\"");
    }
    Ok(line)
}

/// The first next moves with their letters; the end of a sequence has no letter.
fn lettered(found: &FoundLine, top: usize) -> Vec<(Option<char>, Option<Point>, usize)> {
    let mut letters = 'A'..='Z';
    let next = found.next.iter().take(top);
    next.map(|&(point, count)| (point.and_then(|_| letters.next()), point, count)).collect()
}

/// The sequence with letters for the next moves.
fn diagram(line: &[Point], found: &FoundLine, size: BoardSize, top: usize) -> Diagram {
    let color = |i: usize| if i.is_multiple_of(2) { Color::Black } else { Color::White };
    let moves: Vec<Move> = line.iter().enumerate().map(|(i, &p)| Move { color: color(i), point: Some(p) }).collect();
    let mut shown = line.to_vec();
    let mut diagram = Diagram::new(size).with_moves(&moves, Numbering::all());
    for (letter, point, _) in lettered(found, top) {
        if let (Some(letter), Some(point)) = (letter, point)
            && !line.contains(&point)
        {
            diagram = diagram.with_label(point, &letter.to_string());
            shown.push(point);
        }
    }
    diagram.with_region(Region::around(size, &shown, 2))
}

fn examples(found: &FoundLine, table: &GameTable, top: usize) -> impl Iterator<Item = Example> {
    let places = &found.places;
    let n = top.min(places.len());
    (0..n).map(move |i| places[i * places.len() / n]).map(|(game, first)| Example::new(table, game, first + 1))
}

fn to_text(
    found: &FoundLine,
    (open, table): (&OpenInput, &GameTable),
    line: &[Point],
    top: usize,
) -> anyhow::Result<String> {
    let n = found.places.len();
    if n == 0 {
        return Ok(format!("never played in {}\n", count(table.n_games(), "game")));
    }
    let mut text = format!(
        "played {} in {} of {}, {} with Black first; the first side wins {}\n\n",
        count(n, "time"),
        found.n_games,
        count(table.n_games(), "game"),
        count(found.n_black_first, "time"),
        percent_with_interval(found.first_side_wins)
    );
    text.push_str(&diagram(line, found, table.size(), top).to_text());
    let mut next =
        Table::new(&[("", Align::Left), ("next", Align::Left), ("played", Align::Right), ("share", Align::Right)]);
    for (letter, point, count) in lettered(found, top) {
        let letter = letter.map_or(String::new(), String::from);
        let name = point.map_or("no move".into(), |point| point.name(table.size()));
        next.push(vec![letter, name, count.to_string(), format!("{:.1}%", 100.0 * count as f64 / n as f64)]);
    }
    text.push('\n');
    text.push_str(&next.to_text());
    if found.next.len() > top {
        text.push_str(&format!("and {} more\n", found.next.len() - top));
    }
    let examples: Vec<Example> = examples(found, table, top).collect();
    let names = GameNames::new(open, examples.iter().map(|example| example.id))?;
    let heading = names.heading("Examples", examples.first().map(|example| example.id));
    text.push_str(&format!("\n{heading}\n"));
    examples.iter().for_each(|example| text.push_str(&format!("{}\n", example_words(example, &names))));
    Ok(text)
}

fn to_csv(found: &FoundLine, table: &GameTable) -> String {
    let columns = ["game", "first_move", "black", "white", "date", "winner"].map(|name| (name, Align::Left));
    let mut rows = Table::new(&columns);
    for &(game, first) in &found.places {
        let Example { id, first_move, players, date } = Example::new(table, game, first + 1);
        let [black, white] = players.map(Option::unwrap_or_default);
        let winner = table.facts(game).winner.map_or(String::new(), |winner| winner.letter().to_string());
        let date = date.map_or(String::new(), |date| date.to_string());
        rows.push(vec![id.0.to_string(), first_move.to_string(), black, white, date, winner]);
    }
    rows.to_csv()
}

/// Each game once, in the order of the collection.
fn to_sgf(found: &FoundLine, collection: &Collection, table: &GameTable) -> anyhow::Result<String> {
    let wanted: HashSet<GameId> = found.places.iter().map(|&(game, _)| table.facts(game).id).collect();
    let mut sgf = String::new();
    for game in collection.games() {
        let game = game?;
        if wanted.contains(&game.id) {
            sgf.push_str(&write_record(&game.record));
        }
    }
    Ok(sgf)
}

fn to_json(found: &FoundLine, table: &GameTable, top: usize) -> serde_json::Value {
    let Share { n_yes, n } = found.first_side_wins;
    let (low, high) = found.first_side_wins.interval();
    let next = found
        .next
        .iter()
        .map(|(point, count)| json!({ "point": point.map(|p| p.name(table.size())), "n_played": count }));
    let games = examples(found, table, top).map(|example| example_json(&example));
    json!({
        "n_played": found.places.len(),
        "n_games": found.n_games,
        "n_black_first": found.n_black_first,
        "first_side_wins": { "n": n, "n_yes": n_yes, "low": rounded(low, 6), "high": rounded(high, 6) },
        "next": next.collect::<Vec<_>>(),
        "examples": games.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_read_in_both_notations() {
        let size = BoardSize::NINETEEN;
        let line = parse_line("Q16, R14;o17", size).expect("a line");
        assert_eq!(line, parse_line("pd qf nc", size).expect("a line"));
        assert!(parse_line("Q16 X99", size).is_err());
        assert!(parse_line(" ,", size).is_err());
    }
}
