//! The commands in groups, for the help.

use clap::CommandFactory;

use crate::commands::Cli;

/// Every command, in the groups and in the order of the help.
const GROUPS: [(&str, &[&str]); 6] = [
    ("My games", &["import", "stats", "select", "check", "convert", "show"]),
    ("Joseki and sequences", &["mine", "find", "compare", "profile", "parse"]),
    ("Review", &["judge", "explain", "surprise", "predict", "gtp"]),
    ("Positions and books", &["tactic", "book"]),
    ("Models and research", &["learn", "evaluate", "grammar", "recall", "codes", "export"]),
    ("This program", &["completions", "man", "help"]),
];

/// Synonyms that players use for commands.
const SYNONYMS: [(&str, &[&str]); 10] = [
    ("mine", &["joseki", "sequences", "patterns", "fuseki", "discover"]),
    ("find", &["search", "sequence", "pattern", "position"]),
    ("judge", &["review", "analyze", "analyse", "annotate", "analysis"]),
    ("book", &["opening", "openings", "books"]),
    ("learn", &["train", "model"]),
    ("show", &["diagram", "board", "view", "print"]),
    ("convert", &["sgf", "save"]),
    ("import", &["read", "load", "add", "collect", "dedup", "deduplicate"]),
    ("select", &["filter", "games", "list"]),
    ("stats", &["players", "statistics", "count"]),
];

/// How the help of an argument says that it may be missing.
const SAMPLE_IS_DEFAULT: &str = "[default: the sample games]";

/// The command line with its commands in groups.
pub fn grouped_command() -> clap::Command {
    let command = Cli::command();
    let width = GROUPS.iter().flat_map(|(_, names)| *names).map(|name| name.len()).max().unwrap_or(0);
    let line = |name: &&str| {
        let about = command.find_subcommand(name).and_then(clap::Command::get_about);
        let about = about.map_or("Print help for a command".into(), |about| about.to_string());
        format!("  {name:width$}  {about}\n")
    };
    let groups: Vec<String> = GROUPS
        .iter()
        .map(|(title, names)| format!("{title}:\n{}", names.iter().map(line).collect::<String>()))
        .collect();
    let template = format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{}\nOptions:\n{{options}}\n\n\
         Run `tejun COMMAND --help` for the options of a command and an example.\n\
         If no games are named, {}\n\
         use the {} professional games that come with tejun.\n",
        groups.join("\n"),
        listed(&with_sample_games(&command)),
        tejun_knowledge::corpus::N_SAMPLE_GAMES
    );
    command.help_template(template)
}

/// The commands that use the sample games if none are named, in the order of the help.
fn with_sample_games(command: &clap::Command) -> Vec<&'static str> {
    let names = GROUPS.iter().flat_map(|(_, names)| *names).copied();
    names.filter(|name| command.find_subcommand(name).is_some_and(uses_sample_games)).collect()
}

/// Words as a list in a sentence.
fn listed(words: &[&str]) -> String {
    match words {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        words => words.join(", "),
    }
}

fn uses_sample_games(command: &clap::Command) -> bool {
    let is_games = |arg: &clap::Arg| arg.get_help().is_some_and(|help| help.to_string().contains(SAMPLE_IS_DEFAULT));
    command.get_arguments().any(is_games) || command.get_subcommands().any(uses_sample_games)
}

/// The command that the user may mean by a word.
pub fn command_meant_by(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    SYNONYMS.iter().find(|(_, names)| names.contains(&word.as_str())).map(|(command, _)| *command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        grouped.retain(|name| *name != "help");
        grouped.sort_unstable();
        let command = Cli::command();
        let mut all: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }

    /// The commands below this one whose short help breaks the list of commands.
    fn with_long_abouts(command: &clap::Command) -> Vec<String> {
        let mut found = Vec::new();
        for command in command.get_subcommands() {
            let about = command.get_about().map_or(String::new(), |about| about.to_string());
            if about.trim().is_empty() || about.contains('\n') || about.len() > 80 {
                found.push(format!("{}: {about:?}", command.get_name()));
            }
            found.extend(with_long_abouts(command));
        }
        found
    }

    #[test]
    fn the_short_help_of_every_command_is_one_line() {
        assert_eq!(with_long_abouts(&Cli::command()), Vec::<String>::new());
    }

    #[test]
    fn synonyms_lead_to_commands() {
        assert_eq!(command_meant_by("Joseki"), Some("mine"));
        assert_eq!(command_meant_by("review"), Some("judge"));
        assert_eq!(command_meant_by("chess"), None);
        let command = Cli::command();
        for (name, synonyms) in SYNONYMS {
            assert!(command.find_subcommand(name).is_some(), "{name}");
            assert!(synonyms.iter().all(|word| command.find_subcommand(word).is_none()), "{synonyms:?}");
        }
    }
}
