//! What was learned so far, kept beside the output so that a stopped run goes on.

use std::fs;
use std::path::{Path, PathBuf};

use tejun_index::{Row, RowError};

use crate::patterns::counts::Tally;
use crate::patterns::dictionary::KeyTable;
use crate::patterns::features::N_SMALL;
use crate::patterns::linear::{Learner, Weights};

/// The files of a learner: name, and kind inside.
const PATTERNS: (&str, [u8; 8]) = ("patterns.row", *b"patterns");
const COUNTS: (&str, [u8; 8]) = ("counts.row", *b"counts  ");
const SMALL: (&str, [u8; 8]) = ("features.row", *b"unsized ");
const SQUARES: (&str, [u8; 8]) = ("squares.row", *b"squares ");
/// Written last: what is being learned, and from how many games it was.
const PROGRESS: (&str, [u8; 8]) = ("progress.row", *b"progress");

/// The folder of a run that may be stopped.
#[derive(Clone, Debug)]
pub struct Partial {
    folder: PathBuf,
}

impl Partial {
    /// Beside an output, with `.partial` behind its name.
    pub fn beside(output: &Path) -> Partial {
        // A slash at the end must not put the folder into the output.
        let mut name = output.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        Partial { folder: output.with_file_name(name) }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What was learned so far, if it was of this run; whatever is wrong with the files, learning starts anew.
    pub(crate) fn load(&self, run: u64) -> Option<Learner> {
        let path = |name: &str| self.folder.join(name);
        let progress: Row<u64> = Row::open(&path(PROGRESS.0), PROGRESS.1).ok()?;
        let &[saved_run, n_games] = &progress[..] else { return None };
        let table = KeyTable::of(Row::open(&path(PATTERNS.0), PATTERNS.1).ok()?)?;
        let counts: Row<[u32; 2]> = Row::open(&path(COUNTS.0), COUNTS.1).ok()?;
        let small: Row<f32> = Row::open(&path(SMALL.0), SMALL.1).ok()?;
        let squares: Row<f32> = Row::open(&path(SQUARES.0), SQUARES.1).ok()?;
        let n_slots = table.n_slots();
        let is_fit = counts.len() == n_slots && small.len() == N_SMALL && squares.len() == N_SMALL + n_slots;
        (saved_run == run && is_fit).then(|| Learner {
            weights: Weights { table, small: small.to_vec() },
            squares: squares.to_vec(),
            tally: Tally::of(&counts),
            n_games: n_games as usize,
        })
    }

    /// Keeps what was learned so far.
    ///
    /// # Errors
    /// If the files can't be written.
    pub(crate) fn save(&self, learner: &Learner, run: u64) -> Result<(), RowError> {
        let path = |name: &str| self.folder.join(name);
        // Files of different steps must not be taken together.
        let _ = fs::remove_file(path(PROGRESS.0));
        fs::create_dir_all(&self.folder)
            .map_err(|error| RowError { path: self.folder.clone(), source: error.into() })?;
        learner.weights.table.row().save(&path(PATTERNS.0), PATTERNS.1)?;
        Row::from(learner.tally.so_far()).save(&path(COUNTS.0), COUNTS.1)?;
        Row::from(learner.weights.small.clone()).save(&path(SMALL.0), SMALL.1)?;
        Row::from(learner.squares.clone()).save(&path(SQUARES.0), SQUARES.1)?;
        Row::from(vec![run, learner.n_games as u64]).save(&path(PROGRESS.0), PROGRESS.1)
    }

    /// Forgets all of it. What can't be removed, and what is not of such a run, is left.
    pub fn remove(&self) {
        for (name, _) in [PROGRESS, PATTERNS, COUNTS, SMALL, SQUARES] {
            let _ = fs::remove_file(self.folder.join(name));
        }
        let _ = fs::remove_dir(&self.folder);
    }
}
