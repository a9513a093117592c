//! Escapes and line breaks of SGF text.

use std::borrow::Cow;

/// Resolves escapes: a backslash protects the next character, and joins lines before a line break.
///
/// Line breaks become `\n`, other white space a blank, as SGF's `Text` has it.
pub fn unescape(raw: &str) -> Cow<'_, str> {
    let is_plain = |b: u8| b != b'\\' && b != b'\r' && b != b'\t' && b != 0x0b && b != 0x0c;
    if raw.bytes().all(is_plain) {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        let (c, is_escaped) = if c == '\\' {
            match chars.next() {
                Some(next) => (next, true),
                None => break,
            }
        } else {
            (c, false)
        };
        if c == '\n' || c == '\r' {
            let other = if c == '\n' { '\r' } else { '\n' };
            chars.next_if_eq(&other);
            if !is_escaped {
                text.push('\n');
            }
        } else if c.is_ascii_whitespace() || c == '\x0b' {
            text.push(' ');
        } else {
            text.push(c);
        }
    }
    Cow::Owned(text)
}

/// SGF's `SimpleText`: as [`unescape`], and in one line without blanks around it.
pub(crate) fn simple_text(raw: &str) -> String {
    let text = unescape(raw);
    if text.contains('\n') {
        return text.replace('\n', " ").trim().to_string();
    }
    text.trim().to_string()
}

/// Protects what would end or change a value.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['\\', ']']) {
        return Cow::Borrowed(text);
    }
    let mut raw = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if c == '\\' || c == ']' {
            raw.push('\\');
        }
        raw.push(c);
    }
    Cow::Owned(raw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(raw: &str, expected: &str) {
        assert_eq!(unescape(raw), expected);
    }

    #[test]
    fn escapes_and_soft_line_breaks() {
        check("plain", "plain");
        check("a\\]b\\\\c\\:", "a]b\\c:");
        check(">o\\\nk<", ">ok<");
        check(">o\\\n\rk<", ">ok<");
        check(">o\\\r\nk<", ">ok<");
        check(">o\\\rk<", ">ok<");
        check("a\r\nb\rc\td", "a\nb\nc d");
        check("ends in \\", "ends in ");
        assert_eq!(simple_text(" two\nlines "), "two lines");
    }

    proptest! {
        #[test]
        fn unescape_undoes_escape(text in "[a-z\\]\\[\\\\:;() \u{e9}\u{7881}\n]{0,40}") {
            let raw = escape(&text);
            prop_assert_eq!(unescape(&raw), text.as_str());
        }
    }
}
