//! Where in many games does a query hold?

pub(crate) mod findings;

use std::collections::HashMap;
use std::ops::Range;

use tejun_games::go::{Color, Point};

use crate::corpus::GameTable;
use crate::predictor::stage_of;
use crate::progress::Progress;
use crate::tactics::eval::position::TacticPosition;
use crate::tactics::eval::program::{Program, Values};
use crate::tactics::find::findings::{Findings, Place, RandomComparison, Tally};
use crate::tactics::language::query::{Condition, Query};
use crate::threads::map_each;

/// Number of games that a thread takes at a time. Fixed, so that sums do not depend on the number of threads.
const GAMES_AT_ONCE: usize = 32;

/// Tests a query before every move of all games except passes, on boards of up to 19 lines.
///
/// `watch` receives the number of games finished since its last call, from any thread; if it returns `false`, the
/// search ends with the findings so far. The findings do not depend on the number of threads, unless the search is
/// stopped.
///
/// ```
/// # use tejun_games::BoardSize;
/// # use tejun_knowledge::corpus::{Expression, GameTable, Input, Selection};
/// # use tejun_knowledge::progress::NoProgress;
/// # let games = Input::sample().open(2, &NoProgress)?;
/// # let some = Selection { condition: Some(Expression::parse("id < 100")?), ..Selection::default() };
/// # let table = GameTable::load(&games.collection, &some, BoardSize::NINETEEN)?;
/// use tejun_knowledge::tactics::{Library, Query, find};
///
/// let query = Query::parse("played in capture", Library::standard())?;
/// let findings = find(&table, &query, 2, &NoProgress);
/// println!("{} of {} positions", findings.all.n_found, findings.all.n_positions);
/// assert!(findings.comparisons[0].lift() > 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the boards are larger than 19 lines.
pub fn find(games: &GameTable, query: &Query, n_threads: usize, progress: &dyn Progress) -> Findings {
    assert!(TacticPosition::fits(games.size()), "boards have up to 19 lines");
    let seeker = Seeker::new(query);
    let starts: Vec<usize> = (0..games.n_games()).step_by(GAMES_AT_ONCE).collect();
    progress.start("searching games", Some(games.n_games() as u64));
    let parts = map_each(&starts, n_threads, |&start| {
        if progress.is_cancelled() {
            return Findings::default();
        }
        let range = start..(start + GAMES_AT_ONCE).min(games.n_games());
        let found = seeker.look_through(games, range.clone());
        progress.advance(range.len() as u64);
        found
    });
    let mut findings =
        Findings { comparisons: vec![RandomComparison::default(); seeker.n_comparisons()], ..Findings::default() };
    parts.into_iter().for_each(|part| findings.join(part));
    findings.rank_players();
    findings
}

/// A compiled query.
struct Seeker<'q> {
    conditions: &'q [Condition],
    /// The mappings of the conditions, in their order.
    program: Program,
}

impl<'q> Seeker<'q> {
    fn new(query: &'q Query) -> Seeker<'q> {
        Seeker { conditions: &query.conditions, program: Program::compile(query.mappings()) }
    }

    fn n_comparisons(&self) -> usize {
        self.conditions.iter().filter(|condition| is_compared(condition)).count()
    }

    fn look_through(&self, games: &GameTable, range: Range<usize>) -> Findings {
        let mut findings =
            Findings { comparisons: vec![RandomComparison::default(); self.n_comparisons()], ..Findings::default() };
        let mut values = Values::default();
        let mut players: HashMap<u32, Tally> = HashMap::new();
        for game in range {
            let n_before = findings.places.len();
            let facts = games.facts(game);
            let mut of_game = [Tally::default(); 2];
            let mut position = TacticPosition::of_board(&games.board_before(game, 0), Color::Black);
            for (index, played) in games.moves(game).enumerate() {
                if let Some(point) = played.point {
                    let is_found =
                        self.look_at(&mut position, (played.color, point), &mut values, &mut findings.comparisons);
                    of_game[usize::from(played.color == Color::White)].add(u64::from(is_found));
                    findings.by_stage[stage_of(index)].add(u64::from(is_found));
                    if is_found {
                        findings.places.push(Place { game: game as u32, move_index: index as u32 });
                    }
                }
                position.play(played);
            }
            findings.n_games += 1;
            findings.n_games_found += usize::from(findings.places.len() > n_before);
            let some = of_game.into_iter().enumerate().filter(|(_, tally)| tally.n_positions > 0);
            for (color, tally) in some {
                findings.by_color[color] += tally;
                findings.all += tally;
                *findings.by_year.entry(facts.year()).or_default() += tally;
                if let Some(player) = facts.players[color] {
                    *players.entry(player).or_default() += tally;
                }
            }
        }
        findings.by_player = players.into_iter().collect();
        findings
    }

    /// Whether the query holds where a color is to move and plays a point; also updates the probabilities.
    ///
    /// One position at a time: copies of graphs would cost more than a batch saves.
    fn look_at(
        &self,
        position: &mut TacticPosition,
        (color, played): (Color, Point),
        values: &mut Values,
        comparisons: &mut [RandomComparison],
    ) -> bool {
        // Records may have two moves of one side in a row.
        position.to_move = color;
        self.program.run(std::slice::from_ref(position), values);
        let holds = |(i, condition): (usize, &Condition)| condition.holds(values.of(i, 0), Some(played));
        let numbered = || self.conditions.iter().enumerate();
        if !numbered().filter(|(_, condition)| !condition.asks_for_move()).all(holds) {
            return false;
        }
        if !comparisons.is_empty() {
            let mut legal = position.legal();
            legal.insert(played);
            for ((i, _), comparison) in numbered().filter(|(_, condition)| is_compared(condition)).zip(comparisons) {
                comparison.add(values.of(i, 0), &legal, played);
            }
        }
        numbered().filter(|(_, condition)| condition.asks_for_move()).all(holds)
    }
}

/// Whether a probability is counted for this condition.
fn is_compared(condition: &Condition) -> bool {
    matches!(condition, Condition::PlayedIn(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Collection, Selection, write_sample};
    use crate::predictor::for_each_situation;
    use crate::progress::{CancelledAfter, NoProgress};
    use crate::tactics::language::library::Library;
    use std::collections::BTreeSet;
    use tejun_games::go::{Board, BoardSize};

    /// Every n-th game of the sample.
    fn sample(n: usize) -> GameTable {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sample.parquet");
        write_sample(&path).expect("the sample is valid");
        let collection = Collection::open(&path).expect("a collection");
        GameTable::load(&collection, &Selection::default(), BoardSize::NINETEEN).expect("a table").split(n).1
    }

    fn query(text: &str) -> Query {
        Query::parse(text, Library::standard()).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// Stones of a color in chains with one liberty.
    fn in_atari(board: &Board, color: Color) -> BTreeSet<Point> {
        let is_it = |p: &Point| board.stone(*p) == Some(color) && board.liberties(*p) == 1;
        board.size().points().filter(is_it).collect()
    }

    /// The last liberties of the opponent's chains.
    fn captures(board: &Board, color: Color) -> BTreeSet<Point> {
        let prey = in_atari(board, color.opponent());
        let is_it = |p: &Point| board.stone(*p).is_none() && p.neighbors(board.size()).any(|q| prey.contains(&q));
        board.size().points().filter(is_it).collect()
    }

    type Fact = fn(&Board, Color, Point) -> bool;

    /// Queries, each with an equivalent test on the board.
    const FACTS: [(&str, Fact); 5] = [
        ("played in Suc_1((P - O) & !Pre_2(O & P)) & EMPTY", |board, color, played| {
            captures(board, color).contains(&played)
        }),
        ("OWN & H and not played in capture", |board, color, played| {
            !in_atari(board, color).is_empty() && !captures(board, color).contains(&played)
        }),
        ("no (BLACK | WHITE) & H", |board, _, _| {
            [Color::Black, Color::White].iter().all(|&color| in_atari(board, color).is_empty())
        }),
        ("count OPP & H >= 2 and played in capture and played in EMPTY", |board, color, played| {
            in_atari(board, color.opponent()).len() >= 2 && captures(board, color).contains(&played)
        }),
        ("played in BORDER", |board, _, played| played.neighbors(board.size()).count() < 4),
    ];

    #[test]
    fn findings_are_those_of_a_naive_walk() {
        let games = sample(30);
        for (text, fact) in FACTS {
            let found = find(&games, &query(text), 2, &NoProgress);
            let mut expected = Findings { comparisons: found.comparisons.clone(), ..Findings::default() };
            let mut by_player: HashMap<u32, Tally> = HashMap::new();
            for game in 0..games.n_games() {
                let n_before = expected.places.len();
                let facts = games.facts(game);
                for_each_situation(&games, game, |index, situation, played| {
                    let played = situation.legal[played];
                    let is_found = fact(situation.board, situation.color, played);
                    let color = usize::from(situation.color == Color::White);
                    expected.all.add(u64::from(is_found));
                    expected.by_color[color].add(u64::from(is_found));
                    expected.by_stage[stage_of(index)].add(u64::from(is_found));
                    expected.by_year.entry(facts.year()).or_default().add(u64::from(is_found));
                    if let Some(player) = facts.players[color] {
                        by_player.entry(player).or_default().add(u64::from(is_found));
                    }
                    if is_found {
                        expected.places.push(Place { game: game as u32, move_index: index as u32 });
                    }
                });
                expected.n_games += 1;
                expected.n_games_found += usize::from(expected.places.len() > n_before);
            }
            expected.by_player = by_player.into_iter().collect();
            expected.rank_players();
            assert!(found.all.n_positions > 4000 && found.all.n_found > 0, "{text}: {:?}", found.all);
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn comparisons_are_those_of_a_naive_walk() {
        let games = sample(30);
        let found = find(&games, &query("played in capture and count OWN >= 20"), 2, &NoProgress);
        let mut expected = RandomComparison::default();
        for game in 0..games.n_games() {
            for_each_situation(&games, game, |_, situation, played| {
                let (board, color) = (situation.board, situation.color);
                let own = board.size().points().filter(|&p| board.stone(p) == Some(color)).count();
                // A board built from the same stones has no ko.
                let mut free = Board::new(board.size());
                for point in board.size().points() {
                    board.stone(point).into_iter().for_each(|stone| free.place(stone, point).expect("an empty point"));
                }
                let is_legal = |p: &Point| free.check(color, *p, tejun_games::go::Suicide::Forbidden).is_ok();
                let legal: Vec<Point> = board.size().points().filter(is_legal).collect();
                let captures = captures(board, color);
                if own >= 20 && !captures.is_empty() {
                    expected.n_positions += 1;
                    expected.n_played += u64::from(captures.contains(&situation.legal[played]));
                    expected.n_selected += captures.len() as u64;
                    expected.n_legal += legal.len() as u64;
                    expected.n_expected += captures.len() as f64 / legal.len() as f64;
                }
            });
        }
        let [comparison] = found.comparisons[..] else { panic!("one `played in`") };
        assert!((comparison.n_expected - expected.n_expected).abs() < 1e-9);
        assert_eq!(comparison, RandomComparison { n_expected: comparison.n_expected, ..expected });
        assert!(comparison.lift() > 5.0 && comparison.mean_selected() > 1.0, "{comparison:?}");
        assert_eq!(found.all.n_found, comparison.n_played);
    }

    #[test]
    fn findings_do_not_depend_on_threads() {
        let games = sample(8);
        let query = query("played in Adj_1(LAST) - capture and H");
        let one = find(&games, &query, 1, &NoProgress);
        assert_eq!(one, find(&games, &query, 3, &NoProgress));
        assert!(one.places.is_sorted() && one.n_games == games.n_games());
        assert_eq!(one.examples(3).count(), 3);
        assert_eq!(one.examples(usize::MAX).collect::<Vec<_>>(), one.places);
    }

    #[test]
    fn a_stopped_search_returns_its_findings() {
        let games = sample(8);
        let found = find(&games, &query("played in EMPTY"), 1, &CancelledAfter::new(1));
        assert_eq!(found.n_games, GAMES_AT_ONCE);
        assert_eq!(found.comparisons.len(), 1);
        assert_eq!(find(&games.split(0).1, &query("B"), 2, &NoProgress), Findings::default());
    }
}
