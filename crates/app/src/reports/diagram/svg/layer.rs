//! Stones and signs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tejun_games::go::Color;
use unicode_width::UnicodeWidthStr;

use crate::reports::diagram::svg::{INK, Spot, WOOD, circles, group, text};
use crate::reports::diagram::{Mark, Sign};
use crate::reports::writing::short;

const STONE_RADIUS: f64 = 14.2;
const WHITE: &str = "#fff";

// The palette of Okabe and Ito (2008), which color-blind readers can tell
// apart: the deep ones for light grounds, the bright ones for black stones.
const ORANGE: &str = "#e69f00";
const SKY_BLUE: &str = "#56b4e9";
const GREEN: &str = "#009e73";
const YELLOW: &str = "#f0e442";
const BLUE: &str = "#0072b2";
const VERMILION: &str = "#d55e00";
const PURPLE: &str = "#cc79a7";

/// What a sign is drawn on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ground {
    Stone(Color),
    Wood,
}

/// Stones and signs, sorted so that equal ones share their attributes.
#[derive(Default)]
pub(crate) struct Layer {
    black: Vec<Spot>,
    white: Vec<Spot>,
    /// Where board lines make way for a sign.
    gaps: Vec<Spot>,
    /// By ground and tenths of the font size.
    texts: BTreeMap<(Ground, u16), String>,
    /// Path data by color.
    marks: BTreeMap<&'static str, String>,
    rings: String,
    /// Squares of Black's points and of White's.
    shades: [String; 2],
}

impl Layer {
    pub(crate) fn add_stone(&mut self, spot: Spot, color: Color) {
        match color {
            Color::Black => self.black.push(spot),
            Color::White => self.white.push(spot),
        }
    }

    pub(crate) fn add_sign(&mut self, spot: Spot, ground: Ground, sign: &Sign) {
        if ground == Ground::Wood {
            self.gaps.push(spot);
        }
        match sign {
            Sign::Number(number) => self.add_text(spot, ground, &number.to_string()),
            Sign::Label(label) => self.add_text(spot, ground, label),
            Sign::Mark(mark) => {
                let paths = self.marks.entry(mark_color(*mark, ground)).or_default();
                paths.push_str(&mark_path(spot, *mark));
            }
        }
    }

    fn add_text(&mut self, spot: Spot, ground: Ground, label: &str) {
        let font_size = font_size(label, ground);
        let tenths = (font_size * 10.0) as u16;
        let texts = self.texts.entry((ground, tenths)).or_default();
        texts.push_str(&text(spot, font_size, label));
    }

    pub(crate) fn add_ring(&mut self, (x, y): Spot, ground: Ground) {
        let color = match ground {
            Ground::Stone(Color::Black) => ORANGE,
            _ => VERMILION,
        };
        let _ = writeln!(
            self.rings,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"13\" fill=\"none\" \
             stroke=\"{color}\" stroke-width=\"2.2\"/>"
        );
    }

    /// A square that says whose point it is; the size says how probably, so that colors need not.
    pub(crate) fn add_shade(&mut self, (x, y): Spot, owner: Color, percent: u8) {
        let side = short(5.0 + 0.08 * f64::from(percent));
        let (left, top) = (short(x - side / 2.0), short(y - side / 2.0));
        let shades = &mut self.shades[usize::from(owner == Color::White)];
        let _ = writeln!(shades, "<rect x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\"/>");
    }

    pub(crate) fn draw(self) -> String {
        let stones = |spots, fill| {
            let attributes = format!("fill=\"{fill}\" stroke=\"{INK}\"");
            circles(spots, STONE_RADIUS, &attributes)
        };
        let mut svg = circles(self.gaps, 12.0, &format!("fill=\"{WOOD}\""));
        svg.push_str(&stones(self.black, INK));
        svg.push_str(&stones(self.white, WHITE));
        let [of_black, of_white] = &self.shades;
        svg.push_str(&group(&format!("fill=\"{INK}\" fill-opacity=\"0.75\""), of_black));
        svg.push_str(&group(&format!("fill=\"{WHITE}\" stroke=\"{INK}\" stroke-opacity=\"0.35\""), of_white));
        for ((ground, tenths), texts) in self.texts {
            let fill = match ground {
                Ground::Stone(Color::Black) => format!("fill=\"{WHITE}\""),
                Ground::Stone(Color::White) => format!("fill=\"{INK}\""),
                Ground::Wood => format!("fill=\"{BLUE}\" font-weight=\"bold\""),
            };
            let font_size = f64::from(tenths) / 10.0;
            svg.push_str(&group(&format!("font-size=\"{font_size}\" {fill}"), &texts));
        }
        for (color, paths) in self.marks {
            let _ = writeln!(svg, "<path d=\"{paths}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2.5\"/>");
        }
        svg + &self.rings
    }
}

/// As large as the stone, or the gap in the lines, has room for.
fn font_size(label: &str, ground: Ground) -> f64 {
    // Digits are narrower than capitals.
    let is_number = label.bytes().all(|c| c.is_ascii_digit());
    match label.width() {
        0 | 1 if ground == Ground::Wood => 20.0,
        0 | 1 => 18.0,
        2 => 16.5,
        3 if is_number => 14.0,
        width => 36.0 / width as f64,
    }
}

fn mark_color(mark: Mark, ground: Ground) -> &'static str {
    let is_on_black = ground == Ground::Stone(Color::Black);
    match mark {
        Mark::Triangle if is_on_black => ORANGE,
        Mark::Triangle => VERMILION,
        Mark::Square if is_on_black => SKY_BLUE,
        Mark::Square => BLUE,
        Mark::Circle if is_on_black => YELLOW,
        Mark::Circle => GREEN,
        Mark::Cross if is_on_black => PURPLE,
        Mark::Cross => INK,
    }
}

fn mark_path((x, y): Spot, mark: Mark) -> String {
    let from = |dx: f64, dy: f64| format!("M{} {}", short(x + dx), short(y + dy));
    match mark {
        Mark::Triangle => from(0.0, -8.2) + "l7 12.2h-14z",
        Mark::Square => from(-6.0, -6.0) + "h12v12h-12z",
        Mark::Circle => from(-7.0, 0.0) + "a7 7 0 1 0 14 0a7 7 0 1 0-14 0z",
        Mark::Cross => from(-6.0, -6.0) + "l12 12m0-12l-12 12",
    }
}
