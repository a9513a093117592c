//! What engines of shogi and chess do wrong, in words that help to fix it.

use std::fmt;
use std::io;
use std::time::Duration;

use crate::engines::process::{Disconnect, Fault};
use crate::engines::{Dialect, EngineError, Excerpt};

/// Why an engine could not think about a position.
pub type UciError = EngineError<UciFault>;

/// What an engine did instead of answering, or what it can't be asked.
#[derive(Debug)]
pub enum UciFault {
    /// The program could not be started.
    NotStarted(io::Error),
    /// It ended while an answer was due.
    Ended,
    /// It gave no answer in time.
    Silent {
        /// How long it was waited for.
        limit: Duration,
    },
    /// It gave no sign of life in the time to start.
    NeverReady {
        /// How long it was waited for.
        limit: Duration,
    },
    /// It speaks something else.
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
    /// It says a great deal, and none of it is an answer.
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
    /// What the user may do about it.
    fn advice(&self) -> &'static str {
        match self {
            UciFault::NotStarted(_) => "check the path, or install the program",
            UciFault::Ended => {
                "run the command by hand to see why: some engines end at an illegal position, or know no limit but time"
            }
            UciFault::Silent { .. } => "give it more time or less depth, or run the command by hand",
            UciFault::NeverReady { .. } => {
                "run the command by hand once, give it more time to start, or choose the other of usi and uci"
            }
            UciFault::WrongProtocol { expected: Dialect::Usi, .. } => {
                "start a shogi engine that speaks USI, or choose uci for a chess engine"
            }
            UciFault::WrongProtocol { expected: Dialect::Uci, .. } => {
                "start a chess engine that speaks UCI, or choose usi for a shogi engine"
            }
            UciFault::NoSetting { .. } => "leave it out, or write it as the engine does",
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
            UciFault::NotStarted(cause) => write!(f, "could not be started: {cause}"),
            UciFault::Ended => f.write_str("ended before it answered"),
            UciFault::Silent { limit } => write!(f, "gave no answer within {limit:?}"),
            UciFault::NeverReady { limit } => write!(f, "was not ready {limit:?} after its start"),
            UciFault::WrongProtocol { expected, line } => {
                let protocol = expected.to_string().to_uppercase();
                write!(f, "does not speak {protocol}: it says {line}")
            }
            UciFault::NoSetting { name, listed } => write!(f, "has no setting {name}: it lists {listed}"),
            UciFault::BadSetting { name } => write!(f, "can't be sent the setting {name}"),
            UciFault::BadPosition { position } => write!(f, "can't be sent the position {position}"),
            UciFault::NoAnswer { request, line } => write!(f, "answers {request} by nothing but lines as {line}"),
            UciFault::Unclear { request, answer } => write!(f, "answers {request} by {answer}"),
        }
    }
}

impl From<Disconnect> for UciFault {
    fn from(lost: Disconnect) -> UciFault {
        match lost {
            Disconnect::Ended => UciFault::Ended,
            Disconnect::Silent { limit } => UciFault::Silent { limit },
        }
    }
}

impl Fault for UciFault {
    fn is_fatal(&self) -> bool {
        // One that babbles may still name a move, which would be taken for that of the next position.
        matches!(self, UciFault::Ended | UciFault::Silent { .. } | UciFault::NoAnswer { .. })
    }

    fn has_ended(&self) -> bool {
        matches!(self, UciFault::Ended)
    }

    fn is_silent(&self) -> bool {
        matches!(self, UciFault::Silent { .. })
    }
}

impl fmt::Display for UciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, self.fault.advice())
    }
}

impl std::error::Error for UciError {}
