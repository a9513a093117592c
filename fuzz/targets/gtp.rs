//! GTP sessions: every non-empty line gets one answer, which begins with a sign and the
//! line's number and ends with an empty line.
#![no_main]

use std::sync::mpsc::channel;

use libfuzzer_sys::fuzz_target;
use tejun::gtp::{Choice, Engine, Temperature, serve};
use tejun_games::go::BoardSize;
use tejun_knowledge::search::PlainPredictor;

/// Maximum number of lines per session.
const MAX_LINES: usize = 60;

fuzz_target!(|bytes: &[u8]| {
    let [lines, text @ ..] = bytes else { return };
    // `7` is 9x9. Some commands ask for hundreds of moves, which take long on larger boards.
    let size = BoardSize::new(2 + lines % 8).expect("2 to 9 lines");
    let lines: Vec<String> = text
        .split_inclusive(|byte| *byte == b'\n')
        .map(|line| String::from_utf8_lossy(line).into_owned())
        // This is the only command that opens a file, which may be any file.
        .filter(|line| !clean(line).contains("loadsgf"))
        .take(MAX_LINES)
        .collect();
    let answers = answers(size, &lines);
    let asked = lines.iter().filter_map(|line| Asked::of(line));
    let mut expected: Vec<Asked> = Vec::new();
    for asked in asked {
        let is_end = asked.name == "quit";
        expected.push(asked);
        if is_end {
            break;
        }
    }
    let found: Vec<&str> = answers.split_terminator("\n\n").collect();
    assert!(answers.is_empty() || answers.ends_with("\n\n"), "{answers:?}");
    assert_eq!(found.len(), expected.len(), "{answers}");
    for (answer, asked) in found.iter().zip(&expected) {
        let rest = answer.strip_prefix(['=', '?']).and_then(|rest| rest.strip_prefix(asked.id.as_str()));
        let is_whole = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\n']));
        assert!(is_whole, "{asked:?} is answered by {answer:?}");
        assert!(!answer.contains(|c: char| c.is_control() && c != '\n'), "{answer:?}");
    }
});

/// The output of an engine for a whole session.
fn answers(size: BoardSize, lines: &[String]) -> String {
    let (sender, receiver) = channel();
    for line in lines {
        sender.send(line.clone()).expect("somebody listens");
    }
    // End of input: an analysis does not wait for another line.
    drop(sender);
    let mut predictor = PlainPredictor;
    let temperature: Temperature = "1".parse().expect("a temperature");
    let mut engine = Engine::new(&mut predictor, size, Choice::new(temperature, 1));
    let mut output = Vec::new();
    serve(&mut engine, &receiver, &mut output).expect("memory can be written");
    String::from_utf8(output).expect("answers are text")
}

/// The id and the name of a command.
#[derive(Debug)]
struct Asked {
    id: String,
    name: String,
}

impl Asked {
    fn of(line: &str) -> Option<Asked> {
        let line = clean(line);
        let mut tokens = line.split_whitespace();
        let first = tokens.next()?;
        let (id, name) = match first.bytes().all(|byte| byte.is_ascii_digit()) {
            true => (first, tokens.next().unwrap_or("")),
            false => ("", first),
        };
        Some(Asked { id: id.into(), name: name.into() })
    }
}

/// A line without comments and control characters.
fn clean(line: &str) -> String {
    let line = line.split('#').next().unwrap_or("").replace('\t', " ");
    line.chars().filter(|c| !c.is_control()).collect()
}
