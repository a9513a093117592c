//! Positions of random games, for tests.

use rand_mt::Mt64;
use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Color, Point, Suicide};

use crate::tactics::eval::position::TacticPosition;
use crate::tactics::language::generate::below;

/// Positions on small boards with about `n_stones` stones or fewer.
pub(crate) fn random_positions(n: usize, n_stones: usize) -> Vec<TacticPosition> {
    let mut random = Mt64::new(3);
    (0..n).map(|i| random_position(&mut random, 5 + i % 5, n_stones)).collect()
}

fn random_position(random: &mut Mt64, lines: usize, n_stones: usize) -> TacticPosition {
    let size = BoardSize::new(lines as u8).expect("a size");
    let points: Vec<Point> = size.points().collect();
    let mut board = Board::new(size);
    let mut position = TacticPosition::of_board(&board, Color::Black);
    for _ in 0..n_stones / 2 + below(random, n_stones) {
        let (color, point) = (position.to_move, points[below(random, points.len())]);
        if board.play_with(color, point, Suicide::Forbidden).is_ok() {
            position.play(Move { color, point: Some(point) });
        }
    }
    position
}
