//! Header values: nothing panics, and printed values read back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun_games::go::{BoardSize, Point};
use tejun_games::header::{Date, GameResult, Rank, RuleSet, repair_komi};

fuzz_target!(|text: &str| {
    if let Some(date) = Date::parse(text) {
        assert_eq!(Date::parse(&date.to_string()), Some(date));
        assert_eq!(Date::new(date.year, date.month, date.day), Some(date));
    }
    if let Some(result) = GameResult::parse(text) {
        assert_eq!(GameResult::parse(&result.to_string()), Some(result));
        assert!(result.points().is_none_or(|points| points > 0.0 && points.is_finite()));
    }
    if let Some(rank) = Rank::parse(text) {
        assert_eq!(Rank::parse(&rank.to_string()), Some(rank));
    }
    if let Ok(written) = text.parse::<f32>() {
        let komi = repair_komi(written, RuleSet::named(Some(text)));
        assert!(written.is_nan() || komi.abs() <= written.abs());
    }
    let _ = RuleSet::named(Some(text));
    for size in [5, 19, 25].map(|lines| BoardSize::new(lines).expect("a size")) {
        if let Ok(point) = Point::parse(text, size) {
            assert_eq!(Point::parse(&point.name(size), size), Ok(point));
        }
    }
});
