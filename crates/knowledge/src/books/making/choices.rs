//! A side's choices against an opponent who draws lots.
//!
//! The mathematics of [`crate::books::making::optimize`], without books: positions
//! are numbers, and what a position is worth is the side's own.

use std::ops::Range;

use tejun_games::game::Side;

use crate::books::matching::Chain;

/// Sweeps after which a backup is given up.
const N_SWEEPS: usize = 100_000;
/// A backup ends when nothing changes by more, compared with its size.
const CHANGE: f64 = 1e-13;

/// Positions with the steps from them; those of the side are free, the others have probabilities.
#[derive(Clone, Debug)]
pub(crate) struct Choices {
    pub(crate) is_own: Vec<bool>,
    first_steps: Vec<u32>,
    pub(crate) to: Vec<u32>,
    /// The opponent's probabilities; of an own step 1, or 0 if it was cut.
    pub(crate) probabilities: Vec<f64>,
    /// The side's win rate at positions without steps.
    pub(crate) rates: Vec<f64>,
    /// Positions, each after those it leads to, as far as there are no cycles.
    order: Vec<u32>,
    /// The part of the order that lies in or between circles, so that one sweep is not enough.
    core: Range<usize>,
    /// How far each position is from the start.
    plies: Vec<u32>,
}

/// A backup that comes to no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unsettled;

impl Choices {
    /// The choices of a side in a chain; `rate` is its win rate at a leaving position.
    pub(crate) fn of_chain(chain: &Chain, first: Side, side: Side, rate: impl Fn(u32) -> f64) -> Choices {
        let mut is_own = vec![first == side; chain.len()];
        let rows: Vec<Vec<(u32, f64)>> = (0..chain.len() as u32)
            .map(|node| {
                for step in chain.steps(node) {
                    is_own[step.to as usize] = !is_own[node as usize];
                }
                chain.steps(node).iter().map(|step| (step.to, step.probability)).collect()
            })
            .collect();
        let rates = (0..chain.len() as u32).map(|node| if chain.is_leaving(node) { rate(node) } else { 0.0 });
        let rates = rates.collect();
        Choices::new(&rows, is_own, rates)
    }

    pub(crate) fn new(rows: &[Vec<(u32, f64)>], is_own: Vec<bool>, rates: Vec<f64>) -> Choices {
        let mut choices = Choices {
            is_own,
            first_steps: vec![0],
            to: Vec::new(),
            probabilities: Vec::new(),
            rates,
            order: Vec::new(),
            core: 0..0,
            plies: Vec::new(),
        };
        for (row, is_own) in rows.iter().zip(choices.is_own.clone()) {
            choices.to.extend(row.iter().map(|step| step.0));
            choices.probabilities.extend(row.iter().map(|step| if is_own { 1.0 } else { step.1 }));
            choices.first_steps.push(choices.to.len() as u32);
        }
        (choices.order, choices.core) = in_three_parts(rows, children_first(rows));
        choices.plies = distances(rows);
        choices
    }

    /// The numbers of a position's steps, in the order of the chain.
    pub(crate) fn steps(&self, node: usize) -> Range<usize> {
        self.first_steps[node] as usize..self.first_steps[node + 1] as usize
    }

    /// Positions between which the side can go forever, whatever the opponent draws.
    fn endless(&self) -> Vec<bool> {
        let open = |step: &usize| self.probabilities[*step] > 0.0;
        let mut stays: Vec<bool> = (0..self.is_own.len()).map(|node| !self.steps(node).is_empty()).collect();
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &node in &self.order {
                let node = node as usize;
                let mut ways = self.steps(node).filter(open).map(|step| stays[self.to[step] as usize]);
                let can = if self.is_own[node] { ways.any(|stays| stays) } else { ways.all(|stays| stays) };
                if stays[node] && !can {
                    stays[node] = false;
                    has_changed = true;
                }
            }
        }
        stays
    }

    /// Cuts own steps back towards the start until no game can be held up forever; returns how many.
    ///
    /// A side that can go in circles at will has lines of any entropy at no
    /// loss, so that there is no best one.
    ///
    /// # Errors
    /// If nothing more can be cut and circles remain.
    pub(crate) fn cut_circles(&mut self) -> Result<usize, Unsettled> {
        let mut n_cut = 0;
        loop {
            let stays = self.endless();
            if stays.iter().all(|stays| !stays) {
                return Ok(n_cut);
            }
            // A way back is the natural end; where there is none, any way out of the circle will do.
            let n_more = match self.cut(&stays, |node, to, plies| plies[to] <= plies[node]) {
                0 => self.cut(&stays, |_, _, _| true),
                n_more => n_more,
            };
            if n_more == 0 {
                return Err(Unsettled);
            }
            n_cut += n_more;
        }
    }

    /// Cuts own steps inside the circles that are wanted, but never the last step of a position.
    fn cut(&mut self, stays: &[bool], is_wanted: impl Fn(usize, usize, &[u32]) -> bool) -> usize {
        let mut n_cut = 0;
        for node in (0..self.is_own.len()).filter(|node| self.is_own[*node] && stays[*node]) {
            for step in self.steps(node) {
                let to = self.to[step] as usize;
                let n_open = self.steps(node).filter(|step| self.probabilities[*step] > 0.0).count();
                let is_open = self.probabilities[step] > 0.0;
                if is_open && n_open > 1 && stays[to] && is_wanted(node, to, &self.plies) {
                    self.probabilities[step] = 0.0;
                    n_cut += 1;
                }
            }
        }
        n_cut
    }

    /// Works out a number for each position from those after it, sweeping until nothing changes.
    ///
    /// Only what lies in or between circles is swept more than once.
    pub(crate) fn backed_up(&self, value: impl Fn(usize, &[f64]) -> f64) -> Result<Vec<f64>, Unsettled> {
        let mut values = vec![0.0; self.is_own.len()];
        let sweep = |part: Range<usize>, values: &mut Vec<f64>| {
            let mut has_changed = false;
            for &node in &self.order[part] {
                let node = node as usize;
                let new = value(node, values);
                has_changed |= (new - values[node]).abs() > CHANGE * new.abs().max(1.0);
                values[node] = new;
            }
            has_changed
        };
        sweep(0..self.core.start, &mut values);
        if (0..N_SWEEPS).all(|_| sweep(self.core.clone(), &mut values)) {
            return Err(Unsettled);
        }
        sweep(self.core.end..self.order.len(), &mut values);
        Ok(values)
    }

    /// The best win rate from each position on. A game that never leaves is lost.
    pub(crate) fn best_rates(&self) -> Result<Vec<f64>, Unsettled> {
        self.backed_up(|node, values| {
            let steps = self.steps(node);
            if steps.is_empty() {
                self.rates[node]
            } else if self.is_own[node] {
                let open = steps.filter(|step| self.probabilities[*step] > 0.0);
                open.map(|step| values[self.to[step] as usize]).fold(0.0, f64::max)
            } else {
                steps.map(|step| self.probabilities[step] * values[self.to[step] as usize]).sum()
            }
        })
    }

    /// The win rate with these probabilities.
    pub(crate) fn win_rate(&self, probabilities: &[f64]) -> Result<f64, Unsettled> {
        let rates = self.backed_up(|node, values| {
            let steps = self.steps(node);
            if steps.is_empty() { self.rates[node] } else { self.expected(steps, probabilities, values) }
        })?;
        Ok(rates[0])
    }

    /// The entropy of lines with these probabilities, in nats.
    pub(crate) fn entropy(&self, probabilities: &[f64]) -> Result<f64, Unsettled> {
        let surprise = |probability: &f64| if *probability > 0.0 { -probability * probability.ln() } else { 0.0 };
        let entropies = self.backed_up(|node, values| {
            let steps = self.steps(node);
            probabilities[steps.clone()].iter().map(surprise).sum::<f64>() + self.expected(steps, probabilities, values)
        })?;
        Ok(entropies[0])
    }

    fn expected(&self, steps: Range<usize>, probabilities: &[f64], values: &[f64]) -> f64 {
        steps.map(|step| probabilities[step] * values[self.to[step] as usize]).sum()
    }
}

/// Positions in the order in which a depth-first search leaves them.
fn children_first(rows: &[Vec<(u32, f64)>]) -> Vec<u32> {
    let mut order = Vec::with_capacity(rows.len());
    let mut is_seen = vec![false; rows.len()];
    let mut way: Vec<(u32, usize)> = Vec::new();
    for start in 0..rows.len() as u32 {
        if !std::mem::replace(&mut is_seen[start as usize], true) {
            way.push((start, 0));
        }
        while let Some((node, next)) = way.pop() {
            match rows[node as usize].get(next) {
                Some(&(to, _)) => {
                    way.push((node, next + 1));
                    if !std::mem::replace(&mut is_seen[to as usize], true) {
                        way.push((to, 0));
                    }
                }
                None => order.push(node),
            }
        }
    }
    order
}

/// The same order in three parts: what leads to no circle, what lies in or between circles, the rest.
fn in_three_parts(rows: &[Vec<(u32, f64)>], order: Vec<u32>) -> (Vec<u32>, Range<usize>) {
    let mut forth: Vec<Vec<u32>> = rows.iter().map(|row| row.iter().map(|step| step.0).collect()).collect();
    let mut back = vec![Vec::new(); rows.len()];
    for (node, row) in forth.iter().enumerate() {
        row.iter().for_each(|to| back[*to as usize].push(node as u32));
    }
    let leads_nowhere = peeled(&forth, &back, &vec![true; rows.len()]);
    let is_left: Vec<bool> = leads_nowhere.iter().map(|is_peeled| !is_peeled).collect();
    for row in &mut forth {
        row.retain(|to| is_left[*to as usize]);
    }
    back.iter_mut().for_each(|row| row.retain(|from| is_left[*from as usize]));
    let comes_first = peeled(&back, &forth, &is_left);
    let part = |node: &u32| match (leads_nowhere[*node as usize], comes_first[*node as usize]) {
        (true, _) => 0,
        (false, false) => 1,
        (false, true) => 2,
    };
    let mut order = order;
    // Stable, so that each part keeps its order.
    order.sort_by_key(part);
    let start = order.partition_point(|node| part(node) == 0);
    let end = order.partition_point(|node| part(node) < 2);
    (order, start..end)
}

/// The positions that are gone when those without a step `forth` are taken away until there are none (Kahn 1962).
fn peeled(forth: &[Vec<u32>], back: &[Vec<u32>], is_here: &[bool]) -> Vec<bool> {
    let mut n_steps: Vec<usize> = forth.iter().map(Vec::len).collect();
    let mut is_peeled = vec![false; forth.len()];
    let mut free: Vec<usize> = (0..forth.len()).filter(|node| is_here[*node] && n_steps[*node] == 0).collect();
    while let Some(node) = free.pop() {
        is_peeled[node] = true;
        for &before in &back[node] {
            let before = before as usize;
            n_steps[before] -= 1;
            if n_steps[before] == 0 && is_here[before] {
                free.push(before);
            }
        }
    }
    is_peeled
}

/// How far positions are from the first.
fn distances(rows: &[Vec<(u32, f64)>]) -> Vec<u32> {
    let mut plies = vec![u32::MAX; rows.len()];
    let mut ring: Vec<u32> = Vec::new();
    if let Some(first) = plies.first_mut() {
        *first = 0;
        ring.push(0);
    }
    let mut at = 0;
    while at < ring.len() {
        let node = ring[at] as usize;
        for &(to, _) in &rows[node] {
            if plies[to as usize] == u32::MAX {
                plies[to as usize] = plies[node] + 1;
                ring.push(to);
            }
        }
        at += 1;
    }
    plies
}
