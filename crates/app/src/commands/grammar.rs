//! `tejun grammar`: shows the rules of a grammar.

use std::path::PathBuf;

use anyhow::{Context, bail};
use tejun_games::GameRecord;
use tejun_knowledge::codes::Code;
use tejun_knowledge::codes::Symbol;
use tejun_knowledge::grammar::{Grammar, Rule, Smoothing, derivation, rules};

use crate::args::{GrammarCode, OutputArgs, SmoothingMethod, TableFormat};
use crate::commands::{Found, Globals};
use crate::inputs::open_game;
use crate::models::{check_size, open_grammar};
use crate::reports::table::{Align, Table};
use crate::terminal::count;
use tejun_knowledge::models::GrammarModel;

/// Show the rules of a grammar
///
/// A rule states how many symbols are remembered, what comes next with which probability, and how
/// many symbols are remembered after that. Also shows the ratio of corrected frequencies, as
/// printed by Kajiyama and Nakamura.
///
/// Example: tejun grammar show games.grammar --game game.sgf --move 5
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(subcommand)]
    question: GrammarCommand,
}

/// What to show.
#[derive(clap::Subcommand)]
enum GrammarCommand {
    /// Show the rules from the state that a game is in, most probable first
    Show(ShowArgs),
    /// Show the rules that derive a game, move by move, and its probability
    Derive(DeriveArgs),
}

#[derive(clap::Args)]
struct ShowArgs {
    /// Model folder
    model: PathBuf,
    /// Game that leads to the state: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17, counting from 0)
    /// [default: the start of a game]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Move number to predict [default: the next move]
    #[arg(long = "move", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    move_number: Option<u32>,
    /// Number of rules to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    #[command(flatten)]
    choice: Choice,
}

#[derive(clap::Args)]
struct DeriveArgs {
    /// Model folder
    model: PathBuf,
    /// Game: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17, counting from 0); - for stdin
    game: String,
    #[command(flatten)]
    choice: Choice,
}

/// The grammar to use, and how to print it.
#[derive(clap::Args)]
struct Choice {
    /// Use the grammar of this code [default: the model's last grammar]
    #[arg(long, value_name = "CODE", value_enum)]
    code: Option<GrammarCode>,
    /// Smoothing of counts into probabilities [default: the model's]
    #[arg(long, value_name = "SMOOTHING", value_enum)]
    smoothing: Option<SmoothingMethod>,
    #[command(flatten)]
    output: OutputArgs<TableFormat>,
}

impl Choice {
    fn grammar<'m>(&self, model: &'m GrammarModel) -> anyhow::Result<(&'m Grammar, Smoothing)> {
        let is_wanted = |grammar: &&Grammar| self.code.is_none_or(|code| Code::from(code) == grammar.options().code);
        let grammar = model.grammars.iter().rev().find(is_wanted).context("--code: the model has no such grammar")?;
        Ok((grammar, self.smoothing.map_or(model.smoothing, Smoothing::from)))
    }

    fn print(&self, table: &Table, globals: &Globals) -> anyhow::Result<()> {
        let text = if self.output.format() == TableFormat::Csv { table.to_csv() } else { table.to_text() };
        self.output.write(text, globals)
    }
}

/// Shows rules or derives a game.
///
/// # Errors
/// If the model or the game cannot be read.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    match args.question {
        GrammarCommand::Show(args) => show(&args, globals),
        GrammarCommand::Derive(args) => derive(&args, globals),
    }
}

fn show(args: &ShowArgs, globals: &Globals) -> anyhow::Result<Found> {
    let model = open_grammar(&args.model, globals)?;
    let (grammar, smoothing) = args.choice.grammar(&model)?;
    let record = match &args.game {
        Some(game) => {
            let record = open_game(game)?;
            check_size(record.size, model.grammars[0].size(), game)?;
            record
        }
        None => GameRecord::new(grammar.size()),
    };
    let n_moves = args.move_number.map_or(record.moves.len(), |number| number as usize - 1);
    if n_moves > record.moves.len() {
        bail!("--move {}: the game has only {}", n_moves + 1, count(record.moves.len(), "move"));
    }
    let rules = rules(grammar, smoothing, &record, n_moves);
    let mut table = rule_table(&[]);
    rules.iter().take(args.top).for_each(|rule| table.push(cells(grammar, rule)));
    args.choice.print(&table, globals)?;
    Ok(Found::from(!rules.is_empty()))
}

fn derive(args: &DeriveArgs, globals: &Globals) -> anyhow::Result<Found> {
    let model = open_grammar(&args.model, globals)?;
    let record = open_game(&args.game)?;
    check_size(record.size, model.grammars[0].size(), &args.game)?;
    let (grammar, smoothing) = args.choice.grammar(&model)?;
    let derived = derivation(grammar, smoothing, &record);
    let points = record.moves.iter().filter_map(|m| m.point);
    let mut table = rule_table(&[("point", Align::Left)]);
    let mut bits = 0.0;
    for (rule, point) in derived.iter().zip(points) {
        bits -= rule.probability.log2();
        table.push(cells(grammar, rule).into_iter().chain([point.name(record.size)]).collect());
    }
    args.choice.print(&table, globals)?;
    globals.status(format_args!("probability of the game: 2^-{bits:.1}, over {}", count(derived.len(), "move")));
    Ok(Found::from(!derived.is_empty()))
}

fn rule_table(more: &[(&str, Align)]) -> Table {
    let mut columns = vec![
        ("remembered", Align::Right),
        ("symbol", Align::Right),
        ("probability", Align::Right),
        ("as printed", Align::Right),
        ("then", Align::Right),
        ("meaning", Align::Left),
    ];
    columns.extend(more);
    Table::new(&columns)
}

fn cells(grammar: &Grammar, rule: &Rule) -> Vec<String> {
    let meaning = |symbol: Symbol| grammar.options().code.describe(symbol);
    vec![
        rule.state.to_string(),
        rule.symbol.map_or("#".into(), |symbol| symbol.0.to_string()),
        format!("{:.4}%", 100.0 * rule.probability),
        format!("{:.6}", rule.printed_ratio),
        rule.next_state.to_string(),
        rule.symbol.map_or("the end of the game".into(), meaning),
    ]
}
