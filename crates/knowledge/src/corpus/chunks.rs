//! Chunks: the results of one unit of input, kept on disk until the collection is complete.
//!
//! A chunk has two files, named after the unit's number and the hash of its
//! bytes: rows with the outcome of every record, and the fingerprints of the
//! imported games. Each ends with its checksum. A resumed run reuses the chunks
//! that are already complete.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray, UInt8Array, UInt32Array};
use arrow::datatypes::{DataType, Field, Schema, UInt8Type, UInt32Type};
use arrow::ipc::reader::FileReader;
use arrow::ipc::writer::FileWriter;
use tejun_files::{IfExists, NewFile, is_temporary, remove_folder, resolved};
use xxhash_rust::xxh3::xxh3_64;

use crate::corpus::fingerprint::{FINGERPRINT_BYTES, Fingerprint};
use crate::corpus::schema::game_schema;

/// The outcome of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// It is in the collection.
    Imported,
    /// It is valid but not wanted: another kind of game, or already in the collection.
    Skipped,
    /// It is broken.
    Refused,
}

impl Outcome {
    const ALL: [Outcome; 3] = [Outcome::Imported, Outcome::Skipped, Outcome::Refused];

    /// `imported`, `skipped` or `refused`.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Imported => "imported",
            Outcome::Skipped => "skipped",
            Outcome::Refused => "refused",
        }
    }
}

/// A remark about a record: why it was rejected, or what was repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(crate) outcome: Outcome,
    /// The index among the games imported from this unit, if it was imported.
    pub(crate) row: Option<u32>,
    pub(crate) source: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) kind: String,
    pub(crate) message: String,
}

/// The results of one unit.
pub(crate) struct Chunk {
    pub(crate) games: RecordBatch,
    pub(crate) fingerprints: Vec<Fingerprint>,
    pub(crate) remarks: Vec<Remark>,
    /// Records found in the unit.
    pub(crate) n_found: u32,
}

/// The folder of chunks next to the output.
pub(crate) struct ChunkFolder {
    path: PathBuf,
}

impl ChunkFolder {
    /// The working folder of an output file; for a link, next to the file that it points to.
    pub(crate) fn of(output: &Path) -> ChunkFolder {
        let output = resolved(output);
        let mut name = output.file_name().unwrap_or_default().to_os_string();
        name.push(".partial");
        ChunkFolder { path: output.with_file_name(name) }
    }

    /// A file in the folder that no import created; it must not be deleted with the folder.
    pub(crate) fn foreign_file(&self) -> Option<PathBuf> {
        let is_ours = |name: &std::ffi::OsStr| {
            let text = name.to_string_lossy();
            let stem = text.strip_suffix(".rows").or_else(|| text.strip_suffix(".prints"));
            let is_chunk = stem.is_some_and(|stem| stem.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-'));
            is_chunk || text == "lock" || text == "finished" || is_temporary(name)
        };
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).find(|path| !path.file_name().is_some_and(is_ours))
    }

    pub(crate) fn create(&self) -> io::Result<()> {
        fs::create_dir_all(&self.path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in the folder that is not a chunk.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(crate) fn remove(&self) -> io::Result<()> {
        remove_folder(&self.path)
    }

    /// The path of a unit's rows; the file exists only if the chunk is complete.
    pub(crate) fn rows_path(&self, unit: u32, hash: u64) -> PathBuf {
        self.path.join(format!("{unit:08}-{hash:016x}.rows"))
    }

    fn fingerprints_path(&self, unit: u32, hash: u64) -> PathBuf {
        self.path.join(format!("{unit:08}-{hash:016x}.prints"))
    }

    /// Whether the chunk of a unit exists and is undamaged.
    pub(crate) fn has(&self, unit: u32, hash: u64) -> bool {
        let is_sound = |path: &Path| read_checked(path).is_ok();
        is_sound(&self.rows_path(unit, hash)) && is_sound(&self.fingerprints_path(unit, hash))
    }

    /// Writes a chunk atomically.
    pub(crate) fn write(&self, unit: u32, hash: u64, chunk: &Chunk) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(chunk.fingerprints.len() * FINGERPRINT_BYTES);
        chunk.fingerprints.iter().for_each(|print| print.write_to(&mut bytes));
        write_checked(&self.fingerprints_path(unit, hash), bytes)?;
        let mut schema = game_schema().as_ref().clone();
        schema.metadata.insert("n_found".into(), chunk.n_found.to_string());
        let batch = chunk.games.clone().with_schema(Arc::new(schema)).map_err(io::Error::other)?;
        let mut bytes = Vec::new();
        for batch in [batch, remarks_to_batch(&chunk.remarks)] {
            let mut section = Vec::new();
            let mut writer = FileWriter::try_new(&mut section, &batch.schema()).map_err(io::Error::other)?;
            writer.write(&batch).map_err(io::Error::other)?;
            writer.finish().map_err(io::Error::other)?;
            drop(writer);
            bytes.extend((section.len() as u64).to_le_bytes());
            bytes.extend(section);
        }
        write_checked(&self.rows_path(unit, hash), bytes)
    }

    /// Reads the rows and remarks of a chunk, without its fingerprints.
    pub(crate) fn read(&self, unit: u32, hash: u64) -> io::Result<Chunk> {
        let bytes = read_checked(&self.rows_path(unit, hash))?;
        let mut rest = &bytes[..];
        let mut batches = Vec::with_capacity(2);
        while !rest.is_empty() {
            let (length, after) = rest.split_at_checked(8).ok_or_else(damaged)?;
            let length = u64::from_le_bytes(length.try_into().map_err(|_| damaged())?);
            let (section, after) = after.split_at_checked(length as usize).ok_or_else(damaged)?;
            let reader = FileReader::try_new(io::Cursor::new(section), None).map_err(io::Error::other)?;
            let schema = reader.schema();
            let batch = reader.into_iter().next().ok_or_else(damaged)?.map_err(io::Error::other)?;
            batches.push((schema, batch));
            rest = after;
        }
        let [(schema, games), (_, remarks)]: [_; 2] = batches.try_into().map_err(|_| damaged())?;
        let n_found = schema.metadata().get("n_found").and_then(|n| n.parse().ok()).ok_or_else(damaged)?;
        Ok(Chunk { games, fingerprints: Vec::new(), remarks: remarks_of_batch(&remarks).ok_or_else(damaged)?, n_found })
    }

    pub(crate) fn read_fingerprints(&self, unit: u32, hash: u64) -> io::Result<Vec<Fingerprint>> {
        let bytes = read_checked(&self.fingerprints_path(unit, hash))?;
        Ok(bytes.chunks_exact(FINGERPRINT_BYTES).filter_map(Fingerprint::read).collect())
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a working file is damaged; remove the .partial folder")
}

/// Writes a file that ends with its checksum. The write is atomic, but a power cut may still damage the file.
fn write_checked(path: &Path, mut bytes: Vec<u8>) -> io::Result<()> {
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    let mut file = NewFile::create(path)?;
    file.write_all(&bytes)?;
    file.commit_unsynced(IfExists::Replace)
}

/// Reads such a file; returns its bytes without the checksum.
fn read_checked(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = fs::read(path)?;
    let n = bytes.len().checked_sub(8).ok_or_else(damaged)?;
    if bytes[n..] != xxh3_64(&bytes[..n]).to_le_bytes() {
        return Err(damaged());
    }
    bytes.truncate(n);
    Ok(bytes)
}

fn remarks_to_batch(remarks: &[Remark]) -> RecordBatch {
    let text =
        |field: fn(&Remark) -> &str| Arc::new(StringArray::from_iter_values(remarks.iter().map(field))) as ArrayRef;
    let number =
        |field: fn(&Remark) -> u32| Arc::new(UInt32Array::from_iter_values(remarks.iter().map(field))) as ArrayRef;
    let outcomes = UInt8Array::from_iter_values(remarks.iter().map(|remark| remark.outcome as u8));
    let rows = UInt32Array::from_iter(remarks.iter().map(|remark| remark.row));
    let schema = Schema::new(vec![
        Field::new("outcome", DataType::UInt8, false),
        Field::new("row", DataType::UInt32, true),
        Field::new("source", DataType::Utf8, false),
        Field::new("line", DataType::UInt32, false),
        Field::new("column", DataType::UInt32, false),
        Field::new("kind", DataType::Utf8, false),
        Field::new("message", DataType::Utf8, false),
    ]);
    let columns = vec![
        Arc::new(outcomes) as ArrayRef,
        Arc::new(rows),
        text(|remark| &remark.source),
        number(|remark| remark.line),
        number(|remark| remark.column),
        text(|remark| &remark.kind),
        text(|remark| &remark.message),
    ];
    RecordBatch::try_new(Arc::new(schema), columns).expect("the columns follow the schema")
}

fn remarks_of_batch(batch: &RecordBatch) -> Option<Vec<Remark>> {
    let text = |name: &str| batch.column_by_name(name)?.as_string_opt::<i32>();
    let number = |name: &str| batch.column_by_name(name)?.as_primitive_opt::<UInt32Type>();
    let outcomes = batch.column_by_name("outcome")?.as_primitive_opt::<UInt8Type>()?;
    let (rows, lines, columns) = (number("row")?, number("line")?, number("column")?);
    let (sources, kinds, messages) = (text("source")?, text("kind")?, text("message")?);
    let remark = |i: usize| {
        Some(Remark {
            outcome: *Outcome::ALL.get(outcomes.value(i) as usize)?,
            row: rows.is_valid(i).then(|| rows.value(i)),
            source: sources.value(i).to_string(),
            line: lines.value(i),
            column: columns.value(i),
            kind: kinds.value(i).to_string(),
            message: messages.value(i).to_string(),
        })
    };
    (0..batch.num_rows()).map(remark).collect()
}
