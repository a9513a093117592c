//! The moves listed below the board: "4, 10 at 1; 8 pass".

use tejun_games::go::{Color, Point};

use crate::reports::diagram::{Diagram, NumberedMove, Sign};

/// Moves that share a place which can't show them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Aside {
    /// Number and color, in order of the numbers.
    pub(crate) moves: Vec<(usize, Color)>,
    pub(crate) place: Place,
}

/// How an aside refers to its place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// By the visible stone there, and its sign.
    Stone(Color, Sign),
    /// By its coordinates, such as Q16.
    Named(String),
    /// Nowhere on the board.
    Pass,
}

/// The asides in order of their first numbers.
pub(crate) fn asides(diagram: &Diagram) -> Vec<Aside> {
    let mut moves = diagram.below_board.clone();
    moves.extend(numbered_out_of_sight(diagram));
    moves.sort_by_key(|m| m.number);
    let mut points: Vec<Option<Point>> = Vec::new();
    let mut asides: Vec<Aside> = Vec::new();
    for NumberedMove { number, color, point } in moves {
        match points.iter().position(|&p| p == point) {
            Some(known) => asides[known].moves.push((number, color)),
            None => {
                points.push(point);
                asides.push(Aside { moves: vec![(number, color)], place: place(diagram, point) });
            }
        }
    }
    asides
}

fn numbered_out_of_sight(diagram: &Diagram) -> impl Iterator<Item = NumberedMove> {
    diagram.signs.iter().filter_map(|(&point, sign)| {
        let &Sign::Number(number) = sign else {
            return None;
        };
        let color = *diagram.stones.get(&point)?;
        (!diagram.region.contains(point)).then_some(NumberedMove { number, color, point: Some(point) })
    })
}

fn place(diagram: &Diagram, point: Option<Point>) -> Place {
    let Some(point) = point else {
        return Place::Pass;
    };
    let in_sight = diagram.region.contains(point);
    match (diagram.stones.get(&point), diagram.signs.get(&point)) {
        (Some(&color), Some(sign)) if in_sight => Place::Stone(color, sign.clone()),
        _ => Place::Named(point.name(diagram.size)),
    }
}
