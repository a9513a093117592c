//! The network as an ONNX graph, which inference engines read.
//!
//! Only the few messages of ONNX that the network needs are written, by the rules of Protocol Buffers.

use crate::network::file::NetworkFile;
use crate::network::view::N_PLANES;

/// The input of the graph: the planes of any number of positions.
pub const INPUT: &str = "planes";
/// The outputs: moves on points, passes, win rate with result and lead, ownership.
pub const OUTPUTS: [&str; 4] = ["points", "passes", "values", "ownership"];

/// Kinds of elements and attributes, and the version of the operators, in the numbers of ONNX.
const FLOAT: u64 = 1;
const INT64: u64 = 7;
const ATTRIBUTE_INT: u64 = 2;
const ATTRIBUTE_INTS: u64 = 7;
const OPSET: u64 = 17;
const IR_VERSION: u64 = 8;

/// A message of Protocol Buffers.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn number(mut self, field: u64, value: u64) -> Message {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Message {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn message(self, field: u64, message: &Message) -> Message {
        self.bytes(field, &message.0)
    }
}

/// A graph while it is written.
struct Graph<'f> {
    file: &'f NetworkFile,
    message: Message,
    n_values: usize,
}

impl Graph<'_> {
    fn new_value(&mut self) -> String {
        self.n_values += 1;
        format!("v{}", self.n_values)
    }

    fn node(&mut self, operator: &str, inputs: &[&str], attributes: &[Message]) -> String {
        let output = self.new_value();
        self.node_to(operator, inputs, &output, attributes);
        output
    }

    fn node_to(&mut self, operator: &str, inputs: &[&str], output: &str, attributes: &[Message]) {
        let mut node = Message::default();
        for input in inputs {
            node = node.bytes(1, input.as_bytes());
        }
        node = node.bytes(2, output.as_bytes()).bytes(3, output.as_bytes()).bytes(4, operator.as_bytes());
        for attribute in attributes {
            node = node.message(5, attribute);
        }
        self.message = std::mem::take(&mut self.message).message(1, &node);
    }

    fn tensor(&mut self, name: &str, kind: u64, shape: &[usize], raw: &[u8]) {
        let mut tensor = Message::default();
        for &size in shape {
            tensor = tensor.number(1, size as u64);
        }
        let tensor = tensor.number(2, kind).bytes(8, name.as_bytes()).bytes(9, raw);
        self.message = std::mem::take(&mut self.message).message(5, &tensor);
    }

    fn integers(&mut self, values: &[i64]) -> String {
        let name = self.new_value();
        let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.tensor(&name, INT64, &[values.len()], &raw);
        name
    }

    /// A convolution with the weights of this name; dense layers are convolutions of a board with one point.
    fn conv(&mut self, name: &str, input: &str) -> String {
        let output = self.new_value();
        self.conv_to(name, input, &output);
        output
    }

    fn conv_to(&mut self, name: &str, input: &str, output: &str) {
        let names = ["weight", "bias"].map(|part| format!("{name}.{part}"));
        let mut size = 1;
        for name in &names {
            let weights = &self.file.weights[name];
            let raw: Vec<u8> = weights.values.iter().flat_map(|value| value.to_le_bytes()).collect();
            let mut shape = weights.shape.clone();
            if shape.len() == 2 {
                shape.extend([1, 1]);
            }
            size = shape.last().copied().filter(|_| shape.len() == 4).unwrap_or(size);
            self.tensor(name, FLOAT, &shape, &raw);
        }
        let kernel = ints("kernel_shape", &[size as u64; 2]);
        let pads = ints("pads", &[size as u64 / 2; 4]);
        self.node_to("Conv", &[input, &names[0], &names[1]], output, &[kernel, pads]);
    }

    fn relu(&mut self, input: &str) -> String {
        self.node("Relu", &[input], &[])
    }

    fn add(&mut self, a: &str, b: &str) -> String {
        self.node("Add", &[a, b], &[])
    }

    /// The channels from one number to another.
    fn channels(&mut self, input: &str, from: usize, to: usize) -> String {
        let bounds = [from, to, 1].map(|number| self.integers(&[number as i64]));
        self.node("Slice", &[input, &bounds[0], &bounds[1], &bounds[2]], &[])
    }

    /// The mean and the maximum of each channel over the board.
    fn pool(&mut self, input: &str) -> String {
        let over = || [ints("axes", &[2, 3]), int("keepdims", 1)];
        let mean = self.node("ReduceMean", &[input], &over());
        let max = self.node("ReduceMax", &[input], &over());
        self.node("Concat", &[&mean, &max], &[int("axis", 1)])
    }

    fn block(&mut self, number: usize, input: &str) -> String {
        let channels = self.file.shape.channels;
        let pooled = self.file.shape.pooled(number);
        let mut y = self.conv(&format!("blocks.{number}.first"), input);
        if pooled > 0 {
            let local = self.channels(&y, 0, channels - pooled);
            let board = self.channels(&y, channels - pooled, channels);
            let board = self.relu(&board);
            let board = self.pool(&board);
            let spread = self.conv(&format!("blocks.{number}.spread"), &board);
            y = self.add(&local, &spread);
        }
        let y = self.relu(&y);
        let y = self.conv(&format!("blocks.{number}.second"), &y);
        let sum = self.add(input, &y);
        self.relu(&sum)
    }
}

fn int(name: &str, value: u64) -> Message {
    Message::default().bytes(1, name.as_bytes()).number(3, value).number(20, ATTRIBUTE_INT)
}

fn ints(name: &str, values: &[u64]) -> Message {
    let mut message = Message::default().bytes(1, name.as_bytes());
    for &value in values {
        message = message.number(8, value);
    }
    message.number(20, ATTRIBUTE_INTS)
}

/// A value of the graph that callers see; `sizes` are its dimensions after the number of positions.
fn value(name: &str, sizes: &[usize]) -> Message {
    let positions = Message::default().bytes(2, b"n");
    let mut shape = Message::default().message(1, &positions);
    for &size in sizes {
        shape = shape.message(1, &Message::default().number(1, size as u64));
    }
    let tensor = Message::default().number(1, FLOAT).message(2, &shape);
    Message::default().bytes(1, name.as_bytes()).message(2, &Message::default().message(1, &tensor))
}

/// The bytes of an ONNX file with the network: `planes` in, `points`, `passes`, `values`
/// and `ownership` out, all in 32-bit floating point.
pub fn to_onnx(file: &NetworkFile) -> Vec<u8> {
    let head = file.shape.head;
    let mut graph = Graph { file, message: Message::default(), n_values: 0 };
    let x = graph.conv("enter", INPUT);
    let mut x = graph.relu(&x);
    for number in 0..file.shape.n_blocks {
        x = graph.block(number, &x);
    }
    let policy = graph.conv("policy", &x);
    let local = graph.channels(&policy, 0, head);
    let board = graph.channels(&policy, head, 2 * head);
    let board = graph.relu(&board);
    let board = graph.pool(&board);
    let spread = graph.conv("policy_spread", &board);
    let local = graph.add(&local, &spread);
    let local = graph.relu(&local);
    graph.conv_to("policy_points", &local, OUTPUTS[0]);
    graph.conv_to("policy_pass", &board, OUTPUTS[1]);
    let v = graph.conv("value", &x);
    let v = graph.relu(&v);
    let pooled = graph.pool(&v);
    let hidden = graph.conv("value_hidden", &pooled);
    let hidden = graph.relu(&hidden);
    graph.conv_to("value_out", &hidden, OUTPUTS[2]);
    graph.conv_to("ownership", &v, OUTPUTS[3]);
    let mut message = graph.message.bytes(2, file.name.as_bytes()).message(11, &value(INPUT, &[N_PLANES, 19, 19]));
    let sizes: [&[usize]; 4] = [&[2, 19, 19], &[2, 1, 1], &[3, 1, 1], &[1, 19, 19]];
    for (name, sizes) in OUTPUTS.iter().zip(sizes) {
        message = message.message(12, &value(name, sizes));
    }
    let opset = Message::default().bytes(1, b"").number(2, OPSET);
    Message::default().number(1, IR_VERSION).bytes(2, b"tejun").message(7, &message).message(8, &opset).0
}
