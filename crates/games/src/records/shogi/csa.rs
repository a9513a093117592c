//! Records in the format of the Computer Shogi Association (CSA), versions 1 to 3.

use crate::game::{GamePosition, GameTree, Outcome, Side, TreeWarningKind};
use crate::records::Place;
use crate::records::shogi::setup::Setup;
use crate::records::tree_builder::TreeBuilder;
use crate::records::{TreeRejection, TreeRejectionKind, numbered_lines};
use crate::shogi::{Color, Move, Piece, PieceKind, Position, Square};

/// Whether a line can only occur in a record of this format.
pub(crate) fn is_characteristic(line: &str) -> bool {
    let bytes = line.as_bytes();
    match bytes {
        [b'V', b'1'..=b'3', ..] => bytes[2..].iter().all(|byte| byte.is_ascii_digit() || *byte == b'.'),
        [b'N', b'+' | b'-', ..] | [b'P', b'I'] => true,
        [b'P', b'I' | b'+' | b'-', b'0'..=b'9', b'0'..=b'9', ..] => true,
        [b'P', b'1'..=b'9', b' ' | b'+' | b'-', ..] => true,
        [b'+' | b'-', rest @ ..] => {
            rest.len() >= 6 && rest[..4].iter().all(u8::is_ascii_digit) && kind_at(line, 5).is_some()
        }
        _ => line.strip_prefix("'CSA encoding=").is_some(),
    }
}

/// Reads all games, parted by lines of `/`.
pub(crate) fn read(text: &str) -> Vec<Result<GameTree, TreeRejection>> {
    let mut games = Vec::new();
    let mut game = CsaReading::new();
    for (number, line) in numbered_lines(text) {
        let line = line.trim_start();
        if line == "/" {
            games.extend(std::mem::replace(&mut game, CsaReading::new()).finish());
        } else {
            game.read_line(number, line);
        }
    }
    games.extend(game.finish());
    games
}

/// A game between two separators.
struct CsaReading {
    setup: Setup,
    has_setup: bool,
    to_move: Option<Color>,
    players: [Option<String>; 2],
    /// Once the first move or the side to move is read.
    game: Option<TreeBuilder>,
    /// Who made the last move that is written, played or not.
    last_mover: Option<Color>,
    outcome: Option<Outcome>,
    error: Option<TreeRejection>,
}

impl CsaReading {
    fn new() -> CsaReading {
        CsaReading {
            setup: Setup::empty(),
            has_setup: false,
            to_move: None,
            players: [None, None],
            game: None,
            last_mover: None,
            outcome: None,
            error: None,
        }
    }

    fn read_line(&mut self, number: u32, line: &str) {
        match line.as_bytes() {
            [b'N', b'+', ..] => self.players[0] = name(&line[2..]),
            [b'N', b'-', ..] => self.players[1] = name(&line[2..]),
            [b'P', ..] if self.game.is_none() => self.read_setup(number, line),
            [b'+' | b'-' | b'%', ..] => line.split(',').for_each(|statement| self.read_statement(number, statement)),
            _ => {}
        }
    }

    fn read_setup(&mut self, number: u32, line: &str) {
        self.has_setup = true;
        let done = match line.as_bytes() {
            [b'P', b'I', ..] => self.read_start(&line[2..]),
            [b'P', rank @ b'1'..=b'9', ..] => self.read_rank(rank - b'0', &line[2..]),
            [b'P', b'+', ..] => self.read_pieces(Color::Black, &line[2..]),
            [b'P', b'-', ..] => self.read_pieces(Color::White, &line[2..]),
            _ => Some(()),
        };
        if done.is_none() {
            self.refuse(number, line);
        }
    }

    fn refuse(&mut self, line: u32, found: &str) {
        let why = TreeRejectionKind::NoPosition { found: found.chars().take(40).collect() };
        self.error.get_or_insert(TreeRejection { place: Place { line, column: 1 }, why });
    }

    /// `PI82HI22KA`: the usual start without these pieces.
    fn read_start(&mut self, without: &str) -> Option<()> {
        self.setup = Setup::start();
        for piece in fours(without)? {
            self.setup.put(square_at(piece, 0)?, None);
        }
        Some(())
    }

    /// `P1-KY-KE-GI-KI-OU-KI-GI-KE-KY`, blanks at the end perhaps lost.
    fn read_rank(&mut self, rank: u8, row: &str) -> Option<()> {
        for file in (1..=9).rev() {
            let at = 3 * usize::from(9 - file);
            let cell = row.get(at..row.len().min(at + 3)).unwrap_or("").trim();
            let piece = match cell.as_bytes() {
                [] | [b'*', ..] => None,
                [b'+', ..] => Some(Piece::new(kind_at(cell, 1)?, Color::Black)),
                [b'-', ..] => Some(Piece::new(kind_at(cell, 1)?, Color::White)),
                _ => return None,
            };
            self.setup.put(Square::new(file, rank)?, piece);
        }
        Some(())
    }

    /// `P+63KI00FU00AL`: pieces on squares, in hand at 00, and all that are left.
    fn read_pieces(&mut self, color: Color, pieces: &str) -> Option<()> {
        for piece in fours(pieces)? {
            match (square_at(piece, 0), piece.get(2..)) {
                (Some(square), _) => self.setup.put(square, Some(Piece::new(kind_at(piece, 2)?, color))),
                (None, Some("AL")) => self.setup.hold_rest(color),
                (None, _) if piece.starts_with("00") => self.setup.hold(color, kind_at(piece, 2)?, 1)?,
                _ => return None,
            }
        }
        Some(())
    }

    fn read_statement(&mut self, number: u32, statement: &str) {
        let statement = statement.trim();
        let color = match statement.as_bytes() {
            [b'+', ..] => Color::Black,
            [b'-', ..] => Color::White,
            [b'%', ..] => return self.read_end(statement),
            _ => return,
        };
        if statement.len() == 1 {
            self.to_move = Some(color);
        } else {
            self.to_move.get_or_insert(color);
            self.read_move(number, statement, color);
        }
    }

    fn read_move(&mut self, number: u32, text: &str, color: Color) {
        self.last_mover = Some(color);
        self.begin(number);
        let Some(game) = &mut self.game else { return };
        let GamePosition::Shogi(position) = game.board() else { return };
        match read_move(text, position) {
            Some(played) if position.to_move() == color => game.play(number, played.into()),
            Some(_) => {
                let position = position.to_sfen();
                game.cut(number, TreeWarningKind::IllegalMove { text: text.to_string(), position });
            }
            None => game.cut(number, TreeWarningKind::NoMove { text: text.to_string() }),
        }
    }

    /// Sets the board up, if this is not yet done.
    fn begin(&mut self, number: u32) {
        if self.game.is_some() || self.error.is_some() {
            return;
        }
        let to_move = self.to_move.unwrap_or(Color::Black);
        let setup = if self.has_setup { self.setup.clone() } else { Setup::start() };
        match setup.position(to_move) {
            Some(position) => self.game = Some(TreeBuilder::new(position.into())),
            None => self.refuse(number, "more pieces than a set has"),
        }
    }

    fn read_end(&mut self, word: &str) {
        let last = self.last_mover;
        let to_move = side(last.map(|color| color.flip()).or(self.to_move).unwrap_or(Color::Black));
        let won = |side| Some(Outcome::won_by(side));
        self.outcome = match word {
            "%TORYO" | "%TIME_UP" | "%TSUMI" => won(to_move.opponent()),
            "%KACHI" => won(to_move),
            // Servers leave the illegal move out; where it is written, it has cut the line.
            "%ILLEGAL_MOVE" if self.game.as_ref().is_some_and(TreeBuilder::is_cut) => won(to_move),
            "%ILLEGAL_MOVE" => won(to_move.opponent()),
            "%+ILLEGAL_ACTION" => won(Side::Second),
            "%-ILLEGAL_ACTION" => won(Side::First),
            "%SENNICHITE" | "%JISHOGI" | "%HIKIWAKE" | "%MAX_MOVES" => Some(Outcome::Draw),
            _ => self.outcome,
        };
    }

    fn finish(mut self) -> Option<Result<GameTree, TreeRejection>> {
        let is_game = self.has_setup || self.to_move.is_some();
        if is_game {
            self.begin(1);
        }
        if let Some(error) = self.error {
            return Some(Err(error));
        }
        let mut game = self.game?.finish();
        game.players = self.players;
        game.outcome = self.outcome;
        Some(Ok(game))
    }
}

fn name(text: &str) -> Option<String> {
    Some(text.trim().to_string()).filter(|name| !name.is_empty())
}

fn side(color: Color) -> Side {
    if color == Color::Black { Side::First } else { Side::Second }
}

/// Reads `+7776FU`; the piece is the one after the move.
fn read_move(text: &str, position: &Position) -> Option<Move> {
    let to = square_at(text, 3)?;
    let after = kind_at(text, 5)?;
    if text.len() != 7 {
        return None;
    }
    if text.get(1..3) == Some("00") {
        return Some(Move::Drop { piece: Piece::new(after, position.to_move()), to });
    }
    let from = square_at(text, 1)?;
    let before = position.piece(from).map(|piece| piece.piece_kind());
    // A piece that is not there makes the move illegal, which is found when it is played.
    let promote = before.is_some_and(|before| before != after && before.promote() == Some(after));
    let is_same = before.is_none_or(|before| promote || before == after);
    is_same.then_some(Move::Normal { from, to, promote })
}

/// The text in pieces of four; `None` if that does not come out even.
fn fours(text: &str) -> Option<impl Iterator<Item = &str>> {
    let is_even = text.is_ascii() && text.len().is_multiple_of(4);
    is_even.then(|| (0..text.len() / 4).map(move |index| &text[4 * index..4 * index + 4]))
}

fn square_at(text: &str, at: usize) -> Option<Square> {
    let digit = |index: usize| text.as_bytes().get(index).filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0');
    Square::new(digit(at)?, digit(at + 1)?)
}

fn kind_at(text: &str, at: usize) -> Option<PieceKind> {
    Some(match text.get(at..at + 2)? {
        "FU" => PieceKind::Pawn,
        "KY" => PieceKind::Lance,
        "KE" => PieceKind::Knight,
        "GI" => PieceKind::Silver,
        "KI" => PieceKind::Gold,
        "KA" => PieceKind::Bishop,
        "HI" => PieceKind::Rook,
        "OU" => PieceKind::King,
        "TO" => PieceKind::ProPawn,
        "NY" => PieceKind::ProLance,
        "NK" => PieceKind::ProKnight,
        "NG" => PieceKind::ProSilver,
        "UM" => PieceKind::ProBishop,
        "RY" => PieceKind::ProRook,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::read_game_trees;

    #[track_caller]
    fn check(text: &str, moves: &str, outcome: Option<Outcome>) -> GameTree {
        let game = read_game_trees(text.as_bytes()).remove(0).expect("a game");
        let mut board = game.start.clone();
        let mut words = Vec::new();
        for played in game.main_line() {
            words.push(board.move_text(played));
            board.play(played).expect("was played");
        }
        assert_eq!(words.join(" "), moves);
        assert_eq!(game.outcome, outcome);
        game
    }

    #[test]
    fn a_game_with_names_times_and_end() {
        let text =
            "V2.2\nN+A\nN-名\n$EVENT:x\nPI\n+\n'a comment\n+7776FU\nT3\n-3334FU,T2\n+8822UM\n-3122GI\n+0045KA\n%TORYO";
        let game = check(text, "7g7f 3c3d 8h2b+ 3a2b B*4e", Some(Outcome::FirstWon));
        assert_eq!(game.players, [Some("A".into()), Some("名".into())]);
        assert_eq!(game.warnings, []);
    }

    #[test]
    fn ends_tell_who_won() {
        let start = "PI\n+\n+7776FU\n-3334FU\n";
        for (word, outcome) in [
            ("%TIME_UP", Some(Outcome::SecondWon)),
            ("%KACHI", Some(Outcome::FirstWon)),
            ("%ILLEGAL_MOVE", Some(Outcome::SecondWon)),
            ("%-ILLEGAL_ACTION", Some(Outcome::FirstWon)),
            ("%SENNICHITE", Some(Outcome::Draw)),
            ("%CHUDAN", None),
        ] {
            check(&format!("{start}{word}\n"), "7g7f 3c3d", outcome);
        }
    }

    #[test]
    fn boards_and_handicaps() {
        let lance = check("PI11KY\n-\n-3334FU\n", "3c3d", None);
        assert_eq!(lance.start.to_string(), "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
        let rows = "P1 *  *  *  * -OU * \nP2\nP9 *  *  *  * +OU\nP+00HI00FU00FU\nP-00AL\n+\n+0055HI\n";
        let puzzle = check(rows, "R*5e", None);
        assert_eq!(puzzle.start.to_string(), "4k4/9/9/9/9/9/9/9/4K4 b R2Pr2b4g4s4n4l16p 1");
    }

    #[test]
    fn an_illegal_move_cuts_and_shows_who_lost() {
        let game = check("PI\n+\n+7776FU\n-3333FU\n%ILLEGAL_MOVE\n", "7g7f", Some(Outcome::FirstWon));
        assert_eq!(game.warnings.len(), 1);
        assert_eq!(game.warnings[0].line, 4);
    }

    #[test]
    fn several_games_and_broken_ones() {
        let games = read("PI\n+\n+2726FU\n/\nPI\nP+55OU\n+\n+7776FU\n/\nV2\nPI\n+\n-3334FU\n");
        let messages: Vec<Option<usize>> =
            games.iter().map(|game| game.as_ref().ok().map(|game| game.moves.len())).collect();
        assert_eq!(messages, [Some(1), None, Some(0)]);
    }
}
