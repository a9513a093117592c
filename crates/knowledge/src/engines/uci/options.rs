//! How a shogi or chess engine is started and asked.

use std::fmt;
use std::time::Duration;

use crate::engines::{Dialect, EngineCommand};

/// The time limit of an engine that is limited by depth or nodes.
const UNTIMED: Duration = Duration::from_secs(600);

/// What ends the analysis of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchLimit {
    /// The time for a move, in whole milliseconds.
    Time(Duration),
    /// The depth in plies, or 600 s. GPS does not support it: give it a `LimitDepth` and time.
    Depth(u32),
    /// The number of positions visited, or 600 s.
    Nodes(u64),
}

impl SearchLimit {
    /// The command that makes an engine analyze.
    pub(crate) fn command(self, dialect: Dialect) -> String {
        match (self, dialect) {
            (SearchLimit::Time(time), Dialect::Usi) => {
                format!("go btime 0 wtime 0 byoyomi {}", time.as_millis().max(1))
            }
            (SearchLimit::Time(time), Dialect::Uci) => format!("go movetime {}", time.as_millis().max(1)),
            (SearchLimit::Depth(depth), _) => format!("go depth {depth}"),
            (SearchLimit::Nodes(nodes), _) => format!("go nodes {nodes}"),
        }
    }

    /// How long the engine may analyze.
    fn time(self) -> Duration {
        match self {
            SearchLimit::Time(time) => time,
            SearchLimit::Depth(_) | SearchLimit::Nodes(_) => UNTIMED,
        }
    }
}

impl fmt::Display for SearchLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchLimit::Time(time) => write!(f, "{} ms", time.as_millis()),
            SearchLimit::Depth(depth) => write!(f, "depth {depth}"),
            SearchLimit::Nodes(nodes) => write!(f, "{nodes} nodes"),
        }
    }
}

/// How an engine is started and how long it may analyze.
#[derive(Clone, Debug, PartialEq)]
pub struct UciEngineOptions {
    /// The program and its arguments.
    pub command: EngineCommand,
    /// The protocol it speaks.
    pub dialect: Dialect,
    /// Its settings (`setoption`), name and value; a value that is empty presses a button.
    ///
    /// A name that the engine does not list is refused, because some engines ignore it silently.
    pub settings: Vec<(String, String)>,
    /// What ends the analysis.
    pub limit: SearchLimit,
    /// How many lines it reports (`MultiPV`). An engine without this setting reports one.
    pub n_lines: u32,
    /// How often it is started again for one position after it died or hung.
    pub n_restarts: u32,
    /// How long it may take to start, a network to be loaded included.
    pub start_time: Duration,
    /// How much longer than its time it may take to answer before it is taken for hung.
    pub grace: Duration,
}

impl UciEngineOptions {
    /// Options for an engine that reports its best line after a second.
    pub fn new(command: EngineCommand, dialect: Dialect) -> UciEngineOptions {
        UciEngineOptions {
            command,
            dialect,
            settings: Vec::new(),
            limit: SearchLimit::Time(Duration::from_secs(1)),
            n_lines: 1,
            n_restarts: 2,
            start_time: Duration::from_secs(120),
            grace: Duration::from_secs(10),
        }
    }

    /// A text that is different for engines and settings with different answers, made without starting the engine.
    ///
    /// A program or network that is replaced under the same path is not noticed.
    pub fn identity(&self) -> String {
        let UciEngineOptions { command, dialect, settings, limit, n_lines, .. } = self;
        format!("{dialect} engine {command}; settings {settings:?}; limit {limit}; lines {n_lines}")
    }

    /// How long an answer is waited for.
    pub(crate) fn patience(&self) -> Duration {
        self.limit.time().saturating_add(self.grace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> UciEngineOptions {
        UciEngineOptions::new("gpsusi".parse().expect("a command"), Dialect::Usi)
    }

    #[test]
    fn each_limit_has_a_command() {
        let second = SearchLimit::Time(Duration::from_secs(1));
        assert_eq!(second.command(Dialect::Usi), "go btime 0 wtime 0 byoyomi 1000");
        assert_eq!(second.command(Dialect::Uci), "go movetime 1000");
        assert_eq!(SearchLimit::Time(Duration::ZERO).command(Dialect::Uci), "go movetime 1");
        assert_eq!(SearchLimit::Depth(8).command(Dialect::Usi), "go depth 8");
        assert_eq!(SearchLimit::Nodes(5000).command(Dialect::Uci), "go nodes 5000");
    }

    #[test]
    fn the_identity_changes_with_whatever_changes_answers() {
        let changed = [
            UciEngineOptions { command: "gpsusi -v".parse().expect("a command"), ..options() },
            UciEngineOptions { dialect: Dialect::Uci, ..options() },
            UciEngineOptions { settings: vec![("Thread".into(), "1".into())], ..options() },
            UciEngineOptions { limit: SearchLimit::Depth(1), ..options() },
            UciEngineOptions { n_lines: 2, ..options() },
        ];
        for other in &changed {
            assert_ne!(other.identity(), options().identity());
        }
        let patient = UciEngineOptions { n_restarts: 9, grace: Duration::from_secs(99), ..options() };
        assert_eq!(patient.identity(), options().identity());
        assert_eq!(options().identity(), "usi engine gpsusi; settings []; limit 1000 ms; lines 1");
    }
}
