//! Records in KIF: one numbered move per line, with the square it comes from.

use crate::game::{GamePosition, GameTree, Side, TreeWarningKind};
use crate::records::Place;
use crate::records::shogi::japanese::{self, Unresolved, WrittenMove};
use crate::records::shogi::setup::Setup;
use crate::records::tree_builder::TreeBuilder;
use crate::records::{TreeRejection, TreeRejectionKind, numbered_lines};
use crate::shogi::{Color, Square};

/// Whether a line is a numbered move or the heading of such lines.
pub(crate) fn is_characteristic(line: &str) -> bool {
    line.starts_with("手数----") || numbered_move(line).is_some()
}

/// Whether a line belongs to the header, which is the same in KIF and KI2.
pub(crate) fn is_header(line: &str) -> bool {
    header_field(line).is_some_and(|(key, _)| FIELDS.contains(&key))
        || line.starts_with("|v")
        || line.starts_with("| ・")
}

const FIELDS: [&str; 13] = [
    "開始日時",
    "終了日時",
    "棋戦",
    "場所",
    "持ち時間",
    "手合割",
    "先手",
    "後手",
    "下手",
    "上手",
    "戦型",
    "表題",
    "備考",
];

/// Reads all games; a header after the moves of one begins the next.
pub(crate) fn read(text: &str) -> Vec<Result<GameTree, TreeRejection>> {
    read_with(text, |game, number, line| {
        let Some((move_number, word)) = numbered_move(line) else { return };
        game.read_numbered(number, move_number, word);
    })
}

/// Reads games whose lines are all alike but for those with moves.
pub(crate) fn read_with(
    text: &str,
    read_moves: impl Fn(&mut KifReading, u32, &str),
) -> Vec<Result<GameTree, TreeRejection>> {
    let mut games = Vec::new();
    let mut game = KifReading::new();
    for (number, line) in numbered_lines(text) {
        let line = line.trim_start();
        if line.is_empty() || line.starts_with(['#', '*', '&']) {
            continue;
        }
        if game.game.is_some() && is_header(line) {
            games.extend(std::mem::replace(&mut game, KifReading::new()).finish());
        }
        if !game.read_common(number, line) {
            read_moves(&mut game, number, line);
        }
    }
    games.extend(game.finish());
    games
}

/// The number and the word of a line like `1 ７六歩(77) ( 0:01/00:00:01)`.
fn numbered_move(line: &str) -> Option<(u32, &str)> {
    let end = line.find(|letter: char| !letter.is_ascii_digit())?;
    let number = line[..end].parse().ok()?;
    let rest = line[end..].trim_start_matches(['.', ' ', '\t', '　']);
    let is_word =
        rest.starts_with(|letter: char| !letter.is_ascii() && letter != '手') && rest.len() < line.len() - end;
    is_word.then_some((number, rest))
}

/// A field and its value: `先手：名`.
fn header_field(line: &str) -> Option<(&str, &str)> {
    line.split_once(['：', ':'])
}

/// A game while it is read.
pub(crate) struct KifReading {
    setup: Option<Setup>,
    /// Rows of a drawn board so far.
    n_rows: u8,
    to_move: Color,
    players: [Option<String>; 2],
    has_header: bool,
    /// Once the first move is read.
    game: Option<TreeBuilder>,
    /// Where the moves of the line went, for 同.
    squares: Vec<Square>,
    error: Option<TreeRejection>,
}

impl KifReading {
    fn new() -> KifReading {
        KifReading {
            setup: None,
            n_rows: 0,
            to_move: Color::Black,
            players: [None, None],
            has_header: false,
            game: None,
            squares: Vec::new(),
            error: None,
        }
    }

    /// Reads a line that is the same in KIF and KI2; returns whether it was one.
    fn read_common(&mut self, number: u32, line: &str) -> bool {
        if let Some(branch) = line.strip_prefix("変化") {
            self.read_branch(number, branch);
        } else if line.starts_with("まで") {
            self.begin(number);
            if let Some(game) = self.game.as_mut().filter(|game| game.is_main()) {
                let outcome = &mut game.game_mut().outcome;
                *outcome = outcome.or(japanese::end_sentence(line));
            }
        } else if self.game.is_none() {
            return self.read_header(number, line);
        } else {
            return false;
        }
        true
    }

    fn read_header(&mut self, number: u32, line: &str) -> bool {
        let done = if line.starts_with('|') {
            self.n_rows = self.n_rows.saturating_add(1);
            let rank = self.n_rows;
            japanese::read_row(line, rank, self.setup.get_or_insert_with(Setup::empty))
        } else if let Some((key, value)) = header_field(line) {
            match self.read_field(key, value.trim()) {
                Some(done) => done,
                None => return false,
            }
        } else if matches!(line, "後手番" | "上手番") {
            self.to_move = Color::White;
            Some(())
        } else {
            return matches!(line, "先手番" | "下手番");
        };
        self.has_header = true;
        if done.is_none() {
            self.refuse(number, line);
        }
        true
    }

    /// Reads a field; the outer `None` if it is none of a header, the inner one if its value is odd.
    fn read_field(&mut self, key: &str, value: &str) -> Option<Option<()>> {
        let name = || Some(value.to_string()).filter(|name| !name.is_empty());
        let hand = |reading: &mut KifReading, color| {
            let setup = reading.setup.get_or_insert_with(Setup::empty);
            Some(japanese::read_hand(value, color, setup))
        };
        match key.trim() {
            "先手" | "下手" => self.players[0] = name(),
            "後手" | "上手" => self.players[1] = name(),
            "先手の持駒" | "下手の持駒" => return hand(self, Color::Black),
            "後手の持駒" | "上手の持駒" => return hand(self, Color::White),
            "手合割" if self.setup.is_none() => {
                // Others than these come with a board.
                if let Some((setup, to_move)) = japanese::handicap(value) {
                    self.setup = Some(setup).filter(|_| to_move == Color::White);
                    self.to_move = to_move;
                }
            }
            key if FIELDS.contains(&key) => {}
            _ => return None,
        }
        Some(Some(()))
    }

    fn refuse(&mut self, line: u32, found: &str) {
        let why = TreeRejectionKind::NoPosition { found: found.chars().take(40).collect() };
        self.error.get_or_insert(TreeRejection { place: Place { line, column: 1 }, why });
    }

    /// Sets the board up, if this is not yet done.
    fn begin(&mut self, number: u32) {
        if self.game.is_some() || self.error.is_some() {
            return;
        }
        let setup = self.setup.clone().unwrap_or_else(Setup::start);
        match setup.position(self.to_move) {
            Some(position) => self.game = Some(TreeBuilder::new(position.into())),
            None => self.refuse(number, "more pieces than a set has"),
        }
    }

    /// `：8手` after 変化: what follows replaces the eighth move of the line before.
    fn read_branch(&mut self, number: u32, text: &str) {
        let digits = text.trim_start_matches(['：', ':', ' ', '　']).trim_end_matches(['手', '+', ' ']);
        self.begin(number);
        let Some(game) = &mut self.game else { return };
        match digits.trim_end_matches("手").parse::<u32>() {
            Ok(branch @ 1..) => {
                game.branch(number, branch as usize - 1);
                self.squares.truncate(branch as usize - 1);
            }
            _ => {
                game.branch(number, 0);
                game.cut(number, TreeWarningKind::NoMove { text: format!("変化{text}") });
            }
        }
    }

    fn read_numbered(&mut self, number: u32, move_number: u32, text: &str) {
        let word = text.split([' ', '\t', '(']).next().unwrap_or(text);
        let to_move = if move_number % 2 == 1 { self.to_move } else { self.to_move.flip() };
        let side = if to_move == Color::Black { Side::First } else { Side::Second };
        match japanese::end_word(word.trim_end_matches('+'), side) {
            Some(outcome) => {
                self.begin(number);
                if let Some(game) = self.game.as_mut().filter(|game| game.is_main()) {
                    game.game_mut().outcome = outcome;
                }
            }
            None => self.read_move(number, move_text(text)),
        }
    }

    /// Plays a move as it is written.
    pub(crate) fn read_move(&mut self, number: u32, text: &str) {
        self.begin(number);
        let Some(game) = self.game.as_mut().filter(|game| !game.is_cut()) else { return };
        let GamePosition::Shogi(position) = game.board() else { return };
        let Some(written) = WrittenMove::parse(text, self.squares.last().copied()) else {
            return game.cut(number, TreeWarningKind::NoMove { text: text.trim().to_string() });
        };
        let (text, at) = (text.trim().to_string(), position.to_sfen());
        match written.resolve(position) {
            Ok(played) => {
                game.play(number, played.into());
                self.squares.push(written.to());
            }
            Err(Unresolved::None) => game.cut(number, TreeWarningKind::IllegalMove { text, position: at }),
            Err(Unresolved::Several(n_moves)) => {
                game.cut(number, TreeWarningKind::AmbiguousMove { text, position: at, n_moves });
            }
        }
    }

    fn finish(mut self) -> Option<Result<GameTree, TreeRejection>> {
        if self.has_header {
            self.begin(1);
        }
        if let Some(error) = self.error {
            return Some(Err(error));
        }
        let mut game = self.game?.finish();
        game.players = self.players;
        Some(Ok(game))
    }
}

/// The move without the time after it: up to `)` of its origin, or to the first blank after the piece.
fn move_text(text: &str) -> &str {
    // 同　歩: the blank after 同 belongs to the move.
    let skip = text.find(|letter: char| !letter.is_whitespace() && letter != '同').unwrap_or(0);
    let end =
        text[skip..].find(|letter: char| letter.is_whitespace() || letter == '+').map_or(text.len(), |n| skip + n);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, read_game_trees};

    const GAME: &str = "# ---- 棋譜\n開始日時：2018/05/03\n手合割：平手　　\n先手：藤井\n後手：羽生\n\
        手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n*comment\n   2 ３四歩(33)   ( 0:00/00:00:00)+\n\
        \x20  3 ２二角成(88)\n   4 同　銀(31)   ( 0:00/)\n   5 ４五角打     ( 0:00/)\n   6 投了         ( 0:03/)\nまで5手で先手の勝ち\n\n\
        変化：6手\n   6 ６二金(61)\n変化：2手\n   2 ８四歩(83)\n   3 ２六歩(27)\n変化：3手\n   3 ６八飛(28)\n   4 詰み\n";

    #[track_caller]
    fn read_one(text: &str) -> GameTree {
        read_game_trees(text.as_bytes()).remove(0).expect("a game")
    }

    fn line(game: &GameTree) -> String {
        let mut board = game.start.clone();
        let mut words = Vec::new();
        for played in game.main_line() {
            words.push(board.move_text(played));
            board.play(played).expect("was played");
        }
        words.join(" ")
    }

    #[test]
    fn a_game_with_variations() {
        let game = read_one(GAME);
        assert_eq!(game.warnings, []);
        assert_eq!(line(&game), "7g7f 3c3d 8h2b+ 3a2b B*4e");
        assert_eq!(game.outcome, Some(Outcome::FirstWon));
        assert_eq!(game.players, [Some("藤井".into()), Some("羽生".into())]);
        let parents: Vec<Option<u32>> = game.moves.iter().map(|played| played.parent).collect();
        assert_eq!(parents[5..], [Some(4), Some(0), Some(6), Some(6)]);
    }

    #[test]
    fn shift_jis_is_found_out() {
        let (bytes, _, _) = encoding_rs::SHIFT_JIS.encode(GAME);
        let game = read_game_trees(&bytes).remove(0).expect("a game");
        assert_eq!(game.players[0].as_deref(), Some("藤井"));
        assert_eq!(game.moves.len(), 9);
    }

    #[test]
    fn handicaps_begin_with_white() {
        let game = read_one("手合割：二枚落ち\n手数----指手--\n 1 ６二銀(71)\n 2 ７六歩(77)\n 3 中断\n");
        assert_eq!(game.start.to_string(), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
        assert_eq!((line(&game).as_str(), game.outcome), ("7a6b 7g7f", None));
        let resigned = read_one("手合割：角落ち\n手数----指手--\n 1 ６二銀(71)\n 2 投了\n");
        assert_eq!(resigned.outcome, Some(Outcome::SecondWon));
    }

    #[test]
    fn drawn_boards() {
        let text = "後手の持駒：飛　歩十七　\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n\
            | ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n\
            +---------------------------+\n先手の持駒：金二\n先手番\n手数----指手---\n 1 ５二金打\n";
        let game = read_one(text);
        assert_eq!(game.start.to_string(), "4k4/9/4P4/9/9/9/9/9/9 b 2Gr17p 1");
        assert_eq!(line(&game), "G*5b");
    }

    #[test]
    fn bad_lines_cut_theirs_only() {
        let text = "手数----指手---\n 1 ７六歩(77)\n 2 ７六歩(77)\n 3 ２六歩(27)\n変化：9手\n 9 ２六歩(27)\n変化：2手\n 2 珍手\n変化：2手\n 2 ３四歩(33)\n";
        let game = read_one(text);
        assert_eq!(line(&game), "7g7f");
        assert_eq!(game.moves.len(), 2);
        assert_eq!(game.warnings.iter().map(|warning| warning.line).collect::<Vec<_>>(), [3, 8]);
    }

    #[test]
    fn two_games_in_a_file() {
        let two = format!("{GAME}\n{GAME}");
        assert_eq!(read(&two).len(), 2);
    }
}
