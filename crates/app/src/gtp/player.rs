//! Playing by search: how long to think, which move to play, and which stones are dead at the end.

use std::time::{Duration, Instant};

use tejun_games::go::{Color, Point, PointSet};
use tejun_knowledge::evaluation::{Evaluation, Question};
use tejun_knowledge::search::TreeSearch;

use crate::gtp::game::Game;
use crate::gtp::protocol::Vertex;

/// Resign below this win rate, once the game has a third as many moves as the board has points.
const HOPELESS: f64 = 0.03;
/// A point belongs to a side from this share of playouts.
const OWNED: f64 = 0.3;
/// Time per move if neither the user nor the controller sets it.
const USUAL_TIME: Duration = Duration::from_secs(5);
/// More playouts than a thread can make per second, times the number of points of the board.
const N_POSSIBLE: f64 = 8e6;

/// The user's limits for a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Maximum number of playouts.
    pub n_playouts: Option<u32>,
    /// The time per move; overrides the controller.
    pub time: Option<Duration>,
}

/// The remaining playouts and time of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeBudget {
    n_playouts: u32,
    time: Option<Duration>,
}

impl TimeBudget {
    /// No limits.
    pub const ENDLESS: TimeBudget = TimeBudget { n_playouts: u32::MAX, time: None };

    /// Whether nothing is left.
    pub fn is_spent(&self) -> bool {
        self.n_playouts == 0 || self.time.is_some_and(|time| time.is_zero())
    }

    fn spend(&mut self, n_playouts: u32, time: Duration) {
        if self.n_playouts != u32::MAX {
            self.n_playouts = self.n_playouts.saturating_sub(n_playouts);
        }
        self.time = self.time.map(|left| left.saturating_sub(time));
    }
}

/// A search and its limits.
pub struct SearchPlayer<'m> {
    search: Box<dyn TreeSearch + 'm>,
    n_threads: usize,
    limits: Limits,
    /// Number of visits for finding dead stones.
    n_settling: u32,
    /// Visits of the last position.
    n_visits: u32,
}

impl<'m> SearchPlayer<'m> {
    /// Plays by a search with several threads, which reuses its tree from move to move; `n_settling` visits are
    /// enough to find dead stones.
    pub fn new(
        search: Box<dyn TreeSearch + 'm>,
        n_threads: usize,
        limits: Limits,
        n_settling: u32,
    ) -> SearchPlayer<'m> {
        SearchPlayer { search, n_threads, limits, n_settling, n_visits: 0 }
    }

    /// To what extent each point becomes the color's, row by row, by the last search: from -1 to 1.
    pub fn ownership(&self, color: Color) -> Vec<f64> {
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        self.search.owners().iter().map(|owner| sign * owner).collect()
    }

    /// The budget of a move; `share` is the time allotted by the clock.
    pub fn budget(&self, share: Option<Duration>) -> TimeBudget {
        let usual = self.limits.n_playouts.is_none().then_some(USUAL_TIME);
        TimeBudget {
            n_playouts: self.limits.n_playouts.unwrap_or(u32::MAX),
            time: self.limits.time.or(share).or(usual),
        }
    }

    /// Searches until the budget is spent.
    pub fn think(&mut self, game: &Game, color: Color, budget: TimeBudget) -> Evaluation {
        let TimeBudget { n_playouts, time } = budget;
        self.search.set_limits(n_playouts.min(self.n_possible(game, time)), time);
        self.search(game, color).0
    }

    /// Searches for a while, and subtracts the time and playouts from the budget. Further calls continue the search.
    pub fn think_a_while(&mut self, game: &Game, color: Color, time: Duration, budget: &mut TimeBudget) -> Evaluation {
        let time = budget.time.map_or(time, |left| left.min(time));
        // The search reserves memory for the playouts that it may make, in addition to the earlier ones.
        let n_possible = self.n_visits.saturating_add(self.n_possible(game, Some(time)));
        self.search.set_limits(n_possible.min(budget.n_playouts), Some(time));
        let begin = Instant::now();
        let (evaluation, n_playouts) = self.search(game, color);
        budget.spend(n_playouts, begin.elapsed());
        evaluation
    }

    fn search(&mut self, game: &Game, color: Color) -> (Evaluation, u32) {
        let question = Question {
            start: &game.start,
            moves: &game.moves,
            board: &game.board,
            color,
            komi: game.komi,
            played: None,
        };
        let (evaluation, n_playouts) = self.search.search(&question);
        self.n_visits = evaluation.moves.iter().map(|m| m.visits).sum();
        (evaluation, n_playouts)
    }

    /// A number of playouts that cannot be reached in a time, so that a short search does not reserve memory for a
    /// long one.
    fn n_possible(&self, game: &Game, time: Option<Duration>) -> u32 {
        let a_second = N_POSSIBLE * self.n_threads as f64 / game.size().n_points() as f64;
        time.map_or(u32::MAX, |time| (a_second * time.as_secs_f64()).ceil() as u32)
    }

    /// Chooses a move after a search of the position, among the wanted points.
    pub fn choose(
        &self,
        game: &Game,
        color: Color,
        evaluation: &Evaluation,
        is_wanted: impl Fn(Point) -> bool,
    ) -> Vertex {
        if game.has_passed(color.opponent()) && self.is_ahead(game, color) {
            return Vertex::Pass;
        }
        let is_late = game.moves.len() > game.size().n_points() / 3;
        if is_late && evaluation.win_rate.is_some_and(|win_rate| win_rate < HOPELESS) {
            return Vertex::Resign;
        }
        let legal = game.legal_points(color);
        let may_play = |point: Option<Point>| point.is_none_or(|point| legal.contains(&point) && is_wanted(point));
        let best = evaluation.moves.iter().map(|m| m.point).find(|point| may_play(*point));
        best.flatten().map_or(Vertex::Pass, Vertex::Point)
    }

    fn is_ahead(&self, game: &Game, color: Color) -> bool {
        let score_black = self.owned_black() - game.komi;
        if color == Color::Black { score_black > 0.0 } else { score_black < 0.0 }
    }

    /// Number of points that belong to Black in the last search, minus White's.
    fn owned_black(&self) -> f64 {
        let sign = |owner: &f64| if owner.abs() > OWNED { owner.signum() } else { 0.0 };
        self.search.owners().iter().map(sign).sum()
    }

    /// Black's points minus White's, including komi, without dead stones.
    pub fn score_black(&mut self, game: &Game) -> f64 {
        self.settle(game);
        self.owned_black() - game.komi
    }

    /// Chains that the other side will capture sooner or later.
    pub fn dead_stones(&mut self, game: &Game) -> PointSet {
        self.settle(game);
        let mut sums = vec![0.0; Point::N_CELLS];
        let owners = || game.size().points().zip(self.search.owners());
        let head = |point| game.board.chain_head(point);
        for (point, owner) in owners() {
            if let Some(head) = head(point) {
                sums[head.index()] += owner;
            }
        }
        let is_dead = |point: &Point| {
            let (Some(head), Some(color)) = (head(*point), game.board.stone(*point)) else { return false };
            let owner = sums[head.index()] / game.board.chain_len(*point) as f64;
            if color == Color::Black { owner < -OWNED } else { owner > OWNED }
        };
        game.size().points().filter(is_dead).collect()
    }

    fn settle(&mut self, game: &Game) {
        let n_playouts = self.limits.n_playouts.map_or(self.n_settling, |n| n.max(self.n_settling));
        self.think(game, game.to_move(), TimeBudget { n_playouts, time: Some(USUAL_TIME) });
    }
}

#[cfg(test)]
mod tests {
    use tejun_games::go::{Board, BoardSize};
    use tejun_knowledge::search::{PlainPredictor, Reuse, Search, SearchOptions};

    use super::*;

    fn player(limits: Limits) -> SearchPlayer<'static> {
        let options = SearchOptions { reuse: Reuse::OfTheGame, ..SearchOptions::default() };
        SearchPlayer::new(Box::new(Search::new(options, "plain", || Box::new(PlainPredictor))), 1, limits, 1_000)
    }

    /// A game on 5x5 from a picture.
    fn game(rows: [&str; 5], komi: f64) -> Game {
        let mut board = Board::new(BoardSize::new(5).expect("a size"));
        for (y, row) in rows.iter().enumerate() {
            for (x, cell) in row.split(' ').enumerate() {
                let color = match cell {
                    "X" => Color::Black,
                    "O" => Color::White,
                    _ => continue,
                };
                board.place(color, Point::new(x as u8, y as u8)).expect("empty");
            }
        }
        Game::new(board, komi)
    }

    /// White has two eyes on the left; the White stone on the right is dead.
    const SETTLED: [&str; 5] = [". O X . .", "O O X . .", ". O X . O", "O O X . .", ". O X . ."];

    #[test]
    fn lost_stones_are_dead_and_count_for_the_other_side() {
        let mut player = player(Limits::default());
        let mut game = game(SETTLED, 0.5);
        game.play(Color::White, None).expect("a pass");
        let dead: Vec<Point> = player.dead_stones(&game).iter().collect();
        assert_eq!(dead, [Point::new(4, 2)]);
        assert_eq!(player.score_black(&game), 4.5);
    }

    #[test]
    fn the_leading_side_answers_a_pass_with_a_pass() {
        for (komi, is_won) in [(0.5, true), (6.5, false)] {
            let mut player = player(Limits::default());
            let mut game = game(SETTLED, komi);
            game.play(Color::White, None).expect("a pass");
            let evaluation = player.think(&game, Color::Black, TimeBudget { n_playouts: 300, time: None });
            let chosen = player.choose(&game, Color::Black, &evaluation, |_| true);
            assert_eq!(chosen == Vertex::Pass, is_won, "{chosen:?}");
        }
    }

    #[test]
    fn a_search_in_slices_keeps_its_tree_and_its_budget() {
        let mut player = player(Limits { n_playouts: Some(50), time: None });
        let game = game([". . . . ."; 5], 0.5);
        let mut budget = player.budget(None);
        let mut n_slices = 0;
        let mut evaluation = None;
        while !budget.is_spent() {
            evaluation = Some(player.think_a_while(&game, Color::Black, Duration::from_millis(2), &mut budget));
            n_slices += 1;
            assert!(n_slices < 10_000, "some slices have a playout");
        }
        let visits: u32 = evaluation.expect("a slice").moves.iter().map(|m| m.visits).sum();
        assert_eq!(visits, 50);
    }

    #[test]
    fn the_time_option_overrides_the_clock() {
        let seconds = Duration::from_secs;
        for (limits, share, expected) in [
            (Limits::default(), None, Some(USUAL_TIME)),
            (Limits::default(), Some(seconds(2)), Some(seconds(2))),
            (Limits { time: Some(seconds(9)), n_playouts: None }, Some(seconds(2)), Some(seconds(9))),
            (Limits { time: None, n_playouts: Some(10) }, None, None),
            (Limits { time: None, n_playouts: Some(10) }, Some(seconds(2)), Some(seconds(2))),
        ] {
            assert_eq!(player(limits).budget(share).time, expected, "{limits:?}");
        }
    }
}
