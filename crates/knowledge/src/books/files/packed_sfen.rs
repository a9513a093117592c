//! A position in 256 bits, as YaneuraOu packs it.
//!
//! Side, squares of the kings, then each square and each piece in hand with as
//! many bits as it needs, lowest first. Pieces that a handicap took away follow.

use tejun_games::shogi::{Color, Piece, PieceKind, Position, Square};

/// What a king's square says if there is none.
const NO_KING: u32 = 81;
const N_BITS: usize = 256;

/// Bits read one by one.
struct Bits<'a> {
    bytes: &'a [u8; 32],
    at: usize,
}

impl Bits<'_> {
    fn next(&mut self) -> Option<bool> {
        let byte = self.bytes.get(self.at / 8)?;
        self.at += 1;
        Some(byte >> ((self.at - 1) % 8) & 1 != 0)
    }

    fn number(&mut self, n_bits: u32) -> Option<u32> {
        (0..n_bits).try_fold(0, |number, bit| Some(number | u32::from(self.next()?) << bit))
    }

    /// The kind of a piece, after the bit that distinguishes it from an empty square.
    fn kind(&mut self) -> Option<PieceKind> {
        if !self.next()? {
            return Some(PieceKind::Pawn);
        }
        Some(match (self.next()?, self.next()?) {
            (false, false) => PieceKind::Lance,
            (false, true) => PieceKind::Knight,
            (true, false) => PieceKind::Silver,
            (true, true) if !self.next()? => PieceKind::Gold,
            (true, true) if !self.next()? => PieceKind::Bishop,
            (true, true) => PieceKind::Rook,
        })
    }

    /// Whether the piece is promoted, and whose it is.
    fn state(&mut self, kind: PieceKind) -> Option<(bool, Color)> {
        let is_promoted = kind != PieceKind::Gold && self.next()?;
        Some((is_promoted, if self.next()? { Color::White } else { Color::Black }))
    }
}

/// The position of these bits; `None` if they are none.
pub(crate) fn unpack(bytes: &[u8; 32]) -> Option<Position> {
    let mut bits = Bits { bytes, at: 0 };
    let mut position = Position::empty(if bits.next()? { Color::White } else { Color::Black });
    for color in Color::all() {
        let place = bits.number(7)?;
        if place != NO_KING {
            let square = Square::from_u8(place as u8 + 1).filter(|square| position.piece(*square).is_none())?;
            position.put(square, Some(Piece::new(PieceKind::King, color)));
        }
    }
    for square in Square::all() {
        // Kings come first in the data.
        if position.piece(square).is_none() && bits.next()? {
            let kind = bits.kind()?;
            let (is_promoted, color) = bits.state(kind)?;
            let kind = if is_promoted { kind.promote()? } else { kind };
            position.put(square, Some(Piece::new(kind, color)));
        }
    }
    while bits.at < N_BITS {
        let kind = bits.kind()?;
        let (is_away, color) = bits.state(kind)?;
        if !is_away {
            position.hold(color, kind)?;
        }
    }
    Some(position)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;
    use tejun_games::shogi::HAND_KINDS;

    /// The code of a kind after its first bit, lowest bit first.
    fn code(kind: PieceKind) -> &'static [u8] {
        match kind {
            PieceKind::Pawn => &[0],
            PieceKind::Lance => &[1, 0, 0],
            PieceKind::Knight => &[1, 0, 1],
            PieceKind::Silver => &[1, 1, 0],
            PieceKind::Gold => &[1, 1, 1, 0],
            PieceKind::Bishop => &[1, 1, 1, 1, 0],
            _ => &[1, 1, 1, 1, 1],
        }
    }

    /// The bits of a position with both kings.
    pub(crate) fn pack(position: &Position) -> [u8; 32] {
        let mut bits = vec![u8::from(position.to_move() == Color::White)];
        let mut n_away = [18, 4, 4, 4, 4, 2, 2];
        for color in Color::all() {
            let king = Piece::new(PieceKind::King, color);
            let (square, _) = position.pieces().find(|(_, piece)| *piece == king).expect("a king");
            bits.extend((0..7).map(|bit| (square.index() - 1) >> bit & 1));
        }
        let mut put = |bits: &mut Vec<u8>, raw: PieceKind, state: &[u8]| {
            bits.extend(code(raw));
            bits.extend(state);
            n_away[HAND_KINDS.iter().position(|kind| *kind == raw).expect("a kind")] -= 1;
        };
        for square in Square::all() {
            match position.piece(square) {
                None => bits.push(0),
                Some(piece) if piece.piece_kind() == PieceKind::King => {}
                Some(piece) => {
                    let raw = piece.piece_kind().unpromote();
                    let state = [u8::from(raw.is_some()), u8::from(piece.color() == Color::White)];
                    let raw = raw.unwrap_or(piece.piece_kind());
                    bits.push(1);
                    put(&mut bits, raw, &state[usize::from(raw == PieceKind::Gold)..]);
                }
            }
        }
        for color in Color::all() {
            for kind in HAND_KINDS {
                for _ in 0..position.held(color, kind) {
                    let state = [0, u8::from(color == Color::White)];
                    put(&mut bits, kind, &state[usize::from(kind == PieceKind::Gold)..]);
                }
            }
        }
        for (kind, n_away) in HAND_KINDS.into_iter().zip(n_away) {
            // A gold has no bit for its promotion, so it goes as a silver of White.
            let (code, color) = if kind == PieceKind::Gold { (code(PieceKind::Silver), 1) } else { (code(kind), 0) };
            (0..n_away).for_each(|_| bits.extend(code.iter().chain(&[1, color])));
        }
        assert_eq!(bits.len(), N_BITS);
        let mut bytes = [0; 32];
        bits.iter().enumerate().for_each(|(at, bit)| bytes[at / 8] |= bit << (at % 8));
        bytes
    }

    #[test]
    fn handicaps_read_back() {
        for sfen in ["lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", "4k4/9/9/9/9/9/9/9/4K4 b RG2p 1"] {
            let position: Position = sfen.parse().expect("a position");
            assert_eq!(unpack(&pack(&position)), Some(position));
        }
    }

    proptest! {
        #[test]
        fn played_positions_read_back(choices in prop::collection::vec(0usize..1000, 0..120)) {
            let mut position = Position::start();
            for choice in choices {
                let moves = position.legal_moves();
                let Some(&played) = moves.get(choice % moves.len().max(1)) else { break };
                position.play(played).expect("generated moves are legal");
            }
            prop_assert_eq!(unpack(&pack(&position)), Some(position));
        }

        #[test]
        fn any_bits_are_a_position_or_none(bytes: [u8; 32]) {
            let _ = unpack(&bytes);
        }
    }
}
