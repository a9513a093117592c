//! Measures learning and predicting, compared with KenLM on the same text if available, including the bits.
//!
//! ```text
//! cargo bench -p tejun --bench grammar -- [TRAIN TEST] [--kenlm FOLDER]
//! ```
//!
//! TRAIN and TEST are records or collections; without them, every tenth sample game is used for testing. FOLDER
//! contains KenLM's programs `lmplz` and `query`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::Parser;
use tejun::reports::table::{Align, Table};
use tejun_games::Move;
use tejun_games::go::{Board, BoardSize};
use tejun_knowledge::codes::{Code, encode};
use tejun_knowledge::corpus::{
    Collection, GameTable, ImportOptions, NearDuplicates, Selection, Source, import, write_sample,
};
use tejun_knowledge::grammar::{Grammar, GrammarOptions, GrammarPredictor, Smoothing, text_bits};
use tejun_knowledge::predictor::{Predictor, Situation};
use tejun_knowledge::progress::NoProgress;
use tejun_knowledge::sequences::{GameText, TextOptions, TextScope};

const N_THREADS: usize = 2;
const ORDER: u8 = 5;
/// Number of games whose positions are predicted to measure the time.
const N_TIMED: usize = 100;

#[derive(Parser)]
struct Args {
    /// Records or collections to learn from, and to test on
    files: Vec<PathBuf>,
    /// The folder of KenLM's programs
    #[arg(long, value_name = "FOLDER")]
    kenlm: Option<PathBuf>,
    /// Set by Cargo for benchmarks
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let folder = tempfile::tempdir()?;
    let (train, test) = match &args.files[..] {
        [train, test] => (load(train, folder.path(), "train")?, load(test, folder.path(), "test")?),
        _ => {
            let path = folder.path().join("sample.parquet");
            write_sample(&path)?;
            table_of(&path)?.split(10)
        }
    };
    println!("{} moves to learn from, {} to test on, order {ORDER}", train.n_moves(), test.n_moves());
    let names =
        ["code", "index s", "learn s", "learn / index", "positions/s", "bits per symbol", "paper", "witten-bell"];
    let mut table = Table::new(&names.map(|name| (name, Align::Right)));
    for code in [Code::Position, Code::Distance, Code::Surroundings, Code::Relative] {
        table.push(row(&train, &test, code)?);
    }
    print!("{}", table.to_text());
    if let Some(kenlm) = &args.kenlm {
        compare(&train, &test, kenlm, folder.path())?;
    }
    Ok(())
}

fn load(file: &Path, folder: &Path, name: &str) -> anyhow::Result<GameTable> {
    // Cargo runs benchmarks in the folder of their package.
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let path = folder.join(format!("{name}.parquet"));
    let options = ImportOptions { n_threads: N_THREADS, ..ImportOptions::default() };
    import(&[Source::Path(file)], &path, &options, &NoProgress)?;
    table_of(&path)
}

fn table_of(path: &Path) -> anyhow::Result<GameTable> {
    let selection = Selection { near_duplicates: NearDuplicates::Excluded, ..Selection::default() };
    Ok(GameTable::load(&Collection::open(path)?, &selection, BoardSize::NINETEEN)?)
}

fn timed<A>(work: impl FnOnce() -> A) -> (f64, A) {
    let start = Instant::now();
    let answer = work();
    (start.elapsed().as_secs_f64(), answer)
}

fn row(train: &GameTable, test: &GameTable, code: Code) -> anyhow::Result<Vec<String>> {
    let options = TextOptions { size: train.size(), code, scope: TextScope::Whole };
    let (index, text) = timed(|| GameText::build(train, options, N_THREADS));
    drop(text?);
    let (learn, grammar) = timed(|| Grammar::learn(train, GrammarOptions { code, order: ORDER }, N_THREADS));
    let grammar = grammar?;
    let bits = |smoothing| {
        let (n, bits) = text_bits(&grammar, smoothing, test);
        bits / n as f64
    };
    Ok(vec![
        code.to_string(),
        format!("{index:.2}"),
        format!("{learn:.2}"),
        format!("{:.1}", learn / index),
        format!("{:.0}", positions_per_second(&grammar, test)?),
        format!("{:.4}", bits(Smoothing::KneserNey)),
        format!("{:.4}", bits(Smoothing::Paper)),
        format!("{:.4}", bits(Smoothing::WittenBell)),
    ])
}

/// Positions per second on one thread, from the history to a probability of every legal point; the boards are not
/// timed.
fn positions_per_second(grammar: &Grammar, test: &GameTable) -> anyhow::Result<f64> {
    let mut predictor = GrammarPredictor::new(grammar, Smoothing::KneserNey);
    let (mut seconds, mut n) = (0.0, 0);
    for game in 0..test.n_games().min(N_TIMED) {
        let moves: Vec<Move> = test.moves(game).collect();
        let start: Board = test.board_before(game, 0);
        let mut board = start.clone();
        for (index, &Move { color, point }) in moves.iter().enumerate() {
            let legal = Situation::legal_points(&board, color, point);
            let moves = &moves[..index];
            let situation = Situation { start: &start, moves, board: &board, color, legal: &legal };
            let (time, values) = timed(|| predictor.predict(&situation));
            ensure!((values.iter().sum::<f64>() - 1.0).abs() < 1e-9, "probabilities add up");
            seconds += time;
            n += 1;
            let _ = Move { color, point }.play_on(&mut board);
        }
    }
    Ok(n as f64 / seconds)
}

/// Compares with KenLM of the same order on the same text: one run per line, one word per symbol.
fn compare(train: &GameTable, test: &GameTable, kenlm: &Path, folder: &Path) -> anyhow::Result<()> {
    let code = Code::Relative;
    let write = |games: &GameTable, name: &str| -> anyhow::Result<PathBuf> {
        let path = folder.join(name);
        let mut file = std::io::BufWriter::new(fs::File::create(&path)?);
        for game in 0..games.n_games() {
            // Games with passes sometimes end their text differently, so the first run represents all.
            let runs = encode(code, &Board::new(games.size()), games.moves(game));
            if let [run] = &runs[..] {
                let symbols: Vec<String> = run.symbols.iter().map(|symbol| symbol.0.to_string()).collect();
                writeln!(file, "{}", symbols.join(" "))?;
            }
        }
        Ok(path)
    };
    let (train_text, test_text) = (write(train, "train.txt")?, write(test, "test.txt")?);
    let arpa = folder.join("kenlm.arpa");
    let lmplz = || {
        Command::new(kenlm.join("lmplz"))
            .args(["-o", &ORDER.to_string(), "--discount_fallback", "-S", "2G", "--text"])
            .arg(&train_text)
            .arg("--arpa")
            .arg(&arpa)
            .stderr(Stdio::null())
            .status()
    };
    let (learning, status) = timed(lmplz);
    ensure!(status.context("lmplz")?.success(), "lmplz failed");
    let query = Command::new(kenlm.join("query"))
        .args(["-v", "summary"])
        .arg(&arpa)
        .stdin(fs::File::open(&test_text)?)
        .stderr(Stdio::null())
        .output()
        .context("query")?;
    let summary = String::from_utf8_lossy(&query.stdout);
    println!("KenLM: learned in {learning:.1} s\n{summary}");
    let (seconds, grammar) = timed(|| Grammar::learn(train, GrammarOptions { code, order: ORDER }, N_THREADS));
    let (n, bits) = text_bits(&grammar?, Smoothing::KneserNey, test);
    println!(
        "tejun: learned in {seconds:.1} s\nPerplexity, ends counted: {:.4} ({n} symbols)",
        (bits / n as f64).exp2()
    );
    Ok(())
}
