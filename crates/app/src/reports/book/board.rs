//! A board of whatever game a position is of.

use tejun_games::game::GamePosition;
use tejun_games::go::{Color, Point};

use crate::reports::boards::{NoPosition, chess_svg, shogi_svg};
use crate::reports::diagram::Diagram;

/// A position as a picture; the last move is shaded if it is told, as programs write it.
pub fn board_svg(board: &GamePosition, last_move: Option<&str>) -> String {
    let text = board.to_string();
    let drawn = |draw: fn(&str, Option<&str>) -> Result<String, NoPosition>| {
        draw(&text, last_move).or_else(|_| draw(&text, None))
    };
    match board {
        GamePosition::Shogi(_) => drawn(shogi_svg).unwrap_or_default(),
        GamePosition::Chess(_) => drawn(chess_svg).unwrap_or_default(),
        GamePosition::Go(position) => {
            let stones = position.board();
            let of = |color: Color| -> Vec<Point> {
                stones.size().points().filter(|point| stones.stone(*point) == Some(color)).collect()
            };
            let diagram = Diagram::new(stones.size())
                .with_stones(Color::Black, &of(Color::Black))
                .with_stones(Color::White, &of(Color::White));
            let last = last_move.and_then(|text| Point::parse(text, stones.size()).ok());
            match last.filter(|point| stones.stone(*point).is_some()) {
                Some(point) => diagram.with_last_move(point).to_svg(),
                None => diagram.to_svg(),
            }
        }
    }
}
