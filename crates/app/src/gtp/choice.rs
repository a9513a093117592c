//! Which of the expected moves is played?

use std::fmt;
use std::str::FromStr;

use tejun_games::go::Point;

/// How much choices vary: 0 always plays the best move, 1 plays each move with its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temperature(f64);

impl Temperature {
    /// Always the best move.
    pub const ZERO: Temperature = Temperature(0.0);
}

impl fmt::Display for Temperature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Temperature {
    type Err = ParseTemperatureError;

    fn from_str(text: &str) -> Result<Temperature, ParseTemperatureError> {
        let value = text.parse().ok().filter(|t: &f64| t.is_finite() && *t >= 0.0);
        value.map(Temperature).ok_or(ParseTemperatureError)
    }
}

/// The text is not a temperature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseTemperatureError;

impl fmt::Display for ParseTemperatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the temperature must be a number, 0 or more")
    }
}

impl std::error::Error for ParseTemperatureError {}

/// Chooses among moves; the same seed gives the same choices.
#[derive(Clone, Debug)]
pub struct Choice {
    temperature: Temperature,
    state: u64,
}

impl Choice {
    /// Chooses with a temperature and a seed.
    pub fn new(temperature: Temperature, seed: u64) -> Choice {
        Choice { temperature, state: seed }
    }

    /// Chooses one of the moves, which are sorted by probability, highest first; `None` if there are no moves.
    pub fn choose(&mut self, moves: &[(Point, f64)]) -> Option<Point> {
        let &(first, best) = moves.first()?;
        if self.temperature == Temperature::ZERO || best <= 0.0 {
            return Some(first);
        }
        // Relative to the best move, so that powers do not underflow for all moves.
        let power = 1.0 / self.temperature.0;
        let weight = |p: f64| (p / best).powf(power);
        let sum: f64 = moves.iter().map(|(_, p)| weight(*p)).sum();
        let mut rest = self.share() * sum;
        let chosen = moves.iter().find(|(_, p)| {
            rest -= weight(*p);
            rest < 0.0
        });
        Some(chosen.map_or(first, |(point, _)| *point))
    }

    /// A number from 0 to 1, exclusive (SplitMix64; Steele, Lea and Flood 2014).
    fn share(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // A number with this many bits is exact.
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVES: [(Point, f64); 3] = [(Point::new(0, 0), 0.6), (Point::new(1, 0), 0.3), (Point::new(2, 0), 0.1)];

    #[track_caller]
    fn check(temperature: &str, expected: [f64; 3]) {
        let mut choice = Choice::new(temperature.parse().expect("a temperature"), 7);
        let mut counts = [0.0; 3];
        for _ in 0..10_000 {
            let chosen = choice.choose(&MOVES).expect("a move");
            counts[chosen.x() as usize] += 1e-4;
        }
        let is_near = counts.iter().zip(expected).all(|(found, share)| (found - share).abs() < 0.02);
        assert!(is_near, "{temperature}: {counts:?}");
    }

    #[test]
    fn shares_follow_the_temperature() {
        check("0", [1.0, 0.0, 0.0]);
        check("0.001", [1.0, 0.0, 0.0]);
        check("0.5", [36.0 / 46.0, 9.0 / 46.0, 1.0 / 46.0]);
        check("1", [0.6, 0.3, 0.1]);
        check("1e300", [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]);
    }

    #[test]
    fn invalid_temperatures_are_refused() {
        for bad in ["-1", "NaN", "inf", "", "x"] {
            assert_eq!(bad.parse::<Temperature>(), Err(ParseTemperatureError), "{bad}");
        }
        let mut choice = Choice::new(Temperature(1.0), 0);
        assert_eq!(choice.choose(&[]), None);
        assert_eq!(choice.choose(&[(Point::new(3, 3), 0.0)]), Some(Point::new(3, 3)));
    }
}
