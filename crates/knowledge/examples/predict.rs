//! Which move comes next?
//!
//! Learns a small grammar from the first sample games, saves it, opens it like any other model, and asks it about
//! a game that it has not seen. Run with `cargo run -p tejun-knowledge --example predict`.

use std::error::Error;

use tejun_files::IfExists;
use tejun_games::{BoardSize, GameRecord};
use tejun_knowledge::codes::Code;
use tejun_knowledge::corpus::{Expression, GameTable, Input, Selection, sample_text};
use tejun_knowledge::models::{GrammarModel, GrammarModelOptions, MadeOf, Model};
use tejun_knowledge::predictor::Prediction;
use tejun_knowledge::progress::NoProgress;

/// The model learns from the games before this one.
const N_LEARNED: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let games = Input::sample().open(2, &NoProgress)?;
    let first_games = Selection { condition: Some(Expression::parse("id < 200")?), ..Selection::default() };
    let table = GameTable::load(&games.collection, &first_games, BoardSize::NINETEEN)?;

    let options = GrammarModelOptions { codes: vec![Code::Relative], held_out: 0, ..GrammarModelOptions::default() };
    let model = Model::Grammar(GrammarModel::learn(&table, &options, &NoProgress)?);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("small.grammar");
    let made_of = MadeOf::new(vec![("games".to_string(), "the first 200 sample games".to_string())], &table);
    model.save(&path, &made_of, IfExists::Refuse)?;

    let model = Model::open(&path)?;
    let text = sample_text();
    let game = GameRecord::parse(text.lines().nth(N_LEARNED).ok_or("too few games")?)?;
    for index in [2, 10, 30] {
        let prediction = Prediction::new(&mut *model.predictor(), &game, index);
        let best = prediction.moves.iter().take(3);
        let best: Vec<String> = best.map(|(point, p)| format!("{} {:.0}%", point.name(game.size), 100.0 * p)).collect();
        let (rank, _) = prediction.played.ok_or("a pass")?;
        println!("move {}: {}; the move played is number {}", index + 1, best.join(", "), rank.n_better + 1);
    }
    Ok(())
}
