//! A folder that gets its name when all its files are complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::IfExists;
use crate::leftovers::{Owner, PREFIX, SUFFIX, is_still_there, lock, remove_leftovers};
use crate::sync::{folder_of, sync_folder, sync_folder_of};

/// A folder being filled; it is removed if it is dropped without a commit.
#[derive(Debug)]
pub struct NewFolder {
    target: PathBuf,
    folder: TempDir,
    /// Held as long as the folder is temporary; `None` where folders have no locks.
    _lock: Option<File>,
}

impl NewFolder {
    /// Begins a folder that will have this name.
    ///
    /// # Errors
    /// If the folder around it does not exist or cannot be written to.
    pub fn create(target: &Path) -> io::Result<NewFolder> {
        // Without a slash at its end, which a rename would not take.
        let target = target.canonicalize().unwrap_or_else(|_| target.components().collect());
        remove_leftovers(&target);
        loop {
            let mut builder = tempfile::Builder::new();
            builder.prefix(PREFIX).suffix(SUFFIX);
            // As any new folder: what the user's umask leaves of it.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
            let folder = builder.tempdir_in(folder_of(&target))?;
            let lock = match File::open(folder.path()) {
                Err(_) if cfg!(not(unix)) => None,
                opened => {
                    let file = opened?;
                    match lock(&file) {
                        Owner::Us if is_still_there(&file, folder.path()) => Some(file),
                        Owner::Nobody => None,
                        Owner::Us | Owner::Others => continue,
                    }
                }
            };
            return Ok(NewFolder { target, folder, _lock: lock });
        }
    }

    /// Where its files go.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Syncs all files, gives the folder its name in one step, and removes what it replaces.
    ///
    /// # Errors
    /// If something has that name and may not be replaced, or the disk fails. What was there is then unchanged.
    pub fn commit(self, if_exists: IfExists) -> io::Result<()> {
        for entry in fs::read_dir(self.path())? {
            let path = entry?.path();
            if path.is_file() {
                File::open(path)?.sync_all()?;
            }
        }
        sync_folder(self.path())?;
        if fs::symlink_metadata(&self.target).is_err() {
            rename_to_free(self.path(), &self.target)?;
            let _ = self.folder.keep();
            return sync_folder_of(&self.target);
        }
        if if_exists == IfExists::Refuse {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        exchange(self.path(), &self.target)?;
        sync_folder_of(&self.target)
        // What was replaced now has the temporary name, and goes with it.
    }
}

/// Removes a folder with its content; its name is free at once, even if removing the content fails.
///
/// # Errors
/// If it cannot be removed.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    let aside = NewFolder::create(path)?;
    // Where a folder cannot take the name of an empty one, it is removed in place.
    if fs::rename(path, aside.path()).is_err() {
        fs::remove_dir_all(path)?;
    }
    aside.folder.close()
}

/// Renames to an unused name; fails if the name was taken in the meantime.
fn rename_to_free(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP) => {}
            renamed => return Ok(renamed?),
        }
    }
    fs::rename(from, to)
}

/// Exchanges two folders.
fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP) => {}
            exchanged => return Ok(exchanged?),
        }
    }
    // A file system that cannot exchange: for a moment there is none under this name, but both are on the disk.
    let mut aside = old.as_os_str().to_owned();
    aside.push(".old");
    let aside = PathBuf::from(aside);
    fs::rename(old, &aside)?;
    if let Err(error) = fs::rename(new, old) {
        fs::rename(&aside, old)?;
        return Err(error);
    }
    fs::rename(&aside, new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(target: &Path, text: &str, if_exists: IfExists) -> io::Result<()> {
        let folder = NewFolder::create(target)?;
        fs::write(folder.path().join("model.json"), text)?;
        folder.commit(if_exists)
    }

    #[test]
    fn a_folder_is_exchanged_in_one_step_and_only_on_request() {
        let around = tempfile::tempdir().expect("a folder");
        let target = around.path().join("model");
        let read = || fs::read_to_string(target.join("model.json")).expect("a file");
        fill(&target, "first", IfExists::Refuse).expect("a free name");
        assert_eq!(read(), "first");
        let refused = fill(&target, "second", IfExists::Refuse).expect_err("the name is taken");
        assert_eq!((refused.kind(), read().as_str()), (io::ErrorKind::AlreadyExists, "first"));
        fs::write(target.join("more"), "of the first").expect("a file");
        fill(&target, "second", IfExists::Replace).expect("a folder");
        assert_eq!(read(), "second");
        assert!(!target.join("more").exists());
        assert_eq!(fs::read_dir(around.path()).expect("a folder").count(), 1, "nothing else is left");
    }

    #[test]
    fn a_removed_folder_leaves_nothing() {
        let around = tempfile::tempdir().expect("a folder");
        let target = around.path().join("games.parquet.partial");
        fs::create_dir_all(target.join("inner")).expect("a folder");
        fs::write(target.join("inner/file"), "text").expect("a file");
        remove_folder(&target).expect("a folder of ours");
        assert_eq!(fs::read_dir(around.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn there_is_always_a_whole_folder_under_the_name() {
        let around = tempfile::tempdir().expect("a folder");
        let target = around.path().join("model");
        fill(&target, "0", IfExists::Refuse).expect("a free name");
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for n in 1..200 {
                    fill(&target, &n.to_string(), IfExists::Replace).expect("a folder");
                }
            });
            while !writer.is_finished() {
                assert!(target.exists(), "no model under the name");
            }
        });
    }
}
