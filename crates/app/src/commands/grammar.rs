//! `tejun grammar`: the rules of a grammar.

use std::path::PathBuf;

use anyhow::{Context, bail};
use tejun_games::GameRecord;
use tejun_knowledge::codes::Symbol;
use tejun_knowledge::grammar::{Grammar, Rule, Smoothing, derivation, rules};

use crate::commands::models::{CODES, GrammarModel, check_size, code_name};
use crate::commands::{Found, Globals};
use crate::inputs::open_game;
use crate::output::print;
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// Show the rules of a grammar
///
/// A rule states how many symbols are remembered, what comes next with which probability, and how
/// many symbols are remembered after that. Also shows the ratio of corrected frequencies, as
/// printed in the paper.
///
/// Example: tejun grammar show games.grammar --game game.sgf --move 5
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(subcommand)]
    question: Question,
}

/// What to show.
#[derive(clap::Subcommand)]
enum Question {
    /// Show the rules from the state that a game is in, most probable first
    Show(ShowArgs),
    /// Show the rules that derive a game, move by move, and its probability
    Derive(DeriveArgs),
}

#[derive(clap::Args)]
struct ShowArgs {
    /// Model folder
    model: PathBuf,
    /// Game that leads to the state: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17)
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
    /// Game: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17); - for stdin
    game: String,
    #[command(flatten)]
    choice: Choice,
}

/// Which grammar, and how to print it.
#[derive(clap::Args)]
struct Choice {
    /// Use the grammar of this code [default: the model's last grammar]
    #[arg(long, value_name = "CODE", value_parser = CODES.map(|(name, _)| name))]
    code: Option<String>,
    /// Smoothing of counts into probabilities [default: the model's]
    #[arg(long, value_name = "SMOOTHING", value_parser = Smoothing::ALL.map(Smoothing::name))]
    smoothing: Option<String>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = ["table", "csv"])]
    format: String,
}

impl Choice {
    fn grammar<'m>(&self, model: &'m GrammarModel) -> anyhow::Result<(&'m Grammar, Smoothing)> {
        let is_wanted =
            |grammar: &&Grammar| self.code.as_ref().is_none_or(|name| name == code_name(grammar.options().code));
        let grammar = model.grammars.iter().rev().find(is_wanted).context("--code: the model has no such grammar")?;
        Ok((grammar, self.smoothing.as_deref().map_or(Ok(model.smoothing), str::parse)?))
    }

    fn print(&self, table: &Table) -> anyhow::Result<()> {
        let text = if self.format == "csv" { table.to_csv() } else { table.to_text() };
        print(text.as_bytes())
    }
}

/// Shows or derives.
///
/// # Errors
/// If the model or the game can't be read.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    match args.question {
        Question::Show(args) => show(&args),
        Question::Derive(args) => derive(&args, globals),
    }
}

fn show(args: &ShowArgs) -> anyhow::Result<Found> {
    let model = GrammarModel::open(&args.model)?;
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
    args.choice.print(&table)?;
    Ok(Found::from(!rules.is_empty()))
}

fn derive(args: &DeriveArgs, globals: &Globals) -> anyhow::Result<Found> {
    let model = GrammarModel::open(&args.model)?;
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
    args.choice.print(&table)?;
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
    let words = |symbol: Symbol| grammar.options().code.describe(symbol);
    vec![
        rule.state.to_string(),
        rule.symbol.map_or("#".into(), |symbol| symbol.0.to_string()),
        format!("{:.4}%", 100.0 * rule.probability),
        format!("{:.6}", rule.printed_ratio),
        rule.next_state.to_string(),
        rule.symbol.map_or("the end of the game".into(), words),
    ]
}
