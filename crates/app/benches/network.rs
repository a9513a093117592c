//! Positions per second of the network, for batches of several sizes in one thread and in two.
//!
//! ```text
//! cargo bench -p tejun --bench network
//! tejun export network -o network.onnx && python training/onnx_speed.py network.onnx
//! ```
//!
//! The second line times ONNX Runtime on the same network. Every batch is checked against single positions.

use std::time::Instant;

use clap::Parser;
use tejun_games::GameRecord;
use tejun_knowledge::network::{Network, View};

/// Positions per measurement.
const N_POSITIONS: usize = 96;

#[derive(Parser)]
struct Args {
    /// Set by Cargo for benchmarks
    #[arg(long, hide = true)]
    bench: bool,
}

const GAME: &str = "(;SZ[19]KM[6.5];B[pd];W[dp];B[pp];W[dd];B[fq];W[cn];B[jp];W[qf];B[nc];W[rd];B[qh];W[qc])";

fn main() {
    let _ = Args::parse();
    let game = GameRecord::parse(GAME).expect("a game");
    let view = |n: usize| View::of(&game.moves[..n], &game.board_before(n), game.moves[n].color, 6.5);
    let views: Vec<View> = (0..N_POSITIONS).map(|n| view(n % game.moves.len())).collect();
    let network = Network::built_in();
    let alone: Vec<_> =
        views.iter().map(|view| network.worker().evaluate(std::slice::from_ref(view)).remove(0)).collect();
    for n_threads in [1, 2] {
        for batch in [1, 8, 32] {
            let workers: Vec<_> = (0..n_threads).map(|_| network.worker()).collect();
            let start = Instant::now();
            std::thread::scope(|scope| {
                for (worker, (views, alone)) in
                    workers.iter().zip(views.chunks(N_POSITIONS / n_threads).zip(alone.chunks(N_POSITIONS / n_threads)))
                {
                    scope.spawn(move || {
                        for (views, alone) in views.chunks(batch).zip(alone.chunks(batch)) {
                            assert_eq!(worker.evaluate(views), alone, "a batch answers as single positions do");
                        }
                    });
                }
            });
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{n_threads} threads, batches of {batch}: {:.1} positions per second per thread, {:.2} ms each",
                N_POSITIONS as f64 / seconds / n_threads as f64,
                1e3 * seconds * n_threads as f64 / N_POSITIONS as f64
            );
        }
    }
}
