//! Records of any game: records can be replayed, and every move comes after its parent.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun_games::game::read_game_trees;

fuzz_target!(|bytes: &[u8]| {
    let games = read_game_trees(bytes);
    assert!(!games.is_empty(), "a file without a record is refused, not lost");
    for game in games.into_iter().flatten() {
        for (number, played) in game.moves.iter().enumerate() {
            assert!(played.parent.is_none_or(|parent| (parent as usize) < number));
        }
        let line = game.main_line();
        assert_eq!(line.len(), game.n_main as usize);
        let mut board = game.start.clone();
        for played in line {
            assert!(board.play(played).is_ok(), "an illegal move was kept");
        }
    }
});
