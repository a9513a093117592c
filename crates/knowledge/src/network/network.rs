//! A network, ready to be asked.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rten::{Model, NodeId, RunOptions, ThreadPool};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use crate::network::file::{NetworkFile, NetworkFileError};
use crate::network::onnx::{INPUT, OUTPUTS, to_onnx};
use crate::network::view::{N_PLANES, N_POINTS, View};

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
    model: Model,
    input: NodeId,
    outputs: [NodeId; 4],
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
        let mut options = rten::ModelOptions::with_all_ops();
        options.prepack_weights(true);
        let model = options.load(to_onnx(file)).expect("the graph is one that the engine knows");
        let node = |name: &str| model.node_id(name).expect("the graph has this value");
        Network {
            name: file.name.clone(),
            checksum: file.checksum,
            lead_scale: file.lead_scale,
            input: node(INPUT),
            outputs: OUTPUTS.map(node),
            model,
        }
    }

    /// The name and the checksum: what distinguishes its answers from those of other networks.
    pub fn identity(&self) -> String {
        format!("network {} {:016x}", self.name, self.checksum)
    }

    /// A worker for one thread.
    pub fn worker(&self) -> NetworkWorker<'_> {
        NetworkWorker { network: self, pool: Arc::new(ThreadPool::with_num_threads(1)) }
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.identity())
    }
}

/// A network at work in one thread.
pub struct NetworkWorker<'n> {
    network: &'n Network,
    pool: Arc<ThreadPool>,
}

impl NetworkWorker<'_> {
    /// Evaluates positions, one after the other in one call of the inference engine.
    pub fn evaluate(&self, views: &[View]) -> Vec<NetworkAnswer> {
        if views.is_empty() {
            return Vec::new();
        }
        let n = views.len();
        let mut planes = vec![0.0; n * N_PLANES * N_POINTS];
        for (view, planes) in views.iter().zip(planes.chunks_exact_mut(N_PLANES * N_POINTS)) {
            view.write_planes(planes);
        }
        let planes = NdTensor::from_data([n, N_PLANES, 19, 19], planes);
        let options = RunOptions::default().with_thread_pool(Some(self.pool.clone()));
        let network = self.network;
        let found = network.model.run_n(vec![(network.input, planes.into())], network.outputs, Some(options));
        let found = found.expect("the graph accepts positions");
        let [points, passes, values, ownership] = found.map(|value| {
            let tensor: rten_tensor::Tensor<f32> = value.try_into().expect("the graph computes floats");
            tensor.to_vec()
        });
        (0..n)
            .map(|i| {
                let moves = |kind: usize| {
                    let at = (2 * i + kind) * N_POINTS;
                    let mut logits = points[at..at + N_POINTS].to_vec();
                    logits.push(passes[2 * i + kind]);
                    logits
                };
                let value = &values[3 * i..3 * i + 3];
                NetworkAnswer {
                    human: moves(0),
                    strong: moves(1),
                    win_rate: 1.0 / (1.0 + f64::from(-value[0]).exp()),
                    lead: f64::from(value[2]) * network.lead_scale,
                    ownership: ownership[i * N_POINTS..(i + 1) * N_POINTS].iter().map(|own| own.tanh()).collect(),
                }
            })
            .collect()
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
    use tejun_games::GameRecord;

    use super::*;
    use crate::network::naive;

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
