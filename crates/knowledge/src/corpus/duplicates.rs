//! Which games of a collection are copies of others.

use std::collections::{BTreeMap, HashMap};
use std::io;

use crate::corpus::fingerprint::Fingerprint;

/// What to do with copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicates {
    /// Keep them unmarked.
    Keep,
    /// Keep them, marked with the first game of their group.
    Mark,
    /// Keep only the first game.
    Drop,
}

/// The original of each copy; both are numbered in the order of import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Copies {
    /// Same moves, same players and date.
    pub(crate) exact: BTreeMap<u32, u32>,
    /// The same game with a different ending, a different header or a misplaced stone.
    pub(crate) near: BTreeMap<u32, u32>,
}

/// Values in memory at a time; more games take more passes, not more memory.
const ENTRIES_A_PASS: u64 = 6 << 20;
/// The number of smallest sketch values that are used to find candidates.
const CANDIDATE_GRAMS: usize = 8;
/// Candidates share at least this many of them; unrelated games often share one.
const MIN_SHARED_GRAMS: usize = 2;
/// The fraction of the smaller game's runs that a copy contains. Copies with one misplaced
/// stone reach over 0.8; games with the same 50 opening moves stay under 0.4.
const MIN_CONTAINMENT: f64 = 0.6;
/// Shorter lines may be equal by coincidence.
const MIN_MOVES: u32 = 30;
/// Up to this many games that share a value are all compared with each other; of more, only neighbors.
const MAX_GROUP: usize = 24;

/// Fingerprints that can be read repeatedly, part by part, in order.
pub(crate) trait Fingerprints {
    fn n_games(&self) -> u64;
    fn for_each_part(&self, visit: &mut dyn FnMut(u32, &[Fingerprint])) -> io::Result<()>;
}

/// Finds all copies. Takes O(n log n) time, and memory for a bounded number of games.
pub(crate) fn find_copies(prints: &dyn Fingerprints) -> io::Result<Copies> {
    let exact = exact_copies(prints)?;
    let near = near_copies(prints, &exact)?;
    Ok(Copies { exact, near })
}

/// Reads the fingerprints as often as needed; `part_of` assigns each value to a pass.
fn in_passes(
    prints: &dyn Fingerprints,
    values_a_game: u64,
    mut gather: impl FnMut(&dyn Fn(u64) -> bool) -> io::Result<()>,
) -> io::Result<()> {
    let n_passes = (prints.n_games() * values_a_game).div_ceil(ENTRIES_A_PASS).max(1);
    for pass in 0..n_passes {
        gather(&|value: u64| value % n_passes == pass)?;
    }
    Ok(())
}

fn exact_copies(prints: &dyn Fingerprints) -> io::Result<BTreeMap<u32, u32>> {
    let mut copies = BTreeMap::new();
    in_passes(prints, 1, |is_mine| {
        let mut entries = Vec::new();
        prints.for_each_part(&mut |first, part| {
            for (game, print) in (first..).zip(part) {
                if is_mine(print.line) {
                    entries.push((print.line, print.header, game));
                }
            }
        })?;
        entries.sort_unstable();
        for group in entries.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            copies.extend(group[1..].iter().map(|copy| (copy.2, group[0].2)));
        }
        Ok(())
    })?;
    Ok(copies)
}

fn near_copies(prints: &dyn Fingerprints, exact: &BTreeMap<u32, u32>) -> io::Result<BTreeMap<u32, u32>> {
    let by_gram = pairs_by_gram(prints, exact)?;
    let pairs: Vec<(u32, u32)> =
        by_gram.chunk_by(|a, b| a == b).filter(|same| same.len() >= MIN_SHARED_GRAMS).map(|same| same[0]).collect();
    drop(by_gram);
    let mut groups = Groups::default();
    for (a, b) in verified(prints, &pairs)? {
        groups.join(a, b);
    }
    Ok(groups.firsts())
}

/// Pairs of games that share a value of their sketches, once per value, sorted.
fn pairs_by_gram(prints: &dyn Fingerprints, exact: &BTreeMap<u32, u32>) -> io::Result<Vec<(u32, u32)>> {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    in_passes(prints, CANDIDATE_GRAMS as u64, |is_mine| {
        let mut entries: Vec<(u32, u32)> = Vec::new();
        prints.for_each_part(&mut |first, part| {
            for (game, print) in (first..).zip(part) {
                let grams = print.sketch[..CANDIDATE_GRAMS].iter().filter(|&&gram| gram != u32::MAX);
                if !exact.contains_key(&game) {
                    entries.extend(grams.filter(|&&gram| is_mine(gram as u64)).map(|&gram| (gram, game)));
                }
            }
        })?;
        entries.sort_unstable();
        for group in entries.chunk_by(|a, b| a.0 == b.0) {
            for (i, a) in group.iter().enumerate() {
                let reach = if group.len() <= MAX_GROUP { group.len() } else { (i + 2).min(group.len()) };
                pairs.extend(group[i + 1..reach].iter().map(|b| (a.1, b.1)));
            }
        }
        Ok(())
    })?;
    pairs.sort_unstable();
    Ok(pairs)
}

/// The pairs whose whole sketches or lines confirm that they are copies.
fn verified(prints: &dyn Fingerprints, pairs: &[(u32, u32)]) -> io::Result<Vec<(u32, u32)>> {
    let mut wanted: Vec<u32> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut found: HashMap<u32, Fingerprint> = HashMap::with_capacity(wanted.len());
    prints.for_each_part(&mut |first, part| {
        let from = wanted.partition_point(|&game| game < first);
        let inside = wanted[from..].iter().take_while(|&&game| game < first + part.len() as u32);
        found.extend(inside.map(|&game| (game, part[(game - first) as usize].clone())));
    })?;
    let is_copy = |&&(a, b): &&(u32, u32)| match (found.get(&a), found.get(&b)) {
        (Some(a), Some(b)) => {
            let is_long = a.n_moves.min(b.n_moves) >= MIN_MOVES;
            is_long && (a.line == b.line || a.containment(b) >= MIN_CONTAINMENT)
        }
        _ => false,
    };
    Ok(pairs.iter().filter(is_copy).copied().collect())
}

/// Groups of games; the first game of a group represents it.
#[derive(Default)]
struct Groups {
    parent: BTreeMap<u32, u32>,
}

impl Groups {
    fn first_of(&self, mut game: u32) -> u32 {
        while let Some(&parent) = self.parent.get(&game) {
            game = parent;
        }
        game
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first_of(a), self.first_of(b));
        if a != b {
            self.parent.insert(a.max(b), a.min(b));
        }
    }

    fn firsts(&self) -> BTreeMap<u32, u32> {
        self.parent.keys().map(|&game| (game, self.first_of(game))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tejun_games::GameRecord;
    use tejun_games::sgf;

    struct InMemory(Vec<Fingerprint>);

    impl Fingerprints for InMemory {
        fn n_games(&self) -> u64 {
            self.0.len() as u64
        }
        fn for_each_part(&self, visit: &mut dyn FnMut(u32, &[Fingerprint])) -> io::Result<()> {
            for (i, part) in self.0.chunks(3).enumerate() {
                visit(3 * i as u32, part);
            }
            Ok(())
        }
    }

    fn sample_game(index: usize) -> GameRecord {
        let text = crate::corpus::sample::sample_text();
        let tree = sgf::Reader::new(&text).nth(index).expect("the sample has more games");
        sgf::main_line(&tree).expect("a game")
    }

    #[test]
    fn copies_of_every_kind_are_found() {
        let original = sample_game(0);
        let mut other_header = original.clone();
        other_header.header.black = Some("Somebody Else".into());
        let mut other_ending = original.clone();
        other_ending.moves.truncate(original.moves.len() * 2 / 3);
        let mut misplaced = original.clone();
        misplaced.moves[40].point = misplaced.moves[41].point;
        let games = [
            sample_game(1),
            original.clone(),
            sample_game(2),
            other_header,
            original.clone(),
            other_ending,
            misplaced,
            sample_game(3),
        ];
        let copies = find_copies(&InMemory(games.iter().map(Fingerprint::of).collect())).expect("no files");
        assert_eq!(copies.exact, BTreeMap::from([(4, 1)]));
        assert_eq!(copies.near, BTreeMap::from([(3, 1), (5, 1), (6, 1)]));
    }
}
