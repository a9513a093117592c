//! Plots of lines and bars as SVG.
//!
//! Like the diagrams, a plot has no ids, scripts or style sheets, and equal
//! plots have equal bytes. It has a light background of its own, for dark
//! pages. Values that are infinite or not a number are skipped.

mod axis;
mod bars;

use std::fmt::Write as _;

use crate::reports::plot::axis::{Axis, sound};
use crate::reports::plot::bars::Bars;
use crate::reports::writing::{escape, short};

const MARGIN: f64 = 16.0;
const ROW_HEIGHT: f64 = 15.0;
const MAX_NOTE_ROWS: usize = 3;
const FONT_SIZE: f64 = 12.0;

const PAPER: &str = "#fdf8ec";
const INK: &str = "#111";
const GRID: &str = "#e3dccb";
const SHADE: &str = "#e69f00";
const MARK: &str = "#555";

// The palette of Okabe and Ito (2008) without its yellow, which is lost on paper.
const COLORS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000"];

/// A width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

impl Default for Extent {
    fn default() -> Extent {
        Extent { width: 800.0, height: 320.0 }
    }
}

/// How heights grow with values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// Evenly from one power of ten to the next; values of 0 and less are drawn at the bottom.
    Logarithmic,
}

/// Points of a line that are joined; nothing is drawn between two runs.
type Run = Vec<(f64, f64)>;

/// Lines and bars over a common pair of axes.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    title: String,
    x_label: String,
    y_label: String,
    scale: Scale,
    extent: Extent,
    lines: Vec<(String, Vec<Run>)>,
    bars: Bars,
    notes: Vec<Note>,
}

/// A span of x, or a single value if both ends are equal.
#[derive(Clone, Debug)]
struct Note {
    from: f64,
    to: f64,
    label: String,
}

impl Plot {
    /// A plot without lines.
    pub fn new(title: &str) -> Plot {
        Plot { title: title.to_string(), ..Plot::default() }
    }

    /// Names the axes.
    pub fn with_axes(self, x: &str, y: &str) -> Plot {
        Plot { x_label: x.to_string(), y_label: y.to_string(), ..self }
    }

    /// Sets the scale of y.
    pub fn with_scale(self, scale: Scale) -> Plot {
        Plot { scale, ..self }
    }

    /// Sets the size of the picture; text keeps its size.
    pub fn with_extent(self, extent: Extent) -> Plot {
        Plot { extent, ..self }
    }

    /// Adds a line through points in the order given; the names are shown if there are several.
    pub fn with_line(self, name: &str, points: Vec<(f64, f64)>) -> Plot {
        self.with_runs(name, vec![points])
    }

    /// Adds a line with gaps: the points of each run are joined, those of different runs are not.
    pub fn with_runs(mut self, name: &str, runs: Vec<Run>) -> Plot {
        let valid = |run: Run| run.into_iter().filter_map(|(x, y)| Some((sound(x)?, sound(y)?))).collect();
        let runs = runs.into_iter().map(valid).filter(|run: &Run| !run.is_empty()).collect();
        self.lines.push((name.to_string(), runs));
        self
    }

    /// Shades what lies between two values of x.
    ///
    /// The label is above it; where labels crowd, some are shown only as tooltips.
    pub fn with_span(mut self, from: f64, to: f64, label: &str) -> Plot {
        if let (Some(from), Some(to)) = (sound(from), sound(to)) {
            self.notes.push(Note { from: from.min(to), to: from.max(to), label: label.to_string() });
        }
        self
    }

    /// Draws a dashed upright at a value of x, labeled as spans are.
    pub fn with_mark(self, x: f64, label: &str) -> Plot {
        self.with_span(x, x, label)
    }

    /// The picture, 800 wide and 320 high unless set otherwise.
    pub fn to_svg(&self) -> String {
        let Extent { width: full_width, height: full_height } = self.extent;
        // A label has room in 80 pixels.
        let n_parts = full_width / 80.0;
        let points = || self.lines.iter().flat_map(|(_, runs)| runs.iter().flatten());
        let note_ends = self.notes.iter().flat_map(|note| [note.from, note.to]);
        let xs = points().map(|point| point.0).chain(note_ends);
        let x = match self.bars.width() {
            Some(width) => Axis::of_bars(xs.chain(self.bars.ends()), width, n_parts),
            None => Axis::exact(xs, n_parts),
        };
        let ys = points().map(|point| point.1).chain(self.bars.heights());
        let y = match self.scale {
            Scale::Linear => Axis::rounded(ys),
            Scale::Logarithmic => Axis::logarithmic(ys),
        };
        let (legend, n_rows) = self.legend();
        let head = 38.0 + n_rows as f64 * ROW_HEIGHT;
        let y_label_width = if self.y_label.is_empty() { 0.0 } else { 20.0 };
        let left = MARGIN + y_label_width + y.ticks.iter().map(|tick| width(&tick.1)).fold(0.0, f64::max);
        let mut frame = Frame { left, top: head, right: full_width - MARGIN - 8.0, bottom: full_height - 48.0, x, y };
        let (labels, n_rows) = self.note_labels(&frame);
        frame.top += n_rows as f64 * ROW_HEIGHT;
        let title = escape(&self.title);
        let is_empty = points().next().is_none() && self.bars.width().is_none();
        let empty = if is_empty { "no data" } else { "" };
        // Bars would hide what is shaded, lines do not.
        let shades = self.shades(&frame);
        let (below, above) =
            if self.bars.width().is_none() { (shades, String::new()) } else { (String::new(), shades) };
        let middle = ((frame.left + frame.right) / 2.0, (frame.top + frame.bottom) / 2.0);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {full_width} {full_height}\" width=\"{full_width}\" \
             height=\"{full_height}\" role=\"img\" font-size=\"{FONT_SIZE}\" fill=\"{INK}\" \
             font-family=\"Helvetica,Arial,Liberation Sans,sans-serif\">\n<title>{title}</title>\n\
             <rect width=\"{full_width}\" height=\"{full_height}\" rx=\"3\" fill=\"{PAPER}\"/>\n\
             <text x=\"{MARGIN}\" y=\"23\" font-size=\"15\" font-weight=\"bold\">{title}</text>\n\
             {legend}{labels}{below}{}{}{above}{}{}</svg>\n",
            self.axes(&frame),
            self.drawn_bars(&frame),
            self.curves(&frame),
            text(middle, "middle", empty),
        )
    }

    /// Names with a stroke or block of their color, and how many rows they take.
    fn legend(&self) -> (String, usize) {
        let mut svg = String::new();
        let names: Vec<&str> = self.lines.iter().map(|line| line.0.as_str()).chain(self.bars.names()).collect();
        if names.len() < 2 {
            return (svg, 0);
        }
        let (mut x, mut row) = (MARGIN, 1);
        for (i, name) in names.into_iter().enumerate() {
            let item_width = 28.0 + width(name);
            if x > MARGIN && x + item_width > self.extent.width - MARGIN {
                (x, row) = (MARGIN, row + 1);
            }
            let y = 28.0 + row as f64 * ROW_HEIGHT;
            let _ = if i < self.lines.len() {
                writeln!(svg, "<path d=\"M{} {}h22\" {}/>", short(x), y - 4.0, stroke(i))
            } else {
                writeln!(svg, "<path d=\"M{} {}h22v-9h-22z\" {}/>", short(x), y, fill(i))
            };
            svg.push_str(&text((x + 28.0, y), "start", name));
            x += item_width + MARGIN;
        }
        (svg, row)
    }

    /// The labels that find room in a few rows, and how many rows they take.
    fn note_labels(&self, frame: &Frame) -> (String, usize) {
        let mut notes: Vec<&Note> = self.notes.iter().filter(|note| !note.label.is_empty()).collect();
        notes.sort_by(|a, b| (a.from + a.to).total_cmp(&(b.from + b.to)));
        // Where the last label of each row ends, the lowest row first.
        let mut ends = [f64::NEG_INFINITY; MAX_NOTE_ROWS];
        let mut placed = Vec::new();
        for note in notes {
            let half = width(&note.label) / 2.0;
            let middle = (frame.across(note.from) + frame.across(note.to)) / 2.0;
            let x = middle.min(self.extent.width - MARGIN - half).max(MARGIN + half);
            if let Some(row) = ends.iter().position(|&end| end + 8.0 < x - half) {
                ends[row] = x + half;
                placed.push((x, row, &note.label));
            }
        }
        let n_rows = placed.iter().map(|label| label.1 + 1).max().unwrap_or(0);
        let y = |row: usize| frame.top + (n_rows - row) as f64 * ROW_HEIGHT - 7.0;
        let svg = placed.iter().map(|&(x, row, label)| text((x, y(row)), "middle", label)).collect();
        (svg, n_rows)
    }

    fn shades(&self, frame: &Frame) -> String {
        let (top, bottom) = (frame.top, frame.bottom);
        let mut svg = String::new();
        for note in &self.notes {
            let (left, right) = (frame.across(note.from), frame.across(note.to));
            let shape = if note.from == note.to {
                if self.bars.width().is_some() {
                    let _ = writeln!(svg, "<path d=\"M{left} {top}V{bottom}\" stroke=\"{PAPER}\" stroke-width=\"3\"/>");
                }
                format!("<path d=\"M{left} {top}V{bottom}\" stroke=\"{MARK}\" stroke-dasharray=\"5 4\">")
            } else {
                let d = format!("M{left} {top}H{}V{bottom}H{left}z", right.max(left + 1.0));
                format!("<path d=\"{d}\" fill=\"{SHADE}\" fill-opacity=\"0.2\">")
            };
            let _ = writeln!(svg, "{shape}<title>{}</title></path>", escape(&note.label));
        }
        svg
    }

    /// Grid, numbers and names of both axes.
    fn axes(&self, frame: &Frame) -> String {
        let Frame { left, top, right, bottom, .. } = *frame;
        let (mut grid, mut texts) = (String::new(), String::new());
        for (value, label) in &frame.x.ticks {
            let x = frame.across(*value);
            let _ = write!(grid, "M{x} {top}V{bottom}");
            texts.push_str(&text((x, bottom + 16.0), "middle", label));
        }
        for (value, label) in &frame.y.ticks {
            let y = frame.down(*value);
            let _ = write!(grid, "M{left} {y}H{right}");
            texts.push_str(&text((left - 6.0, y + 4.0), "end", label));
        }
        texts.push_str(&text(((left + right) / 2.0, self.extent.height - 12.0), "middle", &self.x_label));
        let y_label = text((-(top + bottom) / 2.0, MARGIN + 6.0), "middle", &self.y_label);
        format!(
            "<path d=\"{grid}\" stroke=\"{GRID}\"/>\n\
             <path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"{INK}\"/>\n\
             {texts}<g transform=\"rotate(-90)\">\n{y_label}</g>\n"
        )
    }

    fn curves(&self, frame: &Frame) -> String {
        const MAX_DOTS: usize = 40;
        let mut svg = String::new();
        for (i, (_, runs)) in self.lines.iter().enumerate().filter(|(_, line)| !line.1.is_empty()) {
            let spot = |&(x, y): &(f64, f64)| frame.spot(x, self.scale.height(y));
            let runs: Vec<Vec<String>> = runs.iter().map(|run| run.iter().map(spot).collect()).collect();
            let lines: String = runs.iter().map(|run| format!("M{}", run.join("L"))).collect();
            let _ = writeln!(svg, "<path d=\"{lines}\" {}/>", stroke(i));
            // A point on its own has no line, so it is always a dot.
            let n_spots: usize = runs.iter().map(Vec::len).sum();
            let dotted = runs.iter().filter(|run| n_spots <= MAX_DOTS || run.len() == 1);
            // A round cap makes a dot of a stroke without length.
            let dots: String = dotted.flatten().map(|spot| format!("M{spot}h0")).collect();
            if !dots.is_empty() {
                let color = COLORS[i % COLORS.len()];
                let _ = writeln!(
                    svg,
                    "<path d=\"{dots}\" stroke=\"{color}\" stroke-width=\"6\" stroke-linecap=\"round\"/>"
                );
            }
        }
        svg
    }
}

impl Scale {
    /// A value in the units of its axis; below every axis if it has no logarithm.
    fn height(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Logarithmic if value > 0.0 => value.log10(),
            Scale::Logarithmic => f64::NEG_INFINITY,
        }
    }
}

/// The plotted area and its axes.
pub(crate) struct Frame {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    x: Axis,
    y: Axis,
}

impl Frame {
    fn across(&self, x: f64) -> f64 {
        short(self.left + self.x.share(x) * (self.right - self.left))
    }

    fn down(&self, height: f64) -> f64 {
        short(self.bottom - self.y.share(height) * (self.bottom - self.top))
    }

    fn spot(&self, x: f64, height: f64) -> String {
        format!("{} {}", self.across(x), self.down(height))
    }
}

fn stroke(line_index: usize) -> String {
    let color = COLORS[line_index % COLORS.len()];
    let dashes = match line_index / COLORS.len() {
        0 => String::new(),
        round => format!(" stroke-dasharray=\"8 {}\"", 3 * round),
    };
    format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" stroke-linejoin=\"round\"{dashes}")
}

/// How a series of bars is filled; past the palette, they get paler.
fn fill(series_index: usize) -> String {
    let color = COLORS[series_index % COLORS.len()];
    match series_index / COLORS.len() {
        0 => format!("fill=\"{color}\""),
        round => format!("fill=\"{color}\" fill-opacity=\"{}\"", short(1.0 / (1 + round) as f64)),
    }
}

/// A line of text; nothing if it is empty.
fn text((x, baseline): (f64, f64), anchor: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let (x, y) = (short(x), short(baseline));
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>\n", escape(text))
}

/// About how wide a text is.
fn width(text: &str) -> f64 {
    // From U+1100 on, most letters fill a square.
    text.chars().map(|c| if c < '\u{1100}' { 0.56 } else { 1.0 }).sum::<f64>() * FONT_SIZE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(svg: &str, part: &str) -> usize {
        svg.matches(part).count()
    }

    #[track_caller]
    fn check(plot: Plot, n_lines: usize) {
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let svg = plot.clone().with_scale(scale).to_svg();
            assert_eq!(count(&svg, "stroke-linejoin"), n_lines, "{svg}");
            assert_eq!(
                count(&svg, "NaN") + count(&svg, "inf") + count(&svg, " id=") + count(&svg, "\"-0\""),
                0,
                "{svg}"
            );
            assert_eq!(count(&svg, "<text"), count(&svg, "</text>"));
            assert_eq!(svg, plot.clone().with_scale(scale).to_svg());
        }
    }

    #[test]
    fn odd_points_do_no_harm() {
        let one = |points: Vec<(f64, f64)>| Plot::new("t").with_line("a", points);
        let far = f64::INFINITY;
        check(Plot::new(""), 0);
        check(one(vec![]), 0);
        check(one(vec![(f64::NAN, 1.0), (1.0, f64::NAN), (far, 1.0), (1.0, -far), (f64::MAX, f64::MIN)]), 0);
        check(one(vec![(3.0, 7.0)]), 1);
        check(one(vec![(0.0, 0.0), (f64::MIN_POSITIVE, -0.0)]), 1);
        check(one(vec![(1.0, 7.0), (2.0, 7.0), (3.0, 7.0)]), 1);
        check(one(vec![(1.0, -9e99), (2.0, 9e99), (2.0, 1e-99)]), 1);
        check(one(vec![(1.0, 1.0)]).with_mark(f64::NAN, "a").with_span(1.0, far, "b").with_span(5.0, 2.0, "c"), 1);
        assert!(one(vec![]).to_svg().contains(">no data</text>"));
    }

    #[test]
    fn zero_is_the_foot_of_logarithms() {
        let line = vec![(0.0, 0.0), (1.0, 10.0), (2.0, 1000.0)];
        let svg = Plot::new("").with_scale(Scale::Logarithmic).with_line("", line).to_svg();
        assert!(svg.contains("M42.88 272L409.44 194L776 38\""), "{svg}");
    }

    #[test]
    fn several_lines_are_named() {
        let line = || vec![(0.0, 1.0), (1.0, 2.0)];
        let one = Plot::new("t").with_line("pro", line());
        assert_eq!(count(&one.to_svg(), ">pro</text>"), 0);
        let svg = one.with_line("amateur", line()).to_svg();
        assert_eq!(count(&svg, ">pro</text>") + count(&svg, ">amateur</text>"), 2);
    }

    #[test]
    fn runs_are_not_joined() {
        let svg = Plot::new("t").with_runs("a", vec![vec![(0.0, 0.0), (1.0, 1.0)], vec![], vec![(4.0, 1.0)]]).to_svg();
        let line = svg.lines().find(|line| line.contains("stroke-linejoin")).expect("a line");
        assert_eq!((count(line, "M"), count(line, "L")), (2, 1), "{line}");
        assert_eq!(count(&svg, "h0"), 3);
        check(Plot::new("t").with_runs("a", vec![vec![(0.0, 1.0)], vec![(f64::NAN, 1.0)]]), 1);
    }

    #[test]
    fn narrow_plots_have_fewer_ticks() {
        let years = Plot::new("t").with_line("a", vec![(1950.0, 1.0), (2010.0, 2.0)]);
        let n_years = |svg: &str| count(svg, ">19") + count(svg, ">20");
        let narrow = years.clone().with_extent(Extent { width: 360.0, height: 240.0 }).to_svg();
        assert!(narrow.contains("viewBox=\"0 0 360 240\""));
        assert_eq!((n_years(&years.to_svg()), n_years(&narrow)), (7, 3));
    }

    #[test]
    fn crowded_labels_are_dropped() {
        let labels = |gap: f64| {
            let ends = Plot::new("").with_mark(0.0, "end").with_mark(100.0, "end");
            let plot = (0..12).fold(ends, |plot, i| plot.with_mark(30.0 + f64::from(i) * gap, "new at 24"));
            let svg = plot.to_svg();
            assert_eq!(count(&svg, "<title>new at 24</title>"), 12);
            count(&svg, ">new at 24</text>")
        };
        assert_eq!(labels(0.0), MAX_NOTE_ROWS);
        assert_eq!(labels(5.0), 12);
    }

    #[test]
    fn text_is_escaped() {
        let svg = Plot::new("<a> & \"b\"").with_axes("x<", "y>").with_mark(0.0, "<m").to_svg();
        for part in ["<title>&lt;a&gt; &amp; &quot;b&quot;</title>", ">x&lt;</text>", ">y&gt;</text>", ">&lt;m</text>"]
        {
            assert!(svg.contains(part), "{part}");
        }
    }
}
