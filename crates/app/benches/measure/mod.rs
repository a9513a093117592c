//! Times work several times over and keeps the answer.

use std::time::Instant;

/// Seconds that the same work took, and what it answered.
pub struct Measured<A> {
    /// The fastest run.
    pub best: f64,
    /// The run in the middle.
    pub median: f64,
    /// Seconds of processor time that a run took on the average, of all threads; known where there is `/proc`.
    ///
    /// Tells how busy the machine was with other things: alone and on one
    /// thread it is the time by the clock.
    pub processor: Option<f64>,
    /// What every run answered.
    pub answer: A,
}

/// Runs the work so many times, once at least.
///
/// # Panics
/// If two runs answer differently.
pub fn measure<A: PartialEq + std::fmt::Debug>(n_runs: usize, mut work: impl FnMut() -> A) -> Measured<A> {
    let mut timed = || {
        let start = Instant::now();
        let answer = work();
        (start.elapsed().as_secs_f64(), answer)
    };
    let before = processor_seconds();
    let (first, answer) = timed();
    let mut seconds = vec![first];
    for _ in 1..n_runs {
        let (again, same) = timed();
        assert_eq!(same, answer, "every run gives the same answer");
        seconds.push(again);
    }
    let used = processor_seconds().zip(before).map(|(after, before)| after - before);
    let processor = used.map(|used| used / seconds.len() as f64);
    seconds.sort_by(f64::total_cmp);
    Measured { best: seconds[0], median: seconds[seconds.len() / 2], processor, answer }
}

/// What this process used so far, to a hundredth of a second.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name before the last parenthesis may hold spaces; user and system time are fields 14 and 15.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<f64>().ok();
    Some((ticks(14)? + ticks(15)?) / 100.0)
}
