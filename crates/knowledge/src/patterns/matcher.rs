//! The known patterns around points, followed through a game.

use tejun_games::Move;
use tejun_games::go::{Board, Color, Point};

use crate::patterns::dictionary::KeyTable;
use crate::patterns::keys::PatternBoard;
use crate::patterns::template::N_TEMPLATES;
use crate::predictor::Situation;

/// The known patterns around every point of a game, looked up again only where stones changed.
///
/// Templates are nested, so a pattern is known only if all smaller ones are: the first unknown one ends the search.
#[derive(Clone)]
pub(crate) struct Matcher<'t> {
    table: &'t KeyTable,
    patterns: PatternBoard,
    start: Board,
    moves: Vec<Move>,
    /// One match per side and point.
    matches: [Vec<Match>; 2],
    /// A saved position to return to.
    kept: Option<Box<Matcher<'t>>>,
}

#[derive(Clone, Copy)]
struct Match {
    slots: [u32; N_TEMPLATES],
    /// The cumulative weights of the patterns.
    sums: [f32; N_TEMPLATES],
    n_found: u8,
}

impl<'t> Matcher<'t> {
    /// Starts before the first move.
    pub(crate) fn new(table: &'t KeyTable, start: &Board) -> Matcher<'t> {
        let none = Match { slots: [0; N_TEMPLATES], sums: [0.0; N_TEMPLATES], n_found: 0 };
        let none = vec![none; start.size().n_points()];
        Matcher {
            table,
            patterns: PatternBoard::new(start),
            start: start.clone(),
            moves: Vec::new(),
            matches: [none.clone(), none],
            kept: None,
        }
    }

    /// Remembers this position: later positions are followed from here, not from the start.
    pub(crate) fn keep(&mut self) {
        self.kept = None;
        self.kept = Some(Box::new(self.clone()));
    }

    /// Whether a position belongs to the same game and is not earlier than the current one.
    pub(crate) fn is_ahead(&self, situation: &Situation<'_>) -> bool {
        situation.moves.starts_with(&self.moves) && same_stones(&self.start, situation.start)
    }

    /// Advances to a position; restarts from the saved position or the start if it is not ahead in the same game.
    pub(crate) fn follow(&mut self, situation: &Situation<'_>) {
        if !self.is_ahead(situation) {
            match self.kept.take() {
                Some(kept) if kept.is_ahead(situation) => {
                    self.clone_from(&kept);
                    self.kept = Some(kept);
                }
                _ => *self = Matcher::new(self.table, situation.start),
            }
        }
        for &m in &situation.moves[self.moves.len()..] {
            self.patterns.play(m.color, m.point);
            self.moves.push(m);
        }
    }

    /// The board with its keys.
    pub(crate) fn patterns(&self) -> &PatternBoard {
        &self.patterns
    }

    /// The slots of the known patterns around a point, smallest first.
    pub(crate) fn matched(&mut self, color: Color, point: Point) -> &[u32] {
        let number = self.patterns.number(point);
        let n_settled = self.patterns.settle(color, number);
        let found = &mut self.matches[color as usize][number];
        // Changes beyond the first unknown pattern have no effect.
        if n_settled <= found.n_found as usize && n_settled < N_TEMPLATES {
            found.n_found = n_settled as u8;
            for (template, key) in self.patterns.keys(color, point).enumerate().skip(n_settled) {
                let Some(slot) = self.table.find(key) else { break };
                found.slots[template] = slot;
                let before = template.checked_sub(1).map_or(0.0, |smaller| found.sums[smaller]);
                found.sums[template] = before + self.table.weight(slot);
                found.n_found += 1;
            }
        }
        &found.slots[..found.n_found as usize]
    }

    /// The last result of `matched` for this point, and the sum of the patterns' weights.
    pub(crate) fn known(&self, color: Color, point: Point) -> (&[u32], f32) {
        let found = &self.matches[color as usize][self.patterns.number(point)];
        let slots = &found.slots[..found.n_found as usize];
        (slots, slots.len().checked_sub(1).map_or(0.0, |last| found.sums[last]))
    }
}

fn same_stones(a: &Board, b: &Board) -> bool {
    a.size() == b.size() && a.hash() == b.hash()
}
