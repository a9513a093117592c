//! `tejun predict`: the moves that a model expects.

use std::path::PathBuf;

use anyhow::bail;
use serde_json::json;
use tejun_games::GameRecord;
use tejun_games::go::{Color, Point};
use tejun_knowledge::predictor::{MoveRank, Predictor, Situation};

use crate::commands::models::Model;
use crate::commands::{Found, Globals};
use crate::inputs::open_game;
use crate::output::print;
use crate::reports::diagram::{Diagram, Numbering};
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// Show which moves a model expects in a game
///
/// GAME is a file, FILE#3 for its third game, or COLLECTION#17 for game 17.
///
/// Example: tejun predict game.sgf --model games.grammar --move 50
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Game: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17); - for stdin
    game: String,
    /// Model folder
    #[arg(long, value_name = "MODEL")]
    model: PathBuf,
    /// Move number to predict [default: the next move]
    #[arg(long = "move", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    move_number: Option<u32>,
    /// Number of moves to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = ["table", "csv", "json"])]
    format: String,
}

/// Predicts and prints.
///
/// # Errors
/// If there is no such game, move or model.
pub fn run(args: Args, _globals: &Globals) -> anyhow::Result<Found> {
    let model = Model::open(&args.model)?;
    let record = open_game(&args.game)?;
    model.check_size(record.size, &args.game)?;
    let n_moves = record.moves.len();
    let index = args.move_number.map_or(n_moves, |number| number as usize - 1);
    if index > n_moves {
        bail!("--move {}: the game has only {}", index + 1, count(n_moves, "move"));
    }
    let answer = Answer::new(&mut *model.predictor(), &record, index);
    let text = match args.format.as_str() {
        "csv" => answer.table(args.top).to_csv(),
        "json" => format!("{:#}\n", answer.to_json(args.top)),
        _ => answer.to_text(args.top),
    };
    print(text.as_bytes())?;
    Ok(Found::from(!answer.moves.is_empty()))
}

/// What is expected at a move.
pub struct Answer<'r> {
    record: &'r GameRecord,
    index: usize,
    color: Color,
    /// The legal points with their probabilities, the likeliest first.
    pub moves: Vec<(Point, f64)>,
    /// The rank and the probability of what was played, if that was no pass.
    pub played: Option<(MoveRank, f64)>,
}

impl<'r> Answer<'r> {
    /// Asks a predictor for the move with this index.
    pub fn new(predictor: &mut dyn Predictor, record: &'r GameRecord, index: usize) -> Answer<'r> {
        let (start, board) = (record.start_board(), record.board_before(index));
        let moves = &record.moves[..index];
        let next = record.moves.get(index);
        let after_last = moves.last().map_or(Color::Black, |m| m.color.opponent());
        let color = next.map_or(after_last, |m| m.color);
        let point = next.and_then(|m| m.point);
        let legal = Situation::legal_points(&board, color, point);
        let values = predictor.predict(&Situation { start: &start, moves, board: &board, color, legal: &legal });
        let place = point.and_then(|point| legal.iter().position(|&p| p == point));
        let played = place.map(|place| (MoveRank::of(&values, place), values[place]));
        let mut moves: Vec<(Point, f64)> = legal.into_iter().zip(values).collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Answer { record, index, color, moves, played }
    }

    /// The bits of surprise of what was played.
    pub fn bits(&self) -> Option<f64> {
        self.played.map(|(_, p)| -p.max(f64::MIN_POSITIVE).log2())
    }

    fn name(&self, point: Point) -> String {
        point.name(self.record.size)
    }

    fn table(&self, top: usize) -> Table {
        let mut table = Table::new(&[
            ("rank", Align::Right),
            ("move", Align::Left),
            ("probability", Align::Right),
            ("played", Align::Left),
        ]);
        let played = self.record.moves.get(self.index).and_then(|m| m.point);
        for (i, (point, p)) in self.moves.iter().take(top).enumerate() {
            let mark = if played == Some(*point) { "played" } else { "" };
            table.push(vec![(i + 1).to_string(), self.name(*point), format!("{:.2}%", 100.0 * p), mark.into()]);
        }
        table
    }

    fn to_text(&self, top: usize) -> String {
        let side = if self.color == Color::Black { "Black" } else { "White" };
        let mut text = format!("Move {}, {side} to play\n", self.index + 1);
        if let Some((rank, p)) = self.played {
            let point = self.record.moves[self.index].point.map_or(String::new(), |p| self.name(p));
            text.push_str(&format!("played {point}: probability {:.2}%, rank {}\n", 100.0 * p, rank.n_better + 1));
        }
        let mut record = self.record.clone();
        record.moves.truncate(self.index);
        let mut diagram = Diagram::of_game(&record, Numbering::none());
        for (letter, (point, _)) in ('A'..='Z').zip(self.moves.iter().take(top)) {
            diagram = diagram.with_label(*point, &letter.to_string());
        }
        text.push_str(&format!("\n{}\n{}", diagram.to_text(), self.table(top).to_text()));
        text
    }

    fn to_json(&self, top: usize) -> serde_json::Value {
        let moves = self.moves.iter().take(top);
        let moves = moves.map(|(point, p)| json!({ "move": self.name(*point), "probability": p }));
        json!({
            "move": self.index + 1,
            "color": self.color.letter().to_string(),
            "played": self.record.moves.get(self.index).and_then(|m| m.point).map(|p| self.name(p)),
            "played_probability": self.played.map(|(_, p)| p),
            "expected": moves.collect::<Vec<_>>(),
        })
    }
}
