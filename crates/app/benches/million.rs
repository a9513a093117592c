//! Imports a generated collection in a separate process, and checks that its memory use stays bounded.
//!
//! ```text
//! cargo bench -p tejun --bench million -- [N] [--most-shared MOVES]
//! ```
//!
//! Creates N games (1,000,000 without N) from the sample collection: each is the opening of a sample game under a
//! random symmetry, followed by random legal moves. Imports a tenth of them and all of them; a million games take 1.4
//! GB uncompressed and are stored compressed in the folder for temporary files.

mod collection;
mod random;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Parser;
use tejun::reports::table::{Align, Table};
use tejun_games::go::{Board, Color, Point, Symmetry};
use tejun_games::{GameRecord, sgf};

use crate::collection::read_games;
use crate::random::Random;

/// Maximum memory of an import, for any number of games.
const MOST_MEMORY: u64 = 1 << 30;
/// The shortest opening taken from a sample game.
const LEAST_SHARED: usize = 10;

#[derive(Parser)]
struct Args {
    /// Number of games
    n_games: Option<usize>,
    /// The longest opening taken from a sample game, in moves
    #[arg(long, default_value_t = 60)]
    most_shared: usize,
    /// Set by Cargo for benchmarks; without it only a thousand games are used, as a test
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let n_games = args.n_games.unwrap_or(if args.bench { 1_000_000 } else { 1000 });
    let (_, text) = read_games(None)?;
    let samples: Vec<GameRecord> = sgf::Reader::new(&text).filter_map(|tree| sgf::main_line(&tree).ok()).collect();
    let folder = tempfile::tempdir()?;
    let mut table = Table::new(&[
        ("games", Align::Right),
        ("moves", Align::Right),
        ("unpacked MB", Align::Right),
        ("packed MB", Align::Right),
        ("collection MB", Align::Right),
        ("import s", Align::Right),
        ("games/s", Align::Right),
        ("peak memory MiB", Align::Right),
    ]);
    for n_games in [n_games / 10, n_games] {
        let input = folder.path().join(format!("{n_games}.sgfs.zst"));
        let made = write_games(&samples, n_games, args.most_shared.max(LEAST_SHARED), &input)?;
        let output = input.with_extension("parquet");
        let run = import_in_child(&input, &output)?;
        ensure!(run.found == (n_games, made.n_moves), "import found {:?} of {n_games} games", run.found);
        let megabytes = |n: u64| format!("{:.1}", n as f64 / 1e6);
        table.push(vec![
            n_games.to_string(),
            made.n_moves.to_string(),
            megabytes(made.n_bytes),
            megabytes(input.metadata()?.len()),
            megabytes(output.metadata()?.len()),
            format!("{:.1}", run.seconds),
            format!("{:.0}", n_games as f64 / run.seconds),
            run.peak_bytes.map_or("unknown".into(), |bytes| format!("{:.0}", bytes as f64 / (1 << 20) as f64)),
        ]);
        assert!(run.peak_bytes.is_none_or(|bytes| bytes < MOST_MEMORY), "{:?} bytes are too many", run.peak_bytes);
    }
    println!("{}", table.to_text());
    Ok(())
}

/// Size of the written games.
#[derive(Default)]
struct Made {
    n_moves: usize,
    n_bytes: u64,
}

fn write_games(samples: &[GameRecord], n_games: usize, most_shared: usize, path: &Path) -> anyhow::Result<Made> {
    let file = BufWriter::new(File::create(path).with_context(|| path.display().to_string())?);
    let mut packed = zstd::Encoder::new(file, 1)?;
    let mut made = Made::default();
    let mut line = Vec::new();
    for number in 0..n_games {
        line.clear();
        made.n_moves += write_game(samples, number, most_shared, &mut line)?;
        made.n_bytes += line.len() as u64;
        packed.write_all(&line)?;
    }
    packed.finish()?.flush()?;
    Ok(made)
}

/// Writes one game as a line; returns its number of moves.
fn write_game(samples: &[GameRecord], number: usize, most_shared: usize, line: &mut Vec<u8>) -> std::io::Result<usize> {
    let mut random = Random::new(number as u64 + 1);
    let sample = &samples[random.below(samples.len())];
    let symmetry = Symmetry::ALL[random.below(8)];
    let n_shared = (LEAST_SHARED + random.below(most_shared - LEAST_SHARED + 1)).min(sample.moves.len());
    let n_wanted = 170 + random.below(61);
    let (year, month, day) = (1990 + random.below(36), 1 + random.below(12), 1 + random.below(28));
    let (black, white) = (random.below(20_000), random.below(20_000));
    write!(line, "(;GM[1]FF[4]CA[UTF-8]SZ[{}]KM[6.5]", sample.size.get())?;
    write!(line, "PB[player {black}]PW[player {white}]DT[{year}-{month:02}-{day:02}]RE[B+R]")?;
    let mut write_move = |color: Color, letters: &[u8]| {
        line.extend([b';', if color == Color::Black { b'B' } else { b'W' }, b'[']);
        line.extend(letters);
        line.push(b']');
    };
    let mut board = Board::new(sample.size);
    let mut color = Color::Black;
    let mut n_moves = 0;
    for point in sample.moves[..n_shared].iter().map_while(|m| m.point) {
        let point = symmetry.apply(point, sample.size);
        if board.play(color, point).is_err() {
            break;
        }
        write_move(color, &point.to_sgf());
        color = color.opponent();
        n_moves += 1;
    }
    let points: Vec<Point> = sample.size.points().collect();
    while n_moves < n_wanted {
        // A few tries usually find a move; if not, the board is full enough to pass.
        let tried = (0..20).map(|_| points[random.below(points.len())]).find(|&point| board.play(color, point).is_ok());
        match tried {
            Some(point) => write_move(color, &point.to_sgf()),
            None => {
                board.pass();
                write_move(color, b"");
            }
        }
        color = color.opponent();
        n_moves += 1;
    }
    line.extend(b")\n");
    Ok(n_moves)
}

/// The result of an import in another process.
struct Run {
    /// Games and moves.
    found: (usize, usize),
    seconds: f64,
    /// Its peak memory; known if the system has `/proc`.
    peak_bytes: Option<u64>,
}

fn import_in_child(input: &Path, output: &Path) -> anyhow::Result<Run> {
    let start = Instant::now();
    let program = env!("CARGO_BIN_EXE_tejun");
    let mut child = Command::new(program)
        .args(["import", "--quiet", "--exact-duplicates", "mark", "-o"])
        .args([output, input])
        .stdout(Stdio::piped())
        .spawn()
        .context("tejun")?;
    let status: PathBuf = format!("/proc/{}/status", child.id()).into();
    let mut peak_bytes = None;
    // The system records the peak itself, so frequent checks only catch the last rise.
    while child.try_wait()?.is_none() {
        peak_bytes = peak_memory(&status).or(peak_bytes);
        std::thread::sleep(Duration::from_millis(5));
    }
    let seconds = start.elapsed().as_secs_f64();
    let answer = child.wait_with_output()?;
    ensure!(answer.status.success(), "tejun import ended with {}", answer.status);
    let said = String::from_utf8(answer.stdout)?;
    let number = |name: &str| -> anyhow::Result<usize> {
        let line = said.lines().find_map(|line| line.strip_prefix(name));
        Ok(line.with_context(|| format!("tejun import did not print{name}"))?.trim().parse()?)
    };
    Ok(Run { found: (number("imported ")?, number("moves ")?), seconds, peak_bytes })
}

fn peak_memory(status: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}
