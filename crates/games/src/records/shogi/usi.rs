//! Lines of USI: `startpos moves 7g7f 3c3d`, `sfen … moves …`, or a position alone.

use crate::game::{Game, GamePosition, GameTree, TreeWarningKind};
use crate::records::Place;
use crate::records::tree_builder::TreeBuilder;
use crate::records::{TreeRejection, TreeRejectionKind, numbered_lines};

/// Whether a line is a game in this notation.
pub(crate) fn is_characteristic(line: &str) -> bool {
    let line = without_command(line);
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("startpos") => matches!(words.next(), None | Some("moves")),
        Some("sfen") => true,
        Some(board) => is_board(board) && matches!(words.next(), Some("b" | "w")),
        None => false,
    }
}

/// One game per line; empty lines and those that start with `#` are skipped.
pub(crate) fn read(text: &str) -> Vec<Result<GameTree, TreeRejection>> {
    let lines = numbered_lines(text).map(|(number, line)| (number, line.trim_start()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(|(n, line)| read_line(n, line)).collect()
}

fn read_line(number: u32, line: &str) -> Result<GameTree, TreeRejection> {
    let line = without_command(line);
    let (position, moves) = match line.split_once("moves") {
        Some((position, moves)) => (position.trim(), moves),
        None => (line, ""),
    };
    let start = match position.strip_prefix("sfen ").unwrap_or(position) {
        "startpos" => Ok(Game::Shogi.start()),
        sfen => GamePosition::parse(Game::Shogi, sfen),
    };
    let Ok(start) = start else {
        let found = position.chars().take(100).collect();
        return Err(TreeRejection {
            place: Place { line: number, column: 1 },
            why: TreeRejectionKind::NoPosition { found },
        });
    };
    let mut game = TreeBuilder::new(start);
    for text in moves.split_ascii_whitespace() {
        match game.board().parse_move(text) {
            Ok(played) => game.play(number, played),
            Err(_) => game.cut(number, TreeWarningKind::NoMove { text: text.to_string() }),
        }
    }
    Ok(game.finish())
}

fn without_command(line: &str) -> &str {
    let line = line.trim();
    line.strip_prefix("position ").map_or(line, str::trim_start)
}

/// Whether a word has the nine rows of a board.
fn is_board(word: &str) -> bool {
    word.split('/').count() == 9
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'/' || byte == b'+')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::read_game_trees;

    #[test]
    fn every_line_is_a_game() {
        let text = "startpos moves 7g7f 3c3d\n\n# a comment\nposition startpos\n\
            sfen 4k4/9/9/9/9/9/9/9/4K4 b R 1 moves R*5e 5a4a\n4k4/9/9/9/9/9/9/9/4K4 w - 1\n";
        let games: Vec<_> = read_game_trees(text.as_bytes()).into_iter().map(|game| game.expect("a game")).collect();
        assert_eq!(games.iter().map(|game| game.main_line().len()).collect::<Vec<_>>(), [2, 0, 2, 0]);
        assert!(games.iter().all(|game| game.warnings.is_empty()));
    }

    #[test]
    fn what_can_not_be_played_cuts_its_line_only() {
        let games = read(
            "startpos moves 7g7f 7g7f 3c3d\nstartpos moves 7g7f resign\nsfen nonsense moves 7g7f\nstartpos moves 2g2f",
        );
        let messages: Vec<String> = games
            .iter()
            .map(|game| match game {
                Ok(game) => {
                    format!("{} {:?}", game.moves.len(), game.warnings.first().map(|warning| warning.to_string()))
                }
                Err(error) => error.to_string(),
            })
            .collect();
        assert!(messages[0].starts_with("1 Some(\"line 1: 7g7f is not legal in lnsgkgsnl/"), "{}", messages[0]);
        assert_eq!(messages[1], "1 Some(\"line 2: \\\"resign\\\" is not a move\")");
        assert_eq!(messages[2], "3:1: \"sfen nonsense\" is not a starting position");
        assert_eq!(messages[3], "1 None");
    }
}
