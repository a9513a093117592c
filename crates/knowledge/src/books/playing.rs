//! Games that are played on from a position to their end.

use std::collections::HashMap;

use tejun_games::game::{Game, GameMove, GamePosition, GameTree, Outcome, PositionKey, Side};
use tejun_games::go::Color;

use crate::books::matching::Player;

/// The first position of a game without a book move, and the moves up to there; `None` if the game stays in the book.
pub fn left_book(game: &GameTree, player: &Player<'_>) -> Option<(GamePosition, Vec<GameMove>)> {
    let Player { book, selection } = player;
    let mut probabilities = Vec::new();
    let mut board = game.start.clone();
    let mut line = Vec::new();
    for played in game.main_line() {
        let is_over = selection.max_ply.is_some_and(|last| line.len() as u32 >= last);
        let there = book.find(board.key()).filter(|_| !is_over);
        if !there.is_some_and(|at| selection.probabilities(book, at, &mut probabilities)) {
            return Some((board, line));
        }
        board.play(played).ok()?;
        line.push(played);
    }
    None
}

/// What a player does when it is its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Plays a move, and thinks that its position is worth this many centipawns to it.
    Move(GameMove, Option<i32>),
    /// Gives up.
    Resign,
    /// Declares a win by its entered king (入玉宣言, *nyūgyoku sengen*).
    Declare,
}

/// When a game is over without a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayOptions {
    /// A game of this many moves, those of the opening included, is a draw.
    pub max_plies: usize,
    /// Both players agree for `n_agreed` moves that one is ahead by this much: that one wins.
    pub decisive: Option<i32>,
    /// Moves for which they must agree.
    pub n_agreed: usize,
    /// Points that White gets in Go, in half points.
    pub komi_half_points: i32,
}

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// No legal move, in check or, in shogi, at all.
    Mate,
    /// A player gave up.
    Resigned,
    /// A king had entered.
    Declared,
    /// A move that the rules forbid.
    Illegal,
    /// The fourth time (shogi, Go) or the third time (chess) in a position.
    Repetition,
    /// As a repetition, but one side gave check all the time and loses.
    PerpetualCheck,
    /// No legal move, but not in check; or 100 quiet plies.
    DeadDraw,
    /// Both passed, and the board was counted with every stone alive.
    Counted,
    /// Both agreed that it is decided.
    Agreed,
    /// The longest game allowed.
    TooLong,
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedOut {
    /// All moves, those of the opening included.
    pub moves: Vec<GameMove>,
    /// Who won.
    pub outcome: Outcome,
    /// Why it is over.
    pub ending: Ending,
}

impl Default for PlayOptions {
    fn default() -> PlayOptions {
        PlayOptions { max_plies: 512, decisive: None, n_agreed: 6, komi_half_points: 13 }
    }
}

fn win_of(side: Side) -> Outcome {
    match side {
        Side::First => Outcome::FirstWon,
        Side::Second => Outcome::SecondWon,
    }
}

/// Continues a game after a line of moves until it is over.
///
/// `think` is asked for whoever is to move, with the moves so far.
///
/// # Errors
/// If `think` fails. A line that is not legal counts as an illegal move of whoever played it.
pub fn play_on<E>(
    start: &GamePosition,
    line: &[GameMove],
    options: &PlayOptions,
    mut think: impl FnMut(&GamePosition, &[GameMove]) -> Result<Reply, E>,
) -> Result<PlayedOut, E> {
    let mut table = Table::new(start.clone());
    for played in line {
        if let Some((outcome, ending)) = table.play(*played, options) {
            return Ok(PlayedOut { moves: table.moves, outcome, ending });
        }
    }
    loop {
        let mover = table.board.to_move();
        let end = match think(&table.board, &table.moves)? {
            Reply::Resign => Some((win_of(mover.opponent()), Ending::Resigned)),
            Reply::Declare => Some((win_of(mover), Ending::Declared)),
            Reply::Move(played, value) => {
                table.note_value(value, mover, options);
                table.play(played, options).or_else(|| table.agreed(options))
            }
        };
        if let Some((outcome, ending)) = end {
            return Ok(PlayedOut { moves: table.moves, outcome, ending });
        }
    }
}

/// A game in progress, with what its ending depends on.
struct Table {
    board: GamePosition,
    moves: Vec<GameMove>,
    /// Positions that occurred, with the plies at which they did.
    seen: HashMap<PositionKey, Vec<usize>>,
    /// Whether each position was a check.
    checks: Vec<bool>,
    n_passes: u32,
    /// For how many moves in a row one side was thought to be decisively ahead.
    ahead: Option<(Side, usize)>,
}

impl Table {
    fn new(board: GamePosition) -> Table {
        let seen = HashMap::from([(board.key(), vec![0])]);
        let checks = vec![is_check(&board)];
        Table { board, moves: Vec::new(), seen, checks, n_passes: 0, ahead: None }
    }

    fn note_value(&mut self, value: Option<i32>, mover: Side, options: &PlayOptions) {
        let leader = match (value, options.decisive) {
            (Some(value), Some(limit)) if value >= limit => Some(mover),
            (Some(value), Some(limit)) if value <= -limit => Some(mover.opponent()),
            _ => None,
        };
        self.ahead = leader.map(|leader| match self.ahead {
            Some((before, n)) if before == leader => (leader, n + 1),
            _ => (leader, 1),
        });
    }

    fn agreed(&self, options: &PlayOptions) -> Option<(Outcome, Ending)> {
        self.ahead.filter(|(_, n)| *n >= options.n_agreed).map(|(side, _)| (win_of(side), Ending::Agreed))
    }

    /// Plays a move; says how the game ended if it did.
    fn play(&mut self, played: GameMove, options: &PlayOptions) -> Option<(Outcome, Ending)> {
        let mover = self.board.to_move();
        let is_pass = self.board.parse_move("pass") == Ok(played);
        if self.board.play(played).is_err() {
            return Some((win_of(mover.opponent()), Ending::Illegal));
        }
        self.moves.push(played);
        self.checks.push(is_check(&self.board));
        self.n_passes = if is_pass { self.n_passes + 1 } else { 0 };
        let times = self.seen.entry(self.board.key()).or_default();
        times.push(self.moves.len());
        let times = times.clone();
        if self.board.is_mate() {
            return Some((win_of(mover), Ending::Mate));
        }
        let over = match self.board.game() {
            Game::Shogi => self.shogi_repetition(&times),
            Game::Chess => self.chess_draw(&times),
            Game::Go(_) => self.go_end(is_pass, &times, options),
        };
        over.or_else(|| (self.moves.len() >= options.max_plies).then_some((Outcome::Draw, Ending::TooLong)))
    }

    fn shogi_repetition(&self, times: &[usize]) -> Option<(Outcome, Ending)> {
        let &[.., first, _, _, last] = times else { return None };
        let all_checks = |parity: usize| (first + 1..=last).filter(|ply| ply % 2 == parity).all(|ply| self.checks[ply]);
        // The position after a move is a check given by the mover.
        let by_last_mover = all_checks(last % 2);
        let by_other = all_checks((last + 1) % 2);
        let last_mover = self.board.to_move().opponent();
        match (by_last_mover, by_other) {
            (true, false) => Some((win_of(last_mover.opponent()), Ending::PerpetualCheck)),
            (false, true) => Some((win_of(last_mover), Ending::PerpetualCheck)),
            _ => Some((Outcome::Draw, Ending::Repetition)),
        }
    }

    fn chess_draw(&self, times: &[usize]) -> Option<(Outcome, Ending)> {
        let GamePosition::Chess(position) = &self.board else { return None };
        if times.len() >= 3 {
            return Some((Outcome::Draw, Ending::Repetition));
        }
        let is_dead = position.n_quiet_plies() >= 100 || position.legal_moves().is_empty();
        is_dead.then_some((Outcome::Draw, Ending::DeadDraw))
    }

    fn go_end(&self, is_pass: bool, times: &[usize], options: &PlayOptions) -> Option<(Outcome, Ending)> {
        let GamePosition::Go(position) = &self.board else { return None };
        if self.n_passes >= 2 {
            let n_area = |color: Color| position.board().area(color).len() as i32;
            let lead = 2 * (n_area(Color::Black) - n_area(Color::White)) - options.komi_half_points;
            let outcome = match lead.signum() {
                1 => Outcome::FirstWon,
                -1 => Outcome::SecondWon,
                _ => Outcome::Draw,
            };
            return Some((outcome, Ending::Counted));
        }
        // Turned boards share a key, so that only a long chain of them is a repetition.
        (!is_pass && times.len() >= 4).then_some((Outcome::Draw, Ending::Repetition))
    }
}

fn is_check(board: &GamePosition) -> bool {
    match board {
        GamePosition::Shogi(position) => position.is_check(),
        GamePosition::Chess(position) => position.is_check(),
        GamePosition::Go(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a list of moves as texts, then resigns.
    #[track_caller]
    fn check(start: GamePosition, moves: &str, expected: (Outcome, Ending)) {
        let mut texts = moves.split_ascii_whitespace();
        let played = play_on(&start, &[], &PlayOptions::default(), |board, _| {
            let reply = texts.next().map(|text| Reply::Move(board.parse_move(text).expect("a move"), None));
            Ok::<_, ()>(reply.unwrap_or(Reply::Resign))
        });
        let played = played.expect("nothing fails");
        assert_eq!((played.outcome, played.ending), expected);
    }

    fn shogi(sfen: &str) -> GamePosition {
        GamePosition::parse(Game::Shogi, sfen).expect("a position")
    }

    #[test]
    fn mates_and_resignations_are_lost_by_the_side_to_move() {
        check(Game::Chess.start(), "f2f3 e7e5 g2g4 d8h4", (Outcome::SecondWon, Ending::Mate));
        check(Game::Shogi.start(), "7g7f", (Outcome::FirstWon, Ending::Resigned));
        check(shogi("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), "G*5b", (Outcome::FirstWon, Ending::Mate));
        check(Game::Chess.start(), "e2e5", (Outcome::SecondWon, Ending::Illegal));
    }

    #[test]
    fn repetitions_are_draws_unless_one_side_checks_all_the_time() {
        let shuffle = "2h3h 8b7b 3h2h 7b8b ".repeat(3);
        check(Game::Shogi.start(), &shuffle, (Outcome::Draw, Ending::Repetition));
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(2);
        check(Game::Chess.start(), &shuffle, (Outcome::Draw, Ending::Repetition));
        // The rook checks on 5e and 4e, the king steps to and fro.
        let checks = "5e4e 4a5a 4e5e 5a4a ".repeat(3);
        check(shogi("5k3/9/9/9/4R4/9/9/9/K8 b - 1"), &checks, (Outcome::SecondWon, Ending::PerpetualCheck));
    }

    #[test]
    fn go_is_counted_after_two_passes() {
        let five = Game::Go(tejun_games::go::BoardSize::new(5).expect("a size"));
        check(five.start(), "C3 pass pass", (Outcome::FirstWon, Ending::Counted));
        check(five.start(), "pass pass", (Outcome::SecondWon, Ending::Counted));
    }

    #[test]
    fn what_both_agree_on_or_what_takes_too_long_is_over() {
        let options = PlayOptions { max_plies: 9, decisive: Some(1000), n_agreed: 4, ..PlayOptions::default() };
        let random = |worth: fn(&GamePosition) -> i32| {
            play_on(&Game::Chess.start(), &[], &options, |board, _| {
                Ok::<_, ()>(Reply::Move(board.legal_moves()[0], Some(worth(board))))
            })
            .expect("nothing fails")
        };
        let agreed = random(|board| if board.to_move() == Side::First { 1500 } else { -1500 });
        assert_eq!((agreed.outcome, agreed.ending, agreed.moves.len()), (Outcome::FirstWon, Ending::Agreed, 4));
        let quarrel = random(|_| 1500);
        assert_eq!((quarrel.outcome, quarrel.ending), (Outcome::Draw, Ending::TooLong));
    }
}
