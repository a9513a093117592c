//! Recognizing the format of a book by its content.

use tejun_games::game::is_game_record;

use crate::books::files::{
    BookFormat, apery, bonanza, fuego, gikou, gps, katago, parquet, polyglot, sbk, yaneuraou, ybb,
};

type LooksLike = fn(&[u8]) -> bool;

/// The tests in their order; those that can hardly be wrong come first.
const TESTS: &[(BookFormat, LooksLike)] = &[
    (BookFormat::Parquet, parquet::looks_like),
    (BookFormat::YaneuraOuBinary, ybb::looks_like),
    (BookFormat::Gps, gps::looks_like),
    (BookFormat::YaneuraOu, yaneuraou::looks_like),
    (BookFormat::Bonanza, bonanza::looks_like),
    (BookFormat::ShogiGui, sbk::looks_like),
    (BookFormat::Gikou, gikou::looks_like),
    (BookFormat::KataGo, katago::looks_like),
    (BookFormat::Fuego, fuego::looks_like),
    (BookFormat::Apery, apery::looks_like),
    (BookFormat::Polyglot, polyglot::looks_like),
    (BookFormat::Records, is_game_record),
];

/// The format of a book by its content; the file's name does not count.
///
/// Formats without a signature are recognized by what must hold for all
/// their entries: lengths that add up, keys in order, moves that exist.
pub fn recognize(bytes: &[u8]) -> Option<BookFormat> {
    TESTS.iter().find(|(_, looks_like)| looks_like(bytes)).map(|(format, _)| *format)
}
