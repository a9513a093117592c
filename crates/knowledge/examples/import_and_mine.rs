//! Which sequences do these games play as units?
//!
//! Run with `cargo run -p tejun-knowledge --example import_and_mine [FILE…]`; without files, the sample games are used.

use std::error::Error;

use tejun_games::BoardSize;
use tejun_knowledge::corpus::{GameTable, ImportOptions, Input, Selection, import};
use tejun_knowledge::progress::NoProgress;
use tejun_knowledge::sequences::{MineOptions, TextScope, mine};

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let input = if names.is_empty() { Input::sample() } else { Input::named(names)? };

    // `input.open` would do; this shows how to keep the collection.
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games.parquet");
    let summary = import(input.sources(), &path, &ImportOptions::default(), &NoProgress)?;
    println!("{} records found, {} imported", summary.n_found, summary.n_imported);

    let games = Input::named([&path])?.open(1, &NoProgress)?;
    let table = GameTable::load(&games.collection, &Selection::default(), BoardSize::NINETEEN)?;
    let options = MineOptions { scope: TextScope::Corner, top: 5, n_threads: 2, ..MineOptions::default() };
    for sequence in mine(&table, &options, &NoProgress)? {
        let points = sequence.moves.iter().filter_map(|played| played.point);
        let names: Vec<String> = points.map(|point| point.name(table.size())).collect();
        let wins = sequence.first_side_wins;
        println!("{:3} games, first side won {} of {}: {}", sequence.n_games, wins.n_yes, wins.n, names.join(" "));
    }
    Ok(())
}
