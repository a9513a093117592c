//! Books without moves and positions that are not needed.

use std::collections::{HashMap, HashSet};

use tejun_games::game::{PositionKey, Side};

use crate::books::making::book_copier::{BookCopier, rewrite};
use crate::books::matching::{MatchOptions, Player, Repetition, match_books};
use crate::books::{Book, Selection};

/// What to drop. By default, only positions without moves.
#[derive(Clone, Debug, Default)]
pub struct PruneOptions {
    /// Moves with a lower probability than this are dropped; 0 also keeps moves that are never chosen.
    pub min_move_probability: f64,
    /// Whether moves of weight 0 stay.
    pub zero_weight: ZeroWeight,
    /// How much worse than the best of its position a move may be; moves without a value stay.
    pub max_value_loss: Option<i32>,
    /// Positions that do not occur in play are dropped.
    pub reach: Reach,
    /// Positions this many moves from the start or farther, by the shortest line of known moves, are dropped.
    pub max_ply: Option<u32>,
    /// The side whose positions are kept; by default both sides'.
    pub only: Option<Side>,
}

/// Whether known moves that are never chosen stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZeroWeight {
    /// They stay: an opponent may play them.
    #[default]
    Keep,
    /// They are dropped.
    Drop,
}

/// Which positions occur in play.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Reach {
    /// All positions count as if they did.
    #[default]
    Anything,
    /// Those of games in which one side plays by the book and the other plays any move that the book knows.
    OneSided,
    /// Those that occur at least this often when the book plays itself.
    SelfMatch {
        /// Expected visits per game.
        min_probability: f64,
    },
}

/// Why something was dropped, in the order of the checks; the first reason counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PruneReason {
    /// Its value is too far below the best one.
    Value,
    /// Its probability is too low.
    Probability,
    /// Its weight is 0.
    NeverChosen,
    /// The position has no move, in the file or after its moves were dropped.
    Empty,
    /// The position does not occur, or too rarely.
    Unreached,
    /// It is too far from the start.
    Ply,
    /// It belongs to the other side.
    Side,
}

/// What was dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PruneReport {
    /// Positions and moves before.
    pub before: (usize, usize),
    /// Positions and moves after.
    pub after: (usize, usize),
    /// Positions and moves by reason, without those that dropped nothing.
    pub dropped: Vec<(PruneReason, usize, usize)>,
}

impl PruneReason {
    const ALL: [PruneReason; 7] = [
        PruneReason::Value,
        PruneReason::Probability,
        PruneReason::NeverChosen,
        PruneReason::Empty,
        PruneReason::Unreached,
        PruneReason::Ply,
        PruneReason::Side,
    ];
}

/// Drops what is not wanted. First moves are dropped, then positions of what is left.
///
/// Probabilities and values are those of the book as it was given; reach and distance
/// those of the book without the dropped moves. What then drops out changes the
/// reach of nothing else.
pub fn prune_book(book: &Book, selection: &Selection, options: &PruneOptions) -> (Book, PruneReport) {
    let mut counts: HashMap<PruneReason, (usize, usize)> = HashMap::new();
    let fates: Vec<Vec<Option<PruneReason>>> =
        (0..book.positions().len() as u32).map(|position| move_fates(book, selection, options, position)).collect();
    for reason in fates.iter().flatten().flatten() {
        counts.entry(*reason).or_default().1 += 1;
    }
    let is_kept = |position: u32, index: usize| fates[position as usize][index].is_none();
    let some = rewrite(book, |position, index| is_kept(position, index).then(|| book.moves(position)[index].weight));
    counts.entry(PruneReason::Empty).or_default().0 += book.positions().len() - some.positions().len();
    let (pruned, fates) = without_positions(&some, selection, options);
    for (position, reason) in fates.into_iter().enumerate() {
        if let Some(reason) = reason {
            let row = counts.entry(reason).or_default();
            row.0 += 1;
            row.1 += some.moves(position as u32).len();
        }
    }
    let dropped = PruneReason::ALL.into_iter().filter_map(|reason| {
        let (n_positions, n_moves) = *counts.get(&reason)?;
        (n_positions + n_moves > 0).then_some((reason, n_positions, n_moves))
    });
    let report = PruneReport { before: sizes(book), after: sizes(&pruned), dropped: dropped.collect() };
    (pruned, report)
}

/// The book in which moves that a selection never chooses have the weight 0; others keep theirs, at least 1.
pub fn weigh_chosen(book: &Book, selection: &Selection) -> Book {
    let probabilities: Vec<Vec<f64>> = (0..book.positions().len() as u32)
        .map(|position| {
            let mut probabilities = Vec::new();
            selection.probabilities(book, position, &mut probabilities);
            probabilities
        })
        .collect();
    rewrite(book, |position, index| {
        let weight = book.moves(position)[index].weight;
        Some(if probabilities[position as usize][index] > 0.0 { weight.max(1) } else { 0 })
    })
}

/// A book whose positions of the first player are from one book, and those of the second from another.
///
/// Where the books are of different games, only the first one's part is there.
pub fn join_books(first: &Book, second: &Book) -> Book {
    let mut book_copier = BookCopier::new(first.game());
    for (book, side) in [(first, Side::First), (second, Side::Second)] {
        let is_same_game = book.game() == first.game();
        for (number, position) in book.positions().iter().enumerate().filter(|_| is_same_game) {
            if position.to_move == side {
                let number = number as u32;
                book_copier.copy(book, number, |index| Some(book.moves(number)[index].weight));
            }
        }
    }
    book_copier.finish()
}

fn sizes(book: &Book) -> (usize, usize) {
    (book.positions().len(), (0..book.positions().len() as u32).map(|position| book.moves(position).len()).sum())
}

/// Why each move of a position is dropped.
fn move_fates(book: &Book, selection: &Selection, options: &PruneOptions, position: u32) -> Vec<Option<PruneReason>> {
    let mut probabilities = Vec::new();
    selection.probabilities(book, position, &mut probabilities);
    let notes = book.move_notes(position);
    let value = |index: usize| notes.get(index).and_then(|notes| notes.value);
    let moves = book.moves(position);
    let best = (0..moves.len()).filter_map(value).max();
    let is_worse = |index: usize| {
        let loss = best.zip(value(index)).map(|(best, value)| best.saturating_sub(value));
        options.max_value_loss.zip(loss).is_some_and(|(most, loss)| loss > most)
    };
    (0..moves.len())
        .map(|index| {
            // Some rules choose among moves that all have the weight 0.
            let is_weightless = moves[index].weight == 0 && probabilities[index] == 0.0;
            if is_worse(index) {
                Some(PruneReason::Value)
            } else if !is_weightless && probabilities[index] < options.min_move_probability {
                Some(PruneReason::Probability)
            } else if is_weightless && options.zero_weight == ZeroWeight::Drop {
                Some(PruneReason::NeverChosen)
            } else {
                None
            }
        })
        .collect()
}

/// The book without the positions that are not wanted, and why each is not.
fn without_positions(book: &Book, selection: &Selection, options: &PruneOptions) -> (Book, Vec<Option<PruneReason>>) {
    let reached = reached(book, selection, options.reach);
    let plies = plies(book);
    let fate = |number: usize| {
        let position = &book.positions()[number];
        let ply = plies[number];
        if reached.as_ref().is_some_and(|reached| !reached.contains(&position.key)) {
            Some(PruneReason::Unreached)
        } else if options.max_ply.is_some_and(|last| ply.is_none_or(|ply| ply >= last)) {
            Some(PruneReason::Ply)
        } else if options.only.is_some_and(|side| side != position.to_move) {
            Some(PruneReason::Side)
        } else {
            None
        }
    };
    let fates: Vec<Option<PruneReason>> = (0..book.positions().len()).map(fate).collect();
    let pruned =
        rewrite(book, |position, index| fates[position as usize].is_none().then(|| book.moves(position)[index].weight));
    (pruned, fates)
}

/// The positions that come up; `None` is all.
fn reached(book: &Book, selection: &Selection, reach: Reach) -> Option<HashSet<PositionKey>> {
    match reach {
        Reach::Anything => None,
        Reach::OneSided => {
            let sides = [Side::First, Side::Second];
            Some(sides.into_iter().flat_map(|side| one_sided(book, selection, side)).collect())
        }
        Reach::SelfMatch { min_probability } => {
            let player = Player { book, selection };
            let options = MatchOptions { repetition: Repetition::Ignored, start: None };
            let played = match_books(book.game(), [player, player], &options);
            let is_often = |node: &u32| played.visits.expected[*node as usize] >= min_probability;
            Some((0..played.chain.len() as u32).filter(is_often).map(|node| played.chain.key(node)).collect())
        }
    }
}

/// What comes up if one side plays by the book and the other anything it knows.
fn one_sided(book: &Book, selection: &Selection, side: Side) -> HashSet<PositionKey> {
    let mut probabilities = Vec::new();
    walk(book, |position, index| {
        selection.probabilities(book, position, &mut probabilities);
        book.positions()[position as usize].to_move != side || probabilities[index] > 0.0
    })
    .into_iter()
    .map(|(position, _)| book.positions()[position as usize].key)
    .collect()
}

/// How far each position is from the start by known moves, if they lead there.
fn plies(book: &Book) -> Vec<Option<u32>> {
    let mut plies = vec![None; book.positions().len()];
    for (position, ply) in walk(book, |_, _| true) {
        plies[position as usize] = Some(ply);
    }
    plies
}

/// The positions that these moves lead to from the start, with their distances.
fn walk(book: &Book, mut goes: impl FnMut(u32, usize) -> bool) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = book.start().into_iter().map(|start| (start, 0)).collect();
    let mut seen: HashSet<u32> = book.start().into_iter().collect();
    let mut at = 0;
    while at < found.len() {
        let (position, ply) = found[at];
        for (index, known) in book.moves(position).iter().enumerate() {
            if let Some(child) = book.find(known.child).filter(|_| goes(position, index))
                && seen.insert(child)
            {
                found.push((child, ply + 1));
            }
        }
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::books::making::samples::{after, book, five, random_book, written};
    use proptest::prelude::*;
    use tejun_games::game::Game;

    /// e4 (10) with e5 (1) and c5 (0); d4 (0) with d5 (1) and f5 (0); after each a reply.
    fn small() -> Book {
        let lines = [
            ("e2e4", 10, Some(30)),
            ("d2d4", 0, Some(20)),
            ("a2a3", 1, Some(-50)),
            ("e2e4 e7e5", 1, None),
            ("e2e4 c7c5", 0, None),
            ("d2d4 d7d5", 1, None),
            ("d2d4 f7f5", 0, None),
            ("e2e4 c7c5 g1f3", 1, None),
            ("d2d4 f7f5 g2g3", 1, None),
        ];
        book(Game::Chess, &lines)
    }

    #[track_caller]
    fn check(options: &PruneOptions, expected: &[&str], dropped: &[(PruneReason, usize, usize)]) {
        let (pruned, report) = prune_book(&small(), &Selection::default(), options);
        let mut left: Vec<String> = Vec::new();
        for line in ["", "e2e4", "d2d4", "e2e4 c7c5", "d2d4 f7f5"] {
            let board = after(Game::Chess, line);
            let moves = pruned.find(board.key()).map_or(&[][..], |position| pruned.moves(position));
            left.extend(moves.iter().map(|known| board.move_text(known.played)));
        }
        assert_eq!(left, expected);
        assert_eq!(report.dropped, dropped);
        let sum = |part: fn(&(PruneReason, usize, usize)) -> usize| report.dropped.iter().map(part).sum::<usize>();
        assert_eq!(report.before, (report.after.0 + sum(|row| row.1), report.after.1 + sum(|row| row.2)));
    }

    const ALL: [&str; 9] = ["e2e4", "d2d4", "a2a3", "e7e5", "c7c5", "d7d5", "f7f5", "g1f3", "g2g3"];

    #[test]
    fn each_reason_drops_its_own() {
        check(&PruneOptions::default(), &ALL, &[]);
        let value = PruneOptions { max_value_loss: Some(79), ..PruneOptions::default() };
        check(&value, &["e2e4", "d2d4", "e7e5", "c7c5", "d7d5", "f7f5", "g1f3", "g2g3"], &[(PruneReason::Value, 0, 1)]);
        check(&PruneOptions { max_value_loss: Some(80), ..PruneOptions::default() }, &ALL, &[]);
        let probability = PruneOptions { min_move_probability: 0.1, ..PruneOptions::default() };
        check(
            &probability,
            &["e2e4", "d2d4", "e7e5", "c7c5", "d7d5", "f7f5", "g1f3", "g2g3"],
            &[(PruneReason::Probability, 0, 1)],
        );
        let weightless = PruneOptions { zero_weight: ZeroWeight::Drop, ..PruneOptions::default() };
        check(&weightless, &["e2e4", "a2a3", "e7e5", "d7d5", "g1f3", "g2g3"], &[(PruneReason::NeverChosen, 0, 3)]);
        let ply = PruneOptions { max_ply: Some(2), ..PruneOptions::default() };
        check(&ply, &ALL[..7], &[(PruneReason::Ply, 2, 2)]);
        let side = PruneOptions { only: Some(Side::Second), ..PruneOptions::default() };
        check(&side, &["e7e5", "c7c5", "d7d5", "f7f5"], &[(PruneReason::Side, 3, 5)]);
    }

    #[test]
    fn reach_is_one_sided_or_by_probability() {
        // d4 f5 comes up only if both sides play what the book would not.
        let one_sided = PruneOptions { reach: Reach::OneSided, ..PruneOptions::default() };
        check(&one_sided, &ALL[..8], &[(PruneReason::Unreached, 1, 1)]);
        let often = PruneOptions { reach: Reach::SelfMatch { min_probability: 0.5 }, ..PruneOptions::default() };
        check(&often, &ALL[..5], &[(PruneReason::Unreached, 3, 4)]);
    }

    #[test]
    fn positions_without_moves_are_dropped_as_empty() {
        let lines = [("e2e4", 1, None), ("e2e4 e7e5", 0, None)];
        let options = PruneOptions { zero_weight: ZeroWeight::Drop, ..PruneOptions::default() };
        let (pruned, report) = prune_book(&book(Game::Chess, &lines), &Selection::default(), &options);
        assert_eq!(pruned.positions().len(), 1);
        assert_eq!(report.dropped, [(PruneReason::NeverChosen, 0, 1), (PruneReason::Empty, 1, 0)]);
    }

    proptest! {
        #[test]
        fn one_sided_pruning_changes_no_match(seed in any::<u64>(), is_go in any::<bool>()) {
            let which = if is_go { five() } else { Game::Chess };
            let (ours, theirs) = (random_book(which, seed, 3, 4), random_book(which, seed / 2, 3, 4));
            let selection = Selection::default();
            let options = PruneOptions {
                reach: Reach::OneSided, zero_weight: ZeroWeight::Drop, ..PruneOptions::default()
            };
            let (pruned, _) = prune_book(&ours, &selection, &options);
            let options = MatchOptions { repetition: Repetition::Ignored, start: None };
            let player = |book| Player { book, selection: &selection };
            let before = match_books(which, [player(&ours), player(&ours)], &options);
            let after = match_books(which, [player(&pruned), player(&pruned)], &options);
            prop_assert_eq!(before.leaving, after.leaving);
            // A joined book plays as its two parts do.
            let joined = join_books(&ours, &theirs);
            let parts = match_books(which, [player(&ours), player(&theirs)], &options);
            let whole = match_books(which, [player(&joined), player(&joined)], &options);
            prop_assert_eq!(parts.leaving, whole.leaving);
            // Pruning twice is pruning once, and nothing to prune is nothing changed.
            let (again, report) = prune_book(&ours, &selection, &PruneOptions::default());
            prop_assert_eq!(report.dropped.len(), 0);
            prop_assert_eq!(written(&again), written(&ours));
        }
    }
}
