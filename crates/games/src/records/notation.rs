//! Which notation a file with game trees is written in, and its games.

use encoding_rs::SHIFT_JIS;

use crate::charset;
use crate::records::chess::pgn;
use crate::records::go::sgf;
use crate::records::shogi::{csa, ki2, kif, usi};
use crate::records::{Format, GameTree, Place};

/// A game of a file that could not be read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {why}")]
pub struct TreeRejection {
    /// Where it is.
    pub place: Place,
    /// Why it was not read.
    pub why: TreeRejectionKind,
}

/// Why a game could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeRejectionKind {
    /// Nothing in the file looks like a record.
    #[error("{found:?} is not the beginning of a game record: expected CSA, KIF, KI2, USI, PGN or SGF")]
    NoRecord {
        /// How the file begins.
        found: String,
    },
    /// The position that the game starts from is none.
    #[error("{found:?} is not a starting position")]
    NoPosition {
        /// The text there.
        found: String,
    },
    /// A record of a game that is not known here.
    #[error("{found:?} is a game other than shogi, chess and Go on a square board")]
    OtherGame {
        /// What the record calls it.
        found: String,
    },
}

/// Reads every game of a file, variations included; format and charset are found out.
///
/// Never empty: a file without any game gives one error.
///
/// ```
/// use tejun_games::records::read_game_trees;
///
/// let games = read_game_trees("startpos moves 7g7f 3c3d 2g2f\n".as_bytes());
/// let game = games[0].as_ref().expect("a game of shogi");
/// assert_eq!(game.start.move_text(game.main_line()[0]), "7g7f");
/// ```
pub fn read_game_trees(bytes: &[u8]) -> Vec<Result<GameTree, TreeRejection>> {
    let decoded = charset::decode(bytes, Some(SHIFT_JIS));
    let games = match Notation::of(&decoded.text) {
        Some(Notation::Csa) => csa::read(&decoded.text),
        Some(Notation::Usi) => usi::read(&decoded.text),
        Some(Notation::Kif) => kif::read(&decoded.text),
        Some(Notation::Ki2) => ki2::read(&decoded.text),
        Some(Notation::Pgn) => pgn::read(&charset::decode(bytes, None).text),
        Some(Notation::Sgf) => sgf::read(bytes),
        None => Vec::new(),
    };
    if games.is_empty() { vec![Err(no_record(&decoded.text))] } else { games }
}

/// Whether a file is a text with game records in it.
pub fn is_game_record(bytes: &[u8]) -> bool {
    let is_text = std::str::from_utf8(bytes).is_ok() || !bytes.contains(&0) || bytes.starts_with(&[0xff, 0xfe]);
    is_text && Notation::of(&charset::decode(bytes, Some(SHIFT_JIS)).text).is_some()
}

/// How moves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    Csa,
    Usi,
    Kif,
    Ki2,
    Pgn,
    Sgf,
}

/// Whether a line occurs only in records of one notation.
type IsCharacteristic = fn(&str) -> bool;

impl Notation {
    fn of(text: &str) -> Option<Notation> {
        let is_sgf = || Format::of(text) == Some(Format::Sgf);
        if text.trim_start().starts_with('(') && is_sgf() {
            return Some(Notation::Sgf);
        }
        let characteristic: [(IsCharacteristic, Notation); 5] = [
            (csa::is_characteristic, Notation::Csa),
            (usi::is_characteristic, Notation::Usi),
            (kif::is_characteristic, Notation::Kif),
            (ki2::is_characteristic, Notation::Ki2),
            (pgn::is_characteristic, Notation::Pgn),
        ];
        let notation = |line: &str| {
            characteristic.iter().find(|(is_characteristic, _)| is_characteristic(line)).map(|(_, notation)| *notation)
        };
        let mut lines = text.lines().map(str::trim);
        // A header is that of KIF and KI2 alike, so moves are asked first.
        let by_moves = lines.clone().find_map(notation);
        let by_header = || lines.find(|line| kif::is_header(line)).map(|_| Notation::Kif);
        by_moves.or_else(by_header).or_else(|| is_sgf().then_some(Notation::Sgf))
    }
}

fn no_record(text: &str) -> TreeRejection {
    let found = text.trim_start().chars().take(30).collect();
    TreeRejection { place: Place { line: 1, column: 1 }, why: TreeRejectionKind::NoRecord { found } }
}

/// The lines of a text with their numbers from 1, without blanks at the ends.
pub(crate) fn numbered_lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    (1..).zip(text.lines().map(|line| line.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RECORDS: [&str; 6] = [
        "V2.2\nN+A\nPI82HI\n-\n-3334FU\n+7776FU,T3\n%TORYO\n/\nP1-KY * -GI\nP+00FU00AL\n+\n+0055FU\n",
        "手合割：角落ち\n上手：甲\n手数----指手--\n 1 ６二銀(71)\n 2 ７六歩(77)\n 3 投了\n変化：2手\n 2 ２六歩(27)\n",
        "後手の持駒：飛二　歩十八\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n先手：甲\n▲７六歩△３四歩▲２二角成△同銀\nまで4手で中断\n",
        "startpos moves 7g7f 3c3d\nposition sfen 4k4/9/9/9/9/9/9/9/4K4 b 2R 1 moves R*5e\n",
        "[White \"a\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n1. e4 {x} Kd7 (1... Kf7 $1) 2. e5 1-0\n",
        "(;GM[1]SZ[9]AB[cc];W[ee](;B[gg];W[])(;B[cg]))(;SZ[5];B[cc])",
    ];

    #[test]
    fn no_record_is_an_error_with_its_beginning() {
        let games = read_game_trees(b"  nothing of the kind");
        let message = games[0].as_ref().expect_err("no record").to_string();
        assert!(message.starts_with("1:1: \"nothing of the kind\" is not the beginning of a game record"), "{message}");
        assert_eq!(read_game_trees(b"").len(), 1);
    }

    #[test]
    fn records_cut_anywhere_do_not_panic() {
        for record in RECORDS {
            assert!(read_game_trees(record.as_bytes())[0].is_ok(), "{record}");
            let (japanese, _, _) = SHIFT_JIS.encode(record);
            for bytes in [record.as_bytes(), &japanese] {
                for end in 0..bytes.len() {
                    assert!(!read_game_trees(&bytes[..end]).is_empty());
                }
            }
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            prop_assert!(!read_game_trees(&bytes).is_empty());
        }

        #[test]
        fn no_change_panics(which in 0usize..6, at in 0usize..300, put in "[\\x00-\\x7f▲△同成打手数変化：１-９一-九歩香銀金角飛玉(){}]{0,6}", n_gone in 0usize..8) {
            let mut letters: Vec<char> = RECORDS[which].chars().collect();
            let at = at % letters.len();
            letters.splice(at..letters.len().min(at + n_gone), put.chars());
            let text: String = letters.into_iter().collect();
            for game in read_game_trees(text.as_bytes()).into_iter().flatten() {
                let mut board = game.start.clone();
                for played in game.main_line() {
                    prop_assert!(board.play(played).is_ok());
                }
            }
        }
    }
}
