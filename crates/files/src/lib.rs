//! Files and folders that appear complete or not at all.
//!
//! [`NewFile`] and [`NewFolder`] are written under a temporary name in the same folder, synced, and get their final
//! name in one step. What was there before is replaced only with [`IfExists::Replace`]. A program that is killed
//! leaves at most a temporary file, which the next run removes.
//!
//! The content of a file does not matter here.
//!
//! ```
//! use std::io::Write;
//! use tejun_files::{IfExists, NewFile};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.sgf");
//! let mut file = NewFile::create(&path)?;
//! file.write_all(b"(;GM[1])")?;
//! file.commit(IfExists::Refuse)?;
//! assert_eq!(std::fs::read(&path)?, b"(;GM[1])");
//! # Ok::<(), std::io::Error>(())
//! ```

mod checksum;
mod leftovers;
mod new_file;
mod new_folder;
mod sync;

pub use checksum::{checksum_of, checksum_of_bytes};
pub use leftovers::{Lock, is_temporary, remove_leftovers};
pub use new_file::{NewFile, is_stream, resolved, write_file};
pub use new_folder::{NewFolder, remove_folder};
pub use sync::sync_folder_of;

/// What to do when the name of a new file or folder is already in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfExists {
    /// Fail with [`std::io::ErrorKind::AlreadyExists`]; nothing is changed.
    Refuse,
    /// Replace the old file or folder in one step.
    Replace,
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
