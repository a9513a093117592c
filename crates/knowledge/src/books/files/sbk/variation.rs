//! Moves of a variation, written as in KIF: `△５四歩(53)`, `▲４四角打`.

use tejun_games::game::{GameMove, GamePosition};
use tejun_games::shogi::{Color, Move, PackedMove, PieceKind, Square};

const FILES: &str = "１２３４５６７８９";
const RANKS: &str = "一二三四五六七八九";

/// Whether a text names this move. A move to the square before (同) is not known.
pub(crate) fn names(text: &str, board: &GamePosition, played: GameMove) -> bool {
    let GamePosition::Shogi(_) = board else { return false };
    let text = text.trim_start_matches(['▲', '△', '☗', '☖']);
    let mut letters = text.chars();
    let file = letters.next().and_then(|letter| FILES.chars().position(|file| file == letter));
    let rank = letters.next().and_then(|letter| RANKS.chars().position(|rank| rank == letter));
    let square = file.zip(rank).and_then(|(file, rank)| Square::new(file as u8 + 1, rank as u8 + 1));
    let rest = letters.as_str();
    let unpacked = u16::try_from(played.0).ok().and_then(|bits| PackedMove(bits).unpack(Color::Black));
    match unpacked {
        Some(Move::Normal { from, to, promote }) => {
            let from = format!("({}{})", from.file(), from.rank());
            let name = rest.strip_suffix(from.as_str());
            // A promoted piece has the letter in front, a promotion at the end.
            square == Some(to) && name.is_some_and(|name| name.ends_with('成') == promote)
        }
        Some(Move::Drop { piece, to }) => {
            square == Some(to) && rest.strip_suffix('打').is_some_and(|name| name == letter(piece.piece_kind()))
        }
        None => false,
    }
}

fn letter(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "歩",
        PieceKind::Lance => "香",
        PieceKind::Knight => "桂",
        PieceKind::Silver => "銀",
        PieceKind::Gold => "金",
        PieceKind::Bishop => "角",
        _ => "飛",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tejun_games::game::Game;

    #[track_caller]
    fn check(text: &str, played: &str, expected: bool) {
        let board = Game::Shogi.start();
        let played = board.parse_move(played).expect("a move");
        assert_eq!(names(text, &board, played), expected, "{text}");
    }

    #[test]
    fn moves_are_known_by_their_names() {
        check("△５四歩(53)", "5c5d", true);
        check("▲２二角成(88)", "8h2b+", true);
        check("▲２二角(88)", "8h2b+", false);
        check("▲２二成銀(23)", "2c2b", true);
        check("△４四角打", "B*4d", true);
        check("△４四角打", "R*4d", false);
        check("▲同\u{3000}歩(76)", "7f7e", false);
        check("", "7f7e", false);
    }
}
