//! Positions that can be reached from each other (Tarjan 1972), in time linear in the steps.

use crate::books::matching::Chain;

/// The strongly connected components of a chain, sources first.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    /// Positions, component by component.
    members: Vec<u32>,
    /// Where each component starts in `members`.
    starts: Vec<u32>,
}

const UNSEEN: u32 = u32::MAX;

impl Components {
    /// Finds the components without recursion.
    pub(crate) fn of(chain: &Chain) -> Components {
        let n = chain.len();
        let mut order = vec![UNSEEN; n];
        let mut low = vec![0u32; n];
        let mut is_open = vec![false; n];
        let mut open: Vec<u32> = Vec::new();
        let mut way: Vec<(u32, u32)> = vec![(0, 0)];
        let mut n_seen = 0;
        let mut members = Vec::with_capacity(n);
        let mut starts = vec![0u32];
        while let Some((node, next)) = way.pop() {
            let place = node as usize;
            if next == 0 {
                order[place] = n_seen;
                low[place] = n_seen;
                n_seen += 1;
                open.push(node);
                is_open[place] = true;
            }
            let steps = chain.steps(node);
            if next > 0 {
                let child = steps[next as usize - 1].to as usize;
                low[place] = low[place].min(low[child]);
            }
            let mut at = next as usize;
            let mut unseen = None;
            while at < steps.len() && unseen.is_none() {
                let child = steps[at].to as usize;
                if order[child] == UNSEEN {
                    unseen = Some(child as u32);
                } else if is_open[child] {
                    low[place] = low[place].min(order[child]);
                }
                at += 1;
            }
            if let Some(child) = unseen {
                way.push((node, at as u32));
                way.push((child, 0));
            } else if low[place] == order[place] {
                while let Some(member) = open.pop() {
                    is_open[member as usize] = false;
                    members.push(member);
                    if member == node {
                        break;
                    }
                }
                starts.push(members.len() as u32);
            }
        }
        Components { members, starts }
    }

    /// Each component; every step leads to the same or a later one.
    pub(crate) fn sources_first(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).rev().map(|ends| &self.members[ends[0] as usize..ends[1] as usize])
    }
}
