//! How many moves of games have an explanation, and how large are the explanations?

use std::time::{Duration, Instant};

use tejun_games::Move;
use tejun_games::go::Point;

use crate::corpus::GameTable;
use crate::progress::Progress;
use crate::tactics::explain::{ExplainOptions, MoveExplanation, Unexplained, explain};
use crate::tactics::find::findings::Place;
use crate::threads::map_each;

/// A move and its explanation.
#[derive(Clone, Debug)]
pub struct SurveyedMove {
    /// The position before it.
    pub place: Place,
    /// The point that was played.
    pub point: Point,
    /// The mapping that separates it from all other points.
    pub explained: Result<MoveExplanation, Unexplained>,
    /// The time that one thread needed.
    pub time: Duration,
}

/// What to survey, and how.
#[derive(Clone, Debug)]
pub struct SurveyOptions {
    /// Number of games, from the first.
    pub n_games: usize,
    /// How hard to search for each move.
    pub explain: ExplainOptions,
    /// Number of threads.
    pub n_threads: usize,
}

/// Explains every move of the first games except passes, on boards of up to 19 lines.
///
/// After it is cancelled, the remaining moves are skipped. Except for times, the result does not depend on the number
/// of threads unless it is cancelled.
pub fn survey(games: &GameTable, options: &SurveyOptions, progress: &dyn Progress) -> Vec<SurveyedMove> {
    let places = surveyed_places(games, options.n_games);
    progress.start("explaining moves", Some(places.len() as u64));
    let moves = map_each(&places, options.n_threads, |&place| {
        if progress.is_cancelled() {
            return None;
        }
        let (position, played) = place.position(games);
        let point = played.and_then(|m| m.point)?;
        let start = Instant::now();
        let explained = explain(&position, point, games.size(), &options.explain);
        let surveyed = SurveyedMove { place, point, explained, time: start.elapsed() };
        progress.advance(1);
        Some(surveyed)
    });
    moves.into_iter().flatten().collect()
}

/// The places of all moves of the first games except passes.
pub fn surveyed_places(games: &GameTable, n_games: usize) -> Vec<Place> {
    let of_game = |game: usize| {
        let moves = games.moves(game).enumerate().filter(|(_, Move { point, .. })| point.is_some());
        moves.map(move |(index, _)| Place { game: game as u32, move_index: index as u32 })
    };
    (0..games.n_games().min(n_games)).flat_map(of_game).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Collection, Selection, write_sample};
    use crate::progress::{CancelledAfter, NoProgress};
    use tejun_games::go::BoardSize;

    #[test]
    fn surveys_do_not_depend_on_threads_and_can_be_stopped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sample.parquet");
        write_sample(&path).expect("the sample is valid");
        let collection = Collection::open(&path).expect("a collection");
        let games = GameTable::load(&collection, &Selection::default(), BoardSize::NINETEEN).expect("a table");
        let explain = ExplainOptions { max_sets: 60, ..ExplainOptions::default() };
        let run = |n_threads: usize, progress: &dyn Progress| {
            let options = SurveyOptions { n_games: 1, explain: explain.clone(), n_threads };
            let moves = survey(&games, &options, progress).into_iter();
            moves.map(|m| (m.place, m.point, m.explained)).collect::<Vec<_>>()
        };
        let all = run(1, &NoProgress);
        assert_eq!(all, run(3, &NoProgress));
        assert_eq!(all.len(), surveyed_places(&games, 1).len());
        assert_eq!(run(1, &CancelledAfter::new(1)), all[..1]);
        for (place, point, explained) in all {
            let (position, played) = place.position(&games);
            assert_eq!(played.and_then(|m| m.point), Some(point));
            if let Ok(explanation) = explained {
                assert_eq!(position.value(&explanation.mapping), explanation.value);
                assert!(explanation.value.contains(point));
            }
        }
    }
}
