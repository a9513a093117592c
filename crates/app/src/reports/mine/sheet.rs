//! Diagrams of mined sequences as one picture.

use crate::reports::mine::{SequenceReport, lettered, sequence_diagram};
use crate::reports::writing::{escape, grouped, inline_svg, short};

/// Diagrams per row.
const N_COLUMNS: usize = 3;
/// Room between diagrams, and around them.
const GAP: f64 = 24.0;
/// Room for the two lines below a diagram.
const CAPTION_HEIGHT: f64 = 46.0;

const PAPER: &str = "#fdf8ec";
const INK: &str = "#111";
const FAINT: &str = "#5f5a50";

impl SequenceReport {
    /// The diagram of a single sequence, or a sheet with the diagrams of all sequences and their numbers.
    pub fn to_svg(&self) -> String {
        if let [_] = &self.sequences[..] {
            return self.diagram_svg(0);
        }
        let svgs: Vec<String> = (0..self.sequences.len()).map(|number| self.diagram_svg(number)).collect();
        let sizes: Vec<(f64, f64)> =
            svgs.iter().map(|svg| (attribute(svg, "width"), attribute(svg, "height"))).collect();
        let lefts = column_lefts(&sizes);
        let width = lefts.last().copied().unwrap_or(GAP);
        let (mut content, mut top) = (String::new(), GAP);
        for (row, cells) in sizes.chunks(N_COLUMNS).enumerate() {
            let height = cells.iter().map(|size| size.1).fold(0.0, f64::max);
            for (column, size) in cells.iter().enumerate() {
                let (number, left) = (row * N_COLUMNS + column, lefts[column]);
                // Diagrams of a row end at the same line, above their captions.
                let spot = format!("<svg x=\"{}\" y=\"{}\"", short(left), short(top + height - size.1));
                content.push_str(&inline_svg(&svgs[number]).replacen("<svg", &spot, 1));
                content.push_str(&self.caption(number, left, top + height));
            }
            top += height + CAPTION_HEIGHT + GAP;
        }
        let (width, height) = (short(width), short(top));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" font-family=\"Helvetica,Arial,Liberation Sans,sans-serif\">\n\
             <title>Sequences</title>\n<rect width=\"{width}\" height=\"{height}\" rx=\"3\" fill=\"{PAPER}\"/>\n\
             {content}</svg>\n"
        )
    }

    fn diagram_svg(&self, number: usize) -> String {
        let sequence = &self.sequences[number];
        sequence_diagram(sequence, self.size).with_title(&self.moves_of(sequence)).to_svg()
    }

    /// The name and how often it was played, and the most frequent next move.
    fn caption(&self, number: usize, left: f64, top: f64) -> String {
        let sequence = &self.sequences[number];
        let after = &sequence.continuations;
        let name = self.names[number].as_ref().map_or(String::new(), |name| format!(" {name}"));
        let times = if after.n_played == 1 { "time" } else { "times" };
        let played = format!("{}. Played {} {times}{name}", number + 1, grouped(&after.n_played.to_string()));
        let percent = |n: usize| 100.0 * n as f64 / after.n_played.max(1) as f64;
        let next = match lettered(sequence).next() {
            Some((letter, _, n)) if n > after.n_tenuki => format!("next: {letter} in {:.0}%", percent(n)),
            _ => format!("next: elsewhere in {:.0}%", percent(after.n_tenuki)),
        };
        let line = |y: f64, style: &str, text: &str| {
            format!("<text x=\"{}\" y=\"{}\" {style}>{}</text>\n", short(left), short(top + y), escape(text))
        };
        let head = line(21.0, &format!("font-size=\"15\" font-weight=\"bold\" fill=\"{INK}\""), &played);
        head + &line(40.0, &format!("font-size=\"13\" fill=\"{FAINT}\""), &next)
    }
}

/// Where each column starts, and where the last one ends; a column is as wide as its widest diagram.
fn column_lefts(sizes: &[(f64, f64)]) -> Vec<f64> {
    let mut lefts = vec![GAP];
    for column in 0..N_COLUMNS.min(sizes.len()) {
        let widths = sizes.iter().skip(column).step_by(N_COLUMNS).map(|size| size.0);
        lefts.push(lefts[column] + widths.fold(0.0, f64::max) + GAP);
    }
    lefts
}

/// A number among the attributes of a picture's first element.
fn attribute(svg: &str, name: &str) -> f64 {
    let value = svg.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split_once('"'));
    value.and_then(|(number, _)| number.parse().ok()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_diagram() {
        let sizes = [10.0, 20.0, 30.0, 15.0].map(|width| (width, 1.0));
        assert_eq!(column_lefts(&sizes), [24.0, 63.0, 107.0, 161.0]);
        assert_eq!(column_lefts(&sizes[..2]), [24.0, 58.0, 102.0]);
        assert_eq!(column_lefts(&[]), [24.0]);
    }

    #[test]
    fn attributes_are_read() {
        let svg = "<svg viewBox=\"0 0 9 9\" width=\"98.5\" height=\"7\">";
        assert_eq!([attribute(svg, "width"), attribute(svg, "height"), attribute(svg, "x")], [98.5, 7.0, 0.0]);
    }
}
