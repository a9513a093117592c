//! The layers beside the convolutions of 3x3: single points, whole boards and lists of numbers.

use pulp::{Arch, Simd, WithSimd};

use crate::network::file::Weights;
use crate::network::lanes::{Lanes, N_LANES, Plane, lanes_of, n_planes, place, sources_of};
use crate::network::product::{Block, N_ROWS, Rows, multiply};
use crate::network::view::N_POINTS;

/// A convolution of 1x1: the same product at every point.
pub struct Conv1 {
    n_in: usize,
    weights: Vec<Block>,
    bias: Vec<Lanes>,
}

impl Conv1 {
    /// Arranges the weights of a layer. The channels of each part of the output begin in a new plane.
    pub fn new(weights: &Weights, bias: &[f32], parts: &[usize]) -> Conv1 {
        let n_in = weights.shape[1];
        let sources = sources_of(parts);
        let planes_in = n_planes(n_in);
        let mut blocks = vec![[Lanes::ZERO; N_LANES]; sources.len() * planes_in];
        for (blocks, sources) in blocks.chunks_exact_mut(planes_in).zip(&sources) {
            for channel in 0..n_in {
                let number = |out: usize| weights.values[out * n_in + channel];
                blocks[channel / N_LANES][channel % N_LANES] = Lanes(sources.map(|source| source.map_or(0.0, number)));
            }
        }
        Conv1 { n_in: planes_in, weights: blocks, bias: lanes_of(bias, &sources) }
    }

    /// Computes all points of a board.
    pub fn apply(&self, arch: Arch, input: &[Plane], output: &mut [Plane]) {
        arch.dispatch(Multiply { conv: self, input: &input[..self.n_in], output: &mut output[..self.bias.len()] });
    }
}

struct Multiply<'a> {
    conv: &'a Conv1,
    input: &'a [Plane],
    output: &'a mut [Plane],
}

impl WithSimd for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let mut rows: Vec<Rows> = vec![[Lanes::ZERO; N_ROWS]; self.input.len()];
        let mut sums: Vec<Rows> = vec![[Lanes::ZERO; N_ROWS]; self.output.len()];
        for first in (0..N_POINTS).step_by(N_ROWS) {
            let points = first..N_POINTS.min(first + N_ROWS);
            for (rows, plane) in rows.iter_mut().zip(self.input) {
                rows.iter_mut().zip(points.clone()).for_each(|(row, point)| *row = plane[place(point)]);
            }
            multiply(simd, &rows, &self.conv.weights, &mut sums);
            for ((sums, plane), bias) in sums.iter().zip(self.output.iter_mut()).zip(&self.conv.bias) {
                for (sum, point) in sums.iter().zip(points.clone()) {
                    plane[place(point)] = Lanes(std::array::from_fn(|lane| sum.0[lane] + bias.0[lane]));
                }
            }
        }
    }
}

/// A layer from each number of a list to each of another.
pub struct Dense {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Dense {
    /// The layer with these weights.
    pub fn new(weights: &Weights, bias: &[f32]) -> Dense {
        Dense { weights: weights.values.clone(), bias: bias.to_vec() }
    }

    /// Computes the numbers of the output.
    pub fn apply(&self, input: &[f32]) -> Vec<f32> {
        let rows = self.weights.chunks_exact(input.len()).zip(&self.bias);
        rows.map(|(row, bias)| bias + row.iter().zip(input).map(|(weight, x)| weight * x).sum::<f32>()).collect()
    }
}

/// Makes negative numbers zero.
pub fn relu(numbers: &mut [f32]) {
    numbers.iter_mut().for_each(|number| *number = number.max(0.0));
}

/// The mean of each channel over the board, then the maximum of each; negative numbers count as zero.
pub fn pool(planes: &[Plane], channels: usize) -> Vec<f32> {
    let mut pooled = vec![0.0; 2 * channels];
    let (means, maxima) = pooled.split_at_mut(channels);
    let chunks = means.chunks_mut(N_LANES).zip(maxima.chunks_mut(N_LANES));
    for (plane, (means, maxima)) in planes.iter().zip(chunks) {
        let (mut sum, mut max) = ([0.0_f32; N_LANES], [0.0_f32; N_LANES]);
        for point in 0..N_POINTS {
            for (lane, number) in plane[place(point)].0.iter().enumerate() {
                sum[lane] += number.max(0.0);
                max[lane] = max[lane].max(*number);
            }
        }
        means.iter_mut().zip(sum).for_each(|(mean, sum)| *mean = sum / N_POINTS as f32);
        maxima.copy_from_slice(&max[..maxima.len()]);
    }
    pooled
}

/// Adds a number to each channel, and makes negative numbers zero.
pub fn add_and_relu(planes: &mut [Plane], numbers: &[f32]) {
    for (plane, numbers) in planes.iter_mut().zip(numbers.chunks(N_LANES)) {
        let mut added = [0.0; N_LANES];
        added[..numbers.len()].copy_from_slice(numbers);
        for point in 0..N_POINTS {
            for (number, added) in plane[place(point)].0.iter_mut().zip(added) {
                *number = (*number + added).max(0.0);
            }
        }
    }
}

/// The numbers of one channel, point by point.
pub fn channel(planes: &[Plane], number: usize) -> impl Iterator<Item = f32> {
    let plane = &planes[number / N_LANES];
    (0..N_POINTS).map(move |point| plane[place(point)].0[number % N_LANES])
}

#[cfg(test)]
mod tests {
    use rand_mt::Mt64;

    use super::*;
    use crate::network::lanes::empty_planes;
    use crate::network::product::tests::{ARCHITECTURES, random};

    /// A board whose channels have different numbers.
    fn board(channels: usize) -> Vec<Plane> {
        let mut rng = Mt64::new(3);
        let mut planes = empty_planes(n_planes(channels));
        for number in 0..channels {
            for (point, value) in random(&mut rng, N_POINTS).into_iter().enumerate() {
                planes[number / N_LANES][place(point)].0[number % N_LANES] = value;
            }
        }
        planes
    }

    #[test]
    fn points_are_multiplied_one_by_one() {
        let (n_in, parts) = (20, [5, 18]);
        let mut rng = Mt64::new(4);
        let weights = Weights { shape: vec![23, n_in, 1, 1], values: random(&mut rng, 23 * n_in) };
        let bias = random(&mut rng, 23);
        let input = board(n_in);
        for arch in ARCHITECTURES {
            let mut output = empty_planes(3);
            Conv1::new(&weights, &bias, &parts).apply(arch(), &input, &mut output);
            for (out, bias) in bias.iter().enumerate() {
                let lane = if out < 5 { out } else { N_LANES + out - 5 };
                for (point, found) in channel(&output, lane).enumerate() {
                    let numbers = (0..n_in).map(|n| input[n / N_LANES][place(point)].0[n % N_LANES]);
                    let row = &weights.values[out * n_in..][..n_in];
                    let expected = bias + numbers.zip(row).map(|(x, weight)| x * weight).sum::<f32>();
                    assert!((found - expected).abs() < 1e-5, "channel {out}, point {point}");
                }
            }
        }
    }

    #[test]
    fn a_board_is_pooled_without_its_negative_numbers() {
        let planes = board(18);
        let pooled = pool(&planes, 18);
        assert_eq!(pooled.len(), 36);
        for number in 0..18 {
            let positive: Vec<f32> = channel(&planes, number).map(|x| x.max(0.0)).collect();
            assert!((pooled[number] - positive.iter().sum::<f32>() / 361.0).abs() < 1e-5);
            assert_eq!(pooled[18 + number], positive.iter().copied().fold(0.0, f32::max));
        }
    }

    #[test]
    fn numbers_are_added_to_whole_channels() {
        let mut planes = board(18);
        let before = board(18);
        add_and_relu(&mut planes, &[0.5; 18]);
        for number in [0, 17] {
            let expected: Vec<f32> = channel(&before, number).map(|x| (x + 0.5).max(0.0)).collect();
            assert_eq!(channel(&planes, number).collect::<Vec<_>>(), expected);
        }
        assert_eq!(planes[0][0], Lanes::ZERO, "the border stays empty");
    }
}
