//! Messages on stderr, and text that is safe to show on a terminal.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::Write;

/// Writes a line to stderr. Ignores failures: a full disk or a closed pipe must not end the work.
pub fn say(message: impl Display) {
    let text = format!("{}\n", visible_lines(&message.to_string()));
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Escapes control characters in text of several lines.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| acts(c) && c != '\n')
}

/// Escapes control characters in one line of text, including line breaks.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, acts)
}

/// A number and its noun, such as `1 game` and `2 games`; for nouns with a plural in s.
pub fn count<N: Display + PartialEq + From<u8>>(n: N, noun: &str) -> String {
    let ending = if n == N::from(1_u8) { "" } else { "s" };
    format!("{n} {noun}{ending}")
}

fn escaped(text: &str, is_unsafe: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_unsafe) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown.into()
}

/// Whether a character moves the cursor, changes colors, or reverses the direction of text.
fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_have_a_plural_unless_there_is_one() {
        assert_eq!([0, 1, 2].map(|n: usize| count(n, "game")), ["0 games", "1 game", "2 games"]);
        assert_eq!(count(1_u64, "leaving position"), "1 leaving position");
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(visible("\u{1b}[31mred"), "\\u{1b}[31mred");
        assert_eq!(visible("a\tb\nc\r"), "a\\tb\\nc\\r");
        assert_eq!(visible_lines("a\nb\u{7}"), "a\nb\\u{7}");
        assert_eq!(visible("\u{202e}desrever"), "\\u{202e}desrever");
        assert_eq!(visible("坂田栄男 Lee \"x\" \\"), "坂田栄男 Lee \"x\" \\");
    }
}
