//! How far is a book from what people play?

use crate::books::{Book, Selection};

/// A book compared with the games of others, position by position, each as often as they had it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Divergence {
    /// Moves played in the games, as far as they are known.
    pub n_moves: u64,
    /// Those in positions where the book has a move.
    pub n_in_book: u64,
    /// Those that the book could have played itself.
    pub n_shared: u64,
    /// Kullback and Leibler's divergence of the games from the book, in bits per move, over the moves both play.
    pub kullback_leibler: f64,
    /// Jensen and Shannon's divergence, in bits per move: 0 alike, 1 nothing in common.
    pub jensen_shannon: f64,
}

impl Divergence {
    /// The share of the games' moves that are played in the book's positions.
    pub fn position_coverage(&self) -> f64 {
        self.n_in_book as f64 / self.n_moves.max(1) as f64
    }

    /// The share of these moves that the book could have played.
    pub fn move_coverage(&self) -> f64 {
        self.n_shared as f64 / self.n_in_book.max(1) as f64
    }
}

/// Compares a book with a book of games, whose weights count how often a move was played.
pub fn divergence(book: &Book, selection: &Selection, games: &Book) -> Divergence {
    let mut sum = Divergence::default();
    let mut probabilities = Vec::new();
    for (number, position) in games.positions().iter().enumerate() {
        let played = games.moves(number as u32);
        let n_here: u64 = played.iter().map(|known| u64::from(known.weight)).sum();
        sum.n_moves += n_here;
        let there = book.find(position.key).filter(|at| selection.probabilities(book, *at, &mut probabilities));
        let Some(there) = there.filter(|_| n_here > 0) else { continue };
        sum.n_in_book += n_here;
        let probability = |of: &crate::books::BookMove| {
            let place = book.moves(there).iter().position(|known| known.played == of.played);
            place.map_or(0.0, |place| probabilities[place])
        };
        let shared: Vec<(f64, f64)> = played
            .iter()
            .map(|known| (f64::from(known.weight), probability(known)))
            .filter(|pair| pair.1 > 0.0)
            .collect();
        let (n_shared, p_shared) = shared.iter().fold((0.0, 0.0), |(n, p), pair| (n + pair.0, p + pair.1));
        sum.n_shared += n_shared as u64;
        sum.kullback_leibler += shared.iter().map(|(n, p)| n * ((n / n_shared) / (p / p_shared)).log2()).sum::<f64>();
        let n = n_here as f64;
        let theirs: f64 = played.iter().map(|known| half(f64::from(known.weight) / n, probability(known))).sum();
        let unplayed = (1.0 - p_shared).max(0.0);
        // What the book plays and the games do not is half of the mixture there.
        sum.jensen_shannon += n * (theirs + 0.5 * unplayed);
    }
    sum.kullback_leibler /= (sum.n_shared as f64).max(1.0);
    sum.jensen_shannon /= (sum.n_in_book as f64).max(1.0);
    sum
}

/// A move's part in Jensen and Shannon's divergence of p from q.
fn half(p: f64, q: f64) -> f64 {
    let middle = 0.5 * (p + q);
    let part = |p: f64| if p > 0.0 { 0.5 * p * (p / middle).log2() } else { 0.0 };
    part(p) + part(q)
}
