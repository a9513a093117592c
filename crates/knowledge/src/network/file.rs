//! The file of a network: its shape and its weights.

use std::collections::HashMap;

use half::f16;
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::network::view::N_PLANES;

const MAGIC: &[u8; 8] = b"TEJUNNET";
const VERSION: u32 = 1;
/// Bytes before the header's text: magic, version, length of the text.
const N_FIXED: usize = 16;
const N_CHECKSUM: usize = 8;

/// Why a file is not a network that this program can use.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum NetworkFileError {
    /// It does not begin as networks do.
    #[error("not a network of tejun")]
    NotANetwork,
    /// It was written for another version.
    #[error("version {found} of the network format; this program reads version {VERSION}")]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// It is cut off or was changed.
    #[error("the network is damaged: its checksum does not fit")]
    Damaged,
    /// Its header cannot be used.
    #[error("the header of the network is not usable: {0}")]
    Header(HeaderFault),
}

/// What is wrong with the header of a network.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
pub enum HeaderFault {
    /// It is not the JSON that it should be.
    #[error("it is not the expected JSON")]
    Json,
    /// The network sees another number of planes.
    #[error("it does not have {N_PLANES} input planes")]
    Planes,
    /// The sizes are out of range.
    #[error("its sizes are out of range")]
    Sizes,
    /// The weights do not belong to a network of these sizes.
    #[error("its weights do not fit its sizes")]
    Weights,
}

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    /// Residual blocks.
    pub n_blocks: usize,
    /// Channels of the blocks.
    pub channels: usize,
    /// Channels of the heads.
    pub head: usize,
    /// Hidden units of the value.
    pub hidden: usize,
}

/// A named array of weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Its dimensions, the slowest first.
    pub shape: Vec<usize>,
    /// The numbers.
    pub values: Vec<f32>,
}

/// A network as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkFile {
    /// The name in its header.
    pub name: String,
    /// Its sizes.
    pub shape: NetworkShape,
    /// Points per unit of the lead that it predicts.
    pub lead_scale: f64,
    /// The checksum of the file, which identifies the network.
    pub checksum: u64,
    /// The weights by name.
    pub weights: HashMap<String, Weights>,
}

#[derive(Deserialize)]
struct Header {
    name: String,
    n_blocks: usize,
    channels: usize,
    head: usize,
    hidden: usize,
    planes: usize,
    lead_scale: f64,
    tensors: Vec<(String, Vec<usize>)>,
}

impl NetworkShape {
    /// The channels of a block that tell the others what the whole board looks like.
    pub fn pooled(&self, block: usize) -> usize {
        if block % 3 == 2 { self.channels / 4 } else { 0 }
    }

    fn is_plausible(&self) -> bool {
        let fits = |size: usize, most: usize| (1..=most).contains(&size);
        fits(self.n_blocks, 64) && fits(self.channels, 1024) && fits(self.head, 512) && fits(self.hidden, 1024)
    }

    /// Names and dimensions of all weights, in the order of the file.
    pub(crate) fn layout(&self) -> Vec<(String, Vec<usize>)> {
        let NetworkShape { n_blocks, channels, head, hidden } = *self;
        let mut all = Vec::new();
        let mut add = |name: &str, shape: Vec<usize>| {
            let n_out = shape[0];
            all.push((format!("{name}.weight"), shape));
            all.push((format!("{name}.bias"), vec![n_out]));
        };
        add("enter", vec![channels, N_PLANES, 3, 3]);
        for block in 0..n_blocks {
            let pooled = self.pooled(block);
            add(&format!("blocks.{block}.first"), vec![channels, channels, 3, 3]);
            if pooled > 0 {
                add(&format!("blocks.{block}.spread"), vec![channels - pooled, 2 * pooled]);
            }
            add(&format!("blocks.{block}.second"), vec![channels, channels - pooled, 3, 3]);
        }
        add("policy", vec![2 * head, channels, 1, 1]);
        add("policy_spread", vec![head, 2 * head]);
        add("policy_points", vec![2, head, 1, 1]);
        add("policy_pass", vec![2, 2 * head]);
        add("value", vec![head, channels, 1, 1]);
        add("value_hidden", vec![hidden, 2 * head]);
        add("value_out", vec![3, hidden]);
        add("ownership", vec![1, head, 1, 1]);
        all
    }
}

impl NetworkFile {
    /// Reads a network; docs/book/network.md describes the format.
    ///
    /// # Errors
    /// If the bytes are not a whole, unchanged network of this version.
    pub fn parse(bytes: &[u8]) -> Result<NetworkFile, NetworkFileError> {
        let number = |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
        if !bytes.starts_with(MAGIC) {
            return Err(NetworkFileError::NotANetwork);
        }
        match number(8) {
            Some(VERSION) => {}
            Some(found) => return Err(NetworkFileError::Version { found }),
            None => return Err(NetworkFileError::Damaged),
        }
        let (body, checksum) = bytes.split_last_chunk::<N_CHECKSUM>().ok_or(NetworkFileError::Damaged)?;
        let checksum = u64::from_le_bytes(*checksum);
        if xxh3_64(body) != checksum {
            return Err(NetworkFileError::Damaged);
        }
        let n_text = number(12).ok_or(NetworkFileError::Damaged)? as usize;
        let text = body.get(N_FIXED..).and_then(|rest| rest.get(..n_text)).ok_or(NetworkFileError::Damaged)?;
        let fault = NetworkFileError::Header;
        let header: Header = serde_json::from_slice(text).map_err(|_| fault(HeaderFault::Json))?;
        if header.planes != N_PLANES {
            return Err(fault(HeaderFault::Planes));
        }
        let shape = NetworkShape {
            n_blocks: header.n_blocks,
            channels: header.channels,
            head: header.head,
            hidden: header.hidden,
        };
        if !(shape.is_plausible() && header.lead_scale.is_finite()) {
            return Err(fault(HeaderFault::Sizes));
        }
        if header.tensors != shape.layout() {
            return Err(fault(HeaderFault::Weights));
        }
        let weights = read_weights(&body[N_FIXED + n_text..], header.tensors);
        let weights = weights.ok_or(fault(HeaderFault::Weights))?;
        Ok(NetworkFile { name: header.name, shape, lead_scale: header.lead_scale, checksum, weights })
    }
}

/// The weights, if there are exactly as many bytes as they need.
fn read_weights(mut bytes: &[u8], layout: Vec<(String, Vec<usize>)>) -> Option<HashMap<String, Weights>> {
    let mut weights = HashMap::new();
    for (name, shape) in layout {
        let (mine, rest) = bytes.split_at_checked(2 * shape.iter().product::<usize>())?;
        let values: Vec<f32> =
            mine.chunks_exact(2).map(|pair| f16::from_le_bytes([pair[0], pair[1]]).to_f32()).collect();
        if !values.iter().all(|value| value.is_finite()) {
            return None;
        }
        weights.insert(name, Weights { shape, values });
        bytes = rest;
    }
    bytes.is_empty().then_some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::BUILT_IN;

    fn error(bytes: &[u8]) -> NetworkFileError {
        NetworkFile::parse(bytes).expect_err("damaged")
    }

    #[test]
    fn the_built_in_network_can_be_read() {
        let file = NetworkFile::parse(BUILT_IN).expect("a network");
        assert_eq!(file.shape, NetworkShape { n_blocks: 10, channels: 128, head: 32, hidden: 96 });
        assert_eq!(file.weights["blocks.2.spread.weight"].shape, [96, 64]);
        assert!(BUILT_IN.len() <= 8_000_000, "it travels in the program");
    }

    #[test]
    fn other_files_and_damaged_ones_are_refused() {
        assert_eq!(error(b""), NetworkFileError::NotANetwork);
        assert_eq!(error(b"(;SZ[19])"), NetworkFileError::NotANetwork);
        assert_eq!(error(&BUILT_IN[..10]), NetworkFileError::Damaged);
        assert_eq!(error(&BUILT_IN[..BUILT_IN.len() - 1]), NetworkFileError::Damaged);
        let mut newer = BUILT_IN.to_vec();
        newer[8] = 2;
        assert_eq!(error(&newer), NetworkFileError::Version { found: 2 });
        for at in [12, 40, 5000, BUILT_IN.len() / 2, BUILT_IN.len() - 3] {
            let mut flipped = BUILT_IN.to_vec();
            flipped[at] ^= 1;
            assert_eq!(error(&flipped), NetworkFileError::Damaged, "byte {at}");
        }
    }

    #[test]
    fn a_header_that_lies_is_refused() {
        let with_header = |text: &str| {
            let mut bytes = MAGIC.to_vec();
            bytes.extend(VERSION.to_le_bytes());
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
            bytes.extend(xxh3_64(&bytes).to_le_bytes());
            error(&bytes)
        };
        let header = |planes: usize, channels: usize| {
            format!(
                "{{\"name\":\"x\",\"n_blocks\":1,\"channels\":{channels},\"head\":1,\"hidden\":1,\"planes\":{planes},\
                 \"lead_scale\":20.0,\"tensors\":[]}}"
            )
        };
        assert_eq!(with_header("{}"), NetworkFileError::Header(HeaderFault::Json));
        assert_eq!(with_header(&header(22, 8)), NetworkFileError::Header(HeaderFault::Planes));
        assert_eq!(with_header(&header(N_PLANES, 1 << 40)), NetworkFileError::Header(HeaderFault::Sizes));
        assert_eq!(with_header(&header(N_PLANES, 8)), NetworkFileError::Header(HeaderFault::Weights));
    }
}
