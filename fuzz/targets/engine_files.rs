//! Engine files and command lines: what was read prints and reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun_knowledge::engines::{CommandError, EngineCommand, EngineFile, EngineOptions, LineFault, PointOfView};

fuzz_target!(|text: &str| {
    match EngineFile::parse(text) {
        Ok(file) => check_file(&file),
        Err(error) => {
            let line = text.trim_start_matches('\u{feff}').lines().nth(error.line - 1).expect("a line of the file");
            assert!(!error.to_string().is_empty());
            if let LineFault::Command(fault) = error.fault {
                check_fault(fault, line.trim());
            }
        }
    }
    for line in text.lines().chain([text]) {
        match line.parse::<EngineCommand>() {
            Ok(command) => {
                assert!(!command.program.is_empty());
                assert_eq!(command.to_string().parse(), Ok(command));
            }
            Err(fault) => check_fault(fault, line),
        }
    }
});

/// An unclosed quote that is reported is at the reported place.
fn check_fault(fault: CommandError, line: &str) {
    if let CommandError::Unclosed { quote, column } = fault {
        assert_eq!(line.chars().nth(column - 1), Some(quote), "{fault} in {line:?}");
    }
}

fn check_file(file: &EngineFile) {
    // A name may begin with a mark that is removed at the beginning of a file.
    let mut printed = String::from("# printed\n");
    for name in file.names() {
        let options = file.options(name).expect("a name of the file");
        printed += &print(name, options);
    }
    assert_eq!(EngineFile::parse(&printed).as_ref(), Ok(file), "printed as {printed:?}");
}

/// An engine with all of its settings.
fn print(name: &str, options: &EngineOptions) -> String {
    let EngineOptions { command, kind, time, visits, view, rules, n_restarts, start_time, .. } = options;
    let is_own = |item: &&(&str, PointOfView)| item.1 == *view;
    let view = PointOfView::NAMES.iter().find(is_own).map_or("", |item| item.0);
    let time = time.map_or(String::new(), |time| format!("  time = {}\n", time.as_secs_f64()));
    let visits = visits.map_or(String::new(), |visits| format!("  visits = {visits}\n"));
    let start = start_time.as_secs_f64();
    format!(
        "{name}: {command}\n  kind = {kind}\n{time}{visits}  view = {view}\n  rules = {rules}\n  \
         restarts = {n_restarts}\n  start = {start}\n"
    )
}
