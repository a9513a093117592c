//! `tejun convert`: any record format to SGF or JSON.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::{Map, Value, json};
use tejun_games::GameRecord;
use tejun_games::formats::{Format, decoded_parts, read_single};
use tejun_games::sgf::{self, CharsetProperty, Reader, Tree, write_record, write_tree};
use tejun_knowledge::corpus::{Collection, for_each_text};

use crate::commands::{Found, Globals};
use crate::inputs::{is_collection, paths_of, refuse_overwriting, sources, temporary_beside, write_output};

/// Turn records of any format into SGF (UTF-8) or JSON
///
/// SGF keeps its variations and every property; other formats give their main line.
///
/// Example: tejun convert ~/tygem/*.gib --into ~/sgf
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Files, folders, archives, collections, patterns in quotes; - for stdin
    paths: Vec<String>,
    /// A file with one path a line
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "sgf", value_parser = ["sgf", "json", "jsonl"])]
    to: String,
    /// One file for all [default: stdout]
    #[arg(long, short, value_name = "FILE", conflicts_with = "into")]
    output: Option<PathBuf>,
    /// A folder, one file a game
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

/// Converts and writes.
///
/// # Errors
/// If a path is not there or the output can't be written. Broken records are
/// counted and named, and make the command fail at its end.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let (collections, paths): (Vec<String>, Vec<String>) =
        args.paths.iter().cloned().partition(|path| is_collection(Path::new(path)));
    let sources = sources(&paths, args.files_from.as_deref())?;
    if sources.is_empty() && collections.is_empty() {
        bail!("no files given; name files, folders or archives, or - for stdin");
    }
    let target = match args.to.as_str() {
        "json" => Target::Json,
        "jsonl" => Target::JsonLines,
        _ => Target::Sgf,
    };
    if let Some(output) = &args.output {
        refuse_overwriting(output, paths_of(&sources).chain(collections.iter().map(Path::new)))?;
    }
    let mut sink = Sink::new(&args, target)?;
    let mut n_failed = 0;
    let mut failure = None;
    for_each_text(&sources, |source, text| {
        let converted = match text {
            Err(why) => Err(anyhow::anyhow!("{source}: {why}")),
            Ok(bytes) => Ok(convert_file(source, bytes, target)),
        };
        for game in converted.unwrap_or_else(|error| vec![Err(error)]) {
            match game {
                Ok(text) if failure.is_none() => failure = sink.add(source, &text).err(),
                Ok(_) => {}
                Err(error) => {
                    n_failed += 1;
                    globals.tell(error);
                }
            }
        }
    })?;
    if let Some(error) = failure {
        return Err(error);
    }
    for path in &collections {
        for game in Collection::open(Path::new(path))?.games() {
            sink.add(path, &target.of_record(&game?.record))?;
        }
    }
    let n_written = sink.finish(args.output.as_deref())?;
    globals.tell(format_args!("{n_written} games written"));
    if n_failed > 0 {
        bail!("{n_failed} records could not be converted");
    }
    Ok(Found::from(n_written > 0))
}

/// Every game of a file as SGF in UTF-8, or why it can't be read.
pub(crate) fn games_as_sgf(source: &str, bytes: &[u8]) -> Vec<anyhow::Result<String>> {
    convert_file(source, bytes, Target::Sgf)
}

/// Every game of a file, converted, or why it could not be.
fn convert_file(source: &str, bytes: &[u8], target: Target) -> Vec<anyhow::Result<String>> {
    let mut games = Vec::new();
    for part in decoded_parts(bytes) {
        let text = &part.decoded.text;
        match Format::of(text) {
            None => {}
            Some(Format::Sgf) => {
                let has_root = |tree: &Tree<'_>| tree.root().is_some();
                games.extend(Reader::new(text).map(|tree| {
                    if has_root(&tree) {
                        Ok(target.of_tree(&tree))
                    } else {
                        let place = tree.place(tree.offset());
                        Err(anyhow::anyhow!("{source}:{place}: no node in the game"))
                    }
                }));
            }
            Some(format) => games.push(match read_single(text, format) {
                Ok(record) => Ok(target.of_record(&record)),
                Err(error) => Err(anyhow::anyhow!("{source}:{error}")),
            }),
        }
    }
    if games.is_empty() {
        games.push(Err(anyhow::anyhow!("{source}: no game record in it")));
    }
    games
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Sgf,
    Json,
    JsonLines,
}

impl Target {
    fn of_tree(self, tree: &Tree<'_>) -> String {
        match self {
            Target::Sgf => write_tree(tree, CharsetProperty::Utf8),
            Target::Json | Target::JsonLines => tree_to_json(tree).to_string(),
        }
    }

    fn of_record(self, record: &GameRecord) -> String {
        let sgf = write_record(record);
        match self {
            Target::Sgf => sgf,
            Target::Json | Target::JsonLines => {
                let tree = Reader::new(&sgf).next().expect("what we wrote is a game");
                tree_to_json(&tree).to_string()
            }
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Target::Sgf => "sgf",
            Target::Json => "json",
            Target::JsonLines => "jsonl",
        }
    }
}

/// A game as a flat list of nodes, each with its parent's index; nested lists would be as deep as the game is long.
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

/// Where converted games go.
enum Sink {
    Folder { folder: PathBuf, target: Target, n_of_name: HashMap<String, usize>, n_games: usize },
    Stream { file: tempfile::NamedTempFile, target: Target, n_games: usize },
    Stdout { target: Target, n_games: usize },
}

impl Sink {
    fn new(args: &Args, target: Target) -> anyhow::Result<Sink> {
        if let Some(folder) = &args.into {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            return Ok(Sink::Folder { folder: folder.clone(), target, n_of_name: HashMap::new(), n_games: 0 });
        }
        match args.output.as_deref().filter(|path| *path != Path::new("-")) {
            None => Ok(Sink::Stdout { target, n_games: 0 }),
            Some(path) => Ok(Sink::Stream { file: temporary_beside(path)?, target, n_games: 0 }),
        }
    }

    fn add(&mut self, source: &str, text: &str) -> anyhow::Result<()> {
        match self {
            Sink::Folder { folder, target, n_of_name, n_games } => {
                let stem = Path::new(source).file_stem().map_or("game".into(), |stem| stem.to_string_lossy());
                let n = n_of_name.entry(stem.to_string()).or_default();
                *n += 1;
                let name = if *n == 1 { stem.to_string() } else { format!("{stem}-{n}") };
                let path = folder.join(format!("{name}.{}", target.ending()));
                *n_games += 1;
                refuse_overwriting(&path, [Path::new(source)])?;
                write_output(Some(&path), text.as_bytes())
            }
            Sink::Stream { file, target, n_games } => {
                let framed = framed(*target, *n_games, text);
                *n_games += 1;
                file.write_all(framed.as_bytes()).context("the output can't be written")
            }
            Sink::Stdout { target, n_games } => {
                let framed = framed(*target, *n_games, text);
                *n_games += 1;
                std::io::stdout().lock().write_all(framed.as_bytes()).context("stdout")
            }
        }
    }

    fn finish(self, output: Option<&Path>) -> anyhow::Result<usize> {
        let closing = |target, n_games| match (target, n_games) {
            (Target::Json, 0) => "[]\n",
            (Target::Json, _) => "\n]\n",
            _ => "",
        };
        match self {
            Sink::Folder { n_games, .. } => Ok(n_games),
            Sink::Stdout { target, n_games } => {
                std::io::stdout().lock().write_all(closing(target, n_games).as_bytes()).context("stdout")?;
                Ok(n_games)
            }
            Sink::Stream { mut file, target, n_games } => {
                file.write_all(closing(target, n_games).as_bytes()).context("the output can't be written")?;
                let path = output.context("a stream has a file")?;
                file.persist(path).with_context(|| path.display().to_string())?;
                Ok(n_games)
            }
        }
    }
}

/// A game with what stands before it in a list.
fn framed(target: Target, n_before: usize, text: &str) -> String {
    match (target, n_before) {
        (Target::Sgf, _) => text.to_string(),
        (Target::Json, 0) => format!("[\n{text}"),
        (Target::Json, _) => format!(",\n{text}"),
        (Target::JsonLines, _) => format!("{text}\n"),
    }
}
