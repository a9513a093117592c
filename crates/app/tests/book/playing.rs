//! Real games from where books are left.

use crate::fixtures::{book, check_refused, engine, n_asked, number, shelf};
use crate::program::Program;
use crate::program::golden::check;

/// Games in the file `record.tsv`, without its head.
fn recorded(program: &Program) -> Vec<String> {
    let text = String::from_utf8(program.read("record.tsv")).expect("a record is text");
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_string).collect()
}

#[test]
fn resignations_count_for_the_other_side() {
    let program = shelf();
    engine(&program, "resigns.sh", "usi", "echo 'bestmove resign'");
    let run = book(&program, "play wide.db --engine 'sh resigns.sh' --seconds 5 --games 10").expect_code(0);
    assert_eq!(number(&run, "games"), 10.0);
    assert_eq!(number(&run, "ended: resigned"), 10.0);
    // Half of the games leave with the second player to move, and each draw takes its share in turn.
    let (first, second) = (number(&run, "won by the first player"), number(&run, "won by the second player"));
    assert_eq!(first + second, 10.0, "{}", run.stdout);
    assert!((4.0..=6.0).contains(&first), "{}", run.stdout);
    assert_eq!(n_asked(&program), 10);
}

#[test]
fn mates_end_games() {
    let program = shelf();
    program.write("fool.pgn", "[Result \"*\"]\n\n1. f3 e5 2. g4 *\n");
    engine(&program, "mates.sh", "uci", "echo 'info depth 1 score mate 1 pv d8h4'; echo 'bestmove d8h4'");
    engine(&program, "resigns.sh", "uci", "echo 'bestmove (none)'");
    let command = "play fool.pgn --engine 'sh resigns.sh' --engine-second 'sh mates.sh' --seconds 5 --games 2";
    let run = book(&program, command).expect_code(0);
    assert_eq!(number(&run, "won by the second player"), 2.0, "{}", run.stdout);
    assert_eq!(number(&run, "ended: mate"), 2.0, "{}", run.stdout);
    assert_eq!(number(&run, "mean plies"), 4.0, "{}", run.stdout);
}

#[test]
fn a_record_is_gone_on_with_and_never_mixed() {
    let program = shelf();
    engine(&program, "resigns.sh", "usi", "echo 'bestmove resign'");
    let command = "play wide.db --engine 'sh resigns.sh' --seconds 5 --record record.tsv";
    book(&program, &format!("{command} --games 2")).expect_code(0);
    let first = recorded(&program);
    let run = book(&program, &format!("{command} --games 5")).expect_code(0);
    assert!(run.stderr.contains("Resuming after 2 games"), "{}", run.stderr);
    let all = recorded(&program);
    assert_eq!((&all[..2], all.len(), n_asked(&program)), (&first[..], 5, 5));
    // One run gives the same games.
    book(&program, &command.replace("record.tsv", "whole.tsv").replace("play", "play --games 5")).expect_code(0);
    assert_eq!(program.read("whole.tsv"), program.read("record.tsv"));
    let before = program.read("record.tsv");
    for other in [
        "wide.db --seed 2",
        "wide.db --depth 3",
        "wide.db --engine-second 'sh other.sh'",
        "wide.db --last-move 50",
        "wide.db --decisive 0",
        "wide.db narrow.db",
        "wide.db --rule best",
    ] {
        let command = format!("play {other} --engine 'sh resigns.sh' --seconds 5 --record record.tsv --games 9");
        check_refused(&program, &command, &["record.tsv", "use another file"]);
    }
    assert_eq!(program.read("record.tsv"), before);
    program.write("broken.tsv", [&before[..], b"half a game\n"].concat());
    check_refused(&program, &command.replace("record.tsv", "broken.tsv"), &["broken.tsv:", "is not a game"]);
}

#[test]
fn games_are_compared_with_what_was_expected() {
    let program = shelf();
    engine(&program, "resigns.sh", "usi", "echo 'bestmove resign'");
    let end = "--engine 'sh resigns.sh' --seconds 5 --games 4";
    check(
        &program,
        "book-play.txt",
        &[
            &format!("book play wide.db {end}"),
            &format!("book play wide.db narrow.db {end} --values values.tsv --curve 0,0.01"),
        ],
    );
}
