//! The product of matrices, where nearly all the time of a network goes.

use pulp::Simd;

use crate::network::lanes::{Lanes, N_LANES, n_registers};

/// Rows of a product: the tiles of 4x4 points on one board.
///
/// A fixed number of rows, and sums in one fixed order, make an answer independent of the positions beside it.
pub const N_ROWS: usize = 25;

/// Sixteen columns of all rows.
pub type Rows = [Lanes; N_ROWS];
/// The weights from sixteen channels to sixteen channels: one line per channel of the input.
pub type Block = [Lanes; N_LANES];

/// Multiplies rows with weights: sixteen columns of `output` for each `input.len()` of `weights`.
#[inline(always)]
pub fn multiply<S: Simd>(simd: S, input: &[Rows], weights: &[Block], output: &mut [Rows]) {
    for (weights, output) in weights.chunks_exact(input.len()).zip(output) {
        // As many sums as the registers hold: 32 registers of 16, 16 of 8, and 32 of 4 numbers.
        match n_registers::<S>() {
            1 => sum_rows::<S, 25, 1>(simd, input, weights, output),
            2 => sum_rows::<S, 5, 2>(simd, input, weights, output),
            4 => sum_rows::<S, 5, 4>(simd, input, weights, output),
            _ => sum_rows::<S, 1, 16>(simd, input, weights, output),
        }
    }
}

/// Computes sixteen columns, `T` rows at a time, where sixteen numbers fill `V` registers.
#[inline(always)]
fn sum_rows<S: Simd, const T: usize, const V: usize>(simd: S, input: &[Rows], weights: &[Block], output: &mut Rows) {
    for first in (0..N_ROWS).step_by(T) {
        let mut sums = [[simd.splat_f32s(0.0); V]; T];
        for (input, weights) in input.iter().zip(weights) {
            for (channel, weights) in weights.iter().enumerate() {
                let weights = weights.registers::<S>();
                for row in 0..T {
                    let value = simd.splat_f32s(input[first + row].0[channel]);
                    for v in 0..V {
                        sums[row][v] = simd.mul_add_e_f32s(value, weights[v], sums[row][v]);
                    }
                }
            }
        }
        for (output, sums) in output[first..].iter_mut().zip(&sums) {
            output.registers_mut::<S>().copy_from_slice(sums);
        }
    }
}

#[cfg(test)]
pub mod tests {
    use pulp::{Arch, WithSimd};
    use rand_mt::Mt64;

    use super::*;

    /// What this machine has, and what every machine has.
    pub const ARCHITECTURES: [fn() -> Arch; 2] = [Arch::new, || Arch::Scalar];

    /// Numbers from -1 to 1.
    pub fn random(rng: &mut Mt64, n: usize) -> Vec<f32> {
        (0..n).map(|_| (rng.next_u64() >> 40) as f32 / (1_u64 << 23) as f32 - 1.0).collect()
    }

    struct Product<'a>(&'a [Rows], &'a [Block], &'a mut [Rows]);

    impl WithSimd for Product<'_> {
        type Output = ();

        fn with_simd<S: Simd>(self, simd: S) {
            multiply(simd, self.0, self.1, self.2);
        }
    }

    #[test]
    fn a_product_is_the_sum_over_channels() {
        let mut rng = Mt64::new(1);
        let (n_in, n_out) = (3, 2);
        let mut lanes = || Lanes(random(&mut rng, N_LANES).try_into().expect("sixteen numbers"));
        let input: Vec<Rows> = (0..n_in).map(|_| std::array::from_fn(|_| lanes())).collect();
        let weights: Vec<Block> = (0..n_in * n_out).map(|_| std::array::from_fn(|_| lanes())).collect();
        for arch in ARCHITECTURES {
            let mut output = vec![[Lanes::ZERO; N_ROWS]; n_out];
            arch().dispatch(Product(&input, &weights, &mut output));
            for (out, rows) in output.iter().enumerate() {
                for (row, found) in rows.iter().enumerate() {
                    for (lane, found) in found.0.iter().enumerate() {
                        let channels = (0..n_in * N_LANES).map(|channel| {
                            let (plane, channel) = (channel / N_LANES, channel % N_LANES);
                            input[plane][row].0[channel] * weights[out * n_in + plane][channel].0[lane]
                        });
                        let expected: f32 = channels.sum();
                        assert!((found - expected).abs() < 1e-5, "column {lane} of {out}, row {row}");
                    }
                }
            }
        }
    }
}
