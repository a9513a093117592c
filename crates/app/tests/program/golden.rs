//! Golden files: recorded output of commands.

use std::fs;
use std::path::Path;

use crate::program::Program;

/// Splits a command into arguments like a shell; quotes group text.
pub fn words(command: &str) -> Vec<String> {
    let mut arguments = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match c {
            '\'' | '"' if quote.is_none() => quote = Some(c),
            _ if quote == Some(c) => quote = None,
            ' ' if quote.is_none() => arguments.push(String::new()),
            _ => arguments.last_mut().expect("there is one").push(c),
        }
    }
    arguments
}

/// Runs commands and compares their output with a golden file: stdout, stderr after `!`, the exit code after `=`.
#[track_caller]
pub fn check(program: &Program, golden: &str, commands: &[&str]) {
    let mut text = String::new();
    for command in commands {
        let arguments = words(command);
        let run = program.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        text += &format!("$ tejun {command}\n{}", run.stdout);
        if !run.stdout.is_empty() && !run.stdout.ends_with('\n') {
            text += "(no line break)\n";
        }
        run.stderr.lines().for_each(|line| text += &format!("! {line}\n"));
        text += &format!("= {}\n\n", run.code.unwrap_or(-1));
    }
    check_golden(golden, &text);
}

/// Compares a text with a golden file.
#[track_caller]
pub fn check_golden(golden: &str, text: &str) {
    let text = text.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(golden);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &text).expect("a golden file");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if text != expected {
        let first = text.lines().zip(expected.lines()).position(|(new, old)| new != old);
        let line = first.unwrap_or(text.lines().count().min(expected.lines().count()));
        let at = |text: &str| text.lines().nth(line).unwrap_or("(end)").to_string();
        panic!(
            "golden/{golden}:{}\n  expected {}\n  found    {}\nUPDATE_GOLDEN=1 regenerates it",
            line + 1,
            at(&expected),
            at(&text)
        );
    }
}
