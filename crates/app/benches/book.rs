//! Measures how fast books are read and matched, compared with one lookup per move as a lower bound.
//!
//! `cargo bench -p tejun --bench book -- [joseki-wide.dat]`. Without a file, only the synthetic book is matched: ten
//! million positions in layers, each reached by some move, a third of them by several.

use std::env;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use tejun_games::game::{Game, GameMove, PositionKey, Side};
use tejun_knowledge::books::files::{ReadBook, read_book, recognize};
use tejun_knowledge::books::matching::{Match, MatchOptions, Player, Repetition, match_books, sample_check};
use tejun_knowledge::books::{Book, BookBuilder, BookMove, Rule, Selection};

const N_POSITIONS: usize = 10_000_000;
const N_IN_LAYER: usize = 250_000;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    // Cargo runs benchmarks in the folder of their package.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for path in &arguments {
        measure_file(&root.join(path));
    }
    let before = peak_memory();
    let (book, made) = timed(synthetic_book);
    println!("synthetic book: {} positions made in {made:.2?}", book.positions().len());
    report(&book, &Selection::default(), 1);
    println!("peak memory {} MiB, of which {} MiB were used before", peak_memory(), before);
}

fn measure_file(file: &Path) {
    let path = file.display();
    let (bytes, reading) = timed(|| fs::read(file).unwrap_or_else(|error| panic!("{path}: {error}")));
    let format = recognize(&bytes).unwrap_or_else(|| panic!("{path}: no book"));
    let (book, loading) = timed(|| match read_book(&bytes, format) {
        Ok(ReadBook::Known { book, .. }) => book,
        Ok(ReadBook::Hashed(..)) => panic!("{path}: stores hashes only"),
        Err(error) => panic!("{path}: {error}"),
    });
    println!("{path}: {} positions, bytes read in {reading:.2?}, loaded in {loading:.2?}", book.positions().len());
    report(&book, &Selection::by(Rule::GPS), 20);
}

/// Matches a book with itself, and looks up every move once for comparison.
fn report(book: &Book, selection: &Selection, n_rounds: u32) {
    let player = Player { book, selection };
    let options = MatchOptions { repetition: Repetition::Ignored, start: None };
    let run = || match_books(book.game(), [player, player], &options);
    let (played, mut best) = timed(run);
    for _ in 1..n_rounds {
        best = best.min(timed(run).1);
    }
    check(&played);
    let (n_found, lookups) = timed(|| {
        let positions = (0..book.positions().len() as u32).flat_map(|position| book.moves(position));
        positions.filter(|known| black_box(book.find(known.child)).is_some()).count()
    });
    let n_moves: usize = (0..book.positions().len() as u32).map(|position| book.moves(position).len()).sum();
    let ratio = best.as_secs_f64() / lookups.as_secs_f64();
    println!(
        "  matched with itself in {best:.2?}: {} positions reached, {} leaving, {:.4} bits, {:.3} plies",
        played.chain.len(),
        played.leaving.len(),
        played.diversity().entropy,
        played.expected_plies
    );
    println!(
        "  {n_moves} lookups, one per move ({n_found} found): {lookups:.2?}; the match takes {ratio:.1} times that"
    );
    let (drawn, sampling) = timed(|| sample_check(&played, 1_000_000, 1));
    println!(
        "  1,000,000 games drawn in {sampling:.2?}: total variation {:.6}, {:.6} expected, chi-squared {:+.2} deviations off",
        drawn.total_variation, drawn.expected_variation, drawn.deviation
    );
    assert!(drawn.deviation.abs() < 5.0, "drawn games disagree");
}

fn check(played: &Match) {
    let total: f64 = played.leaving.iter().map(|leaving| leaving.probability).sum();
    assert!((total - 1.0).abs() < 1e-9, "probabilities add up to {total}");
}

/// Layers of positions; every position except the start has a parent, and every third move is an additional one.
fn synthetic_book() -> Book {
    let mut builder = BookBuilder::new(Game::Chess);
    let mut random = 1u64;
    let (mut layer, mut n_made, mut side) = (vec![Game::Chess.start().key()], 0, Side::First);
    while n_made < N_POSITIONS {
        let n_next = (layer.len() * 2).min(N_IN_LAYER);
        let next: Vec<PositionKey> = (0..n_next)
            .map(|_| PositionKey(u128::from(draw(&mut random)) << 64 | u128::from(draw(&mut random))))
            .collect();
        let mut moves: Vec<Vec<BookMove>> = vec![Vec::new(); layer.len()];
        for (place, child) in next.iter().enumerate() {
            let parent = &mut moves[place % layer.len()];
            parent.push(BookMove {
                child: *child,
                played: GameMove(parent.len() as u32),
                weight: 1 + (draw(&mut random) % 100) as u32,
            });
        }
        for parent in &mut moves {
            if draw(&mut random).is_multiple_of(3) {
                let child = next[draw(&mut random) as usize % n_next];
                if parent.iter().all(|known| known.child != child) {
                    parent.push(BookMove {
                        child,
                        played: GameMove(parent.len() as u32),
                        weight: 1 + (draw(&mut random) % 100) as u32,
                    });
                }
            }
        }
        for (key, moves) in layer.iter().zip(&moves) {
            builder.add_bare(*key, side, moves);
        }
        n_made += layer.len();
        layer = next;
        side = side.opponent();
    }
    builder.finish().0
}

/// The next number of a xorshift generator.
fn draw(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let made = work();
    (made, start.elapsed())
}

/// The peak memory of this process in MiB; 0 if the system does not report it.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
