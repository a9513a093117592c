//! Progress and cancellation of long work.
//!
//! Everything that may take longer than a moment takes a `&dyn Progress`, which receives the progress
//! and can cancel the work. The functions document what a cancelled run keeps.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Receives the progress of long work and may cancel it.
///
/// Methods may be called from several threads. All have defaults, so an implementation contains only
/// what it needs:
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use tejun_knowledge::progress::Progress;
///
/// /// Cancels after a number of steps.
/// struct AtMost(AtomicU64);
///
/// impl Progress for AtMost {
///     fn advance(&self, n_steps: u64) {
///         self.0.fetch_sub(n_steps.min(self.0.load(Ordering::Relaxed)), Ordering::Relaxed);
///     }
///     fn is_cancelled(&self) -> bool {
///         self.0.load(Ordering::Relaxed) == 0
///     }
/// }
/// ```
pub trait Progress: Sync {
    /// A stage of the work begins; it has `n_steps` steps if their number is known.
    fn start(&self, stage: &str, n_steps: Option<u64>) {
        let _ = (stage, n_steps);
    }
    /// Steps of the current stage are done.
    fn advance(&self, n_steps: u64) {
        let _ = n_steps;
    }
    /// A figure that shows how well the work goes, such as the bits per move of a model that learns.
    fn measured(&self, name: &str, value: f64) {
        let _ = (name, value);
    }
    /// Whether to stop. Asked between steps.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Ignores progress and never cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {}

/// Cancels after a number of steps; for tests of work that can be cancelled.
///
/// ```
/// use tejun_knowledge::progress::{CancelledAfter, Progress};
///
/// let progress = CancelledAfter::new(2);
/// progress.advance(1);
/// assert!(!progress.is_cancelled());
/// progress.advance(1);
/// assert!(progress.is_cancelled());
/// ```
#[derive(Debug)]
pub struct CancelledAfter {
    n_left: AtomicU64,
}

impl CancelledAfter {
    /// Cancels after `n_steps` steps.
    pub fn new(n_steps: u64) -> CancelledAfter {
        CancelledAfter { n_left: AtomicU64::new(n_steps) }
    }
}

impl Progress for CancelledAfter {
    fn advance(&self, n_steps: u64) {
        self.n_left.fetch_sub(n_steps.min(self.n_left.load(Relaxed)), Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.n_left.load(Relaxed) == 0
    }
}
