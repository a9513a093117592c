//! How positions are searched.

use std::time::Duration;

use crate::search::playout::PlayoutPolicy;

/// How a position is searched.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    /// Playouts per position.
    pub n_playouts: u32,
    /// Ends the search earlier; answers then depend on the machine.
    pub time: Option<Duration>,
    /// Threads that search one position together. With one, the same seed gives the same answer.
    pub n_threads: usize,
    /// The random seed.
    pub seed: u64,
    /// The rules of playouts.
    pub policy: PlayoutPolicy,
    /// The number of playouts through a move before its answers are added to the tree.
    pub expansion: u32,
    /// The factor c of c * sqrt(ln n / n_i), which looks at moves that were tried less; UCB1 has the root of 2.
    pub exploration: f64,
    /// The number of visits at which the later moves of playouts count as much as the visits; `None` ignores them.
    pub late_moves: Option<f64>,
    /// The factor c of c * p * sqrt(n) / (1 + n_i), which looks at likely moves first.
    pub prior: f64,
    /// The minimum number of visits per legal move, if there are enough playouts.
    pub min_visits: u32,
    /// The minimum share of playouts for the move that was played; visits that it got only for this reason are not
    /// counted.
    pub played_share: f64,
    /// Whether a search reuses what the last one found in the same game.
    pub reuse: Reuse,
    /// Room for the tree, in nodes of 32 bytes.
    pub max_nodes: usize,
}

/// Whether a search reuses the tree of the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// It does, if the game has continued.
    OfTheGame,
    /// Every position is searched from scratch, so that answers do not depend on earlier questions.
    Never,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            n_playouts: 1_500,
            time: None,
            n_threads: 1,
            seed: 1,
            policy: PlayoutPolicy::Heavy,
            expansion: 8,
            exploration: 0.0,
            late_moves: Some(1_000.0),
            prior: 0.7,
            min_visits: 0,
            played_share: 0.1,
            reuse: Reuse::Never,
            max_nodes: 4_000_000,
        }
    }
}

impl SearchOptions {
    /// Everything that affects answers, and the name of the prior.
    pub(crate) fn identity(&self, prior_name: &str) -> String {
        let what = SearchOptions { max_nodes: 0, ..self.clone() };
        format!("tejun search {} {what:?} {prior_name}", env!("CARGO_PKG_VERSION"))
    }

    /// Plain UCT, as the paper describes it: UCB1, and playouts without knowledge.
    pub fn plain() -> SearchOptions {
        SearchOptions {
            policy: PlayoutPolicy::Light,
            exploration: std::f64::consts::SQRT_2,
            late_moves: None,
            prior: 0.0,
            played_share: 0.0,
            ..SearchOptions::default()
        }
    }
}
