//! A board with hands and a side to move.

use std::str::FromStr;

use shogi_core::{Color, Hand, Move, PartialPosition, Piece, PieceKind, Square};
use shogi_usi_parser::FromUsi;

/// The kinds that can be held in hand, in the order of most formats.
pub const HAND_KINDS: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
];

/// The pieces on the board and in hand, and whose turn it is.
///
/// The number of the move is not part of it: a position reached in two ways is the same.
#[derive(Clone, Debug)]
pub struct Position(PartialPosition);

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a position: write board, side and hands as in SFEN, for example {}", Position::START_SFEN)]
pub struct SfenError {
    text: String,
}

/// Why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a move: write it as in USI, 7g7f, 2b8h+ or P*5e")]
pub struct UsiMoveError {
    text: String,
}

/// A move that the rules forbid in its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the move is not legal here")]
pub struct IllegalShogiMove;

impl Position {
    /// The usual start (平手, *hirate*) as SFEN.
    pub const START_SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    /// The usual start, Black (先手, *sente*) to move.
    pub fn start() -> Position {
        Position(PartialPosition::startpos())
    }

    /// An empty board, to be filled by [`Position::put`] and [`Position::hold`].
    pub fn empty(to_move: Color) -> Position {
        let mut position = PartialPosition::empty();
        position.side_to_move_set(to_move);
        Position(position)
    }

    /// Puts a piece on a square, or takes away what is there.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.0.piece_set(square, piece);
    }

    /// Adds a piece to a hand; `None` if no hand holds such a piece.
    pub fn hold(&mut self, color: Color, kind: PieceKind) -> Option<()> {
        let hand = self.0.hand_of_a_player_mut(color);
        *hand = hand.added(kind)?;
        Some(())
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Color {
        self.0.side_to_move()
    }

    /// The piece on a square.
    #[inline]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.0.piece_at(square)
    }

    /// Every piece on the board, down the files from 1a.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.0.piece_at(square)?)))
    }

    /// How many of a kind are in hand.
    #[inline]
    pub fn held(&self, color: Color, kind: PieceKind) -> u8 {
        let hand: Hand = self.0.hand_of_a_player(color);
        hand.count(kind).unwrap_or(0)
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the rules forbid it: a pawn dropped to mate, a second pawn on a file
    /// and a king left in check included. The position is then unchanged.
    pub fn play(&mut self, played: Move) -> Result<(), IllegalShogiMove> {
        if !shogi_legality_lite::is_legal_partial_lite(&self.0, played) {
            return Err(IllegalShogiMove);
        }
        self.0.make_move(played).ok_or(IllegalShogiMove)
    }

    /// All legal moves, in a fixed order.
    pub fn legal_moves(&self) -> Vec<Move> {
        shogi_legality_lite::all_legal_moves_partial(&self.0)
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        shogi_legality_lite::is_in_check_partial_lite(&self.0)
    }

    /// The position turned by half, colors exchanged: what the other side sees.
    pub fn flipped(&self) -> Position {
        let mut flipped = Position::empty(self.to_move().flip());
        for (square, piece) in self.pieces() {
            flipped.put(square.flip(), Some(Piece::new(piece.piece_kind(), piece.color().flip())));
        }
        for color in Color::all() {
            *flipped.0.hand_of_a_player_mut(color.flip()) = self.0.hand_of_a_player(color);
        }
        flipped
    }

    /// The position with left and right exchanged.
    pub fn mirrored(&self) -> Position {
        let mut mirrored = Position::empty(self.to_move());
        for (square, piece) in self.pieces() {
            let across = Square::new(10 - square.file(), square.rank());
            across.into_iter().for_each(|across| mirrored.put(across, Some(piece)));
        }
        for color in Color::all() {
            *mirrored.0.hand_of_a_player_mut(color) = self.0.hand_of_a_player(color);
        }
        mirrored
    }

    /// The position as SFEN, with move number 1.
    pub fn to_sfen(&self) -> String {
        self.to_sfen_at(1)
    }

    /// The position as SFEN with the number of the next move.
    pub fn to_sfen_at(&self, number: u16) -> String {
        let mut numbered = self.0.clone();
        // Only 0 is refused.
        let _ = numbered.ply_set(number.max(1));
        numbered.to_sfen_owned()
    }

    /// Reads a USI move; a drop is the side to move's.
    ///
    /// # Errors
    /// If the text is not a move. It may still be illegal.
    pub fn parse_move(&self, text: &str) -> Result<Move, UsiMoveError> {
        let parsed = Move::from_usi(text).map_err(|_| UsiMoveError { text: text.to_string() })?;
        Ok(match parsed {
            Move::Drop { piece, to } => Move::Drop { piece: Piece::new(piece.piece_kind(), self.to_move()), to },
            moved => moved,
        })
    }

    /// A move in USI.
    pub fn move_text(played: Move) -> String {
        use shogi_core::ToUsi;
        played.to_usi_owned()
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        let hands = |position: &Position| Color::all().map(|color| position.0.hand_of_a_player(color));
        self.to_move() == other.to_move()
            && hands(self) == hands(other)
            && Square::all().all(|square| self.piece(square) == other.piece(square))
    }
}

impl Eq for Position {}

impl FromStr for Position {
    type Err = SfenError;

    /// Reads board, side and hands; the move number may be missing and is dropped.
    fn from_str(text: &str) -> Result<Position, SfenError> {
        let error = || SfenError { text: text.to_string() };
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [board, side, hands, ..] = words[..] else { return Err(error()) };
        let line = format!("sfen {board} {side} {hands} 1");
        PartialPosition::from_usi(&line).map(Position).map_err(|_| error())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn start_reads_back_and_move_numbers_do_not_count() {
        assert_eq!(Position::start().to_sfen(), Position::START_SFEN);
        let later = Position::START_SFEN.replace(" 1", " 33");
        assert_eq!(later.parse(), Ok(Position::start()));
        assert_eq!(Position::start().to_sfen_at(33), later);
        assert!("lnsgkgsnl/1r5b1 b -".parse::<Position>().is_err());
    }

    #[test]
    fn checks_and_illegal_moves_are_seen() {
        let mut position: Position = "4k4/9/9/9/9/9/9/9/4K4 b R 1".parse().expect("a position");
        assert!(!position.is_check());
        let drop = position.parse_move("R*5e").expect("a move");
        position.play(drop).expect("legal");
        assert!(position.is_check());
        let stays = position.parse_move("5a5b").expect("a move");
        assert_eq!(position.play(stays), Err(IllegalShogiMove));
        let steps = position.parse_move("5a4a").expect("a move");
        assert_eq!(position.play(steps), Ok(()));
    }

    proptest! {
        #[test]
        fn turned_boards_have_turned_moves(choices in prop::collection::vec(0usize..1000, 0..60)) {
            let mut position = Position::start();
            for choice in choices {
                let moves = position.legal_moves();
                let Some(&played) = moves.get(choice % moves.len().max(1)) else { break };
                position.play(played).expect("generated moves are legal");
                prop_assert_eq!(position.to_sfen().parse(), Ok(position.clone()));
                prop_assert_eq!(position.flipped().flipped(), position.clone());
                prop_assert_eq!(position.mirrored().mirrored(), position.clone());
                prop_assert_eq!(position.flipped().legal_moves().len(), position.legal_moves().len());
            }
        }

        #[test]
        fn no_text_panics(text in ".{0,60}") {
            let _ = text.parse::<Position>();
            let _ = Position::start().parse_move(&text);
        }
    }
}
