//! `tejun book build`: a book from games with results.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tejun_games::game::{Game, GamePosition};
use tejun_knowledge::books::making::build::{
    BoostScope, BuildOptions, BuildReport, CountMoves, ListedMove, Threshold, WeightBy, build_book, listed_move,
};
use tejun_knowledge::books::{Book, GameRecords, read_games};
use tejun_knowledge::statistics::win_interval;

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
    /// Weight of a move [default: games; wins with --like-bonanza]
    #[arg(long, value_name = "WHAT", value_enum)]
    weigh: Option<WeightName>,
    /// Whose moves to count
    #[arg(long, value_name = "WHO", value_enum, default_value_t = CountedSide::Everyone)]
    count: CountedSide,
    /// Count only the moves of this player; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with = "count")]
    only_player: Vec<String>,
    /// Player whose games count more, such as yourself; may be repeated
    #[arg(long, value_name = "NAME")]
    boost_player: Vec<String>,
    /// Number of times each game of a --boost-player counts
    #[arg(long, value_name = "N", default_value_t = 3, requires = "boost_player")]
    boost: u32,
    /// Boost only the moves of the --boost-player, not the opponent's moves in the same games
    #[arg(long, requires = "boost_player")]
    boost_moves_only: bool,
    /// File of moves that are never chosen, one per line: a position, a tab and a move
    #[arg(long, value_name = "FILE")]
    exclude_moves: Option<PathBuf>,
    /// File of moves that are the only ones chosen in their positions, in the format of --exclude-moves
    #[arg(long, value_name = "FILE")]
    force_moves: Option<PathBuf>,
    /// Number of first moves to show with their win rates
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    saving: SavingArgs,
}

/// The weight of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum WeightName {
    /// The number of its games
    Games,
    /// The number of its wins
    Wins,
    /// Its games times the lower end of the 95% interval of its win rate
    LowerBound,
}

/// Whose moves are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum CountedSide {
    /// The moves of both players
    Everyone,
    /// The winner's moves
    Winner,
}

/// Runs the command.
///
/// # Errors
/// If games or lists can't be read, or the book can't be written.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let read: Vec<PathBuf> = args.games.iter().chain(&args.exclude_moves).chain(&args.force_moves).cloned().collect();
    check_output(&args.saving.output, read.iter().map(PathBuf::as_path), globals)?;
    let mut records = GameRecords::default();
    for path in &args.games {
        let GameRecords { games, problems } = read_games(path)?;
        records.games.extend(games);
        records.problems.extend(problems);
    }
    let GameRecords { games, problems } = records;
    if let Some(first) = problems.first() {
        globals.status(format_args!("{first}"));
        globals.status(format_args!(
            "{} in the records; games are cut at unreadable moves. The first problem is shown above.",
            count(problems.len(), "problem")
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
    for (name, unmatched) in [("excluded", report.unmatched_excluded.len()), ("forced", report.unmatched_forced.len())]
    {
        if unmatched > 0 {
            globals.status(format_args!("{} never played in these games.", count(unmatched, &format!("{name} move"))));
        }
    }
    args.saving.save(&book, &args.games, globals)?;
    Ok(Found::from(!book.positions().is_empty()))
}

impl Args {
    fn options(&self, game: Game) -> anyhow::Result<BuildOptions> {
        let base = if self.like_bonanza { BuildOptions::bonanza(game) } else { BuildOptions::all(game) };
        let weight_by = match self.weigh {
            Some(WeightName::Games) => WeightBy::Games,
            Some(WeightName::Wins) => WeightBy::Wins,
            Some(WeightName::LowerBound) => WeightBy::LowerBound,
            None => base.weight_by,
        };
        let count_moves = match (self.only_player.is_empty(), self.count) {
            (false, _) => CountMoves::OfPlayers(self.only_player.clone()),
            (true, CountedSide::Winner) => CountMoves::OfWinner,
            (true, CountedSide::Everyone) => CountMoves::OfEveryone,
        };
        let list = |path: &Option<PathBuf>| path.as_deref().map_or(Ok(Vec::new()), |path| read_list(path, game));
        Ok(BuildOptions {
            max_ply: self.plies,
            min_position_games: self.min_position_games,
            min_games: self.min_games,
            min_wins: self.min_wins.unwrap_or(base.min_wins),
            min_relative_rate: self.min_relative_rate.unwrap_or(base.min_relative_rate),
            weight_by,
            count_moves,
            boosted_players: self.boost_player.clone(),
            boost: self.boost,
            boost_scope: if self.boost_moves_only { BoostScope::Moves } else { BoostScope::Games },
            excluded_moves: list(&self.exclude_moves)?,
            forced_moves: list(&self.force_moves)?,
            ..base
        })
    }
}

/// Reads positions with moves, one per line: `position<TAB>move`, or `startpos moves … <TAB>move`.
fn read_list(path: &Path, game: Game) -> anyhow::Result<Vec<ListedMove>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
    {
        let place = || format!("{}:{}", path.display(), number + 1);
        let (position, played) =
            line.split_once('\t').with_context(|| format!("{}: expected a position, a tab and a move", place()))?;
        let board = board_of(position.trim(), game).with_context(place)?;
        let played = board.parse_move(played.trim()).with_context(place)?;
        found.push(listed_move(&board, played));
    }
    Ok(found)
}

/// A position as text, or `startpos` followed by moves.
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
    let mut games = |name: &str, n: usize| table.push(vec![name.into(), n.to_string()]);
    games("games read", report.n_read);
    games("used", report.n_used);
    for (name, n) in [
        ("without a result", report.n_without_result),
        ("of another game", report.n_other_game),
        ("cut at an illegal move", report.n_broken),
    ] {
        if n > 0 {
            games(name, n);
        }
    }
    for stage in &report.stages {
        let name = match stage.threshold {
            Threshold::None => "all moves",
            Threshold::PositionGames => "games of the position",
            Threshold::Games => "games of the move",
            Threshold::Wins => "wins of the move",
            Threshold::RelativeRate => "win rate of the move",
            Threshold::Lists => "excluded and forced moves",
        };
        table.push(vec![name.into(), String::new(), stage.n_positions.to_string(), stage.n_moves.to_string()]);
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
