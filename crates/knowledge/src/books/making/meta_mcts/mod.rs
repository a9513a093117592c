//! A book that grows by whole games.
//!
//! Meta-MCTS after Audouard, Chaslot, Hoock, Perez, Rimmel and Teytaud (2009):
//! a game follows moves that have won often enough, else an engine's; its
//! result is recorded in every position it passed through. For games whose
//! positions are hard to evaluate.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::HashSet;

use tejun_games::game::{Game, GameMove, GamePosition, IllegalGameMove, Outcome, Side};

use crate::books::making::adviser::played_on;
use crate::books::making::build::move_counts::half_wins;
use crate::books::making::growing_book::GrowingBook;
use crate::books::making::{Advice, Adviser};
use crate::books::matching::uniform;
use crate::books::{Book, BookMove, MoveNotes, WinModel};
use crate::progress::Progress;

/// Plays a game to its end.
pub trait Playout {
    /// What can go wrong.
    type Error: std::error::Error + Send + Sync + 'static;

    /// How the game ends; `line` are the moves from the start to `board`.
    ///
    /// # Errors
    /// If the game does not end.
    fn play_out(&mut self, board: &GamePosition, line: &[GameMove]) -> Result<Outcome, Self::Error>;
}

/// Ends games by sampling a result with the probability that corresponds to a value.
#[derive(Clone, Debug)]
pub struct ModelPlayout<A> {
    adviser: A,
    model: WinModel,
    random: u64,
}

/// How games are played.
#[derive(Clone, Debug)]
pub struct MetaOptions {
    /// A move of the book is followed if it has won more than this share of its games, draws half.
    pub min_rate: f64,
    /// Minimum number of games for a move to be followed.
    pub min_games: u32,
    /// From this ply on, games are played out and not recorded.
    pub max_ply: u32,
    /// After this many moves of the adviser a game is played out.
    pub n_advised: u32,
}

/// A book that grows by games.
#[derive(Clone, Debug)]
pub struct MetaMcts {
    draft: GrowingBook,
    options: MetaOptions,
    /// Games since the beginning.
    n_steps: u64,
}

/// How a game went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameReport {
    /// The moves that were recorded.
    pub line: Vec<GameMove>,
    /// How many of them are the book's.
    pub n_from_book: usize,
    /// How many are the adviser's.
    pub n_advised: usize,
    /// How it ended.
    pub outcome: Outcome,
    /// Positions of the book after it.
    pub n_positions: usize,
}

/// Why a game was not played. The book is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum MetaError<A: std::error::Error + 'static, P: std::error::Error + 'static> {
    /// The adviser has no answer.
    #[error("the adviser failed")]
    Adviser(#[source] A),
    /// The game could not be played to its end.
    #[error("the game could not be played out")]
    Playout(#[source] P),
    /// The adviser named a move that cannot be played.
    #[error("the adviser's move is not legal")]
    Illegal(#[source] IllegalGameMove),
}

/// A game that is being played.
struct GameInProgress {
    board: GamePosition,
    line: Vec<GameMove>,
    /// The boards before each move.
    boards: Vec<GamePosition>,
    n_from_book: usize,
    n_advised: usize,
}

impl Default for MetaOptions {
    /// Half of at least five games won; forty plies.
    fn default() -> MetaOptions {
        MetaOptions { min_rate: 0.5, min_games: 5, max_ply: 40, n_advised: u32::MAX }
    }
}

impl<A: Adviser> ModelPlayout<A> {
    /// Asks this adviser for values. `n_played` games were played before with this seed.
    pub fn new(adviser: A, model: WinModel, seed: u64, n_played: u64) -> ModelPlayout<A> {
        let mut random = seed;
        (0..n_played).for_each(|_| {
            uniform(&mut random);
        });
        ModelPlayout { adviser, model, random }
    }
}

impl<A: Adviser> Playout for ModelPlayout<A> {
    type Error = A::Error;

    /// Won by one side or the other; a position without advice is worth 0.
    fn play_out(&mut self, board: &GamePosition, line: &[GameMove]) -> Result<Outcome, A::Error> {
        let best = self.adviser.advise(board, line)?.first().map_or(0, |advice| advice.value);
        let value = match board.to_move() {
            Side::First => f64::from(best),
            Side::Second => -f64::from(best),
        };
        let is_won = uniform(&mut self.random) < self.model.win_rate(value);
        Ok(if is_won { Outcome::FirstWon } else { Outcome::SecondWon })
    }
}

impl MetaMcts {
    /// Begins with a book, which may be empty; games and wins are those of its moves' notes.
    pub fn new(book: &Book, options: MetaOptions) -> MetaMcts {
        MetaMcts { draft: GrowingBook::from_book(book), options, n_steps: 0 }
    }

    /// The game it is for.
    pub fn game(&self) -> Game {
        self.draft.game()
    }

    /// Games recorded at the start position.
    pub fn n_games(&self) -> u32 {
        let start = self.draft.find(self.game().start().key());
        start.and_then(|start| self.draft.entries[start as usize].notes.n_games).unwrap_or(0)
    }

    /// The number of games since this run began.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Plays up to this many games; fewer if the caller cancels.
    ///
    /// # Errors
    /// As [`MetaMcts::play`]; earlier games are kept.
    pub fn run<A: Adviser, P: Playout>(
        &mut self,
        adviser: &mut A,
        playout: &mut P,
        n_games: u64,
        progress: &dyn Progress,
    ) -> Result<(), MetaError<A::Error, P::Error>> {
        for _ in 0..n_games {
            if progress.is_cancelled() {
                break;
            }
            let report = self.play(adviser, playout)?;
            progress.advance(1);
            progress.measured("positions", report.n_positions as f64);
        }
        Ok(())
    }

    /// Plays one game and records it.
    ///
    /// Of the book's moves above the threshold, the one with the highest rate is
    /// played. Otherwise it is the adviser's best move that is not known to be
    /// below it; if all are, its best move. This differs from the paper, where an
    /// adviser that never varies plays a lost line forever. A position or move
    /// that occurs again in a game counts once.
    ///
    /// # Errors
    /// If the adviser or the playout fails. The book does not change.
    pub fn play<A: Adviser, P: Playout>(
        &mut self,
        adviser: &mut A,
        playout: &mut P,
    ) -> Result<GameReport, MetaError<A::Error, P::Error>> {
        let board = self.game().start();
        let mut course = GameInProgress { board, line: Vec::new(), boards: Vec::new(), n_from_book: 0, n_advised: 0 };
        while (course.line.len() as u32) < self.options.max_ply && final_outcome(&course.board).is_none() {
            if let Some(played) = self.followed(&course.board) {
                course.n_from_book += 1;
                course.play(played).map_err(MetaError::Illegal)?;
            } else if (course.n_advised as u32) < self.options.n_advised {
                let advice = adviser.advise(&course.board, &course.line).map_err(MetaError::Adviser)?;
                let Some(played) = self.advised(&course.board, &advice) else { break };
                course.n_advised += 1;
                course.play(played).map_err(MetaError::Illegal)?;
            } else {
                break;
            }
        }
        let outcome = match final_outcome(&course.board) {
            Some(outcome) => outcome,
            None => playout.play_out(&course.board, &course.line).map_err(MetaError::Playout)?,
        };
        self.record(&course, outcome);
        self.n_steps += 1;
        let GameInProgress { line, n_from_book, n_advised, .. } = course;
        Ok(GameReport { line, n_from_book, n_advised, outcome, n_positions: self.draft.entries.len() })
    }

    /// The book so far: weights of moves that were played are 2 for a win and 1 for a draw.
    ///
    /// Notes have games and wins, half wins rounded down; the weight keeps the
    /// half, so that the run can resume exactly.
    pub fn to_book(&self) -> Book {
        self.draft.to_book(|_, _| {})
    }

    /// The games and the win rate of a move, if it has enough games.
    fn tried(&self, (known, notes): &(BookMove, MoveNotes)) -> Option<(f64, u32)> {
        let n_games = notes.n_games.filter(|n| *n > 0 && *n >= self.options.min_games)?;
        Some((f64::from(n_half_wins(known, notes)) / 2.0 / f64::from(n_games), n_games))
    }

    /// The book's move, on this board.
    fn followed(&self, board: &GamePosition) -> Option<GameMove> {
        let entry = &self.draft.entries[self.draft.find(board.key())? as usize];
        let good = entry.moves.iter().enumerate().filter_map(|(index, known)| {
            let (rate, n_games) = self.tried(known)?;
            (rate > self.options.min_rate).then_some((rate, n_games, Reverse(index)))
        });
        let best = good.max_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))))?;
        Some(played_on(board, entry.moves[best.2.0].0.played))
    }

    /// The adviser's move.
    fn advised(&self, board: &GamePosition, advice: &[Advice]) -> Option<GameMove> {
        let entry = self.draft.find(board.key()).map(|entry| &self.draft.entries[entry as usize]);
        let (_, turns) = board.normal();
        let is_bad = |advice: &&Advice| {
            let played = board.turned_move(advice.played, &turns);
            let known = entry.and_then(|entry| entry.moves.iter().find(|(known, _)| known.played == played));
            known.and_then(|known| self.tried(known)).is_some_and(|(rate, _)| rate <= self.options.min_rate)
        };
        advice.iter().find(|advice| !is_bad(advice)).or(advice.first()).map(|advice| advice.played)
    }

    fn record(&mut self, course: &GameInProgress, outcome: Outcome) {
        let mut once: HashSet<(u32, Option<usize>)> = HashSet::new();
        for (board, played) in course.boards.iter().zip(&course.line) {
            let entry = self.draft.open(board);
            let Ok(index) = self.draft.open_move(entry, board, *played) else { continue };
            let page = &mut self.draft.entries[entry as usize];
            let add = |count: &mut Option<u32>, n: u32| *count = Some(count.unwrap_or(0).saturating_add(n));
            if once.insert((entry, None)) {
                add(&mut page.notes.n_games, 1);
                add(&mut page.notes.n_first_wins, u32::from(outcome == Outcome::FirstWon));
                add(&mut page.notes.n_second_wins, u32::from(outcome == Outcome::SecondWon));
            }
            if once.insert((entry, Some(index))) {
                let (known, notes) = &mut page.moves[index];
                known.weight = n_half_wins(known, notes).saturating_add(half_wins(outcome, page.to_move));
                add(&mut notes.n_games, 1);
                notes.n_wins = Some(known.weight / 2);
            }
        }
    }
}

impl GameInProgress {
    fn play(&mut self, played: GameMove) -> Result<(), IllegalGameMove> {
        let before = self.board.clone();
        self.board.play(played)?;
        self.boards.push(before);
        self.line.push(played);
        Ok(())
    }
}

/// Twice the wins of a move; a weight that agrees with them has the odd half.
fn n_half_wins(known: &BookMove, notes: &MoveNotes) -> u32 {
    let n_wins = notes.n_wins.unwrap_or(0);
    let agrees = notes.n_wins == Some(known.weight / 2);
    if agrees { known.weight } else { n_wins.saturating_mul(2) }
}

/// The outcome if there is no legal move; in Go the game always continues.
fn final_outcome(board: &GamePosition) -> Option<Outcome> {
    if matches!(board, GamePosition::Go(_)) || !board.legal_moves().is_empty() {
        return None;
    }
    Some(match (board.is_mate(), board.to_move()) {
        (false, _) => Outcome::Draw,
        (true, Side::First) => Outcome::SecondWon,
        (true, Side::Second) => Outcome::FirstWon,
    })
}
