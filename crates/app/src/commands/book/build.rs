//! `tejun book build`: a book from games with results.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tejun_games::game::{Game, GamePosition};
use tejun_knowledge::books::Book;
use tejun_knowledge::books::making::build::{
    BuildOptions, BuildReport, Counted, Emphasis, Listed, Threshold, Weighing, build_book, listed,
};
use tejun_knowledge::statistics::win_interval;

use crate::commands::book::opening::read_games;
use crate::commands::book::saving::SavingArgs;
use crate::commands::{Found, Globals};
use crate::output::{check_output, print};
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// Build a book from game records with results
///
/// Counts every move in the main lines of games with a result, and its wins. Moves that pass the
/// thresholds get a weight. --like-bonanza uses Bonanza's thresholds: 15 wins, and 0.85 of the
/// position's win rate.
///
/// Example: tejun book build games/ --min-games 5 --weigh wins -o mine.db
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Files or folders of game records: KIF, KI2, CSA, USI lines, PGN or SGF
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// Use Bonanza's thresholds and weights; other options still apply
    #[arg(long)]
    like_bonanza: bool,
    /// Read the first N moves of each game
    #[arg(long, value_name = "N", default_value_t = 64)]
    plies: u32,
    /// Minimum number of games per position
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_position_games: u32,
    /// Minimum number of games per move
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_games: u32,
    /// Minimum number of wins per move; a draw counts as half a win [default: 0; 15 with --like-bonanza]
    #[arg(long, value_name = "N")]
    min_wins: Option<f64>,
    /// Minimum win rate of a move as a share of its position's win rate, such as 0.85
    /// [default: 0; 0.85 with --like-bonanza]
    #[arg(long, value_name = "SHARE")]
    min_relative_rate: Option<f64>,
    /// Weight of a move: its games, its wins, or lower-bound (its games times the lower end of the 95% interval of its
    /// win rate) [default: games; wins with --like-bonanza]
    #[arg(long, value_name = "WHAT", value_parser = ["games", "wins", "lower-bound"])]
    weigh: Option<String>,
    /// Count everyone's moves or only the winner's
    #[arg(long, value_name = "WHO", default_value = "everyone", value_parser = ["everyone", "winner"])]
    count: String,
    /// Count only the moves of this player; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with = "count")]
    only_player: Vec<String>,
    /// Your own player, whose games count more; may be repeated
    #[arg(long, value_name = "NAME")]
    own: Vec<String>,
    /// Number of times each of your own games counts
    #[arg(long, value_name = "N", default_value_t = 3, requires = "own")]
    own_factor: u32,
    /// Count only your own moves more, not the opponent's moves in your games
    #[arg(long, requires = "own")]
    own_moves: bool,
    /// File of moves that are never chosen, one per line: a position, a tab and a move
    #[arg(long, value_name = "FILE")]
    black_list: Option<PathBuf>,
    /// File of moves that are the only ones chosen in their positions, in the format of --black-list
    #[arg(long, value_name = "FILE")]
    white_list: Option<PathBuf>,
    /// Number of first moves to show with their win rates
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    saving: SavingArgs,
}

/// Runs the command.
///
/// # Errors
/// If games or lists can't be read, or the book can't be written.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let read: Vec<PathBuf> = args.games.iter().chain(&args.black_list).chain(&args.white_list).cloned().collect();
    check_output(&args.saving.output, read.iter().map(PathBuf::as_path), globals)?;
    let (mut games, mut flaws) = (Vec::new(), Vec::new());
    for path in &args.games {
        let (more, new) = read_games(path)?;
        games.extend(more);
        flaws.extend(new);
    }
    if let Some(first) = flaws.first() {
        globals.status(format_args!("{first}"));
        globals.status(format_args!(
            "{} in the records; games are cut at unreadable moves. The first problem is shown above.",
            count(flaws.len(), "problem")
        ));
    }
    let Some(game) = games.first().map(|game| game.start.game()) else {
        bail!("{}: no game could be read", args.games[0].display());
    };
    args.saving.check(game, &read, globals)?;
    let (book, report) = build_book(&games, &args.options(game)?);
    print(report_table(&report).to_text().as_bytes())?;
    if args.top > 0 {
        print(format!("\n{}", start_table(&book, args.top).to_text()).as_bytes())?;
    }
    for (name, unmatched) in [("black", report.unmatched_black.len()), ("white", report.unmatched_white.len())] {
        if unmatched > 0 {
            globals
                .status(format_args!("{} of the {name} list never played in these games.", count(unmatched, "move")));
        }
    }
    args.saving.save(&book, &args.games, globals)?;
    Ok(Found::from(!book.positions().is_empty()))
}

impl Args {
    fn options(&self, game: Game) -> anyhow::Result<BuildOptions> {
        let base = if self.like_bonanza { BuildOptions::bonanza(game) } else { BuildOptions::all(game) };
        let weighing = match self.weigh.as_deref() {
            Some("games") => Weighing::Frequency,
            Some("wins") => Weighing::Wins,
            Some(_) => Weighing::LowerBound,
            None => base.weighing,
        };
        let counted = match (self.only_player.is_empty(), self.count.as_str()) {
            (false, _) => Counted::Players(self.only_player.clone()),
            (true, "winner") => Counted::Winner,
            (true, _) => Counted::Everyone,
        };
        let list = |path: &Option<PathBuf>| path.as_deref().map_or(Ok(Vec::new()), |path| read_list(path, game));
        Ok(BuildOptions {
            max_ply: self.plies,
            min_position_games: self.min_position_games,
            min_games: self.min_games,
            min_wins: self.min_wins.unwrap_or(base.min_wins),
            min_relative_rate: self.min_relative_rate.unwrap_or(base.min_relative_rate),
            weighing,
            counted,
            own_players: self.own.clone(),
            own_factor: self.own_factor,
            emphasis: if self.own_moves { Emphasis::Moves } else { Emphasis::Games },
            black_list: list(&self.black_list)?,
            white_list: list(&self.white_list)?,
            ..base
        })
    }
}

/// Positions with moves, a line each: `position<TAB>move`, or `startpos moves … <TAB>move`.
fn read_list(path: &Path, game: Game) -> anyhow::Result<Vec<Listed>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
    {
        let place = || format!("{}:{}", path.display(), number + 1);
        let (position, played) =
            line.split_once('\t').with_context(|| format!("{}: expected a position, a tab and a move", place()))?;
        let board = board_of(position.trim(), game).with_context(place)?;
        let played = board.parse_move(played.trim()).with_context(place)?;
        found.push(listed(&board, played));
    }
    Ok(found)
}

/// A position as text, or `startpos` with moves behind it.
fn board_of(text: &str, game: Game) -> anyhow::Result<GamePosition> {
    let Some(moves) = text.strip_prefix("startpos") else { return Ok(GamePosition::parse(game, text)?) };
    let mut board = game.start();
    for word in moves.split_ascii_whitespace().filter(|word| *word != "moves") {
        let played = board.parse_move(word)?;
        board.play(played)?;
    }
    Ok(board)
}

fn report_table(report: &BuildReport) -> Table {
    let mut table =
        Table::new(&[("", Align::Left), ("games", Align::Right), ("positions", Align::Right), ("moves", Align::Right)]);
    let mut games = |words: &str, n: usize| table.push(vec![words.into(), n.to_string()]);
    games("games read", report.n_read);
    games("used", report.n_used);
    for (words, n) in [
        ("without a result", report.n_without_result),
        ("of another game", report.n_other_game),
        ("cut at an illegal move", report.n_broken),
    ] {
        if n > 0 {
            games(words, n);
        }
    }
    for stage in &report.stages {
        let words = match stage.threshold {
            Threshold::None => "all moves",
            Threshold::PositionGames => "games of the position",
            Threshold::Games => "games of the move",
            Threshold::Wins => "wins of the move",
            Threshold::RelativeRate => "its win rate",
            Threshold::Lists => "black and white lists",
        };
        table.push(vec![words.into(), String::new(), stage.n_positions.to_string(), stage.n_moves.to_string()]);
    }
    table
}

/// The moves of the start with their win rates.
fn start_table(book: &Book, top: usize) -> Table {
    let columns = [
        ("first move", Align::Left),
        ("weight", Align::Right),
        ("games", Align::Right),
        ("wins", Align::Right),
        ("win rate", Align::Right),
        ("95% interval", Align::Right),
    ];
    let mut table = Table::new(&columns);
    let Some(start) = book.start() else { return table };
    let board = book.board(start);
    for (known, notes) in book.moves(start).iter().zip(book.move_notes(start)).take(top) {
        let (wins, games) = (notes.n_wins.unwrap_or(0), notes.n_games.unwrap_or(0));
        let (low, high) = win_interval(f64::from(wins), f64::from(games));
        table.push(vec![
            board.move_text(known.played),
            known.weight.to_string(),
            games.to_string(),
            wins.to_string(),
            format!("{:.3}", f64::from(wins) / f64::from(games.max(1))),
            format!("{low:.3} to {high:.3}"),
        ]);
    }
    table
}
