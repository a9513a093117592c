//! Diagrams as SVG.
//!
//! Lines are `CELL` units apart and the upper left point shown is the origin,
//! so a point's place is a multiple of `CELL`. There are no ids, gradients or
//! style sheets: any number of diagrams share a page, and every renderer shows
//! them alike.

mod asides;
mod layer;

use std::fmt::Write as _;

use tejun_games::go::Point;

use crate::reports::diagram::region::Side;
use crate::reports::diagram::svg::asides::AsideRows;
use crate::reports::diagram::svg::layer::{Ground, Layer};
use crate::reports::diagram::{Diagram, column_name, row_name};
use crate::reports::writing::short;

const CELL: f64 = 30.0;
/// From an outer line to the middle of the coordinates.
const COORDINATE_DISTANCE: f64 = 27.0;

const WOOD: &str = "#f2d29a";
const PAPER: &str = "#fdf8ec";
const LINE: &str = "#4a3a1c";
const INK: &str = "#111";

/// A place in the picture, rightward and downward.
type Spot = (f64, f64);

/// The edges of the wood.
struct Frame {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

pub(crate) fn draw(diagram: &Diagram) -> String {
    let Frame { left, top, right, bottom } = frame(diagram);
    let width = right - left;
    let below = AsideRows::new(diagram, width);
    let height = bottom - top + below.height;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" \
         viewBox=\"{left} {top} {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" text-anchor=\"middle\" \
         font-family=\"Helvetica,Arial,Liberation Sans,sans-serif\">\n<title>{}</title>\n",
        escape(&diagram.title)
    );
    let mut sheet = |bottom: f64, fill: &str| {
        let height = bottom - top;
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
             rx=\"3\" fill=\"{fill}\"/>"
        );
    };
    // The rows below have a ground of their own, for pages that are dark.
    if below.height > 0.0 {
        sheet(bottom + below.height, PAPER);
    }
    sheet(bottom, WOOD);
    svg.push_str(&lines(diagram));
    svg.push_str(&coordinates(diagram));
    svg.push_str(&stones_and_signs(diagram));
    svg.push_str(&below.draw((left, bottom)));
    svg.push_str("</svg>\n");
    svg
}

fn frame(diagram: &Diagram) -> Frame {
    let margin = |side| {
        let width = if diagram.has_coordinates(side) {
            COORDINATE_DISTANCE + 12.0
        } else if diagram.region.is_edge(diagram.size, side) {
            22.0
        } else {
            CELL / 2.0
        };
        // With half a unit more, thin lines fall on whole pixels.
        width + 0.5
    };
    let (last_x, last_y) = last_spot(diagram);
    Frame {
        left: -margin(Side::Left),
        top: -margin(Side::Top),
        right: last_x + margin(Side::Right),
        bottom: last_y + margin(Side::Bottom),
    }
}

fn spot(diagram: &Diagram, point: Point) -> Spot {
    let x = point.x() - diagram.region.columns().start();
    let y = point.y() - diagram.region.rows().start();
    (f64::from(x) * CELL, f64::from(y) * CELL)
}

/// Where the lower right point is.
fn last_spot(diagram: &Diagram) -> Spot {
    let x = *diagram.region.columns().end();
    let y = *diagram.region.rows().end();
    spot(diagram, Point::new(x, y))
}

/// Board lines, the heavier edges of the board, and star points.
fn lines(diagram: &Diagram) -> String {
    let is_edge = |side| diagram.region.is_edge(diagram.size, side);
    // Where the board continues, the lines extend by half a cell.
    let beyond = |side| if is_edge(side) { 0.0 } else { CELL / 2.0 };
    let (last_x, last_y) = last_spot(diagram);
    let (left, right) = (0.0 - beyond(Side::Left), last_x + beyond(Side::Right));
    let (top, bottom) = (0.0 - beyond(Side::Top), last_y + beyond(Side::Bottom));
    let row = |y: f64| format!("M{left} {y}H{right}");
    let column = |x: f64| format!("M{x} {top}V{bottom}");
    let rows = (0..diagram.region.rows().len()).map(|i| row(i as f64 * CELL));
    let columns = (0..diagram.region.columns().len()).map(|i| column(i as f64 * CELL));
    let thin: String = rows.chain(columns).collect();
    let sides =
        [(Side::Left, column(0.0)), (Side::Top, row(0.0)), (Side::Right, column(last_x)), (Side::Bottom, row(last_y))];
    let edges = sides.into_iter().filter(|(side, _)| is_edge(*side));
    let heavy: String = edges.map(|(_, line)| line).collect();
    let mut svg = format!("<path d=\"{thin}\" stroke=\"{LINE}\"/>\n");
    if !heavy.is_empty() {
        let _ = writeln!(svg, "<path d=\"{heavy}\" stroke=\"{LINE}\" stroke-width=\"2\" stroke-linecap=\"square\"/>");
    }
    let stars = diagram.size.star_points().into_iter();
    let stars = stars.filter(|&p| diagram.region.contains(p));
    let spots = stars.map(|p| spot(diagram, p));
    svg + &circles(spots, 3.0, &format!("fill=\"{LINE}\""))
}

fn coordinates(diagram: &Diagram) -> String {
    const FONT_SIZE: f64 = 13.0;
    let size = diagram.size;
    let (last_x, last_y) = last_spot(diagram);
    let mut texts = String::new();
    for (side, y) in [(Side::Top, -COORDINATE_DISTANCE), (Side::Bottom, last_y + COORDINATE_DISTANCE)] {
        let columns = diagram.region.columns().enumerate();
        for (i, column) in columns.filter(|_| diagram.has_coordinates(side)) {
            let spot = (i as f64 * CELL, y);
            texts.push_str(&text(spot, FONT_SIZE, &column_name(column, size)));
        }
    }
    for (side, x) in [(Side::Left, -COORDINATE_DISTANCE), (Side::Right, last_x + COORDINATE_DISTANCE)] {
        let rows = diagram.region.rows().enumerate();
        for (i, row) in rows.filter(|_| diagram.has_coordinates(side)) {
            let spot = (x, i as f64 * CELL);
            texts.push_str(&text(spot, FONT_SIZE, &row_name(row, size).to_string()));
        }
    }
    group(&format!("font-size=\"{FONT_SIZE}\" fill=\"{LINE}\""), &texts)
}

fn stones_and_signs(diagram: &Diagram) -> String {
    let in_sight = |point: &Point| diagram.region.contains(*point);
    let ground = |point: &Point| match diagram.stones.get(point) {
        Some(&color) => Ground::Stone(color),
        None => Ground::Wood,
    };
    let mut layer = Layer::default();
    for (&point, &color) in diagram.stones.iter().filter(|(p, _)| in_sight(p)) {
        layer.add_stone(spot(diagram, point), color);
    }
    for (point, sign) in diagram.signs.iter().filter(|(p, _)| in_sight(p)) {
        layer.add_sign(spot(diagram, *point), ground(point), sign);
    }
    let is_plain = |point: &Point| !diagram.signs.contains_key(point) && in_sight(point);
    for (&point, shade) in diagram.shades.iter().filter(|(point, _)| is_plain(point)) {
        if diagram.stones.get(&point) != Some(&shade.owner) {
            layer.add_shade(spot(diagram, point), shade.owner, shade.percent);
        }
    }
    if let Some(point) = diagram.last_move.filter(in_sight) {
        layer.add_ring(spot(diagram, point), ground(&point));
    }
    layer.draw()
}

/// A group with shared attributes; nothing if it is empty.
fn group(attributes: &str, content: &str) -> String {
    if content.is_empty() { String::new() } else { format!("<g {attributes}>\n{content}</g>\n") }
}

/// A group of circles.
fn circles(middles: impl IntoIterator<Item = Spot>, radius: f64, attributes: &str) -> String {
    let circle = |(x, y): Spot| {
        let (x, y) = (short(x), short(y));
        format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>\n")
    };
    let circles: String = middles.into_iter().map(circle).collect();
    group(attributes, &circles)
}

/// A text around its middle; the group it is in sets the font size.
fn text((x, y): Spot, font_size: f64, text: &str) -> String {
    // Capitals and digits are about 0.72 of the font size high. Attributes
    // for this exist, but not every renderer knows them.
    let (x, baseline) = (short(x), short(y + 0.36 * font_size));
    format!("<text x=\"{x}\" y=\"{baseline}\">{}</text>\n", escape(text))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use tejun_games::Move;
    use tejun_games::go::{BoardSize, Color};

    use super::*;
    use crate::reports::diagram::{Coordinates, Mark, Numbering, Region};

    /// The names of all elements, after checking that tags match and attributes are sound.
    #[track_caller]
    fn elements(svg: &str) -> Vec<String> {
        let (mut open, mut names) = (Vec::new(), Vec::new());
        let mut rest = svg;
        while let Some((before, after)) = rest.split_once('<') {
            assert!(!before.contains('>'), "stray > in {before:?}");
            let (tag, after) = after.split_once('>').expect("a tag ends");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name.to_string()));
            } else {
                let name = tag.split([' ', '/']).next().expect("a tag has a name");
                assert_eq!(tag.matches('"').count(), 2 * tag.matches("=\"").count());
                names.push(name.to_string());
                if !tag.ends_with('/') {
                    open.push(name.to_string());
                }
            }
            rest = after;
        }
        assert_eq!((open.len(), rest), (0, "\n"));
        names
    }

    fn count(svg: &str, part: &str) -> usize {
        svg.matches(part).count()
    }

    fn busy() -> Diagram {
        let size = BoardSize::new(9).expect("a size");
        let moves =
            [(4, 4), (4, 5), (4, 4), (2, 2)].map(|(x, y)| Move { color: Color::Black, point: Some(Point::new(x, y)) });
        Diagram::new(size)
            .with_moves(&moves, Numbering::all())
            .with_pass(Color::White, 5)
            .with_label(Point::new(1, 1), "A")
            .with_label(Point::new(1, 2), "<&\">\u{1b}")
            .with_mark(Point::new(2, 1), Mark::Triangle)
            .with_mark(Point::new(3, 1), Mark::Square)
            .with_mark(Point::new(4, 1), Mark::Circle)
            .with_mark(Point::new(4, 5), Mark::Cross)
            .with_last_move(Point::new(2, 2))
            .with_title("Black & White <1>")
    }

    #[test]
    fn every_diagram_is_well_formed() {
        let busy = busy();
        let small = Region::around(busy.size, &[Point::new(4, 4)], 1);
        for diagram in [
            busy.clone(),
            busy.clone().with_coordinates(Coordinates::Hidden),
            busy.clone().with_region(small),
            busy.clone().with_region(Region::upper_right(busy.size, 1)),
            Diagram::new(BoardSize::new(2).expect("a size")),
            Diagram::new(BoardSize::new(25).expect("a size")),
        ] {
            let svg = diagram.to_svg();
            assert_eq!(elements(&svg)[..2], ["svg", "title"]);
            assert_eq!(count(&svg, " id="), 0);
            assert_eq!(count(&svg, "NaN") + count(&svg, "\"-0\""), 0);
            assert_eq!(svg, diagram.clone().to_svg());
        }
    }

    #[test]
    fn text_is_escaped() {
        let svg = busy().to_svg();
        assert!(svg.contains("<title>Black &amp; White &lt;1&gt;</title>"));
        assert!(svg.contains(">&lt;&amp;\"&gt;\u{fffd}</text>"));
    }

    #[test]
    fn shades_are_where_nothing_else_is_said() {
        let size = BoardSize::new(9).expect("a size");
        let at = |x| Point::new(x, 3);
        let plain = Diagram::new(size).with_stones(Color::Black, &[at(1), at(2)]).with_mark(at(3), Mark::Cross);
        let shaded = (0..4).fold(plain.clone(), |diagram, x| {
            let owner = if x == 1 { Color::Black } else { Color::White };
            diagram.with_shade(at(x), owner, 80)
        });
        // An empty point and a dead stone; not the living stone, not the point with a cross.
        assert_eq!(count(&shaded.to_svg(), "<rect") - count(&plain.to_svg(), "<rect"), 2);
        assert_eq!(shaded.to_text(), plain.to_text());
    }

    #[test]
    fn edges_are_drawn_only_where_the_board_ends() {
        let size = BoardSize::NINETEEN;
        let heavy = |region| {
            let svg = Diagram::new(size).with_region(region).to_svg();
            let line = svg.lines().find(|line| line.contains("linecap"));
            line.map_or(0, |line| count(line, "M"))
        };
        assert_eq!(heavy(Region::all(size)), 4);
        assert_eq!(heavy(Region::upper_right(size, 10)), 2);
        assert_eq!(heavy(Region::around(size, &[Point::new(9, 17)], 3)), 1);
        assert_eq!(heavy(Region::around(size, &[Point::new(9, 9)], 3)), 0);
    }

    #[test]
    fn lines_extend_where_the_board_continues() {
        let size = BoardSize::NINETEEN;
        let corner = Diagram::new(size).with_region(Region::upper_right(size, 3));
        let svg = corner.with_coordinates(Coordinates::Hidden).to_svg();
        assert!(svg.contains("viewBox=\"-15.5 -22.5 98 98\" width=\"98\" height=\"98\""));
        assert!(svg.contains("M-15 0H60M-15 30H60M-15 60H60M0 0V75M30 0V75M60 0V75"));
    }

    #[test]
    fn asides_are_rows_of_stones() {
        let svg = busy().to_svg();
        // The stone, its name in "3 at 1", and the lowest row's two numbers.
        assert_eq!(count(&svg, ">1</text>"), 2 + 2);
        assert_eq!(count(&svg, ">at</text>"), 1);
        assert_eq!(count(&svg, ">pass</text>"), 1);
        let corner = busy().with_region(Region::upper_right(busy().size, 2));
        assert_eq!(count(&corner.to_svg(), ">at E5</text>"), 1);
    }
}
