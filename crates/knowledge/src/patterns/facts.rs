//! The effects of a move on the surrounding chains.

use tejun_games::go::{Board, Color, Point, PointSet};

/// The effects of a move on the surrounding chains.
///
/// `capture`, `escape`, `self_atari` and `atari` are classes: 0 if the move has no such effect, otherwise a number
/// that describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Liberties of the move's chain afterwards; 5 means 5 or more.
    pub(crate) liberties_after: usize,
    /// The fewest liberties of an adjacent own chain; 0 if there is none.
    pub(crate) own_liberties: usize,
    /// The fewest liberties of an adjacent opponent's chain; 0 if there is none.
    pub(crate) opponent_liberties: usize,
    /// Number of adjacent own chains.
    pub(crate) n_own: usize,
    /// Number of adjacent opponent's chains.
    pub(crate) n_opponent: usize,
    /// Number of adjacent empty points.
    pub(crate) n_empty: usize,
    /// Number of stones captured.
    pub(crate) n_captured: usize,
    /// Number of stones in its chain afterwards.
    pub(crate) n_stones: usize,
    /// Below [`N_CAPTURE`]: number of stones, whether the last move is captured, whether own stones in atari are
    /// saved.
    pub(crate) capture: usize,
    /// Below [`N_ESCAPE`]: own stones in atari that it extends, liberties afterwards, whether the last move is a
    /// threat.
    pub(crate) escape: usize,
    /// Below [`N_SELF_ATARI`]: number of stones with one liberty afterwards, whether something is captured.
    pub(crate) self_atari: usize,
    /// Below [`N_ATARI`]: number of stones put into atari, their liberties, whether the last move is among them.
    pub(crate) atari: usize,
    /// The four neighbors, sorted: 0 for no stone, 1 to 3 for the liberties of an own one, 4 to 6 for the opponent's.
    pub(crate) around: [u8; 4],
}

/// Number of classes of captures.
pub(crate) const N_CAPTURE: usize = 17;
/// Number of classes of escapes from atari.
pub(crate) const N_ESCAPE: usize = 41;
/// Number of classes of self-ataris.
pub(crate) const N_SELF_ATARI: usize = 9;
/// Number of classes of ataris.
pub(crate) const N_ATARI: usize = 25;
/// Largest number of liberties that is distinguished.
pub(crate) const MOST_LIBERTIES: usize = 5;

/// The surroundings of a move before they are classified.
#[derive(Default)]
struct Threats {
    takes_last: bool,
    saves: bool,
    n_escaping: usize,
    n_in_atari: usize,
    ataris_last: bool,
}

impl Facts {
    /// Examines a move; `last` is the move before it.
    pub(crate) fn new(board: &Board, color: Color, point: Point, last: Option<Point>) -> Facts {
        let mut facts = Facts { n_stones: 1, ..Facts::default() };
        let mut threats = Threats::default();
        let last_head = last.and_then(|last| board.chain_head(last));
        let mut heads = [None; 4];
        for (i, neighbor) in point.around().into_iter().enumerate() {
            let Some(stone) = board.stone(neighbor) else {
                facts.n_empty += usize::from(board.is_empty(neighbor));
                continue;
            };
            let head = board.chain_head(neighbor);
            facts.around[i] = board.liberties(neighbor).min(3) as u8 + if stone == color { 0 } else { 3 };
            if heads[..i].contains(&head) {
                continue;
            }
            heads[i] = head;
            if stone == color {
                facts.add_own(board, neighbor, &mut threats);
            } else {
                facts.add_opponent(board, neighbor, head == last_head, &mut threats);
            }
        }
        facts.around.sort_unstable();
        facts.liberties_after = liberties_after(board, color, point, facts.n_captured);
        let last_threatens = last.is_some_and(|last| {
            last.around().into_iter().any(|p| board.stone(p) == Some(color) && board.liberties(p) == 1)
        });
        facts.set_classes(&threats, last_threatens);
        facts
    }

    fn add_own(&mut self, board: &Board, chain: Point, threats: &mut Threats) {
        let (liberties, len) = (board.liberties(chain), board.chain_len(chain));
        self.n_own += 1;
        self.n_stones += len;
        self.own_liberties = fewest(self.own_liberties, liberties);
        if liberties == 1 {
            threats.n_escaping += len;
        }
    }

    fn add_opponent(&mut self, board: &Board, chain: Point, is_last: bool, threats: &mut Threats) {
        let (liberties, len) = (board.liberties(chain), board.chain_len(chain));
        self.n_opponent += 1;
        self.opponent_liberties = fewest(self.opponent_liberties, liberties);
        if liberties == 1 {
            self.n_captured += len;
            threats.takes_last |= is_last;
            threats.saves |= touches_enemy_in_atari(board, chain);
        } else if liberties == 2 {
            threats.n_in_atari += len;
            threats.ataris_last |= is_last;
        }
    }

    fn set_classes(&mut self, threats: &Threats, last_threatens: bool) {
        let Threats { takes_last, saves, n_escaping, n_in_atari, ataris_last } = *threats;
        if self.n_captured > 0 {
            self.capture = 1 + size_class(self.n_captured) * 4 + usize::from(takes_last) * 2 + usize::from(saves);
        }
        if n_escaping > 0 {
            let liberties = self.liberties_after.max(1) - 1;
            self.escape = 1 + (size_class(n_escaping) * 5 + liberties) * 2 + usize::from(last_threatens);
        }
        if self.liberties_after <= 1 {
            self.self_atari = 1 + size_class(self.n_stones) * 2 + usize::from(self.n_captured > 0);
        }
        if n_in_atari > 0 {
            let liberties = self.liberties_after.clamp(1, 3) - 1;
            self.atari = 1 + (size_class(n_in_atari) * 3 + liberties) * 2 + usize::from(ataris_last);
        }
    }
}

/// The smaller number of liberties; 0 means that none were counted yet.
fn fewest(before: usize, liberties: usize) -> usize {
    if before == 0 { liberties } else { before.min(liberties) }
}

/// 0 to 3 for 1, 2, 3 to 5 and more stones.
fn size_class(n_stones: usize) -> usize {
    match n_stones {
        0 | 1 => 0,
        2 => 1,
        3..=5 => 2,
        _ => 3,
    }
}

/// Whether a chain touches one of the other color with a single liberty.
fn touches_enemy_in_atari(board: &Board, chain: Point) -> bool {
    let enemy = board.stone(chain).map(Color::opponent);
    board.chain(chain).flat_map(Point::around).any(|p| board.stone(p) == enemy && board.liberties(p) == 1)
}

/// Liberties of the chain that a move would make; 5 means 5 or more.
fn liberties_after(board: &Board, color: Color, point: Point, n_captured: usize) -> usize {
    let around = point.around();
    let is_own = |p: &Point| board.stone(*p) == Some(color);
    if around.iter().any(|p| is_own(p) && board.liberties(*p) > MOST_LIBERTIES) {
        return MOST_LIBERTIES;
    }
    let mut liberties = PointSet::EMPTY;
    let mut n = 0;
    let mut add = |p: Point| {
        n += usize::from(liberties.insert(p));
        n >= MOST_LIBERTIES
    };
    for p in around {
        if board.is_empty(p) {
            add(p);
        } else if is_own(&p) {
            for liberty in board.chain(p).flat_map(Point::around).filter(|&q| q != point && board.is_empty(q)) {
                if add(liberty) {
                    return MOST_LIBERTIES;
                }
            }
        }
    }
    if n_captured > 0 {
        let mut chain: PointSet = [point].into_iter().collect();
        around.iter().filter(|p| is_own(p)).flat_map(|&p| board.chain(p)).for_each(|p| {
            chain.insert(p);
        });
        let is_next_to_chain = |p: &Point| p.around().iter().any(|q| board.size().has(*q) && chain.contains(*q));
        for p in around {
            if board.stone(p) == Some(color.opponent()) && board.liberties(p) == 1 {
                for taken in board.chain(p).filter(is_next_to_chain) {
                    if add(taken) {
                        return MOST_LIBERTIES;
                    }
                }
            }
        }
    }
    n.min(MOST_LIBERTIES)
}

#[cfg(test)]
mod tests {
    use tejun_games::go::{BoardSize, Suicide};

    use super::*;

    /// Compares the facts of a move with the result of playing it.
    fn check(board: &Board, color: Color, point: Point) {
        let facts = Facts::new(board, color, point, None);
        let mut after = board.clone();
        let Ok(n_captured) = after.play(color, point) else { return };
        assert_eq!(facts.n_captured, n_captured, "{board:?}{point:?}");
        assert_eq!(facts.n_stones, after.chain_len(point), "{board:?}{point:?}");
        assert_eq!(facts.liberties_after, after.liberties(point).min(5), "{board:?}{point:?}");
    }

    #[test]
    fn facts_agree_with_playing_the_move() {
        let mut state = 7u64;
        for lines in [4u8, 7, 9] {
            let size = BoardSize::new(lines).expect("a size");
            for _ in 0..40 {
                let (mut board, mut color) = (Board::new(size), Color::Black);
                for _ in 0..120 {
                    size.points().for_each(|point| check(&board, color, point));
                    let legal: Vec<Point> =
                        size.points().filter(|&p| board.check(color, p, Suicide::Forbidden).is_ok()).collect();
                    state = crate::patterns::template::scramble(state);
                    match legal.get(state as usize % legal.len().max(1)) {
                        Some(&point) => drop(board.play(color, point)),
                        None => board.pass(),
                    }
                    color = color.opponent();
                }
            }
        }
    }
}
