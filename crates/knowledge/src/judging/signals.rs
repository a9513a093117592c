//! What is known about a move before it is judged.

use tejun_games::go::Point;

use crate::evaluation::{Evaluation, MoveValue};
use crate::judging::verdict::ExpectedMove;
use crate::predictor::MoveRank;

/// What search and predictions say about a move that was played.
///
/// Ranks begin at 1; moves with equal values share the middle of their ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signals {
    /// The number of legal moves.
    pub n_legal: usize,
    /// How often the search tried the move.
    pub visits: u32,
    /// Its rank by upper confidence bound.
    pub bound_rank: Option<f64>,
    /// Its rank by visits.
    pub visit_rank: Option<f64>,
    /// How surprising it was to the predictors.
    pub predictions: Predictions,
    /// The most probable move, according to the trained model.
    pub expected: Option<ExpectedMove>,
    /// The mover's win rate with the best move.
    pub best_win_rate: Option<f64>,
    /// The mover's win rate after the move that was played.
    pub played_win_rate: Option<f64>,
    /// Win rate given away: with the best move, minus after the move played.
    pub loss: Option<f64>,
    /// Points given away, where the engine counts points.
    pub points_lost: Option<f64>,
    /// Lasting loss of win rate: the mean over the positions before the move, minus the mean over those after it.
    pub lasting_loss: Option<f64>,
    /// How much the search prefers its best move to the move played; 0 if they are the same.
    pub best_lead: Option<f64>,
    /// How much worse the second best move is than the best.
    pub forcedness: Option<f64>,
}

/// A predictor, by the name it has in tables and files.
///
/// The judgement uses the predictions of the trained model; those of the papers are for comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PredictorName {
    /// The earlier method of the papers.
    Earlier,
    /// The newer method of the papers.
    Newer,
    /// The trained model.
    Trained,
}

impl PredictorName {
    /// All of them.
    pub const ALL: [PredictorName; 3] = [PredictorName::Earlier, PredictorName::Newer, PredictorName::Trained];
}

/// How surprising a move was to a predictor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surprise {
    /// Its rank among the legal moves.
    pub rank: f64,
    /// Its probability, in bits.
    pub bits: f64,
}

impl Surprise {
    /// From the probabilities of all legal moves and the place of the move played.
    pub fn new(probabilities: &[f64], played: usize) -> Surprise {
        let bits = -probabilities[played].max(f64::MIN_POSITIVE).log2();
        Surprise { rank: middle_rank(probabilities, played), bits }
    }
}

/// How surprising a move was to each predictor, if that was asked.
///
/// ```
/// use tejun_knowledge::judging::{Predictions, PredictorName, Surprise};
///
/// let half = Surprise::new(&[0.25, 0.5, 0.25], 1);
/// let predictions = Predictions::default().with(PredictorName::Trained, half);
/// assert_eq!(predictions.of(PredictorName::Trained), Some(Surprise { rank: 1.0, bits: 1.0 }));
/// assert_eq!(predictions.of(PredictorName::Newer), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Predictions([Option<Surprise>; PredictorName::ALL.len()]);

impl Predictions {
    /// The same with what this predictor says.
    pub fn with(mut self, name: PredictorName, surprise: Surprise) -> Predictions {
        self.0[name as usize] = Some(surprise);
        self
    }

    /// What this predictor says.
    pub fn of(&self, name: PredictorName) -> Option<Surprise> {
        self.0[name as usize]
    }
}

/// One of the signals, for tables and figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signal {
    /// The rank by upper confidence bound.
    BoundRank,
    /// The rank by visits.
    VisitRank,
    /// The rank by upper confidence bound, divided by the number of legal moves.
    BoundShare,
    /// The rank by visits, divided by the number of legal moves.
    VisitShare,
    /// The rank by a prediction.
    PredictionRank(PredictorName),
    /// The rank by a prediction, divided by the number of legal moves.
    PredictionShare(PredictorName),
    /// Surprise of the trained model, in bits.
    Bits,
    /// Win rate given away.
    Loss,
    /// Lasting loss of win rate.
    LastingLoss,
    /// Points given away.
    PointsLost,
    /// How much the search prefers its best move.
    BestLead,
    /// How much worse the second best move is.
    Forcedness,
}

impl Signal {
    /// Those of the tables; the figures of the paper first.
    pub const ALL: [Signal; 15] = [
        Signal::BoundRank,
        Signal::VisitRank,
        Signal::BoundShare,
        Signal::VisitShare,
        Signal::PredictionRank(PredictorName::Earlier),
        Signal::PredictionRank(PredictorName::Newer),
        Signal::PredictionShare(PredictorName::Earlier),
        Signal::PredictionShare(PredictorName::Newer),
        Signal::PredictionRank(PredictorName::Trained),
        Signal::Bits,
        Signal::Loss,
        Signal::LastingLoss,
        Signal::PointsLost,
        Signal::BestLead,
        Signal::Forcedness,
    ];

    /// Its name in tables and files.
    pub fn name(self) -> &'static str {
        use PredictorName::{Earlier, Newer, Trained};
        match self {
            Signal::BoundRank => "ucb-rank",
            Signal::VisitRank => "visit-rank",
            Signal::BoundShare => "ucb-share",
            Signal::VisitShare => "visit-share",
            Signal::PredictionRank(Earlier) => "earlier-rank",
            Signal::PredictionRank(Newer) => "newer-rank",
            Signal::PredictionRank(Trained) => "trained-rank",
            Signal::PredictionShare(Earlier) => "earlier-share",
            Signal::PredictionShare(Newer) => "newer-share",
            Signal::PredictionShare(Trained) => "trained-share",
            Signal::Bits => "surprise",
            Signal::Loss => "loss",
            Signal::LastingLoss => "lasting-loss",
            Signal::PointsLost => "points-lost",
            Signal::BestLead => "best-lead",
            Signal::Forcedness => "forcedness",
        }
    }

    /// Its value for a move.
    pub fn of(self, signals: &Signals) -> Option<f64> {
        let share = |rank: Option<f64>| rank.map(|rank| rank / signals.n_legal.max(1) as f64);
        match self {
            Signal::BoundRank => signals.bound_rank,
            Signal::VisitRank => signals.visit_rank,
            Signal::BoundShare => share(signals.bound_rank),
            Signal::VisitShare => share(signals.visit_rank),
            Signal::PredictionRank(name) => signals.rank(name),
            Signal::PredictionShare(name) => share(signals.rank(name)),
            Signal::Bits => signals.bits(),
            Signal::Loss => signals.loss,
            Signal::LastingLoss => signals.lasting_loss,
            Signal::PointsLost => signals.points_lost,
            Signal::BestLead => signals.best_lead,
            Signal::Forcedness => signals.forcedness,
        }
    }
}

impl Signals {
    /// Of a move on `legal[played]`, from the evaluations before and after it.
    pub fn new(
        legal: &[Point],
        played: usize,
        [before, after]: [Option<&Evaluation>; 2],
        predictions: Predictions,
    ) -> Signals {
        let mut signals = Signals { n_legal: legal.len(), predictions, ..Signals::default() };
        if let Some(before) = before {
            signals.add_search(legal, played, before, after);
        }
        signals
    }

    /// Its rank by a prediction.
    pub fn rank(&self, name: PredictorName) -> Option<f64> {
        self.predictions.of(name).map(|surprise| surprise.rank)
    }

    /// How surprising it was to the trained model, in bits.
    pub fn bits(&self) -> Option<f64> {
        self.predictions.of(PredictorName::Trained).map(|surprise| surprise.bits)
    }

    fn add_search(&mut self, legal: &[Point], played: usize, before: &Evaluation, after: Option<&Evaluation>) {
        let found = |point: Point| before.moves.iter().find(|m| m.point == Some(point));
        let value_of = found(legal[played]);
        self.visits = value_of.map_or(0, |m| m.visits);
        // An engine that lists its moves in order without visits still ranks them.
        let has_visits = before.moves.iter().any(|m| m.visits > 0);
        let order = |point: Point| before.moves.iter().position(|m| m.point == Some(point));
        let visits: Vec<f64> = legal
            .iter()
            .map(|&point| {
                let by_order = order(point).map_or(f64::MIN, |place| -(place as f64));
                if has_visits { found(point).map_or(0.0, |m| f64::from(m.visits)) } else { by_order }
            })
            .collect();
        self.visit_rank = (!before.moves.is_empty()).then(|| middle_rank(&visits, played));
        if before.moves.iter().any(|m| m.bound.is_some()) {
            let bounds: Vec<f64> =
                legal.iter().map(|&point| found(point).and_then(|m| m.bound).unwrap_or(f64::MIN)).collect();
            self.bound_rank = Some(middle_rank(&bounds, played));
        }
        self.best_win_rate = before.win_rate;
        let own = value_of.and_then(|m| m.win_rate);
        // The search of the next position knows more about the move than its part of this search.
        self.played_win_rate = after.and_then(|after| after.win_rate).map(|theirs| 1.0 - theirs).or(own);
        self.loss = self.best_win_rate.zip(self.played_win_rate).map(|(best, played)| best - played);
        self.points_lost = before.lead.zip(after.and_then(|after| after.lead)).map(|(best, theirs)| best + theirs);
        let best = before.moves.first();
        let rate = |m: Option<&MoveValue>| m.and_then(|m| m.win_rate);
        self.best_lead = match best {
            Some(best) if best.point == Some(legal[played]) => Some(0.0),
            _ => rate(best).zip(own).map(|(best, own)| best - own),
        };
        self.forcedness = rate(best).zip(rate(before.moves.get(1))).map(|(best, second)| best - second);
    }
}

/// The middle of the ranks that equal values share, from 1.
fn middle_rank(values: &[f64], played: usize) -> f64 {
    let rank = MoveRank::of(values, played);
    rank.n_better as f64 + (rank.n_equal as f64 + 1.0) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(point: Option<Point>, visits: u32, win_rate: f64) -> MoveValue {
        MoveValue {
            point,
            visits,
            win_rate: Some(win_rate),
            bound: Some(win_rate + 0.1),
            prior: None,
            lead: None,
            line: vec![point],
        }
    }

    #[test]
    fn ranks_losses_and_leads_by_hand() {
        let legal: Vec<Point> = (0..5).map(|x| Point::new(x, 0)).collect();
        let moves = vec![value(Some(legal[3]), 50, 0.6), value(None, 20, 0.5), value(Some(legal[1]), 10, 0.4)];
        let before = Evaluation { win_rate: Some(0.6), lead: Some(2.0), moves };
        let after = Evaluation { win_rate: Some(0.55), lead: Some(1.5), moves: Vec::new() };
        let trained = Surprise::new(&[0.5, 0.125, 0.125, 0.125, 0.125], 1);
        let predictions = Predictions::default().with(PredictorName::Trained, trained);
        let signals = Signals::new(&legal, 1, [Some(&before), Some(&after)], predictions);
        assert_eq!((signals.n_legal, signals.visits), (5, 10));
        assert_eq!((signals.visit_rank, signals.bound_rank), (Some(2.0), Some(2.0)));
        assert_eq!((signals.rank(PredictorName::Trained), signals.bits()), (Some(3.5), Some(3.0)));
        assert!((signals.loss.expect("a loss") - 0.15).abs() < 1e-12);
        assert!((signals.best_lead.expect("a lead") - 0.2).abs() < 1e-12);
        assert!((signals.forcedness.expect("a gap") - 0.1).abs() < 1e-12);
        assert_eq!(signals.points_lost, Some(3.5));
        // A move without visits shares its rank with the two others that have none.
        let unseen = Signals::new(&legal, 0, [Some(&before), None], Predictions::default());
        assert_eq!((unseen.visit_rank, unseen.played_win_rate, unseen.loss), (Some(4.0), None, None));
        let best = Signals::new(&legal, 3, [Some(&before), None], Predictions::default());
        assert_eq!((best.visit_rank, best.best_lead, best.loss), (Some(1.0), Some(0.0), Some(0.0)));
    }

    #[test]
    fn an_engine_that_only_lists_moves_ranks_them_by_order() {
        let legal: Vec<Point> = (0..4).map(|x| Point::new(x, 0)).collect();
        let name = |at: usize| MoveValue { visits: 0, win_rate: None, bound: None, ..value(Some(legal[at]), 0, 0.0) };
        let before = Evaluation { win_rate: None, lead: None, moves: vec![name(2), name(0)] };
        let rank = |played| Signals::new(&legal, played, [Some(&before), None], Predictions::default()).visit_rank;
        assert_eq!([rank(0), rank(1), rank(2), rank(3)], [Some(2.0), Some(3.5), Some(1.0), Some(3.5)]);
    }
}
