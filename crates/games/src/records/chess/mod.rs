//! Records of chess: PGN, and the moves as it writes them.

pub(crate) mod pgn;

mod san;
