//! Shogi (将棋, *shōgi*) positions.

pub(crate) mod svg;

use tejun_games::shogi::PieceKind;

/// Squares along a side of the board.
pub(crate) const SIZE: usize = 9;
/// The names of the ranks from the top.
pub(crate) const RANKS: [&str; SIZE] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
/// The order of pieces in hand (持駒, *mochigoma*), the strongest first.
pub(crate) const HAND: [PieceKind; 7] = [
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Gold,
    PieceKind::Silver,
    PieceKind::Knight,
    PieceKind::Lance,
    PieceKind::Pawn,
];

/// The piece in one character.
pub(crate) fn kanji(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "歩",
        PieceKind::Lance => "香",
        PieceKind::Knight => "桂",
        PieceKind::Silver => "銀",
        PieceKind::Gold => "金",
        PieceKind::Bishop => "角",
        PieceKind::Rook => "飛",
        PieceKind::King => "玉",
        PieceKind::ProPawn => "と",
        PieceKind::ProLance => "杏",
        PieceKind::ProKnight => "圭",
        PieceKind::ProSilver => "全",
        PieceKind::ProBishop => "馬",
        PieceKind::ProRook => "龍",
    }
}

/// The columns and rows, from 0 at the upper left, of a move's squares; `None` if the text is not USI.
///
/// The position before the move is not needed, which is why the text is enough.
pub(crate) fn squares(usi: &str) -> Option<Vec<(usize, usize)>> {
    let square = |file: u8, rank: u8| {
        let column = SIZE.checked_sub(usize::from(file.checked_sub(b'0')?))?;
        let row = usize::from(rank.checked_sub(b'a')?);
        (column < SIZE && row < SIZE).then_some((column, row))
    };
    match *usi.as_bytes() {
        [b'P' | b'L' | b'N' | b'S' | b'G' | b'B' | b'R', b'*', c, d] => Some(vec![square(c, d)?]),
        [a, b, c, d] | [a, b, c, d, b'+'] => Some(vec![square(a, b)?, square(c, d)?]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_name_their_squares() {
        assert_eq!(squares("7g7f"), Some(vec![(2, 6), (2, 5)]));
        assert_eq!(squares("8h2b+"), Some(vec![(1, 7), (7, 1)]));
        assert_eq!(squares("P*1i"), Some(vec![(8, 8)]));
        for text in ["", "7g7", "resign", "K*5e", "P5e", "7g7f=", "0a1a", "1j1a", "歩"] {
            assert_eq!(squares(text), None, "{text}");
        }
    }
}
