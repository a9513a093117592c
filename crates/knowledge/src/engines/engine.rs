//! An engine as an evaluator: started when needed, started again when it fails.

use crate::engines::gtp::Gtp;
use crate::engines::katago::KataGo;
use crate::engines::process::{Deadline, Failure, Process};
use crate::engines::session::GtpSession;
use crate::engines::{EngineError, EngineFault, EngineKind, EngineOptions};
use crate::evaluation::{Evaluation, EvaluationError, Evaluator, Question};

/// Another program that values moves.
///
/// It is started by the first question, and ended when this is dropped. One
/// that dies or hangs is started again, the position set up and the question
/// asked anew, [`EngineOptions::n_restarts`] times for each question; after
/// that the question fails, and the next one is tried afresh.
///
/// Its identity is made of the options, so that answers kept on disk are found
/// without starting it. A program or network that is replaced under the same
/// path is not noticed: give its answers a folder of their own.
pub struct Engine {
    options: EngineOptions,
    identity: String,
    session: Option<Session>,
}

/// A running engine.
enum Session {
    Gtp(Box<GtpSession>),
    KataGo(KataGo),
}

impl Engine {
    /// An engine that is not yet started.
    pub fn new(options: EngineOptions) -> Engine {
        Engine { identity: options.identity(), options, session: None }
    }

    /// How it is started and asked.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Starts it, if it does not run, and returns its name and version as it tells them.
    ///
    /// # Errors
    /// If it can't be started, does not speak its protocol, or is not ready in time.
    pub fn start(&mut self) -> Result<String, EngineError> {
        self.with_restarts(|session, options| match session {
            Session::Gtp(gtp) => gtp.describe(Deadline::within(options.patience())),
            Session::KataGo(katago) => Ok(katago.description().to_string()),
        })
    }

    /// Does something with the running engine; if it dies or hangs, does it again with a new one.
    fn with_restarts<T>(
        &mut self,
        mut work: impl FnMut(&mut Session, &EngineOptions) -> Result<T, EngineFault>,
    ) -> Result<T, EngineError> {
        let mut n_failures = 0;
        loop {
            let failure = match self.attempt(&mut work) {
                Ok(result) => return Ok(result),
                Err(failure) => failure,
            };
            n_failures += 1;
            if !failure.fault.is_mortal() || n_failures > self.options.n_restarts {
                let Failure { fault, status, stderr } = failure;
                let command = Box::new(self.options.command.clone());
                return Err(EngineError { command, fault, n_failures, status, stderr });
            }
        }
    }

    /// Does something with the engine; one that failed for good is ended.
    fn attempt<T>(
        &mut self,
        work: impl FnOnce(&mut Session, &EngineOptions) -> Result<T, EngineFault>,
    ) -> Result<T, Failure> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => Session::start(&self.options)?,
        };
        match work(&mut session, &self.options) {
            Err(fault) if fault.is_mortal() => Err(session.end(fault)),
            result => {
                self.session = Some(session);
                result.map_err(Failure::from)
            }
        }
    }
}

impl Evaluator for Engine {
    fn identity(&self) -> &str {
        &self.identity
    }

    fn evaluate(&mut self, question: &Question<'_>) -> Result<Evaluation, EvaluationError> {
        let work = |session: &mut Session, options: &EngineOptions| match session {
            Session::Gtp(gtp) => gtp.evaluate(question, options),
            Session::KataGo(katago) => katago.evaluate(question, options),
        };
        self.with_restarts(work).map_err(|error| EvaluationError::from(Box::from(error)))
    }
}

impl Session {
    fn start(options: &EngineOptions) -> Result<Session, Failure> {
        let process = Process::start(&options.command).map_err(EngineFault::NotStarted)?;
        let deadline = Deadline::within(options.start_time);
        if options.kind == EngineKind::KataGoJson {
            return KataGo::greet(process, deadline).map(Session::KataGo);
        }
        let gtp = Gtp::greet(process, options.kind, deadline)?;
        GtpSession::new(gtp, options).map(|session| Session::Gtp(Box::new(session)))
    }

    fn end(self, fault: EngineFault) -> Failure {
        match self {
            Session::Gtp(session) => session.end(fault),
            Session::KataGo(katago) => katago.end(fault),
        }
    }
}
