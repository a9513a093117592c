//! Chess positions as pictures.
//!
//! The pieces are shapes, not letters: the figures of Unicode are pictures in
//! color on some devices and empty boxes on others.

use tejun_games::chess::{Color, File, Piece, Position, Rank, Square};

use crate::reports::boards::chess::shapes::{outline, strokes};
use crate::reports::boards::chess::{FILES, SIZE, squares};
use crate::reports::boards::sheet::{INK, LINE, SHADE, Sheet, WHITE, group, path, text, title};
use crate::reports::boards::side_name;

const CELL: f64 = 45.0;
const BOARD: f64 = CELL * SIZE as f64;
/// At both sides: ranks at the left, the side to move at the right.
const SIDE: f64 = 26.0;
const HEAD: f64 = 10.0;
const FOOT: f64 = 26.0;

const LIGHT_SQUARE: &str = "#f7e6c4";
const DARK_SQUARE: &str = "#cfa36b";

/// A position as SVG, 412 wide and 396 high; the squares of the last move, in UCI, are shaded.
///
/// White is at the bottom. A disc at the right marks the side to move. A text that is not a move is ignored.
pub fn chess_svg(position: &Position, last_move_uci: Option<&str>) -> String {
    let shaded = last_move_uci.and_then(squares);
    let last_move_uci = last_move_uci.filter(|_| shaded.is_some());
    let to_move = position.to_move();
    let sheet = Sheet {
        left: -SIDE,
        top: -HEAD,
        width: BOARD + 2.0 * SIDE,
        height: HEAD + BOARD + FOOT,
        title: &title("Chess", side_name(to_move == Color::Black), last_move_uci),
        attributes: "font-family=\"Helvetica,Arial,Liberation Sans,sans-serif\"",
    };
    let men = all_pieces(position, Color::White) + &all_pieces(position, Color::Black);
    sheet.to_svg(&(board(&shaded.unwrap_or_default()) + &coordinates() + &turn_sign(to_move) + &men))
}

/// Squares and the edge around them.
fn board(shaded: &[(usize, usize)]) -> String {
    let square = |(x, y): (usize, usize)| format!("M{} {}h45v45h-45z", x as f64 * CELL, y as f64 * CELL);
    let all = (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y)));
    let dark: String = all.filter(|(x, y)| (x + y) % 2 == 1).map(square).collect();
    let shades: String = shaded.iter().copied().map(square).collect();
    let edge = format!("M0 0H{BOARD}V{BOARD}H0z");
    path(&edge, &format!("fill=\"{LIGHT_SQUARE}\""))
        + &path(&dark, &format!("fill=\"{DARK_SQUARE}\""))
        + &path(&shades, &format!("fill=\"{SHADE}\" fill-opacity=\"0.45\""))
        + &path(&edge, &format!("fill=\"none\" stroke=\"{LINE}\" stroke-width=\"2\""))
}

fn coordinates() -> String {
    const FONT_SIZE: f64 = 15.0;
    let mut texts = String::new();
    for (i, file) in FILES.into_iter().enumerate() {
        let along = (i as f64 + 0.5) * CELL;
        texts.push_str(&text((-13.0, along), 0.36 * FONT_SIZE, &(SIZE - i).to_string()));
        texts.push_str(&text((along, BOARD + 12.0), 0.36 * FONT_SIZE, file));
    }
    group(&format!("font-size=\"{FONT_SIZE}\" fill=\"{LINE}\""), &texts)
}

fn turn_sign(to_move: Color) -> String {
    let (y, fill) = match to_move {
        Color::White => (BOARD - CELL / 2.0, WHITE),
        Color::Black => (CELL / 2.0, INK),
    };
    let x = BOARD + SIDE / 2.0;
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"8\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.5\"/>\n")
}

fn all_pieces(position: &Position, side: Color) -> String {
    let all = (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y)));
    let own: Vec<((usize, usize), Piece)> = all
        .filter_map(|(x, y)| {
            let (piece, color) = position.piece(Square::new(File::index(x), Rank::index(SIZE - 1 - y)))?;
            (color == side).then_some(((x, y), piece))
        })
        .collect();
    let drawn = |shape: fn(Piece) -> &'static str| -> String {
        own.iter()
            .map(|((x, y), piece)| format!("M{} {}{}", *x as f64 * CELL, *y as f64 * CELL, shape(*piece)))
            .collect()
    };
    let (fill, stroke) = match side {
        Color::White => (WHITE, INK),
        Color::Black => (INK, WHITE),
    };
    let round = "stroke-linejoin=\"round\" stroke-linecap=\"round\"";
    path(&drawn(outline), &format!("fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.6\" {round}"))
        + &path(&drawn(strokes), &format!("fill=\"none\" stroke=\"{stroke}\" stroke-width=\"1.4\" {round}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn svg(fen: &str, last_move_uci: Option<&str>) -> String {
        chess_svg(&fen.parse().expect("a position"), last_move_uci)
    }

    fn count(svg: &str, part: &str) -> usize {
        svg.matches(part).count()
    }

    #[test]
    fn every_piece_is_drawn() {
        let start = svg(START, None);
        let pieces = [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];
        assert_eq!(pieces.map(|piece| count(&start, outline(piece))), [2, 2, 4, 4, 4, 16]);
        assert_eq!(pieces.map(|piece| count(&start, strokes(piece))), [2, 2, 4, 4, 4, 16]);
        assert_eq!(count(&start, " id=") + count(&start, "style"), 0);
        assert_eq!(start, svg(START, None));
    }

    #[test]
    fn the_last_move_and_the_turn_are_shown() {
        let moved = svg("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", Some("e2e4"));
        assert!(moved.contains("<path d=\"M180 270h45v45h-45zM180 180h45v45h-45z\""));
        assert!(moved.contains("<title>Chess position after e2e4, Black to move</title>"));
        assert!(moved.contains("cy=\"22.5\" r=\"8\" fill=\"#111\""));
        assert!(svg(START, None).contains("cy=\"337.5\" r=\"8\" fill=\"#fff\""));
    }

    #[test]
    fn a_text_that_is_not_a_move_is_ignored() {
        assert_eq!(svg(START, Some("<svg>")), svg(START, None));
    }
}
