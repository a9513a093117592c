//! Where a line of play was played, in any orientation and with either color first.

use std::collections::{BTreeSet, HashMap};

use tejun_games::go::{BoardSize, Color, Point, Symmetry};

use crate::codes::encode_line;
use crate::corpus::{GameTable, Share};
use crate::sequences::text::{GameText, Occurrence};

/// What is known of a line of play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundLine {
    /// Each time it was played: the game, by its place in the table, and the index of its first move.
    pub places: Vec<(usize, usize)>,
    /// Different games.
    pub n_games: usize,
    /// Times that Black moved first.
    pub n_black_first: usize,
    /// Games won by the side that moved first, of those with a winner.
    pub first_side_wins: Share,
    /// What was played next, on the board as asked; `None`: no move, or a pass.
    pub next: Vec<(Option<Point>, usize)>,
}

/// Finds the line at just these points, up to the symmetries of the board.
///
/// In a whole text the moves follow each other; in a local one there may be
/// plays elsewhere between them, but both sides move in turn. Costs the search
/// for one string, and a look at each occurrence.
pub fn find_line(text: &GameText, table: &GameTable, line: &[Point]) -> FoundLine {
    let size = text.options().size;
    let mut found = FoundLine::default();
    let mut next: HashMap<Option<Point>, usize> = HashMap::new();
    let mut games = BTreeSet::new();
    let found_moves = if line.len() == 1 { all_moves(table) } else { moves_of_line(text, table, line) };
    for (game, indices) in found_moves {
        let moves: Option<Vec<_>> = indices.iter().map(|&index| table.move_at(game, index)).collect();
        let Some(moves) = moves else { continue };
        let points: Vec<Option<Point>> = moves.iter().map(|m| m.point).collect();
        let symmetries = fitting(&points, line, size);
        if symmetries.is_empty() {
            continue;
        }
        let color = moves[0].color;
        found.places.push((game, indices[0]));
        games.insert(game);
        found.n_black_first += usize::from(color == Color::Black);
        if let Some(winner) = table.facts(game).winner {
            found.first_side_wins.n += 1;
            found.first_side_wins.n_yes += u64::from(winner == color);
        }
        let last = indices[indices.len() - 1];
        let following = table.move_at(game, last + 1).and_then(|m| m.point);
        // A line that is its own mirror image has twins of each continuation.
        let shown = following.and_then(|p| symmetries.iter().map(|symmetry| symmetry.apply(p, size)).min());
        *next.entry(shown).or_default() += 1;
    }
    found.n_games = games.len();
    found.places.sort_unstable();
    found.next = next.into_iter().collect();
    found.next.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    found
}

fn all_moves(table: &GameTable) -> Vec<(usize, Vec<usize>)> {
    (0..table.n_games()).flat_map(|game| (0..table.moves(game).len()).map(move |index| (game, vec![index]))).collect()
}

/// The moves where the line's string was played, with the move before its first symbol.
fn moves_of_line(text: &GameText, table: &GameTable, line: &[Point]) -> Vec<(usize, Vec<usize>)> {
    let options = text.options();
    let mut found = Vec::new();
    for symbols in encode_line(options.code, options.size, line) {
        let Some(string) = text.index().find(&symbols) else { continue };
        found.extend(text.occurrences(string).filter_map(|occurrence: Occurrence| {
            let first = text.move_before(occurrence.position)?;
            let rest = text.move_indices(string, occurrence);
            let indices: Vec<usize> = std::iter::once(first).chain(rest).collect();
            let color = |index: usize| table.move_at(occurrence.game, index).map(|m| m.color);
            (color(indices[0]) != color(indices[1])).then_some((occurrence.game, indices))
        }));
    }
    found
}

/// The symmetries that bring points onto the line.
fn fitting(points: &[Option<Point>], line: &[Point], size: BoardSize) -> Vec<Symmetry> {
    let fits =
        |symmetry: &Symmetry| points.iter().zip(line).all(|(p, q)| p.is_some_and(|p| symmetry.apply(p, size) == *q));
    Symmetry::ALL.into_iter().filter(fits).collect()
}
