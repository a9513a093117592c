//! Where was this sequence played, and what came next?
//!
//! Run with `cargo run -p tejun-knowledge --example find_sequence [POINT…]`, for example with `R17 R16 Q17`.

use std::error::Error;

use tejun_games::{BoardSize, Point};
use tejun_knowledge::codes::Code;
use tejun_knowledge::corpus::{GameTable, Input, Selection};
use tejun_knowledge::progress::NoProgress;
use tejun_knowledge::sequences::{GameText, TextOptions, TextScope, find_line};

fn main() -> Result<(), Box<dyn Error>> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = ["R16", "P17", "P16"].map(String::from).to_vec();
    }
    let size = BoardSize::NINETEEN;
    let line = names.iter().map(|name| Point::parse(name, size)).collect::<Result<Vec<_>, _>>()?;

    let games = Input::sample().open(2, &NoProgress)?;
    let table = GameTable::load(&games.collection, &Selection::default(), size)?;
    let options = TextOptions { size, code: Code::Relative, scope: TextScope::Local };
    let text = GameText::build(&table, options, 2)?;

    let found = find_line(&text, &table, &line);
    println!("{} was played {} times in {} games", names.join(" "), found.places.len(), found.n_games);
    for (point, n) in found.next.iter().take(5) {
        let name = point.map_or("nothing nearby".to_string(), |point| point.name(size));
        println!("{n:5} times followed by {name}");
    }
    if let Some(&(game, move_index)) = found.places.first() {
        let record = table.facts(game).id.0;
        println!("first in game {record}, from move {}", move_index + 1);
    }
    Ok(())
}
