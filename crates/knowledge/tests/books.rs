//! Book matches compared with naive implementations that follow every line of play.

use std::collections::HashMap;

use proptest::prelude::*;
use tejun_games::game::{Game, GameMove, PositionKey, Side};
use tejun_knowledge::books::matching::{Match, MatchOptions, Player, Repetition, match_books, sample_check};
use tejun_knowledge::books::{Book, BookBuilder, BookMove, Diversity, Rule, Selection};

/// An artificial book: for each position, the positions that it leads to, with weights.
type Graph = Vec<Vec<(usize, u32)>>;

fn key(node: usize) -> PositionKey {
    if node == 0 { Game::Chess.start().key() } else { PositionKey(node as u128 * 0x9e37_79b9_7f4a_7c15) }
}

fn book(graph: &Graph, side_of: impl Fn(usize) -> Side) -> Book {
    let mut builder = BookBuilder::new(Game::Chess);
    for (node, moves) in graph.iter().enumerate().filter(|(_, moves)| !moves.is_empty()) {
        let moves: Vec<BookMove> = moves
            .iter()
            .enumerate()
            .map(|(at, (to, weight))| BookMove { child: key(*to), played: GameMove(at as u32), weight: *weight })
            .collect();
        builder.add_bare(key(node), side_of(node), &moves);
    }
    builder.finish().0
}

fn parity(node: usize) -> Side {
    if node.is_multiple_of(2) { Side::First } else { Side::Second }
}

fn matched(book: &Book, repetition: Repetition, selection: &Selection) -> Match {
    let player = Player { book, selection };
    match_books(Game::Chess, [player, player], &MatchOptions { repetition, start: None })
}

/// Every line of play: the position where it leaves the book, its probability, and its number of moves.
fn lines(graph: &Graph, repetition: Repetition, max_len: usize) -> Vec<(usize, f64, usize)> {
    let mut found = Vec::new();
    let mut open = vec![(vec![0usize], 1.0)];
    while let Some((line, probability)) = open.pop() {
        let node = line[line.len() - 1];
        let total: u32 = graph[node].iter().map(|(_, weight)| weight).sum();
        let is_repeated = repetition == Repetition::Leaves && line[..line.len() - 1].contains(&node);
        if total == 0 || is_repeated || line.len() > max_len {
            found.push((node, probability, line.len() - 1));
            continue;
        }
        for (to, weight) in graph[node].iter().filter(|(_, weight)| *weight > 0) {
            let mut longer = line.clone();
            longer.push(*to);
            open.push((longer, probability * f64::from(*weight) / f64::from(total)));
        }
    }
    found
}

fn by_position(lines: &[(usize, f64, usize)]) -> HashMap<PositionKey, f64> {
    let mut sums = HashMap::new();
    for (node, probability, _) in lines {
        *sums.entry(key(*node)).or_insert(0.0) += probability;
    }
    sums
}

#[track_caller]
fn check(played: &Match, expected: &HashMap<PositionKey, f64>, tolerance: f64) {
    assert_eq!(played.leaving.len(), expected.len());
    for leaving in &played.leaving {
        let naive = expected[&leaving.key];
        assert!((leaving.probability - naive).abs() < tolerance, "{} is not {naive}", leaving.probability);
    }
}

/// Compares the totals of a match with those of its lines.
#[track_caller]
fn check_lines(played: &Match, lines: &[(usize, f64, usize)]) {
    let mean: f64 = lines.iter().map(|(_, p, len)| p * *len as f64).sum();
    assert!((played.expected_plies - mean).abs() < 1e-10);
    let whole = Diversity::of(lines.iter().map(|line| line.1));
    assert!((played.line_entropy - whole.entropy).abs() < 1e-10);
    assert!((played.same_line - whole.same).abs() < 1e-10);
}

/// Graphs whose moves lead forward by an odd number, so that the sides alternate.
fn acyclic() -> impl Strategy<Value = Graph> {
    let moves = prop::collection::vec((0usize..4, 0u32..5), 0..4);
    prop::collection::vec(moves, 12).prop_map(|nodes| {
        let n = nodes.len();
        let forward = |(at, moves): (usize, Vec<(usize, u32)>)| {
            let mut taken: Vec<(usize, u32)> = Vec::new();
            for (jump, weight) in moves {
                let to = at + 1 + 2 * jump;
                if to < n && !taken.iter().any(|known| known.0 == to) {
                    taken.push((to, weight));
                }
            }
            taken
        };
        nodes.into_iter().enumerate().map(forward).collect()
    })
}

/// Graphs whose moves lead to any position of the other parity.
fn cyclic() -> impl Strategy<Value = Graph> {
    let moves = prop::collection::vec((0usize..5, 1u32..5), 0..4);
    prop::collection::vec(moves, 10).prop_map(|nodes| {
        let back_and_forth = |(at, moves): (usize, Vec<(usize, u32)>)| {
            let mut taken: Vec<(usize, u32)> = Vec::new();
            for (to, weight) in moves {
                let to = 2 * to + (at + 1) % 2;
                if !taken.iter().any(|known| known.0 == to) {
                    taken.push((to, weight));
                }
            }
            taken
        };
        nodes.into_iter().enumerate().map(back_and_forth).collect()
    })
}

proptest! {
    #[test]
    fn without_cycles_a_match_is_the_sum_of_its_lines(graph in acyclic()) {
        let book = book(&graph, parity);
        let played = matched(&book, Repetition::Ignored, &Selection::default());
        let lines = lines(&graph, Repetition::Ignored, 100);
        check(&played, &by_position(&lines), 1e-12);
        check_lines(&played, &lines);
        for row in &played.flow.rows {
            let in_book: f64 = lines.iter().filter(|line| line.2 > row.ply as usize).map(|line| line.1).sum();
            prop_assert!((row.in_book - in_book).abs() < 1e-12);
        }
        let last = played.flow.rows.last().expect("a row");
        prop_assert!((last.entropy_all - played.diversity().entropy).abs() < 1e-9);
    }

    #[test]
    fn solved_cycles_match_following_them_for_long(graph in cyclic()) {
        let book = book(&graph, parity);
        let played = matched(&book, Repetition::Ignored, &Selection::default());
        let total: f64 = played.leaving.iter().map(|leaving| leaving.probability).sum();
        prop_assert!((total + played.visits.endless - 1.0).abs() < 1e-9);
        // The flow is followed ply by ply to 10^-15, or the rest is reported.
        let left: f64 = played.flow.rows.iter().map(|row| row.leaving).sum();
        prop_assert!((left - total).abs() < 2e-7);
        prop_assert!(played.flow.rest <= played.visits.endless + 2e-7);
    }

    #[test]
    fn a_game_that_leaves_at_a_repetition_is_followed_exactly(graph in cyclic()) {
        let book = book(&graph, parity);
        let played = matched(&book, Repetition::Leaves, &Selection::default());
        let lines = lines(&graph, Repetition::Leaves, 100);
        check(&played, &by_position(&lines), 1e-12);
        check_lines(&played, &lines);
    }

    #[test]
    fn a_last_ply_cuts_every_line_there(graph in cyclic(), max_ply in 0u32..7) {
        let book = book(&graph, parity);
        let selection = Selection { max_ply: Some(max_ply), ..Selection::default() };
        let played = matched(&book, Repetition::Ignored, &selection);
        let lines = lines(&graph, Repetition::Ignored, max_ply as usize);
        check(&played, &by_position(&lines), 1e-12);
        check_lines(&played, &lines);
    }

    #[test]
    fn drawn_games_agree(graph in cyclic(), seed in 0u64..1000, leaves in prop::bool::ANY, max_ply in 1u32..40) {
        let book = book(&graph, parity);
        let repetition = if leaves { Repetition::Leaves } else { Repetition::Ignored };
        let played = matched(&book, repetition, &Selection { max_ply: Some(max_ply), ..Selection::default() });
        let drawn = sample_check(&played, 20_000, seed);
        // A deviation this large is a one-in-a-billion coincidence; probabilities that are off by 5% exceed it.
        prop_assert!(drawn.deviation < 25.0, "{drawn:?}");
        prop_assert!(drawn.total_variation < 10.0 * drawn.expected_variation + 1e-9, "{drawn:?}");
        prop_assert!((drawn.mean_plies - played.expected_plies).abs() < 0.05 * f64::from(max_ply) + 0.1);
    }
}

#[test]
fn repeated_coin_tosses_have_the_known_distribution() {
    // From 0 to 1; from 1 back to 0 with probability 3/4, out to 2 with probability 1/4.
    let graph = vec![vec![(1, 1)], vec![(0, 3), (2, 1)], vec![]];
    let book = book(&graph, parity);
    let played = matched(&book, Repetition::Ignored, &Selection::default());
    assert_eq!(played.leaving.len(), 1);
    assert!((played.leaving[0].probability - 1.0).abs() < 1e-15);
    assert!((played.expected_plies - 8.0).abs() < 1e-12);
    assert_eq!((played.visits.n_cycles, played.visits.n_largest_cycle), (1, 2));
    // Four rounds, each with the entropy of a coin with probability 1/4.
    let coin = 0.75 * (4.0f64 / 3.0).log2() + 0.25 * 2.0;
    assert!((played.line_entropy - 4.0 * coin).abs() < 1e-12);
    // Two games are equal if they leave in the same round: (1/16) / (1 - 9/16).
    assert!((played.same_line - 1.0 / 7.0).abs() < 1e-12);
}

#[test]
fn games_without_an_end_are_reported() {
    let graph = vec![vec![(1, 1), (3, 1)], vec![(0, 0), (2, 1)], vec![(1, 1)], vec![]];
    let played = matched(&book(&graph, parity), Repetition::Ignored, &Selection::default());
    assert!((played.visits.endless - 0.5).abs() < 1e-15);
    assert!((played.unplaced - 0.5).abs() < 1e-15);
    assert!((played.flow.rest - 0.5).abs() < 1e-12);
}

#[test]
fn a_cycle_that_hardly_leaks_keeps_all_digits() {
    // One way out per four billion rounds: the mean number of visits is exact to all digits.
    let n = 4_000_000_000u32;
    let graph = vec![vec![(1, 1)], vec![(0, n), (2, 1)], vec![]];
    let played = matched(&book(&graph, parity), Repetition::Ignored, &Selection::default());
    assert!((played.leaving[0].probability - 1.0).abs() < 1e-12, "{}", played.leaving[0].probability);
    let plies = 2.0 * (f64::from(n) + 1.0);
    assert!((played.expected_plies / plies - 1.0).abs() < 1e-12, "{}", played.expected_plies);
}

#[test]
fn endless_play_is_excluded_from_measurements() {
    // Half leave at once, the other half cycle through three positions forever.
    let graph =
        vec![vec![(1, 1), (7, 1)], vec![(2, 1)], vec![(3, 1)], vec![(4, 1)], vec![(1, 1)], vec![], vec![], vec![]];
    let played = matched(&book(&graph, parity), Repetition::Ignored, &Selection::default());
    let diversity = played.diversity();
    assert_eq!((diversity.n, diversity.entropy), (1, 0.0));
    assert!((diversity.hill_numbers()[2] - 1.0).abs() < 1e-12);
    assert!((played.expected_plies - 1.0).abs() < 1e-12, "{}", played.expected_plies);
    assert_eq!(played.visits.expected.iter().filter(|visits| (*visits - 0.5).abs() < 1e-12).count(), 5);
    assert!(played.flow.rows.len() < 10);
}

#[test]
fn no_power_is_too_large() {
    let graph = vec![vec![(1, 4_000_000_000), (3, 3_000_000_000)]];
    let book = book(&graph, parity);
    let mut probabilities = Vec::new();
    for power in [0.0, 0.5, 80.0, 1e6] {
        assert!(Selection { power, ..Selection::default() }.probabilities(&book, 0, &mut probabilities));
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{power}: {probabilities:?}");
    }
}

#[test]
fn a_large_cycle_is_iterated_to_its_bound() {
    let n = 1000;
    let ring = |at: usize| vec![((at + 1) % n, 999), (n + at, 1)];
    let mut graph: Graph = (0..n).map(ring).collect();
    graph.resize(2 * n, Vec::new());
    let played = matched(&book(&graph, parity), Repetition::Ignored, &Selection::default());
    assert_eq!(played.visits.n_largest_cycle, n);
    assert!(played.visits.missing < 1e-14);
    assert!((played.expected_plies - 1000.0).abs() < 1e-6);
    let round = 1.0 - 0.999f64.powi(n as i32);
    assert!((played.leaving[0].probability - 0.001 / round).abs() < 1e-12);
}

#[test]
fn each_side_plays_by_its_own_book() {
    let first = book(&vec![vec![(1, 1), (3, 1)], vec![(4, 1)], vec![], vec![], vec![]], parity);
    let second = book(&vec![vec![(5, 1)], vec![(2, 1)], vec![], vec![]], parity);
    let selection = Selection::default();
    let [a, b] = [&first, &second].map(|book| Player { book, selection: &selection });
    let options = MatchOptions { repetition: Repetition::Ignored, start: None };
    let keys = |players: [Player<'_>; 2]| {
        let mut keys: Vec<PositionKey> =
            match_books(Game::Chess, players, &options).leaving.iter().map(|leaving| leaving.key).collect();
        keys.sort();
        keys
    };
    let sorted = |mut nodes: Vec<PositionKey>| {
        nodes.sort();
        nodes
    };
    assert_eq!(keys([a, b]), sorted(vec![key(2), key(3)]));
    assert_eq!(keys([b, a]), sorted(vec![key(5)]));
}

#[test]
fn rules_keep_the_moves_that_they_should() {
    let graph = vec![vec![(1, 160), (3, 16), (5, 10), (7, 9), (9, 0)], vec![(2, 100), (4, 50), (6, 10), (8, 9)]];
    let book = book(&graph, parity);
    let mut probabilities = Vec::new();
    let mut kept = |rule: &str, position: u32| {
        let selection = Selection::by(rule.parse::<Rule>().expect("a rule"));
        assert!(selection.probabilities(&book, position, &mut probabilities));
        let sum: f64 = probabilities.iter().sum();
        assert!((sum - 1.0).abs() < 1e-12);
        probabilities.iter().filter(|probability| **probability > 0.0).count()
    };
    assert_eq!((kept("stored", 0), kept("stored", 1)), (4, 4));
    assert_eq!((kept("gps", 0), kept("gps", 1)), (3, 3));
    assert_eq!(kept("gps:10,10", 0), 2);
    assert_eq!((kept("bonanza-narrow", 0), kept("bonanza-narrow", 1)), (1, 2));
    assert_eq!((kept("best", 0), kept("uniform", 0)), (1, 4));
    assert!("gps:1".parse::<Rule>().is_err() && "yaneuraou:x=1".parse::<Rule>().is_err());
    for rule in ["stored", "gps:3,4", "yaneuraou:depth=0,diff=50,black=-1,white=-2,narrow,counts", "best"] {
        assert_eq!(rule.parse::<Rule>().expect("a rule").to_string(), rule);
    }
}
