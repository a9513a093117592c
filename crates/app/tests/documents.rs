//! Every command that the documents show exists, with all its options.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use tejun::commands::Cli;

/// What starts a command in the documents.
const PROGRAMS: [&str; 2] = ["tejun ", "cargo run --release -- "];

/// The repository; in a published package there is none.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The READMEs and the pages of the book.
fn documents() -> Vec<PathBuf> {
    let mut documents = vec![root().join("README.md"), Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")];
    let book = fs::read_dir(root().join("docs/book")).into_iter().flatten();
    documents.extend(book.map(|entry| entry.expect("a page").path()).filter(|path| path.extension().is_some()));
    documents.retain(|path| path.extension().is_some_and(|extension| extension == "md") && path.exists());
    documents
}

/// The command lines in the code blocks of a document, with the number of their first line.
///
/// A line with wide gaps is a row of a table that begins with the program's name.
fn commands(text: &str) -> Vec<(usize, String)> {
    let mut commands: Vec<(usize, String)> = Vec::new();
    let (mut is_code, mut is_continued) = (false, false);
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            (is_code, is_continued) = (!is_code, false);
            continue;
        }
        let line = line.trim();
        let begun = line.strip_prefix("$ ").unwrap_or(line);
        let more = line.trim_end_matches('\\');
        if let Some((_, command)) = commands.last_mut().filter(|_| is_continued) {
            command.push_str(more);
        } else if let Some(arguments) = PROGRAMS.iter().find_map(|program| begun.strip_prefix(program))
            && is_code
            && !begun.contains("   ")
        {
            commands.push((number, arguments.trim_end_matches('\\').to_string()));
        }
        is_continued = is_code && line.ends_with('\\') && !commands.is_empty();
    }
    commands
}

/// The commands in the sentences of a document: code in backticks that begins with the program's name.
fn mentioned(text: &str) -> Vec<(usize, String)> {
    let mut mentions = Vec::new();
    let mut is_code = false;
    for (number, line) in (1..).zip(text.lines()) {
        is_code ^= line.trim_start().starts_with("```");
        let spans = line.split('`').skip(1).step_by(2).filter(|_| !is_code);
        let arguments = spans.filter_map(|span| span.strip_prefix("tejun "));
        // An omission or a word in capitals stands for anything.
        let whole = arguments.filter(|arguments| !arguments.contains(['…', '{']) && !arguments.contains("COMMAND"));
        mentions.extend(whole.map(|arguments| (number, arguments.to_string())));
    }
    mentions
}

/// Whether a command only lacks arguments, as a mention such as `tejun mine` may.
fn is_incomplete(error: &clap::Error) -> bool {
    use clap::error::ErrorKind::{
        DisplayHelpOnMissingArgumentOrSubcommand, MissingRequiredArgument, MissingSubcommand,
    };
    matches!(error.kind(), DisplayHelpOnMissingArgumentOrSubcommand | MissingRequiredArgument | MissingSubcommand)
}

/// The words of a command line, up to a pipe, a redirection or a comment.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' | '"' => {
                let quoted: String = letters.by_ref().take_while(|other| *other != letter).collect();
                word.get_or_insert_default().push_str(&quoted);
            }
            '|' | '>' | '<' | '&' | ';' => break,
            '#' if word.is_none() => break,
            ' ' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[test]
fn every_command_of_the_documents_can_be_parsed() {
    let mut n_commands = 0;
    let mut wrong = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).expect("a document");
        let shown = commands(&text).into_iter().map(|command| (command, false));
        for ((line, command), may_lack) in shown.chain(mentioned(&text).into_iter().map(|command| (command, true))) {
            n_commands += 1;
            let arguments = std::iter::once("tejun".to_string()).chain(words(&command));
            if let Err(error) = Cli::try_parse_from(arguments)
                && error.use_stderr()
                && !(may_lack && is_incomplete(&error))
            {
                let why = error.to_string().lines().next().unwrap_or_default().to_string();
                wrong.push(format!("{}:{line}: tejun {command}\n    {why}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_commands == 0 || n_commands > 150, "only {n_commands} commands were found");
}

/// The options in the sentences and commands of a document: words in backticks or code blocks that begin with `--`.
fn options(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut is_code = false;
    let mut add = |number: usize, code: &str| {
        let names = code.split_whitespace().filter_map(|word| word.strip_prefix("--"));
        let letters =
            |name: &str| name.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect::<String>();
        found.extend(names.map(letters).filter(|name| !name.is_empty()).map(|name| (number, name)));
    };
    for (number, line) in (1..).zip(text.lines()) {
        is_code ^= line.trim_start().starts_with("```");
        let spans = line.split('`').skip(1).step_by(2).filter(|span| !is_code && !span.starts_with("cargo "));
        spans.for_each(|span| add(number, span));
    }
    commands(text).iter().for_each(|(number, command)| add(*number, command));
    found
}

/// The options of a command and its subcommands, without former names.
fn known_options(command: &clap::Command, known: &mut HashSet<String>) {
    known.extend(["help", "version", "release"].map(String::from));
    known.extend(command.get_arguments().filter_map(|arg| arg.get_long()).map(String::from));
    command.get_subcommands().for_each(|command| known_options(command, known));
}

/// Options of scripts, benchmarks and other programs that the documents mention.
const FOREIGN_OPTIONS: [&str; 9] =
    ["tejun", "python", "python-games", "most-shared", "gtp", "weights", "mode", "level", "no-deps"];

#[test]
fn every_option_of_the_documents_exists() {
    let mut known: HashSet<String> = FOREIGN_OPTIONS.map(String::from).into();
    known_options(&tejun::commands::grouped_command(), &mut known);
    let mut wrong = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).expect("a document");
        let unknown = options(&text).into_iter().filter(|(_, name)| !known.contains(name));
        wrong.extend(unknown.map(|(line, name)| format!("{}:{line}: --{name}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        options("Use `--top 3` or `tejun mine --no-such`; `-o`, `a--b`."),
        [(1, "top".to_string()), (1, "no-such".to_string())]
    );
}

/// The examples in the help of a command and its subcommands.
fn examples(command: &clap::Command, found: &mut Vec<String>) {
    let help = command.get_long_about().map_or(String::new(), |about| about.to_string());
    let lines = help.lines().filter_map(|line| line.trim().strip_prefix("Example: tejun "));
    found.extend(lines.map(String::from));
    command.get_subcommands().for_each(|command| examples(command, found));
}

#[test]
fn every_example_in_the_help_can_be_parsed() {
    let mut found = Vec::new();
    examples(&tejun::commands::grouped_command(), &mut found);
    assert!(found.len() > 40, "only {} examples", found.len());
    for example in found {
        let arguments = std::iter::once("tejun".to_string()).chain(words(&example));
        if let Err(error) = Cli::try_parse_from(arguments) {
            panic!("tejun {example}: {error}");
        }
    }
}

#[test]
fn command_lines_are_split_as_a_shell_does() {
    let text =
        "Text\n```console\n$ tejun select 'a b' --where \"x = 1\" \\\n    -o out.parquet | head # all\n```\ntejun no\n";
    assert_eq!(mentioned("Run `tejun mine` or `x`; `tejun a …`."), [(1, "mine".to_string())]);
    let found = commands(text);
    assert_eq!(found.len(), 1);
    assert_eq!(words(&found[0].1), ["select", "a b", "--where", "x = 1", "-o", "out.parquet"]);
}
