//! A search for boards of any size: with a network where it knows the board, by playouts elsewhere.

use std::time::Duration;

use tejun_games::go::BoardSize;

use crate::evaluation::{Evaluation, EvaluationError, Evaluator, Question};
use crate::search::{NetworkSearch, Search, TreeSearch};

/// Searches with a network on boards with 19 lines, and by playouts on all others.
pub struct AnySizeSearch<'m> {
    network: NetworkSearch<'m>,
    playouts: Search<'m>,
    identity: String,
    /// Whether the last position was searched with the network.
    used_network: bool,
}

impl<'m> AnySizeSearch<'m> {
    /// Chooses between these two.
    pub fn new(network: NetworkSearch<'m>, playouts: Search<'m>) -> AnySizeSearch<'m> {
        let identity = format!("{}; {}", network.identity(), playouts.identity());
        AnySizeSearch { network, playouts, identity, used_network: true }
    }
}

impl TreeSearch for AnySizeSearch<'_> {
    fn search(&mut self, question: &Question<'_>) -> (Evaluation, u32) {
        self.used_network = question.board.size() == BoardSize::NINETEEN;
        if self.used_network { self.network.search(question) } else { TreeSearch::search(&mut self.playouts, question) }
    }

    fn set_limits(&mut self, n_visits: u32, time: Option<Duration>) {
        self.network.set_limits(n_visits, time);
        self.playouts.set_limits(n_visits, time);
    }

    fn owners(&self) -> &[f64] {
        if self.used_network { self.network.owners() } else { self.playouts.owners() }
    }
}

impl Evaluator for AnySizeSearch<'_> {
    fn identity(&self) -> &str {
        &self.identity
    }

    /// Each kind of search with its own number of visits.
    fn evaluate(&mut self, question: &Question<'_>) -> Result<Evaluation, EvaluationError> {
        Ok(self.search(question).0)
    }
}
