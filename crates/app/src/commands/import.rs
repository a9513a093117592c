//! `tejun import`: from files to a collection.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Seek, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use tejun_files::{IfExists, remove_leftovers};
use tejun_games::formats::OnIllegal;
use tejun_knowledge::corpus::{
    Duplicates, Existing, ImportError, ImportObserver, ImportOptions, ImportSummary, Outcome, ReportLine,
    forget_partial, import, total_bytes,
};

use crate::commands::{Found, Globals};
use crate::inputs::{paths_of, sources};
use crate::output::{OutputFile, check_output, print};
use crate::reports::table::csv_line;

/// Read game records into a collection
///
/// Reads SGF, GIB, NGF and UGF/UGI in any charset, from files, folders, archives
/// (zip, 7z, tar, gz, zst) and files with one game a line, and writes Parquet, one
/// row a game. Stopped with Ctrl-C, the same command goes on where it was.
///
/// Example: tejun import ~/games more.zip -o games.parquet
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Files, folders, archives, patterns in quotes; - for stdin
    paths: Vec<String>,
    /// A file with one path a line
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// The collection to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Add to the collection what it does not have yet
    #[arg(long)]
    append: bool,
    /// Start anew instead of going on with a stopped import
    #[arg(long)]
    restart: bool,
    /// A game with an illegal move: keep the moves before it, or refuse it
    #[arg(long, value_name = "WHAT", default_value = "cut", value_parser = ["cut", "refuse"])]
    illegal: String,
    /// The same game again (moves, players, date; up to symmetry and color)
    #[arg(long, value_name = "WHAT", default_value = "drop", value_parser = ["drop", "mark", "keep"])]
    exact_duplicates: String,
    /// The same game with another ending, header or a misplaced stone
    #[arg(long, value_name = "WHAT", default_value = "mark", value_parser = ["drop", "mark", "keep"])]
    near_duplicates: String,
    /// List every refused, skipped, repaired or doubled record in a CSV file
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// Imports and prints the sums.
///
/// # Errors
/// If a path is not there or the output can't be written.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let output = &args.output;
    if args.append && globals.force {
        bail!("--append adds to the collection and --force replaces it; give one of them");
    }
    let sources = sources(&args.paths, args.files_from.as_deref())?;
    if sources.is_empty() {
        bail!("no files given; name files, folders or archives, or - for stdin");
    }
    if let Some(report) = &args.report {
        check_output(report, paths_of(&sources).chain([output.as_path()]), globals)?;
    }
    remove_leftovers(output);
    if args.restart {
        forget_partial(output)?;
    }
    let options = ImportOptions {
        on_illegal: if args.illegal == "refuse" { OnIllegal::Refuse } else { OnIllegal::Cut },
        exact: duplicates(&args.exact_duplicates),
        near: duplicates(&args.near_duplicates),
        existing: match globals.if_exists() {
            _ if args.append => Existing::Append,
            IfExists::Replace => Existing::Replace,
            IfExists::Refuse => Existing::Refuse,
        },
        n_threads: globals.n_threads(),
    };
    let watcher = Watcher::new(args.report.as_ref(), globals, || total_bytes(&sources))?;
    let summary = import(&sources, output, &options, &watcher);
    watcher.bar.finish_and_clear();
    let summary = summary.map_err(|error| match error {
        ImportError::Exists { .. } => anyhow!("{error}; --append adds to it, --force replaces it"),
        error => error.into(),
    })?;
    watcher.finish_report(args.report.as_ref(), globals)?;
    globals.tell(describe(&summary));
    let sums = format!(
        "found {}\nimported {}\nskipped {}\nrefused {}\nmoves {}\n",
        summary.n_found, summary.n_imported, summary.n_skipped, summary.n_refused, summary.n_moves
    );
    print(sums.as_bytes())?;
    Ok(Found::from(summary.n_imported > 0 || summary.n_before > 0))
}

fn duplicates(word: &str) -> Duplicates {
    match word {
        "drop" => Duplicates::Drop,
        "mark" => Duplicates::Mark,
        _ => Duplicates::Keep,
    }
}

/// Set by Ctrl-C; the work stops at the next unit.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Lets Ctrl-C stop the work at a good place instead of ending the program.
pub(crate) fn stop_on_interrupt() {
    // A second handler can't be set; the first one is as good.
    let _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::Relaxed) {
            std::process::exit(2);
        }
    });
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

struct Watcher {
    bar: ProgressBar,
    report: Option<Mutex<BufWriter<File>>>,
}

impl Watcher {
    fn new(report: Option<&PathBuf>, globals: &Globals, total: impl FnOnce() -> u64) -> anyhow::Result<Watcher> {
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
            Some(_) => {
                // Not beside the report: that folder may be among the input.
                let mut writer = BufWriter::new(tempfile::tempfile().context("can't make a temporary file")?);
                let head = ["outcome", "kind", "source", "line", "column", "message"];
                writer.write_all(csv_line(&head).as_bytes())?;
                Some(Mutex::new(writer))
            }
        };
        Ok(Watcher { bar, report })
    }

    fn finish_report(self, path: Option<&PathBuf>, globals: &Globals) -> anyhow::Result<()> {
        if let (Some(report), Some(path)) = (self.report, path) {
            let writer = report.into_inner().expect("no thread panics while it reports");
            let mut lines = writer.into_inner().map_err(|e| e.into_error()).context("the temporary file is full")?;
            let mut file = OutputFile::create(path)?;
            lines
                .rewind()
                .and_then(|()| std::io::copy(&mut lines, &mut file))
                .with_context(|| format!("{} could not be written", path.display()))?;
            file.commit(globals)?;
        }
        Ok(())
    }
}

impl ImportObserver for Watcher {
    fn advanced(&self, n_bytes: u64, n_found: u64) {
        self.bar.set_position(n_bytes);
        self.bar.set_message(format!("{n_found} records"));
    }

    fn remark(&self, line: &ReportLine<'_>) {
        if let Some(report) = &self.report {
            let (row, column) = (line.line.to_string(), line.column.to_string());
            let fields = [line.outcome.name(), line.kind, line.source, &row, &column, line.message];
            // A full disk shows when the report is finished.
            let _ = report.lock().expect("no thread panics while it reports").write_all(csv_line(&fields).as_bytes());
        }
    }

    fn is_stopped(&self) -> bool {
        STOPPED.load(Ordering::Relaxed)
    }
}

/// The sums by kind, in words.
fn describe(summary: &ImportSummary) -> String {
    let mut words = String::new();
    for (outcome, title) in
        [(Outcome::Refused, "Refused"), (Outcome::Skipped, "Skipped"), (Outcome::Imported, "Taken, with a note")]
    {
        let kinds: Vec<String> = summary
            .kinds
            .iter()
            .filter(|((o, _), _)| *o == outcome)
            .map(|((_, kind), n)| format!("{n} {kind}"))
            .collect();
        if !kinds.is_empty() {
            words.push_str(&format!("{title}: {}\n", kinds.join(", ")));
        }
    }
    if summary.n_refused + summary.n_skipped > 0 {
        words.push_str("`--report FILE` lists each of them; `tejun check PATHS` prints them.\n");
    }
    words.push_str(&format!("The collection now has {} games.", summary.n_before + summary.n_imported));
    words
}
