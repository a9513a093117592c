//! The formats of book files.

use std::fmt;
use std::path::Path;

use tejun_games::game::Game;

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
    /// All formats.
    pub const ALL: [BookFormat; NAMED.len()] = {
        let mut all = [BookFormat::Gps; NAMED.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = NAMED[index].1;
            index += 1;
        }
        all
    };

    /// The formats in which books can be written; the others can only be read.
    pub const WRITABLE: [BookFormat; 5] =
        [BookFormat::YaneuraOu, BookFormat::Apery, BookFormat::Polyglot, BookFormat::Records, BookFormat::Parquet];

    /// Its short name.
    pub fn name(self) -> &'static str {
        NAMED[self as usize].0
    }

    /// The format in which a book of this game is written to a file with this name; `None` if the ending does not
    /// determine it.
    pub fn of_path(path: &Path, game: Game) -> Option<BookFormat> {
        let ending = path.extension()?.to_str()?.to_lowercase();
        match (ending.as_str(), game) {
            ("db", _) => Some(BookFormat::YaneuraOu),
            ("bin", Game::Chess) => Some(BookFormat::Polyglot),
            ("bin", Game::Shogi) => Some(BookFormat::Apery),
            ("sgf", _) => Some(BookFormat::Records),
            ("parquet", _) => Some(BookFormat::Parquet),
            _ => None,
        }
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
        for (place, format) in BookFormat::ALL.into_iter().enumerate() {
            assert_eq!(format as usize, place);
            let n_named = BookFormat::ALL.iter().filter(|other| other.name() == format.name()).count();
            assert_eq!(n_named, 1);
        }
        assert_eq!(BookFormat::YaneuraOuBinary.to_string(), "YaneuraOu binary");
    }
}
