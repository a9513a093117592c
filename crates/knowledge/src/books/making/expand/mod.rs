//! A book that grows best first, with an engine.
//!
//! After Buro, "Toward opening book learning" (1999), as in Logistello: go
//! from the start to a position outside the book, ask for its best moves and
//! their values, add them, and propagate values back to the start. The next
//! position depends on the book alone, so a saved book resumes exactly where it
//! stopped.

mod frontier;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use tejun_games::game::{Game, GameMove, GamePosition, IllegalGameMove, PositionKey};

use crate::books::making::adviser::played_on;
use crate::books::making::expand::frontier::Frontier;
use crate::books::making::growing_book::GrowingBook;
use crate::books::making::{Advice, Adviser};
use crate::books::{Book, BookMove, MoveNotes};
use crate::progress::Progress;

/// The value of a mate on the board; greater values are reduced to it.
pub const MATE_VALUE: i32 = 32_000;
/// The weight of a position's best move.
const BEST_WEIGHT: f64 = 10_000.0;

/// How a book grows.
#[derive(Clone, Debug)]
pub struct ExpandOptions {
    /// How many of the adviser's moves are added to a position of the first and of the second player.
    pub n_moves: [usize; 2],
    /// How much worse than the best an added move may be.
    pub max_loss: i32,
    /// The cost of a ply, in addition to what moves lose; see [`Expansion::step`]. Buro's is 0.
    pub ply_penalty: u32,
    /// Positions this far from the start, by the cheapest path, are not asked about.
    pub max_ply: Option<u32>,
    /// How values become weights.
    pub weights: ValueWeights,
}

/// How the values of a position's moves become weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueWeights {
    /// Only the best moves have a weight.
    Best,
    /// A move that is worse by this many centipawns has a weight smaller by the factor e.
    Exponential {
        /// Centipawns.
        temperature: f64,
    },
}

/// A book that is growing.
#[derive(Clone, Debug)]
pub struct Expansion {
    draft: GrowingBook,
    options: ExpandOptions,
    /// Where each move leads, if that is in the draft.
    links: Vec<Vec<Option<u32>>>,
    /// Moves that lead to positions not in the draft.
    waiting: HashMap<PositionKey, Vec<(u32, u32)>>,
    /// The value of each position for the side to move, if it is known.
    values: Vec<Option<i32>>,
    /// Steps since the beginning.
    n_steps: u64,
}

/// The result of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepReport {
    /// The moves to the position that was asked about.
    pub line: Vec<GameMove>,
    /// The moves that were added; none if the game is over there.
    pub added: Vec<Advice>,
    /// The cost of the line in centipawns: what its moves lose, and the ply penalty.
    pub cost: u64,
    /// The value of the start for the side to move.
    pub start_value: Option<i32>,
    /// Positions of the book.
    pub n_positions: usize,
}

/// Why a step failed. The book is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum ExpandError<E: std::error::Error + 'static> {
    /// The adviser has no answer.
    #[error("the adviser failed")]
    Adviser(#[source] E),
    /// The adviser named a move that cannot be played.
    #[error("the adviser's move is not legal")]
    Illegal(#[source] IllegalGameMove),
}

impl Default for ExpandOptions {
    /// Two moves per position, the second at most half a pawn worse.
    fn default() -> ExpandOptions {
        let weights = ValueWeights::Exponential { temperature: 30.0 };
        ExpandOptions { n_moves: [2, 2], max_loss: 50, ply_penalty: 10, max_ply: None, weights }
    }
}

impl Expansion {
    /// Starts from a book, which may be empty; its values are those of its moves' notes.
    ///
    /// A move without a value is treated as if it were the best. A position
    /// without moves is one where the game is over.
    pub fn new(book: &Book, options: ExpandOptions) -> Expansion {
        let draft = GrowingBook::from_book(book);
        let mut expansion =
            Expansion { draft, options, links: Vec::new(), waiting: HashMap::new(), values: Vec::new(), n_steps: 0 };
        for entry in 0..expansion.draft.entries.len() {
            expansion.link(entry as u32);
        }
        expansion.revalue();
        expansion
    }

    /// The game it is for.
    pub fn game(&self) -> Game {
        self.draft.game()
    }

    /// The number of positions.
    pub fn n_positions(&self) -> usize {
        self.draft.entries.len()
    }

    /// The number of steps since this expansion began.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Takes up to this many steps; fewer if there is nothing more to ask about, or the caller cancels.
    ///
    /// ```
    /// use tejun_games::game::{Game, GameMove, GamePosition};
    /// use tejun_knowledge::books::BookBuilder;
    /// use tejun_knowledge::books::making::expand::{ExpandOptions, Expansion};
    /// use tejun_knowledge::books::making::{Advice, Adviser};
    /// use tejun_knowledge::progress::NoProgress;
    ///
    /// /// Finds the first legal move as good as none.
    /// struct FirstMove;
    ///
    /// impl Adviser for FirstMove {
    ///     type Error = std::convert::Infallible;
    ///     fn advise(&mut self, board: &GamePosition, _: &[GameMove]) -> Result<Vec<Advice>, Self::Error> {
    ///         Ok(vec![Advice { played: board.legal_moves()[0], value: 0, depth: None }])
    ///     }
    /// }
    ///
    /// let empty = BookBuilder::new(Game::Chess).finish().0;
    /// let mut expansion = Expansion::new(&empty, ExpandOptions::default());
    /// expansion.run(&mut FirstMove, 3, &NoProgress)?;
    /// assert_eq!((expansion.n_steps(), expansion.to_book().positions().len()), (3, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Expansion::step`]; earlier steps are kept.
    pub fn run<A: Adviser>(
        &mut self,
        adviser: &mut A,
        n_steps: u64,
        progress: &dyn Progress,
    ) -> Result<(), ExpandError<A::Error>> {
        for _ in 0..n_steps {
            if progress.is_cancelled() {
                break;
            }
            let Some(report) = self.step(adviser)? else { break };
            progress.advance(1);
            progress.measured("value", f64::from(report.start_value.unwrap_or(0)));
        }
        Ok(())
    }

    /// Asks about one position and adds the answer; `None` if there is nothing more to ask about.
    ///
    /// It is the position with the cheapest path: each move costs as much as it is
    /// worse than the best of its position, for both sides, plus the ply penalty.
    /// Without a penalty this is the end of the best line; a larger penalty
    /// explores other lines sooner (drop-out expansion, Lincke 2000). Among equal
    /// paths the shortest comes first, then the earliest in the book. Costs one
    /// pass over the book in addition to the adviser.
    ///
    /// # Errors
    /// If the adviser fails or names an illegal move. The book does not change.
    pub fn step<A: Adviser>(&mut self, adviser: &mut A) -> Result<Option<StepReport>, ExpandError<A::Error>> {
        let Some(Frontier { cost, way }) = self.frontier() else { return Ok(None) };
        let (board, line) = self.board(&way);
        let is_over = board.legal_moves().is_empty() && !matches!(board, GamePosition::Go(_));
        let advice = if is_over { Vec::new() } else { adviser.advise(&board, &line).map_err(ExpandError::Adviser)? };
        let added = self.chosen(&board, advice).map_err(ExpandError::Illegal)?;
        let entry = self.draft.open(&board);
        for advice in &added {
            // Moves that mirror each other are one; the first is the better.
            if let Ok(index) = self.draft.open_move(entry, &board, advice.played) {
                let notes = &mut self.draft.entries[entry as usize].moves[index].1;
                notes.value = notes.value.or(Some(advice.value));
                notes.depth = notes.depth.or(advice.depth);
            }
        }
        if let (true, Some(&(parent, index))) = (is_over, way.last()) {
            let value = if board.is_mate() { MATE_VALUE } else { 0 };
            self.draft.entries[parent as usize].moves[index as usize].1.value = Some(value);
        }
        self.link(entry);
        self.revalue();
        self.n_steps += 1;
        let start_value = self.draft.find(self.game().start().key()).and_then(|start| self.values[start as usize]);
        Ok(Some(StepReport { line, added, cost, start_value, n_positions: self.n_positions() }))
    }

    /// The book so far, with propagated values and weights made from them.
    ///
    /// Where no move has a value, weights stay as they are.
    pub fn to_book(&self) -> Book {
        self.draft.to_book(|entry, moves| {
            for (index, (_, notes)) in moves.iter_mut().enumerate() {
                notes.value = self.move_value(entry, index);
            }
            self.weigh(moves);
        })
    }

    /// The board after a path, and the moves as they are played on it.
    fn board(&self, way: &[(u32, u32)]) -> (GamePosition, Vec<GameMove>) {
        let mut board = self.game().start();
        let mut line = Vec::new();
        for &(entry, index) in way {
            let played = played_on(&board, self.draft.entries[entry as usize].moves[index as usize].0.played);
            board.play(played).expect("moves of a book are legal in their positions");
            line.push(played);
        }
        (board, line)
    }

    /// The adviser's moves to be added.
    fn chosen(&self, board: &GamePosition, mut advice: Vec<Advice>) -> Result<Vec<Advice>, IllegalGameMove> {
        for advice in &mut advice {
            board.after(advice.played)?;
            advice.value = advice.value.clamp(-MATE_VALUE, MATE_VALUE);
        }
        let best = advice.iter().map(|advice| advice.value).max();
        advice.retain(|advice| best.is_some_and(|best| best - advice.value <= self.options.max_loss));
        advice.truncate(self.options.n_moves[board.to_move().index()].max(1));
        Ok(advice)
    }

    fn weigh(&self, moves: &mut [(BookMove, MoveNotes)]) {
        let Some(best) = moves.iter().filter_map(|(_, notes)| notes.value).max() else { return };
        for (known, notes) in moves {
            let share = notes.value.map_or(0.0, |value| match self.options.weights {
                ValueWeights::Best => f64::from(value == best),
                ValueWeights::Exponential { .. } if value == best => 1.0,
                ValueWeights::Exponential { temperature } => (f64::from(value - best) / temperature.max(1e-6)).exp(),
            });
            known.weight = (BEST_WEIGHT * share).round() as u32;
        }
    }
}
