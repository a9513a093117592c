//! What can go wrong with a program of any protocol.

use std::fmt;
use std::io;
use std::time::Duration;

use crate::engines::process::Disconnect;

/// A failure of a program that does not depend on its protocol.
#[derive(Debug)]
pub enum ProtocolFault {
    /// The program could not be started.
    NotStarted(io::Error),
    /// It ended while an answer was due.
    Ended,
    /// It gave no answer in time.
    Silent {
        /// The time limit.
        limit: Duration,
    },
    /// It was not ready in time after its start.
    NeverReady {
        /// The time limit.
        limit: Duration,
    },
}

impl ProtocolFault {
    /// Whether the process can't be used any longer, but a new one may work.
    pub(crate) fn is_fatal(&self) -> bool {
        matches!(self, ProtocolFault::Ended | ProtocolFault::Silent { .. })
    }

    /// Whether it ended by itself.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self, ProtocolFault::Ended)
    }

    /// Whether it gave no answer in time.
    pub(crate) fn is_silent(&self) -> bool {
        matches!(self, ProtocolFault::Silent { .. })
    }
}

impl From<Disconnect> for ProtocolFault {
    fn from(disconnect: Disconnect) -> ProtocolFault {
        match disconnect {
            Disconnect::Ended => ProtocolFault::Ended,
            Disconnect::Silent { limit } => ProtocolFault::Silent { limit },
        }
    }
}

impl fmt::Display for ProtocolFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProtocolFault::NotStarted(cause) => write!(f, "could not be started: {cause}"),
            ProtocolFault::Ended => f.write_str("ended before it answered"),
            ProtocolFault::Silent { limit } => write!(f, "gave no answer within {limit:?}"),
            ProtocolFault::NeverReady { limit } => write!(f, "was not ready {limit:?} after its start"),
        }
    }
}
