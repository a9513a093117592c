//! Moves as symbols, so that a game becomes a text.
//!
//! Each code defines its symbols and what each means to a player. A code knows
//! moves and boards, but no frequencies.
//!
//! | name | paper | a move is written as |
//! |---|---|---|
//! | [`Code::Simple`] | ES | distances to the move before, without direction |
//! | [`Code::Relative`] | ER | the same in axes that turn with the board |
//! | [`Code::Position`] | Ep | distances to the center |
//! | [`Code::Distance`] | Er | distances to the move before, the first to the center |
//! | [`Code::Surroundings`] | Es | the stones on the four neighbors |

mod encode;
mod frame;
mod surroundings;
mod symbols;

pub(crate) use encode::Encoder;
pub use encode::{Segment, encode, encode_line};
pub use frame::Frame;
pub use symbols::{Code, ParseCodeError, TENUKI};
pub use tejun_index::Symbol;
