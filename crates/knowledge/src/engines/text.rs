//! Text that engines print: shown safely, and read as moves and numbers.

use std::fmt;

use tejun_games::go::{Board, Point};

/// Longest text of an engine that a message shows, in characters.
const SHOWN_LEN: usize = 120;

/// A text of an engine made fit for a message: shortened, control characters escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    text: String,
}

impl Excerpt {
    /// The beginning of the text.
    pub(crate) fn new(text: &str) -> Excerpt {
        let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
        let mut shown: String = text.chars().take(SHOWN_LEN).map(escape).collect();
        if text.chars().nth(SHOWN_LEN).is_some() {
            shown.push('…');
        }
        Excerpt { text: shown }
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.text)
    }
}

/// A move as engines write it: a point of the board, or `None` for a pass; nothing for any other word.
pub(crate) fn parse_move(word: &str, board: &Board) -> Option<Option<Point>> {
    if word.eq_ignore_ascii_case("pass") {
        return Some(None);
    }
    Point::parse(word, board.size()).ok().map(Some)
}

/// A move that can be played now: a pass or an empty point.
pub(crate) fn parse_candidate(word: &str, board: &Board) -> Option<Option<Point>> {
    parse_move(word, board).filter(|point| point.is_none_or(|point| board.is_empty(point)))
}

/// A share from 0 to 1; nothing for any other number.
pub(crate) fn share(number: f64) -> Option<f64> {
    (0.0..=1.0).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tejun_games::go::{BoardSize, Color};

    #[test]
    fn shown_text_is_short_and_has_no_control_characters() {
        assert_eq!(Excerpt::new("a\tb\u{1b}[31m 囲").to_string(), "\"a\\tb\\u{1b}[31m 囲\"");
        assert_eq!(Excerpt::new(&"囲".repeat(121)).to_string().chars().count(), 120 + 3);
        assert!(!Excerpt::new(&"x".repeat(120)).to_string().contains('…'));
    }

    #[test]
    fn words_that_are_not_moves_are_refused() {
        let mut board = Board::new(BoardSize::new(9).expect("a size"));
        board.play(Color::Black, Point::new(4, 4)).expect("an empty board");
        assert_eq!(parse_candidate("PASS", &board), Some(None));
        assert_eq!(parse_candidate("e5", &board), None);
        assert_eq!(parse_move("e5", &board), Some(Some(Point::new(4, 4))));
        for word in ["", "resign", "K1", "A10", "A0", "I5", "NaN", "五5"] {
            assert_eq!(parse_move(word, &board), None, "{word}");
        }
    }
}
