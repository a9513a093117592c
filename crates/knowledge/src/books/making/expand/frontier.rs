//! What positions are worth, and which comes next?

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::books::making::expand::{Expansion, MATE_VALUE};

/// A move to a position that is not in the book, and how to get there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frontier {
    pub(crate) cost: u64,
    /// Entries and moves from the start; empty if the start itself is missing.
    pub(crate) way: Vec<(u32, u32)>,
}

impl Expansion {
    /// Connects a new entry with what leads to it and where it leads.
    pub(crate) fn link(&mut self, entry: u32) {
        let page = &self.draft.entries[entry as usize];
        for (from, index) in self.waiting.remove(&page.key).unwrap_or_default() {
            self.links[from as usize][index as usize] = Some(entry);
        }
        let mut links = Vec::with_capacity(page.moves.len());
        for (index, (known, _)) in page.moves.iter().enumerate() {
            let child = self.draft.find(known.child);
            links.push(child);
            if child.is_none() {
                self.waiting.entry(known.child).or_default().push((entry, index as u32));
            }
        }
        self.links.resize(self.links.len().max(entry as usize + 1), Vec::new());
        self.links[entry as usize] = links;
    }

    /// The value of a move for the side that plays it: that of the position after it, or the adviser's.
    pub(crate) fn move_value(&self, entry: usize, index: usize) -> Option<i32> {
        let after = self.links[entry][index].and_then(|child| self.values[child as usize]);
        let advised = self.draft.entries[entry].moves[index].1.value.map(|value| value.clamp(-MATE_VALUE, MATE_VALUE));
        after.map(|value| -value).or(advised)
    }

    /// Carries values back. A game that goes in circles forever is a draw.
    ///
    /// Begins with 0 everywhere, so that a position has another value as soon
    /// as one side can force it: the answer does not depend on the order.
    pub(crate) fn revalue(&mut self) {
        self.values = vec![None; self.draft.entries.len()];
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for entry in (0..self.values.len()).rev().filter(|entry| self.values[*entry].is_none()).collect::<Vec<_>>()
            {
                if (0..self.links[entry].len()).any(|index| self.move_value(entry, index).is_some()) {
                    self.values[entry] = Some(0);
                    has_changed = true;
                }
            }
        }
        has_changed = true;
        while has_changed {
            has_changed = false;
            for entry in (0..self.values.len()).rev() {
                let best = (0..self.links[entry].len()).filter_map(|index| self.move_value(entry, index)).max();
                has_changed |= self.values[entry] != best;
                self.values[entry] = best;
            }
        }
    }

    /// The cheapest way out of the book, by Dijkstra's (1959) algorithm.
    pub(crate) fn frontier(&self) -> Option<Frontier> {
        let max_ply = self.options.max_ply.unwrap_or(u32::MAX);
        let Some(start) = self.draft.find(self.game().start().key()) else {
            return (max_ply > 0).then(|| Frontier { cost: 0, way: Vec::new() });
        };
        let mut came_by: Vec<Option<(u32, u32)>> = vec![None; self.draft.entries.len()];
        let mut is_settled = vec![false; self.draft.entries.len()];
        // Cost, plies, and the move that leads there.
        let mut heap: BinaryHeap<Reverse<(u64, u32, u32, u32)>> = BinaryHeap::new();
        is_settled[start as usize] = true;
        self.push_moves(start, (0, 0), &mut heap);
        while let Some(Reverse((cost, ply, entry, index))) = heap.pop() {
            match self.links[entry as usize][index as usize] {
                None if ply < max_ply => {
                    let mut way = vec![(entry, index)];
                    while let Some(before) = came_by[way[way.len() - 1].0 as usize] {
                        way.push(before);
                    }
                    way.reverse();
                    return Some(Frontier { cost, way });
                }
                Some(child) if !is_settled[child as usize] => {
                    is_settled[child as usize] = true;
                    came_by[child as usize] = Some((entry, index));
                    self.push_moves(child, (cost, ply), &mut heap);
                }
                _ => {}
            }
        }
        None
    }

    fn push_moves(&self, entry: u32, (cost, ply): (u64, u32), heap: &mut BinaryHeap<Reverse<(u64, u32, u32, u32)>>) {
        let best = self.values[entry as usize];
        for index in 0..self.links[entry as usize].len() {
            let value = self.move_value(entry as usize, index);
            let loss = best.zip(value).map_or(0, |(best, value)| best.abs_diff(value));
            let cost = cost + u64::from(loss) + u64::from(self.options.ply_penalty);
            heap.push(Reverse((cost, ply + 1, entry, index as u32)));
        }
    }
}
