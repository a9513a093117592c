//! Temporary files and folders: their names, their locks, and the leftovers of killed runs.
//!
//! The program that creates one keeps it locked. A lock ends with the program that holds
//! it, however it ends, so a temporary file without a lock is a leftover.

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::sync::folder_of;

/// The beginning of the name of every temporary file and folder.
pub(crate) const PREFIX: &str = ".tejun-";
/// The end of the name.
pub(crate) const SUFFIX: &str = ".new";

/// Whether this is the name of a temporary file or folder of tejun.
pub fn is_temporary(name: &std::ffi::OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        let middle = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
        middle.is_some_and(|middle| !middle.is_empty() && middle.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    })
}

/// Removes the leftovers of killed runs from the folder of a path; once per folder and run.
///
/// Temporary files of programs that are still running are locked, and stay. What cannot
/// be removed stays as well: a leftover is not worth an error.
pub fn remove_leftovers(path: &Path) {
    static SEEN: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
    let Ok(folder) = folder_of(path).canonicalize() else { return };
    let is_new = match SEEN.lock() {
        Ok(mut seen) => seen.get_or_insert_default().insert(folder.clone()),
        Err(_) => false,
    };
    if is_new {
        remove_leftovers_in(&folder);
    }
}

fn remove_leftovers_in(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_temporary(&entry.file_name())) {
        let path = entry.path();
        let Ok(file) = File::open(&path) else { continue };
        // Held until the end of the block, so that nobody takes it for a new one.
        if lock(&file) != Owner::Us {
            continue;
        }
        let _ = match entry.file_type() {
            Ok(kind) if kind.is_dir() => fs::remove_dir_all(&path),
            _ => fs::remove_file(&path),
        };
    }
}

/// Who holds the lock of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Us,
    Others,
    /// The file system has no locks.
    Nobody,
}

/// Takes the lock of a temporary file or folder, if it is free.
pub(crate) fn lock(file: &File) -> Owner {
    match file.try_lock() {
        Ok(()) => Owner::Us,
        Err(TryLockError::WouldBlock) => Owner::Others,
        // Network file systems have many ways to say that they have no locks.
        Err(TryLockError::Error(_)) => Owner::Nobody,
    }
}

/// The lock of a file, held until it is dropped or the program ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a file, which is created if necessary; `None` if another program holds it.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn take(path: &Path) -> io::Result<Option<Lock>> {
        let file = File::options().write(true).create(true).truncate(false).open(path)?;
        let is_ours = match lock(&file) {
            Owner::Us => is_still_there(&file, path),
            Owner::Nobody => true,
            Owner::Others => false,
        };
        Ok(is_ours.then_some(Lock { _file: file }))
    }
}

/// Whether a file that was just locked still has its name: between its creation and its lock, another run may have
/// taken it for a leftover.
pub(crate) fn is_still_there(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        match (file.metadata(), fs::symlink_metadata(path)) {
            (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_names_are_temporary() {
        let is_ours = |name: &str| is_temporary(name.as_ref());
        assert!(is_ours(".tejun-aB3xYz.new"));
        for other in ["tejun-aB3xYz.new", ".tejun-.new", ".tejun-a.b.new", ".tejun-abc", "a.new", ".tejun-a/b.new"] {
            assert!(!is_ours(other), "{other}");
        }
    }

    #[test]
    fn leftovers_go_and_locked_files_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in [".tejun-dead01.new", ".tejun-alive1.new", "theirs.new", ".tejun-theirs"] {
            fs::write(path(name), "text").expect("a file");
        }
        fs::create_dir(path(".tejun-dead02.new")).expect("a folder");
        fs::write(path(".tejun-dead02.new/model.json"), "{}").expect("a file");
        let alive = File::open(path(".tejun-alive1.new")).expect("a file");
        assert_eq!(lock(&alive), Owner::Us);
        remove_leftovers(&path("games.parquet"));
        let left = |name: &str| path(name).exists();
        assert!(left(".tejun-alive1.new") && left("theirs.new") && left(".tejun-theirs"));
        assert!(!left(".tejun-dead01.new") && !left(".tejun-dead02.new"));
    }
}
