//! `tejun surprise`: shows how unexpected each move of a game is.

use std::path::Path;

use serde_json::json;
use tejun_knowledge::predictor::Prediction;

use crate::args::{CurveFormat, OutputArgs};
use crate::commands::{Found, Globals};
use crate::inputs::open_game;
use crate::models::ModelArgs;
use crate::reports::plot::Plot;
use crate::reports::table::{Align, Table};
use crate::reports::writing::rounded;

/// Show how unexpected each move of a game is, in bits
///
/// A move with a probability of 50% has one bit; a move with a probability of 0.1% has ten bits.
///
/// Example: tejun surprise game.sgf -o surprise.svg
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Game: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17, counting from 0); - for stdin
    game: String,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    output: OutputArgs<CurveFormat>,
}

/// Predicts every move and prints its surprise.
///
/// # Errors
/// If the game or the model does not exist.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let file = args.game.rsplit_once('#').map_or(args.game.as_str(), |(file, _)| file);
    let inputs = [Path::new(&args.game), Path::new(file)].into_iter().chain(args.model.path());
    args.output.check(inputs, globals)?;
    let model = args.model.open(globals)?;
    let record = open_game(&args.game)?;
    model.check_size(record.size, &args.game)?;
    let predictions = Prediction::of_all_moves(&mut *model.predictor(), &record);
    let text = match args.output.format() {
        CurveFormat::Table => table(&predictions).to_text(),
        CurveFormat::Csv => table(&predictions).to_csv(),
        CurveFormat::Json => format!("{:#}\n", to_json(&predictions)),
        CurveFormat::Svg => to_svg(&predictions),
    };
    args.output.write(text, globals)?;
    Ok(Found::from(!predictions.is_empty()))
}

fn played_point(prediction: &Prediction<'_>) -> String {
    let played = prediction.record.moves[prediction.index];
    played.point.map_or("pass".into(), |point| point.name(prediction.record.size))
}

fn expected_point(prediction: &Prediction<'_>) -> Option<String> {
    prediction.moves.first().map(|(point, _)| point.name(prediction.record.size))
}

fn table(predictions: &[Prediction<'_>]) -> Table {
    let mut table = Table::new(&[
        ("move", Align::Right),
        ("color", Align::Left),
        ("point", Align::Left),
        ("bits", Align::Right),
        ("rank", Align::Right),
        ("expected", Align::Left),
    ]);
    for prediction in predictions {
        table.push(vec![
            (prediction.index + 1).to_string(),
            prediction.color.letter().to_string(),
            played_point(prediction),
            prediction.bits().map_or(String::new(), |bits| format!("{bits:.2}")),
            prediction.played.map_or(String::new(), |(rank, _)| (rank.n_better + 1).to_string()),
            expected_point(prediction).unwrap_or_default(),
        ]);
    }
    table
}

fn to_json(predictions: &[Prediction<'_>]) -> serde_json::Value {
    let moves = predictions.iter().map(|prediction| {
        json!({
            "move": prediction.index + 1,
            "color": prediction.color.letter().to_string(),
            "point": played_point(prediction),
            "bits": prediction.bits().map(|bits| rounded(bits, 3)),
            "rank": prediction.played.map(|(rank, _)| rank.n_better + 1),
            "expected": expected_point(prediction),
        })
    });
    moves.collect::<Vec<_>>().into()
}

fn to_svg(predictions: &[Prediction<'_>]) -> String {
    let bits = predictions.iter().filter_map(|p| Some(((p.index + 1) as f64, p.bits()?)));
    Plot::new("Surprise").with_axes("move", "bits").with_line("bits", bits.collect()).to_svg()
}
