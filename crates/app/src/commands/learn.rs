//! `tejun learn`: models that predict moves.

use std::path::PathBuf;

use anyhow::{Context, bail};
use tejun_knowledge::corpus::GameTable;
use tejun_knowledge::grammar::{Grammar, GrammarOptions, Smoothing, fit_powers};

use crate::commands::filters::Filters;
use crate::commands::models::{CODES, Model, code_name};
use crate::commands::texts::{load_table, manifest};
use crate::commands::{Found, Globals};
use crate::inputs::open_collection;

/// Learn to predict moves from a collection
///
/// Example: tejun learn grammar games.parquet -o games.grammar
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(subcommand)]
    model: LearnedModel,
}

/// What to learn.
#[derive(clap::Subcommand)]
enum LearnedModel {
    Grammar(GrammarArgs),
}

/// Learn a stochastic grammar: the next move from the moves before it
///
/// Example: tejun learn grammar games.parquet -o games.grammar --codes er-relative --smoothing paper
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
struct GrammarArgs {
    /// A collection, or any records [default: the sample games]
    collection: Option<PathBuf>,
    /// The folder to write
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    /// One grammar for each: place, distance, surroundings, relative step
    #[arg(long, value_name = "CODES", value_delimiter = ',', default_value = "ep,er,es,er-relative",
        value_parser = CODES.map(|(name, _)| name))]
    codes: Vec<String>,
    /// How counts become probabilities
    #[arg(long, value_name = "SMOOTHING", default_value = "kneser-ney",
        value_parser = Smoothing::ALL.map(Smoothing::name))]
    smoothing: String,
    /// Symbols of the longest strings that are counted; the paper's smoothing has no limit
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=30))]
    order: u8,
    /// Every N-th game is held out to fit the powers of the product; 0 leaves all powers 1
    #[arg(long, value_name = "N", default_value_t = 200)]
    held_out: usize,
    #[command(flatten)]
    filters: Filters,
}

/// Learns and saves.
///
/// # Errors
/// If the collection can't be read or the model can't be written.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    match args.model {
        LearnedModel::Grammar(args) => learn_grammar(&args, globals),
    }
}

fn learn_grammar(args: &GrammarArgs, globals: &Globals) -> anyhow::Result<Found> {
    let open = open_collection(args.collection.as_deref(), globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let smoothing: Smoothing = args.smoothing.parse()?;
    let powers = fitted_powers(args, &table, smoothing, globals)?;
    let grammars = learn_all(args, &table, globals)?;
    let parameters = [
        ("filters", args.filters.words()),
        ("order", args.order.to_string()),
        ("held_out", format!("every {}", args.held_out)),
    ];
    let manifest = manifest(&open.collection, args.collection.as_deref(), &table, &parameters);
    Model { grammars, powers, smoothing }.save(&args.output, &manifest)?;
    globals.tell(format_args!("{}: learned from {} moves", args.output.display(), table.n_moves()));
    Ok(Found::Something)
}

fn learn_all(args: &GrammarArgs, table: &GameTable, globals: &Globals) -> anyhow::Result<Vec<Grammar>> {
    let mut grammars: Vec<Grammar> = Vec::new();
    for name in &args.codes {
        let (_, code) = CODES.iter().find(|(known, _)| known == name).context("no such code")?;
        if grammars.iter().any(|grammar| grammar.options().code == *code) {
            bail!("--codes: {} is there twice", code_name(*code));
        }
        let options = GrammarOptions { code: *code, order: args.order };
        grammars.push(Grammar::learn(table, options, globals.n_threads())?);
    }
    Ok(grammars)
}

/// Powers that make games probable which the grammars have not seen; 1 for a grammar alone.
fn fitted_powers(
    args: &GrammarArgs,
    table: &GameTable,
    smoothing: Smoothing,
    globals: &Globals,
) -> anyhow::Result<Vec<f64>> {
    let n = args.codes.len();
    if n < 2 || args.held_out < 2 || table.n_games() < args.held_out {
        return Ok(vec![1.0; n]);
    }
    let (learned, held_out) = table.split(args.held_out);
    let grammars = learn_all(args, &learned, globals)?;
    let powers = fit_powers(&grammars, smoothing, &held_out);
    for (grammar, power) in grammars.iter().zip(&powers) {
        globals.tell(format_args!("power of {}: {power:.3}", code_name(grammar.options().code)));
    }
    Ok(powers)
}
