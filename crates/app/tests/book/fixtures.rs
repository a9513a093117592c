//! A folder with books of three games, and scripts that play engines.

use std::fmt::Write;
use std::fs;

use crate::program::golden::words;
use crate::program::{Program, Run};

/// Games leave this book at three positions, with probabilities 0.5 (by two ways), 0.3 and 0.2.
const WIDE: &str = "#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 20 10 3
2g2f 8c8d 30 12 2
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d none 0 10 2
8c8d none -10 10 2
4a3b none -90 10 0
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2
3c3d none 0 10 1
8c8d none 0 10 1
sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3
2g2f none 50 10 1
sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL b - 3
7g7f none 50 10 1
";

/// One first move, two answers.
const NARROW: &str = "#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 20 10 1
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
8c8d none -10 10 3
3c3d none 0 10 1
";

/// What the leaving positions of [`WIDE`] are worth to whoever moves there.
const VALUES: &str = "position\tvalue
lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 4\t-200
lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\t100
lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL b - 3\t-100
";

/// White, Black, result and moves.
const CHESS: [[&str; 4]; 6] = [
    ["Ann", "Bob", "1-0", "1. e4 e5 2. Nf3 Nc6 3. Bb5"],
    ["Ann", "Cid", "1-0", "1. e4 e5 2. Nf3 Nf6"],
    ["Bob", "Ann", "0-1", "1. e4 c5 2. Nf3 d6"],
    ["Cid", "Bob", "1/2-1/2", "1. d4 d5 2. c4 e6"],
    ["Bob", "Cid", "0-1", "1. d4 Nf6 2. c4 e6"],
    ["Cid", "Ann", "0-1", "1. f3 e5 2. g4"],
];

const GO: &str = "9 | E5\n9 E5 | C4 E3\n9 E5 C4 | E3\n";

/// A folder with books of shogi, chess and Go.
pub fn shelf() -> Program {
    let program = Program::new();
    program.write("wide.db", WIDE);
    program.write("narrow.db", NARROW);
    program.write("values.tsv", VALUES);
    program.write("nine.dat", GO);
    let mut games = String::new();
    for [white, black, result, moves] in CHESS {
        write!(games, "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
            .expect("text");
    }
    program.write("games.pgn", games);
    // Nine first moves, each a game of its own: nine leaving positions.
    let pawns: String = (1..=9).map(|file| format!("startpos moves {file}g{file}f\n")).collect();
    program.write("pawns.sfen", pawns);
    program
}

/// Runs `tejun book` with these words.
#[track_caller]
pub fn book(program: &Program, command: &str) -> Run {
    let words = words(&format!("book {command}"));
    program.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Fails with code 2, and says all these words.
#[track_caller]
pub fn check_refused(program: &Program, command: &str, expected: &[&str]) {
    let run = book(program, command).expect_code(2);
    for words in expected {
        assert!(run.stderr.contains(words), "{command}: {words:?} is missing in {}", run.stderr);
    }
}

/// A script that plays an engine, to be started by `sh NAME`. `go` is what it does to think: `$board` and `$side` are of
/// the position. Each question is a line of the file `asked`, each start one of `started`.
pub fn engine(program: &Program, name: &str, dialect: &str, go: &str) {
    let script = format!(
        r#"
echo x >> started
while read -r line; do
    set -- $line
    case "$1" in
        {dialect}) echo 'id name Fake'; echo 'option name MultiPV type spin default 1 min 1 max 9'; echo {dialect}ok ;;
        usi|uci) echo "Unknown command: $1" ;;
        isready) echo readyok ;;
        position) board=$3 side=$4 ;;
        go) echo "$board $side" >> asked
            {go} ;;
        quit) exit ;;
    esac
done
"#
    );
    program.write(name, script);
}

/// How many questions engines were asked.
pub fn n_asked(program: &Program) -> usize {
    fs::read_to_string(program.path("asked")).unwrap_or_default().lines().count()
}

/// The number in the row of a table that begins with these words.
#[track_caller]
pub fn number(run: &Run, row: &str) -> f64 {
    let cell = run.stdout.lines().find_map(|line| line.trim_start().strip_prefix(row)?.split_whitespace().next());
    cell.and_then(|cell| cell.parse().ok()).unwrap_or_else(|| panic!("no number after {row:?} in {}", run.stdout))
}
