//! Makes sure that written data survive a power cut.

use std::fs::File;
use std::io;
use std::path::Path;

/// The folder that a path is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs the folder that holds a path, so that a new name in it survives a power cut.
///
/// Does nothing where folders cannot be synced (Windows, some network file systems).
///
/// # Errors
/// If the system reports that the folder could not be written to disk.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    sync_folder(folder_of(path))
}

/// Syncs a folder.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    match File::open(folder)?.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        synced => synced,
    }
}
