//! A file that gets its name when it is complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::IfExists;
use crate::leftovers::{Owner, PREFIX, SUFFIX, is_still_there, lock, remove_leftovers};
use crate::sync::{folder_of, sync_folder_of};

/// A file being written; it is removed if it is dropped without a commit.
#[derive(Debug)]
pub struct NewFile {
    target: PathBuf,
    destination: Destination,
}

#[derive(Debug)]
enum Destination {
    /// A temporary file in the same folder, renamed to the target in the end.
    Temporary(NamedTempFile),
    /// The target itself: a pipe, a terminal or a device.
    Direct(File),
}

impl NewFile {
    /// Begins a file that will have this name.
    ///
    /// A link is followed, so that the file it leads to is the one replaced. A
    /// pipe or device is written to as it is.
    ///
    /// # Errors
    /// If the folder does not exist or cannot be written to, or the target is a folder.
    pub fn create(target: &Path) -> io::Result<NewFile> {
        if is_stream(target) {
            let file = open_stream(target)?;
            return Ok(NewFile { target: target.into(), destination: Destination::Direct(file) });
        }
        let target = resolved(target);
        if target.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
        }
        remove_leftovers(&target);
        loop {
            let file = temporary_file(folder_of(&target))?;
            match lock(file.as_file()) {
                Owner::Us if is_still_there(file.as_file(), file.path()) => {}
                Owner::Nobody => {}
                // Taken for a leftover by another run, which removes it.
                Owner::Us | Owner::Others => continue,
            }
            return Ok(NewFile { target, destination: Destination::Temporary(file) });
        }
    }

    /// The file itself.
    pub fn as_file(&self) -> &File {
        match &self.destination {
            Destination::Temporary(file) => file.as_file(),
            Destination::Direct(file) => file,
        }
    }

    /// Syncs the file, gives it its name, and syncs the folder.
    ///
    /// # Errors
    /// If something has that name and may not be replaced, or the disk fails. What was there is then unchanged.
    pub fn commit(self, if_exists: IfExists) -> io::Result<()> {
        if let Destination::Temporary(file) = &self.destination {
            file.as_file().sync_all()?;
        }
        let target = self.target.clone();
        self.commit_unsynced(if_exists)?;
        if is_stream(&target) { Ok(()) } else { sync_folder_of(&target) }
    }

    /// Gives the file its name without waiting for the disk: a power cut may leave it empty or cut off.
    ///
    /// For files that can be recreated and carry a checksum.
    ///
    /// # Errors
    /// If something has that name and may not be replaced, or the disk fails.
    pub fn commit_unsynced(self, if_exists: IfExists) -> io::Result<()> {
        let file = match self.destination {
            Destination::Direct(mut file) => return file.flush(),
            Destination::Temporary(file) => file,
        };
        let persisted = match if_exists {
            IfExists::Refuse => file.persist_noclobber(&self.target),
            IfExists::Replace => {
                if let Ok(old) = fs::metadata(&self.target) {
                    // Whoever could read the old file can read the new one; not worth an error.
                    let _ = file.as_file().set_permissions(old.permissions());
                }
                file.persist(&self.target)
            }
        };
        persisted.map(drop).map_err(|error| error.error)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.as_file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.as_file().flush()
    }
}

impl Seek for NewFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.as_file().seek(position)
    }
}

/// Writes a whole file.
///
/// # Errors
/// As [`NewFile::create`] and [`NewFile::commit`].
pub fn write_file(path: &Path, bytes: &[u8], if_exists: IfExists) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes)?;
    file.commit(if_exists)
}

/// Whether a path is something that is written to, not replaced: a pipe, a terminal, a device.
pub fn is_stream(path: &Path) -> bool {
    // What these lead to may be a file, but it is asked for as a stream.
    let is_standard = path == Path::new("/dev/stdout") || path == Path::new("/dev/stderr");
    let is_open = path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd");
    is_standard || is_open || fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// Opens a stream without truncating what was written before.
fn open_stream(path: &Path) -> io::Result<File> {
    // If stdout is redirected to a file, opening it again by path would write from its first byte.
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let is_one_of = |paths: [&str; 3]| paths.iter().any(|known| path == Path::new(known));
        if is_one_of(["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]) {
            return Ok(io::stdout().as_fd().try_clone_to_owned()?.into());
        }
        if is_one_of(["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"]) {
            return Ok(io::stderr().as_fd().try_clone_to_owned()?.into());
        }
    }
    OpenOptions::new().append(true).open(path)
}

/// The file that a path refers to; links are followed, whether the file exists or not.
pub fn resolved(path: &Path) -> PathBuf {
    match fs::read_link(path) {
        Err(_) => path.into(),
        Ok(to) => path.canonicalize().unwrap_or_else(|_| folder_of(path).join(to)),
    }
}

fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // Readable by whoever may read new files.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_when_it_is_committed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.sgf");
        let mut file = NewFile::create(&path).expect("a file");
        file.write_all(b"new").expect("room");
        assert!(!path.exists());
        file.commit(IfExists::Refuse).expect("a free name");
        assert_eq!(fs::read(&path).expect("a file"), b"new");
        assert_eq!(names(folder.path()), ["a.sgf"]);
    }

    #[test]
    fn what_is_there_is_replaced_only_on_request() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.sgf");
        fs::write(&path, "theirs").expect("a file");
        let refused = write_file(&path, b"ours", IfExists::Refuse).expect_err("the name is taken");
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).expect("a file"), b"theirs");
        drop(NewFile::create(&path).expect("a file"));
        assert_eq!(fs::read(&path).expect("a file"), b"theirs");
        write_file(&path, b"ours", IfExists::Replace).expect("a file");
        assert_eq!(fs::read(&path).expect("a file"), b"ours");
        assert_eq!(names(folder.path()), ["a.sgf"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn files_in_shared_memory_are_files() {
        let folder = tempfile::tempdir_in("/dev/shm").expect("Linux has it");
        let path = folder.path().join("a.sgf");
        write_file(&path, b"0123456789", IfExists::Refuse).expect("a free name");
        let refused = write_file(&path, b"ours", IfExists::Refuse).expect_err("the name is taken");
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        write_file(&path, b"ours", IfExists::Replace).expect("a file");
        assert_eq!(fs::read(&path).expect("a file"), b"ours");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_written_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").expect("a file");
        std::os::unix::fs::symlink(&real, &link).expect("a link");
        write_file(&link, b"new", IfExists::Replace).expect("a file");
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        assert_eq!(fs::read(&real).expect("a file"), b"new");
        write_file(Path::new("/dev/null"), b"gone", IfExists::Refuse).expect("a device takes all");
        assert!(!fs::metadata("/dev/null").expect("a device").is_file());
        fs::remove_file(&real).expect("a file");
        write_file(&link, b"again", IfExists::Refuse).expect("the link leads nowhere");
        assert_eq!(fs::read(&real).expect("a file"), b"again");
        let refused = NewFile::create(folder.path()).expect_err("a folder");
        assert_eq!(refused.kind(), io::ErrorKind::IsADirectory);
    }
}
