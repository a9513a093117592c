//! A collection on disk: open it, read it in batches, write it.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{ChunkReader, Length};
use parquet::schema::types::ColumnPath;
use tejun_files::{IfExists, NewFile};

use crate::corpus::parquet_guard::{EofIsError, catch_panics};
use crate::corpus::schema::{Game, SCHEMA_VERSION, game_schema, games_of};
use crate::corpus::seal::{DamagedBytes, SEAL_KEY, Seal, SealingWriter, finish_sealed, is_by_tejun};

/// Games per row group, the unit of parallel reading.
const ROW_GROUP: usize = 8192;
/// The metadata key of the schema version.
const SCHEMA_KEY: &str = "tejun.schema";
/// The last version without checksums.
const UNSEALED_VERSION: &str = "1";

/// A collection of games in a Parquet file.
///
/// ```
/// use tejun_knowledge::corpus::{Collection, write_sample};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.parquet");
/// write_sample(&path)?;
/// let collection = Collection::open(&path)?;
/// assert_eq!(collection.n_games(), 604);
/// let first = collection.games().next().ok_or("no game")??;
/// println!("{:?}, {} moves", first.record.header.black, first.record.moves.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Collection {
    path: PathBuf,
    metadata: ArrowReaderMetadata,
    /// The checksums; `None` for files of older versions and of other programs.
    seal: Option<Seal>,
}

/// Why a collection can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The file can't be opened or written.
    #[error("{path}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file is not a Parquet file, or it is damaged.
    #[error("{path} is not a collection; create one with `tejun import`")]
    NotParquet {
        /// The file.
        path: PathBuf,
        /// The error of the Parquet reader.
        source: ParquetError,
    },
    /// A Parquet file with other columns.
    #[error("{path} is not a collection: it has no column `{column}` of the right type")]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// The first column that is missing.
        column: String,
    },
    /// Some bytes changed since the file was written.
    #[error("{path} is damaged: {place}; restore the file from a backup, or import the games again")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damaged bytes.
        place: DamagedBytes,
    },
    /// A row that does not contain a game.
    #[error("{path}: row {row} is damaged; import the collection again")]
    DamagedRow {
        /// The file.
        path: PathBuf,
        /// Row from 0.
        row: usize,
    },
}

impl Collection {
    /// Opens a collection; checks its columns, and the checksum of everything except the games.
    ///
    /// The games are checked when they are read.
    ///
    /// # Errors
    /// If the file does not exist, is not Parquet, is damaged, or has other columns.
    pub fn open(path: &Path) -> Result<Collection, CollectionError> {
        let file = File::open(path).map_err(|source| CollectionError::File { path: path.into(), source })?;
        let file = EofIsError(file);
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let not_parquet = |source| CollectionError::NotParquet { path: path.into(), source };
        let damaged = |place| CollectionError::Damaged { path: path.into(), place };
        let metadata = catch_panics(|| ArrowReaderMetadata::load(&file, options)).map_err(not_parquet)?;
        let seal = match Seal::of(metadata.metadata()).filter(|_| is_by_tejun(metadata.metadata())) {
            Some(seal) => {
                let seal = seal.map_err(damaged)?;
                catch_panics(|| seal.check_tail(&file)).map_err(not_parquet)?.map_err(damaged)?;
                Some(seal)
            }
            None if catch_panics(|| lost_its_seal(&file, &metadata)).map_err(not_parquet)? => {
                return Err(damaged(DamagedBytes { first: 0, last: file.len().saturating_sub(1) }));
            }
            None => None,
        };
        let schema = metadata.schema();
        for field in game_schema().fields() {
            let is_there = schema.field_with_name(field.name()).is_ok_and(|f| f.data_type() == field.data_type());
            if !is_there {
                return Err(CollectionError::NotOurs { path: path.into(), column: field.name().clone() });
            }
        }
        Ok(Collection { path: path.into(), metadata, seal })
    }

    /// Whether the file has checksums, so that damage is detected on reading.
    ///
    /// Files of schema version 1 and files written by other programs have none.
    pub fn has_checksums(&self) -> bool {
        self.seal.is_some()
    }

    /// The checksum that identifies the content of the file, if it has checksums.
    pub(crate) fn checksum(&self) -> Option<u64> {
        self.seal.as_ref().map(Seal::checksum)
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of games.
    pub fn n_games(&self) -> usize {
        self.metadata.metadata().file_metadata().num_rows().max(0) as usize
    }

    /// The metadata about its origin: version, parameters, hash of the input.
    pub fn manifest(&self) -> Vec<(String, String)> {
        let pairs = self.metadata.metadata().file_metadata().key_value_metadata();
        let ours = pairs.into_iter().flatten().filter(|pair| pair.key.starts_with("tejun.") && pair.key != SEAL_KEY);
        ours.map(|pair| (pair.key.clone(), pair.value.clone().unwrap_or_default())).collect()
    }

    /// The rows in order, a few thousand per batch; each batch is checked before it is returned.
    pub fn batches(&self) -> impl Iterator<Item = Result<RecordBatch, CollectionError>> + '_ {
        let mut failed = false;
        let groups = 0..self.metadata.metadata().num_row_groups();
        groups.flat_map(|group| self.row_group(group)).map_while(move |batch| {
            // What follows a damaged batch is not reliable.
            let is_next = !failed;
            failed |= batch.is_err();
            is_next.then_some(batch)
        })
    }

    /// The rows of one row group, whose checksum is verified first.
    fn row_group(&self, group: usize) -> impl Iterator<Item = Result<RecordBatch, CollectionError>> + '_ {
        let not_parquet = |source| CollectionError::NotParquet { path: self.path.clone(), source };
        let open = || {
            let file =
                File::open(&self.path).map_err(|source| CollectionError::File { path: self.path.clone(), source })?;
            let file = EofIsError(file);
            if let Some(seal) = &self.seal {
                let bytes = self.bytes_of(group);
                let checked = catch_panics(|| seal.check_data(&file, bytes)).map_err(not_parquet)?;
                checked.map_err(|place| CollectionError::Damaged { path: self.path.clone(), place })?;
            }
            let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
                .with_row_groups(vec![group])
                .with_batch_size(ROW_GROUP);
            catch_panics(|| builder.build()).map_err(not_parquet)
        };
        let mut rest = Some(open());
        std::iter::from_fn(move || {
            let mut reader = match rest.take()? {
                Ok(reader) => reader,
                Err(error) => return Some(Err(error)),
            };
            let batch = catch_panics(|| reader.next().transpose().map_err(|e| ParquetError::External(Box::new(e))));
            let batch = batch.map_err(not_parquet);
            if batch.is_ok() {
                rest = Some(Ok(reader));
            }
            batch.transpose()
        })
    }

    /// The byte range of a row group's columns.
    fn bytes_of(&self, group: usize) -> std::ops::Range<u64> {
        let columns = self.metadata.metadata().row_group(group).columns();
        let first = columns.iter().map(|column| column.byte_range().0).min().unwrap_or(0);
        let end = columns.iter().map(|column| column.byte_range()).map(|(start, length)| start.saturating_add(length));
        first..end.max().unwrap_or(first)
    }

    /// The games in order.
    pub fn games(&self) -> impl Iterator<Item = Result<Game, CollectionError>> + '_ {
        let mut row = 0;
        self.batches().flat_map(move |batch| {
            let games: Vec<_> = match batch {
                Err(error) => vec![Err(error)],
                Ok(batch) => games_of(&batch)
                    .enumerate()
                    .map(|(i, game)| game.ok_or(CollectionError::DamagedRow { path: self.path.clone(), row: row + i }))
                    .collect(),
            };
            row += games.len();
            games
        })
    }
}

/// Whether a file without checksums once had some: a flipped bit can hide the checksums, but not every trace of them.
fn lost_its_seal(file: &EofIsError<File>, metadata: &ArrowReaderMetadata) -> Result<bool, ParquetError> {
    if !is_by_tejun(metadata.metadata()) {
        return Ok(false);
    }
    let pairs = metadata.metadata().file_metadata().key_value_metadata();
    let schema = pairs.into_iter().flatten().find(|pair| pair.key == SCHEMA_KEY);
    if let Some(version) = schema.and_then(|pair| pair.value.as_deref()) {
        return Ok(version != UNSEALED_VERSION);
    }
    // The metadata ends with its length and a four-byte magic number.
    let ends_at = file.len().saturating_sub(8);
    let length = file.get_bytes(ends_at, 4)?;
    let length = length.first_chunk().map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)));
    let footer = file.get_bytes(ends_at.saturating_sub(length), length.min(ends_at) as usize)?;
    Ok(memchr::memmem::find(&footer, SEAL_KEY.as_bytes()).is_some())
}

/// Writes a collection, which gets its name only when it is complete.
pub(crate) struct CollectionWriter {
    output: PathBuf,
    writer: ArrowWriter<SealingWriter<BufWriter<NewFile>>>,
}

/// A complete and sealed collection that does not have its name yet.
pub(crate) struct WrittenCollection {
    output: PathBuf,
    file: NewFile,
    /// The checksum that identifies its content.
    pub(crate) checksum: u64,
}

impl CollectionWriter {
    pub(crate) fn create(output: &Path, manifest: &[(String, String)]) -> Result<CollectionWriter, CollectionError> {
        let file = NewFile::create(output).map_err(|source| CollectionError::File { path: output.into(), source })?;
        let mut pairs = vec![
            KeyValue::new("tejun.version".to_string(), env!("CARGO_PKG_VERSION").to_string()),
            KeyValue::new(SCHEMA_KEY.to_string(), SCHEMA_VERSION.to_string()),
        ];
        pairs.extend(manifest.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())));
        let level = ZstdLevel::try_new(1).expect("zstd has a level 1");
        let mut properties = WriterProperties::builder()
            .set_created_by(format!("tejun {}", env!("CARGO_PKG_VERSION")))
            .set_compression(Compression::ZSTD(level))
            .set_max_row_group_row_count(Some(ROW_GROUP))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_key_value_metadata(Some(pairs));
        // Every game has its own value, so a dictionary would only cost time.
        for column in ["id", "offset", "moves", "line_hash"] {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(column), false);
        }
        for column in ["moves", "setup_black", "setup_white", "colors", "notes"] {
            properties = properties.set_column_statistics_enabled(ColumnPath::from(column), EnabledStatistics::None);
        }
        let sealing = SealingWriter::new(BufWriter::with_capacity(1 << 20, file));
        let writer = ArrowWriter::try_new(sealing, game_schema(), Some(properties.build()))
            .map_err(|source| CollectionError::NotParquet { path: output.into(), source })?;
        Ok(CollectionWriter { output: output.into(), writer })
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), CollectionError> {
        let failed = |source| CollectionError::File { path: self.output.clone(), source: io::Error::other(source) };
        self.writer.write(batch).map_err(failed)
    }

    /// Completes and seals the file.
    pub(crate) fn finish(self) -> Result<WrittenCollection, CollectionError> {
        let CollectionWriter { output, writer } = self;
        let failed = |source| CollectionError::File { path: output.clone(), source };
        let (file, checksum) = finish_sealed(writer).map_err(|error| failed(io::Error::other(error)))?;
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        Ok(WrittenCollection { output, file, checksum })
    }
}

impl WrittenCollection {
    /// Renames the file to its final name.
    pub(crate) fn commit(self, if_exists: IfExists) -> Result<(), CollectionError> {
        self.file.commit(if_exists).map_err(|source| CollectionError::File { path: self.output, source })
    }
}
