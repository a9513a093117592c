//! A shogi board set up piece by piece.

use crate::shogi::{Color, HAND_KINDS, Piece, PieceKind, Position, Square};

/// The position before the first move.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    board: [Option<Piece>; 81],
    hands: [[u8; 7]; 2],
}

impl Setup {
    pub(crate) fn empty() -> Setup {
        Setup { board: [None; 81], hands: [[0; 7]; 2] }
    }

    /// The usual start.
    pub(crate) fn start() -> Setup {
        let mut setup = Setup::empty();
        for (square, piece) in Position::start().pieces() {
            setup.put(square, Some(piece));
        }
        setup
    }

    pub(crate) fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.board[square.array_index()] = piece;
    }

    /// Adds pieces to a hand; `None` if such a piece is not held in hand.
    pub(crate) fn hold(&mut self, color: Color, kind: PieceKind, n_pieces: u8) -> Option<()> {
        let held = &mut self.hands[color.array_index()][hand_index(kind)?];
        *held = held.saturating_add(n_pieces);
        Some(())
    }

    /// Gives a hand all pieces of the set that are nowhere else, but no king.
    pub(crate) fn hold_rest(&mut self, color: Color) {
        for kind in HAND_KINDS {
            let n_rest = n_in_set(kind).saturating_sub(self.n_pieces(kind));
            let _ = self.hold(color, kind, n_rest);
        }
    }

    /// The position; `None` if there are more pieces than a set has, or two kings of a color.
    pub(crate) fn position(&self, to_move: Color) -> Option<Position> {
        let n_kings = |color| self.pieces().filter(|piece| *piece == Piece::new(PieceKind::King, color)).count();
        let is_set = HAND_KINDS.into_iter().all(|kind| self.n_pieces(kind) <= n_in_set(kind));
        if !is_set || Color::all().into_iter().any(|color| n_kings(color) > 1) {
            return None;
        }
        let mut position = Position::empty(to_move);
        for square in Square::all() {
            position.put(square, self.board[square.array_index()]);
        }
        for color in Color::all() {
            for (kind, n_held) in HAND_KINDS.into_iter().zip(self.hands[color.array_index()]) {
                for _ in 0..n_held {
                    position.hold(color, kind)?;
                }
            }
        }
        Some(position)
    }

    fn pieces(&self) -> impl Iterator<Item = Piece> + '_ {
        self.board.iter().flatten().copied()
    }

    /// Pieces of a kind on the board, promoted or not, and in hand.
    fn n_pieces(&self, kind: PieceKind) -> u8 {
        let is_kind = |piece: &Piece| piece.piece_kind().unpromote().unwrap_or(piece.piece_kind()) == kind;
        let n_board = self.pieces().filter(is_kind).count() as u8;
        let in_hand = hand_index(kind).map_or(0, |index| self.hands[0][index].saturating_add(self.hands[1][index]));
        n_board.saturating_add(in_hand)
    }
}

fn hand_index(kind: PieceKind) -> Option<usize> {
    HAND_KINDS.iter().position(|held| *held == kind)
}

fn n_in_set(kind: PieceKind) -> u8 {
    match kind {
        PieceKind::Pawn => 18,
        PieceKind::Bishop | PieceKind::Rook => 2,
        _ => 4,
    }
}
