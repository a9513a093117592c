//! Shogi positions for the terminal.

use crate::reports::boards::Side;
use crate::reports::boards::reading::NoPosition;
use crate::reports::boards::shogi::{Piece, Position, RANKS};

const EDGE: &str = "+---------------------------+\n";

/// A position as KIF and BOD files show it, from an SFEN.
///
/// Every character is as wide as one Latin letter or as two.
///
/// # Errors
///
/// Fails if the text is no SFEN. Whether the position can come up is not asked.
pub fn shogi_text(sfen: &str) -> Result<String, NoPosition> {
    let position = Position::parse(sfen)?;
    let mut text = hand_line("後手", &position, Side::White);
    text.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n");
    text.push_str(EDGE);
    for (row, rank) in position.board.iter().zip(RANKS) {
        let squares: String = row.iter().map(square).collect();
        text.push_str(&format!("|{squares}|{rank}\n"));
    }
    text.push_str(EDGE);
    text.push_str(&hand_line("先手", &position, Side::Black));
    text.push_str(match position.to_move {
        Side::Black => "先手番\n",
        Side::White => "後手番\n",
    });
    Ok(text)
}

fn square(square: &Option<Piece>) -> String {
    match square {
        None => " ・".to_string(),
        Some(Piece { side: Side::Black, kanji, .. }) => format!(" {kanji}"),
        Some(Piece { side: Side::White, kanji, .. }) => format!("v{kanji}"),
    }
}

fn hand_line(owner: &str, position: &Position, side: Side) -> String {
    let held: Vec<String> = position.hand(side).map(|(kind, n)| kind.kanji().to_string() + &count(n)).collect();
    let held = if held.is_empty() { "なし".to_string() } else { held.join("　") };
    format!("{owner}の持駒：{held}\n")
}

/// A number from 2 to 99 in kanji; nothing for 1. Others are written in digits.
fn count(n: u32) -> String {
    let digit = |n: u32| if n > 0 { RANKS[n as usize - 1] } else { "" };
    match (n / 10, n % 10) {
        (0, 1) => String::new(),
        (0, units) => digit(units).to_string(),
        (1, units) => format!("十{}", digit(units)),
        (tens @ 2..=9, units) => format!("{}十{}", digit(tens), digit(units)),
        _ => n.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;
    use crate::reports::boards::shogi::{BUSY, START};

    #[track_caller]
    fn check(sfen: &str, expected: &str) {
        let text = shogi_text(sfen).expect("a position");
        assert_eq!(text, expected);
        let width = |line: &str| line.starts_with('|').then(|| line.width());
        // The rank stands behind the edge.
        assert_eq!(text.lines().filter_map(width).collect::<Vec<_>>(), [EDGE.trim_end().width() + 2; 9]);
    }

    #[test]
    fn the_start_is_as_in_kif() {
        check(
            START,
            "後手の持駒：なし\n\
             \u{20} ９ ８ ７ ６ ５ ４ ３ ２ １\n\
             +---------------------------+\n\
             |v香v桂v銀v金v玉v金v銀v桂v香|一\n\
             | ・v飛 ・ ・ ・ ・ ・v角 ・|二\n\
             |v歩v歩v歩v歩v歩v歩v歩v歩v歩|三\n\
             | ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n\
             | ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n\
             | ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
             | 歩 歩 歩 歩 歩 歩 歩 歩 歩|七\n\
             | ・ 角 ・ ・ ・ ・ ・ 飛 ・|八\n\
             | 香 桂 銀 金 玉 金 銀 桂 香|九\n\
             +---------------------------+\n\
             先手の持駒：なし\n\
             先手番\n",
        );
    }

    #[test]
    fn hands_and_promoted_pieces_are_shown() {
        check(
            &BUSY.replace(" b SLbsp 63", " w SLbs18p3P 63"),
            "後手の持駒：角　銀　歩十八\n\
             \u{20} ９ ８ ７ ６ ５ ４ ３ ２ １\n\
             +---------------------------+\n\
             | 馬 ・ ・v金 ・v金 ・ ・v香|一\n\
             | ・ ・ ・ ・ ・v銀v玉 ・ ・|二\n\
             |v歩 ・ ・v歩 ・v歩v桂v歩 ・|三\n\
             | ・ ・v歩 ・ ・ ・v歩 ・v歩|四\n\
             | ・ ・ ・v桂 ・ ・ ・ ・ ・|五\n\
             | ・ ・ ・ ・v飛 ・ ・ ・ 歩|六\n\
             | 歩 歩 歩 歩 ・ 歩 歩 歩 ・|七\n\
             | ・ ・ 金 飛vと ・ 銀 玉 ・|八\n\
             | 香 桂 ・ ・ 歩 金 ・ 桂 香|九\n\
             +---------------------------+\n\
             先手の持駒：銀　香　歩三\n\
             後手番\n",
        );
    }

    #[test]
    fn counts_are_kanji() {
        let counts = [1, 2, 10, 11, 18, 20, 99, 100].map(count);
        assert_eq!(counts, ["", "二", "十", "十一", "十八", "二十", "九十九", "100"]);
    }
}
