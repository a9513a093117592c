//! The built-in search, through its public interface.

use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_knowledge::evaluation::{Evaluation, Evaluator, Question};
use tejun_knowledge::network::Network;
use tejun_knowledge::search::{
    AnySizeSearch, NetworkSearch, NetworkSearchOptions, PlainPredictor, Reuse, Search, SearchOptions, TreeSearch,
};

fn size(lines: u8) -> BoardSize {
    BoardSize::new(lines).expect("a size")
}

/// A board from rows of `X`, `O` and `.`.
fn board(rows: &[&str]) -> Board {
    let mut board = Board::new(size(rows.len() as u8));
    for (y, row) in rows.iter().enumerate() {
        for (x, c) in row.chars().enumerate().filter(|(_, c)| *c != '.') {
            let color = if c == 'X' { Color::Black } else { Color::White };
            board.place(color, Point::new(x as u8, y as u8)).expect("empty");
        }
    }
    board
}

fn search(options: SearchOptions) -> Search<'static> {
    Search::new(options, "plain", || Box::new(PlainPredictor))
}

fn ask<'g>(board: &'g Board, color: Color, komi: f64) -> Question<'g> {
    Question { start: board, moves: &[], board, color, komi, played: None }
}

fn options(n_playouts: u32) -> SearchOptions {
    SearchOptions { n_playouts, ..SearchOptions::default() }
}

/// The name of a color's best move.
#[track_caller]
fn check_best(rows: &[&str], color: Color, komi: f64, expected: &str) {
    let board = board(rows);
    for options in [options(2_000), SearchOptions { n_playouts: 8_000, ..SearchOptions::plain() }] {
        let (evaluation, _) = search(options.clone()).search(&ask(&board, color, komi));
        let best = evaluation.moves[0].point.map(|p| p.name(board.size()));
        assert_eq!(best.as_deref(), Some(expected), "{options:?}\n{board:?}");
    }
}

#[test]
fn the_vital_point_is_found() {
    // Whoever plays first in the middle of the three points lives or kills.
    let rows = ["X...XOO", "XXXXXO.", "OOOOOOO", "OO.OO.O", ".OOOOOO", "OOOO.OO", "OOOOOOO"];
    check_best(&rows, Color::White, -39.5, "C7");
    check_best(&rows, Color::Black, -39.5, "C7");
}

#[test]
fn every_legal_move_is_reported_with_its_line() {
    let start = Board::new(size(9));
    let options = SearchOptions { min_visits: 3, ..options(1_000) };
    let (evaluation, n_playouts) = search(options).search(&ask(&start, Color::Black, 7.5));
    assert_eq!(n_playouts, 1_000);
    assert_eq!(evaluation.moves.len(), 82, "81 points and a pass");
    assert!(evaluation.moves.iter().all(|m| m.visits >= 3 && m.line[0] == m.point && m.bound.is_some()));
    assert_eq!(evaluation.moves.iter().map(|m| m.visits).sum::<u32>(), 1_000);
    assert!(evaluation.moves.is_sorted_by_key(|m| std::cmp::Reverse(m.visits)));
    assert_eq!(evaluation.win_rate, evaluation.moves[0].win_rate);
    let longest = &evaluation.moves[0].line;
    assert!(longest.len() > 1);
    let mut board = start.clone();
    let mut color = Color::Black;
    for point in longest.iter().flatten() {
        board.play(color, *point).expect("a line is legal");
        color = color.opponent();
    }
}

#[test]
fn the_played_move_gets_its_share_even_if_bad() {
    let start = Board::new(size(9));
    let corner = Point::new(0, 0);
    let question = Question { played: Some(corner), ..ask(&start, Color::Black, 7.5) };
    let options = SearchOptions { played_share: 0.1, ..options(1_000) };
    let (evaluation, _) = search(options).search(&question);
    let played = evaluation.moves.iter().find(|m| m.point == Some(corner)).expect("a legal move");
    assert!(played.visits < 20 && played.win_rate.is_some(), "{played:?}");
    let sum: u32 = evaluation.moves.iter().map(|m| m.visits).sum();
    assert!((880..=920).contains(&sum), "a tenth of the playouts is not reported: {sum}");
    assert!(played.win_rate < evaluation.win_rate);
}

#[test]
fn a_single_thread_with_a_seed_is_deterministic() {
    let start = Board::new(size(9));
    let answer = |seed| {
        let mut search = search(SearchOptions { seed, ..options(500) });
        search.search(&ask(&start, Color::White, 5.5));
        // Ask a second question, in case the first one changed any state.
        search.evaluate(&ask(&start, Color::Black, 7.5)).expect("no engine")
    };
    assert_eq!(answer(1), answer(1));
    assert_ne!(answer(1), answer(2));
    let alone = search(options(500)).search(&ask(&start, Color::Black, 7.5)).0;
    assert_eq!(answer(1), alone, "what was asked before does not matter");
}

#[test]
fn threads_share_one_tree_and_lose_no_playout() {
    let start = Board::new(size(9));
    let (evaluation, n_playouts) =
        search(SearchOptions { n_threads: 3, ..options(3_000) }).search(&ask(&start, Color::Black, 7.5));
    assert_eq!(n_playouts, 3_000);
    assert_eq!(evaluation.moves.iter().map(|m| m.visits).sum::<u32>(), 3_000);
}

#[test]
fn a_game_continues_with_its_tree() {
    let start = Board::new(size(9));
    let options = SearchOptions { reuse: Reuse::OfTheGame, ..options(2_000) };
    let mut search = search(options);
    let first = search.search(&ask(&start, Color::Black, 7.5)).0;
    let [Some(own), Some(answer)] = first.moves[0].line[..2] else { panic!("two points: {:?}", first.moves[0]) };
    let mut board = start.clone();
    board.play(Color::Black, own).expect("legal");
    board.play(Color::White, answer).expect("legal");
    let moves = [Move { color: Color::Black, point: Some(own) }, Move { color: Color::White, point: Some(answer) }];
    let question =
        Question { start: &start, moves: &moves, board: &board, color: Color::Black, komi: 7.5, played: None };
    let visits = |evaluation: &Evaluation| evaluation.moves.iter().map(|m| m.visits).sum::<u32>();
    let second = search.search(&question).0;
    assert!(visits(&second) > 2_000, "{} visits: some were there", visits(&second));
    // Another komi or two moves in a row by one side make another game.
    let other = search.search(&Question { komi: 0.5, ..question }).0;
    assert_eq!(visits(&other), 2_000);
    let twice = search.search(&Question { color: Color::White, komi: 0.5, ..question }).0;
    assert_eq!(visits(&twice), 2_000);
}

#[test]
fn full_boards_and_the_smallest_ones_work() {
    for (rows, color) in [(&["X.", ".X"][..], Color::White), (&["..", ".."], Color::Black)] {
        let board = board(rows);
        let (evaluation, n) = search(options(200)).search(&ask(&board, color, 0.5));
        assert_eq!(n, 200);
        assert!(evaluation.moves.iter().any(|m| m.point.is_none()), "a pass is always legal");
    }
    for lines in [2, 13, 19, 25] {
        let start = Board::new(size(lines));
        assert!(search(options(30)).search(&ask(&start, Color::Black, 6.5)).0.win_rate.is_some());
    }
}

#[test]
fn boards_that_the_network_does_not_know_are_searched_by_playouts() {
    let network = Network::built_in();
    let options = NetworkSearchOptions { n_visits: 4, ..NetworkSearchOptions::default() };
    let mut both = AnySizeSearch::new(NetworkSearch::new(options, &network), search(self::options(50)));
    let small = Board::new(size(9));
    let large = Board::new(size(19));
    let n_visits = |evaluation: &Evaluation| evaluation.moves.iter().map(|m| m.visits).sum::<u32>();
    let by_playouts = both.evaluate(&ask(&small, Color::Black, 7.0)).expect("an answer");
    assert_eq!((n_visits(&by_playouts), by_playouts.lead), (50, None));
    let by_network = both.evaluate(&ask(&large, Color::Black, 7.0)).expect("an answer");
    assert_eq!((n_visits(&by_network), by_network.lead.is_some()), (4, true));
    assert_eq!(both.owners().len(), 361);
}
