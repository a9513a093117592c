//! Progress of long work, shown as a bar on the terminal.

use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard};

use indicatif::{ProgressBar, ProgressStyle};
use tejun_knowledge::progress::Progress;

use crate::commands::Globals;
use crate::interrupt::{is_stopped, stop_on_interrupt};

/// A bar that counts finished steps; hidden with --quiet, or if stderr is not a terminal.
pub fn progress_bar(n_steps: u64, unit: &str, globals: &Globals) -> ProgressBar {
    if globals.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {unit}  {{msg}}  {{eta}} left"));
    ProgressBar::new(n_steps).with_style(style.expect("the template is valid"))
}

/// Shows the progress of work in the library as a bar, and cancels the work after Ctrl-C.
///
/// The bar's message is the stage or, if available, the last value measured in it.
pub struct TerminalProgress {
    bar: ProgressBar,
    /// Whether one bar counts the steps of all stages.
    is_whole: bool,
}

impl TerminalProgress {
    /// Creates a bar whose steps are called `unit`, such as "games"; from now on, Ctrl-C cancels the work cleanly.
    pub fn new(unit: &str, globals: &Globals) -> TerminalProgress {
        stop_on_interrupt();
        TerminalProgress { bar: progress_bar(0, unit, globals), is_whole: false }
    }

    /// Creates one bar for the steps of all stages; a stage then only sets the message.
    pub fn with_total(n_steps: u64, unit: &str, globals: &Globals) -> TerminalProgress {
        stop_on_interrupt();
        TerminalProgress { bar: progress_bar(n_steps, unit, globals), is_whole: true }
    }

    /// Prints something above the bar.
    pub fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Leaves the bar unfinished, because the work ended early.
    pub fn abandon(&self) {
        self.bar.abandon();
    }
}

impl Progress for TerminalProgress {
    fn start(&self, stage: &str, n_steps: Option<u64>) {
        self.bar.set_message(stage.to_string());
        if self.is_whole {
            return;
        }
        self.bar.set_position(0);
        if let Some(n_steps) = n_steps {
            self.bar.set_length(n_steps);
        }
    }

    fn advance(&self, n_steps: u64) {
        self.bar.inc(n_steps);
    }

    fn measured(&self, name: &str, value: f64) {
        self.bar.set_message(format!("{name} {value:.3}"));
    }

    fn is_cancelled(&self) -> bool {
        is_stopped()
    }
}

/// Progress of work of many minutes: a bar on a terminal, otherwise lines.
pub fn long_progress<'g>(unit: &str, globals: &'g Globals) -> Box<dyn Progress + 'g> {
    if std::io::stderr().is_terminal() {
        Box::new(TerminalProgress::new(unit, globals))
    } else {
        Box::new(StatusProgress::new(globals))
    }
}

impl Drop for TerminalProgress {
    fn drop(&mut self) {
        if !self.bar.is_finished() {
            self.bar.finish_and_clear();
        }
    }
}

/// Reports stages and figures as lines on stderr, some twenty per stage, and cancels the work after Ctrl-C.
pub struct StatusProgress<'g> {
    globals: &'g Globals,
    stage: Mutex<Stage>,
}

/// The current stage.
#[derive(Default)]
struct Stage {
    name: String,
    n_steps: u64,
    n_done: u64,
    /// Twentieths that were reported.
    n_reported: u64,
}

impl<'g> StatusProgress<'g> {
    /// Lines as [`Globals::status`] prints them; from now on Ctrl-C cancels instead of ending the program.
    pub fn new(globals: &'g Globals) -> StatusProgress<'g> {
        stop_on_interrupt();
        StatusProgress { globals, stage: Mutex::default() }
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().expect("no thread panics while it reports")
    }
}

impl Progress for StatusProgress<'_> {
    fn start(&self, stage: &str, n_steps: Option<u64>) {
        if n_steps.is_none() {
            self.globals.status(stage);
        }
        *self.stage() = Stage { name: stage.into(), n_steps: n_steps.unwrap_or(0), ..Stage::default() };
    }

    fn advance(&self, n_steps: u64) {
        self.stage().n_done += n_steps;
    }

    fn measured(&self, name: &str, value: f64) {
        let mut stage = self.stage();
        let n_twentieths = 20 * stage.n_done / stage.n_steps.max(1);
        if n_twentieths > stage.n_reported {
            stage.n_reported = n_twentieths;
            let Stage { name: stage, n_done, n_steps, .. } = &*stage;
            self.globals.status(format_args!("{stage}: {n_done} of {n_steps}, {value:.3} {name}"));
        }
    }

    fn is_cancelled(&self) -> bool {
        is_stopped()
    }
}
