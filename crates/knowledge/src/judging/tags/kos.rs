//! Ko threats (コウ材, *kō-zai*).

use tejun_games::Move;
use tejun_games::go::{Board, Color, Point};

use crate::judging::tags::distance;

/// The most moves since the mover took the ko: a threat that needs several answers.
const LONGEST_THREAT: usize = 9;
/// Moves this near to a ko may be about its own stones.
const LOCAL: u8 = 3;

/// Whether a move threatens something while the ko can't be retaken; the boards are before and after it.
///
/// A ko that the mover has taken before makes every move elsewhere a threat; without that, it must give atari.
pub(crate) fn is_ko_threat([before, after]: [&Board; 2], moves: &[Move], color: Color, point: Point) -> bool {
    let Some(ko) = before.ko_point(color) else { return false };
    let gives_atari = point
        .around()
        .into_iter()
        .any(|p| after.stone(p) == Some(color.opponent()) && after.liberties(p) == 1 && before.liberties(p) > 1);
    distance(ko, point) > LOCAL && (gives_atari || was_taken_before(moves, color, ko))
}

/// Whether the mover took the ko a few moves ago, and the last move took it back.
fn was_taken_before(moves: &[Move], color: Color, ko: Point) -> bool {
    let Some((last, moves)) = moves.split_last() else { return false };
    let is_at = |m: &Move, owner: Color, point: Option<Point>| m.color == owner && m.point == point;
    let Some(taken) = moves.iter().rposition(|m| is_at(m, color, Some(ko))) else { return false };
    // The opponent stood there before.
    moves.len() - taken <= LONGEST_THREAT && moves[..taken].iter().any(|m| is_at(m, color.opponent(), last.point))
}
