//! A book alone: how many positions, how many moves, and how deep?

use std::collections::HashSet;

use crate::books::{Book, Selection};

/// What a book holds, in numbers; the paper's tables 1 and 2, figures 2 and 3.
#[derive(Clone, Debug, PartialEq)]
pub struct BookStats {
    /// Positions that the file stores, reached or not.
    pub n_stored: usize,
    /// Registered positions: from the start by any known move, through positions with a move to play.
    pub n_positions: usize,
    /// Moves that can be chosen in them.
    pub n_moves: usize,
    /// Positions with 1, 2, … moves.
    pub histogram: Vec<usize>,
    /// The same by distance from the start.
    pub by_ply: Vec<PlyStats>,
    /// The position with the most moves, the first if there are several.
    pub widest: Option<u32>,
    /// Stored positions with a move to play that are not registered.
    pub n_unreached: usize,
}

/// Positions at one distance from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlyStats {
    /// Registered positions.
    pub n_positions: usize,
    /// Moves that can be chosen in them.
    pub n_moves: usize,
}

impl BookStats {
    /// The mean number of moves of a position.
    pub fn mean_moves(&self) -> f64 {
        self.n_moves as f64 / self.n_positions as f64
    }
}

impl PlyStats {
    /// The mean number of moves of a position.
    pub fn mean_moves(&self) -> f64 {
        self.n_moves as f64 / self.n_positions as f64
    }
}

/// Counts what is in a book, with the moves that a selection leaves.
///
/// From a registered position every known move is followed, also those that
/// are never chosen: an opponent may play them.
pub fn book_stats(book: &Book, selection: &Selection) -> BookStats {
    let mut probabilities = Vec::new();
    let mut n_chosen = |position: u32| {
        selection.probabilities(book, position, &mut probabilities);
        probabilities.iter().filter(|probability| **probability > 0.0).count()
    };
    let mut stats = BookStats {
        n_stored: book.n_stored(),
        n_positions: 0,
        n_moves: 0,
        histogram: Vec::new(),
        by_ply: Vec::new(),
        widest: None,
        n_unreached: 0,
    };
    let mut seen: HashSet<u32> = book.start().into_iter().collect();
    let mut ring: Vec<u32> = book.start().into_iter().filter(|start| n_chosen(*start) > 0).collect();
    while !ring.is_empty() {
        let mut row = PlyStats::default();
        let mut next = Vec::new();
        for position in ring {
            let n = n_chosen(position);
            row.n_positions += 1;
            row.n_moves += n;
            if stats.histogram.len() < n {
                stats.histogram.resize(n, 0);
                stats.widest = Some(position);
            }
            stats.histogram[n - 1] += 1;
            let children = book.moves(position).iter().filter_map(|known| book.find(known.child));
            next.extend(children.filter(|child| seen.insert(*child) && n_chosen(*child) > 0));
        }
        stats.n_positions += row.n_positions;
        stats.n_moves += row.n_moves;
        stats.by_ply.push(row);
        ring = next;
    }
    let stored = (0..book.positions().len() as u32).filter(|at| !book.positions()[*at as usize].is_implied);
    stats.n_unreached = stored.filter(|at| !seen.contains(at) && n_chosen(*at) > 0).count();
    stats
}
