//! How much time a move may take, according to the controller.

use std::time::Duration;

use tejun_games::go::{BoardSize, Color};

use crate::gtp::protocol::{Refused, Request};

/// The part of a period to use, because sending an answer also takes time.
const USED: f64 = 0.9;

/// The time settings of a game: main time, then periods with a number of stones each (Canadian byo-yomi).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Settings {
    main: Duration,
    period: Duration,
    /// Stones per period; 0 if there are no periods.
    n_stones: u32,
}

/// The remaining time of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Left {
    time: Duration,
    /// Stones to play in it; 0 in the main time.
    n_stones: u32,
}

/// The clocks of both sides; without settings, time is unlimited.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clock {
    settings: Option<Settings>,
    left: [Option<Left>; 2],
}

impl Clock {
    /// Reads `time_settings`: main time, period, stones per period.
    ///
    /// # Errors
    /// If these are not three numbers.
    pub fn set(&mut self, request: &Request<'_>) -> Result<(), Refused> {
        let (main, period, n_stones) = (seconds(request, 0)?, seconds(request, 1)?, request.number(2)?);
        // In this protocol, a period without stones means no limit.
        let is_limited = if period.is_zero() { !main.is_zero() } else { n_stones > 0 };
        self.restart_with(is_limited.then_some(Settings { main, period, n_stones }));
        Ok(())
    }

    /// Reads `kgs-time_settings`: a system and its numbers. An unknown system means no limit.
    ///
    /// # Errors
    /// If numbers are missing.
    pub fn set_as_kgs(&mut self, request: &Request<'_>) -> Result<(), Refused> {
        let settings = |period, n_stones| Ok(Some(Settings { main: seconds(request, 1)?, period, n_stones }));
        let settings = match request.arguments.first().copied() {
            Some("absolute") => settings(Duration::ZERO, 0),
            // A period of this system is for one move, and starts again with each move.
            Some("byoyomi") => settings(seconds(request, 2)?, 1),
            Some("canadian") => settings(seconds(request, 2)?, request.number(3)?),
            _ => Ok(None),
        };
        self.restart_with(settings?);
        Ok(())
    }

    /// Reads `time_left`: color, time, stones.
    ///
    /// # Errors
    /// If an argument is missing or invalid.
    pub fn set_left(&mut self, request: &Request<'_>) -> Result<(), Refused> {
        let color = request.color(0)?;
        self.left[color as usize] = Some(Left { time: seconds(request, 1)?, n_stones: request.number(2)? });
        Ok(())
    }

    /// Starts a new game with the same settings.
    pub fn restart(&mut self) {
        self.restart_with(self.settings);
    }

    fn restart_with(&mut self, settings: Option<Settings>) {
        *self = Clock { settings, left: [settings.map(Settings::begin); 2] };
    }

    /// Subtracts the time that a side used; matters if the controller does not report the time left.
    pub fn spend(&mut self, color: Color, used: Duration) {
        let settings = self.settings;
        if let Some(left) = &mut self.left[color as usize] {
            *left = left.after(used, settings);
        }
    }

    /// A fair share for the next move, less than the time left; `None` if there is no limit.
    pub fn share(&self, color: Color, size: BoardSize) -> Option<Duration> {
        let left = self.left[color as usize]?;
        if left.n_stones > 0 {
            return Some(left.time.mul_f64(USED) / left.n_stones);
        }
        // About as many moves as a side still has to play in the middle of a game.
        let n_moves = (size.n_points() as u32 / 9).max(20);
        let period = self.settings.filter(|s| s.n_stones > 0).map_or(Duration::ZERO, |s| s.period / s.n_stones);
        Some(left.time / n_moves + period.mul_f64(USED))
    }
}

impl Settings {
    fn begin(self) -> Left {
        if self.main.is_zero() {
            Left { time: self.period, n_stones: self.n_stones }
        } else {
            Left { time: self.main, n_stones: 0 }
        }
    }
}

impl Left {
    fn after(self, used: Duration, settings: Option<Settings>) -> Left {
        let period = settings.filter(|s| s.n_stones > 0).map(|s| Left { time: s.period, n_stones: s.n_stones });
        match (self.n_stones, period) {
            (0, Some(period)) if used >= self.time => period.after(used - self.time, settings),
            // The last stone of a period.
            (1, Some(period)) => period,
            (n, _) => Left { time: self.time.saturating_sub(used), n_stones: n.saturating_sub(1) },
        }
    }
}

fn seconds(request: &Request<'_>, index: usize) -> Result<Duration, Refused> {
    request.number(index).map(|seconds: u32| Duration::from_secs(seconds.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the time for Black's next move on 19x19, in milliseconds, after each command.
    #[track_caller]
    fn check(lines: &[(&str, Option<u128>)]) {
        let mut clock = Clock::default();
        for (line, expected) in lines {
            let request = Request::parse(line).expect("a request");
            match request.name {
                "time_settings" => clock.set(&request).expect("settings"),
                "kgs" => clock.set_as_kgs(&request).expect("settings"),
                "time_left" => clock.set_left(&request).expect("a time"),
                "spend" => clock.spend(Color::Black, seconds(&request, 0).expect("a number")),
                _ => clock.restart(),
            }
            let share = clock.share(Color::Black, BoardSize::NINETEEN);
            assert_eq!(share.map(|time| time.as_millis()), *expected, "{line}");
        }
    }

    #[test]
    fn shares_follow_settings_and_time_left() {
        check(&[
            ("restart", None),
            ("time_settings 400 0 0", Some(10_000)),
            ("spend 200", Some(5_000)),
            ("time_left w 1 0", Some(5_000)),
            ("time_left b 40 0", Some(1_000)),
            ("time_left b 0 0", Some(0)),
            ("restart", Some(10_000)),
            ("time_settings 0 1 0", None),
            ("time_settings 0 0 0", None),
            ("time_left b 40 0", Some(1_000)),
        ]);
    }

    #[test]
    fn periods_start_after_the_main_time() {
        check(&[
            ("time_settings 40 30 3", Some(10_000)),
            ("time_left b 20 2", Some(9_000)),
            ("spend 10", Some(9_000)),
            ("spend 10", Some(9_000)),
            ("restart", Some(10_000)),
            ("spend 50", Some(9_000)),
            ("time_settings 0 30 3", Some(9_000)),
            ("kgs byoyomi 40 10 5", Some(10_000)),
            ("spend 45", Some(9_000)),
            ("spend 45", Some(9_000)),
            ("kgs canadian 40 30 3", Some(10_000)),
            ("kgs absolute 80", Some(2_000)),
            ("kgs none", None),
        ]);
    }
}
