//! The rows of little stones below the board.
//!
//! They are laid out in the board's own units and drawn smaller.

use tejun_games::go::Color;
use unicode_width::UnicodeWidthStr;

use crate::reports::diagram::asides::{self, Aside, asides};
use crate::reports::diagram::svg::layer::{Ground, Layer};
use crate::reports::diagram::svg::{INK, Spot, group, text};
use crate::reports::diagram::{Diagram, Sign};
use crate::reports::writing::short;

const SCALE: f64 = 0.7;
const ROW_HEIGHT: f64 = 38.0;
const MARGIN: f64 = 12.0;
/// The space between two asides.
const SPACE: f64 = 24.0;
const FONT_SIZE: f64 = 19.0;

/// All asides of a diagram, laid out.
pub(crate) struct AsideRows {
    layer: Layer,
    words: String,
    /// In the units of the picture; 0 if there are no asides.
    pub(crate) height: f64,
}

enum Piece {
    Stone(Color, Sign),
    Word(String),
}

impl Piece {
    fn width(&self) -> f64 {
        match self {
            Piece::Stone(..) => 34.0,
            Piece::Word(word) => word.width() as f64 * 10.0 + 14.0,
        }
    }
}

impl AsideRows {
    /// Lays out the asides in rows as wide as the board.
    pub(crate) fn new(diagram: &Diagram, board_width: f64) -> AsideRows {
        let mut rows = AsideRows { layer: Layer::default(), words: String::new(), height: 0.0 };
        let right = board_width / SCALE - MARGIN;
        let (mut x, mut y) = (MARGIN, MARGIN + ROW_HEIGHT / 2.0);
        for aside in asides(diagram) {
            for unit in units(aside) {
                let width: f64 = unit.iter().map(Piece::width).sum();
                if x > MARGIN && x + width > right {
                    (x, y) = (MARGIN, y + ROW_HEIGHT);
                }
                for piece in unit {
                    let width = piece.width();
                    rows.add((x + width / 2.0, y), piece);
                    x += width;
                }
            }
            x += SPACE;
            rows.height = ((y + ROW_HEIGHT / 2.0 + MARGIN) * SCALE).ceil();
        }
        rows
    }

    fn add(&mut self, middle: Spot, piece: Piece) {
        match piece {
            Piece::Stone(color, sign) => {
                self.layer.add_stone(middle, color);
                self.layer.add_sign(middle, Ground::Stone(color), &sign);
            }
            Piece::Word(word) => self.words.push_str(&text(middle, FONT_SIZE, &word)),
        }
    }

    /// The rows with their upper left corner at a spot of the picture.
    pub(crate) fn draw(self, (left, top): Spot) -> String {
        let font = format!("font-size=\"{FONT_SIZE}\" fill=\"{INK}\"");
        let content = group(&font, &self.words) + &self.layer.draw();
        let (left, top) = (short(left), short(top));
        let shift = format!("transform=\"translate({left} {top}) scale({SCALE})\"");
        group(&shift, &content)
    }
}

/// The pieces of an aside, grouped where they must stay in the same row.
fn units(aside: Aside) -> Vec<Vec<Piece>> {
    let numbered = |(number, color)| vec![Piece::Stone(color, Sign::Number(number))];
    let mut units: Vec<Vec<Piece>> = aside.moves.into_iter().map(numbered).collect();
    if let Some(last) = units.last_mut() {
        match aside.place {
            asides::Place::Stone(color, sign) => {
                last.push(Piece::Word("at".to_string()));
                last.push(Piece::Stone(color, sign));
            }
            asides::Place::Named(name) => last.push(Piece::Word(format!("at {name}"))),
            asides::Place::Pass => last.push(Piece::Word("pass".to_string())),
        }
    }
    units
}
