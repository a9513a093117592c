//! What distinguishes a move from all other points? The smallest mapping with that value.

mod cover;
mod enumeration;
mod likeness;
pub(crate) mod shrink;
pub(crate) mod survey;

use rand_mt::Mt64;
use tejun_games::go::{BoardSize, Color, Point, Symmetry};

use crate::tactics::eval::points::Points;
use crate::tactics::eval::position::TacticPosition;
use crate::tactics::explain::cover::cover;
use crate::tactics::explain::enumeration::{EnumerationLimits, MappingEnumeration};
use crate::tactics::explain::likeness::like_points;
use crate::tactics::explain::shrink::{evaluate, shrink};
use crate::tactics::language::generate::random_mapping;
use crate::tactics::language::mapping::{Leaf, Mapping};
use crate::tactics::normal::simplify;

/// How hard to search for an explanation.
#[derive(Clone, Debug)]
pub struct ExplainOptions {
    /// The leaves that mappings may use.
    pub leaves: Vec<Leaf>,
    /// Maximum depth of a mapping.
    pub max_depth: usize,
    /// Maximum number of sets of points to enumerate before combining them.
    pub max_sets: usize,
    /// Try this many random trees instead, as the paper does.
    pub n_random: Option<usize>,
}

impl Default for ExplainOptions {
    fn default() -> ExplainOptions {
        ExplainOptions {
            leaves: vec![Leaf::Own, Leaf::Opponent, Leaf::Last],
            max_depth: 8,
            max_sets: 200_000,
            n_random: None,
        }
    }
}

/// A mapping whose value is exactly a move, or the move and its twins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveExplanation {
    /// The smallest mapping found.
    pub mapping: Mapping,
    /// Its value: the move and the points that are equivalent by the position's symmetry.
    pub value: Points,
    /// Number of sets that were created and kept, or of trees that were drawn.
    pub n_sets: usize,
    /// Whether every smaller mapping of these leaves was tried.
    pub is_smallest: bool,
}

/// Why a move has no explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unexplained {
    /// There is none: every value of that depth contains all these points or none of them.
    #[error("no mapping of this depth separates it from {} other points", like.len() - 1)]
    Impossible {
        /// The move and the points like it; more than its twins.
        like: Points,
    },
    /// None was found, although there may be one.
    #[error("no mapping was found; try more sets or a larger depth")]
    NotFound,
}

/// The same random trees are drawn for every move.
const SEED: u64 = 1;
/// Sets up to this size are transformed by repeating one operator.
const REPEATED_SIZE: usize = 3;

/// Finds a mapping, as small as possible, whose value is exactly this point and its twins.
///
/// First tries every mapping with few operators, each set of points only once. If none has the value, intersects a
/// few of the sets, taking the cheapest such choice, and replaces its parts by smaller ones as long as the value
/// stays the same. The board has up to 19 lines.
///
/// # Errors
/// If there is no such mapping, or none was found.
pub fn explain(
    position: &TacticPosition,
    point: Point,
    size: BoardSize,
    options: &ExplainOptions,
) -> Result<MoveExplanation, Unexplained> {
    let value = twins(position, point, size, &options.leaves);
    let like = like_points(position, point, &options.leaves, options.max_depth);
    if like != value {
        return Err(Unexplained::Impossible { like });
    }
    if let Some(n_trees) = options.n_random {
        return draw_trees(position, &value, n_trees, options);
    }
    let limits = EnumerationLimits { max_depth: options.max_depth, max_sets: options.max_sets };
    let mut enumeration = MappingEnumeration::new(position, &options.leaves, limits);
    while enumeration.find(&value).is_none() && enumeration.grow() {}
    let mapping = match enumeration.find(&value) {
        Some(id) => enumeration.mapping(id),
        None => {
            enumeration.repeat(REPEATED_SIZE);
            let covered =
                cover(&enumeration, position.graph.all(), &value, options.max_depth).ok_or(Unexplained::NotFound)?;
            let small = shrink(&enumeration, position, covered, options.max_depth);
            Some(simplify(&small)).filter(|simple| simple.depth() <= options.max_depth).unwrap_or(small)
        }
    };
    // The depth of a mapping is at most its size, so up to that size the depth excluded none.
    let is_smallest = mapping.size() <= enumeration.size().min(options.max_depth) + 1;
    Ok(MoveExplanation { mapping, value, n_sets: enumeration.entries().len(), is_smallest })
}

/// The smallest of the random trees that have this value.
fn draw_trees(
    position: &TacticPosition,
    value: &Points,
    n_trees: usize,
    options: &ExplainOptions,
) -> Result<MoveExplanation, Unexplained> {
    let mut random = Mt64::new(SEED);
    let budget = options.max_depth.saturating_sub(1) as u32;
    let trees = (0..n_trees).map(|_| random_mapping(&mut random, budget, &options.leaves));
    let fitting = trees.filter(|tree| evaluate(position, tree) == *value);
    let smallest = fitting.min_by_key(Mapping::size).ok_or(Unexplained::NotFound)?;
    Ok(MoveExplanation { mapping: smallest, value: *value, n_sets: n_trees, is_smallest: false })
}

/// The point and all points that are equivalent under the position's own symmetries.
///
/// A mapping cannot distinguish them. The last moves break a symmetry only if mappings may use them.
pub fn twins(position: &TacticPosition, point: Point, size: BoardSize, leaves: &[Leaf]) -> Points {
    let mut seen = vec![*position.graph.stones(Color::Black), *position.graph.stones(Color::White)];
    let of_moves = leaves.iter().filter(|leaf| matches!(leaf, Leaf::Last | Leaf::BeforeLast));
    seen.extend(of_moves.map(|&leaf| position.leaf(leaf)));
    let is_own =
        |symmetry: &Symmetry| seen.iter().all(|set| set.iter().all(|point| set.contains(symmetry.apply(point, size))));
    Symmetry::ALL.into_iter().filter(is_own).map(|symmetry| symmetry.apply(point, size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tejun_games::Move;
    use tejun_games::go::Board;

    fn position(size: BoardSize, moves: &[&str]) -> TacticPosition {
        let mut position = TacticPosition::of_board(&Board::new(size), Color::Black);
        for name in moves {
            let point = Some(Point::parse(name, size).expect("a point"));
            position.play(Move { color: position.to_move, point });
        }
        position
    }

    #[track_caller]
    fn check(size: u8, moves: &[&str], played: &str, options: &ExplainOptions) -> MoveExplanation {
        let size = BoardSize::new(size).expect("a size");
        let position = position(size, moves);
        let point = Point::parse(played, size).expect("a point");
        let explained = explain(&position, point, size, options).expect("an explanation");
        assert!(explained.value.contains(point));
        assert_eq!(position.value(&explained.mapping), explained.value, "{:?}", explained.mapping);
        assert!(explained.mapping.depth() <= options.max_depth);
        explained
    }

    #[test]
    fn a_move_is_separated_from_all_other_points() {
        let options = ExplainOptions { max_sets: 3_000, ..ExplainOptions::default() };
        let capture = check(9, &["E5", "E4", "D4", "D5", "F4", "C4", "E9"], "E3", &options);
        assert_eq!(capture.value.len(), 1);
        // A few sets have to be combined; many are enough by themselves.
        let played = ["C3", "G7", "C7", "G3", "E3", "G5", "F3", "G4"];
        let few = check(9, &played, "E6", &ExplainOptions { max_sets: 300, ..options.clone() });
        let many = check(9, &played, "E6", &options);
        assert!(many.mapping.size() <= few.mapping.size(), "{many:?} {few:?}");
    }

    #[test]
    fn small_depths_terminate() {
        let size = BoardSize::new(9).expect("a size");
        let point = Point::parse("D7", size).expect("a point");
        for max_depth in 1..6 {
            for leaves in [vec![Leaf::Black, Leaf::White], vec![Leaf::Last]] {
                let options = ExplainOptions { leaves, max_depth, ..ExplainOptions::default() };
                let _ = explain(&position(size, &[]), point, size, &options);
            }
        }
    }

    #[test]
    fn random_trees_explain_some_moves() {
        let options = ExplainOptions { n_random: Some(200_000), ..ExplainOptions::default() };
        let drawn = check(9, &["E5", "E4", "D4", "D5", "F4", "C4", "E9"], "E3", &options);
        let found = check(9, &["E5", "E4", "D4", "D5", "F4", "C4", "E9"], "E3", &ExplainOptions::default());
        assert!(found.mapping.size() <= drawn.mapping.size());
        assert!(found.is_smallest && !drawn.is_smallest);
    }

    #[test]
    fn twins_are_explained_together() {
        let options = ExplainOptions { max_sets: 3_000, ..ExplainOptions::default() };
        assert_eq!(check(9, &[], "C3", &options).value.len(), 4);
        assert_eq!(check(9, &[], "D3", &options).value.len(), 8);
        assert_eq!(check(9, &["E5"], "E5", &options).value.len(), 1);
        // The last move breaks the symmetry of the stones, if mappings may use it.
        let size = BoardSize::new(9).expect("a size");
        let position = position(size, &["E7", "A1", "E3", "J9", "C5", "A9", "G5", "J1"]);
        let point = Point::parse("E5", size).expect("a point");
        let neighbor = Point::parse("E6", size).expect("a point");
        assert_eq!(twins(&position, neighbor, size, &[Leaf::Black, Leaf::White]).len(), 4);
        assert_eq!(twins(&position, neighbor, size, &[Leaf::Black, Leaf::White, Leaf::Last]).len(), 2);
        assert_eq!(twins(&position, point, size, &[Leaf::Last]).len(), 1);
    }

    #[test]
    fn far_corners_of_an_empty_board_look_alike() {
        let size = BoardSize::NINETEEN;
        let position = position(size, &["Q16"]);
        let point = Point::parse("D4", size).expect("a point");
        let options = ExplainOptions { max_sets: 3_000, ..ExplainOptions::default() };
        let refused = explain(&position, point, size, &options).expect_err("too far from the stone");
        let corners = ["D16", "D4", "Q4"].map(|name| Point::parse(name, size).expect("a point"));
        assert_eq!(refused, Unexplained::Impossible { like: corners.into_iter().collect() });
        // With enough depth, they differ.
        assert_eq!(like_points(&position, point, &options.leaves, 40), Points::one(point));
    }
}
