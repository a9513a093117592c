//! `tejun judge`: games come back annotated.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tejun_files::{IfExists, checksum_of, checksum_of_bytes};
use tejun_games::go::Color;
use tejun_games::sgf::write_annotated;
use tejun_knowledge::evaluation::DEFAULT_KOMI;
use tejun_knowledge::judging::{Judge, JudgeOptions, JudgedGame, MomentReason, Verdict};
use tejun_knowledge::network::View;
use tejun_knowledge::sequences::{Dictionary, Joseki, follow_joseki};

use crate::commands::{Found, Globals};
use crate::evaluators::{
    EvaluatorArgs, EvaluatorSet, LoadedGame, open_judgement, read_games, report_failures, with_advice,
};
use crate::output::{OutputFolder, check_output, write_file};
use crate::progress::TerminalProgress;
use crate::reports::judgement::{GameReport, Language, MomentOwnership, Options, RunFacts, moment_ownership};
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
    /// Game files, folders, archives, collections, single games (FILE#3), or - for stdin
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Output file for the annotated game; JSON lines and page go next to it, with their own endings
    #[arg(long, short, value_name = "FILE", conflicts_with = "output_dir")]
    output: Option<PathBuf>,
    /// Output folder for annotated games, each under its own name [default: judged]
    #[arg(long, value_name = "FOLDER")]
    output_dir: Option<PathBuf>,
    /// Language of comments and page [default: the system language]
    #[arg(long, value_name = "LANG", value_enum)]
    lang: Option<Language>,
    /// Number of key moments per game: the moves most worth a comment
    #[arg(long, value_name = "N", default_value_t = 8)]
    moments: usize,
    /// Judge only the first N moves
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    /// Joseki dictionary, used to name joseki and mark deviations
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
    /// Judgement file of `tejun learn judge`, which says what commentators would mention [default: built in]
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
    let language = args.lang.unwrap_or_else(|| Language::of_locale(&locale()));
    let judgement = open_judgement(args.judgement.as_deref())?;
    let folder = args.output_dir.as_deref().unwrap_or(Path::new("judged"));
    let (games, n_unread) = read_those_possible(&args.games, args.output.is_none().then_some(folder))?;
    let target = args.target(&games, folder, globals)?;
    if let Some(game) = games.first() {
        args.dictionary(game)?;
    }
    let evaluators = args.evaluator.open(globals)?;
    let n_moves = args.moves.unwrap_or(usize::MAX);
    let judgement = evaluators.judgement_or_built_in(judgement);
    let reliability = evaluators.reliability();
    let options = JudgeOptions { judgement, reliability, n_moments: args.moments, n_moves, ..JudgeOptions::default() };
    let judge = Judge::new(evaluators.game_evaluator(globals), options);
    let n_positions: usize = games.iter().map(|game| game.n_positions(n_moves)).sum();
    let progress = TerminalProgress::with_total(n_positions as u64, "positions", globals);
    let mut run = JudgeRun { args, language, evaluators: &evaluators, judge, progress, target };
    for (index, game) in games.iter().enumerate() {
        run.judge(game, [index + 1, games.len()], globals)?;
    }
    run.progress.finish();
    let n_failed = report_failures(run.judge.evaluator());
    if n_unread > 0 || n_failed > 0 {
        bail!(
            "{} could not be read and {} could not be evaluated; the rest is done",
            count(n_unread, "record"),
            count(n_failed, "position")
        );
    }
    Ok(Found::from(!games.is_empty()))
}

/// The games that can be read, and the number of those that can't, which are reported.
fn read_those_possible(paths: &[PathBuf], output: Option<&Path>) -> anyhow::Result<(Vec<LoadedGame>, usize)> {
    let mut games = Vec::new();
    let mut n_unread = 0;
    for game in read_games(paths, output)? {
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
    Ok((games, n_unread))
}

impl Args {
    /// Where the annotated games go, if they can be written there.
    fn target(&self, games: &[LoadedGame], folder: &Path, globals: &Globals) -> anyhow::Result<JudgeOutput> {
        let files: Vec<PathBuf> = games.iter().map(|game| game.source.clone().into()).collect();
        let read = self.games.iter().chain(&files).chain(&self.dictionary).chain(&self.judgement);
        let inputs: Vec<&Path> = read.map(PathBuf::as_path).collect();
        let Some(output) = &self.output else {
            return Ok(JudgeOutput::Folder(OutputFolder::create(folder, inputs.iter().copied(), globals)?));
        };
        if games.len() > 1 {
            bail!("--output names one file, but there are {}; use --output-dir FOLDER", count(games.len(), "game"));
        }
        if output.extension().is_some_and(|ending| ending == "html" || ending == "jsonl") {
            bail!(
                "{}: -o names the annotated game; give a name that ends in .sgf (the other files go next to it)",
                output.display()
            );
        }
        let sides = [output.with_extension("jsonl"), output.with_extension("html")];
        if sides.iter().chain([output]).all(|file| is_noted(output, file)) {
            // A run that was killed after its last file has nothing left to do but this.
            let note = note_of(output);
            std::fs::remove_file(&note).with_context(|| note.display().to_string())?;
        }
        check_output(output, inputs.iter().copied(), globals)?;
        for side in sides {
            // A run that was killed between its files is finished by the next one; see `write`.
            if !is_noted(output, &side) {
                check_output(&side, inputs.iter().copied(), globals)?;
            }
        }
        Ok(JudgeOutput::File(output.clone()))
    }

    /// The joseki dictionary for boards of the game's size.
    fn dictionary(&self, game: &LoadedGame) -> anyhow::Result<Option<Dictionary>> {
        let read = |path| Dictionary::read(path, game.record.size);
        Ok(self.dictionary.as_deref().map(read).transpose()?)
    }
}

/// The locale of the system; empty if it is not set.
fn locale() -> String {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().filter_map(|name| std::env::var(name).ok());
    set.into_iter().find(|value| !value.is_empty()).unwrap_or_default()
}

/// The files of an annotated game. Page and lines come first: whoever sees the game also finds them.
const ENDINGS: [&str; 3] = ["jsonl", "html", "sgf"];

/// The first line of the note that exists while the files of a game get their names.
const NOTE: &str = "tejun judge: this file goes when all files of the game are there";

/// Where that note is.
fn note_of(output: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(output.file_name().unwrap_or_default());
    name.push(".tejun-judge");
    output.with_file_name(name)
}

/// Whether a file next to the annotated game exists because a run was killed after writing it.
fn is_noted(output: &Path, side: &Path) -> bool {
    let note = std::fs::read_to_string(note_of(output)).unwrap_or_default();
    note.starts_with(NOTE) && checksum_of(side).is_ok_and(|checksum| note.lines().any(|line| line == checksum))
}

/// Where annotated games go.
enum JudgeOutput {
    File(PathBuf),
    Folder(OutputFolder),
}

impl JudgeOutput {
    /// Writes the files of a game; returns the name of the annotated game.
    fn write(&mut self, file: &Path, texts: [&str; 3], globals: &Globals) -> anyhow::Result<PathBuf> {
        match self {
            JudgeOutput::File(output) => {
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
            JudgeOutput::Folder(folder) => {
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

/// Everything that a run needs.
struct JudgeRun<'a> {
    args: &'a Args,
    language: Language,
    evaluators: &'a EvaluatorSet,
    judge: Judge<'a>,
    progress: TerminalProgress,
    target: JudgeOutput,
}

impl JudgeRun<'_> {
    fn judge(&mut self, game: &LoadedGame, [number, n_games]: [usize; 2], globals: &Globals) -> anyhow::Result<()> {
        let dictionary = self.args.dictionary(game)?;
        let joseki = dictionary.map(|dictionary| follow_joseki(&dictionary, &game.record)).unwrap_or_default();
        let leaves = joseki.iter().enumerate().filter(|(_, joseki)| matches!(joseki, Some(Joseki::Leaves { .. })));
        let known: Vec<(usize, MomentReason)> = leaves.map(|(at, _)| (at, MomentReason::LeavesJoseki)).collect();
        let judged = self.judge.judge_with(&game.record, &known, &self.progress).map_err(|error| {
            self.progress.abandon();
            with_advice(error)
        })?;
        let judged = judged.game;
        let ownership = self.ownership(game, &judged);
        let options = Options { language: self.language, joseki, ownership, run: self.facts(game) };
        let report = GameReport::new(&game.record, &judged, options);
        let tree = game.tree();
        let annotated = write_annotated(&tree, &report.additions(&tree));
        let output =
            self.target.write(&game.own_path(), [&report.to_jsonl(), &report.to_html(), &annotated], globals)?;
        let n_of = |verdict| judged.moves.iter().filter(|m| m.verdict == verdict).count();
        let counts = Verdict::ALL.map(|verdict| format!("{} {}", n_of(verdict), verdict.name()));
        let n_moves = count(judged.moves.len(), "move");
        let place = if n_games > 1 { format!(" ({number} of {n_games})") } else { String::new() };
        globals.status(format_args!("{}: {n_moves}: {}{place}", output.display(), counts.join(", ")));
        Ok(())
    }

    /// Who will own what around the moments, as far as the network knows.
    fn ownership(&self, game: &LoadedGame, judged: &JudgedGame) -> BTreeMap<usize, MomentOwnership> {
        let Some(worker) = self.evaluators.network_worker(game.record.size) else { return BTreeMap::new() };
        let komi = game.record.header.komi.map_or(DEFAULT_KOMI, f64::from);
        moment_ownership(&game.record, judged, |moves, board, color| {
            let answer = worker.evaluate_symmetric(&View::of(moves, board, color, komi));
            let mover = answer.ownership.into_iter();
            mover.map(|own| if color == Color::Black { own } else { -own }).collect()
        })
    }

    fn facts(&self, game: &LoadedGame) -> RunFacts {
        let judgement = self.args.judgement.as_deref();
        let judgement = judgement.map_or("built in".into(), |path| path.display().to_string());
        let mut manifest = self.evaluators.manifest();
        manifest.push(("judgement".into(), judgement));
        RunFacts { game: game.name.clone(), evaluator: self.evaluators.evaluator_name(), manifest }
    }
}
