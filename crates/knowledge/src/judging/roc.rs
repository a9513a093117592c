//! How well a number distinguishes two kinds of moves.

use crate::statistics::quantile;

/// The area under the ROC curve: the probability that a move of the first kind has the larger number, with its 95%
/// interval over games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// From 0 to 1; at 0.5, the number says nothing about the kind.
    pub area: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A number that was measured for a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The game.
    pub game: usize,
    /// Whether it is of the first kind.
    pub is_first: bool,
    /// The number.
    pub value: f64,
}

/// The number of resamples for the interval.
const N_DRAWS: usize = 1_000;

/// The area of what was measured; `None` if one kind is missing.
///
/// The interval comes from drawing games with replacement (bootstrap; Efron 1979), with a fixed seed.
pub fn area(measured: &[Measured]) -> Option<Area> {
    let whole = area_of(measured.iter().map(|m| (m, 1)))?;
    let n_games = measured.iter().map(|m| m.game + 1).max().unwrap_or(0);
    let mut state = 1u64;
    let mut areas = Vec::with_capacity(N_DRAWS);
    for _ in 0..N_DRAWS {
        let mut times = vec![0u32; n_games];
        for _ in 0..n_games {
            // Knuth's multiplier and increment (MMIX); the high bits are the most random ones.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            times[((state >> 33) as usize * n_games) >> 31] += 1;
        }
        areas.extend(area_of(measured.iter().map(|m| (m, times[m.game]))));
    }
    areas.sort_by(f64::total_cmp);
    Some(Area { area: whole, low: quantile(&areas, 0.025)?, high: quantile(&areas, 0.975)? })
}

/// The area with a count for each move.
fn area_of<'m>(measured: impl Iterator<Item = (&'m Measured, u32)>) -> Option<f64> {
    let mut moves: Vec<(f64, bool, f64)> =
        measured.filter(|(_, n)| *n > 0).map(|(m, n)| (m.value, m.is_first, f64::from(n))).collect();
    moves.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut n_below, mut n_first, mut n_won) = (0.0, 0.0, 0.0);
    for equal in moves.chunk_by(|a, b| a.0 == b.0) {
        let sum = |is_first: bool| equal.iter().filter(|m| m.1 == is_first).map(|m| m.2).sum::<f64>();
        let (first, second) = (sum(true), sum(false));
        // Equal numbers count half.
        n_won += first * (n_below + second / 2.0);
        n_first += first;
        n_below += second;
    }
    (n_first > 0.0 && n_below > 0.0).then(|| n_won / (n_first * n_below))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(firsts: &[f64], seconds: &[f64]) -> Vec<Measured> {
        let kind = |values: &[f64], is_first| {
            values
                .iter()
                .enumerate()
                .map(move |(n, &value)| Measured { game: n % 5, is_first, value })
                .collect::<Vec<_>>()
        };
        [kind(firsts, true), kind(seconds, false)].concat()
    }

    #[test]
    fn areas_by_hand_and_by_all_pairs() {
        let close = |firsts: &[f64], seconds: &[f64], expected: f64| {
            let found = area(&measured(firsts, seconds)).expect("both kinds").area;
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        };
        close(&[2.0], &[1.0], 1.0);
        close(&[1.0], &[1.0], 0.5);
        close(&[1.0, 3.0], &[2.0, 3.0], 0.375);
        let firsts: Vec<f64> = (0..37).map(|n| f64::from(n * 7 % 11)).collect();
        let seconds: Vec<f64> = (0..23).map(|n| f64::from(n * 5 % 13)).collect();
        let won = |a: f64, b: f64| {
            if a > b {
                1.0
            } else if a == b {
                0.5
            } else {
                0.0
            }
        };
        let pairs: f64 = firsts.iter().flat_map(|&a| seconds.iter().map(move |&b| won(a, b))).sum();
        close(&firsts, &seconds, pairs / (37.0 * 23.0));
        assert_eq!(area(&measured(&[1.0], &[])), None);
    }

    #[test]
    fn intervals_contain_the_area_and_shrink_with_games() {
        let many: Vec<Measured> = (0..400)
            .map(|n| Measured { game: n % 40, is_first: n % 3 == 0, value: f64::from((n * 37 % 101) as u32) })
            .collect();
        let few: Vec<Measured> = many.iter().filter(|m| m.game < 6).copied().collect();
        let [many, few] = [many, few].map(|measured| area(&measured).expect("both kinds"));
        assert!(many.low < many.area && many.area < many.high);
        assert!(many.high - many.low < few.high - few.low);
    }
}
