//! Completing books that store only hashes, by walking along moves.

use std::collections::{HashMap, VecDeque};

use tejun_games::game::{Game, GamePosition, PositionKey};

use crate::books::{Book, BookBuilder, NewMove, PositionNotes, Remark};

/// A book that can be asked about a position, but does not know its own positions.
pub trait Probe {
    /// The game it is for.
    fn game(&self) -> Game;

    /// The number of entries, one per position or one for several that mirror each other.
    fn n_entries(&self) -> usize;

    /// What it knows of a position.
    fn probe(&self, board: &GamePosition) -> Option<Probed>;
}

/// What a hashed book knows of a position.
#[derive(Clone, Debug)]
pub struct Probed {
    /// The number of its entry, below [`Probe::n_entries`].
    pub entry: u32,
    /// Its moves, on the board as it was asked for.
    pub moves: Vec<NewMove>,
    /// Further data.
    pub notes: PositionNotes,
}

/// How far a walk goes.
#[derive(Clone, Debug)]
pub struct WalkOptions {
    /// How many consecutive moves outside all books are tried, every legal one; 0 follows only the books.
    pub max_unknown_moves: u32,
    /// Positions to start from, in addition to the start of the game.
    pub from: Vec<GamePosition>,
}

impl Default for WalkOptions {
    fn default() -> WalkOptions {
        WalkOptions { max_unknown_moves: 1, from: Vec::new() }
    }
}

/// A hashed book with the positions that were reached.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The positions reached.
    pub book: Book,
    /// Problems.
    pub remarks: Vec<Remark>,
    /// Entries of the file.
    pub n_entries: usize,
    /// Entries that some position reached.
    pub n_reached: usize,
}

/// Positions to visit, each with the number of unknown moves that may still follow.
#[derive(Default)]
struct PositionQueue {
    budgets: HashMap<PositionKey, u32>,
    waiting: VecDeque<(GamePosition, u32)>,
}

impl PositionQueue {
    /// Adds a position, unless it was found with as many moves to spare.
    fn add(&mut self, board: GamePosition, budget: u32) {
        let known = self.budgets.get(&board.key());
        if known.is_none_or(|known| *known < budget) {
            self.budgets.insert(board.key(), budget);
            self.waiting.push_back((board, budget));
        }
    }

    /// The next position; one that was found again with more to spare comes only then.
    fn next(&mut self) -> Option<(GamePosition, u32)> {
        loop {
            let (board, budget) = self.waiting.pop_front()?;
            if self.budgets.get(&board.key()) == Some(&budget) {
                return Some((board, budget));
            }
        }
    }
}

/// Walks from the start along the moves of all these books, and finds the positions of the hashed ones.
///
/// Everything that a match of these books can reach is found. Visits each position
/// once, or again with more unknown moves left; unknown moves cost a legal move generation per position.
pub fn walk(probes: &[&dyn Probe], known: &[&Book], options: &WalkOptions) -> Vec<Walk> {
    let Some(game) = probes.first().map(|probe| probe.game()) else { return Vec::new() };
    let mut builders: Vec<BookBuilder> = probes.iter().map(|_| BookBuilder::new(game)).collect();
    let mut reached: Vec<Vec<bool>> = probes.iter().map(|probe| vec![false; probe.n_entries()]).collect();
    let mut found = PositionQueue::default();
    let starts = std::iter::once(game.start()).chain(options.from.iter().cloned());
    starts.for_each(|board| found.add(board, options.max_unknown_moves));
    while let Some((board, max_unknown_moves)) = found.next() {
        // Known moves are those of the normal orientation.
        let (board, _) = board.normal();
        let key = board.key();
        let mut moves = Vec::new();
        for (index, probe) in probes.iter().enumerate() {
            let Some(Probed { entry, moves: known, notes }) = probe.probe(&board) else { continue };
            moves.extend(known.iter().map(|new| new.played));
            if let Some(is_reached) = reached[index].get_mut(entry as usize) {
                *is_reached = true;
            }
            // A position that is come to again, with more unknown moves to spare, is there.
            if !builders[index].has(key) {
                builders[index].add(u64::from(entry) + 1, &board, known, notes);
            }
        }
        for book in known {
            let position = book.find(key);
            moves.extend(position.iter().flat_map(|at| book.moves(*at)).map(|known| known.played));
        }
        let budget = if moves.is_empty() { max_unknown_moves } else { options.max_unknown_moves };
        moves
            .into_iter()
            .filter_map(|played| board.after(played).ok())
            .for_each(|after| found.add(after, options.max_unknown_moves));
        if budget > 0 {
            for played in board.legal_moves() {
                let Ok(after) = board.after(played) else { continue };
                if budget > 1 || probes.iter().any(|probe| probe.probe(&after).is_some()) {
                    found.add(after, budget - 1);
                }
            }
        }
    }
    let counted = probes.iter().zip(builders).zip(reached);
    counted
        .map(|((probe, builder), reached)| {
            let (book, remarks) = builder.finish();
            let n_reached = reached.iter().filter(|is_reached| **is_reached).count();
            Walk { book, remarks, n_entries: probe.n_entries(), n_reached }
        })
        .collect()
}
