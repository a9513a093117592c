//! Games by hand, and a saved book that resumes.

use crate::books::BookBuilder;
use crate::books::making::meta_mcts::*;
use crate::books::making::samples::{Oracle, after, five, written};
use proptest::prelude::*;
use std::convert::Infallible;

/// Results by the position alone, with draws.
struct Ends;

impl Playout for Ends {
    type Error = Infallible;

    fn play_out(&mut self, board: &GamePosition, _: &[GameMove]) -> Result<Outcome, Infallible> {
        Ok([Outcome::FirstWon, Outcome::SecondWon, Outcome::Draw][(board.key().0 % 3) as usize])
    }
}

/// These results, one after the other.
struct Row(Vec<Outcome>);

impl Playout for Row {
    type Error = Infallible;

    fn play_out(&mut self, _: &GamePosition, _: &[GameMove]) -> Result<Outcome, Infallible> {
        Ok(self.0.remove(0))
    }
}

/// Names these moves wherever they are legal.
struct Words(&'static [&'static str]);

impl Adviser for Words {
    type Error = Infallible;

    fn advise(&mut self, board: &GamePosition, _: &[GameMove]) -> Result<Vec<Advice>, Infallible> {
        let moves = self.0.iter().filter_map(|text| board.parse_move(text).ok());
        let legal = moves.filter(|played| board.after(*played).is_ok());
        Ok(legal.map(|played| Advice { played, value: 0, depth: None }).collect())
    }
}

fn empty(game: Game) -> Book {
    BookBuilder::new(game).finish().0
}

#[test]
fn a_line_that_loses_makes_room_for_another() {
    use Outcome::{Draw, FirstWon, SecondWon};
    let options = MetaOptions { min_rate: 0.5, min_games: 2, max_ply: 1, n_advised: 1 };
    let mut meta = MetaMcts::new(&empty(Game::Chess), options);
    let mut row = Row(vec![SecondWon, Draw, FirstWon, Draw, SecondWon, FirstWon]);
    let mut words = Words(&["e2e4", "d2d4"]);
    let mut seen = Vec::new();
    for _ in 0..6 {
        let report = meta.play(&mut words, &mut row).expect("played");
        seen.push((Game::Chess.start().move_text(report.line[0]), report.n_from_book));
    }
    // e2e4 gets half a win of two games; d2d4 has 1.5 of 2, then 1.5 of 3, which is not more than half.
    let [bad, good] = ["e2e4", "d2d4"].map(str::to_string);
    let expected = [(&bad, 0), (&bad, 0), (&good, 0), (&good, 0), (&good, 1), (&bad, 0)];
    assert_eq!(seen, expected.map(|(text, n)| (text.clone(), n)));
    let book = meta.to_book();
    let start = book.start().expect("the start");
    let counts: Vec<_> = book.move_notes(start).iter().map(|notes| (notes.n_games, notes.n_wins)).collect();
    assert_eq!(counts, [(Some(3), Some(1)), (Some(3), Some(1))]);
    let notes = book.notes(start).expect("notes");
    assert_eq!((notes.n_games, notes.n_first_wins, notes.n_second_wins), (Some(6), Some(2), Some(2)));
    assert_eq!(meta.n_games(), 6);
}

#[test]
fn a_mate_needs_no_playout() {
    let mut meta = MetaMcts::new(&empty(Game::Chess), MetaOptions::default());
    let mut words = Words(&["f2f3", "e7e5", "g2g4", "d8h4"]);
    let report = meta.play(&mut words, &mut Row(vec![])).expect("played");
    assert_eq!((report.outcome, report.line.len(), report.n_positions), (Outcome::SecondWon, 4, 4));
    let book = meta.to_book();
    let position = book.find(after(Game::Chess, "f2f3 e7e5 g2g4").key()).expect("recorded");
    assert_eq!(book.move_notes(position)[0].n_wins, Some(1));
}

#[test]
fn values_end_games_by_the_model() {
    let n_first = |intercept: f64| {
        let model = WinModel { intercept, slope: 0.0 };
        let mut playout = ModelPlayout::new(Words(&["e2e4"]), model, 7, 0);
        let board = Game::Chess.start();
        (0..2000).filter(|_| playout.play_out(&board, &[]) == Ok(Outcome::FirstWon)).count()
    };
    // Log odds of ln 3 are three wins in four games; 20 is one standard error.
    assert!(n_first(3f64.ln()).abs_diff(1500) < 80);
    assert!(n_first(0.0).abs_diff(1000) < 90);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_saved_book_continues_exactly(first in 0usize..10, which in 0usize..3, is_model in any::<bool>(), seed: u64) {
        let game = [Game::Shogi, Game::Chess, five()][which];
        let options = MetaOptions { min_rate: 0.4, min_games: 2, max_ply: 6, n_advised: 3 };
        let mut oracle = Oracle { n_moves: 3, n_asked: 0 };
        let mut ends = |meta: &mut MetaMcts, n: usize, n_played: usize| -> Vec<GameReport> {
            let model = Oracle { n_moves: 1, n_asked: 0 };
            let mut model = ModelPlayout::new(model, WinModel::PAPER, seed, n_played as u64);
            (0..n).map(|_| match is_model {
                true => meta.play(&mut oracle, &mut model).expect("played"),
                false => meta.play(&mut oracle, &mut Ends).expect("played"),
            }).collect()
        };
        let mut whole = MetaMcts::new(&empty(game), options.clone());
        let all = ends(&mut whole, 20, 0);
        let mut part = MetaMcts::new(&empty(game), options.clone());
        let mut reports = ends(&mut part, first, 0);
        let mut part = MetaMcts::new(&part.to_book(), options);
        prop_assert_eq!(part.n_games() as usize, first);
        reports.extend(ends(&mut part, 20 - first, first));
        prop_assert_eq!(&all, &reports);
        let book = whole.to_book();
        prop_assert_eq!(written(&book), written(&part.to_book()));
        // Every count is that of the reported games.
        for (number, position) in book.positions().iter().enumerate() {
            for (known, notes) in book.moves(number as u32).iter().zip(book.move_notes(number as u32)) {
                let came = |report: &&GameReport| {
                    let mut board = game.start();
                    report.line.iter().any(|played| {
                        let (_, turns) = board.normal();
                        let is_here = board.key() == position.key
                            && board.turned_move(*played, &turns) == known.played;
                        board.play(*played).expect("legal");
                        is_here
                    })
                };
                let games: Vec<&GameReport> = all.iter().filter(came).collect();
                let halves: u32 = games.iter().map(|game| half_wins(game.outcome, position.to_move)).sum();
                prop_assert_eq!((notes.n_games, known.weight), (Some(games.len() as u32), halves));
            }
        }
    }
}
