//! Ctrl-C: stops long work cleanly.

use std::sync::atomic::{AtomicBool, Ordering};

/// Set by Ctrl-C; the work stops after the current unit.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C stop the work cleanly; pressing it twice ends the program at once.
pub fn stop_on_interrupt() {
    // A second handler cannot be set, but the first one does the same.
    let _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::Relaxed) {
            std::process::exit(2);
        }
    });
}

/// Whether Ctrl-C was pressed.
pub fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}
