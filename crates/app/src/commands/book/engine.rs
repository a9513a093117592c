//! Programs that think about positions of books: USI, UCI and GTP behind one face.

use std::time::Duration;

use anyhow::{Context, bail, ensure};
use tejun_games::Move;
use tejun_games::game::{Game, GameMove, GamePosition};
use tejun_games::go::{Board, Point};
use tejun_knowledge::books::Reply;
use tejun_knowledge::books::matching::Match;
use tejun_knowledge::engines::{
    AnalysisLine, Choice, Dialect, Engine, EngineCommand, EngineOptions, Score, UciAnalysis, UciEngine, UciLimit,
    UciOptions,
};
use tejun_knowledge::evaluation::{DEFAULT_KOMI, Evaluator, Question};

/// A win rate nearer to 0 or 1 than this is taken as this near.
const SUREST: f64 = 0.001;

/// Which program thinks, and for how long.
#[derive(clap::Args)]
pub struct EngineArgs {
    /// Command line of the engine: USI for shogi, UCI for chess, GTP for Go
    #[arg(long, value_name = "COMMAND", help_heading = "Engine")]
    engine: Option<String>,
    /// Set an option of a USI or UCI engine by the engine's name for it; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", requires = "engine", help_heading = "Engine")]
    settings: Vec<String>,
    /// Seconds per position, unless --depth or --nodes is given
    #[arg(long, value_name = "S", default_value_t = 1.0, help_heading = "Engine")]
    seconds: f64,
    /// Search depth per position (for GPS Shogi, which does not support this, use --set LimitDepth=N)
    #[arg(long, value_name = "N", help_heading = "Engine")]
    depth: Option<u32>,
    /// Nodes per position; in Go, visits per position
    #[arg(long, value_name = "N", conflicts_with = "depth", help_heading = "Engine")]
    nodes: Option<u64>,
}

/// A position to think about.
pub struct Problem {
    /// The board.
    pub board: GamePosition,
    /// The moves that led there from the start of the game.
    pub line: Vec<GameMove>,
    /// Where the line starts.
    pub start: GamePosition,
    /// Points for White in Go.
    pub komi: f64,
}

impl Problem {
    /// A position of a match, with a shortest way to it.
    pub fn of_match(played: &Match, node: u32) -> Problem {
        let (board, moves) = played.way(node);
        let line = moves.into_iter().map(|(played, _)| played).collect();
        Problem { board, line, start: played.start.clone(), komi: DEFAULT_KOMI }
    }
}

/// A program of any of the three games.
pub enum BookEngine {
    /// Of shogi or chess.
    UciEngine(Box<UciEngine>),
    /// Of Go.
    Go(Box<Engine>),
}

impl EngineArgs {
    /// Whether a program is named.
    pub fn is_given(&self) -> bool {
        self.engine.is_some()
    }

    /// The program for a game, not yet started; `n_lines` are the moves it should value.
    ///
    /// # Errors
    /// If none is given, or its command line or settings are not sound.
    pub fn engine(&self, game: Game, n_lines: u32) -> anyhow::Result<BookEngine> {
        self.engine_of(None, game, n_lines)
    }

    /// As [`EngineArgs::engine`], with another program if one is named.
    ///
    /// # Errors
    /// As there.
    pub fn engine_of(&self, other: Option<&str>, game: Game, n_lines: u32) -> anyhow::Result<BookEngine> {
        let text = other
            .or(self.engine.as_deref())
            .context("an engine that evaluates positions is needed; give one with --engine COMMAND")?;
        let command: EngineCommand = text.parse().with_context(|| format!("--engine {text:?}"))?;
        ensure!(self.seconds > 0.0 && self.seconds.is_finite(), "--seconds must be more than 0");
        let time = Duration::from_secs_f64(self.seconds);
        let dialect = match game {
            Game::Shogi => Dialect::Usi,
            Game::Chess => Dialect::Uci,
            Game::Go(_) => {
                ensure!(
                    self.depth.is_none() && self.settings.is_empty(),
                    "--depth and --set are for shogi and chess engines; for a Go engine, use --seconds or --nodes, \
                     and put its settings on its command line"
                );
                let visits = self.nodes.map(u32::try_from).transpose().context("--nodes")?;
                let time = visits.is_none().then_some(time);
                let options = EngineOptions { time, visits, ..EngineOptions::new(command) };
                return Ok(BookEngine::Go(Box::new(Engine::new(options))));
            }
        };
        let limit = match (self.depth, self.nodes) {
            (Some(depth), _) => UciLimit::Depth(depth),
            (None, Some(nodes)) => UciLimit::Nodes(nodes),
            (None, None) => UciLimit::Time(time),
        };
        let settings = self.settings.iter().map(|setting| {
            let (name, value) = setting.split_once('=').context("--set: expected NAME=VALUE")?;
            Ok((name.to_string(), value.to_string()))
        });
        let settings = settings.collect::<anyhow::Result<_>>()?;
        let options = UciOptions { settings, limit, n_lines, ..UciOptions::new(command, dialect) };
        Ok(BookEngine::UciEngine(Box::new(UciEngine::new(options))))
    }
}

impl BookEngine {
    /// What tells its answers from others'.
    pub fn identity(&self) -> String {
        match self {
            BookEngine::UciEngine(thinker) => thinker.options().identity(),
            BookEngine::Go(engine) => engine.identity().to_string(),
        }
    }

    /// Thinks about a position. Win rates of Go programs become a hundred times their log odds.
    ///
    /// # Errors
    /// If the program fails.
    pub fn think(&mut self, problem: &Problem) -> anyhow::Result<UciAnalysis> {
        match self {
            BookEngine::UciEngine(thinker) => {
                let word = if problem.board.game() == Game::Shogi { "sfen" } else { "fen" };
                Ok(thinker.think(&format!("{word} {}", problem.board))?)
            }
            BookEngine::Go(engine) => think_go(engine, problem),
        }
    }

    /// What the program does in a game.
    ///
    /// # Errors
    /// If it fails, or names a move that is none.
    pub fn reply(&mut self, problem: &Problem) -> anyhow::Result<Reply> {
        let thought = self.think(problem)?;
        Ok(match &thought.choice {
            Choice::Resign => Reply::Resign,
            Choice::Win => Reply::Declare,
            Choice::Move(text) => {
                let played = problem.board.parse_move(text)?;
                Reply::Move(played, thought.score().map(Score::centipawns))
            }
        })
    }
}

fn think_go(engine: &mut Engine, problem: &Problem) -> anyhow::Result<UciAnalysis> {
    let GamePosition::Go(start) = &problem.start else { bail!("a Go engine can evaluate only Go positions") };
    let mut board: Board = start.board().clone();
    let mut color = start.to_move();
    let size = board.size();
    let mut walked = problem.start.clone();
    let mut moves = Vec::new();
    for played in &problem.line {
        let point = Point::parse(&walked.move_text(*played), size).ok();
        moves.push(Move { color, point });
        match point {
            Some(point) => board.play(color, point).map(|_| ()).context("illegal move in a line of the book")?,
            None => board.pass(),
        }
        walked.play(*played)?;
        color = color.opponent();
    }
    let question =
        Question { start: start.board(), moves: &moves, board: &board, color, komi: problem.komi, played: None };
    let answer = engine.evaluate(&question)?;
    let score = |rate: f64| {
        let rate = rate.clamp(SUREST, 1.0 - SUREST);
        Score::Centipawns((100.0 * (rate / (1.0 - rate)).ln()).round() as i32)
    };
    let name = |point: Option<Point>| point.map_or("pass".to_string(), |point| point.name(size));
    let mut lines: Vec<AnalysisLine> = answer
        .moves
        .iter()
        .filter_map(|value| Some(AnalysisLine { score: score(value.win_rate?), moves: vec![name(value.point)] }))
        .collect();
    if let (Some(rate), Some(first)) = (answer.win_rate, lines.first_mut()) {
        first.score = score(rate);
    }
    let choice = answer.moves.first().map_or(Choice::Resign, |best| Choice::Move(name(best.point)));
    Ok(UciAnalysis { choice, lines, depth: None, nodes: None })
}
