//! Normal forms keep values, and variants of one set have one form.

use crate::tactics::eval::position::TacticPosition;
use crate::tactics::language::generate::{below, random_mapping};
use crate::tactics::language::library::Library;
use crate::tactics::language::mapping::{Leaf, Mapping, NeighborOperator, SetOperator};
use crate::tactics::normal::{normal_form, simplify};
use rand_mt::Mt64;
use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Color, Point};

/// Positions of a random game on a small board, some after a pass.
fn positions(random: &mut Mt64) -> Vec<TacticPosition> {
    let size = BoardSize::new(3 + below(random, 7) as u8).expect("a size");
    let mut board = Board::new(size);
    let mut position = TacticPosition::of_board(&board, Color::Black);
    let mut positions = vec![position.clone()];
    for number in 0..60 {
        let color = position.to_move;
        let point = Point::new(below(random, size.get().into()) as u8, below(random, size.get().into()) as u8);
        let point = board.play(color, point).is_ok().then_some(point);
        position.play(Move { color, point });
        if number % 7 == 0 {
            positions.push(position.clone());
        }
    }
    positions
}

/// The same set in another form.
fn variant(mapping: &Mapping, random: &mut Mt64) -> Mapping {
    let mut of = |part: &Mapping| variant(part, random);
    let same = match mapping {
        Mapping::Leaf(leaf) => (*leaf).into(),
        Mapping::Not(part) => of(part).complement(),
        Mapping::Count(kind, n, part) => Mapping::count(*kind, *n, of(part)),
        Mapping::Join(join, a, b) => {
            let (a, b) = (of(a), of(b));
            match (join, below(random, 3)) {
                (SetOperator::And, 0) => a.complement().join(SetOperator::Or, b.complement()).complement(),
                (SetOperator::Or, 0) => a.complement().join(SetOperator::And, b.complement()).complement(),
                (SetOperator::Minus, 0) => a.join(SetOperator::And, b.complement()),
                (SetOperator::Minus, 1) => b.complement().join(SetOperator::And, a),
                (SetOperator::And | SetOperator::Or | SetOperator::Xor, 1) => b.join(*join, a),
                _ => a.join(*join, b),
            }
        }
    };
    if below(random, 6) == 0 { same.complement().complement() } else { same }
}

/// Mappings with more joins than those of the paper.
fn joined(random: &mut Mt64, budget: u32) -> Mapping {
    match below(random, 6) {
        _ if budget == 0 => Leaf::ALL[below(random, 6)].into(),
        0 => joined(random, budget - 1).complement(),
        1 | 2 => {
            let (kind, n) = (NeighborOperator::ALL[below(random, 3)], 1 + below(random, 2) as u8);
            Mapping::count(kind, n, joined(random, budget - 1))
        }
        _ => {
            let join = SetOperator::ALL[below(random, 4)];
            joined(random, budget - 1).join(join, joined(random, budget - 1))
        }
    }
}

#[test]
fn values_stay_and_variants_become_one() {
    let mut random = Mt64::new(3);
    let (mut n_smaller, mut n_stable) = (0, 0);
    let n_mappings = 4000;
    for number in 0..n_mappings {
        let budget = 1 + number / 2 % 7;
        let mapping = match number % 2 {
            0 => random_mapping(&mut random, budget, &Leaf::ALL),
            _ => joined(&mut random, budget),
        };
        let (form, simple) = (normal_form(&mapping), simplify(&mapping));
        assert!(simple.size() <= mapping.size(), "{mapping}\n{simple}");
        n_smaller += usize::from(simple.size() < mapping.size());
        n_stable += usize::from(normal_form(&form) == form);
        let other = variant(&mapping, &mut random);
        assert_eq!(normal_form(&other), form, "{mapping}\n{other}");
        for position in positions(&mut random) {
            let value = position.value(&mapping);
            assert_eq!(position.value(&form), value, "{mapping}\n{form}\n{position:?}");
            assert_eq!(position.value(&simple), value, "{mapping}\n{simple}\n{position:?}");
        }
    }
    assert_eq!(n_stable, n_mappings as usize, "normal forms are stable");
    assert!(n_smaller > 1500, "{n_smaller}");
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let library = Library::standard();
    let form = normal_form(&library.mapping(text).expect(text));
    assert_eq!(form.to_string(), expected, "{text}");
    let other = library.mapping(expected).expect(expected);
    assert_eq!(normal_form(&other), form, "{text}");
}

#[test]
fn equal_sets_have_one_form() {
    let read = |text: &str| normal_form(&text.parse().expect(text));
    assert_eq!(read("O ^ Pre_1(P) ^ LAST"), read("O - (LAST ^ Pre_1(P)) | (LAST - Pre_1(P) | Pre_1(P) - LAST) - O"));
    check("BLACK", "!W");
    check("OWN", "!P");
    check("O & P", "B & W");
    check("W & B", "B & W");
    check("OWN | OPP", "!(B & W)");
    check("BLACK & OWN & OPP", "B - B");
    check("O | P | LAST", "B | W");
    check("Adj_1(ALL)", "B | W");
    check("Adj_2(LAST)", "B - B");
    check("Pre_3(LAST | LAST2 & B)", "B - B");
    check("Suc_1(NONE)", "B - B");
    check("Adj_1(LAST) | Adj_1(LAST2)", "Adj_1(LAST | LAST2)");
    check("Adj_1(B) & Adj_1(W & B)", "Adj_1(B & W)");
    check("Adj_2(B) | Adj_1(B)", "Adj_1(B)");
    check("Adj_2(B) | Pre_1(B)", "Pre_1(B)");
    check("B - Adj_1(B)", "B - B");
    check("!Adj_1(LAST) & !Adj_1(LAST2)", "!Adj_1(LAST | LAST2)");
}

#[test]
fn large_mappings_stay_within_bounds() {
    let many: Vec<String> = (0..30).map(|i| format!("Adj_2(Pre_{}(near({}, B)))", i % 5 + 1, i / 5 + 1)).collect();
    for sign in [" ^ ", " & ", " | "] {
        let mapping: Mapping = many.join(sign).parse().expect("a mapping");
        let form = normal_form(&mapping);
        assert_eq!(form.to_string().parse(), Ok(form.clone()));
        let turned: Mapping = many.iter().rev().cloned().collect::<Vec<_>>().join(sign).parse().expect("a mapping");
        if sign != " ^ " {
            assert_eq!(normal_form(&turned), form);
        }
    }
}
