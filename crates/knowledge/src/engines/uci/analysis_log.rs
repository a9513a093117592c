//! A file of answers from which an interrupted run resumes.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use crate::engines::uci::log_row::{CachedAnalysis, LogRowFault, is_position};
use crate::engines::{Analysis, Excerpt};

/// The first line of every file.
const VERSION: &str = "# tejun thoughts 1";
/// What all versions begin with.
const FORMAT: &str = "# tejun thoughts ";
/// What the second line begins with.
const IDENTITY: &str = "# engine: ";
/// The third line.
const COLUMNS: &str = "# position\tvalue\tmove\tdepth\tnodes\tline";
/// Names of the first column, by which a header of somebody else is known.
const HEADERS: [&str; 3] = ["position", "sfen", "fen"];

/// Thoughts on disk, one position a line, added to as they come.
///
/// A file belongs to one engine with one set of options. Of a position that
/// occurs twice, the last one counts. One program at a time may write to it.
///
/// ```
/// use tejun_knowledge::engines::{BestMove, Analysis, AnalysisLog};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("analyses.tsv");
/// let mut file = AnalysisLog::open(&path, "usi engine gpsusi")?;
/// let analysis = Analysis { best_move: BestMove::Resign, lines: Vec::new(), depth: None, nodes: None };
/// file.keep("startpos", &analysis)?;
/// assert_eq!(AnalysisLog::open(&path, "usi engine gpsusi")?.analyses().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AnalysisLog {
    file: File,
    n_bytes: u64,
    analyses: BTreeMap<String, CachedAnalysis>,
}

/// Why a file of analyses can't be used.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisLogError {
    /// The file can't be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It was made by a later program.
    #[error("line 1: the version is {version}: this program knows 1; use another file")]
    Version {
        /// The text found.
        version: Excerpt,
    },
    /// It does not say who answered.
    #[error("line {line}: it does not say which engine answered, but {found}; use another file for new answers")]
    NoIdentity {
        /// The line, from 1.
        line: usize,
        /// The text found.
        found: Excerpt,
    },
    /// Another engine answered, or the same with other options.
    #[error("its answers are of another engine\n    there: {found}\n    now:   {expected}\nuse another file")]
    OtherEngine {
        /// Who answered.
        found: String,
        /// Who should.
        expected: String,
    },
    /// A line is wrong.
    #[error("line {line}, {text}: {fault}")]
    Row {
        /// The line, from 1.
        line: usize,
        /// The text found.
        text: Excerpt,
        /// What is wrong with it.
        fault: LogRowFault,
    },
}

impl AnalysisLog {
    /// Opens a file to add answers to, or creates it.
    ///
    /// What was cut off while it was written is dropped from the file.
    ///
    /// # Errors
    /// If another engine answered, or at the first line that is wrong; the file is then left as it was.
    pub fn open(path: &Path, identity: &str) -> Result<AnalysisLog, AnalysisLogError> {
        // One line, whatever the command line holds.
        let identity: String = identity.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let header = header(&identity);
        let is_unbegun = bytes.len() < header.len() && header.as_bytes().starts_with(&bytes);
        let whole = if is_unbegun { &[] } else { whole_lines(&bytes) };
        if !is_unbegun {
            check_header(&bytes, &identity)?;
        }
        let analyses = read_rows(whole, CachedAnalysis::parse)?;
        file.set_len(whole.len() as u64)?;
        let mut file = AnalysisLog { file, n_bytes: whole.len() as u64, analyses };
        if file.n_bytes == 0 {
            file.append(&header)?;
        }
        Ok(file)
    }

    /// Reads the values of positions that anybody may have written.
    ///
    /// Two columns are enough, a position and its value for the side to move:
    /// hundredths of a pawn, or `mate N`. Lines that begin with `#`, empty
    /// lines and a header `position`, `sfen` or `fen` are passed over, other
    /// columns are read if the whole line is as ours. Positions are kept as
    /// they are written.
    ///
    /// # Errors
    /// At the first line that is wrong.
    pub fn read(path: &Path) -> Result<BTreeMap<String, CachedAnalysis>, AnalysisLogError> {
        let bytes = std::fs::read(path)?;
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        if !bytes.starts_with(FORMAT.as_bytes()) {
            return read_rows(bytes, CachedAnalysis::parse_leniently);
        }
        // Half a value is another value, so half a line of ours is none.
        let whole = whole_lines(bytes);
        check_version(whole)?;
        read_rows(whole, CachedAnalysis::parse)
    }

    /// What is kept of a position.
    pub fn get(&self, position: &str) -> Option<&CachedAnalysis> {
        self.analyses.get(position)
    }

    /// All that is kept, by position.
    pub fn analyses(&self) -> &BTreeMap<String, CachedAnalysis> {
        &self.analyses
    }

    /// Adds an analysis to the file, and to what is known.
    ///
    /// # Errors
    /// If it can't be written; what was known before still is, and the file has no half line. A position that is
    /// empty, begins with `#` or has control characters is refused, and so is a move with a blank in it.
    pub fn keep(&mut self, position: &str, analysis: &Analysis) -> io::Result<()> {
        let kept = CachedAnalysis::from(analysis);
        if !is_position(position) || !kept.is_writable() {
            let shown = Excerpt::new(position);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{shown} does not fit into a line")));
        }
        self.append(&format!("{position}\t{kept}\n"))?;
        self.analyses.insert(position.to_string(), kept);
        Ok(())
    }

    fn append(&mut self, text: &str) -> io::Result<()> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        match written {
            Ok(()) => self.n_bytes += text.len() as u64,
            // The first fault is reported; a second one leaves half a line at the
            // end, which is dropped when the file is opened again.
            Err(_) => drop(self.file.set_len(self.n_bytes)),
        }
        written
    }
}

fn header(identity: &str) -> String {
    format!("{VERSION}\n{IDENTITY}{identity}\n{COLUMNS}\n")
}

/// The bytes up to the last end of a line.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    &bytes[..end]
}

/// The lines with their numbers from 1.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = bytes.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.enumerate().map(|(index, line)| (index + 1, line))
}

/// The line of this number as text.
fn line(bytes: &[u8], number: usize) -> String {
    let found = lines(bytes).nth(number - 1).map_or(&[][..], |line| line.1);
    String::from_utf8_lossy(found).into_owned()
}

fn check_version(bytes: &[u8]) -> Result<(), AnalysisLogError> {
    let first = line(bytes, 1);
    match first.strip_prefix(FORMAT) {
        Some(_) if first == VERSION => Ok(()),
        Some(version) => Err(AnalysisLogError::Version { version: Excerpt::new(version) }),
        None => Err(AnalysisLogError::NoIdentity { line: 1, found: Excerpt::new(&first) }),
    }
}

fn check_header(bytes: &[u8], identity: &str) -> Result<(), AnalysisLogError> {
    check_version(bytes)?;
    let second = line(bytes, 2);
    match second.strip_prefix(IDENTITY) {
        Some(found) if found == identity => Ok(()),
        Some(found) => Err(AnalysisLogError::OtherEngine { found: found.into(), expected: identity.into() }),
        None => Err(AnalysisLogError::NoIdentity { line: 2, found: Excerpt::new(&second) }),
    }
}

/// How a line is read.
type ParseRow = fn(&str) -> Result<(&str, CachedAnalysis), LogRowFault>;

fn read_rows(bytes: &[u8], parse: ParseRow) -> Result<BTreeMap<String, CachedAnalysis>, AnalysisLogError> {
    let mut analyses = BTreeMap::new();
    for (number, bytes) in lines(bytes) {
        if bytes.is_empty() || bytes.starts_with(b"#") {
            continue;
        }
        let text = String::from_utf8_lossy(bytes);
        let row = match str::from_utf8(bytes) {
            Ok(text) => parse(text),
            Err(_) => Err(LogRowFault::Encoding),
        };
        match row {
            Ok((position, analysis)) => {
                analyses.insert(position.to_string(), analysis);
            }
            Err(_) if analyses.is_empty() && is_foreign_header(&text) => {}
            Err(fault) => return Err(AnalysisLogError::Row { line: number, text: Excerpt::new(&text), fault }),
        }
    }
    Ok(analyses)
}

/// Whether a line names columns.
fn is_foreign_header(line: &str) -> bool {
    let first = line.split('\t').next().unwrap_or(line).trim();
    HEADERS.iter().any(|name| name.eq_ignore_ascii_case(first))
}
