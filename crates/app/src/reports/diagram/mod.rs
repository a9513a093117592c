//! Board diagrams in the style of printed books, as SVG and as plain text.
//!
//! Knows how to draw, not the rules: stones and signs stay where they are
//! put. Only the moves before the first numbered one are played out, so that
//! captured stones are off the board.
//!
//! ```text
//! let corner = Diagram::new(size)
//!     .with_moves(&moves, Numbering::all())
//!     .with_label(point, "A")
//!     .with_region(Region::upper_right(size, 10));
//! page.push_str(&corner.to_svg());
//! ```

mod asides;
mod region;
mod svg;
mod text;

use std::collections::BTreeMap;

use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_games::{GameRecord, Move};

use crate::reports::diagram::region::Side;

pub use crate::reports::diagram::region::Region;

/// What to draw.
///
/// A point has at most one stone and one sign (number, label or mark); the
/// later sign replaces the earlier. Whatever is off the board is skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    size: BoardSize,
    region: Region,
    coordinates: Coordinates,
    title: String,
    stones: BTreeMap<Point, Color>,
    signs: BTreeMap<Point, Sign>,
    shades: BTreeMap<Point, Shade>,
    last_move: Option<Point>,
    /// Passes, and moves on points that already had a stone.
    below_board: Vec<NumberedMove>,
}

/// Whether letters and numbers are shown around the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coordinates {
    /// At the edges of the board; on the left and below where none is in sight.
    Shown,
    /// Nowhere.
    Hidden,
}

/// A shape drawn on a stone or an empty point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A triangle, `^` in text.
    Triangle,
    /// A square, `#` in text.
    Square,
    /// A circle, `@` in text.
    Circle,
    /// A cross, `*` in text.
    Cross,
}

/// Which moves of a line have numbers, and the first number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numbering {
    n_plain: usize,
    first: usize,
}

impl Numbering {
    /// Every move, from 1.
    pub fn all() -> Numbering {
        Numbering::after(0)
    }

    /// The moves after the first `n_plain`, with their numbers in the line.
    pub fn after(n_plain: usize) -> Numbering {
        Numbering { n_plain, first: n_plain.saturating_add(1) }
    }

    /// The moves after the first `n_plain`, numbered from 1.
    pub fn from_one_after(n_plain: usize) -> Numbering {
        Numbering { n_plain, first: 1 }
    }

    /// No move: the position alone.
    pub fn none() -> Numbering {
        Numbering::after(usize::MAX)
    }
}

/// What is drawn on a stone or an empty point.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sign {
    Number(usize),
    Label(String),
    Mark(Mark),
}

/// Whose point it probably is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shade {
    owner: Color,
    /// How probably, in percent.
    percent: u8,
}

/// A move that is listed below the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NumberedMove {
    number: usize,
    color: Color,
    /// `None` is a pass.
    point: Option<Point>,
}

impl Diagram {
    /// An empty board, all of it, with coordinates.
    pub fn new(size: BoardSize) -> Diagram {
        Diagram {
            size,
            region: Region::all(size),
            coordinates: Coordinates::Shown,
            title: format!("Go diagram, {size}x{size}"),
            stones: BTreeMap::new(),
            signs: BTreeMap::new(),
            shades: BTreeMap::new(),
            last_move: None,
            below_board: Vec::new(),
        }
    }

    /// A game's setup stones and main line.
    pub fn of_game(game: &GameRecord, numbering: Numbering) -> Diagram {
        Diagram::new(game.size)
            .with_stones(Color::Black, &game.setup_black)
            .with_stones(Color::White, &game.setup_white)
            .with_moves(&game.moves, numbering)
    }

    /// Puts stones without numbers, replacing any on the same points.
    pub fn with_stones(mut self, color: Color, points: &[Point]) -> Diagram {
        let on_board = points.iter().filter(|p| self.size.has(**p));
        self.stones.extend(on_board.map(|&p| (p, color)));
        self
    }

    /// Puts a stone with a number.
    ///
    /// If the point already has a stone, the stone stays as it is, and the move
    /// is listed below the board: "7 at 3". A stone without a sign then gets a
    /// small letter to refer to it: "7 at a".
    pub fn with_numbered(mut self, color: Color, point: Point, number: usize) -> Diagram {
        if !self.size.has(point) {
            return self;
        }
        if self.stones.contains_key(&point) {
            self.letter(point);
            return self.with_below_board(color, Some(point), number);
        }
        self.stones.insert(point, color);
        self.signs.insert(point, Sign::Number(number));
        self
    }

    /// Gives a point without a sign the first small letter that no label has.
    fn letter(&mut self, point: Point) {
        let is_free = |letter: &String| {
            let is_it = |sign: &Sign| matches!(sign, Sign::Label(text) if text == letter);
            !self.signs.values().any(is_it)
        };
        let letter = ('a'..='z').map(String::from).find(is_free);
        if let (false, Some(letter)) = (self.signs.contains_key(&point), letter) {
            self.signs.insert(point, Sign::Label(letter));
        }
    }

    /// Lists a numbered pass below the board.
    pub fn with_pass(self, color: Color, number: usize) -> Diagram {
        self.with_below_board(color, None, number)
    }

    fn with_below_board(mut self, color: Color, point: Option<Point>, number: usize) -> Diagram {
        self.below_board.push(NumberedMove { number, color, point });
        self
    }

    /// Plays moves after the stones put so far.
    ///
    /// Moves without numbers are played out; one on a point with a stone is
    /// skipped. Numbered moves capture nothing, as in printed books: the reader
    /// sees every move and imagines the captures.
    pub fn with_moves(mut self, moves: &[Move], numbering: Numbering) -> Diagram {
        let (plain, numbered) = moves.split_at(numbering.n_plain.min(moves.len()));
        self.play_out(plain);
        let numbers = numbering.first..;
        numbered.iter().zip(numbers).fold(self, |diagram, (m, number)| match m.point {
            Some(point) => diagram.with_numbered(m.color, point, number),
            None => diagram.with_pass(m.color, number),
        })
    }

    fn play_out(&mut self, moves: &[Move]) {
        let mut board = Board::new(self.size);
        // Points hold one stone each and are on the board, so none is refused.
        for (&point, &color) in &self.stones {
            let _ = board.place(color, point);
        }
        for m in moves {
            // Whether a ko may be retaken was settled by those who played.
            board.pass();
            let _ = m.play_on(&mut board);
        }
        let stones = self.size.points();
        self.stones = stones.filter_map(|p| Some((p, board.stone(p)?))).collect();
    }

    /// Writes a short text, such as A, on a stone or in place of the lines.
    ///
    /// Characters that neither SVG nor a terminal may hold become U+FFFD.
    /// Past three letters the text gets small.
    pub fn with_label(mut self, point: Point, text: &str) -> Diagram {
        self.signs.insert(point, Sign::Label(printable(text)));
        self
    }

    /// Draws a shape on a stone or in place of the lines.
    pub fn with_mark(mut self, point: Point, mark: Mark) -> Diagram {
        self.signs.insert(point, Sign::Mark(mark));
        self
    }

    /// Shades a point as its probable owner's: with a small square, the larger the more probable.
    ///
    /// Points with a sign, and stones of the owner, are not shaded. Text diagrams show no shades.
    pub fn with_shade(mut self, point: Point, owner: Color, percent: u8) -> Diagram {
        if self.size.has(point) {
            self.shades.insert(point, Shade { owner, percent: percent.min(100) });
        }
        self
    }

    /// Draws a ring around the stone just played; its sign stays.
    pub fn with_last_move(mut self, point: Point) -> Diagram {
        self.last_move = Some(point);
        self
    }

    /// Shows a part of the board.
    pub fn with_region(mut self, region: Region) -> Diagram {
        self.region = region.cut_to(self.size);
        self
    }

    /// Shows or hides the coordinates.
    pub fn with_coordinates(mut self, coordinates: Coordinates) -> Diagram {
        self.coordinates = coordinates;
        self
    }

    /// Sets the title, which screen readers read. Text diagrams have no title.
    pub fn with_title(mut self, title: &str) -> Diagram {
        self.title = printable(title);
        self
    }

    /// The diagram as an SVG image: a file of its own, or a part of a page.
    ///
    /// It has no ids, so a page may hold any number. The same diagram always
    /// gives the same bytes.
    pub fn to_svg(&self) -> String {
        svg::draw(self)
    }

    /// The diagram as lines of text for a fixed-width font.
    ///
    /// `X` is Black, `O` White, `+` a star point. A sign follows its
    /// stone (`X7`, `Oa`, `X^`), on an empty point alone (`A`); the last move
    /// is in parentheses. Cells are as wide as the widest, stones below stones.
    pub fn to_text(&self) -> String {
        text::draw(self)
    }

    fn has_coordinates(&self, side: Side) -> bool {
        let is_edge = |side| self.region.is_edge(self.size, side);
        let is_fallback = matches!(side, Side::Left | Side::Bottom) && !is_edge(side.opposite());
        self.coordinates == Coordinates::Shown && (is_edge(side) || is_fallback)
    }
}

/// The letter that players call a column by.
fn column_name(x: u8, size: BoardSize) -> String {
    Point::new(x, 0).name(size).chars().take(1).collect()
}

/// The number that players call a row by.
fn row_name(y: u8, size: BoardSize) -> u8 {
    size.get() - y
}

fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\u{FFFE}' | '\u{FFFF}' => '\u{FFFD}',
            c if c.is_control() => '\u{FFFD}',
            c => c,
        })
        .collect()
}
