//! `tejun predict`: shows the moves that a model expects.

use anyhow::bail;
use serde_json::json;
use tejun_games::go::{Color, Point};
use tejun_knowledge::predictor::Prediction;

use crate::args::{DataFormat, OutputArgs};
use crate::commands::{Found, Globals};
use crate::inputs::open_game;
use crate::models::ModelArgs;
use crate::reports::diagram::{Diagram, Numbering};
use crate::reports::table::{Align, Table};
use crate::reports::writing::rounded;
use crate::terminal::count;

/// Show which moves a model expects in a game
///
/// GAME is a file, FILE#3 for its third game, or COLLECTION#17 for game 17, counting from 0.
///
/// Example: tejun predict game.sgf --move 50
/// Example: tejun predict game.sgf --model games.grammar
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Game: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17, counting from 0); - for stdin
    game: String,
    #[command(flatten)]
    model: ModelArgs,
    /// Move number to predict [default: the next move]
    #[arg(long = "move", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    move_number: Option<u32>,
    /// Number of moves to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    output: OutputArgs<DataFormat>,
}

/// Predicts and prints.
///
/// # Errors
/// If the game, move or model does not exist.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let model = args.model.open(globals)?;
    let record = open_game(&args.game)?;
    model.check_size(record.size, &args.game)?;
    let n_moves = record.moves.len();
    let index = args.move_number.map_or(n_moves, |number| number as usize - 1);
    if index > n_moves {
        bail!("--move {}: the game has only {}", index + 1, count(n_moves, "move"));
    }
    let answer = Prediction::new(&mut *model.predictor(), &record, index);
    let text = match args.output.format() {
        DataFormat::Csv => PredictionReport(&answer).table(args.top).to_csv(),
        DataFormat::Json => format!("{:#}\n", PredictionReport(&answer).to_json(args.top)),
        DataFormat::Table => PredictionReport(&answer).to_text(args.top),
    };
    args.output.write(text, globals)?;
    Ok(Found::from(!answer.moves.is_empty()))
}

/// A prediction as a report.
struct PredictionReport<'p>(&'p Prediction<'p>);

impl PredictionReport<'_> {
    fn name(&self, point: Point) -> String {
        point.name(self.0.record.size)
    }

    fn table(&self, top: usize) -> Table {
        let mut table = Table::new(&[
            ("rank", Align::Right),
            ("move", Align::Left),
            ("probability", Align::Right),
            ("played", Align::Left),
        ]);
        let played = self.0.record.moves.get(self.0.index).and_then(|m| m.point);
        for (i, (point, p)) in self.0.moves.iter().take(top).enumerate() {
            let mark = if played == Some(*point) { "played" } else { "" };
            table.push(vec![(i + 1).to_string(), self.name(*point), format!("{:.2}%", 100.0 * p), mark.into()]);
        }
        table
    }

    fn to_text(&self, top: usize) -> String {
        let side = if self.0.color == Color::Black { "Black" } else { "White" };
        let mut text = format!("Move {}, {side} to play\n", self.0.index + 1);
        if let Some((rank, p)) = self.0.played {
            let point = self.0.record.moves[self.0.index].point.map_or(String::new(), |p| self.name(p));
            text.push_str(&format!("played {point}: probability {:.2}%, rank {}\n", 100.0 * p, rank.n_better + 1));
        }
        let mut record = self.0.record.clone();
        record.moves.truncate(self.0.index);
        let mut diagram = Diagram::of_game(&record, Numbering::none());
        for (letter, (point, _)) in ('A'..='Z').zip(self.0.moves.iter().take(top)) {
            diagram = diagram.with_label(*point, &letter.to_string());
        }
        text.push_str(&format!("\n{}\n{}", diagram.to_text(), self.table(top).to_text()));
        text
    }

    fn to_json(&self, top: usize) -> serde_json::Value {
        let moves = self.0.moves.iter().take(top);
        let moves = moves.map(|(point, p)| json!({ "move": self.name(*point), "probability": rounded(*p, 6) }));
        json!({
            "move": self.0.index + 1,
            "color": self.0.color.letter().to_string(),
            "played": self.0.record.moves.get(self.0.index).and_then(|m| m.point).map(|p| self.name(p)),
            "played_probability": self.0.played.map(|(_, p)| rounded(p, 6)),
            "expected": moves.collect::<Vec<_>>(),
        })
    }
}
