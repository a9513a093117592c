//! The curves of a game: Black's win rate after each move with its moments, and Black's lead in points.
//!
//! Part of a page: colors come from the page's style sheet, by class. The drawing says in its `data-` attributes where
//! the moves are, so that the script of the page can show the current one.

use std::fmt::Write;

use tejun_knowledge::judging::{Estimate, Verdict};

use crate::reports::writing::{escape, short};

const LEFT: f64 = 44.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;
/// Between the win rates and the points.
const GAP: f64 = 30.0;
/// Width of a move number below the axis.
const TICK_WIDTH: f64 = 44.0;
/// Lines of the points' axis, without the lowest.
const MAX_POINT_STEPS: f64 = 4.0;
/// The largest lead that is drawn.
const MAX_LEAD: f64 = 400.0;

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
    /// Black's win rates by the number of moves played, from 0 to 1; their errors are shown as a band.
    pub(crate) rates: &'c [Option<Estimate>],
    /// Black's leads in points, by the number of moves played; drawn below the win rates if any is known.
    pub(crate) leads: &'c [Option<Estimate>],
    pub(crate) marks: &'c [CurveMark],
    pub(crate) title: &'c str,
    pub(crate) x_label: &'c str,
    /// The name of the points' axis.
    pub(crate) points_label: &'c str,
}

/// A width and height in pixels; points need more height.
#[derive(Clone, Copy)]
pub(crate) struct CurveExtent {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// The points' axis.
struct PointsAxis {
    top: f64,
    bottom: f64,
    /// The lowest and highest lead, multiples of the step.
    low: f64,
    high: f64,
    step: f64,
}

impl Curve<'_> {
    pub(crate) fn to_svg(&self, extent: CurveExtent) -> String {
        let CurveExtent { width, height } = extent;
        let (right, rates_bottom) = (width - RIGHT, height - BOTTOM);
        let points = self.points_axis(rates_bottom + GAP, 0.4 * (rates_bottom - TOP));
        let bottom = points.as_ref().map_or(rates_bottom, |axis| axis.bottom);
        let height = bottom + BOTTOM;
        let n_places = self.rates.len().max(self.leads.len());
        let last = n_places.saturating_sub(1).max(1);
        let across = |at: usize| short(LEFT + at as f64 / last as f64 * (right - LEFT));
        let down = |rate: f64| short(rates_bottom - rate.clamp(0.0, 1.0) * (rates_bottom - TOP));
        let mut svg = format!(
            "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"group\" \
             data-left=\"{LEFT}\" data-right=\"{right}\" data-top=\"{TOP}\" data-bottom=\"{bottom}\" \
             data-last=\"{last}\">\n<title>{}</title>\n",
            escape(self.title)
        );
        for percent in [0, 25, 50, 75, 100] {
            let class = if percent == 50 { "half" } else { "grid" };
            line_across(&mut svg, (class, right), down(f64::from(percent) / 100.0), &format!("{percent}%"));
        }
        let step = tick_step(n_places, right - LEFT);
        for at in (0..n_places).step_by(step) {
            let (x, y) = (across(at), bottom + 16.0);
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{at}</text>");
        }
        let (x, y) = (short((LEFT + right) / 2.0), height - 6.0);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", escape(self.x_label));
        let _ = writeln!(svg, "<path class=\"band\" d=\"{}\"/>", band(self.rates, across, down));
        let _ = writeln!(svg, "<path class=\"rate\" d=\"{}\"/>", path(self.rates, across, down));
        if let Some(axis) = points {
            self.draw_points(&mut svg, &axis, right, across);
        }
        // The script shows the current move here, below the signs that can be clicked.
        svg.push_str("<path class=\"cursor\" d=\"\"/>\n");
        for mark in self.marks {
            let shape = sign(mark.verdict, (across(mark.at), down(mark.rate)), 7.0);
            let (link, title) = (escape(&mark.link), escape(&mark.title));
            let _ = writeln!(svg, "<a href=\"#{link}\"><title>{title}</title>{shape}</a>");
        }
        svg + "</svg>\n"
    }

    /// The axis that all leads fit in; `None` if none is known.
    fn points_axis(&self, top: f64, height: f64) -> Option<PointsAxis> {
        let leads = self.leads.iter().flatten().map(|lead| lead.value).filter(|lead| lead.is_finite());
        let leads: Vec<f64> = leads.map(|lead| lead.clamp(-MAX_LEAD, MAX_LEAD)).collect();
        let (first, others) = leads.split_first()?;
        // Even is always in sight, and so is a little of both sides.
        let low = others.iter().fold(first.min(-1.0), |low, lead| low.min(*lead));
        let high = others.iter().fold(first.max(1.0), |high, lead| high.max(*lead));
        let n_steps = |step: f64| (high / step).ceil() - (low / step).floor();
        let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
        let step = steps.into_iter().find(|&step| n_steps(step) <= MAX_POINT_STEPS).unwrap_or(200.0);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Some(PointsAxis { top, bottom: short(top + height), low, high, step })
    }

    fn draw_points(&self, svg: &mut String, axis: &PointsAxis, right: f64, across: impl Fn(usize) -> f64 + Copy) {
        let share = |lead: f64| (lead.clamp(axis.low, axis.high) - axis.low) / (axis.high - axis.low);
        let down = |lead: f64| short(axis.bottom - share(lead) * (axis.bottom - axis.top));
        let n_lines = ((axis.high - axis.low) / axis.step).round() as usize;
        for i in 0..=n_lines {
            let lead = axis.low + i as f64 * axis.step;
            let class = if lead == 0.0 { "half" } else { "grid" };
            line_across(svg, (class, right), down(lead), &lead_name(lead, 0));
        }
        let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">{}</text>", axis.top - 8.0, escape(self.points_label));
        let _ = writeln!(svg, "<path class=\"rate points\" d=\"{}\"/>", path(self.leads, across, down));
    }
}

/// A lead as players write it: `B+3.5`.
pub(crate) fn lead_name(lead: f64, n_decimals: usize) -> String {
    let points = format!("{:.n_decimals$}", lead.abs());
    match points.parse() {
        Ok(0.0) => "0".into(),
        _ if lead > 0.0 => format!("B+{points}"),
        _ => format!("W+{points}"),
    }
}

fn line_across(svg: &mut String, (class, right): (&str, f64), y: f64, name: &str) {
    let _ = writeln!(svg, "<path class=\"{class}\" d=\"M{LEFT} {y}H{right}\"/>");
    let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{name}</text>", LEFT - 6.0, short(y + 4.0));
}

/// Runs of known values, each with the place of its first one.
fn runs(values: &[Option<Estimate>]) -> Vec<(usize, Vec<Estimate>)> {
    let mut runs: Vec<(usize, Vec<Estimate>)> = Vec::new();
    for (at, value) in values.iter().enumerate() {
        let Some(value) = value.filter(|value| value.value.is_finite() && value.error.is_finite()) else { continue };
        match runs.last_mut().filter(|(start, run)| start + run.len() == at) {
            Some((_, run)) => run.push(value),
            None => runs.push((at, vec![value])),
        }
    }
    runs
}

/// The known values, joined where they follow one another.
fn path(values: &[Option<Estimate>], across: impl Fn(usize) -> f64, down: impl Fn(f64) -> f64) -> String {
    let run = |(start, run): (usize, Vec<Estimate>)| {
        let places = run.iter().zip(start..).map(|(value, at)| format!("{} {}", across(at), down(value.value)));
        format!("M{}", places.collect::<Vec<_>>().join("L"))
    };
    runs(values).into_iter().map(run).collect()
}

/// From a standard deviation below the values to one above them.
fn band(values: &[Option<Estimate>], across: impl Fn(usize) -> f64, down: impl Fn(f64) -> f64) -> String {
    let run = |(start, run): (usize, Vec<Estimate>)| {
        let place = |at: usize, value: f64| format!("{} {}", across(at), down(value));
        let upper = run.iter().enumerate().map(|(i, value)| place(start + i, value.value + value.error));
        let lower = run.iter().enumerate().rev().map(|(i, value)| place(start + i, value.value - value.error));
        format!("M{}z", upper.chain(lower).collect::<Vec<_>>().join("L"))
    };
    runs(values).into_iter().map(run).collect()
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

    fn estimates(values: &[Option<f64>]) -> Vec<Option<Estimate>> {
        values.iter().map(|value| value.map(|value| Estimate { value, error: 0.1 })).collect()
    }

    fn svg(rates: &[Option<f64>], leads: &[Option<f64>], marks: &[CurveMark]) -> String {
        let (rates, leads) = (&estimates(rates)[..], &estimates(leads)[..]);
        Curve { rates, leads, marks, title: "<t>", x_label: "moves", points_label: "points" }.to_svg(EXTENT)
    }

    #[test]
    fn a_gap_is_left_where_nothing_is_known() {
        let rates = [Some(0.5), Some(1.0), None, Some(0.0), Some(f64::NAN), Some(2.0)];
        let drawn = svg(&rates, &[], &[]);
        assert!(drawn.contains("class=\"rate\" d=\"M44 62L64 12M104 112M144 12\""), "{drawn}");
        assert!(drawn.contains("class=\"band\" d=\"M44 52L64 12L64 22L44 72zM104"), "{drawn}");
        for odd in [&[][..], &[None], &[Some(0.3)]] {
            let svg = svg(odd, odd, &[]);
            assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.contains("&lt;t&gt;"), "{svg}");
        }
    }

    #[test]
    fn points_have_an_axis_of_their_own() {
        let drawn = svg(&[Some(0.5); 3], &[Some(-4.0), None, Some(13.0)], &[]);
        for part in ["class=\"rate points\" d=\"M44 ", ">B+10</text>", ">0</text>", ">W+5</text>", ">points</text>"] {
            assert!(drawn.contains(part), "{part}\n{drawn}");
        }
        assert!(drawn.contains("viewBox=\"0 0 156 222\"") && drawn.contains("data-bottom=\"182\""), "{drawn}");
        assert!(!svg(&[Some(0.5); 3], &[None; 3], &[]).contains("points"));
    }

    #[test]
    fn leads_are_named_as_results_are() {
        let cases = [(3.46, "B+3.5"), (-0.5, "W+0.5"), (0.04, "0"), (-0.04, "0")];
        for (lead, expected) in cases {
            assert_eq!(lead_name(lead, 1), expected);
        }
    }

    #[test]
    fn marks_have_a_shape_for_each_verdict() {
        let mark = |verdict| CurveMark { at: 1, rate: 0.5, verdict, link: "m".into(), title: "a < b".into() };
        let marks: Vec<CurveMark> = Verdict::ALL.into_iter().map(mark).collect();
        let svg = svg(&[Some(0.5); 3], &[], &marks);
        for verdict in Verdict::ALL {
            assert_eq!(svg.matches(&format!("class=\"sign {}\"", verdict.name())).count(), 1);
        }
        assert_eq!(svg.matches("<a href=\"#m\"><title>a &lt; b</title>").count(), Verdict::ALL.len());
    }
}
