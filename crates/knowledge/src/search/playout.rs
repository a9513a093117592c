//! A game played to its end at once.

use tejun_games::go::{Board, Color, Point, Suicide};

use crate::search::nakade::vital_point;
use crate::search::random::Random;
use crate::search::shapes::SHAPE_TABLE;

/// By which rules playouts choose their moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayoutPolicy {
    /// Any move that does not fill an own eye.
    Light,
    /// Captures, defense of stones in atari, vital points, shapes near the last move; else as above,
    /// without putting own stones into atari.
    #[default]
    Heavy,
}

/// Whether a playout stops when one side is so far ahead that the rest would only show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mercy {
    /// It does, and the whole board is that side's.
    #[default]
    Shown,
    /// It continues until both sides pass.
    Never,
}

/// How games are played out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutOptions {
    /// The rules of moves.
    pub policy: PlayoutPolicy,
    /// Whether they stop early.
    pub mercy: Mercy,
    /// The random seed.
    pub seed: u64,
}

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutEnd {
    /// Black's points less White's, without komi, all stones alive.
    pub score_black: i32,
    /// Moves from the position on, passes among them.
    pub n_moves: usize,
}

/// Plays a game out as the search does.
///
/// Makes room for a playout each time; [`playouts`] does so once.
pub fn play_out(board: &Board, to_move: Color, policy: PlayoutPolicy, seed: u64) -> PlayoutEnd {
    let options = PlayoutOptions { policy, mercy: Mercy::Shown, seed };
    playouts(board, to_move, options).next().expect("playouts have no end")
}

/// Plays a position out again and again, without end.
///
/// ```
/// use tejun_games::go::{Board, BoardSize, Color};
/// use tejun_knowledge::search::{Mercy, PlayoutOptions, PlayoutPolicy, playouts};
///
/// let board = Board::new(BoardSize::new(9)?);
/// let options = PlayoutOptions { policy: PlayoutPolicy::Heavy, mercy: Mercy::Shown, seed: 1 };
/// let n_won = playouts(&board, Color::Black, options).take(100).filter(|end| end.score_black > 0).count();
/// assert!((20..80).contains(&n_won));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn playouts(board: &Board, to_move: Color, options: PlayoutOptions) -> impl Iterator<Item = PlayoutEnd> {
    let root = Playout::new(board, to_move, None);
    let mut playout = root.clone();
    let mut random = Random::new(options.seed);
    let mercy = match options.mercy {
        Mercy::Shown => mercy(board),
        Mercy::Never => i32::MAX,
    };
    std::iter::repeat_with(move || {
        playout.copy_from(&root);
        let score_black = playout.play_until(options.policy, mercy, &mut random);
        PlayoutEnd { score_black, n_moves: playout.moves.len() }
    })
}

/// More stones than the other side by this: the rest would only show who is ahead (Fuego's "mercy").
fn mercy(board: &Board) -> i32 {
    (board.size().n_points() * 3 / 10) as i32
}

/// A board on which a game is played out, with what a playout needs at hand.
#[derive(Clone)]
pub(crate) struct Playout {
    board: Board,
    to_move: Color,
    /// Empty points in any order, and the place of each among them.
    empty: Vec<Point>,
    place: Box<[u16; Point::N_CELLS]>,
    /// Stones of each color.
    n_stones: [i32; 2],
    /// What was played from here on, passes too.
    moves: Vec<Option<Point>>,
    last: Option<Point>,
    n_passes: usize,
    /// Stones whose chains came into atari; they may be gone or safe by now.
    in_atari: Vec<Point>,
    candidates: Vec<Point>,
}

impl Playout {
    pub(crate) fn new(board: &Board, to_move: Color, last: Option<Point>) -> Playout {
        let mut place = Box::new([0; Point::N_CELLS]);
        let empty: Vec<Point> = board.size().points().filter(|&p| board.is_empty(p)).collect();
        for (n, point) in empty.iter().enumerate() {
            place[point.index()] = n as u16;
        }
        let stones = |color| board.size().points().filter(move |&p| board.stone(p) == Some(color));
        let in_atari = board.size().points().filter(|&p| board.liberties(p) == 1).collect();
        Playout {
            n_stones: [Color::Black, Color::White].map(|color| stones(color).count() as i32),
            board: board.clone(),
            to_move,
            empty,
            place,
            moves: Vec::with_capacity(3 * board.size().n_points()),
            last,
            n_passes: 0,
            in_atari,
            candidates: Vec::new(),
        }
    }

    /// Makes this the same as another, without new memory.
    pub(crate) fn copy_from(&mut self, other: &Playout) {
        self.board.clone_from(&other.board);
        self.to_move = other.to_move;
        self.empty.clone_from(&other.empty);
        self.place.clone_from(&other.place);
        self.n_stones = other.n_stones;
        self.moves.clone_from(&other.moves);
        self.last = other.last;
        self.n_passes = other.n_passes;
        self.in_atari.clone_from(&other.in_atari);
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    pub(crate) fn to_move(&self) -> Color {
        self.to_move
    }

    pub(crate) fn last(&self) -> Option<Point> {
        self.last
    }

    pub(crate) fn moves(&self) -> &[Option<Point>] {
        &self.moves
    }

    /// Whether both sides passed.
    pub(crate) fn is_over(&self) -> bool {
        self.n_passes >= 2
    }

    /// Whether a move is legal and does not fill an own eye.
    #[inline]
    pub(crate) fn is_sensible(&self, point: Point) -> bool {
        !SHAPE_TABLE.is_eye(self.board.surroundings(point), self.to_move)
            && self.board.check(self.to_move, point, Suicide::Forbidden).is_ok()
    }

    /// Plays a legal move, or passes.
    #[inline]
    pub(crate) fn play(&mut self, point: Option<Point>) {
        self.moves.push(point);
        self.last = point;
        match point {
            Some(point) => {
                self.n_passes = 0;
                self.put(point);
            }
            None => {
                self.n_passes += 1;
                self.board.pass();
            }
        }
        self.to_move = self.to_move.opponent();
    }

    fn put(&mut self, point: Point) {
        let (own, other) = (self.to_move, self.to_move.opponent());
        let n_before = self.empty.len();
        for p in point.around() {
            // The chain is walked before it is taken off, once however often the move touches it.
            if self.board.stone(p) == Some(other) && self.board.liberties(p) == 1 {
                let is_new = !self.empty[n_before..].contains(&p);
                if is_new {
                    self.empty.extend(self.board.chain(p));
                }
            }
        }
        let n_captured = self.empty.len() - n_before;
        let _ = self.board.play(own, point);
        for n in n_before..self.empty.len() {
            self.place[self.empty[n].index()] = n as u16;
        }
        let at = self.place[point.index()] as usize;
        self.empty.swap_remove(at);
        if let Some(moved) = self.empty.get(at) {
            self.place[moved.index()] = at as u16;
        }
        self.n_stones[own as usize] += 1;
        self.n_stones[other as usize] -= n_captured as i32;
        if self.board.liberties(point) == 1 {
            self.in_atari.push(point);
        }
        for p in point.around() {
            if self.board.liberties(p) == 1 {
                self.in_atari.push(p);
            }
        }
    }

    /// Plays to the end, or until one side is far ahead; gives Black's points less White's, without komi.
    pub(crate) fn play_out(&mut self, policy: PlayoutPolicy, random: &mut Random) -> i32 {
        self.play_until(policy, mercy(&self.board), random)
    }

    #[inline]
    fn play_until(&mut self, policy: PlayoutPolicy, mercy: i32, random: &mut Random) -> i32 {
        let n_points = self.board.size().n_points();
        let end = self.moves.len() + 3 * n_points;
        while self.n_passes < 2 && self.moves.len() < end {
            let ahead = self.n_stones[0] - self.n_stones[1];
            if ahead.abs() > mercy {
                return ahead.signum() * n_points as i32;
            }
            let point = match policy {
                PlayoutPolicy::Light => self.any_move(policy, random),
                PlayoutPolicy::Heavy => self.urgent_move(random).or_else(|| self.any_move(policy, random)),
            };
            self.play(point);
        }
        self.score()
    }

    /// Black's points less White's, all stones alive.
    pub(crate) fn score(&self) -> i32 {
        let mut score = self.n_stones[0] - self.n_stones[1];
        for &point in &self.empty {
            score += self.owner(point);
        }
        score
    }

    /// 1 for Black's points and -1 for White's: a stone, or an empty point whose neighbors have one color.
    pub(crate) fn owner(&self, point: Point) -> i32 {
        let sign = |color: Color| if color == Color::Black { 1 } else { -1 };
        if let Some(color) = self.board.stone(point) {
            return sign(color);
        }
        let mut seen = [false; 2];
        for p in point.around() {
            if let Some(color) = self.board.stone(p) {
                seen[color as usize] = true;
            }
        }
        i32::from(seen[0]) - i32::from(seen[1])
    }

    /// Any sensible move; `None` if there is none.
    #[inline]
    fn any_move(&mut self, policy: PlayoutPolicy, random: &mut Random) -> Option<Point> {
        let n = self.empty.len();
        if n == 0 {
            return None;
        }
        let start = random.below(n);
        let mut last_choice = None;
        for k in 0..n {
            let at = if start + k < n { start + k } else { start + k - n };
            let point = self.empty[at];
            if !self.is_sensible(point) {
                continue;
            }
            if policy == PlayoutPolicy::Heavy && self.is_bad_self_atari(point, random) {
                continue;
            }
            last_choice = Some(point);
            break;
        }
        last_choice
    }

    /// A move that answers the last one, or takes stones; `None` if nothing is urgent.
    fn urgent_move(&mut self, random: &mut Random) -> Option<Point> {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let found = self.find_urgent(&mut candidates, random);
        self.candidates = candidates;
        found
    }

    fn find_urgent(&mut self, candidates: &mut Vec<Point>, random: &mut Random) -> Option<Point> {
        if let Some(last) = self.last {
            if let Some(point) = vital_point(&self.board, last).filter(|&p| self.is_sensible(p)) {
                return Some(point);
            }
            self.find_captures_and_defense(last, candidates);
            if let Some(point) = self.one_of(candidates, random) {
                return Some(point);
            }
            candidates.clear();
            self.find_low_liberties(last, candidates);
            if let Some(point) = self.one_of(candidates, random) {
                return Some(point);
            }
            candidates.clear();
            self.find_shapes(last, candidates, random);
            if let Some(point) = self.one_of(candidates, random) {
                return Some(point);
            }
        }
        candidates.clear();
        self.find_any_capture(candidates);
        self.one_of(candidates, random)
    }

    fn one_of(&self, candidates: &[Point], random: &mut Random) -> Option<Point> {
        (!candidates.is_empty()).then(|| candidates[random.below(candidates.len())])
    }

    /// Takes the stones just played if they are in atari; saves own ones next to them.
    fn find_captures_and_defense(&self, last: Point, candidates: &mut Vec<Point>) {
        let own = self.to_move;
        if self.board.liberties(last) == 1 {
            let liberty = self.board.liberty_but(last, None);
            candidates.extend(liberty.filter(|&p| self.board.check(own, p, Suicide::Forbidden).is_ok()));
        }
        for p in last.around() {
            if self.board.stone(p) == Some(own) && self.board.liberties(p) == 1 {
                self.find_defense(p, candidates);
            }
        }
    }

    /// Moves that save a chain in atari: by running, or by taking what puts it there.
    fn find_defense(&self, chain: Point, candidates: &mut Vec<Point>) {
        let (own, other) = (self.to_move, self.to_move.opponent());
        if let Some(liberty) = self.board.liberty_but(chain, None)
            && self.board.check(own, liberty, Suicide::Forbidden).is_ok()
            && !self.is_self_atari(liberty)
        {
            candidates.push(liberty);
        }
        for p in self.board.chain(chain).flat_map(Point::around) {
            if self.board.stone(p) == Some(other)
                && self.board.liberties(p) == 1
                && let Some(liberty) = self.board.liberty_but(p, None)
                && !candidates.contains(&liberty)
                && self.board.check(own, liberty, Suicide::Forbidden).is_ok()
            {
                candidates.push(liberty);
            }
        }
    }

    /// Puts the stones just played into atari where they gain nothing by running, or runs with own stones of two
    /// liberties.
    fn find_low_liberties(&self, last: Point, candidates: &mut Vec<Point>) {
        if self.board.liberties(last) == 2 {
            let first = self.board.liberty_but(last, None);
            let second = self.board.liberty_but(last, first);
            for (point, rest) in [(first, second), (second, first)] {
                if let (Some(point), Some(rest)) = (point, rest)
                    && self.n_empty_around(rest) <= 1
                    && self.board.check(self.to_move, point, Suicide::Forbidden).is_ok()
                    && !self.is_self_atari(point)
                {
                    candidates.push(point);
                }
            }
        }
        for p in last.around() {
            if self.board.stone(p) != Some(self.to_move) || self.board.liberties(p) != 2 {
                continue;
            }
            let first = self.board.liberty_but(p, None);
            let second = self.board.liberty_but(p, first);
            for point in [first, second].into_iter().flatten() {
                if self.n_empty_around(point) >= 2
                    && !candidates.contains(&point)
                    && self.board.check(self.to_move, point, Suicide::Forbidden).is_ok()
                {
                    candidates.push(point);
                }
            }
        }
    }

    fn n_empty_around(&self, point: Point) -> usize {
        point.around().into_iter().filter(|&p| self.board.is_empty(p)).count()
    }

    fn find_shapes(&self, last: Point, candidates: &mut Vec<Point>, random: &mut Random) {
        for point in last.diagonal_neighbors(self.board.size()).chain(last.around()) {
            if self.board.is_empty(point)
                && SHAPE_TABLE.is_shape(self.board.surroundings(point))
                && self.is_sensible(point)
                && !self.is_bad_self_atari(point, random)
            {
                candidates.push(point);
            }
        }
    }

    /// Takes stones anywhere.
    fn find_any_capture(&mut self, candidates: &mut Vec<Point>) {
        let (own, other) = (self.to_move, self.to_move.opponent());
        let mut in_atari = std::mem::take(&mut self.in_atari);
        in_atari.retain(|&p| self.board.liberties(p) == 1);
        for &p in in_atari.iter().filter(|&&p| self.board.stone(p) == Some(other)) {
            if let Some(liberty) = self.board.liberty_but(p, None)
                && !candidates.contains(&liberty)
                && self.board.check(own, liberty, Suicide::Forbidden).is_ok()
            {
                candidates.push(liberty);
            }
        }
        self.in_atari = in_atari;
    }

    /// Whether the stones would have one liberty after a legal move.
    pub(crate) fn is_self_atari(&self, point: Point) -> bool {
        let mut liberty = None;
        for p in point.around() {
            let found = match self.board.stone(p) {
                None if self.board.is_empty(p) => Some(p),
                None => None,
                Some(color) if color == self.to_move => match self.board.liberties(p) {
                    1 => None,
                    2 => self.board.liberty_but(p, Some(point)),
                    _ => return false,
                },
                Some(_) => (self.board.liberties(p) == 1).then_some(p),
            };
            if found.is_some() && liberty.is_some() && found != liberty {
                return false;
            }
            liberty = found.or(liberty);
        }
        true
    }

    /// A self-atari that playouts leave alone: all with other stones, and half of single stones thrown in.
    fn is_bad_self_atari(&self, point: Point, random: &mut Random) -> bool {
        if !self.is_self_atari(point) {
            return false;
        }
        let joins = point.around().into_iter().any(|p| self.board.stone(p) == Some(self.to_move));
        joins || random.happens(128)
    }
}

#[cfg(test)]
mod tests {
    use tejun_games::go::BoardSize;

    use super::*;

    /// Empty points, stones and points, counted from the board.
    #[track_caller]
    fn check_kept_numbers(playout: &Playout) {
        let board = &playout.board;
        let mut empty: Vec<Point> = playout.empty.clone();
        empty.sort_unstable();
        let fresh: Vec<Point> = board.size().points().filter(|&p| board.is_empty(p)).collect();
        assert_eq!(empty, fresh);
        for (n, point) in playout.empty.iter().enumerate() {
            assert_eq!(playout.place[point.index()] as usize, n);
        }
        let stones = [Color::Black, Color::White].map(|color| board.stones(color).iter().count() as i32);
        assert_eq!(playout.n_stones, stones);
    }

    #[test]
    fn playouts_keep_their_numbers_and_end() {
        for (lines, policy) in [(2, PlayoutPolicy::Light), (5, PlayoutPolicy::Heavy), (9, PlayoutPolicy::Heavy)] {
            let size = BoardSize::new(lines).expect("a size");
            for seed in 0..20 {
                let mut random = Random::new(seed);
                let mut playout = Playout::new(&Board::new(size), Color::Black, None);
                while !playout.is_over() && playout.moves.len() < 3 * size.n_points() {
                    let point = match policy {
                        PlayoutPolicy::Light => playout.any_move(policy, &mut random),
                        PlayoutPolicy::Heavy => {
                            playout.urgent_move(&mut random).or_else(|| playout.any_move(policy, &mut random))
                        }
                    };
                    if let Some(point) = point {
                        let is_legal = playout.board.check(playout.to_move, point, Suicide::Forbidden).is_ok();
                        assert!(is_legal, "{point:?}\n{:?}", playout.board);
                    }
                    playout.play(point);
                    check_kept_numbers(&playout);
                }
                let area = |color| playout.board.area(color).len() as i32;
                if playout.is_over() {
                    assert_eq!(playout.score(), area(Color::Black) - area(Color::White), "{:?}", playout.board);
                }
            }
        }
    }

    #[test]
    fn playouts_are_those_of_the_search_and_differ_from_each_other() {
        let board = Board::new(BoardSize::new(9).expect("a size"));
        let options = PlayoutOptions { policy: PlayoutPolicy::Heavy, mercy: Mercy::Shown, seed: 7 };
        let ends: Vec<PlayoutEnd> = playouts(&board, Color::Black, options).take(20).collect();
        let mut random = Random::new(7);
        for end in &ends {
            let mut playout = Playout::new(&board, Color::Black, None);
            assert_eq!(playout.play_out(PlayoutPolicy::Heavy, &mut random), end.score_black);
            assert_eq!(playout.moves.len(), end.n_moves);
        }
        assert_eq!(play_out(&board, Color::Black, PlayoutPolicy::Heavy, 7), ends[0]);
        assert!(ends.iter().any(|end| *end != ends[0]));
    }

    #[test]
    fn self_atari_is_what_leaves_one_liberty() {
        let size = BoardSize::new(7).expect("a size");
        for seed in 0..30 {
            let mut random = Random::new(seed);
            let mut playout = Playout::new(&Board::new(size), Color::Black, None);
            for _ in 0..40 {
                for &point in &playout.empty {
                    let mut after = playout.board.clone();
                    if after.play(playout.to_move, point).is_ok() {
                        let claimed = playout.is_self_atari(point);
                        // Liberties gained by captures are not searched for: the claim can only be too cautious.
                        assert!(claimed || after.liberties(point) > 1, "{point:?}\n{after:?}");
                        assert!(!claimed || after.liberties(point) == 1 || is_capture(&playout, point));
                    }
                }
                let point = playout.any_move(PlayoutPolicy::Light, &mut random);
                playout.play(point);
            }
        }
    }

    fn is_capture(playout: &Playout, point: Point) -> bool {
        let other = playout.to_move.opponent();
        point.around().iter().any(|&p| playout.board.stone(p) == Some(other) && playout.board.liberties(p) == 1)
    }

    #[test]
    fn stones_in_atari_are_taken_and_saved() {
        let size = BoardSize::new(9).expect("a size");
        let mut board = Board::new(size);
        let at = |name: &str| Point::parse(name, size).expect("a point");
        for (color, name) in [(Color::White, "E5"), (Color::Black, "D5"), (Color::Black, "F5"), (Color::Black, "E6")] {
            board.place(color, at(name)).expect("empty");
        }
        for (color, last) in [(Color::Black, "E5"), (Color::White, "E6")] {
            let mut playout = Playout::new(&board, color, Some(at(last)));
            let found = playout.urgent_move(&mut Random::new(1));
            assert_eq!(found, Some(at("E4")), "{color:?}");
        }
    }
}
