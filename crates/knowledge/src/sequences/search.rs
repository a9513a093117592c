//! Search for a line of play, in any orientation and with either color first.

use std::collections::{BTreeSet, HashMap};

use tejun_games::Move;
use tejun_games::go::{BoardSize, Color, Point, Symmetry};

use crate::codes::encode_line;
use crate::corpus::GameTable;
use crate::sequences::text::GameText;
use crate::statistics::Share;

/// The occurrences of a line of play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundLine {
    /// Each occurrence: the game, by its index in the table, and the index of the first move.
    pub places: Vec<(usize, usize)>,
    /// Number of different games.
    pub n_games: usize,
    /// Occurrences in which Black moved first.
    pub n_black_first: usize,
    /// Occurrences in games won by the side that moved first, among games with a known winner.
    pub first_side_wins: Share,
    /// The next moves, on the board of the query; `None` for the end of the game or a pass.
    pub next: Vec<(Option<Point>, usize)>,
}

/// Finds the occurrences of a line at exactly these points, up to symmetries of the board.
///
/// In a whole text, the moves follow each other directly; in a local text, there may be plays elsewhere
/// between them, but the sides still alternate. Takes one string search, and a check per occurrence.
pub fn find_line(text: &GameText, table: &GameTable, line: &[Point]) -> FoundLine {
    let mut search = Search { table, line, found: FoundLine::default(), next: HashMap::new(), games: BTreeSet::new() };
    match line {
        [] => {}
        [_] => search.visit_all_moves(),
        _ => search.visit_strings(text),
    }
    search.finish()
}

/// The state of a search.
struct Search<'a> {
    table: &'a GameTable,
    line: &'a [Point],
    found: FoundLine,
    next: HashMap<Option<Point>, usize>,
    games: BTreeSet<usize>,
}

impl Search<'_> {
    /// Handles a line of a single move, which has no string.
    fn visit_all_moves(&mut self) {
        for game in 0..self.table.n_games() {
            for index in 0..self.table.moves(game).len() {
                self.visit(game, &[index]);
            }
        }
    }

    /// Visits the occurrences of the line's string, with the move before its first symbol.
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

    /// Counts the moves of a game if they are those of the line and alternate.
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
        // A symmetric line has equivalent continuations, of which one is counted.
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

/// The symmetries that map the moves to the line; none if the lengths differ.
fn fitting<I: Iterator<Item = Move>>(moves: impl Fn() -> I, line: &[Point], size: BoardSize) -> Vec<Symmetry> {
    let fits = |symmetry: &Symmetry| {
        let turned = moves().map(|m| m.point.map(|p| symmetry.apply(p, size)));
        turned.eq(line.iter().map(|&p| Some(p)))
    };
    Symmetry::ALL.into_iter().filter(fits).collect()
}
