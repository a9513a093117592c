//! The possible states of a point, and the leaves that a table needs to distinguish them.

use crate::tactics::language::mapping::Leaf;

/// Black or empty, white or empty, own or empty, opponent's or empty: all possible states of a point.
pub(crate) const STATES: [[bool; 4]; 5] = [
    [true, true, true, true],
    [true, false, true, false],
    [true, false, false, true],
    [false, true, false, true],
    [false, true, true, false],
];
/// The leaves in the order of the states.
pub(crate) const COLORS: [Leaf; 4] = [Leaf::Black, Leaf::White, Leaf::Own, Leaf::Opponent];

/// The smallest sets of colors, as bits, that are enough to express the table.
pub(crate) fn sufficient_colors(table: &[bool], possible: &[bool], n_atoms: usize) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    let mut sets: Vec<usize> = (0..16).collect();
    sets.sort_by_key(|set| set.count_ones());
    for set in sets {
        let is_larger = found.iter().any(|smaller| set & smaller == *smaller);
        if !is_larger {
            let [on, off] = projected(table, possible, set, n_atoms);
            if !on.iter().zip(&off).any(|(on, off)| on & off) {
                found.push(set);
            }
        }
    }
    found
}

/// Where the table holds and where it fails, projected on a set of colors.
pub(crate) fn projected(table: &[bool], possible: &[bool], colors: usize, n_atoms: usize) -> [Vec<bool>; 2] {
    let n_colors = colors.count_ones() as usize;
    let mut tables = [vec![false; 1 << (n_colors + n_atoms)], vec![false; 1 << (n_colors + n_atoms)]];
    for (cell, value) in table.iter().enumerate().filter(|(cell, _)| possible[*cell]) {
        let seen = (0..4).filter(|i| colors >> i & 1 != 0).map(|i| STATES[cell >> n_atoms][i]);
        let seen = seen.enumerate().fold(0, |bits, (bit, value)| bits | usize::from(value) << bit);
        let atoms = cell & ((1 << n_atoms) - 1);
        tables[usize::from(!value)][atoms << n_colors | seen] = true;
    }
    tables
}
