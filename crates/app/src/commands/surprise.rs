//! `tejun surprise`: how unexpected each move of a game is.

use std::path::{Path, PathBuf};

use crate::commands::models::Model;
use crate::commands::predict::Answer;
use crate::commands::{Found, Globals};
use crate::inputs::open_game;
use crate::output::{check_output, write_output};
use crate::reports::plot::Plot;
use crate::reports::table::{Align, Table};

/// Show how unexpected each move of a game is, in bits
///
/// A move with a probability of 50% has one bit; a move with one in a thousand has ten bits.
///
/// Example: tejun surprise game.sgf --model games.grammar --format svg -o surprise.svg
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Game: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17); - for stdin
    game: String,
    /// Model folder
    #[arg(long, value_name = "MODEL")]
    model: PathBuf,
    /// Output format; svg draws the curve
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = ["table", "csv", "svg"])]
    format: String,
    /// Output file [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Asks the model for every move.
///
/// # Errors
/// If there is no such game or model.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    if let Some(output) = &args.output {
        let file = args.game.rsplit_once('#').map_or(args.game.as_str(), |(file, _)| file);
        check_output(output, [Path::new(&args.game), Path::new(file), &args.model], globals)?;
    }
    let model = Model::open(&args.model)?;
    let record = open_game(&args.game)?;
    model.check_size(record.size, &args.game)?;
    let mut predictor = model.predictor();
    let answers: Vec<Answer<'_>> =
        (0..record.moves.len()).map(|index| Answer::new(&mut *predictor, &record, index)).collect();
    let text = match args.format.as_str() {
        "svg" => {
            let bits = answers.iter().enumerate().filter_map(|(i, a)| Some(((i + 1) as f64, a.bits()?)));
            let plot = Plot::new("Surprise").with_axes("move", "bits").with_line("bits", bits.collect());
            plot.to_svg()
        }
        format => {
            let mut table = Table::new(&[
                ("move", Align::Right),
                ("color", Align::Left),
                ("point", Align::Left),
                ("bits", Align::Right),
                ("rank", Align::Right),
                ("expected", Align::Left),
            ]);
            for (i, (answer, m)) in answers.iter().zip(&record.moves).enumerate() {
                let expected = answer.moves.first().map_or(String::new(), |(point, _)| point.name(record.size));
                table.push(vec![
                    (i + 1).to_string(),
                    m.color.letter().to_string(),
                    m.point.map_or("pass".into(), |point| point.name(record.size)),
                    answer.bits().map_or(String::new(), |bits| format!("{bits:.2}")),
                    answer.played.map_or(String::new(), |(rank, _)| (rank.n_better + 1).to_string()),
                    expected,
                ]);
            }
            if format == "csv" { table.to_csv() } else { table.to_text() }
        }
    };
    write_output(args.output.as_deref(), text.as_bytes(), globals)?;
    Ok(Found::from(!answers.is_empty()))
}
