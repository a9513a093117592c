//! How likely a move is before it is searched, without a learned model.

use tejun_games::go::Point;

use crate::predictor::{Predictor, Situation};
use crate::search::playout::Playout;
use crate::search::shapes::SHAPE_TABLE;

/// Probabilities from a few rules: take and save stones, answer the last move, avoid the edge.
///
/// Nothing is learned, so it knows boards of every size.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainPredictor;

impl Predictor for PlainPredictor {
    fn predict(&mut self, situation: &Situation<'_>) -> Vec<f64> {
        let last = situation.moves.last().and_then(|last| last.point);
        let playout = Playout::new(situation.board, situation.color, last);
        let weights: Vec<f64> = situation.legal.iter().map(|&point| weight(&playout, point)).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }
}

fn weight(playout: &Playout, point: Point) -> f64 {
    let board = playout.board();
    let (own, other) = (playout.to_move(), playout.to_move().opponent());
    let mut weight: f64 = 1.0;
    let (mut n_taken, mut n_saved, mut n_atari) = (0, 0, 0);
    for p in point.around() {
        match (board.stone(p), board.liberties(p)) {
            (Some(color), 1) if color == other => n_taken += board.chain_len(p),
            (Some(color), 1) if color == own => n_saved += board.chain_len(p),
            (Some(color), 2) if color == other => n_atari += board.chain_len(p),
            _ => {}
        }
    }
    if n_taken > 0 {
        weight *= 10.0 + 3.0 * n_taken.min(10) as f64;
    }
    if playout.is_self_atari(point) {
        weight *= if n_taken > 0 { 0.7 } else { 0.1 };
    } else {
        if n_saved > 0 {
            weight *= 8.0 + 3.0 * n_saved.min(10) as f64;
        }
        if n_atari > 0 {
            weight *= 2.5;
        }
    }
    if SHAPE_TABLE.is_shape(board.surroundings(point)) {
        weight *= 2.5;
    }
    if let Some(last) = playout.last() {
        let (dx, dy) = (point.x().abs_diff(last.x()), point.y().abs_diff(last.y()));
        weight *= match dx + dy + dx.max(dy) {
            0..=2 => 4.0,
            3 => 3.5,
            4 => 2.5,
            5..=6 => 1.7,
            7..=8 => 1.2,
            _ => 1.0,
        };
    }
    let lines = board.size().get();
    let edge = |c: u8| c.min(lines - 1 - c);
    // Nobody plays on the first lines where no stones are near.
    // Codes of stones have no high bit.
    let is_quiet = board.surroundings(point) & 0xaaaa == 0xaaaa;
    weight
        * match edge(point.x()).min(edge(point.y())) {
            0 if is_quiet => 0.05,
            0 => 0.6,
            1 if is_quiet => 0.3,
            2 => 1.3,
            3 => 1.3,
            _ => 1.0,
        }
}
