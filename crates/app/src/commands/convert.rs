//! `tejun convert`: converts any record format to SGF or JSON.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;
use serde_json::{Map, Value, json};
use tejun_games::sgf::{self, Reader, Tree};

use crate::args::{InputArgs, OutputArgs};
use crate::commands::{Found, Globals};
use crate::output::{OutputFile, OutputFolder, Placed, check_output, is_same_place, print, write_file};
use crate::reports::table::csv_line;
use crate::terminal::count;

/// Convert game records of any format to SGF (UTF-8) or JSON
///
/// Keeps all variations and properties of SGF files; of other formats, converts the main line.
///
/// Example: tejun convert ~/tygem/*.gib --output-dir ~/sgf
#[derive(clap::Args)]
#[command(verbatim_doc_comment, mut_arg("format", |format| format.alias("to")))]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    output: OutputArgs<ConvertFormat>,
    /// Output folder, one file per game; existing files are kept, and a new file with the same name gets a number
    #[arg(long, alias = "into", value_name = "FOLDER", conflicts_with = "output")]
    output_dir: Option<PathBuf>,
    /// Write a CSV file that lists the output file of each game, and the games that could not be written
    #[arg(long, value_name = "FILE", requires = "output_dir")]
    report: Option<PathBuf>,
}

/// Converts and writes the games.
///
/// # Errors
/// If a path does not exist or the output cannot be written. Unreadable records are reported and counted, and the
/// command fails after converting all others.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let input = args.input.open()?;
    let inputs: Vec<&Path> = input.paths().chain(args.input.list()).collect();
    args.output.check(inputs.iter().copied(), globals)?;
    if let Some(report) = &args.report {
        check_output(report, inputs.iter().copied(), globals)?;
    }
    let target = args.output.format();
    let mut sink = Sink::new(&args, target, &inputs, globals)?;
    let mut n_failed = 0;
    let mut failure = None;
    // Skips the results of an earlier run in a folder below an input folder.
    let skipped = args.output_dir.as_deref().filter(|folder| !input.paths().any(|path| is_same_place(path, folder)));
    input.for_each_game_except(skipped.unwrap_or(Path::new("")), |game| {
        if sink.has_written(&game.source) {
            return true;
        }
        match game.sgf {
            Ok(sgf) => failure = sink.add(&game.source, &target.of_sgf(sgf), globals).err(),
            Err(why) => {
                n_failed += 1;
                globals.status(why);
            }
        }
        failure.is_none()
    })?;
    if let Some(error) = failure {
        return Err(error);
    }
    let sums = sink.finish(&args, globals)?;
    globals.status(sums.summary(args.output_dir.as_deref()));
    match n_failed + sums.n_unwritten {
        0 => Ok(Found::from(sums.n_games > 0)),
        n => bail!("{} could not be converted or written; all others were", count(n, "game")),
    }
}

/// Output formats of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ConvertFormat {
    /// SGF in UTF-8
    #[value(alias = "sgfs")]
    Sgf,
    /// One JSON list of all games
    Json,
    /// One line of JSON per game
    Jsonl,
}

impl ConvertFormat {
    fn of_sgf(self, sgf: String) -> String {
        match self {
            ConvertFormat::Sgf => sgf,
            ConvertFormat::Json | ConvertFormat::Jsonl => {
                Reader::new(&sgf).map(|tree| tree_to_json(&tree).to_string()).collect()
            }
        }
    }

    fn ending(self) -> &'static str {
        match self {
            ConvertFormat::Sgf => "sgf",
            ConvertFormat::Json => "json",
            ConvertFormat::Jsonl => "jsonl",
        }
    }
}

/// A game as a flat list of nodes, each with the index of its parent; nested lists would be as deep as the game is
/// long.
fn tree_to_json(tree: &Tree<'_>) -> Value {
    let index_of: HashMap<usize, usize> = tree.nodes().enumerate().map(|(i, node)| (node.offset(), i)).collect();
    let node_to_json = |node: sgf::Node<'_, '_>| {
        let mut properties = Map::new();
        for property in node.properties() {
            let values = property.values().map(|value| Value::from(sgf::unescape(value)));
            let list = properties.entry(property.name()).or_insert_with(|| json!([]));
            list.as_array_mut().expect("it was made as a list").extend(values);
        }
        let parent = node.parent().and_then(|parent| index_of.get(&parent.offset()));
        json!({ "parent": parent, "properties": properties })
    };
    json!({ "nodes": tree.nodes().map(node_to_json).collect::<Vec<_>>() })
}

/// Where converted games are written.
enum Sink {
    Folder { folder: OutputFolder, target: ConvertFormat, sums: ConvertCounts, report: String },
    Stream { file: OutputFile, target: ConvertFormat, n_games: usize },
    Stdout { target: ConvertFormat, n_games: usize },
}

/// The numbers of games by outcome.
#[derive(Default)]
struct ConvertCounts {
    /// Number of games written or already there.
    n_games: usize,
    /// Of these, the number of games that were already there.
    n_there: usize,
    /// Of these, the number of games with a number added to their name.
    n_renamed: usize,
    n_unwritten: usize,
}

impl ConvertCounts {
    fn summary(&self, folder: Option<&Path>) -> String {
        let mut summary = format!("{} written", count(self.n_games - self.n_there, "game"));
        if let Some(folder) = folder {
            summary += &format!(" to {}", folder.display());
        }
        if self.n_there > 0 {
            summary += &format!("; {} already there and unchanged", count(self.n_there, "game"));
        }
        if self.n_renamed > 0 {
            summary += &format!("; {} renamed because the file name was taken", count(self.n_renamed, "game"));
        }
        summary
    }
}

impl Sink {
    fn new(args: &Args, target: ConvertFormat, inputs: &[&Path], globals: &Globals) -> anyhow::Result<Sink> {
        if let Some(folder) = &args.output_dir {
            let folder = OutputFolder::create(folder, inputs.iter().copied(), globals)?;
            let report = csv_line(&["source", "file", "outcome"]);
            return Ok(Sink::Folder { folder, target, sums: ConvertCounts::default(), report });
        }
        match args.output.path() {
            None => Ok(Sink::Stdout { target, n_games: 0 }),
            Some(path) => Ok(Sink::Stream { file: OutputFile::create(path)?, target, n_games: 0 }),
        }
    }

    /// Whether this run wrote a file: such files turn up again if the output folder is among the inputs.
    fn has_written(&self, path: &str) -> bool {
        matches!(self, Sink::Folder { folder, .. } if folder.has_written(Path::new(path)))
    }

    fn add(&mut self, source: &str, text: &str, globals: &Globals) -> anyhow::Result<()> {
        match self {
            Sink::Folder { folder, target, sums, report } => {
                let stem = Path::new(source).file_stem().map_or("game".into(), |stem| stem.to_string_lossy());
                match folder.write(&stem, &[(target.ending(), text.as_bytes())]) {
                    Ok(Placed { stem, is_renamed, was_there }) => {
                        sums.n_games += 1;
                        sums.n_renamed += usize::from(is_renamed);
                        sums.n_there += usize::from(was_there);
                        let file = format!("{stem}.{}", target.ending());
                        let outcome = if was_there { "already there" } else { "written" };
                        *report += &csv_line(&[source, &file, outcome]);
                    }
                    // If the system refuses a file name, the remaining games are still written.
                    Err(error) => {
                        sums.n_unwritten += 1;
                        let why = format!("{error:#}");
                        globals.status(format_args!("{source}: {why}"));
                        *report += &csv_line(&[source, "", &why]);
                    }
                }
                Ok(())
            }
            Sink::Stream { file, target, n_games } => {
                let framed = framed(*target, *n_games, text);
                *n_games += 1;
                file.write_all(framed.as_bytes()).context("the output could not be written")
            }
            Sink::Stdout { target, n_games } => {
                let framed = framed(*target, *n_games, text);
                *n_games += 1;
                print(framed)
            }
        }
    }

    fn finish(self, args: &Args, globals: &Globals) -> anyhow::Result<ConvertCounts> {
        let closing = |target, n_games| match (target, n_games) {
            (ConvertFormat::Json, 0) => "[]\n",
            (ConvertFormat::Json, _) => "\n]\n",
            _ => "",
        };
        match self {
            Sink::Folder { sums, report, .. } => {
                args.report.as_deref().map_or(Ok(()), |path| write_file(path, report, globals))?;
                Ok(sums)
            }
            Sink::Stdout { target, n_games } => {
                print(closing(target, n_games))?;
                Ok(ConvertCounts { n_games, ..ConvertCounts::default() })
            }
            Sink::Stream { mut file, target, n_games } => {
                file.write_all(closing(target, n_games).as_bytes()).context("the output could not be written")?;
                file.commit(globals)?;
                Ok(ConvertCounts { n_games, ..ConvertCounts::default() })
            }
        }
    }
}

/// A game with the text that precedes it in a list.
fn framed(target: ConvertFormat, n_before: usize, text: &str) -> String {
    match (target, n_before) {
        (ConvertFormat::Sgf, _) => text.to_string(),
        (ConvertFormat::Json, 0) => format!("[\n{text}"),
        (ConvertFormat::Json, _) => format!(",\n{text}"),
        (ConvertFormat::Jsonl, _) => format!("{text}\n"),
    }
}
