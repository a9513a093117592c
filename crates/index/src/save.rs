//! Writes an index to a file, whole or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tejun_files::{IfExists, NewFile};

use crate::format::{FileHeader, N_SECTIONS};
use crate::index::Index;

/// Why an index could not be saved.
#[derive(Debug, thiserror::Error)]
#[error("the index could not be written to {}; the file there, if any, is unchanged", path.display())]
pub struct SaveError {
    /// Where it should have gone.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl Index {
    /// Writes the index to a file, replacing what was there.
    ///
    /// A reader sees the old file or the new one, never half of one. Whoever
    /// has the old file open keeps reading the old one.
    ///
    /// # Errors
    ///
    /// When the folder does not exist or may not be written, or the disk is full.
    pub fn save(&self, path: &Path) -> Result<(), SaveError> {
        self.write(path).map_err(|source| SaveError { path: path.to_owned(), source })
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        let mut file = NewFile::create(path)?;
        let contents = self.contents();
        let header = FileHeader::for_sections(self.text.n_symbols() as u64, &contents);
        write_sections(&mut file, &header, &contents)?;
        file.commit(IfExists::Replace)
    }

    /// The sections in the order of the file, with the length of an element.
    fn contents(&self) -> [(u32, &[u8]); N_SECTIONS] {
        [
            (2, bytemuck::cast_slice(&self.text.stored)),
            (8, bytemuck::cast_slice(&self.text.starts)),
            (self.positions.width(), self.positions.as_bytes()),
            (4, bytemuck::cast_slice(&self.common)),
            (2, bytemuck::cast_slice(&self.left)),
            (8, bytemuck::cast_slice(&self.buckets)),
            (1, &self.label),
        ]
    }
}

fn write_sections(file: &mut NewFile, header: &FileHeader, contents: &[(u32, &[u8]); N_SECTIONS]) -> io::Result<()> {
    let head = header.to_bytes();
    file.write_all(&head)?;
    let mut written = head.len();
    for (entry, (_, bytes)) in header.sections.iter().zip(contents) {
        let padding = entry.offset as usize - written;
        file.write_all(&vec![0; padding])?;
        file.write_all(bytes)?;
        written += padding + bytes.len();
    }
    Ok(())
}
