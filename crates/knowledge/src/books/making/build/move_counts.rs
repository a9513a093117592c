//! Which moves were played in which positions, and who won?

use std::collections::{HashMap, HashSet};

use tejun_games::game::{GameMove, GameTree, Outcome, PositionKey, Side};

use crate::books::making::build::{BoostScope, BuildOptions, CountMoves};

/// Positions of games, in the order in which they first occur.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameCounts {
    pub(crate) seen: Vec<PositionCounts>,
    by_key: HashMap<PositionKey, u32>,
}

/// A position from which a move was played that counts.
#[derive(Clone, Debug)]
pub(crate) struct PositionCounts {
    pub(crate) key: PositionKey,
    pub(crate) to_move: Side,
    /// The game and the number of moves before it, where it first occurs.
    pub(crate) place: (u32, u32),
    pub(crate) n_games: u32,
    pub(crate) n_won: [u32; 2],
    pub(crate) moves: Vec<MoveCounts>,
    /// Those of the moves that pass the thresholds; empty while games are counted.
    pub(crate) passed: Vec<MoveCounts>,
}

/// A move and how it went. Two half wins are a win, one is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoveCounts {
    pub(crate) played: GameMove,
    pub(crate) n_games: u32,
    pub(crate) n_half_wins: u32,
}

/// What a game gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CountedGame {
    pub(crate) n_counted: usize,
    /// Whether a move was illegal, so that the rest is not read.
    pub(crate) is_broken: bool,
}

impl PositionCounts {
    /// The share of its games that the side to move won, draws half.
    pub(crate) fn win_rate(&self) -> f64 {
        let n_own = self.n_won[self.to_move.index()];
        let n_draws = self.n_games - self.n_won[0] - self.n_won[1];
        (f64::from(n_own) + 0.5 * f64::from(n_draws)) / f64::from(self.n_games.max(1))
    }
}

impl MoveCounts {
    pub(crate) fn n_wins(&self) -> f64 {
        f64::from(self.n_half_wins) / 2.0
    }

    pub(crate) fn win_rate(&self) -> f64 {
        self.n_wins() / f64::from(self.n_games.max(1))
    }
}

impl GameCounts {
    /// The number of a position.
    pub(crate) fn find(&self, key: PositionKey) -> Option<usize> {
        self.by_key.get(&key).map(|number| *number as usize)
    }

    /// Counts a game. A position or move that occurs again in it counts once.
    pub(crate) fn add(
        &mut self,
        number: u32,
        game: &GameTree,
        outcome: Outcome,
        options: &BuildOptions,
    ) -> CountedGame {
        let mut board = game.start.clone();
        let mut once: HashSet<(u32, Option<GameMove>)> = HashSet::new();
        let mut taken = CountedGame { n_counted: 0, is_broken: false };
        for (ply, played) in game.main_line().into_iter().take(options.max_ply as usize).enumerate() {
            let side = board.to_move();
            let times = times(game, outcome, side, options);
            if times > 0 {
                let (_, turns) = board.normal();
                let position = self.position(board.key(), side, (number, ply as u32));
                let turned = board.turned_move(played, &turns);
                if board.after(played).is_ok() {
                    let is_first = (once.insert((position, None)), once.insert((position, Some(turned))));
                    self.seen[position as usize].count(turned, times, outcome, is_first);
                    taken.n_counted += 1;
                }
            }
            if board.play(played).is_err() {
                taken.is_broken = true;
                break;
            }
        }
        taken
    }

    fn position(&mut self, key: PositionKey, to_move: Side, place: (u32, u32)) -> u32 {
        let next = self.seen.len() as u32;
        let number = *self.by_key.entry(key).or_insert(next);
        if number == next {
            self.seen.push(PositionCounts {
                key,
                to_move,
                place,
                n_games: 0,
                n_won: [0, 0],
                moves: Vec::new(),
                passed: Vec::new(),
            });
        }
        number
    }
}

impl PositionCounts {
    fn count(&mut self, played: GameMove, times: u32, outcome: Outcome, (is_new, is_new_move): (bool, bool)) {
        if is_new {
            self.n_games = self.n_games.saturating_add(times);
            match outcome {
                Outcome::FirstWon => self.n_won[0] = self.n_won[0].saturating_add(times),
                Outcome::SecondWon => self.n_won[1] = self.n_won[1].saturating_add(times),
                Outcome::Draw => {}
            }
        }
        if is_new_move {
            let place = self.moves.iter().position(|there| there.played == played).unwrap_or_else(|| {
                self.moves.push(MoveCounts { played, n_games: 0, n_half_wins: 0 });
                self.moves.len() - 1
            });
            let there = &mut self.moves[place];
            there.n_games = there.n_games.saturating_add(times);
            there.n_half_wins =
                there.n_half_wins.saturating_add(times.saturating_mul(half_wins(outcome, self.to_move)));
        }
    }
}

/// What a side got of a game: 2 for a win, 1 for a draw.
pub(crate) fn half_wins(outcome: Outcome, side: Side) -> u32 {
    match (outcome, side) {
        (Outcome::Draw, _) => 1,
        (Outcome::FirstWon, Side::First) | (Outcome::SecondWon, Side::Second) => 2,
        _ => 0,
    }
}

/// How often a move of this side counts.
fn times(game: &GameTree, outcome: Outcome, side: Side, options: &BuildOptions) -> u32 {
    let is_of = |side: Side, names: &[String]| {
        game.players[side.index()].as_ref().is_some_and(|name| names.iter().any(|own| own == name))
    };
    let counts = match &options.count_moves {
        CountMoves::OfEveryone => true,
        CountMoves::OfWinner => half_wins(outcome, side) == 2,
        CountMoves::OfPlayers(names) => is_of(side, names),
    };
    let is_own = match options.boost_scope {
        BoostScope::Games => {
            is_of(Side::First, &options.boosted_players) || is_of(Side::Second, &options.boosted_players)
        }
        BoostScope::Moves => is_of(side, &options.boosted_players),
    };
    match (counts, is_own) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => options.boost,
    }
}
