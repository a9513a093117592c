//! How the numbers of a network lie in memory: sixteen channels side by side.
//!
//! Sixteen 32-bit numbers fill one register of AVX-512, two of AVX2 and four of ARM, so that every layer is a loop
//! over whole registers, whatever the machine has.

use pulp::Simd;

/// Channels that lie side by side.
pub const N_LANES: usize = 16;

/// One number for each of sixteen channels; aligned, since a load across two cache lines costs twice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Lanes(pub [f32; N_LANES]);

/// Lines of a board with its border: one line of zeros before, and two after, to fill whole tiles of 4x4.
pub const WIDTH: usize = 22;

/// Sixteen channels of a board with its border.
pub type Plane = [Lanes; WIDTH * WIDTH];

impl Lanes {
    /// Zeros.
    pub const ZERO: Lanes = Lanes([0.0; N_LANES]);

    /// The registers that hold these numbers.
    #[inline(always)]
    pub fn registers<S: Simd>(&self) -> &[S::f32s] {
        S::as_simd_f32s(&self.0).0
    }

    /// The registers that hold these numbers, to be written.
    #[inline(always)]
    pub fn registers_mut<S: Simd>(&mut self) -> &mut [S::f32s] {
        S::as_mut_simd_f32s(&mut self.0).0
    }
}

/// How many registers hold sixteen numbers.
#[inline(always)]
pub const fn n_registers<S: Simd>() -> usize {
    N_LANES / S::F32_LANES
}

/// Sixteens that hold this many channels.
pub const fn n_planes(channels: usize) -> usize {
    channels.div_ceil(N_LANES)
}

/// Empty boards for this many sixteens of channels.
pub fn empty_planes(n: usize) -> Vec<Plane> {
    vec![[Lanes::ZERO; WIDTH * WIDTH]; n]
}

/// The place of a point, given row by row, on a board with its border.
pub const fn place(point: usize) -> usize {
    (point / 19 + 1) * WIDTH + point % 19 + 1
}

/// Which channel each lane of the planes holds, if channels are divided into parts that begin in new planes.
pub fn sources_of(parts: &[usize]) -> Vec<[Option<usize>; N_LANES]> {
    let mut planes = Vec::new();
    let mut first = 0;
    for &size in parts {
        for start in (0..size).step_by(N_LANES) {
            planes.push(std::array::from_fn(|lane| (start + lane < size).then_some(first + start + lane)));
        }
        first += size;
    }
    planes
}

/// One number per channel, in lanes; zeros in those without a channel.
pub fn lanes_of(numbers: &[f32], sources: &[[Option<usize>; N_LANES]]) -> Vec<Lanes> {
    sources.iter().map(|sources| Lanes(sources.map(|source| source.map_or(0.0, |channel| numbers[channel])))).collect()
}
