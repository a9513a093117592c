//! Tactical mappings: any text is read or refused with a position inside it; a mapping
//! that was read prints and reads back, and its normal form has the same value.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_knowledge::tactics::{Library, Mapping, ParseMappingError, Query, TacticPosition, normal_form, simplify};

/// Larger mappings take long to normalize.
const MAX_SIZE: usize = 1000;

fuzz_target!(|text: &str| {
    let library = Library::standard();
    match library.mapping(text) {
        Ok(mapping) => check_mapping(library, &mapping, text),
        Err(error) => check_error(&error, text),
    }
    match Query::parse(text, library) {
        Ok(query) => {
            assert_eq!(Query::parse(&query.to_string(), library).as_ref(), Ok(&query));
            assert_eq!(Query::parse(&library.print_query(&query), library).as_ref(), Ok(&query));
        }
        Err(error) => check_error(&error, text),
    }
    match library.with(text) {
        Ok(larger) => {
            for named in larger.named() {
                assert_eq!(larger.mapping(&named.name).as_ref(), Ok(&named.mapping));
                assert_eq!(larger.mapping(&larger.print(&named.mapping)).as_ref(), Ok(&named.mapping));
            }
        }
        Err(error) => check_error(&error, text),
    }
});

fn check_mapping(library: &Library, mapping: &Mapping, text: &str) {
    assert_eq!(mapping.to_string().parse().as_ref(), Ok(mapping));
    assert_eq!(library.mapping(&library.print(mapping)).as_ref(), Ok(mapping));
    if mapping.size() > MAX_SIZE {
        return;
    }
    let (form, simple) = (normal_form(mapping), simplify(mapping));
    assert!(simple.size() <= mapping.size());
    assert_eq!(form.to_string().parse().as_ref(), Ok(&form));
    let described = library.mapping(&library.describe(mapping)).expect("a description reads back");
    let position = position(text.as_bytes());
    let value = position.value(mapping);
    for other in [&form, &simple, &described] {
        assert_eq!(position.value(other), value, "{mapping}\n{other}");
    }
}

fn check_error(error: &ParseMappingError, text: &str) {
    let lines: Vec<&str> = text.split('\n').collect();
    let line = lines.get(error.line - 1).expect("a line of the text");
    assert!((1..=line.chars().count() + 1).contains(&error.column), "{error}");
    assert!(!error.hint().is_empty());
}

/// A 7x7 position after moves taken from the bytes.
fn position(bytes: &[u8]) -> TacticPosition {
    let size = BoardSize::new(7).expect("a size");
    let mut board = Board::new(size);
    let mut position = TacticPosition::of_board(&board, Color::Black);
    let mut state = 1u64;
    for byte in bytes.iter().take(60) {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(u64::from(*byte) * 2 + 1);
        let number = (state >> 40) % 49;
        let point = Point::new((number % 7) as u8, (number / 7) as u8);
        let color = position.to_move;
        let point = board.play(color, point).is_ok().then_some(point);
        position.play(Move { color, point });
    }
    position
}
