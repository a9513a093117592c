//! The layers of a network in order, from the planes of a position to the answers.

use pulp::Arch;

use crate::network::file::{NetworkFile, NetworkShape};
use crate::network::lanes::{N_LANES, Plane, empty_planes, n_planes, place};
use crate::network::layers::{Conv1, Dense, add_and_relu, channel, pool, relu};
use crate::network::view::{N_PLANES, N_POINTS, View};
use crate::network::winograd::{After, Conv3, Windows};

/// All layers, with their weights arranged for the computation.
pub struct Layers {
    arch: Arch,
    shape: NetworkShape,
    enter: Conv3,
    blocks: Vec<Block>,
    policy: Conv1,
    policy_spread: Dense,
    policy_points: Conv1,
    policy_pass: Dense,
    value: Conv1,
    value_hidden: Dense,
    value_out: Dense,
    ownership: Conv1,
}

/// A residual block.
struct Block {
    /// Channels that the second convolution sees.
    local: usize,
    /// Channels that are pooled over the board.
    pooled: usize,
    first: Conv3,
    spread: Option<Dense>,
    second: Conv3,
}

/// Boards between the layers, kept from one position to the next.
pub struct Room {
    numbers: Vec<f32>,
    input: Vec<Plane>,
    x: Vec<Plane>,
    y: Vec<Plane>,
    head: Vec<Plane>,
    outputs: Vec<Plane>,
    windows: Windows,
}

/// What the last layers say.
pub struct Outputs {
    /// Logits of points, then of the pass, for both kinds of players.
    pub moves: [Vec<f32>; 2],
    /// Win rate of the engine, result of the game, lead.
    pub values: [f32; 3],
    /// Owner of each point.
    pub ownership: Vec<f32>,
}

impl Layers {
    /// Arranges the weights of a network for a machine.
    pub fn new(file: &NetworkFile, arch: Arch) -> Layers {
        let NetworkShape { n_blocks, channels, head, .. } = file.shape;
        let weights = |name: &str| &file.weights[&format!("{name}.weight")];
        let bias = |name: &str| file.weights[&format!("{name}.bias")].values.as_slice();
        let conv3 = |name: &str, parts: &[usize]| Conv3::new(weights(name), bias(name), parts);
        let conv1 = |name: &str, parts: &[usize]| Conv1::new(weights(name), bias(name), parts);
        let dense = |name: &str| Dense::new(weights(name), bias(name));
        let block = |number: usize| {
            let pooled = file.shape.pooled(number);
            let local = channels - pooled;
            Block {
                local,
                pooled,
                first: conv3(&format!("blocks.{number}.first"), &[local, pooled]),
                spread: (pooled > 0).then(|| dense(&format!("blocks.{number}.spread"))),
                second: conv3(&format!("blocks.{number}.second"), &[channels]),
            }
        };
        Layers {
            arch,
            shape: file.shape,
            enter: conv3("enter", &[channels]),
            blocks: (0..n_blocks).map(block).collect(),
            policy: conv1("policy", &[head, head]),
            policy_spread: dense("policy_spread"),
            policy_points: conv1("policy_points", &[2]),
            policy_pass: dense("policy_pass"),
            value: conv1("value", &[head]),
            value_hidden: dense("value_hidden"),
            value_out: dense("value_out"),
            ownership: conv1("ownership", &[1]),
        }
    }

    /// Room for the boards between the layers.
    pub fn room(&self) -> Room {
        let NetworkShape { channels, head, .. } = self.shape;
        Room {
            numbers: vec![0.0; N_PLANES * N_POINTS],
            input: empty_planes(n_planes(N_PLANES)),
            x: empty_planes(n_planes(channels)),
            // A block that pools has two parts, each of which may leave lanes empty.
            y: empty_planes(n_planes(channels) + 1),
            head: empty_planes(2 * n_planes(head)),
            outputs: empty_planes(1),
            windows: Windows::default(),
        }
    }

    /// Computes all layers for one position.
    pub fn evaluate(&self, view: &View, room: &mut Room) -> Outputs {
        let arch = self.arch;
        let Room { numbers, input, x, y, head, outputs, windows } = room;
        view.write_planes(numbers);
        for (number, plane) in numbers.chunks_exact(N_POINTS).enumerate() {
            for (point, value) in plane.iter().enumerate() {
                input[number / N_LANES][place(point)].0[number % N_LANES] = *value;
            }
        }
        self.enter.apply(arch, input, x, After::Relu, windows);
        for block in &self.blocks {
            block.apply(arch, x, y, windows);
        }
        let moves = self.moves(x, head, outputs);
        self.value.apply(arch, x, head);
        let mut hidden = self.value_hidden.apply(&pool(head, self.shape.head));
        relu(&mut hidden);
        let values = self.value_out.apply(&hidden);
        add_and_relu(head, &vec![0.0; self.shape.head]);
        self.ownership.apply(arch, head, outputs);
        Outputs { moves, values: [values[0], values[1], values[2]], ownership: channel(outputs, 0).collect() }
    }

    fn moves(&self, x: &[Plane], head: &mut [Plane], outputs: &mut [Plane]) -> [Vec<f32>; 2] {
        self.policy.apply(self.arch, x, head);
        let (local, board) = head.split_at_mut(n_planes(self.shape.head));
        let board = pool(board, self.shape.head);
        add_and_relu(local, &self.policy_spread.apply(&board));
        self.policy_points.apply(self.arch, local, outputs);
        let passes = self.policy_pass.apply(&board);
        [0, 1].map(|kind| channel(outputs, kind).chain([passes[kind]]).collect())
    }
}

impl Block {
    /// Adds to the boards what the block makes of them; `y` is for the boards between its convolutions.
    fn apply(&self, arch: Arch, x: &mut [Plane], y: &mut [Plane], windows: &mut Windows) {
        match &self.spread {
            None => self.first.apply(arch, x, y, After::Relu, windows),
            Some(spread) => {
                self.first.apply(arch, x, y, After::Store, windows);
                let (local, board) = y.split_at_mut(n_planes(self.local));
                add_and_relu(local, &spread.apply(&pool(board, self.pooled)));
            }
        }
        self.second.apply(arch, y, x, After::AddRelu, windows);
    }
}
