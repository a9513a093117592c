//! The engine named on the command line: USI for shogi, UCI for chess, GTP for Go.

use std::time::Duration;

use anyhow::{Context, ensure};
use tejun_games::game::Game;
use tejun_knowledge::books::Reply;
use tejun_knowledge::books::matching::Match;
use tejun_knowledge::engines::{
    BestMove, Dialect, Engine, EngineCommand, EngineOptions, PlayedPosition, PositionEngine, Score, SearchLimit,
    UciEngine, UciEngineOptions,
};
use tejun_knowledge::evaluation::DEFAULT_KOMI;

/// Which engine analyzes positions, and for how long.
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

/// An engine of any of the three games.
pub type AnyEngine = Box<dyn PositionEngine + Send>;

impl EngineArgs {
    /// Whether an engine is given.
    pub fn is_given(&self) -> bool {
        self.engine.is_some()
    }

    /// The engine for a game, not yet started; it reports `n_lines` moves.
    ///
    /// # Errors
    /// If none is given, or its command line or settings are not valid.
    pub fn engine(&self, game: Game, n_lines: u32) -> anyhow::Result<AnyEngine> {
        self.engine_of(None, game, n_lines)
    }

    /// The engine for a game, with another program if one is named.
    ///
    /// # Errors
    /// As [`EngineArgs::engine`].
    pub fn engine_of(&self, other: Option<&str>, game: Game, n_lines: u32) -> anyhow::Result<AnyEngine> {
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
                return Ok(Box::new(Engine::new(options)));
            }
        };
        let limit = match (self.depth, self.nodes) {
            (Some(depth), _) => SearchLimit::Depth(depth),
            (None, Some(nodes)) => SearchLimit::Nodes(nodes),
            (None, None) => SearchLimit::Time(time),
        };
        let settings = self.settings.iter().map(|setting| {
            let (name, value) = setting.split_once('=').context("--set: expected NAME=VALUE")?;
            Ok((name.to_string(), value.to_string()))
        });
        let settings = settings.collect::<anyhow::Result<_>>()?;
        let options = UciEngineOptions { settings, limit, n_lines, ..UciEngineOptions::new(command, dialect) };
        Ok(Box::new(UciEngine::new(options)))
    }
}

/// A position of a match, with a shortest line that leads to it.
pub fn position_of(played: &Match, node: u32) -> PlayedPosition {
    let (board, moves) = played.way(node);
    let line = moves.into_iter().map(|(played, _)| played).collect();
    PlayedPosition { board, line, start: played.start.clone(), komi: DEFAULT_KOMI }
}

/// The engine's move in a game.
///
/// # Errors
/// If it fails, or names something that is not a move.
pub fn reply(engine: &mut dyn PositionEngine, position: &PlayedPosition) -> anyhow::Result<Reply> {
    let analysis = engine.analyze_position(position)?;
    Ok(match &analysis.best_move {
        BestMove::Resign => Reply::Resign,
        BestMove::Win => Reply::Declare,
        BestMove::Move(text) => {
            let played = position.board.parse_move(text)?;
            Reply::Move(played, analysis.score().map(Score::centipawns))
        }
    })
}
