//! Sessions with `tejun gtp`, like those of programs that show boards.

mod program;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use program::{Program, Random, first_moves, sample};
use tejun_games::go::{BoardSize, Point, Position, Rules};

const GTP: [&str; 3] = ["gtp", "--model", "tiny.grammar"];

/// A folder with a model of a few sample games.
fn with_model() -> Program {
    let program = Program::new();
    let games: Vec<String> = sample().iter().step_by(30).map(|game| first_moves(game, 80)).collect();
    program.write("games.sgfs", games.concat());
    program.write("one.sgf", &games[3]);
    program.write("nine.sgf", "(;SZ[9];B[ee];W[ec])");
    let learn = "learn grammar games.sgfs -o tiny.grammar --codes position,surroundings,distance --order 3 --held-out 0 --quiet";
    program.run(&learn.split(' ').collect::<Vec<_>>()).expect_code(0);
    program
}

/// The answers of a whole session, without the empty lines between them.
#[track_caller]
fn answers(program: &Program, options: &[&str], input: &[u8]) -> Vec<String> {
    let run = program.run_with_input(&[&GTP[..], options].concat(), input).expect_code(0);
    assert!(run.stderr.is_empty(), "{}", run.stderr);
    assert!(run.stdout.is_empty() || run.stdout.ends_with("\n\n"), "{:?}", run.stdout);
    run.stdout.split_terminator("\n\n").map(str::to_string).collect()
}

/// Compares the answers to lines, all in one session.
#[track_caller]
fn check(program: &Program, lines: &[(&str, &str)]) {
    let input: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
    let found = answers(program, &[], input.as_bytes());
    for (index, (line, expected)) in lines.iter().enumerate() {
        assert_eq!(found.get(index).map(String::as_str), Some(*expected), "{line}");
    }
    assert_eq!(found.len(), lines.len());
}

#[test]
fn a_session_is_answered_as_the_standard_requires() {
    let program = with_model();
    check(
        &program,
        &[
            ("protocol_version", "= 2"),
            ("1 name", "=1 tejun"),
            ("# a comment\n\n \t\n2\tname # and another", "=2 tejun"),
            ("\u{7}3 na\u{1}me\r", "=3 tejun"),
            ("version", concat!("= ", env!("CARGO_PKG_VERSION"))),
            ("007 known_command kata-analyze", "=007 true"),
            ("known_command kata-analyse", "= false"),
            ("known_command", "= false"),
            ("8 make_tea", "?8 unknown command"),
            ("9", "?9 unknown command"),
            ("boardsize 19", "="),
            ("boardsize 9", "? unacceptable size"),
            ("boardsize 99999999999", "? syntax error"),
            ("boardsize", "? syntax error"),
            ("komi 7.5", "="),
            ("komi inf", "? syntax error"),
            ("10 play black q16", "=10"),
            ("play b Q16", "? illegal move"),
            ("play w Q20", "? syntax error"),
            ("play w", "? syntax error"),
            ("play green D4", "? syntax error"),
            ("play w pass", "="),
            ("play b resign", "="),
            ("play B R17", "="),
            ("genmove", "? syntax error"),
            ("time_settings 60 30 5", "="),
            ("time_settings 60", "? syntax error"),
            ("time_left w 60 0", "="),
            ("time_left 60 0", "? syntax error"),
            ("kgs-time_settings byoyomi 60 10 5", "="),
            ("11 quit", "=11"),
        ],
    );
    let commands = answers(&program, &[], b"list_commands\n").remove(0);
    assert_eq!(commands.lines().count(), 31, "{commands}");
    assert_eq!(answers(&program, &[], b"quit\nname\n"), ["="]);
    assert!(answers(&program, &[], b"").is_empty());
    assert_eq!(answers(&program, &[], b"name"), ["= tejun"], "a last line without a line break");
}

#[test]
fn rules_are_enforced_and_moves_can_be_undone() {
    let program = with_model();
    check(
        &program,
        &[
            ("undo", "? cannot undo"),
            ("play b B19", "="),
            ("play b A18", "="),
            ("play w A19", "? illegal move"),
            ("play w B18", "="),
            ("play w C19", "="),
            ("play w A19", "="),
            ("play b B19", "? illegal move"),
            ("undo", "="),
            ("play w A19", "="),
            ("final_score", "= W+9.5"),
            ("final_status_list dead", "="),
            ("final_status_list seki", "="),
            ("final_status_list alive", "= A19\nC19\nA18\nB18"),
            ("final_status_list", "? syntax error"),
            ("undo", "="),
            ("undo", "="),
            ("undo", "="),
            ("undo", "="),
            ("undo", "="),
            ("undo", "? cannot undo"),
            ("komi 0", "="),
            ("final_score", "= 0"),
            ("play b K10", "="),
            ("final_score", "= B+361.0"),
            ("clear_board", "="),
            ("final_score", "= 0"),
        ],
    );
}

#[test]
fn handicap_stones_are_placed_as_in_the_standard() {
    check(
        &with_model(),
        &[
            ("fixed_handicap 1", "? invalid number of stones"),
            ("fixed_handicap 10", "? invalid number of stones"),
            ("fixed_handicap 3", "= Q16 D4 D16"),
            ("fixed_handicap 2", "? board not empty"),
            ("undo", "? cannot undo"),
            ("tejun-line 1", "= VAR w Q4"),
            ("clear_board", "="),
            ("fixed_handicap 9", "= Q16 D4 Q4 D16 D10 Q10 K16 K4 K10"),
            ("clear_board", "="),
            ("place_free_handicap 50", "= Q16 D4 Q4 D16 D10 Q10 K16 K4 K10"),
            ("clear_board", "="),
            ("set_free_handicap A1 A1", "? bad vertex list"),
            ("set_free_handicap A1 pass", "? bad vertex list"),
            ("set_free_handicap A1", "? bad vertex list"),
            ("set_free_handicap A1 Z1", "? syntax error"),
            ("set_free_handicap A1 C3", "="),
            ("play w C3", "? illegal move"),
            ("place_free_handicap 2", "? board not empty"),
        ],
    );
}

#[test]
fn records_are_loaded_up_to_a_move() {
    let program = with_model();
    program.write("with blanks.sgf", "(;SZ[19]KM[5.5]HA[2]AB[aa][ss];W[cc];B[dd])");
    check(
        &program,
        &[
            ("loadsgf", "? syntax error"),
            ("loadsgf nowhere.sgf", "? cannot load file"),
            ("loadsgf -", "? cannot load file"),
            ("loadsgf tiny.grammar", "? cannot load file"),
            ("loadsgf nine.sgf", "? unacceptable size"),
            ("loadsgf \"with blanks.sgf\" 2", "="),
            ("play w A19", "? illegal move"),
            ("play w C17", "? illegal move"),
            ("play w D16", "="),
            ("undo", "="),
            ("final_score", "= W+4.5"),
            ("undo", "="),
            ("undo", "? cannot undo"),
            ("loadsgf one.sgf 1", "="),
            ("undo", "? cannot undo"),
            ("loadsgf one.sgf 999", "="),
            ("undo", "="),
        ],
    );
}

/// The values of an analysis: move, visits, winrate, prior.
fn infos(answer: &str) -> Vec<(String, u32, f64, f64)> {
    let line = answer.lines().nth(1).expect("a line of an analysis");
    let parts = line.split("info ").skip(1).map(|part| {
        let tokens: Vec<&str> = part.split_whitespace().collect();
        let value = |key: &str| tokens[tokens.iter().position(|token| *token == key).expect(key) + 1];
        assert_eq!(tokens.last(), Some(&value("move")), "the line of play is the move");
        let number = |key| value(key).parse::<f64>().expect("a number");
        (value("move").to_string(), number("visits") as u32, number("winrate"), number("prior"))
    });
    parts.collect()
}

#[test]
fn analyses_report_probabilities_in_both_dialects() {
    let program = with_model();
    let lines = "play b Q16\n1 lz-analyze w 1000 maxmoves 5\n2 kata-analyze 1000 maxmoves 361 minmoves 361 \
                 ownership true\n\n3 lz-genmove_analyze w 100 maxmoves 2\n4 kata-genmove_analyze b\nshowboard\n";
    let found = answers(&program, &[], lines.as_bytes());
    assert!(found[1].starts_with("=1\ninfo move ") && found[2].starts_with("=2\ninfo move "), "{found:?}");
    let (leela, kata) = (infos(&found[1]), infos(&found[2]));
    assert_eq!((leela.len(), kata.len()), (5, 360));
    let sum: f64 = kata.iter().map(|(.., prior)| prior).sum();
    assert!((sum - 1.0).abs() < 1e-3, "{sum}");
    for ((name, visits, winrate, prior), (same, n, value, p)) in leela.iter().zip(&kata) {
        assert_eq!((name, visits, winrate, value), (same, n, prior, p));
        assert!((winrate - 1e4 * p).abs() <= 0.51 && winrate.fract() == 0.0, "{winrate} {p}");
    }
    let is_sorted = kata.windows(2).all(|pair| pair[0].3 >= pair[1].3);
    assert!(is_sorted);
    let play = found[3].lines().last().expect("a line");
    assert_eq!(play, format!("play {}", leela[0].0));
    assert_eq!(found[3].lines().count(), 3, "{}", found[3]);
    assert!(found[5].contains("White to play"), "{}", found[5]);
    let avoided = format!("play b Q16\nlz-analyze w avoid w {},{} 1 maxmoves 1\n", leela[0].0, leela[1].0);
    assert_eq!(infos(&answers(&program, &[], avoided.as_bytes())[1])[0].0, leela[2].0);
}

#[test]
fn an_analysis_continues_until_the_next_line() {
    let program = with_model();
    let mut child = program.command(&GTP).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    for (number, next) in [(1, "2 name"), (3, "")] {
        writeln!(input, "{number} kata-analyze b 1").expect("it reads");
        assert_eq!(lines.next(), Some(format!("={number}")));
        let first = lines.next().expect("a line");
        assert!(first.starts_with("info move "), "{first}");
        for _ in 0..3 {
            assert_eq!(lines.next().as_ref(), Some(&first), "the line is repeated");
        }
        writeln!(input, "{next}").expect("it reads");
        let end: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
        assert!(end.iter().all(|line| *line == first));
        if !next.is_empty() {
            assert_eq!((lines.next(), lines.next()), (Some("=2 tejun".into()), Some(String::new())));
        }
    }
    writeln!(input, "4 lz-analyze 1").expect("it reads");
    drop(input);
    let rest: Vec<String> = lines.collect();
    assert!(rest[0] == "=4" && rest[1].starts_with("info move ") && rest.last().is_some_and(String::is_empty));
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn answers_do_not_depend_on_earlier_requests() {
    let program = with_model();
    let last = |lines: &str| answers(&program, &[], lines.as_bytes()).pop().expect("an answer");
    let moves = "play b Q16\nplay w D4\nplay b R14\n";
    let fresh = last(&format!("{moves}kata-analyze w\n"));
    assert_eq!(last(&format!("{moves}kata-analyze b\nkata-analyze w\n")), fresh);
    assert_eq!(last(&format!("{moves}tejun-line 20\nkata-analyze w\n")), fresh);
    assert_eq!(last(&format!("{moves}genmove w\nundo\nkata-analyze w\n")), fresh);
    let handicap = "set_free_handicap R17 S16\nplay w Q17\n";
    let fresh = last(&format!("{handicap}kata-analyze b\n"));
    assert_eq!(last(&format!("play w Q17\nkata-analyze b\nclear_board\n{handicap}kata-analyze b\n")), fresh);
}

#[test]
fn gogui_commands_return_graphics() {
    let program = with_model();
    let lines = b"play b Q16\ngogui-analyze_commands\ntejun-expected 3\ntejun-map\ntejun-line 4\ntejun-expected x\n";
    let found = answers(&program, &[], lines);
    for line in found[1].trim_start_matches("= ").lines() {
        let parts: Vec<&str> = line.split('/').collect();
        assert!(parts.len() == 3 && ["gfx", "dboard"].contains(&parts[0]), "{line}");
        let known = answers(&program, &[], format!("known_command {}\n", parts[2]).as_bytes());
        assert_eq!(known, ["= true"], "{line}");
    }
    let shown: Vec<&str> = found[2].lines().collect();
    assert!(shown[0].starts_with("= INFLUENCE ") && shown[0].split(' ').count() == 8, "{}", shown[0]);
    assert!(shown[1].starts_with("LABEL ") && shown[2].starts_with("TEXT White: "), "{shown:?}");
    let cells: Vec<f64> = found[3].split_whitespace().skip(1).map(|cell| cell.parse().expect("a number")).collect();
    assert_eq!(cells.len(), 361);
    assert!(cells.contains(&-1.0) && cells.iter().all(|cell| (-1.0..=0.0).contains(cell)));
    let line: Vec<&str> = found[4].split(' ').collect();
    assert_eq!((line[1], line[2], line[4], line[6], line[8], line.len()), ("VAR", "w", "b", "w", "b", 10));
    assert_eq!(found[5], "? syntax error");
}

/// The moves of a game against itself, starting with Black; passes are `None`.
fn self_play(program: &Program, options: &[&str], n_moves: usize) -> Vec<Option<Point>> {
    let input = "genmove b\ngenmove w\n".repeat(n_moves / 2);
    let names = answers(program, options, input.as_bytes());
    assert_eq!(names.len(), n_moves);
    let point = |name: &String| match name.strip_prefix("= ").expect("a move") {
        "pass" => None,
        name => Some(Point::parse(name, BoardSize::NINETEEN).expect("a point")),
    };
    names.iter().map(point).collect()
}

#[test]
fn a_game_against_itself_is_legal_and_ends() {
    let program = with_model();
    let moves = self_play(&program, &[], 920);
    let mut position = Position::new(BoardSize::NINETEEN, Rules::CHINESE);
    let n_played = moves.iter().take_while(|point| point.is_some()).count();
    assert!(n_played > 150, "{n_played}");
    for (index, point) in moves[..n_played].iter().flatten().enumerate() {
        assert!(!position.board().is_eye(position.to_move(), *point), "move {}", index + 1);
        position.play(*point).unwrap_or_else(|why| panic!("move {}: {why}", index + 1));
    }
    assert!(moves[n_played..].iter().all(Option::is_none), "a pass is answered with a pass");
    assert!(n_played <= 903, "{n_played}");
}

#[test]
fn the_seed_determines_random_choices() {
    let program = with_model();
    let game = |temperature, seed| self_play(&program, &["--temperature", temperature, "--seed", seed], 30);
    assert_eq!(game("0", "1"), game("0", "2"));
    assert_eq!(game("1", "1"), game("1", "1"));
    assert_ne!(game("1", "1"), game("1", "2"));
    let run = program.run(&[&GTP[..], &["--temperature=-1"]].concat()).expect_code(2);
    assert!(run.stderr.contains("a number, 0 or more"), "{}", run.stderr);
    let run = program.run(&["gtp", "--model", "nowhere.grammar"]).expect_code(2);
    assert!(run.stderr.contains("nowhere.grammar"), "{}", run.stderr);
}

/// A random line that may or may not be valid.
fn garbage(random: &mut Random, commands: &[&str]) -> Vec<u8> {
    const TOKENS: [&str; 20] = [
        "b",
        "white",
        "W",
        "Q16",
        "a1",
        "pass",
        "resign",
        "T20",
        "I5",
        "0",
        "19",
        "-1",
        "99999999999999999999",
        "1e400",
        "NaN",
        "one.sgf",
        "nine.sgf",
        "maxmoves",
        "avoid",
        "A1,B2,,C3",
    ];
    let pick = |random: &mut Random, choices: &[&str]| choices[random.below(choices.len() as u64) as usize].to_string();
    let mut line = Vec::new();
    if random.below(4) == 0 {
        line.extend(random.below(1 << 40).to_string().bytes());
        line.push(b' ');
    }
    line.extend(pick(random, commands).bytes());
    for _ in 0..random.below(5) {
        line.push(b" \t"[random.below(2) as usize]);
        line.extend(pick(random, &TOKENS).bytes());
    }
    // One line in four is damaged.
    if random.below(4) == 0 {
        for _ in 0..=random.below(8) {
            let at = random.below(line.len() as u64) as usize;
            line[at] = random.below(256) as u8;
        }
    }
    line
}

#[test]
fn garbage_never_crashes_the_engine() {
    let program = with_model();
    let list = answers(&program, &[], b"list_commands\n").remove(0);
    // Loading is tested separately: a damaged name might be a pipe.
    let commands: Vec<&str> =
        list[2..].lines().filter(|name| *name != "quit" && *name != "loadsgf").chain(["play"; 20]).collect();
    for seed in 1..=10 {
        let mut random = Random(seed);
        let lines: Vec<Vec<u8>> = (0..300).map(|_| garbage(&mut random, &commands)).collect();
        let input = lines.join(&b'\n');
        let is_asked = |line: &&[u8]| {
            let line = String::from_utf8_lossy(line);
            let line: String = line.split('#').next().unwrap_or("").chars().filter(|c| !c.is_control()).collect();
            !line.trim().is_empty()
        };
        let n_asked = input.split(|byte| *byte == b'\n').filter(is_asked).count();
        let found = answers(&program, &[], &input);
        assert_eq!(found.len(), n_asked, "seed {seed}");
        assert!(found.iter().all(|answer| answer.starts_with(['=', '?'])), "seed {seed}");
        assert!(found.iter().any(|answer| answer.starts_with("= ")), "seed {seed}");
    }
}

/// Short searches with reproducible results.
const SEARCH: [&str; 8] = ["gtp", "--search=playouts", "--playouts", "100", "--time", "5", "--threads", "1"];

/// A program that answers line by line.
struct Session {
    program: Program,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn new(options: &[&str]) -> Session {
        let program = Program::new();
        let mut command = program.command(&[&SEARCH[..], options].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Session { program, child, input, output }
    }

    /// The answer to a line, without the sign.
    #[track_caller]
    fn ask(&mut self, line: &str) -> String {
        writeln!(self.input, "{line}").expect("it reads");
        let lines = self.output.by_ref().lines().map(|line| line.expect("text"));
        let answer: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
        let answer = answer.join("\n");
        answer.strip_prefix('=').unwrap_or_else(|| panic!("{line}: {answer}")).trim().to_string()
    }

    fn end(mut self) {
        self.ask("quit");
        assert!(self.child.wait().expect("it ends").success());
    }
}

/// The answers of a search to these lines.
#[track_caller]
fn check_search(lines: &[(&str, &str)]) {
    let mut session = Session::new(&[]);
    for (line, expected) in lines {
        assert_eq!(session.ask(line), *expected, "{line}");
    }
    session.end();
}

#[test]
fn a_searched_game_is_legal_and_ends() {
    let mut session = Session::new(&[]);
    session.ask("boardsize 9");
    let size = BoardSize::new(9).expect("a size");
    let mut position = Position::new(size, Rules::CHINESE);
    let (mut n_moves, mut n_passes) = (0, 0);
    while n_passes < 2 {
        let color = ["b", "w"][n_moves % 2];
        let name = session.ask(&format!("genmove {color}"));
        n_moves += 1;
        match name.as_str() {
            "resign" => break,
            "pass" => {
                n_passes += 1;
                position.pass();
            }
            name => {
                n_passes = 0;
                let point = Point::parse(name, size).expect("a point");
                position.play(point).unwrap_or_else(|why| panic!("move {n_moves}, {name}: {why}"));
            }
        }
        assert!(n_moves < 300, "the game ends");
    }
    assert!(n_moves > 20, "{n_moves}");
    session.end();
}

#[test]
fn a_search_plays_on_boards_of_every_size() {
    for lines in [9, 13, 19] {
        let mut session = Session::new(&[]);
        session.ask(&format!("boardsize {lines}"));
        let name = session.ask("genmove b");
        assert!(Point::parse(&name, BoardSize::new(lines).expect("a size")).is_ok(), "{name}");
        session.end();
    }
    let program = with_model();
    let input = b"boardsize 9\nloadsgf nine.sgf\nreg_genmove b\nboardsize 19\nreg_genmove b\n";
    let found = answers(&program, &SEARCH[1..], input);
    assert_eq!((found.len(), found.iter().any(|answer| answer.starts_with('?'))), (5, false), "{found:?}");
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let game = |seed| {
        let mut session = Session::new(&["--seed", seed]);
        session.ask("boardsize 9");
        let mut names: Vec<String> = (0..6).map(|n| session.ask(&format!("genmove {}", ["b", "w"][n % 2]))).collect();
        names.push(session.ask("lz-genmove_analyze b"));
        session.end();
        names
    };
    assert_eq!(game("7"), game("7"));
    assert_ne!(game("7"), game("8"));
}

/// White lives on the left of 5x5, the White stone on the right is dead, and White has passed.
const SETTLED: &str = "(;SZ[5]KM[0.5]AB[ca][cb][cc][cd][ce]AW[ba][bb][bc][bd][be][ab][ad][ec];B[dc];W[])";

#[test]
fn the_winner_passes_and_dead_stones_do_not_count() {
    let mut session = Session::new(&[]);
    session.program.write("settled.sgf", SETTLED);
    session.ask("loadsgf settled.sgf");
    assert_eq!(session.ask("final_status_list dead"), "E3");
    assert_eq!(session.ask("final_score"), "B+4.5");
    assert_eq!(session.ask("genmove b"), "pass");
    session.end();
}

#[test]
fn time_is_taken_from_the_clock() {
    check_search(&[
        ("time_settings 0 0 0", ""),
        ("time_settings 10 5 1", ""),
        ("time_left b 3 1", ""),
        ("kgs-time_settings canadian 10 5 1", ""),
        ("kgs-time_settings none", ""),
    ]);
    let run = Program::new().run(&["gtp", "--search", "--time", "0"]).expect_code(2);
    assert!(run.stderr.contains("a number above 0"), "{}", run.stderr);
    let run = Program::new().run(&["gtp", "--search", "--time", "inf"]).expect_code(2);
    assert!(run.stderr.contains("a number above 0"), "{}", run.stderr);
    let run = Program::new().run(&["gtp", "--no-search", "--time", "1"]).expect_code(2);
    assert!(run.stderr.contains("--no-search"), "{}", run.stderr);
}

/// The moves in a line of an analysis with their visits, priors and variations.
fn searched(line: &str) -> Vec<(String, u32, f64, f64, usize)> {
    let parts = line.split("info ").skip(1).map(|part| {
        let (head, line_of_play) = part.split_once(" pv ").expect("a line of play");
        let tokens: Vec<&str> = head.split_whitespace().collect();
        let value = |key: &str| tokens[tokens.iter().position(|token| *token == key).expect(key) + 1];
        let number = |key| value(key).parse::<f64>().expect("a number");
        assert!(line_of_play.starts_with(value("move")), "{part}");
        let n_moves = line_of_play.split_whitespace().count();
        (value("move").to_string(), number("visits") as u32, number("winrate"), number("prior"), n_moves)
    });
    parts.collect()
}

#[test]
fn analyses_report_search_results() {
    let mut session = Session::new(&[]);
    session.ask("boardsize 9");
    let played = session.ask("kata-genmove_analyze b 10");
    let lines: Vec<&str> = played.lines().collect();
    let moves = searched(lines[lines.len() - 2]);
    assert_eq!(lines[lines.len() - 1], format!("play {}", moves[0].0));
    assert!(moves.iter().map(|m| m.1).sum::<u32>() <= 100);
    assert!(moves.iter().all(|m| m.1 > 0 && (0.0..=1.0).contains(&m.2) && m.3 < 1.0), "{moves:?}");
    assert!(moves.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{moves:?}");
    // Visits increase from report to report, until a line arrives.
    writeln!(session.input, "lz-analyze w 2").expect("it reads");
    let mut lines = session.output.by_ref().lines().map(|line| line.expect("text"));
    assert_eq!(lines.next().as_deref(), Some("="));
    let mut visits = Vec::new();
    // The number of reports per slice depends on the machine.
    while visits.len() < 3 || visits.first() == visits.last() {
        let moves = searched(&lines.next().expect("a line"));
        visits.push(moves.iter().map(|m| m.1).sum::<u32>());
    }
    assert!(visits.is_sorted(), "{visits:?}");
    writeln!(session.input, "name").expect("it reads");
    assert!(lines.by_ref().take_while(|line| !line.is_empty()).all(|line| line.starts_with("info move ")));
    assert_eq!(lines.next().as_deref(), Some("= tejun"));
    assert_eq!(lines.next().as_deref(), Some(""));
    session.end();
}

/// Answers of the engine with the network of the program; the last line of each.
fn ask_network(options: &[&str], lines: &[&str]) -> Vec<String> {
    let program = Program::new();
    let mut input = lines.join("\n");
    input.push_str("\nquit\n");
    let arguments = [&["gtp", "--playouts", "6", "--threads", "2"], options].concat();
    let run = program.run_with_input(&arguments, input.as_bytes()).expect_code(0);
    assert!(run.stderr.contains("using the network that comes with tejun"), "{}", run.stderr);
    let last_line = |answer: &str| answer.lines().last().unwrap_or_default().to_string();
    run.stdout.trim_end().split("\n\n").map(last_line).collect()
}

#[test]
fn the_network_plays_and_analyzes_without_a_model() {
    let opening =
        ["komi 7.5", "play b Q16", "play w D4", "play b Q4", "genmove w", "kata-analyze b maxmoves 2 ownership true"];
    let answers = ask_network(&[], &opening);
    let chosen = answers[4].strip_prefix("= ").expect("a move");
    assert!(["D16", "D17", "C16", "C17", "R14", "F16"].contains(&chosen), "a move in the opening, not {chosen}");
    let (moves, owners) = answers[5].split_once(" ownership ").expect("owners");
    assert!(moves.contains("scoreLead") && moves.contains("winrate"), "{moves}");
    assert_eq!(owners.split(' ').filter(|owner| owner.parse::<f64>().is_ok_and(|o| o.abs() <= 1.0)).count(), 361);
    assert_eq!(ask_network(&[], &opening), answers, "the same visits give the same answers");
}

#[test]
fn small_boards_are_searched_by_playouts() {
    let answers = ask_network(&[], &["boardsize 9", "clear_board", "genmove b", "kata-analyze w"]);
    assert!(answers[2].len() >= 4, "a move: {}", answers[2]);
    assert!(answers[3].contains("scoreLead 0 "), "playouts count no points: {}", answers[3]);
}
