//! The axes of a plot.

use crate::reports::writing::grouped;

/// A range of values and the ones that are named.
pub(crate) struct Axis {
    low: f64,
    high: f64,
    /// In the units of the axis, with their names.
    pub(crate) ticks: Vec<(f64, String)>,
}

impl Axis {
    /// From the least value to the greatest, with ticks for about `n_parts` parts.
    pub(crate) fn exact(values: impl Iterator<Item = f64>, n_parts: f64) -> Axis {
        let (low, high) = bounds(values);
        Axis { low, high, ticks: ticks(low, high, nice_step(high - low, n_parts)) }
    }

    /// The same for the ends of bars, with no more ticks than bars.
    pub(crate) fn of_bars(ends: impl Iterator<Item = f64>, bar_width: f64, n_parts: f64) -> Axis {
        let (low, high) = bounds(ends);
        Axis { low, high, ticks: ticks(low, high, nice_step((high - low).max(bar_width * n_parts), n_parts)) }
    }

    /// From a tick to a tick.
    pub(crate) fn rounded(values: impl Iterator<Item = f64>) -> Axis {
        let (low, high) = bounds(values);
        let step = nice_step(high - low, 5.0);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Axis { low, high, ticks: ticks(low, high, step) }
    }

    /// From a power of ten to another, in logarithms. If a value has none, the foot is one power lower and named 0.
    pub(crate) fn logarithmic(values: impl Iterator<Item = f64>) -> Axis {
        let (positive, others): (Vec<f64>, Vec<f64>) = values.partition(|&value| value > 0.0);
        let low = positive.iter().copied().reduce(f64::min).unwrap_or(1.0).log10().floor();
        let high = positive.iter().copied().reduce(f64::max).unwrap_or(1.0).log10().ceil().max(low + 1.0);
        let step = nice_step(high - low, 7.0).max(1.0);
        let name = |power: f64| {
            let value = 10f64.powf(power);
            if power.abs() < 7.0 { number(value, value) } else { format!("1e{power}") }
        };
        let mut ticks: Vec<(f64, String)> = ticks(low, high, step).iter().map(|&(at, _)| (at, name(at))).collect();
        let foot = if others.is_empty() { low } else { low - step };
        if !others.is_empty() {
            ticks.insert(0, (foot, "0".to_string()));
        }
        Axis { low: foot, high, ticks }
    }

    /// How far along the axis, from 0 to 1.
    pub(crate) fn share(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }
}

/// A value fit for arithmetic: sums and quotients of such stay finite.
pub(crate) fn sound(value: f64) -> Option<f64> {
    match value.abs() {
        size if size < 1e-100 => Some(0.0),
        size if size < 1e100 => Some(value),
        _ => None,
    }
}

/// The least and the greatest value, moved apart if they are the same.
fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return (0.0, 1.0);
    }
    let size = low.abs().max(high.abs());
    if high - low > size * 1e-9 {
        return (low, high);
    }
    let pad = if size > 0.0 { size / 10.0 } else { 1.0 };
    (low - pad, high + pad)
}

/// The smallest of 1, 2 or 5 times a power of ten that cuts a range into at most this number of parts.
fn nice_step(range: f64, n_parts: f64) -> f64 {
    // A little less, so that rounding alone does not count as one more part.
    let least = range / n_parts * (1.0 - 1e-9);
    let power = 10f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= least);
    step.unwrap_or(10.0) * power
}

/// Multiples of a step with their names.
fn ticks(low: f64, high: f64, step: f64) -> Vec<(f64, String)> {
    let (first, last) = ((low / step - 1e-6).ceil(), (high / step + 1e-6).floor());
    let n_ticks = (last - first) as usize + 1;
    // Adding zero turns a negative zero positive.
    (0..n_ticks).map(|i| (first + i as f64) * step + 0.0).map(|value| (value, number(value, step))).collect()
}

/// As many decimals as the step needs; groups of three from 10000 on, so that years have none.
fn number(value: f64, step: f64) -> String {
    if step < 1e-6 || value.abs() >= 1e15 {
        return format!("{value:.3e}");
    }
    let n_decimals = (-(step.log10() + 1e-9).floor()).max(0.0) as usize;
    let plain = format!("{value:.n_decimals$}");
    if value.abs() < 10_000.0 {
        return plain;
    }
    grouped(&plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(axis: Axis, expected: &[&str]) {
        let names: Vec<&str> = axis.ticks.iter().map(|tick| tick.1.as_str()).collect();
        assert_eq!(names, expected);
        let places: Vec<f64> = axis.ticks.iter().map(|tick| axis.share(tick.0)).collect();
        assert!(places.is_sorted() && places.iter().all(|place| (0.0..=1.0).contains(place)));
    }

    fn exact(values: &[f64]) -> Axis {
        Axis::exact(values.iter().copied(), 10.0)
    }

    fn rounded(values: &[f64]) -> Axis {
        Axis::rounded(values.iter().copied())
    }

    fn logarithmic(values: &[f64]) -> Axis {
        Axis::logarithmic(values.iter().copied())
    }

    #[test]
    fn ticks_are_round_numbers() {
        check(rounded(&[0.03, 0.97]), &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        check(rounded(&[-1.0, 1.0]), &["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
        check(rounded(&[0.0, 12_345.0]), &["0", "5000", "10,000", "15,000"]);
        check(exact(&[1953.0, 1987.0]), &["1955", "1960", "1965", "1970", "1975", "1980", "1985"]);
        check(rounded(&[1e20, 1.9e20]), &["1.000e20", "1.200e20", "1.400e20", "1.600e20", "1.800e20", "2.000e20"]);
    }

    #[test]
    fn ticks_are_no_closer_than_bars() {
        let of_bars = |low: f64, high: f64, width: f64| Axis::of_bars([low, high].into_iter(), width, 10.0);
        check(of_bars(0.5, 3.5, 1.0), &["1", "2", "3"]);
        check(of_bars(-60.0, 40.0, 20.0), &["-60", "-40", "-20", "0", "20", "40"]);
        check(of_bars(0.0, 100.0, 3.0), &["0", "10", "20", "30", "40", "50", "60", "70", "80", "90", "100"]);
        check(of_bars(0.0, 12.0, 3.0), &["0", "5", "10"]);
    }

    #[test]
    fn powers_of_ten_name_logarithms() {
        check(logarithmic(&[3.0, 20_000.0]), &["1", "10", "100", "1000", "10,000", "100,000"]);
        check(logarithmic(&[0.02, 0.0, -5.0]), &["0", "0.01", "0.1"]);
        check(logarithmic(&[1e-9, 1e9]), &["0.00001", "1", "100,000"]);
    }

    #[test]
    fn odd_ranges_have_ticks_too() {
        check(rounded(&[]), &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        check(rounded(&[5.0, 5.0]), &["4.4", "4.6", "4.8", "5.0", "5.2", "5.4", "5.6"]);
        check(rounded(&[0.0]), &["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
        check(logarithmic(&[]), &["1", "10"]);
        check(logarithmic(&[0.0]), &["0", "1", "10"]);
        for values in [[-9e99, 9e99], [1e-99, 2e-99], [1e16, 1e16 + 2.0], [0.1, 0.1 + 1e-9]] {
            let n_ticks = rounded(&values).ticks.len();
            assert!((2..=8).contains(&n_ticks), "{n_ticks} ticks for {values:?}");
        }
    }
}
