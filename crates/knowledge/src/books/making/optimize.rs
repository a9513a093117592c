//! The book of the highest entropy at a given loss of expected win rate.
//!
//! What Masuko and Tanaka name as the aim of a book: to vary play without
//! playing badly. The entropy is that of whole lines of a match, the
//! opponent's draws included; that of leaving positions is also reported. The
//! opponent's book stays as it is.

use std::collections::{HashMap, HashSet};

use tejun_games::game::{GameMove, GamePosition, PositionKey, Side};

use crate::books::making::book_copier::rewrite;
use crate::books::making::choices::{Choices, Unsettled};
use crate::books::making::policy::Policy;
use crate::books::matching::{Match, MatchOptions, Player, Repetition, match_books};
use crate::books::{Book, Rule, Selection};

/// Which moves of a book may be given a probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// Those with a weight.
    Weighted,
    /// All that are known.
    Known,
}

/// Whose probabilities are looked for, and against whom.
#[derive(Clone, Debug)]
pub struct Task<'b> {
    /// The side that plays by the book.
    pub side: Side,
    /// The book.
    pub book: &'b Book,
    /// Which of its moves may be played; their weights do not matter.
    pub allowed: Allowed,
    /// The opponent, who does not change. A last ply of the selection is not regarded.
    pub opponent: Player<'b>,
    /// Where games start, if not at the game's own start.
    pub start: Option<GamePosition>,
}

/// How a book is optimized.
#[derive(Clone, Debug)]
pub struct OptimizeOptions {
    /// How much of the best possible win rate may be lost.
    pub loss: f64,
    /// Losses for the curve.
    pub losses: Vec<f64>,
    /// The weight of the most probable move of a position; rounding drops moves under a half of 1.
    pub max_weight: u32,
}

/// A point on the curve of loss and variety.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TradeOff {
    /// The loss that was allowed.
    pub loss: f64,
    /// The side's expected win rate.
    pub win_rate: f64,
    /// The entropy of lines in bits.
    pub entropy_bits: f64,
    /// What a nat of entropy is worth in wins there.
    pub lambda: f64,
}

/// A book with the probabilities that were found.
#[derive(Clone, Debug)]
pub struct OptimizedBook {
    /// The book: new weights where the side is to move and the match comes, all else as it was.
    pub book: Book,
    /// What a nat of entropy is worth in wins; 0 plays the best only, infinity regards nothing but entropy.
    pub lambda: f64,
    /// The side's expected win rate with the rounded weights; endless games are lost.
    pub win_rate: f64,
    /// The best that any choice of allowed moves has.
    pub best_win_rate: f64,
    /// The entropy of lines with the rounded weights, in bits.
    pub entropy_bits: f64,
    /// The entropy of leaving positions with the rounded weights, in bits.
    pub leaving_entropy_bits: f64,
    /// Moves that were not allowed after all because the side could go in circles with them at will.
    pub n_cut: usize,
    /// Loss against entropy, before rounding.
    pub trade_off: Vec<TradeOff>,
}

/// Why no probabilities could be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptimizeError {
    /// Books that go in circles.
    #[error("the books go in circles that come to no end")]
    Endless,
    /// A leaving position without a win rate.
    #[error("a leaving position has no win rate from 0 to 1")]
    NoWinRate {
        /// Which.
        key: PositionKey,
    },
}

impl Default for OptimizeOptions {
    /// A loss of 1%, and a curve up to 10%.
    fn default() -> OptimizeOptions {
        let losses = vec![0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1];
        OptimizeOptions { loss: 0.01, losses, max_weight: 65_535 }
    }
}

impl From<Unsettled> for OptimizeError {
    fn from(_: Unsettled) -> OptimizeError {
        OptimizeError::Endless
    }
}

impl Task<'_> {
    /// The match in which the side plays every allowed move; its leaving positions are those that need win rates.
    pub fn widest_match(&self) -> Match {
        let allowed = rewrite(self.book, |position, index| {
            let weight = self.book.moves(position)[index].weight;
            (weight > 0 || self.allowed == Allowed::Known).then_some(1)
        });
        self.matched(&allowed, &Selection::by(Rule::Uniform))
    }

    fn matched(&self, book: &Book, selection: &Selection) -> Match {
        let own = Player { book, selection };
        let players = match self.side {
            Side::First => [own, self.opponent],
            Side::Second => [self.opponent, own],
        };
        let options = MatchOptions { repetition: Repetition::Ignored, start: self.start.clone() };
        match_books(self.book.game(), players, &options)
    }
}

/// Finds the probabilities of a side's moves that make lines as varied as a loss allows.
///
/// `first_win_rate` is the first player's at a leaving position of
/// [`Task::widest_match`]. The loss is met within 10^-7, before weights are
/// rounded. Costs some thirty passes over the chain for each loss, many more if
/// play can come back to a position.
///
/// # Errors
/// If a win rate is missing, or both sides can only go in circles.
pub fn optimize_book(
    task: &Task<'_>,
    first_win_rate: impl Fn(PositionKey) -> Option<f64>,
    options: &OptimizeOptions,
) -> Result<OptimizedBook, OptimizeError> {
    let played = task.widest_match();
    let mut own_rates = HashMap::new();
    for key in (0..played.chain.len() as u32).filter(|node| played.chain.is_leaving(*node)).map(|n| played.chain.key(n))
    {
        let rate = first_win_rate(key).filter(|rate| (0.0..=1.0).contains(rate));
        own_rates.insert(key, own_rate(rate.ok_or(OptimizeError::NoWinRate { key })?, task.side));
    }
    let rate = |key: PositionKey| own_rates.get(&key).copied().unwrap_or(0.0);
    let mut choices = Choices::of_chain(&played.chain, played.first(), task.side, |node| rate(played.chain.key(node)));
    let n_cut = choices.cut_circles()?;
    let (best, most) = (choices.best()?, choices.most_varied()?);
    let policy = choices.most_varied_within(options.loss, &best, &most)?;
    let trade_off = options.losses.iter().map(|&loss| {
        let Policy { win_rate, entropy, lambda, .. } = choices.most_varied_within(loss, &best, &most)?;
        Ok(TradeOff { loss, win_rate, entropy_bits: entropy / std::f64::consts::LN_2, lambda })
    });
    let trade_off = trade_off.collect::<Result<_, OptimizeError>>()?;
    let book = with_probabilities(task, &played, &choices, &policy, options.max_weight);
    let after = task.matched(&book, &Selection::default());
    Ok(OptimizedBook {
        lambda: policy.lambda,
        win_rate: after.leaving.iter().map(|at| at.probability * rate(at.key)).sum(),
        best_win_rate: best.win_rate,
        entropy_bits: after.line_entropy,
        leaving_entropy_bits: after.diversity().entropy,
        n_cut,
        trade_off,
        book,
    })
}

/// Optimizes both players' books, each against the other's as it was given.
///
/// # Errors
/// As [`optimize_book`].
pub fn optimize_both(
    players: [Player<'_>; 2],
    allowed: Allowed,
    first_win_rate: impl Fn(PositionKey) -> Option<f64>,
    options: &OptimizeOptions,
) -> Result<[OptimizedBook; 2], OptimizeError> {
    let one = |side: Side| {
        let opponent = players[side.opponent().index()];
        let task = Task { side, book: players[side.index()].book, allowed, opponent, start: None };
        optimize_book(&task, &first_win_rate, options)
    };
    Ok([one(Side::First)?, one(Side::Second)?])
}

fn own_rate(first_rate: f64, side: Side) -> f64 {
    match side {
        Side::First => first_rate,
        Side::Second => 1.0 - first_rate,
    }
}

/// The book with the policy's probabilities as weights.
fn with_probabilities(task: &Task<'_>, played: &Match, choices: &Choices, policy: &Policy, max_weight: u32) -> Book {
    let mut weights: HashMap<(PositionKey, GameMove), u32> = HashMap::new();
    let mut is_new: HashSet<PositionKey> = HashSet::new();
    for node in 0..played.chain.len() as u32 {
        let steps = choices.steps(node as usize);
        if !choices.is_own[node as usize] || steps.is_empty() {
            continue;
        }
        let probabilities = &policy.probabilities[steps];
        let largest = probabilities.iter().copied().fold(0.0, f64::max);
        let key = played.chain.key(node);
        is_new.insert(key);
        for (step, probability) in played.chain.steps(node).iter().zip(probabilities) {
            let weight = (probability / largest * f64::from(max_weight.max(1))).round() as u32;
            weights.insert((key, step.played), weight);
        }
    }
    rewrite(task.book, |position, index| {
        let key = task.book.positions()[position as usize].key;
        let known = task.book.moves(position)[index];
        let new = is_new.contains(&key).then(|| weights.get(&(key, known.played)).copied().unwrap_or(0));
        Some(new.unwrap_or(known.weight))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::books::making::prune::join_books;
    use crate::books::making::samples::{after, book, five, random_book, written};
    use proptest::prelude::*;
    use tejun_games::game::Game;

    /// Two first moves, worth 0.6 and 0.4; a third is known but has no weight, worth 0.9.
    fn small() -> Book {
        book(Game::Chess, &[("e2e4", 1, None), ("d2d4", 1, None), ("a2a3", 0, None)])
    }

    fn rate(key: PositionKey) -> Option<f64> {
        let rates = [("e2e4", 0.6), ("d2d4", 0.4), ("a2a3", 0.9)];
        rates.into_iter().find(|(line, _)| after(Game::Chess, line).key() == key).map(|row| row.1)
    }

    fn weights(book: &Book) -> Vec<u32> {
        book.moves(book.start().expect("the start")).iter().map(|known| known.weight).collect()
    }

    #[test]
    fn a_choice_by_hand() {
        let (small, selection) = (small(), Selection::default());
        let opponent = Player { book: &small, selection: &selection };
        let task = Task { side: Side::First, book: &small, allowed: Allowed::Weighted, opponent, start: None };
        let options = OptimizeOptions { loss: 0.05, losses: vec![0.0, 0.1], max_weight: 30_000 };
        let found = optimize_book(&task, rate, &options).expect("found");
        // A loss of 0.05 of the difference of 0.2: a quarter.
        assert_eq!(weights(&found.book), [30_000, 10_000, 0]);
        assert!((found.win_rate - 0.55).abs() < 1e-4 && (found.best_win_rate - 0.6).abs() < 1e-12);
        assert!((found.entropy_bits - 0.811_278).abs() < 1e-4);
        assert_eq!(found.entropy_bits, found.leaving_entropy_bits);
        let curve: Vec<(f64, f64)> = found.trade_off.iter().map(|at| (at.win_rate, at.entropy_bits)).collect();
        assert!(curve[0] == (0.6, 0.0) && (curve[1].0 - 0.5).abs() < 1e-9 && (curve[1].1 - 1.0).abs() < 1e-9);
        let task = Task { allowed: Allowed::Known, ..task };
        let options = OptimizeOptions { loss: 0.0, ..options };
        let known = optimize_book(&task, rate, &options).expect("found");
        assert_eq!(weights(&known.book), [0, 0, 30_000]);
        let missing = optimize_book(&task, |_| None, &options);
        assert!(matches!(missing, Err(OptimizeError::NoWinRate { .. })));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn the_written_book_keeps_its_promise(seed in any::<u64>(), is_go in any::<bool>(), loss in 0.0f64..0.2) {
            let which = if is_go { five() } else { Game::Chess };
            let books = [random_book(which, seed, 3, 5), random_book(which, seed ^ 1, 3, 5)];
            let selection = Selection::default();
            let players = [0, 1].map(|side: usize| Player { book: &books[side], selection: &selection });
            let rate = |key: PositionKey| Some((key.0 % 1001) as f64 / 1000.0);
            let options = OptimizeOptions { loss, losses: vec![0.0, loss], max_weight: 65_535 };
            let both = optimize_both(players, Allowed::Weighted, rate, &options).expect("no circles");
            for (number, found) in both.iter().enumerate() {
                prop_assert!(found.win_rate >= found.best_win_rate - loss - 1e-3);
                prop_assert!(found.win_rate <= found.best_win_rate + 1e-9);
                let point = found.trade_off[1];
                prop_assert!((found.win_rate - point.win_rate).abs() < 1e-3);
                prop_assert!((found.entropy_bits - point.entropy_bits).abs() < 1e-2);
                prop_assert!(found.leaving_entropy_bits <= found.entropy_bits + 1e-9);
                // The book given loses more or is less varied.
                let mut pair = players;
                pair[number] = Player { book: &books[number], selection: &selection };
                let options = MatchOptions { repetition: Repetition::Ignored, start: None };
                let before = match_books(which, pair, &options);
                let side = [Side::First, Side::Second][number];
                let own = |key| rate(key).map_or(0.0, |rate| own_rate(rate, side));
                let given: f64 = before.leaving.iter().map(|at| at.probability * own(at.key)).sum();
                if given >= point.win_rate {
                    prop_assert!(before.line_entropy <= point.entropy_bits + 1e-6);
                }
            }
            // Joined, they are a book; and the same again comes out.
            let joined = join_books(&both[0].book, &both[1].book);
            let again = optimize_both(players, Allowed::Weighted, rate, &options).expect("no circles");
            prop_assert_eq!(written(&joined), written(&join_books(&again[0].book, &again[1].book)));
        }
    }
}
