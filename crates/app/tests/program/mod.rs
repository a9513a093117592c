//! The program in a separate folder, and games to run it on.

#![allow(dead_code, reason = "each test file uses only some of them")]

pub mod golden;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder for one test, and the program started in it, so that paths in the output are short and reproducible.
pub struct Program {
    folder: tempfile::TempDir,
}

impl Program {
    pub fn new() -> Program {
        Program { folder: tempfile::tempdir().expect("a folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The program with these arguments, not yet started.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tejun"));
        command.args(args).current_dir(self.folder.path()).stdin(Stdio::null());
        // The user's environment must not affect the output.
        command.env_remove("COLUMNS").env_remove("RUST_BACKTRACE").env_remove("LANG").env_remove("NO_COLOR");
        command
    }

    /// Runs the program to its end, and checks that it does not panic.
    #[track_caller]
    pub fn run(&self, args: &[&str]) -> Run {
        self.run_with_input(args, b"")
    }

    #[track_caller]
    pub fn run_with_input(&self, args: &[&str], input: &[u8]) -> Run {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        // A program that fails early does not read its input.
        let _ = stdin.write_all(input);
        drop(stdin);
        let run = Run::from(child.wait_with_output().expect("the program exits"));
        assert!(!run.stderr.contains("panicked"), "{args:?}: {}", run.stderr);
        run
    }
}

/// The result of a run.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Run {
    #[track_caller]
    pub fn expect_code(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// The totals printed by `import`, checked for consistency: found, imported, skipped, refused.
    #[track_caller]
    pub fn sums(&self) -> [u64; 4] {
        let sum = |name: &str| -> u64 {
            let line = self.stdout.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|n| n.trim().parse().ok()).unwrap_or_else(|| panic!("no {name} in {self:?}"))
        };
        let [found, imported, skipped, refused] = ["found ", "imported ", "skipped ", "refused "].map(sum);
        assert_eq!(imported + skipped + refused, found, "{self:?}");
        [found, imported, skipped, refused]
    }
}

/// The sample games, one SGF text each.
pub fn sample() -> Vec<String> {
    tejun_knowledge::corpus::sample_text().lines().map(str::to_string).collect()
}

/// The first moves of a game.
pub fn first_moves(game: &str, n_moves: usize) -> String {
    let mut parts = game.trim_end_matches(')').split(';').skip(1);
    let root = parts.next().unwrap_or("");
    let moves: Vec<&str> = parts.take(n_moves).collect();
    format!("(;{root};{})\n", moves.join(";"))
}

/// The moves of a game with another header.
pub fn with_header(game: &str, header: &str) -> String {
    let (_, moves) = game.trim_start_matches("(;").split_once(';').expect("a game has moves");
    format!("(;{header};{moves}")
}

/// Whether a working folder is left next to an output.
pub fn has_partial(program: &Program, output: &str) -> bool {
    Path::new(&program.path(&format!("{output}.partial"))).exists()
}

/// Random numbers from a seed, for tests (Marsaglia's xorshift, 2003).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}
