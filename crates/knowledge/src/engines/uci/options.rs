//! How an engine of shogi or chess is started and asked.

use std::fmt;
use std::time::Duration;

use crate::engines::{Dialect, EngineCommand};

/// How long an engine may take that is limited by depth or nodes.
const UNTIMED: Duration = Duration::from_secs(600);

/// What ends the thinking about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UciLimit {
    /// The time for a move, in whole milliseconds.
    Time(Duration),
    /// The depth in plies, or 600 s. GPS does not know it: give it a `LimitDepth` and time.
    Depth(u32),
    /// The number of positions visited, or 600 s.
    Nodes(u64),
}

impl UciLimit {
    /// The command that makes an engine think.
    pub(crate) fn command(self, dialect: Dialect) -> String {
        match (self, dialect) {
            (UciLimit::Time(time), Dialect::Usi) => format!("go btime 0 wtime 0 byoyomi {}", time.as_millis().max(1)),
            (UciLimit::Time(time), Dialect::Uci) => format!("go movetime {}", time.as_millis().max(1)),
            (UciLimit::Depth(depth), _) => format!("go depth {depth}"),
            (UciLimit::Nodes(nodes), _) => format!("go nodes {nodes}"),
        }
    }

    /// How long the engine may think.
    fn time(self) -> Duration {
        match self {
            UciLimit::Time(time) => time,
            UciLimit::Depth(_) | UciLimit::Nodes(_) => UNTIMED,
        }
    }
}

impl fmt::Display for UciLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciLimit::Time(time) => write!(f, "{} ms", time.as_millis()),
            UciLimit::Depth(depth) => write!(f, "depth {depth}"),
            UciLimit::Nodes(nodes) => write!(f, "{nodes} nodes"),
        }
    }
}

/// How an engine is started and how long it may think.
#[derive(Clone, Debug, PartialEq)]
pub struct UciOptions {
    /// The program and its arguments.
    pub command: EngineCommand,
    /// What it speaks.
    pub dialect: Dialect,
    /// Its settings (`setoption`), name and value; a value that is empty presses a button.
    ///
    /// A name that the engine does not list is refused, because some engines pass over it without a word.
    pub settings: Vec<(String, String)>,
    /// What ends its thinking.
    pub limit: UciLimit,
    /// The number of lines it reports (`MultiPV`). An engine without this setting reports one.
    pub n_lines: u32,
    /// How often it is restarted for one position after it crashed or hung.
    pub n_restarts: u32,
    /// How long it may take to start, including loading a network.
    pub start_time: Duration,
    /// How much longer than its time it may take to answer before it counts as hung.
    pub grace: Duration,
}

impl UciOptions {
    /// Options for an engine that reports its best line after a second.
    pub fn new(command: EngineCommand, dialect: Dialect) -> UciOptions {
        UciOptions {
            command,
            dialect,
            settings: Vec::new(),
            limit: UciLimit::Time(Duration::from_secs(1)),
            n_lines: 1,
            n_restarts: 2,
            start_time: Duration::from_secs(120),
            grace: Duration::from_secs(10),
        }
    }

    /// Everything that affects this engine's answers, known without starting it.
    ///
    /// A program or network that is replaced under the same path is not noticed.
    pub fn identity(&self) -> String {
        let UciOptions { command, dialect, settings, limit, n_lines, .. } = self;
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

    fn options() -> UciOptions {
        UciOptions::new("gpsusi".parse().expect("a command"), Dialect::Usi)
    }

    #[test]
    fn each_limit_has_a_command() {
        let second = UciLimit::Time(Duration::from_secs(1));
        assert_eq!(second.command(Dialect::Usi), "go btime 0 wtime 0 byoyomi 1000");
        assert_eq!(second.command(Dialect::Uci), "go movetime 1000");
        assert_eq!(UciLimit::Time(Duration::ZERO).command(Dialect::Uci), "go movetime 1");
        assert_eq!(UciLimit::Depth(8).command(Dialect::Usi), "go depth 8");
        assert_eq!(UciLimit::Nodes(5000).command(Dialect::Uci), "go nodes 5000");
    }

    #[test]
    fn the_identity_changes_with_whatever_changes_answers() {
        let changed = [
            UciOptions { command: "gpsusi -v".parse().expect("a command"), ..options() },
            UciOptions { dialect: Dialect::Uci, ..options() },
            UciOptions { settings: vec![("Thread".into(), "1".into())], ..options() },
            UciOptions { limit: UciLimit::Depth(1), ..options() },
            UciOptions { n_lines: 2, ..options() },
        ];
        for other in &changed {
            assert_ne!(other.identity(), options().identity());
        }
        let patient = UciOptions { n_restarts: 9, grace: Duration::from_secs(99), ..options() };
        assert_eq!(patient.identity(), options().identity());
        assert_eq!(options().identity(), "usi engine gpsusi; settings []; limit 1000 ms; lines 1");
    }
}
