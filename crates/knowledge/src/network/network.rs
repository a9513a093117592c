//! A network, ready to be asked.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pulp::Arch;

use crate::network::file::{NetworkFile, NetworkFileError};
use crate::network::inference::{Layers, Outputs, Room};
use crate::network::view::{N_POINTS, View};

/// The file of the network that comes with the program; `data/network.json` says how it was made.
pub(crate) static BUILT_IN: &[u8] = include_bytes!("../../data/network.bin");

/// A neural network for positions on boards with 19 lines.
///
/// Answers depend only on the position: not on the batch, the thread or earlier questions.
///
/// ```
/// use tejun_games::GameRecord;
/// use tejun_games::go::Color;
/// use tejun_knowledge::network::{Network, View};
///
/// let game = GameRecord::parse("(;SZ[19]KM[6.5];B[pd];W[dp];B[pp])")?;
/// let view = View::of(&game.moves, &game.board_before(3), Color::White, 6.5);
/// let answer = &Network::built_in().worker().evaluate(&[view])[0];
/// assert!(0.3 < answer.win_rate && answer.win_rate < 0.7);
/// # Ok::<(), tejun_games::Rejection>(())
/// ```
pub struct Network {
    name: String,
    checksum: u64,
    lead_scale: f64,
    layers: Layers,
}

/// What a network says about a position, from the perspective of the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkAnswer {
    /// Logits of the moves of human players: the points row by row, then the pass.
    pub human: Vec<f32>,
    /// Logits of the moves of a strong engine.
    pub strong: Vec<f32>,
    /// The win rate of a strong engine, from 0 to 1.
    pub win_rate: f64,
    /// The lead in points.
    pub lead: f64,
    /// For each point who will own it at the end: 1 for the side to move, -1 for the other side.
    pub ownership: Vec<f32>,
}

/// Why a network could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file can't be read.
    #[error("{}: could not read the network", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// It is not a usable network.
    #[error("{}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: NetworkFileError,
    },
}

/// The file of the network that comes with the program, read.
pub fn built_in_file() -> NetworkFile {
    NetworkFile::parse(BUILT_IN).expect("the program was built with it")
}

impl NetworkFile {
    /// Reads the file of a network.
    ///
    /// # Errors
    /// If it can't be read, or is not a whole, unchanged network of this version.
    pub fn open(path: &Path) -> Result<NetworkFile, NetworkError> {
        let bytes = std::fs::read(path).map_err(|source| NetworkError::Read { path: path.into(), source })?;
        NetworkFile::parse(&bytes).map_err(|source| NetworkError::File { path: path.into(), source })
    }
}

impl Network {
    /// The network that comes with the program.
    pub fn built_in() -> Arc<Network> {
        static NETWORK: OnceLock<Arc<Network>> = OnceLock::new();
        let open = || Arc::new(Network::new(&built_in_file()));
        NETWORK.get_or_init(open).clone()
    }

    /// Opens the file of a network.
    ///
    /// # Errors
    /// If it can't be read, or is not a whole, unchanged network of this version.
    pub fn open(path: &Path) -> Result<Network, NetworkError> {
        Ok(Network::new(&NetworkFile::open(path)?))
    }

    /// Prepares a network that was read.
    pub fn new(file: &NetworkFile) -> Network {
        Network {
            name: file.name.clone(),
            checksum: file.checksum,
            lead_scale: file.lead_scale,
            layers: Layers::new(file, Arch::new()),
        }
    }

    /// The name and the checksum: what distinguishes its answers from those of other networks.
    pub fn identity(&self) -> String {
        format!("network {} {:016x}", self.name, self.checksum)
    }

    fn answer(&self, outputs: Outputs) -> NetworkAnswer {
        let Outputs { moves: [human, strong], values: [win_logit, _, lead], mut ownership } = outputs;
        ownership.iter_mut().for_each(|own| *own = own.tanh());
        NetworkAnswer {
            human,
            strong,
            win_rate: 1.0 / (1.0 + f64::from(-win_logit).exp()),
            lead: f64::from(lead) * self.lead_scale,
            ownership,
        }
    }

    /// A worker for one thread.
    pub fn worker(&self) -> NetworkWorker<'_> {
        NetworkWorker { network: self, room: Mutex::new(self.layers.room()) }
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.identity())
    }
}

/// A network at work in one thread. Threads can share it, but then they wait for each other.
pub struct NetworkWorker<'n> {
    network: &'n Network,
    room: Mutex<Room>,
}

impl NetworkWorker<'_> {
    /// Evaluates positions, one after the other.
    pub fn evaluate(&self, views: &[View]) -> Vec<NetworkAnswer> {
        // The room holds nothing that the next position relies on, so that a panic leaves it usable.
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        views.iter().map(|view| self.network.answer(self.network.layers.evaluate(view, &mut room))).collect()
    }

    /// Evaluates one position as the mean over its eight rotations and reflections.
    pub fn evaluate_symmetric(&self, view: &View) -> NetworkAnswer {
        let views: Vec<View> = (0..N_SYMMETRIES).map(|symmetry| view.turned(symmetry)).collect();
        let answers = self.evaluate(&views);
        let mut mean = NetworkAnswer {
            human: vec![0.0; N_POINTS + 1],
            strong: vec![0.0; N_POINTS + 1],
            win_rate: 0.0,
            lead: 0.0,
            ownership: vec![0.0; N_POINTS],
        };
        let share = 1.0 / N_SYMMETRIES as f32;
        let add = |sums: &mut [f32], values: &[f32]| {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += share * value);
        };
        for (symmetry, answer) in answers.into_iter().enumerate() {
            let answer = answer.turned_back(symmetry);
            add(&mut mean.human, &answer.human);
            add(&mut mean.strong, &answer.strong);
            add(&mut mean.ownership, &answer.ownership);
            mean.win_rate += f64::from(share) * answer.win_rate;
            mean.lead += f64::from(share) * answer.lead;
        }
        mean
    }
}

impl NetworkAnswer {
    /// The answer about a position, from the answer about [`View::turned`].
    pub fn turned_back(self, symmetry: usize) -> NetworkAnswer {
        let places = places_after(symmetry);
        let back = |values: &[f32]| {
            let points = places.iter().map(|&to| values[to]);
            points.chain(values[N_POINTS..].iter().copied()).collect()
        };
        NetworkAnswer { human: back(&self.human), strong: back(&self.strong), ownership: back(&self.ownership), ..self }
    }
}

/// Rotations and reflections of a board.
pub const N_SYMMETRIES: usize = 8;

/// Where each point goes.
pub(crate) fn places_after(symmetry: usize) -> Vec<usize> {
    let turn = |point: usize| {
        let (mut x, mut y) = (point % 19, point / 19);
        if symmetry & 1 != 0 {
            x = 18 - x;
        }
        if symmetry & 2 != 0 {
            y = 18 - y;
        }
        if symmetry & 4 != 0 {
            (x, y) = (y, x);
        }
        y * 19 + x
    };
    (0..N_POINTS).map(turn).collect()
}

#[cfg(test)]
mod tests {
    use rand_mt::Mt64;
    use tejun_games::GameRecord;

    use super::*;
    use crate::network::file::{NetworkShape, Weights};
    use crate::network::naive;
    use crate::network::product::tests::random;

    fn views() -> Vec<View> {
        let sgf = "(;SZ[19]KM[6.5];B[pd];W[dp];B[pp];W[dd];B[fq];W[cn];B[jp];W[qf];B[nc];W[rd];B[qh];W[qc])";
        let game = GameRecord::parse(sgf).expect("a game");
        (0..12)
            .step_by(5)
            .map(|n| View::of(&game.moves[..n], &game.board_before(n), game.moves[n].color, 6.5))
            .collect()
    }

    fn difference(a: &NetworkAnswer, b: &NetworkAnswer) -> f32 {
        let pairs = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        let values = [(a.win_rate - b.win_rate) as f32, (a.lead - b.lead) as f32 / 20.0];
        let logits = pairs(&a.human, &b.human).max(pairs(&a.strong, &b.strong));
        values.iter().fold(logits.max(pairs(&a.ownership, &b.ownership)), |most, value| most.max(value.abs()))
    }

    #[test]
    fn answers_equal_those_of_the_same_layers_computed_naively() {
        let file = NetworkFile::parse(BUILT_IN).expect("a network");
        let view = &views()[2];
        let found = &Network::new(&file).worker().evaluate(std::slice::from_ref(view))[0];
        let difference = difference(found, &naive::evaluate(&file, view));
        assert!(difference < 2e-3, "differs by {difference}");
    }

    #[test]
    fn networks_of_any_size_are_computed() {
        let shape = NetworkShape { n_blocks: 3, channels: 21, head: 5, hidden: 3 };
        let mut rng = Mt64::new(5);
        let weights = shape.layout().into_iter().map(|(name, shape)| {
            let values = random(&mut rng, shape.iter().product()).into_iter().map(|value| value / 8.0).collect();
            (name, Weights { shape, values })
        });
        let weights = weights.collect();
        let file = NetworkFile { name: "small".into(), shape, lead_scale: 20.0, checksum: 0, weights };
        for view in views() {
            let found = &Network::new(&file).worker().evaluate(std::slice::from_ref(&view))[0];
            let difference = difference(found, &naive::evaluate(&file, &view));
            assert!(difference < 1e-4, "differs by {difference}");
        }
    }

    #[test]
    fn answers_do_not_depend_on_the_batch_or_the_worker() {
        let network = Network::built_in();
        let together = network.worker().evaluate(&views());
        for (view, expected) in views().iter().zip(&together) {
            assert_eq!(&network.worker().evaluate(std::slice::from_ref(view))[0], expected);
        }
    }

    #[test]
    fn a_symmetric_answer_is_that_of_the_turned_position_turned_back() {
        let worker = Network::built_in().clone();
        let worker = worker.worker();
        let view = &views()[1];
        let straight = worker.evaluate_symmetric(view);
        let turned = worker.evaluate_symmetric(&view.turned(5));
        assert!((straight.win_rate - turned.win_rate).abs() < 1e-4);
        for (from, &to) in places_after(5).iter().enumerate() {
            assert!((straight.human[from] - turned.human[to]).abs() < 1e-3, "point {from}");
        }
    }
}
