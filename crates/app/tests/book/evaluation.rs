//! What matches of books come to: values from files and from engines, kept answers, fitted curves.

use std::fmt::Write;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::fixtures::{book, check_refused, engine, n_asked, number, shelf};
use crate::program::golden::check;
use crate::program::{Program, Run};

/// Thinks that Black is ahead by 200 where a bishop looks out, else behind by 100.
const SCORES: &str = r#"case "$board" in *2P*) score=200 ;; *) score=-100 ;; esac
            [ "$side" = b ] || score=$((0 - score))
            echo "info depth 3 score cp $score pv 1g1f"; echo 'bestmove 1g1f'"#;

#[test]
fn values_of_a_file_become_a_win_rate() {
    check(
        &shelf(),
        "book-winrate.txt",
        &[
            "book winrate wide.db --values values.tsv",
            "book winrate wide.db --values values.tsv --curve 0,0.01 --top 1 --moves 2",
            "book winrate wide.db narrow.db --values values.tsv --curve paper-plain --top 0 --format csv",
            "book winrate wide.db --values values.tsv --curve steep",
        ],
    );
}

#[test]
fn wrong_values_are_shown_with_their_line() {
    let program = shelf();
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    for (name, text, expected) in [
        ("number.tsv", format!("{start}\t12\n{start}\tmuch\n"), "line 2"),
        ("lone.tsv", format!("# notes\n\n{start}\n"), "line 3"),
        ("board.tsv", format!("{start}\t12\n9/9 b - 1\t3\n"), "line 2"),
        ("chess.tsv", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t12\n".to_string(), "line 1"),
    ] {
        program.write(name, text);
        for command in ["winrate wide.db", "optimize wide.db -o out.db"] {
            check_refused(&program, &format!("{command} --values {name}"), &[name, expected]);
        }
    }
    program.write("others.tsv", format!("{start}\t12\n"));
    check_refused(&program, "winrate wide.db --values others.tsv", &["none of 3 leaving positions has a value"]);
    check_refused(&program, "winrate wide.db --values none.tsv", &["none.tsv"]);
    check_refused(&program, "winrate wide.db", &["--values FILE", "--engine COMMAND"]);
}

#[test]
fn kept_answers_are_not_asked_for_again() {
    let program = shelf();
    engine(&program, "usi.sh", "usi", SCORES);
    let command = "winrate wide.db --engine 'sh usi.sh' --cache-file kept.tsv --seconds 5";
    let first = book(&program, command).expect_code(0);
    assert_eq!(n_asked(&program), 3, "a question a leaving position");
    let second = book(&program, command).expect_code(0);
    assert_eq!(n_asked(&program), 3, "the second run asks nothing");
    assert_eq!(second.stdout, first.stdout);
    assert!(second.stderr.contains("3 of 3 positions already evaluated"), "{}", second.stderr);
    // Kept answers are values for anybody.
    assert_eq!(book(&program, "winrate wide.db --values kept.tsv").expect_code(0).stdout, first.stdout);
    // Those of another engine, or of other settings, are not mixed with them.
    let kept = program.read("kept.tsv");
    for other in ["--depth 9", "--seconds 6", "--set MultiPV=2"] {
        let command = format!("winrate wide.db --engine 'sh usi.sh' --cache-file kept.tsv {other}");
        check_refused(&program, &command, &["kept.tsv", "another engine", "use another file"]);
    }
    assert_eq!((program.read("kept.tsv"), n_asked(&program)), (kept, 3));
    // Several copies give the same figures.
    let many = book(&program, "winrate wide.db --engine 'sh usi.sh' --jobs 3 --seconds 5").expect_code(0);
    assert_eq!((many.stdout, n_asked(&program)), (first.stdout, 6));
}

#[test]
fn values_are_those_of_the_first_player() {
    let program = shelf();
    engine(&program, "usi.sh", "usi", SCORES);
    let run = book(&program, "winrate wide.db --engine 'sh usi.sh' --curve 0,0.01").expect_code(0);
    // By hand: 0.8 of the games leave at +200, 0.2 at -100.
    let rate = |value: f64| 1.0 / (1.0 + (-0.01 * value).exp());
    let expected = 0.8 * rate(200.0) + 0.2 * rate(-100.0);
    assert!(run.stdout.contains(&format!("  {expected:.4}  ")), "{expected}: {}", run.stdout);
}

#[test]
fn answers_outlive_a_dead_engine() {
    let program = shelf();
    let go = format!("[ -e healed ] || [ $(wc -l < asked) -le 2 ] || exit 3\n{SCORES}");
    engine(&program, "usi.sh", "usi", &go);
    let command = "winrate pawns.sfen --engine 'sh usi.sh' --cache-file kept.tsv --seconds 5";
    check_refused(&program, command, &["failed 3 times in a row", "sh usi.sh", "ended before it answered"]);
    assert_eq!(n_kept(&program), 2);
    let n_before = n_asked(&program);
    program.write("healed", "");
    let run = book(&program, command).expect_code(0);
    assert!(run.stderr.contains("2 of 9 positions already evaluated"), "{}", run.stderr);
    assert_eq!((n_kept(&program), n_asked(&program) - n_before), (9, 7));
}

/// Answers in the file `kept.tsv`, without its three lines of head.
fn n_kept(program: &Program) -> usize {
    fs::read_to_string(program.path("kept.tsv")).unwrap_or_default().lines().skip(3).count()
}

#[test]
fn an_interrupt_keeps_answers() {
    let program = shelf();
    // The third question is answered when the program is asked to stop. If it has not heard it by then, the
    // engine dies of the fourth; nothing more is answered before the second run.
    let go = format!(
        "n=$(wc -l < asked)\n[ $n -lt 3 ] || until [ -e stopped ]; do sleep 0.02; done\n\
         [ $n -lt 4 ] || [ -e again ] || exit 3\n{SCORES}"
    );
    engine(&program, "usi.sh", "usi", &go);
    let args =
        ["book", "winrate", "pawns.sfen", "--engine", "sh usi.sh", "--cache-file", "kept.tsv", "--seconds", "30"];
    let child =
        program.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let begin = Instant::now();
    while n_asked(&program) < 3 && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(n_kept(&program), 2);
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(killed.success());
    program.write("stopped", "");
    let run = Run::from(child.wait_with_output().expect("a child ends")).expect_code(2);
    assert!(run.stderr.contains("stopped, answers saved in kept.tsv; run the same command again to resume"), "{run:?}");
    assert!(run.stdout.is_empty(), "{run:?}");
    assert_eq!(n_kept(&program), 3);
    let n_before = n_asked(&program);
    program.write("again", "");
    let run = program.run(&args).expect_code(0);
    assert!(run.stderr.contains("3 of 9 positions already evaluated"), "{}", run.stderr);
    assert_eq!((n_kept(&program), n_asked(&program) - n_before), (9, 6));
}

/// Games of two openings: of the better one Black wins 8 of 12, of the other 4 of 12.
fn csa_games() -> String {
    let mut games = String::new();
    for number in 0..24 {
        let is_better = number % 2 == 0;
        let is_won = if is_better { number % 3 != 0 } else { number % 3 == 0 };
        let opening = if is_better { "+7776FU\n-3334FU\n+2726FU\n" } else { "+2726FU\n-8384FU\n+2625FU\n" };
        let ending = if is_won { "-1314FU\n+1716FU\n%TORYO\n" } else { "-1314FU\n%TORYO\n" };
        let [black, white] = if number % 4 < 2 { ["Ann", "Bob"] } else { ["Bob", "Ann"] };
        write!(games, "V2.2\nN+{black}\nN-{white}\nPI\n+\n{opening}{ending}/\n").expect("text");
    }
    games
}

#[test]
fn a_curve_is_fitted_to_games() {
    let program = shelf();
    program.write("games.csa", csa_games());
    engine(&program, "usi.sh", "usi", SCORES);
    let command = "winrate wide.db --engine 'sh usi.sh' --seconds 5 --fit games.csa";
    let run = book(&program, &format!("{command} --min-games 0")).expect_code(0);
    assert!(run.stderr.contains("games.csa: 24 games, 24 with a result, 24 of these leave the book"), "{}", run.stderr);
    // Log odds of 2 to 1 at +200, of 1 to 2 at -100: a line through two points.
    let slope = 2.0 * 2f64.ln() / 300.0;
    assert!((number(&run, "slope per centipawn") - slope).abs() < 1e-5, "{}", run.stdout);
    assert!((number(&run, "intercept") - (2f64.ln() - 200.0 * slope)).abs() < 1e-3, "{}", run.stdout);
    let run = book(&program, command).expect_code(0);
    // The strength of one of two players is 0, and that of the other is shown.
    assert_eq!(run.stdout.matches("strength of").count(), 1, "{}", run.stdout);
    let run = book(&program, &format!("{command} --player Ann")).expect_code(0);
    assert!(run.stdout.contains("strength of Bob") && !run.stdout.contains("strength of Ann"), "{}", run.stdout);
    program.write("empty.csa", "V2.2\nPI\n+\n+7776FU\n%CHUDAN\n");
    check_refused(&program, "winrate wide.db --engine 'sh usi.sh' --fit empty.csa", &["empty.csa"]);
}

#[test]
fn go_programs_value_books_of_go() {
    let program = shelf();
    program.write(
        "gtp.sh",
        "while read -r id name rest; do\n\
         case $name in\n\
         list_commands) echo \"=$id boardsize\nclear_board\nkomi\nplay\ngenmove\nundo\nreg_genmove\" ;;\n\
         reg_genmove) echo x >> asked; echo \"=$id A1\" ;;\n\
         quit) echo \"=$id\"; echo; exit ;;\n\
         *) echo \"=$id\" ;;\n\
         esac; echo; done\n",
    );
    // A program that gives no win rates has no values to give.
    check_refused(&program, "winrate nine.dat --engine 'sh gtp.sh'", &["none of ", "leaving positions has a value"]);
    assert!(n_asked(&program) > 0);
}
