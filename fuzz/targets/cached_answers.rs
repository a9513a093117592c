//! Engine answers cached on disk: a file of any bytes is an answer that can be cached again, or no answer.
#![no_main]

use std::fs;
use std::path::{Path, PathBuf};

use libfuzzer_sys::fuzz_target;
use tejun_games::go::{Board, BoardSize, Color};
use tejun_knowledge::evaluation::{Evaluation, EvaluationCache, EvaluationKey, Question};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

thread_local! {
    static PLACE: Place = Place::new();
}

fuzz_target!(|bytes: &[u8]| PLACE.with(|place| {
    place.check(bytes);
    // With a correct checksum, so that everything before it is read.
    place.check(&with_checksum(bytes));
}));

/// A cache with one answer, in its own folder.
struct Place {
    cache: EvaluationCache,
    key: EvaluationKey,
    file: PathBuf,
    _folder: TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = EvaluationCache::open(folder.path()).expect("a folder");
        let board = Board::new(BoardSize::NINETEEN);
        let question =
            Question { start: &board, moves: &[], board: &board, color: Color::Black, komi: 6.5, played: None };
        let key = EvaluationKey::new("fuzz", &question);
        let answer = Evaluation { win_rate: Some(0.5), lead: None, moves: Vec::new() };
        cache.put(key, &answer).expect("a written file");
        let files = files_in(folder.path());
        let [file] = &files[..] else { panic!("one answer is one file: {files:?}") };
        Place { file: file.clone(), cache, key, _folder: folder }
    }

    fn check(&self, bytes: &[u8]) {
        self.remove();
        fs::write(&self.file, bytes).expect("a written file");
        let n_damaged = self.cache.n_damaged();
        let found = self.cache.get(self.key);
        assert_eq!(self.cache.n_damaged() - n_damaged, usize::from(found.is_none()));
        if let Some(answer) = found {
            self.remove();
            self.cache.put(self.key, &answer).expect("a written file");
            assert_eq!(self.cache.get(self.key).as_ref(), Some(&answer));
        }
    }

    /// Some systems wait for the disk when a file is replaced, but not when it is new.
    fn remove(&self) {
        fs::remove_file(&self.file).expect("the file of before");
    }
}

/// The first line, followed by its checksum on a second line.
fn with_checksum(bytes: &[u8]) -> Vec<u8> {
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or(bytes);
    [line, format!("\n{:016x}\n", xxh3_64(line)).as_bytes()].concat()
}

/// All files in a folder and its subfolders.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files_in(&path) } else { vec![path] }).collect()
}
