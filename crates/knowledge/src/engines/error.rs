//! What engines do wrong, in words that help to fix it.

use std::fmt;
use std::process::ExitStatus;

use tejun_games::Move;
use tejun_games::go::BoardSize;

use crate::engines::process::{Disconnect, Failure, Fault};
use crate::engines::text::Excerpt;
use crate::engines::{EngineCommand, EngineKind, ProtocolFault};

/// What an engine did instead of answering.
#[derive(Debug)]
pub enum EngineFault {
    /// The program failed in a way that does not depend on its protocol.
    Protocol(ProtocolFault),
    /// It speaks something else.
    WrongProtocol {
        /// What it was expected to speak.
        expected: EngineKind,
        /// The first line that does not fit.
        line: Excerpt,
    },
    /// It does not know a command that its kind needs.
    Lacks {
        /// Its kind, as it was set.
        kind: EngineKind,
        /// The missing command.
        command: &'static str,
    },
    /// It considers a move illegal.
    MoveRefused {
        /// The move's number, from 1; 0 is a stone set up before the first move.
        number: usize,
        /// The move.
        played: Move,
        /// The board it was played on.
        size: BoardSize,
        /// What the engine says about it.
        answer: Excerpt,
    },
    /// It refuses a command.
    Refused {
        /// The command.
        request: Excerpt,
        /// What it says about it.
        answer: Excerpt,
    },
    /// Its answer makes no sense.
    Unclear {
        /// What it was asked.
        request: Excerpt,
        /// What it said.
        answer: Excerpt,
    },
}

impl EngineFault {
    /// What the user may do about it.
    fn advice(&self) -> &'static str {
        match self {
            EngineFault::Protocol(ProtocolFault::NotStarted(_)) => "check the path, or install the program",
            EngineFault::Protocol(ProtocolFault::Ended) => "run the command by hand to see why",
            EngineFault::Protocol(ProtocolFault::Silent { .. }) => {
                "give it more time or fewer visits, or run the command by hand"
            }
            EngineFault::Protocol(ProtocolFault::NeverReady { .. }) => {
                "run the command by hand once, and give it more time to start"
            }
            EngineFault::WrongProtocol { expected: EngineKind::KataGoJson, .. } => {
                "start KataGo as `katago analysis`, or choose another kind of engine"
            }
            EngineFault::WrongProtocol { .. } => {
                "start it in GTP mode, or choose the kind katago-json for KataGo's analysis engine"
            }
            EngineFault::Lacks { kind: EngineKind::Auto, .. } => {
                "start it so that it speaks GTP; for KataGo, as `katago gtp`, or as `katago analysis` with the kind \
                 katago-json"
            }
            EngineFault::Lacks { .. } => "choose the kind auto to let the engine's own list of commands decide",
            EngineFault::MoveRefused { .. } => "its rules may forbid suicide or a repeated position",
            EngineFault::Refused { .. } => "the engine does not offer this",
            EngineFault::Unclear { .. } => "check whether the kind of engine is right",
        }
    }
}

impl From<Disconnect> for EngineFault {
    fn from(disconnect: Disconnect) -> EngineFault {
        EngineFault::Protocol(disconnect.into())
    }
}

impl Fault for EngineFault {
    fn is_fatal(&self) -> bool {
        match self {
            EngineFault::Protocol(fault) => fault.is_fatal(),
            _ => false,
        }
    }

    fn has_ended(&self) -> bool {
        matches!(self, EngineFault::Protocol(fault) if fault.has_ended())
    }

    fn is_silent(&self) -> bool {
        matches!(self, EngineFault::Protocol(fault) if fault.is_silent())
    }
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineFault::Protocol(fault) => fault.fmt(f),
            EngineFault::WrongProtocol { expected, line } => {
                write!(f, "does not speak {}: it says {line}", expected.protocol())
            }
            EngineFault::Lacks { kind: EngineKind::Auto, command } => {
                write!(f, "does not have the GTP command {command}, which every kind of engine needs")
            }
            EngineFault::Lacks { kind, command } => {
                write!(f, "does not have the command {command}, which the kind {kind} needs")
            }
            EngineFault::MoveRefused { number: 0, played, size, answer } => {
                write!(f, "refuses the setup stone {}: it says {answer}", Named(played, *size))
            }
            EngineFault::MoveRefused { number, played, size, answer } => {
                write!(f, "refuses move {number}, {}: it says {answer}", Named(played, *size))
            }
            EngineFault::Refused { request, answer } => write!(f, "refuses {request}: it says {answer}"),
            EngineFault::Unclear { request, answer } => write!(f, "answers {request} with {answer}"),
        }
    }
}

/// A move in words.
struct Named<'m>(&'m Move, BoardSize);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.point {
            Some(point) => write!(f, "{} at {}", self.0.color, point.name(self.1)),
            None => write!(f, "{}'s pass", self.0.color),
        }
    }
}

/// Why an engine could not evaluate a position.
#[derive(Debug)]
pub struct EngineError<F = EngineFault> {
    /// The engine.
    pub command: Box<EngineCommand>,
    /// What it did last.
    pub fault: F,
    /// How often it was started for this position and failed.
    pub n_failures: u32,
    /// How it ended, if it ended by itself.
    pub status: Option<ExitStatus>,
    /// The last lines of its error output.
    pub stderr: Vec<Excerpt>,
}

/// The number of last lines that are shown.
const N_LINES_SHOWN: usize = 5;

impl<F: fmt::Display> EngineError<F> {
    /// An engine that was given up after this number of failures.
    pub(crate) fn new(command: &EngineCommand, n_failures: u32, failure: Failure<F>) -> EngineError<F> {
        let Failure { fault, status, stderr } = failure;
        EngineError { command: Box::new(command.clone()), fault, n_failures, status, stderr }
    }

    /// What it did, what the user may do about it, and its last words.
    pub(crate) fn write(&self, f: &mut fmt::Formatter<'_>, advice: &str) -> fmt::Result {
        write!(f, "engine `{}` {}", self.command, self.fault)?;
        if let Some(status) = self.status {
            write!(f, " ({status})")?;
        }
        if self.n_failures > 1 {
            write!(f, ", {} times for this position", self.n_failures)?;
        }
        write!(f, "; {advice}")?;
        if !self.stderr.is_empty() {
            f.write_str("; its last words:")?;
        }
        for line in &self.stderr[self.stderr.len().saturating_sub(N_LINES_SHOWN)..] {
            write!(f, "\n    {line}")?;
        }
        Ok(())
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, self.fault.advice())
    }
}

impl std::error::Error for EngineError {}
