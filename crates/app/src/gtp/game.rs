//! The game on the engine's board.

use std::collections::HashSet;

use tejun_games::go::{Board, BoardSize, Color, IllegalMove, Point, Suicide};
use tejun_games::{GameRecord, Move};

/// A board with all moves played on it.
#[derive(Clone, Debug)]
pub struct Game {
    /// The board before the first move.
    pub start: Board,
    /// The moves so far.
    pub moves: Vec<Move>,
    /// The board now.
    pub board: Board,
    /// White's compensation for playing second, in points.
    pub komi: f64,
    /// The hashes of all boards so far.
    seen: HashSet<u64>,
}

impl Game {
    /// Starts a game from a board.
    pub fn new(start: Board, komi: f64) -> Game {
        let seen = HashSet::from([start.hash()]);
        Game { board: start.clone(), start, moves: Vec::new(), komi, seen }
    }

    /// Replays the first moves of a record.
    pub fn of_record(record: &GameRecord, n_moves: usize, komi: f64) -> Game {
        let mut game = Game::new(record.start_board(), record.header.komi.map_or(komi, f64::from));
        game.replay(&record.moves[..n_moves.min(record.moves.len())]);
        game
    }

    /// The board size.
    pub fn size(&self) -> BoardSize {
        self.board.size()
    }

    /// The side to move: the opponent of the last move's side; White first if only Black has stones.
    pub fn to_move(&self) -> Color {
        let has = |color| !self.start.stones(color).is_empty();
        let first = if has(Color::Black) && !has(Color::White) { Color::White } else { Color::Black };
        self.moves.last().map_or(first, |last| last.color.opponent())
    }

    /// Whether a color has just passed.
    pub fn has_passed(&self, color: Color) -> bool {
        self.moves.last() == Some(&Move { color, point: None })
    }

    /// Plays a move, even out of turn; checking for repetitions is up to the controller.
    ///
    /// # Errors
    /// If the point is occupied, or the move retakes a ko at once or is suicide; then nothing changes.
    pub fn play(&mut self, color: Color, point: Option<Point>) -> Result<(), IllegalMove> {
        match point {
            Some(point) => drop(self.board.play(color, point)?),
            None => self.board.pass(),
        }
        self.push(Move { color, point });
        Ok(())
    }

    /// Takes the last move back; `None` if there is none.
    pub fn undo(&mut self) -> Option<Move> {
        let last = self.moves.pop()?;
        let moves = std::mem::take(&mut self.moves);
        *self = Game::new(self.start.clone(), self.komi);
        self.replay(&moves);
        Some(last)
    }

    /// The points where a color may play without repeating a position.
    pub fn legal_points(&self, color: Color) -> Vec<Point> {
        let is_legal = |&point: &Point| {
            self.board.check(color, point, Suicide::Forbidden).is_ok()
                && !self.seen.contains(&self.board.hash_after(color, point))
        };
        self.size().points().filter(is_legal).collect()
    }

    /// Black's points minus White's, including komi, with all stones alive (Tromp and Taylor).
    pub fn score_black(&self) -> f64 {
        let n_points = |color| self.board.area(color).len() as f64;
        n_points(Color::Black) - n_points(Color::White) - self.komi
    }

    fn replay(&mut self, moves: &[Move]) {
        for &played in moves {
            // Records contain no illegal moves other than suicide.
            let _ = played.play_on(&mut self.board);
            self.push(played);
        }
    }

    fn push(&mut self, played: Move) {
        self.moves.push(played);
        self.seen.insert(self.board.hash());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str) -> Point {
        Point::parse(name, BoardSize::new(5).expect("a size")).expect("a point")
    }

    /// A ko in the upper left that Black has just captured; White's stone was on c5.
    fn ko() -> Game {
        let mut game = Game::new(Board::new(BoardSize::new(5).expect("a size")), 0.5);
        for (color, name) in [('b', "c4"), ('w', "a5"), ('b', "d5"), ('w', "b4"), ('b', "e1"), ('w', "c5"), ('b', "b5")]
        {
            let color = if color == 'b' { Color::Black } else { Color::White };
            game.play(color, Some(point(name))).expect("legal");
        }
        game
    }

    #[test]
    fn positions_do_not_repeat_although_passes_lift_the_ko() {
        let mut game = ko();
        assert!(game.board.is_empty(point("c5")), "{:?}", game.board);
        assert_eq!(game.play(Color::White, Some(point("c5"))), Err(IllegalMove::Ko));
        game.play(Color::White, None).expect("a pass");
        game.play(Color::Black, None).expect("a pass");
        assert!(!game.legal_points(Color::White).contains(&point("c5")));
        assert!(game.play(Color::White, Some(point("c5"))).is_ok(), "a controller may allow it");
    }

    #[test]
    fn undo_restores_board_ko_and_history() {
        let mut game = ko();
        let (hash, n_moves) = (game.board.hash(), game.moves.len());
        game.play(Color::White, Some(point("e5"))).expect("legal");
        game.undo().expect("a move");
        assert_eq!((game.board.hash(), game.moves.len()), (hash, n_moves));
        assert_eq!(game.board.ko_point(Color::White), Some(point("c5")));
        assert!(game.legal_points(Color::White).contains(&point("e5")), "undone positions do not count as repetitions");
        while game.undo().is_some() {}
        assert_eq!((game.board.hash(), game.to_move()), (0, Color::Black));
    }
}
