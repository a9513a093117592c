//! `tejun check`: reports problems in game files.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Mutex;

use anyhow::bail;
use tejun_games::records::OnIllegal;
use tejun_knowledge::corpus::{Duplicates, ImportObserver, ImportOptions, Outcome, ReportLine, import};
use tejun_knowledge::progress::Progress;

use crate::args::InputArgs;
use crate::commands::{Found, Globals};
use crate::terminal::{count, visible};

/// Report problems in game files, one per line
///
/// Prints `file:line:column: outcome kind: what`. Exits with 0 if there are no problems,
/// with 1 if there are warnings or skipped records, and with 2 if a record is refused.
///
/// Example: tejun check ~/games
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// Report only problems of this kind, such as komi or wrong-charset; may be repeated
    #[arg(long, value_name = "KIND")]
    kind: Vec<String>,
}

struct ProblemPrinter {
    kinds: Vec<String>,
    failure: Mutex<Option<std::io::Error>>,
}

impl ImportObserver for ProblemPrinter {
    fn remark(&self, line: &ReportLine<'_>) {
        if !self.kinds.is_empty() && !self.kinds.iter().any(|kind| kind == line.kind) {
            return;
        }
        let outcome = if line.outcome == Outcome::Imported { "warning" } else { line.outcome.name() };
        let ReportLine { source, line: row, column, kind, message, .. } = line;
        let text = format!("{source}:{row}:{column}: {outcome} {kind}: {message}");
        let text = format!("{}\n", visible(&text));
        if let Err(error) = std::io::stdout().lock().write_all(text.as_bytes()) {
            self.failure.lock().expect("only one thread reports").get_or_insert(error);
        }
    }
}

impl Progress for ProblemPrinter {
    fn is_cancelled(&self) -> bool {
        self.failure.lock().expect("only one thread reports").is_some()
    }
}

/// Checks the files and prints the problems.
///
/// # Errors
/// If a path does not exist or a record is refused.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let input = args.input.open()?;
    let folder = tempfile::tempdir()?;
    let printer = ProblemPrinter { kinds: args.kind, failure: Mutex::default() };
    let options = ImportOptions {
        on_illegal: OnIllegal::Cut,
        // Duplicates have problems of their own, so check them as well.
        exact: Duplicates::Keep,
        near: Duplicates::Keep,
        n_threads: globals.n_threads(),
        ..ImportOptions::default()
    };
    let summary = import(input.sources(), &folder.path().join("games.parquet"), &options, &printer);
    if let Some(error) = printer.failure.into_inner().expect("only one thread reports") {
        return Err(error.into());
    }
    let summary = summary?;
    let mut by_kind: BTreeMap<&str, u64> = BTreeMap::new();
    summary.kinds.iter().for_each(|((_, kind), n)| *by_kind.entry(kind).or_default() += n);
    by_kind.iter().for_each(|(kind, n)| globals.status(format_args!("{n:>8} {kind}")));
    globals.status(format_args!(
        "{}: {} good, {} skipped, {} refused",
        count(summary.n_found, "record"),
        summary.n_imported,
        summary.n_skipped,
        summary.n_refused
    ));
    if summary.n_refused > 0 {
        bail!("{} of {} refused", summary.n_refused, count(summary.n_found, "record"));
    }
    // As in most programs that check files, 0 means that there are no problems.
    Ok(Found::from(summary.kinds.is_empty()))
}
