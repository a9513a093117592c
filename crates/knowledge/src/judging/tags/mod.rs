//! What a move does, as far as it can be seen on the board.
//!
//! Names are given only where players would agree: a move may have none. What
//! a move is good for is out of scope.

mod corner;
mod kos;
mod shape;
mod side;
mod tactics;

use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Color, Point, Suicide};

pub use crate::judging::tags::corner::CornerPoint;
pub use crate::judging::tags::shape::Shape;
pub use crate::judging::tags::side::Height;

/// A move is elsewhere if it is farther than this, along one axis, from the last moves.
const FAR: u8 = 8;
/// The last moves are together if they are this near.
const NEAR: u8 = 5;

/// Something that a move does or is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveTag {
    /// Takes stones off the board.
    Captures {
        /// How many.
        n_stones: usize,
    },
    /// Takes one stone in a ko (コウ, *kō*).
    TakesKo,
    /// Gives atari to stones that had more liberties.
    Atari {
        /// How many.
        n_stones: usize,
    },
    /// Gives atari to two chains or more (両アタリ, *ryō-atari*).
    DoubleAtari,
    /// The stones in atari can't run: they are chased to their end (シチョウ, *shichō*).
    Ladder {
        /// How many stones.
        n_stones: usize,
    },
    /// The stones in atari have no way out, not even a chase.
    NoEscape {
        /// How many stones.
        n_stones: usize,
    },
    /// Own stones were in atari and no longer are.
    Saves {
        /// How many.
        n_stones: usize,
    },
    /// The move's own chain has one liberty left.
    SelfAtari {
        /// Its stones.
        n_stones: usize,
    },
    /// A single stone that spoils an eye when it is taken (ホウリコミ, *hōrikomi*).
    ThrowIn,
    /// Threatens something elsewhere instead of retaking a ko (コウ材, *kō-zai*).
    KoThreat,
    /// Threatens to cut a one-space jump (ノゾキ, *nozoki*).
    Peep,
    /// Joins own chains (ツギ, *tsugi*).
    Connects {
        /// How many.
        n_chains: usize,
    },
    /// Separates diagonally adjacent stones (キリ, *kiri*).
    Cuts,
    /// The first stone in a corner.
    Corner(CornerPoint),
    /// Approaches a lone stone in a corner (カカリ, *kakari*), from it by this shape.
    Approach(Shape),
    /// Approaches a stone on the 5-3 or 5-4 point from this point, nearer to the corner.
    ApproachAt(CornerPoint),
    /// Attacks a stone that approaches an own corner, from its other side (ハサミ, *hasami*).
    Pincer {
        /// The points between the two stones along the side.
        n_spaces: u8,
        /// How high the move is.
        height: Height,
    },
    /// Takes the corner under the opponent's star point stone (三々入り, *sansan-iri*).
    ThreeThree,
    /// Goes where the opponent's stones are on both sides, without own stones near (打ち込み, *uchikomi*).
    Invasion,
    /// Between two positions of the opponent's, with room for a base on both sides (ワリウチ, *wariuchi*).
    Splits,
    /// Limits the opponent's framework from above (消し, *keshi*).
    Reduction,
    /// Encloses a corner together with the stone in it (シマリ, *shimari*), from it by this shape.
    Enclosure(Shape),
    /// Its shape with the surrounding stones.
    Shape(Shape),
    /// Plays away from the last moves (手抜き, *tenuki*).
    Elsewhere,
    /// Its distance from the nearest edge; the edge itself is the first line.
    Line(u8),
}

/// What a move does, from the board before it; `moves` are the moves so far.
///
/// Empty for a pass and for an illegal move. Costs a few board
/// copies, and more if a ladder must be read.
pub fn move_tags(board: &Board, moves: &[Move], played: Move) -> Vec<MoveTag> {
    let Some(point) = played.point else { return Vec::new() };
    let mut after = board.clone();
    // The players have settled whether the ko may be retaken.
    after.pass();
    let Ok(n_captured) = after.play_with(played.color, point, Suicide::Allowed) else { return Vec::new() };
    let mut tags = tactics::tactics([board, &after], played.color, point, n_captured);
    let is_ko_threat = n_captured == 0 && kos::is_ko_threat([board, &after], moves, played.color, point);
    let on_whole_board = whole_board_tag(board, played.color, point).filter(|_| tags.is_empty() && !is_ko_threat);
    // Nobody names a capture by its shape, or a move with a better name.
    let has_better_name = on_whole_board.is_some_and(|tag| tag != MoveTag::Reduction)
        || n_captured > 0
        || tags.iter().any(|tag| matches!(tag, MoveTag::ThrowIn | MoveTag::Peep));
    tags.extend(on_whole_board);
    if is_ko_threat {
        tags.push(MoveTag::KoThreat);
    }
    if !has_better_name {
        tags.extend(shape::shape(board, played.color, point).map(MoveTag::Shape));
    }
    if is_elsewhere(moves, point) {
        tags.push(MoveTag::Elsewhere);
    }
    tags.push(MoveTag::Line(line(point, board.size())));
    tags
}

/// The name of a quiet move that more than the surrounding stones give it.
fn whole_board_tag(board: &Board, color: Color, point: Point) -> Option<MoveTag> {
    corner::corner_tag(board, color, point)
        .or_else(|| corner::three_three(board, color, point))
        .or_else(|| side::side_tag(board, color, point))
}

/// Whether the last two moves are together and this one is far from both.
fn is_elsewhere(moves: &[Move], point: Point) -> bool {
    let last = moves.last().and_then(|m| m.point);
    let before = moves.len().checked_sub(2).and_then(|i| moves[i].point);
    let (Some(last), Some(before)) = (last, before) else { return false };
    distance(last, before) <= NEAR && [last, before].iter().all(|&p| distance(p, point) > FAR)
}

/// The distance along the longer axis.
fn distance(a: Point, b: Point) -> u8 {
    a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y()))
}

/// The line of a point, counted from the nearest edge.
fn line(point: Point, size: BoardSize) -> u8 {
    let from_edge = |coordinate: u8| coordinate.min(size.get() - 1 - coordinate) + 1;
    from_edge(point.x()).min(from_edge(point.y()))
}

#[cfg(test)]
mod tests;
