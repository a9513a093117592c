//! Opens index files, and rows of numbers, by mapping them into memory.
// Mapping a file is unsafe by nature: another program could cut or change the
// file under the map. Index files are only ever replaced by renaming, which
// leaves a mapped file as it is. This is the one place where that is promised.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use crate::format::{FileHeader, FormatError, SectionKind};
use crate::index::Index;
use crate::section::{PositionSection, Section};
use crate::text::Text;

#[cfg(target_endian = "big")]
compile_error!("index files are little endian and are mapped as they are");

/// A row of numbers inside a mapped file.
pub(crate) struct MappedSlice<T> {
    map: Arc<Mmap>,
    bytes: Range<usize>,
    element: PhantomData<T>,
}

impl<T: bytemuck::Pod> MappedSlice<T> {
    /// `None` if the bytes lie outside the map or do not hold whole, aligned numbers.
    fn new(map: &Arc<Mmap>, bytes: Range<usize>) -> Option<Self> {
        bytemuck::try_cast_slice::<u8, T>(map.get(bytes.clone())?).ok()?;
        Some(Self { map: Arc::clone(map), bytes, element: PhantomData })
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        bytemuck::cast_slice(&self.map[self.bytes.clone()])
    }
}

/// Why an index file could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot open the index {}", path.display())]
pub struct OpenError {
    /// The file.
    pub path: PathBuf,
    /// What was wrong.
    pub source: OpenErrorKind,
}

/// What can be wrong with an index file.
#[derive(Debug, thiserror::Error)]
pub enum OpenErrorKind {
    /// The system would not open or map it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not an index, or a damaged one.
    #[error(transparent)]
    Format(#[from] FormatError),
}

impl Index {
    /// Opens an index file without reading it: parts are read when asked for.
    ///
    /// Checks the header, the section table and the file's length. A damaged
    /// section is not noticed and gives wrong answers, though no panic; see
    /// [`open_checked`](Self::open_checked). The file must not be changed in
    /// place while it is open; [`save`](Self::save) never does that.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not an index, or was cut or damaged.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        open_mapped(path, &[])
    }

    /// Opens an index file and reads all of it once to check every section.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and when a section does not fit its checksum.
    pub fn open_checked(path: &Path) -> Result<Self, OpenError> {
        open_mapped(path, &SectionKind::ALL)
    }
}

fn open_mapped(path: &Path, to_check: &[SectionKind]) -> Result<Index, OpenError> {
    let in_file = |source| OpenError { path: path.to_owned(), source };
    let map = map_file(path).map_err(|error| in_file(error.into()))?;
    index_in(&Arc::new(map), to_check).map_err(|error| in_file(error.into()))
}

fn map_file(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: the map is only read, every number in it is valid whatever its
    // bits, and no part of this program changes an index file in place.
    unsafe { Mmap::map(&file) }
}

/// The first bytes of a file, and the numbers after them; `None` if those do not fill the rest.
pub(crate) fn mapped_row<T: bytemuck::Pod>(
    path: &Path,
    n_head: usize,
) -> io::Result<(Vec<u8>, Option<MappedSlice<T>>)> {
    let map = Arc::new(map_file(path)?);
    let n_head = n_head.min(map.len());
    Ok((map[..n_head].to_vec(), MappedSlice::new(&map, n_head..map.len())))
}

fn index_in(map: &Arc<Mmap>, to_check: &[SectionKind]) -> Result<Index, FormatError> {
    let header = FileHeader::from_bytes(map)?;
    for &section in to_check {
        let entry = header.sections[section as usize];
        let bytes = map.get(byte_range(&header, section)).unwrap_or(&[]);
        if xxh3_64(bytes) != entry.checksum {
            return Err(FormatError::SectionDamaged { section });
        }
    }
    let positions = if header.position_width == 8 {
        PositionSection::Wide(mapped(map, &header, SectionKind::Positions)?)
    } else {
        PositionSection::Narrow(mapped(map, &header, SectionKind::Positions)?)
    };
    Ok(Index {
        text: Text {
            stored: mapped(map, &header, SectionKind::Text)?,
            starts: mapped(map, &header, SectionKind::SegmentStarts)?,
            n_symbols: usize::try_from(header.n_symbols).unwrap_or(0),
        },
        positions,
        common: mapped(map, &header, SectionKind::CommonPrefixes)?,
        left: mapped(map, &header, SectionKind::LeftNeighbors)?,
        buckets: mapped(map, &header, SectionKind::Buckets)?,
        label: mapped(map, &header, SectionKind::Label)?,
    })
}

fn mapped<T: bytemuck::Pod>(
    map: &Arc<Mmap>,
    header: &FileHeader,
    section: SectionKind,
) -> Result<Section<T>, FormatError> {
    let entry = header.sections[section as usize];
    let (offset, byte_len) = (entry.offset, entry.byte_len);
    MappedSlice::new(map, byte_range(header, section)).map(Section::Mapped).ok_or(FormatError::SectionMisplaced {
        section,
        offset,
        byte_len,
    })
}

fn byte_range(header: &FileHeader, section: SectionKind) -> Range<usize> {
    let entry = header.sections[section as usize];
    entry.offset as usize..(entry.offset + entry.byte_len) as usize
}
