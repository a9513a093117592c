//! Positions of shogi, chess and Go as SVG.
//!
//! Pictures have no ids, scripts or style sheets, so any number of them can
//! share a page. The same position always gives the same bytes.

mod chess;
mod sheet;
mod shogi;

use tejun_games::game::GamePosition;
use tejun_games::go::{self, Color, Point};

pub use crate::reports::boards::chess::svg::chess_svg;
pub use crate::reports::boards::shogi::svg::shogi_svg;
use crate::reports::diagram::Diagram;

/// Draws a position; the last move, in USI, UCI or like Q16, is marked if it is known.
///
/// ```
/// use tejun::reports::boards::board_svg;
/// use tejun_games::game::Game;
///
/// let mut board = Game::Chess.start();
/// board.play(board.parse_move("e2e4")?)?;
/// assert!(board_svg(&board, Some("e2e4")).contains("Chess position after e2e4, Black to move"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn board_svg(board: &GamePosition, last_move: Option<&str>) -> String {
    match board {
        GamePosition::Shogi(position) => shogi_svg(position, last_move),
        GamePosition::Chess(position) => chess_svg(position, last_move),
        GamePosition::Go(position) => go_svg(position.board(), last_move),
    }
}

fn go_svg(board: &go::Board, last_move: Option<&str>) -> String {
    let of = |color: Color| -> Vec<Point> {
        board.size().points().filter(|point| board.stone(*point) == Some(color)).collect()
    };
    let diagram = Diagram::new(board.size())
        .with_stones(Color::Black, &of(Color::Black))
        .with_stones(Color::White, &of(Color::White));
    let last = last_move.and_then(|text| Point::parse(text, board.size()).ok());
    match last.filter(|point| board.stone(*point).is_some()) {
        Some(point) => diagram.with_last_move(point).to_svg(),
        None => diagram.to_svg(),
    }
}

/// The name of a side in chess and shogi.
fn side_name(is_black: bool) -> &'static str {
    if is_black { "Black" } else { "White" }
}
