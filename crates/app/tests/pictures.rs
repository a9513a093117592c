//! Pictures that no single command draws, compared byte by byte; `UPDATE_GOLDEN=1` regenerates the files.

mod program;

use program::golden::check_golden;
use tejun::reports::boards::{chess_svg, shogi_svg};
use tejun::reports::plot::Plot;

#[test]
fn boards_stay_as_they_are() {
    let sfen = "+B2g1g2l/5sk2/p2p1pnp1/2p3p1p/3n5/4r3P/PPPP1PPP1/2GR+p1SK1/LN2PG1NL b SL2Pbs2p 63";
    check_golden("shogi.svg", &shogi_svg(&sfen.parse().expect("a position"), Some("5c5f")));
    let fen = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    check_golden("chess.svg", &chess_svg(&fen.parse().expect("a position"), Some("f1b5")));
}

#[test]
fn bars_stay_as_they_are() {
    let heights = |shift: i32| (-5..5).map(|i| (f64::from(20 * i + 10), f64::from(40 - (i - shift).pow(2)))).collect();
    let plot = Plot::new("Evaluations").with_axes("evaluation", "positions").with_bar_width(20.0);
    let plot =
        plot.with_bars("Black to move", heights(1)).with_bars("White to move", heights(-1)).with_mark(0.0, "even");
    check_golden("bars.svg", &plot.to_svg());
}
