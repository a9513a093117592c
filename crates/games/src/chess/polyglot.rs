//! The key of a position in Polyglot's books.
//!
//! The 781 numbers are Polyglot's own, in `polyglot_random.txt`: kind of piece
//! and square, then castling rights, files of en passant, and the turn.

use std::sync::LazyLock;

use cozy_chess::{Board, Color, Piece, Rank, Square};

const N_NUMBERS: usize = 781;
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const TURN: usize = 780;

static NUMBERS: LazyLock<[u64; N_NUMBERS]> = LazyLock::new(|| {
    let mut lines = include_str!("polyglot_random.txt").lines();
    std::array::from_fn(|_| {
        let line = lines.next().expect("the table has 781 lines");
        u64::from_str_radix(line, 16).expect("the table is hexadecimal")
    })
});

/// The key of a position.
pub(crate) fn polyglot_key(board: &Board) -> u64 {
    let mut key = 0;
    for piece in Piece::ALL {
        for color in Color::ALL {
            // Black pawn 0, white pawn 1, black knight 2 and so on.
            let kind = 2 * piece as usize + usize::from(color == Color::White);
            for square in board.colored_pieces(color, piece) {
                key ^= NUMBERS[64 * kind + square as usize];
            }
        }
    }
    for (side, color) in [Color::White, Color::Black].into_iter().enumerate() {
        let rights = board.castle_rights(color);
        for (wing, has) in [rights.short.is_some(), rights.long.is_some()].into_iter().enumerate() {
            key ^= if has { NUMBERS[CASTLING + 2 * side + wing] } else { 0 };
        }
    }
    if let Some(file) = en_passant_file(board) {
        key ^= NUMBERS[EN_PASSANT + file];
    }
    if board.side_to_move() == Color::White { key ^ NUMBERS[TURN] } else { key }
}

/// The file of a pawn that has just moved two squares and has an enemy pawn next to it.
pub(crate) fn en_passant_file(board: &Board) -> Option<usize> {
    let file = board.en_passant()?;
    let mover = board.side_to_move();
    let rank = Rank::Fifth.relative_to(mover);
    let pawns = board.colored_pieces(mover, Piece::Pawn);
    let adjacent = [-1i8, 1].into_iter().filter_map(|step| Square::new(file, rank).try_offset(step, 0));
    adjacent.into_iter().any(|square| pawns.has(square)).then_some(file as usize)
}
