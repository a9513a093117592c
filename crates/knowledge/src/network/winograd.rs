//! Convolutions of 3x3 by the minimal filtering algorithm F(4x4, 3x3).
//!
//! A tile of 4x4 points takes 36 multiplications per pair of channels instead of 144: its window of 6x6 points and
//! the weights are transformed, multiplied number by number, and transformed back (Lavin and Gray, "Fast algorithms
//! for convolutional neural networks", 2015).

use pulp::{Arch, Simd, WithSimd};

use crate::network::file::Weights;
use crate::network::lanes::{Lanes, N_LANES, Plane, WIDTH, lanes_of, n_planes, n_registers, sources_of};
use crate::network::product::{Block, N_ROWS, Rows, multiply};

/// Numbers of a transformed window.
const N_FREQUENCIES: usize = 36;
const TILES_PER_LINE: usize = 5;
const TILE: usize = 4;
const WINDOW: usize = 6;

/// A convolution of 3x3 with its weights transformed.
pub struct Conv3 {
    n_in: usize,
    n_out: usize,
    weights: Vec<Block>,
    bias: Vec<Lanes>,
}

/// What is done with the result of a convolution.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// It replaces the output.
    Store,
    /// Negative numbers become zero.
    Relu,
    /// It is added to the output, and negative numbers become zero.
    AddRelu,
}

/// Room for transformed windows.
#[derive(Default)]
pub struct Windows {
    input: Vec<Rows>,
    output: Vec<Rows>,
}

impl Conv3 {
    /// Transforms the weights of a layer. The channels of each part of the output begin in a new plane.
    pub fn new(weights: &Weights, bias: &[f32], parts: &[usize]) -> Conv3 {
        let n_in = weights.shape[1];
        let sources = sources_of(parts);
        let (planes_in, planes_out) = (n_planes(n_in), sources.len());
        let mut blocks = vec![[Lanes::ZERO; N_LANES]; N_FREQUENCIES * planes_out * planes_in];
        for (plane, sources) in sources.iter().enumerate() {
            for channel in 0..n_in {
                let number = |place: usize| {
                    let number = |out: usize| weights.values[9 * (out * n_in + channel) + place];
                    sources.map(|source| source.map_or(0.0, number))
                };
                let transformed = transform_weights(&std::array::from_fn(number));
                for (frequency, numbers) in transformed.as_flattened().iter().enumerate() {
                    let block = (frequency * planes_out + plane) * planes_in + channel / N_LANES;
                    blocks[block][channel % N_LANES] = Lanes(*numbers);
                }
            }
        }
        Conv3 { n_in: planes_in, n_out: planes_out, weights: blocks, bias: lanes_of(bias, &sources) }
    }

    /// Convolves a board.
    pub fn apply(&self, arch: Arch, input: &[Plane], output: &mut [Plane], after: After, room: &mut Windows) {
        let output = &mut output[..self.n_out];
        let need = N_FREQUENCIES * self.n_in.max(self.n_out);
        if room.input.len() < need {
            room.input.resize(need, [Lanes::ZERO; N_ROWS]);
            room.output.resize(need, [Lanes::ZERO; N_ROWS]);
        }
        let windows = &mut room.input[..N_FREQUENCIES * self.n_in];
        let results = &mut room.output[..N_FREQUENCIES * self.n_out];
        arch.dispatch(TransformInput { input: &input[..self.n_in], windows });
        arch.dispatch(Multiply { conv: self, windows, results });
        arch.dispatch(TransformOutput { results, bias: &self.bias, output, after });
    }
}

/// The weights from one channel to sixteen: G g Gᵀ.
fn transform_weights(weights: &[[f32; N_LANES]; 9]) -> [[[f32; N_LANES]; WINDOW]; WINDOW] {
    let columns = [0, 1, 2].map(|x| weights_line([&weights[x], &weights[3 + x], &weights[6 + x]]));
    std::array::from_fn(|y| weights_line([&columns[0][y], &columns[1][y], &columns[2][y]]))
}

/// G g for one line of weights.
fn weights_line(g: [&[f32; N_LANES]; 3]) -> [[f32; N_LANES]; WINDOW] {
    let mut line = [[0.0; N_LANES]; WINDOW];
    for lane in 0..N_LANES {
        let [a, b, c] = g.map(|numbers| numbers[lane]);
        let (near_even, near_odd) = ((a + c) / -6.0, b / -6.0);
        let (far_even, far_odd) = (a / 24.0 + c / 6.0, b / 12.0);
        let numbers = [a / 4.0, near_even + near_odd, near_even - near_odd, far_even + far_odd, far_even - far_odd, c];
        for (line, number) in line.iter_mut().zip(numbers) {
            line[lane] = number;
        }
    }
    line
}

struct TransformInput<'a> {
    input: &'a [Plane],
    windows: &'a mut [Rows],
}

impl WithSimd for TransformInput<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let n_in = self.input.len();
        for (channels, plane) in self.input.iter().enumerate() {
            for tile in 0..N_ROWS {
                let corner = tile / TILES_PER_LINE * TILE * WIDTH + tile % TILES_PER_LINE * TILE;
                for v in 0..n_registers::<S>() {
                    let mut rows = [[simd.splat_f32s(0.0); WINDOW]; WINDOW];
                    for (y, row) in rows.iter_mut().enumerate() {
                        let line = &plane[corner + y * WIDTH..][..WINDOW];
                        *row = window_line(simd, std::array::from_fn(|x| line[x].registers::<S>()[v]));
                    }
                    let column = |x: usize| std::array::from_fn(|y| rows[y][x]);
                    for x in 0..WINDOW {
                        let column = window_line(simd, column(x));
                        for (y, value) in column.into_iter().enumerate() {
                            let block = (y * WINDOW + x) * n_in + channels;
                            self.windows[block][tile].registers_mut::<S>()[v] = value;
                        }
                    }
                }
            }
        }
    }
}

/// Bᵀ d for one line of a window.
#[inline(always)]
fn window_line<S: Simd>(simd: S, d: [S::f32s; WINDOW]) -> [S::f32s; WINDOW] {
    let times = |factor: f32, a, b| simd.mul_add_e_f32s(simd.splat_f32s(factor), a, b);
    let far_even = times(-4.0, d[2], d[4]);
    let far_odd = times(-4.0, d[1], d[3]);
    let near_even = simd.sub_f32s(d[4], d[2]);
    let near_odd = simd.sub_f32s(d[3], d[1]);
    [
        times(4.0, d[0], times(-5.0, d[2], d[4])),
        simd.add_f32s(far_even, far_odd),
        simd.sub_f32s(far_even, far_odd),
        times(2.0, near_odd, near_even),
        times(-2.0, near_odd, near_even),
        times(4.0, d[1], times(-5.0, d[3], d[5])),
    ]
}

struct Multiply<'a> {
    conv: &'a Conv3,
    windows: &'a [Rows],
    results: &'a mut [Rows],
}

impl WithSimd for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Conv3 { n_in, n_out, ref weights, .. } = *self.conv;
        let weights = weights.chunks_exact(n_in * n_out);
        let all = self.windows.chunks_exact(n_in).zip(weights).zip(self.results.chunks_exact_mut(n_out));
        for ((windows, weights), results) in all {
            multiply(simd, windows, weights, results);
        }
    }
}

struct TransformOutput<'a> {
    results: &'a [Rows],
    bias: &'a [Lanes],
    output: &'a mut [Plane],
    after: After,
}

impl WithSimd for TransformOutput<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let n_out = self.output.len();
        let zero = simd.splat_f32s(0.0);
        for (channels, plane) in self.output.iter_mut().enumerate() {
            for tile in 0..N_ROWS {
                let (top, left) = (tile / TILES_PER_LINE * TILE, tile % TILES_PER_LINE * TILE);
                for v in 0..n_registers::<S>() {
                    let mut rows = [[zero; TILE]; WINDOW];
                    for (y, row) in rows.iter_mut().enumerate() {
                        let numbers = std::array::from_fn(|x| {
                            self.results[(y * WINDOW + x) * n_out + channels][tile].registers::<S>()[v]
                        });
                        *row = tile_line(simd, numbers);
                    }
                    let bias = self.bias[channels].registers::<S>()[v];
                    let column = |x: usize| std::array::from_fn(|y| rows[y][x]);
                    for x in 0..TILE.min(19 - left) {
                        let column = tile_line(simd, column(x));
                        for (y, value) in column.into_iter().enumerate().take(19 - top) {
                            let place = (top + y + 1) * WIDTH + left + x + 1;
                            let place = &mut plane[place].registers_mut::<S>()[v];
                            let value = simd.add_f32s(value, bias);
                            *place = match self.after {
                                After::Store => value,
                                After::Relu => simd.max_f32s(value, zero),
                                After::AddRelu => simd.max_f32s(simd.add_f32s(value, *place), zero),
                            };
                        }
                    }
                }
            }
        }
    }
}

/// Aᵀ m for one line of a transformed window.
#[inline(always)]
fn tile_line<S: Simd>(simd: S, m: [S::f32s; WINDOW]) -> [S::f32s; TILE] {
    let times = |factor: f32, a, b| simd.mul_add_e_f32s(simd.splat_f32s(factor), a, b);
    let (near_even, near_odd) = (simd.add_f32s(m[1], m[2]), simd.sub_f32s(m[1], m[2]));
    let (far_even, far_odd) = (simd.add_f32s(m[3], m[4]), simd.sub_f32s(m[3], m[4]));
    [
        simd.add_f32s(m[0], simd.add_f32s(near_even, far_even)),
        times(2.0, far_odd, near_odd),
        times(4.0, far_even, near_even),
        simd.add_f32s(times(8.0, far_odd, near_odd), m[5]),
    ]
}

#[cfg(test)]
mod tests {
    use rand_mt::Mt64;

    use super::*;
    use crate::network::lanes::{empty_planes, place};
    use crate::network::product::tests::{ARCHITECTURES, random};
    use crate::network::view::N_POINTS;

    /// A sum over the nine points around each point, with zeros beyond the edges.
    fn directly(weights: &[f32], input: &[Vec<f32>], out: usize, point: usize) -> f32 {
        let mut sum = 0.0;
        for (channel, plane) in input.iter().enumerate() {
            for place in 0..9 {
                let (y, x) = (point / 19 + place / 3, point % 19 + place % 3);
                if (1..20).contains(&y) && (1..20).contains(&x) {
                    let weight = weights[9 * (out * input.len() + channel) + place];
                    sum += f64::from(weight) * f64::from(plane[(y - 1) * 19 + x - 1]);
                }
            }
        }
        sum as f32
    }

    #[track_caller]
    fn check(n_in: usize, parts: &[usize], after: After) {
        let mut rng = Mt64::new(7);
        let n_out = parts.iter().sum();
        let weights = Weights { shape: vec![n_out, n_in, 3, 3], values: random(&mut rng, 9 * n_out * n_in) };
        let bias = random(&mut rng, n_out);
        let numbers: Vec<Vec<f32>> = (0..n_in).map(|_| random(&mut rng, N_POINTS)).collect();
        let before = random(&mut rng, N_POINTS);
        let mut input = empty_planes(n_planes(n_in));
        for (channel, numbers) in numbers.iter().enumerate() {
            for (point, number) in numbers.iter().enumerate() {
                input[channel / N_LANES][place(point)].0[channel % N_LANES] = *number;
            }
        }
        let layer = Conv3::new(&weights, &bias, parts);
        let sources = sources_of(parts);
        let mut room = Windows::default();
        for arch in ARCHITECTURES {
            let mut output = empty_planes(sources.len());
            for plane in &mut output {
                (0..N_POINTS).for_each(|point| plane[place(point)] = Lanes([before[point]; N_LANES]));
            }
            layer.apply(arch(), &input, &mut output, after, &mut room);
            for (plane, sources) in output.iter().zip(&sources) {
                for (lane, out) in sources.iter().enumerate().filter_map(|(lane, out)| Some((lane, (*out)?))) {
                    for point in 0..N_POINTS {
                        let sum = bias[out] + directly(&weights.values, &numbers, out, point);
                        let expected = match after {
                            After::Store => sum,
                            After::Relu => sum.max(0.0),
                            After::AddRelu => (before[point] + sum).max(0.0),
                        };
                        let found = plane[place(point)].0[lane];
                        assert!((found - expected).abs() < 2e-4, "channel {out}, point {point}: {found}, {expected}");
                    }
                }
                let n_inside = (0..N_POINTS).map(place).map(|place| plane[place]).filter(|l| *l != Lanes::ZERO).count();
                let n_all = plane.iter().filter(|lanes| **lanes != Lanes::ZERO).count();
                assert_eq!(n_inside, n_all, "the border stays empty");
            }
        }
    }

    #[test]
    fn a_convolution_equals_the_sum_around_each_point() {
        check(16, &[16], After::Store);
        check(48, &[32], After::Relu);
        check(32, &[48], After::AddRelu);
    }

    #[test]
    fn channels_need_not_fill_planes() {
        check(24, &[12, 4], After::Store);
        check(3, &[17], After::Relu);
        check(1, &[1], After::AddRelu);
    }
}
