//! The tokens of the text language.

use crate::tactics::language::parse_error::{MappingFault, ParseMappingError};

/// A token and its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    pub kind: TokenKind,
    /// As written; empty at the end.
    pub text: &'t str,
    /// The byte offset of its start.
    pub at: usize,
    /// Whether it is the first token of its line.
    pub starts_line: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Letters, digits and `_`.
    Name,
    /// Digits; truncated if the number is larger than any that is allowed.
    Number(u32),
    /// Any other character. Equivalent operators are one character.
    Sign(char),
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// The end of the text.
    End,
}

/// A text split into tokens, read from left to right.
pub(crate) struct Tokens<'t> {
    pub text: &'t str,
    tokens: Vec<Token<'t>>,
    next: usize,
}

impl<'t> Tokens<'t> {
    pub(crate) fn new(text: &'t str) -> Tokens<'t> {
        let mut tokens = Vec::new();
        let (mut at, mut starts_line) = (0, true);
        while let Some(first) = text[at..].chars().next() {
            let rest = &text[at..];
            let length = match first {
                '#' => rest.find('\n').unwrap_or(rest.len()),
                _ if first.is_whitespace() => first.len_utf8(),
                _ => {
                    let (kind, length) = token_at(rest, first);
                    tokens.push(Token { kind, text: &rest[..length], at, starts_line });
                    starts_line = false;
                    length
                }
            };
            starts_line |= first == '\n';
            at += length;
        }
        // Something missing at the end is reported after the last token, not on an empty line.
        tokens.push(Token { kind: TokenKind::End, text: "", at: text.trim_end().len(), starts_line });
        Tokens { text, tokens, next: 0 }
    }

    pub(crate) fn peek(&self) -> Token<'t> {
        self.tokens[self.next]
    }

    /// Returns the next token; does not move past the end.
    pub(crate) fn advance(&mut self) -> Token<'t> {
        let token = self.peek();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    pub(crate) fn take_sign(&mut self, sign: char) -> Option<Token<'t>> {
        (self.peek().kind == TokenKind::Sign(sign)).then(|| self.advance())
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.peek().kind == TokenKind::Name && self.peek().text == word
    }

    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let is_next = self.is_word(word);
        if is_next {
            self.advance();
        }
        is_next
    }

    /// The comment that follows the last token in its line.
    pub(crate) fn comment(&self) -> &'t str {
        let end = self.next.checked_sub(1).map_or(0, |last| self.tokens[last].at + self.tokens[last].text.len());
        let line = self.text[end..].lines().next().unwrap_or("").trim_start();
        line.trim_start_matches(|c: char| c == ';' || c.is_whitespace()).strip_prefix('#').unwrap_or("").trim()
    }

    pub(crate) fn line_and_column(&self, at: usize) -> (usize, usize) {
        let before = &self.text[..at];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
    }

    pub(crate) fn error(&self, token: Token<'_>, fault: MappingFault) -> ParseMappingError {
        let (line, column) = self.line_and_column(token.at);
        let is_shown = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
        let found = token.text.chars().take(MAX_FOUND).map(is_shown).collect();
        ParseMappingError { line, column, found, fault, near: None }
    }

    /// The error for a parenthesis that is still open at the next token.
    pub(crate) fn unclosed(&self, open: Token<'_>) -> ParseMappingError {
        let (line, column) = self.line_and_column(open.at);
        let here = self.peek();
        let is_below = self.line_and_column(here.at).0 != line;
        let fault = if is_below { MappingFault::NoClosingBelow(line, column) } else { MappingFault::NoClosing(column) };
        self.error(here, fault)
    }
}

/// Maximum number of characters of a token that an error repeats.
const MAX_FOUND: usize = 60;

fn token_at(rest: &str, first: char) -> (TokenKind, usize) {
    let length = |is_part: fn(char) -> bool| rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        let length = length(|c| c.is_ascii_digit());
        return (TokenKind::Number(rest[..length].parse().unwrap_or(u32::MAX)), length);
    }
    if first.is_alphabetic() || first == '_' {
        return (TokenKind::Name, length(|c| c.is_alphanumeric() || c == '_'));
    }
    match rest.get(..2) {
        Some(">=") => (TokenKind::AtLeast, 2),
        Some("<=") => (TokenKind::AtMost, 2),
        _ => (TokenKind::Sign(plain_sign(first)), first.len_utf8()),
    }
}

/// The keyboard character for a typographic operator.
fn plain_sign(sign: char) -> char {
    match sign {
        '∩' => '&',
        '∪' => '|',
        '−' | '∖' => '-',
        '¬' => '!',
        '⊕' => '^',
        _ => sign,
    }
}
