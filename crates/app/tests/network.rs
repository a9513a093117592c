//! The network of the program, used by the commands when no model is given.

mod program;

use program::{Program, first_moves, sample};

fn program() -> Program {
    let program = Program::new();
    program.write("game.sgf", first_moves(&sample()[3], 40));
    program.write("nine.sgf", "(;SZ[9]KM[7];B[ee];W[ec];B[gd])");
    program
}

#[test]
fn moves_are_predicted_without_a_model() {
    let program = program();
    let run = program.run(&["predict", "game.sgf", "--move", "20", "--format", "json"]).expect_code(0);
    assert!(run.stderr.contains("using the network that comes with tejun"), "{}", run.stderr);
    let found: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let first = &found["expected"][0];
    assert!(first["probability"].as_f64().expect("a number") > 0.1, "{first}");
    let run = program.run(&["surprise", "game.sgf", "--format", "csv"]).expect_code(0);
    let ranks = run.stdout.lines().skip(1).filter_map(|line| line.split(',').nth(4)?.parse::<u32>().ok());
    let n_expected = ranks.filter(|rank| *rank <= 10).count();
    assert!(n_expected > 20, "professionals play expected moves: {n_expected} of 40");
    let run = program.run(&["predict", "nine.sgf"]).expect_code(2);
    assert!(run.stderr.contains("9x9"), "{}", run.stderr);
}

#[test]
fn a_game_is_judged_with_the_network() {
    let program = program();
    let judge = ["judge", "game.sgf", "-o", "out.sgf", "--moves", "4", "--playouts", "8", "--cache", "cache"];
    let run = program.run(&judge).expect_code(0);
    assert!(run.stderr.contains("out.sgf: 4 moves"), "{}", run.stderr);
    let lines = program.text("out.jsonl");
    assert!(lines.contains("the network that comes with tejun"), "the run says what it used: {lines}");
    let moves = lines.lines().skip(1).map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let losses: Vec<f64> = moves.filter_map(|line| line["signals"]["loss"].as_f64()).collect();
    assert_eq!(losses.len(), 4);
    assert!(losses.iter().all(|loss| loss.abs() < 0.3), "an opening of professionals: {losses:?}");
    // A small board is judged by playouts.
    let judge = ["judge", "nine.sgf", "-o", "nine-out.sgf", "--playouts", "20", "--cache", "cache"];
    program.run(&judge).expect_code(0);
}

#[test]
fn a_damaged_network_is_refused_with_its_name() {
    let program = program();
    program.write("broken.net", b"TEJUNNET and nothing else");
    for arguments in [
        &["predict", "game.sgf", "--network", "broken.net"][..],
        &["judge", "game.sgf", "-o", "x.sgf", "--network", "broken.net", "--cache", "cache"],
        &["gtp", "--network", "broken.net"],
        &["export", "network", "--network", "broken.net", "-o", "x.onnx"],
    ] {
        let run = program.run(arguments).expect_code(2);
        assert!(run.stderr.contains("broken.net"), "{}", run.stderr);
    }
}

#[test]
fn positions_and_the_network_are_exported() {
    let program = program();
    let run = program.run(&["export", "positions", "game.sgf", "nine.sgf", "-o", "p.npy"]).expect_code(0);
    assert!(
        run.stderr.contains("40 positions of 1 game written; 1 game on other board sizes skipped"),
        "{}",
        run.stderr
    );
    let bytes = program.read("p.npy");
    assert!(bytes.starts_with(b"\x93NUMPY"));
    assert!(bytes.len().is_multiple_of(64) && bytes.len() > 40 * 384);
    program.run(&["export", "positions", "game.sgf", "-o", "p.npy"]).expect_code(2);
    program.run(&["export", "network", "-o", "n.onnx"]).expect_code(0);
    assert!(program.read("n.onnx").len() > 10_000_000);
}
