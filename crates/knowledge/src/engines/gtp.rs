//! The Go Text Protocol: numbered commands, answers that begin with `=` or `?`.

use std::collections::HashSet;

use crate::engines::process::{Deadline, Failure, Process};
use crate::engines::text::Excerpt;
use crate::engines::{EngineFault, EngineKind, ProtocolFault};

/// Lines outside an answer, after one command, before an engine is considered to speak something else.
const N_NOISE: usize = 1000;
/// Bytes of one answer.
const ANSWER_LEN: usize = 1 << 22;

/// What an engine says to a command.
pub(crate) enum Answer {
    /// It executed the command.
    Given(String),
    /// It did not.
    Refused(String),
}

/// An engine that speaks GTP.
pub(crate) struct Gtp {
    process: Process,
    last_id: u32,
    first_noise: Option<String>,
    n_noise: usize,
    commands: HashSet<String>,
    kind: EngineKind,
}

impl Gtp {
    /// Greets an engine: asks which commands it has.
    pub(crate) fn greet(process: Process, kind: EngineKind, deadline: Deadline) -> Result<Gtp, Failure> {
        let commands = HashSet::new();
        let mut gtp = Gtp { process, last_id: 0, first_noise: None, n_noise: 0, commands, kind };
        match gtp.ask("list_commands", deadline) {
            Ok(list) => {
                gtp.commands = list.split_whitespace().map(str::to_string).collect();
                Ok(gtp)
            }
            Err(EngineFault::Protocol(ProtocolFault::Silent { limit })) => {
                let fault = match gtp.first_noise.take() {
                    Some(line) => EngineFault::WrongProtocol { expected: kind, line: Excerpt::new(&line) },
                    None => EngineFault::Protocol(ProtocolFault::NeverReady { limit }),
                };
                Err(gtp.process.end(fault))
            }
            Err(fault) => Err(gtp.process.end(fault)),
        }
    }

    /// Ends the engine, which failed.
    pub(crate) fn end(self, fault: EngineFault) -> Failure {
        self.process.end(fault)
    }

    /// Whether the engine lists the command.
    pub(crate) fn has(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// The answer to a command that must not be refused.
    pub(crate) fn ask(&mut self, request: &str, deadline: Deadline) -> Result<String, EngineFault> {
        match self.try_ask(request, deadline)? {
            Answer::Given(text) => Ok(text),
            Answer::Refused(text) => Err(refused(request, &text)),
        }
    }

    /// The answer to a command.
    pub(crate) fn try_ask(&mut self, request: &str, deadline: Deadline) -> Result<Answer, EngineFault> {
        let first = self.begin(request, deadline)?;
        let is_given = matches!(first, Answer::Given(_));
        let (Answer::Given(mut text) | Answer::Refused(mut text)) = first;
        while let Some(line) = self.more(deadline)? {
            if text.len() > ANSWER_LEN {
                return Err(EngineFault::Unclear { request: Excerpt::new(request), answer: Excerpt::new(&text) });
            }
            text.push('\n');
            text.push_str(&line);
        }
        let text = text.trim().to_string();
        Ok(if is_given { Answer::Given(text) } else { Answer::Refused(text) })
    }

    /// Sends a command and waits for the first line of its answer.
    pub(crate) fn begin(&mut self, request: &str, deadline: Deadline) -> Result<Answer, EngineFault> {
        self.last_id += 1;
        self.n_noise = 0;
        self.process.send(&format!("{} {request}", self.last_id))?;
        loop {
            let line = self.process.line(deadline)?;
            match parse_status(&line) {
                Some((id, answer)) if id.is_none_or(|id| id == self.last_id) => return Ok(answer),
                // The late answer to an earlier command.
                Some(_) => {}
                None => self.note_noise(line)?,
            }
        }
    }

    /// The next line of an answer that has begun; `None` at its end.
    pub(crate) fn more(&mut self, deadline: Deadline) -> Result<Option<String>, EngineFault> {
        let line = self.process.line(deadline)?;
        Ok((!line.trim().is_empty()).then_some(line))
    }

    /// Ends an answer that continues until it is interrupted.
    pub(crate) fn interrupt(&mut self) -> Result<(), EngineFault> {
        Ok(self.process.send("")?)
    }

    /// Engines print greetings and diagnostics; too much of it, or JSON, is another protocol.
    fn note_noise(&mut self, line: String) -> Result<(), EngineFault> {
        if line.trim().is_empty() {
            return Ok(());
        }
        self.n_noise += 1;
        let first = self.first_noise.get_or_insert(line.clone());
        let is_foreign = self.commands.is_empty() && line.starts_with('{');
        if !is_foreign && self.n_noise <= N_NOISE {
            return Ok(());
        }
        let shown = Excerpt::new(if is_foreign { &line } else { first });
        Err(EngineFault::WrongProtocol { expected: self.kind, line: shown })
    }
}

/// A refusal as a fault.
pub(crate) fn refused(request: &str, answer: &str) -> EngineFault {
    EngineFault::Refused { request: Excerpt::new(request), answer: Excerpt::new(answer) }
}

/// Reads the first line of an answer: `=12 text` or `?12 text`, the number being optional.
pub(crate) fn parse_status(line: &str) -> Option<(Option<u32>, Answer)> {
    let (is_given, rest) = match line.strip_prefix('=') {
        Some(rest) => (true, rest),
        None => (false, line.strip_prefix('?')?),
    };
    let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, text) = rest.split_at(n_digits);
    if !(text.is_empty() || text.starts_with([' ', '\t'])) {
        return None;
    }
    let id = if digits.is_empty() { None } else { Some(digits.parse().ok()?) };
    let text = text.trim().to_string();
    Some((id, if is_given { Answer::Given(text) } else { Answer::Refused(text) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<(Option<u32>, &str, bool)>) {
        let found = parse_status(line).map(|(id, answer)| match answer {
            Answer::Given(text) => (id, text, true),
            Answer::Refused(text) => (id, text, false),
        });
        assert_eq!(found, expected.map(|(id, text, is_given)| (id, text.to_string(), is_given)), "{line}");
    }

    #[test]
    fn answers_are_distinguished_from_noise() {
        check("=12 E5", Some((Some(12), "E5", true)));
        check("= ", Some((None, "", true)));
        check("=3", Some((Some(3), "", true)));
        check("?7 illegal move", Some((Some(7), "illegal move", false)));
        check("? unknown command", Some((None, "unknown command", false)));
        check("=E5", None);
        check("=======", None);
        check("=99999999999 x", None);
        check("GNU Go", None);
        check("", None);
    }
}
