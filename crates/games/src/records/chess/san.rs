//! Moves of chess as players write them: standard algebraic notation.

use crate::chess::{File, Move, Piece, Position, Rank, Square};

/// Why a text is not one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotOneMove {
    /// It is not a move.
    NoMove,
    /// No legal move is meant.
    Illegal,
    /// It fits several moves.
    Several(usize),
}

/// The legal move that `Nbd7`, `exd8=Q+`, `O-O` or `e2-e4` means.
pub(crate) fn resolve(text: &str, position: &Position) -> Result<Move, NotOneMove> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let pattern = Pattern::parse(text).ok_or(NotOneMove::NoMove)?;
    let moves: Vec<Move> =
        position.legal_moves().into_iter().filter(|played| pattern.fits(*played, position)).collect();
    match moves[..] {
        [] => Err(NotOneMove::Illegal),
        [played] => Ok(played),
        _ => Err(NotOneMove::Several(moves.len())),
    }
}

/// What a text says about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    Castling { is_short: bool },
    Plain { piece: Piece, file: Option<File>, rank: Option<Rank>, to: Square, promotion: Option<Piece> },
}

impl Pattern {
    fn parse(text: &str) -> Option<Pattern> {
        match text {
            "O-O" | "0-0" | "o-o" => return Some(Pattern::Castling { is_short: true }),
            "O-O-O" | "0-0-0" | "o-o-o" => return Some(Pattern::Castling { is_short: false }),
            _ => {}
        }
        let letters: Vec<char> =
            text.chars().filter(|letter| !matches!(letter, 'x' | '-' | ':' | '=' | '(' | ')')).collect();
        let (piece, rest) = match letters.split_first()? {
            (first, rest) if first.is_ascii_uppercase() => (piece_named(*first)?, rest),
            _ => (Piece::Pawn, &letters[..]),
        };
        let (promotion, rest) = match rest.split_last()? {
            (last, before) if last.is_ascii_alphabetic() => (Some(piece_named(last.to_ascii_uppercase())?), before),
            _ => (None, rest),
        };
        let (origin, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let to = Square::new(file_named(to[0])?, rank_named(to[1])?);
        let (file, rank) = match *origin {
            [] => (None, None),
            [one] => match file_named(one) {
                Some(file) => (Some(file), None),
                None => (None, Some(rank_named(one)?)),
            },
            [file, rank] => (Some(file_named(file)?), Some(rank_named(rank)?)),
            _ => return None,
        };
        Some(Pattern::Plain { piece, file, rank, to, promotion })
    }

    fn fits(self, played: Move, position: &Position) -> bool {
        let owner = |square| position.piece(square).map(|(_, color)| color);
        let is_castling = owner(played.to).is_some() && owner(played.to) == owner(played.from);
        match self {
            Pattern::Castling { is_short } => is_castling && is_short == (played.to.file() > played.from.file()),
            Pattern::Plain { piece, file, rank, to, promotion } => {
                !is_castling
                    && to == played.to
                    && promotion == played.promotion
                    && position.piece(played.from).is_some_and(|(there, _)| there == piece)
                    && file.is_none_or(|file| file == played.from.file())
                    && rank.is_none_or(|rank| rank == played.from.rank())
            }
        }
    }
}

fn piece_named(letter: char) -> Option<Piece> {
    Some(match letter {
        'P' => Piece::Pawn,
        'N' => Piece::Knight,
        'B' => Piece::Bishop,
        'R' => Piece::Rook,
        'Q' => Piece::Queen,
        'K' => Piece::King,
        _ => return None,
    })
}

fn file_named(letter: char) -> Option<File> {
    File::ALL.into_iter().find(|file| char::from(b'a' + *file as u8) == letter)
}

fn rank_named(letter: char) -> Option<Rank> {
    Rank::ALL.into_iter().find(|rank| char::from(b'1' + *rank as u8) == letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fen: &str, text: &str, expected: Result<&str, NotOneMove>) {
        let position: Position = fen.parse().expect("a position");
        let found = resolve(text, &position).map(|played| position.move_text(played));
        assert_eq!(found, expected.map(String::from), "{text}");
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn plain_moves() {
        check(START, "e4", Ok("e2e4"));
        check(START, "Nf3!?", Ok("g1f3"));
        check(START, "e2-e4", Ok("e2e4"));
        check(START, "Ng1f3", Ok("g1f3"));
        check(START, "e5", Err(NotOneMove::Illegal));
        check(START, "O-O", Err(NotOneMove::Illegal));
        for text in ["", "e", "Zf3", "e9", "Nf3f4f5", "+", "同歩"] {
            check(START, text, Err(NotOneMove::NoMove));
        }
    }

    #[test]
    fn castling_promotion_and_ambiguous_pieces_are_read() {
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        check(castling, "O-O", Ok("e1g1"));
        check(castling, "0-0-0+", Ok("e1c1"));
        check(castling, "Kf2", Ok("e1f2"));
        let pawns = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1";
        check(pawns, "exd8=Q+", Ok("e7d8q"));
        check(pawns, "e8N", Ok("e7e8n"));
        check(pawns, "e8", Err(NotOneMove::Illegal));
        let rooks = "7k/8/8/R7/8/8/8/R6K w - - 0 1";
        check(rooks, "R1a3", Ok("a1a3"));
        check(rooks, "R5a3", Ok("a5a3"));
        check(rooks, "Ra3", Err(NotOneMove::Several(2)));
        check("7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "exd6", Ok("e5d6"));
    }
}
