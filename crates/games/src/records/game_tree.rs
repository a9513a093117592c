//! Games as they were played, with the lines that were thought of.

use crate::game::go_encoding;
use crate::game::{GameMove, GamePosition, Side};
use crate::go::Color;
use crate::header::GameResult;
use crate::records::GameRecord;

/// A record of a game of any kind, variations included.
///
/// ```
/// use tejun_games::records::read_game_trees;
///
/// let pgn = b"[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Bc4 1-0\n";
/// let games = read_game_trees(pgn);
/// let game = games[0].as_ref().expect("a game");
/// assert_eq!(game.main_line().len(), 3);
/// assert_eq!(game.moves.len(), 5); // with the variation
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameTree {
    /// Where it starts.
    pub start: GamePosition,
    /// Moves, each after the one it follows; the first child of each belongs to the game itself.
    pub moves: Vec<TreeMove>,
    /// Who won, if the record says so.
    pub outcome: Option<Outcome>,
    /// The first and the second player's name.
    pub players: [Option<String>; 2],
    /// How many moves of the first line were played; what follows them is a variation.
    pub n_main: u32,
    /// What could not be read or played, in the order of the file.
    pub warnings: Vec<TreeWarning>,
}

/// A line of a record that could not be read; the rest of its variation is skipped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct TreeWarning {
    /// The line of the file, from 1.
    pub line: u32,
    /// What is wrong there.
    pub what: TreeWarningKind,
}

/// What can be wrong with a part of a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeWarningKind {
    /// Something other than a move where a move is expected.
    #[error("{text:?} is not a move")]
    NoMove {
        /// The text there.
        text: String,
    },
    /// The rules forbid the move.
    #[error("{text} is not legal in {position}")]
    IllegalMove {
        /// The move.
        text: String,
        /// Where it was to be played.
        position: String,
    },
    /// More than one legal move is written like this.
    #[error("{text} means {n_moves} moves in {position}")]
    AmbiguousMove {
        /// The text there.
        text: String,
        /// Where it was to be played.
        position: String,
        /// How many.
        n_moves: usize,
    },
    /// A variation of a move that was not played.
    #[error("a variation of move {number}, but the line before it ends earlier")]
    NoBranch {
        /// The number of the move, from 1.
        number: u32,
    },
    /// Stones or pieces are put on the board in the middle of a game.
    #[error("the board is changed in the middle of the game")]
    LateSetup,
    /// More moves than any game has.
    #[error("the line is longer than {max} moves")]
    TooLong {
        /// The most that are read.
        max: usize,
    },
}

/// A move of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeMove {
    /// The move.
    pub played: GameMove,
    /// The number of the move before it in [`GameTree::moves`]; `None` at the start.
    pub parent: Option<u32>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The first player won.
    FirstWon,
    /// The second player won.
    SecondWon,
    /// Nobody won: a draw, a repetition (千日手, *sennichite*) or an impasse (持将棋, *jishōgi*).
    Draw,
}

impl GameTree {
    /// A game before its first move.
    pub fn new(start: GamePosition) -> GameTree {
        GameTree { start, moves: Vec::new(), outcome: None, players: [None, None], n_main: 0, warnings: Vec::new() }
    }

    /// A record of Go, up to `max_ply` moves. Where one side moves twice, the other passes between.
    pub fn of_record(record: &GameRecord, max_ply: u32) -> GameTree {
        let first = record.moves.first().map_or(Color::Black, |played| played.color);
        let stones = [(Color::Black, &record.setup_black), (Color::White, &record.setup_white)];
        let stones = stones.into_iter().flat_map(|(color, points)| points.iter().map(move |point| (*point, color)));
        let start = go_encoding::assembled(record.size, stones, first, None);
        let mut game = GameTree::new(GamePosition::from(start));
        let mut color = first;
        for played in record.moves.iter().take(max_ply as usize) {
            let skipped = (played.color != color).then_some(None);
            for point in skipped.into_iter().chain([played.point]) {
                let parent = game.n_main.checked_sub(1);
                game.moves.push(TreeMove { played: GameMove(go_encoding::move_number(point)), parent });
                game.n_main += 1;
            }
            color = played.color.opponent();
        }
        game.outcome = match record.header.result {
            GameResult::Win(Color::Black, _) => Some(Outcome::FirstWon),
            GameResult::Win(Color::White, _) => Some(Outcome::SecondWon),
            GameResult::Draw => Some(Outcome::Draw),
            GameResult::Unknown | GameResult::Void => None,
        };
        game.players = [record.header.black.clone(), record.header.white.clone()];
        game
    }

    /// The moves of the game itself, without variations.
    pub fn main_line(&self) -> Vec<GameMove> {
        let mut line = Vec::new();
        let mut at = None;
        // A child comes after its parent, so one pass finds each first child.
        for (number, played) in self.moves.iter().enumerate() {
            if line.len() as u32 == self.n_main {
                break;
            }
            if played.parent == at {
                line.push(played.played);
                at = Some(number as u32);
            }
        }
        line
    }
}

impl Outcome {
    /// The outcome of a game that this side won.
    pub fn won_by(side: Side) -> Outcome {
        match side {
            Side::First => Outcome::FirstWon,
            Side::Second => Outcome::SecondWon,
        }
    }

    /// The score of the first player: 1, 0 or a half.
    pub fn first_score(self) -> f64 {
        match self {
            Outcome::FirstWon => 1.0,
            Outcome::SecondWon => 0.0,
            Outcome::Draw => 0.5,
        }
    }
}
