//! Shogi positions as pictures.
//!
//! Black's hand is at the right of the board's foot, White's at the left of
//! its head, as the stands are beside a real board.

use crate::reports::boards::Side;
use crate::reports::boards::reading::{NoPosition, pieces};
use crate::reports::boards::sheet::{INK, LINE, SHADE, Sheet, Spot, WHITE, WOOD, group, path, text, title};
use crate::reports::boards::shogi::{Piece, Position, RANKS, SIZE, squares};

const CELL_WIDTH: f64 = 40.0;
const CELL_HEIGHT: f64 = 44.0;
const BOARD_WIDTH: f64 = CELL_WIDTH * SIZE as f64;
const BOARD_HEIGHT: f64 = CELL_HEIGHT * SIZE as f64;
/// Beside the board, for a hand.
const STAND_WIDTH: f64 = 50.0;
/// Beside the board, for the names of ranks.
const RANK_WIDTH: f64 = 20.0;
const HEAD: f64 = 26.0;
const FOOT: f64 = 10.0;
const STEP: f64 = 32.0;

const PIECE: &str = "#fff6dc";
const PROMOTED: &str = "#b3001b";
const FONTS: &str = "lang=\"ja\" font-family=\"Noto Serif CJK JP,Hiragino Mincho ProN,Hiragino Mincho,Yu Mincho,\
                     YuMincho,MS Mincho,serif\"";

/// A position as SVG, 480 wide and 432 high, from an SFEN; the squares of a move in USI are shaded.
///
/// # Errors
///
/// Fails if the text is no SFEN, or the other one no move on the board.
/// Whether position and move can come up is not asked.
pub fn shogi_svg(sfen: &str, last_move_usi: Option<&str>) -> Result<String, NoPosition> {
    let position = Position::parse(sfen)?;
    let shaded = last_move_usi.map_or_else(|| Ok(Vec::new()), squares)?;
    let sheet = Sheet {
        left: -STAND_WIDTH,
        top: -HEAD,
        width: BOARD_WIDTH + RANK_WIDTH + 2.0 * STAND_WIDTH,
        height: HEAD + BOARD_HEIGHT + FOOT,
        title: &title("Shogi", position.to_move.name(), last_move_usi),
        attributes: FONTS,
    };
    let content = board(&shaded) + &coordinates() + &all_pieces(&position);
    let stands: String = Side::BOTH.into_iter().map(|side| stand(&position, side)).collect();
    Ok(sheet.to_svg(&(content + &stands)))
}

/// Wood, shaded squares, lines and the four dots.
fn board(shaded: &[(usize, usize)]) -> String {
    let shade = |&(x, y): &(usize, usize)| {
        format!("M{} {}h{CELL_WIDTH}v{CELL_HEIGHT}h-{CELL_WIDTH}z", x as f64 * CELL_WIDTH, y as f64 * CELL_HEIGHT)
    };
    let shades: String = shaded.iter().map(shade).collect();
    let rows = (1..SIZE).map(|i| format!("M0 {}H{BOARD_WIDTH}", i as f64 * CELL_HEIGHT));
    let columns = (1..SIZE).map(|i| format!("M{} 0V{BOARD_HEIGHT}", i as f64 * CELL_WIDTH));
    let lines: String = rows.chain(columns).collect();
    let corners = [(3.0, 3.0), (6.0, 3.0), (3.0, 6.0), (6.0, 6.0)];
    let dots: String = corners.iter().map(|(x, y)| format!("M{} {}h0", x * CELL_WIDTH, y * CELL_HEIGHT)).collect();
    let edge = format!("M0 0H{BOARD_WIDTH}V{BOARD_HEIGHT}H0z");
    path(&edge, &format!("fill=\"{WOOD}\""))
        + &path(&shades, &format!("fill=\"{SHADE}\" fill-opacity=\"0.45\""))
        + &path(&lines, &format!("stroke=\"{LINE}\""))
        + &path(&dots, &format!("stroke=\"{LINE}\" stroke-width=\"6\" stroke-linecap=\"round\""))
        + &path(&edge, &format!("fill=\"none\" stroke=\"{LINE}\" stroke-width=\"2\""))
}

fn coordinates() -> String {
    const FONT_SIZE: f64 = 16.0;
    let drop = 0.38 * FONT_SIZE;
    let mut texts = String::new();
    for (i, rank) in RANKS.into_iter().enumerate() {
        let file = (SIZE - i).to_string();
        texts.push_str(&text(((i as f64 + 0.5) * CELL_WIDTH, -12.0), drop, &file));
        texts.push_str(&text((BOARD_WIDTH + 12.0, (i as f64 + 0.5) * CELL_HEIGHT), drop, rank));
    }
    group(&format!("font-size=\"{FONT_SIZE}\" fill=\"{LINE}\""), &texts)
}

fn all_pieces(position: &Position) -> String {
    let drawn = |side: Side| {
        let own = pieces(&position.board).filter(|(_, piece)| piece.side == side);
        let own: Vec<(Spot, Piece)> = own.map(|(square, piece)| (middle(square, side), *piece)).collect();
        let shapes: String = own.iter().map(|(spot, _)| pentagon(*spot, 1.0)).collect();
        let names = |is_promoted: bool| -> String {
            let named = own.iter().filter(|(_, piece)| piece.is_promoted == is_promoted);
            // The middle of kanji is 0.38 of their size above the baseline.
            named.map(|((x, y), piece)| text((*x, y + 1.5), 0.38 * 26.0, piece.kanji)).collect()
        };
        path(&shapes, &format!("fill=\"{PIECE}\" stroke=\"{LINE}\" stroke-linejoin=\"round\""))
            + &group(&format!("font-size=\"26\" fill=\"{INK}\""), &names(false))
            + &group(&format!("font-size=\"26\" fill=\"{PROMOTED}\""), &names(true))
    };
    // White's pieces are drawn as Black's, and all turned together.
    let turned = format!("transform=\"rotate(180 {} {})\"", BOARD_WIDTH / 2.0, BOARD_HEIGHT / 2.0);
    drawn(Side::Black) + &group(&turned, &drawn(Side::White))
}

/// The middle of a square as its piece's owner sees it.
fn middle((x, y): (usize, usize), side: Side) -> Spot {
    let (x, y) = match side {
        Side::Black => (x, y),
        Side::White => (SIZE - 1 - x, SIZE - 1 - y),
    };
    ((x as f64 + 0.5) * CELL_WIDTH, (y as f64 + 0.5) * CELL_HEIGHT)
}

/// The outline of a piece around a spot, 36 by 40 units if the scale is 1; upside down if it is negative.
fn pentagon((x, y): Spot, scale: f64) -> String {
    let corners = [(0.0, -20.0), (13.5, -14.0), (17.5, 20.0), (-17.5, 20.0), (-13.5, -14.0)];
    let corners = corners.map(|(dx, dy)| format!("{} {}", x + scale * dx, y + scale * dy));
    format!("M{}z", corners.join("L"))
}

/// A side's sign, whether it is to move, and its hand.
fn stand(position: &Position, side: Side) -> String {
    let hand: Vec<_> = position.hand(side).collect();
    let (x, sign_y, turn_y, first_y) = match side {
        Side::White => (-STAND_WIDTH / 2.0, 16.0, 45.0, 76.0),
        Side::Black => {
            let first_y = BOARD_HEIGHT - 76.0 - STEP * hand.len().saturating_sub(1) as f64;
            (BOARD_WIDTH + RANK_WIDTH + STAND_WIDTH / 2.0, BOARD_HEIGHT - 16.0, BOARD_HEIGHT - 45.0, first_y)
        }
    };
    let sign = match side {
        Side::Black => path(&pentagon((x, sign_y), 0.7), &format!("fill=\"{INK}\"")),
        Side::White => path(&pentagon((x, sign_y), -0.7), &format!("fill=\"{WHITE}\" stroke=\"{INK}\"")),
    };
    let (mut names, mut counts) = (String::new(), String::new());
    for (i, (kind, n)) in hand.into_iter().enumerate() {
        let y = first_y + STEP * i as f64;
        names.push_str(&text((x - 8.0, y), 0.38 * 28.0, kind.kanji()));
        if n > 1 {
            counts.push_str(&text((x + 14.0, y + 2.0), 0.36 * 15.0, &n.to_string()));
        }
    }
    let turn = if position.to_move == side { turn_sign((x, turn_y), (x, sign_y)) } else { String::new() };
    turn + &sign
        + &group(&format!("font-size=\"28\" fill=\"{INK}\""), &names)
        + &group(&format!("font-size=\"15\" fill=\"{INK}\""), &counts)
}

/// A shade behind the sign of the side to move, and words for it.
fn turn_sign(words: Spot, (x, y): Spot) -> String {
    let shade = format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"19\" fill=\"{SHADE}\" fill-opacity=\"0.45\"/>\n");
    shade + &group(&format!("font-size=\"16\" fill=\"{INK}\""), &text(words, 0.38 * 16.0, "手番"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports::boards::shogi::{BUSY, START};

    fn svg(sfen: &str, last_move_usi: Option<&str>) -> String {
        shogi_svg(sfen, last_move_usi).expect("a position")
    }

    fn count(svg: &str, part: &str) -> usize {
        svg.matches(part).count()
    }

    #[test]
    fn every_piece_is_drawn() {
        let svg = svg(START, None);
        for (kanji, n) in [("歩", 18), ("香", 4), ("桂", 4), ("銀", 4), ("金", 4), ("角", 2), ("飛", 2), ("玉", 2)]
        {
            assert_eq!(count(&svg, &format!(">{kanji}</text>")), n, "{kanji}");
        }
        assert_eq!(count(&svg, PROMOTED) + count(&svg, " id=") + count(&svg, "style"), 0);
        assert_eq!(svg, super::tests::svg(START, None));
    }

    #[test]
    fn promoted_pieces_hands_and_moves_are_shown() {
        let svg = svg(BUSY, Some("6h6g"));
        assert_eq!(count(&svg, &format!("fill=\"{PROMOTED}\"")), 2);
        assert_eq!(count(&svg, ">馬</text>") + count(&svg, ">と</text>"), 2);
        assert_eq!(count(&svg, ">銀</text>"), 4);
        assert!(svg.contains("<path d=\"M120 308h40v44h-40zM120 264h40v44h-40z\""));
        assert!(svg.contains("<title>Shogi position after 6h6g, Black to move</title>"));
        let many = super::tests::svg("9/9/9/9/9/9/9/9/9 w 2R18p 1", None);
        assert_eq!(count(&many, ">飛</text>") + count(&many, ">2</text>") + count(&many, ">18</text>"), 4);
    }

    #[test]
    fn a_side_and_its_turn_are_marked() {
        let turns = ["b", "w"].map(|side| svg(&format!("9/9/9/9/9/9/9/9/9 {side} -"), None));
        assert!(turns[0].contains("<circle cx=\"405\"") && turns[1].contains("<circle cx=\"-25\""));
        assert!(turns.iter().all(|svg| count(svg, "手番") == 1));
    }

    #[test]
    fn a_move_must_be_on_the_board() {
        assert!(shogi_svg(START, Some("7g7f")).is_ok());
        assert!(shogi_svg(START, Some("<svg>")).is_err());
        assert!(shogi_svg("startpos", None).is_err());
    }
}
