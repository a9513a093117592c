//! Chess positions for the terminal.

use crate::reports::boards::chess::{FILES, Piece, Position, SIZE};
use crate::reports::boards::reading::NoPosition;

/// A position in letters, White's large, from a FEN.
///
/// Letters rather than figures, whose width no two terminals agree on.
///
/// # Errors
///
/// Fails if the text is no FEN. Whether the position can come up is not asked.
pub fn chess_text(fen: &str) -> Result<String, NoPosition> {
    let position = Position::parse(fen)?;
    let mut text = String::new();
    for (i, row) in position.board.iter().enumerate() {
        text.push_str(&(SIZE - i).to_string());
        for square in row {
            text.push(' ');
            text.push(square.map_or('.', Piece::letter));
        }
        text.push('\n');
    }
    Ok(format!("{text}  {}\n{} to move\n", FILES.join(" "), position.to_move.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_stand_in_a_square() {
        let text = chess_text("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
        let expected = "\
            8 r . b q k b n r\n\
            7 p p p p . p p p\n\
            6 . . n . . . . .\n\
            5 . . . . p . . .\n\
            4 . . . . P . . .\n\
            3 . . . . . N . .\n\
            2 P P P P . P P P\n\
            1 R N B Q K B . R\n\
            \u{20} a b c d e f g h\n\
            White to move\n";
        assert_eq!(text.as_deref(), Ok(expected));
    }
}
