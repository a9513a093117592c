//! Compares the trained model with replaying alone, and counts collisions of pattern keys.
//!
//! ```text
//! cargo bench -p tejun --bench patterns -- [MODEL TEST]
//! ```
//!
//! MODEL is a folder written by `tejun learn patterns`, and TEST is records or a collection; without them, a small
//! model is learned from the sample games, and every tenth of those is used for testing.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::ensure;
use clap::Parser;
use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Color, Point, Suicide};
use tejun_knowledge::corpus::{
    Collection, GameTable, ImportOptions, NearDuplicates, Selection, Source, import, write_sample,
};
use tejun_knowledge::patterns::{N_TEMPLATES, PatternBoard, PatternModel, PatternOptions, ring_of};
use tejun_knowledge::predictor::{Predictor, for_each_situation};
use tejun_knowledge::progress::NoProgress;

const N_THREADS: usize = 2;
/// Number of games whose positions are predicted to measure the time.
const N_TIMED: usize = 100;
/// Number of games whose patterns are written out to count collisions.
const N_WRITTEN: usize = 60;

#[derive(Parser)]
struct Args {
    /// A pattern model, and records or a collection to test on
    files: Vec<PathBuf>,
    /// Set by Cargo for benchmarks
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let folder = tempfile::tempdir()?;
    // Cargo runs benchmarks in the folder of their package.
    let from_root = |file: &Path| Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let (model, test) = match &args.files[..] {
        [model, test] => {
            let path = folder.path().join("test.parquet");
            let options = ImportOptions { n_threads: N_THREADS, ..ImportOptions::default() };
            let file = from_root(test);
            if Collection::open(&file).is_ok() {
                (PatternModel::open(&from_root(model))?, table_of(&file)?)
            } else {
                import(&[Source::Path(file)], &path, &options, &NoProgress)?;
                (PatternModel::open(&from_root(model))?, table_of(&path)?)
            }
        }
        _ => {
            let path = folder.path().join("sample.parquet");
            write_sample(&path)?;
            let (train, test) = table_of(&path)?.split(10);
            let options = PatternOptions { held_out: 8, n_trees: 100, n_threads: N_THREADS, without: Vec::new() };
            (PatternModel::learn(&train, &options, None, &NoProgress)?, test)
        }
    };
    println!("{} patterns and shapes", model.n_patterns());
    times(&model, &test)?;
    collisions(&test)
}

fn table_of(path: &Path) -> anyhow::Result<GameTable> {
    let selection = Selection { near_duplicates: NearDuplicates::Excluded, ..Selection::default() };
    Ok(GameTable::load(&Collection::open(path)?, &selection, BoardSize::NINETEEN)?)
}

/// Times on one thread: replaying and finding the legal points alone, and with predictions.
fn times(model: &PatternModel, test: &GameTable) -> anyhow::Result<()> {
    let n_games = test.n_games().min(N_TIMED);
    let mut n = 0;
    let start = Instant::now();
    for game in 0..n_games {
        for_each_situation(test, game, |_, _, _| n += 1);
    }
    let replaying = start.elapsed().as_secs_f64() / n as f64;
    let (mut predictor, mut hits, mut is_sound) = (model.predictor(), 0, true);
    let start = Instant::now();
    for game in 0..n_games {
        for_each_situation(test, game, |_, situation, played| {
            let values = predictor.predict(situation);
            is_sound &= (values.iter().sum::<f64>() - 1.0).abs() < 1e-6;
            hits += usize::from(values.iter().all(|value| *value <= values[played]));
        });
    }
    let predicting = start.elapsed().as_secs_f64() / n as f64;
    ensure!(is_sound, "probabilities add up");
    // The same positions without reusing anything from the previous move.
    let (mut n_fresh, start) = (0, Instant::now());
    for_each_situation(test, 0, |_, situation, _| {
        n_fresh += model.predictor().predict(situation).len().min(1);
    });
    let fresh = start.elapsed().as_secs_f64() / n_fresh as f64;
    println!(
        "{n} positions of {n_games} games, one thread; first choice played {:.1}%",
        100.0 * hits as f64 / n as f64
    );
    println!("replaying with legal points  {:8.1} microseconds per position", 1e6 * replaying);
    println!("predicting, with replaying   {:8.1}, {:.0} positions per second", 1e6 * predicting, 1.0 / predicting);
    println!("  times replaying alone      {:8.1}", predicting / replaying);
    println!("predicting without reusing the previous move {:.1} ({:.1} times)", 1e6 * fresh, fresh / predicting);
    Ok(())
}

/// Compares patterns of played moves, written out in full, with their keys.
fn collisions(test: &GameTable) -> anyhow::Result<()> {
    let mut by_key: HashMap<u64, String> = HashMap::new();
    let mut written: HashSet<(usize, String)> = HashSet::new();
    let (mut n_collisions, mut n_seen) = (0, 0);
    for game in 0..test.n_games().min(N_WRITTEN) {
        let mut board = test.board_before(game, 0);
        let mut patterns = PatternBoard::new(&board);
        for Move { color, point } in test.moves(game) {
            let Some(point) = point else {
                board.pass();
                patterns.play(color, None);
                continue;
            };
            for (template, key) in patterns.keys(color, point).enumerate().take(N_TEMPLATES - 1) {
                let text = normal_text(&board, color, point, template);
                n_seen += 1;
                n_collisions += usize::from(by_key.entry(key).or_insert_with(|| text.clone()) != &text);
                written.insert((template, text));
            }
            ensure!(board.play_with(color, point, Suicide::Allowed).is_ok(), "a record's moves are legal");
            patterns.play(color, Some(point));
        }
    }
    println!(
        "{n_seen} patterns of {} games: {} different ones written out, {} different keys, {n_collisions} collisions",
        test.n_games().min(N_WRITTEN),
        written.len(),
        by_key.len()
    );
    ensure!(written.len() == by_key.len() && n_collisions == 0, "every pattern has its own key");
    Ok(())
}

/// The stones in a template, in the smallest of the eight orientations.
fn normal_text(board: &Board, color: Color, center: Point, template: usize) -> String {
    const REACH: i8 = 9;
    let lines = board.size().get() as i8;
    let sign = |dx: i8, dy: i8| {
        let (x, y) = (center.x() as i8 + dx, center.y() as i8 + dy);
        if !(0..lines).contains(&x) || !(0..lines).contains(&y) {
            return '#';
        }
        match board.stone(Point::new(x as u8, y as u8)) {
            None => '.',
            Some(stone) if stone == color => 'x',
            Some(_) => 'o',
        }
    };
    let cells: Vec<(i8, i8)> = (-REACH..=REACH)
        .flat_map(|dy| (-REACH..=REACH).map(move |dx| (dx, dy)))
        .filter(|&(dx, dy)| (dx, dy) != (0, 0) && ring_of(dx, dy) <= template)
        .collect();
    let text = |symmetry: usize| -> String {
        let turned = cells.iter().map(|&(dx, dy)| {
            let dx = if symmetry & 1 != 0 { -dx } else { dx };
            let dy = if symmetry & 2 != 0 { -dy } else { dy };
            if symmetry & 4 != 0 { (dy, dx) } else { (dx, dy) }
        });
        turned.map(|(dx, dy)| sign(dx, dy)).collect()
    };
    (0..8).map(text).min().unwrap_or_default()
}
