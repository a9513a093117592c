//! The moves played after a sequence, and thus whether it is a complete unit.

use std::collections::HashMap;

use tejun_games::Move;
use tejun_games::go::{BoardSize, Point};

use crate::corpus::GameTable;
use crate::sequences::local::{LOCAL_REACH, distance};
use crate::sequences::ranking::RankedString;
use crate::sequences::shape::{Alignment, points_of};
use crate::sequences::text::GameText;
use crate::threads::map_each;

/// Minimum share of a single continuation for [`Completeness::MayContinue`].
const STRONG: f64 = 0.2;
/// Minimum share of plays elsewhere for a complete sequence.
const COMPLETE: f64 = 0.5;

/// The completeness of a sequence, as a reader would judge it (figure 15 of the paper, measured).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Completeness {
    /// Complete: in at least half of the occurrences, the next move is elsewhere.
    Complete,
    /// Complete, but a single continuation follows in at least a fifth of the occurrences.
    MayContinue,
    /// Begins or ends with a move that is far from all the others.
    StrayMove,
    /// Usually continues: in most occurrences, the next move is nearby.
    Continues,
}

impl Completeness {
    /// The letter used in tables and files: `A` to `D`.
    pub fn letter(self) -> char {
        match self {
            Completeness::Complete => 'A',
            Completeness::MayContinue => 'B',
            Completeness::StrayMove => 'C',
            Completeness::Continues => 'D',
        }
    }

    /// A description for readers.
    pub fn description(self) -> &'static str {
        match self {
            Completeness::Complete => "complete",
            Completeness::MayContinue => "complete but may continue",
            Completeness::StrayMove => "begins or ends with a move elsewhere",
            Completeness::Continues => "usually continues",
        }
    }

    /// Whether the sequence is a complete unit.
    pub fn is_complete(self) -> bool {
        matches!(self, Completeness::Complete | Completeness::MayContinue)
    }
}

/// An occurrence of a sequence.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) game: usize,
    pub(crate) first_move: usize,
    pub(crate) last_move: usize,
    pub(crate) moves: Vec<Move>,
}

/// All occurrences of a string.
pub(crate) fn all_played(text: &GameText, table: &GameTable, ranked: RankedString) -> Vec<Played> {
    let played = text.occurrences(ranked.string).filter_map(|occurrence| {
        let indices: Vec<usize> = text.move_indices(ranked.string, occurrence).collect();
        let moves: Option<Vec<Move>> = indices.iter().map(|&i| table.move_at(occurrence.game, i)).collect();
        let (first_move, last_move) = (*indices.first()?, *indices.last()?);
        Some(Played { game: occurrence.game, first_move, last_move, moves: moves? })
    });
    played.collect()
}

/// The moves that followed a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuations {
    /// Number of occurrences.
    pub n_played: usize,
    /// Occurrences with the same shape; a string may have several shapes.
    pub n_same_shape: usize,
    /// Occurrences after which the next move was elsewhere, or the game ended.
    pub n_tenuki: usize,
    /// The next moves nearby, on the board as shown, the most frequent first.
    pub continuations: Vec<(Point, usize)>,
    /// Whether the sequence is complete.
    pub class: Completeness,
}

impl Continuations {
    /// Counts what followed; `model` is the shape shown.
    pub(crate) fn new(table: &GameTable, size: BoardSize, played: &[Played], model: &[Point]) -> Continuations {
        let mut next: HashMap<Point, usize> = HashMap::new();
        let (mut n_tenuki, mut n_same_shape) = (0, 0);
        for one in played {
            let points = points_of(&one.moves);
            let near = next_nearby(table, one, &points);
            n_tenuki += usize::from(near.is_none());
            let alignments = Alignment::all(&points, model, size);
            n_same_shape += usize::from(!alignments.is_empty());
            // A symmetric shape has equivalent continuations, of which one is counted.
            let shown = near.and_then(|p| alignments.iter().filter_map(|a| a.apply(p, size)).min());
            if let Some(point) = shown {
                *next.entry(point).or_default() += 1;
            }
        }
        let mut continuations: Vec<(Point, usize)> = next.into_iter().collect();
        continuations.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let strongest = continuations.first().map_or(0, |next| next.1);
        let class = classify(model, played.len(), n_tenuki, strongest);
        Continuations { n_played: played.len(), n_same_shape, n_tenuki, continuations, class }
    }
}

/// The game's next move, if it is near a move of the sequence.
fn next_nearby(table: &GameTable, one: &Played, points: &[Point]) -> Option<Point> {
    let following = table.move_at(one.game, one.last_move + 1)?.point?;
    points.iter().any(|&point| distance(following, point) <= LOCAL_REACH).then_some(following)
}

fn classify(points: &[Point], n_played: usize, n_tenuki: usize, strongest: usize) -> Completeness {
    let share = |count: usize| count as f64 / n_played.max(1) as f64;
    let is_stray = |i: usize| {
        let others = points.iter().enumerate().filter(|(j, _)| *j != i);
        others.map(|(_, q)| distance(points[i], *q)).min().is_some_and(|d| d > LOCAL_REACH)
    };
    if points.is_empty() || is_stray(0) || is_stray(points.len() - 1) {
        Completeness::StrayMove
    } else if share(n_tenuki) < COMPLETE {
        Completeness::Continues
    } else if share(strongest) >= STRONG {
        Completeness::MayContinue
    } else {
        Completeness::Complete
    }
}

/// Ranks again, with each score multiplied by the square root of the share of plays elsewhere next.
///
/// The scores of a measure alone favor frequent strings, and so the first moves
/// of many joseki; `docs/book/sequences.md` has the figures. Examines every occurrence.
pub fn by_completeness(
    text: &GameText,
    table: &GameTable,
    ranking: &[RankedString],
    n_threads: usize,
) -> Vec<RankedString> {
    let weigh = |ranked: &RankedString| {
        let played = all_played(text, table, *ranked);
        let n_tenuki = played.iter().filter(|one| next_nearby(table, one, &points_of(&one.moves)).is_none()).count();
        // Adds one occurrence, half of it elsewhere, because a string seen twice is weak evidence.
        let share = (n_tenuki as f64 + 0.5) / (played.len() as f64 + 1.0);
        RankedString { string: ranked.string, score: ranked.score * share.sqrt() }
    };
    let mut weighed: Vec<RankedString> = map_each(ranking, n_threads, weigh);
    weighed.sort_unstable_by(RankedString::order);
    weighed
}

/// The completeness of each string of a ranking.
pub fn classes(text: &GameText, table: &GameTable, ranking: &[RankedString]) -> Vec<Completeness> {
    let class = |ranked: &RankedString| {
        let played = all_played(text, table, *ranked);
        let model = played.first().map(|one| points_of(&one.moves)).unwrap_or_default();
        Continuations::new(table, text.options().size, &played, &model).class
    };
    ranking.iter().map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(points: &[(u8, u8)], n_tenuki: usize, strongest: usize, expected: Completeness) {
        let points: Vec<Point> = points.iter().map(|&(x, y)| Point::new(x, y)).collect();
        assert_eq!(classify(&points, 100, n_tenuki, strongest), expected);
    }

    #[test]
    fn classes_follow_what_comes_next() {
        let near = [(15, 3), (13, 2), (16, 5)];
        check(&near, 80, 10, Completeness::Complete);
        check(&near, 60, 30, Completeness::MayContinue);
        check(&near, 30, 30, Completeness::Continues);
        check(&[(3, 3), (15, 3), (13, 2)], 80, 10, Completeness::StrayMove);
        check(&[(15, 3), (13, 2), (3, 15)], 80, 10, Completeness::StrayMove);
    }
}
