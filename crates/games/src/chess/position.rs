//! A board with a side to move, castling rights and en passant.

use std::fmt;
use std::str::FromStr;

use cozy_chess::{Board, Color, File, Move, Piece, Square};

use crate::chess::polyglot::{en_passant_file, polyglot_key};

/// The pieces on the board, whose turn it is, and which special moves are still allowed.
#[derive(Clone, Debug)]
pub struct Position(Board);

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a position: write it as FEN")]
pub struct FenError {
    text: String,
}

/// Why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a move: write it as in UCI, e2e4 or e7e8q")]
pub struct UciMoveError {
    text: String,
}

/// A move that the rules forbid in its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the move is not legal here")]
pub struct IllegalChessMove;

impl Position {
    /// The usual start, White to move.
    pub fn start() -> Position {
        Position(Board::startpos())
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Color {
        self.0.side_to_move()
    }

    /// The piece on a square.
    pub fn piece(&self, square: Square) -> Option<(Piece, Color)> {
        Some((self.0.piece_on(square)?, self.0.color_on(square)?))
    }

    /// Whether castling towards the king's or the queen's rook is still open, kings and rooks unmoved.
    pub fn may_castle(&self, color: Color) -> [bool; 2] {
        let rights = self.0.castle_rights(color);
        [rights.short.is_some(), rights.long.is_some()]
    }

    /// The file on which a pawn may be taken in passing, if a pawn is next to it.
    pub fn en_passant_file(&self) -> Option<usize> {
        en_passant_file(&self.0)
    }

    /// The key of this position in Polyglot's books.
    pub fn polyglot_key(&self) -> u64 {
        polyglot_key(&self.0)
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the rules forbid it. The position is then unchanged.
    pub fn play(&mut self, played: Move) -> Result<(), IllegalChessMove> {
        self.0.try_play(played).map_err(|_| IllegalChessMove)
    }

    /// All legal moves, in a fixed order.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.0.generate_moves(|of_piece| {
            moves.extend(of_piece);
            false
        });
        moves
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        !self.0.checkers().is_empty()
    }

    /// Half moves since a pawn moved or a piece was taken.
    pub fn n_quiet_plies(&self) -> u8 {
        self.0.halfmove_clock()
    }

    /// Reads a UCI move; castling may be written as a king's step or as taking the own rook.
    ///
    /// # Errors
    /// If the text is not a move. It may still be illegal.
    pub fn parse_move(&self, text: &str) -> Result<Move, UciMoveError> {
        let parsed: Move = text.parse().map_err(|_| UciMoveError { text: text.to_string() })?;
        let is_king = self.0.piece_on(parsed.from) == Some(Piece::King);
        let is_start = parsed.from.file() == File::E && self.0.king(self.to_move()) == parsed.from;
        let rook = match parsed.to.file() {
            File::G => self.0.castle_rights(self.to_move()).short,
            File::C => self.0.castle_rights(self.to_move()).long,
            _ => None,
        };
        match rook {
            Some(rook) if is_king && is_start && parsed.from.rank() == parsed.to.rank() => {
                Ok(Move { to: Square::new(rook, parsed.to.rank()), ..parsed })
            }
            _ => Ok(parsed),
        }
    }

    /// A move of this position in UCI.
    pub fn move_text(&self, played: Move) -> String {
        let is_castling = self.0.piece_on(played.from) == Some(Piece::King)
            && self.0.color_on(played.from).is_some()
            && self.0.color_on(played.from) == self.0.color_on(played.to);
        let file = if played.to.file() > played.from.file() { File::G } else { File::C };
        let to = if is_castling { Square::new(file, played.to.rank()) } else { played.to };
        Move { to, ..played }.to_string()
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        Color::ALL.into_iter().all(|color| self.may_castle(color) == other.may_castle(color))
            && self.to_move() == other.to_move()
            && self.en_passant_file() == other.en_passant_file()
            && Square::ALL.into_iter().all(|square| self.piece(square) == other.piece(square))
    }
}

impl Eq for Position {}

impl FromStr for Position {
    type Err = FenError;

    /// Reads FEN; the two numbers at its end may be missing.
    fn from_str(text: &str) -> Result<Position, FenError> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let fen = match words[..] {
            [board, side, castling, passing] => format!("{board} {side} {castling} {passing} 0 1"),
            _ => words.join(" "),
        };
        fen.parse().map(Position).map_err(|_| FenError { text: text.to_string() })
    }
}

impl fmt::Display for Position {
    /// The position as FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves from the start and the key after them, as Polyglot's own description lists them.
    const KEYS: [(&str, u64); 9] = [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ];

    fn after(moves: &str) -> Position {
        let mut position = Position::start();
        for text in moves.split_ascii_whitespace() {
            let played = position.parse_move(text).expect("a move");
            position.play(played).expect("legal");
        }
        position
    }

    #[test]
    fn keys_are_polyglots() {
        for (moves, key) in KEYS {
            assert_eq!(after(moves).polyglot_key(), key, "{moves}");
        }
    }

    #[test]
    fn castling_is_written_as_uci_writes_it() {
        let mut position = after("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
        let castling = position.parse_move("e1g1").expect("a move");
        assert_eq!(castling.to_string(), "e1h1");
        assert_eq!(position.move_text(castling), "e1g1");
        position.play(castling).expect("legal");
        assert_eq!(position.to_string().parse(), Ok(position.clone()));
        assert!("8/8/8/8/8/8/8/8 w - -".parse::<Position>().is_err());
    }
}
