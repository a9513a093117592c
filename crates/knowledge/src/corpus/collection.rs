//! A collection on disk: opened, read batch by batch, written whole.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::corpus::damage::{Ending, guarded};
use crate::corpus::schema::{Game, SCHEMA_VERSION, game_schema, games_of};

/// Games of a row group: a unit of reading in parallel.
const ROW_GROUP: usize = 8192;

/// A collection of games in a Parquet file.
#[derive(Debug)]
pub struct Collection {
    path: PathBuf,
    metadata: ArrowReaderMetadata,
}

/// Why a collection can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The file can't be opened or written.
    #[error("{path}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is no Parquet file, or a damaged one.
    #[error("{path} is no collection; make one with `tejun import PATHS -o games.parquet`")]
    NotParquet {
        /// The file.
        path: PathBuf,
        /// What the reader says.
        source: ParquetError,
    },
    /// A Parquet file with other columns.
    #[error("{path} has no column `{column}` of the right type, so it is no collection of tejun's")]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// The first column that is missing.
        column: String,
    },
    /// A row that is no game.
    #[error("{path}: row {row} is damaged; import the collection again")]
    DamagedRow {
        /// The file.
        path: PathBuf,
        /// Row from 0.
        row: usize,
    },
}

impl Collection {
    /// Opens a collection and checks its columns.
    ///
    /// # Errors
    /// If the file is not there, no Parquet, or has other columns.
    pub fn open(path: &Path) -> Result<Collection, CollectionError> {
        let file = File::open(path).map_err(|source| CollectionError::File { path: path.into(), source })?;
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let metadata = guarded(|| ArrowReaderMetadata::load(&Ending(file), options))
            .map_err(|source| CollectionError::NotParquet { path: path.into(), source })?;
        let schema = metadata.schema();
        for field in game_schema().fields() {
            let is_there = schema.field_with_name(field.name()).is_ok_and(|f| f.data_type() == field.data_type());
            if !is_there {
                return Err(CollectionError::NotOurs { path: path.into(), column: field.name().clone() });
            }
        }
        Ok(Collection { path: path.into(), metadata })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of games.
    pub fn n_games(&self) -> usize {
        self.metadata.metadata().file_metadata().num_rows().max(0) as usize
    }

    /// What the file says of its making: version, parameters, hash of the input.
    pub fn manifest(&self) -> Vec<(String, String)> {
        let pairs = self.metadata.metadata().file_metadata().key_value_metadata();
        let ours = pairs.into_iter().flatten().filter(|pair| pair.key.starts_with("tejun."));
        ours.map(|pair| (pair.key.clone(), pair.value.clone().unwrap_or_default())).collect()
    }

    /// The rows in order, some thousand at a time.
    pub fn batches(&self) -> impl Iterator<Item = Result<RecordBatch, CollectionError>> + '_ {
        let reader = File::open(&self.path)
            .map_err(|source| CollectionError::File { path: self.path.clone(), source })
            .and_then(|file| {
                let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(Ending(file), self.metadata.clone());
                guarded(|| builder.with_batch_size(ROW_GROUP).build())
                    .map_err(|source| CollectionError::NotParquet { path: self.path.clone(), source })
            });
        let mut rest = Some(reader);
        std::iter::from_fn(move || {
            let mut reader = match rest.take()? {
                Ok(reader) => reader,
                Err(error) => return Some(Err(error)),
            };
            let batch = guarded(|| reader.next().transpose().map_err(|e| ParquetError::External(Box::new(e))));
            let batch = batch.map_err(|source| CollectionError::NotParquet { path: self.path.clone(), source });
            // What follows a damaged batch can't be trusted.
            if batch.is_ok() {
                rest = Some(Ok(reader));
            }
            batch.transpose()
        })
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

/// Writes a collection under a temporary name.
pub(crate) struct CollectionWriter {
    temporary: PathBuf,
    writer: ArrowWriter<File>,
}

impl CollectionWriter {
    pub(crate) fn create(temporary: &Path, manifest: &[(String, String)]) -> Result<CollectionWriter, CollectionError> {
        let file =
            File::create(temporary).map_err(|source| CollectionError::File { path: temporary.into(), source })?;
        let mut pairs = vec![
            KeyValue::new("tejun.version".to_string(), env!("CARGO_PKG_VERSION").to_string()),
            KeyValue::new("tejun.schema".to_string(), SCHEMA_VERSION.to_string()),
        ];
        pairs.extend(manifest.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())));
        let level = ZstdLevel::try_new(1).expect("zstd has a level 1");
        let mut properties = WriterProperties::builder()
            .set_created_by(format!("tejun {}", env!("CARGO_PKG_VERSION")))
            .set_compression(Compression::ZSTD(level))
            .set_max_row_group_row_count(Some(ROW_GROUP))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_key_value_metadata(Some(pairs));
        // No two games have the same: a dictionary would only cost time.
        for column in ["id", "offset", "moves", "line_hash"] {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(column), false);
        }
        for column in ["moves", "setup_black", "setup_white", "colors", "notes"] {
            properties = properties.set_column_statistics_enabled(ColumnPath::from(column), EnabledStatistics::None);
        }
        let writer = ArrowWriter::try_new(file, game_schema(), Some(properties.build()))
            .map_err(|source| CollectionError::NotParquet { path: temporary.into(), source })?;
        Ok(CollectionWriter { temporary: temporary.into(), writer })
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), CollectionError> {
        let failed = |source| CollectionError::File { path: self.temporary.clone(), source: io::Error::other(source) };
        self.writer.write(batch).map_err(failed)
    }

    /// Ends the file and gives it its name.
    pub(crate) fn finish(self, output: &Path) -> Result<(), CollectionError> {
        let CollectionWriter { temporary, writer } = self;
        let at = |path: &Path, source| CollectionError::File { path: path.into(), source };
        let file = writer.into_inner().map_err(|source| at(&temporary, io::Error::other(source)))?;
        file.sync_all().map_err(|source| at(&temporary, source))?;
        fs::rename(&temporary, output).map_err(|source| at(output, source))
    }
}
