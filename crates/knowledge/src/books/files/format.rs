//! The kinds of files that books are kept in.

use std::fmt;

/// A kind of file that holds a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BookFormat {
    /// GPS Shogi's and OpenShogiLib's weighted book, `joseki.dat`.
    Gps,
    /// Bonanza's `book.bin`.
    Bonanza,
    /// Apery's `book.bin`.
    Apery,
    /// YaneuraOu's text, `.db`.
    YaneuraOu,
    /// YaneuraOu's binary book, `.ybb`.
    YaneuraOuBinary,
    /// ShogiGUI's `.sbk`.
    ShogiGui,
    /// Gikou's `book.bin`.
    Gikou,
    /// Polyglot's chess book, `.bin`.
    Polyglot,
    /// Fuego's and Pachi's lines of Go moves, `book.dat`.
    Fuego,
    /// KataGo's Go book, `.katabook`.
    KataGo,
    /// Game records: KIF, KI2, CSA, USI lines, PGN or SGF.
    Records,
    /// tejun's own, in Parquet.
    Parquet,
}

const NAMED: [(&str, BookFormat, &str); 12] = [
    ("gps", BookFormat::Gps, "GPS"),
    ("bonanza", BookFormat::Bonanza, "Bonanza"),
    ("apery", BookFormat::Apery, "Apery"),
    ("yaneuraou", BookFormat::YaneuraOu, "YaneuraOu"),
    ("ybb", BookFormat::YaneuraOuBinary, "YaneuraOu binary"),
    ("sbk", BookFormat::ShogiGui, "ShogiGUI"),
    ("gikou", BookFormat::Gikou, "Gikou"),
    ("polyglot", BookFormat::Polyglot, "Polyglot"),
    ("fuego", BookFormat::Fuego, "Fuego"),
    ("katago", BookFormat::KataGo, "KataGo"),
    ("records", BookFormat::Records, "game records"),
    ("parquet", BookFormat::Parquet, "Parquet"),
];

impl BookFormat {
    /// Every format with the name it has on the command line.
    pub fn names() -> impl Iterator<Item = (&'static str, BookFormat)> {
        NAMED.iter().map(|(name, format, _)| (*name, *format))
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        NAMED[self as usize].0
    }
}

impl fmt::Display for BookFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(NAMED[*self as usize].2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_its_own_name() {
        for (place, (name, format)) in BookFormat::names().enumerate() {
            assert_eq!(format as usize, place);
            assert_eq!(format.name(), name);
        }
        assert_eq!(BookFormat::YaneuraOuBinary.to_string(), "YaneuraOu binary");
    }
}
