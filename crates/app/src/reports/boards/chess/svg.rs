//! Chess positions as pictures.
//!
//! The pieces are shapes, not letters: the figures of Unicode are pictures in
//! color on some devices and empty boxes on others.

use crate::reports::boards::Side;
use crate::reports::boards::chess::{FILES, Kind, Position, SIZE, squares};
use crate::reports::boards::reading::{NoPosition, pieces};
use crate::reports::boards::sheet::{INK, LINE, SHADE, Sheet, WHITE, group, path, text, title};

const CELL: f64 = 45.0;
const BOARD: f64 = CELL * SIZE as f64;
/// At both sides: ranks at the left, the side to move at the right.
const SIDE: f64 = 26.0;
const HEAD: f64 = 10.0;
const FOOT: f64 = 26.0;

const LIGHT_SQUARE: &str = "#f7e6c4";
const DARK_SQUARE: &str = "#cfa36b";

/// A position as SVG, 412 wide and 396 high, from a FEN; the squares of a move in UCI are shaded.
///
/// White is below. A disc at the right stands beside the side to move.
///
/// # Errors
///
/// Fails if the text is no FEN, or the other one no move on the board.
/// Whether position and move can come up is not asked.
pub fn chess_svg(fen: &str, last_move_uci: Option<&str>) -> Result<String, NoPosition> {
    let position = Position::parse(fen)?;
    let shaded = last_move_uci.map_or_else(|| Ok(Vec::new()), squares)?;
    let sheet = Sheet {
        left: -SIDE,
        top: -HEAD,
        width: BOARD + 2.0 * SIDE,
        height: HEAD + BOARD + FOOT,
        title: &title("Chess", position.to_move.name(), last_move_uci),
        attributes: "font-family=\"Helvetica,Arial,Liberation Sans,sans-serif\"",
    };
    let men = all_pieces(&position, Side::White) + &all_pieces(&position, Side::Black);
    Ok(sheet.to_svg(&(board(&shaded) + &coordinates() + &turn_sign(position.to_move) + &men)))
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

fn turn_sign(to_move: Side) -> String {
    let (y, fill) = match to_move {
        Side::White => (BOARD - CELL / 2.0, WHITE),
        Side::Black => (CELL / 2.0, INK),
    };
    let x = BOARD + SIDE / 2.0;
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"8\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.5\"/>\n")
}

fn all_pieces(position: &Position, side: Side) -> String {
    let drawn = |shape: fn(Kind) -> &'static str| -> String {
        let own = pieces(&position.board).filter(|(_, piece)| piece.side == side);
        own.map(|((x, y), piece)| format!("M{} {}{}", x as f64 * CELL, y as f64 * CELL, shape(piece.kind))).collect()
    };
    let (fill, stroke) = match side {
        Side::White => (WHITE, INK),
        Side::Black => (INK, WHITE),
    };
    let round = "stroke-linejoin=\"round\" stroke-linecap=\"round\"";
    path(&drawn(Kind::outline), &format!("fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.6\" {round}"))
        + &path(&drawn(Kind::strokes), &format!("fill=\"none\" stroke=\"{stroke}\" stroke-width=\"1.4\" {round}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports::boards::chess::START;

    fn svg(fen: &str, last_move_uci: Option<&str>) -> String {
        chess_svg(fen, last_move_uci).expect("a position")
    }

    fn count(svg: &str, part: &str) -> usize {
        svg.matches(part).count()
    }

    #[test]
    fn every_piece_is_drawn() {
        let start = svg(START, None);
        let kinds = [Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn];
        assert_eq!(kinds.map(|kind| count(&start, kind.outline())), [2, 2, 4, 4, 4, 16]);
        assert_eq!(kinds.map(|kind| count(&start, kind.strokes())), [2, 2, 4, 4, 4, 16]);
        assert_eq!(count(&start, " id=") + count(&start, "style"), 0);
        assert_eq!(start, svg(START, None));
        let bare = svg("8/8/8/8/8/8/8/8 b", None);
        assert!(kinds.iter().all(|kind| count(&bare, kind.outline()) == 0));
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
    fn a_move_must_be_on_the_board() {
        assert!(chess_svg(START, Some("<svg>")).is_err());
        assert!(chess_svg("startpos", None).is_err());
    }
}
