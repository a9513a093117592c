//! An array of numbers in a file of its own, memory-mapped when it is opened.

use std::io::{self, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use tejun_files::{IfExists, NewFile};

use crate::section::Section;
use crate::storage::mapped_row;

/// The first bytes of every such file; the last of them is the version.
const MARK: [u8; 8] = *b"tejrow\0\x01";
/// Bytes before the numbers: the mark, the kind, how long a number is, how many there are, their checksum.
const HEADER: usize = 64;

/// An array of numbers, in memory or in a memory-mapped file; a slice either way.
pub struct MappedArray<T: bytemuck::Pod>(Section<T>);

impl<T: bytemuck::Pod> From<Vec<T>> for MappedArray<T> {
    fn from(values: Vec<T>) -> MappedArray<T> {
        MappedArray(Section::Owned(values))
    }
}

impl<T: bytemuck::Pod> Deref for MappedArray<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

/// Why an array could not be saved or opened.
#[derive(Debug, thiserror::Error)]
#[error("{}", path.display())]
pub struct MappedArrayError {
    /// The file.
    pub path: PathBuf,
    /// What was wrong.
    pub source: MappedArrayErrorKind,
}

/// What can be wrong with the file of an array.
#[derive(Debug, thiserror::Error)]
pub enum MappedArrayErrorKind {
    /// The system would not read or write it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not a file of this kind, or of another version.
    #[error("not a file of this kind and version")]
    Foreign,
    /// It was cut or changed.
    #[error("the file is damaged: its numbers do not fit their checksum")]
    Damaged,
}

impl<T: bytemuck::Pod> MappedArray<T> {
    /// The numbers for writing; mapped numbers are copied into memory first.
    #[inline]
    pub fn to_mut(&mut self) -> &mut [T] {
        if let Section::Mapped(mapped) = &self.0 {
            self.0 = Section::Owned(mapped.as_slice().to_vec());
        }
        match &mut self.0 {
            Section::Owned(values) => values,
            Section::Mapped(_) => &mut [],
        }
    }

    /// Writes the array to a file of this kind, completely or not at all.
    ///
    /// # Errors
    /// When the file can't be written; what was there is then unchanged.
    pub fn save(&self, path: &Path, kind: [u8; 8]) -> Result<(), MappedArrayError> {
        let write = || -> io::Result<()> {
            let bytes: &[u8] = bytemuck::cast_slice(self);
            let mut file = NewFile::create(path)?;
            file.write_all(&header(kind, size_of::<T>(), bytes))?;
            file.write_all(bytes)?;
            file.commit(IfExists::Replace)
        };
        write().map_err(|source| MappedArrayError { path: path.to_owned(), source: source.into() })
    }

    /// Opens a file of this kind, and reads it once to see whether it is sound.
    ///
    /// # Errors
    /// When it can't be read, is of another kind, or was damaged.
    pub fn open(path: &Path, kind: [u8; 8]) -> Result<MappedArray<T>, MappedArrayError> {
        let in_file = |source| MappedArrayError { path: path.to_owned(), source };
        let (head, row) = mapped_row::<T>(path, HEADER).map_err(|error| in_file(error.into()))?;
        let is_known = head.get(..16) == Some(&[MARK, kind].concat()[..]);
        let row = row.filter(|_| is_known).ok_or_else(|| in_file(MappedArrayErrorKind::Foreign))?;
        if head != header(kind, size_of::<T>(), bytemuck::cast_slice(row.as_slice())) {
            return Err(in_file(MappedArrayErrorKind::Damaged));
        }
        Ok(MappedArray(Section::Mapped(row)))
    }
}

fn header(kind: [u8; 8], width: usize, bytes: &[u8]) -> Vec<u8> {
    let numbers = [width as u64, bytes.len() as u64, xxh3_64(bytes)];
    let mut header = [MARK, kind].concat();
    numbers.iter().for_each(|number| header.extend(number.to_le_bytes()));
    header.resize(HEADER, 0);
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: [u8; 8] = *b"test    ";

    #[test]
    fn what_is_opened_is_what_was_saved() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("row");
        for n in [0u32, 1, 1000] {
            let values: Vec<[u32; 2]> = (0..n).map(|i| [i, i * i]).collect();
            MappedArray::from(values.clone()).save(&path, KIND).expect("a file");
            assert_eq!(&MappedArray::<[u32; 2]>::open(&path, KIND).expect("a row")[..], &values[..]);
        }
    }

    #[test]
    fn foreign_cut_and_changed_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("row");
        MappedArray::from(vec![1u32, 2, 3]).save(&path, KIND).expect("a file");
        let bytes = std::fs::read(&path).expect("the file");
        let open = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("a file");
            MappedArray::<u32>::open(&path, KIND).map(|row| row.len()).map_err(|error| error.source)
        };
        assert!(matches!(open(&bytes), Ok(3)));
        for end in 0..bytes.len() {
            assert!(open(&bytes[..end]).is_err(), "cut at {end}");
        }
        for i in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[i] ^= 1;
            assert!(open(&changed).is_err(), "changed at {i}");
        }
        std::fs::write(&path, &bytes).expect("a file");
        assert!(
            matches!(MappedArray::<u32>::open(&path, *b"another "), Err(e) if matches!(e.source, MappedArrayErrorKind::Foreign))
        );
        assert!(MappedArray::<u64>::open(&path, KIND).is_err(), "numbers of another width");
    }
}
