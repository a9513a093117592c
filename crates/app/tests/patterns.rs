//! The output of commands that use pattern models; `UPDATE_GOLDEN=1` regenerates the files.

mod program;

use program::golden::{check, check_golden};
use program::{Program, first_moves, sample};

fn games() -> Program {
    let program = Program::new();
    let games: Vec<String> = sample().iter().step_by(6).map(|game| first_moves(game, 50)).collect();
    program.write("games.sgfs", games.concat());
    program.write("one.sgf", &games[5]);
    program.write("pass.sgf", "(;SZ[19];B[pd];W[])");
    program.write("nine.sgf", "(;SZ[9];B[ee];W[ec];B[gc];W[cc])");
    program.run(&["import", "games.sgfs", "-o", "games.parquet"]).expect_code(0);
    program
}

#[test]
fn patterns_are_learned_and_evaluated() {
    let program = games();
    check(
        &program,
        "patterns.txt",
        &[
            "learn patterns games.parquet -o all.patterns --held-out 8 --trees 20 --quiet",
            "learn patterns games.parquet -o all.patterns --held-out 8 --trees 20 --quiet",
            "learn patterns games.parquet -o all.patterns --held-out 8 --trees 20 --quiet --force",
            "learn patterns games.parquet -o plain.patterns --without trees,corner --quiet",
            "learn patterns games.parquet -o earlier.patterns --method earlier",
            "learn patterns games.parquet -o newer.patterns --method newer",
            "learn patterns games.parquet -o one.sgf",
            "learn patterns games.parquet -o bad.patterns --held-out 1",
            "learn patterns games.parquet -o none.patterns --player nobody",
            "evaluate all.patterns one.sgf --quiet",
            "evaluate plain.patterns one.sgf --quiet",
            "evaluate earlier.patterns one.sgf --quiet",
            "evaluate newer.patterns one.sgf --quiet",
            "evaluate all.patterns nine.sgf --size 9",
            "evaluate all.patterns one.sgf --smoothing paper",
            "predict one.sgf --model all.patterns --move 6 --top 3",
            "predict one.sgf --model newer.patterns --top 2 --format csv",
            "predict nine.sgf --model all.patterns",
            "surprise one.sgf --model earlier.patterns --format csv",
            "explain one.sgf --move 20 --model all.patterns --collection games.parquet --top 3",
            "explain one.sgf --move 20 --point C3 --model all.patterns",
            "explain one.sgf --move 20 --point Q99 --model all.patterns",
            "explain one.sgf --move 60 --model all.patterns",
            "explain one.sgf --model newer.patterns",
            "explain pass.sgf --model all.patterns",
            "grammar show all.patterns",
        ],
    );
}

#[test]
fn pictures_and_files() {
    let program = games();
    program.run(&["learn", "patterns", "games.parquet", "-o", "m", "--held-out", "8", "--trees", "10"]).expect_code(0);
    let run = program.run(&["explain", "one.sgf", "--move", "12", "--model", "m", "--svg", "-"]).expect_code(0);
    check_golden("pattern.svg", &run.stdout);
    let arguments = ["explain", "one.sgf", "--move", "12", "--model", "m", "--format", "json"];
    let json: serde_json::Value = serde_json::from_str(&program.run(&arguments).expect_code(0).stdout).expect("JSON");
    assert_eq!(json["move"], 12);
    assert!(json["probability"].as_f64().is_some_and(|p| p > 0.0 && p < 1.0));
    for file in ["--svg", "--stage-svg", "--reliability-svg"] {
        program.run(&["evaluate", "m", "games.parquet", file, "plot.svg", "--force"]).expect_code(0);
        assert!(program.read("plot.svg").starts_with(b"<svg"), "{file}");
    }
    let csv = program.run(&["evaluate", "m", "games.parquet", "--format", "csv"]).expect_code(0).stdout;
    assert!(csv.lines().any(|line| line.starts_with("reliability,")) && csv.contains("\ntop,20,"), "{csv}");
    program.run(&["evaluate", "m", "games.parquet", "--svg", "games.parquet", "--force"]).expect_code(2);
    // A damaged file is refused by name.
    for name in ["patterns.row", "counts.row", "features.row", "trees.row", "relative.index"] {
        let path = format!("m/{name}");
        let bytes = program.read(&path);
        let mut damaged = bytes.clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 0xff;
        program.write(&path, &damaged);
        let run = program.run(&["predict", "one.sgf", "--model", "m"]).expect_code(2);
        assert!(run.stderr.contains(name), "{}", run.stderr);
        program.write(&path, &bytes);
    }
    program.run(&["predict", "one.sgf", "--model", "m"]).expect_code(0);
}
