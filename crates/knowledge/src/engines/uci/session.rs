//! A running engine that speaks USI or UCI.

use std::collections::VecDeque;

use crate::engines::process::{Deadline, Disconnect, Failure, Process};
use crate::engines::restart::Session;
use crate::engines::uci::info::Info;
use crate::engines::uci::report::Report;
use crate::engines::{Choice, Dialect, Excerpt, UciAnalysis, UciFault, UciOptions};

/// Lines that mean nothing, after one request, before an engine is taken for something else.
const N_NOISE: usize = 1000;
/// Last lines of prose that are kept.
const N_LAST_WORDS: usize = 5;
/// Longest command, in bytes; a pipe takes more, so sending never waits.
pub(crate) const COMMAND_LEN: usize = 1 << 15;

/// A running engine, ready to think.
pub(crate) struct UciSession {
    process: Process,
    dialect: Dialect,
    name: Option<String>,
    settings: Vec<String>,
    first_noise: Option<String>,
    last_words: VecDeque<Excerpt>,
    new_game: NewGame,
}

/// Whether the engine knows that a new game has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NewGame {
    Pending,
    Sent,
}

impl Session for UciSession {
    type Options = UciOptions;
    type Fault = UciFault;

    fn start(options: &UciOptions) -> Result<UciSession, Failure<UciFault>> {
        let process = Process::start(&options.command).map_err(UciFault::NotStarted)?;
        let mut session = UciSession {
            process,
            dialect: options.dialect,
            name: None,
            settings: Vec::new(),
            first_noise: None,
            last_words: VecDeque::new(),
            new_game: NewGame::Pending,
        };
        match session.prepare(options) {
            Ok(()) => Ok(session),
            Err(UciFault::Silent { limit }) => {
                let fault = match &session.first_noise {
                    Some(line) if !session.has_introduced_itself() => session.wrong_protocol(line),
                    _ => UciFault::NeverReady { limit },
                };
                Err(session.end(fault))
            }
            Err(fault) => Err(session.end(fault)),
        }
    }

    fn end(self, fault: UciFault) -> Failure<UciFault> {
        let mut failure = self.process.end(fault);
        // Many engines complain on their output, where nobody would see it.
        let is_shown = matches!(failure.fault, UciFault::WrongProtocol { .. });
        if failure.stderr.is_empty() && !is_shown {
            failure.stderr.extend(self.last_words.into_iter().rev());
        }
        failure
    }
}

impl UciSession {
    /// The name that the engine reports.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Announces a new game to the engine before it thinks again.
    pub(crate) fn new_game(&mut self) {
        self.new_game = NewGame::Pending;
    }

    /// Thinks about a position.
    pub(crate) fn think(&mut self, position: &str, options: &UciOptions) -> Result<UciAnalysis, UciFault> {
        if self.new_game == NewGame::Pending {
            self.begin_game(Deadline::within(options.start_time))?;
        }
        self.process.send(&format!("position {position}"))?;
        let request = options.limit.command(self.dialect);
        self.process.send(&request)?;
        let deadline = Deadline::within(options.patience());
        let mut report = Report::default();
        let mut n_noise = 0;
        loop {
            let line = self.line(deadline)?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["info", ..] => report.read(Info::parse(&words[1..], self.dialect)),
                ["bestmove", ..] => {
                    let choice = parse_choice(&words[1..], self.dialect);
                    return choice.map(|choice| report.finish(choice)).ok_or_else(|| unclear(&request, &line));
                }
                _ => n_noise += 1,
            }
            if n_noise > N_NOISE {
                return Err(UciFault::NoAnswer { request: Excerpt::new(&request), line: Excerpt::new(&line) });
            }
        }
    }

    /// Greets the engine, sends its settings, and waits until it is ready.
    fn prepare(&mut self, options: &UciOptions) -> Result<(), UciFault> {
        let deadline = Deadline::within(options.start_time);
        self.process.send(self.dialect.greeting())?;
        self.wait_for(self.dialect.greeted(), deadline)?;
        for (name, value) in &options.settings {
            self.set(name, value)?;
        }
        if options.n_lines > 1
            && let Some(name) = self.settings.iter().find(|name| is_line_count(name)).cloned()
        {
            self.set(&name, &options.n_lines.to_string())?;
        }
        self.begin_game(deadline)
    }

    /// Tells a setting that the engine lists.
    fn set(&mut self, name: &str, value: &str) -> Result<(), UciFault> {
        let is_listed = self.settings.iter().any(|listed| listed.eq_ignore_ascii_case(name));
        if !is_listed && !self.dialect.is_understood(name) {
            let listed = Excerpt::new(&self.settings.join(", "));
            return Err(UciFault::NoSetting { name: Excerpt::new(name), listed });
        }
        let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
        Ok(self.process.send(&format!("setoption name {name}{value}"))?)
    }

    fn begin_game(&mut self, deadline: Deadline) -> Result<(), UciFault> {
        // Both get ready before a game; a chess engine may then need time to
        // forget the last one.
        let order = match self.dialect {
            Dialect::Usi => &["isready", "usinewgame"][..],
            Dialect::Uci => &["isready", "ucinewgame", "isready"],
        };
        for request in order {
            self.process.send(request)?;
            if *request == "isready" {
                self.wait_for("readyok", deadline)?;
            }
        }
        self.new_game = NewGame::Sent;
        Ok(())
    }

    /// Waits for a line of one word, and notes what the engine reports about itself.
    fn wait_for(&mut self, word: &str, deadline: Deadline) -> Result<(), UciFault> {
        let mut n_noise = 0;
        loop {
            let line = self.line(deadline)?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [first] if first == word => return Ok(()),
                ["id", "name", ..] => self.name = Some(shown(&words[2..])),
                ["option", "name", ..] => {
                    let name = words[2..].iter().take_while(|word| **word != "type");
                    self.settings.push(name.copied().collect::<Vec<_>>().join(" "));
                }
                [] | ["id" | "info" | "option", ..] => {}
                _ => {
                    n_noise += 1;
                    self.note_noise(line, n_noise)?;
                }
            }
        }
    }

    /// Engines print greetings; too much of it, or a complaint, is another protocol.
    fn note_noise(&mut self, line: String, n_noise: usize) -> Result<(), UciFault> {
        let is_foreign = !self.has_introduced_itself()
            && (line.to_ascii_lowercase().contains("unknown command") || ["usiok", "uciok"].contains(&line.trim()));
        let first = self.first_noise.get_or_insert_with(|| line.clone()).clone();
        if is_foreign {
            return Err(self.wrong_protocol(&line));
        }
        if n_noise > N_NOISE { Err(self.wrong_protocol(&first)) } else { Ok(()) }
    }

    fn has_introduced_itself(&self) -> bool {
        self.name.is_some() || !self.settings.is_empty()
    }

    /// The next line; one that comes too late is as good as none.
    fn line(&mut self, deadline: Deadline) -> Result<String, Disconnect> {
        let line = self.process.line(deadline)?;
        if is_prose(&line) {
            self.last_words.truncate(N_LAST_WORDS - 1);
            self.last_words.push_front(Excerpt::new(&line));
        }
        if deadline.is_past() { Err(Disconnect::Silent { limit: deadline.limit() }) } else { Ok(line) }
    }

    fn wrong_protocol(&self, line: &str) -> UciFault {
        UciFault::WrongProtocol { expected: self.dialect, line: Excerpt::new(line) }
    }
}

/// The thought in what an engine of shogi or chess printed after `go`: its `info` lines, up to `bestmove`.
///
/// Lines of other kinds are skipped. Starts no program, and does not ask whether moves are legal.
///
/// # Errors
/// If there is no `bestmove`, or if it names nothing that has the shape of a move.
pub fn read_uci_analysis(printed: &str, dialect: Dialect) -> Result<UciAnalysis, UciFault> {
    let mut report = Report::default();
    for line in printed.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["info", ..] => report.read(Info::parse(&words[1..], dialect)),
            ["bestmove", ..] => {
                let choice = parse_choice(&words[1..], dialect);
                return choice.map(|choice| report.finish(choice)).ok_or_else(|| unclear("go", line));
            }
            _ => {}
        }
    }
    Err(unclear("go", printed))
}

/// Reads the words after `bestmove`.
fn parse_choice(words: &[&str], dialect: Dialect) -> Option<Choice> {
    match (dialect, *words.first()?) {
        (Dialect::Usi, "resign") | (Dialect::Uci, "(none)" | "0000" | "none" | "NULL") => Some(Choice::Resign),
        (Dialect::Usi, "win") => Some(Choice::Win),
        (dialect, word) => dialect.is_move(word).then(|| Choice::Move(word.to_string())),
    }
}

/// Whether a line is meant for people.
fn is_prose(line: &str) -> bool {
    let is_told = ["info ", "id ", "option ", "bestmove", "usiok", "uciok", "readyok"];
    line.starts_with("info string") || !(line.trim().is_empty() || is_told.iter().any(|word| line.starts_with(word)))
}

/// An answer that makes no sense.
fn unclear(request: &str, answer: &str) -> UciFault {
    UciFault::Unclear { request: Excerpt::new(request), answer: Excerpt::new(answer) }
}

/// Whether this setting is the number of lines: `MultiPV`, `USI_MultiPV`, `Multi_PV`.
fn is_line_count(setting: &str) -> bool {
    let plain = setting.to_ascii_lowercase().replace('_', "");
    matches!(plain.as_str(), "multipv" | "usimultipv" | "ucimultipv")
}

/// Words of the engine fit to be printed.
fn shown(words: &[&str]) -> String {
    Excerpt::new(&words.join(" ")).to_string().trim_matches('"').to_string()
}
