//! Weighted mappings as a predictor of moves.

use tejun_games::Move;
use tejun_games::go::Board;
use xxhash_rust::xxh3::xxh3_64;

use crate::predictor::{Predictor, Situation};
use crate::tactics::eval::position::TacticPosition;
use crate::tactics::eval::program::{Program, Values};
use crate::tactics::language::library::Library;
use crate::tactics::language::mapping::Mapping;
use crate::tactics::language::parse_error::ParseMappingError;

/// A mapping and the weight that it adds to the score of its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighted {
    /// The mapping.
    pub mapping: Mapping,
    /// The weight in nats.
    pub weight: f64,
}

/// Mappings that predict moves together: the score of a point is the sum of the weights of the mappings that contain
/// it.
#[derive(Clone, Debug, PartialEq)]
pub struct TacticModel {
    /// The mappings.
    pub weighted: Vec<Weighted>,
}

/// Why a text is not a tactic model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TacticModelError {
    /// A line does not start with a number.
    #[error("line {line}: expected a weight (from -{MAX_WEIGHT} to {MAX_WEIGHT}), a tab and a mapping")]
    NoWeight {
        /// The line number.
        line: usize,
    },
    /// A mapping cannot be read.
    #[error("line {line}: after the tab, {error}")]
    Mapping {
        /// The line number.
        line: usize,
        /// The place and the reason.
        error: ParseMappingError,
    },
    /// No line has a mapping.
    #[error("the model has no mappings")]
    Empty,
}

/// With larger weights, scores would overflow.
const MAX_WEIGHT: f64 = 100.0;

impl TacticModel {
    /// Reads the output of `to_text`: one mapping per line, after its weight.
    ///
    /// # Errors
    /// Reports the first invalid line.
    pub fn parse(text: &str) -> Result<TacticModel, TacticModelError> {
        let mut weighted = Vec::new();
        let is_said = |line: &str| !line.trim().is_empty() && !line.starts_with('#');
        for (number, line) in text.lines().enumerate().filter(|(_, line)| is_said(line)) {
            let line_number = number + 1;
            let no_weight = TacticModelError::NoWeight { line: line_number };
            let (weight, mapping) = line.split_once('\t').ok_or(no_weight.clone())?;
            let weight =
                weight.trim().parse().ok().filter(|weight: &f64| weight.abs() <= MAX_WEIGHT).ok_or(no_weight)?;
            let mapping = Library::standard()
                .mapping(mapping)
                .map_err(|error| TacticModelError::Mapping { line: line_number, error })?;
            weighted.push(Weighted { mapping, weight });
        }
        if weighted.is_empty() { Err(TacticModelError::Empty) } else { Ok(TacticModel { weighted }) }
    }

    /// One mapping per line, after its weight.
    pub fn to_text(&self) -> String {
        let lines = self.weighted.iter().map(|Weighted { mapping, weight }| format!("{weight}\t{mapping}\n"));
        lines.collect()
    }

    /// A hash that identifies the model.
    pub fn fingerprint(&self) -> u64 {
        xxh3_64(self.to_text().as_bytes())
    }

    /// Starts to predict moves on boards of up to 19 lines; adds the mappings to the scores of a base predictor.
    pub fn predictor<'m>(&'m self, base: Option<Box<dyn Predictor + Send + 'm>>) -> TacticPredictor<'m> {
        TacticPredictor {
            weights: self.weighted.iter().map(|weighted| weighted.weight).collect(),
            program: Program::compile(self.weighted.iter().map(|weighted| &weighted.mapping)),
            values: Values::default(),
            walk: PositionWalk::default(),
            base,
        }
    }
}

/// Predicts moves with a [`TacticModel`].
pub struct TacticPredictor<'m> {
    weights: Vec<f64>,
    program: Program,
    values: Values,
    walk: PositionWalk,
    base: Option<Box<dyn Predictor + Send + 'm>>,
}

impl Predictor for TacticPredictor<'_> {
    fn predict(&mut self, situation: &Situation<'_>) -> Vec<f64> {
        let position = self.walk.reach(situation);
        self.program.run(std::slice::from_ref(position), &mut self.values);
        let mut scores = match &mut self.base {
            Some(base) => base.predict(situation).iter().map(|p| p.max(1e-9).ln()).collect(),
            None => vec![0.0; situation.legal.len()],
        };
        for (number, weight) in self.weights.iter().enumerate() {
            let value = self.values.of(number, 0);
            for (score, &point) in scores.iter_mut().zip(situation.legal) {
                if value.contains(point) {
                    *score += weight;
                }
            }
        }
        let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        scores.iter_mut().for_each(|score| *score = (*score - largest).exp());
        let total: f64 = scores.iter().sum();
        scores.iter().map(|score| score / total).collect()
    }

    fn prepare(&mut self, situation: &Situation<'_>) {
        if let Some(base) = &mut self.base {
            base.prepare(situation);
        }
    }
}

/// A position that follows a game: plays the moves added since the last call, or starts over.
#[derive(Clone, Debug, Default)]
pub(crate) struct PositionWalk {
    reached: Option<TacticPosition>,
    start: u64,
    moves: Vec<Move>,
}

impl PositionWalk {
    /// The position of a situation.
    pub(crate) fn reach(&mut self, situation: &Situation<'_>) -> &TacticPosition {
        let continues = self.start == identity(situation.start) && situation.moves.starts_with(&self.moves);
        let mut position = match self.reached.take().filter(|_| continues) {
            Some(position) => position,
            None => {
                self.moves.clear();
                self.start = identity(situation.start);
                TacticPosition::of_board(situation.start, situation.color)
            }
        };
        for &played in &situation.moves[self.moves.len()..] {
            position.play(played);
            self.moves.push(played);
        }
        position.to_move = situation.color;
        self.reached.insert(position)
    }
}

fn identity(start: &Board) -> u64 {
    start.hash() ^ u64::from(start.size().get())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tejun_games::go::{BoardSize, Color, Point, Suicide};

    const TEXT: &str = "# weights and mappings\n1.5\tAdj_1(LAST)\n-0.25\tSuc_1(O ^ !Pre_2(B & W)) & B & W\n";

    #[test]
    fn models_read_back() {
        let model = TacticModel::parse(TEXT).expect("a model");
        assert_eq!(TacticModel::parse(&model.to_text()).expect("a model"), model);
        let refused = |text: &str| TacticModel::parse(text).expect_err("no model").to_string();
        assert_eq!(refused(""), "the model has no mappings");
        let weight = "expected a weight (from -100 to 100), a tab and a mapping";
        assert_eq!(refused("1.0\tLAST\n\nLAST"), format!("line 3: {weight}"));
        assert_eq!(refused("NaN\tLAST"), format!("line 1: {weight}"));
        assert_eq!(refused("1e308\tLAST"), format!("line 1: {weight}"));
        let number = refused("1.0\tLAST\n1.0\tAdj_9(LAST)");
        assert!(number.starts_with("line 2: after the tab, "), "{number}");
    }

    #[test]
    fn predictions_do_not_depend_on_earlier_calls() {
        let size = BoardSize::new(9).expect("a size");
        let model = TacticModel::parse(TEXT).expect("a model");
        let start = Board::new(size);
        let mut board = start.clone();
        let mut moves = Vec::new();
        let mut asked = Vec::new();
        for (i, name) in ["E5", "E4", "D4", "D5", "F4", "C4", "E3"].into_iter().enumerate() {
            let color = if i % 2 == 0 { Color::Black } else { Color::White };
            let legal = Situation::legal_points(&board, color, None);
            asked.push((moves.clone(), board.clone(), color, legal));
            let point = Point::parse(name, size).expect("a point");
            board.play_with(color, point, Suicide::Forbidden).expect("a legal move");
            moves.push(Move { color, point: Some(point) });
        }
        let ask = |predictor: &mut TacticPredictor<'_>, i: usize| {
            let (moves, board, color, legal) = &asked[i];
            predictor.predict(&Situation { start: &start, moves, board, color: *color, legal })
        };
        let mut forwards = model.predictor(None);
        let answers: Vec<Vec<f64>> = (0..asked.len()).map(|i| ask(&mut forwards, i)).collect();
        let mut backwards = model.predictor(None);
        for i in (0..asked.len()).rev() {
            assert_eq!(ask(&mut backwards, i), answers[i]);
            assert!((answers[i].iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        // Points next to the last move are more likely, by their weight.
        let (moves, _, _, legal) = &asked[1];
        let last = moves[0].point.expect("a point");
        let near = legal.iter().position(|p| p.neighbors(size).any(|q| q == last)).expect("a neighbor");
        let far = legal.iter().position(|&p| p == Point::new(0, 0)).expect("the corner");
        assert!((answers[1][near] / answers[1][far] - 1.5f64.exp()).abs() < 1e-9);
        // With itself as the base, weights count twice.
        let mut twice = model.predictor(Some(Box::new(model.predictor(None))));
        let answer = ask(&mut twice, 1);
        assert!((answer[near] / answer[far] - 3f64.exp()).abs() < 1e-9);
    }
}
