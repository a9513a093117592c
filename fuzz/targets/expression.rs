//! Conditions on games: any text is a condition or an error with a column inside it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun_games::GameRecord;
use tejun_games::go::BoardSize;
use tejun_games::header::{Date, GameResult};
use tejun_knowledge::corpus::{Expression, Game, GameId};

fuzz_target!(|text: &str| {
    match Expression::parse(text) {
        Ok(expression) => {
            // An extra pair of parentheses may exceed the limit, and NaN never equals itself.
            if let Ok(again) = Expression::parse(&format!(" ({text}) ")) {
                assert_eq!(format!("{again:?}"), format!("{expression:?}"));
            }
            let is_held = expression.holds(&game());
            assert_eq!(Expression::Not(Box::new(expression)).holds(&game()), !is_held);
        }
        Err(error) => {
            assert!((1..=text.chars().count() + 1).contains(&error.column));
            assert!(!error.to_string().is_empty());
        }
    }
});

fn game() -> Game {
    let mut record = GameRecord::new(BoardSize::NINETEEN);
    record.header.black = Some("Ann İ".into());
    record.header.white_rank = Some("9p".into());
    record.header.date = Date::parse("1989-10");
    record.header.result = GameResult::parse("B+0.5").unwrap_or_default();
    let source = String::from("a.sgf");
    Game { id: GameId(4), source, offset: 0, record, line_hash: 0, near_duplicate_of: None, notes: None }
}
