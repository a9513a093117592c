//! An engine of shogi or chess: started when needed, started again when it fails.

use crate::engines::process::Failure;
use crate::engines::restart::Restarting;
use crate::engines::uci::session::{COMMAND_LEN, UciSession};
use crate::engines::{Analysis, Excerpt, UciEngineOptions, UciError, UciFault};

/// Another program that analyzes positions of shogi or chess.
///
/// It is started by the first position, and ended when this is dropped. One
/// that dies or hangs is started and asked again,
/// [`UciEngineOptions::n_restarts`] times for each position; after that the
/// position fails, and the next one is tried from the start.
///
/// ```
/// use tejun_knowledge::engines::{Dialect, UciEngine, UciEngineOptions};
/// let mut options = UciEngineOptions::new("gpsusi".parse()?, Dialect::Usi);
/// options.settings.push(("BookDepth".into(), "0".into()));
/// // Nothing runs yet.
/// let mut engine = UciEngine::new(options);
/// let error = engine.analyze("startpos\nquit").expect_err("a position is one line");
/// assert!(error.to_string().contains("in one line"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct UciEngine {
    options: UciEngineOptions,
    name: Option<String>,
    conversation: Restarting<UciSession>,
}

impl UciEngine {
    /// An engine that is not yet started.
    pub fn new(options: UciEngineOptions) -> UciEngine {
        UciEngine { options, name: None, conversation: Restarting::new() }
    }

    /// How it is started and asked.
    pub fn options(&self) -> &UciEngineOptions {
        &self.options
    }

    /// The name that the engine reports; `None` before its first answer.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The next position belongs to another game: the engine may forget what it knows.
    ///
    /// Nothing is sent before the next position; a started engine always begins with a new game.
    pub fn new_game(&mut self) {
        if let Some(session) = self.conversation.running() {
            session.new_game();
        }
    }

    /// Analyzes a position: what follows the word `position`, as `startpos moves 7g7f`, `sfen …`, `fen …`.
    ///
    /// Lines may be missing. Engines do not say whether they understood a
    /// position: some ignore illegal moves, some exit. GPS hangs at
    /// `startpos moves …` once it was given an `sfen`, so give all positions
    /// the same way.
    ///
    /// # Errors
    /// If the position is empty, longer than 32 KiB or has control characters,
    /// and whatever the engine does instead of answering.
    pub fn analyze(&mut self, position: &str) -> Result<Analysis, UciError> {
        let options = &self.options;
        let result = match check(options, position) {
            Ok(()) => {
                self.conversation.work(options, options.n_restarts, None, |session| session.analyze(position, options))
            }
            Err(fault) => Err((1, Failure::from(fault))),
        };
        if let Some(session) = self.conversation.running() {
            self.name = session.name().map(str::to_string);
        }
        result.map_err(|(n_failures, failure)| UciError::new(&options.command, n_failures, failure))
    }
}

/// Whether everything that is sent fits into its line.
fn check(options: &UciEngineOptions, position: &str) -> Result<(), UciFault> {
    let is_line = |text: &str| text.len() <= COMMAND_LEN && !text.contains(char::is_control);
    if position.trim().is_empty() || !is_line(position) {
        return Err(UciFault::BadPosition { position: Excerpt::new(position) });
    }
    let is_setting = |name: &str, value: &str| !name.trim().is_empty() && is_line(name) && is_line(value);
    match options.settings.iter().find(|(name, value)| !is_setting(name, value)) {
        Some((name, _)) => Err(UciFault::BadSetting { name: Excerpt::new(name) }),
        None => Ok(()),
    }
}
