//! Why a move is expected: its pattern, its features, and similar earlier moves.

use tejun_games::go::{Board, Color, Point};

use crate::corpus::GameTable;
use crate::patterns::feature_group::FeatureGroup;
use crate::patterns::features::N_SMALL;
use crate::patterns::keys::PatternBoard;
use crate::patterns::linear::{Feature, FeatureLists};
use crate::patterns::model::PatternPredictor;
use crate::patterns::template::{N_TEMPLATES, ring_of};
use crate::predictor::{MoveRank, Predictor, Situation};
use crate::threads::map_each;

/// Why a move is expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Its probability.
    pub probability: f64,
    /// Its rank among all legal moves.
    pub rank: MoveRank,
    /// The number of nested templates around the move whose pattern is known.
    pub n_templates: usize,
    /// The points of the largest known pattern that are on the board, including the move.
    pub cells: Vec<Point>,
    /// How often that pattern was the largest known one of a legal move that was played, and of one that was not.
    pub counts: [u32; 2],
    /// For each feature group, the natural logarithm of the factor by which it makes the move likelier than the
    /// average legal move, largest effect first. The value of the trees is relative to all other groups.
    /// Tactics are part of the liberties.
    pub reasons: Vec<(FeatureGroup, f32)>,
}

impl PatternPredictor<'_> {
    /// Explains a legal move, given by its index among the legal points.
    pub fn explain(&mut self, situation: &Situation<'_>, candidate: usize) -> Explanation {
        let values = self.predict(situation);
        let point = situation.legal[candidate];
        let lists = self.scorer().lists();
        let reasons_of = |candidate: usize| {
            let mut sums = [0.0f32; FeatureGroup::ALL.len()];
            let weight = |feature: &Feature| self.scorer().weights().of(*feature);
            let (fixed, templates) = lists.of(candidate).split_at(FeatureLists::N_FIXED);
            for (feature, reason) in fixed.iter().zip(FeatureGroup::OF_FIXED) {
                sums[reason as usize] += weight(feature);
            }
            sums[FeatureGroup::Pattern as usize] += templates.iter().map(weight).sum::<f32>();
            sums
        };
        let n = situation.legal.len() as f32;
        let mut means = [0.0f32; FeatureGroup::ALL.len()];
        for other in 0..situation.legal.len() {
            means.iter_mut().zip(reasons_of(other)).for_each(|(mean, sum)| *mean += sum / n);
        }
        let mut reasons: Vec<(FeatureGroup, f32)> = FeatureGroup::ALL
            .into_iter()
            .zip(reasons_of(candidate).iter().zip(means).map(|(sum, mean)| sum - mean))
            .collect();
        // The contribution of the trees is the difference between the probabilities of the two models.
        let linear = self.linear_probabilities();
        let changed = (values[candidate] / f64::from(linear[candidate]).max(1e-30)).ln() as f32;
        reasons[FeatureGroup::Trees as usize].1 = changed;
        // A capture also changes the surrounding liberties, and the two weights balance each other.
        reasons[FeatureGroup::Liberties as usize].1 += reasons[FeatureGroup::Tactics as usize].1;
        reasons.remove(FeatureGroup::Tactics as usize);
        reasons.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let templates = &lists.of(candidate)[FeatureLists::N_FIXED..];
        let counts = templates.last().map_or([0, 0], |feature| self.model().counts.of_slot(feature - N_SMALL as u32));
        Explanation {
            probability: values[candidate],
            rank: MoveRank::of(&values, candidate),
            n_templates: templates.len(),
            cells: template_cells(situation.board, point, templates.len()),
            counts,
            reasons,
        }
    }
}

/// The points on the board within the n-th template around a point.
fn template_cells(board: &Board, center: Point, n_templates: usize) -> Vec<Point> {
    let ring = |p: Point| ring_of(p.x() as i8 - center.x() as i8, p.y() as i8 - center.y() as i8);
    board.size().points().filter(|&p| p == center || ring(p) < n_templates).collect()
}

/// An earlier move with the same surrounding stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precedent {
    /// The index of the game in the table.
    pub game: usize,
    /// The 0-based index of the move.
    pub move_index: usize,
    /// The number of nested templates around the move that are equal.
    pub n_templates: usize,
}

/// The moves of a collection whose surroundings are most similar to this one, at most `n` and one per game.
///
/// Reads all games once.
pub fn precedents(
    games: &GameTable,
    board: &Board,
    (color, point): (Color, Point),
    n: usize,
    n_threads: usize,
) -> Vec<Precedent> {
    let keys: Vec<u64> = PatternBoard::new(board).keys(color, point).collect();
    let numbers: Vec<usize> = (0..games.n_games()).collect();
    let found = map_each(&numbers, n_threads, |&game| {
        let mut patterns = PatternBoard::new(&games.board_before(game, 0));
        let mut best: Option<Precedent> = None;
        for (move_index, m) in games.moves(game).enumerate() {
            if let Some(point) = m.point {
                let same = patterns.keys(m.color, point).zip(&keys).take_while(|(a, b)| a == *b);
                let n_templates = same.count();
                if n_templates > best.map_or(0, |best| best.n_templates) {
                    best = Some(Precedent { game, move_index, n_templates });
                }
            }
            patterns.play(m.color, m.point);
        }
        best
    });
    let mut found: Vec<Precedent> = found.into_iter().flatten().collect();
    found.sort_by_key(|precedent| (N_TEMPLATES - precedent.n_templates, precedent.game));
    found.truncate(n);
    found
}
