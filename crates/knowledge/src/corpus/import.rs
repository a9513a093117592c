//! Import of sources into a collection: reads, checks and stores records in parallel, and can be interrupted.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, RecordBatch, UInt32Array};
use arrow::compute::filter_record_batch;
use arrow::datatypes::{UInt16Type, UInt32Type, UInt64Type};
use tejun_files::{IfExists, Lock, remove_folder};
use tejun_games::records::{OnIllegal, read_records};
use tejun_games::{Rejection, Warning};
use xxhash_rust::xxh3::Xxh3Default;

use crate::corpus::chunks::{Chunk, ChunkFolder, Outcome, Remark};
use crate::corpus::collection::{Collection, CollectionError, CollectionWriter};
use crate::corpus::duplicates::{Copies, Duplicates, Fingerprints, find_copies};
use crate::corpus::fingerprint::Fingerprint;
use crate::corpus::schema::{Row, RowBuilder, game_schema, games_of};
use crate::corpus::sources::{self, Block, Content, Source, SourceError, Walk};
use crate::progress::{NoProgress, Progress};

/// Options of an import.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// What to do with a game that contains an illegal move.
    pub on_illegal: OnIllegal,
    /// What to do with exact copies of a game.
    pub exact: Duplicates,
    /// What to do with games that differ only in ending, header or a single stone.
    pub near: Duplicates,
    /// What to do if the output already exists.
    pub existing: OutputMode,
    /// Number of threads; the output does not depend on it.
    pub n_threads: usize,
}

/// What to do with a collection that already exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputMode {
    /// Leave it alone and fail.
    Refuse,
    /// Keep its games and add new ones that it does not contain yet.
    Append,
    /// Replace it when the new one is complete.
    Replace,
}

impl Default for ImportOptions {
    fn default() -> ImportOptions {
        ImportOptions {
            on_illegal: OnIllegal::Cut,
            exact: Duplicates::Drop,
            near: Duplicates::Mark,
            existing: OutputMode::Refuse,
            n_threads: std::thread::available_parallelism().map_or(1, |n| n.get()),
        }
    }
}

/// Observes an import: the progress in bytes read, and remarks about records.
///
/// After a cancellation, finished work is kept for the next run.
pub trait ImportObserver: Progress {
    /// The number of records found so far.
    fn found(&self, n_records: u64) {
        let _ = n_records;
    }
    /// A remark about a record; called in the order of the input.
    fn remark(&self, line: &ReportLine<'_>) {
        let _ = line;
    }
    /// The collection has its name, and all remarks were reported; the working files are removed after this.
    ///
    /// A run that is killed before its end repeats all of this.
    ///
    /// # Errors
    /// If the remarks can't be stored; the import then fails.
    fn written(&self) -> io::Result<()> {
        Ok(())
    }
}

impl ImportObserver for NoProgress {}

/// A remark about a record.
#[derive(Clone, Debug)]
pub struct ReportLine<'a> {
    /// The outcome of the record.
    pub outcome: Outcome,
    /// The source file.
    pub source: &'a str,
    /// Line in the file, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// A short identifier of the kind of remark.
    pub kind: &'a str,
    /// The description.
    pub message: &'a str,
}

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportSummary {
    /// Games in the collection before the import.
    pub n_before: u64,
    /// Records found; the sum of the next three numbers.
    pub n_found: u64,
    /// Records that were added to the collection.
    pub n_imported: u64,
    /// Valid records that were not added.
    pub n_skipped: u64,
    /// Broken records.
    pub n_refused: u64,
    /// Moves in the imported games.
    pub n_moves: u64,
    /// Games of the collection that are marked as near duplicates.
    pub n_near: u64,
    /// The number of remarks by outcome and kind.
    pub kinds: BTreeMap<(Outcome, String), u64>,
}

/// Why an import failed.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The sources can't be used.
    #[error(transparent)]
    Sources(#[from] SourceError),
    /// The collection to append to can't be read.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// A file can't be written or read back.
    #[error("{path}")]
    Files {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The observer could not store the remarks.
    #[error("{0}")]
    Remarks(io::Error),
    /// The output is a folder.
    #[error("{path} is a folder; the output is a file, such as games.parquet")]
    IsFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The working folder contains files that are not tejun's.
    #[error(
        "{path} is not a working file of tejun, but its folder is needed for one; move the folder away, or choose \
             another name for the output"
    )]
    Foreign {
        /// One of these files.
        path: PathBuf,
    },
    /// The output already exists.
    #[error("{path} already exists")]
    Exists {
        /// The output.
        path: PathBuf,
    },
    /// Another import writes to the same output.
    #[error("{path} is being written by another import; wait until it ends")]
    Busy {
        /// The output.
        path: PathBuf,
    },
    /// The observer cancelled the import.
    #[error("stopped; run the same command again to resume")]
    Stopped,
}

/// First number for units of new records; units of games already in the collection come first.
const FIRST_BLOCKS: u32 = 1 << 31;

/// Bytes of text per unit.
const UNIT_BYTES: usize = 2 << 20;
/// Maximum number of small files per unit.
const UNIT_BLOCKS: usize = 2048;

/// A unit of work: blocks of input, or rows of a collection.
enum Unit {
    Blocks(Vec<Block>),
    /// Games that are already in the collection.
    Rows(RecordBatch),
    /// Games of another collection among the sources.
    Found(RecordBatch),
}

/// A finished chunk: the unit's number, its hash and its number of games.
type FinishedChunk = (u32, u64, u32);

/// Imports all records of the sources into a collection.
///
/// The same sources and options produce the same bytes, whatever the number of
/// threads and however often the import was interrupted. Memory does not depend
/// on the number of games.
///
/// # Errors
/// If a source does not exist, the output can't be written, or the observer
/// cancels the import. Broken records are not errors but remarks.
pub fn import(
    sources: &[Source],
    output: &Path,
    options: &ImportOptions,
    observer: &dyn ImportObserver,
) -> Result<ImportSummary, ImportError> {
    let (summary, folder, _lock) = import_and_keep(sources, output, options, observer)?;
    observer.written().map_err(ImportError::Remarks)?;
    folder.remove().map_err(|source| ImportError::Files { path: folder.path().into(), source })?;
    Ok(summary)
}

/// Does everything except removing the working folder, before which a run may be killed.
fn import_and_keep(
    sources: &[Source],
    output: &Path,
    options: &ImportOptions,
    observer: &dyn ImportObserver,
) -> Result<(ImportSummary, ChunkFolder, Lock), ImportError> {
    sources::check_sources(sources, output)?;
    if output.is_dir() {
        return Err(ImportError::IsFolder { path: output.to_path_buf() });
    }
    let exists = || ImportError::Exists { path: output.to_path_buf() };
    let is_refused = || options.existing == OutputMode::Refuse && output.exists();
    let folder = ChunkFolder::of(output);
    if let Some(path) = folder.foreign_file() {
        return Err(ImportError::Foreign { path });
    }
    if is_refused() && !folder.file(Finished::FILE).exists() {
        return Err(exists());
    }
    let in_folder = |source| ImportError::Files { path: folder.path().into(), source };
    folder.create().map_err(in_folder)?;
    let lock = Lock::take(&folder.file("lock")).map_err(in_folder)?;
    let lock = lock.ok_or_else(|| ImportError::Busy { path: output.to_path_buf() })?;
    // A run killed between naming the collection and removing this folder left all chunks that it was made of.
    let finished = Finished::read(&folder).filter(|finished| {
        Collection::open(output).is_ok_and(|collection| collection.checksum() == Some(finished.checksum))
    });
    if is_refused() && finished.is_none() {
        return Err(exists());
    }
    let is_append = options.existing == OutputMode::Append && output.exists();
    // Opened before the long work, so that an invalid collection is rejected at once.
    let old = if is_append { Some(Collection::open(output)?) } else { None };
    let work = Work {
        folder,
        options,
        observer,
        n_bytes: AtomicU64::new(0),
        n_reported: AtomicU64::new(0),
        n_found: AtomicU64::new(0),
        failure: Mutex::default(),
    };
    let mut done = work.make_chunks(FIRST_BLOCKS, |add| work.feed_blocks(sources, output, add))?;
    // If another program creates this file meanwhile, it must not be overwritten.
    let mut if_exists = match options.existing {
        OutputMode::Replace => IfExists::Replace,
        OutputMode::Append if is_append => IfExists::Replace,
        OutputMode::Append | OutputMode::Refuse => IfExists::Refuse,
    };
    let n_before = match finished {
        // The same import once more: repeat its remarks.
        Some(finished) if finished.is_of(&done, &work.parameters()) => {
            done = finished.done;
            if_exists = IfExists::Replace;
            finished.n_before
        }
        _ if is_refused() => {
            work.folder.remove().map_err(|source| work.files_error(source))?;
            return Err(exists());
        }
        _ if is_append => {
            let old = old.as_ref().expect("it was opened above");
            let mut failure = None;
            let rows = work.make_chunks(0, |add| {
                for batch in old.batches() {
                    match batch {
                        Ok(batch) => add(Unit::Rows(batch)),
                        Err(error) => return failure = Some(error),
                    }
                }
            });
            failure.map_or(Ok(()), Err)?;
            done = [rows?, done].concat();
            old.n_games() as u32
        }
        _ => 0,
    };
    let summary = work.finish(&done, n_before, output, if_exists)?;
    Ok((summary, work.folder, lock))
}

/// What a finished import leaves in its folder until the folder is removed.
struct Finished {
    /// The checksum that identifies the collection.
    checksum: u64,
    n_before: u32,
    parameters: String,
    done: Vec<FinishedChunk>,
}

impl Finished {
    const FILE: &'static str = "finished";

    fn write(&self, folder: &ChunkFolder) -> io::Result<()> {
        let mut text = format!("{:016x}\n{}\n{}\n", self.checksum, self.n_before, self.parameters);
        for (number, hash, n_games) in &self.done {
            text += &format!("{number} {hash:016x} {n_games}\n");
        }
        tejun_files::write_file(&folder.file(Finished::FILE), text.as_bytes(), IfExists::Replace)
    }

    fn read(folder: &ChunkFolder) -> Option<Finished> {
        let text = fs::read_to_string(folder.file(Finished::FILE)).ok()?;
        let mut lines = text.lines();
        let checksum = u64::from_str_radix(lines.next()?, 16).ok()?;
        let n_before = lines.next()?.parse().ok()?;
        let parameters = lines.next()?.to_string();
        let done = lines.map(|line| {
            let mut fields = line.split(' ');
            let number = fields.next()?.parse().ok()?;
            Some((number, u64::from_str_radix(fields.next()?, 16).ok()?, fields.next()?.parse().ok()?))
        });
        Some(Finished { checksum, n_before, parameters, done: done.collect::<Option<_>>()? })
    }

    /// Whether it was made from these records with these options.
    fn is_of(&self, blocks: &[FinishedChunk], parameters: &str) -> bool {
        let known = self.done.iter().filter(|done| done.0 >= FIRST_BLOCKS);
        self.parameters == parameters && known.eq(blocks)
    }
}

struct Work<'a> {
    folder: ChunkFolder,
    options: &'a ImportOptions,
    observer: &'a dyn ImportObserver,
    n_bytes: AtomicU64,
    /// Bytes already reported to the observer.
    n_reported: AtomicU64,
    n_found: AtomicU64,
    /// The first chunk that could not be written; it ends the work.
    failure: Mutex<Option<io::Error>>,
}

impl Work<'_> {
    fn files_error(&self, source: io::Error) -> ImportError {
        ImportError::Files { path: self.folder.path().into(), source }
    }

    fn is_over(&self) -> bool {
        self.observer.is_cancelled() || self.failure.lock().expect("no worker panics").is_some()
    }

    /// Makes the missing chunks of all units that `feed` provides; units are numbered from `first`.
    fn make_chunks(
        &self,
        first: u32,
        mut feed: impl FnMut(&mut dyn FnMut(Unit)),
    ) -> Result<Vec<FinishedChunk>, ImportError> {
        let done: Mutex<Vec<FinishedChunk>> = Mutex::default();
        let work_on = |(number, unit): (u32, Unit)| match self.make_chunk(number, unit) {
            Ok(chunk) => done.lock().expect("no worker panics").push(chunk),
            Err(error) => drop(self.failure.lock().expect("no worker panics").get_or_insert(error)),
        };
        let mut numbers = first..;
        let mut number = |unit: Unit| (numbers.next().expect("units are numbered with 31 bits"), unit);
        if self.options.n_threads <= 1 {
            feed(&mut |unit| work_on(number(unit)));
        } else {
            std::thread::scope(|scope| {
                let (sender, receiver) = crossbeam_channel::bounded(2 * self.options.n_threads);
                for _ in 0..self.options.n_threads {
                    let receiver = receiver.clone();
                    let work_on = &work_on;
                    scope.spawn(move || receiver.iter().for_each(work_on));
                }
                feed(&mut |unit| sender.send(number(unit)).expect("the workers wait for units"));
                drop(sender);
            });
        }
        if let Some(error) = self.failure.lock().expect("no worker panics").take() {
            return Err(self.files_error(error));
        }
        if self.observer.is_cancelled() {
            return Err(ImportError::Stopped);
        }
        let mut done = done.into_inner().expect("no worker panics");
        done.sort_unstable();
        Ok(done)
    }

    /// Splits the sources into units.
    fn feed_blocks(&self, sources: &[Source], output: &Path, add: &mut dyn FnMut(Unit)) {
        let mut batcher = Batcher::default();
        let walk = Walk { output, n_bytes: &self.n_bytes };
        sources::for_each_block(sources, &walk, &mut |block| {
            match block.content {
                // Blocks read before these rows come first.
                Content::Rows(batch) => {
                    std::mem::take(&mut batcher).rest().into_iter().for_each(&mut *add);
                    add(Unit::Found(batch));
                }
                _ => batcher.add(block).into_iter().for_each(&mut *add),
            }
            !self.is_over()
        });
        if !self.is_over() {
            batcher.rest().into_iter().for_each(add);
        }
    }

    fn make_chunk(&self, number: u32, unit: Unit) -> io::Result<FinishedChunk> {
        let hash = self.unit_hash(&unit);
        if self.folder.has(number, hash) {
            // Fingerprints are written before the rows, so they exist.
            let n_games = self.folder.read_fingerprints(number, hash)?.len() as u32;
            return Ok((number, hash, n_games));
        }
        let chunk = match unit {
            Unit::Rows(batch) => chunk_of_rows(batch),
            Unit::Found(batch) => {
                let n_found = batch.num_rows() as u32;
                Chunk { n_found, ..chunk_of_rows(batch) }
            }
            Unit::Blocks(blocks) => chunk_of_blocks(&blocks, self.options.on_illegal),
        };
        self.folder.write(number, hash, &chunk)?;
        let n_found = self.n_found.fetch_add(chunk.n_found as u64, Ordering::Relaxed) + chunk.n_found as u64;
        let n_bytes = self.n_bytes.load(Ordering::Relaxed);
        let n_reported = self.n_reported.fetch_max(n_bytes, Ordering::Relaxed);
        self.observer.advance(n_bytes.saturating_sub(n_reported));
        self.observer.found(n_found);
        Ok((number, hash, chunk.fingerprints.len() as u32))
    }

    /// A hash of the unit's content and of everything else that its chunk depends on.
    fn unit_hash(&self, unit: &Unit) -> u64 {
        let mut hasher = Xxh3Default::new();
        hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
        hasher.update(&[self.options.on_illegal as u8]);
        match unit {
            Unit::Rows(batch) | Unit::Found(batch) => {
                for column in batch.columns() {
                    column.to_data().buffers().iter().for_each(|buffer| hasher.update(buffer));
                }
            }
            Unit::Blocks(blocks) => {
                for block in blocks {
                    hasher.update(block.source.as_bytes());
                    hasher.update(&block.offset.to_le_bytes());
                    match &block.content {
                        Content::Text(text) => hasher.update(text),
                        Content::Rows(_) => unreachable!("rows are units of their own"),
                        Content::Foreign => hasher.update(b"foreign"),
                        Content::Unreadable(why) => hasher.update(why.as_bytes()),
                    }
                }
            }
        }
        hasher.digest()
    }

    /// Builds the collection from all chunks: finds copies, numbers the games, writes.
    fn finish(
        &self,
        done: &[FinishedChunk],
        n_before: u32,
        output: &Path,
        if_exists: IfExists,
    ) -> Result<ImportSummary, ImportError> {
        let prints = ChunkPrints { folder: &self.folder, done };
        let copies = match (self.options.exact, self.options.near) {
            (Duplicates::Keep, Duplicates::Keep) => Copies::default(),
            _ => find_copies(&prints).map_err(|e| self.files_error(e))?,
        };
        let plan = Plan::new(copies, self.options, n_before);
        let mut input_hash = Xxh3Default::new();
        done.iter().for_each(|chunk| input_hash.update(&chunk.1.to_le_bytes()));
        let manifest = vec![
            ("tejun.input_hash".into(), format!("{:016x}", input_hash.digest())),
            ("tejun.parameters".into(), self.parameters()),
        ];
        let writer = CollectionWriter::create(output, &manifest)?;
        let mut summary = ImportSummary { n_before: n_before as u64, ..ImportSummary::default() };
        // One thread reads and numbers the games, another compresses and writes them.
        let writer = std::thread::scope(|scope| {
            let (sender, receiver) = crossbeam_channel::bounded::<RecordBatch>(2);
            let writing = scope.spawn(move || {
                let mut writer = writer;
                receiver.iter().try_for_each(|batch| writer.write(&batch)).map(|()| writer)
            });
            let mut first = 0;
            for &(number, hash, n_games) in done {
                if self.observer.is_cancelled() {
                    return Err(ImportError::Stopped);
                }
                let chunk = self.folder.read(number, hash).map_err(|e| self.files_error(e))?;
                self.report_remarks(&chunk, first, &plan, &mut summary);
                let batch = plan.number_games(&chunk.games, first);
                summary.count_games(&batch, n_before);
                // The writer closes the channel only on failure, which is reported when it is joined.
                if sender.send(batch).is_err() {
                    break;
                }
                first += n_games;
            }
            drop(sender);
            Ok(writing.join().expect("the writer does not panic")?)
        })?;
        // A file without games would only be in the way of the next attempt.
        if summary.n_before + summary.n_imported > 0 {
            let written = writer.finish()?;
            let parameters = self.parameters();
            let finished = Finished { checksum: written.checksum, n_before, parameters, done: done.to_vec() };
            finished.write(&self.folder).map_err(|source| self.files_error(source))?;
            written.commit(if_exists).map_err(|error| match error {
                CollectionError::File { source, .. } if source.kind() == io::ErrorKind::AlreadyExists => {
                    ImportError::Exists { path: output.into() }
                }
                error => error.into(),
            })?;
        }
        Ok(summary)
    }

    /// The options that the collection depends on.
    fn parameters(&self) -> String {
        let name = |duplicates| match duplicates {
            Duplicates::Keep => "keep",
            Duplicates::Mark => "mark",
            Duplicates::Drop => "drop",
        };
        let illegal = if self.options.on_illegal == OnIllegal::Cut { "cut" } else { "refuse" };
        format!("illegal={illegal} exact={} near={}", name(self.options.exact), name(self.options.near))
    }

    fn report_remarks(&self, chunk: &Chunk, first: u32, plan: &Plan, summary: &mut ImportSummary) {
        summary.n_found += chunk.n_found as u64;
        for remark in &chunk.remarks {
            let is_dropped = remark.row.is_some_and(|row| plan.dropped.contains_key(&(first + row)));
            if is_dropped {
                continue;
            }
            let line = ReportLine {
                outcome: remark.outcome,
                source: &remark.source,
                line: remark.line,
                column: remark.column,
                kind: &remark.kind,
                message: &remark.message,
            };
            self.report(&line, summary);
        }
        let games = first..first + chunk.games.num_rows() as u32;
        let sources = column_text(&chunk.games, "source");
        let offsets = chunk.games["offset"].as_primitive::<UInt64Type>();
        let report_copies = |copies: &BTreeMap<u32, u32>, outcome, kind, what: &str, summary: &mut ImportSummary| {
            // Games already in the collection are not reported again.
            let n_before = summary.n_before;
            for (&copy, &original) in copies.range(games.clone()).filter(|(copy, _)| **copy as u64 >= n_before) {
                let row = (copy - first) as usize;
                let offset = offsets.values().get(row).copied().unwrap_or(0);
                let message = format!("at byte {offset}: {what} of game {}", plan.id_of(original));
                let source = sources.get(row).map_or("", |s| s);
                self.report(&ReportLine { outcome, source, line: 1, column: 1, kind, message: &message }, summary);
            }
        };
        report_copies(&plan.dropped, Outcome::Skipped, "duplicate", "copy", summary);
        report_copies(&plan.marked, Outcome::Imported, "near-duplicate", "near copy", summary);
    }

    fn report(&self, line: &ReportLine<'_>, summary: &mut ImportSummary) {
        match line.outcome {
            Outcome::Imported => {}
            Outcome::Skipped => summary.n_skipped += 1,
            Outcome::Refused => summary.n_refused += 1,
        }
        *summary.kinds.entry((line.outcome, line.kind.to_string())).or_default() += 1;
        self.observer.remark(line);
    }
}

impl ImportSummary {
    fn count_games(&mut self, batch: &RecordBatch, n_before: u32) {
        let ids = batch["id"].as_primitive::<UInt32Type>();
        let n_moves = batch["n_moves"].as_primitive::<UInt16Type>();
        let new = ids.values().iter().zip(n_moves.values()).filter(|(id, _)| **id >= n_before);
        for (_, &n_moves) in new {
            self.n_imported += 1;
            self.n_moves += u64::from(n_moves);
        }
        let near = &batch["near_duplicate_of"];
        self.n_near += (near.len() - near.null_count()) as u64;
    }
}

fn column_text<'b>(batch: &'b RecordBatch, name: &str) -> Vec<&'b str> {
    batch[name].as_string::<i32>().iter().map(|text| text.unwrap_or("")).collect()
}

/// What to do with each copy.
struct Plan {
    /// Dropped games, with the game they are copies of.
    dropped: BTreeMap<u32, u32>,
    /// Marked games, with the game they nearly equal.
    marked: BTreeMap<u32, u32>,
    /// The dropped games in order, used to number the rest.
    order: Vec<u32>,
}

impl Plan {
    fn new(copies: Copies, options: &ImportOptions, n_before: u32) -> Plan {
        let mut plan = Plan { dropped: BTreeMap::new(), marked: BTreeMap::new(), order: Vec::new() };
        for (copies, policy) in [(copies.exact, options.exact), (copies.near, options.near)] {
            for (copy, original) in copies {
                match policy {
                    // Games already in the collection stay there.
                    Duplicates::Drop if copy >= n_before => drop(plan.dropped.insert(copy, original)),
                    Duplicates::Keep => {}
                    _ => drop(plan.marked.insert(copy, original)),
                }
            }
        }
        plan.order = plan.dropped.keys().copied().collect();
        plan
    }

    /// The number in the collection of a game, or of the original if the game was dropped.
    fn id_of(&self, game: u32) -> u32 {
        let game = self.dropped.get(&game).copied().unwrap_or(game);
        game - self.order.partition_point(|&dropped| dropped < game) as u32
    }

    fn number_games(&self, games: &RecordBatch, first: u32) -> RecordBatch {
        let all = first..first + games.num_rows() as u32;
        let keep = BooleanArray::from_iter(all.clone().map(|game| Some(!self.dropped.contains_key(&game))));
        let ids = UInt32Array::from_iter_values(all.clone().map(|game| self.id_of(game)));
        let near = UInt32Array::from_iter(all.map(|game| self.marked.get(&game).map(|&original| self.id_of(original))));
        let schema = game_schema();
        let mut columns: Vec<ArrayRef> = games.columns().to_vec();
        columns[schema.index_of("id").expect("a column of ours")] = Arc::new(ids);
        columns[schema.index_of("near_duplicate_of").expect("a column of ours")] = Arc::new(near);
        let batch = RecordBatch::try_new(schema, columns).expect("only values changed");
        filter_record_batch(&batch, &keep).expect("the mask is as long as the batch")
    }
}

/// The fingerprints of all chunks, read from disk each time.
struct ChunkPrints<'a> {
    folder: &'a ChunkFolder,
    done: &'a [FinishedChunk],
}

impl Fingerprints for ChunkPrints<'_> {
    fn n_games(&self) -> u64 {
        self.done.iter().map(|chunk| chunk.2 as u64).sum()
    }

    fn for_each_part(&self, visit: &mut dyn FnMut(u32, &[Fingerprint])) -> io::Result<()> {
        let mut first = 0;
        for &(number, hash, n_games) in self.done {
            visit(first, &self.folder.read_fingerprints(number, hash)?);
            first += n_games;
        }
        Ok(())
    }
}

/// Collects blocks until they fill a unit.
#[derive(Default)]
struct Batcher {
    blocks: Vec<Block>,
    n_bytes: usize,
}

impl Batcher {
    fn add(&mut self, block: Block) -> Option<Unit> {
        if let Content::Text(text) = &block.content {
            self.n_bytes += text.len();
        }
        self.blocks.push(block);
        (self.n_bytes >= UNIT_BYTES || self.blocks.len() >= UNIT_BLOCKS).then(|| {
            self.n_bytes = 0;
            Unit::Blocks(std::mem::take(&mut self.blocks))
        })
    }

    fn rest(self) -> Option<Unit> {
        (!self.blocks.is_empty()).then_some(Unit::Blocks(self.blocks))
    }
}

fn chunk_of_rows(games: RecordBatch) -> Chunk {
    let fingerprints = games_of(&games)
        .map(|game| {
            let record = game.map_or(tejun_games::GameRecord::new(tejun_games::go::BoardSize::NINETEEN), |g| g.record);
            Fingerprint::of(&record)
        })
        .collect();
    Chunk { games, fingerprints, remarks: Vec::new(), n_found: 0 }
}

fn chunk_of_blocks(blocks: &[Block], on_illegal: OnIllegal) -> Chunk {
    let mut rows = RowBuilder::default();
    let mut chunk = Chunk {
        games: RecordBatch::new_empty(game_schema()),
        fingerprints: Vec::new(),
        remarks: Vec::new(),
        n_found: 0,
    };
    for block in blocks {
        match &block.content {
            Content::Text(text) if block.offset > 0 && text.trim_ascii().is_empty() => {}
            Content::Text(text) => add_records(&mut chunk, &mut rows, block, text, on_illegal),
            Content::Rows(_) => unreachable!("rows are units of their own"),
            Content::Foreign => chunk.refuse(block, Outcome::Skipped, "no-record", "not a game record"),
            Content::Unreadable(why) => chunk.refuse(block, Outcome::Refused, "unreadable", why),
        }
    }
    chunk.games = rows.finish();
    chunk
}

fn add_records(chunk: &mut Chunk, rows: &mut RowBuilder, block: &Block, text: &[u8], on_illegal: OnIllegal) {
    for found in read_records(text, on_illegal) {
        match found.record {
            Err(error) => chunk.refuse_record(block, &error),
            Ok(record) => {
                let fingerprint = Fingerprint::of(&record);
                let notes = chunk.note(block, &record.warnings);
                rows.push(&Row {
                    id: 0,
                    source: &block.source,
                    offset: block.offset + found.offset as u64,
                    record: &record,
                    line_hash: fingerprint.line,
                    near_duplicate_of: None,
                    notes: notes.as_deref(),
                });
                chunk.n_found += 1;
                chunk.fingerprints.push(fingerprint);
            }
        }
    }
}

impl Chunk {
    fn refuse(&mut self, block: &Block, outcome: Outcome, kind: &str, message: &str) {
        self.n_found += 1;
        self.remarks.push(Remark {
            outcome,
            row: None,
            source: block.source.to_string(),
            line: block.n_lines_before + 1,
            column: 1,
            kind: kind.into(),
            message: message.into(),
        });
    }

    fn refuse_record(&mut self, block: &Block, error: &Rejection) {
        let outcome = if error.why.is_foreign() { Outcome::Skipped } else { Outcome::Refused };
        self.refuse(block, outcome, error.why.name(), &error.why.to_string());
        let remark = self.remarks.last_mut().expect("it was just pushed");
        remark.line = block.n_lines_before + error.place.line;
        remark.column = error.place.column;
    }

    /// Remembers what was repaired in the next game; returns a description for its row.
    fn note(&mut self, block: &Block, notes: &[Warning]) -> Option<String> {
        let row = self.fingerprints.len() as u32;
        for note in notes {
            self.remarks.push(Remark {
                outcome: Outcome::Imported,
                row: Some(row),
                source: block.source.to_string(),
                line: block.n_lines_before + note.place.line,
                column: note.place.column,
                kind: note.what.name().into(),
                message: note.what.to_string(),
            });
        }
        let line = |note: &Warning| {
            let line = block.n_lines_before + note.place.line;
            format!("{line}:{} {}", note.place.column, note.what)
        };
        (!notes.is_empty()).then(|| notes.iter().map(line).collect::<Vec<_>>().join("; "))
    }
}

/// The number of bytes that an import of these sources will read, for a progress bar.
pub fn total_bytes(sources: &[Source]) -> u64 {
    sources::total_bytes(sources)
}

/// Removes the working folder of an output, so that the next import starts from the beginning.
///
/// # Errors
/// If another import is using it, or it can't be removed.
pub fn discard_partial(output: &Path) -> Result<(), ImportError> {
    let folder = ChunkFolder::of(output);
    let path = folder.path();
    if !path.exists() {
        return Ok(());
    }
    let in_folder = |source| ImportError::Files { path: path.into(), source };
    if let Some(path) = folder.foreign_file() {
        return Err(ImportError::Foreign { path });
    }
    let lock = Lock::take(&path.join("lock")).map_err(in_folder)?;
    let _lock = lock.ok_or_else(|| ImportError::Busy { path: output.to_path_buf() })?;
    remove_folder(path).map_err(in_folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::sample::sample_text;

    fn options(existing: OutputMode) -> ImportOptions {
        ImportOptions { existing, exact: Duplicates::Keep, n_threads: 1, ..ImportOptions::default() }
    }

    /// A folder with two files of games.
    fn games() -> (tempfile::TempDir, [PathBuf; 3]) {
        let folder = tempfile::tempdir().expect("a folder");
        let text = sample_text();
        let lines: Vec<&str> = text.lines().take(30).collect();
        let paths = ["a.sgf", "b.sgf", "games.parquet"].map(|name| folder.path().join(name));
        fs::write(&paths[0], lines[..20].join("\n")).expect("a file");
        fs::write(&paths[1], lines[20..].join("\n")).expect("a file");
        (folder, paths)
    }

    fn names(folder: &Path) -> usize {
        fs::read_dir(folder).expect("a folder").count()
    }

    #[test]
    fn a_run_killed_before_cleaning_up_repeats_its_remarks() {
        let (folder, [a, b, output]) = games();
        let (a, b) = ([Source::Path(a)], [Source::Path(b)]);
        for (sources, existing) in [(&a, OutputMode::Refuse), (&b, OutputMode::Append), (&a, OutputMode::Replace)] {
            let options = options(existing);
            // Dropping the lock has the effect of killing the program.
            let (first, _, _) = import_and_keep(sources, &output, &options, &NoProgress).expect("a collection");
            let expected = fs::read(&output).expect("the collection");
            let second = import(sources, &output, &options, &NoProgress).expect("the same collection");
            assert_eq!(second, first, "{existing:?}");
            assert!(fs::read(&output).expect("the collection") == expected, "{existing:?}");
            assert_eq!(names(folder.path()), 3, "nothing else is left");
        }
    }

    #[test]
    fn leftovers_of_a_killed_run_do_not_complete_another_import() {
        let (folder, [a, b, output]) = games();
        let (a, b) = ([Source::Path(a)], [Source::Path(b)]);
        import_and_keep(&a, &output, &options(OutputMode::Refuse), &NoProgress).expect("a collection");
        let expected = fs::read(&output).expect("the collection");
        let other = import(&b, &output, &options(OutputMode::Refuse), &NoProgress);
        assert!(matches!(other, Err(ImportError::Exists { .. })), "{other:?}");
        assert!(fs::read(&output).expect("the collection") == expected);
        assert_eq!(names(folder.path()), 3, "nothing else is left");
        // Other games are added, and repeating the import does not match the earlier one.
        import_and_keep(&a, &output, &options(OutputMode::Replace), &NoProgress).expect("a collection");
        let appended = import(&b, &output, &options(OutputMode::Append), &NoProgress).expect("a collection");
        assert_eq!((appended.n_before, appended.n_imported), (20, 10));
    }

    #[test]
    fn a_locked_output_is_not_even_opened() {
        let (_folder, [a, _, output]) = games();
        fs::write(&output, "not a collection").expect("a file");
        let folder = ChunkFolder::of(&output);
        folder.create().expect("a folder");
        let _lock = Lock::take(&folder.file("lock")).expect("a lock").expect("nobody else has it");
        let outcome = import(&[Source::Path(a)], &output, &options(OutputMode::Append), &NoProgress);
        assert!(matches!(outcome, Err(ImportError::Busy { .. })), "{outcome:?}");
    }

    #[test]
    fn a_damaged_working_file_is_made_again() {
        let (_folder, [a, _, output]) = games();
        let sources = [Source::Path(a)];
        import(&sources, &output, &options(OutputMode::Refuse), &NoProgress).expect("a collection");
        let expected = fs::read(&output).expect("the collection");
        let (_, folder, lock) =
            import_and_keep(&sources, &output, &options(OutputMode::Replace), &NoProgress).expect("a collection");
        drop(lock);
        fs::remove_file(folder.file(Finished::FILE)).expect("a file");
        // As after a power cut: the file exists, but its bytes are missing.
        for entry in fs::read_dir(folder.file("")).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ending| ending == "rows") {
                fs::write(path, "").expect("a file");
            }
        }
        import(&sources, &output, &options(OutputMode::Replace), &NoProgress).expect("a collection");
        assert!(fs::read(&output).expect("the collection") == expected);
    }
}
