//! `tejun book expand`: a book that an engine makes larger.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use tejun_games::game::{Game, GameMove, GamePosition, Outcome};
use tejun_games::go::BoardSize;
use tejun_knowledge::bookfiles::{BookFormat, write_book};
use tejun_knowledge::bookmaking::expand::{ExpandOptions, Expansion, ValueWeights};
use tejun_knowledge::bookmaking::meta_mcts::{MetaMcts, MetaOptions, Playout};
use tejun_knowledge::bookmaking::{Advice, Adviser};
use tejun_knowledge::books::{Book, BookBuilder, PlayOptions, play_on};

use crate::commands::book::engine::{BookEngine, EngineArgs, Problem};
use crate::commands::book::opening::OpeningArgs;
use crate::commands::book::saving::is_parquet;
use crate::commands::import::{is_stopped, stop_on_interrupt};
use crate::commands::studies::{KOMI, progress};
use crate::commands::{Found, Globals};
use crate::inputs::write_output;

/// Let an engine make a book larger
///
/// best-first asks about the end of the best line again and again and adds its best moves (Buro
/// 1999); meta-mcts plays whole games, follows book moves that win, and records the results. The
/// book is saved as it grows; if the output is there, the work goes on with it.
///
/// Example: tejun book expand -o mine.parquet --game chess --engine stockfish --seconds 5 --steps 500
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The book to begin with [default: an empty one]
    book: Option<PathBuf>,
    #[command(flatten)]
    opening: OpeningArgs,
    /// The game of an empty book: shogi, chess, or the lines of a Go board, such as 19
    #[arg(long, value_name = "GAME", conflicts_with = "book")]
    game: Option<String>,
    /// The book to write, in Parquet, which keeps everything; `tejun book convert` writes others
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// How to go on
    #[arg(long, value_name = "HOW", default_value = "best-first", value_parser = ["best-first", "meta-mcts"])]
    method: String,
    /// Positions to ask about, or games to play
    #[arg(long, value_name = "N", default_value_t = 100)]
    steps: u64,
    /// Save the book after this many steps
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    save_every: u64,
    #[command(flatten)]
    engine: EngineArgs,
    /// Moves to add to a position; an engine without MultiPV tells one
    #[arg(long, value_name = "N", default_value_t = 2, help_heading = "Best first")]
    moves: usize,
    /// How much worse than the best an added move may be, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 50, help_heading = "Best first")]
    max_loss: i32,
    /// What a ply costs in centipawns: the more, the sooner other lines are looked at
    #[arg(long, value_name = "CP", default_value_t = 10, help_heading = "Best first")]
    ply_penalty: u32,
    /// A move this much worse has a weight smaller by the factor e; 0 gives weight to the best only
    #[arg(long, value_name = "CP", default_value_t = 30.0, help_heading = "Best first")]
    temperature: f64,
    /// Positions this many plies from the start are not asked about [default: none; 40 with meta-mcts]
    #[arg(long, value_name = "N")]
    last_ply: Option<u32>,
    /// Follow moves of the book that won more than this share
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, help_heading = "Meta-MCTS")]
    min_rate: f64,
    /// And that have this many games
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Meta-MCTS")]
    min_games: u32,
}

/// An engine as an adviser and as a player of whole games.
struct EngineAdviser {
    engine: BookEngine,
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
    fn problem(&self, board: &GamePosition, line: &[GameMove]) -> Problem {
        Problem { board: board.clone(), line: line.to_vec(), start: self.start.clone(), komi: KOMI }
    }
}

impl Adviser for EngineAdviser {
    type Error = NoAnswer;

    fn advise(&mut self, board: &GamePosition, line: &[GameMove]) -> Result<Vec<Advice>, NoAnswer> {
        let thought = self.engine.think(&self.problem(board, line)).map_err(NoAnswer)?;
        let read = |text: &String| board.parse_move(text).map_err(|error| NoAnswer(error.into()));
        let mut advice = Vec::new();
        for line in &thought.lines {
            let Some(first) = line.moves.first() else { continue };
            advice.push(Advice { played: read(first)?, value: line.score.centipawns(), depth: thought.depth });
        }
        Ok(advice)
    }
}

impl Playout for EngineAdviser {
    type Error = NoAnswer;

    fn play_out(&mut self, _: &GamePosition, line: &[GameMove]) -> Result<Outcome, NoAnswer> {
        let (start, options) = (self.start.clone(), self.options);
        let played = play_on(&start, line, &options, |board, line| {
            let problem = self.problem(board, line);
            self.engine.reply(&problem)
        });
        Ok(played.map_err(NoAnswer)?.outcome)
    }
}

/// Runs the command.
///
/// # Errors
/// If the engine fails, or the book can't be read or written. What was saved stays.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    ensure!(
        is_parquet(&args.output),
        "{}: the output must end in .parquet, which keeps everything",
        args.output.display()
    );
    let book = args.begin(globals)?;
    let game = book.game();
    let options = PlayOptions { decisive: Some(1500), ..PlayOptions::default() };
    let n_lines = u32::try_from(args.moves).unwrap_or(u32::MAX).max(1);
    let mut adviser = EngineAdviser { engine: args.engine.engine(game, n_lines)?, start: game.start(), options };
    stop_on_interrupt();
    let bar = progress(args.steps, "steps", globals);
    let player = EngineAdviser { engine: args.engine.engine(game, 1)?, start: game.start(), options };
    let mut growing = Growing::new(args, &book, player)?;
    let mut n_done = 0;
    while n_done < args.steps && !is_stopped() {
        match growing.step(&mut adviser) {
            Ok(Some(words)) => bar.set_message(words),
            Ok(None) => break,
            Err(error) if n_done == 0 => return Err(error),
            Err(error) => {
                save(&args.output, &growing.book())?;
                return Err(
                    error.context(format!("after {n_done} steps, which are saved in {}", args.output.display()))
                );
            }
        }
        n_done += 1;
        bar.inc(1);
        if n_done % args.save_every == 0 {
            save(&args.output, &growing.book())?;
        }
    }
    bar.finish_and_clear();
    let book = growing.book();
    save(&args.output, &book)?;
    globals.tell(format_args!("{}: {n_done} steps, {} positions.", args.output.display(), book.positions().len()));
    if is_stopped() {
        bail!("stopped; the book is saved: run the command again to go on");
    }
    Ok(Found::from(n_done > 0))
}

/// A book that grows by either method.
enum Growing {
    BestFirst(Box<Expansion>),
    /// Games, and who plays them to their end.
    Games(Box<MetaMcts>, Box<EngineAdviser>),
}

impl Growing {
    fn new(args: &Args, book: &Book, player: EngineAdviser) -> anyhow::Result<Growing> {
        if args.method == "meta-mcts" {
            let options = MetaOptions {
                min_rate: args.min_rate,
                min_games: args.min_games,
                max_ply: args.last_ply.unwrap_or(MetaOptions::default().max_ply),
                ..MetaOptions::default()
            };
            return Ok(Growing::Games(Box::new(MetaMcts::new(book, options)), Box::new(player)));
        }
        ensure!(args.temperature >= 0.0, "--temperature must be from 0 on, not {}", args.temperature);
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

    /// One step, in words; `None` if there is nothing more to do.
    fn step(&mut self, adviser: &mut EngineAdviser) -> anyhow::Result<Option<String>> {
        match self {
            Growing::BestFirst(expansion) => {
                let report = expansion.step(adviser)?;
                Ok(report.map(|report| {
                    format!("{} positions, value {}", report.n_positions, report.start_value.unwrap_or(0))
                }))
            }
            Growing::Games(games, player) => {
                let report = games.play(adviser, &mut **player)?;
                Ok(Some(format!("{} positions, {} games", report.n_positions, games.n_games())))
            }
        }
    }

    fn book(&self) -> Book {
        match self {
            Growing::BestFirst(expansion) => expansion.to_book(),
            Growing::Games(games, _) => games.to_book(),
        }
    }
}

fn save(path: &Path, book: &Book) -> anyhow::Result<()> {
    let written = write_book(book, BookFormat::Parquet).with_context(|| path.display().to_string())?;
    write_output(Some(path), &written.bytes)
}

impl Args {
    /// The output if it is there, else the book given, else an empty one.
    fn begin(&self, globals: &Globals) -> anyhow::Result<Book> {
        if self.output.exists() {
            globals.tell(format_args!("{}: going on with it.", self.output.display()));
            let book = self.opening.open_one(&self.output, globals)?.book().clone();
            let named = self.named_game()?;
            ensure!(
                named.is_none_or(|game| game == book.game()),
                "{} is there already and a book of {}: give another output",
                self.output.display(),
                book.game()
            );
            return Ok(book);
        }
        if let Some(path) = &self.book {
            return Ok(self.opening.open_one(path, globals)?.book().clone());
        }
        let game = self.named_game()?;
        let game = game.context("give a book to begin with, or --game shogi, chess or 19 for an empty one")?;
        Ok(BookBuilder::new(game).finish().0)
    }

    /// The game that is asked for by its name.
    fn named_game(&self) -> anyhow::Result<Option<Game>> {
        Ok(Some(match self.game.as_deref() {
            None => return Ok(None),
            Some("shogi") => Game::Shogi,
            Some("chess") => Game::Chess,
            Some(lines) => {
                let size = lines.parse().ok().and_then(|lines| BoardSize::new(lines).ok());
                Game::Go(
                    size.with_context(|| format!("--game {lines:?}: write shogi, chess, or the lines of a Go board"))?,
                )
            }
        }))
    }
}
