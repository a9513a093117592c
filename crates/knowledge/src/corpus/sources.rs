//! Files, folders, archives and streams as blocks of bytes, always in the same order.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::RecordBatch;
use tejun_games::charset;
use tejun_games::records::{Format, game_starts, last_game_end};
use tejun_games::sgf::write_record;

use crate::corpus::chunks::ChunkFolder;
use crate::corpus::collection::{Collection, CollectionError};
use crate::corpus::input::is_sample;
use crate::corpus::input::single_game;
use crate::corpus::schema::games_of;

/// Bytes per block: large enough to give a worker something to do, small enough to hold many.
const BLOCK: usize = 2 << 20;
/// A larger record is rejected.
const MAX_RECORD: usize = 256 << 20;
/// Maximum nesting of archives.
const MAX_DEPTH: usize = 4;
/// Bytes read to recognize a file.
const HEAD: usize = 64 << 10;
/// Maximum size of an archive inside a stream, which is kept in memory.
const MAX_INNER: u64 = 1 << 30;
/// Limits on what an archive and all archives inside it may unpack to: bytes, and a multiple of the archive's size.
/// Games compress to about a tenth of their size; a ratio of 1000 indicates a decompression bomb.
const MAX_UNPACKED: (u64, u64) = (1 << 30, 250);
/// Limits on the entries of an archive: a number, plus one per this many bytes of the archive.
const MAX_ENTRIES: (u64, u64) = (100_000, 16);

/// Where records come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file, an archive, a collection, or a folder with everything in it.
    Path(PathBuf),
    /// A single game: the third of a file is number 3, and the first game of a collection has number 0.
    Game {
        /// The file, archive, folder or collection.
        path: PathBuf,
        /// The number of the game.
        number: usize,
    },
    /// Standard input.
    Stdin,
    /// Bytes built into the program, with the name to show.
    Bytes(&'static str, &'static [u8]),
}

impl Source {
    /// The file or folder, if the source has a path.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Source::Path(path) | Source::Game { path, .. } => Some(path),
            Source::Stdin | Source::Bytes(..) => None,
        }
    }
}

/// Why the sources can't be read at all.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The path does not exist.
    #[error("{path}: no such file or folder; check the spelling")]
    Missing {
        /// The path.
        path: String,
    },
    /// The output is one of the inputs.
    #[error("{path} is both input and output")]
    IsOutput {
        /// The path.
        path: String,
    },
}

/// A piece of a file that ends where a game ends.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The file that it comes from.
    pub(crate) source: Arc<str>,
    /// Its offset in that file.
    pub(crate) offset: u64,
    /// Number of lines before it.
    pub(crate) n_lines_before: u32,
    /// Its bytes, or why they can't be read.
    pub(crate) content: Content,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// Text of game records.
    Text(Vec<u8>),
    /// Games of a collection.
    Rows(RecordBatch),
    /// A file in a folder or archive that is not a game record.
    Foreign,
    /// The rest of the file can't be read; contains the system's message.
    Unreadable(String),
}

/// Receives every block in order; returns false to stop.
type Visit<'v> = dyn FnMut(Block) -> bool + 'v;

/// What a walk through sources skips and counts.
pub(crate) struct Walk<'a> {
    /// The output and its working folder, which are neither read nor counted.
    pub(crate) output: &'a Path,
    /// Bytes read so far, for the progress display.
    pub(crate) n_bytes: &'a AtomicU64,
}

/// The visitor ended the walk early; not an error.
struct Stop;

/// Fails if a source does not exist or is the output.
pub(crate) fn check_sources(sources: &[Source], output: &Path) -> Result<(), SourceError> {
    for path in sources.iter().filter_map(Source::path) {
        let name = || path.display().to_string();
        if !path.exists() && !is_sample(path) {
            return Err(SourceError::Missing { path: name() });
        }
        if is_same_file(path, output) {
            return Err(SourceError::IsOutput { path: name() });
        }
    }
    Ok(())
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// The total size of the source files in bytes, as far as known; archives count with their compressed size.
pub(crate) fn total_bytes(sources: &[Source]) -> u64 {
    let of_path = |path: &PathBuf| -> u64 {
        let files = walkdir::WalkDir::new(path).into_iter().flatten().filter_map(|entry| entry.metadata().ok());
        files.filter(|data| data.is_file()).map(|data| data.len()).sum()
    };
    sources
        .iter()
        .map(|source| match source {
            Source::Path(path) => of_path(path),
            Source::Game { .. } => 0,
            Source::Bytes(_, bytes) => bytes.len() as u64,
            Source::Stdin => 0,
        })
        .sum()
}

/// Passes every block of the sources to `visit`, in the order of the sources; files of a folder are sorted by name.
pub(crate) fn for_each_block(sources: &[Source], walk: &Walk<'_>, visit: &mut Visit<'_>) {
    for source in sources {
        let outcome = match source {
            Source::Path(path) if path.is_dir() => walk.folder(path, visit),
            Source::Path(path) => walk.file(path, Trust::Named, visit),
            Source::Game { path, number } => walk.single_game(path, *number, visit),
            Source::Stdin => walk.top_stream("stdin", io::stdin(), Trust::Named, visit),
            Source::Bytes(name, bytes) => walk.top_stream(name, *bytes, Trust::Named, visit),
        };
        if outcome.is_err() {
            return;
        }
    }
}

/// Passes the text of every record file to `visit`: its name, and its bytes or why they can't be read.
///
/// A large file is split into several pieces, each of which ends at the end of a game. Files that are not game
/// records are skipped, and so is `output` if it is inside a source.
///
/// # Errors
/// If a path does not exist.
pub fn for_each_text(
    sources: &[Source],
    output: &Path,
    mut visit: impl FnMut(&str, Result<&[u8], &str>),
) -> Result<(), SourceError> {
    check_sources(sources, Path::new(""))?;
    for_each_block(sources, &Walk { output, n_bytes: &AtomicU64::new(0) }, &mut |block| {
        match &block.content {
            Content::Text(text) => visit(&block.source, Ok(text)),
            Content::Unreadable(why) => visit(&block.source, Err(why)),
            Content::Rows(batch) => {
                for game in games_of(batch) {
                    match game {
                        Some(game) => visit(&block.source, Ok(write_record(&game.record).as_bytes())),
                        None => visit(&block.source, Err("this row is not a game")),
                    }
                }
            }
            Content::Foreign => {}
        }
        true
    });
    Ok(())
}

/// Whether the user named the file itself or it was found in a folder or archive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    Named,
    Found,
}

impl Walk<'_> {
    fn folder(&self, folder: &Path, visit: &mut Visit<'_>) -> Result<(), Stop> {
        let entries = walkdir::WalkDir::new(folder).follow_links(true).sort_by_file_name();
        let partial = ChunkFolder::of(self.output);
        let is_ours = |path: &Path| {
            [self.output, partial.path()]
                .iter()
                .any(|ours| ours.file_name() == path.file_name() && is_same_file(path, ours))
        };
        for entry in entries.into_iter().filter_entry(|entry| !is_ours(entry.path())) {
            match entry {
                // A temporary file that a killed run left may look like a game.
                Ok(entry) if tejun_files::is_temporary(entry.file_name()) && entry.file_type().is_file() => {
                    send(&shown_path(entry.path()), Content::Foreign, visit)?;
                }
                Ok(entry) if entry.file_type().is_file() => self.file(entry.path(), Trust::Found, visit)?,
                Ok(entry) if entry.file_type().is_dir() => {}
                // A pipe or device: reading it might never end, so it is read only if the user named it.
                Ok(entry) => send(&shown_path(entry.path()), Content::Foreign, visit)?,
                Err(error) => {
                    let path = error.path().unwrap_or(folder).display().to_string();
                    send(&path, Content::Unreadable(error.to_string()), visit)?;
                }
            }
        }
        Ok(())
    }

    /// The game with this number as a source.
    fn single_game(&self, path: &Path, number: usize, visit: &mut Visit<'_>) -> Result<(), Stop> {
        let name = format!("{}#{number}", shown_path(path));
        let content = match single_game(path, number) {
            Ok(content) => content,
            Err(error) => Content::Unreadable(error.to_string()),
        };
        send(&name, content, visit)
    }

    fn file(&self, path: &Path, trust: Trust, visit: &mut Visit<'_>) -> Result<(), Stop> {
        let name = shown_path(path);
        // A pipe can be read only once, so the first bytes are chained before the rest.
        let opened = File::open(path).and_then(|mut file| {
            let is_regular = file.metadata()?.is_file();
            let mut magic = Vec::with_capacity(8);
            file.by_ref().take(8).read_to_end(&mut magic)?;
            Ok((file, magic, is_regular))
        });
        let (mut file, magic, is_regular) = match opened {
            Err(error) => return send(&name, Content::Unreadable(error.to_string()), visit),
            Ok(opened) => opened,
        };
        if is_regular && trust == Trust::Named && Kind::of(&magic) == Kind::Collection {
            return self.collection(path, visit);
        }
        if !is_regular || !matches!(Kind::of(&magic), Kind::Zip | Kind::SevenZip) {
            return self.top_stream(&name, Cursor::new(magic).chain(file), trust, visit);
        }
        let n_bytes = file.metadata().map_or(0, |data| data.len());
        let budget = Budget::default();
        budget.n_packed.store(n_bytes, Ordering::Relaxed);
        let outcome = match file.rewind() {
            Err(error) => send(&name, Content::Unreadable(error.to_string()), visit),
            Ok(()) => self.seekable(&name, BufReader::new(file), (0, &budget), visit),
        };
        self.n_bytes.fetch_add(n_bytes, Ordering::Relaxed);
        outcome
    }

    fn collection(&self, path: &Path, visit: &mut Visit<'_>) -> Result<(), Stop> {
        let name = shown_path(path);
        let collection = match Collection::open(path) {
            Ok(collection) => collection,
            Err(error) => return send(&name, Content::Unreadable(reason(&error)), visit),
        };
        for batch in collection.batches() {
            match batch {
                Ok(batch) => send(&name, Content::Rows(batch), visit)?,
                Err(error) => send(&name, Content::Unreadable(reason(&error)), visit)?,
            }
        }
        self.n_bytes.fetch_add(path.metadata().map_or(0, |data| data.len()), Ordering::Relaxed);
        Ok(())
    }

    /// Reads a stream that is not inside another archive.
    fn top_stream(&self, name: &str, reader: impl Read, trust: Trust, visit: &mut Visit<'_>) -> Result<(), Stop> {
        let budget = Budget::default();
        let counted = Counted { inner: reader, n_bytes: [self.n_bytes, &budget.n_packed] };
        self.stream(name, Box::new(counted), trust, (0, &budget), visit)
    }

    /// Reads a stream in the format that its first bytes indicate.
    fn stream(
        &self,
        name: &str,
        mut reader: Box<dyn Read + '_>,
        trust: Trust,
        (depth, budget): (usize, &Budget),
        visit: &mut Visit<'_>,
    ) -> Result<(), Stop> {
        let mut head = Vec::with_capacity(HEAD);
        if let Err(error) = reader.by_ref().take(HEAD as u64).read_to_end(&mut head) {
            return send(name, Content::Unreadable(error.to_string()), visit);
        }
        let kind = Kind::of(&head);
        if depth > MAX_DEPTH && kind != Kind::Plain {
            let why = "archives inside archives, too deep; unpack it first";
            return send(name, Content::Unreadable(why.into()), visit);
        }
        let rest = Cursor::new(head.clone()).chain(reader);
        match kind {
            Kind::Zstd => match zstd::Decoder::new(rest) {
                Ok(decoder) => self.stream(name, Box::new(budget.metered(decoder)), trust, (depth + 1, budget), visit),
                Err(error) => send(name, Content::Unreadable(error.to_string()), visit),
            },
            Kind::Gzip => {
                let decoder = flate2::read::MultiGzDecoder::new(rest);
                self.stream(name, Box::new(budget.metered(decoder)), trust, (depth + 1, budget), visit)
            }
            Kind::Tar => self.tar(name, rest, (depth, budget), visit),
            Kind::Zip | Kind::SevenZip => {
                let mut bytes = Vec::new();
                match rest.take(MAX_INNER + 1).read_to_end(&mut bytes) {
                    Ok(n) if n as u64 > MAX_INNER => {
                        let why = "an archive of more than 1 GiB inside a pipe or an archive; unpack it first";
                        send(name, Content::Unreadable(why.into()), visit)
                    }
                    Ok(_) => self.seekable(name, Cursor::new(bytes), (depth, budget), visit),
                    Err(error) => send(name, Content::Unreadable(error.to_string()), visit),
                }
            }
            Kind::Unknown(what) => {
                let why = format!("compressed with {what}, which is not supported; unpack it first");
                send(name, Content::Unreadable(why), visit)
            }
            Kind::Collection if trust == Trust::Named => {
                let why = "a collection inside a stream or archive is not supported; unpack it first";
                send(name, Content::Unreadable(why.into()), visit)
            }
            Kind::Collection => send(name, Content::Foreign, visit),
            Kind::Plain if trust == Trust::Found && !is_record(name, &head) => send(name, Content::Foreign, visit),
            Kind::Plain => cut_into_blocks(name, rest, visit),
        }
    }

    fn tar(
        &self,
        name: &str,
        reader: impl Read,
        (depth, budget): (usize, &Budget),
        visit: &mut Visit<'_>,
    ) -> Result<(), Stop> {
        let mut archive = tar::Archive::new(reader);
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return send(name, Content::Unreadable(error.to_string()), visit),
        };
        for entry in entries {
            if let Some(why) = budget.count_entry() {
                return send(name, Content::Unreadable(why), visit);
            }
            match entry {
                Ok(entry) if entry.header().entry_type().is_file() => {
                    let inner = format!("{name}!/{}", String::from_utf8_lossy(&entry.path_bytes()));
                    self.stream(&inner, Box::new(budget.metered(entry)), Trust::Found, (depth + 1, budget), visit)?;
                }
                Ok(_) => {}
                Err(error) => return send(name, Content::Unreadable(error.to_string()), visit),
            }
        }
        Ok(())
    }

    fn seekable(
        &self,
        name: &str,
        mut reader: impl Read + io::Seek,
        (depth, budget): (usize, &Budget),
        visit: &mut Visit<'_>,
    ) -> Result<(), Stop> {
        let mut magic = [0; 4];
        let is_zip = reader.read_exact(&mut magic).is_ok() && Kind::of(&magic) == Kind::Zip;
        if let Err(error) = reader.rewind() {
            return send(name, Content::Unreadable(error.to_string()), visit);
        }
        let place = (depth, budget);
        if is_zip { self.zip(name, reader, place, visit) } else { self.seven_zip(name, reader, place, visit) }
    }

    fn zip(
        &self,
        name: &str,
        reader: impl Read + io::Seek,
        (depth, budget): (usize, &Budget),
        visit: &mut Visit<'_>,
    ) -> Result<(), Stop> {
        let mut archive = match zip::ZipArchive::new(reader) {
            Ok(archive) => archive,
            Err(error) => return send(name, Content::Unreadable(error.to_string()), visit),
        };
        for index in 0..archive.len() {
            if let Some(why) = budget.count_entry() {
                return send(name, Content::Unreadable(why), visit);
            }
            match archive.by_index(index) {
                Ok(entry) if entry.is_file() => {
                    // A name in an unknown charset still distinguishes entries.
                    let entry_name = String::from_utf8_lossy(entry.name_raw()).into_owned();
                    let inner = format!("{name}!/{entry_name}");
                    self.stream(&inner, Box::new(budget.metered(entry)), Trust::Found, (depth + 1, budget), visit)?;
                }
                Ok(_) => {}
                Err(error) => send(&format!("{name}!/#{index}"), Content::Unreadable(error.to_string()), visit)?,
            }
        }
        Ok(())
    }

    fn seven_zip(
        &self,
        name: &str,
        reader: impl Read + io::Seek,
        (depth, budget): (usize, &Budget),
        visit: &mut Visit<'_>,
    ) -> Result<(), Stop> {
        let mut stopped = false;
        let mut refused = None;
        let outcome =
            sevenz_rust2::ArchiveReader::new(reader, sevenz_rust2::Password::empty()).and_then(|mut archive| {
                archive.for_each_entries(|entry, content| {
                    if entry.is_directory() {
                        return Ok(true);
                    }
                    refused = budget.count_entry();
                    if refused.is_some() {
                        return Ok(false);
                    }
                    let inner = format!("{name}!/{}", entry.name());
                    let mut content = budget.metered(content);
                    let read = self.stream(&inner, Box::new(&mut content), Trust::Found, (depth + 1, budget), visit);
                    stopped = read.is_err();
                    // The format requires reading every entry to its end, and even that has to end at the budget.
                    Ok(!stopped && io::copy(&mut content, &mut io::sink()).is_ok())
                })
            });
        match (refused, outcome) {
            _ if stopped => Err(Stop),
            (Some(why), _) => send(name, Content::Unreadable(why), visit),
            (None, Ok(())) => Ok(()),
            (None, Err(error)) => send(name, Content::Unreadable(error.to_string()), visit),
        }
    }
}

/// What an archive, with all archives inside it, may still unpack.
#[derive(Default)]
struct Budget {
    /// Bytes of the archive itself that were read so far.
    n_packed: AtomicU64,
    n_unpacked: AtomicU64,
    n_entries: AtomicU64,
}

impl Budget {
    /// Counts an entry; returns the reason if it must not be read.
    fn count_entry(&self) -> Option<String> {
        let n_entries = self.n_entries.fetch_add(1, Ordering::Relaxed) + 1;
        let (free, bytes_each) = MAX_ENTRIES;
        let is_too_many = n_entries > free + self.n_packed.load(Ordering::Relaxed) / bytes_each;
        if is_too_many {
            return Some(format!(
                "too many entries for its size ({n_entries}); the rest was not read; unpack it first"
            ));
        }
        self.excess()
    }

    /// The reason why nothing more may be unpacked, if the budget is used up.
    fn excess(&self) -> Option<String> {
        let (free, times) = MAX_UNPACKED;
        let n_unpacked = self.n_unpacked.load(Ordering::Relaxed);
        let is_too_much = n_unpacked > free + times * self.n_packed.load(Ordering::Relaxed);
        is_too_much.then(|| {
            let n_mib = n_unpacked >> 20;
            format!("unpacks to more than {n_mib} MiB, too much for its size; the rest was not read; unpack it first")
        })
    }

    fn metered<R>(&self, inner: R) -> Metered<'_, R> {
        Metered { inner, budget: self }
    }
}

/// Unpacked bytes, counted against the budget.
struct Metered<'b, R> {
    inner: R,
    budget: &'b Budget,
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(why) = self.budget.excess() {
            return Err(io::Error::other(why));
        }
        let n = self.inner.read(buffer)?;
        self.budget.n_unpacked.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// What the first bytes of a file indicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    Zstd,
    Gzip,
    Tar,
    Zip,
    SevenZip,
    Collection,
    Unknown(&'static str),
}

impl Kind {
    fn of(head: &[u8]) -> Kind {
        match head {
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Kind::Zstd,
            [0x1f, 0x8b, ..] => Kind::Gzip,
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Kind::Zip,
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Kind::SevenZip,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Kind::Unknown("xz"),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => Kind::Unknown("bzip2"),
            [b'R', b'a', b'r', b'!', ..] => Kind::Unknown("rar"),
            [b'P', b'A', b'R', b'1', ..] => Kind::Collection,
            _ if head.get(257..262) == Some(b"ustar") => Kind::Tar,
            _ => Kind::Plain,
        }
    }
}

/// Whether to read a file that the user did not name, judged by its name or its first bytes.
fn is_record(name: &str, head: &[u8]) -> bool {
    const ENDINGS: [&str; 7] = [".sgf", ".sgfs", ".mgt", ".gib", ".ngf", ".ugf", ".ugi"];
    let name = name.trim_end_matches(".gz").trim_end_matches(".zst").to_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending)) || Format::of(&charset::decode(head, None).text).is_some()
}

/// Splits a stream where games start, so that every block contains whole games.
fn cut_into_blocks(name: &str, mut reader: impl Read, visit: &mut Visit<'_>) -> Result<(), Stop> {
    let source: Arc<str> = name.into();
    let mut buffer: Vec<u8> = Vec::new();
    let (mut offset, mut n_lines) = (0u64, 0u32);
    let mut wanted = BLOCK;
    loop {
        let missing = (wanted - buffer.len()) as u64;
        let failure = reader.by_ref().take(missing).read_to_end(&mut buffer).err();
        let is_end = failure.is_some() || buffer.len() < wanted;
        let cut = if is_end {
            Some(buffer.len())
        } else {
            game_starts(&buffer).next_back().or_else(|| last_game_end(&buffer))
        };
        match cut {
            None if wanted >= MAX_RECORD => {
                let why = "no end of a game in 256 MiB".to_string();
                let content = Content::Unreadable(why);
                let block = Block { source, offset, n_lines_before: n_lines, content };
                return if visit(block) { Ok(()) } else { Err(Stop) };
            }
            None => wanted *= 2,
            Some(cut) => {
                let rest = buffer.split_off(cut);
                let text = std::mem::replace(&mut buffer, rest);
                let lines = count_lines(&text);
                let n_bytes = text.len() as u64;
                let block =
                    Block { source: source.clone(), offset, n_lines_before: n_lines, content: Content::Text(text) };
                // An empty file counts as one broken record.
                if (n_bytes > 0 || offset == 0) && !visit(block) {
                    return Err(Stop);
                }
                offset += n_bytes;
                n_lines = n_lines.saturating_add(lines);
                wanted = BLOCK.max(buffer.len() + BLOCK / 2);
            }
        }
        if let Some(error) = failure {
            let content = Content::Unreadable(error.to_string());
            let block = Block { source, offset, n_lines_before: n_lines, content };
            return if visit(block) { Ok(()) } else { Err(Stop) };
        }
        if is_end {
            return Ok(());
        }
    }
}

fn count_lines(text: &[u8]) -> u32 {
    text.iter().filter(|&&byte| byte == b'\n').count() as u32
}

/// A reader that adds its bytes to two counters.
struct Counted<'a, R> {
    inner: R,
    n_bytes: [&'a AtomicU64; 2],
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        for counter in self.n_bytes {
            counter.fetch_add(n as u64, Ordering::Relaxed);
        }
        Ok(n)
    }
}

fn reason(error: &CollectionError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text += &format!(": {cause}");
        source = cause.source();
    }
    text
}

/// A path as shown to the user and stored.
fn shown_path(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

fn send(source: &str, content: Content, visit: &mut Visit<'_>) -> Result<(), Stop> {
    let block = Block { source: source.into(), offset: 0, n_lines_before: 0, content };
    if visit(block) { Ok(()) } else { Err(Stop) }
}
