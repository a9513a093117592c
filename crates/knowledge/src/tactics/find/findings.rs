//! The results of a search through many games: places, counts, probabilities.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use tejun_games::Move;
use tejun_games::go::{Color, Point};

use crate::corpus::GameTable;
use crate::predictor::N_STAGES;
use crate::statistics::Share;
use crate::tactics::eval::points::Points;
use crate::tactics::eval::position::TacticPosition;

/// A position of a game: the one before a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The game's index in its table.
    pub game: u32,
    /// The number of moves before it.
    pub move_index: u32,
}

/// How often a query holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of positions examined.
    pub n_positions: u64,
    /// Number of positions where it holds.
    pub n_found: u64,
}

/// How often a move is in the set of a `played in`, compared with a random move.
///
/// Counts the positions where the conditions that do not concern the move hold and some legal point is in the set. A
/// ko that cannot be retaken counts as legal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RandomComparison {
    /// Number of positions with such points.
    pub n_positions: u64,
    /// Number of moves that were in the set.
    pub n_played: u64,
    /// Number of legal points in the set, over all those positions.
    pub n_selected: u64,
    /// Number of legal points, over all those positions.
    pub n_legal: u64,
    /// Expected number of moves in the set if all legal points were equally likely.
    pub n_expected: f64,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Where the query holds, in the order of games and moves.
    pub places: Vec<Place>,
    /// Number of games examined; all of them unless the search was stopped.
    pub n_games: usize,
    /// Number of games in which it holds at least once.
    pub n_games_found: usize,
    /// Over all positions.
    pub all: Tally,
    /// By stage of the game.
    pub by_stage: [Tally; N_STAGES],
    /// With Black and with White to move.
    pub by_color: [Tally; 2],
    /// By the year of the game, if it is known.
    pub by_year: BTreeMap<Option<u16>, Tally>,
    /// By the player to move, most findings first; excludes games without names.
    pub by_player: Vec<(u32, Tally)>,
    /// For each `played in` of the query, in their order.
    pub comparisons: Vec<RandomComparison>,
}

impl Place {
    /// The position, and the move played there.
    pub fn position(self, games: &GameTable) -> (TacticPosition, Option<Move>) {
        let (game, index) = (self.game as usize, self.move_index as usize);
        let mut position = TacticPosition::of_board(&games.board_before(game, 0), Color::Black);
        games.moves(game).take(index).for_each(|m| position.play(m));
        let played = games.move_at(game, index);
        // Records may have two moves of one side in a row.
        position.to_move = played.map_or(position.to_move, |m| m.color);
        (position, played)
    }
}

impl Tally {
    /// The share of positions where it holds.
    pub fn share(self) -> Share {
        Share { n_yes: self.n_found, n: self.n_positions }
    }

    /// Counts a position; `n_found` is 1 if the query holds there, otherwise 0.
    pub(crate) fn add(&mut self, n_found: u64) {
        *self += Tally { n_positions: 1, n_found };
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.n_positions += other.n_positions;
        self.n_found += other.n_found;
    }
}

impl RandomComparison {
    /// How often the move was in the set.
    pub fn share(&self) -> Share {
        Share { n_yes: self.n_played, n: self.n_positions }
    }

    /// The frequency relative to a random legal move; NaN without positions.
    pub fn lift(&self) -> f64 {
        self.n_played as f64 / self.n_expected
    }

    /// Mean number of legal points in the set per position; NaN without positions.
    pub fn mean_selected(&self) -> f64 {
        self.n_selected as f64 / self.n_positions as f64
    }

    pub(crate) fn add(&mut self, set: &Points, legal: &Points, played: Point) {
        let (n_selected, n_legal) = ((*set & *legal).len() as u64, legal.len() as u64);
        if n_selected > 0 {
            self.n_positions += 1;
            self.n_played += u64::from(set.contains(played));
            self.n_selected += n_selected;
            self.n_legal += n_legal;
            self.n_expected += n_selected as f64 / n_legal as f64;
        }
    }

    fn join(&mut self, other: &RandomComparison) {
        self.n_positions += other.n_positions;
        self.n_played += other.n_played;
        self.n_selected += other.n_selected;
        self.n_legal += other.n_legal;
        self.n_expected += other.n_expected;
    }
}

impl Findings {
    /// Up to `n` places, evenly spread over all.
    pub fn examples(&self, n: usize) -> impl Iterator<Item = Place> + '_ {
        let n = n.min(self.places.len());
        (0..n).map(move |i| self.places[i * self.places.len() / n])
    }

    /// Adds the findings of later games.
    pub(crate) fn join(&mut self, other: Findings) {
        self.places.extend(other.places);
        self.n_games += other.n_games;
        self.n_games_found += other.n_games_found;
        self.all += other.all;
        self.by_stage.iter_mut().zip(other.by_stage).for_each(|(a, b)| *a += b);
        self.by_color.iter_mut().zip(other.by_color).for_each(|(a, b)| *a += b);
        for (year, tally) in other.by_year {
            *self.by_year.entry(year).or_default() += tally;
        }
        self.by_player.extend(other.by_player);
        self.comparisons.resize(other.comparisons.len().max(self.comparisons.len()), RandomComparison::default());
        self.comparisons.iter_mut().zip(&other.comparisons).for_each(|(a, b)| a.join(b));
    }

    /// Merges the rows of each player, and sorts them.
    pub(crate) fn rank_players(&mut self) {
        let mut players: BTreeMap<u32, Tally> = BTreeMap::new();
        for (player, tally) in self.by_player.drain(..) {
            *players.entry(player).or_default() += tally;
        }
        self.by_player = players.into_iter().collect();
        self.by_player.sort_by_key(|&(player, tally)| (std::cmp::Reverse(tally.n_found), player));
    }
}
