//! Smaller mappings with the same value.

use std::sync::Arc;

use crate::tactics::eval::points::Points;
use crate::tactics::eval::position::TacticPosition;
use crate::tactics::explain::enumeration::MappingEnumeration;
use crate::tactics::language::mapping::Mapping;

/// Number of sets of the enumeration to try for each part.
const MAX_TRIED: usize = 4_000;

/// Replaces parts by smaller ones as long as the value on the position stays the same.
pub(crate) fn shrink(
    enumeration: &MappingEnumeration<'_>,
    position: &TacticPosition,
    mapping: Mapping,
    max_depth: usize,
) -> Mapping {
    let mut best = mapping;
    while let Some(smaller) = smaller(enumeration, position, &best, max_depth) {
        best = smaller;
    }
    best
}

/// The mapping after its largest reduction, if there is one.
fn smaller(
    enumeration: &MappingEnumeration<'_>,
    position: &TacticPosition,
    mapping: &Mapping,
    max_depth: usize,
) -> Option<Mapping> {
    let value = evaluate(position, mapping);
    let mut best: Option<(usize, Mapping)> = None;
    for path in paths(mapping) {
        let part = at(mapping, &path);
        let size = part.size();
        for (id, entry) in enumeration.entries().iter().enumerate().take(MAX_TRIED) {
            let saved = size.saturating_sub(entry.size as usize);
            if saved == 0 || best.as_ref().is_some_and(|best| saved <= best.0) {
                break;
            }
            if value_with(position, mapping, &path, entry.value) == value {
                let changed = with(mapping, &path, &Arc::new(enumeration.mapping(id)));
                if changed.depth() <= max_depth {
                    best = Some((saved, changed));
                }
            }
        }
    }
    best.map(|best| best.1)
}

/// The value of a mapping, without compiling it.
pub(crate) fn evaluate(position: &TacticPosition, mapping: &Mapping) -> Points {
    match mapping {
        Mapping::Leaf(leaf) => position.leaf(*leaf),
        _ => apply(position, mapping, &mapping.parts().map(|part| evaluate(position, part)).collect::<Vec<_>>()),
    }
}

/// The value of an operator, given the values of its parts.
pub(crate) fn apply(position: &TacticPosition, mapping: &Mapping, parts: &[Points]) -> Points {
    match mapping {
        Mapping::Leaf(leaf) => position.leaf(*leaf),
        Mapping::Not(_) => *position.graph.all() - parts[0],
        Mapping::Count(kind, n, _) => position.graph.count(*kind, *n, &parts[0]),
        Mapping::Join(join, ..) => join.of(parts[0], parts[1]),
    }
}

/// The path to every part: the index of the part to follow at each step.
pub(crate) fn paths(mapping: &Mapping) -> Vec<Vec<usize>> {
    let mut paths = vec![Vec::new()];
    let mut next = 0;
    while next < paths.len() {
        let path = paths[next].clone();
        let n_parts = at(mapping, &path).parts().count();
        paths.extend((0..n_parts).map(|part| [&path[..], &[part]].concat()));
        next += 1;
    }
    paths
}

pub(crate) fn at<'m>(mapping: &'m Mapping, path: &[usize]) -> &'m Mapping {
    path.iter().fold(mapping, |mapping, &part| mapping.parts().nth(part).expect("the path leads through parts"))
}

/// The value if the part at the end of the path had this value.
fn value_with(position: &TacticPosition, mapping: &Mapping, path: &[usize], value: Points) -> Points {
    let Some((&first, rest)) = path.split_first() else { return value };
    let parts: Vec<Points> = mapping
        .parts()
        .enumerate()
        .map(|(i, part)| if i == first { value_with(position, part, rest, value) } else { evaluate(position, part) })
        .collect();
    apply(position, mapping, &parts)
}

/// The mapping with another part at the end of the path.
pub(crate) fn with(mapping: &Mapping, path: &[usize], part: &Arc<Mapping>) -> Mapping {
    let Some((&first, rest)) = path.split_first() else { return (**part).clone() };
    let inner =
        |place: usize, old: &Arc<Mapping>| if place == first { Arc::new(with(old, rest, part)) } else { old.clone() };
    match mapping {
        Mapping::Leaf(leaf) => Mapping::Leaf(*leaf),
        Mapping::Not(of) => Mapping::Not(inner(0, of)),
        Mapping::Count(kind, n, of) => Mapping::Count(*kind, *n, inner(0, of)),
        Mapping::Join(join, a, b) => Mapping::Join(*join, inner(0, a), inner(1, b)),
    }
}
