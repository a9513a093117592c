//! One way to ask the engines of all games about a position.

use tejun_games::Move;
use tejun_games::game::{Game, GameMove, GamePosition};
use tejun_games::go::{Board, Point};

use crate::engines::{Analysis, AnalysisLine, BestMove, Engine, ProtocolFault, Score, UciEngine, UciError, UciFault};
use crate::evaluation::{DEFAULT_KOMI, EvaluationError, Evaluator, Question};

/// A position, and the game that led to it.
#[derive(Clone, Debug)]
pub struct PlayedPosition {
    /// The position.
    pub board: GamePosition,
    /// The moves from `start` to it.
    pub line: Vec<GameMove>,
    /// Where the moves start.
    pub start: GamePosition,
    /// Points for White in Go.
    pub komi: f64,
}

/// An engine that says what a position is worth and which moves are best.
///
/// [`UciEngine`] answers for shogi and chess, [`Engine`] for Go. Both start their program when they are first asked,
/// and moves are text in the notation of [`GamePosition::parse_move`].
///
/// ```
/// use tejun_games::game::Game;
/// use tejun_knowledge::engines::{
///     Analysis, AnalysisLine, AnalyzeError, BestMove, PlayedPosition, PositionEngine, Score,
/// };
///
/// /// Plays the first legal move and finds every position even.
/// struct FirstMove;
///
/// impl PositionEngine for FirstMove {
///     fn identity(&self) -> String {
///         "first move".into()
///     }
///
///     fn analyze_position(&mut self, position: &PlayedPosition) -> Result<Analysis, AnalyzeError> {
///         let first = position.board.move_text(position.board.legal_moves()[0]);
///         let line = AnalysisLine { score: Score::Centipawns(0), moves: vec![first.clone()] };
///         Ok(Analysis { best_move: BestMove::Move(first), lines: vec![line], depth: None, nodes: None })
///     }
/// }
///
/// let analysis = FirstMove.analyze_position(&PlayedPosition::start_of(Game::Chess))?;
/// assert_eq!(analysis.score(), Some(Score::Centipawns(0)));
/// # Ok::<(), AnalyzeError>(())
/// ```
pub trait PositionEngine {
    /// A text that is different for engines, settings and limits with different answers.
    fn identity(&self) -> String;

    /// Analyzes a position. Scores are for the side to move; win rates become centipawns ([`Score::from_win_rate`]).
    ///
    /// # Errors
    /// If the program fails.
    fn analyze_position(&mut self, position: &PlayedPosition) -> Result<Analysis, AnalyzeError>;
}

/// Why a position could not be analyzed.
#[derive(Debug, thiserror::Error)]
pub enum AnalyzeError {
    /// A shogi or chess engine failed.
    #[error(transparent)]
    Uci(#[from] UciError),
    /// A Go engine failed.
    #[error(transparent)]
    Go(#[from] EvaluationError),
    /// A Go engine was asked about another game.
    #[error("a Go engine can evaluate only Go positions")]
    NotGo,
    /// The moves do not lead to the position.
    #[error("illegal move in the line that leads to the position")]
    IllegalLine,
}

impl AnalyzeError {
    /// Whether the engine can't answer for any position: it does not start, or is not the engine that was meant.
    pub fn is_permanent(&self) -> bool {
        let AnalyzeError::Uci(error) = self else { return false };
        matches!(
            error.fault,
            UciFault::Protocol(ProtocolFault::NotStarted(_) | ProtocolFault::NeverReady { .. })
                | UciFault::WrongProtocol { .. }
                | UciFault::NoSetting { .. }
                | UciFault::BadSetting { .. }
        )
    }
}

impl PlayedPosition {
    /// The start of a game, before the first move.
    pub fn start_of(game: Game) -> PlayedPosition {
        PlayedPosition { board: game.start(), line: Vec::new(), start: game.start(), komi: DEFAULT_KOMI }
    }
}

impl PositionEngine for UciEngine {
    fn identity(&self) -> String {
        self.options().identity()
    }

    fn analyze_position(&mut self, position: &PlayedPosition) -> Result<Analysis, AnalyzeError> {
        let notation = if position.board.game() == Game::Shogi { "sfen" } else { "fen" };
        Ok(self.analyze(&format!("{notation} {}", position.board))?)
    }
}

impl PositionEngine for Engine {
    fn identity(&self) -> String {
        Evaluator::identity(self).to_string()
    }

    fn analyze_position(&mut self, position: &PlayedPosition) -> Result<Analysis, AnalyzeError> {
        let GamePosition::Go(start) = &position.start else { return Err(AnalyzeError::NotGo) };
        let (moves, board) = replay(start.board(), position)?;
        let size = board.size();
        let color = moves.last().map_or(start.to_move(), |last| last.color.opponent());
        let question =
            Question { start: start.board(), moves: &moves, board: &board, color, komi: position.komi, played: None };
        let answer = self.evaluate(&question)?;
        let name = |point: Option<Point>| point.map_or("pass".to_string(), |point| point.name(size));
        let mut lines: Vec<AnalysisLine> = answer
            .moves
            .iter()
            .filter_map(|value| {
                let score = Score::from_win_rate(value.win_rate?);
                Some(AnalysisLine { score, moves: vec![name(value.point)] })
            })
            .collect();
        if let (Some(win_rate), Some(first)) = (answer.win_rate, lines.first_mut()) {
            first.score = Score::from_win_rate(win_rate);
        }
        let best_move = answer.moves.first().map_or(BestMove::Resign, |best| BestMove::Move(name(best.point)));
        Ok(Analysis { best_move, lines, depth: None, nodes: None })
    }
}

impl<E: PositionEngine + ?Sized> PositionEngine for Box<E> {
    fn identity(&self) -> String {
        (**self).identity()
    }

    fn analyze_position(&mut self, position: &PlayedPosition) -> Result<Analysis, AnalyzeError> {
        (**self).analyze_position(position)
    }
}

/// The moves of a line with their colors, and the board after them.
fn replay(start: &Board, position: &PlayedPosition) -> Result<(Vec<Move>, Board), AnalyzeError> {
    let GamePosition::Go(first) = &position.start else { return Err(AnalyzeError::NotGo) };
    let (mut board, mut color) = (start.clone(), first.to_move());
    let mut before = position.start.clone();
    let mut moves = Vec::new();
    for played in &position.line {
        let point = Point::parse(&before.move_text(*played), board.size()).ok();
        moves.push(Move { color, point });
        match point {
            Some(point) => board.play(color, point).map(|_| ()).map_err(|_| AnalyzeError::IllegalLine)?,
            None => board.pass(),
        }
        before.play(*played).map_err(|_| AnalyzeError::IllegalLine)?;
        color = color.opponent();
    }
    Ok((moves, board))
}
