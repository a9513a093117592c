//! `tejun judge`: games come back annotated.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tejun_files::{IfExists, checksum_of, checksum_of_bytes};
use tejun_games::sgf::{Reader, write_annotated};
use tejun_knowledge::judging::{Judgement, LossScale, Verdict};
use tejun_knowledge::sequences::Dictionary;

use crate::commands::evaluators::{EvaluatorArgs, EvaluatorSet};
use crate::commands::judgements::open_judgement;
use crate::commands::studies::{GameEvaluator, LoadedGame, read_games};
use crate::commands::{Found, Globals};
use crate::output::{OutputFolder, check_output, write_file};
use crate::reports::judgement::{GameReport, Language, Options, RunFacts};
use crate::terminal::{count, say};

/// Annotate games: which moves were good finds, which were mistakes, and why
///
/// Writes the game with marks, comments and variations (SGF), all signals of all moves (JSON
/// lines), and a page with the win rate curve and the key moments (HTML). Judging a game again
/// replaces the old marks; what others wrote stays. Press Ctrl-C to stop; run the same command
/// again to resume.
///
/// Example: tejun judge game.sgf -o judged.sgf
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Games, or folders of games; - for stdin
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Output file for the annotated game; JSON lines and page go next to it, with their own endings
    #[arg(long, short, value_name = "FILE", conflicts_with = "into")]
    output: Option<PathBuf>,
    /// Output folder for annotated games, each under its own name [default: judged]
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
    /// Language of comments and page [default: the system language]
    #[arg(long, value_name = "LANG", value_parser = ["en", "ja"])]
    lang: Option<String>,
    /// Number of key moments per game: the moves most worth a comment
    #[arg(long, value_name = "N", default_value_t = 8)]
    moments: usize,
    /// Judge only the first N moves
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    /// Joseki dictionary, used to name joseki and mark deviations
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
    /// Judgement file of `tejun learn judge`, which turns signals into verdicts [default: built in]
    #[arg(long, value_name = "FILE")]
    judgement: Option<PathBuf>,
    #[command(flatten)]
    evaluator: EvaluatorArgs,
}

/// Judges and writes.
///
/// # Errors
/// If no game can be read, a file can't be written, or the work was interrupted.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    // Everything that can be refused is refused before the first model is learned or engine started.
    let language = match &args.lang {
        Some(code) => code.parse()?,
        None => Language::of_locale(&locale()),
    };
    let mut judgement = open_judgement(args.judgement.as_deref())?;
    let into = args.into.as_deref().unwrap_or(Path::new("judged"));
    let mut games = Vec::new();
    let mut n_unread = 0;
    for game in read_games(&args.games, args.output.is_none().then_some(into))? {
        match game {
            Ok(game) => games.push(game),
            Err(error) => {
                say(format_args!("skipped: {error:#}"));
                n_unread += 1;
            }
        }
    }
    if games.is_empty() && n_unread > 0 {
        bail!("{} could not be read, so there is nothing to judge", count(n_unread, "record"));
    }
    let files: Vec<PathBuf> = games.iter().map(|game| game.source.clone().into()).collect();
    let read = args.games.iter().chain(&files).chain(&args.dictionary).chain(&args.judgement);
    let inputs: Vec<&Path> = read.map(PathBuf::as_path).collect();
    let target = match &args.output {
        Some(_) if games.len() > 1 => {
            bail!("--output names one file, but there are {}; use --into FOLDER", count(games.len(), "game"));
        }
        Some(output) => {
            if output.extension().is_some_and(|ending| ending == "html" || ending == "jsonl") {
                bail!(
                    "{}: -o names the annotated game; give a name that ends in .sgf (the other files go next to it)",
                    output.display()
                );
            }
            check_output(output, inputs.iter().copied(), globals)?;
            for side in [output.with_extension("jsonl"), output.with_extension("html")] {
                // A run that was killed between its files is finished by the next one; see `write`.
                if !is_noted(output, &side) {
                    check_output(&side, inputs.iter().copied(), globals)?;
                }
            }
            Target::File(output.clone())
        }
        None => Target::Folder(OutputFolder::create(into, inputs.iter().copied(), globals)?),
    };
    let dictionary_of = |size| args.dictionary.as_deref().map(|path| Dictionary::read(path, size)).transpose();
    if let Some(game) = games.first() {
        dictionary_of(game.record.size)?;
    }
    let sources = args.evaluator.open(globals)?;
    if sources.has_engine() && args.judgement.is_none() {
        // The built-in scale is for the built-in search.
        judgement.scale = LossScale::default();
    }
    let workshop = GameEvaluator::new(&sources, globals);
    let mut bench = JudgeRun { args, judgement, language, sources: &sources, workshop, target };
    let n_moves = args.moves.unwrap_or(usize::MAX);
    bench.workshop.expect(games.iter().map(|game| game.study(n_moves).moves.len() + 1).sum());
    for game in &games {
        bench.judge(game, globals)?;
    }
    let n_failed: usize = bench.workshop.failures().iter().map(|(_, n)| n).sum();
    for (why, n) in bench.workshop.failures() {
        say(format_args!("{} could not be evaluated: {why}", count(*n, "position")));
    }
    if n_unread > 0 || n_failed > 0 {
        bail!(
            "{} could not be read and {} could not be evaluated; the rest is done",
            count(n_unread, "record"),
            count(n_failed, "position")
        );
    }
    Ok(Found::from(!games.is_empty()))
}

/// The language that the system is set to, as far as it tells.
fn locale() -> String {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().filter_map(|name| std::env::var(name).ok());
    set.into_iter().find(|value| !value.is_empty()).unwrap_or_default()
}

/// The files of an annotated game. The page and the lines first: who sees the game finds them there.
const ENDINGS: [&str; 3] = ["jsonl", "html", "sgf"];

/// The first line of the note that is there while the files of a game get their names.
const NOTE: &str = "tejun judge: this file goes when all files of the game are there";

/// Where that note is.
fn note_of(output: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(output.file_name().unwrap_or_default());
    name.push(".tejun-judge");
    output.with_file_name(name)
}

/// Whether a file beside the annotated game is there because a run was killed after it wrote that file.
fn is_noted(output: &Path, side: &Path) -> bool {
    let note = std::fs::read_to_string(note_of(output)).unwrap_or_default();
    note.starts_with(NOTE) && checksum_of(side).is_ok_and(|checksum| note.lines().any(|line| line == checksum))
}

/// Where annotated games go.
enum Target {
    File(PathBuf),
    Folder(OutputFolder),
}

impl Target {
    /// Writes the files of a game; gives the name of the annotated game.
    fn write(&mut self, file: &Path, texts: [&str; 3], globals: &Globals) -> anyhow::Result<PathBuf> {
        match self {
            Target::File(output) => {
                let note = note_of(output);
                let sums: Vec<String> = texts.iter().map(|text| checksum_of_bytes(text.as_bytes())).collect();
                tejun_files::write_file(&note, format!("{NOTE}\n{}\n", sums.join("\n")).as_bytes(), IfExists::Replace)
                    .with_context(|| note.display().to_string())?;
                for (ending, text) in ENDINGS.iter().zip(texts) {
                    let path = if *ending == "sgf" { output.clone() } else { output.with_extension(ending) };
                    // What a killed run wrote has the very same bytes.
                    let is_there = std::fs::read(&path).is_ok_and(|there| there == text.as_bytes());
                    if !is_there || *ending == "sgf" {
                        write_file(&path, text, globals)?;
                    }
                }
                std::fs::remove_file(&note).with_context(|| note.display().to_string())?;
                Ok(output.clone())
            }
            Target::Folder(folder) => {
                let stem = file.file_stem().filter(|_| file != Path::new("-"));
                let stem = stem.map_or("game".into(), |stem| stem.to_string_lossy());
                let files: Vec<(&str, &[u8])> =
                    ENDINGS.iter().zip(texts).map(|(ending, text)| (*ending, text.as_bytes())).collect();
                let placed = folder.write(&stem, &files)?;
                Ok(folder.path().join(format!("{}.sgf", placed.stem)))
            }
        }
    }
}

/// What games are judged with.
struct JudgeRun<'a> {
    args: &'a Args,
    judgement: Judgement,
    language: Language,
    sources: &'a EvaluatorSet,
    workshop: GameEvaluator<'a>,
    target: Target,
}

impl JudgeRun<'_> {
    fn judge(&mut self, game: &LoadedGame, globals: &Globals) -> anyhow::Result<()> {
        let n_moves = self.args.moves.unwrap_or(usize::MAX);
        let findings = self.workshop.analyze(game, n_moves)?;
        let study = game.study(n_moves);
        let judged = self.judgement.judge(&study, &findings.values, &findings.signals, self.args.moments);
        let dictionary = self.args.dictionary.as_deref();
        let dictionary = dictionary.map(|path| Dictionary::read(path, game.record.size)).transpose()?;
        let mut manifest = self.sources.manifest();
        let judgement = self.args.judgement.as_deref().map_or("built in".into(), |path| path.display().to_string());
        manifest.push(("judgement".into(), judgement));
        let run = RunFacts { game: game.name.clone(), evaluator: self.sources.evaluator_name(), manifest };
        let options = Options { language: self.language, dictionary: dictionary.as_ref(), run };
        let report = GameReport::new(&game.record, &judged, options);
        let tree = Reader::new(&game.sgf).next().context("the game could not be read again")?;
        let annotated = write_annotated(&tree, &report.additions(&tree));
        let output =
            self.target.write(Path::new(&game.source), [&report.to_jsonl(), &report.to_html(), &annotated], globals)?;
        let n_of = |verdict| judged.moves.iter().filter(|m| m.verdict == verdict).count();
        let counts = Verdict::ALL.map(|verdict| format!("{} {}", n_of(verdict), verdict.name()));
        let n_moves = count(judged.moves.len(), "move");
        globals.status(format_args!("{}: {n_moves}: {}", output.display(), counts.join(", ")));
        Ok(())
    }
}
