//! How often do players capture when they can?
//!
//! Run with `cargo run -p tejun-knowledge --example ask_tactic [QUERY]`.

use std::error::Error;

use tejun_games::BoardSize;
use tejun_knowledge::corpus::{Expression, GameTable, Input, Selection};
use tejun_knowledge::progress::NoProgress;
use tejun_knowledge::tactics::{Library, Query, find};

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).unwrap_or("played in capture".to_string());
    let query = Query::parse(&text, Library::standard())?;

    let games = Input::sample().open(2, &NoProgress)?;
    let first_games = Selection { condition: Some(Expression::parse("id < 50")?), ..Selection::default() };
    let table = GameTable::load(&games.collection, &first_games, BoardSize::NINETEEN)?;
    let findings = find(&table, &query, 2, &NoProgress);

    println!("{text}: {} of {} positions", findings.all.n_found, findings.all.n_positions);
    for comparison in &findings.comparisons {
        println!("the move was in the set {:.1} times as often as a random legal move", comparison.lift());
    }
    for place in findings.places.iter().take(3) {
        let (_, played) = place.position(&table);
        let name = played.and_then(|played| played.point).map_or("-".to_string(), |point| point.name(table.size()));
        println!("game {} move {}: {name}", table.facts(place.game as usize).id.0, place.move_index + 1);
    }
    Ok(())
}
