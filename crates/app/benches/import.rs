//! Compares reading and importing with the crate sgf-parse and Python's sgfmill, and checks the results.
//!
//! ```text
//! cargo bench -p tejun --bench import -- [FILE] [--python PYTHON] [--python-games N] [--runs N]
//! ```
//!
//! FILE has one SGF game per line and may be compressed with zstd; paths are relative to the workspace root. Without
//! FILE, the sample collection is read; without PYTHON, sgfmill is skipped.

mod collection;
mod measure;

use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use clap::Parser;
use sgf_parse::SgfNode;
use sgf_parse::go::Prop;
use tejun::reports::table::{Align, Table};
use tejun_games::sgf::{Reader, Tree, main_line};
use tejun_knowledge::corpus::{ImportOptions, ImportSummary, Source, import};
use tejun_knowledge::progress::NoProgress;

use crate::collection::{from_root, read_games};
use crate::measure::{Measured, measure};

#[derive(Parser)]
struct Args {
    /// A file with one game per line [default: the sample collection]
    file: Option<PathBuf>,
    /// A Python interpreter with sgfmill
    #[arg(long)]
    python: Option<PathBuf>,
    /// Let sgfmill read about this many games, evenly selected, and scale its time
    #[arg(long)]
    python_games: Option<usize>,
    /// Number of times each measurement is repeated
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Set by Cargo for benchmarks; without it everything runs once, as a test
    #[arg(long, hide = true)]
    bench: bool,
}

/// What a reader found in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    n_games: usize,
    n_nodes: usize,
    n_moves: usize,
    /// Games that the reader refuses.
    n_refused: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, more: Tally) {
        self.n_games += more.n_games;
        self.n_nodes += more.n_nodes;
        self.n_moves += more.n_moves;
        self.n_refused += more.n_refused;
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let n_runs = if args.bench { args.runs } else { 1 };
    let (path, text) = read_games(args.file.as_deref())?;
    let text = text.as_str();
    let n_cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let n_games = games(text).count();
    println!("{} bytes, {n_games} games, {n_cores} cores, best and median of {n_runs} runs\n", text.len());

    let mut rows = Vec::new();
    for n_threads in [1, n_cores] {
        let run = |read: fn(&str) -> Tally| measure(n_runs, || in_threads(text, n_threads, read));
        rows.push(Row::new("tejun: trees", n_threads, run(read_trees)));
        rows.push(Row::new("tejun: trees, walked", n_threads, run(walk_trees)));
        rows.push(Row::new("tejun: trees, main line", n_threads, run(read_main_lines)));
        rows.push(Row::new("tejun: trees, main line, replay", n_threads, run(replay)));
        rows.push(Row::new("sgf-parse", n_threads, run(read_with_sgf_parse)));
        rows.push(Row::new("tejun import", n_threads, run_import(&path, n_threads, n_runs, n_games)?));
    }
    let sgfmill = match &args.python {
        None => None,
        Some(python) => {
            let step = args.python_games.map_or(1, |wanted| (n_games / wanted.max(1)).max(1));
            Some(run_sgfmill(python, text, step, n_runs)?)
        }
    };
    check_tallies(&rows, text);
    print_times(&rows, sgfmill.as_ref(), text.len());
    print_demands(&rows, sgfmill.as_ref());
    Ok(())
}

/// The lines that contain a game.
fn games(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty())
}

/// One measurement.
struct Row {
    what: &'static str,
    n_threads: usize,
    measured: Measured<Tally>,
}

impl Row {
    fn new(what: &'static str, n_threads: usize, measured: Measured<Tally>) -> Row {
        Row { what, n_threads, measured }
    }
}

/// Reads the text in as many parts as there are threads, cut between lines.
fn in_threads(text: &str, n_threads: usize, read: fn(&str) -> Tally) -> Tally {
    if n_threads == 1 {
        return read(text);
    }
    std::thread::scope(|scope| {
        let parts: Vec<_> = parts(text, n_threads).into_iter().map(|part| scope.spawn(move || read(part))).collect();
        let mut all = Tally::default();
        parts.into_iter().for_each(|part| all += part.join().expect("no reader panics"));
        all
    })
}

fn parts(text: &str, n_parts: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    for n_left in (1..=n_parts).rev() {
        let about = rest.len() / n_left;
        let end = rest.as_bytes()[about..].iter().position(|&byte| byte == b'\n');
        let (part, after) = rest.split_at(end.map_or(rest.len(), |end| about + end + 1));
        parts.push(part);
        rest = after;
    }
    parts
}

fn for_each_tree(text: &str, mut visit: impl FnMut(&Tree<'_>) -> Tally) -> Tally {
    let mut tally = Tally::default();
    let mut reader = Reader::new(text);
    let Some(mut tree) = reader.next() else { return tally };
    loop {
        tally += visit(&tree);
        if !reader.read_into(&mut tree) {
            return tally;
        }
    }
}

/// Reads all trees without walking them, as sgfmill does by default.
fn read_trees(text: &str) -> Tally {
    for_each_tree(text, |tree| Tally { n_games: 1, n_nodes: tree.nodes().count(), ..Tally::default() })
}

/// Reads all trees and visits every property.
fn walk_trees(text: &str) -> Tally {
    for_each_tree(text, |tree| {
        let is_move = |name: &str| matches!(name, "B" | "W");
        let n_moves = |node: tejun_games::sgf::Node<'_, '_>| {
            node.properties().filter(|property| is_move(property.name_as_written())).count()
        };
        let mut tally = Tally { n_games: 1, ..Tally::default() };
        for node in tree.nodes() {
            tally.n_nodes += 1;
            tally.n_moves += n_moves(node);
        }
        tally
    })
}

fn read_main_lines(text: &str) -> Tally {
    for_each_tree(text, |tree| match main_line(tree) {
        Ok(record) => {
            Tally { n_games: 1, n_nodes: tree.main_nodes().count(), n_moves: record.moves.len(), n_refused: 0 }
        }
        Err(_) => Tally { n_refused: 1, ..Tally::default() },
    })
}

fn replay(text: &str) -> Tally {
    for_each_tree(text, |tree| match main_line(tree) {
        Ok(record) => {
            let replay = record.replay();
            let n_moves = replay.illegal.map_or(record.moves.len(), |(number, _)| number as usize - 1);
            Tally { n_games: 1, n_nodes: tree.main_nodes().count(), n_moves, n_refused: 0 }
        }
        Err(_) => Tally { n_refused: 1, ..Tally::default() },
    })
}

/// Reads line by line, because one refused game would lose the whole text.
fn read_with_sgf_parse(text: &str) -> Tally {
    let mut tally = Tally::default();
    for line in games(text) {
        match sgf_parse::go::parse(line) {
            Ok(games) => games.iter().for_each(|root| tally += tally_of(root)),
            Err(_) => tally.n_refused += 1,
        }
    }
    tally
}

fn tally_of(root: &SgfNode<Prop>) -> Tally {
    let mut tally = Tally { n_games: 1, ..Tally::default() };
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        tally.n_nodes += 1;
        tally.n_moves += node.properties().filter(|property| matches!(property, Prop::B(_) | Prop::W(_))).count();
        waiting.extend(node.children());
    }
    tally
}

/// The whole import, from the file on disk to the collection on disk.
fn run_import(path: &Path, n_threads: usize, n_runs: usize, n_games: usize) -> anyhow::Result<Measured<Tally>> {
    let folder = tempfile::tempdir()?;
    let output = folder.path().join("games.parquet");
    let sources = [Source::Path(path.to_path_buf())];
    let options = ImportOptions { n_threads, ..ImportOptions::default() };
    let mut failure = None;
    let measured = measure(n_runs, || {
        import(&sources, &output, &options, &NoProgress).unwrap_or_else(|error| {
            failure = Some(error);
            ImportSummary::default()
        })
    });
    if let Some(error) = failure {
        return Err(error).context(path.display().to_string());
    }
    let summary = &measured.answer;
    ensure!(summary.n_found == n_games as u64, "import found {} games of {n_games}", summary.n_found);
    let n_refused = (summary.n_refused + summary.n_skipped) as usize;
    ensure!(summary.n_imported as usize + n_refused == n_games, "import lost games: {summary:?}");
    let answer =
        Tally { n_games: summary.n_imported as usize, n_nodes: 0, n_moves: summary.n_moves as usize, n_refused };
    Ok(Measured { best: measured.best, median: measured.median, processor: measured.processor, answer })
}

/// The time that sgfmill needed for a whole text, possibly scaled from a part of it.
struct Sgfmill {
    best: f64,
    median: f64,
    processor: f64,
    walk: f64,
    step: usize,
    n_games: usize,
}

fn run_sgfmill(python: &Path, text: &str, step: usize, n_runs: usize) -> anyhow::Result<Sgfmill> {
    let folder = tempfile::tempdir()?;
    let plain = folder.path().join("games.sgfs");
    std::fs::write(&plain, text)?;
    // A bare name is looked up in PATH.
    let python = if python.components().count() > 1 { from_root(python) } else { python.to_path_buf() };
    let script = from_root("crates/app/benches/sgfmill_parse.py".as_ref());
    let numbers = [step.to_string(), n_runs.min(3).to_string()];
    let output = Command::new(&python).arg(script).arg(&plain).args(numbers).output();
    let output = output.with_context(|| python.display().to_string())?;
    ensure!(output.status.success(), "{}: {}", python.display(), String::from_utf8_lossy(&output.stderr));
    let reported: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let lines: String = games(text).step_by(step).flat_map(|line| [line, "\n"]).collect();
    let expected = walk_trees(&lines);
    for (name, expected) in
        [("n_games", expected.n_games), ("n_nodes", expected.n_nodes), ("n_moves", expected.n_moves)]
    {
        assert_eq!(reported[name].as_u64(), Some(expected as u64), "sgfmill and tejun count the same {name}");
    }
    let scale = text.len() as f64 / lines.len() as f64;
    let seconds = reported["seconds"].as_array().into_iter().flatten().filter_map(|seconds| seconds.as_f64());
    let mut seconds: Vec<f64> = seconds.map(|seconds| seconds * scale).collect();
    seconds.sort_by(f64::total_cmp);
    let best = *seconds.first().context("sgfmill reported no time")?;
    let walk = reported["walk_seconds"].as_f64().context("sgfmill reported no time for the walk")? * scale;
    let processor = reported["processor_seconds"].as_f64().context("sgfmill reported no processor time")? * scale;
    Ok(Sgfmill { best, processor, median: seconds[seconds.len() / 2], walk, step, n_games: expected.n_games })
}

/// Checks that all readers find the same games, nodes and moves in the games that all of them read.
fn check_tallies(rows: &[Row], text: &str) {
    let find = |what| rows.iter().filter(move |row| row.what == what).map(|row| row.measured.answer);
    for what in ["tejun: trees, walked", "tejun: trees, main line", "tejun: trees, main line, replay", "sgf-parse"] {
        assert!(
            find(what).all(|tally| Some(tally) == find(what).next()),
            "the number of threads has no effect on {what}"
        );
    }
    let trees = find("tejun: trees, walked").next().expect("trees are always read");
    let unwalked = Tally { n_moves: 0, ..trees };
    assert!(find("tejun: trees").all(|tally| tally == unwalked), "reading and walking find the same nodes");
    let theirs = find("sgf-parse").next().expect("sgf-parse always runs");
    let mut ours = Tally { n_refused: theirs.n_refused, ..Tally::default() };
    for line in games(text).filter(|line| sgf_parse::go::parse(line).is_ok()) {
        ours += walk_trees(line);
    }
    assert_eq!(ours, theirs, "sgf-parse and tejun count the same");
    println!(
        "{} games, {} nodes, {} moves; sgf-parse refuses {} games",
        trees.n_games, trees.n_nodes, trees.n_moves, theirs.n_refused
    );
    let played = find("tejun: trees, main line, replay").next().expect("games are always replayed");
    let imported = find("tejun import").next().expect("import always runs");
    println!(
        "main lines: {} games, {} legal moves, {} refused; import: {} games, {} moves, {} skipped or refused\n",
        played.n_games, played.n_moves, played.n_refused, imported.n_games, imported.n_moves, imported.n_refused
    );
    if imported.n_refused == 0 {
        assert_eq!(imported.n_moves, played.n_moves, "import keeps every legal move");
    }
}

fn print_times(rows: &[Row], sgfmill: Option<&Sgfmill>, n_bytes: usize) {
    let right = |name| (name, Align::Right);
    let mut table = Table::new(&[
        ("what", Align::Left),
        right("threads"),
        right("best s"),
        right("median s"),
        right("CPU s"),
        right("MB/s"),
        right("x sgf-parse"),
        right("x sgfmill"),
    ]);
    let mut push = |what: &str, n_threads: usize, best: f64, median: f64, processor: Option<f64>| {
        let theirs = seconds(rows, "sgf-parse", n_threads);
        table.push(vec![
            what.into(),
            n_threads.to_string(),
            format!("{best:.3}"),
            format!("{median:.3}"),
            processor.map_or("-".into(), |seconds| format!("{seconds:.2}")),
            format!("{:.1}", n_bytes as f64 / best / 1e6),
            format!("{:.2}", theirs / best),
            sgfmill.map_or("-".into(), |sgfmill| format!("{:.1}", sgfmill.best / best)),
        ]);
    };
    for row in rows {
        push(row.what, row.n_threads, row.measured.best, row.measured.median, row.measured.processor);
    }
    if let Some(sgfmill) = sgfmill {
        push("sgfmill", 1, sgfmill.best, sgfmill.median, Some(sgfmill.processor));
        push("sgfmill, trees walked", 1, sgfmill.walk, sgfmill.walk, None);
    }
    println!("{}", table.to_text());
    if let Some(Sgfmill { step: 2.., n_games, .. }) = sgfmill {
        println!("sgfmill read {n_games} games, evenly selected; its time is scaled to the whole text\n");
    }
}

/// The best time of a measurement; ratios are of best times.
fn seconds(rows: &[Row], what: &str, n_threads: usize) -> f64 {
    let is_wanted = |row: &&Row| row.what == what && row.n_threads == n_threads;
    rows.iter().find(is_wanted).map_or(f64::NAN, |row| row.measured.best)
}

/// Compares the requirements with the results, in wall time and, on one thread, in processor time.
fn print_demands(rows: &[Row], sgfmill: Option<&Sgfmill>) {
    let right = |name| (name, Align::Right);
    let mut table = Table::new(&[
        ("requirement", Align::Left),
        right("threads"),
        right("at least"),
        right("is"),
        right("by CPU"),
        right("met"),
    ]);
    let mut push = |demand: &str, n_threads: usize, at_least: f64, is: f64, by_processor: Option<f64>| {
        let met = if is >= at_least { "yes" } else { "no" };
        let by_processor = by_processor.filter(|_| n_threads == 1).map_or("-".into(), |ratio| format!("{ratio:.1}"));
        let cells = [demand, &n_threads.to_string(), &at_least.to_string(), &format!("{is:.1}"), &by_processor, met];
        table.push(cells.map(String::from).to_vec());
    };
    let find = |what, n_threads| rows.iter().find(move |row| row.what == what && row.n_threads == n_threads);
    let mut numbers_of_threads: Vec<usize> = rows.iter().map(|row| row.n_threads).collect();
    numbers_of_threads.dedup();
    for n_threads in numbers_of_threads {
        let measured = |what| find(what, n_threads).map(|row| &row.measured);
        let [Some(trees), Some(walked), Some(whole), Some(theirs)] =
            ["tejun: trees", "tejun: trees, walked", "tejun import", "sgf-parse"].map(measured)
        else {
            continue;
        };
        let by_processor = |slow: Option<f64>, fast: &Measured<Tally>| Some(slow? / fast.processor?);
        for (ours, doing, at_least) in [(walked, "parsing", 5.0), (whole, "import", 1.0)] {
            let demand = format!("{doing}, times sgf-parse parsing");
            push(&demand, n_threads, at_least, theirs.best / ours.best, by_processor(theirs.processor, ours));
        }
        let Some(sgfmill) = sgfmill else { continue };
        let (plain, walking) = ((sgfmill.best, Some(sgfmill.processor)), (sgfmill.walk, None));
        for (ours, demand, theirs, at_least) in [
            (trees, "parsing, times sgfmill parsing on one core", plain, 100.0),
            (walked, "parsing and walking, times sgfmill doing so", walking, 100.0),
            (walked, "parsing and walking, times sgfmill only parsing", plain, 100.0),
            (whole, "import, times sgfmill parsing on one core", plain, 20.0),
        ] {
            push(demand, n_threads, at_least, theirs.0 / ours.best, by_processor(theirs.1, ours));
        }
    }
    println!("{}", table.to_text());
}
