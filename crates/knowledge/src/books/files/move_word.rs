//! Moves in 32 bits, as OpenShogiLib packs them and ShogiGUI after it.

use tejun_games::shogi::{Color, HAND_KINDS, Move, Piece, PieceKind, Square};

/// The square of a byte with the file in its upper half.
pub(crate) fn square(byte: u32) -> Option<Square> {
    Square::new((byte >> 4 & 15) as u8, (byte & 15) as u8)
}

/// The move of a word; `kind` gives the piece of bits 24–29, used for drops only.
///
/// The dropped piece is Black's: the position determines who plays it.
pub(crate) fn unpack(word: u32, kind: impl Fn(u32) -> Option<PieceKind>) -> Option<Move> {
    let to = square(word >> 8)?;
    if word & 0xff == 0 {
        let kind = kind(word >> 24 & 63).filter(|kind| HAND_KINDS.contains(kind))?;
        return Some(Move::Drop { piece: Piece::new(kind, Color::Black), to });
    }
    Some(Move::Normal { from: square(word)?, to, promote: word >> 19 & 1 != 0 })
}
