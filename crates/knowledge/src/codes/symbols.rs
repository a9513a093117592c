//! The codes: their symbols and the meaning of each.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use tejun_games::go::{BoardSize, Color, Point};
use tejun_index::Symbol;

use crate::codes::frame::Frame;
use crate::codes::surroundings;

/// A way to write a move as a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// ES of Nakamura 2002: the smaller and the larger distance from the move before.
    Simple,
    /// ER of Nakamura 2002: the step from the move before, in axes that turn with the board.
    Relative,
    /// Ep of Kajiyama and Nakamura: the smaller and the larger distance from the center.
    Position,
    /// Er of Kajiyama and Nakamura: like [`Code::Simple`], but the first move is relative to the center.
    Distance,
    /// Es of Kajiyama and Nakamura: the stones on the four neighbors.
    Surroundings,
}

/// A play elsewhere (手抜き, *tenuki*), in texts that follow one fight only.
pub const TENUKI: Symbol = Symbol(8191);

/// Symbols of first moves start here, above all relative ones.
const FIRST: u16 = 4096;
/// Largest step along an axis, on the largest board.
const REACH: i16 = 24;
const SPAN: i16 = 2 * REACH + 1;

/// An unordered pair as a number.
fn pair(a: u8, b: u8) -> u16 {
    let (small, large) = (a.min(b) as u16, a.max(b) as u16);
    large * (large + 1) / 2 + small
}

fn unpair(number: u16) -> (u16, u16) {
    let large = (0..).find(|l| (l + 1) * (l + 2) / 2 > number).expect("triangular numbers grow");
    (number - large * (large + 1) / 2, large)
}

fn unstep(symbol: Symbol) -> (i16, i16) {
    (symbol.0 as i16 / SPAN - REACH, symbol.0 as i16 % SPAN - REACH)
}

impl Code {
    /// All codes.
    pub const ALL: [Code; 5] = [Code::Simple, Code::Relative, Code::Position, Code::Distance, Code::Surroundings];

    /// The name used in commands and files.
    pub fn name(self) -> &'static str {
        match self {
            Code::Simple => "simple",
            Code::Relative => "relative",
            Code::Position => "position",
            Code::Distance => "distance",
            Code::Surroundings => "surroundings",
        }
    }

    /// The symbol of a move that follows another.
    #[inline]
    pub fn step_symbol(self, frame: Frame, from: Point, to: Point) -> Symbol {
        let (dx, dy) = (from.x().abs_diff(to.x()), from.y().abs_diff(to.y()));
        match self {
            Code::Relative => {
                let (x, y) = frame.step(from, to);
                Symbol(((x as i16 + REACH) * SPAN + y as i16 + REACH) as u16)
            }
            _ => Symbol(pair(dx, dy)),
        }
    }

    /// The symbol of a first move: the distances to the nearest corner.
    pub fn first_symbol(point: Point, size: BoardSize) -> Symbol {
        let last = size.get() - 1;
        let near = |c: u8| c.min(last - c);
        Symbol(FIRST + pair(near(point.x()), near(point.y())))
    }

    /// The symbol of a position on the board: the distances to the center, halves rounded up.
    pub fn position_symbol(point: Point, size: BoardSize) -> Symbol {
        let last = size.get() - 1;
        let far = |c: u8| (2 * c).abs_diff(last).div_ceil(2);
        Symbol(pair(far(point.x()), far(point.y())))
    }

    /// Whether a symbol is that of a first move; relative symbols never equal these.
    pub fn is_first(symbol: Symbol) -> bool {
        symbol.0 >= FIRST && symbol != TENUKI
    }

    /// The distance from the move before along the longer axis; `None` if the symbol does not contain it.
    pub fn step_length(self, symbol: Symbol) -> Option<u16> {
        if symbol.0 >= FIRST {
            return None;
        }
        match self {
            Code::Simple | Code::Distance => Some(unpair(symbol.0).1),
            Code::Relative => {
                let (x, y) = unstep(symbol);
                Some(x.unsigned_abs().max(y.unsigned_abs()))
            }
            Code::Position | Code::Surroundings => None,
        }
    }

    /// Converts a symbol of ES or ER to the ES symbol of the same move; others are returned unchanged.
    pub fn without_direction(self, symbol: Symbol) -> Symbol {
        if self != Code::Relative || symbol.0 >= FIRST {
            return symbol;
        }
        let (x, y) = unstep(symbol);
        Symbol(pair(x.unsigned_abs() as u8, y.unsigned_abs() as u8))
    }

    /// Every symbol that can occur on this board, in order.
    ///
    /// On 19 by 19: ES 189 relative and 55 first, ER 738 and 55, each with one
    /// more for a move onto the point of the move before; Ep 55, Er 190, Es 45.
    pub fn alphabet(self, size: BoardSize) -> Vec<Symbol> {
        let mut symbols = BTreeSet::new();
        let points: Vec<Point> = size.points().collect();
        match self {
            Code::Position => symbols.extend(points.iter().map(|&p| Code::position_symbol(p, size))),
            Code::Surroundings => symbols.extend(surroundings::all_symbols()),
            Code::Simple | Code::Relative | Code::Distance => {
                for &from in &points {
                    for frame in Frame::all().map(|before| Frame::at(from, size, before)) {
                        symbols.extend(points.iter().map(|&to| self.step_symbol(frame, from, to)));
                    }
                }
                if self != Code::Distance {
                    symbols.extend(points.iter().map(|&p| Code::first_symbol(p, size)));
                }
            }
        }
        symbols.into_iter().collect()
    }

    /// A description of a symbol.
    pub fn describe(self, symbol: Symbol) -> String {
        if symbol == TENUKI {
            return "a play elsewhere".into();
        }
        if Code::is_first(symbol) {
            let (a, b) = unpair(symbol.0 - FIRST);
            return format!("first move on the {} and {} lines", ordinal(a + 1), ordinal(b + 1));
        }
        match self {
            Code::Simple | Code::Distance => match unpair(symbol.0) {
                (0, 0) => "on the point of the move before".into(),
                (0, n) => format!("{n} away in a line"),
                (a, b) => format!("{a} and {b} away"),
            },
            Code::Relative => {
                let (x, y) = unstep(symbol);
                let along = |n: i16, toward: &str, back: &str| match n {
                    0 => None,
                    n if n > 0 => Some(format!("{n} {toward}")),
                    n => Some(format!("{} {back}", -n)),
                };
                let parts = [
                    along(x, "toward the center line", "from the center line"),
                    along(y, "toward the center", "toward the edge"),
                ];
                let parts: Vec<String> = parts.into_iter().flatten().collect();
                if parts.is_empty() { "on the point of the move before".into() } else { parts.join(", ") }
            }
            Code::Position => {
                let (a, b) = unpair(symbol.0);
                format!("{a} and {b} from the center")
            }
            Code::Surroundings => surroundings::describe(symbol),
        }
    }

    /// The symbol of the stones around a point, for the side to move.
    pub(crate) fn surroundings_symbol(board: &tejun_games::go::Board, color: Color, point: Point) -> Symbol {
        surroundings::symbol(board, color, point)
    }
}

fn ordinal(n: u16) -> String {
    let ending = match (n % 10, n % 100) {
        (1, teen) if teen != 11 => "st",
        (2, teen) if teen != 12 => "nd",
        (3, teen) if teen != 13 => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown code; expected simple, relative, position, distance or surroundings")]
pub struct ParseCodeError;

impl FromStr for Code {
    type Err = ParseCodeError;

    fn from_str(name: &str) -> Result<Code, ParseCodeError> {
        Code::ALL.into_iter().find(|code| code.name() == name).ok_or(ParseCodeError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(code: Code, size: BoardSize) -> (usize, usize) {
        let alphabet = code.alphabet(size);
        let n_first = alphabet.iter().filter(|s| Code::is_first(**s)).count();
        (alphabet.len() - n_first, n_first)
    }

    /// The sizes of Nakamura 2002 and of Kajiyama and Nakamura; in ES and ER plus one for a move onto the
    /// point of the move before.
    #[test]
    fn alphabets_have_the_papers_sizes() {
        let size = BoardSize::NINETEEN;
        assert_eq!(counts(Code::Simple, size), (189 + 1, 55));
        assert_eq!(counts(Code::Relative, size), (738 + 1, 55));
        assert_eq!(counts(Code::Position, size), (55, 0));
        assert_eq!(counts(Code::Distance, size), (190, 0));
        assert_eq!(counts(Code::Surroundings, size), (45, 0));
    }

    #[test]
    fn symbols_have_descriptions() {
        let size = BoardSize::NINETEEN;
        let (from, to) = (Point::new(3, 6), Point::new(2, 8));
        let frame = Frame::at(from, size, Frame::FIRST);
        let describe = |code: Code| code.describe(code.step_symbol(frame, from, to));
        assert_eq!(describe(Code::Relative), "2 toward the center line, 1 toward the edge");
        assert_eq!(describe(Code::Simple), "1 and 2 away");
        let length = |code: Code| code.step_length(code.step_symbol(frame, from, to));
        let relative = Code::Relative.step_symbol(frame, from, to);
        assert_eq!(Code::Relative.without_direction(relative), Code::Simple.step_symbol(frame, from, to));
        assert_eq!((length(Code::Relative), length(Code::Simple)), (Some(2), Some(2)));
        assert_eq!((Code::Relative.step_length(TENUKI), Code::is_first(TENUKI)), (None, false));
        let first = Code::first_symbol(Point::new(15, 3), size);
        assert_eq!(Code::Simple.describe(first), "first move on the 4th and 4th lines");
        assert_eq!("relative".parse(), Ok(Code::Relative));
        assert_eq!("xx".parse::<Code>(), Err(ParseCodeError));
    }

    /// The paper's example: (7,5) after (5,4) is c(1,2).
    #[test]
    fn simple_code_has_no_direction() {
        let symbol = |x: u8, y: u8| Code::Simple.step_symbol(Frame::FIRST, Point::new(4, 3), Point::new(x, y));
        assert_eq!(symbol(6, 4), Symbol(pair(1, 2)));
        assert_eq!(symbol(6, 4), symbol(5, 1));
    }
}
