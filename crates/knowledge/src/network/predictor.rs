//! The network as a predictor of moves.

use tejun_games::go::BoardSize;

use crate::evaluation::DEFAULT_KOMI;
use crate::network::network::NetworkWorker;
use crate::network::view::{View, number_of};
use crate::predictor::{Predictor, Situation};

/// Predicts the moves of human players with a network.
///
/// A situation does not contain the komi, so the usual one is assumed; moves hardly depend on it.
pub struct NetworkPredictor<'n> {
    worker: NetworkWorker<'n>,
}

impl<'n> NetworkPredictor<'n> {
    /// A predictor that asks this worker.
    pub fn new(worker: NetworkWorker<'n>) -> NetworkPredictor<'n> {
        NetworkPredictor { worker }
    }
}

impl Predictor for NetworkPredictor<'_> {
    /// # Panics
    /// If the board does not have 19 lines.
    fn predict(&mut self, situation: &Situation<'_>) -> Vec<f64> {
        assert_eq!(situation.board.size(), BoardSize::NINETEEN, "callers check the size");
        let view = View::of(situation.moves, situation.board, situation.color, DEFAULT_KOMI);
        let answer = &self.worker.evaluate(&[view])[0];
        let logits: Vec<f32> =
            situation.legal.iter().map(|&point| answer.human[usize::from(number_of(point))]).collect();
        softmax(&logits)
    }
}

/// Probabilities that are proportional to the exponentials.
pub fn softmax(logits: &[f32]) -> Vec<f64> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f64> = logits.iter().map(|&logit| f64::from(logit - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

#[cfg(test)]
mod tests {
    use tejun_games::GameRecord;
    use tejun_games::go::Point;

    use super::*;
    use crate::network::Network;
    use crate::predictor::Prediction;

    #[test]
    fn the_answer_to_an_approach_is_expected() {
        let game = GameRecord::parse("(;SZ[19]KM[6.5];B[pd];W[dp];B[pp];W[dd];B[fq])").expect("a game");
        let network = Network::built_in();
        let prediction = Prediction::new(&mut NetworkPredictor::new(network.worker()), &game, 5);
        let sum: f64 = prediction.moves.iter().map(|(_, p)| p).sum();
        assert!((sum - 1.0).abs() < 1e-9);
        let near = |point: Point| point.x() <= 8 && point.y() >= 10;
        assert!(prediction.moves[..2].iter().any(|&(point, _)| near(point)), "an answer nearby");
        assert!(prediction.moves[0].1 > 0.1);
    }
}
