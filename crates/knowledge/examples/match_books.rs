//! How long do two opening books stay in book against each other, and where do they leave it?
//!
//! Run with `cargo run -p tejun-knowledge --example match_books [FIRST SECOND]`; without books, two small ones are made.

use std::error::Error;
use std::path::PathBuf;

use tejun_knowledge::books::matching::{MatchOptions, Player, match_books};
use tejun_knowledge::books::{LoadOptions, Rule, Selection, load};

/// Games as lines of USI moves: each line is a game, and all of them are a book.
const FIRST: &str = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 8c8d 2g2f\nstartpos moves 2g2f 8c8d\n";
const SECOND: &str = "startpos moves 7g7f 3c3d 6g6f\nstartpos moves 2g2f 3c3d\n";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut paths: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        for (name, games) in [("first.usi", FIRST), ("second.usi", SECOND)] {
            paths.push(folder.path().join(name));
            std::fs::write(folder.path().join(name), games)?;
        }
    }
    let books = load(&paths, &LoadOptions::default())?;
    let [first, second] = &books[..] else { return Err("give two books".into()) };

    let selection = Selection { rule: Rule::AsStored, power: 1.0, max_ply: None };
    let players = [first, second].map(|loaded| Player { book: &loaded.book, selection: &selection });
    let played = match_books(first.book.game(), players, &MatchOptions::default());
    println!("{:.2} plies in book, {} leaving positions", played.expected_plies, played.leaving.len());
    for leaving in &played.leaving {
        let (_, moves) = played.way(leaving.node);
        let moves: Vec<&str> = moves.iter().map(|(_, text)| text.as_str()).collect();
        println!("{:5.1}%  {}", 100.0 * leaving.probability, moves.join(" "));
    }
    Ok(())
}
