//! Shogi and chess positions as SVG and as text.
//!
//! Knows no rules: pieces stand where an SFEN (shogi) or FEN (chess) puts
//! them, two kings or none. Pictures have no ids, scripts or style sheets, so
//! that any number of them share a page, and equal texts give equal bytes.

mod chess;
mod reading;
mod sheet;
mod shogi;

pub use crate::reports::boards::chess::svg::chess_svg;
pub use crate::reports::boards::chess::text::chess_text;
pub use crate::reports::boards::reading::{Expected, NoPosition};
pub use crate::reports::boards::shogi::svg::shogi_svg;
pub use crate::reports::boards::shogi::text::shogi_text;

/// Whose pieces, or whose turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Who moves first in shogi, up the board; second in chess, down the board.
    Black,
    /// The other side.
    White,
}

impl Side {
    pub(crate) const BOTH: [Side; 2] = [Side::Black, Side::White];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Side::Black => "Black",
            Side::White => "White",
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Texts, some of them close to positions.
    fn texts() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            "[1-9plnsgbrkPLNSGBRKq+/ ~é-]{0,90}",
            "(9/){8}[1-9P+k]{1,9} [bwx] [-0-9PpRrK]{0,12} ?[0-9]{0,30}",
            "(8/){7}[1-8Pk]{1,8} [bwx][ -~]{0,9}",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_text_panics(text in texts(), last_move in prop_oneof![any::<String>(), "[1-9a-iPK*+]{0,5}"]) {
            prop_assert_eq!(shogi_svg(&text, None).is_ok(), shogi_text(&text).is_ok());
            prop_assert_eq!(chess_svg(&text, None).is_ok(), chess_text(&text).is_ok());
            for drawn in [shogi_svg(&text, Some(&last_move)), chess_svg(&text, Some(&last_move))] {
                if let Err(refused) = drawn {
                    let columns = text.chars().count().max(last_move.chars().count()) + 1;
                    prop_assert!((1..=columns).contains(&refused.column));
                }
            }
            let _ = shogi_svg(shogi::START, Some(&last_move));
            let _ = chess_svg(chess::START, Some(&last_move));
        }
    }
}
