//! The curve of a game: Black's win rate after each move, with its moments.
//!
//! Part of a page: colors come from the page's style sheet, by class.

use std::fmt::Write;

use tejun_knowledge::judging::Verdict;

use crate::reports::writing::{escape, short};

const LEFT: f64 = 44.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;
/// Width of a move number below the axis.
const TICK_WIDTH: f64 = 44.0;

/// A place of the curve that leads to a moment.
pub(crate) struct CurveMark {
    /// Moves played.
    pub(crate) at: usize,
    /// Black's win rate there.
    pub(crate) rate: f64,
    pub(crate) verdict: Verdict,
    /// The moment's address in the page.
    pub(crate) link: String,
    /// The tooltip.
    pub(crate) title: String,
}

/// A curve to be drawn.
pub(crate) struct Curve<'c> {
    /// Black's win rates by the number of moves played, from 0 to 1.
    pub(crate) rates: &'c [Option<f64>],
    pub(crate) marks: &'c [CurveMark],
    pub(crate) title: &'c str,
    pub(crate) x_label: &'c str,
}

/// A width and height in pixels.
#[derive(Clone, Copy)]
pub(crate) struct CurveExtent {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Curve<'_> {
    pub(crate) fn to_svg(&self, extent: CurveExtent) -> String {
        let CurveExtent { width, height } = extent;
        let (right, bottom) = (width - RIGHT, height - BOTTOM);
        let last = self.rates.len().saturating_sub(1).max(1) as f64;
        let across = |at: usize| short(LEFT + at as f64 / last * (right - LEFT));
        let down = |rate: f64| short(bottom - rate.clamp(0.0, 1.0) * (bottom - TOP));
        let mut svg = format!(
            "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <title>{}</title>\n",
            escape(self.title)
        );
        for percent in [0, 25, 50, 75, 100] {
            let y = down(f64::from(percent) / 100.0);
            let class = if percent == 50 { "half" } else { "grid" };
            let _ = writeln!(svg, "<path class=\"{class}\" d=\"M{LEFT} {y}H{right}\"/>");
            let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{percent}%</text>", LEFT - 6.0, y + 4.0);
        }
        let step = tick_step(self.rates.len(), right - LEFT);
        for at in (0..self.rates.len()).step_by(step) {
            let (x, y) = (across(at), bottom + 16.0);
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{at}</text>");
        }
        let (x, y) = (short((LEFT + right) / 2.0), height - 6.0);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", escape(self.x_label));
        let _ = writeln!(svg, "<path class=\"rate\" d=\"{}\"/>", self.path(across, down));
        for mark in self.marks {
            let shape = sign(mark.verdict, (across(mark.at), down(mark.rate)), 7.0);
            let (link, title) = (escape(&mark.link), escape(&mark.title));
            let _ = writeln!(svg, "<a href=\"#{link}\"><title>{title}</title>{shape}</a>");
        }
        svg + "</svg>\n"
    }

    /// The known rates, joined where they follow one another.
    fn path(&self, across: impl Fn(usize) -> f64, down: impl Fn(f64) -> f64) -> String {
        let mut path = String::new();
        let mut is_joined = false;
        for (at, rate) in self.rates.iter().enumerate() {
            if let Some(rate) = rate.filter(|rate| rate.is_finite()) {
                let command = if is_joined { 'L' } else { 'M' };
                let _ = write!(path, "{command}{} {}", across(at), down(rate));
            }
            is_joined = rate.is_some_and(f64::is_finite);
        }
        path
    }
}

/// A verdict's sign: each has its own shape as well as its own color.
pub(crate) fn sign(verdict: Verdict, (x, y): (f64, f64), r: f64) -> String {
    let name = verdict.name();
    let (low, high) = (short(y + 0.8 * r), short(y - 0.8 * r));
    let (left, right) = (short(x - r), short(x + r));
    let (top, bottom) = (short(y - r), short(y + r));
    let d = match verdict {
        Verdict::Good => format!("M{left} {low}H{right}L{x} {top}z"),
        Verdict::Interesting => format!("M{left} {y}L{x} {top}L{right} {y}L{x} {bottom}z"),
        Verdict::Ordinary | Verdict::Unclear => {
            return format!("<circle class=\"sign {name}\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", short(0.8 * r));
        }
        Verdict::Doubtful => {
            let (left, right) = (short(x - 0.8 * r), short(x + 0.8 * r));
            format!("M{left} {low}H{right}V{high}H{left}z")
        }
        Verdict::Bad => format!("M{left} {high}H{right}L{x} {bottom}z"),
    };
    format!("<path class=\"sign {name}\" d=\"{d}\"/>")
}

/// Moves from one number of the axis to the next.
fn tick_step(n: usize, width: f64) -> usize {
    let fits = |step: &usize| (n / step) as f64 * TICK_WIDTH <= width;
    [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(fits).unwrap_or(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENT: CurveExtent = CurveExtent { width: 156.0, height: 152.0 };

    fn svg(rates: &[Option<f64>], marks: &[CurveMark]) -> String {
        Curve { rates, marks, title: "<t>", x_label: "moves" }.to_svg(EXTENT)
    }

    #[test]
    fn a_gap_is_left_where_nothing_is_known() {
        let rates = [Some(0.5), Some(1.0), None, Some(0.0), Some(f64::NAN), Some(2.0)];
        assert!(svg(&rates, &[]).contains("d=\"M44 62L64 12M104 112M144 12\""), "{}", svg(&rates, &[]));
        for odd in [&[][..], &[None], &[Some(0.3)]] {
            let svg = svg(odd, &[]);
            assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.contains("&lt;t&gt;"), "{svg}");
        }
    }

    #[test]
    fn marks_have_a_shape_for_each_verdict() {
        let mark = |verdict| CurveMark { at: 1, rate: 0.5, verdict, link: "m".into(), title: "a < b".into() };
        let marks: Vec<CurveMark> = Verdict::ALL.into_iter().map(mark).collect();
        let svg = svg(&[Some(0.5); 3], &marks);
        for verdict in Verdict::ALL {
            assert_eq!(svg.matches(&format!("class=\"sign {}\"", verdict.name())).count(), 1);
        }
        assert_eq!(svg.matches("<a href=\"#m\"><title>a &lt; b</title>").count(), 5);
    }
}
