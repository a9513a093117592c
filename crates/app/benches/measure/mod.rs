//! Repeats a measurement and keeps the answer.

use std::time::Instant;

/// The times of several runs of the same work in seconds, and its result.
pub struct Measured<A> {
    /// The fastest run.
    pub best: f64,
    /// The median run.
    pub median: f64,
    /// Mean processor time per run in seconds, of all threads; known if the system has `/proc`.
    ///
    /// Shows how busy the machine was otherwise: on an idle machine and one thread, it equals the wall time.
    pub processor: Option<f64>,
    /// The result of every run.
    pub answer: A,
}

/// Runs the work `n_runs` times, at least once.
///
/// # Panics
/// If two runs have different results.
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
        assert_eq!(same, answer, "every run has the same result");
        seconds.push(again);
    }
    let used = processor_seconds().zip(before).map(|(after, before)| after - before);
    let processor = used.map(|used| used / seconds.len() as f64);
    seconds.sort_by(f64::total_cmp);
    Measured { best: seconds[0], median: seconds[seconds.len() / 2], processor, answer }
}

/// The processor time of this process so far, to a hundredth of a second.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name before the last parenthesis may contain spaces; user and system time are fields 14 and 15.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<f64>().ok();
    Some((ticks(14)? + ticks(15)?) / 100.0)
}
