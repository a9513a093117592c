//! Ctrl-C: long work stops at a good place instead of being killed.

use std::sync::atomic::{AtomicBool, Ordering};

/// Set by Ctrl-C; the work stops at the next unit.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Lets Ctrl-C stop the work at a good place; pressed twice, it ends the program at once.
pub fn stop_on_interrupt() {
    // A second handler can't be set; the first one is as good.
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
