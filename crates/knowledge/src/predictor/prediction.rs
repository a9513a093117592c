//! What a predictor expects at one move of a game.

use tejun_games::GameRecord;
use tejun_games::go::{Board, Color, Point};

use crate::predictor::{MoveRank, Predictor, Situation};

/// What a predictor expects at one move of a game.
///
/// ```
/// use tejun_games::GameRecord;
/// use tejun_games::go::BoardSize;
/// use tejun_knowledge::predictor::Prediction;
/// use tejun_knowledge::search::PlainPredictor;
///
/// let game = GameRecord::new(BoardSize::NINETEEN);
/// let prediction = Prediction::new(&mut PlainPredictor, &game, 0);
/// assert_eq!(prediction.moves.len(), 361);
/// assert_eq!(prediction.played, None);
/// ```
pub struct Prediction<'r> {
    /// The game.
    pub record: &'r GameRecord,
    /// The index of the move; the index after the last move is also allowed.
    pub index: usize,
    /// The side to move.
    pub color: Color,
    /// The legal points with their probabilities, the most probable first.
    pub moves: Vec<(Point, f64)>,
    /// The rank and the probability of the played move; `None` for a pass.
    pub played: Option<(MoveRank, f64)>,
}

impl<'r> Prediction<'r> {
    /// Asks a predictor about the move with this index. Replays the game up to it.
    pub fn new(predictor: &mut dyn Predictor, record: &'r GameRecord, index: usize) -> Prediction<'r> {
        Prediction::on_board(predictor, record, index, &record.board_before(index))
    }

    /// Asks a predictor about every move of a game.
    pub fn of_all_moves(predictor: &mut dyn Predictor, record: &'r GameRecord) -> Vec<Prediction<'r>> {
        let positions = record.positions().enumerate();
        positions.map(|(index, (board, _))| Prediction::on_board(predictor, record, index, &board)).collect()
    }

    fn on_board(predictor: &mut dyn Predictor, record: &'r GameRecord, index: usize, board: &Board) -> Prediction<'r> {
        let start = record.start_board();
        let moves = &record.moves[..index];
        let next = record.moves.get(index);
        let after_last = moves.last().map_or(Color::Black, |m| m.color.opponent());
        let color = next.map_or(after_last, |m| m.color);
        let point = next.and_then(|m| m.point);
        let legal = Situation::legal_points(board, color, point);
        let values = predictor.predict(&Situation { start: &start, moves, board, color, legal: &legal });
        let place = point.and_then(|point| legal.iter().position(|&p| p == point));
        let played = place.map(|place| (MoveRank::of(&values, place), values[place]));
        let mut moves: Vec<(Point, f64)> = legal.into_iter().zip(values).collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Prediction { record, index, color, moves, played }
    }

    /// The surprise of the played move in bits: the negative logarithm of its probability.
    pub fn bits(&self) -> Option<f64> {
        self.played.map(|(_, p)| -p.max(f64::MIN_POSITIVE).log2())
    }
}
