//! What shogi and chess engines do wrong, and what the user can do about it.

use std::fmt;

use crate::engines::process::{Disconnect, Fault};
use crate::engines::{Dialect, EngineError, Excerpt, ProtocolFault};

/// Why an engine could not analyze a position.
pub type UciError = EngineError<UciFault>;

/// What an engine did instead of answering, or what it can't be asked.
#[derive(Debug)]
pub enum UciFault {
    /// The program failed in a way that does not depend on its protocol.
    Protocol(ProtocolFault),
    /// It speaks another protocol.
    WrongProtocol {
        /// What it was expected to speak.
        expected: Dialect,
        /// The first line that does not fit.
        line: Excerpt,
    },
    /// It does not list a setting.
    NoSetting {
        /// The setting.
        name: Excerpt,
        /// The settings that it lists.
        listed: Excerpt,
    },
    /// A setting that does not fit into a line.
    BadSetting {
        /// The setting.
        name: Excerpt,
    },
    /// A position that does not fit into a line.
    BadPosition {
        /// The position.
        position: Excerpt,
    },
    /// It prints many lines, and none of them is an answer.
    NoAnswer {
        /// What it was asked.
        request: Excerpt,
        /// What it said last.
        line: Excerpt,
    },
    /// Its answer makes no sense.
    Unclear {
        /// What it was asked.
        request: Excerpt,
        /// What it said.
        answer: Excerpt,
    },
}

impl UciFault {
    /// What the user can do about it.
    fn advice(&self) -> &'static str {
        match self {
            UciFault::Protocol(ProtocolFault::NotStarted(_)) => "check the path, or install the program",
            UciFault::Protocol(ProtocolFault::Ended) => {
                "run the command by hand to see why: some engines exit at an illegal position, or support only time limits"
            }
            UciFault::Protocol(ProtocolFault::Silent { .. }) => {
                "give it more time or less depth, or run the command by hand"
            }
            UciFault::Protocol(ProtocolFault::NeverReady { .. }) => {
                "run the command by hand once, give it more time to start, or choose the other of usi and uci"
            }
            UciFault::WrongProtocol { expected: Dialect::Usi, .. } => {
                "start a shogi engine that speaks USI, or choose uci for a chess engine"
            }
            UciFault::WrongProtocol { expected: Dialect::Uci, .. } => {
                "start a chess engine that speaks UCI, or choose usi for a shogi engine"
            }
            UciFault::NoSetting { .. } => "omit it, or write it as the engine does",
            UciFault::BadSetting { .. } => "write a name, and a value without line breaks",
            UciFault::BadPosition { .. } => "write startpos, sfen or fen and what follows, in one line",
            UciFault::NoAnswer { .. } | UciFault::Unclear { .. } => {
                "choose usi for a shogi engine, uci for a chess engine"
            }
        }
    }
}

impl fmt::Display for UciFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciFault::Protocol(fault) => fault.fmt(f),
            UciFault::WrongProtocol { expected, line } => {
                let protocol = expected.to_string().to_uppercase();
                write!(f, "does not speak {protocol}: it says {line}")
            }
            UciFault::NoSetting { name, listed } => write!(f, "has no setting {name}: it lists {listed}"),
            UciFault::BadSetting { name } => write!(f, "can't receive the setting {name}"),
            UciFault::BadPosition { position } => write!(f, "can't receive the position {position}"),
            UciFault::NoAnswer { request, line } => write!(f, "answers {request} only with lines like {line}"),
            UciFault::Unclear { request, answer } => write!(f, "answers {request} with {answer}"),
        }
    }
}

impl From<Disconnect> for UciFault {
    fn from(disconnect: Disconnect) -> UciFault {
        UciFault::Protocol(disconnect.into())
    }
}

impl Fault for UciFault {
    fn is_fatal(&self) -> bool {
        match self {
            UciFault::Protocol(fault) => fault.is_fatal(),
            // The engine may still name a move, which would be taken for that of the next position.
            UciFault::NoAnswer { .. } => true,
            _ => false,
        }
    }

    fn has_ended(&self) -> bool {
        matches!(self, UciFault::Protocol(fault) if fault.has_ended())
    }

    fn is_silent(&self) -> bool {
        matches!(self, UciFault::Protocol(fault) if fault.is_silent())
    }
}

impl fmt::Display for UciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, self.fault.advice())
    }
}

impl std::error::Error for UciError {}
