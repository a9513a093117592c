//! The file in which a user names engines.

use std::num::ParseFloatError;
use std::time::Duration;

use crate::engines::{CommandError, EngineCommand, EngineOptions, NameError};

/// Engines by name, from a file such as
///
/// ```text
/// # Comments begin with a hash.
/// gnugo: gnugo --mode gtp --level 10
/// katago: katago analysis -config analysis.cfg -model b15.bin.gz
///     kind = katago-json
///     visits = 500
/// ```
///
/// Settings are indented: `kind`, `time` and `start` (in seconds), `visits`,
/// `view` (`mover`, `black`, `white`), `rules` and `restarts`.
///
/// ```
/// use tejun_knowledge::engines::EngineFile;
/// let file = EngineFile::parse("small: gnugo --mode gtp --level 1\n    time = 2.5\n")?;
/// assert_eq!(file.options("small").map(|options| options.command.program.as_str()), Some("gnugo"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineFile {
    engines: Vec<(String, EngineOptions)>,
}

/// Why a file of engines can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct EngineFileError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: LineFault,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// Neither an engine nor a setting.
    #[error("write `name: command line`, or an indented `setting = value`")]
    Shape,
    /// A setting before the first engine.
    #[error("a setting belongs under an engine: write `name: command line` above it")]
    Homeless,
    /// A name that was given before.
    #[error("there is an engine of this name already")]
    Twice,
    /// The command line is not sound.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// An unknown setting, or an unknown value of one.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A time that is not a positive number of seconds.
    #[error("write a time in seconds, as 2.5")]
    Time,
    /// Not a number.
    #[error("write a whole number; of visits 1 or more")]
    Number,
}

impl EngineFile {
    /// Reads a file's text.
    ///
    /// # Errors
    /// At the first line that is wrong.
    pub fn parse(text: &str) -> Result<EngineFile, EngineFileError> {
        let mut file = EngineFile::default();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            file.read(line).map_err(|fault| EngineFileError { line: index + 1, fault })?;
        }
        Ok(file)
    }

    /// The engine of this name.
    pub fn options(&self, name: &str) -> Option<&EngineOptions> {
        self.engines.iter().find(|engine| engine.0 == name).map(|engine| &engine.1)
    }

    /// The names in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.engines.iter().map(|engine| engine.0.as_str())
    }

    fn read(&mut self, line: &str) -> Result<(), LineFault> {
        let content = line.trim();
        if content.is_empty() || content.starts_with('#') {
            return Ok(());
        }
        if line.starts_with(char::is_whitespace) {
            let (key, value) = content.split_once('=').ok_or(LineFault::Shape)?;
            let (_, options) = self.engines.last_mut().ok_or(LineFault::Homeless)?;
            return set(options, key.trim(), value.trim());
        }
        let (name, command) = content.split_once(':').ok_or(LineFault::Shape)?;
        let name = name.trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(LineFault::Shape);
        }
        if self.options(name).is_some() {
            return Err(LineFault::Twice);
        }
        let n_before = content.chars().count() - command.chars().count();
        let in_line = |error| match error {
            CommandError::Unclosed { quote, column } => CommandError::Unclosed { quote, column: column + n_before },
            CommandError::Empty => error,
        };
        let command: EngineCommand = command.parse().map_err(in_line)?;
        self.engines.push((name.to_string(), EngineOptions::new(command)));
        Ok(())
    }
}

/// The settings that a file may give.
const SETTINGS: [&str; 7] = ["kind", "time", "start", "visits", "view", "rules", "restarts"];

fn set(options: &mut EngineOptions, key: &str, value: &str) -> Result<(), LineFault> {
    match key {
        "kind" => options.kind = value.parse()?,
        "time" => options.time = Some(seconds(value)?),
        "start" => options.start_time = seconds(value)?,
        "visits" => options.visits = Some(value.parse().ok().filter(|n| *n > 0).ok_or(LineFault::Number)?),
        "view" => options.view = value.parse()?,
        "rules" => options.rules = value.to_string(),
        "restarts" => options.n_restarts = value.parse().map_err(|_| LineFault::Number)?,
        _ => return Err(NameError { name: key.into(), choices: SETTINGS.to_vec() }.into()),
    }
    Ok(())
}

fn seconds(text: &str) -> Result<Duration, LineFault> {
    let number: Result<f64, ParseFloatError> = text.parse();
    let time = number.ok().and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.filter(|time| !time.is_zero()).ok_or(LineFault::Time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::{EngineKind, PointOfView};

    #[test]
    fn engines_are_read_with_their_settings() {
        let text = "# mine\r\n\r\ngnugo: gnugo --mode gtp\r\nkata:\t'/opt/k g/katago' analysis # x\n  kind = katago-json\n\
                    \ttime=2.5\n    visits = 500\n # more\n    view = black\n    rules = japanese\n    restarts = 0\n\
                    \u{20}   start = 600\n";
        let file = EngineFile::parse(text).expect("a sound file");
        assert_eq!(file.names().collect::<Vec<_>>(), ["gnugo", "kata"]);
        assert_eq!(file.options("gnugo"), Some(&EngineOptions::new("gnugo --mode gtp".parse().expect("a command"))));
        let kata = file.options("kata").expect("an engine");
        // A hash within a line belongs to it: paths may have one.
        assert_eq!(kata.command.arguments, ["analysis", "#", "x"]);
        assert_eq!((kata.kind, kata.view), (EngineKind::KataGoJson, PointOfView::Black));
        assert_eq!((kata.time, kata.visits), (Some(Duration::from_millis(2500)), Some(500)));
        assert_eq!((kata.rules.as_str(), kata.n_restarts), ("japanese", 0));
        assert_eq!(kata.start_time, Duration::from_secs(600));
        assert_eq!(file.options("none"), None);
    }

    #[test]
    fn faults_name_their_line() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(EngineFile::parse(text).expect_err("a fault").to_string(), expected);
        }
        check("a: x\nb x", "line 2: write `name: command line`, or an indented `setting = value`");
        check("a: x\n  time", "line 2: write `name: command line`, or an indented `setting = value`");
        check("\n  time = 1", "line 2: a setting belongs under an engine: write `name: command line` above it");
        check("a: x\na: y", "line 2: there is an engine of this name already");
        check("a: x 'y", "line 1: the quote ' at column 6 is not closed");
        check("a:", "line 1: the command line is empty: write a program and its arguments");
        check("a: x\n  view = green", "line 2: \"green\" is unknown; choose mover, black, white");
        check(
            "a: x\n  size = 1",
            "line 2: \"size\" is unknown; choose kind, time, start, visits, view, rules, restarts",
        );
        for time in ["0", "-1", "nan", "1e99", "x"] {
            check(&format!("a: x\n  time = {time}"), "line 2: write a time in seconds, as 2.5");
        }
        check("a: x\n  visits = 0", "line 2: write a whole number; of visits 1 or more");
    }
}
