//! A normal form for equal mappings, and the smallest known equal mapping.

mod colors;
mod cover;
mod terms;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use crate::tactics::language::mapping::{Leaf, Mapping, NeighborOperator, SetOperator};
use crate::tactics::language::parse_error::{MAX_DEPTH, MAX_SIZE};
use crate::tactics::normal::colors::{COLORS, STATES, projected, sufficient_colors};
use crate::tactics::normal::cover::{Product, sum_of_products};
use crate::tactics::normal::terms::{Term, TermId, Terms};

/// Maximum number of counts and last moves in one truth table; larger joins are only rewritten.
const MAX_ATOMS: usize = 8;
/// Maximum number of products of a sum.
const MAX_PRODUCTS: usize = 32;
/// Maximum number of rounds until nothing changes; usually two are enough.
const MAX_ROUNDS: usize = 8;

/// Of larger mappings, only the parts are simplified, to save time.
const MAX_SIMPLIFIED: usize = 1000;

/// A mapping with the same value in every position, equal for many equivalent mappings.
///
/// Uses everything that follows from set algebra and from the possible states of a point, and some laws of counts
/// (larger sets count more, `Adj_1(A | B)` is `Adj_1(A) | Adj_1(B)`), for joins of up to eight counts; larger joins
/// are sorted and pruned. Two equivalent mappings may still have different normal forms. Parts that would become too
/// large stay unchanged.
pub fn normal_form(mapping: &Mapping) -> Mapping {
    let mut form = mapping.clone();
    for _ in 0..MAX_ROUNDS {
        match Normalizer::default().round(&form) {
            Some(next) if next != form => form = next,
            _ => break,
        }
    }
    form
}

/// A mapping with the same value in every position, never larger.
///
/// It is derived from normal forms, so it is not always the smallest possible.
pub fn simplify(mapping: &Mapping) -> Mapping {
    simplified(mapping, &mut HashMap::new())
}

fn simplified(mapping: &Mapping, known: &mut HashMap<Mapping, Mapping>) -> Mapping {
    if let Some(simple) = known.get(mapping) {
        return simple.clone();
    }
    let simple = match mapping {
        Mapping::Leaf(_) => mapping.clone(),
        Mapping::Not(of) => match simplified(of, known) {
            Mapping::Not(of) => (*of).clone(),
            of => of.complement(),
        },
        Mapping::Count(kind, n, of) => Mapping::count(*kind, *n, simplified(of, known)),
        Mapping::Join(join, a, b) => simplified(a, known).join(*join, simplified(b, known)),
    };
    let size = simple.size();
    let form = if size <= MAX_SIMPLIFIED { normal_form(&simple) } else { simple.clone() };
    let simple = if form.size() < size { form } else { simple };
    known.insert(mapping.clone(), simple.clone());
    simple
}

#[derive(Default)]
struct Normalizer {
    terms: Terms,
    canonical: HashMap<TermId, TermId>,
    /// The products of each canonical term, which is their sum.
    sums: HashMap<TermId, Vec<TermId>>,
    merged: HashMap<TermId, TermId>,
}

impl Normalizer {
    /// `None` if it becomes too large.
    fn round(mut self, mapping: &Mapping) -> Option<Mapping> {
        let raw = self.raw(mapping);
        let form = self.canonical(raw);
        let form = self.merge(form);
        let fits = self.terms.size(form) <= MAX_SIZE && self.terms.depth(form) <= MAX_DEPTH;
        fits.then(|| self.terms.mapping(form, &mut HashMap::new()))
    }

    /// The joins unchanged, with everything below their counts in normal form.
    fn raw(&mut self, mapping: &Mapping) -> TermId {
        match mapping {
            Mapping::Leaf(leaf) => self.terms.add(Term::Leaf(*leaf)),
            Mapping::Not(of) => {
                let of = self.raw(of);
                self.terms.not(of)
            }
            Mapping::Count(kind, n, of) => {
                let of = self.raw(of);
                let of = self.canonical(of);
                self.count(*kind, *n, of)
            }
            Mapping::Join(join, a, b) => {
                let (a, b) = (self.raw(a), self.raw(b));
                match join {
                    SetOperator::And | SetOperator::Or => self.terms.join(*join, vec![a, b]),
                    SetOperator::Minus => {
                        let not_b = self.terms.not(b);
                        self.terms.join(SetOperator::And, vec![a, not_b])
                    }
                    SetOperator::Xor => self.terms.xor(a, b),
                }
            }
        }
    }

    fn count(&mut self, kind: NeighborOperator, n: u8, of: TermId) -> TermId {
        match self.terms.get(of) {
            // Even a corner has itself and two neighbors.
            Term::All if n <= 3 => of,
            _ if self.most_points(of) < usize::from(n) => self.terms.add(Term::None),
            Term::Or(parts) if n == 1 => {
                let parts = self.sums.get(&of).unwrap_or(parts).clone();
                self.count_each(kind, parts)
            }
            _ if n == 1 && self.sums.get(&of).is_some_and(|sum| sum.len() > 1) => {
                let parts = self.sums[&of].clone();
                self.count_each(kind, parts)
            }
            _ => self.terms.add(Term::Count(kind, n, of)),
        }
    }

    /// A point has one edge with a union if it has one with a part of it.
    fn count_each(&mut self, kind: NeighborOperator, parts: Vec<TermId>) -> TermId {
        let parts = parts.into_iter().map(|part| {
            let part = self.canonical(part);
            self.count(kind, 1, part)
        });
        let parts = parts.collect();
        self.terms.join(SetOperator::Or, parts)
    }

    /// An upper bound for the number of points in the set.
    fn most_points(&self, id: TermId) -> usize {
        let most = |id: &TermId| self.most_points(*id);
        match self.terms.get(id) {
            Term::None => 0,
            Term::Leaf(Leaf::Last | Leaf::BeforeLast) => 1,
            Term::And(parts) => parts.iter().map(most).min().unwrap_or(usize::MAX),
            Term::Or(parts) => parts.iter().map(most).fold(0, usize::saturating_add),
            _ => usize::MAX,
        }
    }

    fn canonical(&mut self, raw: TermId) -> TermId {
        if let Some(&id) = self.canonical.get(&raw) {
            return id;
        }
        let atoms = self.atoms(&[raw]);
        let found = if atoms.len() <= MAX_ATOMS { self.smallest_sum(raw, atoms) } else { None };
        let id = found.unwrap_or_else(|| self.rewritten(raw, false, &mut HashMap::new()));
        self.canonical.insert(raw, id);
        id
    }

    /// The parts of joins except the colors, sorted.
    fn atoms(&self, ids: &[TermId]) -> Vec<TermId> {
        let (mut atoms, mut open, mut seen) = (Vec::new(), ids.to_vec(), HashSet::new());
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.terms.get(id) {
                Term::Not(of) => open.push(*of),
                Term::And(parts) | Term::Or(parts) => open.extend(parts),
                Term::Xor(a, b) => open.extend([a, b]),
                Term::Count(..) | Term::Leaf(Leaf::Last | Leaf::BeforeLast) => atoms.push(id),
                Term::None | Term::All | Term::Leaf(_) => {}
            }
        }
        atoms.sort_by_key(|&atom| self.terms.rank(atom));
        atoms
    }

    /// Its value for every state of a point and all values of the atoms.
    fn table(&self, id: TermId, atoms: &[TermId], known: &mut HashMap<TermId, Vec<bool>>) -> Vec<bool> {
        if let Some(table) = known.get(&id) {
            return table.clone();
        }
        let n_cells = STATES.len() << atoms.len();
        let mut of = |id: &TermId| self.table(*id, atoms, known);
        let zip = |a: Vec<bool>, b: Vec<bool>, join: fn(bool, bool) -> bool| {
            a.into_iter().zip(b).map(|(a, b)| join(a, b)).collect::<Vec<bool>>()
        };
        let table: Vec<bool> = match self.terms.get(id) {
            Term::None => vec![false; n_cells],
            Term::All => vec![true; n_cells],
            Term::Not(inside) => of(inside).into_iter().map(|value| !value).collect(),
            Term::And(parts) => {
                parts.iter().fold(vec![true; n_cells], |table, part| zip(table, of(part), |a, b| a & b))
            }
            Term::Or(parts) => {
                parts.iter().fold(vec![false; n_cells], |table, part| zip(table, of(part), |a, b| a | b))
            }
            Term::Xor(a, b) => {
                let a = of(a);
                zip(a, of(b), |a, b| a ^ b)
            }
            Term::Leaf(leaf) if COLORS.contains(leaf) => {
                let color = COLORS.iter().position(|color| color == leaf).expect("it is there");
                (0..n_cells).map(|cell| STATES[cell >> atoms.len()][color]).collect()
            }
            Term::Leaf(_) | Term::Count(..) => {
                let bit = atoms.iter().position(|atom| *atom == id).expect("all atoms have a place");
                (0..n_cells).map(|cell| cell >> bit & 1 != 0).collect()
            }
        };
        known.insert(id, table.clone());
        table
    }

    /// The smallest sum of products, or the complement of one. `None` if it has too many products.
    fn smallest_sum(&mut self, raw: TermId, mut atoms: Vec<TermId>) -> Option<TermId> {
        let mut table = self.table(raw, &atoms, &mut HashMap::new());
        // Irrelevant atoms must be removed first: which laws apply may depend on the atoms.
        for bit in (0..atoms.len()).rev() {
            if table.iter().enumerate().all(|(cell, value)| table[cell ^ 1 << bit] == *value) {
                let mut cells = 0..table.len();
                table.retain(|_| cells.next().is_some_and(|cell| cell >> bit & 1 == 0));
                atoms.remove(bit);
            }
        }
        let possible = self.possible(&atoms);
        let mut best: Option<(usize, TermId, Vec<TermId>)> = None;
        for colors in sufficient_colors(&table, &possible, atoms.len()) {
            let [on, off] = projected(&table, &possible, colors, atoms.len());
            let literals: Vec<TermId> = (0..4)
                .filter(|i| colors >> i & 1 != 0)
                .map(|i| self.terms.add(Term::Leaf(COLORS[i])))
                .chain(atoms.iter().copied())
                .collect();
            let negated = |table: &[bool]| table.iter().map(|value| !value).collect::<Vec<bool>>();
            let sum = self.products(&sum_of_products(&on, &negated(&off), MAX_PRODUCTS)?, &literals);
            let positive = self.terms.join(SetOperator::Or, sum.clone());
            let complement = self.products(&sum_of_products(&off, &negated(&on), MAX_PRODUCTS)?, &literals);
            let negative = self.terms.join(SetOperator::Or, complement);
            let negative = self.terms.not(negative);
            for id in [positive, negative] {
                let size = self.terms.size(id);
                if best.as_ref().is_none_or(|best| size < best.0) {
                    best = Some((size, id, sum.clone()));
                }
            }
        }
        let (_, id, sum) = best?;
        self.sums.entry(id).or_insert(sum);
        Some(id)
    }

    fn products(&mut self, products: &[Product], literals: &[TermId]) -> Vec<TermId> {
        let product = |product: &Product| {
            let mut parts = Vec::new();
            for (bit, &literal) in literals.iter().enumerate() {
                if product.holds >> bit & 1 != 0 {
                    parts.push(literal);
                }
                if product.fails >> bit & 1 != 0 {
                    parts.push(self.terms.not(literal));
                }
            }
            self.terms.join(SetOperator::And, parts)
        };
        products.iter().map(product).collect()
    }

    /// The cells of a table that some point of some position may be in.
    fn possible(&mut self, atoms: &[TermId]) -> Vec<bool> {
        let mut possible = vec![true; STATES.len() << atoms.len()];
        let mut known = HashMap::new();
        let mut forbid = |small: &[bool], large: &[bool]| {
            possible.iter_mut().zip(small.iter().zip(large)).for_each(|(cell, (a, b))| *cell &= !a | b);
        };
        for &atom in atoms {
            let Term::Count(kind, n, of) = *self.terms.get(atom) else { continue };
            let table = self.table(atom, atoms, &mut known);
            for &other in atoms.iter().filter(|&&other| other != atom) {
                let Term::Count(its_kind, its_n, its_of) = *self.terms.get(other) else { continue };
                // A point's own surroundings are among those of its chain.
                if n >= its_n && (kind == its_kind || kind == NeighborOperator::Adj) && self.is_part(of, its_of) {
                    forbid(&table, &self.table(other, atoms, &mut known));
                }
            }
            if self.atoms(&[of]).iter().all(|inside| atoms.contains(inside)) {
                let inside = self.table(of, atoms, &mut known);
                if n == 1 {
                    forbid(&inside, &table);
                } else if (kind, n) == (NeighborOperator::Adj, NeighborOperator::MAX) {
                    forbid(&table, &inside);
                }
            }
        }
        possible
    }

    /// Whether set algebra shows that the first set is a subset of the second.
    fn is_part(&self, small: TermId, large: TermId) -> bool {
        let atoms = self.atoms(&[small, large]);
        if small == large || atoms.len() > MAX_ATOMS {
            return small == large;
        }
        let mut known = HashMap::new();
        let small = self.table(small, &atoms, &mut known);
        small.iter().zip(self.table(large, &atoms, &mut known)).all(|(a, b)| !a | b)
    }

    /// Moves complements to the leaves; flattens and sorts joins.
    fn rewritten(&mut self, id: TermId, negated: bool, known: &mut HashMap<(TermId, bool), TermId>) -> TermId {
        if let Some(&done) = known.get(&(id, negated)) {
            return done;
        }
        let done = match self.terms.get(id).clone() {
            Term::Not(of) => self.rewritten(of, !negated, known),
            Term::And(parts) | Term::Or(parts) => {
                let is_and = matches!(self.terms.get(id), Term::And(_)) != negated;
                let parts = parts.into_iter().map(|part| self.rewritten(part, negated, known)).collect();
                self.terms.join(if is_and { SetOperator::And } else { SetOperator::Or }, parts)
            }
            Term::Xor(a, b) => {
                // Each side unchanged or complemented, whichever is smaller.
                let mut is_negative = negated;
                let [a, b] = [a, b].map(|side| {
                    let both = [false, true].map(|negated| self.rewritten(side, negated, known));
                    let is_complement = self.terms.rank(both[1]) < self.terms.rank(both[0]);
                    is_negative ^= is_complement;
                    both[usize::from(is_complement)]
                });
                let xor = self.terms.xor(a, b);
                if is_negative { self.terms.not(xor) } else { xor }
            }
            _ if negated => self.terms.not(id),
            _ => id,
        };
        known.insert((id, negated), done);
        done
    }

    /// Replaces unions of counts of one by counts of unions, everywhere.
    fn merge(&mut self, id: TermId) -> TermId {
        if let Some(&merged) = self.merged.get(&id) {
            return merged;
        }
        let merged = match self.terms.get(id).clone() {
            Term::Count(kind, n, of) => {
                let of = self.merge(of);
                self.terms.add(Term::Count(kind, n, of))
            }
            Term::Not(of) => {
                let of = self.merge(of);
                self.terms.not(of)
            }
            Term::And(parts) => self.merge_parts(SetOperator::And, parts),
            Term::Or(parts) => self.merge_parts(SetOperator::Or, parts),
            Term::Xor(a, b) => {
                let (a, b) = (self.merge(a), self.merge(b));
                self.terms.xor(a, b)
            }
            _ => id,
        };
        self.merged.insert(id, merged);
        merged
    }

    fn merge_parts(&mut self, join: SetOperator, parts: Vec<TermId>) -> TermId {
        let mut insides: [Vec<TermId>; 3] = Default::default();
        let mut merged = Vec::new();
        for part in parts {
            let plain = match (join, self.terms.get(part)) {
                (SetOperator::And, Term::Not(of)) => Some(*of),
                (SetOperator::And, _) => None,
                _ => Some(part),
            };
            match plain.map(|plain| self.terms.get(plain)) {
                Some(Term::Count(kind, 1, of)) => insides[*kind as usize].push(*of),
                _ => merged.push(self.merge(part)),
            }
        }
        for (kind, insides) in NeighborOperator::ALL.into_iter().zip(insides).filter(|(_, insides)| !insides.is_empty())
        {
            let union = self.terms.join(SetOperator::Or, insides);
            let union = self.canonical(union);
            let union = self.merge(union);
            let count = self.terms.add(Term::Count(kind, 1, union));
            merged.push(if join == SetOperator::And { self.terms.not(count) } else { count });
        }
        self.terms.join(join, merged)
    }
}
