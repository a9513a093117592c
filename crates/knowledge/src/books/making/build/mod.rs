//! A book from games with their results.
//!
//! Moves need enough games and wins, as Bonanza counts them: 64 plies, 15
//! wins, and 0.85 times the win rate of their position.

mod layout;
pub(crate) mod tally;
#[cfg(test)]
mod tests;

use tejun_games::game::{Game, GameMove, GamePosition, PlayedGame, PositionKey};

use crate::books::Book;
use crate::books::making::build::layout::lay_out;
use crate::books::making::build::tally::{Played, Seen, Tally};

/// What the weight of a move is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighing {
    /// How often it was played.
    Frequency,
    /// How often it won: 2 for a win, 1 for a draw.
    Wins,
    /// 100 times its games times the lower end of its win rate's interval; see [`crate::statistics::win_interval`].
    LowerBound,
}

/// Whose moves count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counted {
    /// All moves.
    Everyone,
    /// Those of who won; in a draw nobody's.
    Winner,
    /// Those of these players.
    Players(Vec<String>),
}

/// What counts more in games of one's own players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emphasis {
    /// The whole game.
    Games,
    /// Their own moves; the opponents' count once.
    Moves,
}

/// A move of a list, in the normal orientation of its position; see [`listed`].
pub type Listed = (PositionKey, GameMove);

/// How a book is built. Counts are what they would be if games that count more were there more often.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The game; records of others are left out.
    pub game: Game,
    /// Moves from this one on are not read.
    pub max_ply: u32,
    /// Games that a position needs.
    pub min_position_games: u32,
    /// Games that a move needs.
    pub min_games: u32,
    /// Wins that a move needs; a draw is half a win.
    pub min_wins: f64,
    /// How much of its position's win rate a move needs.
    pub min_relative_rate: f64,
    /// What weights are made of.
    pub weighing: Weighing,
    /// Whose moves count.
    pub counted: Counted,
    /// Players that count more, by name.
    pub own_players: Vec<String>,
    /// How many times they count.
    pub own_factor: u32,
    /// What of their games does.
    pub emphasis: Emphasis,
    /// Moves that have the weight 0, whatever the thresholds; a move of both lists is black.
    pub black_list: Vec<Listed>,
    /// Moves that alone have a weight in their positions, whatever the thresholds.
    pub white_list: Vec<Listed>,
}

/// What came of the games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BuildReport {
    /// Games given.
    pub n_read: usize,
    /// Games with a move that counts.
    pub n_used: usize,
    /// Games left out because nobody knows who won.
    pub n_without_result: usize,
    /// Games left out because they are of another game.
    pub n_other_game: usize,
    /// Games read up to an illegal move.
    pub n_broken: usize,
    /// What there was behind each threshold, in this order.
    pub stages: Vec<Stage>,
    /// Moves of the black list that no game has.
    pub unmatched_black: Vec<Listed>,
    /// Moves of the white list whose position no game has, or that are illegal there.
    pub unmatched_white: Vec<Listed>,
}

/// What is left behind a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The threshold.
    pub threshold: Threshold,
    /// Positions with a move.
    pub n_positions: usize,
    /// Moves.
    pub n_moves: usize,
}

/// What moves must pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threshold {
    /// Nothing yet: all that counts.
    None,
    /// Games of the position.
    PositionGames,
    /// Games of the move.
    Games,
    /// Wins of the move.
    Wins,
    /// The win rate of the move, compared with its position's.
    RelativeRate,
    /// The lists, which bring moves back.
    Lists,
}

impl BuildOptions {
    /// As Bonanza builds its book, with the wins of every move.
    pub fn bonanza(game: Game) -> BuildOptions {
        BuildOptions { min_wins: 15.0, min_relative_rate: 0.85, weighing: Weighing::Wins, ..BuildOptions::all(game) }
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
            weighing: Weighing::Frequency,
            counted: Counted::Everyone,
            own_players: Vec::new(),
            own_factor: 1,
            emphasis: Emphasis::Games,
            black_list: Vec::new(),
            white_list: Vec::new(),
        }
    }
}

/// A move of a board as lists name it.
pub fn listed(board: &GamePosition, played: GameMove) -> Listed {
    let (_, turns) = board.normal();
    (board.key(), board.turned_move(played, &turns))
}

/// Builds a book from the main lines of games.
///
/// Moves are there by falling weight. Their notes have games and wins, half
/// wins rounded down; positions' notes have games and both sides' wins, of the
/// moves that count. Replays each game at most twice; only counts are kept
/// between.
pub fn build_book(games: &[PlayedGame], options: &BuildOptions) -> (Book, BuildReport) {
    let mut report = BuildReport { n_read: games.len(), ..BuildReport::default() };
    let mut tally = tally(games, options, &mut report);
    pass(&mut tally, options, &mut report);
    let book = lay_out(games, &tally, options, &mut report);
    (book, report)
}

fn tally(games: &[PlayedGame], options: &BuildOptions, report: &mut BuildReport) -> Tally {
    let mut tally = Tally::default();
    for (number, game) in games.iter().enumerate() {
        if game.start.game() != options.game {
            report.n_other_game += 1;
        } else if let Some(outcome) = game.outcome {
            let taken = tally.add(number as u32, game, outcome, options);
            report.n_used += usize::from(taken.n_counted > 0);
            report.n_broken += usize::from(taken.is_broken);
        } else {
            report.n_without_result += 1;
        }
    }
    tally
}

/// Finds the moves of each position that pass the thresholds.
fn pass(tally: &mut Tally, options: &BuildOptions, report: &mut BuildReport) {
    tally.seen.iter_mut().for_each(|seen| seen.passed = seen.moves.clone());
    let mut sift = |threshold: Threshold, keeps: &dyn Fn(&Seen, &Played) -> bool| {
        let (mut n_positions, mut n_moves) = (0, 0);
        for seen in &mut tally.seen {
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
