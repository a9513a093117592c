//! Writes an index to a file, whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::format::{Header, N_SECTIONS};
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
    /// Writes to a hidden file beside it, which takes its name when complete:
    /// a reader sees the old file or the new one, never half of one. Whoever
    /// has the old file open keeps reading the old one.
    ///
    /// # Errors
    ///
    /// When the folder does not exist or may not be written, or the disk is full.
    pub fn save(&self, path: &Path) -> Result<(), SaveError> {
        self.write_beside(path).map_err(|source| SaveError { path: path.to_owned(), source })
    }

    fn write_beside(&self, path: &Path) -> io::Result<()> {
        let partial = PartialFile::create_beside(path)?;
        let contents = self.contents();
        let header = Header::for_sections(self.text.n_symbols() as u64, &contents);
        write_sections(&partial.file, &header, &contents)?;
        partial.file.sync_all()?;
        partial.rename_to(path)
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

fn write_sections(mut file: &File, header: &Header, contents: &[(u32, &[u8]); N_SECTIONS]) -> io::Result<()> {
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

/// A file being written, removed again unless it is renamed.
pub(crate) struct PartialFile {
    pub(crate) file: File,
    path: PathBuf,
    is_done: bool,
}

impl PartialFile {
    /// In the same folder, because only there a rename is one step.
    pub(crate) fn create_beside(path: &Path) -> io::Result<Self> {
        static N_CREATED: AtomicU32 = AtomicU32::new(0);
        let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        let nth = N_CREATED.fetch_add(1, Ordering::Relaxed);
        let mut partial_name = std::ffi::OsString::from(".");
        partial_name.push(name);
        partial_name.push(format!(".{}-{nth}.partial", std::process::id()));
        let path = path.with_file_name(partial_name);
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(&path)?;
        Ok(Self { file, path, is_done: false })
    }

    pub(crate) fn rename_to(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.is_done = true;
        Ok(())
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.is_done {
            // Nothing is left to do if this fails too; the first error is reported.
            let _ = fs::remove_file(&self.path);
        }
    }
}
