//! Captures, ataris, connections and cuts.

use tejun_games::go::{Board, Color, Point, PointSet, escapes_ladder};

use crate::judging::tags::MoveTag;

/// What a move does to chains; the boards are before and after it.
pub(crate) fn tactics(boards: [&Board; 2], color: Color, point: Point, n_captured: usize) -> Vec<MoveTag> {
    let [before, after] = boards;
    let mut tags = Vec::new();
    if n_captured > 0 {
        tags.push(MoveTag::Captures { n_stones: n_captured });
    }
    if after.ko_point(color.opponent()).is_some() {
        tags.push(MoveTag::TakesKo);
    }
    tags.extend(ataris(boards, color, point));
    let n_saved = n_saved(boards, color);
    if n_saved > 0 {
        tags.push(MoveTag::Saves { n_stones: n_saved });
    }
    if n_captured == 0 && after.liberties(point) == 1 {
        tags.push(MoveTag::SelfAtari { n_stones: after.chain_len(point) });
    }
    let n_chains = chains_around(before, color, point).len();
    if n_chains > 1 {
        tags.push(MoveTag::Connects { n_chains });
    }
    if is_cut(before, after, color, point) {
        tags.push(MoveTag::Cuts);
    }
    tags
}

/// The chains of a color next to a point, each by one stone.
fn chains_around(board: &Board, color: Color, point: Point) -> Vec<Point> {
    let stones = point.around().into_iter().filter(|&p| board.stone(p) == Some(color));
    stones.filter_map(|p| board.chain_head(p)).collect::<PointSet>().iter().collect()
}

fn ataris([before, after]: [&Board; 2], color: Color, point: Point) -> Vec<MoveTag> {
    let mut threatened = chains_around(after, color.opponent(), point);
    threatened.retain(|&chain| after.liberties(chain) == 1 && before.liberties(chain) > 1);
    let n_stones: usize = threatened.iter().map(|&chain| after.chain_len(chain)).sum();
    match threatened[..] {
        [] => Vec::new(),
        // A move that can be taken itself threatens little.
        [_] if after.liberties(point) < 2 => vec![MoveTag::Atari { n_stones }],
        [chain] if escapes_ladder(after, chain) => vec![MoveTag::Atari { n_stones }],
        [chain] if is_chased(after, color.opponent(), chain) => {
            vec![MoveTag::Atari { n_stones }, MoveTag::Ladder { n_stones }]
        }
        [_] => vec![MoveTag::Atari { n_stones }, MoveTag::NoEscape { n_stones }],
        _ => vec![MoveTag::Atari { n_stones }, MoveTag::DoubleAtari],
    }
}

/// Whether a chain in atari gets a second liberty by running, if only for a while.
fn is_chased(board: &Board, owner: Color, chain: Point) -> bool {
    let mut liberties = board.liberty_points(chain).iter().collect::<Vec<_>>().into_iter();
    liberties.any(|liberty| {
        let mut run = board.clone();
        run.play(owner, liberty).is_ok() && run.liberties(chain) > 1
    })
}

/// Own stones that were in atari and have more liberties now.
fn n_saved([before, after]: [&Board; 2], color: Color) -> usize {
    let is_saved = |p: &Point| before.liberties(*p) == 1 && after.liberties(*p) > 1;
    before.stones(color).iter().filter(is_saved).count()
}

/// Whether two enemy stones are diagonally adjacent, one of ours is next to both, and this is the other point next to
/// both.
fn is_cut(before: &Board, after: &Board, color: Color, point: Point) -> bool {
    let size = before.size();
    let enemy = |p: Point| before.stone(p) == Some(color.opponent()) && after.chain_head(p).is_some();
    point.diagonal_neighbors(size).any(|partner| {
        let (a, b) = (Point::new(point.x(), partner.y()), Point::new(partner.x(), point.y()));
        before.stone(partner) == Some(color)
            && enemy(a)
            && enemy(b)
            && before.chain_head(a) != before.chain_head(b)
            // With a further liberty in common they can still be joined.
            && (before.liberty_points(a) & before.liberty_points(b)).len() == 1
    })
}
