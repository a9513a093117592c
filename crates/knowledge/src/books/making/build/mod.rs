//! A book from games with their results.
//!
//! Moves need enough games and wins, as Bonanza counts them: 64 plies, 15
//! wins, and 0.85 times the win rate of their position.

mod layout;
pub(crate) mod move_counts;
#[cfg(test)]
mod tests;

use tejun_games::game::{Game, GameMove, GamePosition, GameTree, PositionKey};

use crate::books::Book;
use crate::books::making::build::layout::lay_out;
use crate::books::making::build::move_counts::{GameCounts, MoveCounts, PositionCounts};

/// The weight of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightBy {
    /// Its games.
    Games,
    /// Its wins: 2 for a win, 1 for a draw.
    Wins,
    /// 100 times its games times the lower end of its win rate's interval; see [`crate::statistics::win_interval`].
    LowerBound,
}

/// Whose moves count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CountMoves {
    /// Both players' moves.
    OfEveryone,
    /// The winner's moves; none of a draw.
    OfWinner,
    /// The moves of these players.
    OfPlayers(Vec<String>),
}

/// What counts more in the games of boosted players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoostScope {
    /// The whole game.
    Games,
    /// Their own moves; the opponents' moves count once.
    Moves,
}

/// A move of a list, in the normal orientation of its position; see [`listed_move`].
pub type ListedMove = (PositionKey, GameMove);

/// How a book is built. A boosted game counts as if it occurred several times.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The game; records of others are skipped.
    pub game: Game,
    /// Number of plies to read of each game.
    pub max_ply: u32,
    /// Minimum number of games per position.
    pub min_position_games: u32,
    /// Minimum number of games per move.
    pub min_games: u32,
    /// Minimum number of wins per move; a draw is half a win.
    pub min_wins: f64,
    /// Minimum win rate of a move as a share of its position's win rate.
    pub min_relative_rate: f64,
    /// The weight of a move.
    pub weight_by: WeightBy,
    /// Whose moves count.
    pub count_moves: CountMoves,
    /// Players whose games count more, by name.
    pub boosted_players: Vec<String>,
    /// How many times they count.
    pub boost: u32,
    /// Whether the opponents' moves in their games also count more.
    pub boost_scope: BoostScope,
    /// Moves that have the weight 0, whatever the thresholds; a move of both lists is excluded.
    pub excluded_moves: Vec<ListedMove>,
    /// Moves that are the only ones with a weight in their positions, whatever the thresholds.
    pub forced_moves: Vec<ListedMove>,
}

/// What was counted, and what passed the thresholds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BuildReport {
    /// Games given.
    pub n_read: usize,
    /// Games with a move that counts.
    pub n_used: usize,
    /// Games skipped because their result is unknown.
    pub n_without_result: usize,
    /// Games skipped because they are of another game.
    pub n_other_game: usize,
    /// Games read up to an illegal move.
    pub n_broken: usize,
    /// What is left after each threshold, in order.
    pub stages: Vec<Stage>,
    /// Excluded moves that occur in no game.
    pub unmatched_excluded: Vec<ListedMove>,
    /// Forced moves whose position occurs in no game, or that are illegal there.
    pub unmatched_forced: Vec<ListedMove>,
}

/// What is left after a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The threshold.
    pub threshold: Threshold,
    /// Positions with a move.
    pub n_positions: usize,
    /// Moves.
    pub n_moves: usize,
}

/// A condition that moves must meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threshold {
    /// None: all moves that count.
    None,
    /// Games of the position.
    PositionGames,
    /// Games of the move.
    Games,
    /// Wins of the move.
    Wins,
    /// The win rate of the move, compared with its position's.
    RelativeRate,
    /// The lists, which may bring moves back.
    Lists,
}

impl BuildOptions {
    /// As Bonanza builds its book, with the wins of every move.
    pub fn bonanza(game: Game) -> BuildOptions {
        BuildOptions { min_wins: 15.0, min_relative_rate: 0.85, weight_by: WeightBy::Wins, ..BuildOptions::all(game) }
    }

    /// Every move of 64 plies by its frequency, without a threshold.
    pub fn all(game: Game) -> BuildOptions {
        BuildOptions {
            game,
            max_ply: 64,
            min_position_games: 0,
            min_games: 0,
            min_wins: 0.0,
            min_relative_rate: 0.0,
            weight_by: WeightBy::Games,
            count_moves: CountMoves::OfEveryone,
            boosted_players: Vec::new(),
            boost: 1,
            boost_scope: BoostScope::Games,
            excluded_moves: Vec::new(),
            forced_moves: Vec::new(),
        }
    }
}

/// A move on a board as lists store it.
pub fn listed_move(board: &GamePosition, played: GameMove) -> ListedMove {
    let (_, turns) = board.normal();
    (board.key(), board.turned_move(played, &turns))
}

/// Builds a book from the main lines of games.
///
/// Moves are sorted by falling weight. Their notes have games and wins, half
/// wins rounded down; positions' notes have games and both sides' wins of the
/// moves that count. Replays each game at most twice and keeps only counts in
/// memory.
pub fn build_book(games: &[GameTree], options: &BuildOptions) -> (Book, BuildReport) {
    let mut report = BuildReport { n_read: games.len(), ..BuildReport::default() };
    let mut counts = count_games(games, options, &mut report);
    pass(&mut counts, options, &mut report);
    let book = lay_out(games, &counts, options, &mut report);
    (book, report)
}

fn count_games(games: &[GameTree], options: &BuildOptions, report: &mut BuildReport) -> GameCounts {
    let mut counts = GameCounts::default();
    for (number, game) in games.iter().enumerate() {
        if game.start.game() != options.game {
            report.n_other_game += 1;
        } else if let Some(outcome) = game.outcome {
            let taken = counts.add(number as u32, game, outcome, options);
            report.n_used += usize::from(taken.n_counted > 0);
            report.n_broken += usize::from(taken.is_broken);
        } else {
            report.n_without_result += 1;
        }
    }
    counts
}

/// Finds the moves of each position that pass the thresholds.
fn pass(counts: &mut GameCounts, options: &BuildOptions, report: &mut BuildReport) {
    counts.seen.iter_mut().for_each(|seen| seen.passed = seen.moves.clone());
    let mut sift = |threshold: Threshold, keeps: &dyn Fn(&PositionCounts, &MoveCounts) -> bool| {
        let (mut n_positions, mut n_moves) = (0, 0);
        for seen in &mut counts.seen {
            let mut passed = std::mem::take(&mut seen.passed);
            passed.retain(|played| keeps(seen, played));
            n_positions += usize::from(!passed.is_empty());
            n_moves += passed.len();
            seen.passed = passed;
        }
        report.stages.push(Stage { threshold, n_positions, n_moves });
    };
    sift(Threshold::None, &|_, _| true);
    sift(Threshold::PositionGames, &|seen, _| seen.n_games >= options.min_position_games);
    sift(Threshold::Games, &|_, played| played.n_games >= options.min_games);
    sift(Threshold::Wins, &|_, played| played.n_wins() >= options.min_wins);
    sift(Threshold::RelativeRate, &|seen, played| played.win_rate() >= options.min_relative_rate * seen.win_rate());
}
