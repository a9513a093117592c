//! The two dialects: where they differ in words.

use std::fmt;
use std::str::FromStr;

use crate::engines::NameError;
use crate::engines::options::named;

/// The protocol that an engine speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Shogi engines: the Universal Shogi Interface.
    Usi,
    /// Chess engines: the Universal Chess Interface.
    Uci,
}

impl Dialect {
    /// Each dialect with the name by which it is chosen.
    pub const NAMES: [(&'static str, Dialect); 2] = [("usi", Dialect::Usi), ("uci", Dialect::Uci)];

    /// The first word to an engine, which is the dialect's name.
    pub(crate) fn greeting(self) -> &'static str {
        match self {
            Dialect::Usi => "usi",
            Dialect::Uci => "uci",
        }
    }

    /// What an engine says when it has introduced itself.
    pub(crate) fn greeted(self) -> &'static str {
        match self {
            Dialect::Usi => "usiok",
            Dialect::Uci => "uciok",
        }
    }

    /// Whether engines take this setting without listing it.
    pub(crate) fn is_understood(self, setting: &str) -> bool {
        self == Dialect::Usi && ["USI_Hash", "USI_Ponder"].iter().any(|name| name.eq_ignore_ascii_case(setting))
    }

    /// Whether the word has the shape of a move; on which board and by which rules is not asked.
    pub(crate) fn is_move(self, word: &str) -> bool {
        let bytes = word.as_bytes();
        if let [piece, b'*' | b'@', to @ ..] = bytes {
            return piece.is_ascii_uppercase() && self.square(to).is_some_and(<[u8]>::is_empty);
        }
        let promotion = self.square(bytes).and_then(|rest| self.square(rest));
        promotion.is_some_and(|promotion| match promotion {
            [] | [b'+'] => true,
            [piece] => self == Dialect::Uci && piece.is_ascii_lowercase(),
            _ => false,
        })
    }

    /// The bytes after a square: `7g` in shogi; `e2` in chess, `j10` on larger boards.
    fn square(self, bytes: &[u8]) -> Option<&[u8]> {
        match (self, bytes) {
            (Dialect::Usi, [b'1'..=b'9', b'a'..=b'i', rest @ ..])
            | (Dialect::Uci, [b'a'..=b'l', b'1', b'0'..=b'2', rest @ ..] | [b'a'..=b'l', b'1'..=b'9', rest @ ..]) => {
                Some(rest)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.greeting())
    }
}

impl FromStr for Dialect {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Dialect, NameError> {
        named(&Dialect::NAMES, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for (name, dialect) in Dialect::NAMES {
            assert_eq!(name.parse(), Ok(dialect));
            assert_eq!(dialect.to_string(), name);
        }
        let error = "gtp".parse::<Dialect>().expect_err("another protocol").to_string();
        assert_eq!(error, "\"gtp\" is unknown; choose usi, uci");
    }

    #[test]
    fn moves_are_distinguished_from_other_words() {
        for word in ["7g7f", "2b8h+", "P*5e", "1a9i"] {
            assert!(Dialect::Usi.is_move(word), "{word}");
        }
        for word in ["e2e4", "e7e8q", "e1h1", "P@e4", "a10j1", "c3c4+"] {
            assert!(Dialect::Uci.is_move(word), "{word}");
        }
        for word in ["", "resign", "win", "e2e4", "7g7", "7g7fq", "0a1a", "P*", "p*5e", "P*5e+", "7g7f++", "７g7f"] {
            assert!(!Dialect::Usi.is_move(word), "{word}");
        }
        for word in ["", "(none)", "0000", "7g7f", "e2", "e2e", "e2e4qq", "banana", "P@", "e2e4é"] {
            assert!(!Dialect::Uci.is_move(word), "{word}");
        }
    }
}
