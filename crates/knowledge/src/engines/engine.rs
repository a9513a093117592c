//! An engine as an evaluator: started when needed, started again when it fails.

use crate::engines::gtp::Gtp;
use crate::engines::katago::{KataGo, OpenQuestion};
use crate::engines::process::{Deadline, Failure, Fault, Process};
use crate::engines::restart::{Restarting, Session};
use crate::engines::session::GtpSession;
use crate::engines::{EngineError, EngineFault, EngineKind, EngineOptions, ProtocolFault};
use crate::evaluation::{Evaluation, EvaluationError, Evaluator, Question, QuestionQueue, evaluate_one_by_one};

/// Another program that evaluates moves.
///
/// It is started by the first question, and ended when this is dropped. If it
/// crashes or hangs, it is restarted, the position is set up and the question
/// is asked again, [`EngineOptions::n_restarts`] times per question. Then the
/// question fails, and the next one gets a new try.
///
/// KataGo's analysis engine is asked many questions at once if only visits end
/// its searches. If it fails, those without an answer are asked one by one.
///
/// Its identity is made of the options, so that answers kept on disk are found
/// without starting it. A program or network that is replaced under the same
/// path is not noticed: give its answers a folder of their own.
pub struct Engine {
    options: EngineOptions,
    identity: String,
    conversation: Restarting<Conversation>,
}

/// A running engine.
enum Conversation {
    Gtp(Box<GtpSession>),
    KataGo(KataGo),
}

impl Engine {
    /// An engine that is not yet started.
    pub fn new(options: EngineOptions) -> Engine {
        Engine { identity: options.identity(), options, conversation: Restarting::new() }
    }

    /// How it is started and asked.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Starts it if it does not run, and returns the name and version that it reports.
    ///
    /// # Errors
    /// If it can't be started, does not speak its protocol, or is not ready in time.
    pub fn start(&mut self) -> Result<String, EngineError> {
        self.work(|session, options| match session {
            Conversation::Gtp(gtp) => gtp.describe(Deadline::within(options.patience())),
            Conversation::KataGo(katago) => Ok(katago.description().to_string()),
        })
    }

    /// Does something with the running engine; if it crashes or hangs, does it again with a new one.
    fn work<T>(
        &mut self,
        work: impl FnMut(&mut Conversation, &EngineOptions) -> Result<T, EngineFault>,
    ) -> Result<T, EngineError> {
        self.work_again(None, work)
    }

    /// As [`Engine::work`]; a failure that happened `before` counts as the first one.
    fn work_again<T>(
        &mut self,
        before: Option<Failure>,
        mut work: impl FnMut(&mut Conversation, &EngineOptions) -> Result<T, EngineFault>,
    ) -> Result<T, EngineError> {
        let options = &self.options;
        let result = self.conversation.work(options, options.n_restarts, before, |session| work(session, options));
        result.map_err(|(n_failures, failure)| EngineError::new(&options.command, n_failures, failure))
    }

    /// Evaluates a position; a failure that happened `before` counts as the first one.
    fn evaluate_again(
        &mut self,
        before: Option<Failure>,
        question: &Question<'_>,
    ) -> Result<Evaluation, EvaluationError> {
        let work = |session: &mut Conversation, options: &EngineOptions| match session {
            Conversation::Gtp(gtp) => gtp.evaluate(question, options),
            Conversation::KataGo(katago) => katago.evaluate(question, options),
        };
        self.work_again(before, work).map_err(|error| EvaluationError::from(Box::from(error)))
    }

    /// Evaluates positions, many at once, until the queue is empty or the engine fails.
    fn evaluate_at_once<'g>(
        &mut self,
        open: &mut Vec<OpenQuestion<'g>>,
        queue: &mut dyn QuestionQueue<'g>,
    ) -> Result<(), Failure> {
        let options = &self.options;
        let mut n_answers = 0;
        let result = self.conversation.try_once(options, |session| match session {
            Conversation::KataGo(katago) => katago.evaluate_at_once(open, queue, options, &mut n_answers),
            Conversation::Gtp(_) => unreachable!("GTP engines are asked one by one"),
        });
        if n_answers > 0 {
            self.conversation.note_success();
        }
        result
    }
}

impl Evaluator for Engine {
    fn identity(&self) -> &str {
        &self.identity
    }

    fn evaluate(&mut self, question: &Question<'_>) -> Result<Evaluation, EvaluationError> {
        self.evaluate_again(None, question)
    }

    fn evaluate_queue(&mut self, queue: &mut dyn QuestionQueue<'_>) {
        if !self.options.takes_many() {
            return evaluate_one_by_one(self, queue);
        }
        // The first question is taken before the engine is started, which may not be necessary.
        while let Some((number, question)) = queue.next_question() {
            let mut open = vec![OpenQuestion::new(number, question, &self.options)];
            let mut failure = self.evaluate_at_once(&mut open, queue).err();
            // Any of several questions may have killed the engine, so asking them one by one finds out which one.
            // In a silence the oldest question waited longest.
            if open.len() > 1 && failure.as_ref().is_some_and(|failure| !failure.fault.is_silent()) {
                failure = None;
            }
            for OpenQuestion { number, question, .. } in open {
                if queue.is_over() {
                    // The engine may still be searching what nobody wants to know.
                    return self.conversation.stop();
                }
                let answer = self.evaluate_again(failure.take(), &question);
                queue.answer(number, answer);
            }
        }
    }
}

impl Session for Conversation {
    type Options = EngineOptions;
    type Fault = EngineFault;

    fn start(options: &EngineOptions) -> Result<Conversation, Failure> {
        let process = Process::start(&options.command)
            .map_err(|error| EngineFault::Protocol(ProtocolFault::NotStarted(error)))?;
        let deadline = Deadline::within(options.start_time);
        if options.kind == EngineKind::KataGoJson {
            return KataGo::greet(process, deadline).map(Conversation::KataGo);
        }
        let gtp = Gtp::greet(process, options.kind, deadline)?;
        GtpSession::new(gtp, options).map(|session| Conversation::Gtp(Box::new(session)))
    }

    fn end(self, fault: EngineFault) -> Failure {
        match self {
            Conversation::Gtp(session) => session.end(fault),
            Conversation::KataGo(katago) => katago.end(fault),
        }
    }
}
