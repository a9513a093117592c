//! Two books against each other, exactly: where do games leave them, and how probably?

mod by_ply;
mod chain;
mod components;
mod openings;
mod repetition;
mod sample;
mod solve;

pub use by_ply::{Flow, PlyRow};
pub use chain::{Chain, Player, Step};
pub(crate) use sample::uniform;
pub use sample::{SampleCheck, sample_check};
pub use solve::Visits;

use tejun_games::game::{Game, GameMove, GamePosition, PositionKey, Side};

use crate::books::Diversity;
use crate::books::matching::by_ply::{Ends, flow};
use crate::books::matching::repetition::until_repetition;
use crate::books::matching::solve::solve;

/// What becomes of a game in which a position occurs again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repetition {
    /// The game continues; games that repeat forever are reported.
    #[default]
    Ignored,
    /// It leaves the book there, as Bonanza does.
    Leaves,
}

/// How books are matched.
#[derive(Clone, Debug, Default)]
pub struct MatchOptions {
    /// What becomes of repeated positions.
    pub repetition: Repetition,
    /// Where games start, if not at the game's own start.
    pub start: Option<GamePosition>,
}

/// When a game of books is over, besides that a book has no move.
#[derive(Clone, Copy, Debug)]
pub struct GameRules {
    /// Who moves first.
    pub first: Side,
    /// The ply from which each side's book is not asked.
    pub max_plies: [Option<u32>; 2],
    /// What becomes of repeated positions.
    pub repetition: Repetition,
}

/// A position at which games leave the books.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaving {
    /// Its number in the chain.
    pub node: u32,
    /// Its key.
    pub key: PositionKey,
    /// How many games of a match leave there, from 0 to 1.
    pub probability: f64,
}

/// The result of a match of two books.
#[derive(Clone, Debug)]
pub struct Match {
    /// When games end.
    pub rules: GameRules,
    /// Every position that can be reached.
    pub chain: Chain,
    /// Where games start.
    pub start: GamePosition,
    /// Where games leave, most probable first, ties as they are found.
    pub leaving: Vec<Leaving>,
    /// How often positions are visited by games without a last ply that may repeat.
    pub visits: Visits,
    /// The flow ply by ply.
    pub flow: Flow,
    /// The probability that is not in `leaving`: endless games, and what was too small to follow.
    pub unplaced: f64,
    /// The mean number of moves played from the books, without endless play.
    pub expected_plies: f64,
    /// The entropy of whole lines of play, in bits.
    pub line_entropy: f64,
    /// The probability that two games have the same moves until they leave.
    pub same_line: f64,
}

/// Matches two books exactly: no game is played, and nothing is sampled.
///
/// ```
/// use tejun_games::game::Game;
/// use tejun_knowledge::books::matching::{MatchOptions, Player, match_books};
/// use tejun_knowledge::books::{Book, BookBuilder, NewMove, Rule, Selection};
///
/// /// A book of chess with these moves in the position after a line.
/// fn book(line: &[&str], moves: &[(&str, u32)]) -> Result<Book, Box<dyn std::error::Error>> {
///     let mut board = Game::Chess.start();
///     for text in line {
///         board.play(board.parse_move(text)?)?;
///     }
///     let moves = moves.iter().map(|(text, weight)| {
///         Ok(NewMove { played: board.parse_move(text)?, weight: *weight, notes: Default::default() })
///     });
///     let moves = moves.collect::<Result<_, Box<dyn std::error::Error>>>()?;
///     let mut builder = BookBuilder::new(Game::Chess);
///     builder.add(0, &board, moves, Default::default());
///     Ok(builder.finish().0)
/// }
///
/// // White opens with either pawn; Black only knows an answer to 1. e4.
/// let (white, black) = (book(&[], &[("e2e4", 3), ("d2d4", 1)])?, book(&["e2e4"], &[("c7c5", 1)])?);
/// let selection = Selection { rule: Rule::AsStored, power: 1.0, max_ply: None };
/// let players = [&white, &black].map(|book| Player { book, selection: &selection });
/// let played = match_books(Game::Chess, players, &MatchOptions::default());
/// let probabilities: Vec<f64> = played.leaving.iter().map(|leaving| leaving.probability).collect();
/// assert_eq!(probabilities, [0.75, 0.25]);
/// assert_eq!(played.expected_plies, 1.75);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn match_books(game: Game, players: [Player<'_>; 2], options: &MatchOptions) -> Match {
    let start = options.start.clone().unwrap_or_else(|| game.start()).normal().0;
    let chain = Chain::from_players(players, start.key(), start.to_move());
    let max_plies = players.map(|player| player.selection.max_ply);
    let first = start.to_move();
    let visits = solve(&chain, |probability| probability);
    let flow = flow(&chain, first, max_plies, visits.endless);
    let ends = match options.repetition {
        Repetition::Leaves => until_repetition(&chain, first, max_plies),
        Repetition::Ignored if max_plies.iter().any(Option::is_some) => flow.ends.clone(),
        Repetition::Ignored => solved_ends(&chain, &visits),
    };
    let mut leaving: Vec<Leaving> = ends
        .left
        .into_iter()
        .filter(|(_, probability)| *probability > 0.0)
        .map(|(node, probability)| Leaving { node, key: chain.key(node), probability })
        .collect();
    leaving.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.node.cmp(&b.node)));
    let placed: f64 = leaving.iter().map(|leaving| leaving.probability).sum();
    let unplaced = (1.0 - placed).max(0.0);
    Match {
        rules: GameRules { first, max_plies, repetition: options.repetition },
        chain,
        start,
        leaving,
        visits,
        flow,
        unplaced,
        expected_plies: ends.expected_plies,
        line_entropy: ends.line_entropy,
        same_line: ends.same_line,
    }
}

/// Where games leave if they have no last ply and may repeat.
fn solved_ends(chain: &Chain, visits: &Visits) -> Ends {
    let squares = solve(chain, |probability| probability * probability);
    let mut ends = Ends::default();
    for node in 0..chain.len() as u32 {
        let expected = visits.expected[node as usize];
        if chain.is_leaving(node) {
            ends.left.push((node, expected));
            ends.same_line += squares.expected[node as usize];
        } else if !visits.is_endless(node) {
            ends.expected_plies += expected;
            ends.line_entropy += expected * chain.step_entropy(node);
        }
    }
    ends
}

impl Match {
    /// How varied the leaving positions of the games that leave are.
    pub fn diversity(&self) -> Diversity {
        let placed: f64 = self.leaving.iter().map(|leaving| leaving.probability).sum();
        // Rounding alone must not change the digits of a match that all games leave.
        let scale = if self.unplaced > 1e-12 { placed } else { 1.0 };
        Diversity::of(self.leaving.iter().map(|leaving| leaving.probability / scale))
    }

    /// The board of a position, and the moves of a shortest way there as they are written.
    ///
    /// In Go each move is written for the board as the way before it has turned it.
    pub fn way(&self, node: u32) -> (GamePosition, Vec<(GameMove, String)>) {
        let mut board = self.start.clone();
        let mut moves = Vec::new();
        for played in self.chain.line(node) {
            // The chain's moves are those of normal orientations.
            let (normal, turns) = board.normal();
            let on_board = board.move_before_turn(played, turns[0]);
            moves.push((on_board, board.move_text(on_board)));
            if board.play(on_board).is_err() {
                board = normal.after(played).unwrap_or(normal);
            }
        }
        (board, moves)
    }

    /// Whose turn it is at the start.
    pub fn first(&self) -> Side {
        self.start.to_move()
    }
}
