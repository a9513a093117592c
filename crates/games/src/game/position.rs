//! A position of any game.

use std::fmt;

use crate::chess;
use crate::game::go_encoding::{self, PASS};
use crate::game::{Game, GameMove, PositionKey, Side};
use crate::go::{self, BoardSize, Color, Point, Rules, Symmetry};
use crate::shogi::{self, HAND_KINDS, PackedMove};

/// A position of shogi, chess or Go.
///
/// ```
/// use tejun_games::game::{Game, GamePosition};
///
/// let mut position = Game::Shogi.start();
/// assert_eq!(position.legal_moves().len(), 30);
/// position.play(position.parse_move("7g7f")?)?;
/// let same = GamePosition::parse(Game::Shogi, &position.to_string())?;
/// assert_eq!(same.key(), position.key());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum GamePosition {
    /// Of shogi.
    Shogi(Box<shogi::Position>),
    /// Of chess.
    Chess(Box<chess::Position>),
    /// Of Go.
    Go(Box<go::Position>),
}

/// A move that the rules forbid in its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text} is not legal in {position}")]
pub struct IllegalGameMove {
    /// The move.
    pub text: String,
    /// Where it was to be played.
    pub position: String,
}

/// Why a text is not a move of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a move of {game}: write it like {}", example(*.game))]
pub struct MoveTextError {
    text: String,
    game: Game,
}

/// Why a text is not a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a position of {game}: write it like {}", game.start())]
pub struct PositionTextError {
    text: String,
    game: Game,
}

fn example(game: Game) -> &'static str {
    match game {
        Game::Shogi => "7g7f, 2b8h+ or P*5e",
        Game::Chess => "e2e4 or e7e8q",
        Game::Go(_) => "Q16 or pass",
    }
}

impl From<shogi::Position> for GamePosition {
    fn from(position: shogi::Position) -> GamePosition {
        GamePosition::Shogi(Box::new(position))
    }
}

impl From<chess::Position> for GamePosition {
    fn from(position: chess::Position) -> GamePosition {
        GamePosition::Chess(Box::new(position))
    }
}

impl From<go::Position> for GamePosition {
    fn from(position: go::Position) -> GamePosition {
        GamePosition::Go(Box::new(position))
    }
}

impl GamePosition {
    pub(crate) fn empty_board(size: BoardSize) -> GamePosition {
        GamePosition::from(go::Position::new(size, Rules::RECORD))
    }

    /// Reads a position: SFEN, FEN, or rows of a Go board with side and ko.
    ///
    /// # Errors
    /// If the text is not a position of this game.
    pub fn parse(game: Game, text: &str) -> Result<GamePosition, PositionTextError> {
        let position = match game {
            Game::Shogi => text.parse::<shogi::Position>().ok().map(GamePosition::from),
            Game::Chess => text.parse::<chess::Position>().ok().map(GamePosition::from),
            Game::Go(size) => go_encoding::from_text(text).filter(|p| p.board().size() == size).map(GamePosition::from),
        };
        position.ok_or_else(|| PositionTextError { text: text.to_string(), game })
    }

    /// The game it belongs to.
    pub fn game(&self) -> Game {
        match self {
            GamePosition::Shogi(_) => Game::Shogi,
            GamePosition::Chess(_) => Game::Chess,
            GamePosition::Go(position) => Game::Go(position.board().size()),
        }
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Side {
        let is_first = match self {
            GamePosition::Shogi(position) => position.to_move() == shogi::Color::Black,
            GamePosition::Chess(position) => position.to_move() == chess::Color::White,
            GamePosition::Go(position) => position.to_move() == Color::Black,
        };
        if is_first { Side::First } else { Side::Second }
    }

    /// The key that identifies it; rotated and mirrored Go boards share one key.
    pub fn key(&self) -> PositionKey {
        match self {
            GamePosition::Shogi(position) => shogi_key(position),
            GamePosition::Chess(position) => chess_key(position),
            GamePosition::Go(position) => go_encoding::normal_turns(position).1,
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the rules forbid it. The position is then unchanged.
    pub fn play(&mut self, played: GameMove) -> Result<(), IllegalGameMove> {
        let done = match self {
            GamePosition::Shogi(position) => {
                shogi_move(played, position).is_some_and(|played| position.play(played).is_ok())
            }
            GamePosition::Chess(position) => chess_move(played).is_some_and(|played| position.play(played).is_ok()),
            GamePosition::Go(position) => match go_encoding::move_point(played.0, position.board().size()) {
                Ok(Some(point)) => position.play(point).is_ok(),
                Ok(None) => {
                    position.pass();
                    true
                }
                Err(()) => false,
            },
        };
        let refused = || IllegalGameMove { text: self.move_text(played), position: self.to_string() };
        if done { Ok(()) } else { Err(refused()) }
    }

    /// The position after a move.
    ///
    /// # Errors
    /// If the rules forbid it.
    pub fn after(&self, played: GameMove) -> Result<GamePosition, IllegalGameMove> {
        let mut after = self.clone();
        after.play(played)?;
        Ok(after)
    }

    /// All legal moves in a fixed order; a pass in Go is not among them.
    pub fn legal_moves(&self) -> Vec<GameMove> {
        match self {
            GamePosition::Shogi(position) => position.legal_moves().into_iter().map(GameMove::from).collect(),
            GamePosition::Chess(position) => position.legal_moves().into_iter().map(GameMove::from).collect(),
            GamePosition::Go(position) => {
                position.legal_moves().map(|point| GameMove(go_encoding::move_number(Some(point)))).collect()
            }
        }
    }

    /// A move as players of the game write it for programs: USI, UCI, or Q16.
    pub fn move_text(&self, played: GameMove) -> String {
        let unknown = || format!("move number {}", played.0);
        match self {
            GamePosition::Shogi(position) => {
                shogi_move(played, position).map_or_else(unknown, shogi::Position::move_text)
            }
            GamePosition::Chess(position) => {
                chess_move(played).map_or_else(unknown, |played| position.move_text(played))
            }
            GamePosition::Go(position) => match go_encoding::move_point(played.0, position.board().size()) {
                Ok(Some(point)) => point.name(position.board().size()),
                Ok(None) => "pass".into(),
                Err(()) => unknown(),
            },
        }
    }

    /// Reads a move.
    ///
    /// # Errors
    /// If the text is not a move. It may still be illegal.
    pub fn parse_move(&self, text: &str) -> Result<GameMove, MoveTextError> {
        let played = match self {
            GamePosition::Shogi(position) => position.parse_move(text).ok().map(GameMove::from),
            GamePosition::Chess(position) => position.parse_move(text).ok().map(GameMove::from),
            GamePosition::Go(_) if text.eq_ignore_ascii_case("pass") => Some(GameMove(PASS)),
            GamePosition::Go(position) => Point::parse(text, position.board().size())
                .ok()
                .map(|point| GameMove(go_encoding::move_number(Some(point)))),
        };
        played.ok_or_else(|| MoveTextError { text: text.to_string(), game: self.game() })
    }

    /// The position in its normal orientation, and the symmetries that lead there.
    ///
    /// Shogi and chess boards stay as they are. A Go position that is its own
    /// mirror image has several such symmetries.
    pub fn normal(&self) -> (GamePosition, Vec<Symmetry>) {
        match self {
            GamePosition::Go(position) => {
                let (turns, _) = go_encoding::normal_turns(position);
                (GamePosition::from(go_encoding::turned(position, turns[0])), turns)
            }
            other => (other.clone(), vec![Symmetry::IDENTITY]),
        }
    }

    /// A move after the board was turned by one of these symmetries: the least, so that twins are one.
    pub fn turned_move(&self, played: GameMove, turns: &[Symmetry]) -> GameMove {
        let GamePosition::Go(position) = self else { return played };
        let size = position.board().size();
        let Ok(Some(point)) = go_encoding::move_point(played.0, size) else { return played };
        let turned = turns.iter().map(|turn| GameMove(go_encoding::move_number(Some(turn.apply(point, size)))));
        turned.min().unwrap_or(played)
    }

    /// A move on this board that a turn brings to this move.
    pub fn move_before_turn(&self, turned: GameMove, turn: Symmetry) -> GameMove {
        self.turned_move(turned, &[turn.inverse()])
    }

    /// Whether the side to move has lost on the board: mate in shogi and chess.
    pub fn is_mate(&self) -> bool {
        match self {
            GamePosition::Shogi(position) => position.legal_moves().is_empty(),
            GamePosition::Chess(position) => position.is_check() && position.legal_moves().is_empty(),
            GamePosition::Go(_) => false,
        }
    }
}

impl fmt::Display for GamePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GamePosition::Shogi(position) => f.write_str(&position.to_sfen()),
            GamePosition::Chess(position) => position.fmt(f),
            GamePosition::Go(position) => f.write_str(&go_encoding::to_text(position)),
        }
    }
}

impl From<shogi::Move> for GameMove {
    fn from(played: shogi::Move) -> GameMove {
        GameMove(u32::from(PackedMove::new(played).0))
    }
}

impl From<PackedMove> for GameMove {
    fn from(played: PackedMove) -> GameMove {
        GameMove(u32::from(played.0))
    }
}

impl From<chess::Move> for GameMove {
    fn from(played: chess::Move) -> GameMove {
        let promotion = played.promotion.map_or(0, |piece| piece as u32 + 1);
        GameMove(played.to as u32 | (played.from as u32) << 6 | promotion << 12)
    }
}

fn shogi_move(played: GameMove, position: &shogi::Position) -> Option<shogi::Move> {
    PackedMove(u16::try_from(played.0).ok()?).unpack(position.to_move())
}

fn chess_move(played: GameMove) -> Option<chess::Move> {
    let square = |bits: u32| chess::Square::try_index((bits & 63) as usize);
    let promotion = match played.0 >> 12 {
        0 => None,
        n => Some(chess::Piece::try_index(n as usize - 1)?),
    };
    Some(chess::Move { from: square(played.0 >> 6)?, to: square(played.0)?, promotion })
}

fn shogi_key(position: &shogi::Position) -> PositionKey {
    let board = position.pieces().map(|(square, piece)| {
        1 + usize::from(square.index() - 1) * 32 + piece.piece_kind().array_index() * 2 + piece.color().array_index()
    });
    let hands = shogi::Color::all().into_iter().flat_map(|color| {
        HAND_KINDS.into_iter().filter_map(move |kind| {
            let held = usize::from(position.held(color, kind));
            (held > 0).then(|| 3000 + (held * 16 + kind.array_index()) * 2 + color.array_index())
        })
    });
    let turn = (position.to_move() == shogi::Color::White).then_some(0);
    PositionKey::of_facts(board.chain(hands).chain(turn))
}

fn chess_key(position: &chess::Position) -> PositionKey {
    let board = chess::Square::ALL.into_iter().filter_map(|square| {
        let (piece, color) = position.piece(square)?;
        Some(4001 + square as usize * 16 + piece as usize * 2 + color as usize)
    });
    let castling = chess::Color::ALL.into_iter().flat_map(|color| {
        let rights = position.may_castle(color);
        (0..2).filter(move |wing| rights[*wing]).map(move |wing| 5200 + 2 * color as usize + wing)
    });
    let passing = position.en_passant_file().map(|file| 5210 + file);
    let turn = (position.to_move() == chess::Color::Black).then_some(0);
    PositionKey::of_facts(board.chain(castling).chain(passing).chain(turn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GO: Game = Game::Go(BoardSize::NINETEEN);

    fn nine() -> Game {
        Game::Go(BoardSize::new(9).expect("a size"))
    }

    #[test]
    fn texts_that_are_not_moves_or_positions_say_so() {
        for game in [Game::Shogi, Game::Chess, GO] {
            let error = game.start().parse_move("z9").expect_err("no move").to_string();
            assert!(error.contains("write it like"), "{error}");
            assert!(GamePosition::parse(game, "nonsense w").is_err());
            assert!(game.start().play(GameMove(u32::MAX)).is_err());
        }
    }

    #[test]
    fn turned_go_boards_are_one_position() {
        let mut one = nine().start();
        let mut other = nine().start();
        for (a, b) in [("G7", "C3"), ("C4", "G6"), ("E5", "E5")] {
            one.play(one.parse_move(a).expect("a point")).expect("legal");
            other.play(other.parse_move(b).expect("a point")).expect("legal");
            assert_eq!(one.key(), other.key(), "{a} {b}");
            assert_eq!(one.normal().0.to_string(), other.normal().0.to_string());
        }
        let (normal, turns) = nine().start().normal();
        let corners = ["C3", "G3", "C7", "G7"].map(|text| normal.parse_move(text).expect("a point"));
        let least = corners.map(|corner| normal.turned_move(corner, &turns));
        assert!(least.iter().all(|corner| *corner == least[0]));
    }

    #[test]
    fn a_ko_is_part_of_a_go_position() {
        let text = "9/9/9/3XO4/2XO1O3/3XO4/9/9/9 b -";
        let mut position = GamePosition::parse(nine(), text).expect("a position");
        position.play(position.parse_move("E5").expect("a point")).expect("takes");
        let written = position.to_string();
        assert!(written.ends_with("w D5"), "{written}");
        let read = GamePosition::parse(nine(), &written).expect("a position");
        assert_eq!(read.key(), position.key());
        assert!(read.after(read.parse_move("D5").expect("a point")).is_err());
    }

    proptest! {
        #[test]
        fn positions_and_moves_read_back(which in 0usize..3, choices in prop::collection::vec(0usize..10_000, 1..80)) {
            let mut position = [Game::Shogi, Game::Chess, nine()][which].start();
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() { break }
                let played = moves[choice % moves.len()];
                let text = position.move_text(played);
                prop_assert_eq!(position.parse_move(&text), Ok(played));
                let before = position.key();
                position.play(played).expect("legal");
                prop_assert_ne!(before, position.key());
                let read = GamePosition::parse(position.game(), &position.to_string()).expect("reads back");
                prop_assert_eq!(read.key(), position.key());
                prop_assert_eq!(position.normal().0.key(), position.key());
            }
        }
    }
}
