//! Writes results: which files may be written, which must stay, and how files are named.
//!
//! One rule for all commands: an existing file is replaced only with `--force`, and an input never.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tejun_files::{IfExists, NewFile, is_stream, remove_leftovers, resolved, sync_folder_of};

use crate::commands::Globals;
use crate::terminal::visible_lines;

/// Checks an output file or folder before any work is done.
///
/// # Errors
/// If it is one of the inputs, already exists and `--force` was not given, or its folder does not exist.
pub fn check_output<'i>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'i Path>,
    globals: &Globals,
) -> anyhow::Result<()> {
    if output == Path::new("-") || is_stream(output) {
        return Ok(());
    }
    let place = place_of(output);
    for input in inputs {
        let is_same = input == output || place_of(input) == place;
        let is_inside = || input.is_dir() && input.canonicalize().is_ok_and(|folder| place.starts_with(folder));
        if is_same || output.exists() && !output.is_dir() && is_inside() {
            bail!("{} is read by this command and would be overwritten; choose another output", output.display());
        }
    }
    check_free(output, globals)
}

/// Like [`check_output`], for several optional outputs, which must all be different.
///
/// # Errors
/// If one of them must not be written.
pub fn check_outputs(outputs: &[&Option<PathBuf>], inputs: &[PathBuf], globals: &Globals) -> anyhow::Result<()> {
    let asked: Vec<&Path> = outputs.iter().filter_map(|output| output.as_deref()).collect();
    for (number, output) in asked.iter().enumerate() {
        check_output(output, inputs.iter().map(PathBuf::as_path), globals)?;
        let is_twice = asked[..number].iter().any(|other| place_of(other) == place_of(output));
        if is_twice && !is_stream(output) && *output != Path::new("-") {
            bail!("{} is given for two outputs; choose a different file for each", output.display());
        }
    }
    Ok(())
}

/// Whether two paths name the same file or folder, or would if it existed.
pub fn is_same_place(a: &Path, b: &Path) -> bool {
    place_of(a) == place_of(b)
}

/// The location that a path refers to, however it is spelled and whether it exists or not.
fn place_of(path: &Path) -> PathBuf {
    let path = resolved(path);
    path.canonicalize().unwrap_or_else(|_| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.into());
        path.file_name().map_or(path.clone(), |name| folder.join(name))
    })
}

/// Checks that an output does not exist or may be replaced, and that its folder exists; removes leftovers of killed
/// runs.
///
/// # Errors
/// If one of these conditions is not met.
pub fn check_free(output: &Path, globals: &Globals) -> anyhow::Result<()> {
    check_folder_of(output)?;
    remove_leftovers(output);
    if globals.if_exists() == IfExists::Refuse && fs::symlink_metadata(output).is_ok() {
        bail!("{}", exists(output));
    }
    Ok(())
}

/// Checks that the folder of an output exists.
///
/// # Errors
/// If it does not exist.
pub fn check_folder_of(output: &Path) -> anyhow::Result<()> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => {
            bail!("{}: the folder {} does not exist; create it first", output.display(), folder.display())
        }
        None => Ok(()),
    }
}

fn exists(output: &Path) -> String {
    format!("{} already exists; use --force to overwrite it", output.display())
}

/// Prints a result unchanged; on a terminal, control characters are escaped.
///
/// # Errors
/// If stdout cannot be written.
pub fn print(text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    let text = text.as_ref();
    if stdout.is_terminal() {
        let shown = visible_lines(&String::from_utf8_lossy(text)).into_owned();
        return stdout.write_all(shown.as_bytes()).context("stdout");
    }
    stdout.write_all(text).context("stdout")
}

/// Stdout for long results; see [`print()`].
pub struct Stdout {
    out: BufWriter<io::StdoutLock<'static>>,
    is_terminal: bool,
}

impl Stdout {
    /// Locks stdout.
    #[expect(clippy::new_without_default, reason = "it locks stdout")]
    pub fn new() -> Stdout {
        let out = io::stdout().lock();
        let is_terminal = out.is_terminal();
        Stdout { out: BufWriter::new(out), is_terminal }
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_terminal {
            self.out.write_all(visible_lines(&String::from_utf8_lossy(bytes)).as_bytes())?;
        } else {
            self.out.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a result to a file, or to stdout if no path is given.
///
/// # Errors
/// If it cannot be written, or the file exists and may not be replaced.
pub fn write_output(output: Option<&Path>, bytes: impl AsRef<[u8]>, globals: &Globals) -> anyhow::Result<()> {
    write_file(output.unwrap_or(Path::new("-")), bytes, globals)
}

/// Writes a file, which appears only when it is complete; `-` is stdout.
///
/// # Errors
/// If it cannot be written, or the file exists and may not be replaced.
pub fn write_file(path: &Path, bytes: impl AsRef<[u8]>, globals: &Globals) -> anyhow::Result<()> {
    if path == Path::new("-") {
        return print(bytes);
    }
    let mut file = OutputFile::create(path)?;
    file.write_all(bytes.as_ref()).with_context(|| not_written(path))?;
    file.commit(globals)
}

fn not_written(path: &Path) -> String {
    format!("{} could not be written", path.display())
}

/// A file that is written in parts and appears only when it is complete.
pub struct OutputFile {
    path: PathBuf,
    file: BufWriter<NewFile>,
}

impl OutputFile {
    /// Starts a file.
    ///
    /// # Errors
    /// If its folder cannot be written.
    pub fn create(path: &Path) -> anyhow::Result<OutputFile> {
        let file = NewFile::create(path).with_context(|| not_written(path))?;
        Ok(OutputFile { path: path.into(), file: BufWriter::new(file) })
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    /// If the file exists and may not be replaced, or the disk is full.
    pub fn commit(self, globals: &Globals) -> anyhow::Result<()> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error);
        let committed = file.and_then(|file| file.commit(globals.if_exists()));
        match committed {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => bail!("{}", exists(&self.path)),
            committed => committed.with_context(|| not_written(&self.path)),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A folder that a command writes many files to, each under a unique name.
pub struct OutputFolder {
    folder: PathBuf,
    /// Input files and folders; they and their contents are never replaced.
    inputs: Vec<PathBuf>,
    if_exists: IfExists,
    /// Names used by this run, in lower case: some file systems ignore case.
    taken: HashSet<String>,
    /// The last number tried for each name.
    numbers: HashMap<String, usize>,
    /// Files of this run, which must not be read as input.
    written: HashSet<PathBuf>,
}

/// The result of writing a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The name without its ending.
    pub stem: String,
    /// Whether the name was changed because another file has it.
    pub is_renamed: bool,
    /// Whether a file with the same content was already there.
    pub was_there: bool,
}

/// What exists at the path of a file to be written.
enum OutputSlot {
    Free,
    /// The same bytes.
    Same,
    /// Another file that may be replaced.
    Replaceable,
    Taken,
}

impl OutputFolder {
    /// Creates the folder if it does not exist.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create<'i>(
        folder: &Path,
        inputs: impl IntoIterator<Item = &'i Path>,
        globals: &Globals,
    ) -> anyhow::Result<OutputFolder> {
        fs::create_dir_all(folder).with_context(|| format!("{} could not be created", folder.display()))?;
        remove_leftovers(&folder.join("any"));
        sync_folder_of(folder).with_context(|| folder.display().to_string())?;
        Ok(OutputFolder {
            folder: folder.into(),
            inputs: inputs.into_iter().filter_map(|input| input.canonicalize().ok()).collect(),
            if_exists: globals.if_exists(),
            taken: HashSet::new(),
            numbers: HashMap::new(),
            written: HashSet::new(),
        })
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Whether this run wrote a file.
    pub fn has_written(&self, path: &Path) -> bool {
        !self.written.is_empty() && path.canonicalize().is_ok_and(|path| self.written.contains(&path))
    }

    /// Writes files that belong together, such as `game.sgf` and `game.html`, under the first free name of `game`,
    /// `game-2`, `game-3`, …
    ///
    /// Leaves an existing file with the same content unchanged and counts it as written, so that the command can be
    /// run again.
    ///
    /// # Errors
    /// If a file cannot be written, for example because the system refuses its name.
    pub fn write(&mut self, stem: &str, files: &[(&str, &[u8])]) -> anyhow::Result<Placed> {
        let stem: String = stem.chars().map(|c| if c.is_control() || c == '/' { '_' } else { c }).collect();
        let mut number = self.numbers.get(&stem).copied().unwrap_or(0);
        loop {
            number += 1;
            let name = if number == 1 { stem.clone() } else { format!("{stem}-{number}") };
            if self.taken.contains(&name.to_lowercase()) {
                continue;
            }
            let paths: Vec<PathBuf> =
                files.iter().map(|(ending, _)| self.folder.join(format!("{name}.{ending}"))).collect();
            let places: Vec<OutputSlot> =
                paths.iter().zip(files).map(|(path, (_, bytes))| self.place(path, bytes)).collect::<Result<_, _>>()?;
            if places.iter().any(|place| matches!(place, OutputSlot::Taken)) {
                continue;
            }
            self.numbers.insert(stem.clone(), number);
            self.taken.insert(name.to_lowercase());
            if !put_all(&paths, files, &places)? {
                // Another program took the name meanwhile.
                continue;
            }
            self.written.extend(paths.iter().filter_map(|path| path.canonicalize().ok()));
            let was_there = places.iter().all(|place| matches!(place, OutputSlot::Same));
            return Ok(Placed { stem: name, is_renamed: number > 1, was_there });
        }
    }

    fn place(&self, path: &Path, bytes: &[u8]) -> anyhow::Result<OutputSlot> {
        let data = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(OutputSlot::Free),
            data => data.with_context(|| not_written(path))?,
        };
        if data.is_file() && data.len() == bytes.len() as u64 && fs::read(path).is_ok_and(|there| there == bytes) {
            return Ok(OutputSlot::Same);
        }
        let real = path.canonicalize().unwrap_or_else(|_| path.into());
        let is_input = self.inputs.iter().any(|input| real.starts_with(input));
        let is_replaceable = self.if_exists == IfExists::Replace && data.is_file() && !is_input;
        Ok(if is_replaceable { OutputSlot::Replaceable } else { OutputSlot::Taken })
    }
}

/// Writes the files of one name; `false` if one of the names was taken meanwhile, in which case none is written.
fn put_all(paths: &[PathBuf], files: &[(&str, &[u8])], places: &[OutputSlot]) -> anyhow::Result<bool> {
    let mut new = Vec::new();
    for ((path, (_, bytes)), place) in paths.iter().zip(files).zip(places) {
        let if_exists = match place {
            OutputSlot::Same => continue,
            OutputSlot::Free => IfExists::Refuse,
            _ => IfExists::Replace,
        };
        match tejun_files::write_file(path, bytes, if_exists) {
            Ok(()) if if_exists == IfExists::Refuse => new.push(path),
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                new.iter().try_for_each(fs::remove_file).with_context(|| not_written(path))?;
                return Ok(false);
            }
            Err(error) => return Err(error).with_context(|| not_written(path)),
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(path: &Path, inputs: &[&Path], force: bool) -> OutputFolder {
        let globals = Globals { force, ..Globals::default() };
        OutputFolder::create(path, inputs.iter().copied(), &globals).expect("a folder")
    }

    fn write(folder: &mut OutputFolder, stem: &str, text: &str) -> String {
        folder.write(stem, &[("sgf", text.as_bytes())]).expect("a file").stem
    }

    #[test]
    fn file_names_are_unique() {
        let place = tempfile::tempdir().expect("a folder");
        let mut files = folder(place.path(), &[], false);
        let stems = ["a", "a", "a-2", "A", "a-2", "x\u{1b}/y"];
        let names = stems.map(|stem| write(&mut files, stem, stem));
        assert_eq!(
            names,
            ["a", "a-2", "a-2-2", "A-2", "a-2-3", "x__y"].map(String::from).map(|name| match name.as_str() {
                "A-2" => "A-3".to_string(),
                _ => name,
            })
        );
        assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), stems.len());
    }

    #[test]
    fn repeated_runs_write_nothing_and_others_get_other_names() {
        let place = tempfile::tempdir().expect("a folder");
        for _ in 0..2 {
            let mut files = folder(place.path(), &[], false);
            assert_eq!(["a", "a", "b"].map(|stem| write(&mut files, stem, stem)), ["a", "a-2", "b"]);
        }
        assert_eq!(write(&mut folder(place.path(), &[], false), "a", "other"), "a-3");
        assert_eq!(write(&mut folder(place.path(), &[], true), "a", "other"), "a");
        assert_eq!(fs::read_to_string(place.path().join("a.sgf")).expect("a file"), "other");
    }

    #[test]
    fn inputs_are_kept_even_with_force() {
        let place = tempfile::tempdir().expect("a folder");
        let input = place.path().join("a.sgf");
        fs::write(&input, "theirs").expect("a file");
        assert_eq!(write(&mut folder(place.path(), &[&input], true), "a", "ours"), "a-2");
        assert_eq!(write(&mut folder(place.path(), &[place.path()], true), "a", "more"), "a-3");
        assert_eq!(fs::read_to_string(&input).expect("a file"), "theirs");
    }
}
