//! Command lines as a user writes them.

use std::fmt;
use std::str::FromStr;

/// A program and its arguments.
///
/// Written as in a shell: blanks part words, `'…'` keeps everything, `"…"` all
/// but `\"` and `\\`. No variables, no wildcards, no `~`; a backslash before
/// every other character is kept, so that Windows paths can be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program: a path, or a name that is looked for in `PATH`.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// Why a text is not a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// It contains no word.
    #[error("the command line is empty: write a program and its arguments")]
    Empty,
    /// A quote is not closed.
    #[error("the quote {quote} at column {column} is not closed")]
    Unclosed {
        /// The quote that was opened.
        quote: char,
        /// Where, in characters from 1.
        column: usize,
    },
}

impl FromStr for EngineCommand {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<EngineCommand, CommandError> {
        let mut words = words(line)?.into_iter();
        let program = words.next().filter(|program| !program.is_empty()).ok_or(CommandError::Empty)?;
        Ok(EngineCommand { program, arguments: words.collect() })
    }
}

/// The words of a command line, without their quotes.
fn words(line: &str) -> Result<Vec<String>, CommandError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut open: Option<(char, usize)> = None;
    let mut chars = line.chars().enumerate().peekable();
    while let Some((index, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        match (c, open) {
            (_, Some((quote, _))) if c == quote => open = None,
            ('\\', None | Some(('"', _))) if next.is_some_and(|next| is_escaped(next, open.is_some())) => {
                word.get_or_insert_default().extend(next);
                chars.next();
            }
            ('"' | '\'', None) => {
                open = Some((c, index + 1));
                word.get_or_insert_default();
            }
            (_, None) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if let Some((quote, column)) = open {
        return Err(CommandError::Unclosed { quote, column });
    }
    words.extend(word);
    Ok(words)
}

/// Whether a backslash before this letter takes its meaning away.
fn is_escaped(letter: char, is_quoted: bool) -> bool {
    match letter {
        '"' | '\\' => true,
        '\'' => !is_quoted,
        _ => letter.is_whitespace() && !is_quoted,
    }
}

impl fmt::Display for EngineCommand {
    /// The command line, quoted so that it reads back as the same command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_word(f, &self.program)?;
        for argument in &self.arguments {
            f.write_str(" ")?;
            write_word(f, argument)?;
        }
        Ok(())
    }
}

fn write_word(f: &mut fmt::Formatter<'_>, word: &str) -> fmt::Result {
    let is_plain = !word.is_empty() && !word.chars().any(|c| c.is_whitespace() || "\"'\\".contains(c));
    if is_plain { f.write_str(word) } else { write!(f, "\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        assert_eq!(words(line).expect("closed quotes"), expected, "{line}");
    }

    #[test]
    fn words_are_parted_by_blanks_outside_quotes() {
        check("gnugo --mode gtp  --level 10", &["gnugo", "--mode", "gtp", "--level", "10"]);
        check(
            r#""/opt/my engines/katago" gtp -model 'b 6.bin'"#,
            &["/opt/my engines/katago", "gtp", "-model", "b 6.bin"],
        );
        check(r#"a"b c"'d e' """#, &["ab cd e", ""]);
        check(r#"C:\Go\katago.exe a\ b \" "\"\\\x" '\'"#, &[r"C:\Go\katago.exe", "a b", "\"", r#""\\x"#, r"\"]);
        check(" \t ", &[]);
        check(r"end\", &[r"end\"]);
    }

    #[test]
    fn faults_name_their_place() {
        let error = |line: &str| line.parse::<EngineCommand>().expect_err("a fault").to_string();
        assert_eq!(error("katago -model \"b6.bin"), "the quote \" at column 15 is not closed");
        assert_eq!(error("囲碁 'x"), "the quote ' at column 4 is not closed");
        assert!(error("  ").contains("empty"));
        assert!(error("\"\" x").contains("empty"));
    }

    proptest! {
        #[test]
        fn a_command_reads_back(words in prop::collection::vec(".{0,8}", 1..5)) {
            prop_assume!(!words[0].is_empty());
            let command = EngineCommand { program: words[0].clone(), arguments: words[1..].to_vec() };
            prop_assert_eq!(command.to_string().parse::<EngineCommand>(), Ok(command));
        }
    }
}
