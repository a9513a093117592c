//! What the texts of positions and moves have in common.

use std::fmt;
use std::str::Chars;

use crate::reports::boards::Side;

/// Why a text is no position, or no move to shade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPosition {
    /// The place in the text, in characters from 1.
    pub column: usize,
    /// What stood there; nothing at the end of the text.
    pub found: Option<char>,
    /// What should have stood there.
    pub expected: Expected,
}

/// What a text of a position should go on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A piece, or a digit for so many empty squares, which the row has room for.
    Piece,
    /// A piece that can be promoted, after a `+`.
    Promotable,
    /// The slash between two rows.
    Slash,
    /// The space between two parts.
    Space,
    /// `b` or `w`.
    Side,
    /// A piece that can be in hand, perhaps with a number before it, or `-` for none.
    Hand,
    /// The number of the next move.
    MoveNumber,
    /// In the text of a move: the file of a square, or a piece that is dropped.
    MoveFile,
    /// In the text of a move: the rank of a square.
    MoveRank,
    /// In the text of a move: the star of a drop.
    MoveStar,
    /// In the text of a move: its end, or a promotion.
    MoveEnd,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Expected::Piece => "a piece, or a number of empty squares that fits in the row",
            Expected::Promotable => "a piece that can be promoted",
            Expected::Slash => "'/' and the next row",
            Expected::Space => "a space",
            Expected::Side => "'b' or 'w' for the side to move",
            Expected::Hand => "a piece in hand, with its count before it if there are several, or '-'",
            Expected::MoveNumber => "a move number",
            Expected::MoveFile => "a file of the last move",
            Expected::MoveRank => "a rank of the last move",
            Expected::MoveStar => "'*' of a drop as last move",
            Expected::MoveEnd => "the end of the last move",
        })
    }
}

impl fmt::Display for NoPosition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let NoPosition { column, expected, .. } = self;
        match self.found {
            Some(found) => write!(f, "character {column}: expected {expected}, found {found:?}"),
            None => write!(f, "character {column}: expected {expected}, found the end"),
        }
    }
}

impl std::error::Error for NoPosition {}

/// Rows from the top, squares from the left.
pub(crate) type Grid<P> = Vec<Vec<Option<P>>>;

/// A text read from left to right.
pub(crate) struct Reader<'t> {
    rest: Chars<'t>,
    column: usize,
}

impl Reader<'_> {
    pub(crate) fn new(text: &str) -> Reader<'_> {
        Reader { rest: text.chars(), column: 1 }
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    pub(crate) fn skip(&mut self) {
        self.column += usize::from(self.rest.next().is_some());
    }

    pub(crate) fn refuse<T>(&self, expected: Expected) -> Result<T, NoPosition> {
        Err(NoPosition { column: self.column, found: self.peek(), expected })
    }

    /// Goes on over a character that has a meaning, and refuses any other.
    pub(crate) fn take<T>(
        &mut self,
        expected: Expected,
        meaning: impl FnOnce(char) -> Option<T>,
    ) -> Result<T, NoPosition> {
        match self.peek().and_then(meaning) {
            Some(meant) => {
                self.skip();
                Ok(meant)
            }
            None => self.refuse(expected),
        }
    }

    pub(crate) fn take_char(&mut self, expected: Expected, c: char) -> Result<(), NoPosition> {
        self.take(expected, |found| (found == c).then_some(()))
    }

    /// At least one space.
    pub(crate) fn take_space(&mut self) -> Result<(), NoPosition> {
        self.take_char(Expected::Space, ' ')?;
        while self.peek() == Some(' ') {
            self.skip();
        }
        Ok(())
    }

    pub(crate) fn take_side(&mut self) -> Result<Side, NoPosition> {
        self.take(Expected::Side, |c| match c {
            'b' => Some(Side::Black),
            'w' => Some(Side::White),
            _ => None,
        })
    }

    /// As many rows as squares in a row.
    pub(crate) fn take_grid<P>(
        &mut self,
        size: usize,
        mut take_piece: impl FnMut(&mut Self) -> Result<P, NoPosition>,
    ) -> Result<Grid<P>, NoPosition> {
        let mut grid = Grid::new();
        while grid.len() < size {
            if !grid.is_empty() {
                self.take_char(Expected::Slash, '/')?;
            }
            let mut row = Vec::new();
            while row.len() < size {
                match self.peek().and_then(|c| c.to_digit(10)).map(|n| n as usize) {
                    Some(n) if n > 0 && row.len() + n <= size => {
                        row.extend((0..n).map(|_| None));
                        self.skip();
                    }
                    Some(_) => return self.refuse(Expected::Piece),
                    None => row.push(Some(take_piece(self)?)),
                }
            }
            grid.push(row);
        }
        Ok(grid)
    }
}

/// The pieces of a grid with their columns and rows, from 0.
pub(crate) fn pieces<P>(grid: &Grid<P>) -> impl Iterator<Item = ((usize, usize), &P)> {
    let rows = grid.iter().enumerate();
    rows.flat_map(|(y, row)| row.iter().enumerate().filter_map(move |(x, square)| Some(((x, y), square.as_ref()?))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_say_where_and_what() {
        let mut reader = Reader::new("ー\n");
        reader.skip();
        let refused = reader.take_side().map_err(|e| e.to_string());
        assert_eq!(refused, Err("character 2: expected 'b' or 'w' for the side to move, found '\\n'".to_string()));
        reader.skip();
        reader.skip();
        let refused = reader.take_space().map_err(|e| e.to_string());
        assert_eq!(refused, Err("character 3: expected a space, found the end".to_string()));
    }
}
