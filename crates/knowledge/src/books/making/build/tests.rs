//! Games counted by hand and by a naive twin.

use std::collections::{HashMap, HashSet};

use crate::books::making::build::*;
use crate::books::making::samples::{after, five, game, written};
use crate::books::matching::uniform;
use proptest::prelude::*;
use tejun_games::game::{Outcome, TreeMove};

use Outcome::{Draw, FirstWon, SecondWon};

fn chess(moves: &str, outcome: Outcome) -> GameTree {
    game(Game::Chess, moves, Some(outcome))
}

/// Moves of the position after a line: text, weight, games, wins.
fn moves(book: &Book, line: &str) -> Vec<(String, u32, u32, u32)> {
    let board = after(book.game(), line);
    let Some(position) = book.find(board.key()) else { return Vec::new() };
    let both = book.moves(position).iter().zip(book.move_notes(position));
    both.map(|(known, notes)| {
        let n = |count: Option<u32>| count.expect("counted");
        (board.move_text(known.played), known.weight, n(notes.n_games), n(notes.n_wins))
    })
    .collect()
}

#[track_caller]
fn check(book: &Book, line: &str, expected: &[(&str, u32, u32, u32)]) {
    let expected: Vec<_> = expected.iter().map(|row| (row.0.to_string(), row.1, row.2, row.3)).collect();
    assert_eq!(moves(book, line), expected);
}

fn four_games() -> Vec<GameTree> {
    vec![
        chess("e2e4 e7e5", FirstWon),
        chess("e2e4 c7c5", SecondWon),
        chess("d2d4", Draw),
        chess("e2e4 c7c5", Draw),
        game(Game::Chess, "c2c4", None),
        game(Game::Shogi, "7g7f", Some(FirstWon)),
    ]
}

#[test]
fn games_are_counted_and_draws_are_half_a_win() {
    let (book, report) = build_book(&four_games(), &BuildOptions::all(Game::Chess));
    check(&book, "", &[("e2e4", 3, 3, 1), ("d2d4", 1, 1, 0)]);
    check(&book, "e2e4", &[("c7c5", 2, 2, 1), ("e7e5", 1, 1, 0)]);
    assert_eq!((report.n_read, report.n_used, report.n_without_result, report.n_other_game), (6, 4, 1, 1));
    assert!(report.stages.iter().all(|stage| (stage.n_positions, stage.n_moves) == (2, 4)));
    let start = book.notes(book.start().expect("the start")).expect("notes");
    assert_eq!((start.n_games, start.n_first_wins, start.n_second_wins), (Some(4), Some(1), Some(1)));
    let wins = BuildOptions { weight_by: WeightBy::Wins, ..BuildOptions::all(Game::Chess) };
    check(&build_book(&four_games(), &wins).0, "e2e4", &[("c7c5", 3, 2, 1), ("e7e5", 0, 1, 0)]);
}

#[test]
fn thresholds_work_one_after_the_other() {
    let options = BuildOptions { min_games: 2, min_wins: 1.5, ..BuildOptions::all(Game::Chess) };
    let (book, report) = build_book(&four_games(), &options);
    check(&book, "", &[("e2e4", 3, 3, 1)]);
    check(&book, "e2e4", &[("c7c5", 2, 2, 1)]);
    let rows: Vec<_> = report.stages.iter().map(|stage| (stage.n_positions, stage.n_moves)).collect();
    assert_eq!(rows, [(2, 4), (2, 4), (2, 2), (2, 2), (2, 2), (2, 2)]);
    // The start's rate is (1 + 2/2) / 4 = 0.5, that of d2d4 0.5, that of e2e4 1.5 / 3 = 0.5.
    let rate = |min_relative_rate| BuildOptions { min_relative_rate, ..BuildOptions::all(Game::Chess) };
    assert_eq!(moves(&build_book(&four_games(), &rate(1.0)).0, "").len(), 2);
    assert_eq!(moves(&build_book(&four_games(), &rate(1.01)).0, "").len(), 0);
    // Black's rate after e2e4 is 0.5; c7c5 has 0.75, e7e5 none.
    check(&build_book(&four_games(), &rate(1.0)).0, "e2e4", &[("c7c5", 2, 2, 1)]);
    let many = BuildOptions { min_position_games: 4, ..BuildOptions::all(Game::Chess) };
    assert_eq!(build_book(&four_games(), &many).0.positions().len(), 1);
}

#[test]
fn lists_have_the_last_word() {
    let start = Game::Chess.start();
    let e4 = listed_move(&start, start.parse_move("e2e4").expect("a move"));
    let a3 = listed_move(&start, start.parse_move("a2a3").expect("a move"));
    let illegal = listed_move(&start, start.parse_move("e2e5").expect("a move"));
    let options = |excluded_moves: &[ListedMove], forced_moves: &[ListedMove]| BuildOptions {
        min_games: 2,
        excluded_moves: excluded_moves.to_vec(),
        forced_moves: forced_moves.to_vec(),
        ..BuildOptions::all(Game::Chess)
    };
    let (book, report) = build_book(&four_games(), &options(&[e4, a3], &[]));
    check(&book, "", &[("e2e4", 0, 3, 1)]);
    assert_eq!((report.unmatched_excluded, report.unmatched_forced), (vec![a3], vec![]));
    let (book, report) = build_book(&four_games(), &options(&[], &[a3, illegal]));
    check(&book, "", &[("a2a3", 1, 0, 0), ("e2e4", 0, 3, 1)]);
    assert_eq!(report.unmatched_forced, [illegal]);
    let nowhere = listed_move(&after(Game::Chess, "g2g4"), GameMove(0));
    assert_eq!(build_book(&four_games(), &options(&[], &[nowhere])).1.unmatched_forced, [nowhere]);
}

#[test]
fn players_and_winners_can_be_all_that_counts() {
    let mut games = four_games();
    games[1].players = [Some("own".into()), Some("other".into())];
    let names = vec!["own".to_string()];
    let counted = |count_moves| BuildOptions { count_moves, ..BuildOptions::all(Game::Chess) };
    let (book, report) = build_book(&games, &counted(CountMoves::OfPlayers(names.clone())));
    check(&book, "", &[("e2e4", 1, 1, 0)]);
    check(&book, "e2e4", &[]);
    assert_eq!(report.n_used, 1);
    let (book, _) = build_book(&games, &counted(CountMoves::OfWinner));
    check(&book, "", &[("e2e4", 1, 1, 1)]);
    check(&book, "e2e4", &[("c7c5", 1, 1, 1)]);
    let own = |boost_scope| BuildOptions {
        boosted_players: names.clone(),
        boost: 5,
        boost_scope,
        ..BuildOptions::all(Game::Chess)
    };
    check(&build_book(&games, &own(BoostScope::Games)).0, "e2e4", &[("c7c5", 6, 6, 5), ("e7e5", 1, 1, 0)]);
    check(&build_book(&games, &own(BoostScope::Moves)).0, "e2e4", &[("c7c5", 2, 2, 1), ("e7e5", 1, 1, 0)]);
    check(&build_book(&games, &own(BoostScope::Moves)).0, "", &[("e2e4", 7, 7, 1), ("d2d4", 1, 1, 0)]);
}

#[test]
fn a_repeated_position_counts_once_a_game_and_a_broken_game_up_to_its_break() {
    let there_and_back = "g1f3 g8f6 f3g1 f6g8 g1f3";
    let mut games = vec![chess(there_and_back, FirstWon)];
    games[0].moves.push(TreeMove { played: GameMove(u32::MAX), parent: Some(4) });
    games[0].n_main += 1;
    let (book, report) = build_book(&games, &BuildOptions::all(Game::Chess));
    check(&book, "", &[("g1f3", 1, 1, 1)]);
    assert_eq!((report.n_broken, book.positions().len()), (1, 4));
}

/// Random games of chess or Go that share their openings.
fn random_games(which: Game, seed: u64) -> Vec<GameTree> {
    let mut random = seed;
    let mut below = |n: usize| (uniform(&mut random) * n as f64) as usize;
    (0..30)
        .map(|_| {
            let mut board = which.start();
            let mut row = Vec::new();
            for index in 0..5usize {
                let legal = board.legal_moves();
                let played = legal[below(legal.len().min(4))];
                board.play(played).expect("legal");
                row.push(TreeMove { played, parent: index.checked_sub(1).map(|before| before as u32) });
            }
            let outcome = [Some(FirstWon), Some(SecondWon), Some(Draw), None][below(4)];
            let players = if below(3) == 0 { [Some("a".to_string()), None] } else { [None, None] };
            let n_main = row.len() as u32;
            GameTree { moves: row, outcome, players, n_main, ..GameTree::new(which.start()) }
        })
        .collect()
}

proptest! {
    #[test]
    fn counting_k_times_is_having_the_game_k_times(seed in any::<u64>(), is_go in any::<bool>(), k in 1u32..4) {
        let which = if is_go { five() } else { Game::Chess };
        let games = random_games(which, seed);
        let weighed = BuildOptions {
            boosted_players: vec!["a".into()], boost: k, min_games: 3, min_relative_rate: 0.5,
            weight_by: WeightBy::LowerBound, ..BuildOptions::all(which)
        };
        let plain = BuildOptions { boost: 1, ..weighed.clone() };
        let repeated: Vec<GameTree> = games.iter().flat_map(|game| {
            let times = if game.players[0].is_some() { k } else { 1 };
            std::iter::repeat_n(game.clone(), times as usize)
        }).collect();
        prop_assert_eq!(written(&build_book(&games, &weighed).0), written(&build_book(&repeated, &plain).0));
    }

    #[test]
    fn counts_are_those_of_a_naive_count(seed in any::<u64>(), is_go in any::<bool>()) {
        let which = if is_go { five() } else { Game::Chess };
        let games = random_games(which, seed);
        let (book, _) = build_book(&games, &BuildOptions::all(which));
        let mut naive: HashMap<ListedMove, (HashSet<usize>, f64)> = HashMap::new();
        for (number, game) in games.iter().enumerate() {
            let Some(outcome) = game.outcome else { continue };
            let mut board = which.start();
            for played in game.main_line() {
                let first = outcome.first_score();
                let score = if board.to_move() == tejun_games::game::Side::First { first } else { 1.0 - first };
                let row = naive.entry(listed_move(&board, played)).or_default();
                if row.0.insert(number) { row.1 += score }
                board.play(played).expect("legal");
            }
        }
        let mut n_moves = 0;
        for (number, position) in book.positions().iter().enumerate() {
            for (known, notes) in book.moves(number as u32).iter().zip(book.move_notes(number as u32)) {
                let (in_games, score) = &naive[&(position.key, known.played)];
                prop_assert_eq!(known.weight as usize, in_games.len());
                prop_assert_eq!(notes.n_wins, Some(score.floor() as u32));
                n_moves += 1;
            }
        }
        prop_assert_eq!(n_moves, naive.len());
    }
}
