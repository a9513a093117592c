//! Worked examples, and plain recursion as a twin.

use crate::books::BookBuilder;
use crate::books::making::expand::*;
use crate::books::making::samples::{Oracle, after, book, five, oracle_value, written};
use proptest::prelude::*;
use tejun_games::game::Side;

fn empty(game: Game) -> Book {
    BookBuilder::new(game).finish().0
}

fn oracle() -> Oracle {
    Oracle { n_moves: 3, n_asked: 0 }
}

/// An adviser with a few answers; elsewhere a quiet move worth nothing.
struct Script(Vec<(&'static str, Vec<(&'static str, i32)>)>);

impl Adviser for Script {
    type Error = std::convert::Infallible;

    fn advise(&mut self, board: &GamePosition, _: &[GameMove]) -> Result<Vec<Advice>, Self::Error> {
        let row = self.0.iter().find(|row| after(board.game(), row.0).key() == board.key());
        let advice = |(text, value): &(&str, i32)| {
            let played = board.parse_move(text).expect("a move");
            Advice { played, value: *value, depth: None }
        };
        Ok(row.map_or(Vec::new(), |row| row.1.iter().map(advice).collect()))
    }
}

#[test]
fn the_best_line_is_followed_and_values_come_back() {
    let mut script = Script(vec![
        ("", vec![("e2e4", 30), ("d2d4", 20), ("a2a3", -50)]),
        ("e2e4", vec![("e7e5", -10), ("c7c5", -15)]),
        ("d2d4", vec![("d7d5", -40)]),
    ]);
    let options = ExpandOptions { ply_penalty: 0, weights: ValueWeights::Best, ..ExpandOptions::default() };
    let mut expansion = Expansion::new(&empty(Game::Chess), options);
    let lines = ["", "e2e4", "d2d4", "d2d4 d7d5"];
    // e2e4 turns out to be worth 10, so that d2d4 is next, and is worth 40.
    for (line, value) in lines.into_iter().zip([30, 20, 40, 40]) {
        let report = expansion.step(&mut script).expect("no failure").expect("more to ask");
        let words = line.split_ascii_whitespace().count();
        assert_eq!(report.line.len(), words, "{line}");
        assert_eq!((report.start_value, report.cost), (Some(value), 0), "{line}");
    }
    let book = expansion.to_book();
    let start = book.start().expect("the start");
    let values: Vec<_> = book.move_notes(start).iter().map(|notes| notes.value).collect();
    assert_eq!(values, [Some(10), Some(40)]);
    let weights: Vec<_> = book.moves(start).iter().map(|known| known.weight).collect();
    assert_eq!(weights, [0, 10_000]);
}

#[test]
fn mates_end_a_line() {
    let lines = [
        ("f2f3", 1, Some(0)),
        ("f2f3 e7e5", 1, Some(0)),
        ("f2f3 e7e5 g2g4", 1, Some(0)),
        ("f2f3 e7e5 g2g4 d8h4", 1, Some(0)),
    ];
    let mut expansion = Expansion::new(&book(Game::Chess, &lines), ExpandOptions::default());
    let report = expansion.step(&mut Script(vec![])).expect("no failure").expect("the mate");
    assert_eq!((report.added, report.start_value), (vec![], Some(-MATE_VALUE)));
    assert_eq!(expansion.step(&mut Script(vec![])).expect("no failure"), None);
}

#[test]
fn circles_are_draws() {
    // White can go back and forth, or take -30; Black can go along, or take -20.
    let lines = [
        ("g1f3", 1, Some(9)),
        ("a2a3", 1, Some(-30)),
        ("g1f3 g8f6", 1, Some(9)),
        ("g1f3 a7a6", 1, Some(-20)),
        ("g1f3 g8f6 f3g1", 1, Some(9)),
        ("g1f3 g8f6 f3g1 f6g8", 1, Some(9)),
    ];
    let expansion = Expansion::new(&book(Game::Chess, &lines), ExpandOptions::default());
    let book = expansion.to_book();
    let values: Vec<_> = book.move_notes(book.start().expect("the start")).iter().map(|notes| notes.value).collect();
    assert_eq!(values, [Some(0), Some(-30)]);
}

#[test]
fn illegal_advice_changes_nothing() {
    let mut expansion = Expansion::new(&empty(Game::Chess), ExpandOptions::default());
    let mut script = Script(vec![("", vec![("e2e5", 0)])]);
    assert!(matches!(expansion.step(&mut script), Err(ExpandError::Illegal(_))));
    assert_eq!(expansion.n_positions(), 0);
}

#[test]
fn sides_have_their_own_width_and_lines_an_end() {
    let options = ExpandOptions { n_moves: [1, 3], max_ply: Some(3), max_loss: 1000, ..ExpandOptions::default() };
    let mut expansion = Expansion::new(&empty(Game::Chess), options);
    let mut oracle = oracle();
    while expansion.step(&mut oracle).expect("no failure").is_some() {}
    let book = expansion.to_book();
    for (number, position) in book.positions().iter().enumerate() {
        let n = book.moves(number as u32).len();
        assert_eq!(n, if position.to_move == Side::First { 1 } else { 3 });
    }
    // The start, one answer, and three positions after its three moves.
    assert_eq!((book.positions().len(), oracle.n_asked), (5, 5));
}

/// The value of a position by plain recursion, for books without circles.
fn naive_value(book: &Book, position: u32) -> Option<i32> {
    let both = book.moves(position).iter().zip(book.move_notes(position));
    both.filter_map(|(known, notes)| {
        let after_it = book.find(known.child).and_then(|child| naive_value(book, child));
        after_it.map(|value| -value).or(notes.value)
    })
    .max()
}

/// Whether play can come back: positions are taken away whose moves lead nowhere in the book, while there are any.
fn is_circular(book: &Book) -> bool {
    let mut left: Vec<u32> = (0..book.positions().len() as u32).collect();
    loop {
        let is_left = |known: &BookMove| book.find(known.child).is_some_and(|child| left.contains(&child));
        let next: Vec<u32> = left.iter().copied().filter(|at| book.moves(*at).iter().any(is_left)).collect();
        if next.len() == left.len() {
            return !left.is_empty();
        }
        left = next;
    }
}

/// The least cost of a way out by trying all ways up to some length.
fn naive_cost(book: &Book, position: u32, penalty: u64, depth: usize) -> Option<u64> {
    let moves = book.moves(position).iter().zip(book.move_notes(position));
    let best = naive_value(book, position);
    moves
        .filter_map(|(known, notes)| {
            let loss = best.zip(notes.value).map_or(0, |(best, value)| best.abs_diff(value));
            let after_it = match book.find(known.child) {
                Some(child) => depth.checked_sub(1).and_then(|depth| naive_cost(book, child, penalty, depth))?,
                None => 0,
            };
            Some(after_it + u64::from(loss) + penalty)
        })
        .min()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_saved_book_resumes_exactly(first in 0usize..10, ply_penalty in 0u32..60, which in 0usize..3) {
        let game = [Game::Shogi, Game::Chess, five()][which];
        let options = ExpandOptions { ply_penalty, max_loss: 100, ..ExpandOptions::default() };
        let mut whole = Expansion::new(&empty(game), options.clone());
        let mut part = whole.clone();
        let mut oracle = oracle();
        let reports: Vec<_> = (0..20).map(|_| whole.step(&mut oracle).expect("no failure")).collect();
        for report in &reports[..first] {
            prop_assert_eq!(report, &part.step(&mut oracle).expect("no failure"));
        }
        let mut part = Expansion::new(&part.to_book(), options);
        for report in &reports[first..] {
            prop_assert_eq!(report, &part.step(&mut oracle).expect("no failure"));
        }
        prop_assert_eq!(written(&whole.to_book()), written(&part.to_book()));
    }

    #[test]
    fn values_and_ways_are_those_of_plain_recursion(ply_penalty in 0u32..60, n in 0usize..25, is_go in any::<bool>()) {
        let game = if is_go { five() } else { Game::Shogi };
        let options = ExpandOptions { ply_penalty, max_loss: 100, ..ExpandOptions::default() };
        let mut expansion = Expansion::new(&empty(game), options);
        let mut oracle = oracle();
        (0..=n).for_each(|_| assert!(expansion.step(&mut oracle).expect("no failure").is_some()));
        let book = expansion.to_book();
        let start = book.start().expect("the start");
        prop_assume!(!is_circular(&book));
        prop_assert_eq!(expansion.values[start as usize], naive_value(&book, start));
        let cost = expansion.step(&mut oracle).expect("no failure").map(|report| report.cost);
        prop_assert_eq!(cost, naive_cost(&book, start, u64::from(ply_penalty), 30));
        // What nobody has asked about is worth what the oracle says.
        for position in 0..book.positions().len() as u32 {
            for (known, notes) in book.moves(position).iter().zip(book.move_notes(position)) {
                if book.find(known.child).is_none() {
                    let after = book.board(position).after(known.played).expect("legal");
                    prop_assert_eq!(notes.value, Some(oracle_value(&after)));
                }
            }
        }
    }
}
