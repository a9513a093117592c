//! Sampled moves to learn from: the moves played, each with some other points.

use rand_mt::Mt64;
use tejun_games::go::Point;

use crate::corpus::GameTable;
use crate::predictor::{Predictor, for_each_situation};
use crate::tactics::eval::points::Points;
use crate::tactics::eval::position::TacticPosition;
use crate::tactics::eval::program::{Program, Values};
use crate::tactics::language::generate::below;
use crate::tactics::language::mapping::Mapping;
use crate::tactics::model::PositionWalk;
use crate::threads::map_each;

/// Number of points of a choice, one bit each.
pub(crate) const N_POINTS: usize = 32;
/// Number of choices that a thread processes at a time.
const N_OF_PART: usize = 1024;
/// Number of positions that a program processes at a time.
const BATCH: usize = 64;

/// Creates the predictor, one per thread, whose output the mappings are added to.
pub type Base<'b> = Option<&'b (dyn Fn() -> Box<dyn Predictor + Send + 'b> + Sync)>;

/// A position with the point that was played and some that were not.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) position: TacticPosition,
    /// The played point first; no point is repeated.
    pub(crate) points: Vec<Point>,
    /// The initial score of each point: the base predictor's score, plus a correction for the sampling.
    pub(crate) offsets: Vec<f32>,
    pub(crate) legal: Points,
}

/// Which moves to sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    pub(crate) n_choices: usize,
    /// Random seed for the choice of games and moves.
    pub(crate) seed: u64,
    pub(crate) n_threads: usize,
}

/// Number of moves sampled from one game, if there are enough games.
const N_OF_GAME: usize = 8;

/// Samples about `n_moves` moves, some from each of many games.
///
/// Half of the points that were not played are drawn uniformly, and half where moves are likely: near the last moves
/// or by the base predictor. Offsets correct for this (McFadden 1978).
pub(crate) fn draw_choices(games: &GameTable, draw: Draw, base: Base<'_>) -> Vec<Choice> {
    let mut random = Mt64::new(draw.seed);
    let n_games = games.n_games();
    let n_wanted = draw.n_choices.div_ceil(N_OF_GAME).max(1);
    let is_wanted = |random: &mut Mt64| n_games <= n_wanted || below(random, n_games) < n_wanted;
    let seeded = (0..n_games).map(|game| (is_wanted(&mut random), game, random.next_u64()));
    let drawn: Vec<(usize, u64)> =
        seeded.filter(|(is_drawn, ..)| *is_drawn).map(|(_, game, seed)| (game, seed)).collect();
    // Every move has the same probability, whether its game is long or short.
    let n_moves = drawn.iter().map(|&(game, _)| games.moves(game).len()).sum::<usize>().max(1);
    let of_game = |&seeded: &(usize, u64)| choices_of(games, seeded, (draw.n_choices, n_moves), base);
    let mut choices: Vec<Choice> = map_each(&drawn, draw.n_threads, of_game).into_iter().flatten().collect();
    // Shuffled, so that the first ones are representative.
    for i in (1..choices.len()).rev() {
        choices.swap(i, below(&mut random, i + 1));
    }
    choices
}

/// Samples `n_wanted` of every `n_moves` moves from a game.
fn choices_of(
    games: &GameTable,
    (game, seed): (usize, u64),
    (n_wanted, n_moves): (usize, usize),
    base: Base<'_>,
) -> Vec<Choice> {
    let mut random = Mt64::new(seed);
    let mut base = base.map(|base| base());
    let mut choices = Vec::new();
    let mut walk = PositionWalk::default();
    for_each_situation(games, game, |_, situation, played| {
        if below(&mut random, n_moves) < n_wanted && situation.legal.len() > 1 {
            let base = base.as_mut().map(|base| base.predict(situation));
            let candidates = Candidates { legal: situation.legal, played, base };
            choices.push(choice(walk.reach(situation), candidates, &mut random));
        }
    });
    choices
}

/// Draws points with replacement, and adds the played one.
///
/// If a point was drawn n times with a probability of q each, adding ln(n / q) to its score corrects for the
/// sampling. This applies to the played point and all others.
fn choice(position: &TacticPosition, candidates: Candidates<'_>, random: &mut Mt64) -> Choice {
    let Candidates { legal, played, base } = candidates;
    let likely: Vec<f64> = match &base {
        Some(probabilities) => probabilities.clone(),
        None => legal.iter().map(|&point| nearness(position, point)).collect(),
    };
    let total: f64 = likely.iter().sum();
    let mut counts = vec![(played, 1)];
    for _ in 1..N_POINTS {
        let drawn = draw_one(&likely, total, random);
        match counts.iter_mut().find(|(i, _)| *i == drawn) {
            Some((_, n)) => *n += 1,
            None => counts.push((drawn, 1)),
        }
    }
    let offset = |&(i, n): &(usize, u32)| {
        let probability = 0.5 / legal.len() as f64 + 0.5 * likely[i] / total;
        let known = base.as_ref().map_or(0.0, |probabilities| probabilities[i].max(1e-9).ln());
        (known + (f64::from(n) / probability).ln()) as f32
    };
    Choice {
        position: position.clone(),
        points: counts.iter().map(|(i, _)| legal[*i]).collect(),
        offsets: counts.iter().map(offset).collect(),
        legal: legal.iter().copied().collect(),
    }
}

/// The legal points of a position, with their known probabilities.
struct Candidates<'s> {
    legal: &'s [Point],
    /// The index of the played point.
    played: usize,
    /// The probability of each point according to the base predictor.
    base: Option<Vec<f64>>,
}

/// One of the points: half of the time uniformly, half of the time by weight.
fn draw_one(weights: &[f64], total: f64, random: &mut Mt64) -> usize {
    if below(random, 2) == 0 {
        return below(random, weights.len());
    }
    let mut left = below(random, 1 << 30) as f64 / f64::from(1 << 30) * total;
    for (i, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return i;
        }
    }
    weights.len() - 1
}

/// Larger near the last two moves.
fn nearness(position: &TacticPosition, point: Point) -> f64 {
    let to = |last: Option<Point>| {
        let last = last?;
        let steps = point.x().abs_diff(last.x()) + point.y().abs_diff(last.y());
        Some(1.0 / f64::from(steps.max(1)).powi(2))
    };
    0.01 + to(position.last[0]).unwrap_or(0.0) + to(position.last[1]).unwrap_or(0.0)
}

/// For each choice, the points in a mapping's value, as the bits of a number.
pub(crate) type Column = Vec<u32>;

/// The points that a mapping selects.
#[derive(Clone, Debug)]
pub(crate) struct Selected {
    pub(crate) column: Column,
    /// Number of legal points in the value, over all choices.
    pub(crate) n_legal: u64,
    /// The probability that a random legal point is in the value, summed over all choices.
    pub(crate) expected: f64,
}

impl Selected {
    fn with_capacity(n: usize) -> Selected {
        Selected { column: Vec::with_capacity(n), n_legal: 0, expected: 0.0 }
    }
}

/// Evaluates mappings on choices, with several threads.
pub(crate) fn select(choices: &[Choice], mappings: &[Mapping], n_threads: usize) -> Vec<Selected> {
    let program = Program::compile(mappings);
    // The parts do not depend on the number of threads, so the sums do not either.
    let parts: Vec<&[Choice]> = choices.chunks(N_OF_PART).collect();
    let of_part = |part: &&[Choice]| {
        let mut selected: Vec<Selected> = mappings.iter().map(|_| Selected::with_capacity(part.len())).collect();
        let mut values = Values::default();
        for batch in part.chunks(BATCH) {
            let positions: Vec<TacticPosition> = batch.iter().map(|choice| choice.position.clone()).collect();
            program.run(&positions, &mut values);
            for (number, selected) in selected.iter_mut().enumerate() {
                for (i, choice) in batch.iter().enumerate() {
                    let value = values.of(number, i);
                    let n_legal = (*value & choice.legal).len();
                    selected.n_legal += n_legal as u64;
                    selected.expected += n_legal as f64 / choice.legal.len() as f64;
                    let bits = choice.points.iter().enumerate();
                    selected
                        .column
                        .push(bits.fold(0, |word, (bit, &point)| word | u32::from(value.contains(point)) << bit));
                }
            }
        }
        selected
    };
    let parts = map_each(&parts, n_threads, of_part);
    let mut all: Vec<Selected> = mappings.iter().map(|_| Selected::with_capacity(choices.len())).collect();
    for part in parts {
        for (all, part) in all.iter_mut().zip(part) {
            all.column.extend(part.column);
            all.n_legal += part.n_legal;
            all.expected += part.expected;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use tejun_games::go::{Board, BoardSize, Color};

    use crate::corpus::{Collection, Selection, write_sample};
    use crate::tactics::discover::weights::{Probabilities, fit};

    /// The fitted weight of the base's best points, if the moves follow the base's probabilities.
    fn weight_of_best(n_best: usize) -> f64 {
        let mut random = Mt64::new(7);
        let size = BoardSize::NINETEEN;
        let position = TacticPosition::of_board(&Board::new(size), Color::Black);
        let legal: Vec<Point> = size.points().take(250).collect();
        let total: f64 = (1..=legal.len()).map(|rank| 1.0 / rank as f64).sum();
        let base: Vec<f64> = (1..=legal.len()).map(|rank| 1.0 / rank as f64 / total).collect();
        let mut columns = Column::new();
        let mut choices = Vec::new();
        for _ in 0..20_000 {
            let mut left = below(&mut random, 1 << 30) as f64 / f64::from(1 << 30);
            let played = base.iter().position(|probability| {
                left -= probability;
                left < 0.0
            });
            let candidates = Candidates { legal: &legal, played: played.unwrap_or(0), base: Some(base.clone()) };
            let choice = choice(&position, candidates, &mut random);
            let is_best = |point: &Point| legal[..n_best].contains(point);
            let bits = choice.points.iter().enumerate();
            columns.push(bits.fold(0, |word, (bit, point)| word | u32::from(is_best(point)) << bit));
            choices.push(choice);
        }
        let mut weights = [0.0];
        fit(&mut Probabilities::new(&choices, 1), &[&columns], &mut weights, 20);
        weights[0]
    }

    #[test]
    fn long_games_give_more_moves_than_short_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sample.parquet");
        write_sample(&path).expect("the sample is valid");
        let collection = Collection::open(&path).expect("a collection");
        let games = GameTable::load(&collection, &Selection::default(), BoardSize::NINETEEN).expect("a table");
        let (_, games) = games.split(40);
        let n_moves: Vec<usize> = (0..games.n_games()).map(|game| games.moves(game).len()).collect();
        assert!(n_moves.iter().max() > n_moves.iter().min());
        let draw = Draw { n_choices: n_moves.iter().sum(), seed: 1, n_threads: 2 };
        let n_passes: usize =
            (0..games.n_games()).map(|game| games.moves(game).filter(|m| m.point.is_none()).count()).sum();
        assert_eq!(draw_choices(&games, draw, None).len(), draw.n_choices - n_passes);
    }

    #[test]
    fn weights_are_zero_if_the_base_is_perfect() {
        // The standard error is about 0.02.
        for n_best in [1, 5, 30] {
            assert!(weight_of_best(n_best).abs() < 0.1, "{n_best}: {}", weight_of_best(n_best));
        }
    }
}
