//! A book that grows best first, with an engine.
//!
//! After Buro, "Toward opening book learning" (1999), as in Logistello: go
//! from the start to a position that the book does not have, ask what its best
//! moves are worth, add them, and carry values back to the start. What is
//! looked at next depends on the book alone, so that a saved book goes on
//! exactly where it stopped.

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

/// The value of having mated; greater ones are cut down to it.
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
    /// What a ply costs beside what moves lose; see [`Expansion::step`]. Buro's is 0.
    pub ply_penalty: u32,
    /// Positions this far from the start, by the cheapest way, are not asked about.
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
    /// What each position is worth to the side to move, if that is known.
    values: Vec<Option<i32>>,
}

/// What a step has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepReport {
    /// The moves to the position that was asked about.
    pub line: Vec<GameMove>,
    /// What was added; nothing if the game is over there.
    pub added: Vec<Advice>,
    /// What the line loses by its moves, in centipawns, and costs by its length.
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
    /// Two moves a position, the second at most half a pawn worse.
    fn default() -> ExpandOptions {
        let weights = ValueWeights::Exponential { temperature: 30.0 };
        ExpandOptions { n_moves: [2, 2], max_loss: 50, ply_penalty: 10, max_ply: None, weights }
    }
}

impl Expansion {
    /// Begins with a book, which may be empty; its values are those of its moves' notes.
    ///
    /// A move without a value leads to a position that is looked at as if it
    /// were the best. A position without moves is one where the game is over.
    pub fn new(book: &Book, options: ExpandOptions) -> Expansion {
        let draft = GrowingBook::from_book(book);
        let mut expansion =
            Expansion { draft, options, links: Vec::new(), waiting: HashMap::new(), values: Vec::new() };
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

    /// Asks about one position and adds what it hears; `None` if there is nothing more to ask about.
    ///
    /// It is the one to which a way costs least: for each move what it is worse
    /// than the best of its position, for both sides, and the ply penalty. With
    /// no penalty this is the end of the best line; the greater it is, the
    /// sooner other lines are looked at (Lincke 2000 calls it drop-out
    /// expansion). Of equal ones the shortest way comes first, then the
    /// earliest in the book. Costs one pass over the book beside the adviser.
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
        let start_value = self.draft.find(self.game().start().key()).and_then(|start| self.values[start as usize]);
        Ok(Some(StepReport { line, added, cost, start_value, n_positions: self.n_positions() }))
    }

    /// The book so far: values as they were carried back, weights made of them.
    ///
    /// Where no move has a value, weights are as they were.
    pub fn to_book(&self) -> Book {
        self.draft.to_book(|entry, moves| {
            for (index, (_, notes)) in moves.iter_mut().enumerate() {
                notes.value = self.move_value(entry, index);
            }
            self.weigh(moves);
        })
    }

    /// The board behind a way, and the moves as they are played on it.
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

    /// The adviser's moves that are to be added.
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
