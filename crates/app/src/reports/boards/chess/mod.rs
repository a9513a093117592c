//! Chess positions, read from FEN.

mod shapes;
pub(crate) mod svg;
pub(crate) mod text;

use crate::reports::boards::Side;
use crate::reports::boards::reading::{Expected, Grid, NoPosition, Reader};

/// Squares along a side of the board.
pub(crate) const SIZE: usize = 8;
/// The names of the files from the left.
pub(crate) const FILES: [&str; SIZE] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) side: Side,
    pub(crate) kind: Kind,
}

impl Piece {
    /// White's letters are large.
    fn from_letter(letter: char) -> Option<Piece> {
        let kind = match letter.to_ascii_uppercase() {
            'K' => Kind::King,
            'Q' => Kind::Queen,
            'R' => Kind::Rook,
            'B' => Kind::Bishop,
            'N' => Kind::Knight,
            'P' => Kind::Pawn,
            _ => return None,
        };
        let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
        Some(Piece { side, kind })
    }

    fn letter(self) -> char {
        let letter = match self.kind {
            Kind::King => 'K',
            Kind::Queen => 'Q',
            Kind::Rook => 'R',
            Kind::Bishop => 'B',
            Kind::Knight => 'N',
            Kind::Pawn => 'P',
        };
        if self.side == Side::White { letter } else { letter.to_ascii_lowercase() }
    }
}

/// What is seen of a position.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    /// From the eighth rank, and from the first file.
    pub(crate) board: Grid<Piece>,
    pub(crate) to_move: Side,
}

impl Position {
    /// Reads the first two parts of a FEN; rights to castle and what follows are not looked at.
    pub(crate) fn parse(fen: &str) -> Result<Position, NoPosition> {
        let mut reader = Reader::new(fen);
        let board = reader.take_grid(SIZE, |reader| reader.take(Expected::Piece, Piece::from_letter))?;
        reader.take_space()?;
        let to_move = reader.take_side()?;
        if reader.peek().is_some() {
            reader.take_space()?;
        }
        Ok(Position { board, to_move })
    }
}

/// The columns and rows, from 0, that a move in UCI goes from and to.
pub(crate) fn squares(uci: &str) -> Result<Vec<(usize, usize)>, NoPosition> {
    let mut reader = Reader::new(uci);
    let squares = vec![take_square(&mut reader)?, take_square(&mut reader)?];
    if reader.peek().is_some_and(|c| "qrbn".contains(c)) {
        reader.skip();
    }
    if reader.peek().is_some() { reader.refuse(Expected::MoveEnd) } else { Ok(squares) }
}

fn take_square(reader: &mut Reader) -> Result<(usize, usize), NoPosition> {
    let column = reader.take(Expected::MoveFile, |c| ('a'..='h').position(|file| file == c))?;
    let row = reader.take(Expected::MoveRank, |c| ('1'..='8').rev().position(|rank| rank == c))?;
    Ok((column, row))
}

#[cfg(test)]
pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "8/8/8/8/8/8/8/8";

    #[track_caller]
    fn check<T>(read: Result<T, NoPosition>, expected: &str) {
        assert_eq!(read.map_or_else(|e| e.to_string(), |_| "read".to_string()), expected);
    }

    #[test]
    fn garbage_is_told() {
        let piece = "a piece, or a number of empty squares that fits in the row";
        check(Position::parse(""), &format!("character 1: expected {piece}, found the end"));
        check(Position::parse("9"), &format!("character 1: expected {piece}, found '9'"));
        check(Position::parse("rnbqkbnr/p8"), &format!("character 11: expected {piece}, found '8'"));
        check(Position::parse("+p7"), &format!("character 1: expected {piece}, found '+'"));
        check(Position::parse("8 w"), "character 2: expected '/' and the next row, found ' '");
        check(
            Position::parse(&format!("{BOARD} W")),
            "character 17: expected 'b' or 'w' for the side to move, found 'W'",
        );
        check(Position::parse(&format!("{BOARD} white")), "character 18: expected a space, found 'h'");
        check(Position::parse(&format!("{BOARD} b")), "read");
        check(Position::parse(START), "read");
    }

    #[test]
    fn moves_name_their_squares() {
        assert_eq!(squares("e2e4"), Ok(vec![(4, 6), (4, 4)]));
        assert_eq!(squares("h7h8q"), Ok(vec![(7, 1), (7, 0)]));
        check(squares("0000"), "character 1: expected a file of the last move, found '0'");
        check(squares("e2e9"), "character 4: expected a rank of the last move, found '9'");
        check(squares("h7h8k"), "character 5: expected the end of the last move, found 'k'");
    }

    #[test]
    fn letters_name_pieces() {
        for letter in "KQRBNPkqrbnp".chars() {
            assert_eq!(Piece::from_letter(letter).map(Piece::letter), Some(letter));
        }
    }
}
