//! Prediction of every move of many games.

use tejun_games::Move;
use tejun_games::go::Board;

use crate::corpus::GameTable;
use crate::predictor::{Predictor, Scores, Situation};

/// Visits every move except passes: its index, the situation, and its position among the legal points.
pub fn for_each_situation(games: &GameTable, game: usize, mut visit: impl FnMut(usize, &Situation<'_>, usize)) {
    let moves: Vec<Move> = games.moves(game).collect();
    let start: Board = games.board_before(game, 0);
    for (index, (board, Move { color, point })) in games.positions(game).enumerate() {
        let Some(point) = point else { continue };
        let legal = Situation::legal_points(&board, color, Some(point));
        let situation = Situation { start: &start, moves: &moves[..index], board: &board, color, legal: &legal };
        let place = legal.iter().position(|&p| p == point).expect("what was played is among them");
        visit(index, &situation, place);
    }
}

/// Measures how well predictors predict the games, in several threads; `make` creates one predictor per thread.
pub fn measure<'m>(
    games: &GameTable,
    n_threads: usize,
    make: impl Fn() -> Vec<Box<dyn Predictor + 'm>> + Sync,
) -> Vec<Scores> {
    let n_threads = n_threads.max(1);
    let work = |thread: usize| {
        let mut predictors = make();
        let mut scores = vec![Scores::default(); predictors.len()];
        for game in (thread..games.n_games()).step_by(n_threads) {
            scores.iter_mut().for_each(Scores::begin_game);
            for_each_situation(games, game, |index, situation, played| {
                for (predictor, scores) in predictors.iter_mut().zip(&mut scores) {
                    scores.add(&predictor.predict(situation), played, index);
                }
            });
        }
        scores
    };
    let work = &work;
    let parts: Vec<Vec<Scores>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..n_threads).map(|thread| scope.spawn(move || work(thread))).collect();
        handles.into_iter().map(|handle| handle.join().expect("predicting does not panic")).collect()
    });
    let join = |mut all: Vec<Scores>, part: Vec<Scores>| {
        all.iter_mut().zip(part).for_each(|(a, b)| a.join(b));
        all
    };
    parts.into_iter().reduce(join).unwrap_or_default()
}
