//! Records of Go: the formats of servers as main lines, and SGF with all variations.

pub(crate) mod gib;
pub(crate) mod ngf;
pub(crate) mod sgf;
pub(crate) mod ugf;
