//! `tejun book expand`: a book extended with an engine.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use tejun_files::{IfExists, Lock, checksum_of, checksum_of_bytes, is_temporary, remove_folder, resolved};
use tejun_games::game::{Game, GameMove, GamePosition, Outcome};
use tejun_games::go::BoardSize;
use tejun_knowledge::books::files::{BookFormat, write_book};
use tejun_knowledge::books::making::expand::{ExpandOptions, Expansion, ValueWeights};
use tejun_knowledge::books::making::meta_mcts::{MetaMcts, MetaOptions, Playout};
use tejun_knowledge::books::making::{Advice, Adviser};
use tejun_knowledge::books::{Book, BookBuilder, PlayOptions, play_on};
use tejun_knowledge::engines::PlayedPosition;
use tejun_knowledge::evaluation::DEFAULT_KOMI;
use tejun_knowledge::progress::Progress;

use crate::commands::book::engine::{AnyEngine, EngineArgs, reply};
use crate::commands::book::loading::LoadingArgs;
use crate::commands::book::saving::is_parquet;
use crate::commands::{Found, Globals};
use crate::output::{check_folder_of, check_output};
use crate::progress::TerminalProgress;
use crate::terminal::count;

/// Extend a book with an engine
///
/// best-first repeatedly asks the engine about the end of the best line and adds its best moves
/// (Buro 1999). meta-mcts plays whole games, follows book moves that win, and records the results.
/// Press Ctrl-C to stop; run the same command again to resume. --append adds to an existing book.
///
/// Example: tejun book expand -o mine.parquet --game chess --engine stockfish --seconds 5 --steps 500
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Opening book to start from [default: an empty book]
    book: Option<PathBuf>,
    #[command(flatten)]
    loading: LoadingArgs,
    /// Game of an empty book: shogi, chess, or the size of a Go board in lines, such as 19
    #[arg(long, value_name = "GAME", conflicts_with = "book")]
    game: Option<String>,
    /// Output file, in Parquet, which keeps everything; `tejun book convert` writes other formats
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Method of extending the book
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Method::BestFirst)]
    method: Method,
    /// Number of positions to ask the engine about, or of games to play with meta-mcts
    #[arg(long, value_name = "N", default_value_t = 100)]
    steps: u64,
    /// Add to the output file if it exists, instead of starting from another book
    #[arg(long, conflicts_with_all = ["book", "game"])]
    append: bool,
    /// Save the work every N steps
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    save_every: u64,
    #[command(flatten)]
    engine: EngineArgs,
    /// Maximum number of moves to add per position; an engine without MultiPV reports only one
    #[arg(long, value_name = "N", default_value_t = 2, help_heading = "Best first")]
    moves: usize,
    /// Maximum loss of an added move compared with the best move, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 50, help_heading = "Best first")]
    max_loss: i32,
    /// Cost per ply in centipawns; the higher it is, the sooner other lines are extended
    #[arg(long, value_name = "CP", default_value_t = 10, help_heading = "Best first")]
    ply_penalty: u32,
    /// Temperature of the weights in centipawns: a move worse by this much has 1/e of the best move's weight; 0 gives
    /// weight to the best move only
    #[arg(long, value_name = "CP", default_value_t = 30.0, help_heading = "Best first")]
    temperature: f64,
    /// Do not ask about positions N or more plies from the start [default: no limit; 40 with meta-mcts]
    #[arg(long, value_name = "N")]
    last_ply: Option<u32>,
    /// Follow only book moves with a win rate above this
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, help_heading = "Meta-MCTS")]
    min_rate: f64,
    /// Minimum number of games for a book move to be followed
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Meta-MCTS")]
    min_games: u32,
}

/// How a book is extended.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, clap::ValueEnum)]
enum Method {
    /// Ask the engine about the end of the best line, again and again
    BestFirst,
    /// Play whole games and record their results
    MetaMcts,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Method::BestFirst => "best-first",
            Method::MetaMcts => "meta-mcts",
        })
    }
}

/// An engine as an adviser and as a player of whole games.
struct EngineAdviser {
    engine: AnyEngine,
    start: GamePosition,
    options: PlayOptions,
}

/// Why an engine gave no answer.
#[derive(Debug)]
struct NoAnswer(anyhow::Error);

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl std::error::Error for NoAnswer {}

impl EngineAdviser {
    fn position(&self, board: &GamePosition, line: &[GameMove]) -> PlayedPosition {
        PlayedPosition { board: board.clone(), line: line.to_vec(), start: self.start.clone(), komi: DEFAULT_KOMI }
    }
}

impl Adviser for EngineAdviser {
    type Error = NoAnswer;

    fn advise(&mut self, board: &GamePosition, line: &[GameMove]) -> Result<Vec<Advice>, NoAnswer> {
        let analysis =
            self.engine.analyze_position(&self.position(board, line)).map_err(|error| NoAnswer(error.into()))?;
        let read = |text: &String| board.parse_move(text).map_err(|error| NoAnswer(error.into()));
        let mut advice = Vec::new();
        for line in &analysis.lines {
            let Some(first) = line.moves.first() else { continue };
            advice.push(Advice { played: read(first)?, value: line.score.centipawns(), depth: analysis.depth });
        }
        Ok(advice)
    }
}

impl Playout for EngineAdviser {
    type Error = NoAnswer;

    fn play_out(&mut self, _: &GamePosition, line: &[GameMove]) -> Result<Outcome, NoAnswer> {
        let (start, options) = (self.start.clone(), self.options);
        let played = play_on(&start, line, &options, |board, line| {
            let position = self.position(board, line);
            reply(&mut *self.engine, &position)
        });
        Ok(played.map_err(NoAnswer)?.outcome)
    }
}

/// Runs the command.
///
/// # Errors
/// If the engine fails, or the book can't be read or written. What was saved is kept for the next run.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    ensure!(
        is_parquet(&args.output),
        "{}: the output must end in .parquet, the only format that keeps all data of a book",
        args.output.display()
    );
    if args.append && globals.force {
        bail!("--append adds to the book and --force overwrites it; use only one of them");
    }
    check_folder_of(&args.output)?;
    let work = ExpandRun::open(&args.output)?;
    let grown = grow(args, &work, globals);
    if grown.is_ok() || work.books().is_ok_and(|books| books.is_empty()) {
        work.remove()?;
    }
    grown
}

fn grow(args: &Args, work: &ExpandRun, globals: &Globals) -> anyhow::Result<Found> {
    if let Some(n_steps) = work.is_finished(args) {
        globals.status(format_args!("{}: finished, {}.", args.output.display(), count(n_steps, "step")));
        return Ok(Found::Something);
    }
    if !args.append {
        check_output(&args.output, args.book.iter().map(PathBuf::as_path), globals)?;
    }
    let book = args.begin(globals)?;
    let game = book.game();
    let options = PlayOptions { decisive: Some(1500), ..PlayOptions::default() };
    let n_lines = u32::try_from(args.moves).unwrap_or(u32::MAX).max(1);
    let engine = args.engine.engine(game, n_lines)?;
    let run = args.identity(&book, &engine.identity())?;
    let (mut n_done, book) = match work.resume(run, &args.loading, globals)? {
        Some((n_done, kept)) => {
            globals.status(format_args!("{}: resuming after {}.", args.output.display(), count(n_done, "step")));
            (n_done, kept)
        }
        None => (0, book),
    };
    let n_before = n_done;
    let mut adviser = EngineAdviser { engine, start: game.start(), options };
    let progress = TerminalProgress::with_total(args.steps, "steps", globals);
    progress.advance(n_done);
    let player = EngineAdviser { engine: args.engine.engine(game, 1)?, start: game.start(), options };
    let mut growing = Growing::new(args, &book, player)?;
    while n_done < args.steps && !progress.is_cancelled() {
        let n_until_save = args.save_every - n_done % args.save_every;
        let n_wanted = n_until_save.min(args.steps - n_done);
        let outcome = growing.run(&mut adviser, n_wanted, &progress);
        let n_taken = n_before + growing.n_steps() - n_done;
        n_done += n_taken;
        match outcome {
            Err(error) if n_done == n_before => return Err(error),
            Err(error) => {
                work.save(&growing.book(), n_done, run)?;
                return Err(error.context(format!(
                    "after {}, which are saved in {}; run the same command again to resume",
                    count(n_done, "step"),
                    work.folder.display()
                )));
            }
            Ok(()) if n_taken < n_wanted => break,
            Ok(()) if n_done % args.save_every == 0 => drop(work.save(&growing.book(), n_done, run)?),
            Ok(()) => {}
        }
    }
    progress.finish();
    let book = growing.book();
    let bytes = work.save(&book, n_done, run)?;
    if progress.is_cancelled() {
        bail!("stopped after {n_done} of {}; run the same command again to resume", count(args.steps, "step"));
    }
    let if_exists = if args.append { IfExists::Replace } else { globals.if_exists() };
    work.note_end(args, n_done, &bytes)?;
    tejun_files::write_file(&args.output, &bytes, if_exists).with_context(|| args.output.display().to_string())?;
    let (n_steps, n_positions) = (count(n_done, "step"), count(book.positions().len(), "position"));
    globals.status(format_args!("{}: {n_steps}, {n_positions}.", args.output.display()));
    Ok(Found::from(n_done > 0))
}

/// The work so far, in a folder next to the output: the last saved book, named by its number of steps.
struct ExpandRun {
    output: PathBuf,
    folder: PathBuf,
    _lock: Lock,
}

impl ExpandRun {
    fn open(output: &Path) -> anyhow::Result<ExpandRun> {
        let output = &resolved(output);
        let mut name = output.file_name().unwrap_or_default().to_os_string();
        name.push(".partial");
        let folder = output.with_file_name(name);
        if let Some(path) = foreign_file(&folder) {
            bail!(
                "{} is not a working file of `tejun book expand`, but its folder is needed for one; move the folder \
                 away, or choose another name for the output",
                path.display()
            );
        }
        fs::create_dir_all(&folder).with_context(|| format!("{} could not be created", folder.display()))?;
        let lock = Lock::take(&folder.join("lock")).with_context(|| folder.display().to_string())?;
        let lock = lock.with_context(|| {
            format!("{} is being written by another `tejun book expand`; wait until it finishes", output.display())
        })?;
        Ok(ExpandRun { output: output.into(), folder, _lock: lock })
    }

    /// The saved books: steps, run, file.
    fn books(&self) -> anyhow::Result<Vec<(u64, u64, PathBuf)>> {
        let mut books = Vec::new();
        for entry in fs::read_dir(&self.folder).with_context(|| self.folder.display().to_string())? {
            let path = entry.with_context(|| self.folder.display().to_string())?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let parts = name.strip_suffix(".parquet").and_then(|name| name.split_once('-'));
            let numbers =
                parts.and_then(|(steps, run)| Some((steps.parse().ok()?, u64::from_str_radix(run, 16).ok()?)));
            books.extend(numbers.map(|(n_steps, run)| (n_steps, run, path)));
        }
        books.sort();
        Ok(books)
    }

    /// Notes which command is about to name its output.
    fn note_end(&self, args: &Args, n_steps: u64, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.folder.join(FINISHED);
        let text = format!("{n_steps} {:016x} {}\n", args.command_hash(), checksum_of_bytes(bytes));
        tejun_files::write_file(&path, text.as_bytes(), IfExists::Replace).with_context(|| path.display().to_string())
    }

    /// The steps of this command, if it was killed after its output was named.
    fn is_finished(&self, args: &Args) -> Option<u64> {
        let note = fs::read_to_string(self.folder.join(FINISHED)).ok()?;
        let mut fields = note.split_whitespace();
        let n_steps = fields.next()?.parse().ok()?;
        let is_same = fields.next()? == format!("{:016x}", args.command_hash());
        let is_whole = checksum_of(&self.output).is_ok_and(|checksum| fields.next() == Some(checksum.as_str()));
        (is_same && is_whole).then_some(n_steps)
    }

    /// The book of this run, if it was started before.
    fn resume(&self, run: u64, loading: &LoadingArgs, globals: &Globals) -> anyhow::Result<Option<(u64, Book)>> {
        let books = self.books()?;
        if let Some((n_steps, _, path)) = books.iter().rev().find(|(_, kept, _)| *kept == run) {
            return Ok(Some((*n_steps, loading.open_one(path, globals)?.book().clone())));
        }
        if let Some((n_steps, ..)) = books.last() {
            bail!(
                "{} has {} of a run with another book, engine or settings; use the same ones to resume that run, or \
                 delete the folder to start over",
                self.folder.display(),
                count(*n_steps, "step")
            );
        }
        Ok(None)
    }

    /// Saves a book in place of the earlier one; returns its bytes.
    fn save(&self, book: &Book, n_steps: u64, run: u64) -> anyhow::Result<Vec<u8>> {
        let path = self.folder.join(format!("{n_steps:08}-{run:016x}.parquet"));
        let written = write_book(book, BookFormat::Parquet).with_context(|| path.display().to_string())?;
        tejun_files::write_file(&path, &written.bytes, IfExists::Replace)
            .with_context(|| path.display().to_string())?;
        for (_, _, older) in self.books()?.into_iter().filter(|(_, _, other)| *other != path) {
            fs::remove_file(&older).with_context(|| older.display().to_string())?;
        }
        Ok(written.bytes)
    }

    fn remove(self) -> anyhow::Result<()> {
        remove_folder(&self.folder).with_context(|| self.folder.display().to_string())
    }
}

/// The note of a run that is about to name its output.
const FINISHED: &str = "finished";

/// A file in a working folder that this command did not put there; it must not be removed with the folder.
fn foreign_file(folder: &Path) -> Option<PathBuf> {
    let is_ours = |name: &OsStr| {
        let text = name.to_string_lossy();
        let stem = text.strip_suffix(".parquet");
        let is_book = stem.is_some_and(|stem| stem.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-'));
        is_book || text == "lock" || text == FINISHED || is_temporary(name)
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).find(|path| !path.file_name().is_some_and(is_ours))
}

/// A book that is extended by either method.
enum Growing {
    BestFirst(Box<Expansion>),
    /// Games, and who plays them to their end.
    Games(Box<MetaMcts>, Box<EngineAdviser>),
}

impl Growing {
    fn new(args: &Args, book: &Book, player: EngineAdviser) -> anyhow::Result<Growing> {
        if args.method == Method::MetaMcts {
            let options = MetaOptions {
                min_rate: args.min_rate,
                min_games: args.min_games,
                max_ply: args.last_ply.unwrap_or(MetaOptions::default().max_ply),
                ..MetaOptions::default()
            };
            return Ok(Growing::Games(Box::new(MetaMcts::new(book, options)), Box::new(player)));
        }
        ensure!(args.temperature >= 0.0, "--temperature must be 0 or more, not {}", args.temperature);
        let temperature = args.temperature;
        let weights = if temperature > 0.0 { ValueWeights::Exponential { temperature } } else { ValueWeights::Best };
        let options = ExpandOptions {
            n_moves: [args.moves; 2],
            max_loss: args.max_loss,
            ply_penalty: args.ply_penalty,
            max_ply: args.last_ply,
            weights,
        };
        Ok(Growing::BestFirst(Box::new(Expansion::new(book, options))))
    }

    /// Takes up to this many steps; fewer if there is nothing more to do, or after Ctrl-C.
    fn run(&mut self, adviser: &mut EngineAdviser, n_steps: u64, progress: &dyn Progress) -> anyhow::Result<()> {
        match self {
            Growing::BestFirst(expansion) => Ok(expansion.run(adviser, n_steps, progress)?),
            Growing::Games(games, player) => Ok(games.run(adviser, &mut **player, n_steps, progress)?),
        }
    }

    /// Steps of this run.
    fn n_steps(&self) -> u64 {
        match self {
            Growing::BestFirst(expansion) => expansion.n_steps(),
            Growing::Games(games, _) => games.n_steps(),
        }
    }

    fn book(&self) -> Book {
        match self {
            Growing::BestFirst(expansion) => expansion.to_book(),
            Growing::Games(games, _) => games.to_book(),
        }
    }
}

impl Args {
    /// A hash of the arguments on which the result depends.
    fn command_hash(&self) -> u64 {
        let Args { book, game, output, append, steps, method, moves, max_loss, ply_penalty, .. } = self;
        let Args { temperature, last_ply, min_rate, min_games, .. } = self;
        let mut hasher = DefaultHasher::new();
        (book, game, output, append, steps, method, moves).hash(&mut hasher);
        let numbers = format!("{max_loss} {ply_penalty} {temperature} {last_ply:?} {min_rate} {min_games}");
        (numbers, env!("CARGO_PKG_VERSION")).hash(&mut hasher);
        hasher.finish()
    }

    /// A hash of everything that a run depends on, except the number of its steps.
    fn identity(&self, book: &Book, engine: &str) -> anyhow::Result<u64> {
        let bytes = write_book(book, BookFormat::Parquet).context("the starting book")?.bytes;
        let Args { method, moves, max_loss, ply_penalty, temperature, last_ply, min_rate, min_games, .. } = self;
        let settings = format!(
            "{method} {moves} {max_loss} {ply_penalty} {temperature} {last_ply:?} {min_rate} {min_games} {engine}"
        );
        let mut hasher = DefaultHasher::new();
        (bytes, settings, env!("CARGO_PKG_VERSION")).hash(&mut hasher);
        Ok(hasher.finish())
    }

    /// The output to be extended, or the book given, or an empty one.
    fn begin(&self, globals: &Globals) -> anyhow::Result<Book> {
        if self.append && self.output.exists() {
            return Ok(self.loading.open_one(&self.output, globals)?.book().clone());
        }
        if let Some(path) = &self.book {
            return Ok(self.loading.open_one(path, globals)?.book().clone());
        }
        let game = self.named_game()?;
        let game = game.context("give a starting book, or use --game shogi, chess or 19 for an empty one")?;
        Ok(BookBuilder::new(game).finish().0)
    }

    /// The game named with --game.
    fn named_game(&self) -> anyhow::Result<Option<Game>> {
        Ok(Some(match self.game.as_deref() {
            None => return Ok(None),
            Some("shogi") => Game::Shogi,
            Some("chess") => Game::Chess,
            Some(lines) => {
                let size = lines.parse().ok().and_then(|lines| BoardSize::new(lines).ok());
                Game::Go(
                    size.with_context(|| format!("--game {lines:?}: expected shogi, chess or the size of a Go board"))?,
                )
            }
        }))
    }
}
