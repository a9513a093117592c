//! Shogi positions as pictures.
//!
//! Black's hand is at the right of the board's foot, White's at the left of
//! its head, like the stands next to a real board.

use tejun_games::shogi::{Color, Piece, PieceKind, Position, Square};

use crate::reports::boards::sheet::{INK, LINE, SHADE, Sheet, SheetSpot, WHITE, WOOD, group, path, text, title};
use crate::reports::boards::shogi::{HAND, RANKS, SIZE, kanji, squares};
use crate::reports::boards::side_name;
use crate::reports::writing::short;

const CELL_WIDTH: f64 = 40.0;
const CELL_HEIGHT: f64 = 44.0;
const BOARD_WIDTH: f64 = CELL_WIDTH * SIZE as f64;
const BOARD_HEIGHT: f64 = CELL_HEIGHT * SIZE as f64;
/// Next to the board, for a hand.
const STAND_WIDTH: f64 = 50.0;
/// Next to the board, for the names of ranks.
const RANK_WIDTH: f64 = 20.0;
const HEAD: f64 = 26.0;
const FOOT: f64 = 10.0;
const STEP: f64 = 32.0;

const PIECE: &str = "#fff6dc";
const PROMOTED: &str = "#b3001b";
const FONTS: &str = "lang=\"ja\" font-family=\"Noto Serif CJK JP,Hiragino Mincho ProN,Hiragino Mincho,Yu Mincho,\
                     YuMincho,MS Mincho,serif\"";

/// A position as SVG, 480 wide and 432 high; the squares of the last move, in USI, are shaded.
///
/// Black is at the bottom. A text that is not a move is ignored.
pub fn shogi_svg(position: &Position, last_move_usi: Option<&str>) -> String {
    let shaded = last_move_usi.and_then(squares);
    let last_move_usi = last_move_usi.filter(|_| shaded.is_some());
    let sheet = Sheet {
        left: -STAND_WIDTH,
        top: -HEAD,
        width: BOARD_WIDTH + RANK_WIDTH + 2.0 * STAND_WIDTH,
        height: HEAD + BOARD_HEIGHT + FOOT,
        title: &title("Shogi", side_name(position.to_move() == Color::Black), last_move_usi),
        attributes: FONTS,
    };
    let content = board(&shaded.unwrap_or_default()) + &coordinates() + &all_pieces(position);
    let stands: String = [Color::Black, Color::White].into_iter().map(|side| stand(position, side)).collect();
    sheet.to_svg(&(content + &stands))
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
    let all = || (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y)));
    let piece_at = |(x, y): (usize, usize)| {
        let square = Square::new((SIZE - x) as u8, y as u8 + 1).expect("columns and rows are on the board");
        Some(((x, y), position.piece(square)?))
    };
    let drawn = |side: Color| {
        let own = all().filter_map(piece_at).filter(|(_, piece)| piece.color() == side);
        let own: Vec<(SheetSpot, Piece)> = own.map(|(square, piece)| (middle(square, side), piece)).collect();
        let shapes: String = own.iter().map(|(spot, _)| pentagon(*spot, 1.0)).collect();
        let names = |is_promoted: bool| -> String {
            let named = own.iter().filter(|(_, piece)| piece.piece_kind().unpromote().is_some() == is_promoted);
            // The middle of kanji is 0.38 of their size above the baseline.
            named.map(|((x, y), piece)| text((*x, y + 1.5), 0.38 * 26.0, kanji(piece.piece_kind()))).collect()
        };
        path(&shapes, &format!("fill=\"{PIECE}\" stroke=\"{LINE}\" stroke-linejoin=\"round\""))
            + &group(&format!("font-size=\"26\" fill=\"{INK}\""), &names(false))
            + &group(&format!("font-size=\"26\" fill=\"{PROMOTED}\""), &names(true))
    };
    // White's pieces are drawn as Black's, and all turned together.
    let turned = format!("transform=\"rotate(180 {} {})\"", BOARD_WIDTH / 2.0, BOARD_HEIGHT / 2.0);
    drawn(Color::Black) + &group(&turned, &drawn(Color::White))
}

/// The middle of a square as its piece's owner sees it.
fn middle((x, y): (usize, usize), side: Color) -> SheetSpot {
    let (x, y) = match side {
        Color::Black => (x, y),
        Color::White => (SIZE - 1 - x, SIZE - 1 - y),
    };
    ((x as f64 + 0.5) * CELL_WIDTH, (y as f64 + 0.5) * CELL_HEIGHT)
}

/// The outline of a piece around a spot, 36 by 40 units if the scale is 1; upside down if it is negative.
fn pentagon((x, y): SheetSpot, scale: f64) -> String {
    let corners = [(0.0, -20.0), (13.5, -14.0), (17.5, 20.0), (-17.5, 20.0), (-13.5, -14.0)];
    let corners = corners.map(|(dx, dy)| format!("{} {}", short(x + scale * dx), short(y + scale * dy)));
    format!("M{}z", corners.join("L"))
}

/// A side's sign, whether it is to move, and its hand.
fn stand(position: &Position, side: Color) -> String {
    let held = HAND.into_iter().map(|kind| (kind, position.held(side, kind)));
    let hand: Vec<(PieceKind, u8)> = held.filter(|(_, n)| *n > 0).collect();
    let (x, sign_y, turn_y, first_y) = match side {
        Color::White => (-STAND_WIDTH / 2.0, 16.0, 45.0, 76.0),
        Color::Black => {
            let first_y = BOARD_HEIGHT - 76.0 - STEP * hand.len().saturating_sub(1) as f64;
            (BOARD_WIDTH + RANK_WIDTH + STAND_WIDTH / 2.0, BOARD_HEIGHT - 16.0, BOARD_HEIGHT - 45.0, first_y)
        }
    };
    let sign = match side {
        Color::Black => path(&pentagon((x, sign_y), 0.7), &format!("fill=\"{INK}\"")),
        Color::White => path(&pentagon((x, sign_y), -0.7), &format!("fill=\"{WHITE}\" stroke=\"{INK}\"")),
    };
    let (mut names, mut counts) = (String::new(), String::new());
    for (i, (kind, n)) in hand.into_iter().enumerate() {
        let y = first_y + STEP * i as f64;
        names.push_str(&text((x - 8.0, y), 0.38 * 28.0, kanji(kind)));
        if n > 1 {
            counts.push_str(&text((x + 14.0, y + 2.0), 0.36 * 15.0, &n.to_string()));
        }
    }
    let turn = if position.to_move() == side { turn_sign((x, turn_y), (x, sign_y)) } else { String::new() };
    turn + &sign
        + &group(&format!("font-size=\"28\" fill=\"{INK}\""), &names)
        + &group(&format!("font-size=\"15\" fill=\"{INK}\""), &counts)
}

/// A shade under the sign of the side to move, and a text next to it.
fn turn_sign(label: SheetSpot, (x, y): SheetSpot) -> String {
    let shade = format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"19\" fill=\"{SHADE}\" fill-opacity=\"0.45\"/>\n");
    shade + &group(&format!("font-size=\"16\" fill=\"{INK}\""), &text(label, 0.38 * 16.0, "手番"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    const BUSY: &str = "+B2g1g2l/5sk2/p2p1pnp1/2p3p1p/3n5/4r3P/PPPP1PPP1/2GR+p1SK1/LN2PG1NL b SLbsp 63";

    fn svg(sfen: &str, last_move_usi: Option<&str>) -> String {
        shogi_svg(&sfen.parse().expect("a position"), last_move_usi)
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
        let turns = ["b", "w"].map(|side| svg(&format!("9/9/9/9/9/9/9/9/9 {side} - 1"), None));
        assert!(turns[0].contains("<circle cx=\"405\"") && turns[1].contains("<circle cx=\"-25\""));
        assert!(turns.iter().all(|svg| count(svg, "手番") == 1));
    }

    #[test]
    fn a_text_that_is_not_a_move_is_ignored() {
        assert_ne!(svg(START, Some("7g7f")), svg(START, None));
        assert_eq!(svg(START, Some("<svg>")), svg(START, None));
    }
}
