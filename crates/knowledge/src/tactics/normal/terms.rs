//! Mappings as shared terms, with joins of any number of parts.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_128;

use crate::tactics::language::forms;
use crate::tactics::language::mapping::{Leaf, Mapping, NeighborOperator, SetOperator};

/// The index of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TermId(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    None,
    All,
    Leaf(Leaf),
    Count(NeighborOperator, u8, TermId),
    Not(TermId),
    And(Vec<TermId>),
    Or(Vec<TermId>),
    Xor(TermId, TermId),
}

/// The order of terms: small ones first, then by a hash of their content, so that the order does not depend on when
/// they were added.
pub(crate) type Rank = (usize, u128);

#[derive(Debug, Default)]
pub(crate) struct Terms {
    terms: Vec<(Term, Rank, usize)>,
    ids: HashMap<Term, TermId>,
}

/// Longer joins become balanced trees, to limit the depth.
const MAX_CHAIN: usize = 64;

impl Terms {
    pub(crate) fn get(&self, id: TermId) -> &Term {
        &self.terms[id.0 as usize].0
    }

    pub(crate) fn rank(&self, id: TermId) -> Rank {
        self.terms[id.0 as usize].1
    }

    /// Its size as a mapping.
    pub(crate) fn size(&self, id: TermId) -> usize {
        self.rank(id).0
    }

    /// Its depth as a mapping, or slightly more.
    pub(crate) fn depth(&self, id: TermId) -> usize {
        self.terms[id.0 as usize].2
    }

    pub(crate) fn add(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.ids.get(&term) {
            return id;
        }
        let id = TermId(self.terms.len() as u32);
        let (rank, depth) = (self.rank_of(&term), self.depth_of(&term));
        self.terms.push((term.clone(), rank, depth));
        self.ids.insert(term, id);
        id
    }

    pub(crate) fn not(&mut self, id: TermId) -> TermId {
        match *self.get(id) {
            Term::Not(of) => of,
            Term::All => self.add(Term::None),
            Term::None => self.add(Term::All),
            _ => self.add(Term::Not(id)),
        }
    }

    /// `&` or `|` of sorted parts, without constants, repetitions, nesting and absorbed parts.
    pub(crate) fn join(&mut self, join: SetOperator, parts: Vec<TermId>) -> TermId {
        let is_and = join == SetOperator::And;
        let (neutral, strong) = if is_and { (Term::All, Term::None) } else { (Term::None, Term::All) };
        let mut flat: Vec<TermId> = Vec::new();
        for part in parts {
            match self.get(part) {
                term if *term == neutral => {}
                term if *term == strong => return self.add(strong),
                Term::And(inner) if is_and => flat.extend(inner),
                Term::Or(inner) if !is_and => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_by_key(|&part| self.rank(part));
        flat.dedup();
        let set: std::collections::HashSet<TermId> = flat.iter().copied().collect();
        let is_opposed = |part: &TermId| matches!(self.get(*part), Term::Not(of) if set.contains(of));
        if flat.iter().any(is_opposed) {
            return self.add(strong);
        }
        // A | A & B is A, and A & (A | B) is A.
        let is_absorbed = |part: &TermId| match self.get(*part) {
            Term::And(inner) if !is_and => inner.iter().any(|part| set.contains(part)),
            Term::Or(inner) if is_and => inner.iter().any(|part| set.contains(part)),
            _ => false,
        };
        let kept: Vec<TermId> = flat.iter().copied().filter(|part| !is_absorbed(part)).collect();
        match kept[..] {
            [] => self.add(neutral),
            [one] => one,
            _ => self.add(if is_and { Term::And(kept) } else { Term::Or(kept) }),
        }
    }

    /// `^`, with complements moved outside.
    pub(crate) fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let none = self.add(Term::None);
        let mut is_negative = false;
        let mut plain = |terms: &mut Terms, id: TermId| match *terms.get(id) {
            Term::Not(of) => {
                is_negative = !is_negative;
                of
            }
            Term::All => {
                is_negative = !is_negative;
                none
            }
            _ => id,
        };
        let (a, b) = (plain(self, a), plain(self, b));
        let (a, b) = if self.rank(a) <= self.rank(b) { (a, b) } else { (b, a) };
        let id = match (a, b) {
            _ if a == b => none,
            _ if a == none => b,
            _ if b == none => a,
            _ => self.add(Term::Xor(a, b)),
        };
        if is_negative { self.not(id) } else { id }
    }

    fn rank_of(&self, term: &Term) -> Rank {
        let size = |id: &TermId| self.size(*id);
        let sum = |ids: &[TermId]| ids.iter().map(size).fold(ids.len() - 1, usize::saturating_add);
        let (number, n, parts, size) = match term {
            // Written as `B - B` and `B | W`.
            Term::None => (0, 0, vec![], 3),
            Term::All => (1, 0, vec![], 3),
            Term::Leaf(leaf) => return (1, *leaf as u128),
            Term::Count(kind, n, of) => (2 + *kind as u8, *n, vec![*of], size(of).saturating_add(1)),
            Term::Not(of) => (5, 0, vec![*of], size(of).saturating_add(1)),
            Term::And(parts) => {
                let n_negative = parts.iter().filter(|part| matches!(self.get(**part), Term::Not(_))).count();
                // One complement for all negated parts, or none if there is a part that is not negated.
                let saved = if n_negative == parts.len() { n_negative - 1 } else { n_negative };
                (6, 0, parts.clone(), sum(parts).saturating_sub(saved))
            }
            Term::Or(parts) => (7, 0, parts.clone(), sum(parts)),
            Term::Xor(a, b) => (8, 0, vec![*a, *b], size(a).saturating_add(size(b)).saturating_add(1)),
        };
        let mut bytes = vec![number, n];
        parts.iter().for_each(|part| bytes.extend(self.rank(*part).1.to_le_bytes()));
        (size, xxh3_128(&bytes).max(Leaf::ALL.len() as u128))
    }

    fn depth_of(&self, term: &Term) -> usize {
        let deepest = |ids: &[TermId]| ids.iter().map(|&id| self.depth(id)).max().unwrap_or(0);
        match term {
            Term::None | Term::All => 2,
            Term::Leaf(_) => 1,
            Term::Count(_, _, of) | Term::Not(of) => self.depth(*of) + 1,
            Term::And(parts) | Term::Or(parts) => deepest(parts) + parts.len().min(MAX_CHAIN + 24) + 1,
            Term::Xor(a, b) => deepest(&[*a, *b]) + SetOperator::Xor.n_levels(),
        }
    }

    /// The term as a mapping; terms that occur twice share one copy.
    pub(crate) fn mapping(&self, id: TermId, known: &mut HashMap<TermId, Mapping>) -> Mapping {
        if let Some(mapping) = known.get(&id) {
            return mapping.clone();
        }
        let mut of = |id: TermId| self.mapping(id, known);
        let mapping = match self.get(id) {
            Term::None => forms::none(),
            Term::All => forms::all(),
            Term::Leaf(leaf) => (*leaf).into(),
            Term::Count(kind, n, inside) => Mapping::count(*kind, *n, of(*inside)),
            Term::Not(inside) => of(*inside).complement(),
            Term::And(parts) => {
                let negative = |part: &TermId| if let Term::Not(of) = self.get(*part) { Some(*of) } else { None };
                let plain: Vec<Mapping> =
                    parts.iter().filter(|part| negative(part).is_none()).map(|part| of(*part)).collect();
                let negative: Vec<Mapping> = parts.iter().filter_map(negative).map(&mut of).collect();
                match (plain.is_empty(), negative.is_empty()) {
                    (true, _) => chain(SetOperator::Or, &negative).complement(),
                    (false, true) => chain(SetOperator::And, &plain),
                    (false, false) if negative.len() > MAX_CHAIN => {
                        chain(SetOperator::And, &plain).join(SetOperator::Minus, chain(SetOperator::Or, &negative))
                    }
                    (false, false) => {
                        negative.into_iter().fold(chain(SetOperator::And, &plain), |a, b| a.join(SetOperator::Minus, b))
                    }
                }
            }
            Term::Or(parts) => chain(SetOperator::Or, &parts.iter().map(|part| of(*part)).collect::<Vec<_>>()),
            Term::Xor(a, b) => {
                let a = of(*a);
                a.join(SetOperator::Xor, of(*b))
            }
        };
        known.insert(id, mapping.clone());
        mapping
    }
}

fn chain(join: SetOperator, parts: &[Mapping]) -> Mapping {
    match parts {
        [] => unreachable!("joins have parts"),
        [one] => one.clone(),
        _ if parts.len() > MAX_CHAIN => {
            let (left, right) = parts.split_at(parts.len() / 2);
            chain(join, left).join(join, chain(join, right))
        }
        [rest @ .., last] => chain(join, rest).join(join, last.clone()),
    }
}
