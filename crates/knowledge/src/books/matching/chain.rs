//! Everything two players can reach from the start, with the probability of each step.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use tejun_games::game::{GameMove, PositionKey, Side};

use crate::books::book::KeyHasher;
use crate::books::{Book, Selection};
use crate::statistics::entropy;

/// A book and how its program draws from it.
#[derive(Clone, Copy, Debug)]
pub struct Player<'b> {
    /// The book.
    pub book: &'b Book,
    /// How moves are drawn.
    pub selection: &'b Selection,
}

/// A step from a position, by its number in the chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Where it leads.
    pub to: u32,
    /// The move.
    pub played: GameMove,
    /// How probable it is.
    pub probability: f64,
}

/// The positions of a match as a Markov chain. A position without steps is a leaving position.
#[derive(Clone, Debug)]
pub struct Chain {
    keys: Vec<PositionKey>,
    /// The position it was first reached from; the start is its own.
    parents: Vec<u32>,
    first_steps: Vec<u32>,
    steps: Vec<Step>,
}

impl Chain {
    /// All positions that can be reached from one. Costs a lookup for each position and each step.
    pub fn from_players(players: [Player<'_>; 2], start: PositionKey, first: Side) -> Chain {
        let mut numbers: HashMap<PositionKey, u32, BuildHasherDefault<KeyHasher>> = HashMap::default();
        numbers.insert(start, 0);
        let mut chain = Chain { keys: vec![start], parents: vec![0], first_steps: vec![0], steps: Vec::new() };
        let mut sides = vec![first];
        let mut probabilities = Vec::new();
        let mut at = 0;
        // Positions are numbered as they are found, so that this is breadth first.
        while at < chain.keys.len() {
            let side = sides[at];
            let Player { book, selection } = players[side.index()];
            let known = book
                .find(chain.keys[at])
                .filter(|position| selection.probabilities(book, *position, &mut probabilities));
            for (known, &probability) in known.iter().flat_map(|position| book.moves(*position)).zip(&probabilities) {
                if probability > 0.0 {
                    let next = chain.keys.len() as u32;
                    let to = *numbers.entry(known.child).or_insert(next);
                    if to == next {
                        chain.keys.push(known.child);
                        chain.parents.push(at as u32);
                        sides.push(side.opponent());
                    }
                    chain.steps.push(Step { to, played: known.played, probability });
                }
            }
            chain.first_steps.push(chain.steps.len() as u32);
            at += 1;
        }
        chain
    }

    /// The number of positions; the start is number 0.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no position, which never happens.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The key of a position.
    pub fn key(&self, node: u32) -> PositionKey {
        self.keys[node as usize]
    }

    /// The steps from a position; none if it is a leaving position.
    #[inline]
    pub fn steps(&self, node: u32) -> &[Step] {
        let place = node as usize;
        &self.steps[self.first_steps[place] as usize..self.first_steps[place + 1] as usize]
    }

    /// Whether the player to move has no book move.
    #[inline]
    pub fn is_leaving(&self, node: u32) -> bool {
        self.steps(node).is_empty()
    }

    /// The entropy of the next move in bits.
    pub(crate) fn step_entropy(&self, node: u32) -> f64 {
        entropy(self.steps(node).iter().map(|step| step.probability))
    }

    /// The moves of a shortest way from the start.
    pub fn line(&self, node: u32) -> Vec<GameMove> {
        let mut line = Vec::new();
        let mut at = node;
        while at != 0 {
            let parent = self.parents[at as usize];
            line.extend(self.steps(parent).iter().find(|step| step.to == at).map(|step| step.played));
            at = parent;
        }
        line.reverse();
        line
    }
}
