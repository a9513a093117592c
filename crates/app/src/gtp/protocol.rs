//! Lines of the protocol: parses requests and writes answers.

use std::io::{self, Write};
use std::str::FromStr;
use std::time::Duration;

use tejun_games::go::{BoardSize, Color, Point};

use crate::gtp::analysis::Analysis;

/// A line without control characters and comments, which the protocol ignores. Tabs become spaces.
pub fn clean(line: &str) -> String {
    let line = line.split('#').next().unwrap_or("");
    line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect()
}

/// A parsed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request<'l> {
    /// The number to repeat in the answer; empty if there is none.
    pub id: &'l str,
    /// The command.
    pub name: &'l str,
    /// The arguments.
    pub arguments: Vec<&'l str>,
}

impl<'l> Request<'l> {
    /// Parses a clean line; `None` if it is empty.
    pub fn parse(line: &'l str) -> Option<Request<'l>> {
        let mut parts = line.split_whitespace().peekable();
        parts.peek()?;
        let id = parts.next_if(|part| part.bytes().all(|b| b.is_ascii_digit())).unwrap_or("");
        Some(Request { id, name: parts.next().unwrap_or(""), arguments: parts.collect() })
    }

    /// The color at an index of the arguments.
    ///
    /// # Errors
    /// If it is missing or invalid.
    pub fn color(&self, index: usize) -> Result<Color, Refused> {
        self.arguments.get(index).and_then(|word| parse_color(word)).ok_or(Refused::SYNTAX)
    }

    /// The move at an index of the arguments.
    ///
    /// # Errors
    /// If it is missing or invalid.
    pub fn vertex(&self, index: usize, size: BoardSize) -> Result<Vertex, Refused> {
        let word = self.arguments.get(index).ok_or(Refused::SYNTAX)?;
        match word.to_ascii_lowercase().as_str() {
            "pass" => Ok(Vertex::Pass),
            "resign" => Ok(Vertex::Resign),
            _ => Point::parse(word, size).map(Vertex::Point).map_err(|_| Refused::SYNTAX),
        }
    }

    /// The number at an index of the arguments.
    ///
    /// # Errors
    /// If it is missing or invalid.
    pub fn number<N: FromStr>(&self, index: usize) -> Result<N, Refused> {
        self.arguments.get(index).and_then(|word| word.parse().ok()).ok_or(Refused::SYNTAX)
    }
}

/// Parses `b`, `white` and so on, in upper or lower case.
pub fn parse_color(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// A move in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vertex {
    /// A stone.
    Point(Point),
    /// A pass.
    Pass,
    /// Resignation.
    Resign,
}

impl Vertex {
    /// Its name on a board.
    pub fn name(self, size: BoardSize) -> String {
        match self {
            Vertex::Point(point) => point.name(size),
            Vertex::Pass => "pass".into(),
            Vertex::Resign => "resign".into(),
        }
    }
}

/// The name of a move; `None` is a pass.
pub fn move_name(point: Option<Point>, size: BoardSize) -> String {
    point.map_or(Vertex::Pass, Vertex::Point).name(size)
}

/// Why a command was refused; the wording is the protocol's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub &'static str);

impl Refused {
    /// An argument is missing or invalid.
    pub const SYNTAX: Refused = Refused("syntax error");
}

/// The answer to a command.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A text, in which no empty line may occur.
    Text(String),
    /// A line that is repeated until the next line arrives.
    Stream {
        /// The line.
        text: String,
        /// The interval; `None` reports it once.
        interval: Option<Duration>,
    },
    /// Lines of a search that continues meanwhile.
    Analysis(Analysis),
    /// An empty answer, after which the engine ends.
    Quit,
}

/// Writes an answer and the empty line after it.
///
/// # Errors
/// If it cannot be written.
pub fn write_answer(output: &mut impl Write, sign: char, id: &str, text: &str) -> io::Result<()> {
    let blank = if text.is_empty() || text.starts_with('\n') { "" } else { " " };
    write!(output, "{sign}{id}{blank}{text}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<(&str, &str, &[&str])>) {
        let line = clean(line);
        let found = Request::parse(&line);
        let found = found.as_ref().map(|r| (r.id, r.name, &r.arguments[..]));
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_are_split_as_the_standard_requires() {
        check("name\n", Some(("", "name", &[])));
        check("12 play\tb  Q16 # a comment\r\n", Some(("12", "play", &["b", "Q16"])));
        check("\u{7}na\u{0}me\u{7f}", Some(("", "name", &[])));
        check("5", Some(("5", "", &[])));
        check(" 007 12 13", Some(("007", "12", &["13"])));
        check("# only text", None);
        check(" \t\r\n", None);
    }

    #[test]
    fn colors_moves_and_numbers_are_read_in_either_case() {
        let line = "x B wHiTe q16 PASS resign I5 7.5 -1";
        let request = Request::parse(line).expect("a request");
        let size = BoardSize::NINETEEN;
        assert_eq!((request.color(0), request.color(1)), (Ok(Color::Black), Ok(Color::White)));
        assert_eq!(request.color(2), Err(Refused::SYNTAX));
        assert_eq!(request.vertex(2, size), Ok(Vertex::Point(Point::new(15, 3))));
        assert_eq!((request.vertex(3, size), request.vertex(4, size)), (Ok(Vertex::Pass), Ok(Vertex::Resign)));
        assert_eq!(request.vertex(5, size), Err(Refused::SYNTAX));
        assert_eq!((request.number(6), request.number::<u32>(7)), (Ok(7.5), Err(Refused::SYNTAX)));
        assert_eq!(request.number::<f64>(8), Err(Refused::SYNTAX));
    }
}
