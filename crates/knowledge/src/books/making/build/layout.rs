//! Counts become positions, moves and weights.

use std::collections::{HashMap, HashSet};

use tejun_games::game::{GameMove, GamePosition, GameTree};

use crate::books::making::build::move_counts::{GameCounts, MoveCounts, PositionCounts};
use crate::books::making::build::{BuildOptions, BuildReport, Stage, Threshold, WeightBy};
use crate::books::{Book, BookBuilder, MoveNotes, NewMove, PositionNotes};
use crate::statistics::win_interval;

/// The book of the moves that have passed, with what the lists say of them.
pub(crate) fn lay_out(
    games: &[GameTree],
    counts: &GameCounts,
    options: &BuildOptions,
    report: &mut BuildReport,
) -> Book {
    let lists = Lists::new(counts, options, report);
    let mut builder = BookBuilder::new(options.game);
    let mut replay = GameReplay { game: None, board: options.game.start(), line: Vec::new(), ply: 0 };
    let mut stage = Stage { threshold: Threshold::Lists, n_positions: 0, n_moves: 0 };
    // Positions are in the order in which games have them, so that each game is replayed once.
    for (position, seen) in counts.seen.iter().enumerate() {
        if seen.passed.is_empty() && !lists.white.contains_key(&position) {
            continue;
        }
        let board = replay.go_to(games, seen.place).normal().0;
        let list = lists.at(position, &board);
        report.unmatched_forced.extend(list.illegal.iter().map(|played| (seen.key, *played)));
        let moves = list.weighed(seen, options.weight_by);
        if !moves.is_empty() {
            stage.n_positions += 1;
            stage.n_moves += moves.len();
            builder.add(0, &board, moves, position_notes(seen));
        }
    }
    report.stages.push(stage);
    builder.finish().0
}

/// A game that is replayed as far as it is needed.
struct GameReplay {
    game: Option<u32>,
    board: GamePosition,
    line: Vec<GameMove>,
    ply: u32,
}

impl GameReplay {
    fn go_to(&mut self, games: &[GameTree], (game, ply): (u32, u32)) -> &GamePosition {
        if self.game != Some(game) {
            let played = &games[game as usize];
            *self = GameReplay { game: Some(game), board: played.start.clone(), line: played.main_line(), ply: 0 };
        }
        while self.ply < ply && self.board.play(self.line[self.ply as usize]).is_ok() {
            self.ply += 1;
        }
        &self.board
    }
}

/// The lists by position of the counts.
struct Lists {
    black: HashMap<usize, HashSet<GameMove>>,
    white: HashMap<usize, Vec<GameMove>>,
}

/// What the lists say of one position.
struct ListHere {
    black: HashSet<GameMove>,
    white: Vec<GameMove>,
    illegal: Vec<GameMove>,
}

impl Lists {
    fn new(counts: &GameCounts, options: &BuildOptions, report: &mut BuildReport) -> Lists {
        let mut lists = Lists { black: HashMap::new(), white: HashMap::new() };
        for &(key, played) in &options.excluded_moves {
            let position = counts.find(key);
            if let Some(position) = position {
                lists.black.entry(position).or_default().insert(played);
            }
            let is_there = |position: usize| counts.seen[position].moves.iter().any(|there| there.played == played);
            if !position.is_some_and(is_there) {
                report.unmatched_excluded.push((key, played));
            }
        }
        for &(key, played) in &options.forced_moves {
            match counts.find(key) {
                Some(position) => lists.white.entry(position).or_default().push(played),
                None => report.unmatched_forced.push((key, played)),
            }
        }
        lists
    }

    fn at(&self, position: usize, board: &GamePosition) -> ListHere {
        let white = self.white.get(&position).into_iter().flatten();
        let (white, illegal) = white.partition(|played| board.after(**played).is_ok());
        ListHere { black: self.black.get(&position).cloned().unwrap_or_default(), white, illegal }
    }
}

impl ListHere {
    /// The moves of a position with their weights, the heaviest first.
    fn weighed(&self, seen: &PositionCounts, weight_by: WeightBy) -> Vec<NewMove> {
        let mut moves = seen.passed.clone();
        let back = seen.moves.iter().filter(|there| self.is_listed(there.played)).copied();
        let unplayed = self.white.iter().map(|played| MoveCounts { played: *played, n_games: 0, n_half_wins: 0 });
        for there in back.chain(unplayed) {
            if moves.iter().all(|known| known.played != there.played) {
                moves.push(there);
            }
        }
        let mut weighed: Vec<(u32, MoveCounts)> =
            moves.into_iter().map(|there| (self.weight(&there, weight_by), there)).collect();
        weighed.sort_by_key(|(weight, there)| (std::cmp::Reverse((*weight, there.n_games)), there.played));
        weighed
            .into_iter()
            .map(|(weight, there)| NewMove { played: there.played, weight, notes: notes(&there) })
            .collect()
    }

    fn is_listed(&self, played: GameMove) -> bool {
        self.black.contains(&played) || self.white.contains(&played)
    }

    fn weight(&self, there: &MoveCounts, weight_by: WeightBy) -> u32 {
        let is_white = self.white.contains(&there.played);
        if self.black.contains(&there.played) || !(is_white || self.white.is_empty()) {
            0
        } else {
            plain_weight(there, weight_by).max(u32::from(is_white))
        }
    }
}

fn plain_weight(played: &MoveCounts, weight_by: WeightBy) -> u32 {
    match weight_by {
        WeightBy::Games => played.n_games,
        WeightBy::Wins => played.n_half_wins,
        WeightBy::LowerBound => {
            let n_games = f64::from(played.n_games);
            let (low, _) = win_interval(played.n_wins(), n_games);
            (100.0 * low * n_games).round() as u32
        }
    }
}

fn notes(played: &MoveCounts) -> MoveNotes {
    MoveNotes { n_games: Some(played.n_games), n_wins: Some(played.n_half_wins / 2), ..MoveNotes::default() }
}

fn position_notes(seen: &PositionCounts) -> PositionNotes {
    PositionNotes {
        ply: u16::try_from(seen.place.1).ok(),
        n_first_wins: Some(seen.n_won[0]),
        n_second_wins: Some(seen.n_won[1]),
        n_games: Some(seen.n_games),
        comment: None,
    }
}
