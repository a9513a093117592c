//! Records in KI2: moves as newspapers print them, `▲７六歩△３四歩▲２二角成△同銀`.

use crate::game::GameTree;
use crate::records::TreeRejection;
use crate::records::shogi::kif::{KifReading, read_with};

const MARKS: [char; 6] = ['▲', '△', '☗', '☖', '▼', '▽'];

/// Whether a line begins with a move.
pub(crate) fn is_characteristic(line: &str) -> bool {
    line.strip_prefix(MARKS).is_some_and(|rest| rest.starts_with(|c: char| !c.is_ascii() && !MARKS.contains(&c)))
}

/// Reads all games; a header after the moves of one begins the next.
pub(crate) fn read(text: &str) -> Vec<Result<GameTree, TreeRejection>> {
    read_with(text, |game: &mut KifReading, number, line| {
        let words = line.split(MARKS).skip(1).map(str::trim).filter(|word| !word.is_empty());
        words.for_each(|word| game.read_move(number, word));
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, read_game_trees};

    #[test]
    fn moves_are_found_without_their_origin() {
        let text = "先手：甲\n後手：乙\n手合割：平手\n\n▲７六歩    △３四歩    ▲２二角成    △同　銀\n▲４五角    △６二金    ▲５八金右\n\
            まで7手で先手の勝ち\n変化：6手\n△３二金    ▲３四角\n";
        let game = read_game_trees(text.as_bytes()).remove(0).expect("a game");
        assert_eq!(game.warnings, []);
        let mut board = game.start.clone();
        let mut words = Vec::new();
        for played in game.main_line() {
            words.push(board.move_text(played));
            board.play(played).expect("was played");
        }
        assert_eq!(words.join(" "), "7g7f 3c3d 8h2b+ 3a2b B*4e 6a6b 4i5h");
        assert_eq!(game.moves.len(), 9);
        assert_eq!(game.outcome, Some(Outcome::FirstWon));
        assert_eq!(game.players, [Some("甲".into()), Some("乙".into())]);
    }

    #[test]
    fn an_ambiguous_move_cuts_its_line() {
        let games = read("▲７六歩 △３四歩 ▲５八金 △８四歩");
        let game = games[0].as_ref().expect("a game");
        assert_eq!(game.moves.len(), 2);
        assert!(game.warnings[0].to_string().starts_with("line 1: ５八金 means 2 moves in "), "{}", game.warnings[0]);
    }
}
