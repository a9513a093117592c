//! `tejun import`: reads files into a collection.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use tejun_files::{IfExists, remove_leftovers};
use tejun_games::records::OnIllegal;
use tejun_knowledge::corpus::{
    Duplicates, ImportError, ImportObserver, ImportOptions, ImportSummary, Outcome, OutputMode, ReportLine,
    discard_partial, import, is_collection, total_bytes,
};
use tejun_knowledge::progress::Progress;

use crate::args::InputArgs;
use crate::commands::{Found, Globals};
use crate::interrupt::{is_stopped, stop_on_interrupt};
use crate::output::{OutputFile, check_folder_of, check_output, check_outputs, print};
use crate::reports::table::csv_line;
use crate::terminal::count;

/// Read game records into a collection
///
/// Reads SGF, GIB, NGF and UGF/UGI in any charset, from files, folders, archives
/// (zip, 7z, tar, gz, zst) and files with one game per line. Writes Parquet, one row
/// per game. Press Ctrl-C to stop; run the same command again to resume.
///
/// Example: tejun import ~/games more.zip -o games.parquet
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// Output file
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Add the games that the collection does not have yet
    #[arg(long)]
    append: bool,
    /// Discard an interrupted import and start over
    #[arg(long)]
    restart: bool,
    /// For a game with an illegal move: keep the moves before it (cut), or refuse the game
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = IllegalMoves::Cut)]
    illegal: IllegalMoves,
    /// For exact duplicates (same moves, players and date, up to symmetry and color): drop, mark or keep them
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = CopyHandling::Drop)]
    exact_duplicates: CopyHandling,
    /// For near duplicates (same game with another ending or header, or a misplaced stone): drop, mark or keep them
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = CopyHandling::Mark)]
    near_duplicates: CopyHandling,
    /// Write a CSV file that lists every refused, skipped, repaired or duplicate record
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// What to do with a game that contains an illegal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum IllegalMoves {
    /// Keep the moves before it
    Cut,
    /// Refuse the game
    Refuse,
}

/// What to do with copies of other games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum CopyHandling {
    /// Import only one of them
    Drop,
    /// Import all, and mark the copies
    Mark,
    /// Import all
    Keep,
}

impl From<CopyHandling> for Duplicates {
    fn from(copies: CopyHandling) -> Duplicates {
        match copies {
            CopyHandling::Drop => Duplicates::Drop,
            CopyHandling::Mark => Duplicates::Mark,
            CopyHandling::Keep => Duplicates::Keep,
        }
    }
}

/// Imports the games and prints the totals.
///
/// # Errors
/// If a path does not exist or the output cannot be written.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let output = &args.output;
    if args.append && globals.force {
        bail!("--append adds to the collection and --force overwrites it; use only one of them");
    }
    let input = args.input.open()?;
    let inputs: Vec<&Path> = input.paths().chain(args.input.list()).collect();
    if output == Path::new("-") {
        bail!("-o -: a collection is a file and cannot be written to stdout; give a name, such as games.parquet");
    }
    check_folder_of(output)?;
    if output.exists() && !is_collection(output) {
        // The output must not be read as an input, even if it is in an input folder.
        check_output(output, inputs.iter().copied(), &Globals { force: true, ..globals.clone() })?;
    }
    check_outputs(&[&Some(output.clone()), &args.report], &[], &Globals { force: true, ..globals.clone() })?;
    if let Some(report) = &args.report {
        check_output(report, inputs.iter().copied().chain([output.as_path()]), globals)?;
    }
    remove_leftovers(output);
    if args.restart {
        discard_partial(output)?;
    }
    let options = ImportOptions {
        on_illegal: match args.illegal {
            IllegalMoves::Cut => OnIllegal::Cut,
            IllegalMoves::Refuse => OnIllegal::Refuse,
        },
        exact: args.exact_duplicates.into(),
        near: args.near_duplicates.into(),
        existing: match globals.if_exists() {
            _ if args.append => OutputMode::Append,
            IfExists::Replace => OutputMode::Replace,
            IfExists::Refuse => OutputMode::Refuse,
        },
        n_threads: globals.n_threads(),
    };
    let watcher = Watcher::new(args.report.as_ref(), globals, || total_bytes(input.sources()))?;
    let summary = import(input.sources(), output, &options, &watcher);
    watcher.bar.finish_and_clear();
    let summary = summary.map_err(|error| match error {
        ImportError::Exists { .. } => anyhow!("{error}; use --append to add to it or --force to overwrite it"),
        error => error.into(),
    })?;
    globals.status(describe(&summary));
    let sums = format!(
        "found {}\nimported {}\nskipped {}\nrefused {}\nmoves {}\n",
        summary.n_found, summary.n_imported, summary.n_skipped, summary.n_refused, summary.n_moves
    );
    print(sums.as_bytes())?;
    Ok(Found::from(summary.n_imported > 0 || summary.n_before > 0))
}

struct Watcher<'a> {
    bar: ProgressBar,
    report: Option<ReportFile<'a>>,
}

/// The list of remarks.
struct ReportFile<'a> {
    path: &'a Path,
    globals: &'a Globals,
    /// The lines so far, or the first error.
    lines: Mutex<io::Result<BufWriter<File>>>,
}

impl<'a> Watcher<'a> {
    fn new(
        report: Option<&'a PathBuf>,
        globals: &'a Globals,
        total: impl FnOnce() -> u64,
    ) -> anyhow::Result<Watcher<'a>> {
        stop_on_interrupt();
        let bar = if globals.quiet || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            let template = "{bar:30} {bytes}/{total_bytes}  {msg}  {eta} left";
            let style = ProgressStyle::with_template(template).expect("the template is ours");
            ProgressBar::new(total()).with_style(style)
        };
        let report = match report {
            None => None,
            Some(path) => {
                // Not next to the report: that folder may be among the inputs.
                let mut writer = BufWriter::new(tempfile::tempfile().context("could not create a temporary file")?);
                let head = ["outcome", "kind", "source", "line", "column", "message"];
                writer.write_all(csv_line(&head).as_bytes())?;
                Some(ReportFile { path, globals, lines: Mutex::new(Ok(writer)) })
            }
        };
        Ok(Watcher { bar, report })
    }
}

impl ReportFile<'_> {
    /// Moves the list to its final name.
    fn finish(&self) -> anyhow::Result<()> {
        let taken = || Err(io::Error::other("the report was already written"));
        let lines = std::mem::replace(&mut *self.lines.lock().expect("no thread panics while it reports"), taken());
        let lines = lines.and_then(|lines| lines.into_inner().map_err(io::IntoInnerError::into_error));
        let mut lines = lines.context("the temporary file for the report could not be written")?;
        let mut file = OutputFile::create(self.path)?;
        lines
            .rewind()
            .and_then(|()| io::copy(&mut lines, &mut file))
            .with_context(|| format!("{} could not be written", self.path.display()))?;
        file.commit(self.globals)
    }
}

impl ImportObserver for Watcher<'_> {
    fn found(&self, n_records: u64) {
        self.bar.set_message(count(n_records, "record"));
    }

    fn remark(&self, line: &ReportLine<'_>) {
        if let Some(report) = &self.report {
            let (row, column) = (line.line.to_string(), line.column.to_string());
            let fields = [line.outcome.name(), line.kind, line.source, &row, &column, line.message];
            let mut lines = report.lines.lock().expect("no thread panics while it reports");
            // The first line that cannot be kept fails the report when it is finished.
            if let Ok(Err(error)) = lines.as_mut().map(|lines| lines.write_all(csv_line(&fields).as_bytes())) {
                *lines = Err(error);
            }
        }
    }

    fn written(&self) -> io::Result<()> {
        let finished = self.report.as_ref().map_or(Ok(()), ReportFile::finish);
        finished.map_err(|error| io::Error::other(format!("{error:#}")))
    }
}

impl Progress for Watcher<'_> {
    fn advance(&self, n_bytes: u64) {
        self.bar.inc(n_bytes);
    }

    fn is_cancelled(&self) -> bool {
        is_stopped()
    }
}

/// Describes the totals by kind.
fn describe(summary: &ImportSummary) -> String {
    let mut text = String::new();
    for (outcome, title) in
        [(Outcome::Refused, "Refused"), (Outcome::Skipped, "Skipped"), (Outcome::Imported, "Imported with remarks")]
    {
        let kinds: Vec<String> = summary
            .kinds
            .iter()
            .filter(|((o, _), _)| *o == outcome)
            .map(|((_, kind), n)| format!("{kind} ({n})"))
            .collect();
        if !kinds.is_empty() {
            text.push_str(&format!("{title}: {}\n", kinds.join(", ")));
        }
    }
    if summary.n_refused + summary.n_skipped > 0 {
        text.push_str("Use `--report FILE` to list each of them in a file, or `tejun check PATHS` to print them.\n");
    }
    text.push_str(&format!("The collection now has {}.", count(summary.n_before + summary.n_imported, "game")));
    text
}
