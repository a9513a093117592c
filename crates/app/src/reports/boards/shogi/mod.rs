//! Shogi (将棋, *shōgi*) positions, read from SFEN.

pub(crate) mod svg;
pub(crate) mod text;

use crate::reports::boards::Side;
use crate::reports::boards::reading::{Expected, Grid, NoPosition, Reader};

/// Squares along a side of the board.
pub(crate) const SIZE: usize = 9;
/// The names of the ranks from the top.
pub(crate) const RANKS: [&str; SIZE] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// What a piece was when it was taken from the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Pawn,
    Lance,
    Knight,
    Silver,
    Gold,
    Bishop,
    Rook,
    King,
}

impl Kind {
    /// As hands are told, the strongest first.
    pub(crate) const IN_HAND: [Kind; 7] =
        [Kind::Rook, Kind::Bishop, Kind::Gold, Kind::Silver, Kind::Knight, Kind::Lance, Kind::Pawn];

    fn from_letter(letter: char) -> Option<Kind> {
        match letter.to_ascii_uppercase() {
            'P' => Some(Kind::Pawn),
            'L' => Some(Kind::Lance),
            'N' => Some(Kind::Knight),
            'S' => Some(Kind::Silver),
            'G' => Some(Kind::Gold),
            'B' => Some(Kind::Bishop),
            'R' => Some(Kind::Rook),
            'K' => Some(Kind::King),
            _ => None,
        }
    }

    pub(crate) fn kanji(self) -> &'static str {
        match self {
            Kind::Pawn => "歩",
            Kind::Lance => "香",
            Kind::Knight => "桂",
            Kind::Silver => "銀",
            Kind::Gold => "金",
            Kind::Bishop => "角",
            Kind::Rook => "飛",
            Kind::King => "玉",
        }
    }

    /// Of the promoted piece; nothing if it has no other side.
    fn promoted_kanji(self) -> Option<&'static str> {
        match self {
            Kind::Pawn => Some("と"),
            Kind::Lance => Some("杏"),
            Kind::Knight => Some("圭"),
            Kind::Silver => Some("全"),
            Kind::Bishop => Some("馬"),
            Kind::Rook => Some("龍"),
            Kind::Gold | Kind::King => None,
        }
    }
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) side: Side,
    /// One character.
    pub(crate) kanji: &'static str,
    pub(crate) is_promoted: bool,
}

/// Pieces on the board and in hand (持駒, *mochigoma*).
#[derive(Clone, Debug)]
pub(crate) struct Position {
    /// From White's rank, and from the ninth file.
    pub(crate) board: Grid<Piece>,
    pub(crate) to_move: Side,
    hands: Vec<(Side, Kind, u8)>,
}

impl Position {
    /// Reads an SFEN; the move number at its end may be missing.
    pub(crate) fn parse(sfen: &str) -> Result<Position, NoPosition> {
        let mut reader = Reader::new(sfen);
        let board = reader.take_grid(SIZE, take_piece)?;
        reader.take_space()?;
        let to_move = reader.take_side()?;
        reader.take_space()?;
        let hands = take_hands(&mut reader)?;
        if reader.peek().is_some() {
            reader.take_space()?;
            while reader.peek().is_some() {
                reader.take(Expected::MoveNumber, |c| c.to_digit(10))?;
            }
        }
        Ok(Position { board, to_move, hands })
    }

    /// What a side has in hand, the strongest first, each kind with its number.
    pub(crate) fn hand(&self, side: Side) -> impl Iterator<Item = (Kind, u32)> {
        Kind::IN_HAND.into_iter().filter_map(move |kind| {
            let counted = self.hands.iter().filter(|held| (held.0, held.1) == (side, kind));
            let n = counted.map(|held| u32::from(held.2)).sum();
            (n > 0).then_some((kind, n))
        })
    }
}

/// Black's letters are large.
fn side_of(letter: char) -> Side {
    if letter.is_ascii_uppercase() { Side::Black } else { Side::White }
}

fn take_piece(reader: &mut Reader) -> Result<Piece, NoPosition> {
    if reader.peek() != Some('+') {
        return reader.take(Expected::Piece, |letter| {
            let kanji = Kind::from_letter(letter)?.kanji();
            Some(Piece { side: side_of(letter), kanji, is_promoted: false })
        });
    }
    reader.skip();
    reader.take(Expected::Promotable, |letter| {
        let kanji = Kind::from_letter(letter)?.promoted_kanji()?;
        Some(Piece { side: side_of(letter), kanji, is_promoted: true })
    })
}

fn take_hands(reader: &mut Reader) -> Result<Vec<(Side, Kind, u8)>, NoPosition> {
    let mut hands = Vec::new();
    if reader.peek() == Some('-') {
        reader.skip();
        return Ok(hands);
    }
    while hands.is_empty() || reader.peek().is_some_and(|c| c != ' ') {
        let n = take_count(reader);
        let (side, kind) = reader.take(Expected::Hand, |letter| {
            let kind = Kind::from_letter(letter).filter(|kind| *kind != Kind::King)?;
            Some((side_of(letter), kind))
        })?;
        hands.push((side, kind, n));
    }
    Ok(hands)
}

/// A number of one or two digits; one if there is none.
fn take_count(reader: &mut Reader) -> u8 {
    let Some(tens) = reader.peek().and_then(|c| c.to_digit(10)).filter(|digit| *digit > 0) else {
        return 1;
    };
    reader.skip();
    let Some(units) = reader.peek().and_then(|c| c.to_digit(10)) else {
        return tens as u8;
    };
    reader.skip();
    (10 * tens + units) as u8
}

/// The columns and rows, from 0, that a move in USI goes from and to.
pub(crate) fn squares(usi: &str) -> Result<Vec<(usize, usize)>, NoPosition> {
    let mut reader = Reader::new(usi);
    let mut squares = Vec::new();
    if reader.peek().is_some_and(|c| c.is_ascii_uppercase()) {
        reader.take(Expected::MoveFile, |c| Kind::from_letter(c).filter(|kind| *kind != Kind::King))?;
        reader.take_char(Expected::MoveStar, '*')?;
        squares.push(take_square(&mut reader)?);
    } else {
        squares.push(take_square(&mut reader)?);
        squares.push(take_square(&mut reader)?);
        if reader.peek() == Some('+') {
            reader.skip();
        }
    }
    if reader.peek().is_some() { reader.refuse(Expected::MoveEnd) } else { Ok(squares) }
}

fn take_square(reader: &mut Reader) -> Result<(usize, usize), NoPosition> {
    let file = reader.take(Expected::MoveFile, |c| c.to_digit(10).filter(|file| *file > 0))?;
    let row = reader.take(Expected::MoveRank, |c| ('a'..='i').position(|rank| rank == c))?;
    Ok((SIZE - file as usize, row))
}

#[cfg(test)]
pub(crate) const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
#[cfg(test)]
pub(crate) const BUSY: &str = "+B2g1g2l/5sk2/p2p1pnp1/2p3p1p/3n5/4r3P/PPPP1PPP1/2GR+p1SK1/LN2PG1NL b SLbsp 63";

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "9/9/9/9/9/9/9/9/9";

    #[track_caller]
    fn check<T>(read: Result<T, NoPosition>, expected: &str) {
        assert_eq!(read.map_or_else(|e| e.to_string(), |_| "read".to_string()), expected);
    }

    #[test]
    fn garbage_is_told() {
        let piece = "a piece, or a number of empty squares that fits in the row";
        check(Position::parse(""), &format!("character 1: expected {piece}, found the end"));
        check(Position::parse("hello"), &format!("character 1: expected {piece}, found 'h'"));
        check(Position::parse("lnsgkgsnl/1r5b2"), &format!("character 15: expected {piece}, found '2'"));
        check(Position::parse("9/0"), &format!("character 3: expected {piece}, found '0'"));
        check(Position::parse("9/9/9 b"), "character 6: expected '/' and the next row, found ' '");
        check(Position::parse("lnsgkgsnlp"), "character 10: expected '/' and the next row, found 'p'");
        check(Position::parse("+G8"), "character 2: expected a piece that can be promoted, found 'G'");
        check(Position::parse(BOARD), "character 18: expected a space, found the end");
        let after = |rest: &str| Position::parse(&format!("{BOARD} {rest}"));
        check(after("x -"), "character 19: expected 'b' or 'w' for the side to move, found 'x'");
        let hand = "a piece in hand, with its count before it if there are several, or '-'";
        check(after("b "), &format!("character 21: expected {hand}, found the end"));
        check(after("b K"), &format!("character 21: expected {hand}, found 'K'"));
        check(after("b 100P"), &format!("character 23: expected {hand}, found '0'"));
        check(after("b 2"), &format!("character 22: expected {hand}, found the end"));
        check(after("b - one"), "character 23: expected a move number, found 'o'");
        check(after("b -"), "read");
        check(after("w 2P18p 1"), "read");
    }

    #[test]
    fn moves_name_their_squares() {
        assert_eq!(squares("7g7f"), Ok(vec![(2, 6), (2, 5)]));
        assert_eq!(squares("8h2b+"), Ok(vec![(1, 7), (7, 1)]));
        assert_eq!(squares("P*1i"), Ok(vec![(8, 8)]));
        check(squares("7g7"), "character 4: expected a rank of the last move, found the end");
        check(squares("resign"), "character 1: expected a file of the last move, found 'r'");
        check(squares("K*5e"), "character 1: expected a file of the last move, found 'K'");
        check(squares("P5e"), "character 2: expected '*' of a drop as last move, found '5'");
        check(squares("7g7f="), "character 5: expected the end of the last move, found '='");
    }

    #[test]
    fn hands_are_sorted_and_summed() {
        let position = Position::parse(&format!("{BOARD} w PpR17P2g 1")).expect("a position");
        assert_eq!(position.hand(Side::Black).collect::<Vec<_>>(), [(Kind::Rook, 1), (Kind::Pawn, 18)]);
        assert_eq!(position.hand(Side::White).collect::<Vec<_>>(), [(Kind::Gold, 2), (Kind::Pawn, 1)]);
    }
}
