//! Checksums over a whole Parquet file, so that no flipped bit is read as a move.
//!
//! The data is hashed in blocks, and the hashes are stored in the file's
//! metadata under one key. Everything after the data (indexes and the metadata
//! itself) is the tail. Its hash comes first in the same value and is computed
//! with zeros in its own place. Other programs see an ordinary Parquet file.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::reader::ChunkReader;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// The metadata key.
pub(crate) const SEAL_KEY: &str = "tejun.checksums";
/// Bytes of data per checksum.
const BLOCK: u64 = 1 << 20;
/// Placeholder for the tail's checksum while it is computed.
const BLANK: &str = "0000000000000000";

/// The damaged part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bytes {} to {} do not match their checksum", .first, .last)]
pub struct DamagedBytes {
    /// The first byte of the block whose checksum does not match, from 0.
    pub first: u64,
    /// The last byte of that block.
    pub last: u64,
}

/// A writer that hashes what it writes.
pub(crate) struct SealingWriter<W> {
    inner: W,
    n_written: u64,
    block: Xxh3Default,
    blocks: Vec<u64>,
    /// What was written after the data.
    tail: Option<Vec<u8>>,
}

impl<W> SealingWriter<W> {
    pub(crate) fn new(inner: W) -> SealingWriter<W> {
        SealingWriter { inner, n_written: 0, block: Xxh3Default::new(), blocks: Vec::new(), tail: None }
    }

    fn hash(&mut self, mut bytes: &[u8]) {
        if let Some(tail) = &mut self.tail {
            return tail.extend(bytes);
        }
        while !bytes.is_empty() {
            let room = (BLOCK - self.n_written % BLOCK) as usize;
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.block.update(now);
            self.n_written += now.len() as u64;
            if self.n_written.is_multiple_of(BLOCK) {
                self.end_block();
            }
            bytes = later;
        }
    }

    fn end_block(&mut self) {
        self.blocks.push(self.block.digest());
        self.block.reset();
    }

    /// Ends the data; returns the value for the metadata, with a placeholder for the tail's checksum.
    fn end_data(&mut self) -> String {
        if !self.n_written.is_multiple_of(BLOCK) {
            self.end_block();
        }
        self.tail = Some(Vec::new());
        let blocks: Vec<String> = self.blocks.iter().map(|hash| format!("{hash:016x}")).collect();
        format!("{BLANK} {} {}", self.n_written, blocks.join(" "))
    }
}

impl<W: Write> Write for SealingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.inner.write(bytes)?;
        self.hash(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Completes and seals a Parquet file; returns the file and its checksum, which identifies its content.
///
/// # Errors
/// If it can't be written.
pub(crate) fn finish_sealed<W: Write + Seek + Send>(
    mut writer: ArrowWriter<SealingWriter<W>>,
) -> Result<(W, u64), ParquetError> {
    writer.flush()?;
    writer.sync()?;
    let value = writer.inner_mut().end_data();
    writer.append_key_value_metadata(KeyValue::new(SEAL_KEY.to_string(), value.clone()));
    let SealingWriter { mut inner, n_written, tail, .. } = writer.into_inner()?;
    let tail = tail.unwrap_or_default();
    let at = place_of(&tail, &value).ok_or_else(|| ParquetError::General("the seal is not in the metadata".into()))?;
    let hash = xxh3_64(&tail);
    inner.seek(SeekFrom::Start(n_written + at as u64))?;
    inner.write_all(format!("{hash:016x}").as_bytes())?;
    inner.seek(SeekFrom::End(0))?;
    inner.flush()?;
    Ok((inner, hash))
}

/// The position of the value in the tail.
fn place_of(tail: &[u8], value: &str) -> Option<usize> {
    memchr::memmem::rfind(tail, value.as_bytes())
}

/// Whether tejun wrote the file itself.
///
/// Other programs may copy our metadata into their own files, with checksums that no longer match. A single flipped
/// bit must not make our file look like theirs.
pub(crate) fn is_by_tejun(metadata: &ParquetMetaData) -> bool {
    let name = metadata.file_metadata().created_by().unwrap_or("");
    name.bytes().zip(*b"tejun").map(|(a, b)| (a ^ b).count_ones()).sum::<u32>() <= 1
}

/// The checksums of an open file.
#[derive(Clone, Debug)]
pub(crate) struct Seal {
    value: String,
    tail: u64,
    n_data: u64,
    blocks: Vec<u64>,
}

impl Seal {
    /// The checksums in a file's metadata: `None` if there are none, an error if they are malformed.
    pub(crate) fn of(metadata: &ParquetMetaData) -> Option<Result<Seal, DamagedBytes>> {
        let pairs = metadata.file_metadata().key_value_metadata();
        let value = pairs.into_iter().flatten().find(|pair| pair.key == SEAL_KEY)?.value.clone().unwrap_or_default();
        Some(Seal::parse(value).ok_or(DamagedBytes { first: 0, last: u64::MAX }))
    }

    fn parse(value: String) -> Option<Seal> {
        // Strict, because a flipped bit can turn a lower-case letter into a capital.
        let hex = |field: &str| {
            let number = u64::from_str_radix(field, 16).ok()?;
            (format!("{number:016x}") == field).then_some(number)
        };
        let mut fields = value.split(' ').filter(|field| !field.is_empty());
        let tail = hex(fields.next()?)?;
        let n_data = fields.next()?.parse().ok()?;
        let blocks: Vec<u64> = fields.map(hex).collect::<Option<_>>()?;
        (blocks.len() as u64 == u64::div_ceil(n_data, BLOCK)).then_some(Seal { value, tail, n_data, blocks })
    }

    /// The checksum that identifies the content of the file.
    pub(crate) fn checksum(&self) -> u64 {
        self.tail
    }

    /// Verifies everything after the data: indexes and metadata.
    ///
    /// # Errors
    /// The outer error if the file can't be read, the inner one if it is damaged.
    pub(crate) fn check_tail(&self, file: &impl ChunkReader) -> Result<Result<(), DamagedBytes>, ParquetError> {
        let damaged = DamagedBytes { first: self.n_data, last: file.len().saturating_sub(1) };
        let Some(n_tail) = file.len().checked_sub(self.n_data) else { return Ok(Err(damaged)) };
        let mut tail = file.get_bytes(self.n_data, n_tail as usize)?.to_vec();
        let Some(at) = place_of(&tail, &self.value) else { return Ok(Err(damaged)) };
        tail[at..at + BLANK.len()].copy_from_slice(BLANK.as_bytes());
        Ok(if xxh3_64(&tail) == self.tail { Ok(()) } else { Err(damaged) })
    }

    /// Verifies the blocks that contain these bytes of data.
    ///
    /// # Errors
    /// The outer error if the file can't be read, the inner one if it is damaged.
    pub(crate) fn check_data(
        &self,
        file: &impl ChunkReader,
        bytes: Range<u64>,
    ) -> Result<Result<(), DamagedBytes>, ParquetError> {
        let mut block = Vec::new();
        for number in bytes.start / BLOCK..u64::div_ceil(bytes.end.min(self.n_data), BLOCK) {
            let first = number * BLOCK;
            let end = (first + BLOCK).min(self.n_data);
            block.clear();
            file.get_read(first)?.take(end - first).read_to_end(&mut block)?;
            if self.blocks.get(number as usize) != Some(&xxh3_64(&block)) {
                return Ok(Err(DamagedBytes { first, last: end - 1 }));
            }
        }
        Ok(Ok(()))
    }

    /// Verifies a whole file in memory.
    ///
    /// # Errors
    /// If it is damaged.
    pub(crate) fn check_all(&self, bytes: &Bytes) -> Result<(), DamagedBytes> {
        let in_memory = |_| DamagedBytes { first: 0, last: bytes.len().saturating_sub(1) as u64 };
        self.check_tail(bytes).map_err(in_memory)??;
        self.check_data(bytes, 0..self.n_data).map_err(in_memory)?
    }
}
