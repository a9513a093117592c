//! `tejun book match`: the exact match of two books.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tejun_games::game::{Game, GamePosition, PositionKey};
use tejun_knowledge::books::files::write_leaving;
use tejun_knowledge::books::matching::{Match, MatchOptions, Repetition, match_books, sample_check};
use tejun_knowledge::books::{Influence, influences};

use crate::args::{OutputArgs, TableFormat};
use crate::commands::book::loading::{ChosenBook, LoadingArgs};
use crate::commands::{Found, Globals};
use crate::output::{OutputFile, check_outputs, write_file};
use crate::reports::book::{leaving_rows, match_page, match_table, ply_table};
use crate::reports::page::ReportPage;
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// Match two books exactly, without playing a game
///
/// The first player uses the first book, the second player the other one. Probability flows from
/// the start along the books' moves; where the side to move has no book move, games leave the
/// books. Nothing is sampled. Positions reached in several ways are merged.
///
/// Example: tejun book match joseki-wide.dat 24book.db --top 20 --parquet leaving.parquet
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    pair: PairArgs,
    /// Number of most probable leaving positions to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Also list the most probable positions (as many as --top) that never occur in a match of BOOK (or of two BOOKs)
    #[arg(long, num_args = 1..=2, value_name = "BOOK")]
    exclude_positions_of: Vec<PathBuf>,
    /// Number of moves to list whose removal would change the variety of games most
    #[arg(long, value_name = "N", default_value_t = 0)]
    moves: usize,
    /// Also show results ply by ply
    #[arg(long)]
    by_ply: bool,
    /// Check the result by sampling this many games
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(1..))]
    check: Option<u64>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    results: ResultArgs,
}

/// Two books and how they are matched.
#[derive(clap::Args)]
pub struct PairArgs {
    /// First player's book
    first: PathBuf,
    /// Second player's book [default: the same book]
    second: Option<PathBuf>,
    #[command(flatten)]
    loading: LoadingArgs,
    #[command(flatten)]
    matching: MatchArgs,
}

/// Two books and their match.
pub struct MatchedPair {
    /// The books of the first and the second player.
    pub books: Vec<ChosenBook>,
    /// The match.
    pub played: Match,
}

impl PairArgs {
    /// The files that are read.
    pub fn inputs(&self) -> Vec<PathBuf> {
        std::iter::once(&self.first).chain(&self.second).cloned().collect()
    }

    /// Refuses --max-ply for commands that ignore it.
    ///
    /// # Errors
    /// If --max-ply is given.
    pub fn refuse_max_ply(&self, what: &str) -> anyhow::Result<()> {
        self.loading.refuse_max_ply(what)
    }

    /// Opens and matches the books; reports the games that the figures do not include.
    ///
    /// # Errors
    /// If a book can't be read, or the start is not a position.
    pub fn play(&self, globals: &Globals) -> anyhow::Result<MatchedPair> {
        let paths = [self.first.clone(), self.second.clone().unwrap_or_else(|| self.first.clone())];
        let books = self.loading.open_from(&paths, paths.len(), self.matching.start(), globals)?;
        let played = self.matching.play(&books[0], &books[1])?;
        report_missing_games(&played, globals);
        Ok(MatchedPair { books, played })
    }
}

impl PairArgs {
    /// The match of two other books by the same rules.
    fn other(&self, first: &Path, second: &Path, globals: &Globals) -> anyhow::Result<Match> {
        let paths = [first.to_path_buf(), second.to_path_buf()];
        let books = self.loading.open_from(&paths, paths.len(), self.matching.start(), globals)?;
        self.matching.play(&books[0], &books[1])
    }
}

impl MatchedPair {
    /// The names of the books in tables.
    pub fn names(&self) -> [&str; 2] {
        [self.books[0].name(), self.books[1].name()]
    }

    /// The game that is played.
    pub fn game(&self) -> Game {
        self.books[0].book().game()
    }
}

/// Where results go.
#[derive(clap::Args)]
pub struct ResultArgs {
    #[command(flatten)]
    output: OutputArgs<TableFormat>,
    /// Write a Parquet file with all leaving positions, their probabilities and, if known, their values
    #[arg(long, value_name = "FILE")]
    parquet: Option<PathBuf>,
    /// Write an HTML page with plots and boards
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// A value and a win rate of the first player.
type ValueOf<'v> = &'v dyn Fn(PositionKey) -> Option<(f64, f64)>;

impl ResultArgs {
    /// Refuses outputs that would replace an input.
    ///
    /// # Errors
    /// If one is refused.
    pub fn check(&self, inputs: Vec<PathBuf>, globals: &Globals) -> anyhow::Result<()> {
        let tables = self.output.path().map(Path::to_path_buf);
        check_outputs(&[&tables, &self.html, &self.parquet], &inputs, globals)
    }

    /// Prints tables and writes the files that are asked for.
    ///
    /// # Errors
    /// If something can't be written.
    pub fn write(
        &self,
        tables: &[Table],
        played: &Match,
        value: Option<ValueOf<'_>>,
        page: impl FnOnce() -> ReportPage,
        globals: &Globals,
    ) -> anyhow::Result<()> {
        write_tables(&self.output, tables, globals)?;
        if let Some(path) = &self.parquet {
            let mut file = OutputFile::create(path)?;
            write_leaving(played, value, &mut file).with_context(|| path.display().to_string())?;
            file.commit(globals)?;
        }
        match &self.html {
            Some(path) => write_file(path, page().to_html().as_bytes(), globals),
            None => Ok(()),
        }
    }
}

/// What happens when a position occurs again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum RepetitionRule {
    /// Continue the game
    Ignore,
    /// Leave the book there, as Bonanza does
    Leave,
}

impl From<RepetitionRule> for Repetition {
    fn from(rule: RepetitionRule) -> Repetition {
        match rule {
            RepetitionRule::Ignore => Repetition::Ignored,
            RepetitionRule::Leave => Repetition::Leaves,
        }
    }
}

/// How books are matched.
#[derive(clap::Args)]
pub struct MatchArgs {
    /// When a position occurs again, continue the game or leave the book there
    #[arg(long, value_name = "RULE", value_enum, default_value_t = RepetitionRule::Ignore)]
    repetition: RepetitionRule,
    /// Start from this position instead of the initial position: SFEN, FEN or rows of a Go board, written like the
    /// positions in the results. The first book plays Black in shogi and Go, and White in chess, whoever moves first
    #[arg(long, value_name = "POSITION")]
    start: Option<String>,
}

impl MatchArgs {
    /// Where games start, as given.
    pub fn start(&self) -> Option<&str> {
        self.start.as_deref()
    }

    /// Matches two books.
    ///
    /// # Errors
    /// If the start is not a position.
    pub fn play(&self, first: &ChosenBook, second: &ChosenBook) -> anyhow::Result<Match> {
        let game = first.book().game();
        let start = self.start.as_deref().map(|text| GamePosition::parse(game, text));
        let start = start.transpose().context("--start")?;
        let options = MatchOptions { repetition: self.repetition.into(), start };
        Ok(match_books(game, [first.player(), second.player()], &options))
    }
}

/// Writes tables, one after the other, to the output.
///
/// # Errors
/// If they can't be written.
pub fn write_tables(output: &OutputArgs<TableFormat>, tables: &[Table], globals: &Globals) -> anyhow::Result<()> {
    let texts = tables.iter().map(|table| match output.format() {
        TableFormat::Csv => table.to_csv(),
        TableFormat::Table => table.to_text(),
    });
    output.write(texts.collect::<Vec<_>>().join("\n"), globals)
}

/// Runs the command.
///
/// # Errors
/// If a book can't be read, or a result can't be written.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    args.results.check(args.pair.inputs(), globals)?;
    if args.moves > 0 {
        args.pair.refuse_max_ply("--moves")?;
    }
    let pair = args.pair.play(globals)?;
    let (names, played) = (pair.names(), &pair.played);
    let mut tables = vec![match_table(&[(names, played)])];
    if args.by_ply {
        tables.push(ply_table(played));
    }
    if args.top > 0 {
        tables.push(leaving_table(played, args.top));
    }
    if let Some(first) = args.exclude_positions_of.first() {
        let other = args.pair.other(first, args.exclude_positions_of.get(1).unwrap_or(first), globals)?;
        tables.push(exclusive_table(played, &other, args.top));
    }
    if args.moves > 0 {
        tables.push(influence_table(played, args.moves));
    }
    if let Some(n_games) = args.check {
        tables.push(check_table(played, n_games, args.seed));
    }
    args.results.write(&tables, played, None, || match_page(names, played), globals)?;
    Ok(Found::from(played.expected_plies > 0.0))
}

/// Reports the games that the figures do not include.
pub fn report_missing_games(played: &Match, globals: &Globals) {
    let visits = &played.visits;
    if visits.n_cycles > 0 {
        globals.status(format_args!(
            "Positions can repeat: {}, the largest with {}, solved {}.",
            count(visits.n_cycles, "cycle"),
            count(visits.n_largest_cycle, "position"),
            if visits.missing > 0.0 { format!("up to {:.1e}", visits.missing) } else { "exactly".into() }
        ));
    }
    let continues = played.rules.repetition == Repetition::Ignored && played.rules.max_plies == [None, None];
    if continues && visits.endless > 0.0 {
        globals.status(format_args!(
            "In a share of {:.6} of the games, both sides repeat forever and never leave the books (see --repetition, \
             --max-ply).",
            visits.endless
        ));
    }
    let endless = if continues { visits.endless } else { 0.0 };
    if played.unplaced > endless + 1e-9 {
        globals
            .status(format_args!("A share of {:.3e} of the games was too small to follow.", played.unplaced - endless));
    }
    if played.flow.rest > 1e-12 {
        globals.status(format_args!(
            "Ply by ply, a share of {:.3e} of the games continues and is not followed to the end.",
            played.flow.rest
        ));
    }
}

fn leaving_table(played: &Match, top: usize) -> Table {
    let columns =
        [("probability", Align::Right), ("plies", Align::Right), ("moves", Align::Left), ("position", Align::Left)];
    let mut table = Table::new(&columns);
    for leaving in played.leaving.iter().take(top) {
        let (board, moves) = played.way(leaving.node);
        let texts: Vec<&str> = moves.iter().map(|(_, text)| text.as_str()).collect();
        let probability = format!("{:.6}", leaving.probability);
        table.push(vec![probability, moves.len().to_string(), texts.join(" "), board.to_string()]);
    }
    table
}

/// The most probable positions of a match that never occur in another one.
fn exclusive_table(played: &Match, other: &Match, top: usize) -> Table {
    let theirs: HashSet<PositionKey> = (0..other.chain.len() as u32).map(|node| other.chain.key(node)).collect();
    let mut only: Vec<(f64, u32)> = (0..played.chain.len() as u32)
        .filter(|node| !theirs.contains(&played.chain.key(*node)))
        .map(|node| (played.visits.expected[node as usize], node))
        .collect();
    only.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let columns =
        [("visits per game", Align::Right), ("plies", Align::Right), ("moves", Align::Left), ("position", Align::Left)];
    let mut table = Table::new(&columns);
    for (visits, node) in only.into_iter().take(top) {
        let (board, moves) = played.way(node);
        let texts: Vec<&str> = moves.iter().map(|(_, text)| text.as_str()).collect();
        table.push(vec![format!("{visits:.6}"), moves.len().to_string(), texts.join(" "), board.to_string()]);
    }
    table
}

fn influence_table(played: &Match, top: usize) -> Table {
    let mut all: Vec<Influence> = influences(played, None);
    all.sort_by(|a, b| b.entropy.abs().total_cmp(&a.entropy.abs()));
    let columns = [
        ("entropy change if removed", Align::Right),
        ("probability", Align::Right),
        ("move", Align::Left),
        ("after", Align::Left),
    ];
    let mut table = Table::new(&columns);
    for influence in all.iter().take(top) {
        let [next, before] = leaving_rows(played, influence.node, influence.played);
        table.push(vec![format!("{:+.4}", influence.entropy), format!("{:.4}", influence.probability), next, before]);
    }
    table
}

fn check_table(played: &Match, n_games: u64, seed: u64) -> Table {
    let check = sample_check(played, n_games, seed);
    let mut table =
        Table::new(&[("sampled games", Align::Left), ("sampled", Align::Right), ("exact or expected", Align::Right)]);
    let mut row = |name: &str, sampled: String, exact: String| table.push(vec![name.into(), sampled, exact]);
    row("games", check.n_games.to_string(), String::new());
    row("leaving positions", check.n_leaving.to_string(), played.leaving.len().to_string());
    row("plies in book", format!("{:.4}", check.mean_plies), format!("{:.4}", played.expected_plies));
    row("total variation", format!("{:.6}", check.total_variation), format!("{:.6}", check.expected_variation));
    row("chi-squared", format!("{:.1}", check.chi_squared), check.n_degrees.to_string());
    row("standard deviations from it", format!("{:+.2}", check.deviation), "0 ± 1".into());
    if check.n_unfinished > 0 {
        row("unfinished", check.n_unfinished.to_string(), String::new());
    }
    table
}
