//! Where a line of play was played, in any orientation and with either color first.

use std::collections::{BTreeSet, HashMap};

use tejun_games::Move;
use tejun_games::go::{BoardSize, Color, Point, Symmetry};

use crate::codes::encode_line;
use crate::corpus::GameTable;
use crate::sequences::text::GameText;
use crate::statistics::Share;

/// What is known of a line of play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundLine {
    /// Each time it was played: the game, by its place in the table, and the index of its first move.
    pub places: Vec<(usize, usize)>,
    /// Different games.
    pub n_games: usize,
    /// Times that Black moved first.
    pub n_black_first: usize,
    /// Plays in games that the side which moved first won, of those with a winner.
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
    let mut search = Search { table, line, found: FoundLine::default(), next: HashMap::new(), games: BTreeSet::new() };
    match line {
        [] => {}
        [_] => search.visit_all_moves(),
        _ => search.visit_strings(text),
    }
    search.finish()
}

/// What was found so far.
struct Search<'a> {
    table: &'a GameTable,
    line: &'a [Point],
    found: FoundLine,
    next: HashMap<Option<Point>, usize>,
    games: BTreeSet<usize>,
}

impl Search<'_> {
    /// One move has no string.
    fn visit_all_moves(&mut self) {
        for game in 0..self.table.n_games() {
            for index in 0..self.table.moves(game).len() {
                self.visit(game, &[index]);
            }
        }
    }

    /// The moves where the line's string was played, with the move before its first symbol.
    fn visit_strings(&mut self, text: &GameText) {
        let options = text.options();
        let mut indices = Vec::new();
        for symbols in encode_line(options.code, options.size, self.line) {
            let Some(string) = text.index().find(&symbols) else { continue };
            for occurrence in text.occurrences(string) {
                indices.clear();
                indices.extend(text.move_before(occurrence.position));
                indices.extend(text.move_indices(string, occurrence));
                self.visit(occurrence.game, &indices);
            }
        }
    }

    /// Counts the moves of a game if they are the line's, in turn.
    fn visit(&mut self, game: usize, indices: &[usize]) {
        let (table, size) = (self.table, self.table.size());
        let moves = || indices.iter().filter_map(|&index| table.move_at(game, index));
        let symmetries = fitting(moves, self.line, size);
        let is_in_turn = moves().zip(moves().skip(1)).all(|(a, b)| a.color != b.color);
        let (Some(first), Some(&last)) = (moves().next(), indices.last()) else { return };
        if symmetries.is_empty() || !is_in_turn {
            return;
        }
        self.found.places.push((game, indices[0]));
        self.games.insert(game);
        self.found.n_black_first += usize::from(first.color == Color::Black);
        if let Some(winner) = table.facts(game).winner {
            self.found.first_side_wins.n += 1;
            self.found.first_side_wins.n_yes += u64::from(winner == first.color);
        }
        let following = table.move_at(game, last + 1).and_then(|m| m.point);
        // A line that is its own mirror image has twins of each continuation.
        let shown = following.and_then(|p| symmetries.iter().map(|symmetry| symmetry.apply(p, size)).min());
        *self.next.entry(shown).or_default() += 1;
    }

    fn finish(self) -> FoundLine {
        let Search { mut found, next, games, .. } = self;
        found.n_games = games.len();
        found.places.sort_unstable();
        found.next = next.into_iter().collect();
        found.next.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        found
    }
}

/// The symmetries that bring moves onto the line; none if they are not as many.
fn fitting<I: Iterator<Item = Move>>(moves: impl Fn() -> I, line: &[Point], size: BoardSize) -> Vec<Symmetry> {
    let fits = |symmetry: &Symmetry| {
        let turned = moves().map(|m| m.point.map(|p| symmetry.apply(p, size)));
        turned.eq(line.iter().map(|&p| Some(p)))
    };
    Symmetry::ALL.into_iter().filter(fits).collect()
}
