//! Three views of a move, and the probability of each after the moves before it.

use tejun_games::Move;
use tejun_games::go::{Color, Point};

use crate::corpus::GameTable;
use crate::patterns::dictionary::{KeyTable, harvest, joined};
use crate::patterns::keys::PatternBoard;
use crate::threads::map_each;

/// Length of the longest strings that are counted, in moves.
pub(crate) const ORDER: usize = 4;
/// Line, position relative to the previous move, and surroundings.
pub(crate) const N_VIEWS: usize = 3;
/// The template of the surroundings: the eight neighboring points.
const SURROUNDINGS: usize = 1;

/// A move in each of the views.
pub(crate) type Views = [u64; N_VIEWS];

/// The views of a move before it is played.
pub(crate) fn views(patterns: &PatternBoard, color: Color, point: Point, previous: Option<Point>) -> Views {
    let lines = patterns.board().size().get();
    let edge = |z: u8| z.min(lines - 1 - z);
    let line = edge(point.x()).min(edge(point.y()));
    let relation = previous.map_or(0xffff, |previous| {
        let (dx, dy) = (point.x().abs_diff(previous.x()), point.y().abs_diff(previous.y()));
        u64::from(dx.min(dy)) << 8 | u64::from(dx.max(dy))
    });
    let surroundings = patterns.keys(color, point).nth(SURROUNDINGS).unwrap_or(0);
    [u64::from(line), relation, surroundings]
}

/// Counts of strings of views, and a weight for each string length.
pub(crate) struct NGrams {
    /// Strings that were played at least twice; their counts are stored as the bits of the weights.
    pub(crate) table: KeyTable,
    /// For each view, the weight of each length, shortest first; they add up to 1.
    pub(crate) shares: [[f64; ORDER]; N_VIEWS],
}

/// The key of a string of symbols in a view; of the empty string without symbols.
fn key(view: usize, symbols: impl Iterator<Item = u64>) -> u64 {
    symbols.fold(joined(view as u64, 0x6e67_7261), joined)
}

impl NGrams {
    /// Counts the strings of some games, and fits their weights on others.
    pub(crate) fn learn(games: &GameTable, held_out: &GameTable, n_threads: usize) -> NGrams {
        let strings = |game: usize, keys: &mut Vec<u64>| {
            for_each_history(games, game, |history, played| {
                for view in 0..N_VIEWS {
                    for n in 0..ORDER.min(history.len() + 1) {
                        let context = history[history.len() - n..].iter().map(|views| views[view]);
                        keys.push(key(view, context.clone()));
                        keys.push(key(view, context.chain([played[view]])));
                    }
                }
            });
        };
        let mut table = KeyTable::new(&harvest(games, 2 * ORDER * N_VIEWS, n_threads, strings));
        let numbers: Vec<usize> = (0..games.n_games()).collect();
        for chunk in numbers.chunks(512) {
            let keys = map_each(chunk, n_threads, |&game| {
                let mut keys = Vec::new();
                strings(game, &mut keys);
                keys
            });
            for slot in keys.into_iter().flatten().filter_map(|key| table.find(key)).collect::<Vec<_>>() {
                table.set_weight(slot, f32::from_bits(table.weight(slot).to_bits() + 1));
            }
        }
        let mut grams = NGrams { table, shares: [[1.0 / ORDER as f64; ORDER]; N_VIEWS] };
        grams.fit(held_out);
        grams
    }

    /// Sets the weights that maximize the probability of held-out games (expectation-maximization).
    fn fit(&mut self, held_out: &GameTable) {
        let mut terms: [Vec<[f64; ORDER]>; N_VIEWS] = Default::default();
        for game in 0..held_out.n_games() {
            for_each_history(held_out, game, |history, played| {
                for (view, terms) in terms.iter_mut().enumerate() {
                    terms.push(self.terms(&self.contexts(view, history), played[view]));
                }
            });
        }
        for (shares, terms) in self.shares.iter_mut().zip(&terms) {
            for _ in 0..50 {
                let mut sums = [0.0; ORDER];
                for row in terms {
                    let all: f64 = row.iter().zip(&*shares).map(|(p, share)| p * share).sum();
                    if all > 0.0 {
                        (0..ORDER).for_each(|i| sums[i] += row[i] * shares[i] / all);
                    }
                }
                let whole: f64 = sums.iter().sum();
                if whole > 0.0 {
                    *shares = sums.map(|sum| sum / whole);
                }
            }
        }
    }

    fn count(&self, key: u64) -> f64 {
        self.table.find(key).map_or(0.0, |slot| f64::from(self.table.weight(slot).to_bits()))
    }

    /// The relative frequency of a symbol after zero, one, two and more symbols.
    fn terms(&self, contexts: &[(u64, f64); ORDER], symbol: u64) -> [f64; ORDER] {
        std::array::from_fn(|n| match contexts[n] {
            (context, count) if count > 0.0 => {
                let n_after = self.count(joined(context, symbol));
                // An unseen symbol counts as half an occurrence, so that no move is impossible.
                (if n == 0 { n_after.max(0.5) } else { n_after }) / count
            }
            _ => 0.0,
        })
    }

    /// The keys of the last moves, from the empty string to the longest, with their counts.
    pub(crate) fn contexts(&self, view: usize, history: &[Views]) -> [(u64, f64); ORDER] {
        std::array::from_fn(|n| {
            let Some(start) = history.len().checked_sub(n) else { return (0, 0.0) };
            let context = key(view, history[start..].iter().map(|views| views[view]));
            (context, self.count(context))
        })
    }

    /// The probability of a symbol in a view, given the result of `contexts`.
    pub(crate) fn probability(&self, view: usize, contexts: &[(u64, f64); ORDER], symbol: u64) -> f64 {
        let terms = self.terms(contexts, symbol);
        terms.iter().zip(&self.shares[view]).map(|(term, share)| term * share).sum()
    }
}

/// Visits every move except passes, with the views of the moves before it and its own.
fn for_each_history(games: &GameTable, game: usize, mut visit: impl FnMut(&[Views], Views)) {
    let mut patterns = PatternBoard::new(&games.board_before(game, 0));
    let mut history: Vec<Views> = Vec::new();
    let mut previous = None;
    for Move { color, point } in games.moves(game) {
        if let Some(point) = point {
            let played = views(&patterns, color, point, previous);
            visit(&history, played);
            history.push(played);
        }
        previous = point;
        patterns.play(color, point);
    }
}
