//! `tejun book play`: games played from leaving positions, compared with expected results.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use tejun_files::IfExists;
use tejun_games::game::{GameMove, Outcome, PositionKey};
use tejun_knowledge::books::matching::Match;
use tejun_knowledge::books::{Ending, PlayOptions, WinModel, expectation, play_on};
use tejun_knowledge::engines::PlayedPosition;
use tejun_knowledge::statistics::win_interval;

use crate::commands::book::engine::{AnyEngine, EngineArgs, position_of, reply};
use crate::commands::book::evaluation::read_values;
use crate::commands::book::matching::PairArgs;
use crate::commands::book::winrate::CurveArgs;
use crate::commands::{Found, Globals};
use crate::interrupt::{is_stopped, stop_on_interrupt};
use crate::output::print;
use crate::progress::progress_bar;
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// Play games from the books' leaving positions and compare with expected results
///
/// Openings are drawn with the books' probabilities. From the leaving positions, the engine plays
/// both sides to the end. With --values (from `tejun book winrate --cache-file`), shows the expected win
/// rate next to the measured one. --record saves games as they end: press Ctrl-C to stop, and run
/// the same command again to resume.
///
/// Example: tejun book play a.db b.db --engine gpsusi --seconds 0.1 --games 200 --record games.tsv
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    pair: PairArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// Values of leaving positions, as written by `tejun book winrate --cache-file`
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// Command line of the second player's engine, with the same settings and limits [default: the same engine]
    #[arg(long, value_name = "COMMAND", help_heading = "Engine")]
    engine_second: Option<String>,
    /// Number of games to play
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of moves after which a game is a draw
    #[arg(long, value_name = "N", default_value_t = 320)]
    last_move: usize,
    /// End a game when both engines agree for 6 moves that one side is ahead by this many centipawns; 0 plays every
    /// game to the end
    #[arg(long, value_name = "CP", default_value_t = 2000)]
    decisive: i32,
    /// Komi: points for White in Go
    #[arg(long, value_name = "POINTS", default_value_t = 6.5)]
    komi: f64,
    /// Save games in this file, and resume after those that it already has
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    curve: CurveArgs,
}

/// A game that was played.
struct PlayedOutGame {
    key: PositionKey,
    outcome: Outcome,
    ending: String,
    n_plies: usize,
}

/// Runs the command.
///
/// # Errors
/// If a book or an engine fails, or the work was stopped; games so far are written down.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let pair = args.pair.play(globals)?;
    let played = &pair.played;
    let model = args.curve.given(pair.game())?;
    let values = args.values.as_deref().map_or(Ok(HashMap::new()), |path| read_values(path, pair.game()))?;
    ensure!(!played.leaving.is_empty(), "games never leave these books, so there is nothing to play");
    let games = args.play_all(played, globals)?;
    print(tables(&games, played, &model, &values).as_bytes())?;
    Ok(Found::from(!games.is_empty()))
}

impl Args {
    fn play_all(&self, played: &Match, globals: &Globals) -> anyhow::Result<Vec<PlayedOutGame>> {
        let game = played.start.game();
        let mut engines =
            [self.engine.engine(game, 1)?, self.engine.engine_of(self.engine_second.as_deref(), game, 1)?];
        let identity = self.identity(&engines, played);
        let mut record = GameLog::open(self.record.as_deref(), &identity)?;
        if !record.games.is_empty() {
            globals.status(format_args!("Resuming after {}.", count(record.games.len(), "game")));
        }
        stop_on_interrupt();
        let bar = progress_bar(self.games, "games", globals);
        bar.set_position(record.games.len() as u64);
        let options = PlayOptions {
            max_plies: self.last_move,
            decisive: (self.decisive > 0).then_some(self.decisive),
            komi_half_points: (2.0 * self.komi).round() as i32,
            ..PlayOptions::default()
        };
        for number in record.games.len() as u64..self.games {
            let leaving = played.drawn_opening(self.seed, number).context("games never leave these books")?;
            let line = position_of(played, leaving.node).line;
            let ended = play_on(&played.start, &line, &options, |board, moves| {
                if is_stopped() {
                    bail!("stopped");
                }
                let start = played.start.clone();
                let position = PlayedPosition { board: board.clone(), line: moves.to_vec(), start, komi: self.komi };
                reply(&mut *engines[board.to_move().index()], &position)
            });
            let ended = match ended {
                Err(_) if is_stopped() => match &self.record {
                    Some(path) => {
                        bail!(
                            "stopped, {} saved in {}; run the same command again to resume",
                            count(number, "game"),
                            path.display()
                        )
                    }
                    None => bail!("stopped; use --record FILE to save games, so that the next run can resume"),
                },
                other => other.with_context(|| format!("game {}", number + 1))?,
            };
            let texts = move_texts(played, &ended.moves);
            record.add(
                PlayedOutGame {
                    key: leaving.key,
                    outcome: ended.outcome,
                    ending: ending_name(ended.ending).into(),
                    n_plies: ended.moves.len(),
                },
                &texts,
            )?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(record.games)
    }
}

impl Args {
    /// A text that is different for games of other engines, openings or ending rules.
    fn identity(&self, engines: &[AnyEngine; 2], played: &Match) -> String {
        let [first, second] = engines.each_ref().map(|engine| engine.identity());
        let Args { seed, last_move, decisive, komi, .. } = self;
        let openings = played.openings_fingerprint();
        format!(
            "{first}; {second}; seed {seed}; last move {last_move}; decisive {decisive}; komi {komi}; openings {openings:016x}"
        )
    }
}

fn move_texts(played: &Match, moves: &[GameMove]) -> String {
    let mut board = played.start.clone();
    let mut texts = Vec::new();
    for &next in moves {
        texts.push(board.move_text(next));
        if board.play(next).is_err() {
            break;
        }
    }
    texts.join(" ")
}

fn ending_name(ending: Ending) -> &'static str {
    match ending {
        Ending::Mate => "mate",
        Ending::Resigned => "resigned",
        Ending::Declared => "declared",
        Ending::Illegal => "illegal move",
        Ending::Repetition => "repetition",
        Ending::PerpetualCheck => "perpetual check",
        Ending::DeadDraw => "dead draw",
        Ending::Counted => "counted",
        Ending::Agreed => "agreed",
        Ending::TooLong => "too long",
    }
}

/// Games saved in a file, one per line.
struct GameLog {
    path: Option<PathBuf>,
    text: String,
    games: Vec<PlayedOutGame>,
}

const HEAD: &str = "# tejun book games 1";

impl GameLog {
    fn open(path: Option<&Path>, identity: &str) -> anyhow::Result<GameLog> {
        let head = format!("{HEAD}\n# {identity}\n# key\tfirst player\tending\tplies\tmoves\n");
        let mut record = GameLog { path: path.map(Path::to_path_buf), text: head.clone(), games: Vec::new() };
        let Some(path) = path.filter(|path| path.exists()) else { return Ok(record) };
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        ensure!(
            text.starts_with(&head),
            "{}: this file has games of other books, engines, settings or another seed; use another file",
            path.display()
        );
        for (number, line) in text.lines().enumerate().skip(3) {
            let game = read_game(line)
                .with_context(|| format!("{}:{}: {line:?} is not a game", path.display(), number + 1))?;
            record.games.push(game);
        }
        record.text = text;
        Ok(record)
    }

    fn add(&mut self, game: PlayedOutGame, moves: &str) -> anyhow::Result<()> {
        let score = game.outcome.first_score();
        let PlayedOutGame { key, ending, n_plies, .. } = &game;
        self.text += &format!("{:032x}\t{score}\t{ending}\t{n_plies}\t{moves}\n", key.0);
        self.games.push(game);
        self.path.as_deref().map_or(Ok(()), |path| {
            // Games of the same run, as its head says, and one more.
            tejun_files::write_file(path, self.text.as_bytes(), IfExists::Replace)
                .with_context(|| path.display().to_string())
        })
    }
}

fn read_game(line: &str) -> Option<PlayedOutGame> {
    let mut fields = line.split('\t');
    let key = PositionKey(u128::from_str_radix(fields.next()?, 16).ok()?);
    let outcome = match fields.next()? {
        "1" => Outcome::FirstWon,
        "0" => Outcome::SecondWon,
        "0.5" => Outcome::Draw,
        _ => return None,
    };
    let ending = fields.next()?.to_string();
    Some(PlayedOutGame { key, outcome, ending, n_plies: fields.next()?.parse().ok()? })
}

fn tables(games: &[PlayedOutGame], played: &Match, model: &WinModel, values: &HashMap<PositionKey, f64>) -> String {
    let n = games.len() as f64;
    let count = |outcome: Outcome| games.iter().filter(|game| game.outcome == outcome).count();
    let score: f64 = games.iter().map(|game| game.outcome.first_score()).sum();
    let (low, high) = win_interval(score, n);
    let mut table = Table::new(&[("", Align::Left), ("", Align::Right)]);
    let mut row = |name: &str, value: String| table.push(vec![name.into(), value]);
    row("games", games.len().to_string());
    row("won by the first player", count(Outcome::FirstWon).to_string());
    row("drawn", count(Outcome::Draw).to_string());
    row("won by the second player", count(Outcome::SecondWon).to_string());
    row("measured win rate", format!("{:.4}", score / n.max(1.0)));
    row("95% interval", format!("{low:.4} to {high:.4}"));
    if let Some(expected) = expectation(played, model, |leaving| values.get(&leaving.key).copied()) {
        row("expected win rate of all leaving positions", format!("{:.4}", expected.win_rate));
        row("share of them with a value", format!("{:.4}", expected.covered));
        let rated: Vec<(f64, f64)> = games
            .iter()
            .filter_map(|game| Some((model.win_rate(*values.get(&game.key)?), game.outcome.first_score())))
            .collect();
        let n_rated = rated.len().max(1) as f64;
        let mean: f64 = rated.iter().map(|(rate, _)| rate).sum::<f64>() / n_rated;
        let variance: f64 = rated.iter().map(|(rate, _)| rate * (1.0 - rate)).sum::<f64>() / (n_rated * n_rated);
        let measured: f64 = rated.iter().map(|(_, score)| score).sum::<f64>() / n_rated;
        row("expected win rate of positions played from", format!("{mean:.4}"));
        row("measured minus expected", format!("{:+.4}", measured - mean));
        row("in standard deviations", format!("{:+.2}", (measured - mean) / variance.sqrt().max(1e-9)));
    }
    let mut endings: Vec<(&str, usize)> = Vec::new();
    for game in games {
        match endings.iter_mut().find(|(ending, _)| *ending == game.ending) {
            Some(known) => known.1 += 1,
            None => endings.push((&game.ending, 1)),
        }
    }
    endings.sort_by_key(|(ending, n)| (std::cmp::Reverse(*n), *ending));
    for (ending, n) in endings {
        row(&format!("ended: {ending}"), n.to_string());
    }
    row("mean plies", format!("{:.1}", games.iter().map(|game| game.n_plies as f64).sum::<f64>() / n.max(1.0)));
    table.to_text()
}
