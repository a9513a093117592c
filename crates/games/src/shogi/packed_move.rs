//! A move in sixteen bits.

use shogi_core::{Color, Move, Piece, PieceKind, Square};

/// A move without the piece's color, as YaneuraOu packs it.
///
/// Bits 0–6 the square moved to, 7–13 the square moved from or the kind
/// dropped, 14 a drop, 15 a promotion. Squares are counted from 1a = 0 down
/// the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedMove(pub u16);

const DROP: u16 = 1 << 14;
const PROMOTION: u16 = 1 << 15;
/// Kinds by the number that a drop has, from 1.
const DROPPED: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Gold,
];

impl PackedMove {
    /// Packs a move.
    pub fn new(played: Move) -> PackedMove {
        let place = |square: Square| u16::from(square.index() - 1);
        match played {
            Move::Normal { from, to, promote } => {
                PackedMove(place(to) | place(from) << 7 | if promote { PROMOTION } else { 0 })
            }
            Move::Drop { piece, to } => {
                let kind = DROPPED.iter().position(|kind| *kind == piece.piece_kind()).map_or(0, |i| i as u16 + 1);
                PackedMove(place(to) | kind << 7 | DROP)
            }
        }
    }

    /// The move of this side; `None` if the bits name no square or no kind.
    pub fn unpack(self, color: Color) -> Option<Move> {
        let square = |bits: u16| Square::from_u8((bits & 127) as u8 + 1);
        let to = square(self.0)?;
        if self.0 & DROP == 0 {
            return Some(Move::Normal { from: square(self.0 >> 7)?, to, promote: self.0 & PROMOTION != 0 });
        }
        let kind = usize::from(self.0 >> 7 & 127).checked_sub(1)?;
        let piece = Piece::new(*DROPPED.get(kind)?, color);
        (self.0 & PROMOTION == 0).then_some(Move::Drop { piece, to })
    }

    /// The same move on a board turned by half.
    pub fn turned(self) -> PackedMove {
        let turn = |bits: u16| 80u16.saturating_sub(bits & 127);
        let from = if self.0 & DROP == 0 { turn(self.0 >> 7) << 7 } else { self.0 & 127 << 7 };
        PackedMove(turn(self.0) | from | self.0 & (DROP | PROMOTION))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Position;

    #[test]
    fn packed_moves_are_as_yaneuraou_has_them() {
        let position = Position::start();
        let packed = |text: &str| PackedMove::new(position.parse_move(text).expect("a move")).0;
        assert_eq!(packed("2g2f"), 0x078e);
        assert_eq!(packed("2b8h+"), 0x8546);
        assert_eq!(packed("P*5e") >> 7, 0x81);
    }

    #[test]
    fn every_legal_move_unpacks_and_turns_back() {
        let position: Position =
            "+B2g1g2l/5sk2/p2p1pnp1/2p3p1p/3n5/4r3P/PPPP1PPP1/2GR+p1SK1/LN2PG1NL b SLbsp 63".parse().expect("sfen");
        let moves = position.legal_moves();
        assert!(moves.len() > 100);
        for played in moves {
            let packed = PackedMove::new(played);
            assert_eq!(packed.unpack(Color::Black), Some(played));
            assert_eq!(packed.turned().turned(), packed);
        }
        assert_eq!(PackedMove(0xffff).unpack(Color::White), None);
    }
}
