//! Which moves of a game deserve a comment?
//!
//! Run with `cargo run --release -p tejun-knowledge --example judge [GAME]`, for example with `game.sgf` or `sample#42`.
//! Without a trained model, a few rules of thumb say what is expected, so the verdicts are rough.

use std::error::Error;

use tejun_knowledge::corpus::Input;
use tejun_knowledge::evaluation::Evaluator;
use tejun_knowledge::judging::{GameEvaluator, Judge, JudgeOptions, NamedPredictor, PredictorName, Reliability};
use tejun_knowledge::progress::NoProgress;
use tejun_knowledge::search::{PlainPredictor, Search, SearchOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "sample#0".into());
    let game = Input::game(&name)?;

    let options = SearchOptions { n_playouts: 20, ..SearchOptions::default() };
    let search: Box<dyn Evaluator + Send> = Box::new(Search::new(options, "plain", || Box::new(PlainPredictor)));
    let expected = NamedPredictor { name: PredictorName::Trained, size: None, predictor: Box::new(PlainPredictor) };
    let evaluator = GameEvaluator::new(vec![search], vec![expected]);

    let reliability = Reliability::PLAYOUTS;
    let options = JudgeOptions { reliability, n_moments: 3, n_moves: 40, ..JudgeOptions::default() };
    let review = Judge::new(evaluator, options).judge(&game, &NoProgress)?;
    for judged in review.game.moves.iter().filter(|judged| judged.moment.is_some()) {
        let point = game.moves[judged.index].point.map_or("pass".into(), |point| point.name(game.size));
        println!("move {}, {point}: {}", judged.index + 1, judged.verdict.name());
    }
    Ok(())
}
