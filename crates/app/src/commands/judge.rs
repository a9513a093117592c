//! `tejun judge`: games come back annotated.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tejun_games::sgf::{Reader, write_annotated};
use tejun_knowledge::judging::{Judgement, LossScale, Verdict};
use tejun_knowledge::sequences::Dictionary;

use crate::commands::evaluators::{EvaluatorArgs, Sources};
use crate::commands::judgements::open_judgement;
use crate::commands::studies::{StudiedGame, Workshop, game_files, read_games};
use crate::commands::{Found, Globals};
use crate::inputs::{refuse_overwriting, write_output};
use crate::reports::judgement::{GameReport, Language, Options, RunFacts};

/// Annotate games: which moves were good finds, which were mistakes, and why
///
/// Writes the game with marks, comments and variations (SGF), every signal of every move (JSON
/// lines) and a page with the curve of the game and its moments (HTML). A game that is judged
/// again gets new marks in place of the old ones; what others wrote stays. Stopped with Ctrl-C,
/// the same command goes on where it was.
///
/// Example: tejun judge game.sgf -o judged.sgf
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Games, or folders of them; - for stdin
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The annotated game; JSON lines and page go beside it, with their own endings
    #[arg(long, short, value_name = "FILE", conflicts_with = "into")]
    output: Option<PathBuf>,
    /// The folder for annotated games, each under its own name [default: judged]
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
    /// The language of comments and page [default: that of the system]
    #[arg(long, value_name = "LANG", value_parser = ["en", "ja"])]
    lang: Option<String>,
    /// Moves of each game that are most worth a comment
    #[arg(long, value_name = "N", default_value_t = 8)]
    moments: usize,
    /// Look at the first N moves only
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    /// Known lines of corners, to tell joseki and where games leave them
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
    /// How signals become verdicts: a file of `tejun learn judge` [default: built in]
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
    let mut judgement = open_judgement(args.judgement.as_deref())?;
    let files = game_files(&args.games)?;
    let sources = args.evaluator.open(globals)?;
    if sources.has_engine() && args.judgement.is_none() {
        // The built-in scale is for the built-in search.
        judgement.scale = LossScale::default();
    }
    let mut bench = Bench { args, judgement, sources: &sources, workshop: Workshop::new(&sources, globals) };
    let mut games = Vec::new();
    let mut n_unread = 0;
    for file in &files {
        match read_games(file) {
            Err(error) if files.len() == 1 => return Err(error),
            Err(error) => {
                eprintln!("left out: {error:#}");
                n_unread += 1;
            }
            Ok(found) => {
                for game in found {
                    match game {
                        Ok(game) => games.push((file.as_path(), game)),
                        Err(error) => {
                            eprintln!("left out: {error:#}");
                            n_unread += 1;
                        }
                    }
                }
            }
        }
    }
    if args.output.is_some() && games.len() > 1 {
        bail!("--output names one file, but there are {} games; --into FOLDER takes them all", games.len());
    }
    let n_moves = args.moves.unwrap_or(usize::MAX);
    bench.workshop.expect(games.iter().map(|(_, game)| game.study(n_moves).moves.len() + 1).sum());
    let mut names = Vec::new();
    for (file, game) in &games {
        let output = bench.output_for(file, &mut names)?;
        bench.judge(game, &output, globals)?;
    }
    let n_failed: usize = bench.workshop.failures().iter().map(|(_, n)| n).sum();
    for (why, n) in bench.workshop.failures() {
        eprintln!("{n} positions not valued: {why}");
    }
    if n_unread > 0 || n_failed > 0 {
        bail!("{n_unread} records could not be read, {n_failed} positions not be valued; all others are done");
    }
    Ok(Found::from(!games.is_empty()))
}

/// The language that the system is set to, as far as it tells.
fn locale() -> String {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().filter_map(|name| std::env::var(name).ok());
    set.into_iter().find(|value| !value.is_empty()).unwrap_or_default()
}

/// What games are judged with.
struct Bench<'a> {
    args: &'a Args,
    judgement: Judgement,
    sources: &'a Sources,
    workshop: Workshop<'a>,
}

impl Bench<'_> {
    /// The annotated file of a game; names that come twice are numbered.
    fn output_for(&self, file: &Path, names: &mut Vec<String>) -> anyhow::Result<PathBuf> {
        let output = match &self.args.output {
            Some(output) => output.clone(),
            None => {
                let folder = self.args.into.clone().unwrap_or("judged".into());
                std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
                let stem = file.file_stem().filter(|_| file != Path::new("-"));
                let stem = stem.map_or("game".into(), |stem| stem.to_string_lossy().into_owned());
                let n = names.iter().filter(|name| **name == stem).count();
                names.push(stem.clone());
                folder.join(if n == 0 { format!("{stem}.sgf") } else { format!("{stem}-{}.sgf", n + 1) })
            }
        };
        for ending in ["sgf", "jsonl", "html"] {
            let inputs = self.args.games.iter().map(PathBuf::as_path).chain([file]);
            refuse_overwriting(&output.with_extension(ending), inputs)?;
        }
        Ok(output)
    }

    fn judge(&mut self, game: &StudiedGame, output: &Path, globals: &Globals) -> anyhow::Result<()> {
        let n_moves = self.args.moves.unwrap_or(usize::MAX);
        let findings = self.workshop.find_out(game, n_moves)?;
        let study = game.study(n_moves);
        let judged = self.judgement.judge(&study, &findings.values, &findings.signals, self.args.moments);
        let dictionary = self.args.dictionary.as_deref();
        let dictionary = dictionary.map(|path| Dictionary::read(path, game.record.size)).transpose()?;
        let language = match &self.args.lang {
            Some(code) => code.parse()?,
            None => Language::of_locale(&locale()),
        };
        let mut manifest = self.sources.manifest();
        let judgement = self.args.judgement.as_deref().map_or("built in".into(), |path| path.display().to_string());
        manifest.push(("judgement".into(), judgement));
        let run = RunFacts { game: game.name.clone(), evaluator: self.sources.evaluator_name(), manifest };
        let options = Options { language, dictionary: dictionary.as_ref(), run };
        let report = GameReport::new(&game.record, &judged, options);
        let tree = Reader::new(&game.sgf).next().context("it was read before")?;
        // The page and the lines first: who sees the annotated game finds them there.
        write_output(Some(&output.with_extension("jsonl")), report.to_jsonl().as_bytes())?;
        write_output(Some(&output.with_extension("html")), report.to_html().as_bytes())?;
        write_output(Some(output), write_annotated(&tree, &report.additions(&tree)).as_bytes())?;
        let count = |verdict| judged.moves.iter().filter(|m| m.verdict == verdict).count();
        let counts = Verdict::ALL.map(|verdict| format!("{} {}", count(verdict), verdict.name()));
        globals.tell(format_args!("{}: {} moves: {}", output.display(), judged.moves.len(), counts.join(", ")));
        Ok(())
    }
}
