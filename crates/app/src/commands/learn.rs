//! `tejun learn`: models that predict moves.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use serde_json::json;
use tejun_knowledge::corpus::GameTable;
use tejun_knowledge::grammar::{Grammar, GrammarOptions, Smoothing, fit_powers};
use tejun_knowledge::patterns::{
    FeatureGroup, LearningStage, PaperMethod, PaperModel, Partial, PatternError, PatternModel, PatternOptions,
};

use crate::commands::filters::Filters;
use crate::commands::learn_judge;
use crate::commands::models::{CODES, GrammarModel, check_model_output, code_name, save_model};
use crate::commands::texts::{load_table, manifest};
use crate::commands::{Found, Globals};
use crate::inputs::open_collection;
use crate::interrupt::{is_stopped, stop_on_interrupt};
use crate::terminal::count;

/// Learn a model that predicts moves or judges them
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
    Patterns(PatternArgs),
    Judge(learn_judge::Args),
}

/// Learn a stochastic grammar, which predicts a move from the moves before it
///
/// Example: tejun learn grammar games.parquet -o games.grammar --codes er-relative --smoothing paper
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
struct GrammarArgs {
    /// Collection or game records [default: the sample games]
    collection: Option<PathBuf>,
    /// Output folder
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    /// Codes, one grammar per code: ep (place), er (distance), es (surroundings), er-relative (relative step)
    #[arg(long, value_name = "CODES", value_delimiter = ',', default_value = "ep,er,es,er-relative",
        value_parser = CODES.map(|(name, _)| name))]
    codes: Vec<String>,
    /// Smoothing of counts into probabilities
    #[arg(long, value_name = "SMOOTHING", default_value = "kneser-ney",
        value_parser = Smoothing::ALL.map(Smoothing::name))]
    smoothing: String,
    /// Maximum length of counted strings in symbols; the paper's smoothing has no limit
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=30))]
    order: u8,
    /// Hold out every N-th game to fit the powers of the product; 0 leaves all powers at 1
    #[arg(long, value_name = "N", default_value_t = 200)]
    held_out: usize,
    #[command(flatten)]
    filters: Filters,
}

/// Learn patterns, which predict a move from the stones on the board
///
/// The trained model has a weight for every pattern, shape and tactical feature, learned from which
/// of all legal moves was played, and trees that correct the scores of the best candidates. The
/// paper's two methods are available for comparison.
///
/// Example: tejun learn patterns games.parquet -o games.patterns
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
struct PatternArgs {
    /// Collection or game records [default: the sample games]
    collection: Option<PathBuf>,
    /// Output folder
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    /// Model to learn: the trained model, or the paper's earlier or newer method
    #[arg(long, value_name = "METHOD", default_value = "trained", value_parser = ["trained", "earlier", "newer"])]
    method: String,
    /// Hold out every N-th game to learn the trees from; 0 learns no trees
    #[arg(long, value_name = "N", default_value_t = 25)]
    held_out: usize,
    /// Number of trees, which correct the scores of the best candidates
    #[arg(long, value_name = "N", default_value_t = 240)]
    trees: usize,
    /// Feature groups to exclude (without weight), to measure what they add; the trees are one group
    #[arg(long, value_name = "GROUPS", value_delimiter = ',', value_parser = FeatureGroup::ALL.map(FeatureGroup::name))]
    without: Vec<String>,
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
        LearnedModel::Patterns(args) => learn_patterns(&args, globals),
        LearnedModel::Judge(args) => learn_judge::run(&args, globals),
    }
}

fn learn_grammar(args: &GrammarArgs, globals: &Globals) -> anyhow::Result<Found> {
    check_model_output(&args.output, globals)?;
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
    GrammarModel { grammars, powers, smoothing }.save(&args.output, &manifest, globals)?;
    globals.status(format_args!("{}: learned from {}", args.output.display(), count(table.n_moves(), "move")));
    Ok(Found::Something)
}

fn learn_all(args: &GrammarArgs, table: &GameTable, globals: &Globals) -> anyhow::Result<Vec<Grammar>> {
    let mut grammars: Vec<Grammar> = Vec::new();
    for name in &args.codes {
        let (_, code) = CODES.iter().find(|(known, _)| known == name).context("unknown code")?;
        if grammars.iter().any(|grammar| grammar.options().code == *code) {
            bail!("--codes: {} is listed twice", code_name(*code));
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
        globals.status(format_args!("power of {}: {power:.3}", code_name(grammar.options().code)));
    }
    Ok(powers)
}

fn learn_patterns(args: &PatternArgs, globals: &Globals) -> anyhow::Result<Found> {
    let partial = Partial::beside(&args.output);
    // A run that was killed after its model got its name leaves this folder to the next one.
    partial.remove_if_finished(&args.output);
    check_model_output(&args.output, globals)?;
    let open = open_collection(args.collection.as_deref(), globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let n_threads = globals.n_threads();
    let mut parameters = vec![("filters", args.filters.words()), ("method", args.method.clone())];
    let paper = [PaperMethod::Earlier, PaperMethod::Newer].into_iter().find(|method| method.name() == args.method);
    let n_patterns = match paper {
        Some(method) => {
            let manifest = manifest(&open.collection, args.collection.as_deref(), &table, &parameters);
            let model = PaperModel::learn(&table, method, n_threads);
            save_model(
                &args.output,
                json!({ "model": "paper" }),
                &manifest,
                globals,
                |folder| Ok(model.save(folder)?),
            )?;
            model.n_patterns()
        }
        None => {
            if args.held_out == 1 {
                bail!("--held-out 1 leaves no games to learn from; use 25, for example, to hold out every 25th game");
            }
            parameters.push(("held_out", format!("every {}", args.held_out)));
            parameters.push(("trees", args.trees.to_string()));
            parameters.push(("without", args.without.join(", ")));
            let manifest = manifest(&open.collection, args.collection.as_deref(), &table, &parameters);
            let without =
                FeatureGroup::ALL.into_iter().filter(|reason| args.without.iter().any(|name| name == reason.name()));
            let without = without.collect();
            let options = PatternOptions { held_out: args.held_out, n_trees: args.trees, n_threads, without };
            let model = learn_trained(&table, &options, &partial, globals)?;
            let words = json!({ "model": "patterns" });
            let model = save_model(&args.output, words, &manifest, globals, |folder| {
                let saved = model.save(folder)?;
                partial.finish(folder).with_context(|| partial.folder().display().to_string())?;
                Ok(saved)
            })?;
            partial.remove();
            model.n_patterns()
        }
    };
    let (n_patterns, n_moves) = (count(n_patterns, "pattern"), count(table.n_moves(), "move"));
    globals.status(format_args!("{}: {n_patterns} learned from {n_moves}", args.output.display()));
    Ok(Found::Something)
}

/// Learns the trained model from the sample games.
///
/// # Errors
/// If it can't be written, or was stopped.
pub(crate) fn learn_sample(output: &Path, globals: &Globals) -> anyhow::Result<()> {
    let args = PatternArgs {
        collection: None,
        output: output.to_path_buf(),
        method: "trained".into(),
        held_out: 25,
        trees: 100,
        without: Vec::new(),
        filters: Filters::default(),
    };
    learn_patterns(&args, &Globals { quiet: true, ..globals.clone() }).map(drop)
}

/// Learns the trained model, with progress on stderr; Ctrl-C ends it, and the same command goes on.
fn learn_trained(
    table: &GameTable,
    options: &PatternOptions,
    partial: &Partial,
    globals: &Globals,
) -> anyhow::Result<PatternModel> {
    stop_on_interrupt();
    let mut told = 0;
    let go_on = |stage: LearningStage| {
        match stage {
            LearningStage::Harvest => globals.status("collecting patterns"),
            LearningStage::Weights(step) => {
                let twentieths = 20 * step.n_games / step.n_all.max(1);
                if twentieths > told {
                    told = twentieths;
                    globals.status(format_args!(
                        "fitting weights: {} of {}, {:.2} bits per move",
                        step.n_games,
                        count(step.n_all, "game"),
                        step.bits
                    ));
                }
            }
            LearningStage::Rows => globals.status("reading the held-out games"),
            LearningStage::Trees(n, bits) if n % 50 == 0 => {
                globals.status(format_args!(
                    "fitting trees: {n} of {}, {bits:.3} bits among the best moves",
                    options.n_trees
                ));
            }
            LearningStage::Trees(..) => {}
        }
        !is_stopped()
    };
    PatternModel::learn(table, options, Some(partial), go_on).map_err(|error| match error {
        PatternError::Stopped => {
            anyhow!("stopped; run the same command again to resume from {}", partial.folder().display())
        }
        error => error.into(),
    })
}
