//! Partial results of learning, stored next to the output so that a stopped run can resume.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tejun_files::{IfExists, checksum_of, is_temporary, remove_folder, write_file};
use tejun_index::{MappedArray, MappedArrayError};

use crate::patterns::counts::PatternTally;
use crate::patterns::dictionary::KeyTable;
use crate::patterns::features::N_SMALL;
use crate::patterns::linear::{Learner, Weights};

/// The files of a learner: name and kind.
const PATTERNS: (&str, [u8; 8]) = ("patterns.row", *b"patterns");
const COUNTS: (&str, [u8; 8]) = ("counts.row", *b"counts  ");
const SMALL: (&str, [u8; 8]) = ("features.row", *b"unsized ");
const SQUARES: (&str, [u8; 8]) = ("squares.row", *b"squares ");
/// Written last: the identity of the run, and the number of games learned from.
const PROGRESS: (&str, [u8; 8]) = ("progress.row", *b"progress");
/// The files of the finished model with their checksums; written before the model gets its name.
const FINISHED: &str = "finished";

/// The folder of a run that may be stopped.
#[derive(Clone, Debug)]
pub struct Partial {
    folder: PathBuf,
}

impl Partial {
    /// The folder next to an output, with `.partial` appended to its name.
    pub fn beside(output: &Path) -> Partial {
        // A trailing slash must not put the folder inside the output.
        let mut name = output.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        Partial { folder: output.with_file_name(name) }
    }

    /// The path of the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Loads what was learned so far if it belongs to this run; starts over if the files are damaged.
    pub(crate) fn load(&self, run: u64) -> Option<Learner> {
        let path = |name: &str| self.folder.join(name);
        let progress: MappedArray<u64> = MappedArray::open(&path(PROGRESS.0), PROGRESS.1).ok()?;
        let &[saved_run, n_games] = &progress[..] else { return None };
        let table = KeyTable::of(MappedArray::open(&path(PATTERNS.0), PATTERNS.1).ok()?)?;
        let counts: MappedArray<[u32; 2]> = MappedArray::open(&path(COUNTS.0), COUNTS.1).ok()?;
        let small: MappedArray<f32> = MappedArray::open(&path(SMALL.0), SMALL.1).ok()?;
        let squares: MappedArray<f32> = MappedArray::open(&path(SQUARES.0), SQUARES.1).ok()?;
        let n_slots = table.n_slots();
        let is_fit = counts.len() == n_slots && small.len() == N_SMALL && squares.len() == N_SMALL + n_slots;
        (saved_run == run && is_fit).then(|| Learner {
            weights: Weights { table, small: small.to_vec() },
            squares: squares.to_vec(),
            tally: PatternTally::of(&counts),
            n_games: n_games as usize,
        })
    }

    /// Saves what was learned so far.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub(crate) fn save(&self, learner: &Learner, run: u64) -> Result<(), MappedArrayError> {
        let path = |name: &str| self.folder.join(name);
        // Files of different steps must not be combined.
        let _ = fs::remove_file(path(PROGRESS.0));
        fs::create_dir_all(&self.folder)
            .map_err(|error| MappedArrayError { path: self.folder.clone(), source: error.into() })?;
        learner.weights.table.row().save(&path(PATTERNS.0), PATTERNS.1)?;
        MappedArray::from(learner.tally.so_far()).save(&path(COUNTS.0), COUNTS.1)?;
        MappedArray::from(learner.weights.small.clone()).save(&path(SMALL.0), SMALL.1)?;
        MappedArray::from(learner.squares.clone()).save(&path(SQUARES.0), SQUARES.1)?;
        MappedArray::from(vec![run, learner.n_games as u64]).save(&path(PROGRESS.0), PROGRESS.1)
    }

    /// Records the model, still under a temporary name, that is about to replace the output.
    ///
    /// If the run is killed before it removes this folder, [`Partial::remove_if_finished`] recognizes the model.
    ///
    /// # Errors
    /// If the model cannot be read or the record cannot be written.
    pub fn finish(&self, model: &Path) -> io::Result<()> {
        if !self.folder.exists() {
            return Ok(());
        }
        let mut lines = String::new();
        for entry in fs::read_dir(model)? {
            let name = entry?.file_name();
            lines += &format!("{} {}\n", checksum_of(&model.join(&name))?, name.to_string_lossy());
        }
        write_file(&self.folder.join(FINISHED), lines.as_bytes(), IfExists::Replace)
    }

    /// Removes the folder if its run finished: the output is the model that [`Partial::finish`] recorded.
    pub fn remove_if_finished(&self, output: &Path) {
        let lines = fs::read_to_string(self.folder.join(FINISHED)).unwrap_or_default();
        let is_same = |line: &str| {
            let noted = line.split_once(' ');
            noted.is_some_and(|(sum, name)| checksum_of(&output.join(name)).is_ok_and(|found| found == sum))
        };
        if !lines.is_empty() && lines.lines().all(is_same) {
            self.remove();
        }
    }

    /// Removes the folder in one step. Keeps what cannot be removed, and files of other programs.
    pub fn remove(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let ours = [PROGRESS.0, PATTERNS.0, COUNTS.0, SMALL.0, SQUARES.0, FINISHED];
        let is_ours = |name: &std::ffi::OsStr| is_temporary(name) || ours.iter().any(|our| name == *our);
        if entries.flatten().all(|entry| is_ours(&entry.file_name())) {
            let _ = remove_folder(&self.folder);
            return;
        }
        for name in ours {
            let _ = fs::remove_file(self.folder.join(name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partial(around: &Path) -> Partial {
        let partial = Partial::beside(&around.join("model"));
        for name in [PROGRESS.0, PATTERNS.0, ".tejun-dead01.new"] {
            write(&partial.folder.join(name), name);
        }
        partial
    }

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn n_entries(folder: &Path) -> usize {
        fs::read_dir(folder).map_or(0, Iterator::count)
    }

    #[test]
    fn a_removed_folder_takes_leftovers_with_it_but_no_other_files() {
        let around = tempfile::tempdir().expect("a folder");
        partial(around.path()).remove();
        assert_eq!(n_entries(around.path()), 0);
        let partial = partial(around.path());
        write(&partial.folder.join("theirs"), "text");
        partial.remove();
        assert!(partial.folder.join("theirs").exists() && !partial.folder.join(PROGRESS.0).exists());
    }

    #[test]
    fn only_a_finished_run_is_forgotten() {
        let around = tempfile::tempdir().expect("a folder");
        let (new, output) = (around.path().join(".tejun-abc123.new"), around.path().join("model"));
        let partial = partial(around.path());
        write(&output.join("trees.row"), "of the old model");
        partial.remove_if_finished(&output);
        assert!(partial.folder.exists(), "nothing was finished");
        write(&new.join("trees.row"), "of the new model");
        partial.finish(&new).expect("a model");
        partial.remove_if_finished(&output);
        assert!(partial.folder.exists(), "the new model does not have its name yet");
        fs::remove_dir_all(&output).expect("a folder");
        fs::rename(&new, &output).expect("a free name");
        partial.remove_if_finished(&output);
        assert!(!partial.folder.exists());
    }
}
