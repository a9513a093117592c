//! Chess positions.

mod shapes;
pub(crate) mod svg;

/// Squares along a side of the board.
pub(crate) const SIZE: usize = 8;
/// The names of the files from the left.
pub(crate) const FILES: [&str; SIZE] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// The columns and rows, from 0 at the upper left, of a move's squares; `None` if the text is not UCI.
///
/// The position before the move is not needed, which is why the text is enough.
pub(crate) fn squares(uci: &str) -> Option<Vec<(usize, usize)>> {
    let square = |file: u8, rank: u8| {
        let column = usize::from(file.checked_sub(b'a')?);
        let row = SIZE.checked_sub(usize::from(rank.checked_sub(b'0')?))?;
        (column < SIZE && row < SIZE).then_some((column, row))
    };
    match *uci.as_bytes() {
        [a, b, c, d] | [a, b, c, d, b'q' | b'r' | b'b' | b'n'] => Some(vec![square(a, b)?, square(c, d)?]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_name_their_squares() {
        assert_eq!(squares("e2e4"), Some(vec![(4, 6), (4, 4)]));
        assert_eq!(squares("h7h8q"), Some(vec![(7, 1), (7, 0)]));
        for text in ["", "0000", "e2e9", "e0e1", "i2i4", "h7h8k", "e2", "e2e4qq", "é2e4"] {
            assert_eq!(squares(text), None, "{text}");
        }
    }
}
