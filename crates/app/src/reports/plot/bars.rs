//! Bars of a plot, as for histograms.

use crate::reports::plot::axis::sound;
use crate::reports::plot::{Frame, INK, Plot, fill};
use crate::reports::writing::short;

/// All series of bars.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bars {
    series: Vec<(String, Vec<(f64, f64)>)>,
    /// In units of x, if it was given.
    given_width: Option<f64>,
}

impl Plot {
    /// Adds bars by the x of their middle and their height; several series are drawn next to each other.
    ///
    /// The names are shown if there are several bars or lines. Bars start at 0.
    pub fn with_bars(mut self, name: &str, bars: Vec<(f64, f64)>) -> Plot {
        let bars = bars.into_iter().filter_map(|(x, height)| Some((sound(x)?, sound(height)?))).collect();
        self.bars.series.push((name.to_string(), bars));
        self
    }

    /// Sets the width of all bars at one x together, in units of x.
    ///
    /// If it is not set, bars are as wide as the closest ones allow.
    pub fn with_bar_width(mut self, width: f64) -> Plot {
        self.bars.given_width = sound(width).filter(|width| *width > 0.0);
        self
    }

    /// The bars and their base line.
    pub(crate) fn drawn_bars(&self, frame: &Frame) -> String {
        let Some(width) = self.bars.width() else {
            return String::new();
        };
        let foot = frame.down(self.scale.height(0.0));
        let mut svg = String::new();
        for (i, (_, bars)) in self.bars.series.iter().enumerate() {
            let bar = |&(x, height): &(f64, f64)| {
                let (left, right) = self.bars.sides(frame, (x - width / 2.0, x + width / 2.0), i);
                format!("M{left} {foot}V{}H{right}V{foot}z", frame.down(self.scale.height(height)))
            };
            let d: String = bars.iter().map(bar).collect();
            if !d.is_empty() {
                svg.push_str(&format!("<path d=\"{d}\" {}/>\n", fill(self.lines.len() + i)));
            }
        }
        svg + &format!("<path d=\"M{} {foot}H{}\" stroke=\"{INK}\"/>\n", frame.left, frame.right)
    }
}

impl Bars {
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.series.iter().map(|series| series.0.as_str())
    }

    fn all(&self) -> impl Iterator<Item = &(f64, f64)> {
        self.series.iter().flat_map(|series| &series.1)
    }

    /// The width of a place in units of x; nothing if there are no bars.
    pub(crate) fn width(&self) -> Option<f64> {
        let mut places: Vec<f64> = self.all().map(|bar| bar.0).collect();
        places.sort_by(f64::total_cmp);
        let (first, last) = (*places.first()?, *places.last()?);
        // Places that differ by rounding alone are the same.
        let least = (last - first).max(first.abs()) * 1e-9;
        let gaps = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > least);
        Some(self.given_width.unwrap_or_else(|| gaps.reduce(f64::min).unwrap_or(1.0)))
    }

    /// Where the outermost bars end.
    pub(crate) fn ends(&self) -> impl Iterator<Item = f64> {
        let half = self.width().unwrap_or(0.0) / 2.0;
        self.all().flat_map(move |bar| [bar.0 - half, bar.0 + half])
    }

    /// The heights, and 0, where every bar starts.
    pub(crate) fn heights(&self) -> impl Iterator<Item = f64> {
        self.all().flat_map(|bar| [bar.1, 0.0])
    }

    /// The left and right side of a bar within the place that it shares with other series.
    fn sides(&self, frame: &Frame, (from, to): (f64, f64), series_index: usize) -> (f64, f64) {
        const LEAST_WITH_GAP: f64 = 5.0;
        const MOST: f64 = 120.0;
        let (from, to) = (frame.across(from), frame.across(to));
        let room = to - from;
        let gap = if room < LEAST_WITH_GAP { 0.0 } else { (0.1 * room).max(room - MOST) };
        let each = (room - gap) / self.series.len() as f64;
        let left = from + gap / 2.0 + each * series_index as f64;
        (short(left), short(left + each))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports::plot::Scale;

    fn bars(points: &[(f64, f64)]) -> Plot {
        Plot::new("").with_bars("a", points.to_vec())
    }

    #[track_caller]
    fn check(plot: &Plot, expected: &str) {
        let svg = plot.to_svg();
        assert!(svg.contains(expected), "{expected} in {svg}");
    }

    #[test]
    fn bars_start_at_zero_and_fill_their_places() {
        check(
            &bars(&[(1.0, 10.0), (2.0, 5.0)]),
            "<path d=\"M156.08 272V38H276.08V272zM529.36 272V155H649.36V272z\" fill",
        );
        check(&bars(&[(1.0, -10.0), (2.0, 10.0)]), " 155V272H");
        check(&bars(&[(1.0, 1.0)]).with_scale(Scale::Logarithmic), ">0</text>");
        check(&bars(&[(10.0, 1.0), (50.0, 1.0)]).with_bar_width(20.0), ">60</text>");
    }

    #[test]
    fn series_are_next_to_each_other_and_named() {
        let plot = bars(&[(1.0, 1.0)]).with_bars("b", vec![(1.0, 1.0)]);
        let svg = plot.to_svg();
        assert_eq!(svg.matches("h22v-9h-22z").count(), 2);
        assert!(svg.contains(">a</text>") && svg.contains(">b</text>"));
        let mixed = bars(&[(1.0, 1.0)]).with_line("l", vec![(1.0, 1.0)]).to_svg();
        assert!(mixed.contains("h22v-9h-22z") && mixed.contains("h22\" fill=\"none\" stroke"));
    }

    #[test]
    fn odd_bars_do_no_harm() {
        let far = f64::INFINITY;
        let odd: [&[(f64, f64)]; 6] = [
            &[],
            &[(far, 1.0), (1.0, f64::NAN)],
            &[(0.0, 0.0)],
            &[(1.0, 1.0), (1.0, 2.0)],
            &[(-9e99, 9e99), (9e99, -9e99)],
            &[(1e16, 1.0), (1e16 + 2.0, 1.0)],
        ];
        for points in odd {
            for scale in [Scale::Linear, Scale::Logarithmic] {
                for width in [0.0, -1.0, far, 1e-99, 9e99] {
                    let plot = bars(points).with_scale(scale).with_bar_width(width);
                    let svg = plot.to_svg();
                    assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("\"-0\""), "{svg}");
                    assert_eq!(svg, plot.to_svg());
                }
            }
        }
        check(&bars(&[]), ">no data</text>");
    }
}
