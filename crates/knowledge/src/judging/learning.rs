//! From games with commentary to what a judgement learns from.

use tejun_games::GameRecord;
use tejun_games::go::Color;
use tejun_games::sgf::Tree;

use crate::judging::evaluator::{GameEvaluator, JudgeError};
use crate::judging::judgement::{LabeledMove, LossScale};
use crate::judging::labels::{Label, engine_win_rates_white, labels};
use crate::progress::Progress;

/// A game in which a commentator marked good and bad moves.
#[derive(Clone, Debug)]
pub struct MarkedGame<'g> {
    /// The game.
    pub record: &'g GameRecord,
    /// The label of each move.
    pub labels: Vec<Label>,
}

impl<'g> MarkedGame<'g> {
    /// The marks in the tree from which the record was read.
    pub fn new(record: &'g GameRecord, tree: &Tree<'_>) -> MarkedGame<'g> {
        MarkedGame { record, labels: labels(tree) }
    }
}

/// Evaluates the first moves of games with marks, to learn from them or to measure signals on them.
///
/// ```
/// use tejun_games::sgf::{Reader, main_line};
/// use tejun_knowledge::evaluation::Evaluator;
/// use tejun_knowledge::judging::{GameEvaluator, Judgement, Label, LossScale, MarkedGame, labeled_moves};
/// use tejun_knowledge::progress::NoProgress;
/// use tejun_knowledge::search::{PlainPredictor, Search, SearchOptions};
///
/// let tree = Reader::new("(;SZ[9]KM[7];B[ee];W[ec]TE[1];B[aa]BM[1])").next().expect("one game");
/// let record = main_line(&tree)?;
/// let games = [MarkedGame::new(&record, &tree)];
///
/// let options = SearchOptions { n_playouts: 20, ..SearchOptions::default() };
/// let search: Box<dyn Evaluator + Send> = Box::new(Search::new(options, "plain", || Box::new(PlainPredictor)));
/// let mut evaluator = GameEvaluator::new(vec![search], Vec::new());
/// let moves = labeled_moves(&games, usize::MAX, &mut evaluator, &NoProgress)?;
/// assert_eq!(moves.iter().map(|m| m.label).collect::<Vec<_>>(), [Label::Ordinary, Label::Good, Label::Bad]);
///
/// let judgement = Judgement::fit(&moves, LossScale::default()).expect("moves of all labels");
/// # assert!(judgement.good.intercept.is_finite());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the caller cancels, or the evaluators fail several times in a row.
pub fn labeled_moves(
    games: &[MarkedGame<'_>],
    n_moves: usize,
    evaluator: &mut GameEvaluator<'_>,
    progress: &dyn Progress,
) -> Result<Vec<LabeledMove>, JudgeError> {
    let mut moves = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let evidence = evaluator.evaluate(game.record, n_moves, progress)?;
        for (index, signals) in evidence.signals.into_iter().enumerate() {
            // A record that was cut at an illegal move has fewer moves than its tree, never more.
            if let (Some(signals), Some(&label)) = (signals, game.labels.get(index)) {
                moves.push(LabeledMove { game: number, index, label, signals });
            }
        }
    }
    Ok(moves)
}

/// A game with an engine's win rates in its comments.
#[derive(Clone, Debug)]
pub struct EngineGame<'g> {
    /// The game.
    pub record: &'g GameRecord,
    /// White's win rate before each move.
    pub win_rates_white: Vec<Option<f64>>,
}

impl<'g> EngineGame<'g> {
    /// The win rates in the tree from which the record was read.
    pub fn new(record: &'g GameRecord, tree: &Tree<'_>) -> EngineGame<'g> {
        EngineGame { record, win_rates_white: engine_win_rates_white(tree) }
    }
}

/// The positions of a game at which the scale of losses is measured, by the number of moves before them.
///
/// Three in a row every 20 moves, while the game is open.
pub fn scale_positions(record: &GameRecord) -> impl Iterator<Item = usize> {
    (0..=record.moves.len()).filter(|&index| is_of_scale(index))
}

fn is_of_scale(index: usize) -> bool {
    (20..200).contains(&index) && index % 20 < 3
}

/// Measures the scale of losses on games of an engine; `None` with too few positions.
///
/// # Errors
/// If the caller cancels, or the evaluators fail several times in a row.
pub fn measure_scale(
    games: &[EngineGame<'_>],
    evaluator: &mut GameEvaluator<'_>,
    progress: &dyn Progress,
) -> Result<Option<LossScale>, JudgeError> {
    let mut rates = Vec::new();
    for game in games {
        let moves = &game.record.moves;
        let evidence = evaluator.evaluate_positions(game.record, usize::MAX, is_of_scale, progress)?;
        let both = |index: usize| {
            let own = evidence.values.get(index)?.as_ref()?.win_rate?;
            let white = (*game.win_rates_white.get(index)?)?;
            let is_white = moves.get(index)?.color == Color::White;
            Some((own, if is_white { white } else { 1.0 - white }))
        };
        rates.push((0..moves.len()).map(both).collect());
    }
    Ok(LossScale::fit(&rates))
}
