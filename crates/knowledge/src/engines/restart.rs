//! Programs that die and hang: started when they are needed, started again when they are lost.

use crate::engines::process::{Failure, Fault};

/// A conversation with a running program.
pub(crate) trait Session: Sized {
    /// How the program is started and asked.
    type Options;
    /// What the program does instead of answering.
    type Fault: Fault;

    /// Starts the program and greets it.
    fn start(options: &Self::Options) -> Result<Self, Failure<Self::Fault>>;

    /// Ends the program, which failed.
    fn end(self, fault: Self::Fault) -> Failure<Self::Fault>;
}

/// A session that is there when it is needed.
pub(crate) struct Restarting<S> {
    session: Option<S>,
    /// Whether the program ever did what it was asked to.
    has_worked: bool,
}

impl<S: Session> Restarting<S> {
    /// Nothing runs yet.
    pub(crate) fn new() -> Restarting<S> {
        Restarting { session: None, has_worked: false }
    }

    /// The session, if the program runs.
    pub(crate) fn running(&mut self) -> Option<&mut S> {
        self.session.as_mut()
    }

    /// Ends the program, if it runs.
    pub(crate) fn stop(&mut self) {
        self.session = None;
    }

    /// Notes that the program did what it was asked to.
    pub(crate) fn note_success(&mut self) {
        self.has_worked = true;
    }

    /// Does something with the running program, once. A program that fails at it is ended, whatever the fault.
    pub(crate) fn try_once<T>(
        &mut self,
        options: &S::Options,
        work: impl FnOnce(&mut S) -> Result<T, S::Fault>,
    ) -> Result<T, Failure<S::Fault>> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => S::start(options)?,
        };
        match work(&mut session) {
            Err(fault) => Err(session.end(fault)),
            Ok(result) => {
                self.session = Some(session);
                Ok(result)
            }
        }
    }

    /// Does something with the running program; if it dies or hangs, does it again with a new one.
    ///
    /// A program that hangs before it ever answered is not started again. A failure that happened `before` counts as
    /// the first one.
    ///
    /// # Errors
    /// The last failure, and how many there were.
    pub(crate) fn work<T>(
        &mut self,
        options: &S::Options,
        n_restarts: u32,
        mut before: Option<Failure<S::Fault>>,
        mut work: impl FnMut(&mut S) -> Result<T, S::Fault>,
    ) -> Result<T, (u32, Failure<S::Fault>)> {
        let mut n_failures = 0;
        loop {
            let attempt = before.take().map_or_else(|| self.attempt(options, &mut work), Err);
            let failure = match attempt {
                Ok(result) => {
                    self.has_worked = true;
                    return Ok(result);
                }
                Err(failure) => failure,
            };
            n_failures += 1;
            // One that never said anything will not do so after another long wait.
            let is_mute = failure.fault.is_silent() && !self.has_worked;
            if !failure.fault.is_fatal() || is_mute || n_failures > n_restarts {
                return Err((n_failures, failure));
            }
        }
    }

    /// Does something with the program; one that is lost is ended.
    fn attempt<T>(
        &mut self,
        options: &S::Options,
        work: impl FnOnce(&mut S) -> Result<T, S::Fault>,
    ) -> Result<T, Failure<S::Fault>> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => S::start(options)?,
        };
        match work(&mut session) {
            Err(fault) if fault.is_fatal() => Err(session.end(fault)),
            result => {
                self.session = Some(session);
                result.map_err(Failure::from)
            }
        }
    }
}
