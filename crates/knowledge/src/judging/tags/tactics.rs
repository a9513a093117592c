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
        let n_stones = after.chain_len(point);
        tags.push(if is_throw_in(after, color, point) { MoveTag::ThrowIn } else { MoveTag::SelfAtari { n_stones } });
    }
    let n_chains = chains_around(before, color, point).len();
    if n_chains > 1 {
        tags.push(MoveTag::Connects { n_chains });
    }
    if is_cut(before, after, color, point) {
        tags.push(MoveTag::Cuts);
    }
    if tags.is_empty() && is_peep(before, color, point) {
        tags.push(MoveTag::Peep);
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

/// Whether a single stone in atari spoils an eye: taken, it leaves a false one.
fn is_throw_in(after: &Board, color: Color, point: Point) -> bool {
    let size = after.size();
    let own = |p: &Point| after.stone(*p) == Some(color);
    let n_enemies = point.neighbors(size).filter(|&p| after.stone(p) == Some(color.opponent())).count();
    let n_around = point.neighbors(size).count();
    let n_needed = if n_around == 4 { 2 } else { 1 };
    after.chain_len(point) == 1
        && n_enemies >= 2
        && n_enemies + 1 == n_around
        && point.diagonal_neighbors(size).filter(own).count() >= n_needed
}

/// Whether a move threatens to cut the opponent's one-space jump, from a point next to its gap.
fn is_peep(board: &Board, color: Color, point: Point) -> bool {
    let size = board.size();
    let enemy = |p: Point| board.stone(p) == Some(color.opponent());
    if point.neighbors(size).any(|p| board.stone(p).is_some()) {
        return false;
    }
    point.neighbors(size).any(|gap| {
        let (dx, dy) = (i16::from(gap.x()) - i16::from(point.x()), i16::from(gap.y()) - i16::from(point.y()));
        let step = |n: i16, x: i16, y: i16| {
            let on = |a: u8, b: i16| u8::try_from(i16::from(a) + n * b).ok().filter(|&c| c < size.get());
            Some(Point::new(on(gap.x(), x)?, on(gap.y(), y)?))
        };
        let (Some(a), Some(b), Some(inner)) = (step(1, dy, dx), step(-1, dy, dx), step(1, dx, dy)) else {
            return false;
        };
        // Nothing is threatened where they are joined already, or where the gap was attacked before.
        enemy(a)
            && enemy(b)
            && board.chain_head(a) != board.chain_head(b)
            && (board.liberty_points(a) & board.liberty_points(b)).len() == 1
            && !inner.neighbors(size).any(|p| enemy(p) && p != gap)
            && board.is_empty(inner)
            && cut_lives(board, color, [point, gap])
    })
}

/// Whether two own stones in a row could not be taken at once.
fn cut_lives(board: &Board, color: Color, stones: [Point; 2]) -> bool {
    let mut after = board.clone();
    for stone in stones {
        after.pass();
        if after.play(color, stone).is_err() {
            return false;
        }
    }
    after.liberties(stones[1]) > 2
}
