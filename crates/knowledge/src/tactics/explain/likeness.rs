//! Which points cannot be distinguished by any mapping of some depth?

use std::collections::HashMap;

use tejun_games::go::Point;

use crate::tactics::eval::points::Points;
use crate::tactics::eval::position::TacticPosition;
use crate::tactics::language::mapping::Leaf;

/// The points that no mapping of at most this depth distinguishes from a point, including the point.
///
/// Colors points by the leaves that contain them, then repeatedly by the colors along each kind of edge (Weisfeiler
/// and Leman 1968). An operator distinguishes no more than such a step does, so points with the same color after
/// depth - 1 steps are in every value together or not at all. The reverse is not true: operators count only to five
/// and look at one set at a time.
pub(crate) fn like_points(position: &TacticPosition, point: Point, leaves: &[Leaf], depth: usize) -> Points {
    let points: Vec<Point> = position.graph.all().iter().collect();
    let edges = Edges::new(position, &points);
    let sets: Vec<Points> = leaves.iter().map(|&leaf| position.leaf(leaf)).collect();
    let mut colors = renumbered(points.iter().map(|&p| sets.iter().map(|set| set.contains(p)).collect::<Vec<_>>()));
    for _ in 1..depth {
        let n_before = colors.iter().max();
        let next = renumbered((0..points.len()).map(|i| edges.seen_from(i, &colors)));
        // Steps only split classes; if a step splits none, later steps do not either.
        if next.iter().max() == n_before {
            break;
        }
        colors = next;
    }
    let own = points.iter().position(|&p| p == point).map(|i| colors[i]);
    points.iter().zip(&colors).filter(|(_, color)| Some(**color) == own).map(|(p, _)| *p).collect()
}

/// Neighbors, the points that a point reaches, and those that reach it, as indices.
struct Edges {
    kinds: [Vec<Vec<usize>>; 3],
}

impl Edges {
    fn new(position: &TacticPosition, points: &[Point]) -> Edges {
        let number: HashMap<Point, usize> = points.iter().enumerate().map(|(i, &p)| (p, i)).collect();
        let all = position.graph.all();
        let near = points.iter().map(|&p| numbers(&(Points::one(p).grown() & *all), &number)).collect();
        let from: Vec<Vec<usize>> = points.iter().map(|&p| numbers(&position.graph.reach(p), &number)).collect();
        let mut to = vec![Vec::new(); points.len()];
        for (i, reached) in from.iter().enumerate() {
            reached.iter().for_each(|&j| to[j].push(i));
        }
        Edges { kinds: [near, from, to] }
    }

    /// A point's own color, then the colors along its edges, sorted.
    fn seen_from(&self, point: usize, colors: &[usize]) -> Vec<usize> {
        let mut seen = vec![colors[point]];
        for kind in &self.kinds {
            let mut along: Vec<usize> = kind[point].iter().map(|&other| colors[other]).collect();
            along.sort_unstable();
            seen.push(along.len());
            seen.append(&mut along);
        }
        seen
    }
}

fn numbers(points: &Points, number: &HashMap<Point, usize>) -> Vec<usize> {
    points.iter().filter_map(|point| number.get(&point).copied()).collect()
}

/// Gives equal things the same number.
fn renumbered<T: std::hash::Hash + Eq>(things: impl Iterator<Item = T>) -> Vec<usize> {
    let mut known = HashMap::new();
    things
        .map(|thing| {
            let next = known.len();
            *known.entry(thing).or_insert(next)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_mt::Mt64;

    use crate::tactics::eval::random_positions::random_positions;
    use crate::tactics::language::generate::{below, random_mapping};

    #[test]
    fn no_mapping_separates_like_points() {
        let mut random = Mt64::new(11);
        let mut n_split = 0;
        for position in random_positions(60, 12) {
            let points: Vec<Point> = position.graph.all().iter().collect();
            for budget in 0..6 {
                let mapping = random_mapping(&mut random, budget, &Leaf::ALL);
                let value = position.value(&mapping);
                let point = points[below(&mut random, points.len())];
                let like = like_points(&position, point, &Leaf::ALL, mapping.depth());
                let inside = (value & like).len();
                assert!(inside == 0 || inside == like.len(), "{mapping} splits {like:?}");
                // With one step less, the classes may be too coarse, so the bound is tight.
                let coarser = like_points(&position, point, &Leaf::ALL, mapping.depth().saturating_sub(1).max(1));
                n_split += usize::from(![0, coarser.len()].contains(&(value & coarser).len()));
            }
        }
        assert!(n_split > 0);
    }
}
