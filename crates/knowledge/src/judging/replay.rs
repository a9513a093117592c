//! A game with all its boards.

use tejun_games::go::{Board, Color};
use tejun_games::{GameRecord, Move};

use crate::evaluation::{DEFAULT_KOMI, Evaluation, Question};
use crate::judging::tags::{MoveTag, move_tags};

/// The first moves of a game with the board before each of them.
pub(crate) struct ReplayedGame<'g> {
    /// The moves.
    pub(crate) moves: &'g [Move],
    /// The board before each move, and after the last one.
    pub(crate) boards: Vec<Board>,
    /// Points White gets for playing second.
    komi: f64,
}

impl<'g> ReplayedGame<'g> {
    /// Plays at most `n_moves` moves.
    pub(crate) fn new(record: &'g GameRecord, n_moves: usize) -> ReplayedGame<'g> {
        let moves = &record.moves[..n_moves.min(record.moves.len())];
        let mut board = record.start_board();
        let mut boards = vec![board.clone()];
        for played in moves {
            // The moves were checked when the record was read.
            let _ = played.play_on(&mut board);
            boards.push(board.clone());
        }
        ReplayedGame { moves, boards, komi: record.header.komi.map_or(DEFAULT_KOMI, f64::from) }
    }

    /// The question about the position with this number of moves before it.
    pub(crate) fn question(&self, index: usize) -> Question<'_> {
        Question {
            start: &self.boards[0],
            moves: &self.moves[..index],
            board: &self.boards[index],
            color: self.to_move(index),
            komi: self.komi,
            played: self.moves.get(index).and_then(|played| played.point),
        }
    }

    pub(crate) fn to_move(&self, index: usize) -> Color {
        let after_last = self.moves.last().map_or(Color::Black, |last| last.color.opponent());
        self.moves.get(index).map_or(after_last, |played| played.color)
    }

    /// Black's win rate before each move, and after the last one, as searched.
    pub(crate) fn win_rates_black(&self, values: &[Option<Evaluation>]) -> Vec<Option<f64>> {
        let rate = |(index, value): (usize, &Option<Evaluation>)| {
            let rate = value.as_ref().and_then(|value| value.win_rate)?;
            Some(if self.to_move(index) == Color::Black { rate } else { 1.0 - rate })
        };
        values.iter().enumerate().map(rate).collect()
    }

    /// What a move does on the board.
    pub(crate) fn tags(&self, index: usize) -> Vec<MoveTag> {
        move_tags(&self.boards[index], &self.moves[..index], self.moves[index])
    }
}
