//! Compares codes, index and ranking with the suffix sorter alone, and checks the results.
//!
//! ```text
//! cargo bench -p tejun --bench mine -- [FILE...] [--moves N,N,...]
//! ```
//!
//! The files are records or collections; without files, the sample games are used. All of them together form one
//! collection without near duplicates; uses the first games with the given number of moves (all of them without
//! --moves).

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::Parser;
use libsais::{SuffixArrayConstruction, ThreadCount};
use tejun::reports::table::{Align, Table};
use tejun_games::Move;
use tejun_games::go::{BoardSize, Point};
use tejun_index::Index;
use tejun_knowledge::codes::Code;
use tejun_knowledge::corpus::{
    Collection, Expression, GameTable, ImportOptions, NearDuplicates, Selection, Source, import, write_sample,
};
use tejun_knowledge::progress::NoProgress;
use tejun_knowledge::sequences::{
    GameText, Measure, RankOptions, RankedString, Tenuki, TextOptions, TextScope, find_line,
};

const N_THREADS: usize = 2;
const N_RUNS: usize = 3;
const TOP: usize = 25_000;
const SIZE: BoardSize = BoardSize::NINETEEN;

#[derive(Parser)]
struct Args {
    /// Records or collections
    files: Vec<PathBuf>,
    /// Numbers of moves to use, in millions, in ascending order
    #[arg(long, value_delimiter = ',')]
    moves: Vec<usize>,
    /// Set by Cargo for benchmarks
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games.parquet");
    if args.files.is_empty() {
        write_sample(&path)?;
    } else {
        // Cargo runs benchmarks in the folder of their package.
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let sources: Vec<Source> = args.files.iter().map(|file| Source::Path(root.join(file))).collect();
        import(&sources, &path, &ImportOptions { n_threads: N_THREADS, ..ImportOptions::default() }, &NoProgress)?;
    }
    let collection = Collection::open(&path)?;
    let mut table = Table::new(
        &[
            "games",
            "moves",
            "libsais ms",
            "codes+index ms",
            "msfp ms",
            "ratio",
            "local ratio",
            "peak MiB",
            "bytes per move",
            "reopen index ms",
            "reopen text ms",
            "find ms",
            "worst find ms",
        ]
        .map(|name| (name, Align::Right)),
    );
    for n_games in sizes(&collection, &args.moves)? {
        table.push(row(&collection, n_games, folder.path())?);
    }
    print!("{}", table.to_text());
    Ok(())
}

/// For each number of moves, in millions, the number of games that contain them.
fn sizes(collection: &Collection, millions: &[usize]) -> anyhow::Result<Vec<usize>> {
    if millions.is_empty() {
        return Ok(vec![collection.n_games()]);
    }
    let mut sums = vec![0];
    for game in collection.games() {
        sums.push(sums[sums.len() - 1] + game?.record.moves.len());
    }
    Ok(millions.iter().map(|n| sums.partition_point(|sum| *sum <= n * 1_000_000).saturating_sub(1)).collect())
}

fn row(collection: &Collection, n_games: usize, folder: &Path) -> anyhow::Result<Vec<String>> {
    let condition = Expression::parse(&format!("id < {n_games}"))?;
    let near_duplicates = NearDuplicates::Excluded;
    let selection = Selection { condition: Some(condition), near_duplicates, ..Selection::default() };
    let games = GameTable::load(collection, &selection, SIZE)?;
    let options = TextOptions { size: SIZE, code: Code::Relative, scope: TextScope::Whole };

    // The peak of the work itself, from the games in memory to the ranking.
    reset_peak()?;
    let (text, ranking) = mine(&games, options)?;
    let peak = peak_bytes()?;

    let stored: Vec<u16> = (0..text.index().text().n_positions())
        .map(|position| text.index().text().symbol_at(position).map_or(0, |symbol| symbol.0 + 1))
        .collect();
    let (libsais, _) = best_of(N_RUNS, || sort_alone(&stored));
    let n_symbols = |text: GameText| text.index().text().n_symbols();
    let (build, _) = best_of(N_RUNS, || GameText::build(&games, options, N_THREADS).map(n_symbols).ok());
    let (rank, n_ranked) = best_of(N_RUNS, || rank(&text).len());
    ensure!(n_ranked == ranking, "every run has the same ranking");
    let local = TextOptions { scope: TextScope::Local, ..options };
    let (local, _) = best_of(N_RUNS, || mine(&games, local).map(|(_, n)| n).ok());

    let file = folder.join("er.index");
    text.save(&file)?;
    let (reopen, _) = best_of(N_RUNS, || GameText::open(&file, &games, options).map(n_symbols).ok());
    let (reopen_index, _) = best_of(N_RUNS, || Index::open(&file).map(|index| index.text().n_symbols()).ok());
    let (find, worst) = time_finds(&text, &games)?;
    let ms = |seconds: f64| format!("{:.2}", 1e3 * seconds);
    Ok(vec![
        games.n_games().to_string(),
        games.n_moves().to_string(),
        ms(libsais),
        ms(build),
        ms(rank),
        format!("{:.2}", (build + rank) / libsais),
        format!("{:.2}", local / libsais),
        (peak >> 20).to_string(),
        format!("{:.1}", peak as f64 / games.n_moves() as f64),
        ms(reopen_index),
        ms(reopen),
        ms(find),
        ms(worst),
    ])
}

fn mine(games: &GameTable, options: TextOptions) -> anyhow::Result<(GameText, usize)> {
    let text = GameText::build(games, options, N_THREADS)?;
    let n = rank(&text).len();
    Ok((text, n))
}

fn rank(text: &GameText) -> Vec<RankedString> {
    let [.., msfp] = Measure::all();
    let options = RankOptions { min_length: 5, top: TOP, tenuki: Tenuki::Exclude, n_threads: N_THREADS };
    msfp.rank(text, options)
}

/// Suffix array and common prefixes of the same text; the result is a checksum.
fn sort_alone(stored: &[u16]) -> Option<i64> {
    let threads = ThreadCount::fixed(N_THREADS as u16);
    let sorted = SuffixArrayConstruction::for_text(stored)
        .in_owned_buffer32()
        .multi_threaded(threads)
        .generalized_suffix_array()
        .run()
        .ok()?;
    let plcp = sorted.plcp_construction().multi_threaded(threads).run().ok()?;
    let lcp = plcp.lcp_construction().multi_threaded(threads).run().ok()?;
    Some(lcp.lcp().iter().map(|&shared| i64::from(shared)).sum())
}

/// The fastest of several runs, in seconds, and the result of every run.
fn best_of<A: PartialEq + std::fmt::Debug>(n_runs: usize, work: impl Fn() -> A) -> (f64, A) {
    let run = || {
        let start = Instant::now();
        let answer = work();
        (start.elapsed().as_secs_f64(), answer)
    };
    let first = run();
    (1..n_runs).map(|_| run()).fold(first, |best, again| {
        assert_eq!(again.1, best.1, "every run has the same result");
        if again.0 < best.0 { again } else { best }
    })
}

/// Seconds for finding the first six moves of a game: the median and the worst of many games.
fn time_finds(text: &GameText, games: &GameTable) -> anyhow::Result<(f64, f64)> {
    let mut seconds = Vec::new();
    for game in (0..games.n_games()).step_by(games.n_games().div_ceil(500)) {
        for first in [0, 30] {
            let moves: Vec<Move> = games.moves(game).skip(first).take(6).collect();
            let is_in_turn = moves.windows(2).all(|pair| pair[0].color != pair[1].color);
            let line: Option<Vec<Point>> = moves.iter().map(|m| m.point).collect();
            if let Some(line) = line.filter(|line| line.len() == 6 && is_in_turn) {
                let (time, found) = best_of(1, || find_line(text, games, &line));
                let is_there = found.places.contains(&(game, first));
                ensure!(is_there, "moves {line:?} of game {game} are found where they were played");
                seconds.push(time);
            }
        }
    }
    seconds.sort_by(f64::total_cmp);
    let worst = seconds.last().copied().context("no game has six moves")?;
    Ok((seconds[seconds.len() / 2], worst))
}

/// Resets the peak of memory to the current use.
fn reset_peak() -> anyhow::Result<()> {
    std::fs::write("/proc/self/clear_refs", "5")
        .context("/proc/self/clear_refs: the memory peak cannot be reset on this system")
}

fn peak_bytes() -> anyhow::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM")?;
    let kib: u64 = line.split_whitespace().next().context("no number")?.parse()?;
    Ok(kib * 1024)
}
